#!/usr/bin/env python3
"""Builds what has threads, or is the server, with TSan, and runs it.

  run_threads.py --build DIR --tool MEMREF_LENS --server LSP_SERVER

The supervisor has an editing session, with the children of the given server; the
unit tests of work side by side, which the analysis does; and with
MEMREF_LENS_FULL=1, since much of the product is compiled for it, the viewer's unit
tests, which load, lay out and export on threads.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "support"))
import clang  # noqa: E402
import sample  # noqa: E402

TARGETS = ["supervisor-alone", "parallel-test"] + ["viewer-test"] * sample.FULL
# Of size or of everything at once; threads do no more there than elsewhere.
SLOW = "Canvas.*Thousand*:Canvas.matrixOfMany*:Everything*"


def run(what, command, **more):
    begin = time.monotonic()
    made = subprocess.run([str(word) for word in command],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **more)
    print(f"{what}: {time.monotonic() - begin:.0f} s", flush=True)
    output = made.stdout.decode(errors="replace")
    if made.returncode or "WARNING: ThreadSanitizer" in output:
        print(output[-12000:])
        sys.exit(f"{what}: failed ({made.returncode})")


def main():
    parser = argparse.ArgumentParser()
    for name in ("build", "tool", "server"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--mlir-dir", default="")
    parser.add_argument("--launcher", default="")
    options = parser.parse_args()
    run("configure", clang.configuring(options, "MEMREF_LENS_TSAN"))
    run("build", ["cmake", "--build", options.build, "--target", *TARGETS])
    tests = pathlib.Path(options.build) / "tests"
    corpus = os.environ.get("MEMREF_LENS_CORPUS") or ROOT.parent / "shared/corpus"
    environment = os.environ | {
        "TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1:"
                        f"suppressions={HERE / 'tsan.supp'}",
        "MEMREF_LENS_TOOL": options.tool,
        "MEMREF_LENS_SAMPLES": str(ROOT / "samples"),
        "MEMREF_LENS_CORPUS": str(corpus),
        "MEMREF_LENS_LSP_SERVER": options.server}
    if sample.FULL:
        run("viewer", [tests / "viewer/viewer-test", f"--gtest_filter=-{SLOW}"],
            env=environment)
    run("parallel", [tests / "sanitizers/parallel-test",
                     # No room for stacks is none for TSan.
                     "--gtest_filter=-Parallel.worksWithoutThreads"],
        env=environment)
    run("supervisor", [sys.executable, ROOT / "tests/lsp/sessions.py",
                       tests / "sanitizers/supervisor-alone", "3",
                       "20000" if sample.FULL else "6000"],
        env=environment)


main()
