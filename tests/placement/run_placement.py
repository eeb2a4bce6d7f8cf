"""The placement passes do what MLIR's do.

  run_placement.py OPT [--seeds A..B] [FILE...]

Each chunk of a part of the corpus, of the samples and of our own cases, and each
random program, goes through mlir-opt with the pass and through ours; the printed
modules, locations and all, have to be equal byte for byte, and so have errors.
Every outcome and every limit has to occur, or the comparison would say little.
What our own cases (cases/) say of each outcome, in comments that MLIR checks, has
to be what ours says.
"""

import argparse
import collections
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import programs  # puts the folder of `corpus` on the path
import corpus

UNREGISTERED = "--allow-unregistered-dialect"
# Without MEMREF_LENS_LONG: these files of the corpus.
SHORT = ["classic/"]
CASES = sorted((programs.HERE / "cases").glob("*.mlir"))
SAMPLES = sorted((corpus.ROOT / "samples").glob("*.mlir"))
SECONDS = 60
LIMITS = "{max-alloc-size-in-bytes=64 max-rank-of-allocated-memref=2}"
# optimize-allocation-liveness moves what this inserts.
FREED = "buffer-deallocation-pipeline,"
LIVENESS = ("optimize-allocation-liveness", "lens-liveness")
OUT_PARAMS = ("buffer-results-to-out-params", "lens-out-params")


def on_functions(names, options="", before=""):
    return tuple(f"{before}func.func({name}{options})" for name in names)


# In front of a pass: all functions made private first, here.
PRIVATE = "private,"
# (theirs, ours)
PASSES = [
    on_functions(("buffer-hoisting", "lens-hoist")),
    on_functions(("buffer-loop-hoisting", "lens-loop-hoist")),
    on_functions(("promote-buffers-to-stack", "lens-promote")),
    on_functions(("promote-buffers-to-stack", "lens-promote"), LIMITS),
    on_functions(LIVENESS),
    on_functions(LIVENESS, before=FREED),
    ("drop-equivalent-buffer-results", "lens-drop-results"),
    (PRIVATE + "drop-equivalent-buffer-results", "lens-drop-results"),
    *[tuple(name + options for name in OUT_PARAMS)
      for options in ("", "{add-result-attr modify-public-functions}",
                      "{hoist-static-allocs}",
                      "{hoist-dynamic-allocs modify-public-functions}",
                      "{hoist-static-allocs hoist-dynamic-allocs "
                      "modify-public-functions}")],
]
MUST_OCCUR = [
    "operand", "usesBelow", "unknownRegion", "loop", "noLoop",
    "parallelLoop", "usedOutsideLoop", "notHoistable", "left its block",
    "stayed",
    "promoted", "otherOp", "tooLarge", "dynamicShape", "freed", "leavesScope",
    "inLoop", "inUnknownRegion", "unknownSize",
    "movedUp", "movedDown", "inPlace", "noUse", "usedElsewhere", "notFreed",
    "freedThroughAlias", "freedSeveralTimes", "freedElsewhere", "spoiled",
    "dropped", "publicFunction", "external", "noReturn", "notArgument",
    "differingArguments", "nextTime",
    "becameArgument", "notMemref", "unsupportedLayout", "besideUnsupported",
    "callUnknownSize",
    "hoisted", "notAllocation", "hoistingOff", "hoistedBefore",
    # Of these MLIR's passes die.
    "crashes", "hoistedBeside",
]
# Where ours says that MLIR's crashes.
CRASHES = re.compile(": remark: .*(; crashes|hoistedBeside|unknownSize)")
MODELLED_CRASHES = re.compile("optimize-allocation|out-params|to-stack")
SEPARATOR = "\n// -----\n"


