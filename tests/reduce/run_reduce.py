#!/usr/bin/env python3
"""`memref-lens explain FILE:LINE:COL --reduce`: large programs, each with a known
copy, check, refusal, crash or fault, end under 15 lines and still show it.

  run_reduce.py [--keep FOLDER] [CASE...]

What a result shows is judged by `mlir-opt-22`, by the commands that its header
names, and by `memref-lens check`, which does not know that it was reduced.
MEMREF_LENS_LONG=1: one finding of each rule in each of many more programs.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "judges"))

import judges

MOST_LINES = 14
# Of programs that nobody chose: nearly all of them.
LONG = os.environ.get("MEMREF_LENS_LONG") == "1"
LONG_LINES, LONG_SHARE = 24, 0.9
GENERATOR = HERE.parent / "random/generate.py"
DYNAMIC = "--private-function-dynamic-ownership"
# Has an op of which canonicalize dies (tests/deadly).
PLUGIN = os.environ.get("MEMREF_LENS_DEADLY", "libdeadly.so")
DEADLY = 'deadly.op() {at = "canonicalize", by = "abort"} : () -> ()'
# A rule that is one of the choices by itself.
KINDS = {"clone": "clone", "run-time-check": "check", "dealloc-helper": "check"}
REFUSED = {
    "branch-loop": "Only structured control-flow loops are supported.",
    "existing-dealloc": "No deallocation operations must be present",
    "free-in-input": "memory free side-effect on MemRef value not supported!",
    "no-unique-ownership": "MemRef value does not have valid ownership",
    "multiple-successors": "successor",
    "unknown-effects": "unknown memory side effects are not supported",
    "region-without-interface": "RegionBranchOpInterface",
    "reduce-memref": "only supported when operand is not a MemRef",
    "return-types-differ": "multiple return operations",
    "invalid-ir": "error:",
}
# (program, rule, options). A number is a seed of tests/random; a name a file of
# the corpus. The first finding of the rule is taken.
CASES = [
    ("real/MLIRSmith11__sparse_conv_2d_as_cfg_loops.mlir", "clone", []),
    ("real/MLIRSmith11__sparse_conv_2d_as_cfg_loops.mlir", "run-time-check", []),
    ("real/MLIRSmith11__sparse_conv_2d_as_cfg_loops.mlir", "branch-loop", []),
    ("real/llvm2023__sparse_unary.mlir", "dealloc-helper", []),
    ("real/llvm2023__sparse_tensor_mul.mlir", "clone", []),
    ("real/buddy-mlir__next-blis-matmul.mlir", "free-in-input", []),
    ("real/iree__sdxl_pipeline_bench_f16.mlir", "run-time-check", []),
    ("real/buddy-benchmark__MLIRIIRScalar.mlir", "invalid-ir", []),
    ("real/mlir-extensions__jit__diag.11_linalg.mlir", "run-time-check", []),
    ("real/tpp-mlir__tpp-add.mlir", "late-free", []),
    ("real/hexagon-mlir__memory_alloc_optimize_4.mlir", "clone", []),
    ("real/MLIRSmith11__detensorize_br_operands.mlir", "run-time-check", []),
    ("defects/pingpong.mlir", "dealloc-helper", []),
    # MLIR's own pipeline dies of it.
    (28, "crash", []),
    ("deadly", "stage-crashed", [f"--load-dialect-plugin={PLUGIN}"]),
    ("defects/unsound-view-uaf.mlir", "returns-freed", []),
    ("defects/unsound-view-uaf.mlir", "use-after-free", []),
    ("defects/simplification-probes.mlir", "leak", []),
    ("defects/leak-omp-parallel.mlir", "leak", []),
    ("defects/e_forall.mlir", "unknown-effects", []),
    ("defects/e_switch3.mlir", "multiple-successors", []),
    ("defects/e_reduce.mlir", "reduce-memref", []),
    (2, "upstream-reads-freed", []), (3, "dealloc-helper", []),
    (3, "run-time-check", []), (3, "results-alias", []), (4, "clone", []),
    (4, "run-time-check", []), (5, "late-free", []), (6, "clone", []),
    (6, "late-free", []), (7, "clone", [DYNAMIC]), (8, "clone", []),
    (9, "upstream-reads-freed", []), (11, "run-time-check", []),
]
# What these are about takes room by itself.
LARGE = {"branching-explodes", "large-dealloc"}


def gist(message):
    """Of a message that begins with a value: its name, and what befalls it. Its
    size may hang on a constant that a smaller program does without."""
    message = re.sub(r"^(\S+) \([\d.]+ \w+\)", r"\1", message)
    if not message.startswith("%"):
        return ""
    name, rest = message.split(" ", 1)
    name = name.strip(",").split("#")[0]
    rest = re.split(r"[:,]|(?<=freed) \d+ ops?", rest)[0]
    return name + " " + re.sub(r"[%@][\w$.#-]+|\(.*?\)|\d+", "_", rest)


def generated(seed):
    return judges.run([sys.executable, GENERATOR, "--seed", str(seed)]).out


class Case:
    """One thing in one program, reduced into `folder`."""

    def __init__(self, source, rule, options, folder):
        self.rule, self.options, self.folder = rule, options, folder
        self.name = f"{source if isinstance(source, int) else pathlib.Path(source).stem}.{rule}"
        self.faults, self.lines, self.isRefusal = [], 0, False
        if source == "deadly":
            self.path = folder / "deadly.mlir"
            self.path.write_text(re.sub(
                r"(?<=\{\n)(?=  )", f"  {DEADLY}\n", generated(4), count=1))
        elif isinstance(source, int):
            self.path = folder / f"seed{source}.mlir"
            self.path.write_text(generated(source))
        else:
            self.path = judges.corpus() / source
        self.output = folder / f"{self.name}.mlir"

    def fault(self, text):
        self.faults.append(f"{self.name}: {text}")

    def findings(self, path):
        result = judges.run([judges.lens(), "check", "--no-try", "--format=json",
                             *self.options, path])
        try:
            return json.loads(result.out)["files"][0]["findings"]
        except (json.JSONDecodeError, IndexError):
            self.fault(f"check ends with {result.status}: {result.err[:300]}")
            return []

    def place(self):
        """LINE:COL, and the function there."""
        rule = "upstream-reads-freed" if self.rule == "crash" else self.rule
        for finding in self.findings(self.path):
            at = finding["place"]
            if finding["rule"] == rule and at["line"]:
                # A note only says what other pipelines may do.
                if self.rule != "crash" or finding["severity"] != "note":
                    self.gists = self.gistsAt(finding)
                    # As a note, of what might be refused.
                    self.isRefusal = rule in REFUSED and \
                        finding["severity"] != "note"
                    return f"{at['line']}:{at['column']}", finding["function"]
        self.fault("no such finding in the large program")
        return None, None

    def gistsAt(self, finding):
        """Of all that is at the finding's place; a function's name is that of
        all in it."""
        at = finding["place"]
        line = self.path.read_text().splitlines()[at["line"] - 1]
        return {gist(other["message"]) for other in self.findings(self.path)
                if other["rule"] == finding["rule"] and
                other["function"] == finding["function"] and
                ("func.func" in line or other["place"] == at)}

    def kind(self):
        if self.rule == "crash" or self.rule in KINDS:
            return KINDS.get(self.rule, "crash")
        if self.rule == "stage-crashed":
            return "crash"
        return "rejection" if self.isRefusal else f"finding:{self.rule}"

    def reduce(self, extra=()):
        """The result's text; empty if it failed."""
        place, self.function = self.place()
        if not place:
            return ""
        result = judges.run(
            [judges.lens(), "explain", f"{self.path}:{place}",
             f"--reduce={self.kind()}", *self.options, *extra, "-o",
             self.output], seconds=200)
        if result.status != 0 or not self.output.exists():
            self.fault(f"at {place}: exit {result.status}: {result.err[:400]}")
            return ""
        return self.output.read_text()


