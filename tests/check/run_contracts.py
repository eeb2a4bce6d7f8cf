"""What is stated of external functions holds `check` to what a run does.

  run_contracts.py LIBFENCE [A..B]

Random programs whose buffers have a dynamic size call functions without a body, of
which is stated whose their results are and what they do with their arguments, and
functions of their own that return what they are passed, choose, copy and write. Each
is run with bodies that do what is stated, under the fence (tests/random): as written,
with no deallocation at all, and after mlir-opt's pipeline.

  freed twice, or used after: `check` has an error of such a rule
  no such thing:              it has none
  another result:             it has a lost-write

`memref-lens run`, whose own bodies do what is stated, has a fault just where the fence
has one. Each remedy that helps, says check, is run as well: it adds no such fault, and
a result that the pipeline keeps stays.
"""

import json
import pathlib
import re
import shlex
import sys
import tempfile

import run_lost_writes as lost  # puts the judges' folder on the path
import judges
import run_execute
import sample

M = "memref<?xi64>"
FREES = {"double-free", "use-after-free", "free-not-owned", "escapes-freed",
         "returns-freed"}
DECLARED = {
    "fresh": f"func.func private @fresh(index) -> {M}",
    "pool": f"func.func private @pool(index) -> {M}",
    "back": f"func.func private @back({M}) -> {M}",
    "keep": f"func.func private @keep({M})",
    "read_kept": "func.func private @read_kept() -> i64",
    "release": f"func.func private @release({M})",
}
STATED = {"fresh": "fresh-results=@fresh", "pool": "keeps-results=@pool",
          "back": "returns-argument=@back:0", "keep": "keeps-argument=@keep:0",
          "release": "releases-argument=@release:0"}
OF_ARGUMENT = {"back": "returned", "keep": "kept", "release": "released"}
OF_FUNCTION = {"fresh": "fresh_results", "pool": "keeps_results"}
BODIES = f"""
memref.global "private" @kept_slot : memref<1x{M}> = uninitialized
memref.global "private" @pool_slot : memref<1x{M}> = uninitialized
memref.global "private" @is_kept : memref<1xi1> = dense<false>
memref.global "private" @is_made : memref<1xi1> = dense<false>
func.func private @fresh(%n: index) -> {M} {{
  %m = memref.alloc(%n) : {M}
  %x = arith.constant 5 : i64
  linalg.fill ins(%x : i64) outs(%m : {M})
  return %m : {M}
}}
func.func private @pool(%n: index) -> {M} {{
  %c0 = arith.constant 0 : index
  %slot = memref.get_global @pool_slot : memref<1x{M}>
  %made = memref.get_global @is_made : memref<1xi1>
  %is = memref.load %made[%c0] : memref<1xi1>
  cf.cond_br %is, ^old, ^new
^new:
  %m = memref.alloc(%n) : {M}
  %x = arith.constant 6 : i64
  linalg.fill ins(%x : i64) outs(%m : {M})
  memref.store %m, %slot[%c0] : memref<1x{M}>
  %true = arith.constant true
  memref.store %true, %made[%c0] : memref<1xi1>
  cf.br ^old
^old:
  %p = memref.load %slot[%c0] : memref<1x{M}>
  return %p : {M}
}}
func.func private @back(%a: {M}) -> {M} {{ return %a : {M} }}
func.func private @keep(%a: {M}) {{
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %slot = memref.get_global @kept_slot : memref<1x{M}>
  memref.store %a, %slot[%c0] : memref<1x{M}>
  %kept = memref.get_global @is_kept : memref<1xi1>
  memref.store %true, %kept[%c0] : memref<1xi1>
  return
}}
func.func private @read_of(%is: memref<1xi1>, %slot: memref<1x{M}>) -> i64 {{
  %c0 = arith.constant 0 : index
  %set = memref.load %is[%c0] : memref<1xi1>
  %x = scf.if %set -> i64 {{
    %m = memref.load %slot[%c0] : memref<1x{M}>
    %y = memref.load %m[%c0] : {M}
    scf.yield %y : i64
  }} else {{
    %y = arith.constant 0 : i64
    scf.yield %y : i64
  }}
  return %x : i64
}}
func.func private @read_kept() -> i64 {{
  %slot = memref.get_global @kept_slot : memref<1x{M}>
  %kept = memref.get_global @is_kept : memref<1xi1>
  %x = func.call @read_of(%kept, %slot) : (memref<1xi1>, memref<1x{M}>) -> i64
  return %x : i64
}}
func.func private @release(%a: {M}) {{
  memref.dealloc %a : {M}
  return
}}
// What is kept is still there when the program has ended.
func.func @entry() -> i64 {{
  %r = func.call @main() : () -> i64
  %k = func.call @read_kept() : () -> i64
  %slot = memref.get_global @pool_slot : memref<1x{M}>
  %made = memref.get_global @is_made : memref<1xi1>
  %p = func.call @read_of(%made, %slot) : (memref<1xi1>, memref<1x{M}>) -> i64
  %s = arith.addi %k, %p : i64
  %prime = arith.constant 1000003 : i64
  %t = arith.muli %r, %prime : i64
  %u = arith.addi %t, %s : i64
  return %u : i64
}}
"""


