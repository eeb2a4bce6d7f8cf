#!/usr/bin/env python3
"""lens-one-shot-bufferize in mlir-opt, against one-shot-bufferize.

run_bufferize.py PASS_PLUGIN

On programs on tensors, random ones among them, under several options: the same IR byte
for byte but for the order of memref.globals, which upstream takes from addresses; the
same exit status. A pipeline with the pass is printed with its options, as one with
upstream's pass is, and what is printed is a pipeline again. In part of the modules, the decisions have to be the replay's.

A part is drawn; MEMREF_LENS_FULL=1 takes all.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
for folder in ("support", "random"):
    sys.path.insert(0, str(ROOT / "tests" / folder))
import corpus  # noqa: E402
import generate_tensors  # noqa: E402
import sample  # noqa: E402

PLUGIN = sys.argv[1]
OPTIONS = ["bufferize-function-boundaries=1",
           "bufferize-function-boundaries=1 allow-return-allocs-from-loops=1",
           "bufferize-function-boundaries=1 analysis-heuristic=top-down "
           "allow-return-allocs-from-loops=1",
           "bufferize-function-boundaries=1 "
           "function-boundary-type-conversion=identity-layout-map",
           "allow-unknown-ops=1"]
PRINTED = [*OPTIONS, "", "bufferize-function-boundaries",
           "dialect-filter=tensor,func bufferize-function-boundaries=1",
           "no-analysis-func-filter=f,g bufferize-function-boundaries=1",
           "unknown-type-conversion=identity-layout-map buffer-alignment=128",
           "analysis-heuristic=fuzzer analysis-fuzzer-seed=7 check-parallel-regions=0",
           "test-analysis-only print-conflicts dump-alias-sets",
           "copy-before-write must-infer-memory-space"]
WRONG = ["print-conflicts", "unknown-type-conversion=infer-layout-map", "no-such-option",
         "must-infer-memory-space use-encoding-for-memory-space"]


def opt(path, name, options):
    return subprocess.run(
        [corpus.tool("mlir-opt"), f"--load-pass-plugin={PLUGIN}", path,
         "--allow-unregistered-dialect", "--mlir-print-ir-before=one-shot-bufferize",
         f"--pass-pipeline=builtin.module({name}{{{options}}})"],
        capture_output=True, text=True, timeout=600, check=False)


def dumped(pipeline):
    """The pipeline as the pass manager prints it; what it says of a wrong one."""
    done = subprocess.run(
        [corpus.tool("mlir-opt"), f"--load-pass-plugin={PLUGIN}", "-",
         f"--pass-pipeline={pipeline}", "--dump-pass-pipeline"],
        input="", capture_output=True, text=True, timeout=60, check=False)
    return done.stderr.replace(" ", "").replace("\n", "")


def faults_of_printing():
    for options in PRINTED + WRONG:
        ours, upstream = (dumped(f"builtin.module({name}{{{options}}})")
                          for name in ("lens-one-shot-bufferize", "one-shot-bufferize"))
        if options in WRONG:
            if "Passpipeline" in ours or ours == upstream == "":
                yield f"{options}: {ours}"
            continue
        text = ours.replace("lens-one-shot-bufferize", "one-shot-bufferize")
        if text != upstream or "one-shot-bufferize" not in text:
            yield f"{options}: prints {ours}, upstream {upstream}"
        again = dumped_again(options)
        if again.replace(" ", "").replace("\n", "") != ours:
            yield f"{options}: what is printed is another pipeline: {again}"


def dumped_again(options):
    """Printed, read and printed once more."""
    pipeline = f"builtin.module(lens-one-shot-bufferize{{{options}}})"
    for _ in range(2):
        done = subprocess.run(
            [corpus.tool("mlir-opt"), f"--load-pass-plugin={PLUGIN}", "-",
             f"--pass-pipeline={pipeline}", "--dump-pass-pipeline"],
            input="", capture_output=True, text=True, timeout=60, check=False)
        pipeline = " ".join(done.stderr.partition("Pass Manager with")[2]
                            .partition("\n")[2].split())
    return done.stderr


def ordered(text):
    """Lines, those of globals sorted and without their numbers."""
    lines = re.sub(r"__constant_\w+", "__constant", text).split("\n")
    is_global = [line.lstrip().startswith("memref.global") for line in lines]
    globals_ = sorted(line for line, one in zip(lines, is_global) if one)
    return globals_ + [line for line, one in zip(lines, is_global) if not one]


def compare(path, options):
    """A fault, or None; and whether the replay decided."""
    upstream = opt(path, "one-shot-bufferize", options)
    ours = opt(path, "lens-one-shot-bufferize", options)
    # Where upstream's pass runs inside of ours, it prints.
    replayed = "IR Dump Before OneShotBufferize" not in ours.stderr
    assert "IR Dump Before OneShotBufferize" in upstream.stderr or \
        upstream.returncode, upstream.stderr
    if upstream.returncode != ours.returncode:
        return f"{path.name}, {options}: {ours.stderr[:300]}", replayed
    if ordered(upstream.stdout) != ordered(ours.stdout):
        return f"{path.name}, {options}: other IR", replayed
    return None, replayed


def main():
    tensors = corpus.tensors()
    files = (sample.part(sorted(tensors.glob("[0-9]*.mlir")), 14)
             + sample.part(sorted((tensors / "real").glob("*.mlir")), 10))
    with tempfile.TemporaryDirectory() as folder:
        for seed in sample.seeds(None, always=4, more=8, full=300, long=1000):
            files.append(pathlib.Path(folder) / f"random-{seed}.mlir")
            files[-1].write_text(generate_tensors.generate(seed))
        work = [(path, options) for path in files for options in OPTIONS]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda one: compare(*one), work))
    faults = [fault for fault, _ in found if fault] + [*faults_of_printing()]
    replayed = sum(one for _, one in found)
    print("\n".join(faults))
    print(f"{len(found)} runs, {replayed} of them replayed; {len(faults)} faults")
    if replayed < len(found) // 4:
        sys.exit("the replay decided too little")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
