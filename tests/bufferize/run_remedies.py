#!/usr/bin/env python3
"""Remedies against copies of bufferization, judged by mlir-opt and by running them.

run_remedies.py PASS_PLUGIN [FILE...]

For programs on tensors and random ones, `check --bufferize` tries remedies; each that
is said to help is done once more by the command for mlir-opt that it prints. Copies,
clones and allocations before and after are those in mlir-opt's output, and a random
program gives the same sum with the remedy as without it; where MLIR 22.1.8 makes
something else of the program as it is, that with copies before each write.

A part is drawn; MEMREF_LENS_FULL=1 takes all programs and 500 random ones.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
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
#: Programs that show each remedy at work, by what it must gain: copies before, after.
SHOWN = {
    "04-constant-written": ("lens-fill-constants", 1, 0),
    "29-cf-branch": ("lift-cf-to-scf", 0, 1),
    "14-call-callee-writes": ("lens-reads-first", 1, 0),
    "15-call-external": ("lens-reads-first", 1, 0),
    "18-if": ("lens-reads-first", 1, 0),
    "40-disjoint-write-read": ("lens-reads-first", 2, 0),
    "36-empty-insert": ("eliminate-empty-tensors", 1, 0),
    "38-materialize": ("eliminate-empty-tensors", 1, 0),
    "23b-collapse-arg": ("identity-layout-map", 1, 0),
    "21-forall-private": ("eliminate-empty-tensors,cse", 1, 0),
    "09-slice-pair-broken": ("lens-slice-from-destination", 2, 0),
    "12-loop-swap": ("lens-unroll-crossed", 2, 0),
    "32b-dps-chain-own-empties": ("cse", 0, 0),
    "37-out-param": ("lens-destination-arguments", 1, 0),
}
#: Of what lens-reads-first makes of these, MLIR 22.1.8 makes something else.
MISLED = (42, 445)
LOWER = run_execute.LOWER.replace("convert-func", "convert-math-to-llvm,convert-func")
COUNTED = {"copies": "memref.copy", "clones": "bufferization.clone",
           "allocations": "memref.alloc"}


def run(command, text=None):
    return subprocess.run(list(map(str, command)), input=text, text=True,
                          capture_output=True, timeout=600)


def counted(command, plugin):
    """What the command for mlir-opt makes, and how often it has each op."""
    words = [word.replace("libMemrefLensPasses.so", plugin)
             for word in shlex.split(command)]
    done = run([corpus.tool("mlir-opt"), *words[1:], "--mlir-print-op-generic"])
    names = collections.Counter(re.findall(r'"([\w.]+)"\(', done.stdout))
    # dealloc_helper's own lists are no allocations of the program.
    lists = 5 * done.stdout.count("callee = @dealloc_helper")
    names["memref.alloc"] -= lists
    return (done.stdout if done.returncode == 0 else None), names, done.stderr


def sum_of(text):
    """What @main of the program gives; None where it cannot be run."""
    low = run([corpus.tool("mlir-opt"), "-", f"--pass-pipeline={LOWER}"],
              text)
    if low.returncode:
        return None
    command = [word if "entry-point-result" not in word
               else "--entry-point-result=f32" for word in run_execute.runner()]
    done = run([*command, "-"], low.stdout)
    return done.stdout if done.returncode == 0 else None


def remedies_of(path, bufferize):
    """What is said to help and changes the tensors, each once."""
    done = run([LENS, "check", f"--bufferize={bufferize}", "--path-seconds=3600",
                "--format=json", path])
    if not done.stdout:
        return []
    found = {}
    for file in json.loads(done.stdout)["files"]:
        for finding in file["findings"]:
            for tried in finding["tried"]:
                if tried["helps"] and re.search(
                        "(of|before) one-shot-bufferize$", tried["remedy"]):
                    found[tried["remedy"]] = tried
    return found.values()


#: Ours, before one-shot-bufferize.
PASSES = ("lens-fill-constants", "lens-reads-first", "lens-copy-shared",
          "lens-yield-in-place", "lens-writable-arguments", "lens-unroll-crossed",
          "lens-read-only-buffers", "lens-slice-from-destination", "lens-destination-arguments")


def made_with(path, plugin, passes, options):
    return counted(shlex.join([
        "mlir-opt", "--load-pass-plugin=libMemrefLensPasses.so",
        f"--pass-pipeline=builtin.module({passes}one-shot-bufferize{{{options}}},"
        "buffer-deallocation-pipeline)", str(path)]), plugin)


def right_sum(path, plugin, options):
    made = made_with(path, plugin, "", options + " copy-before-write=1")[0]
    return None if made is None else sum_of(made)


def is_told(path, pre):
    """Whether the program that is left by passes has an error."""
    done = run([LENS, "check", "--no-try", f"--pre={pre}", "--format=json", path])
    return any(one["severity"] == "error" for file in json.loads(done.stdout)["files"]
               for one in file["findings"])


def passes_in_front(path, plugin, options):
    """Our passes keep what the program gives, whether they help or not; where
    bufferization then makes something else of it, that is an error of ours."""
    faults, executed = [], 0
    plain = made_with(path, plugin, "", options)[0]
    sums = {None if plain is None else sum_of(plain),
            right_sum(path, plugin, options)} - {None}
    for passes in PASSES:
        made = made_with(path, plugin, passes + ",", options)
        if made[0] is None:
            # What has to be in place is rejected where it cannot be; and what
            # findings/bufferize-rejects-call-that-returns-argument-cast.sh shows can
            # come with each op that is moved.
            if (plain is not None and passes != "lens-yield-in-place" and
                    "incorrect number of dynamic sizes" not in made[2]):
                faults.append(f"{path.name}: {passes} fails: {made[2][:300]}")
            continue
        now = sum_of(made[0])
        executed += now is not None
        if sums and now not in sums and not is_told(
                path, f"{passes},one-shot-bufferize{{{options}}}"):
            faults.append(f"{path.name}: {sums} becomes {now!r} with {passes}")
    return faults, executed


def faults_of(path, plugin, isRun):
    """What is wrong; how many remedies helped, and how many were executed."""
    options = "bufferize-function-boundaries=1"
    if isRun:
        options += " allow-return-allocs-from-loops=1"
    plain = shlex.join([
        "mlir-opt", "--pass-pipeline=builtin.module(one-shot-bufferize"
        f"{{{options}}},buffer-deallocation-pipeline)", str(path)])
    faults, helped, executed, before = [], [], 0, None
    if isRun:
        faults, executed = passes_in_front(path, plugin, options)
    for tried in remedies_of(path, options):
        helped.append(tried["remedy"])
        before = before or counted(plain, plugin)
        after = counted(next(command for command in tried["commands"]
                             if command.startswith("mlir-opt")), plugin)
        name = f"{path.name}: {tried['remedy']}"
        if after[0] is None:
            faults.append(f"{name}: mlir-opt fails: {after[2][:300]}")
            continue
        for change in tried["changes"]:
            op = COUNTED.get(change["what"])
            if op and (before[1][op], after[1][op]) != (change["before"],
                                                        change["after"]):
                faults.append(f"{name}: {change['what']} {change['text']}; mlir-opt "
                              f"has {before[1][op]} -> {after[1][op]}")
        if isRun:
            was, now = sum_of(before[0]), sum_of(after[0])
            executed += was is not None
            if was is not None and now not in (
                    was, right_sum(path, plugin, options)):
                faults.append(f"{name}: {was!r} becomes {now!r}")
    return faults, helped, executed


def is_whole(path):
    """One program, not many between `// -----`."""
    return "// -----" not in path.read_text(errors="surrogateescape")


def main():
    plugin, names = sys.argv[1], sys.argv[2:]
    tensors = corpus.tensors()
    own = sorted(tensors.glob("[0-9]*.mlir"))
    real = [path for path in sorted((tensors / "real").glob("*.mlir"))
            if path.stat().st_size < (1 << 20 if sample.FULL else 40_000)]
    files = [pathlib.Path(name) for name in names] or [
        path for path in sample.part(own, 4, core=SHOWN) + sample.part(real, 8)
        if is_whole(path)]
    faults, remedies, executed = [], collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        work = [(path, plugin, False) for path in files]
        seeds = [] if names else sample.seeds(None, always=6, more=10, full=200,
                                              long=2000)
        for seed in sorted({*seeds, *([] if names else MISLED)}):
            path = pathlib.Path(folder) / f"random-{seed}.mlir"
            path.write_text(generate_tensors.generate(seed))
            work.append((path, plugin, True))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for (path, *_), (wrong, helped, ran) in zip(
                    work, pool.map(lambda one: faults_of(*one), work)):
                faults += wrong
                executed += ran
                remedies.update(helped)
                shown = SHOWN.get(path.stem)
                if shown and not any(shown[0] in one for one in helped):
                    faults.append(f"{path.name}: {shown[0]} does not help")
    print("\n".join(faults))
    for remedy, count in remedies.most_common():
        print(f"{count:4} {remedy}")
    print(f"{len(files)} programs and {len(work) - len(files)} random ones: "
          f"{remedies.total()} remedies, {executed} executed; {len(faults)} faults")
    if not names and (remedies.total() < 10 or executed < 3):
        sys.exit(1)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
