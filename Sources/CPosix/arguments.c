#include "cposix.h"

static int count;
static char **values;

/* The dynamic loader gives every constructor what it gives to main. */
__attribute__((constructor)) static void keep(int argc, char **argv) {
  count = argc;
  values = argv;
}

int dl_argument_count(void) { return count; }

const char *dl_argument(int index) { return values[index]; }
