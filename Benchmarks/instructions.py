#!/usr/bin/env python3
"""Counts the instructions of fixed work, as valgrind's callgrind sees them, and compares with what is recorded.

usage: Benchmarks/instructions.py [--binary PATH] [--record] [WORK ...]

Works: plan (10,000 entries), small (apply of 1,000 files of 4 KiB), large (apply of one file of 32 MiB). Unlike seconds the
counts hardly depend on what else the machine does, so a slip of a few percent shows. They do depend on the libraries, the
compiler and what the processor offers: recorded with each count is where it was taken, and a count from elsewhere is shown
and not judged. A count that grew by more than 5 % fails ("small" by more than 15 %: it waits for a server, and a slow machine
takes more turns to do so); --record writes the present ones down.

Instructions of the kernel are not counted, and the digest is: valgrind offers no SHA instructions, so "large" is mostly that.
"""
import argparse
import pathlib
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile

from harness import Server

RECORD = pathlib.Path(__file__).with_name("instructions.tsv")
LIMITS = {"plan": 1.05, "small": 1.15, "large": 1.05}


def place() -> str:
    """What the counts depend on."""

    def said(*command):
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()

    def library(name):
        return said("pkg-config", "--modversion", name)

    flags = re.search(r"^flags\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    vectors = "avx2" if flags and " avx2 " in f" {flags[1]} " else "plain"
    swift = re.search(r"swift-(\S+)-RELEASE|version (\S+)", said("swift", "--version"))
    return " ".join(
        [
            platform.machine(), vectors, "-".join(platform.libc_ver()), said("valgrind", "--version"),
            "swift-" + (swift[1] or swift[2] if swift else "unknown"),
            *(f"{name}-{library(name)}" for name in ("libcurl", "sqlite3", "libcrypto", "yaml-0.1")),
        ]
    )


def count(command, folder) -> int:
    log = folder / "callgrind.log"
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log}"]
    done = subprocess.run([*valgrind, *command], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"instructions.py: {' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    # The program and what it forked (a second process tries the locks) each say what they collected.
    return sum(map(int, re.findall(r"Collected : (\d+)", log.read_text())))


def manifest(folder, base, files) -> pathlib.Path:
    lines = ["version: 1", "root: out", "queues: {default: {concurrency: 16, connectionsPerHost: 16}}", "files:"]
    lines += [f"  - {{url: '{base}/{name}', destination: {name}}}" for name in files]
    path = folder / "manifest.yaml"
    path.write_text("\n".join(lines) + "\n")
    return path


def measure(work, binary, scratch) -> int:
    folder, root = scratch / work, scratch / f"{work}-www"
    folder.mkdir()
    root.mkdir()
    state = ["--state", str(folder / "state")]
    if work == "plan":
        path = manifest(folder, "http://127.0.0.1:1", [f"f{index:05}" for index in range(10_000)])
        return count([binary, "plan", path, "--quiet", *state], folder)
    source = random.Random(1)
    sizes = [4096] * 1000 if work == "small" else [32 << 20]
    names = [f"f{index:05}" for index in range(len(sizes))]
    for name, size in zip(names, sizes):
        (root / name).write_bytes(source.randbytes(size))
    server = Server(scratch / f"{work}-nginx", root)
    try:
        return count([binary, "apply", manifest(folder, server.base, names), "--quiet", *state], folder)
    finally:
        server.stop()


def recorded() -> dict[str, tuple[str, int]]:
    if not RECORD.exists():
        return {}
    rows = (line.split("\t") for line in RECORD.read_text().splitlines() if line and not line.startswith("#"))
    return {work: (where, int(number)) for work, number, where in rows}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", default=".build/release/dlsync")
    options.add_argument("--record", action="store_true")
    options.add_argument("works", nargs="*")
    chosen = options.parse_args()
    if not shutil.which("valgrind"):
        print("instructions.py: valgrind is not installed; nothing was counted", file=sys.stderr)
        sys.exit(77)
    here, known = place(), recorded()
    has_grown = False
    with tempfile.TemporaryDirectory(prefix="dlsync-count-") as scratch:
        # Debian's valgrind cannot read the debugger's tables that newer compilers write.
        binary = pathlib.Path(scratch) / "dlsync"
        subprocess.run(["strip", "--strip-debug", "-o", binary, chosen.binary], check=True)
        for work in chosen.works or ["plan", "small", "large"]:
            number = measure(work, binary, pathlib.Path(scratch))
            where, before = known.get(work, ("", 0))
            verdict = "not recorded" if not before else f"{number / before - 1:+.1%}"
            if before and where != here:
                verdict += f" (recorded elsewhere, not judged: {where})"
            elif before and number > before * LIMITS[work]:
                has_grown = True
                verdict += " TOO MANY"
            print(f"{work:8} {number:>15,} instructions  {verdict}", flush=True)
            if chosen.record:
                known[work] = (here, number)
    if chosen.record:
        rows = "".join(f"{work}\t{number}\t{where}\n" for work, (where, number) in sorted(known.items()))
        RECORD.write_text("# work, instructions, where they were counted; written by instructions.py --record\n" + rows)
    elif has_grown:
        sys.exit("instructions.py: find out why, or record the new counts with the reason in the commit")


if __name__ == "__main__":
    main()
