#!/usr/bin/env python3
"""Holds the JSON Schema that dlsync prints against manifests: every example, and the pairs below.

Usage: check-schema.py DLSYNC   (needs the Python packages jsonschema and PyYAML; exits 77 where they are missing)
"""
import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
    import yaml
except ImportError:
    print("check-schema: jsonschema and PyYAML are not installed")
    sys.exit(77)

HEAD = "version: 1\nfiles:\n  - "
RIGHT = [
    "version: 1\nfiles: []\n",
    "version: 1\nfiles: [https://h/a, {url: 'https://h/b', destination: 1.10}]\n",
    "version: 1\nname: a.b-c_d\nroot: ~\nvars: {a: 1, b: no, c: x, d: ~}\nfiles: []\n",
    "version: 1\nqueues: {q: , r: {concurrency: '4', chunkSize: 64KiB, rate: 20MiB/s, timeouts: {connect: 1m 30s, request: 60}}}\nfiles: []\n",
    "version: 1\nqueues: {q: {rate: unlimited, retry: {statusCodes: [500], baseDelay: 0}, tls: {minVersion: 1.3}, network: {ipVersion: 6, proxy: none}}}\nfiles: []\n",
    HEAD + "{url: 'https://h/a', checksum: sha256-LCa0a2j/xo/5m0U8HTBBNBNCLXBkg7+g+YpeiGJm564=}\n",
    HEAD + "{url: 'https://h/a', checksum: {algorithm: SHA-256, value: 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae}}\n",
    HEAD + "{url: 'https://h/a', size: 1 GB, priority: 0.25, permissions: \"0644\", headers: {X-A: 1}, tags: [a], onConflict: keep}\n",
    HEAD + "{url: 'https://h/a', queue: ~, size: ~, checksum: ~, contentEncoding: keep, modified: server, notify: {success: done}}\n",
    HEAD + "{url: 'https://h/a', permissions: 0644}\n",
    "version: 1\nvars: {s: 5}\nfiles: [{url: 'https://h/${s}', size: '${s}'}]\n",
    "version: 1\nx: &x {permissions: \"0600\"}\nfiles: []\n".replace("x: &x", "defaults: &x"),
]
WRONG = [
    "files: []\n", "version: 2\nfiles: []\n", "version: 1\n", "version: 1\nfiles: {}\n", "version: 1\nfiles: [[]]\n",
    "version: 1\nfils: []\nfiles: []\n", "version: 1\nname: -x\nfiles: []\n",
    HEAD + "{destination: a}\n", HEAD + "{url: 'https://h/a', cheksum: x}\n", HEAD + "{url: 'https://h/a', priority: 1.5}\n",
    HEAD + "{url: 'https://h/a', size: -1}\n", HEAD + "{url: 'https://h/a', size: 1.5MiB}\n", HEAD + "{url: 'https://h/a', onConflict: no}\n",
    HEAD + "{url: 'https://h/a', checksum: ''}\n", HEAD + "{url: 'https://h/a', checksum: []}\n", HEAD + "{url: 'https://h/a', checksum: {value: 1, valeu: 2}}\n",
    "version: 1\ndefaults: {url: x}\nfiles: []\n", "version: 1\nqueues: {q: {concurrency: 65}}\nfiles: []\n",
    "version: 1\nqueues: {q: {chunkSize: 1}}\nfiles: []\n", "version: 1\nqueues: {q: {rate: fast}}\nfiles: []\n",
    "version: 1\nqueues: {q: {timeouts: {connect: soon}}}\nfiles: []\n", "version: 1\nqueues: {q: {retry: {statusCodes: [200]}}}\nfiles: []\n",
    "version: 1\nqueues: {q: {progressInterval: ''}}\nfiles: []\n", HEAD + "{url: 'https://h/a', permissions: 'rw-r--r--'}\n",
    HEAD + "{url: 'https://h/a', permissions: '4755'}\n", HEAD + "{url: 'https://h/a', permissions: ''}\n",
    "version: 1\nqueues: {q: {network: {ipVersion: 5}}}\nfiles: []\n", "version: 1\nqueues: [q]\nfiles: []\n",
]


def decodes(binary, text):
    return subprocess.run([binary, "check", "-"], input=text.replace("version: 1\n", "version: 1\nname: x\n", 1) if "name:" not in text
                          else text, capture_output=True, text=True).returncode == 0


def main(binary):
    schema = json.loads(subprocess.run([binary, "schema"], check=True, capture_output=True, text=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    bad = 0
    examples = sorted(pathlib.Path(__file__).resolve().parent.parent.glob("examples/*/*.yaml"))
    for name, text, wanted in ([(str(p), p.read_text(), True) for p in examples]
                               + [(t, t, True) for t in RIGHT] + [(t, t, False) for t in WRONG]):
        errors = [e.message for e in validator.iter_errors(yaml.safe_load(text))]
        if (errors == []) != wanted:
            bad += 1
            print(f"{'refused' if wanted else 'accepted'} by the schema: {name!r} {errors}")
        if name == text and decodes(binary, text) != wanted:
            bad += 1
            print(f"{'refused' if wanted else 'accepted'} by dlsync check: {name!r}")
    print(f"check-schema: {len(examples) + len(RIGHT) + len(WRONG)} manifests, {bad} surprises")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
