#!/usr/bin/env python3
"""Holds the chart of lifetimes to what comments in programs say of it.

  lifetimes.py MEMREF_LENS FILE
"""
import pathlib
import re
import subprocess
import sys
import tempfile

LIFE = re.compile(r"^// (%\S+) (\d+)-(\d+)(?: used to (\d+))?$")
NO_OP = re.compile(r"^\s*(//.*|\}.*|\^\w+(\(.*\))?:|)$")


def expected(path):
    """{function: {name: (first, last, used)}}, {function: lines of its ops}."""
    lives, ops, of, inside = {}, {}, None, False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if found := re.match(r"// @(\w+)$", line):
            of = lives.setdefault(found[1], {})
        elif found := LIFE.match(line):
            name, *lines = found.groups()
            first, last, used = (line and int(line) for line in lines)
            of[name] = (first, last, used or last)
        elif found := re.match(r"func\.func @(\w+)", line):
            inside = ops.setdefault(found[1], [])
        elif line == "}":
            inside = False
        elif inside is not False and not NO_OP.match(line):
            inside.append(number)
    return lives, ops


def drawn(svg, lines):
    """{name: (first, last, used)}."""
    path = re.search(r'class="live-bytes" d="M(\d+),\d+(.*?)Z"', svg)
    left, right = int(path[1]), int(re.findall(r"H(\d+)", path[2])[-1])
    step = (right - left) / len(lines)

    def lineBefore(x):
        return lines[round((x - left) / step) - 1]

    found = {}
    for row in svg.split('<g class="lifetime"')[1:]:
        row = row.split("</g>")[0]
        name = re.search(r">(%[^<]+)</text>", row)[1]
        bars = {kind: (int(x), int(x) + int(width)) for x, width, kind in
                re.findall(r'<rect x="(\d+)" y="\d+" width="(\d+)".*?'
                           r'class="([\w-]+)"', row)}
        used = bars["in-use"]
        end = bars.get("gap", used)[1]
        found[name] = (lines[round((used[0] - left) / step)], lineBefore(end),
                       lineBefore(used[1]))
    return found


def main():
    tool, path = sys.argv[1], pathlib.Path(sys.argv[2])
    lives, ops = expected(path)
    faults = held = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([tool, "export", path, "--view", "lifetimes", "--format",
                        "svg", "-o", folder + "/"], check=True)
        for function, wanted in lives.items():
            svg = (pathlib.Path(folder) / f"{function}.svg").read_text()
            shown = drawn(svg, ops[function])
            for name, life in wanted.items():
                held += shown.get(name) == life
                if shown.get(name) != life:
                    faults += 1
                    print(f"@{function} {name}: lives {shown.get(name)}, "
                          f"not {life}")
    print(f"{held} as expected, {faults} not")
    sys.exit(1 if faults or not held else 0)


main()
