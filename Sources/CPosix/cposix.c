#define _GNU_SOURCE
#include "cposix.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <unistd.h>

const int dl_o_path = O_PATH;

int dl_syncfs(int fd) { return syncfs(fd); }

int dl_sync_file_range(int fd, int64_t offset, int64_t length) {
  return sync_file_range(fd, offset, length, SYNC_FILE_RANGE_WRITE);
}

int dl_wait_written(int fd) { return sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE); }

int dl_openat2_beneath(int folder, const char *path, int flags) {
  struct open_how how;
  memset(&how, 0, sizeof how);
  how.flags = (uint64_t)flags;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

int dl_renameat2_noreplace(int fromFolder, const char *from, int toFolder, const char *to) {
  return renameat2(fromFolder, from, toFolder, to, RENAME_NOREPLACE);
}

int dl_renameat2_exchange(int fromFolder, const char *from, int toFolder, const char *to) {
  return renameat2(fromFolder, from, toFolder, to, RENAME_EXCHANGE);
}

int64_t dl_copy_file_range(int from, int to, int64_t offset, uint64_t length) {
  off64_t in = offset, out = offset;
  return copy_file_range(from, &in, to, &out, length, 0);
}

int64_t dl_fstatfs_type(int fd) {
  struct statfs result;
  return fstatfs(fd, &result) == 0 ? (int64_t)(uint32_t)result.f_type : -1;
}

int dl_ioctl_ficlone(int to, int from) { return ioctl(to, FICLONE, from); }

int dl_fcntl_lease(int fd) {
  /* Should somebody open the file in this moment, the kernel sends a signal: one that is ignored by default. */
  if (fcntl(fd, F_SETSIG, SIGURG) == -1 || fcntl(fd, F_SETLEASE, F_WRLCK) == -1) return -1;
  return fcntl(fd, F_SETLEASE, F_UNLCK);
}

static struct flock whole(short type) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

int dl_fcntl_lock(int fd) {
  struct flock lock = whole(F_WRLCK);
  return fcntl(fd, F_OFD_SETLK, &lock);
}

int dl_fcntl_is_locked(int fd) {
  struct flock lock = whole(F_RDLCK);
  if (fcntl(fd, F_OFD_GETLK, &lock) == -1) return -1;
  return lock.l_type != F_UNLCK;
}

int dl_locks_keep_out(const char *path, int also_flock) {
  /* vfork: the memory of a process that planned a million files need not be mapped twice for three system calls. The child
     has descriptors of its own, so it is another process to every lock. */
  pid_t child = vfork();
  if (child == 0) {
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) _exit(2);
    if (dl_fcntl_lock(fd) == 0) _exit(0);
    if (also_flock && flock(fd, LOCK_EX | LOCK_NB) == 0) _exit(0);
    _exit(1);
  }
  int status = 0;
  pid_t ended = child;
  while (child > 0 && (ended = waitpid(child, &status, 0)) == -1 && errno == EINTR) {}
  if (ended == -1) return -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) < 2) return WEXITSTATUS(status);
  errno = ECHILD;
  return -1;
}

int dl_adjtimex_is_kept(void) {
  struct timex values = {0};
  int state = adjtimex(&values);
  return state == -1 ? -1 : state != TIME_ERROR;
}
