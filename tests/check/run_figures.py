"""One source for one number: what every command says of a function is the same,
and the peak is what runs of the program come to.

  run_figures.py

Over the samples, programs of this test and a part of the corpus: clones, run-time
checks and peaks of `check`, `export --format=md`, the charts of lifetimes, the trace
and `compare --pipelines=ownership`. An interpreter (heap_of_run.py) runs what
mlir-opt makes of each program; no run has more bytes live than the peak says, and
where all is known some run has as many.
"""

import json
import pathlib
import random
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "judges"))
sys.path.insert(0, str(HERE.parent / "support"))

import corpus
import judges
import sample
from heap_of_run import Program, Unknown

RUNS = 60
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}

#: name -> (program, {function: (peak, whether it is a lower bound)})
PROGRAMS = {
    # No run doubles it so often as a path does that cannot tell whether it is small.
    "an array that doubles": ("""
func.func @f(%limit: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %first = memref.alloc() : memref<16xf32>
  %cast = memref.cast %first : memref<16xf32> to memref<?xf32>
  %last = scf.for %i = %c0 to %limit step %c1 iter_args(%now = %cast) -> (memref<?xf32>) {
    %size = memref.dim %now, %c0 : memref<?xf32>
    %small = arith.cmpi ult, %size, %limit : index
    %next = scf.if %small -> (memref<?xf32>) {
      %double = arith.muli %size, %c2 : index
      %more = memref.alloc(%double) : memref<?xf32>
      memref.store %v, %more[%i] : memref<?xf32>
      scf.yield %more : memref<?xf32>
    } else {
      scf.yield %now : memref<?xf32>
    }
    scf.yield %next : memref<?xf32>
  }
  %x = memref.load %last[%c0] : memref<?xf32>
  vector.print %x : f32
  return
}
""", {"f": (84, True)}),
    "two results": ("""
func.func @f() -> (memref<1024xf32>, memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  return %a, %b : memref<1024xf32>, memref<1024xf32>
}
""", {"f": (8192, False)}),
    "arms of a branch": ("""
func.func @f(%c: i1, %v: f32, %i: index) {
  scf.if %c {
    %a = memref.alloc() : memref<1024xf32>
    memref.store %v, %a[%i] : memref<1024xf32>
    %x = memref.load %a[%i] : memref<1024xf32>
    vector.print %x : f32
  } else {
    %b = memref.alloc() : memref<512xf32>
    memref.store %v, %b[%i] : memref<512xf32>
    %x = memref.load %b[%i] : memref<512xf32>
    vector.print %x : f32
  }
  return
}
""", {"f": (4096, False)}),
    "a callee's own, and its result": ("""
func.func private @make(%v: f32, %i: index) -> memref<256xf32> {
  %t = memref.alloc() : memref<1024xf32>
  memref.store %v, %t[%i] : memref<1024xf32>
  %x = memref.load %t[%i] : memref<1024xf32>
  %r = memref.alloc() : memref<256xf32>
  memref.store %x, %r[%i] : memref<256xf32>
  return %r : memref<256xf32>
}
func.func @f(%v: f32, %i: index) {
  %a = memref.alloc() : memref<256xf32>
  memref.store %v, %a[%i] : memref<256xf32>
  %r = call @make(%v, %i) : (f32, index) -> memref<256xf32>
  memref.copy %r, %a : memref<256xf32> to memref<256xf32>
  %x = memref.load %a[%i] : memref<256xf32>
  vector.print %x : f32
  return
}
""", {"make": (5120, False), "f": (6144, False)}),
    "a loop's steady state": ("""
func.func @f(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<1024xf32>
  memref.store %v, %i[%c0] : memref<1024xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %i) -> memref<1024xf32> {
    %t = memref.alloc() : memref<1024xf32>
    memref.copy %x, %t : memref<1024xf32> to memref<1024xf32>
    scf.yield %t : memref<1024xf32>
  }
  %y = memref.load %r[%c0] : memref<1024xf32>
  return %y : f32
}
""", {"f": (12288, False)}),
    "late in a loop": ("""
func.func @f(%v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %c77 = arith.constant 77 : index
  scf.for %k = %c0 to %c100 step %c1 {
    %is = arith.cmpi eq, %k, %c77 : index
    scf.if %is {
      %t = memref.alloc() : memref<1024xf32>
      memref.store %v, %t[%k] : memref<1024xf32>
      %x = memref.load %t[%k] : memref<1024xf32>
      vector.print %x : f32
    }
  }
  return
}
""", {"f": (4096, False)}),
    "the stack apart": ("""
func.func @f(%v: f32, %i: index) {
  %s = memref.alloca() : memref<1024xf32>
  %a = memref.alloc() : memref<16xf32>
  memref.store %v, %s[%i] : memref<1024xf32>
  memref.store %v, %a[%i] : memref<16xf32>
  %x = memref.load %a[%i] : memref<16xf32>
  %y = memref.load %s[%i] : memref<1024xf32>
  vector.print %x : f32
  vector.print %y : f32
  return
}
""", {"f": (64, False)}),
    "a size that is not known": ("""
func.func @f(%n: index, %v: f32) -> (memref<?xf32>, memref<16xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc() : memref<16xf32>
  return %a, %b : memref<?xf32>, memref<16xf32>
}
""", {"f": (64, True)}),
    "a callee that is not known": ("""
func.func private @e() -> memref<16xf32>
func.func @f() -> memref<16xf32> {
  %b = call @e() : () -> memref<16xf32>
  return %b : memref<16xf32>
}
""", {"f": (64, True)}),
    "each iteration adds to it": ("""
func.func @f(%n: index, %m: memref<?xmemref<16xf32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %t = memref.alloc() {bufferization.manual_deallocation} : memref<16xf32>
    memref.store %t, %m[%k] : memref<?xmemref<16xf32>>
  }
  return
}
""", {"f": (256, True)}),
}


