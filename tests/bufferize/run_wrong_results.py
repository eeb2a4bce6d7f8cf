#!/usr/bin/env python3
"""Programs that MLIR bufferizes to something else, and whether that is said.

run_wrong_results.py PASS_PLUGIN

Random programs on tensors run after one-shot-bufferize as it is, and with
copy-before-write=1, which copies before each write. Where the two differ, or the first
one dies, `check --bufferize` has an error that says so. Where a call or a loop is why,
lens-copy-shared in front gives the right result, unless there is an error of another
kind. A program that dies wrote into a constant, and that is one of its errors. Programs
whose second form mlir-opt does not make are left out, and counted.

A part is drawn; MEMREF_LENS_FULL=1 takes 400 of each kind.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
for folder in ("support", "random", "judges"):
    sys.path.insert(0, str(ROOT / "tests" / folder))
import corpus  # noqa: E402
import generate_tensors  # noqa: E402
import run_execute  # noqa: E402
import sample  # noqa: E402

LENS = os.environ["MEMREF_LENS"]
OPTIONS = "bufferize-function-boundaries=1 allow-return-allocs-from-loops=1"
CONSTANT = "constant-overwritten"
SHARED = {"results-share-buffer", "loop-shares-buffer", CONSTANT}
LOWER = run_execute.LOWER.replace("convert-func", "convert-math-to-llvm,convert-func")
#: Seeds whose results differ, by kind: each way in which that comes about.
ALWAYS = {False: [137, 283], True: [2, 8, 25, 30, 69, 135, 875]}


def run(command, text=None):
    try:
        return subprocess.run(list(map(str, command)), input=text, text=True,
                              capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        return None


def result_of(program, plugin, before="", more=""):
    """What @main gives, or how it ends; None where mlir-opt does not make it."""
    made = run([corpus.tool("mlir-opt"), "-", f"--load-pass-plugin={plugin}",
                f"--pass-pipeline=builtin.module({before}one-shot-bufferize"
                f"{{{OPTIONS}{more}}})"], program)
    if not made or made.returncode:
        return None
    low = run([corpus.tool("mlir-opt"), "-", f"--pass-pipeline={LOWER}"], made.stdout)
    if not low or low.returncode:
        return None
    command = [word if "entry-point-result" not in word
               else "--entry-point-result=f32" for word in run_execute.runner()]
    done = run([*command, "-"], low.stdout)
    return done and (done.stdout if done.returncode == 0 else "dies")


def errors_of(program, folder, name):
    path = folder / f"{name}.mlir"
    path.write_text(program)
    done = run([LENS, "check", "--no-try", "--format=json", "--path-seconds=3600",
                f"--bufferize={OPTIONS}", path])
    assert done and done.returncode in (0, 1, 3), (name, done and done.stderr)
    findings = [one for file in json.loads(done.stdout)["files"]
                for one in file["findings"]]
    return {one["rule"] for one in findings if one["severity"] == "error"}


def judged(seed, sharing, plugin, folder):
    """How the program comes out, and what is wrong with what is said of it."""
    program = generate_tensors.generate(seed, sharing)
    name = f"{'sharing' if sharing else 'random'}-{seed}"
    plain = result_of(program, plugin)
    right = result_of(program, plugin, more=" copy-before-write=1")
    if plain is None or right is None or right == "dies":
        return "left out", []
    rules = errors_of(program, folder, name)
    if plain == right:
        return ("right, though " + ", ".join(sorted(rules & SHARED))
                if rules & SHARED else "right"), []
    if plain == "dies" and rules and CONSTANT not in rules and rules <= SHARED:
        return "wrong", [f"{name}: dies, and no error is of a constant"]
    if not rules:
        return "wrong", [f"{name}: {plain!r} in place of {right!r}, and no error"]
    faults = []
    if rules <= SHARED:
        mended = result_of(program, plugin, before="lens-copy-shared,")
        if mended != right:
            faults = [f"{name}: {mended!r} with lens-copy-shared, not {right!r}"]
    return "wrong: " + ", ".join(sorted(rules)), faults


def main():
    plugin = sys.argv[1]
    work = []
    for sharing, always in ALWAYS.items():
        drawn = sample.seeds(None, always=0, more=16, full=400, long=2000)
        work += [(seed, sharing) for seed in sorted({*always, *drawn})]
    faults, counts = [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (seed, sharing), (kind, wrong) in zip(work, pool.map(
                lambda one: judged(*one, plugin, pathlib.Path(folder)), work)):
            faults += wrong
            counts[kind] += 1
            if seed in ALWAYS[sharing] and not kind.startswith("wrong: "):
                faults.append(f"seed {seed} is {kind}: its results are known to differ")
    print("\n".join(faults))
    for kind, count in counts.most_common():
        print(f"{count:4} {kind}")
    print(f"{len(work)} programs; {len(faults)} faults")
    sys.exit(1 if faults or counts["left out"] > len(work) // 4 else 0)


if __name__ == "__main__":
    main()
