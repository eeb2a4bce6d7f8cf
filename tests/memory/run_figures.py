#!/usr/bin/env python3
"""One figure for one thing: the peak of a function, in every command.

  run_figures.py SAMPLES [FILE...]

Over samples and real programs `memory`, `check`, `compare --pipelines`, `trace`, the
overview, Markdown, HTML, the plot and the chart of lifetimes tell the same peak of each
function, with the same doubt about it; with `--function`, too; and so does the
prediction of `run`, beside whose record `memory --with-run` tells the same and the
measured peak as the record has it. `memory` tells where all of these bytes are: the
buffers, what callees hold, call by call, and what is counted on the paths only.
"""

import collections
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
PEAK = re.compile(r"\bpeak ((?:at least )?[\d.]+ [KMGT]?i?B|unknown)")
seen = collections.Counter()


def run(*words):
    done = subprocess.run([LENS, *map(str, words)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout


def text(bytes, isLowerBound):
    """As every text has it."""
    shown, unit = float(bytes), 0
    while shown >= 1024 and unit < 4:
        shown, unit = shown / 1024, unit + 1
    number = f"{shown:.0f}" if shown == int(shown) else f"{shown:.1f}"
    size = f"{number} {('B', 'KiB', 'MiB', 'GiB', 'TiB')[unit]}"
    if not isLowerBound:
        return size
    return "at least " + size if bytes else "unknown"


def optionsOf(path):
    words = re.findall(r"^// options: (.*)$", path.read_text(errors="replace"), re.M)
    return words[0].split() if words else []


def fromTrace(path, options):
    """By function, whose title may be that of several parts."""
    status, out = run("trace", "--format=json", *options, path)
    peaks = collections.defaultdict(list)
    if status:
        return peaks
    for one in json.loads(out)["functions"]:
        heap = one.get("heap", {})
        if one.get("status", "traced") == "traced" and heap.get("measured"):
            title = one.get("scope", "") + one.get("name", "")
            peaks[title].append((heap.get("peakBytes", 0),
                                 bool(heap.get("gaps"))))
    return peaks


def fromPipelines(path, options):
    status, out = run("compare", "--pipelines=ownership", "--format=json", *options,
                      path)
    if status:
        return None
    peaks = collections.defaultdict(list)
    for file in json.loads(out)["files"]:
        for row in file["rows"]:
            if not row.get("problem"):
                counts = row["counts"]
                peaks[row["function"]].append(
                    (counts["peakBytes"], bool(counts["peakIsLowerBound"])))
    return peaks


def wholeFile(path, options, peaks):
    """What tells of all functions at once."""
    memory = collections.defaultdict(list)
    _, out = run("memory", "--format=json", *options, path)
    functions = json.loads(out)["functions"]
    for one in functions:
        memory[one["function"]].append((one["peakBytes"], one["peakIsLowerBound"]))
        yield from partsFaults(one)
    if memory != peaks:
        yield f"memory: {difference(memory, peaks)}"
    _, out = run("check", "--no-try", "--format=json", "--fail-on=none", *options, path)
    report = json.loads(out)
    costs = collections.defaultdict(list)
    for one in report["files"][0]["costs"]:
        costs[one["function"]].append((one["peakBytes"], one["peakIsLowerBound"]))
    if costs != peaks:
        yield f"check: {difference(costs, peaks)}"
    most = max(bytes for all in peaks.values() for bytes, _ in all)
    doubt = any(isLow for all in peaks.values() for _, isLow in all)
    overview = report["files"][0]["overview"]["peak"]
    told = PEAK.search(overview)
    if (told[1] if told else "") != (text(most, doubt) if most else ""):
        yield f"overview: {overview}, not {text(most, doubt)}"
    pipelines = fromPipelines(path, options)
    if pipelines is not None:
        seen["pipelines"] += 1
        # It has functions that are no part of a trace's, too.
        other = {name: all for name, all in pipelines.items() if name in peaks}
        if other != peaks:
            yield f"compare --pipelines: {difference(other, peaks)}"
    _, out = run("export", "--format=md", *options, path)
    for name, all in peaks.items():
        rows = re.findall(r"(?m)^\|.*<code>@?" + re.escape(name) +
                          r"</code>.*\| ([^|]+) \|$", out)
        if len(rows) == len(all) and rows != [text(*one) for one in all]:
            yield f"Markdown: @{name}: {rows}, not {all}"
        seen["Markdown"] += len(rows) == len(all)
    _, out = run("export", "--format=html", *options, path)
    charts = [one for one in PEAK.findall(out)]
    seen["HTML"] += len(charts) > 0
    for all in peaks.values():
        for one in all:
            if one[0] and len(peaks) < 20 and text(*one) not in charts:
                yield f"HTML: no peak of {text(*one)}"


def partsFaults(one):
    """Where the bytes of the peak are."""
    alive = sum(one["buffers"][number]["bytes"] for number in one["aliveAtPeak"])
    elsewhere = sum(other["bytes"] for other in one["elsewhereAtPeak"])
    if one["peakBytes"] > alive and alive + elsewhere != one["peakBytes"]:
        yield (f"@{one['function']}: {alive} alive and {elsewhere} elsewhere at a "
               f"peak of {one['peakBytes']}")
    for other in one["elsewhereAtPeak"]:
        seen["in callees"] += bool(other["call"])
        seen["on paths only"] += not other["call"]
        inside = sum(buffer["bytes"] for buffer in other["buffers"])
        seen["callees' buffers"] += inside > 0


def difference(given, wanted):
    return {name: (given.get(name), wanted.get(name))
            for name in {*given, *wanted} if given.get(name) != wanted.get(name)}


def oneFunction(path, options, name, wanted):
    """What is asked of a function by itself, without those that call it."""
    chosen = [*options, "--function", name, path]
    for command in (["memory"], ["export", "--format=svg", "--view=lifetimes"],
                    ["export", "--format=svg", "--view=memory"]):
        status, out = run(*command, *chosen)
        found = PEAK.search(out)
        seen["by itself"] += 1
        if status or not found or found[1] != text(*wanted):
            yield (f"{' '.join(command)} --function {name}: "
                   f"{found and found[1]}, not {text(*wanted)}")
    status, out = run("run", "--format=json", "--timeout=5", "--entry", name, *options,
                      path)
    if status in (0, 1) and out.startswith("{"):
        record = json.loads(out)
        if record["predictedPeakBytes"] is not None:
            seen["run"] += 1
            told = (record["predictedPeakBytes"], record["predictedPeakIsLowerBound"])
            if told != wanted:
                yield f"run: @{name}: {told}, not {wanted}"
        yield from withRun(options, name, path, wanted, record)


def withRun(options, name, path, wanted, record):
    """`memory` beside a run: both peaks, as the other commands tell them."""
    with tempfile.TemporaryDirectory() as folder:
        kept = pathlib.Path(folder) / "run.json"
        kept.write_text(json.dumps(record))
        status, out = run("memory", "--with-run", kept, "--format=json", *options,
                          "--function", name, path)
    if status:
        yield f"memory --with-run --function {name}: exit {status}"
        return
    one = json.loads(out)["functions"][0]
    told = (one["peakBytes"], one["peakIsLowerBound"])
    if told != wanted:
        yield f"memory --with-run: @{name}: {told}, not {wanted}"
    if record["peakBytes"]:
        measured = one.get("measured", {}).get("peakBytes")
        seen["with a run"] += 1
        if measured != record["peakBytes"]:
            yield (f"memory --with-run: @{name}: measured {measured}, not "
                   f"{record['peakBytes']}")


def faults(path):
    options = optionsOf(path)
    if any(word.startswith("--pipeline") for word in options):
        return
    peaks = fromTrace(path, options)
    if not any(bytes for all in peaks.values() for bytes, _ in all):
        return
    yield from wholeFile(path, options, peaks)
    single = {name: all[0] for name, all in peaks.items()
              if len(all) == 1 and all[0][0]}
    if "// -----" in path.read_text(errors="replace"):
        return
    largest = sorted(single, key=lambda name: -single[name][0])[:2]
    for name in largest:
        yield from oneFunction(path, options, name, single[name])


NESTED = """func.func private @inner(%x: memref<64xf32>) {
  %most = memref.alloc() : memref<256xf32>
  %less = memref.alloc() : memref<64xf32>
  %v = memref.subview %most[0] [64] [1] : memref<256xf32> to memref<64xf32, strided<[1]>>
  memref.copy %x, %less : memref<64xf32> to memref<64xf32>
  memref.copy %less, %v : memref<64xf32> to memref<64xf32, strided<[1]>>
  memref.copy %v, %x : memref<64xf32, strided<[1]>> to memref<64xf32>
  return
}
func.func private @middle(%x: memref<64xf32>) {
  %own = memref.alloc() : memref<64xf32>
  memref.copy %x, %own : memref<64xf32> to memref<64xf32>
  call @inner(%own) : (memref<64xf32>) -> ()
  memref.copy %own, %x : memref<64xf32> to memref<64xf32>
  return
}
func.func @outer(%x: memref<64xf32>) {
  call @middle(%x) : (memref<64xf32>) -> ()
  return
}
"""

REJECTED = """func.func @callee(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  return
}
func.func @caller(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  call @callee(%a) : (memref<64xf32>) -> ()
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}
"""


def written(folder, name, program):
    path = pathlib.Path(folder) / name
    path.write_text(program)
    return path


def compositionFaults(folder):
    """A peak that is all in callees names the buffers of each."""
    path = written(folder, "nested.mlir", NESTED)
    _, out = run("memory", "--function=outer", path)
    for words in ("@outer: peak 1.5 KiB",
                  "in a callee        1.5 KiB   in @middle, called by func.call (18:3)",
                  "\n  1.5 KiB   in @middle, called by func.call (18:3)\n"
                  "    256 B     %own",
                  "\n    1.2 KiB   in @inner, called by func.call (13:3)\n"
                  "      1 KiB     %most"):
        if words not in out:
            yield f"nested: does not say '{words}':\n{out}"
    yield from (f"nested: {fault}" for fault in faults(path))


def rejectedFaults(folder):
    """What a function that is rejected holds is not taken for nothing."""
    path = written(folder, "rejected.mlir", REJECTED)
    _, out = run("memory", "--function=caller", path)
    if "@caller: peak at least 256 B" not in out or \
            "may be more        what @callee holds, which func.call (10:3) calls, " \
            "is not known: it is rejected" not in out:
        yield f"rejected callee:\n{out}"


def main():
    paths = [pathlib.Path(name) for name in FILES]
    if not paths:
        samples = [*pathlib.Path(SAMPLES).glob("*.mlir"),
                   *(pathlib.Path(SAMPLES) / "tutorial").glob("*.mlir")]
        real = [one for one in (corpus.corpus() / "real").glob("*.mlir")
                if one.stat().st_size < 400_000]
        paths = [*sample.part(sorted(samples), 4, core=("4-small",)),
                 *sample.part(sorted(real), 60)]
    found = []
    for path in paths:
        found += [f"{path.name}: {fault}" for fault in faults(path)]
    with tempfile.TemporaryDirectory() as folder:
        if not FILES:
            found += [*compositionFaults(folder), *rejectedFaults(folder)]
    print("\n".join(found[:60]))
    print(f"{len(paths)} files", dict(seen))
    if not FILES and not all(seen[one] for one in (
            "pipelines", "Markdown", "HTML", "by itself", "run", "with a run",
            "in callees", "callees' buffers")):
        found.append("something was never compared")
        print(found[-1])
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
