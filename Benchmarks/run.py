#!/usr/bin/env python3
"""Side by side with the peers: the same work, in turns, on one machine, over loopback.

usage: Benchmarks/run.py [--full] [--binary PATH] [--rounds N] [--folder DIR] [--json FILE] [--markdown FILE] [WORK ...]

Works: start, large, small, medium, segments, again, plan, new, memory, rate. README.md beside this file says what
each measures. Peers that are not installed are left out. In each round every command runs once, one after another (A B C, A
B C, …), after one round that does not count; what is told is the median of its wall seconds, CPU seconds and peak memory,
and the median of its ratio to dlsync within the rounds: above 1 means that dlsync was faster. A run whose files are not all
there and right does not count, and fails the benchmark; a goal that is not met is told and fails nothing.

Compare within a table only: machines drift by a quarter within minutes. Results are written into fresh folders and removed
at the very end, because creating files right after deleting many is far slower on some file systems.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import sys

import works
from harness import Bench, MiB

BEGIN, END = "<!-- results: written by run.py --markdown -->", "<!-- end of results -->"


def machine() -> str:
    """What the figures depend on, in general words."""
    name = "Linux"
    release = pathlib.Path("/etc/os-release")
    if release.exists():
        fields = dict(line.split("=", 1) for line in release.read_text().splitlines() if "=" in line)
        name = " ".join(fields.get(key, "").strip('"').split(" (")[0] for key in ("NAME", "VERSION_ID")).replace("GNU/Linux ", "")
    return f"{os.cpu_count()} cores, {platform.machine()}, {name}"


def markdown(bench: Bench, form: str) -> str:
    lines = [f"{datetime.date.today()}, {machine()}, the {form} form.", ""]
    if bench.goals:
        lines += ["| what | goal | found | met |", "| --- | --- | --- | --- |"]
        lines += [f"| {what} | {goal} | {found} | {'yes' if met else 'no'} |" for what, goal, found, met in bench.goals]
        lines.append("")
    lines += ["| work | command | wall s | CPU s | peak MiB | times dlsync |", "| --- | --- | ---: | ---: | ---: | ---: |"]
    for title, rows in bench.tables:
        for index, row in enumerate(rows):
            ratio = f"{row.ratio:.2f}" if index and row.ratio else ""
            shown = title if index == 0 else ""
            lines.append(f"| {shown} | {row.command} | {row.wall:.3f} | {row.cpu:.3f} | {row.peak / MiB:.1f} | {ratio} |")
    return "\n".join(lines) + "\n"


def write_markdown(path: pathlib.Path, text: str):
    """Puts the results between the two marks of a page, or writes a page of them alone."""
    page = path.read_text() if path.exists() else f"{BEGIN}\n{END}\n"
    if BEGIN not in page or END not in page:
        sys.exit(f"run.py: {path} has no place for results: a line '{BEGIN}' and a line '{END}'")
    pattern = re.escape(BEGIN) + ".*" + re.escape(END)
    path.write_text(re.sub(pattern, lambda _: f"{BEGIN}\n{text}{END}", page, flags=re.S))


def main():
    known = {work.__name__: work for work in works.ALL}
    parser = argparse.ArgumentParser(description="Compares dlsync with its peers over loopback.")
    parser.add_argument("--binary", default=".build/release/dlsync")
    parser.add_argument("--full", action="store_true", help="the sizes of the goals; takes about an hour and 30 GiB")
    parser.add_argument("--rounds", type=int, help="that count (1; with --full 3)")
    parser.add_argument("--folder", help="where files are served from and written to")
    parser.add_argument("--json", help="also writes the figures there")
    parser.add_argument("--markdown", help="also writes the results into this page, between its marks")
    parser.add_argument("works", nargs="*", metavar="WORK", help=", ".join(known))
    options = parser.parse_args()
    unknown = [work for work in options.works if work not in known]
    if unknown:
        parser.error(f"there is no work '{unknown[0]}'; there are {', '.join(known)}")
    bench = Bench(options.binary, options.rounds or (3 if options.full else 1), options.full, options.folder)
    try:
        for name in options.works or known:
            known[name](bench)
    finally:
        bench.close()
    if options.json:
        tables = {title: [{key: value for key, value in vars(row).items()} for row in rows] for title, rows in bench.tables}
        pathlib.Path(options.json).write_text(json.dumps({"works": tables, "goals": bench.goals}, indent=1) + "\n")
    if options.markdown:
        write_markdown(pathlib.Path(options.markdown), markdown(bench, "full" if options.full else "quick"))
    unmet = [what for what, _, _, met in bench.goals if not met]
    if unmet:
        print(f"\nnot met: {', '.join(unmet)}", file=sys.stderr)
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
