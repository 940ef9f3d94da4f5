#!/usr/bin/env python3
"""What it costs to draw progress: the CPU seconds of a second with a line for each of 64 running files.

usage: Benchmarks/progress.py [--binary PATH] [--seconds N] [--rounds N] [--files N] [--columns N] [--limit PERCENT]

nginx sends each file slowly. In each round one run draws on a pseudo-terminal that shows all of its lines, and one is
--quiet; what their CPU seconds in the same time differ by is what drawing costs. More than the limit (1 %) fails.
"""
import argparse
import fcntl
import os
import pathlib
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

from harness import Server

WARM_UP = 3.0
RATE = 100 << 10
CONSOLE = "dlsync-console"


def cpu_seconds(pid, name="") -> float:
    """Of all its threads, or of those with a name, to the nanosecond as the scheduler counts them."""
    tasks = [task for task in pathlib.Path(f"/proc/{pid}/task").iterdir() if name in (task / "comm").read_text()]
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


class Run:
    """One run, its standard error at a terminal of our own that is always read."""

    def __init__(self, command, folder, size):
        self.terminal, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(folder)}
        for name in ("NO_COLOR", "CLICOLOR", "LC_ALL", "LC_CTYPE"):
            environment.pop(name, None)
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=other
        )
        os.close(other)
        self.drawn = 0

    def read(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.terminal], [], [], left)[0]:
                self.drawn += len(os.read(self.terminal, 1 << 16))

    def measure(self, seconds):
        """Of one second: CPU seconds, those of the thread that draws, bytes drawn."""
        self.read(WARM_UP)
        before, console = cpu_seconds(self.process.pid), cpu_seconds(self.process.pid, CONSOLE)
        drawn, begun = self.drawn, time.monotonic()
        self.read(seconds)
        if self.process.poll() is not None:
            sys.exit(f"progress.py: the run ended with {self.process.returncode}")
        took = time.monotonic() - begun
        now = cpu_seconds(self.process.pid), cpu_seconds(self.process.pid, CONSOLE)
        return (now[0] - before) / took, (now[1] - console) / took, (self.drawn - drawn) / took

    def end(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self.terminal)


def main():
    parser = argparse.ArgumentParser(description="Measures what it costs to draw progress.")
    parser.add_argument("--binary", default=".build/release/dlsync")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--files", type=int, default=64)
    parser.add_argument("--columns", type=int, default=120)
    parser.add_argument("--limit", type=float, default=1.0, help="percent of one CPU")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    size = (options.files + 4, options.columns)
    results = {"drawn": [], "quiet": []}
    with tempfile.TemporaryDirectory(prefix="dlsync-progress-") as place:
        place = pathlib.Path(place)
        (place / "www").mkdir()
        # One URL would be fetched once.
        for number in range(options.files):
            with (place / "www" / f"{number}").open("wb") as file:
                file.truncate(int(RATE * (options.seconds + WARM_UP) * 3))
        server = Server(place / "nginx", place / "www", f"limit_rate {RATE}; sendfile_max_chunk 16k;")
        try:
            for turn in range(options.rounds):
                for kind in results:
                    folder = place / f"{turn}-{kind}"
                    folder.mkdir()
                    lines = ["version: 1", "root: out", f"baseURL: {server.base}/", "queues:",
                             f"  default: {{ concurrency: {options.files}, connectionsPerHost: {options.files} }}", "files:"]
                    lines += [f"  - {{ url: {n}, destination: folder-{n % 7}/some-file-{n}.tar.gz }}" for n in range(options.files)]
                    (folder / "manifest.yaml").write_text("\n".join(lines) + "\n")
                    quiet = ["--quiet"] if kind == "quiet" else []
                    command = [binary, "apply", "manifest.yaml", "--state", str(folder / "state"), *quiet]
                    run = Run(command, folder, size)
                    try:
                        results[kind].append(run.measure(options.seconds))
                    finally:
                        run.end()
        finally:
            server.stop()
    costs = [drawn[0] - quiet[0] for drawn, quiet in zip(results["drawn"], results["quiet"])]
    for kind, measured in results.items():
        shares = ", ".join(f"{share * 100:.2f}" for share, _, _ in measured)
        console, drawn = (statistics.median(run[place] for run in measured) for place in (1, 2))
        print(f"{kind}: {shares} % of one CPU, {console * 100:.2f} % on the console's thread, {drawn / 1024:.1f} KiB/s drawn")
    cost = statistics.median(costs) * 100
    print(f"drawing {options.files} files: {cost:.2f} % of one CPU (limit {options.limit} %)")
    return 1 if cost > options.limit else 0


if __name__ == "__main__":
    sys.exit(main())
