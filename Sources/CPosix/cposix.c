#define _GNU_SOURCE
#include "cposix.h"
#include <unistd.h>

int dl_syncfs(int fd) { return syncfs(fd); }