class Program(lost.Program):
    """Valid as written: nothing is used once it may have been released."""

    def __init__(self, seed):
        super().__init__(seed)
        self.known = self.chance.sample(sorted(STATED), self.chance.randint(1, 4))
        self.origins = {}
        self.kept, self.buffers = set(), []
        self.byAttribute = self.chance.random() < 0.5

    def hold(self, buffer, origins):
        self.buffers.append(buffer)
        self.origins[buffer] = set(origins)

    def call(self, name, operands, types, result=M):
        made = self.name("b") if result else None
        self.add((f"{made} = " if made else "") +
                 f"func.call @{name}({operands}) : ({types}) -> {result or '()'}")
        return made

    def step(self):
        what = self.chance.random()
        if what < 0.35:
            name = self.chance.choice(self.known)
            if name == "fresh":
                made = self.call(name, "%n", "index")
                self.hold(made, {made})
            elif name == "pool":
                self.hold(self.call(name, "%n", "index"), {"pool"})
            elif self.buffers:
                self.pass_on(name, self.chance.choice(self.buffers))
        elif not self.buffers:
            return
        elif what < 0.55:
            first, second = (self.chance.choice(self.buffers) for _ in range(2))
            condition, value = self.name("c"), self.name("x")
            self.add(f"{value} = arith.constant {self.chance.randint(1, 10**6)} : i64")
            self.add(f"{condition} = arith.constant "
                     f"{self.chance.choice(['true', 'false'])}")
            number = self.chance.randrange(len(self.kinds))
            made = self.call(f"f{number}", f"{condition}, {first}, {second}, {value}",
                             f"i1, {M}, {M}, i64")
            self.hold(made, {made} | self.origins[first] | self.origins[second])
        elif what < 0.6:
            self.loop(self.buffers)
        elif what < 0.8:
            self.store(self.chance.choice(self.buffers))
        else:
            self.load(self.chance.choice(self.buffers))

    def pass_on(self, name, buffer):
        if name == "back":
            self.hold(self.call(name, buffer, M), self.origins[buffer])
        elif name == "keep":
            self.kept |= self.origins[buffer]
            self.call(name, buffer, M, None)
            if self.chance.random() < 0.5:
                self.take(self.call("read_kept", "", "", "i64"))
        elif not self.origins[buffer] & (self.kept | {"pool"}):
            self.call(name, buffer, M, None)
            self.buffers = [other for other in self.buffers
                            if not self.origins[other] & self.origins[buffer]]

    def take(self, value):
        scaled, mixed = self.name("x"), self.name("x")
        self.add(f"{scaled} = arith.muli {self.mix}, %prime : i64")
        self.add(f"{mixed} = arith.addi {scaled}, {value} : i64")
        self.mix = mixed

    def statements(self):
        return [] if self.byAttribute else [
            f"--assume={STATED[name]}" for name in self.known]

    def declarations(self):
        for name in [*self.known, "read_kept"]:
            text = DECLARED[name]
            if self.byAttribute and name in OF_ARGUMENT:
                text = text.replace(f"({M}", f"({M} {{memref_lens.{OF_ARGUMENT[name]}}}")
            if self.byAttribute and name in OF_FUNCTION:
                text += f" attributes {{memref_lens.{OF_FUNCTION[name]}}}"
            yield text

    def text(self):
        functions = "".join(self.callee(number, kind)
                            for number, kind in enumerate(self.kinds))
        functions = functions.replace(
            "%n = memref.alloc()", "%z = arith.constant 0 : index\n"
            f"  %d = memref.dim %a, %z : {M}\n  %n = memref.alloc(%d)").replace(
                lost.M, M)
        self.add("%prime = arith.constant 1000003 : i64")
        self.add("%start = arith.constant 7 : i64")
        self.add("%n = arith.constant 4 : index")
        self.mix = "%start"
        for _ in range(self.chance.randint(1, 2)):
            buffer, filled = self.name("b"), self.name("x")
            self.hold(buffer, {buffer})
            self.add(f"{buffer} = memref.alloc(%n) : {M}")
            self.add(f"{filled} = arith.constant {self.chance.randint(1, 99)} : i64")
            self.add(f"linalg.fill ins({filled} : i64) outs({buffer} : {M})")
        for _ in range(self.chance.randint(3, 9)):
            self.step()
        for buffer in self.chance.sample(self.buffers, min(3, len(self.buffers))):
            self.load(buffer)
        lines = [line.replace(lost.M, M) for line in self.lines]
        return ("\n".join(self.declarations()) + "\n" + functions +
                "func.func @main() -> i64 {\n" + "\n".join(lines) +
                f"\n  return {self.mix} : i64\n}}\n")


def with_bodies(text):
    """The program and the functions that it lacks; the module's braces go."""
    text = re.sub(r"(?m)^ *func\.func private @(?:" + "|".join(DECLARED) +
                  r")\([^{\n]*(?:\{[^}\n]*\}[^{\n]*)*$", "", text)
    text = re.sub(r"\Amodule \{\n(.*)\}\s*\Z", r"\1", text, flags=re.S)
    return text + BODIES