def run(command, text):
    try:
        return subprocess.run(command, input=text, capture_output=True,
                              text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None


def errors(done):
    return [line for line in done.stderr.splitlines() if ": error: " in line]


def outcomes(done):
    """The words that ours says, one by one."""
    for remark in re.findall(r"remark: (.*)", done.stderr):
        for part in re.split("; ", remark):
            part = re.sub(r"^(limit|result \d+|return): ", "", part)
            yield part if part == "left its block" else part.split(" ")[0]


class Comparison:
    def __init__(self, ours):
        self.ours, self.theirs = ours, corpus.tool("mlir-opt")
        self.counts, self.outcomes = collections.Counter(), collections.Counter()
        self.failures = []

    def pair(self, text, passes):
        theirs, ours = passes
        if theirs.startswith(PRIVATE):
            theirs = theirs.removeprefix(PRIVATE)
            text = re.sub(r"\bfunc\.func @", "func.func private @", text)
        return [run([tool, UNREGISTERED, "--mlir-print-debuginfo",
                     "--split-input-file",
                     f"--pass-pipeline=builtin.module({one})"], text)
                for tool, one in ((self.theirs, theirs), (self.ours, ours))]

    def results(self, job):
        """(name, pass, theirs, ours): of all chunks of a file at once, or of
        each where MLIR's or ours does not survive that."""
        name, chunks, passes = job
        pair = self.pair(SEPARATOR.join(chunks), passes)
        if len(chunks) == 1 or \
                all(one and one.returncode >= 0 for one in pair):
            return [(name, passes[0], *pair)]
        return [(f"{name} chunk {number}", passes[0],
                 *self.pair(chunk, passes))
                for number, chunk in enumerate(chunks)]

    def difference(self, what, theirs, ours):
        """What is wrong, or nothing; and how it is counted."""
        if theirs is None or ours is None:
            return "" if theirs is None else "ours hangs", "mlir-opt hangs"
        says_crash = CRASHES.search(ours.stderr)
        if theirs.returncode < 0:
            # In the pipeline that frees, which is the same code, both die.
            foreseen = (says_crash or not MODELLED_CRASHES.search(what) or
                        what.startswith(FREED) and ours.returncode < 0)
            return ("" if foreseen else "mlir-opt dies unforeseen",
                    "mlir-opt dies")
        if says_crash:
            # Reading freed memory need not end it.
            return ("" if says_crash[1] == "hoistedBeside" else
                    "mlir-opt survives", "mlir-opt reads freed memory")
        if errors(theirs) != errors(ours) or theirs.returncode != \
                ours.returncode:
            return (f"ERRORS\n--- MLIR\n{theirs.stderr[-2000:]}\n"
                    f"--- ours\n{ours.stderr[-2000:]}"), ""
        if theirs.stdout != ours.stdout:
            return (f"DIFFERENT\n--- MLIR\n{theirs.stdout}--- ours\n"
                    f"{ours.stdout}"), ""
        return "", what if theirs.returncode == 0 else f"{what}, with errors"

    def add(self, name, what, theirs, ours):
        why, counted = self.difference(what, theirs, ours)
        if why:
            self.failures.append(f"{name} {what}: {why}")
            return
        self.counts[counted] += 1
        if ours is not None:
            self.outcomes.update(outcomes(ours))


def our_chunks():
    """Those of cases, and of all samples as if they were one file."""
    for file in CASES:
        # What is judged `as` has an op that mlir-opt does not know.
        if "\n// as: " not in file.read_text():
            yield from programs.chunks_of(file)
    for file in SAMPLES:
        for number, (_, chunk) in enumerate(programs.chunks_of(file)):
            yield f"samples chunk {number}", chunk


def files_of(named_chunks):
    """[(file, chunks with memrefs)]; the random programs are one file."""
    files = {}
    for name, chunk in named_chunks:
        if "memref" in chunk:
            files.setdefault(re.sub(r"(seed|chunk) \d+$", r"\1s", name),
                             []).append(chunk)
    return list(files.items())


def check_cases(ours):
    """What is wrong with the cases that say what is expected."""
    wrong = []
    for file in CASES:
        text = file.read_text()
        command = [ours, "-", UNREGISTERED, "--split-input-file"]
        passes = re.match(r"// pass: (.*)", text)[1]
        done = run([*command, "--verify-diagnostics",
                    f"--pass-pipeline=builtin.module({passes})"], text)
        if done is None or done.returncode != 0:
            wrong.append(f"{file.name}: {done and done.stderr[-3000:]}")
        # With an op that mlir-opt has not: MLIR's pass, in our tool.
        judge = re.search(r"(?m)^// as: (.*)", text)
        if judge and done:
            theirs = run([*command, f"--pass-pipeline=builtin.module("
                          f"{judge[1]})"], text)
            if not theirs or theirs.stdout != done.stdout:
                wrong.append(f"{file.name}: DIFFERENT\n--- MLIR\n"
                             f"{theirs and theirs.stdout}--- ours\n"
                             f"{done.stdout}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ours")
    programs.add_arguments(parser)
    arguments = parser.parse_args()
    comparison = Comparison(arguments.ours)
    chunks = list(programs.inputs(arguments, SHORT))
    if not arguments.files:
        chunks += our_chunks()
        comparison.failures += check_cases(arguments.ours)
    jobs = [(name, chunks, one) for name, chunks in files_of(chunks)
            for one in PASSES]
    with ThreadPoolExecutor(2) as pool:
        for results in pool.map(comparison.results, jobs):
            for result in results:
                comparison.add(*result)
    for counts in (comparison.counts, comparison.outcomes):
        for what, count in sorted(counts.items()):
            print(f"{count:6} {what}")
    missing = [one for one in MUST_OCCUR if not comparison.outcomes[one]]
    if missing and not arguments.files:
        comparison.failures.append(f"never seen: {missing}")
    print("\n".join(comparison.failures))
    sys.exit(1 if comparison.failures else 0)


main()
