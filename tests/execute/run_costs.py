#!/usr/bin/env python3
"""What a call is said to cost, held to what runs of the program count.

  run_costs.py SAMPLES

Each public function of the samples, of a part of the corpus and of programs made here
runs with up to three sizes of its open dimensions and numbers. With these stated
(--assume), `check` tells how often memref.alloc is executed and how many bytes that
takes, and in programs made here memref.copy: as many as the run counts, where loops are
all that is in the way; at least as many, where branches may pass some by.
"""

import collections
import json
import os
import pathlib
import random
import re
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(TESTS / "judges"))

import judges  # noqa: E402

FULL = os.environ.get("MEMREF_LENS_FULL") == "1"
SEED = int(os.environ.get("MEMREF_LENS_SEED", "1"))
CORPUS = pathlib.Path(os.environ.get("MEMREF_LENS_CORPUS", ""))
SIZES = (3, 4, 9)
tally = collections.Counter()
faults = []


def ran(path, *options):
    done = judges.run([judges.lens(), "run", "--format=json", "--timeout=10", *options,
                       path], seconds=100)
    return json.loads(done.out) if done.out.startswith("{") else None


def told(path, entry, options):
    done = judges.run([judges.lens(), "check", "--no-try", "--format=json", *options,
                       path], seconds=100)
    reports = json.loads(done.out)["files"] if done.out.startswith("{") else []
    for report in reports:
        for costs in report["costs"]:
            if costs["function"] == entry:
                return costs["aCall"]
    return None


def statements(record, entry):
    """What the run was given, as memref-lens is told it."""
    for number, argument in enumerate(record["arguments"]):
        value, type = argument["value"], argument["type"]
        if re.fullmatch(r"\d+", value):
            yield f"--assume=@{entry}:{number}={value}"
        shape = re.match(r"((?:\d+x)+)", value)
        if shape and "?" in type:
            for dimension, size in enumerate(shape[1].split("x")[:-1]):
                yield f"--assume=@{entry}:{number}:{dimension}={size}"


def sizesOf(record, size):
    """Options that give each open size and number another value."""
    for argument in record["arguments"]:
        value, type, name = argument["value"], argument["type"], argument["name"]
        if type in ("index", "i64", "i32"):
            yield f"--arg={name}={size}"
        elif type.startswith("memref<") and "?" in type and "memref<*" not in type:
            yield f"--arg={name}={re.sub(r'[?]', str(size), type[7:-1].split(',')[0])}:random"