def executed(fence, text):
    """What the program returns, how the fence ends it (`2 left`, `double free`);
    None where it does not run."""
    final = run_execute.lowered(with_bodies(text))
    if final.status != 0:
        return None
    done = judges.run([judges.tool("mlir-runner"), "-e", "entry", "-O0",
                       "--entry-point-result=i64"], final.out, preload=fence)
    end = re.search(r"fence: (?:\d+ buffers, )?(.*)", done.err)
    return (done.out.strip(), end[1]) if end else None


def is_fault(end):
    return not end.endswith(" left")


class Judge:
    def __init__(self, fence):
        self.fence = fence
        self.counts = {}
        self.faults = []

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def look(self, seed, folder):
        program = Program(seed)
        path = pathlib.Path(folder) / f"contracts-{seed}.mlir"
        path.write_text(program.text())
        written = executed(self.fence, path.read_text())
        if written is None or is_fault(written[1]):
            self.faults.append(f"seed {seed}: the program is not valid: {written}")
            return
        piped = judges.run([judges.tool("mlir-opt"), path,
                            "--buffer-deallocation-pipeline"])
        after = executed(self.fence, piped.out) if piped.status == 0 else None
        if after is None:
            self.count("programs that the pipeline rejects")
            return
        report = judges.run([judges.lens(), "check", path, "--format", "json",
                             *program.statements()])
        findings = json.loads(report.out)["files"][0]["findings"]
        errors = {one["rule"] for one in findings if one["severity"] == "error"}
        self.count("programs")
        self.count("with a fault" if is_fault(after[1]) else "without a fault")
        if is_fault(after[1]) != bool(errors & FREES):
            self.faults.append(f"seed {seed}: {after[1]} in a run; check has "
                               f"{sorted(errors) or 'no error'}")
        self.by_run(seed, path, program, after)
        differs = not is_fault(after[1]) and after[0] != written[0]
        if differs and not any(one["rule"] == "lost-write" for one in findings):
            self.faults.append(f"seed {seed}: {written[0]} as written, {after[0]} after "
                               "the pipeline; check has no lost-write")
        self.remedies(seed, path, findings, written, after)

    def by_run(self, seed, path, program, after):
        ran = judges.run([judges.lens(), "run", "--entry", "main", "--format", "json",
                          *program.statements(), path])
        record = json.loads(ran.out)
        kinds = {fault["kind"] for fault in record["faults"]} - {"leak"}
        self.count("runs of memref-lens")
        if record["end"] != "returned" or bool(kinds) != is_fault(after[1]):
            self.faults.append(f"seed {seed}: {after[1]} in a run; memref-lens run "
                               f"{record['end']} with {sorted(kinds) or 'no fault'}")

    def remedies(self, seed, path, findings, written, after):
        known = set()
        for finding in findings:
            for tried in finding.get("tried", []):
                if not tried["helps"] or tried["remedy"] in known:
                    continue
                known.add(tried["remedy"])
                if "stated" in tried["remedy"] or "returning copies" in tried["remedy"]:
                    self.count("remedies that edit the program or state more, not run")
                    continue
                self.remedy(seed, path, tried, written, after,
                            finding["rule"] == "lost-write")

    def remedy(self, seed, path, tried, written, after, restores):
        text = lost.with_private(path.read_text(), tried["remedy"])
        words = shlex.split(next(command for command in tried["commands"]
                                 if command.startswith("mlir-opt")))
        words = [word.replace("libMemrefLensPasses.so", judges.plugin())
                 for word in words[1:-1]]
        done = judges.run([judges.tool("mlir-opt"), *words, "-"], text)
        now = executed(self.fence, done.out) if done.status == 0 else None
        if now is None:
            self.count("remedies that do not run")
            return
        self.count("remedies run")
        title = f"seed {seed}: '{tried['remedy']}'"
        if is_fault(now[1]) and not is_fault(after[1]):
            self.faults.append(f"{title} adds a fault: {now[1]}")
        elif not is_fault(now[1]) and now[0] != written[0] and (
                restores or after[0] == written[0]):
            self.faults.append(f"{title}: {now[0]} in place of {written[0]}")
        elif not is_fault(now[1]) and not is_fault(after[1]) and \
                int(now[1].split()[0]) > int(after[1].split()[0]):
            self.faults.append(f"{title}: {now[1]} in place of {after[1]}")


def main():
    judge = Judge(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        seeds = sample.seeds(sys.argv[2] if len(sys.argv) > 2 else None, always=8,
                             more=16, full=300, long=1000)
        list(judges.in_parallel(lambda seed: judge.look(seed, folder), seeds))
    for what in sorted(judge.counts):
        print(f"{judge.counts[what]:6}  {what}")
    for fault in judge.faults[:40]:
        print(fault)
    for needed in ("with a fault", "without a fault", "remedies run"):
        if judge.counts.get(needed, 0) < 3:
            judge.faults.append(f"too few: {needed}")
    print(f"{len(judge.faults)} faults")
    return 1 if judge.faults else 0


if __name__ == "__main__":
    sys.exit(main())
