#!/usr/bin/env python3
"""Steps of the wall clock, hours and years forth and back many times a second, while files come: nothing is decided by it.

A library between the command and the C library moves what the wall clock says; the monotonic clock stays. A run under it
must take as long, ask as often and end as one without.
"""
import os, pathlib, random, shutil, struct, subprocess, tempfile, threading, time
from world import Failure, Origin, Resource, World, law, main, payload

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static volatile const int64_t *offset;
__attribute__((constructor)) static void look(void) {
  int file = open(getenv("TORTURE_CLOCK"), O_RDONLY | O_CLOEXEC);
  void *map = file < 0 ? MAP_FAILED : mmap(0, 8, PROT_READ, MAP_SHARED, file, 0);
  if (file >= 0) close(file);
  if (map != MAP_FAILED) offset = map;
}
static int64_t seconds(void) { return offset ? *offset : 0; }
int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += seconds();
  return result;
}
int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  int result = clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec; time->tv_usec = now.tv_nsec / 1000;
  return result;
}
time_t time(time_t *where) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (where) *where = now.tv_sec;
  return now.tv_sec;
}
"""


class Clock:
    """The shim, and the steps."""

    def __init__(self, chance):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dlsync-torture-clock-"))
        self.offset, self.library = self.folder / "offset", self.folder / "shim.so"
        self.offset.write_bytes(bytes(8))
        source = self.folder / "shim.c"
        source.write_text(SHIM)
        compiler = next((name for name in ("cc", "clang", "gcc") if shutil.which(name)), None)
        law(compiler, "there is no C compiler")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", self.library, source, "-ldl"], check=True)
        self.steps, self.isOver = 0, threading.Event()
        self.thread = threading.Thread(target=self.run, args=(chance,), daemon=True)
        self.thread.start()

    def run(self, chance):
        with open(self.offset, "r+b") as file:
            while not self.isOver.wait(chance.uniform(0.001, 0.08)):
                step = int(chance.choice([-1, 1]) * 10 ** chance.uniform(0, 8.8))
                file.seek(0)
                file.write(struct.pack("<q", step))
                file.flush()
                self.steps += 1

    def environment(self):
        return {"LD_PRELOAD": str(self.library), "TORTURE_CLOCK": str(self.offset)}

    def close(self):
        self.isOver.set()
        self.thread.join()
        shutil.rmtree(self.folder)


class Moody(Resource):
    """Answers 503 first, and asks to be left alone for a second."""

    def __init__(self, data):
        super().__init__(data, pace=200_000)
        self.refusals = 1


class MoodyOrigin(Origin):
    def answer(self, request):
        resource = self.resources.get(request.path)
        if isinstance(resource, Moody) and resource.refusals > 0:
            resource.refusals -= 1
            request.send_response(503)
            request.send_header("Retry-After", "1")
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        super().answer(request)


def run(options, environment):
    """A limited rate, waits that a server asks for, retries, a command from outside. Answers how long it took and what was asked."""
    data = {"f%d" % n: payload(150_000, n) for n in range(12)}
    origin = MoodyOrigin({"/" + name: Moody(bytes) if name in ("f0", "f5") else Resource(bytes, pace=200_000) for name, bytes in data.items()})
    world = World(options.binary)
    world.environment.update(environment)
    manifest = world.manifest(
        "version: 1\nroot: out\nqueues: { default: { concurrency: 3, rate: 400kB, chunkSize: 64KiB, "
        "timeouts: { request: 2s, connect: 2s, resource: 60s }, retry: { baseDelay: 200ms, maxDelay: 400ms } } }\nfiles:\n"
        + "".join('  - { url: "%s", destination: %s }\n' % (origin.url("/" + name), name) for name in data)
        + '  - { url: "%s", destination: gone }\n' % origin.url("/gone"))
    began = time.monotonic()
    process = world.start("apply", manifest)
    time.sleep(1)
    for verb in ("pause", "resume"):
        asked = time.monotonic()
        status, report = world.json(verb, "f11", "f10")
        law(status == 0, "%s: exit %d, %s" % (verb, status, report))
        law(time.monotonic() - asked < 2, "%s took %.1f s" % (verb, time.monotonic() - asked))
    law(process.wait(60) == 1, "the run ended with %d" % process.returncode)
    seconds = time.monotonic() - began
    asked = sorted(origin.asked)
    status, plan = world.json("plan", manifest)
    law(plan["summary"]["reuse"] == len(data), "the plan afterwards: %s" % plan["summary"])
    mark = origin.count()
    status, report = world.json("apply", manifest)
    law(origin.since(mark) == ["/gone"], "asked again: %s" % origin.since(mark))
    for name, bytes in data.items():
        law((world.out / name).read_bytes() == bytes, "%s is not right" % name)
    world.close()
    origin.close()
    return seconds, asked


def torture(options):
    """Steps of the wall clock while files come: nothing is decided by it."""
    chance = random.Random(options.seed)
    seconds, asked = run(options, {})
    clock = Clock(chance)
    try:
        for number in range(options.rounds):
            moved, other = run(options, clock.environment())
            law(other == asked, "other requests: %s" % sorted(set(other) ^ set(asked)))
            law(abs(moved - seconds) < 0.15 * seconds + 0.7, "%.1f s, and %.1f s with a quiet clock" % (moved, seconds))
            print("round %d: %d steps of the clock; %.1f s (%.1f s with a quiet one), %d requests as then" % (number, clock.steps, moved, seconds, len(asked)), flush=True)
    finally:
        clock.close()


if __name__ == "__main__":
    main(torture, rounds=3)
