#!/usr/bin/env python3
"""Builds the viewer's panels and the server's supervisor with TSan, runs both.

  run_threads.py --build DIR --tool MEMREF_LENS --server LSP_SERVER

The viewer's unit tests load, lay out and export on threads; the supervisor has
an editing session, with the children of the given server.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGETS = ["supervisor-alone", "viewer-test"]
# Of size or of everything at once; threads do no more there than elsewhere.
SLOW = "Canvas.*Thousand*:Canvas.matrixOfMany*:Everything*"


def findClang():
    for name in ("clang++-22", "/usr/lib/llvm-22/bin/clang++"):
        if found := shutil.which(name):
            return found
    message = "clang 22 was not found (on Debian: clang-22, libclang-rt-22-dev)"
    if os.environ.get("CI") == "true":
        sys.exit(message)
    print("skipped:", message)
    sys.exit(77)


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
    configure = ["cmake", "-S", ROOT, "-B", options.build, "-G", "Ninja",
                 "-DCMAKE_BUILD_TYPE=Release",
                 f"-DCMAKE_CXX_COMPILER={findClang()}",
                 "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",
                 "-DMEMREF_LENS_TSAN=ON", "-DMEMREF_LENS_WERROR=OFF"]
    if options.launcher:
        configure.append(f"-DCMAKE_CXX_COMPILER_LAUNCHER={options.launcher}")
    if options.mlir_dir:
        configure.append(f"-DMLIR_DIR={options.mlir_dir}")
    run("configure", configure)
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
    run("viewer", [tests / "viewer/viewer-test", f"--gtest_filter=-{SLOW}"],
        env=environment)
    run("supervisor", [sys.executable, ROOT / "tests/lsp/sessions.py",
                       tests / "sanitizers/supervisor-alone", "3", "20000"],
        env=environment)


main()
