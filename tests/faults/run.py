#!/usr/bin/env python3
"""Each seeded fault of seeded.patch must be noticed by `compare`.

  run.py MEMREF-LENS-FAULTS PATCH [FAULT...]

Every fault runs over the small programs of inputs/, each without and with dynamic
ownership, until it is noticed: `compare` must call a function DIFFERENT
(exit status 1), or the tool must crash. Without a fault all must be as upstream, or the test means nothing."""

import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import seeded  # noqa: E402

INPUTS = sorted((pathlib.Path(__file__).parent / "inputs").glob("*.mlir"))
# The input in which a fault shows: tried before any other. Those that are not here
# show in the last one.
SHOWN_BY = {
    "joins": ["joinTakesSecond", "joinConstantsByIdentity", "joinForgetsUnknown",
              "updateOverwrites", "liveInAncestorOwned",
              "returnConstantSelectSkipped", "selectOperandsSwapped",
              "selectModelIgnored", "cloneNotCandidate", "joinOwnBlock",
              "noOperandOwned"],
    "regions": ["regionOperandsNotExtended", "regionIndicatorAlwaysTrue",
                "regionResultNotCandidate", "yieldOperandsNotExtended",
                "staleResultNotRenamed"],
    "allocations": ["stackAllocationOwned", "manualDeallocationOwned",
                    "freeAssertionDropped", "backEdgeIgnored",
                    "freeEffectAccepted", "unknownEffectsAccepted"],
    "dynamic": ["callResultNotCandidate", "dynamicCallStatic",
                "signatureNotUpdated"],
    "control-flow": [],
}
SETTINGS = ([], ["--private-function-dynamic-ownership"])
FEWEST_FAULTS = 30
FEWEST_FUNCTIONS = 20
SECONDS = 120


def compare(tool, setting, inputs, fault=None, quiet=True):
    environment = {key: value for key, value in os.environ.items()
                   if key != "MEMREF_LENS_FAULT"}
    if fault:
        environment["MEMREF_LENS_FAULT"] = fault
    command = [tool, "compare", "--allow-unregistered-dialect", "--timeout=60",
               *(["--quiet"] if quiet else []), *setting, *map(str, inputs)]
    return subprocess.run(command, capture_output=True, text=True,
                          errors="replace", env=environment, timeout=SECONDS)


def check_healthy(tool):
    """What is wrong without a fault, or None."""
    functions = 0
    for setting in SETTINGS:
        result = compare(tool, setting, INPUTS, quiet=False)
        if result.returncode != 0:
            return (f"without a fault: exit status {result.returncode}\n"
                    f"{result.stdout}{result.stderr}")
        functions += result.stdout.count(": identical")
    if functions < FEWEST_FUNCTIONS:
        return f"only {functions} functions are compared\n{result.stdout}"
    print(f"without a fault: {functions} functions identical")
    return None


def how_noticed(tool, fault):
    """A few words, or None if the fault went through."""
    shown = next((name for name, faults in SHOWN_BY.items() if fault in faults),
                 list(SHOWN_BY)[-1])
    for path, setting in itertools.product(
            sorted(INPUTS, key=lambda path: path.stem != shown), SETTINGS):
        try:
            result = compare(tool, setting, [path], fault)
        except subprocess.TimeoutExpired:
            return None
        if result.returncode < 0:
            return f"crash, signal {-result.returncode}"
        if result.returncode == 1 and "DIFFERENT" in result.stdout:
            functions = result.stdout.count("DIFFERENT")
            return (f"{functions} DIFFERENT in {path.stem}"
                    f"{' (dynamic)' if setting else ''}")
        if result.returncode != 0:
            return f"exit status {result.returncode}: {result.stderr[:100]}"
    return None


def main():
    tool, patch, *wanted = sys.argv[1:]
    faults = seeded.namesIn(patch)
    failures = []
    if len(faults) < FEWEST_FAULTS:
        failures.append(f"only {len(faults)} faults are seeded")
    if wrong := check_healthy(tool):
        failures.append(wrong)
    # A name that is in no list changes nothing, and shows that faults are what
    # is noticed.
    faults = wanted or faults
    if how_noticed(tool, "noSuchFault"):
        failures.append("a fault that does not exist was noticed")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda fault: how_noticed(tool, fault), faults)
        for fault, answer in zip(faults, answers):
            print(f"{fault}: {answer or 'NOT NOTICED'}", flush=True)
            if not answer:
                failures.append(f"{fault} was not noticed")
    for failure in failures:
        print(f"error: {failure}")
    print(f"{len(faults)} faults, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
