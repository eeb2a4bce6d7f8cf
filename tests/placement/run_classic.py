"""Our classic pass frees and copies what the last MLIR that has it does.

  run_classic.py OPT [--seeds A..B] [--show] [FILE...]

Judges: mlir-opt 16, chunk by chunk, on the corpus' classic tests, on a part of the
other files that both versions parse, and on random programs, before and after the same
canonicalization; and the expectations of the classic tests themselves, which are
from a later version than 16.
"""

import argparse
import collections
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import programs  # puts the folder of `corpus` on the path
import corpus
import mlir16
import structure
from mlir16 import SECONDS, UNREGISTERED, Run

OURS = "--pass-pipeline=builtin.module(func.func(lens-classic))"
# Without MEMREF_LENS_LONG: these files of the corpus.
SHORT = ["classic/", "upstream/OwnershipBased"]

# For 16 a realloc is no allocation: it frees its operand again, and leaks its
# result. Later versions know it; their expectations are checked.
REALLOC = "realloc, which 16 does not know"
# What the pass itself says; any other error is of the verifier.
REFUSALS = {
    "Only structured control-flow loops are supported.",
    "All operations with attached regions need to implement the "
    "RegionBranchOpInterface.",
    "Allocation is not deallocated explicitly nor does the operation implement "
    "the AllocationOpInterface.",
}


class Judge:
    def __init__(self, ours):
        self.ours = ours
        self.old = mlir16.tool()
        self.new = corpus.tool("mlir-opt")

    def verdict(self, chunk):
        """(verdict, what to show of a difference, clones, deallocs)"""
        if Run([self.old, UNREGISTERED], mlir16.old_form(chunk)).status != 0:
            return "not parsed by 16", "", 0, 0
        if Run([self.new, UNREGISTERED], chunk).status != 0:
            return "not parsed by 22", "", 0, 0
        old = Run([self.old, UNREGISTERED, "--buffer-deallocation"],
                  mlir16.old_form(chunk))
        new = Run([self.ours, UNREGISTERED, OURS], chunk)
        if None in (old.status, new.status):
            return "TIMED OUT", f"16 {old.status}, ours {new.status}", 0, 0
        if old.status < 0:
            return "16 crashes", "", 0, 0
        if set(old.errors()) - REFUSALS:
            return "16 makes invalid IR", "", 0, 0
        # 16 reports regions that it cannot handle, and says that all is well.
        if old.errors() or new.errors():
            alike = old.errors() == new.errors() and new.status != 0
            return ("refused alike" if alike else "REFUSED DIFFERENTLY",
                    f"16 {old.status} {old.errors()}\n"
                    f"ours {new.status} {new.errors()}", 0, 0)
        result = Run([self.new, UNREGISTERED], mlir16.new_form(old.out))
        if result.status != 0:
            return "16's result is not for 22", "", 0, 0
        different = (f"--- 16\n{result.out}--- ours\n{new.out}", 0, 0)
        if structure.normal(result.out) != structure.normal(new.out):
            if "memref.realloc" in chunk:
                return REALLOC, "", 0, 0
            return ("DIFFERENT", *different)
        left, right = (Run([self.new, UNREGISTERED, "--canonicalize"], text).out
                       for text in (result.out, new.out))
        # Which one of several equal copies is folded away depends on their order.
        if structure.counts(left) != structure.counts(right):
            return ("DIFFERENT AFTERWARDS", *different)
        return "same", "", *structure.counts(old.out)


def check_expectations(ours, file):
    """The classic tests as their authors wrote them."""
    with tempfile.NamedTemporaryFile("w+") as out:
        done = subprocess.run(
            [ours, UNREGISTERED, OURS, "--split-input-file",
             "--verify-diagnostics", str(file)],
            stdout=out, stderr=subprocess.PIPE, text=True, timeout=SECONDS)
        if done.returncode != 0:
            return f"{file.name}: {done.stderr[:2000]}"
        out.seek(0)
        done = subprocess.run([corpus.tool("FileCheck"), str(file)], stdin=out,
                              capture_output=True, text=True, timeout=SECONDS)
        return done.stderr[:2000] if done.returncode else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ours")
    parser.add_argument("--show", action="store_true",
                        help="also what is not compared")
    programs.add_arguments(parser)
    arguments = parser.parse_args()
    judge = Judge(arguments.ours)
    counts, failures = collections.Counter(), []
    with ThreadPoolExecutor(2) as pool:
        # An input that crashes MLIR 22 says nothing about 16.
        named = [(name, chunk)
                 for name, chunk in programs.inputs(arguments, SHORT, 3,
                                                    core=["/classic/"])
                 if "crash" not in name]
        results = pool.map(judge.verdict, [chunk for _, chunk in named])
        for (name, _), (verdict, why, clones, deallocs) in zip(named, results):
            counts[verdict] += 1
            counts["clones"] += clones
            counts["deallocs"] += deallocs
            if verdict.isupper():
                failures.append(f"{name}: {verdict}\n{why}")
            elif arguments.show:
                print(f"{name}: {verdict} {why}")
    if not arguments.files:
        expectations = check_expectations(
            arguments.ours, corpus.corpus() / "classic/buffer-deallocation.mlir")
        if expectations:
            failures.append(expectations)
    for verdict, count in sorted(counts.items()):
        print(f"{count:6} {verdict}")
    print("\n".join(failures))
    sys.exit(1 if failures or not counts["same"] else 0)


main()
