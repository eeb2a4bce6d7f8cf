#!/usr/bin/env python3
"""A function that a stage spoils keeps the events up to the one that shows it.

usage: run.py --binary memref-lens-test

The inputs are defects of the corpus on which a stage ends well with IR that the
verifier refuses. The function's decisions of that stage must be in the trace,
the rejection after them, and nothing of a later stage.
"""
import argparse
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(os.path.dirname(HERE))
CORPUS = os.environ.get("MEMREF_LENS_CORPUS",
                        os.path.join(REPO, "..", "shared", "corpus"))
OWNERSHIP = {"liveness", "ownership", "candidate", "dealloc"}
# File -> (function, stage that spoils it, kinds of events that it leaves).
CASES = {
    "invalid-affine-for.mlir": ("affinefor", 3, OWNERSHIP | {"signature"}),
    "invalid-async-arg.mlir": ("f", 3, OWNERSHIP | {"signature"}),
    "invalid-gpu-workgroup.mlir": ("f", 3, OWNERSHIP | {"signature"}),
    "invalid-nonstrided-layout.mlir": ("f", 3, OWNERSHIP),
    "invalid-vector-mask.mlir": ("mask", 3, {"liveness"}),
    "scf-cases.mlir": ("affinefor", 3, OWNERSHIP | {"signature"}),
    "canonicalize-rank-reduced-subview-invalid-cast.mlir":
        ("f", 2, {"rewrite"}),
}


def check(binary, name):
    """What is wrong, one line each."""
    wanted, stage, kinds = CASES[name]
    run = subprocess.run([binary, "trace",
                          os.path.join(CORPUS, "defects", name)],
                         capture_output=True, timeout=60,
                         stdin=subprocess.DEVNULL, check=False)
    trace = json.loads(run.stdout)
    function, = (entry for entry in trace["functions"]
                 if entry["name"] == wanted)
    wrong = []
    if function.get("status") != "rejected":
        wrong.append(f"is {function.get('status')}")
    if function.get("lastGoodStage") != stage - 1:
        wrong.append(f"its last good stage is {function.get('lastGoodStage')}")
    events = [event for event in trace["events"]
              if event.get("function") == function["id"]]
    left = {event["kind"] for event in events if event["stage"] == stage}
    if not kinds <= left:
        wrong.append(f"has no {', '.join(sorted(kinds - left))} events")
    rejections = [event for event in events if event["kind"] == "rejection"]
    if len(rejections) != 1 or events[-1] is not rejections[0]:
        wrong.append("does not end with its one rejection")
    elif rejections[0]["cause"] != "invalidIr":
        wrong.append(f"is rejected for {rejections[0]['cause']}")
    if any(event["stage"] > stage for event in events):
        wrong.append("has events of a later stage")
    for other in trace["functions"]:
        if other is not function and other.get("status") == "rejected":
            wrong.append(f"takes {other['name']} with it")
    return [f"{name} @{wanted} {line}" for line in wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    options = parser.parse_args()
    if not os.path.isdir(CORPUS):
        print(f"no corpus in {CORPUS}")
        return 1 if os.environ.get("CI") else 77
    wrong = sum((check(options.binary, name) for name in CASES), [])
    print("\n".join(wrong))
    print(f"{len(CASES)} functions, {len(wrong)} complaints")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
