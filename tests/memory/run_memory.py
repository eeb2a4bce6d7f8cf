#!/usr/bin/env python3
"""What `memref-lens memory` says of peaks, lives and arenas.

  run_memory.py SAMPLES [FILE...]

Over samples and real programs:
- the peak is the one that `check` tells, and the buffers alive there come to it in
  functions of one block in which all is known;
- the peak after last uses is that of the program that MLIR's own pipeline and
  `optimize-allocation-liveness` make, counted in its text, where every last use is
  known;
- in each arena two buffers that live at one time share no byte, each is aligned and
  inside, none is smaller than the most that is live, the exact one is the smallest,
  and best fit takes no more than the rule of MLIR's static memory planner;
- the three curves are sums of the buffers, and what holds bytes at the peak adds up;
- the pictures are XML, small, and mark the peak.
"""

import bisect
import collections
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import corpus  # noqa: E402
import sample  # noqa: E402

SAMPLES, *FILES = sys.argv[1:]
LENS = os.environ["MEMREF_LENS"]
OPT = corpus.tool("mlir-opt")
ALLOC = re.compile(r"\s*(%\w+) = memref\.alloc\(\).*: memref<((?:\d+x)*)f32>$")
#: Each reading by which the test was seen to tell something.
seen = {"peaks": 0, "sums": 0, "early": 0, "arenas": 0,
        "best fits": 0, "curves": 0, "pictures": 0, "figures": 0}


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
    functions = json.loads(made.stdout)["functions"]
    for function in functions:
        for one in function["buffers"]:
            # What a loop carries is in use a round later, in front of its allocation.
            one["from"] = min(one["begin"], one["firstUse"])
    return functions, {
        one["function"]: one for one in costs}


def aligned(bytes, to):
    return (bytes + to - 1) // to * to


def overlapFaults(function, planner, alignment):
    """Goes along the program with the address intervals of what is alive."""
    buffers, alive = function["buffers"], []
    order = sorted((one for one in buffers if one["bytes"]),
                   key=lambda one: one["from"])
    for one in order:
        offset = one["offsets"][planner]
        if offset % alignment:
            yield f"{planner}: {one['name']} at {offset} is not aligned"
        if offset + one["bytes"] > function["arenaBytes"][planner]:
            yield f"{planner}: {one['name']} is outside"
        alive = [other for other in alive if other["lastUse"] >= one["from"]]
        at = bisect.bisect(alive, offset,
                           key=lambda other: other["offsets"][planner])
        for other in alive[max(at - 1, 0):at + 1]:
            begin = other["offsets"][planner]
            if begin < offset + one["bytes"] and offset < begin + other["bytes"]:
                yield f"{planner}: {one['name']} and {other['name']} overlap"
        alive.insert(at, one)


def bestFitOf(buffers, alignment, bySize, lastGapCounts):
    """The rule of MLIR's static memory planner (it came after 22), written anew:
    each into the smallest gap between those alive that holds it, else on top."""
    placed, top = [], 0
    for one in sorted(buffers, key=lambda one: -one["bytes"] if bySize
                      else one["from"]):
        size = aligned(one["bytes"], alignment)
        taken = sorted((begin, end) for begin, end, other in placed
                       if other["from"] <= one["lastUse"] and
                       one["from"] <= other["lastUse"])
        free, best = 0, None
        for begin, end in taken:
            if begin - free >= size and (best is None or begin - free < best[0]):
                best = begin - free, free
            free = max(free, end)
        if lastGapCounts and top - free >= size and \
                (best is None or top - free < best[0]):
            best = top - free, free
        offset = free if best is None else best[1]
        placed.append((offset, offset + size, one))
        top = max(top, offset + size)
    return top


def leastOf(buffers, alignment):
    changes = collections.Counter()
    for one in buffers:
        changes[one["from"]] += aligned(one["bytes"], alignment)
        changes[one["lastUse"] + 1] -= aligned(one["bytes"], alignment)
    return max(itertools.accumulate(changes[step] for step in sorted(changes)),
               default=0)


def figureFaults(path, function, spaces):
    """The chart of lifetimes, and the list with what is not in it, tell the peak. Of
    several memory spaces the chart has the sum, and says so."""
    name, peak = function["function"], function["peakBytes"]
    done = run(LENS, "export", "--format=svg", "--view=lifetimes", "--function",
               name, path)
    plot = run(LENS, "export", "--format=svg", "--view=memory", "--function",
               name, path)
    told = [re.search(r"\bpeak (?:at least )?([\d.]+ \w+)", text.stdout)
            for text in (done, plot, run(LENS, "memory", "--function", name,
                                         path))]
    told = [one and one[1] for one in told]
    seen["figures"] += peak > 0
    if spaces > 1:
        if "in all memory spaces together" not in done.stdout:
            yield f"the chart tells {told[0]}, and not of which memory space"
        told = told[1:]
    if peak and len(set(told)) != 1:
        yield f"the peak is told as {told}"
    alive = sum(function["buffers"][one]["bytes"]
                for one in function["aliveAtPeak"])
    elsewhere = sum(one["bytes"] for one in function["elsewhereAtPeak"])
    if elsewhere and alive + elsewhere != peak:
        yield f"{alive} alive and {elsewhere} elsewhere at a peak of {peak}"
    if alive < peak and not elsewhere:
        yield f"{alive} alive at a peak of {peak}, and nothing says where the rest is"