def bodyOf(text):
    return [line for line in text.splitlines()
            if line.strip() and not line.startswith("//")]


def headerOf(text):
    return [line for line in text.splitlines() if line.startswith("//")]


def squeezed(text):
    return re.sub(r"\s+", " ", text).strip()


def mlirOpt(case):
    """What stock MLIR makes of the result: by the header's own command."""
    for line in headerOf(case.output.read_text()):
        if line.startswith("//   mlir-opt-22 "):
            command = line[2:].strip().replace("mlir-opt-22",
                                               judges.tool("mlir-opt"), 1)
            return judges.run(["sh", "-c", f"cd {case.folder}; {command}"])
    case.fault("the header has no command of mlir-opt")
    return judges.Result(None, "", "")


def judgeIr(case):
    """Whether what was asked for can be seen in what mlir-opt does."""
    header = squeezed(" ".join(line[2:] for line in headerOf(
        case.output.read_text())))
    # What it makes then is chance.
    if "mlir-opt may give something else" in header and \
            "LLVM 22.1.8 reads freed memory on this function" in header:
        return
    theirs = mlirOpt(case)
    seen, rule = theirs.out + theirs.err, case.rule
    if rule == "crash" or rule == "stage-crashed":
        # What reads memory that is none dies more often than not; the header
        # says that it did.
        diesToo = rule == "crash" or \
            "dies of it, too" in case.output.read_text()
        for _ in range(9):
            theirs = theirs if theirs.crashed else mlirOpt(case)
        if diesToo and not theirs.crashed:
            case.fault(f"mlir-opt lives: {theirs.status} {seen[:300]}")
    elif case.isRefusal:
        if theirs.status != 1 or REFUSED[rule] not in theirs.err:
            case.fault(f"mlir-opt says: {theirs.status} {theirs.err[:300]}")
    elif rule == "clone":
        if "bufferization.clone" not in theirs.out:
            case.fault("mlir-opt makes no clone")
    elif rule == "run-time-check":
        if "arith.cmpi ne" not in theirs.out and \
                "arith.cmpi eq" not in theirs.out or \
                "extract_aligned_pointer_as_index" not in theirs.out:
            case.fault("mlir-opt compares no pointers")
    elif rule == "dealloc-helper":
        if not re.search(r"call @dealloc_helper", theirs.out):
            case.fault("mlir-opt calls no helper")
    elif rule in ("use-after-free", "returns-freed", "late-free") and \
            "(as written)" not in header:
        if "memref.dealloc" not in theirs.out:
            case.fault("mlir-opt frees nothing")
    elif rule == "leak" and "(as written)" not in header:
        if "memref.alloc()" not in theirs.out:
            case.fault("mlir-opt allocates nothing")


