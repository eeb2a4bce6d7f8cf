"""`lost-write`: where a clone changes what a program computes, check says so.

Programs are run twice by mlir-runner: as written, with no deallocation at all, and
after mlir-opt's own pipeline. Each reads single elements and mixes them into one
number, so that a write that is not seen changes it.

  result differs:  `check` has an error or a warning lost-write
  result is equal: `check` has none that is an error of a load and a store (of two
                   accesses at places that are known, on the only path there is)

and for each remedy that check says helps against it: the program with the remedy,
run again, gives the number of the program as written; for each that it tested on a
clone and that helps, too. First the programs of ../shared/reports, then random ones:
functions that return what they are passed, choose, copy and write; loops that read and
write what these return.
"""

import json
import pathlib
import random
import re
import sys
import tempfile

for beside in ("judges", "random"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / beside))

import judges  # puts the folder of `sample` on the path
import corpus
import run_execute
import sample

REPORTS = ["clone_loses_write.mlir", "clone_loses_write_select.mlir"]
M = "memref<4xi64>"
V = "memref<2xi64, strided<[1], offset: ?>>"


FRAME = """func.func private @f(%m: memref<8xi32>) -> memref<8xi32> {{ return %m : memref<8xi32> }}
func.func private @collapsed(%m: memref<2x4xi32>) -> memref<8xi32> {{
  %s = memref.collapse_shape %m [[0, 1]] : memref<2x4xi32> into memref<8xi32>
  return %s : memref<8xi32>
}}
func.func @main() -> i32 {{
  %z = arith.constant 0 : i32
  %x = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%z : i32) outs(%a : memref<8xi32>)
  %r = call @f(%a) : (memref<8xi32>) -> memref<8xi32>
{body}
  return %y : i32
}}
"""
LOAD = "  %y = memref.load %a[%c1] : memref<8xi32>"
# What straight-line programs do not have: the judge is the same.
FIXED = {
    "many-writes": "".join(
        f"  memref.store %x, %r[%c{i}] : memref<8xi32>\n" for i in (0, 1, 2, 3, 4)) +
    "  %y = memref.load %a[%c4] : memref<8xi32>",
    "other-indices": """  %b = memref.alloc() : memref<2x4xi32>
  linalg.fill ins(%z : i32) outs(%b : memref<2x4xi32>)
  %q = call @collapsed(%b) : (memref<2x4xi32>) -> memref<8xi32>
  memref.store %x, %q[%c5] : memref<8xi32>
  %y = memref.load %b[%c1, %c1] : memref<2x4xi32>""",
    "filled-then-written": """  linalg.fill ins(%x : i32) outs(%r : memref<8xi32>)
  memref.store %z, %a[%c1] : memref<8xi32>
""" + LOAD,
    "written-by-a-loop": """  memref.store %x, %r[%c1] : memref<8xi32>
  scf.for %i = %c0 to %c8 step %c1 { memref.store %z, %a[%i] : memref<8xi32> }
""" + LOAD,
    "written-to-both": """  memref.store %x, %a[%c1] : memref<8xi32>
  memref.store %x, %r[%c1] : memref<8xi32>
""" + LOAD,
    "loaded-and-stored": """  memref.store %x, %r[%c1] : memref<8xi32>
  %v = memref.load %r[%c1] : memref<8xi32>
  memref.store %v, %a[%c1] : memref<8xi32>
  %y = memref.load %r[%c1] : memref<8xi32>""",
    "one-element-of-all": """  linalg.generic {indexing_maps = [affine_map<(d0) -> (0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%a : memref<8xi32>) outs(%r : memref<8xi32>) {
  ^bb0(%p: i32, %q: i32):
    %k = arith.addi %p, %x : i32
    linalg.yield %k : i32
  }
  %y = memref.load %r[%c5] : memref<8xi32>""",
}


class Program:
    """A random program whose only path is the one that is run."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.count = 0
        self.lines = []
        self.kinds = [self.chance.choice(
            ["same", "fresh", "select", "if", "writes", "second"])
            for _ in range(self.chance.randint(1, 3))]

    def name(self, stem="v"):
        self.count += 1
        return f"%{stem}{self.count}"

    def add(self, text, *values):
        self.lines.append("  " + text)

    def callee(self, number, kind):
        bodies = {
            "same": f"  return %a : {M}\n",
            "second": f"  return %b : {M}\n",
            "fresh": f"""  %n = memref.alloc() : {M}
  memref.copy %a, %n : {M} to {M}
  return %n : {M}
""",
            "select": f"""  %s = arith.select %c, %a, %b : {M}
  return %s : {M}
