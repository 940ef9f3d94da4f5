/* Linux calls that Swift's Glibc module hides because it is built without _GNU_SOURCE. Each wrapper is named
   dl_ + the call's own name and keeps its result: -1 and errno, or the value. */
#ifndef DLSYNC_CPOSIX_H
#define DLSYNC_CPOSIX_H
#include <stdint.h>
#include <sys/types.h>

/* O_PATH of open(2): names a file without opening it. */
extern const int dl_o_path;

/* syncfs(2): flushes the file system that holds fd. */
int dl_syncfs(int fd);

/* sync_file_range(2) with SYNC_FILE_RANGE_WRITE: starts writing the dirty pages of a range and does not wait. */
int dl_sync_file_range(int fd, int64_t offset, int64_t length);

/* sync_file_range(2) with SYNC_FILE_RANGE_WAIT_BEFORE: waits for what is being written, and tells whether any page of the
   file could not be since it was opened. */
int dl_wait_written(int fd);

/* openat2(2) with RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS: a path that may not leave the folder. */
int dl_openat2_beneath(int folder, const char *path, int flags);

/* renameat2(2) with RENAME_NOREPLACE, and with RENAME_EXCHANGE. */
int dl_renameat2_noreplace(int fromFolder, const char *from, int toFolder, const char *to);
int dl_renameat2_exchange(int fromFolder, const char *from, int toFolder, const char *to);

/* copy_file_range(2) at the same offset of both files. */
int64_t dl_copy_file_range(int from, int to, int64_t offset, uint64_t length);

/* fstatfs(2): the type of the file system that holds fd, as statfs(2) lists them. */
int64_t dl_fstatfs_type(int fd);

/* ioctl(2) FICLONE: lets `to` share all of `from`'s blocks. */
int dl_ioctl_ficlone(int to, int from);

/* fcntl(2) F_SETLEASE, taken and given back at once: 0 when no other descriptor of the file is open anywhere, -1 and
   EAGAIN when one is, -1 and another errno where there are no leases. */
int dl_fcntl_lease(int fd);

/* fcntl(2) F_OFD_SETLK: a write lock of the whole file, held by the open file description. */
int dl_fcntl_lock(int fd);

/* fcntl(2) F_OFD_GETLK: 1 when somebody else holds a write lock, 0 when nobody does, or -1 and errno. */
int dl_fcntl_is_locked(int fd);

/* Whether the locks of this process keep another one out: a child opens the path anew and asks for the same locks, those of
   fcntl(2) and, where `also_flock` is not 0, that of flock(2). 1 when all are refused, 0 when one is given, or -1 and errno
   where no child could ask. */
int dl_locks_keep_out(const char *path, int also_flock);

/* The command line of this process, as its loader has it: Swift reads it from /proc, which a chroot may lack. */
int dl_argument_count(void);
const char *dl_argument(int index);

/* How a program is started: what posix_spawn(3) does, and a limit that it does not know. */
struct dl_start {
  const char *file;
  /* Whether file is looked up in PATH. */
  int is_searched;
  char *const *arguments;
  char *const *environment;
  /* Standard input, output and error; -1 is /dev/null. */
  int streams[3];
  /* Descriptors that the program does not get. */
  const int *closed;
  int closed_count;
  /* A session of its own instead of a process group. */
  int has_session;
  /* RLIMIT_NOFILE's soft limit; 0 leaves it. */
  uint64_t open_files;
};

/* Starts a program with every signal at its default and none blocked. 0, or the error number. */
int dl_start(pid_t *process, const struct dl_start *how);

/* adjtimex(2), reading only: 1 when something keeps the clock right, 0 when nothing does, or -1 and errno. */
int dl_adjtimex_is_kept(void);

#endif