def judgeHeader(case, text):
    """The header's own command shows what the header says."""
    header = headerOf(text)
    said = squeezed(" ".join(line[2:] for line in header))
    commands = [line[2:].strip() for line in header
                if line.startswith("//   memref-lens ")]
    if len(commands) != 1:
        case.fault(f"commands in the header: {commands}")
        return
    shown = judges.run(
        ["sh", "-c", f"cd {case.folder}; " + commands[0].replace(
            "memref-lens", judges.lens(), 1)])
    # The first words of the header, up to its facts, whose lines are indented.
    first = [header[0][2:].split(": ", 1)[1]]
    for line in header[1:]:
        if line.startswith(("//  ", "// To see")):
            break
        first.append(line[2:])
    sentence = squeezed(" ".join(first))
    if case.rule == "crash":
        ok = "upstream crashed" in shown.out
    elif case.rule == "stage-crashed":
        ok = "canonicalize crashed (Aborted)" in sentence and \
            "canonicalize: crashed (Aborted)" in shown.out + shown.err
    else:
        ok = sentence in squeezed(shown.out)
    if shown.status not in (0, 1) or not ok:
        case.fault(f"'{commands[0]}' does not say '{sentence}':\n"
                   f"{shown.status} {shown.out[:600]}{shown.err[:200]}")
    if str(case.folder) in text or str(judges.ROOT) in text or \
            "LLVM 22" not in said:
        case.fault("the header has a folder of this machine, or no version")


