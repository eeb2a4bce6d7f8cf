#!/usr/bin/env python3
"""The graph of the program that ran, with its counts.

  run_pictures.py SAMPLES

On samples and random programs, `export --with-run` must add up: what enters a block is
how often it ran, and each allocation, deallocation, comparison and call in it, which are
counted elsewhere, ran as often. Of known programs each count is known. A run of another
program, or by other options, is rejected with what to do.
"""

import collections
import json
import pathlib
import re
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "judges"), str(TESTS / "random")]

import generate  # noqa: E402
import judges  # noqa: E402  puts the folder of `sample` on the path
import sample  # noqa: E402

SAMPLES = pathlib.Path(sys.argv[1])

LOOP = """func.func @f(%n: index, %k: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 2.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %early = arith.cmpi ult, %i, %k : index
    scf.if %early {
      %a = memref.alloc() : memref<8xf32>
      memref.store %v, %a[%c0] : memref<8xf32>
      %r = memref.load %a[%c0] : memref<8xf32>
      memref.store %r, %x[%c0] : memref<8xf32>
    }
  }
  return
}
"""

BLOCKS = """func.func @f(%c: i1, %x: memref<8xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  cf.br ^bb2
^bb2:
  return
}
"""

STALE = """func.func @f(%x: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  %r = memref.load %a[%c0] : memref<8xf32>
  return %r : f32
}
"""

#: name: (program, options of the run, nodes with notes and lines, edges)
CASES = {
    "a loop": (LOOP, ["--arg", "n=10", "--arg", "k=4"],
               {"^bb0": "ran 1x", "body": "ran 10x", "then": "ran 4x"},
               ["true, 4x", "false, 6x", "4x"],
               {"%a = memref.alloc() : memref<8xf32>":
                    "4x, 32 B each, at most 1 at once, deallocated 4x",
                "memref.dealloc %a : memref<8xf32>": "4x"}),
    "no way in": (LOOP, ["--arg", "n=3", "--arg", "k=0"],
                  {"body": "ran 3x", "then": "never ran"},
                  ["true, 0x", "false, 3x", "0x"],
                  {"%a = memref.alloc() : memref<8xf32>": None}),
    "blocks": (BLOCKS, ["--arg", "c=false"],
               {"^bb0": "ran 1x", "^bb1": "never ran", "^bb2": "ran 1x"},
               ["true, 0x", "false, 1x", "0x"],
               {"memref.dealloc %a : memref<8xf32>": None}),
    "a fault": (STALE, ["--stage", "0"], {"^bb0": "ran 1x"}, [],
                {"%r = memref.load %a[%c0] : memref<8xf32>": "use after free",
                 "memref.dealloc %a : memref<8xf32>": "1x"}),
    "passes of one's own": (
        LOOP, ["--arg", "n=10", "--arg", "k=4", "--lower",
               "convert-scf-to-cf,expand-strided-metadata,"
               "finalize-memref-to-llvm{use-generic-functions=1},"
               "convert-arith-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,"
               "reconcile-unrealized-casts"],
        {"^bb0": None, "body": None, "then": None}, ["true, 4x", "false, 6x"],
        {"memref.dealloc %a : memref<8xf32>": "4x"}),
}


def lens(*words):
    return judges.run([judges.lens(), *words])


def counted(folder, path, *options):
    """The graphs with the counts of one run; or why there is none."""
    kept = pathlib.Path(folder) / (path.stem + ".run.json")
    ran = lens("run", path, "--format", "json", "-o", kept, *options)
    if ran.crashed or ran.status not in (0, 1):
        return None, ran.err.strip()[:300]
    drawn = lens("export", path, "--with-run", kept, "--format", "json")
    if drawn.status:
        return None, f"export: exit {drawn.status}: {drawn.err[:300]}"
    return json.loads(drawn.out)["graphs"], None


def times(text):
    """7 of "ran 7x", "true, 7x" and "7x, 32 B"; 0 of "never ran"."""
    if text == "never ran":
        return 0
    found = re.search(r"(?:^|ran |, )(\d+)x", text or "")
    return int(found[1]) if found else None


