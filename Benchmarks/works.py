"""The works of the benchmark: what is run, beside whom, and what is to hold."""
import contextlib
import hashlib
import os
import pathlib
import random
import re
import shutil
import time

from harness import GiB, MiB, Bench, PacedServer, World, find, measure


def start(bench: Bench):
    """A program that has nothing to do, and a plan of three files."""
    manifest = bench.place / "three.yaml"
    manifest.write_text("version: 1\nroot: out\nfiles:\n" + "".join(f"  - http://127.0.0.1:1/{name}\n" for name in "abc"))
    commands = {
        "dlsync version": lambda _: [bench.binary, "version"],
        "dlsync plan, 3 files": lambda _: [bench.binary, "plan", str(manifest)],
    }
    for tool in ("aria2c", "curl", "wget2"):
        if find(tool):
            commands[f"{tool} --version"] = lambda _, tool=tool: [tool, "--version"]
    rows = bench.compare("start", commands, rounds=bench.size(15, 40))
    for mine in list(rows)[:2]:
        for tool in ("aria2c --version", "curl --version"):
            if tool in rows:
                ratio = rows[tool].wall / rows[mine].wall
                bench.goal(f"{mine} beside {tool}", "not slower", f"{ratio:.2f} times dlsync's time", ratio >= 1)


def large(bench: Bench):
    """One file over one connection, hashed and durable; CPU and memory are measured here, too."""
    size = bench.size(1, 4) * GiB
    files = bench.files("large", 1, size)
    name, digest = files[0]
    url = f"{bench.server.base}/large/{name}"

    def into(folder):
        (folder / "out").mkdir()
        return str(folder / "out" / name)

    hashed = "curl -o && openssl dgst"
    commands = {"dlsync (verified, durable)": bench.manifest("large.yaml", f"{bench.server.base}/large", files)}
    if find("curl"):
        commands["curl -o"] = lambda run: ["curl", "-sSf", "-o", into(run), url]
        commands[hashed] = lambda run: ["sh", "-c", f"curl -sSf -o {into(run)} {url} && openssl dgst -sha256 out/{name}"]
    if find("aria2c"):
        options = ["aria2c", "-q", "-x1", "--file-allocation=none"]
        commands["aria2c --checksum"] = lambda run: [*options, f"--checksum=sha-256={digest}", "-d", "out", url]
    if find("wget2"):
        commands["wget2"] = lambda run: ["wget2", "-q", "-O", into(run), url]
    rows = bench.compare(f"one file of {size // GiB} GiB, one connection", commands, bench.all_there(files, size))
    mine = rows["dlsync (verified, durable)"]
    # Those that check nothing are not to be much faster; those that check as well are to be left far behind.
    for peer, most in (("curl -o", 1.1), ("wget2", 1.1), (hashed, 0.5), ("aria2c --checksum", 0.3)):
        if peer in rows:
            share = mine.wall / rows[peer].wall
            bench.goal(f"one large file beside {peer}", f"at most {most} of its time", f"{share:.2f}", share <= most)
    if hashed in rows:
        other = rows[hashed]
        share = mine.cpu / other.cpu
        found = f"{mine.cpu / size * GiB:.2f} s beside {other.cpu / size * GiB:.2f} s: {share:.2f}"
        bench.goal("CPU seconds a GiB", f"at most 0.8 of {hashed}", found, share <= 0.8)
    # Room for the works that follow.
    shutil.rmtree(bench.root / "large")


def many(bench: Bench, title, count, size, jobs):
    files = bench.files(title, count, size)
    base = f"{bench.server.base}/{title}"
    queue = f"{{ concurrency: {jobs}, connectionsPerHost: {jobs} }}"
    commands = {"dlsync (verified, durable)": bench.manifest(f"{title}.yaml", base, files, queue)}

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
        commands[f"aria2c -i -j{jobs}"] = lambda run: [
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
            *("rclone", "copy", "-q", f"--transfers={jobs}", f"--checkers={jobs}", "--no-traverse", "--files-from-raw"),
            *(listing(run, lambda name: f"{name}\n"), f":http,url='{base}/':", "out"),
        ]
    shown = f"{size // MiB} MiB" if size >= MiB else f"{size // 1024} KiB"
    rows = bench.compare(f"{count} files of {shown}, {jobs} at once", commands, bench.all_there(files, size))
    bench.faster(f"{count} files of {shown}", rows)


