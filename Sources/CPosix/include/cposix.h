/* Linux calls that Swift's Glibc module hides because it is built without _GNU_SOURCE. Each wrapper is named
   dl_ + the call's own name and keeps its result: -1 and errno, or the value. */
#ifndef DLSYNC_CPOSIX_H
#define DLSYNC_CPOSIX_H
#include <stdint.h>
#include <sys/types.h>

/* syncfs(2): flushes the file system that holds fd. */
int dl_syncfs(int fd);

#endif