def checkKnown(folder):
    for number, (name, case) in enumerate(CASES.items()):
        program, options, nodes, edges, lines = case
        path = pathlib.Path(folder) / f"known-{number}.mlir"
        path.write_text(program)
        graphs, error = counted(folder, path, *options)
        if error:
            yield f"{name}: {error}"
            continue
        notes = {node["title"]: node.get("note") for node in graphs[0]["nodes"]
                 if node.get("note") != "continued"}
        labels = [edge["label"] for edge in graphs[0]["edges"]
                  if times(edge.get("label")) is not None]
        runs = {op["text"].split("\n")[0]: op.get("run")
                for node in graphs[0]["nodes"] for op in node.get("ops", [])}
        for said, wanted in ((notes, nodes), (runs, lines)):
            for key, value in wanted.items():
                if said.get(key, "absent") != value:
                    yield f"{name}: {key}: {said.get(key, 'absent')}, not {value}"
        if collections.Counter(labels) != collections.Counter(edges):
            yield f"{name}: edges {labels}, not {edges}"


def sumFaults(graph, tally):
    """Blocks beside the edges into them and the ops in them."""
    known, last = {}, {}
    # A function of another part of the file is not of the program that ran.
    if "; " not in graph["subtitle"]:
        if any("ran" in node.get("note", "") for node in graph["nodes"]):
            yield "counts without a run"
        tally["of another part"] += 1
        return
    for node in graph["nodes"]:
        place = node.get("cluster"), node["title"]
        if node.get("note") != "continued":
            last[place] = times(node.get("note"))
            if last[place] is None:
                yield f"{node['title']} has no count"
                continue
            known[node["id"]] = last[place]
        for op in node.get("ops", []):
            ran = re.match(r"(\d+)x", op.get("run", ""))
            if ran and int(ran[1]) != last[place]:
                yield f"{node['title']}: ran {last[place]}x: {op}"
            tally["ops"] += ran is not None
    into = collections.defaultdict(list)
    for edge in graph["edges"]:
        into[edge["to"]].append(times(edge.get("label")))
    for node, counts in into.items():
        if node in known and None not in counts:
            tally["blocks by their edges"] += 1
            if sum(counts) != known[node]:
                yield f"{node}: ran {known[node]}x, entered {counts}"
    tally["blocks"] += len(known)


def checkSums(folder, path, options, tally):
    graphs, error = counted(folder, path, *options)
    if error and "export" in error:
        yield f"{path.name}: {error}"
    if error:
        tally["did not run"] += 1
        return
    tally["programs"] += 1
    for graph in graphs:
        for fault in sumFaults(graph, tally):
            yield f"{path.name} {graph['title']}: {fault}"


def programs(folder):
    for seed in sample.seeds(None, always=3, more=5, full=60, long=300):
        path = pathlib.Path(folder) / f"random-{seed}.mlir"
        path.write_text(generate.generate(seed, "acyclic-run"))
        yield path, ["--entry", "main"]
    files = sorted(SAMPLES.glob("*.mlir"))
    for path in sample.part(files, 6) + sorted((SAMPLES / "run").glob("*.mlir")):
        words = re.findall(r"^// options: (.*)$", path.read_text(), re.M)
        if not words:
            yield path, []


def checkMemory(folder):
    """`memory --with-run`: the record's curve, and no allocation above what is
    predicted at it."""
    path, kept = SAMPLES / "run/attention.mlir", pathlib.Path(folder) / "curve.json"
    lens("run", path, "--format", "json", "-o", kept)
    record = json.loads(kept.read_text())
    made = lens("memory", path, "--with-run", kept, "--format", "json")
    use = json.loads(made.out)["functions"][0]
    measured = use["measured"]
    if [point[:2] for point in measured["curve"]] != \
            [point[:2] for point in record["curve"]]:
        yield f"memory: another curve: {measured['curve']}"
    if measured["peakBytes"] != record["peakBytes"] or \
            max(bytes for _, bytes, _ in measured["curve"]) != record["peakBytes"]:
        yield f"memory: peak {measured['peakBytes']}"
    drawn = lens("memory", path, "--with-run", kept, "--format", "svg").out
    marks = re.findall(r"measured at (\d+):\d+: (\d+) B", drawn)
    # By hand: 64 B; then %state and %first besides 32 B; then 64 B more.
    if marks != [("10", "64"), ("18", "160"), ("23", "224")]:
        yield f"memory: marks {marks}"
    if drawn.count('<path class="measured"') != 1:
        yield "memory: no curve over time"
    text = lens("memory", path, "--with-run", kept).out
    if "measured           224 B at %mixed (23:7), in one run: @attention(" not in text:
        yield f"memory: {text}"
    other = lens("memory", SAMPLES / "run/mlp.mlir", "--with-run", kept)
    if other.status != 3 or "another program" not in other.err:
        yield f"memory of another program: exit {other.status}: {other.err}"
    # A second headline without letters once hid all that follows.
    shown = lens("memory", path, "--format", "png", "-o", pathlib.Path(folder) / "a.png")
    size = (pathlib.Path(folder) / "a.png").stat().st_size
    if shown.status or size < 30000:
        yield f"memory: a picture of {size} bytes"


