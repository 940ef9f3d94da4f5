#!/usr/bin/env python3
"""Runs dlsync against the servers that people really have, on loopback, and prints what held.

usage: run.py [--binary PATH] [SERVER ...]

A server that is not installed is left out, and said so (`scripts/setup matrix` installs them). Exits 1 when anything failed.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import servers

SIZE = 6 << 20


class Failure(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Failure(text)


class World:
    """What the servers serve, a certificate that dlsync is told to trust, and runs of dlsync."""

    def __init__(self, binary):
        self.binary = os.path.abspath(binary)
        self.place = tempfile.mkdtemp(prefix="dlsync-matrix-")
        self.www = os.path.join(self.place, "www")
        self.count = 0
        chance = random.Random(1)
        self.files = {"big.bin": chance.randbytes(SIZE), "text.txt": b"All work and no play. " * 20000, "empty.bin": b""}
        self.files.update({f"small/{i:03}": chance.randbytes(500 + i) for i in range(60)})
        self.files["streamed/index.shtml"] = b"".join(b"line %06d of a page that is made\n" % i for i in range(20000))
        self.files["packed/data"] = chance.randbytes(50000)
        for name, data in self.files.items():
            path = os.path.join(self.www, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f:
                f.write(data)
            # A date of the last change is only a validator when it is not of just now.
            os.utime(path, (time.time() - 86400,) * 2)
        for folder, _, _ in os.walk(self.place):
            os.chmod(folder, 0o755)
        self.make_certificates()

    def make_certificates(self):
        def openssl(*words):
            subprocess.run(["openssl", *words], check=True, cwd=self.place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        with open(os.path.join(self.place, "names"), "w", encoding="utf-8") as f:
            f.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=matrix CA", "-keyout", "ca.key", "-out", "ca.pem")
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "request.pem")
        openssl("x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names", "-out", "certificate.pem")

    def server(self, kind):
        place = os.path.join(self.place, kind.__name__)
        return kind(place, self.www, os.path.join(self.place, "certificate.pem"), os.path.join(self.place, "key.pem"))

    def job(self, server, secure, names, queue="", each=""):
        """A fresh folder with a manifest of these files."""
        self.count += 1
        folder = os.path.join(self.place, f"job{self.count}")
        os.makedirs(folder)
        tls = f", tls: {{caFile: '{self.place}/ca.pem'}}" if secure else ""
        lines = ["version: 1", "root: out", f"queues: {{default: {{concurrency: 8{queue}{tls}}}}}", "files:"]
        lines += [f"  - {{url: '{server.url('/' + name, secure)}', destination: '{name}'{each}}}" for name in names]
        with open(os.path.join(folder, "manifest.yaml"), "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        return folder

    def start(self, folder, *options):
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "DLSYNC_STATE": os.path.join(folder, "state")}
        return subprocess.Popen(
            [self.binary, "apply", "manifest.yaml", "--format", "json", *options], cwd=folder, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def apply(self, folder, *options, status=0):
        output, errors = self.start(folder, *options).communicate(timeout=60)
        report = json.loads(output)
        expect(report["exitStatus"] == status, f"exit {report['exitStatus']}: {errors.strip().splitlines()[-1:]}")
        return report

    def right(self, folder, names):
        for name in names:
            path = os.path.join(folder, "out", name)
            expect(os.path.exists(path), f"{name} is missing")
            with open(path, "rb") as f:
                expect(hashlib.sha256(f.read()).digest() == hashlib.sha256(self.files[name]).digest(), f"{name} has other bytes")


# Each check gets the world, a server and whether TLS is spoken; it raises Failure, or returns a word for the table.


def whole(w, s, secure):
    names = ["big.bin", "text.txt", "empty.bin"]
    folder = w.job(s, secure, names)
    w.apply(folder)
    w.right(folder, names)


def many(w, s, secure):
    names = [n for n in w.files if n.startswith("small/")]
    folder = w.job(s, secure, names)
    w.apply(folder)
    w.right(folder, names)


def segments(w, s, secure):
    folder = w.job(s, secure, ["big.bin"], ", connectionsPerFile: 4, chunkSize: 64KiB, rate: 20MB/s")
    report = w.apply(folder)
    w.right(folder, ["big.bin"])
    fetched = report["files"][0]["fetchedBytes"]
    if servers.RANGES in s.can:
        expect(fetched <= SIZE + (1 << 20), f"{fetched} bytes travelled")


def resume(w, s, secure):
    queue = ", chunkSize: 64KiB, rate: 2MB/s"
    folder = w.job(s, secure, ["big.bin"], queue)
    process = w.start(folder)
    time.sleep(1.8)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    expect(not os.path.exists(os.path.join(folder, "out", "big.bin")), "a part of the file has its name")
    report = w.apply(folder)
    w.right(folder, ["big.bin"])
    fetched = report["files"][0]["fetchedBytes"]
    if servers.RANGES in s.can:
        expect(fetched < SIZE - (1 << 20), f"not resumed: {fetched} bytes travelled again")
        return f"-{(SIZE - fetched) * 100 // SIZE}%"
    return "from 0"


def refresh(w, s, secure):
    folder = w.job(s, secure, ["big.bin", "text.txt"], each=", refresh: always")
    w.apply(folder)
    report = w.apply(folder)
    w.right(folder, ["big.bin", "text.txt"])
    fetched = sum(f["fetchedBytes"] for f in report["files"])
    expect(fetched == 0, f"{fetched} bytes travelled for files that did not change")


def streamed(w, s, secure):
    folder = w.job(s, secure, ["streamed/index.shtml"])
    w.apply(folder)
    w.right(folder, ["streamed/index.shtml"])


def packed(w, s, secure):
    folder = w.job(s, secure, ["packed/data"])
    report = w.apply(folder, status=1)
    code = report["files"][0]["error"]["code"]
    expect(code == "encodingUnsupported", f"an encoded body is {code}")
    folder = w.job(s, secure, ["packed/data"], each=", contentEncoding: keep")
    w.apply(folder)
    w.right(folder, ["packed/data"])


CHECKS = [
    ("whole", whole, None), ("60 small", many, None), ("segments", segments, servers.RANGES), ("kill -9", resume, None),
    ("304", refresh, servers.CONDITIONS), ("chunked", streamed, servers.STREAM), ("encoded", packed, servers.PACKED),
]


def answers(server, port):
    """What the access log tells of one port, when the server has ended and written all of it: versions and statuses."""
    found = set()
    with open(server.log, encoding="utf-8", errors="replace") as f:
        for line in f:
            if line.startswith("{"):
                entry = json.loads(line)
                line = f"{entry['request']['host'].rpartition(':')[2]} {entry['request']['proto']} {entry['status']}"
            words = line.split()
            if len(words) == 3 and words[0] == str(port):
                found.add((words[1].removeprefix("HTTP/").replace("2.0", "2"), words[2]))
    return found


def try_all(world, server, secure):
    """The cells of one row, and what failed."""
    cells, troubles = [], []
    for title, check, needs in CHECKS:
        if needs and needs not in server.can:
            cells.append("-")
            continue
        try:
            cells.append(check(world, server, secure) or "ok")
        except (Failure, OSError, ValueError, subprocess.SubprocessError) as error:
            cells.append("FAIL")
            troubles.append(f"{server.name}, {'TLS' if secure else 'plain'}, {title}: {error}")
    return cells, troubles


def try_server(world, kind):
    """The rows of one server, and what failed."""
    rows, troubles = [], []
    ways = [False, True] if kind.tls else [False]
    with world.server(kind) as server:
        for secure in ways:
            cells, more = try_all(world, server, secure)
            rows.append(cells)
            troubles += more
    for secure, row in zip(ways, rows):
        seen = answers(server, server.secure if secure else server.plain)
        row[:0] = [kind.name, "yes" if secure else "no", "+".join(sorted({version for version, _ in seen}))]
        if servers.RANGES in kind.can and "206" not in {status for _, status in seen}:
            troubles.append(f"{kind.name}: no range was served")
    return rows, troubles


def main():
    parser = argparse.ArgumentParser(description="dlsync against real servers")
    parser.add_argument("--binary", default=".build/release/dlsync")
    parser.add_argument("servers", nargs="*", help="only these")
    options = parser.parse_args()
    wanted = [k for k in servers.ALL if not options.servers or any(o.lower() in k.name.lower() for o in options.servers)]
    world = World(options.binary)
    rows, troubles = [["server", "TLS", "HTTP"] + [title for title, _, _ in CHECKS]], []
    try:
        for kind in wanted:
            if not kind.version():
                print(f"{kind.name} is not installed: left out", file=sys.stderr)
                continue
            try:
                more, trouble = try_server(world, kind)
                rows += more
                troubles += trouble
            except RuntimeError as error:
                troubles.append(str(error))
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        for trouble in troubles:
            print("FAIL", trouble)
    finally:
        shutil.rmtree(world.place, ignore_errors=True)
    return 1 if troubles or len(rows) == 1 else 0


if __name__ == "__main__":
    sys.exit(main())