def arenaFaults(function):
    alignment, sizes = function["arenaAlignment"], function["arenaBytes"]
    buffers = function["buffers"]
    if leastOf(buffers, alignment) != function["leastArenaBytes"]:
        yield f"at least {function['leastArenaBytes']} bytes"
    for planner, size in sizes.items():
        seen["arenas"] += 1
        if size < function["leastArenaBytes"]:
            yield f"{planner}: {size} bytes are too few"
        yield from overlapFaults(function, planner, alignment)
    if "exact" in sizes and sizes["exact"] != min(sizes.values()):
        yield f"the exact plan is not the smallest: {sizes}"
    if buffers and len(buffers) <= 700 and sizes:
        seen["best fits"] += 1
        theirs = min(bestFitOf(buffers, alignment, *rule) for rule in
                     itertools.product((False, True), repeat=2))
        if sizes["best fit"] > theirs:
            yield f"best fit takes {sizes['best fit']}, by MLIR's rule {theirs}"


def curveFaults(function):
    """The three curves are sums of the same buffers, each below the one above."""
    steps = len(function["live"])
    for name, first, last in (("live", "from", "end"),
                              ("liveAfterLastUse", "from", "lastUse"),
                              ("needed", "firstUse", "lastUse")):
        changes = [0] * (steps + 1)
        for one in function["buffers"]:
            changes[min(one[first], steps)] += one["bytes"]
            changes[min(one[last] + 1, steps)] -= one["bytes"]
        if list(itertools.accumulate(changes))[:steps] != function[name]:
            yield f"{name} is no sum of the buffers"
        seen["curves"] += any(function[name])
    for live, early, needed in zip(function["live"], function["liveAfterLastUse"],
                                   function["needed"]):
        if not live >= early >= needed:
            yield f"{live}, {early} and {needed} live at one step"
    peak = function["peakStep"]
    idle = [one for one in function["buffers"]
            if one["lastUse"] < peak <= one["end"]]
    if sum(one["bytes"] for one in idle) != function["idleBytesAtPeak"] or \
            sum(one["bytes"] for one in function["heldAtPeak"]) != \
            function["idleBytesAtPeak"]:
        yield f"held at the peak: {function['heldAtPeak']}"
    if any(one["hold"] == "nothing" for one in function["heldAtPeak"]):
        yield "held by nothing"
    on = function["liveOnAnyPath"]
    if on and max(on) > function["peakBytes"]:
        yield f"{max(on)} live, at a peak of {function['peakBytes']}"


def pictureFaults(path, function, words, spaces=1):
    """Both pictures are XML of a bounded size, and the plot has the peak of each
    memory space."""
    for view in ("memory", "arena"):
        done = run(LENS, "export", "--format=svg", f"--view={view}",
                   "--function", function["function"], *words, path)
        if done.returncode:
            yield f"--view {view}: {done.stderr[:200]}"
            continue
        seen["pictures"] += 1
        root = xml.etree.ElementTree.fromstring(done.stdout)
        if len(done.stdout) > 500_000:
            yield f"--view {view}: {len(done.stdout)} bytes"
        peaks = [one for one in root.iter() if one.get("class") == "peak"]
        if view == "memory" and function["live"] and len(peaks) != spaces:
            yield f"{len(peaks)} peaks are marked"


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
            # Of several memory spaces check has each, too.
            of = {one["space"]: one["peakBytes"] for one in known["spaces"]}.get(
                function.get("space", "")) if known["spaces"] else \
                known["peakBytes"]
            if of != function["peakBytes"]:
                yield (f"@{name}: peak {function['peakBytes']}, of check {of}")
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
        for check in (arenaFaults, curveFaults):
            yield from (f"@{name}: {fault}" for fault in check(function))
    if functions:
        largest = max(functions, key=lambda one: one["peakBytes"])
        if isOne and not hasOptions and largest["peakBytes"]:
            spaces = sum(one["function"] == largest["function"]
                         for one in functions)
            yield from pictureFaults(path, largest, [], spaces)
            yield from figureFaults(path, largest, spaces)
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
        if function["unknownSizes"] != ["%d (16:3), 4 * %n B"]:
            yield f"unknown: {function['unknownSizes']}"
        if "idle since" not in text or "size not known" not in text or \
                "what to do about it" not in text:
            yield text


def main():
    paths = [pathlib.Path(name) for name in FILES] or [
        *sample.part(sorted(pathlib.Path(SAMPLES).glob("*.mlir")), 4,
                     core=("loop-swapped", "transformer")),
        *(corpus.corpus() / "real" / f"{name}.mlir" for name in
          ("MODEL_resnet18_tosa",)),
        *sample.part([path for path in corpus.corpus_files()
                      if path.stat().st_size < 500_000], 12)]
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
