#!/usr/bin/env python3
"""kill -9 at random moments of a run over 200 files of every kind, again and again; then one clean run.

After each kill every destination holds old bytes, new bytes, or nothing. The clean run brings the tree that there is
without any kill, asks for nothing that was there, leaves nothing behind and takes none of its own files for another's.
"""
import random, time
from world import Failure, Origin, Resource, World, kill, law, main, payload, sha256


class Mixture:
    """200 files: small ones in groups, replacements, middling, large over four connections, and copies."""

    def __init__(self):
        self.resources, self.files, self.before = {}, [], []
        self.old, self.new = {}, {}
        for n in range(110):
            self.add("small", n, payload(200 + 180 * n, n), "d%d/s%d" % (n % 7, n), delay=0.004 * (n % 5))
        for n in range(30):
            old = payload(3000 + 700 * n, 1000 + n)
            self.resources["/old%d" % n] = Resource(old)
            self.old["r%d" % n] = old
            self.before.append(("/old%d" % n, "r%d" % n, ""))
            self.add("replacement", n, payload(3000 + 650 * n, 2000 + n), "r%d" % n, delay=0.01)
        for n in range(20):
            data = payload(150_000 + 20_000 * n, 3000 + n)
            digest = "checksum: sha256:%s, " % sha256(data) if n % 2 else ""
            self.add("middling", n, data, "m/%d" % n, pace=1 << 20, extra=digest)
        for n in range(10):
            self.add("large", n, payload((3 << 20) + 300_000 * n, 4000 + n), "l/%d" % n, pace=2 << 20, extra="queue: large, ")
        for n in range(29):
            source = "/small%d" % n if n % 3 else "/large%d" % (n // 3)
            queue = "" if n % 3 else "queue: large, "
            self.add_file(source, "c/%d" % n, queue)
        self.resources["/in-the-way"] = Resource(b"of the server")
        self.files.append(("/in-the-way", "mine", ""))

    def add(self, kind, number, data, destination, delay=0.0, pace=None, extra=""):
        path = "/%s%d" % (kind, number)
        self.resources[path] = Resource(data, delay, pace)
        self.add_file(path, destination, extra)

    def add_file(self, path, destination, extra):
        self.files.append((path, destination, extra))
        self.new[destination] = self.resources[path].data

    def manifest(self, origin, files):
        lines = ["version: 1", "root: out", "queues:",
                 "  default: { concurrency: 6, chunkSize: 64KiB }",
                 "  large: { concurrency: 3, connectionsPerFile: 4, chunkSize: 256KiB }", "files:"]
        return "\n".join(lines + ["  - { %surl: \"%s\", destination: \"%s\" }" % (extra, origin.url(path), destination)
                                  for path, destination, extra in files]) + "\n"


class Round:
    """One world, killed several times and then left in peace."""

    def __init__(self, binary, mixture, origin):
        self.world, self.mixture, self.origin = World(binary), mixture, origin
        self.first = self.world.manifest(mixture.manifest(origin, mixture.before), "first.yaml")
        self.manifest = self.world.manifest(mixture.manifest(origin, mixture.files))
        self.world.manifest(mixture.manifest(origin, mixture.before))
        status, report = self.world.json("apply", self.manifest)
        law(status == 0, "the files to be replaced: exit %d" % status)
        self.world.manifest(mixture.manifest(origin, mixture.files))
        self.world.out.mkdir(exist_ok=True)
        (self.world.out / "mine").write_bytes(b"of the user")

    def check(self, when):
        """Nothing but whole versions at any destination. Answers those that are right already."""
        right = set()
        for destination, new in self.mixture.new.items():
            path = self.world.out / destination
            found = path.read_bytes() if path.exists() else None
            if found == new:
                right.add(destination)
            else:
                law(found == self.mixture.old.get(destination), "%s %s: %s bytes that are neither the old nor the new ones"
                    % (destination, when, None if found is None else len(found)))
        law((self.world.out / "mine").read_bytes() == b"of the user", "the user's file was changed " + when)
        return right

    def kill(self, after):
        process = self.world.start("apply", self.manifest)
        time.sleep(after)
        isHit = process.poll() is None
        kill(process)
        return isHit

    def finish(self, when, expected):
        right, mark = self.check(when), self.origin.count()
        status, report = self.world.json("apply", self.manifest)
        sums = report["summary"]
        law(status == 3 and sums["conflicts"] == 1 and sums["failed"] == 0, "clean run %s: exit %d, %s; %s" % (when, status, sums, [
            (f["destination"], f["action"], f["reason"], f["error"]) for f in report["files"] if f["error"]]))
        self.check("after the clean run")
        wanted = {path for path, destination, _ in self.mixture.files if destination not in right}
        needless = [path for path in self.origin.since(mark) if path not in wanted]
        law(not needless, "asked for though it was there, %s: %s" % (when, needless))
        tree = self.world.tree()
        law(expected is None or tree == expected, "the tree differs %s: %s" % (when, sorted(set((expected or {}).items()) ^ set(tree.items()))[:8]))
        status, plan = self.world.json("plan", self.manifest)
        law(plan["summary"]["reuse"] == len(self.mixture.new), "the plan afterwards: %s" % plan["summary"])
        status, health = self.world.json("state", "check")
        law(status == 0 and not health["findings"], "the state afterwards: %s" % health["findings"])
        return tree, sums["seconds"]


def torture(options):
    """kill -9 at random moments of a run over 200 files of every kind; then one clean run must make it whole."""
    chance, mixture = random.Random(options.seed), Mixture()
    origin = Origin(mixture.resources)
    peace = Round(options.binary, mixture, origin)
    expected, length = peace.finish("in peace", None)
    peace.world.close()
    print("%d files; in peace %.1f s" % (len(mixture.files), length), flush=True)
    kills = hits = rounds = 0
    while kills < options.kills:
        round = Round(options.binary, mixture, origin)
        times = min(options.kills - kills, chance.choice([1, 1, 2, 3, 5, 8, 12]))
        moments = []
        for _ in range(times):
            # Early moments more often: there the state is made, and a run that goes on is shorter than the first.
            moments.append(chance.uniform(0, length * chance.choice([0.05, 0.3, 1])))
            hits += round.kill(moments[-1])
            kills += 1
            when = "in round %d after kills at %s" % (rounds, ["%.3f" % moment for moment in moments])
            round.check(when)
        round.finish(when, expected)
        round.world.close()
        rounds += 1
        if rounds % 10 == 0:
            print("%d kills (%d hit) in %d rounds" % (kills, hits, rounds), flush=True)
    origin.close()
    print("%d kills, %d of them before the end, %d clean runs: every tree as without kills, nothing left, nothing asked twice"
          % (kills, hits, rounds))


if __name__ == "__main__":
    main(torture, kills=500)
