"""Hoisting, loop hoisting and promotion to the stack do what MLIR's passes do.

  run_placement.py OPT [--seeds A..B] [FILE...]

Each chunk of the corpus and each random program goes through mlir-opt with the
pass and through ours; the printed modules have to be equal byte for byte. Every
outcome and every limit has to occur, or the comparison would say little.
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
SECONDS = 60
LIMITS = "{max-alloc-size-in-bytes=64 max-rank-of-allocated-memref=2}"
PASSES = [
    ("buffer-hoisting", "lens-hoist", ""),
    ("buffer-loop-hoisting", "lens-loop-hoist", ""),
    ("promote-buffers-to-stack", "lens-promote", ""),
    ("promote-buffers-to-stack", "lens-promote", LIMITS),
]
MUST_OCCUR = [
    "operand", "usesBelow", "unknownRegion", "loop", "noLoop",
    "parallelLoop", "usedOutsideLoop", "notHoistable", "left its block",
    "stayed",
    "promoted", "otherOp", "tooLarge", "dynamicShape", "freed", "leavesScope",
    "inLoop", "inUnknownRegion",
]


def run(command, text):
    try:
        return subprocess.run(command, input=text, capture_output=True,
                              text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None


class Comparison:
    def __init__(self, ours):
        self.ours, self.theirs = ours, corpus.tool("mlir-opt")
        self.counts, self.outcomes = collections.Counter(), collections.Counter()
        self.failures = []

    def pair(self, job):
        name, chunk, (their_pass, our_pass, options) = job
        command = "--pass-pipeline=builtin.module(func.func({}{}))"
        theirs = run([self.theirs, UNREGISTERED,
                      command.format(their_pass, options)], chunk)
        ours = run([self.ours, UNREGISTERED,
                    command.format(our_pass, options)], chunk)
        return name, their_pass + options, theirs, ours

    def add(self, name, what, theirs, ours):
        if theirs is None or theirs.returncode < 0:
            self.counts["mlir-opt dies or hangs"] += 1
        elif theirs.returncode != 0:
            self.counts["not valid"] += 1
        elif ours is None or ours.returncode != 0:
            why = "hangs" if ours is None else ours.stderr[-2000:]
            self.failures.append(f"{name} {what}: ours fails: {why}")
        elif theirs.stdout != ours.stdout:
            self.failures.append(f"{name} {what}: DIFFERENT\n--- MLIR\n"
                                 f"{theirs.stdout}--- ours\n{ours.stdout}")
        else:
            self.counts[what] += 1
            for remark in re.findall(r"remark: (.*)", ours.stderr):
                for outcome in re.split("; limit: ", remark):
                    self.outcomes[outcome] += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ours")
    programs.add_arguments(parser)
    arguments = parser.parse_args()
    comparison = Comparison(arguments.ours)
    jobs = [(name, chunk, one)
            for name, chunk in programs.inputs(arguments, SHORT)
            if "alloc" in chunk for one in PASSES]
    with ThreadPoolExecutor(2) as pool:
        for result in pool.map(comparison.pair, jobs):
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
