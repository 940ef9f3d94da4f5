"""What the works share: servers, measured commands, runs in turns, the world of many finished files."""
import contextlib
import hashlib
import http.server
import os
import pathlib
import random
import shutil
import socket
import socketserver
import statistics
import subprocess
import sys
import tempfile
import threading
import time

MiB = 1 << 20
GiB = 1 << 30


def find(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


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


class PacedServer:
    """Serves one text with ranges, every connection at its own pace: /RATE/…, bytes a second (0: as fast as it goes);
    /slow-RATE/… gives the first connection a twentieth of it; /delay-MILLISECONDS/… waits before each answer."""

    def __init__(self, text: bytes):
        paced = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                paced.answer(self, text)

        class Threads(socketserver.ThreadingTCPServer):
            request_queue_size = 256
            daemon_threads = True

        self.lock = threading.Lock()
        self.has_slowed = False
        self.server = Threads(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def begin(self):
        """The next connection is the first again."""
        self.has_slowed = False

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, request, text):
        word = request.path.split("/")[1]
        share = 1.0
        if word.startswith("delay-"):
            time.sleep(int(word[6:]) / 1000)
            word = "0"
        elif word.startswith("slow-"):
            word = word[5:]
            with self.lock:
                share, self.has_slowed = (1.0 if self.has_slowed else 0.05), True
        rate = float(word) * share
        first, last = 0, len(text) - 1
        if wanted := request.headers.get("Range"):
            begin, _, end = wanted.removeprefix("bytes=").partition("-")
            first, last = int(begin), min(int(end), last) if end else last
            request.send_response(206)
            request.send_header("Content-Range", f"bytes {first}-{last}/{len(text)}")
        else:
            request.send_response(200)
        for name, value in (("Content-Length", str(last - first + 1)), ("ETag", '"1"'), ("Accept-Ranges", "bytes")):
            request.send_header(name, value)
        request.end_headers()
        left, sent, begun = memoryview(text)[first : last + 1], 0, time.monotonic()
        with contextlib.suppress(OSError):
            while sent < len(left):
                request.wfile.write(left[sent : sent + 65536])
                sent += 65536
                if rate and (wait := sent / rate - (time.monotonic() - begun)) > 0:
                    time.sleep(wait)


class Measurement:
    def __init__(self, wall, cpu, peak, status, errors):
        self.wall, self.cpu, self.peak, self.status, self.errors = wall, cpu, peak, status, errors


def measure(command, folder, environment, watching=None) -> Measurement:
    """Runs one command. The peak is sampled, because what wait4 tells of a child begins with the parent's own memory; a
    shell's is that of its greatest child. `watching` is called with its number every few milliseconds."""
    with tempfile.TemporaryFile() as errors:
        start = time.monotonic()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors
        )
        peak = [0]
        done = threading.Event()
        is_shell = command[0] == "sh"

        def number_of(process):
            with contextlib.suppress(OSError, IndexError):
                return int(pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()[0])
            return process

        def watch():
            while not done.is_set():
                with contextlib.suppress(OSError, ValueError, IndexError):
                    number = number_of(process.pid) if is_shell else process.pid
                    text = pathlib.Path(f"/proc/{number}/status").read_text()
                    peak[0] = max(peak[0], int(text.split("VmHWM:")[1].split()[0]) * 1024)
                if watching:
                    watching(process.pid)
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


class Row:
    """One command of one work: medians over the counted rounds."""

    def __init__(self, command, good, pairs):
        self.command = command
        self.wall = statistics.median(result.wall for result in good)
        self.cpu = statistics.median(result.cpu for result in good)
        self.peak = statistics.median(result.peak for result in good)
        # The median of its wall time by dlsync's, round by round: above 1 means that dlsync was faster.
        self.ratio = statistics.median(pairs) if pairs else None