def compare(path, record, options, hasCopies=False):
    """`hasCopies`: one with each second allocation."""
    entry = record["entry"]
    cost = told(path, entry, [*options, *statements(record, entry)])
    if cost is None:
        tally["not told"] += 1
        return
    of = [site for site in record["sites"] if site["kind"] == "allocation" and
          site["opName"] == "memref.alloc" and not site["isForHelper"]]
    count, size = sum(site["ran"] for site in of), sum(site["bytes"] for site in of)
    figures = [(cost["allocations"], count, "allocations"),
               (cost["allocatedBytes"], size, "allocatedBytes")]
    if hasCopies:
        figures.append((cost["copies"], count // 2, "copies"))
    for said, counted, what in figures:
        if said is None:
            tally["open"] += 1
            continue
        tally["at most" if cost["isAtMost"] else "exact"] += 1
        if said < counted if cost["isAtMost"] else said != counted:
            faults.append(f"{path.name} @{entry}: {'up to ' * cost['isAtMost']}{said} "
                          f"{what}, the run has {counted} {options} "
                          f"{record['arguments']}")


def judge(path, options=()):
    record = ran(path, *options)
    if not record or record["end"] != "returned":
        tally["not run"] += 1
        return
    compare(path, record, options)
    if not any("?" in argument["type"] or argument["type"] in ("index", "i64", "i32")
               for argument in record["arguments"]):
        return
    for size in SIZES:
        more = ran(path, *options, *sizesOf(record, size))
        if more and more["end"] == "returned":
            tally["other sizes"] += 1
            compare(path, more, options)


class Made:
    """Loops of constant and of given bounds, calls in them that pass constants, sums and
    products, triangles of loops, maps as bounds, branches, lists of buffers."""

    def __init__(self, seed):
        self.random, self.count, self.around = random.Random(seed), 0, []
        self.functions = [self.function(f"f{number}", number)
                          for number in range(self.random.randrange(1, 4))]
        self.text = "\n".join(self.functions)

    def fresh(self):
        self.count += 1
        return self.count

    def function(self, name, callees):
        lines = ["  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index",
                 "  %c2 = arith.constant 2 : index", "  %v = arith.constant 1.0 : f32"]
        visibility = "private " if name != f"f{callees}" else ""
        self.body(lines, 2, 0, callees)
        return (f"func.func @{name}(%n: index, %m: memref<?x4xf32>) {{\n" +
                "\n".join(lines) + "\n  return\n}\n")

    def body(self, lines, indent, depth, callees):
        pad = " " * indent
        for _ in range(self.random.randrange(1, 5)):
            kind, number = self.random.random(), self.fresh()
            if kind < 0.12 and depth < 3:
                of = self.random.choice(["%n", *self.dimensions()])
                high = self.random.choice([
                    f"affine_map<(d0) -> (d0 + 1)>({of})",
                    f"affine_map<(d0) -> (d0 * 2 - 1)>({of})",
                    f"affine_map<(d0) -> (d0 floordiv 2)>({of})",
                    f"affine_map<(d0) -> (d0 ceildiv 2 + 1)>({of})",
                    f"min affine_map<(d0) -> (d0, 2)>({of})", "3",
                    f"affine_map<(d0) -> (d0)>({of})"])
                low = self.random.choice(["0", "1", "0"])
                lines.append(f"{pad}affine.for %a{number} = {low} to {high} "
                             f"step {self.random.choice((1, 1, 2))} {{")
                self.around.append(f"%a{number}")
                self.body(lines, indent + 2, depth + 1, callees)
                self.around.pop()
                lines.append(f"{pad}}}")
            elif kind < 0.35 and depth < 3:
                high = self.random.choice(["%n", "%c2", "%d", *self.around[-1:]])
                if high == "%d":
                    lines.append(f"{pad}%d{number} = memref.dim %m, %c0 : memref<?x4xf32>")
                    high = f"%d{number}"
                low, step = self.random.choice(["%c0", "%c1"]), \
                    self.random.choice(["%c1", "%c2"])
                lines.append(f"{pad}scf.for %i{number} = {low} to {high} step {step} {{")
                self.around.append(f"%i{number}")
                self.body(lines, indent + 2, depth + 1, callees)
                self.around.pop()
                lines.append(f"{pad}}}")
            elif kind < 0.45 and callees:
                passed = self.passed(lines, pad, number)
                lines.append(f"{pad}func.call @f{self.random.randrange(callees)}({passed}) "
                             ": (index, memref<?x4xf32>) -> ()")
            elif kind < 0.55 and depth < 3:
                lines += [f"{pad}%q{number} = arith.cmpi slt, %n, %c2 : index",
                          f"{pad}scf.if %q{number} {{"]
                self.body(lines, indent + 2, 3, 0)
                lines.append(f"{pad}}}")
            else:
                size, type = self.random.choice(
                    (("", "memref<8xf32>"), ("%n", "memref<?xf32>"),
                     (self.around[-1] if self.around else "%n", "memref<?xf32>")))
                lines += [f"{pad}%b{number} = memref.alloc({size}) : {type}",
                          f"{pad}%e{number} = memref.alloc({size}) : {type}",
                          f"{pad}memref.copy %b{number}, %e{number} : {type} to {type}"]


    def dimensions(self):
        """The loop around, where a map may be of it."""
        return [name for name in self.around[-1:] if name.startswith("%a")]

    def passed(self, lines, pad, number):
        """A number and a buffer: those at hand, or others that are made of them."""
        value = self.random.choice(["%n", "%c1", "%c2", f"%k{number}", *self.around[-1:]])
        if value.startswith("%k"):
            of = self.random.choice(["%n", *self.dimensions()])
            lines.append(pad + value + " = " + self.random.choice([
                f"arith.muli {of}, %c2 : index", f"arith.addi {of}, %c1 : index",
                f"arith.ceildivui {of}, %c2 : index",
                f"affine.apply affine_map<(d0) -> (d0 * 2 + 1)>({of})"]))
        buffer = "%m"
        if self.random.random() < 0.3:
            type, buffer = "memref<?x4xf32>", f"%p{number}"
            size = self.random.choice(["%n", "%c2"])
            lines += [f"{pad}%p{number} = memref.alloc({size}) : {type}",
                      f"{pad}%r{number} = memref.alloc({size}) : {type}",
                      f"{pad}memref.copy %p{number}, %r{number} : {type} to {type}"]
        return f"{value}, {buffer}"


def corpusFiles():
    for folder in ("real", "gen"):
        files = sorted((CORPUS / folder).glob("*.mlir"))
        yield from files if FULL else files[SEED % 16::16]


REFINE = """func.func private @more() -> i1
func.func private @refine(%x: memref<?xf32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %steps step %c1 {
    %a = memref.alloc(%d) : memref<?xf32>
    memref.copy %x, %a : memref<?xf32> to memref<?xf32>
    memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  }
  return
}
func.func @main(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  BODY
  return
}
"""
CALL = "func.call @refine(%x, NUMBER) : (memref<?xf32>, index) -> ()"
LOOP = "scf.for %i = %c0 to %n step %c1 {\n BODY\n }"
ALLOC = "%b = memref.alloc(%SIZE) : memref<?xf32>\n memref.copy %b, %x : memref<?xf32> to memref<?xf32>"

#: What stands in @main, and what `memory` says a call of it costs.
WORDS = (
    (CALL.replace("NUMBER", "%c8"), "8 allocations, 32 B * dim(%x, 0); 16 copies"),
    (CALL.replace("NUMBER", "%n"), "%n allocations, 4 B * dim(%x, 0) * %n"),
    ("%m = arith.muli %n, %c8 : index\n" + CALL.replace("NUMBER", "%m"),
     "%m allocations, 4 B * dim(%x, 0) * %m"),
    ("%m = arith.addi %n, %c8 : index\n" + CALL.replace("NUMBER", "%m"),
     "%m allocations"),
    (LOOP.replace("BODY", CALL.replace("NUMBER", "%c8")), "8 * %n allocations"),
    (LOOP.replace("BODY", CALL.replace("NUMBER", "%i")),
     "%n * (%n - 1) / 2 allocations"),
    (LOOP.replace("BODY", CALL.replace("NUMBER", "%i")),
     "growth             allocations grow with the square of %n"),
    (LOOP.replace("BODY", ALLOC.replace("%SIZE", "%i")),
     "%n allocations, 2 B * %n * (%n - 1)"),
    (LOOP.replace("BODY", ALLOC.replace("%SIZE", "%i")),
     "growth             bytes of allocations grow with the square of %n"),
    (LOOP.replace("BODY", ALLOC.replace("%SIZE", "%n")),
     "growth             bytes of allocations grow with the square of %n"),
    (LOOP.replace("BODY", ALLOC.replace("%SIZE", "%c8")),
     "%n allocations, 32 B * %n"),
    (LOOP.replace("BODY", LOOP.replace("%i", "%j").replace(
        "BODY", ALLOC.replace("%SIZE", "%c8"))), "%n * %n allocations"),
    ("affine.for %i = 0 to affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] {\n" +
     ALLOC.replace("%SIZE", "%c8") + "\n}", "(%n / 4) allocations, 32 B * (%n / 4)"),
    ("affine.for %i = 0 to %n step 32 {\naffine.for %j = affine_map<(d0) -> (d0)>(%i) to "
     "affine_map<(d0) -> (d0 + 32)>(%i) {\n" + ALLOC.replace("%SIZE", "%c8") + "\n}\n}",
     "32 * (%n / 32) allocations"),
    ("affine.for %i = 0 to %n step 32 {\naffine.for %j = affine_map<(d0) -> (d0)>(%i) to "
     "min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%i)[%n] {\n" +
     ALLOC.replace("%SIZE", "%c8") + "\n}\n}", "up to 32 * (%n / 32) allocations"),
    ("affine.parallel (%i, %j) = (0, 1) to (%n, 9) step (2, 1) {\n" +
     ALLOC.replace("%SIZE", "%c8") + "\n}", "8 * (%n / 2) allocations"),
    ("scf.forall (%i, %j) in (%n, 4) {\n" + ALLOC.replace("%SIZE", "%c8") + "\n}",
     "4 * %n allocations"),
    # What a loop of unknown rounds pays, it pays in each, whatever is around it.
    (LOOP.replace("BODY", "scf.while : () -> () {\n%q = func.call @more() : () -> i1\n"
                  "scf.condition(%q)\n} do {\n" + ALLOC.replace("%SIZE", "%c8") +
                  "\nscf.yield\n}"), "in each iteration of scf.while"),
)


def inWords(folder):
    path = folder / "refine.mlir"
    for body, words in WORDS:
        path.write_text(REFINE.replace("BODY", body))
        done = judges.run([judges.lens(), "memory", "--all", path], seconds=100)
        main = done.out[done.out.find("@main:"):]
        if words not in main:
            faults.append(f"'{words}' is not told of\n{body}\n{done.out}{done.err}")


def main(samples):
    for path in sorted(pathlib.Path(samples).glob("*.mlir")):
        judge(path)
    if CORPUS.is_dir():
        for path in corpusFiles():
            judge(path)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(300 if FULL else 30):
            path = pathlib.Path(folder) / f"made-{number}.mlir"
            made = Made(1000 * SEED + number)
            path.write_text(made.text)
            last = len(made.functions) - 1
            before = len(faults)
            record = ran(path, f"--entry=@f{last}")
            if not record or record["end"] != "returned":
                faults.append(f"made {number} does not run\n{made.text}")
                continue
            for size in SIZES:
                more = ran(path, f"--entry=@f{last}", *sizesOf(record, size))
                compare(path, more, [], hasCopies=True)
            if len(faults) > before:
                faults.append(made.text)
    print(dict(tally))
    if tally["exact"] < 60:
        faults.append("too few are compared")
    with tempfile.TemporaryDirectory() as folder:
        inWords(pathlib.Path(folder))
    for fault in faults[:20]:
        print("FAULT", fault)
    return 1 if faults else 0


sys.exit(main(sys.argv[1]))