def checkCauses(folder):
    """What the checks of a cause found, in the overview and at their findings."""
    path, kept = SAMPLES / "run/attention.mlir", pathlib.Path(folder) / "causes.json"
    lens("run", path, "--format", "json", "-o", kept)
    sites = [site for site in json.loads(kept.read_text())["sites"]
             if site["function"] == "attention"]
    compared = sum(site["ran"] for site in sites if site["kind"] == "comparison") + \
        sum(site["compares"] for site in sites if site["kind"] == "call")
    # By hand: once %next is %state, for which both comparisons are; and dealloc_helper
    # compares what is returned with itself, twice.
    wanted = f"run-time alias checks compared {compared}x in one run, " \
             "the same buffer 4x"
    done = lens(path, "--with-run", kept)
    if f"   run    {wanted}\n" not in done.out or compared != 21:
        yield f"overview: {done.out} {done.err}"
    made = json.loads(lens("check", path, "--no-try", "--with-run", kept, "--format",
                           "json").out)
    facts = {finding["rule"]: [note["text"] for note in finding["related"]]
             for finding in made["files"][0]["findings"]}
    for rule, words in (
            ("run-time-check", "compared 16x in one run, the same buffer 2x"),
            ("dealloc-helper", "compared 5x in one run, the same buffer 2x")):
        if words not in facts[rule]:
            yield f"check: {rule}: {facts[rule]}"
    other = lens(SAMPLES / "run/mlp.mlir", "--with-run", kept)
    if other.status != 3 or "another program" not in other.err:
        yield f"overview of another program: exit {other.status}: {other.err}"


def checkRejected(folder):
    """Whose run it is, is told; and how it is made anew."""
    path = pathlib.Path(folder) / "mine.mlir"
    path.write_text(LOOP)
    kept = pathlib.Path(folder) / "kept.json"
    lens("run", path, "--format", "json", "-o", kept)
    again = f"run it again: memref-lens run {path} --format json -o {kept}"
    cases = [
        ("another stage", ["--stage", "3"], "leave '--stage' out"),
        ("another pipeline", ["--pipeline", "classic"],
         "with other options"),
    ]
    for name, options, words in cases:
        done = lens("export", path, "--with-run", kept, *options, "--format", "svg")
        if not done.status or words not in done.err:
            yield f"{name}: exit {done.status}: {done.err}"
    path.write_text(LOOP.replace("2.0", "3.0"))
    done = lens("export", path, "--with-run", kept, "--format", "svg")
    if done.status != 3 or "another program" not in done.err \
            or again not in done.err:
        yield f"a changed program: exit {done.status}: {done.err}"
    for text, words in (("{}", "is no record"), (kept.read_text()[:400], "is no record")):
        broken = pathlib.Path(folder) / "broken.json"
        broken.write_text(text)
        done = lens("export", path, "--with-run", broken, "--format", "svg")
        if done.status != 3 or words not in done.err:
            yield f"no record: exit {done.status}: {done.err}"


def main():
    faults, tally = [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        faults += checkKnown(folder)
        faults += checkRejected(folder)
        faults += checkMemory(folder)
        faults += checkCauses(folder)
        for found in judges.in_parallel(
                lambda one: list(checkSums(folder, *one, tally)),
                list(programs(folder))):
            faults += found
    print(dict(tally))
    if min(tally[key] for key in ("ops", "blocks by their edges")) < 20:
        faults.append(f"hardly anything was counted: {tally}")
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