def isOneOf(said, gists, rule):
    """What stands for a part of the program that is gone is an argument, which
    the reduction names. A branch may pass another buffer in the same way."""
    name, _, rest = said.partition(" ")
    isMade = re.fullmatch(r"%arg(_\d+)?", name) or rule == "no-unique-ownership"
    return said in gists or \
        bool(isMade) and rest in {other.partition(" ")[2] for other in gists}


def judgeFinding(case, text):
    """`check` sees it as well, in the function where it was."""
    rule = "upstream-reads-freed" if case.rule == "crash" else case.rule
    name = case.function
    if name and f"@{name}(" not in text and f'@"{name}"(' not in text:
        case.fault(f"@{case.function} is gone")
    found = [finding["message"] for finding in case.findings(case.output)
             if finding["rule"] == rule and
             finding["function"] == case.function]
    if not found:
        case.fault(f"check does not find {rule} any more")
    elif not any(isOneOf(gist(said), case.gists, rule) for said in found):
        case.fault(f"another one: {case.gists} became {found}")


def judge(case, text):
    lines = len(bodyOf(text))
    if lines > (LONG_LINES if LONG else MOST_LINES) and \
            case.rule not in LARGE:
        case.fault(f"{lines} lines are left")
    judgeIr(case)
    judgeHeader(case, text)
    judgeFinding(case, text)
    return lines


def runCase(case):
    before = len(bodyOf(case.path.read_text()))
    began = time.monotonic()
    text = case.reduce()
    if not text:
        return case.faults
    case.lines = lines = judge(case, text)
    print(f"{case.name}: {before} -> {lines} lines, "
          f"{time.monotonic() - began:.1f} s", flush=True)
    return case.faults


#===--- Other things ----------------------------------------------------===#

SMALL = """func.func @f(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %m : memref<4xf32>
  return %s : memref<4xf32>
}
func.func @g() {
  return
}
"""


def explain(folder, *arguments, text=SMALL):
    (folder / "small.mlir").write_text(text)
    return judges.run([judges.lens(), "explain", *arguments])


def checkUsage(folder):
    """Wrong usage, and places where there is nothing, say what can be done."""
    path = folder / "small.mlir"
    wanted = [
        ([f"{path}:7:3", "--reduce"], 2, "nothing to reduce at 7:3"),
        ([f"{path}:3:8", "--reduce=crash"], 2, "clone at"),
        ([f"{path}:3:8", "--reduce=finding:leak"], 2, "there could be chosen"),
        ([f"{path}:3:8", "--reduce=copy"], 2, "takes clone, check"),
        ([f"{path}:3:8", "--reduce=finding:x"], 2, "no rule 'x'"),
        ([path, "--reduce"], 2, "needs a place"),
        ([f"{path}:99:1", "--reduce"], 2, "past the end"),
        ([f"{path}:3:8", "--reduce-seconds", "x"], 2, "seconds"),
    ]
    faults = []
    for arguments, status, words in wanted:
        result = explain(folder, *arguments)
        if result.status != status or words not in result.err:
            faults.append(f"{arguments[1:]}: {result.status} {result.err}")
    broken = explain(folder, f"{path}:1:1", "--reduce", text="func.func @f( {\n")
    if broken.status != 3 or "error" not in broken.err:
        faults.append(f"broken input: {broken.status} {broken.err}")
    return faults


def checkParts(folder):
    """Only the part of the file around the place; standard output; twice."""
    path = folder / "small.mlir"
    text = "func.func @bad(\n// -----\n" + SMALL
    first = explain(folder, f"{path}:5:8", "--reduce", text=text)
    second = explain(folder, f"{path}:5:8", "--reduce=clone", text=text)
    faults = []
    if first.status != 0 or "Clone: %s is cloned" not in first.out or \
            "@g" in first.out or "%s = arith.select" not in first.out:
        faults.append(f"second part: {first.status} {first.out}{first.err}")
    if first.out != second.out:
        faults.append("twice the same gives two results")
    if "-----" in first.out:
        faults.append("the result has several parts")
    return faults


