"""No advice harms: what `check` offers frees nothing before a use, leads to no
advice that undoes it, can be repeated as printed, and says what it costs.

  run_advice.py LIBFENCE [--seeds A..B] [FILE...]

First programs on which an advice was once wrong; then every remedy that is
offered for samples and a part of the corpus is run as it is printed; then random
programs, in which addresses of buffers go to pointers that are read later, are
run under the fence (tests/random) with each remedy that is offered for them.
"""

import argparse
import json
import pathlib
import re
import shlex
import sys
import tempfile

import run_rules  # puts the judges' folder on the path
import judges
import sample

sys.path.insert(0, str(judges.ROOT / "tests" / "random"))
import generate
import run_execute

DYNAMIC = "--private-function-dynamic-ownership"


# A way out for a buffer, by name: what makes it of %a, and what uses it later.
WAYS = {
    "a tensor": (
        "%e = bufferization.to_tensor %a restrict : BUFFER to tensor<4096xf32>",
        "%x = tensor.extract %e[%c0] : tensor<4096xf32>\n"
        "call @value(%x) : (f32) -> ()"),
    "a number": (
        "%e = memref.extract_aligned_pointer_as_index %a : BUFFER -> index",
        "call @number(%e) : (index) -> ()"),
    "the base buffer's number": (
        "%base, %at, %size, %step = memref.extract_strided_metadata %a : "
        "BUFFER -> memref<f32>, index, index, index\n"
        "%e = memref.extract_aligned_pointer_as_index %base : "
        "memref<f32> -> index", "call @number(%e) : (index) -> ()"),
    "the number of a result": (
        "%r = scf.if %c -> BUFFER {\n scf.yield %a : BUFFER\n} else {\n"
        " scf.yield %m : BUFFER\n}\n"
        "%e = memref.extract_aligned_pointer_as_index %r : BUFFER -> index",
        "call @number(%e) : (index) -> ()"),
    "another type": (
        "%e = builtin.unrealized_conversion_cast %a : BUFFER to !llvm.ptr",
        "%x = llvm.load %e : !llvm.ptr -> f32\n"
        "call @value(%x) : (f32) -> ()"),
    "a task": ("%e = async.execute {\n func.call @use(%a) : (BUFFER) -> ()\n"
               " async.yield\n}", ""),
    "memory": ("memref.store %a, %box[%c0] : memref<1xBUFFER>",
               "%x = memref.load %box[%c0] : memref<1xBUFFER>\n"
               "call @use(%x) : (BUFFER) -> ()"),
    "a handle": ("%e = call @handle(%a) : (BUFFER) -> i64",
                 "call @handled(%e) : (i64) -> ()"),
    "a callee that starts a task": (
        "call @later(%a) : (BUFFER) -> ()", ""),
    "a callee that stores it": (
        "call @keep(%a, %box) : (BUFFER, memref<1xBUFFER>) -> ()",
        "%x = memref.load %box[%c0] : memref<1xBUFFER>\n"
        "call @use(%x) : (BUFFER) -> ()"),
}
NO_WAYS = {
    "a sum": ("%e = call @sum(%a) : (BUFFER) -> f32", ""),
    "a size": ("%e = memref.dim %a, %c0 : BUFFER", ""),
    "a compared number": (
        "%e = memref.extract_aligned_pointer_as_index %a : BUFFER -> index\n"
        "%o = memref.extract_aligned_pointer_as_index %m : BUFFER -> index\n"
        "%same = arith.cmpi eq, %e, %o : index\n"
        "call @flag(%same) : (i1) -> ()", ""),
    "a callee that uses it": ("call @uses(%a) : (BUFFER) -> ()", ""),
}
WAY = """func.func private @number(index)
func.func private @value(f32)
func.func private @flag(i1)
func.func private @use(BUFFER)
func.func private @handle(BUFFER) -> i64
func.func private @handled(i64)
func.func private @sum(BUFFER) -> f32
func.func private @uses(%p: BUFFER) {
  call @use(%p) : (BUFFER) -> ()
  return
}
func.func private @later(%p: BUFFER) {
  %t = async.execute {
    func.call @use(%p) : (BUFFER) -> ()
    async.yield
  }
  return
}
func.func private @keep(%p: BUFFER, %q: memref<1xBUFFER>) {
  %zero = arith.constant 0 : index
  memref.store %p, %q[%zero] : memref<1xBUFFER>
  return
}
func.func @f(%c: i1, %m: BUFFER, %box: memref<1xBUFFER>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : BUFFER
  call @use(%a) : (BUFFER) -> ()
  MADE
  %b = memref.alloc() : BUFFER
  call @use(%b) : (BUFFER) -> ()
  USED
  return
}
"""