def small(bench: Bench):
    """Many small files."""
    many(bench, "small", bench.size(2000, 10_000), 4096, 16)


def medium(bench: Bench):
    """Files of a size that is neither one thing nor the other."""
    many(bench, "medium", bench.size(50, 200), 8 * MiB, 8)


def segments(bench: Bench):
    """One file over eight connections, each of them held to a pace; one of them slow; each answer late."""
    size = 64 * MiB
    text = random.Random(5).randbytes(size)
    digest = hashlib.sha256(text).hexdigest()
    server = PacedServer(text)
    paces = {"each held to 10 MB/s": "10000000", "one of them at 0.5 MB/s": "slow-10000000", "50 ms before each answer": "delay-50"}
    try:
        for title, pace in paces.items():
            base = f"{server.base}/{pace}"
            commands = {"dlsync": bench.manifest("segments.yaml", base, [("s.bin", digest)], "{ connectionsPerFile: 8 }")}
            if find("aria2c"):
                options = ["aria2c", "-q", "-x8", "-s8", "-k1M", "--file-allocation=none", "-d", "out"]
                commands["aria2c -x8 -s8 -k1M"] = lambda _, base=base: [*options, f"{base}/s.bin"]
            check = bench.all_there([("s.bin", digest)], size)
            rows = bench.compare(f"64 MiB over 8 connections, {title}", commands, check, before=lambda _: server.begin())
            bench.faster(f"8 connections, {title}", rows)
    finally:
        server.stop()


def again(bench: Bench):
    """A second apply of many finished files, beside others that find nothing to do."""
    world = bench.world(bench.size(20_000, 100_000))
    world.fill()
    folder = world.folder
    world.write(folder / "mirror", range(world.count))
    names = " ".join(f"out/{world.name(index)}" for index in range(world.count))
    (folder / "all.mk").write_text(f"all: {names}\n")
    commands = {
        "dlsync apply": lambda _: [bench.binary, "apply", str(world.manifest), "--quiet"],
        "dlsync plan": lambda _: [bench.binary, "plan", str(world.manifest), "--quiet"],
    }
    if find("rclone"):
        commands["rclone sync --size-only"] = lambda _: ["rclone", "sync", "-q", "--size-only", "mirror", "out"]
    if find("make"):
        commands["make -q (names alone)"] = lambda _: ["make", "-q", "-f", "all.mk"]
        commands["make -qr (no built-in rules)"] = lambda _: ["make", "-qr", "-f", "all.mk"]
    rows = bench.compare(f"{world.count} files that are there already", commands, folder=folder)
    mine = rows["dlsync apply"]
    peers = {name: row for name, row in rows.items() if name not in ("dlsync plan", "make -qr (no built-in rules)")}
    bench.faster("files that are there already", peers)
    limit = 0.5 * world.count / 100_000
    bench.goal(f"second apply of {world.count}", f"at most {limit:.2f} s", f"{mine.wall:.2f} s", mine.wall <= limit)


def plan(bench: Bench):
    """A plan of many entries from a list, of which nothing is there, and of which all are."""
    counts = [bench.size(50_000, 250_000), bench.size(200_000, 1_000_000)]
    walls = []
    for count in counts:
        world = bench.world(count)
        title = f"plan of {count} entries, nothing there"
        rows = bench.compare(title, {"dlsync plan": lambda _: [bench.binary, "plan", str(world.unknown), "--quiet"]}, folder=world.folder)
        walls.append(rows["dlsync plan"].wall)
    fresh = rows["dlsync plan"]
    bytes_each = fresh.peak / world.count
    # What the program takes by itself counts for more where the entries are fewer.
    most = bench.size(500, 400)
    bench.goal(f"memory of a plan of {counts[1]}", f"under {most} bytes an entry", f"{bytes_each:.0f} bytes", bytes_each < most)
    growth = (walls[1] / counts[1]) / (walls[0] / counts[0])
    found = f"{growth:.2f} times the time an entry of one with {counts[0]}"
    bench.goal(f"plan of {counts[1]}", "time grows with the entries", found, growth < 1.3)
    limit = 6 * counts[1] / 1_000_000
    bench.goal(f"plan of {counts[1]}", f"under {limit:.1f} s", f"{fresh.wall:.2f} s", fresh.wall < limit)


