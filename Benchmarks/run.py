#!/usr/bin/env python3
"""Side by side with the peers: the same work, in turns, on one machine, over loopback from nginx.

usage: Benchmarks/run.py [--binary PATH] [--rounds N] [--scale X] [--folder DIR] [--json FILE] [WORK ...]

Works: start, large, small, again, plan. Peers that are not installed are left out. In each round every command runs once,
one after another (A B C, A B C, …), after one round that does not count; what is told is the median of its wall seconds,
CPU seconds and peak memory, and the median of its ratio to dlsync within the rounds: above 1 means that dlsync was faster.
A run whose files are not all there and right does not count, and fails the benchmark.

Compare within a table only: machines drift by a quarter within minutes. Results are written into fresh folders and removed
at the very end, because creating files right after deleting many is far slower on some file systems.
"""
import argparse
import contextlib
import hashlib
import json
import os
import pathlib
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

MiB = 1 << 20


class Server:
    """nginx on a free loopback port, serving one folder; `settings` are further lines of its configuration."""

    def __init__(self, folder: pathlib.Path, root: pathlib.Path, settings: str = ""):
        folder.mkdir()
        with contextlib.closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        temporary = "".join(f"{kind}_temp_path {folder}/{kind}; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        configuration = folder / "nginx.conf"
        configuration.write_text(
            f"""daemon off; worker_processes 2; pid {folder}/pid; {"user root;" if os.getuid() == 0 else ""}
events {{ worker_connections 4096; }}
http {{
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; {temporary}
  default_type application/octet-stream;
  server {{ listen 127.0.0.1:{self.port} backlog=4096 reuseport; root {root}; autoindex on; {settings} }}
}}
"""
        )
        command = [find("nginx") or "/usr/sbin/nginx", "-c", str(configuration), "-p", str(folder), "-e", str(folder / "error.log")]
        self.process = subprocess.Popen(command)
        for _ in range(200):
            with contextlib.suppress(OSError), contextlib.closing(socket.create_connection(("127.0.0.1", self.port), 0.2)):
                return
            time.sleep(0.02)
        sys.exit("run.py: nginx does not start")

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


class Measurement:
    def __init__(self, wall, cpu, peak, status, errors):
        self.wall, self.cpu, self.peak, self.status, self.errors = wall, cpu, peak, status, errors


def find(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def measure(command, folder, environment) -> Measurement:
    """Runs one command. The peak is sampled: what wait4 tells of a child begins with the parent's own memory."""
    with tempfile.TemporaryFile() as errors:
        start = time.monotonic()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors
        )
        peak = [0]
        done = threading.Event()

        def watch():
            while not done.is_set():
                with contextlib.suppress(OSError, ValueError, IndexError):
                    text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                    peak[0] = max(peak[0], int(text.split("VmHWM:")[1].split()[0]) * 1024)
                done.wait(0.01)

        watcher = threading.Thread(target=watch)
        watcher.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        done.set()
        watcher.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return Measurement(
            wall, usage.ru_utime + usage.ru_stime, peak[0], process.returncode, errors.read()[-300:].decode("utf-8", "replace")
        )


class Bench:
    def __init__(self, options):
        self.options = options
        self.binary = os.path.abspath(options.binary)
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="dlsync-bench-", dir=options.folder))
        self.root = self.place / "www"
        self.root.mkdir()
        self.server = Server(self.place / "nginx", self.root)
        self.number = 0
        self.failures = 0
        self.results = []

    def close(self):
        self.server.stop()
        shutil.rmtree(self.place, ignore_errors=True)

    def fresh(self) -> pathlib.Path:
        self.number += 1
        folder = self.place / f"run-{self.number}"
        folder.mkdir()
        return folder

    def compare(self, title, commands, check=None, prepare=False):
        """`commands`: name to a function of the run's folder that gives the command; the first is dlsync. With `prepare`
        each runs once in its folder before the run that is measured."""
        print(f"\n{title}", flush=True)
        rounds = {name: [] for name in commands}
        for turn in range(self.options.rounds + 1):
            for name, make in commands.items():
                folder = self.fresh()
                environment = {**os.environ, "DLSYNC_STATE": str(folder / "state"), "HOME": str(folder)}
                command = make(folder)
                if prepare:
                    measure(command, folder, environment)
                result = measure(command, folder, environment)
                problem = f"exit {result.status}: {result.errors!r}" if result.status else check(folder) if check else None
                if problem:
                    self.failures += 1
                    print(f"  {name}: does not count: {problem}", flush=True)
                if turn:
                    rounds[name].append(None if problem else result)
        self.table(title, rounds)

    def table(self, title, rounds):
        first = next(iter(rounds))
        print(f"  {'':30} {'wall s':>9} {'CPU s':>9} {'peak MiB':>9} {'to dlsync':>9}")
        for name, results in rounds.items():
            good = [result for result in results if result]
            if not good:
                continue
            pairs = [a.wall / b.wall for a, b in zip(results, rounds[first]) if a and b]
            row = {
                "work": title,
                "command": name,
                "wall": statistics.median(result.wall for result in good),
                "cpu": statistics.median(result.cpu for result in good),
                "peak": statistics.median(result.peak for result in good),
                "ratio": statistics.median(pairs) if pairs else None,
            }
            self.results.append(row)
            ratio = f"{row['ratio']:9.2f}" if pairs else ""
            print(f"  {name:30} {row['wall']:9.3f} {row['cpu']:9.3f} {row['peak'] / MiB:9.1f} {ratio}", flush=True)

    # Works

    def files(self, folder, count, size):
        """Makes files to serve; gives (name, SHA-256) of each."""
        (self.root / folder).mkdir(exist_ok=True)
        generator = random.Random(f"{folder} {size}")
        made = []
        for index in range(count):
            name = f"{index // 100:03}/{index % 100:02}.bin" if count > 100 else f"{index}.bin"
            path = self.root / folder / name
            path.parent.mkdir(exist_ok=True)
            digest = hashlib.sha256()
            with path.open("wb") as file:
                left = size
                while left > 0:
                    piece = generator.randbytes(min(left, 4 * MiB))
                    digest.update(piece)
                    file.write(piece)
                    left -= len(piece)
            made.append((name, digest.hexdigest()))
        return made

    def manifest(self, name, folder, files, queue="{}"):
        lines = ["version: 1", f"baseURL: {self.server.base}/{folder}/", "root: ROOT", f"queues: {{ default: {queue} }}", "files:"]
        lines += [f"  - {{ url: {file}, destination: {file}, checksum: 'sha256:{digest}' }}" for file, digest in files]
        text = "\n".join(lines) + "\n"

        def make(run: pathlib.Path):
            path = run / name
            path.write_text(text.replace("ROOT", str(run / "out")))
            return [self.binary, "apply", str(path), "--quiet"]

        return make

    @staticmethod
    def all_there(files, size):
        def check(folder):
            found = [path for path in (folder / "out").rglob("*") if path.is_file() and not path.name.startswith(".")]
            if len(found) != len(files):
                return f"{len(found)} files instead of {len(files)}"
            wrong = [path for path in found if path.stat().st_size != size]
            if wrong:
                return f"{wrong[0]} has another size"
            sample = random.Random(1).sample(files, min(20, len(files)))
            for name, digest in sample:
                if hashlib.sha256((folder / "out" / name).read_bytes()).hexdigest() != digest:
                    return f"{name} has other bytes"
            return None

        return check

    def start(self):
        commands = {"dlsync": lambda _: [self.binary, "version"]}
        for tool in ("curl", "aria2c", "wget2", "rclone"):
            if find(tool):
                commands[tool] = lambda _, tool=tool: [tool, "version" if tool == "rclone" else "--version"]
        self.compare("start: the version", commands)

    def large(self):
        size = int(1024 * MiB * self.options.scale)
        files = self.files("large", 1, size)
        name, digest = files[0]
        url = f"{self.server.base}/large/{name}"

        def into(folder):
            (folder / "out").mkdir()
            return str(folder / "out" / name)

        commands = {"dlsync (verified, durable)": self.manifest("large.yaml", "large", files)}
        if find("curl"):
            commands["curl"] = lambda run: ["curl", "-sSf", "-o", into(run), url]
            commands["curl, then openssl dgst"] = lambda run: ["sh", "-c", f"curl -sSf -o {into(run)} {url} && openssl dgst -sha256 out/{name}"]
        if find("aria2c"):
            commands["aria2c --checksum"] = lambda run: ["aria2c", "-q", "--file-allocation=none", f"--checksum=sha-256={digest}", "-d", "out", url]
        if find("wget2"):
            commands["wget2"] = lambda run: ["wget2", "-q", "-O", into(run), url]
        self.compare(f"large: one file of {size / MiB:.0f} MiB over one connection", commands, self.all_there(files, size))

    def small_commands(self, files, jobs):
        base = f"{self.server.base}/small"
        commands = {
            "dlsync (verified, durable)": self.manifest(
                "small.yaml", "small", files, f"{{ concurrency: {jobs}, connectionsPerHost: {jobs} }}"
            )
        }

        def listing(run, line):
            path = run / "list"
            path.write_text("".join(line(name) for name, _ in files))
            return str(path)

        if find("curl"):
            commands["curl -Z"] = lambda run: [
                *("curl", "-sSf", "-Z", "--parallel-max", str(jobs), "--create-dirs", "-K"),
                listing(run, lambda name: f'url = "{base}/{name}"\noutput = "out/{name}"\n'),
            ]
        if find("aria2c"):
            commands["aria2c -i"] = lambda run: [
                *("aria2c", "-q", f"-j{jobs}", "--file-allocation=none", "--allow-overwrite=true", "-i"),
                listing(run, lambda name: f"{base}/{name}\n  out=out/{name}\n"),
            ]
        if find("wget2"):
            commands["wget2 -i"] = lambda run: [
                *("wget2", "-q", f"--max-threads={jobs}", "-x", "-nH", "--cut-dirs=1", "-P", "out", "-i"),
                listing(run, lambda name: f"{base}/{name}\n"),
            ]
        if find("rclone"):
            commands["rclone copy"] = lambda run: [
                *("rclone", "copy", "-q", f"--transfers={jobs}", f"--checkers={jobs}", f":http,url='{base}/':", "out")
            ]
        return commands

    def small(self):
        count, size = max(1, int(2000 * self.options.scale)), 8192
        files = self.files("small", count, size)
        title = f"small: {count} files of 8 KiB, 16 at once"
        self.compare(title, self.small_commands(files, 16), self.all_there(files, size))

    def again(self):
        count, size = max(1, int(2000 * self.options.scale)), 8192
        files = self.files("small", count, size)
        commands = self.small_commands(files, 16)
        kept = {name: make for name, make in commands.items() if name.startswith(("dlsync", "rclone"))}
        self.compare(f"again: {count} files that are there already", kept, self.all_there(files, size), prepare=True)

    def plan(self):
        count = max(1, int(100_000 * self.options.scale))
        files = [(f"{index // 100}/{index % 100}", f"{index:064x}") for index in range(count)]
        apply = self.manifest("plan.yaml", "plan", files)
        self.compare(f"plan: {count} entries, nothing there", {"dlsync": lambda run: [self.binary, "plan", apply(run)[2], "--quiet"]})


WORKS = ["start", "large", "small", "again", "plan"]


def main():
    parser = argparse.ArgumentParser(description="Compares dlsync with its peers over loopback.")
    parser.add_argument("--binary", default=".build/release/dlsync")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1.0, help="of sizes and counts")
    parser.add_argument("--folder", help="where files are served from and written to; needs about 10 GiB at scale 1")
    parser.add_argument("--json", help="also writes the figures there")
    parser.add_argument("works", nargs="*", metavar="WORK", help=", ".join(WORKS))
    options = parser.parse_args()
    unknown = [work for work in options.works if work not in WORKS]
    if unknown:
        parser.error(f"there is no work '{unknown[0]}'; there are {', '.join(WORKS)}")
    bench = Bench(options)
    try:
        for work in options.works or WORKS:
            getattr(bench, work)()
    finally:
        bench.close()
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(bench.results, indent=1) + "\n")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
