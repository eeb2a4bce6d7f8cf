#!/usr/bin/env python3
"""What `memref-lens memory` says of peaks, lives and arenas.

  run_memory.py SAMPLES [FILE...]

Over samples and real programs:
- the peak is the one that `check` tells, and the buffers alive there come to it in
  functions of one block in which all is known;
- the peak after last uses is that of the program that MLIR's own pipeline and
  `optimize-allocation-liveness` make, counted in its text, where every last use is
  known;
- in each arena two buffers that live at one time share no byte, nothing is outside,
  and none is smaller than the most that is live.
"""

import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import corpus  # noqa: E402
import sample  # noqa: E402

SAMPLES, *FILES = sys.argv[1:]
LENS = os.environ["MEMREF_LENS"]
OPT = corpus.tool("mlir-opt")
ALLOC = re.compile(r"\s*(%\w+) = memref\.alloc\(\).*: memref<((?:\d+x)*)f32>$")
#: Each reading by which the test was seen to tell something.
seen = {"peaks": 0, "sums": 0, "early": 0, "arenas": 0}


def run(*words):
    return subprocess.run([*map(str, words)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=600)


def readings(path):
    words = re.findall(r"^// options: (.*)$", path.read_text(errors="replace"),
                       re.M)
    words = words[0].split() if words else []
    if any(word.startswith("--pipeline") for word in words):
        return [], {}
    made = run(LENS, "memory", "--format=json", *words, path)
    checked = run(LENS, "check", "--no-try", "--format=json", "--fail-on=none",
                  *words, path)
    if made.returncode or checked.returncode:
        return [], {}
    costs = json.loads(checked.stdout)["files"][0]["costs"]
    return json.loads(made.stdout)["functions"], {
        one["function"]: one for one in costs}


def arenaFaults(function):
    least = function["leastArenaBytes"]
    for planner, size in function["arenaBytes"].items():
        seen["arenas"] += 1
        if size < least:
            yield f"{planner}: {size} bytes hold what takes {least}"
        placed = sorted((one["offsets"][planner], number) for number, one in
                        enumerate(function["buffers"]) if one["bytes"])[:400]
        for (offset, first), (other, second) in itertools.combinations(placed, 2):
            a, b = function["buffers"][first], function["buffers"][second]
            if other < offset + a["bytes"] and a["begin"] <= b["lastUse"] and \
                    b["begin"] <= a["lastUse"]:
                yield f"{planner}: {a['name']} and {b['name']} overlap"
        for offset, number in placed:
            if offset + function["buffers"][number]["bytes"] > size:
                yield f"{planner}: {number} is outside"


def upstreamPeaks(path):
    """After MLIR's own passes, of functions that allocate f32 only; and whether
    each dealloc stands right behind the last use."""
    done = run(OPT, "--allow-unregistered-dialect", "--pass-pipeline="
               "builtin.module(buffer-deallocation-pipeline,"
               "func.func(optimize-allocation-liveness))", path)
    peaks = {}
    if done.returncode:
        return peaks
    for text in re.split(r"(?m)^  func\.func ", done.stdout)[1:]:
        name = re.search(r"@([\w$.-]+)", text)[1]
        live = most = 0
        sizes, isPlain = {}, True
        for line in text.split("\n"):
            if found := ALLOC.match(line):
                elements = 1
                for size in found[2].split("x")[:-1]:
                    elements *= int(size)
                sizes[found[1]] = 4 * elements
                live += 4 * elements
                most = max(most, live)
            elif found := re.match(r"    memref\.dealloc (%\w+)", line):
                live -= sizes.pop(found[1], 0)
            elif re.search(r"memref\.alloc|bufferization\.clone|\bcall\b|"
                           r"scf\.|affine\.|cf\.|dealloc", line):
                isPlain = False
        if isPlain:
            peaks[name] = most
    return peaks


def faults(path):
    functions, costs = readings(path)
    isOne = "// -----" not in path.read_text(errors="replace")
    hasOptions = re.search(r"^// options: ", path.read_text(errors="replace"),
                           re.M)
    upstream = upstreamPeaks(path) if isOne and functions and not hasOptions \
        else {}
    for function in functions:
        name = function["function"]
        known = costs.get(name)
        isKnown = not function["peakIsLowerBound"] and \
            not function["unknownSizes"]
        if known and isOne:
            seen["peaks"] += 1
            if known["peakBytes"] != function["peakBytes"]:
                yield (f"@{name}: peak {function['peakBytes']}, of check "
                       f"{known['peakBytes']}")
        alive = sum(function["buffers"][one]["bytes"]
                    for one in function["aliveAtPeak"])
        if name in upstream and isKnown and not function["hasBranches"]:
            seen["sums"] += alive > 0
            if alive != function["peakBytes"]:
                yield f"@{name}: {alive} alive at a peak of {function['peakBytes']}"
            seen["early"] += upstream[name] > 0
            early = function["peakAfterLastUseBytes"]
            if early != upstream[name] and all(
                    one["isLastUseKnown"] for one in function["buffers"]):
                yield f"@{name}: {early} after last uses, of MLIR {upstream[name]}"
        if function["peakAfterLastUseBytes"] > max(function["live"], default=0):
            yield f"@{name}: more after last uses than now"
        yield from (f"@{name}: {fault}" for fault in arenaFaults(function))
    if functions:
        text = run(LENS, "memory", path)
        lines = text.stdout.split("\n")
        if len(lines) > 45 or re.search(r"\b0 (B|buffers?)\b", text.stdout):
            yield f"{len(lines)} lines: {text.stdout[:2000]}"


LOOP = """func.func @f(%n: index, %out: memref<256xf32>, %dyn: memref<?xf32>,
    %big: memref<512xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<256xf32>
  memref.copy %out, %a : memref<256xf32> to memref<256xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %a, %out : memref<256xf32> to memref<256xf32>
    %b = memref.alloc() : memref<256xf32>
    memref.copy %out, %b : memref<256xf32> to memref<256xf32>
    memref.copy %b, %out : memref<256xf32> to memref<256xf32>
  }
  %c = memref.alloc() : memref<512xf32>
  memref.copy %big, %c : memref<512xf32> to memref<512xf32>
  memref.copy %c, %big : memref<512xf32> to memref<512xf32>
  %d = memref.alloc(%n) : memref<?xf32>
  memref.copy %dyn, %d : memref<?xf32> to memref<?xf32>
  memref.copy %d, %dyn : memref<?xf32> to memref<?xf32>
  // Nobody reads it, and canonicalize takes it out.
  %e = memref.alloc() : memref<512xf32>
  memref.store %v, %e[%c0] : memref<512xf32>
  return
}
"""


def loopFaults():
    """A buffer that a loop uses is in use in each of its iterations."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "loop.mlir"
        path.write_text(LOOP)
        (function,), _ = readings(path)
        text = run(LENS, "memory", path).stdout
        a, b, c = function["buffers"]
        if not a["lastUse"] >= b["lastUse"] >= b["begin"]:
            yield f"%a ends in the loop: {a}"
        if a["lastUse"] >= c["begin"] or a["end"] <= c["begin"]:
            yield f"%a: {a}"
        if function["peakAfterLastUseBytes"] != 2048 or \
                not function["peakIsLowerBound"]:
            yield f"after last uses {function['peakAfterLastUseBytes']}"
        if function["unknownSizes"] != ["%d (16:3)"]:
            yield f"unknown: {function['unknownSizes']}"
        if "idle since" not in text or "size not known" not in text or \
                "what to do about it" not in text:
            yield text


def main():
    paths = [pathlib.Path(name) for name in FILES] or [
        *sorted(pathlib.Path(SAMPLES).glob("*.mlir")),
        *(corpus.corpus() / "real" / f"{name}.mlir" for name in
          ("MODEL_resnet18_tosa", "iree-samples__3-ir", "heir__lenet_2")),
        *sample.part([path for path in corpus.corpus_files()
                      if path.stat().st_size < 3_000_000], 8)]
    found = [f"loop: {fault}" for fault in loopFaults()]
    for path in paths:
        found += [f"{path.name}: {fault}" for fault in faults(path)]
    print("\n".join(found[:40]))
    print(f"{len(paths)} files:", ", ".join(
        f"{count} {what}" for what, count in seen.items()),
        f"compared; {len(found)} faults")
    if not FILES and min(seen.values()) == 0:
        print("nothing was compared")
        return True
    return bool(found)


sys.exit(main())