def bytes_in(text):
    """(bytes, whether it is a lower bound) of "at least 1.5 KiB"."""
    if text == "unknown":
        return 0, True
    found = re.fullmatch(r"(at least )?([\d.]+) (\w+)", text)
    return float(found[2]) * UNITS[found[3]], bool(found[1])


def is_same(shown, bytes, isLowerBound):
    """A text has one digit behind the point."""
    said, bound = bytes_in(shown)
    unit = max(unit for unit in UNITS.values() if unit == 1 or unit <= said)
    return bound == isLowerBound and abs(said - bytes) <= 0.051 * unit


class Figures:

    def __init__(self, folder):
        self.folder, self.faults, self.counts = folder, [], {}

    def note(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def expect(self, what, isTrue, found):
        self.note(what.split(":")[0])
        if not isTrue:
            self.faults.append(f"{what}: {found}")

    def lens(self, *arguments):
        return judges.run([judges.lens(), *arguments], seconds=300)

    def of_check(self, path):
        result = self.lens("check", "--no-try", "--format=json", path)
        if result.status not in (0, 1):
            return None
        return json.loads(result.out)["files"][0]

    def check_file(self, path):
        report = self.of_check(path)
        if report is None:
            return self.note("skipped: unreadable")
        costs = {entry["function"]: entry for entry in report["costs"]}
        if len(costs) != len(report["costs"]):
            return self.note("skipped: several functions of one name")
        self.check_findings(path, report, costs)
        self.check_markdown(path, costs)
        self.check_trace(path, costs)
        self.check_pipelines(path, costs)
        self.check_charts(path, costs)
        self.check_runs(path, costs)
        return None

    def check_findings(self, path, report, costs):
        for rule, number in (("clone", "clones"),
                             ("dealloc-helper", "helperCalls")):
            found = sum(finding["rule"] == rule
                        for finding in report["findings"])
            # A clone that is never made is in the IR, and no finding.
            unmade = self.lens("explain", path).out.count(" needs no clone in ") \
                if rule == "clone" else 0
            counted = sum(entry[number] for entry in costs.values())
            self.expect(f"findings: {path.name} {rule}",
                        found <= counted <= found + unmade,
                        (found, unmade, counted))
        for name in costs:
            self.check_late(path, report, name)

    def check_late(self, path, report, name):
        """As many notes as a gain begins with."""
        notes = [finding for finding in report["findings"]
                 if finding["rule"] == "late-free" and
                 finding["function"] == name]
        for note in notes:
            for tried in note["tried"]:
                found = re.match(r"(?:in @\S+ )?(?:.*, )?late deallocs (\d+) ->",
                                 tried["outcome"].split("; in all")[0])
                if found and len(report["costs"]) == 1:
                    self.expect(f"late frees: {path.name} @{name}",
                                int(found[1]) == len(notes),
                                (tried["outcome"], len(notes)))

    def check_markdown(self, path, costs):
        out = self.folder / "report.md"
        if self.lens("export", path, "--format=md", "-o", out).status != 0:
            return self.note("skipped: no report")
        for line in out.read_text().splitlines():
            found = re.match(r"\| <code>@(.*)</code> \| (\d+) \| \d+ \| \d+ \| (\d+) \| "
                             r"(\d+) \| (\d+) \| (.*) \|$", line)
            if not found or found[1] not in costs:
                continue
            entry = costs[found[1]]
            where = f"{path.name} @{found[1]}"
            numbers = [int(found[i]) for i in (3, 4, 5)]
            self.expect(f"Markdown: {where}",
                        numbers == [entry["clones"], entry["runTimeChecks"],
                                    entry["helperCalls"]], numbers)
            self.expect(f"Markdown's peak: {where}",
                        is_same(found[6], entry["peakBytes"],
                                entry["peakIsLowerBound"]), (found[6], entry))
        return None

    def check_trace(self, path, costs):
        result = self.lens("trace", path)
        if result.status != 0:
            return
        for function in json.loads(result.out).get("functions", []):
            entry = costs.get(function.get("name"))
            heap = function.get("heap", {})
            if entry and heap:
                self.expect(f"trace: {path.name} @{function['name']}",
                            (heap.get("peakBytes", 0), bool(heap.get("gaps")))
                            == (entry["peakBytes"], entry["peakIsLowerBound"]),
                            (heap, entry))
                most = max((at["bytes"] for at in heap.get("live", [])
                            if "bytes" in at), default=0)
                self.expect(f"curve: {path.name} @{function['name']}",
                            most == entry["peakBytes"], (most, entry))

    def check_pipelines(self, path, costs):
        result = self.lens("compare", "--pipelines=ownership", "--format=json",
                           path)
        if result.status != 0:
            return
        for row in json.loads(result.out)["files"][0]["rows"]:
            entry = costs.get(row["function"])
            if not entry or "counts" not in row:
                continue
            counts = row["counts"]
            self.expect(f"pipelines: {path.name} @{row['function']}",
                        (counts["peakBytes"], bool(counts["peakIsLowerBound"]))
                        == (entry["peakBytes"], entry["peakIsLowerBound"]),
                        (counts, entry))

    def check_charts(self, path, costs):
        charts = self.folder / "charts"
        charts.mkdir(exist_ok=True)
        for old in charts.iterdir():
            old.unlink()
        if self.lens("export", path, "--view=lifetimes", "--format=svg", "-o",
                     f"{charts}/").status != 0:
            return
        for name, entry in costs.items():
            chart = charts / f"{name}.svg"
            found = chart.is_file() and re.search(
                r">peak ((?:at least )?[\d.]+ \w+|unknown)<", chart.read_text())
            if found:
                self.expect(f"chart: {path.name} @{name}",
                            is_same(found[1], entry["peakBytes"],
                                    entry["peakIsLowerBound"]),
                            (found[1], entry))

    def check_runs(self, path, costs):
        result = judges.run([corpus.tool("mlir-opt"), "--split-input-file",
                             "--buffer-deallocation-pipeline",
                             "--mlir-print-op-generic", path])
        if result.status != 0:
            return self.note("skipped: mlir-opt refuses it")
        try:
            program = Program(result.out)
        except Exception as fault:  # Text that the small parser does not know.
            return self.note(f"skipped: not parsed ({type(fault).__name__})")
        for name, entry in costs.items():
            if name in program.functions:
                self.check_runs_of(path, program, name, entry)
        return None

    def check_runs_of(self, path, program, name, entry):
        most, whole, isExact = 0, True, True
        for number in range(RUNS):
            try:
                heap = program.run(name, random.Random(number))
            except (Unknown, KeyError, IndexError, TypeError,
                    RecursionError) as fault:
                whole = False
                self.note(f"runs that end early ({type(fault).__name__})")
                continue
            most, isExact = max(most, heap.peak), isExact and heap.isExact
            # A size that was drawn may be any; a known one is in the peak.
            if not entry["peakIsLowerBound"]:
                self.expect(f"no run has more: {path.name} @{name}",
                            heap.peak <= entry["peakBytes"],
                            (heap.peak, entry["peakBytes"]))
        if whole and isExact and not entry["peakIsLowerBound"]:
            self.note("functions with a run at the peak"
                      if most == entry["peakBytes"] else
                      "functions without a run at the peak")
            if most != entry["peakBytes"]:
                print(f"{path.name} @{name}: no run above {most}, peak "
                      f"{entry['peakBytes']}")

    def check_own(self):
        for name, (text, peaks) in PROGRAMS.items():
            path = self.folder / (name.replace(" ", "-").replace(",", "")
                                  .replace("'", "") + ".mlir")
            path.write_text(text)
            report = self.of_check(path)
            for entry in report["costs"] if report else []:
                found = entry["peakBytes"], entry["peakIsLowerBound"]
                self.expect(f"own: {name} @{entry['function']}",
                            found == peaks[entry["function"]], found)
            self.check_file(path)


def main():
    files = sample.part(sorted((HERE.parents[1] / "samples").glob("*.mlir")), 3)
    files += sample.part(corpus.corpus_files(), 30, core=("readings/",))
    with tempfile.TemporaryDirectory() as folder:
        figures = Figures(pathlib.Path(folder))
        figures.check_own()
        for path in files:
            figures.check_file(path)
    for what, count in sorted(figures.counts.items()):
        print(f"{count:7} {what}")
    for fault in figures.faults[:60]:
        print("FAIL:", fault)
    if not figures.counts.get("functions with a run at the peak"):
        figures.faults.append("no run came to a peak")
    without = figures.counts.get("functions without a run at the peak", 0)
    at = figures.counts.get("functions with a run at the peak", 0)
    if without * 4 > at:
        figures.faults.append("too few runs come to the peak")
        print("FAIL: too few runs come to the peak")
    sys.exit(1 if figures.faults else 0)


if __name__ == "__main__":
    main()