def checkHostile(folder):
    """Names of the user's stay comments in the header."""
    evil = 'func.func @"a\\0A----- b"(%m: memref<4xf32>) -> ' \
           'memref<4xf32> {\n  return %m : memref<4xf32>\n}\n'
    path = folder / "small.mlir"
    result = explain(folder, f"{path}:1:11", "--reduce", text=evil)
    again = judges.run([judges.tool("mlir-opt"), "--split-input-file", "-"],
                       text=result.out)
    if result.status == 0 and again.status == 0 and \
            not any(line.startswith("// -----")
                    for line in result.out.splitlines()):
        return []
    return [f"hostile name: {result.status} {result.out}{result.err}{again.err}"]


def checkEarly(folder):
    """A budget and an interrupt give what there is, and say so."""
    case = Case(3, "run-time-check", [], folder)
    text = case.reduce(["--reduce-seconds", "0.001"])
    faults = case.faults
    if "Not the smallest" not in text:
        faults.append(f"a budget that is too small: {headerOf(text)}")
    judgeIr(case)
    place, _ = case.place()
    output = folder / "interrupted.mlir"
    process = subprocess.Popen(
        [judges.lens(), "explain", f"{case.path}:{place}", "--reduce=check",
         "--reduce-seconds=0", "-o", str(output)], stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True,
        env=dict(os.environ, MEMREF_LENS_PROGRESS="1"))
    # The first line of progress: it has begun.
    seen = ""
    while "programs tried" not in seen:
        letter = process.stderr.read(1)
        if not letter:
            break
        seen += letter
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=120)[1]
    if process.returncode != 0 or "interrupted" not in rest or \
            "was interrupted" not in output.read_text():
        faults.append(f"interrupted: {process.returncode} {rest[-300:]}")
    return faults


def longCases(folder):
    """One finding of each rule in each program."""
    files = [f for f in sorted((judges.corpus() / "real").glob("*.mlir"))
             if f.stat().st_size < 200000]
    for source in [*range(1, 60), *files, *sorted(
            (judges.corpus() / "defects").glob("*.mlir"))]:
        probe = Case(source, "-", [], folder)
        rules = {finding["rule"] for finding in probe.findings(probe.path)
                 if finding["place"]["line"]}
        for rule in sorted(rules - {"tensor-left", "not-processed"}):
            yield Case(source, rule, [], folder)


def main():
    wanted = [word for word in sys.argv[1:] if not word.startswith("--")]
    keep = "--keep" in sys.argv and pathlib.Path(wanted.pop(0))
    # Headers name plugins without their folders.
    os.environ["LD_LIBRARY_PATH"] = ":".join(filter(None, [
        str(pathlib.Path(PLUGIN).parent), os.environ.get("LD_LIBRARY_PATH")]))
    temporary = tempfile.TemporaryDirectory()
    folder = keep or pathlib.Path(temporary.name)
    folder.mkdir(exist_ok=True)
    judges.tool("mlir-opt")
    cases = [Case(*case, folder) for case in CASES]
    if LONG:
        cases = longCases(folder)
    faults = []
    count = small = 0
    for case in cases:
        if not wanted or any(word in case.name for word in wanted):
            found = runCase(case)
            for fault in found:
                print("FAIL:", fault, flush=True)
            faults += found
            count += 1
            small += case.lines <= MOST_LINES or case.rule in LARGE
    if not wanted:
        for check in (checkUsage, checkParts, checkHostile, checkEarly):
            found = [f"{check.__name__}: {fault}" for fault in check(folder)]
            for fault in found:
                print("FAIL:", fault)
            faults += found
    if small < count * LONG_SHARE:
        faults.append("too many large results")
    print(f"{small} of {count} results have at most {MOST_LINES} lines")
    print(f"{count} cases, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
