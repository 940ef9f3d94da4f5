#!/usr/bin/env python3
"""kill -9 at random moments of a 1 GiB download over four connections: the digest is right every time, and what was fetched
twice is at most a second's transfer, or 32 MiB where that is less.

nginx serves; its access log says what travelled. Half of the downloads run at a limited rate, half as fast as they can. What
a kill costs is what nginx had sent by then and what the next run fetched, beyond the file's length. A second's transfer is
what nginx had sent, less what was on the disk a second earlier, or what travelled in a second on the average where that is
more: the machine may stand still for a moment.
"""
import bisect, hashlib, os, pathlib, random, shutil, statistics, subprocess, tempfile, time
from world import Failure, World, kill, law, main

SIZE, BLOCK = 1 << 30, 1 << 20
CONNECTIONS = 4
RATE = 60 << 20  # bytes a second of each connection, where it is limited


class Server:
    """nginx with one file, at two paces, and a log of the bytes of each answer."""

    def __init__(self, seed):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dlsync-torture-nginx-"))
        root = self.folder / "root"
        root.mkdir()
        self.folder.chmod(0o755)
        chance, digest = random.Random(seed), hashlib.sha256()
        with open(root / "file", "wb") as file:
            for _ in range(SIZE // BLOCK):
                block = chance.randbytes(BLOCK)
                digest.update(block)
                file.write(block)
        os.utime(root / "file", (1_600_000_000, 1_600_000_000))
        self.digest, self.log = digest.hexdigest(), self.folder / "access.log"
        import socket
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        # A small send buffer: what lies in it when the client is killed was sent, but never came.
        (self.folder / "nginx.conf").write_text("""
            daemon off; master_process off; error_log %(folder)s/error.log; pid %(folder)s/pid;
            events { worker_connections 64; }
            http { log_format bytes '$request_uri $status $body_bytes_sent'; access_log %(folder)s/access.log bytes;
              sendfile on; sendfile_max_chunk 256k; client_body_temp_path %(folder)s/t1; proxy_temp_path %(folder)s/t2;
              fastcgi_temp_path %(folder)s/t3; uwsgi_temp_path %(folder)s/t4; scgi_temp_path %(folder)s/t5;
              server { listen 127.0.0.1:%(port)d sndbuf=256k; root %(folder)s/root;
                location = /fast { try_files /file =404; }
                location = /paced { limit_rate %(rate)d; try_files /file =404; } } }
            """ % {"folder": self.folder, "port": self.port, "rate": RATE})
        self.process = subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx", "-c", str(self.folder / "nginx.conf"), "-e", str(self.folder / "error.log")])
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise Failure("nginx does not start: " + (self.folder / "error.log").read_text())

    def sent(self):
        time.sleep(0.3)  # the log's line is written when the connection's end was seen
        return sum(int(line.split()[2]) for line in self.log.read_text().splitlines())

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Arrival:
    """How many bytes were on the disk, moment by moment, as long as a process runs."""

    def __init__(self, world):
        self.world, self.times, self.bytes = world, [], []

    def watch(self, seconds, process):
        end = time.monotonic() + seconds
        while time.monotonic() < end and process.poll() is None:
            self.note()
            time.sleep(min(0.01, max(0, end - time.monotonic())))

    def note(self):
        parts = list(self.world.out.glob(".dlsync-*.part"))
        try:
            self.bytes.append(parts[0].stat().st_blocks * 512 if parts else 0)
            self.times.append(time.monotonic())
        except OSError:
            pass

    def before(self, moment):
        place = bisect.bisect_right(self.times, moment)
        return self.bytes[place - 1] if place else 0


def download(options, server, path, moment):
    """One download that is killed at a moment, or not (None), and then goes on. Answers whether the kill hit, what was sent
    twice, what a second's transfer was, and how long the last run took."""
    world, before, sent = World(options.binary), server.sent(), 0
    manifest = world.manifest('version: 1\nroot: out\nqueues: { default: { connectionsPerFile: %d } }\nfiles:\n'
                              '  - { url: "http://127.0.0.1:%d%s", destination: file }\n' % (CONNECTIONS, server.port, path))
    done, hit, travelled = world.out / "file", False, 0
    if moment is not None:
        process, arrival = world.start("apply", manifest), Arrival(world)
        arrival.watch(moment, process)
        hit, killed = process.poll() is None, time.monotonic()
        kill(process)
        sent = server.sent() - before
        travelled = max(sent - arrival.before(killed - 1), sent / max(1, killed - arrival.times[0]) if arrival.times else 0)
        law(hit or done.exists(), "the run ended without the file")
        law(not done.exists() or done.stat().st_size == SIZE, "a part of the file has its name")
    status, report = world.json("apply", manifest)
    law(status == 0 and report["files"][0]["state"] == "completed" or done.exists(), "the last run: exit %d, %s" % (status, report["summary"]))
    with open(done, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    law(digest == server.digest, "other bytes than the server's, after a kill at %s s" % moment)
    left = [name for name in os.listdir(world.out) if name != "file"]
    law(not left, "left behind: %s" % left)
    world.close()
    return hit and sent < SIZE, sent + report["files"][0]["fetchedBytes"] - SIZE, travelled, report["summary"]["seconds"]


def describe(values):
    values = sorted(values)
    return "median %.0f, nine of ten up to %.0f, at most %.0f" % (
        statistics.median(values) / BLOCK, values[len(values) * 9 // 10 - 1] / BLOCK, values[-1] / BLOCK)


def torture(options):
    """kill -9 at random moments of a 1 GiB download over four connections."""
    chance = random.Random(options.seed)
    server = Server(options.seed)
    try:
        for path in ("/paced", "/fast"):
            length = min(download(options, server, path, None)[3] for _ in range(2))
            costs, shares = [], []
            while len(costs) < options.kills / 2:
                moment = chance.uniform(0.05, length)
                hit, twice, travelled, _ = download(options, server, path, moment)
                if not hit:
                    continue
                bound = max(32 * BLOCK, travelled)
                costs.append(twice)
                shares.append(twice / bound)
                if options.show:
                    print("  %.2f s: %.1f MiB twice, %.1f in a second" % (moment, twice / BLOCK, travelled / BLOCK), flush=True)
                law(twice <= bound, "a kill at %.3f s cost %.1f MiB, where %.1f come in a second"
                    % (moment, twice / BLOCK, travelled / BLOCK))
            print("%s: %.0f MiB/s, %d kills, every digest right; fetched twice, in MiB a kill: %s; that is at most %.0f %% of what may be"
                  % (path[1:], SIZE / length / BLOCK, len(costs), describe(costs), 100 * max(shares)), flush=True)
    finally:
        server.close()


if __name__ == "__main__":
    main(torture, kills=100, show=0)
