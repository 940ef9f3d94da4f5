#!/usr/bin/env python3
"""kill -9 at random moments of a 1 GiB download over four connections: the digest is right every time, and what was fetched
twice is at most a second's transfer or 32 MiB a kill.

nginx serves; its access log says what travelled. Half of the downloads run at a limited rate, half as fast as they can; for
these the cost is shown and not judged, because what a second brings there depends on what else the machine does.
What a kill costs is what nginx sent beyond the file's length, by the number of kills; and, as the worst single one, what
was on the disk less what the state had confirmed when the process was gone.
"""
import hashlib, os, pathlib, random, re, shutil, sqlite3, subprocess, tempfile, time
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


def confirmed(state):
    """Bytes that the state vouches for; read from a copy, so that nothing of it changes."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("state.db", "state.db-wal"):
            if (state / name).exists():
                shutil.copy(state / name, folder)
        with sqlite3.connect(folder + "/state.db") as database:
            return database.execute("SELECT coalesce(sum(upper - lower), 0) FROM piece").fetchone()[0]


def download(options, server, chance, path, kills, length):
    """One download that is killed so often and then ends. Answers how many
    kills hit, the worst loss, what was sent beyond the file, and how long the last run took."""
    world, before, worst, times = World(options.binary), server.sent(), 0, []
    manifest = world.manifest('version: 1\nroot: out\nqueues: { default: { connectionsPerFile: %d } }\nfiles:\n'
                              '  - { url: "http://127.0.0.1:%d%s", destination: file }\n' % (CONNECTIONS, server.port, path))
    done, hit = world.out / "file", 0
    for _ in range(kills):
        process = world.start("apply", manifest)
        times.append(chance.uniform(0.02, length / max(1, kills / 2)))
        time.sleep(times[-1])
        hit += process.poll() is None
        kill(process)
        law(hit == len(times) or done.exists(), "the run ended without the file")
        parts = list(world.out.glob(".dlsync-*.part"))
        if not parts or done.exists():
            break
        lost = parts[0].stat().st_blocks * 512 - confirmed(world.folder / "state")
        worst = max(worst, lost)
    law(not done.exists() or done.stat().st_size == SIZE, "a part of the file has its name")
    status, report = world.json("apply", manifest)
    law(status == 0 and report["files"][0]["state"] == "completed" or done.exists(), "the last run: exit %d, %s" % (status, report["summary"]))
    with open(done, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    law(digest == server.digest, "other bytes than the server's, after kills at %s" % times)
    left = [name for name in os.listdir(world.out) if name != "file"]
    law(not left, "left behind: %s" % left)
    world.close()
    return hit, worst, server.sent() - before - SIZE, report["summary"]["seconds"]


def torture(options):
    """kill -9 at random moments of a 1 GiB download over four connections."""
    chance = random.Random(options.seed)
    server = Server(options.seed)
    try:
        for path, share in (("/paced", 0.5), ("/fast", 0.5)):
            length = min(download(options, server, chance, path, 0, 1)[3] for _ in range(2))
            speed = SIZE / length
            bound = CONNECTIONS * RATE if path == "/paced" else SIZE
            kills = worst = twice = 0
            worstRound = 0.0
            while kills < options.kills * share:
                hit, lost, more, _ = download(options, server, chance, path, chance.randint(1, 6), length)
                kills, worst, twice = kills + hit, max(worst, lost), twice + more
                worstRound = max(worstRound, more / max(1, hit))
                law(lost <= bound, "%.1f MiB were lost in one kill, at %.0f MiB/s" % (lost / BLOCK, speed / BLOCK))
            law(twice <= kills * bound, "%.1f MiB were sent twice in %d kills" % (twice / BLOCK, kills))
            print("%s: %.0f MiB/s, %d kills; fetched twice by nginx's log: %.1f MiB a kill (the worst download: %.1f); on the disk and"
                  " not confirmed: at most %.1f MiB; every digest right" % (path[1:], speed / BLOCK, kills, twice / kills / BLOCK,
                                                                         worstRound / BLOCK, worst / BLOCK), flush=True)
    finally:
        server.close()


if __name__ == "__main__":
    main(torture, kills=100)
