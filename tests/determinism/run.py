#!/usr/bin/env python3
"""Holds that equal input and options give byte-equal traces.

usage: run.py --binary memref-lens-test [FILE...]

Each run is a process of its own, at other addresses: the system's random ones,
and a heap that is laid out in another way. Taken are real programs on which MLIR's
own order varies, and a part of the samples, of the corpus' defects and of the other
real programs; with MEMREF_LENS_LONG all of the corpus and its generated programs,
three times.
"""
import argparse
import concurrent.futures
import glob
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(REPO, "tests", "support"))
import sample  # noqa: E402

CORPUS = os.environ.get("MEMREF_LENS_CORPUS",
                        os.path.join(REPO, "..", "shared", "corpus"))
DYNAMIC = "--private-function-dynamic-ownership"
# Programs that gave other traces from run to run once, by sets of live values,
# or by the order of the canonicalizer's rewrites: looked at more often.
KNOWN = ["MLIRSmith11__sparse_conversion_sparse2dense_as_cfg_loops.mlir",
         "tpp-mlir__relayout-gemm.mlir", "tpp-mlir__tpp-add.mlir",
         "tpp-mlir__conv-on-tensor.mlir",
         "buddy-mlir__next-gqa-attention-fusion.mlir"]
GENERATED = [("straight.py", "300"), ("diamonds.py", "12"), ("nest.py", "60"),
             ("funcs.py", "100")]
# How the heap is laid out, by run.
TUNABLES = ["", "glibc.malloc.mmap_threshold=8192",
            "glibc.malloc.tcache_count=0", "glibc.malloc.top_pad=9999999"]


def generate(scratch):
    for script, size in GENERATED:
        path = os.path.join(scratch, script[:-3] + ".mlir")
        with open(path, "w", encoding="utf-8") as out:
            subprocess.run([sys.executable, os.path.join(CORPUS, "gen", script),
                            size], stdout=out, check=True)
        yield path


def jobs_of(files, scratch):
    """(file, runs) for each file to look at."""
    if files:
        return [(file, 4) for file in files]
    samples = sorted(glob.glob(os.path.join(REPO, "samples", "*.mlir")))
    real = sorted(glob.glob(os.path.join(CORPUS, "real", "*.mlir")))
    defects = sorted(glob.glob(os.path.join(CORPUS, "defects", "*.mlir")))
    known = [os.path.join(CORPUS, "real", name) for name in KNOWN]
    if not sample.LONG:
        rest = [pathlib.Path(file) for file in real if file not in known]
        rest = sample.part(rest, 6 if sample.FULL else 18, isWhole=False)
        return [(file, 4) for file in known] + [
            (file, 2) for file in sample.part(samples, 4) +
            sample.part(defects, 4) + list(map(str, rest))]
    upstream = sorted(glob.glob(os.path.join(CORPUS, "upstream", "**",
                                             "*.mlir"), recursive=True))
    return [(file, 4) for file in known] + [
        (file, 3) for file in samples + defects + upstream + real +
        list(generate(scratch))]


def digest(binary, file, options, run):
    environment = dict(os.environ)
    tunable = TUNABLES[run % len(TUNABLES)]
    if tunable:
        environment["GLIBC_TUNABLES"] = tunable
    done = subprocess.run([binary, "trace", "--allow-unregistered-dialect",
                           *options, file], capture_output=True, timeout=900,
                          stdin=subprocess.DEVNULL, env=environment)
    whole = b"%d\n" % done.returncode + done.stdout + done.stderr
    isEmpty = done.returncode == 0 and not done.stdout
    return hashlib.sha256(whole).hexdigest(), isEmpty


def check(binary, file, runs):
    """What is wrong with the file's traces, one line each."""
    wrong = []
    for options in ([], [DYNAMIC]):
        seen = [digest(binary, file, options, run) for run in range(runs)]
        name = " ".join([os.path.basename(file), *options])
        if len({hash for hash, _ in seen}) > 1:
            wrong.append(f"{name}: its trace changes from run to run")
        if seen[0][1]:
            wrong.append(f"{name}: no trace")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if not os.path.isdir(CORPUS):
        print(f"no corpus in {CORPUS}")
        return 1 if os.environ.get("CI") else 77
    with tempfile.TemporaryDirectory() as scratch:
        jobs = jobs_of(options.files, scratch)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            wrong = sum(pool.map(
                lambda job: check(options.binary, *job), jobs), [])
    print("\n".join(wrong))
    print(f"{len(jobs)} files, {len(wrong)} complaints")
    fewest = 0 if options.files else 90 if sample.FULL else 8
    return 1 if wrong or len(jobs) < fewest else 0


if __name__ == "__main__":
    sys.exit(main())