""",
            "if": f"""  %s = scf.if %c -> {M} {{
    scf.yield %a : {M}
  }} else {{
    %n = memref.alloc() : {M}
    memref.copy %b, %n : {M} to {M}
    scf.yield %n : {M}
  }}
  return %s : {M}
""",
            "writes": f"""  %i = arith.constant {self.chance.randint(0, 3)} : index
  memref.store %x, %b[%i] : {M}
  return %a : {M}
"""}
        access = self.chance.choice(["private ", "private ", ""])
        return (f"func.func {access}@f{number}(%c: i1, %a: {M}, %b: {M}, %x: i64) "
                f"-> {M} "
                f"{{\n{bodies[kind]}}}\n")

    def index(self):
        name = self.name("i")
        self.add(f"{name} = arith.constant {self.chance.randint(0, 3)} : index")
        return name

    def store(self, buffer, indent=""):
        value = self.name("x")
        self.add(f"{value} = arith.constant {self.chance.randint(1, 10**6)} : i64")
        self.add(f"memref.store {value}, {buffer}[{self.index()}] : {M}")

    def load(self, buffer):
        value, scaled, mixed = self.name("x"), self.name("x"), self.name("x")
        self.add(f"{value} = memref.load {buffer}[{self.index()}] : {M}")
        self.add(f"{scaled} = arith.muli {self.mix}, %prime : i64")
        self.add(f"{mixed} = arith.addi {scaled}, {value} : i64")
        self.mix = mixed

    def loop(self, buffers):
        """Writes one buffer in each iteration and reads another, or the same."""
        lower, upper, step, base = (self.name("i"), self.name("i"), self.name("i"),
                                    self.name("x"))
        self.add(f"{lower} = arith.constant 0 : index")
        self.add(f"{upper} = arith.constant {self.chance.randint(1, 4)} : index")
        self.add(f"{step} = arith.constant 1 : index")
        self.add(f"{base} = arith.constant {self.chance.randint(1, 10**6) * 8} : i64")
        fixed, mixed = self.index(), self.name("x")
        write, read = self.chance.choice(buffers), self.chance.choice(buffers)
        accesses = [f"""    %j = arith.index_cast %i : index to i64
    %x = arith.addi {base}, %j : i64
    memref.store %x, {write}[{self.chance.choice(['%i', fixed])}] : {M}""",
                    f"""    %y = memref.load {read}[{self.chance.choice(['%i', fixed])}] : {M}
    %s = arith.muli %m, %prime : i64
    %t = arith.addi %s, %y : i64"""]
        self.chance.shuffle(accesses)
        body = "\n".join(accesses)
        self.add(f"{mixed} = scf.for %i = {lower} to {upper} step {step} "
                 f"iter_args(%m = {self.mix}) -> (i64) {{\n{body}\n"
                 "    scf.yield %t : i64\n  }")
        self.mix = mixed

    def text(self):
        functions = "".join(self.callee(number, kind)
                            for number, kind in enumerate(self.kinds))
        self.add("%prime = arith.constant 1000003 : i64")
        self.add("%start = arith.constant 7 : i64")
        self.mix = "%start"
        buffers = []
        for _ in range(self.chance.randint(1, 3)):
            buffer = self.name("b")
            buffers.append(buffer)
            self.add(f"{buffer} = memref.alloc() : {M}")
            zero = self.name("x")
            self.add(f"{zero} = arith.constant {self.chance.randint(1, 99)} : i64")
            self.add(f"linalg.fill ins({zero} : i64) outs({buffer} : {M})")
        for _ in range(self.chance.randint(2, 9)):
            what = self.chance.random()
            if what < 0.3:
                condition, result = self.name("c"), self.name("b")
                value = self.name("x")
                self.add(f"{value} = arith.constant "
                         f"{self.chance.randint(1, 10**6)} : i64")
                self.add(f"{condition} = arith.constant "
                         f"{self.chance.choice(['true', 'false'])}")
                number = self.chance.randrange(len(self.kinds))
                self.add(f"{result} = func.call @f{number}({condition}, "
                         f"{self.chance.choice(buffers)}, "
                         f"{self.chance.choice(buffers)}, {value}) : "
                         f"(i1, {M}, {M}, i64) -> {M}")
                buffers.append(result)
            elif what < 0.38:
                self.loop(buffers)
            elif what < 0.45:
                self.add(f"memref.copy {self.chance.choice(buffers)}, "
                         f"{self.chance.choice(buffers)} : {M} to {M}")
            elif what < 0.7:
                self.store(self.chance.choice(buffers))
            else:
                self.load(self.chance.choice(buffers))
        for buffer in self.chance.sample(buffers, min(3, len(buffers))):
            self.load(buffer)
        return (functions + "func.func @main() -> i64 {\n" +
                "\n".join(self.lines) +
                f"\n  return {self.mix} : i64\n}}\n")


def number_of(text, result):
    """What `main` returns, of a program after its deallocation; None where it does
    not run."""
    final = run_execute.lowered(text)
    if final.status != 0:
        return None
    done = judges.run([judges.tool("mlir-runner"), "-e", "main", "-O0",
                       f"--entry-point-result={result}"], final.out)
    return done.out.strip() if done.status == 0 else None


def with_private(text, remedy):
    """The program with the functions private that the remedy names so."""
    if not re.match(r"with @.* private\b", remedy):
        return text
    return re.sub(r"func\.func (@f\d+)", lambda one: f"func.func private {one[1]}"
                  if one[1] in remedy or "other function" in remedy else one[0], text)


class Judge:
    def __init__(self):
        self.counts = {}
        self.faults = []

    def count(self, what, number=1):
        self.counts[what] = self.counts.get(what, 0) + number

    def look(self, name, text, folder):
        path = pathlib.Path(folder) / f"{name}.mlir"
        path.write_text(text)
        result = re.search(r"@main\(\) -> (i\d+)", text)[1]
        piped = judges.run([judges.tool("mlir-opt"), path,
                            "--buffer-deallocation-pipeline"])
        written = number_of(text, result)
        after = number_of(piped.out, result) if piped.status == 0 else None
        if written is None or after is None:
            self.count("programs that do not run")
            return
        report = judges.run([judges.lens(), "check", path, "--format", "json"])
        findings = json.loads(report.out)["files"][0]["findings"]
        found = [one for one in findings if one["rule"] == "lost-write"]
        # What a copy reads may not matter, and it may write what is there already;
        # each store has a number of its own.
        errors = [one for one in found if one["severity"] == "error" and
                  one["message"].startswith("memref.load") and
                  "memref.store wrote" in one["message"]]
        self.count("programs")
        differs = written != after
        self.count("results that the pipeline changes" if differs else
                   "results that it keeps")
        if differs and not found:
            self.faults.append(f"{name}: {written} as written, {after} after the "
                               "pipeline, and check has no lost-write")
        if not differs and errors:
            self.faults.append(f"{name}: the result stays, and check says: "
                               f"{errors[0]['message']}")
        if differs:
            self.follow(name, path, text, result, written, findings)

    def follow(self, name, path, text, result, written, findings):
        """Each remedy against a clone or a lost write: as its commands say."""
        known = set()
        for finding in findings:
            if finding["rule"] not in ("clone", "lost-write"):
                continue
            for tried in finding["tried"]:
                if not tried["helps"] or tried["remedy"] in known:
                    continue
                known.add(tried["remedy"])
                self.run_remedy(name, path, text, result, written, tried)

    def run_remedy(self, name, path, text, result, written, tried):
        text = with_private(text, tried["remedy"])
        if "returning copies" in tried["remedy"]:
            self.count("remedies that edit the program, not run")
            return
        done = judges.run([judges.tool("mlir-opt"), "-",
                           f"--pass-pipeline={tried['pipeline']}"], text)
        after = number_of(done.out, result) if done.status == 0 else None
        if after is None:
            self.count("remedies that do not run")
            return
        self.count("remedies run")
        if after != written:
            self.faults.append(f"{name}: {written} as written, {after} with "
                               f"'{tried['remedy']}', which is said to help")


def main():
    judge = Judge()
    with tempfile.TemporaryDirectory() as folder:
        reports = corpus.corpus().parent / "reports"
        for name in REPORTS:
            judge.look(pathlib.Path(name).stem, (reports / name).read_text(), folder)
        if judge.counts.get("results that the pipeline changes") != len(REPORTS):
            judge.faults.append("a program of ../shared/reports keeps its result")
        for name, body in FIXED.items():
            judge.look(name, FRAME.format(body=body), folder)
        seeds = sample.seeds(sys.argv[1] if len(sys.argv) > 1 else None, always=10,
                             more=20, full=400, long=1000)
        for seed, _ in zip(seeds, judges.in_parallel(
                lambda seed: judge.look(f"seed-{seed}", Program(seed).text(), folder),
                seeds)):
            pass
    for what in sorted(judge.counts):
        print(f"{judge.counts[what]:6}  {what}")
    for fault in judge.faults[:40]:
        print(fault)
    if judge.counts.get("remedies run", 0) < 3 or \
            judge.counts.get("results that it keeps", 0) < 3:
        judge.faults.append("too few programs of a kind")
    print(f"{len(judge.faults)} faults")
    return 1 if judge.faults else 0


if __name__ == "__main__":
    sys.exit(main())
