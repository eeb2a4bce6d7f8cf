#!/usr/bin/env python3
"""What `check` offers as C++ compiles as it stands.

  run_code.py MEMREF_LENS BUILD

The calls of a pass manager of every remedy that is offered for the samples, with and
without passes and options of the user's own, each in a function of one file, with the
headers of MLIR and of our passes.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LENS, BUILD = sys.argv[1], pathlib.Path(sys.argv[2])
OPTIONS = [[], ["--private-function-dynamic-ownership"],
           ["--pre=canonicalize,func.func(cse)"]]
HEAD = """#include "passes/LensPasses.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
using namespace mlir;
"""
#: Calls of which at least one program needs each.
WANTED = ("createLiftControlFlowToSCFPass", "createInlinerPass",
          "createSymbolPrivatizePass(others)", "outParams",
          "createOptimizeAllocationLivenessPass",
          "createPromoteBuffersToStackPass", "LensDeallocationOptions",
          "privateFunctionDynamicOwnership = true", "parsePassPipeline",
          "freeAfterLastUse = true",
          "createLensExternalResultsToOutParamsPass")


def codes():
    """The calls, with a sample each; and the remedies that have commands alone."""
    found, without = {}, set()
    for path in sorted((ROOT / "samples").glob("*.mlir")):
        for options in OPTIONS:
            done = subprocess.run(
                [LENS, "check", "--format=json", "--fail-on=none", *options,
                 path], stdin=subprocess.DEVNULL, capture_output=True,
                timeout=300)
            if done.returncode != 0:
                continue
            for finding in json.loads(done.stdout)["files"][0]["findings"]:
                for tried in finding["tried"]:
                    if tried["code"]:
                        found["\n  ".join(tried["code"])] = path.name
                    elif tried["commands"]:
                        without.add(f"{path.name}: {tried['remedy']}")
    return found, without


def compiler():
    """That of our own passes, with its options."""
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    own = next(one for one in commands
               if "MemrefLensPasses.dir/" in one["command"])
    words = shlex.split(own["command"])
    # A cache stands in front.
    words = words[next(at for at, word in enumerate(words)
                       if re.search(r"(\+\+|clang|gcc)[^/]*$", word)):]
    kept = [word for word in words[1:]
            if word.startswith(("-I", "-std", "-D", "-f"))]
    kept += [pair for at, word in enumerate(words) if word == "-isystem"
             for pair in ("-isystem", words[at + 1])]
    return [words[0], *kept, "-fsyntax-only"], own["directory"]


def main():
    found, without = codes()
    text = HEAD
    for number, code in enumerate(sorted(found)):
        text += (f"LogicalResult remedy{number}(PassManager &pm) {{\n  {code}\n"
                 "  return success();\n}\n")
    missing = [word for word in WANTED if word not in text]
    words, directory = compiler()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "remedies.cpp"
        path.write_text(text)
        done = subprocess.run([*words, path], cwd=directory, text=True,
                              capture_output=True, timeout=600)
    print(f"{len(found)} remedies in C++")
    if done.returncode:
        print(done.stderr[:4000])
    if missing:
        print("offered for no sample:", missing)
    if without:
        print("commands without the calls that do the same:", sorted(without))
    return bool(done.returncode or missing or without)


sys.exit(main())