def new(bench: Bench):
    """Many finished files and a few new ones: the plan of them, and the apply."""
    world = bench.world(bench.size(200_000, 1_000_000))
    count = world.count // 1000
    world.fill()
    commands = {"dlsync plan": lambda _: [bench.binary, "plan", str(world.manifest), "--quiet"]}
    rows = bench.compare(f"plan of {world.count} entries, all there", commands, folder=world.folder)
    planned = rows["dlsync plan"]
    limit = 6 * world.count / 1_000_000
    bench.goal(f"plan of {world.count} finished", f"under {limit:.1f} s", f"{planned.wall:.2f} s", planned.wall < limit)
    missing = world.sample(count)
    world.serve(missing)

    def remove(folder):
        for index in missing:
            (folder / "out" / world.name(index)).unlink(missing_ok=True)

    def check(folder):
        left = [index for index in missing if not (folder / "out" / world.name(index)).exists()]
        return f"{len(left)} files are missing" if left else None

    commands = {"dlsync apply": lambda _: [bench.binary, "apply", str(world.manifest), "--quiet"]}
    title = f"apply of {world.count} entries, {count} of them new"
    mine = bench.compare(title, commands, check, folder=world.folder, before=remove)["dlsync apply"]
    share = mine.peak / planned.peak
    found = f"{mine.peak / MiB:.0f} MiB: {share:.2f} of the plan's"
    bench.goal("memory of that apply", "close to the plan's", found, share < 1.2)


def memory(bench: Bench):
    """Sixty-four files at once."""
    size, jobs = 16 * MiB, 64
    files = bench.files("wide", jobs, size)
    queue = f"{{ concurrency: {jobs}, connectionsPerHost: {jobs} }}"
    commands = {"dlsync": bench.manifest("wide.yaml", f"{bench.server.base}/wide", files, queue)}
    mine = bench.compare(f"{jobs} files of 16 MiB, all at once", commands, bench.all_there(files, size))["dlsync"]
    bench.goal(f"peak memory with {jobs} running files", "under 40 MiB", f"{mine.peak / MiB:.1f} MiB", mine.peak < 40 * MiB)


def rate(bench: Bench):
    """A limit of 5 MB/s over three files with four connections each: what the program writes, second by second."""
    limit, seconds = 5_000_000, bench.size(12, 60)
    size = limit * seconds // 3
    files = bench.files("rate", 3, size)
    queue = "{ rate: 5MB/s, connectionsPerFile: 4 }"
    samples = []

    def look(process):
        with contextlib.suppress(OSError, IndexError):
            now = time.monotonic()
            text = pathlib.Path(f"/proc/{process}/io").read_text()
            samples.append((now, int(re.search(r"wchar: (\d+)", text)[1])))

    folder = bench.fresh()
    command = bench.manifest("rate.yaml", f"{bench.server.base}/rate", files, queue)(folder)
    print(f"\n5 MB/s over 3 files with 4 connections each, {seconds} s", flush=True)
    result = measure(command, folder, bench.environment(folder), watching=look)
    if result.status:
        bench.failures += 1
        return print(f"  does not count: {result.errors}")
    mean = 3 * size / result.wall / limit
    # Second by second from the first bytes on; the record's own writes count with them.
    begun = next(moment for moment, written in samples if written > 100_000)
    sums = [max(written for moment, written in samples if moment <= begun + second) for second in range(seconds + 1)]
    busiest = max(later - earlier for earlier, later in zip(sums, sums[1:])) / limit
    bench.goal("rate, mean", "within 2 % of the limit", f"{mean:.3f} of it", abs(mean - 1) <= 0.02)
    bench.goal("rate, busiest second", "at most 1.1 of the limit", f"{busiest:.3f} of it", busiest <= 1.1)
    print(f"  CPU {result.cpu:.2f} s, peak {result.peak / MiB:.1f} MiB", flush=True)


ALL = [start, large, small, medium, segments, again, plan, new, memory, rate]
