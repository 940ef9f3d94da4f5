#!/usr/bin/env python3
"""Random control commands from four processes at once against 20 running downloads, in a command or in the agent.

For each task there must be an order of its commands, in keeping with when each began and ended, in which the table of states
allows every answer that was given and leads to the state that the task is in. Then everything is resumed or begun anew, and
every file that was not removed comes, with the right bytes and nothing left behind.
"""
import functools, json, os, random, threading, time
from world import Failure, Origin, Resource, World, law, main, payload

FILES, PROCESSES = 20, 4
VERBS = ["pause", "resume", "cancel", "restart", "priority", "remove"]

# What a command makes of a task; a command that is not here is refused. "on" is: waiting, running, retrying.
TABLE = {
    "pause": {"on": "suspended"},
    "resume": {"suspended": "on", "failed": "on"},
    "cancel": {"on": "canceled", "suspended": "canceled", "failed": "canceled"},
    "restart": {"suspended": "on", "failed": "on", "canceled": "on"},
    "priority": {state: state for state in ("on", "suspended", "failed", "canceled")},
    "remove": {state: "gone" for state in ("on", "suspended", "failed", "canceled", "completed")},
}
KINDS = {"waiting": "on", "running": "on", "retrying": "on", "verifying": "on", "publishing": "on"}


def explains(commands, final):
    """Whether some order of the commands fits all answers and ends in that state. Each is (began, ended, verb, answer)."""
    count = len(commands)

    @functools.lru_cache(None)
    def search(done, state):
        # A task that runs may come to its end at any moment, and is not to be disturbed just before.
        if done == (1 << count) - 1:
            return state == final or state == "on" and final == "completed"
        if state == "on" and search(done, "completed"):
            return True
        open = [n for n in range(count) if not done >> n & 1]
        limit = min(commands[n][1] for n in open)
        for n in open:
            began, _, verb, answer = commands[n]
            if began > limit:
                continue
            target = TABLE[verb].get(state)
            if state == "gone":
                fits, target = answer == "taskNotFound", "gone"
            elif answer is None:
                fits = target is not None
            elif answer == "taskBusy":
                fits, target = state in ("on", "completed"), state
            else:
                fits, target = target is None and answer == "usage", state
            if fits and search(done | 1 << n, target):
                return True
        return False

    return search(0, "on")


def commander(world, chance, count, names, log, trouble):
    for _ in range(count):
        verb, name = chance.choices(VERBS, [4, 4, 2, 3, 1, 0.3])[0], chance.choice(names)
        words = ["priority", "0.%d" % chance.randrange(10)] if verb == "priority" else [verb]
        began = time.monotonic()
        try:
            status, report = world.json(*words, name, limit=30)
            answers = [entry["error"]["code"] if entry["error"] else None for entry in report["results"]]
            law(len(answers) == 1 and status == (0 if answers[0] is None else 1), "%s %s: exit %d, %s" % (verb, name, status, report))
            log.append((name, (began, time.monotonic(), verb, answers[0])))
        except Failure as failure:
            trouble.append(failure)
            return
        time.sleep(chance.uniform(0, 0.05))


def states(world):
    status, report = world.json("status")
    law(status == 0, "status: exit %d" % status)
    return {os.path.basename(task["destination"]): task["state"] for task in report["tasks"]}


def storm(options, chance, isBackground):
    world = World(options.binary)
    data = {"f%d" % n: payload(200_000 + 7000 * n, n) for n in range(FILES)}
    origin = Origin({"/" + name: Resource(bytes, pace=40_000) for name, bytes in data.items()})
    queue = "{ concurrency: 20, chunkSize: 64KiB, progressInterval: 100ms%s }" % (", mode: background" if isBackground else "")
    manifest = world.manifest("version: 1\nroot: out\nqueues: { default: %s }\nfiles:\n" % queue + "".join(
        '  - { url: "%s", destination: "%s" }\n' % (origin.url("/" + name), name) for name in data))
    run = world.start("apply", manifest)
    deadline = time.monotonic() + 20
    while origin.count() < FILES:
        law(time.monotonic() < deadline, "not all downloads begin")
        time.sleep(0.02)
    log, trouble, began = [], [], time.monotonic()
    threads = [threading.Thread(target=commander, args=(world, random.Random(chance.random()), options.commands // PROCESSES,
                                                        list(data), log, trouble)) for _ in range(PROCESSES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if trouble:
        raise trouble[0]
    seconds = time.monotonic() - began
    after = states(world)
    slowest = max(ended - began for _, (began, ended, _, _) in log)
    for name in data:
        final = KINDS.get(after.get(name, "gone"), after.get(name, "gone"))
        commands = [entry for other, entry in log if other == name]
        law(explains(commands, final), "%s is %s after %s" % (name, final, [(round(c[0] - began, 3), round(c[1] - began, 3)) + c[2:] for c in sorted(commands)]))
    for resource in origin.resources.values():
        resource.pace = None
    for verb in ("resume", "restart"):
        world.run(verb, "--all")
    if isBackground:
        status, output, errors = world.run("wait", "--all", limit=90)
        law(status == 0, "wait: exit %d, %s" % (status, errors))
    else:
        run.wait(90)
        # A finished file that was removed is nobody's: it stays, and is in the way.
        status, report = world.json("apply", manifest)
        strangers = {os.path.basename(file["destination"]) for file in report["files"] if file["action"] == "conflict"}
        removed = {name for name, command in log if command[2:] == ("remove", None)}
        law(status == (3 if strangers else 0) and strangers <= removed, "apply: exit %d, %s" % (status, report["summary"]))
    gone = {name for name in data if name not in states(world)}
    law(gone <= {name for name, command in log if command[2:] == ("remove", None)}, "not in the record: %s" % gone)
    for name, bytes in data.items():
        path = world.out / name
        law(isBackground and name in gone and not path.exists() or path.exists() and path.read_bytes() == bytes, "%s is not right" % name)
    left = [name for name in os.listdir(world.out) if name.startswith(".")]
    law(not left, "left behind: %s" % left)
    world.close()
    origin.close()
    return len(log), seconds, slowest


def torture(options):
    """Random control commands from four processes at once against 20 running downloads."""
    chance = random.Random(options.seed)
    for number in range(options.rounds):
        for isBackground in {"both": (False, True), "command": (False,), "agent": (True,)}[options.where]:
            count, seconds, slowest = storm(options, chance, isBackground)
            print("round %d, %s: %d commands in %.1f s, the slowest %.2f s; every answer and state is allowed, every file right"
                  % (number, "in the agent" if isBackground else "in a command", count, seconds, slowest), flush=True)


if __name__ == "__main__":
    main(torture, commands=100, rounds=3, where="both")
