#define _GNU_SOURCE
#include "cposix.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child, which has the parent's memory until it runs the program. Returns only when something fails. */
static int begin(const struct dl_start *how) {
  if (how->has_session ? setsid() == -1 : setpgid(0, 0) == -1) return errno;
  int streams[3];
  for (int number = 0; number < 3; number++) {
    streams[number] = how->streams[number];
    /* One that lies where another is to be would be overwritten before its turn. */
    if (streams[number] < 0 || streams[number] > 2 || streams[number] == number) continue;
    streams[number] = fcntl(streams[number], F_DUPFD_CLOEXEC, 3);
    if (streams[number] == -1) return errno;
  }
  for (int number = 0; number < 3; number++) {
    int stream = streams[number];
    if (stream == -1) stream = open("/dev/null", number == 0 ? O_RDONLY : O_WRONLY);
    if (stream == -1) return errno;
    if (stream == number) {
      if (fcntl(stream, F_SETFD, 0) == -1) return errno;
    } else {
      if (dup2(stream, number) == -1) return errno;
      if (how->streams[number] == -1) close(stream);
    }
  }
  for (int index = 0; index < how->closed_count; index++) close(how->closed[index]);
  if (how->open_files > 0) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
      limit.rlim_cur = how->open_files;
      setrlimit(RLIMIT_NOFILE, &limit);
    }
  }
  /* Those that cannot be set are at their default. */
  for (int number = 1; number < _NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (how->is_searched) {
    execvpe(how->file, how->arguments, how->environment);
  } else {
    execve(how->file, how->arguments, how->environment);
  }
  return errno;
}

int dl_start(pid_t *process, const struct dl_start *how) {
  /* No handler of ours may run in the child. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  volatile int trouble = 0;
  pid_t child = vfork();
  if (child == 0) {
    trouble = begin(how);
    _exit(127);
  }
  if (child == -1) trouble = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (child != -1 && trouble != 0) {
    while (waitpid(child, NULL, 0) == -1 && errno == EINTR) {}
  }
  *process = child;
  return trouble;
}
