"""--pipeline runs what it says: the IR is that of mlir-opt.

  run_plans.py LENS OPT [FILE...]

Some of the samples, of the corpus' programs and of random ones go through pipelines
of all kinds, and the last IR is held to that of mlir-opt (OPT, which has our classic
pass too, itself held to mlir-opt 16 elsewhere). The trace of each is read again by
`export`, and `explain` has a sentence for it. Then names and passes that there are
not.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "placement")]

import programs  # puts the folder of `sample` on the path
import sample

ROOT = HERE.parents[1]
UNREGISTERED = "--allow-unregistered-dialect"
OWNERSHIP = "buffer-deallocation-pipeline"
PLANS = {
    "classic": "func.func(lens-classic),canonicalize",
    "hoist+classic": "func.func(buffer-hoisting,lens-classic),canonicalize",
    "hoist+ownership": f"func.func(buffer-hoisting),{OWNERSHIP}",
    "loop-hoist+stack+dynamic":
        "func.func(buffer-loop-hoisting,promote-buffers-to-stack),"
        f"{OWNERSHIP}{{private-function-dynamic-ownership=1}}",
    "ownership+liveness":
        f"{OWNERSHIP},func.func(optimize-allocation-liveness)",
    "drop-results+ownership": f"drop-equivalent-buffer-results,{OWNERSHIP}",
    "out-params+ownership": f"buffer-results-to-out-params,{OWNERSHIP}",
    "builtin.module(canonicalize,cse,func.func(promote-buffers-to-stack"
    "{max-alloc-size-in-bytes=64})," + OWNERSHIP + ",convert-scf-to-cf)": None,
    "builtin.module(ownership-based-buffer-deallocation,"
    "buffer-deallocation-simplification)": None,
    "builtin.module(expand-realloc,bufferization-lower-deallocations,"
    "canonicalize{max-iterations=3})": None,
}
SHORT = ["/classic/", "upstream/OwnershipBased", "/defects/"]


def run(*command, text=None):
    return subprocess.run([str(part) for part in command], input=text,
                          capture_output=True, text=True, timeout=300)


def reads_freed(arguments, plan, program):
    """There the trace gives what the mended pass gives, and says so; what
    mlir-opt makes of such a program, no IR among it, is chance."""
    traced = run(arguments.lens, "trace", f"--pipeline={plan}", UNREGISTERED,
                 "-", text=program)
    return '"upstreamReadsFreedMemory":true' in traced.stdout


def check(arguments, name, program, plan, counts, failures):
    passes = PLANS[plan]
    theirs = run(arguments.opt, UNREGISTERED, "-", "--pass-pipeline=" + (
        plan if passes is None else f"builtin.module({passes})"), text=program)
    ours = run(arguments.lens, "ir", f"--pipeline={plan}", "--stage=final",
               UNREGISTERED, "-", text=program)
    good = (0, 1) if theirs.returncode == 0 else (0, 1, 3)
    if ours.returncode not in good or \
            "the analysis crashed" in ours.stderr:
        failures.append(f"{name}, {plan}: ends with {ours.returncode}\n"
                        f"{ours.stderr[:2000]}")
        return
    if theirs.returncode not in (0, 1):
        counts["mlir-opt dies"] += 1
        return
    # Its verifier may see that, if what is freed was not used again.
    if "error: operation's operand is unlinked" in theirs.stderr:
        counts["mlir-opt reads freed memory"] += 1
        return
    if theirs.returncode != 0:
        counts["refused by mlir-opt"] += 1
        # What it refuses is marked, or an error of the whole program.
        is_told = "// rejected by" in ours.stdout or \
            "// not analysed" in ours.stdout or ours.stderr
        if not is_told and reads_freed(arguments, plan, program):
            counts["upstream reads freed memory"] += 1
        elif not is_told:
            failures.append(f"{name}, {plan}: mlir-opt refuses it\n"
                            f"{theirs.stderr[:500]}")
        return
    counts["compared"] += 1
    if ours.stdout.strip() != theirs.stdout.strip():
        if reads_freed(arguments, plan, program):
            counts["upstream reads freed memory"] += 1
            return
        failures.append(f"{name}, {plan}: another IR\n{ours.stdout[:3000]}\n"
                        f"--- mlir-opt\n{theirs.stdout[:3000]}")


def check_told(arguments, path, plan, counts, failures):
    """The trace can be read, and every event has words."""
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "t.json"
        common = [f"--pipeline={plan}", UNREGISTERED]
        made = run(arguments.lens, "trace", *common, "-o", trace, path)
        shown = run(arguments.lens, "export", "--format=md", "-o",
                    pathlib.Path(folder) / "t.md", trace)
        told = run(arguments.lens, "explain", "--color=never", *common, path)
        # Nothing is made of a program that MLIR's verifier does not take.
        if made.returncode == told.returncode == 3 and \
                re.search(r":\d+:\d+: error: ", made.stderr) and \
                made.stderr == told.stderr:
            counts["not a program"] += 1
            return
        if made.returncode != 0 or shown.returncode != 0:
            failures.append(f"{path.name}, {plan}: trace or export fails\n"
                            f"{made.stderr}{shown.stderr}")
        if told.returncode != 0 or not told.stdout.strip():
            failures.append(f"{path.name}, {plan}: explain says nothing")
        for line in told.stdout.splitlines():
            if line.rstrip().endswith((":", ": ;")) or "  :" in line:
                failures.append(f"{path.name}, {plan}: an empty word in\n"
                                f"{line}")
        counts["told"] += 1


REFUSED = """func.func private @"odd<name>"(%m: memref<4xf32>) -> memref<4xf32> {
  cf.br ^x
^x:
  cf.br ^x
}
func.func @"with \\22quote\\22"() {
  cf.br ^x
^x:
  cf.br ^x
}
func.func private @made() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
func.func @caller(%c: i1) {
  cf.br ^x
^x:
  %a = call @made() : () -> memref<4xf32>
  cf.cond_br %c, ^x, ^y
^y:
  return
}
"""


def check_marks(arguments, failures):
    """What is refused is marked: under a name that needs quotes, and in the
    generic form, which a call of a function with a new result is printed in."""
    for plan, form in (("ownership", 'func.func @"with \\22quote\\22"()'),
                       ("dynamic", 'sym_name = "with \\22quote\\22"')):
        done = run(arguments.lens, "ir", f"--pipeline={plan}", "--stage=final",
                   "-", text=REFUSED)
        lines = done.stdout.splitlines()
        marked = [after for line, after in zip(lines, lines[1:])
                  if line.startswith("  // rejected by ownership-based-")]
        if len(marked) != 3 or not any(form in line for line in marked):
            failures.append(f"marks of {plan}: {marked}")


def check_usage(arguments, failures):
    wrong = [("clasic", "no pipeline is called 'clasic'"),
             ("hoist", "deallocates nothing"),
             ("builtin.module(no-such-pass)", "no-such-pass"),
             ("builtin.module(canonicalize", ""),
             ("builtin.module()", "has no pass"),
             ("classic+ownership", "two ways to free")]
    for plan, words in wrong:
        done = run(arguments.lens, "trace", f"--pipeline={plan}", "-", text="")
        if done.returncode != 2 or words not in done.stderr or \
                "'--pipeline'" not in done.stderr:
            failures.append(f"{plan}: exit {done.returncode}, {done.stderr}")
    done = run(arguments.lens, "check", "--pipeline=classic", "-", text="")
    if done.returncode != 2 or "compare --pipelines" not in done.stderr:
        failures.append(f"check --pipeline: {done.stderr}")
    # Upstream's pipeline by another name is upstream's pipeline.
    diamond = ROOT / "samples" / "diamond.mlir"
    texts = {run(arguments.lens, "trace", *plan, diamond).stdout for plan in
             ([], ["--pipeline=ownership"],
              [f"--pipeline=builtin.module({OWNERSHIP})"])}
    if len(texts) != 1:
        failures.append("--pipeline=ownership is not the usual pipeline")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lens")
    parser.add_argument("opt")
    programs.add_arguments(parser)
    arguments = parser.parse_args()
    counts, failures = collections.Counter(), []
    check_usage(arguments, failures)
    check_marks(arguments, failures)
    samples = sample.part(sorted((ROOT / "samples").glob("*.mlir")), 2)
    inputs = [] if arguments.files else [
        (path.name, path.read_text()) for path in samples
        if "// -----" not in path.read_text()]
    inputs += programs.inputs(arguments, SHORT, step=3)
    # Ops that one of the two does not know.
    inputs = [one for one in inputs
              if not re.search(r"\b(sample|test)\.\w", one[1])]
    plans, jobs = list(PLANS), []
    for number, (name, program) in enumerate(inputs):
        # In the short form each program sees three of them, in turn.
        chosen = plans if sample.LONG else \
            [plans[(number + i * 3) % len(plans)] for i in range(3)]
        jobs += [(check, name, program, plan) for plan in chosen]
    for path in samples[::1 if sample.LONG else 4]:
        jobs += [(check_told, path, plan) for plan in plans[:7]]

    def run_job(job):
        found = collections.Counter(), []
        job[0](arguments, *job[1:], *found)
        return found

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for found, wrong in pool.map(run_job, jobs):
            counts += found
            failures += wrong
    print(dict(counts))
    for failure in failures[:20]:
        print(failure)
    print(f"{len(failures)} failures")
    if counts["compared"] < 60:
        failures.append("too little was compared")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