def program_of(way):
    made, used = way
    return WAY.replace("MADE", made).replace("USED", used).replace(
        "BUFFER", "memref<4096xf32>")


class Report:
    """What `check` says of one file."""

    def __init__(self, path, *options):
        self.result = judges.run(
            [judges.lens(), "check", "--format", "json", "--try-ops", "0",
             "--fail-on", "none", *options, path], seconds=600)
        self.file = json.loads(self.result.out)["files"][0] \
            if self.result.out.startswith("{") else {"findings": []}
        self.findings = self.file["findings"]

    def of(self, rule):
        return [finding for finding in self.findings
                if finding["rule"] == rule]

    def offered(self, rule=None):
        """Remedies that are said to help."""
        return [tried for finding in self.findings
                if rule in (None, finding["rule"])
                for tried in finding["tried"] if tried["helps"]]

    def advice(self):
        return [line for finding in self.findings
                for line in finding["remedies"]] + [
                    tried["remedy"] for tried in self.offered()]


ROTATES = """func.func private @use(memref<4xf32>)
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %c)
      -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    func.call @use(%x) : (memref<4xf32>) -> ()
    scf.yield PLACES : memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  call @use(%r#0) : (memref<4xf32>) -> ()
  return
}
"""
UNROLL = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %l = transform.structured.match ops{["scf.for"]} in %m
      : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %l {factor = 2} : !transform.any_op
    transform.yield
  }
}
"""


def unrolled(path, program):
    """The file of a program whose loops MLIR unrolled by two."""
    script, file, result = (path.with_suffix(end) for end in
                            (".unroll.mlir", ".mlir", ".unrolled.mlir"))
    script.write_text(UNROLL)
    file.write_text(program)
    done = judges.run([
        judges.tool("mlir-opt"), file, "-o", result, "--pass-pipeline="
        "builtin.module(transform-preload-library{"
        f"transform-library-paths={script}}},transform-interpreter)"])
    assert done.status == 0, done.err
    return result


class Readings:
    """Programs on which an advice was once wrong."""

    def __init__(self):
        self.folder = judges.corpus() / "readings"
        self.faults, self.checks = [], 0

    def expect(self, what, holds, shown=""):
        self.checks += 1
        if not holds:
            self.faults.append(f"{what}\n{shown}")

    def path(self, name):
        return next(self.folder.glob(f"{name}_*.mlir"))

    def run(self):
        if not self.folder.is_dir():
            return
        for name in ("d06", "d06b", "d06e"):
            self.escapes(name)
        self.ways()
        self.device()
        self.circle()
        self.costs()
        with tempfile.TemporaryDirectory() as folder:
            self.swap(pathlib.Path(folder))
        self.tensors()

    def ways(self):
        """Every way by which a buffer leaves what can be followed."""
        with tempfile.TemporaryDirectory() as folder:
            for name, way in {**WAYS, **NO_WAYS}.items():
                path = pathlib.Path(folder) / "way.mlir"
                path.write_text(program_of(way))
                report = Report(path)
                notes = report.of("late-free")
                leaves = name in WAYS
                self.expect(f"{name}: a late-free note", len(notes) == 1,
                            report.result)
                self.expect(f"{name}: whether the last use is known", all(
                    ("its last use is not known" in note["message"]) == leaves
                    for note in notes), notes)
                self.expect(f"{name}: whether it is freed earlier", any(
                    "optimize-allocation-liveness" in line
                    for line in report.advice()) != leaves, report.advice())

    def device(self):
        """Memory of gpu.alloc: nothing places its deallocation."""
        advice = Report(self.path("d05")).advice()
        self.expect("d05: the deallocation stays", advice and not any(
            "remove" in line for line in advice) and any(
                "gpu.alloc" in line and "manual_deallocation" in line
                for line in advice), advice)

    def circle(self):
        """What private dynamic ownership is offered for."""
        path = self.path("d13")
        self.expect("d13: dynamic ownership is offered", any(
            tried["remedy"] == f"with {DYNAMIC}"
            for tried in Report(path).offered()))
        advice = Report(path, DYNAMIC).advice()
        self.expect("d13: nothing leads back", not any(
            "without" in line for line in advice), advice)

    def costs(self):
        """A conditional clone that becomes an unconditional one or a copy."""
        report = Report(self.path("d17"))
        for tried in report.offered():
            gains, _, costs = tried["outcome"].partition("at the cost of ")
            self.expect("d17: no clone is saved where one becomes certain",
                        "conditional clones" not in gains, tried)
            if "hoisting" in tried["remedy"]:
                self.expect("d17: what hoisting costs",
                            "unconditional clones 0 -> 1" in costs, tried)
            self.expect("d17: a copy is a cost", "memref.copy" not in gains,
                        tried)
            self.expect("d17: no bookkeeping in bytes or allocations",
                        not re.search(r"(peak|alloc) \d+ B? ?-> ", gains) or
                        "45 B" not in gains, tried)
        self.expect("d17: a clone that becomes a copy is no remedy for clones",
                    not any("out-params" in tried["remedy"]
                            for tried in report.offered("clone")))

    def swap(self, folder):
        """Buffers that a loop swaps."""
        path = self.path("d18")
        for finding in Report(path).of("dealloc-helper"):
            self.expect("d18: unroll by two", any(
                " by 2" in line and "(9:10)" in line
                for line in finding["remedies"]), finding)
        # Followed: with a number of iterations that two divides, and with one
        # that is not known.
        text = path.read_text()
        even = text.replace("to %n step", "to %c8 step").replace(
            "%c1 =", "%c8 = arith.constant 8 : index\n  %c1 =", 1)
        for name, program, left in (("even", even, 0), ("any", text, 2)):
            result = unrolled(folder / name, program)
            found = Report(result).of("dealloc-helper")
            self.expect(f"d18: {name}, {left} calls are left after unrolling",
                        len(found) == left, found)
            self.expect(f"d18: {name}, nothing leads to unrolling again",
                        not any("unroll" in line for finding in found
                                for line in finding["remedies"]), found)
        # Three that go round need three; one that is dropped, nothing.
        for name, places, times in (("three", "%y, %z, %x", "by 3"),
                                    ("dropped", "%y, %y, %z", "")):
            file = folder / f"{name}.mlir"
            file.write_text(ROTATES.replace("PLACES", places))
            found = Report(file).of("dealloc-helper")
            self.expect(f"{name}: there is a call", found)
            for finding in found:
                advice = [line for line in finding["remedies"]
                          if line.startswith("unroll")]
                self.expect(f"{name}: unrolled {times or 'never'}",
                            len(advice) == bool(times) and
                            all(times in line for line in advice), finding)

    def tensors(self):
        """Tensors that are gone once the program is bufferized."""
        path = self.path("d21")
        self.expect("d21: without --bufferize it is said",
                    Report(path).of("tensor-left"))
        for path in (path, judges.ROOT / "samples" / "tensor-level.mlir"):
            found = Report(path, "--bufferize").of("tensor-left")
            self.expect(f"{path.name}: not with --bufferize", not found, found)

    def escapes(self, name):
        """A buffer that is used through a tensor or a pointer."""
        report = Report(self.path(name))
        notes = report.of("late-free")
        self.expect(f"{name}: one late-free note", len(notes) == 1, notes)
        for note in notes:
            self.expect(f"{name}: the last use is not known",
                        "its last use is not known" in note["message"] and
                        "after its last use" not in note["message"], note)
            self.expect(f"{name}: the op is shown by which it escapes",
                        any(re.search(r"to_tensor|extract_aligned_pointer",
                                      fact["text"])
                            for fact in note["related"]), note)
        self.expect(f"{name}: no pass that moves deallocations",
                    not any("optimize-allocation-liveness" in line
                            for line in report.advice()), report.advice())


#===--- Remedies, as they are printed ---------------------------------------===#

OWN = "builtin.module(buffer-deallocation-pipeline"


def is_edit(tried):
    """Whether mlir-opt alone cannot do it: the program has to be changed by hand
    first, or something is stated."""
    return not tried["pipeline"] or bool(re.match(r"with @|without the deallocs", tried["remedy"]))


def run_printed(command, path):
    """A printed line, with the tools of this machine."""
    words = shlex.split(command)
    tools = {"mlir-opt-22": judges.tool("mlir-opt"),
             "memref-lens": judges.lens()}
    assert words[-1] == str(path), command
    words = [word.replace("libMemrefLensPasses.so", judges.plugin())
             for word in words]
    return judges.run([tools[words[0]], *words[1:]], seconds=300)


class Printed:
    """Every remedy that is offered for one file."""

    def __init__(self, path, options):
        self.path, self.options = path, options
        self.faults, self.applied, self.second = [], 0, 0

    def fault(self, tried, what):
        self.faults.append(f"{self.path.name} {' '.join(self.options)}: "
                           f"{tried['remedy']}: {what}")

    def run(self):
        text = self.path.read_text()
        # What upstream makes of one part only is not for a whole file.
        if "// -----" in text:
            return self
        done = set()
        dynamic = "{private-function-dynamic-ownership=1}"
        # Where mlir-opt rejects one function, it does so with a remedy for
        # another one, too.
        accepted = self.passes(
            OWN + (dynamic if DYNAMIC in self.options else "") + ")", text)
        for tried in Report(self.path, *self.options).offered():
            if tried["remedy"] in done or not tried["commands"]:
                continue
            done.add(tried["remedy"])
            self.applied += 1
            for command in tried["commands"]:
                result = run_printed(command, self.path)
                if result.status is None or result.status > 1 or \
                        (result.status and accepted and
                         command.startswith("mlir-opt")):
                    self.fault(tried, f"{command}: exit {result.status}: "
                                      f"{result.err[:300]}")
            if not is_edit(tried):
                self.look_for_circle(tried)
        return self

    def passes(self, pipeline, text):
        result = judges.run([judges.tool("mlir-opt"),
                             "--allow-unregistered-dialect",
                             f"--load-pass-plugin={judges.plugin()}",
                             f"--pass-pipeline={pipeline}"], text=text)
        return result.out if result.status == 0 else None

    def look_for_circle(self, tried):
        """No remedy for the program with this one gives the program without."""
        dynamic = "{private-function-dynamic-ownership=1}"
        own = OWN + (dynamic if DYNAMIC in self.options else "") + ")"
        first = self.passes(own, self.path.read_text())
        front = tried["pipeline"].split("buffer-deallocation-pipeline")[0]
        if first is None or "func.func(optimize" in tried["pipeline"]:
            return
        changed = self.passes(front.rstrip(",") + ")", self.path.read_text())
        options = [DYNAMIC] if dynamic in tried["pipeline"] else []
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / self.path.name
            path.write_text(changed)
            for other in Report(path, *options).offered():
                self.second += 1
                if is_edit(other):
                    continue
                if self.passes(other["pipeline"], changed) == first:
                    self.fault(tried, f"then {other['remedy']} leads back")


def options_of(path):
    match = re.search(r"(?m)^// options: (.*)$", path.read_text())
    return match[1].split() if match else []


def printed_items(files):
    if files:
        return [(pathlib.Path(name).resolve(), []) for name in files]
    samples = sorted((judges.ROOT / "samples").glob("*.mlir"))
    items = [(path, options) for path in sample.part(samples, 3)
             for options in ([], [DYNAMIC]) if not options_of(path)]
    corpus = judges.corpus()
    items += [(path, []) for path in
              sorted((corpus / "readings").glob("*.mlir"))]
    items += [(path, []) for path in sample.part(
        sorted((corpus / "defects").glob("*.mlir")), 6)]
    real = [path for path in sorted((corpus / "real").glob("*.mlir"))
            if path.stat().st_size < 12000]
    return items + [(path, []) for path in sample.part(real, 16)]


#===--- Remedies, run ----------------------------------------------------===#

ALLOCATION = re.compile(r"^( *)(%a\d+) = memref\.alloc\([^)]*\) : (memref<.*>)$")


def with_escapes(text, seed):
    """The program with pointers to some of its buffers, each read at the end of
    the block of its allocation."""
    lines, pending, count = [], [], 0
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        ends = re.match(r" *(func\.)?(return|scf\.yield|cf\.(cond_)?br|"
                        r"scf\.condition|scf\.reduce)\b", line)
        if ends:
            for depth, name in [p for p in pending if p[0] == indent]:
                lines.append(f"{' ' * indent}%read{name} = llvm.load volatile "
                             f"%ptr{name} : !llvm.ptr -> f32")
            pending = [p for p in pending if p[0] < indent]
        lines.append(line)
        match = ALLOCATION.match(line)
        if match and (count * 7 + seed) % 3 == 0:
            name, buffer, type = count, match[2], match[3]
            lines += [
                f"{match[1]}%at{name} = memref.extract_aligned_pointer_as_index "
                f"{buffer} : {type} -> index",
                f"{match[1]}%as{name} = arith.index_cast %at{name} : index to i64",
                f"{match[1]}%ptr{name} = llvm.inttoptr %as{name} : i64 to !llvm.ptr"]
            pending.append((indent, name))
        count += bool(match)
    return "\n".join(lines) + "\n"


class Executed:
    """Random programs with pointers, and with the remedies offered for them."""

    def __init__(self, fence):
        self.fence = fence
        self.faults, self.programs, self.runs, self.harmed = [], 0, 0, 0
        self.chance = 0

    def execute(self, text, pipeline, path):
        """None, or what went wrong."""
        # lift-cf-to-scf leaves poison, which run_execute.py does not lower.
        made = judges.run([judges.tool("mlir-opt"),
                           f"--load-pass-plugin={judges.plugin()}", "--pass-pipeline="
                           f"{pipeline[:-1]},convert-ub-to-llvm)"], text=text)
        if made.status != 0:
            return f"mlir-opt fails: {made.err[:300]}"
        final = run_execute.lowered(made.out)
        if final.status != 0:
            return f"lowering fails: {final.err[:300]}"
        path.write_text(final.out)
        return run_execute.run_fenced(self.fence, path)

    def check(self, seed, folder):
        text = with_escapes(generate.generate(seed, "acyclic-run"), seed)
        path = pathlib.Path(folder) / f"escapes-{seed}.mlir"
        path.write_text(text)
        low = path.with_suffix(".llvm.mlir")
        if self.execute(text, OWN + ")", low):
            return
        self.programs += 1
        # Those that the judge has to see: it is not blind.
        if self.execute(text, OWN + ",func.func(optimize-allocation-liveness))",
                        low):
            self.harmed += 1
        done, report = set(), Report(path)
        # What mlir-opt makes of the program as it is, is chance already, and told.
        is_chance = any(finding["severity"] == "warning"
                        for finding in report.of("upstream-reads-freed"))
        for tried in report.offered():
            if tried["remedy"] in done or is_edit(tried):
                continue
            done.add(tried["remedy"])
            self.runs += 1
            problem = self.execute(text, tried["pipeline"], low)
            if problem and is_chance and problem.startswith("mlir-opt fails"):
                self.chance += 1
            elif problem:
                self.faults.append(f"seed {seed}: {tried['remedy']}: {problem}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fence")
    parser.add_argument("--seeds", default="0..1000" if sample.LONG else
                        "0..60" if sample.FULL else "0..10")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_intermixed_args()
    readings = Readings()
    if not arguments.files:
        readings.run()
    faults = list(readings.faults)
    print(f"{readings.checks} checks of readings", flush=True)
    applied = second = 0
    items = printed_items(arguments.files)
    for file in judges.in_parallel(lambda item: Printed(*item).run(), items):
        faults += file.faults
        applied += file.applied
        second += file.second
    print(f"{len(items)} runs: {applied} remedies applied as printed, {second} "
          "offered after these", flush=True)
    executed = Executed(arguments.fence)
    first, last = map(int, arguments.seeds.split(".."))
    # Remedies after which mlir-opt reads freed memory, or poison is compared.
    seeds = sorted({185, 249, 490, *range(first, last)})
    if not arguments.files:
        with tempfile.TemporaryDirectory() as folder:
            list(judges.in_parallel(lambda seed: executed.check(seed, folder),
                                    seeds))
        faults += executed.faults
        print(f"{executed.programs} random programs with pointers, "
              f"{executed.runs} remedies run; optimize-allocation-liveness "
              f"harms {executed.harmed} of them; {executed.chance} remedies "
              "of programs in which mlir-opt reads freed memory failed by chance")
        if executed.harmed == 0 and last - first >= 10:
            faults.append("the fence sees no use after free")
    print("\n".join(faults))
    print(f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
