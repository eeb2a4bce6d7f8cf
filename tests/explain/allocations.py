#!/usr/bin/env python3
"""`explain` has a line for each allocation that the program has, whatever the
pipeline makes of it, and the line says what becomes of it; or names it as one of
those of which one dealloc's sentence is told at once.

  MEMREF_LENS=... allocations.py [NAME...]

Over a part of the samples and of the corpus, with each of several pipelines; with
MEMREF_LENS_LONG=1 over all of the corpus up to 150 kB.
"""
import collections
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges"))

import judges  # puts the folder of `sample` on the path
import sample

PIPELINES = ["ownership", "dynamic", "classic", "stack+ownership",
             "hoist+loop-hoist+ownership+liveness", "stack+classic"]
ALLOCATIONS = {"memref.alloc", "memref.alloca", "memref.realloc"}
# `%a (3:5, ...` or `%alloc (made for %a (3:5), ...`
LINE = re.compile(r"^  %\S+ \((?:made for %\S+ \()?(\d+:\d+)[,)].*?: ")
# Of those with one dealloc: how many, and lines of `%a (3:5), %b (4:5)`.
TOGETHER = re.compile(r"^    explain FILE:LINE:COL tells more of each of these (\d+) memrefs:$")
MEMBER = re.compile(r"%\S+ \((?:made for %\S+ \()?(\d+:\d+)\)")
# A line that says no more than that nothing is known.
EMPTY = re.compile(r"is recorded$|did not see it$")


def allocations(trace):
    """Places of the program's memrefs that are allocated, where the function was
    traced."""
    text = trace["source"]["text"].encode()
    functions = {one["id"]: one for one in trace["functions"]}
    for value in trace["values"]:
        if value.get("generated") or not value.get("range") or \
                not value.get("isMemref") or value.get("op") is None:
            continue
        op = trace["ops"][value["op"]]
        block = trace["blocks"][value["block"]]
        function = functions.get(block.get("function"))
        if op["name"] in ALLOCATIONS and function and \
                function.get("status", "traced") in ("traced", "rejected"):
            begin = value["range"][0]
            line = text.count(b"\n", 0, begin) + 1
            yield line, begin - text.rfind(b"\n", 0, begin)


def together(lines):
    """Places of memrefs that are told at once, under the line that counts them."""
    for at, line in enumerate(lines):
        if not (found := TOGETHER.match(line)):
            continue
        members = []
        for below in lines[at + 1:]:
            if not below.startswith("      "):
                break
            members += MEMBER.findall(below)
        assert len(members) == int(found[1]), line
        yield from members


def check(job):
    """(allocations, faults)"""
    path, pipeline = job
    words = [f"--pipeline={pipeline}", "--allow-unregistered-dialect", path]
    traced = judges.run([judges.lens(), "trace", *words], seconds=300)
    if traced.status not in (0, 1):
        return 0, []
    told = judges.run([judges.lens(), "explain", *words], seconds=300)
    lines = collections.defaultdict(list)
    for place in together(told.out.splitlines()):
        lines[place] = []
    for line in told.out.splitlines():
        if found := LINE.match(line):
            lines[found[1]].append(line)
    where = f"{path.name}, {pipeline}"
    places = {f"{line}:{column}"
              for line, column in allocations(json.loads(traced.out))}
    faults = [f"{where}: nothing about {place}" for place in sorted(places)
              if place not in lines]
    faults += [f"{where}: {line}" for found in lines.values() for line in found
               if EMPTY.search(line)]
    return len(places), faults


def main():
    files = judges.corpus_files(sys.argv[1:])
    if not sys.argv[1:]:
        files = [path for path in files
                 if path.stat().st_size < (150_000 if sample.LONG else 8_000)]
        files = sample.part(files, 4 if sample.FULL else 12, isWhole=sample.LONG)
        files += sample.part(
            sorted((judges.ROOT / "samples").glob("*.mlir")), 3)
    total, faults = 0, []
    for count, wrong in judges.in_parallel(
            check, [(path, pipeline) for path in files
                    for pipeline in PIPELINES]):
        total, faults = total + count, faults + wrong
    print(f"{len(files)} files, {len(PIPELINES)} pipelines, {total} allocations, "
          f"{len(faults)} faults")
    print("\n".join(faults[:60]))
    sys.exit(1 if faults or (
        not sys.argv[1:] and total < (500 if sample.FULL else 60)) else 0)


if __name__ == "__main__":
    main()