class Bench:
    """One run of the benchmark: its folder, its server, what it found."""

    def __init__(self, binary, rounds, is_full, folder=None):
        self.binary = os.path.abspath(binary)
        self.rounds = rounds
        self.is_full = is_full
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="dlsync-bench-", dir=folder))
        self.root = self.place / "www"
        self.root.mkdir()
        self.server = Server(self.place / "nginx", self.root)
        self.number = 0
        self.failures = 0
        self.worlds: dict[int, World] = {}
        # Title and rows of each comparison, then (what, goal, found, whether it is met).
        self.tables: list[tuple[str, list[Row]]] = []
        self.goals: list[tuple[str, str, str, bool]] = []

    def close(self):
        self.server.stop()
        shutil.rmtree(self.place, ignore_errors=True)

    def size(self, quick, full):
        return full if self.is_full else quick

    def fresh(self) -> pathlib.Path:
        self.number += 1
        folder = self.place / f"run-{self.number}"
        folder.mkdir()
        return folder

    @staticmethod
    def environment(folder):
        return {**os.environ, "DLSYNC_STATE": str(folder / "state"), "HOME": str(folder)}

    def compare(self, title, commands, check=None, folder=None, before=None, rounds=None) -> dict[str, Row]:
        """`commands`: name to a function of the run's folder that gives the command; the first is dlsync. Every run has a
        fresh folder unless one is given; `before` is called before each."""
        print(f"\n{title}", flush=True)
        results = {name: [] for name in commands}
        for turn in range((rounds or self.rounds) + 1):
            for name, make in commands.items():
                place = folder or self.fresh()
                if before:
                    before(place)
                result = measure(make(place), place, self.environment(place))
                problem = f"exit {result.status}: {result.errors!r}" if result.status else check(place) if check else None
                if problem:
                    self.failures += 1
                    print(f"  {name}: does not count: {problem}", flush=True)
                # Large results go at once; deleting many small ones would slow down the making of the next.
                if not folder and sum(entry.stat().st_size for entry in place.glob("out/*")) > 64 * MiB:
                    shutil.rmtree(place)
                if turn:
                    results[name].append(None if problem else result)
        return self.table(title, results)

    def table(self, title, results) -> dict[str, Row]:
        first = next(iter(results))
        rows = []
        print(f"  {'':34} {'wall s':>9} {'CPU s':>9} {'peak MiB':>9} {'to dlsync':>9}")
        for name, found in results.items():
            good = [result for result in found if result]
            if not good:
                continue
            row = Row(name, good, [a.wall / b.wall for a, b in zip(found, results[first]) if a and b])
            rows.append(row)
            ratio = f"{row.ratio:9.2f}" if row.ratio else ""
            print(f"  {name:34} {row.wall:9.3f} {row.cpu:9.3f} {row.peak / MiB:9.1f} {ratio}", flush=True)
        self.tables.append((title, rows))
        return {row.command: row for row in rows}

    def goal(self, what, goal, found, is_met):
        self.goals.append((what, goal, found, is_met))
        print(f"  {what}: {found}; goal: {goal}; {'met' if is_met else 'NOT MET'}", flush=True)

    def faster(self, what, rows):
        """A goal of many works: no peer is faster."""
        peers = [row for row in list(rows.values())[1:] if row.ratio]
        if peers:
            best = min(peers, key=lambda row: row.ratio)
            self.goal(what, "no peer is faster", f"fastest peer {best.command}: {best.ratio:.2f} times dlsync's time", best.ratio >= 1)

    def world(self, count) -> "World":
        """The world of so many files, made once."""
        if count not in self.worlds:
            self.worlds[count] = World(self, count)
        return self.worlds[count]

    # Things to fetch

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

    def manifest(self, name, base, files, queue="{}"):
        """`files`: (name, SHA-256 or None). Gives a function of the run's folder that writes it and applies it."""
        lines = ["version: 1", f"baseURL: {base}/", "root: out", f"queues: {{ default: {queue} }}", "files:"]
        for file, digest in files:
            checksum = f", checksum: 'sha256:{digest}'" if digest else ""
            lines.append(f"  - {{ url: {file}, destination: {file}{checksum} }}")
        text = "\n".join(lines) + "\n"

        def make(run: pathlib.Path):
            path = run / name
            path.write_text(text)
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
            for name, digest in random.Random(1).sample(files, min(20, len(files))):
                if hashlib.sha256((folder / "out" / name).read_bytes()).hexdigest() != digest:
                    return f"{name} has other bytes"
            return None

        return check


class World:
    """Many finished files: what a manifest that was applied long ago looks like. They are made here, not fetched, and dlsync
    takes them over by their checksums. A thousand folders, neighbours of the list in different ones."""

    def __init__(self, bench: Bench, count: int):
        self.count = count
        self.folder = bench.fresh()
        self.bench = bench
        self.is_filled = False
        self.manifest = self.folder / "manifest.yaml"
        source = self.folder / "list.tsv"
        base = f"{bench.server.base}/world-{count}"
        with source.open("w") as file:
            file.write("url\tdestination\tchecksum\n")
            for index in range(count):
                digest = hashlib.sha256(b"%d" % index).hexdigest()
                file.write(f"{base}/{index:07}\t{self.name(index)}\tsha256:{digest}\n")
        queue = "{default: {concurrency: 16, connectionsPerHost: 16}}"
        head = f"version: 1\nroot: ROOT\nqueues: {queue}\nfilesFrom: [{{path: list.tsv, format: tsv}}]\nfiles: []\n"
        self.manifest.write_text(head.replace("ROOT", "out"))
        # The same where nothing is there and nothing is recorded.
        self.unknown = self.folder / "unknown.yaml"
        self.unknown.write_text(head.replace("ROOT", "nowhere"))

    @staticmethod
    def name(index):
        return f"d{index % 1000:03}/{index:07}"

    def fill(self):
        """Makes the files and has dlsync take them over, once."""
        if self.is_filled:
            return
        self.is_filled = True
        self.write(self.folder / "out", range(self.count))
        taken = measure([self.bench.binary, "apply", str(self.manifest), "--quiet"], self.folder, self.bench.environment(self.folder))
        if taken.status:
            sys.exit(f"run.py: {self.count} files could not be taken over: {taken.errors}")

    def write(self, folder, indices):
        known = set()
        for index in sorted(indices, key=lambda index: index % 1000):
            path = folder / self.name(index)
            if index % 1000 not in known:
                path.parent.mkdir(parents=True, exist_ok=True)
                known.add(index % 1000)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
            os.write(descriptor, b"%d" % index)
            os.close(descriptor)

    def sample(self, count):
        return random.Random(count).sample(range(self.count), count)

    def serve(self, indices):
        folder = self.bench.root / f"world-{self.count}"
        folder.mkdir(exist_ok=True)
        for index in indices:
            (folder / f"{index:07}").write_bytes(b"%d" % index)
