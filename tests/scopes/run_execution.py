"""Programs do the same with scopes and without, however they are optimised.

  run_execution.py SCOPES_OPT [--seeds A..B] [--keep FOLDER]

Random programs (generate.py) are lowered without scopes and run as they are.
With scopes, and with a random part of the lists taken away again, they are
optimised by LLVM in several ways and must print the same; so must programs into
which MLIR inlines functions before there are scopes, on the way to LLVM, or
afterwards. That wrong scopes would be noticed is seen by making wrong ones: each
access is said to touch no memory of its own scope either.
"""

import argparse
import pathlib
import random
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "judges"))

import generate
import judges  # puts the folder of `sample` on the path
import sample

EAGER = ("cgscc(inline),function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
         "loop-simplify,lcssa,loop-mssa(licm),gvn,dse),"
         "function(tailcallelim,loop-mssa(loop-rotate,licm),loop-unroll,"
         "instcombine<no-verify-fixpoint>,gvn,newgvn,dse,mldst-motion,jump-threading,"
         "loop-mssa(licm),gvn,dse,loop-vectorize,slp-vectorizer,gvn)")
WAYS = {
    "O2": ["-passes=default<O2>"],
    "O3": ["-passes=default<O3>"],
    "eager": [f"-passes={EAGER}", "-inline-threshold=5000"],
}
TIDY = "canonicalize,cse,loop-invariant-code-motion"
LOWER = ("expand-strided-metadata,lower-affine,convert-scf-to-cf,"
         "convert-arith-to-llvm,convert-cf-to-llvm,finalize-memref-to-llvm,"
         "convert-func-to-llvm,reconcile-unrealized-casts")
LIST = re.compile(r"(no)?alias_scopes = \[([^]]*)\]")


def lower(path, *options):
    made = judges.run([judges.lens(), "scopes", path, "--emit=llvm", *options])
    if made.status != 0:
        raise RuntimeError(f"lowering fails: {made.err[:500]}")
    return made.out


def translate(text):
    made = judges.run([judges.tool("mlir-translate"), "--mlir-to-llvmir"], text)
    if made.status != 0:
        raise RuntimeError(f"translation fails: {made.err[:500]}")
    return made.out


def optimise(text, way):
    made = judges.run([judges.tool("opt"), "-S", *WAYS[way]], text)
    if made.status != 0:
        raise RuntimeError(f"opt ({way}) fails: {made.err[:500]}")
    return made.out


def execute(text, level="-O2"):
    done = judges.run([judges.tool("lli"), level, "-"], text, seconds=120)
    return done.status, done.out


def passes(tool, text, pipeline):
    """The program after passes, with its locations."""
    made = judges.run([tool, "-", "--mlir-print-debuginfo",
                       f"--pass-pipeline=builtin.module({pipeline})"], text)
    if made.status != 0:
        raise RuntimeError(f"{pipeline} fails: {made.err[:500]}")
    return made.out


def inlined(route, path, scopes_opt):
    """In the LLVM dialect, with scopes, and inlined by MLIR at some time."""
    mlir = judges.tool("mlir-opt")
    if route == "after":
        return passes(mlir, lower(path), f"inline,{TIDY}")
    if route == "before":
        target = path.with_suffix(".inlined.mlir")
        target.write_text(passes(scopes_opt, path.read_text(),
                                 f"inline,{TIDY}"))
        return lower(target)
    made = judges.run([judges.lens(), "scopes", path, "--emit=marked"])
    text = passes(mlir, made.out, f"{TIDY},inline,{TIDY},{LOWER}")
    made = judges.run([judges.lens(), "scopes", "-", "--emit=attached"], text)
    if made.status != 0:
        raise RuntimeError(f"attaching fails: {made.err[:500]}")
    return made.out


ROUTES = ("before", "between", "after")


def without_some(text, seed):
    """Random elements of the lists taken away."""
    rng = random.Random(seed)

    def less(match):
        kept = [scope for scope in match[2].split(", ")
                if scope and rng.random() < 0.6]
        return f"{match[1] or ''}alias_scopes = [{', '.join(kept)}]"

    return LIST.sub(less, text)


def falsified(text):
    """Says of each access that it does not touch what it touches."""
    lines = []
    for line in text.splitlines():
        found = {match[1] or "": match[2] for match in LIST.finditer(line)}
        if "" in found and "no" in found:
            line = line.replace(f"noalias_scopes = [{found['no']}]",
                                f"noalias_scopes = [{found['no']}, {found['']}]")
        lines.append(line)
    return "\n".join(lines) + "\n"


def check(seed, folder, arguments):
    """(failures, scoped ops, whether the wrong scopes were noticed)"""
    path = pathlib.Path(folder) / f"{seed}.mlir"
    path.write_text(generate.generate(seed))
    scoped, plain = lower(path), lower(path, "--no-scopes")
    count = len(re.findall(r"[ {<]alias_scopes = ", scoped))
    if "alias_scope" in plain:
        return [f"seed {seed}: scopes with --no-scopes"], count, False
    expected = execute(translate(plain), "-O0")
    if expected[0] != 0 or not expected[1].endswith("\n"):
        return [f"seed {seed}: does not run: {expected}"], count, False
    failures = []
    # Else the program itself is at fault.
    if execute(optimise(translate(plain), "O3")) != expected:
        failures.append(f"seed {seed}: O3 without scopes differs")
    programs = {way: (scoped, way) for way in arguments.ways.split(",")}
    programs["part"] = (without_some(scoped, seed), "O3")
    for route in ROUTES if sample.LONG or seed < 0 else [ROUTES[seed % len(ROUTES)]]:
        programs[f"inlined {route}"] = (
            inlined(route, path, arguments.scopes_opt), "O3")
    programs["inlinable"] = (lower(path, "--keep-inlinable"), "eager")
    for name, (text, way) in programs.items():
        if execute(optimise(translate(text), way)) != expected:
            failures.append(f"seed {seed}: {name} differs")
    wrong = execute(optimise(translate(falsified(scoped)), "O3"))
    return failures, count, wrong != expected


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scopes_opt")
    parser.add_argument("--seeds", help="A..B, without B")
    parser.add_argument("--keep", help="folder for the programs")
    parser.add_argument("--ways", default="O2,O3,eager")
    arguments = parser.parse_args()
    seeds = sample.seeds(arguments.seeds, always=4, more=8, full=20, long=1000)
    failures, count, noticed = [], 0, 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or temporary

        def check_seed(seed):
            try:
                return check(seed, folder, arguments)
            except RuntimeError as problem:
                return [f"seed {seed}: {problem}"], 0, False

        for problems, scoped, seen in judges.in_parallel(
                check_seed, [*generate.TRAPS, *seeds]):
            for problem in problems:
                print(problem, flush=True)
            failures += problems
            count, noticed = count + scoped, noticed + seen
    programs = len(seeds) + len(generate.TRAPS)
    print(f"{programs} programs, {count} ops with scopes, wrong scopes noticed "
          f"in {noticed}, {len(failures)} failures")
    if count < 20 * programs or noticed < programs // 4:
        print("FAIL: too few ops have scopes, or wrong ones are not noticed")
        failures.append("weak")
    sys.exit(1 if failures else 0)


main()
