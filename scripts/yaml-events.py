#!/usr/bin/env python3
"""Writes what PyYAML reads in each Tests/ManifestTests/Fixtures/yaml/*.yaml beside it, as NAME.events.

The pure Python parser is asked, which shares no code with libyaml. One line an event: its kind; for a scalar whether it is
plain; anchor and tag; where it begins, counted from 1; the text of a scalar, escaped as in JSON. A document that is no YAML
ends with the line `error LINE`.

Usage: yaml-events.py [--check]   (needs PyYAML; with --check nothing is written, and a difference fails)
"""
import json
import pathlib
import sys

import yaml

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Tests/ManifestTests/Fixtures/yaml"
WORDS = {
    yaml.StreamStartEvent: "+STR", yaml.StreamEndEvent: "-STR", yaml.DocumentStartEvent: "+DOC",
    yaml.DocumentEndEvent: "-DOC", yaml.MappingStartEvent: "+MAP", yaml.MappingEndEvent: "-MAP",
    yaml.SequenceStartEvent: "+SEQ", yaml.SequenceEndEvent: "-SEQ", yaml.ScalarEvent: "=VAL", yaml.AliasEvent: "=ALI",
}


def line(event):
    words = [WORDS[type(event)]]
    if isinstance(event, yaml.ScalarEvent):
        words.append("quoted" if event.style else "plain")
    if isinstance(event, yaml.NodeEvent):
        if event.anchor is not None:
            words.append(("*" if isinstance(event, yaml.AliasEvent) else "&") + event.anchor)
        if getattr(event, "tag", None) is not None:
            words.append(f"<{event.tag}>")
        words.append(f"{event.start_mark.line + 1}:{event.start_mark.column + 1}")
    if isinstance(event, yaml.ScalarEvent):
        words.append(json.dumps(event.value, ensure_ascii=True))
    return " ".join(words)


def events(data, loader=yaml.Loader):
    lines = []
    try:
        for event in yaml.parse(data, Loader=loader):
            lines.append(line(event))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        lines.append("error" if mark is None else f"error {mark.line + 1}")
    return "\n".join(lines) + "\n"


def main():
    different = []
    for path in sorted(FOLDER.glob("*.yaml")):
        text = events(path.read_bytes())
        target = path.with_suffix(".events")
        if "--check" in sys.argv[1:]:
            if not target.exists() or target.read_text() != text:
                different.append(path.name)
        else:
            target.write_text(text)
    for name in different:
        print(f"yaml-events: {name} is read otherwise than is written beside it", file=sys.stderr)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
