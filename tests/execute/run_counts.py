#!/usr/bin/env python3
"""What `memref-lens run` counts, beside an independent count.

  run_counts.py LIBCOUNTED SAMPLES

Random programs run twice: by memref-lens, and lowered by mlir-opt-22 and run by
mlir-runner-22 with a malloc that counts (CountedMalloc.cpp). Allocations,
deallocations and the most bytes at once must be the same, and what is left must be
told as leaks: after the whole pipeline, and before it, where nothing is freed. The peak
that is predicted is the one that is measured, or there is a reason to be told.

Then samples and real programs, each function by itself: none crashes memref-lens, no
prediction is contradicted, and what the pipeline made neither leaks nor uses freed
memory. Prints how many ran, and why others did not.
"""

import collections
import json
import os
import pathlib
import re
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "judges"), str(TESTS / "random")]

import generate  # noqa: E402
import judges  # noqa: E402  puts the folder of `sample` on the path
import predicted  # noqa: E402
import run_execute  # noqa: E402
import sample  # noqa: E402

COUNTED, SAMPLES = sys.argv[1:]
COUNTS = re.compile(r"counted: (\d+) allocations, (\d+) frees, peak (\d+) bytes")
#: Without what would take allocations away.
LOWER = run_execute.LOWER.replace("canonicalize,", "").replace(
    "module(", "module(expand-realloc,")
#: Faults that no arguments can bring about in what the pipeline made.
UNSOUND = {"leak", "double free", "use after free", "returned after free"}


def ran(path, *options):
    """Exit status and record."""
    done = judges.run([judges.lens(), "run", "--format", "json", *options, path])
    if done.status in (0, 1) and done.out.startswith("{"):
        return done, json.loads(done.out)
    return done, json.loads(done.out) if done.out.startswith("{") else None


def counted(folder, name, path, stage):
    """By mlir-runner: allocations, frees, peak; or what went wrong."""
    made = judges.run([judges.lens(), "ir", path, "--stage", stage])
    low = judges.run([judges.tool("mlir-opt"), "-",
                      f"--pass-pipeline={LOWER}"], made.out)
    if made.status or low.status:
        return f"cannot be lowered: {low.err[:200]}"
    target = pathlib.Path(folder) / f"{name}-{stage}.llvm.mlir"
    target.write_text(low.out)
    done = judges.run([*run_execute.runner(), target], preload=COUNTED)
    found = done.status == 0 and COUNTS.search(done.err)
    return tuple(map(int, found.groups())) if found else \
        f"mlir-runner: exit {done.status}: {done.err[:200]}"


def checkRandom(folder, seed, tally):
    path = pathlib.Path(folder) / f"random-{seed}.mlir"
    path.write_text(generate.generate(seed, "acyclic-run"))
    for stage in ("final", "0"):
        done, record = ran(path, "--entry", "main", "--stage", stage)
        if record is None:
            if "rejects or skips" in done.err:
                return
            yield f"seed {seed}, stage {stage}: exit {done.status}: {done.err[:300]}"
            return
        if record["end"] != "returned":
            yield f"seed {seed}, stage {stage}: {record['end']}: {record['failure']}"
            continue
        ours = (record["allocations"], record["deallocations"],
                record["peakBytes"])
        theirs = counted(folder, path.stem, path, stage)
        if ours != theirs:
            yield f"seed {seed}, stage {stage}: counts {ours}, malloc's {theirs}"
        left = sum(fault["times"] for fault in record["faults"]
                   if fault["kind"] == "leak")
        if left != ours[0] - ours[1]:
            yield f"seed {seed}, stage {stage}: {left} leaks, not {ours[0] - ours[1]}"
        others = {fault["kind"] for fault in record["faults"]} - {"leak"}
        if others or (stage == "final" and left):
            yield f"seed {seed}, stage {stage}: {others}, {left} leaks"
        if record["contradictions"]:
            yield f"seed {seed}: {record['contradictions']}"
        if stage == "final":
            yield from (f"seed {seed}: {fault}"
                        for fault in predicted.faults(path, record, [], tally))


def entriesOf(path):
    """Public functions with a body, and the options of the file."""
    text = path.read_text(errors="replace")
    words = re.findall(r"^// options: (.*)$", text, re.M)
    names = re.findall(r"^\s*func\.func (?:public )?@([\w.$-]+)\(", text, re.M)
    return names[:sample.FULL and 20 or 3], words[0].split() if words else []


def checkFile(path, tally):
    names, words = entriesOf(path)
    for name in names:
        done, record = ran(path, "--timeout", "10", "--entry", name, *words)
        if done.crashed or done.status not in (0, 1, 3):
            yield f"{path.name} @{name}: exit {done.status}: {done.err[:300]}"
            continue
        if record is None:
            tally["rejected" if "rejects" in done.err else
                  "not parsed, or no such function"] += 1
            continue
        tally[record["end"] if record["end"] != "notRun" else
              re.sub(r"'.*|,.*|:.*: ", "", record["failure"])[:60]] += 1
        kinds = {fault["kind"] for fault in record["faults"]}
        # What is far out of bounds can be deallocated memory.
        kinds = set() if "access out of bounds" in kinds else kinds & UNSOUND
        if kinds and record["end"] == "returned":
            yield f"{path.name} @{name}: {kinds}"
        yield from (f"{path.name} @{name}: {claim}"
                    for claim in record["contradictions"])


def main():
    faults = []
    seeds = sample.seeds(None, always=3, more=3, full=100, long=1000)
    with tempfile.TemporaryDirectory() as folder:
        peaks = collections.Counter()
        for found in judges.in_parallel(
                lambda seed: list(checkRandom(folder, seed, peaks)), seeds):
            faults += found
        print(f"{len(seeds)} random programs; peaks: {dict(peaks)}", flush=True)
        if not peaks["equal"]:
            faults.append("no peak was equal")
        tally = collections.Counter()
        files = sorted(pathlib.Path(SAMPLES).glob("*.mlir"))
        files += sorted((judges.corpus() / "real").glob("*.mlir"))
        files = [path for path in files if path.stat().st_size < 200_000]
        for found in judges.in_parallel(
                lambda path: list(checkFile(path, tally)),
                sample.part(files, 24)):
            faults += found
        for reason, count in tally.most_common():
            print(f"{count:5} {reason}")
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
