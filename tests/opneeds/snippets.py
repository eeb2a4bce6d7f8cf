#!/usr/bin/env python3
"""The C++ that `explain --op` prints to be pasted compiles.

  snippets.py MEMREF_LENS CXX INCLUDE...

For ops that lack something, one of each kind: the names that stand for the op's
classes are given to MLIR's, and all of it is compiled.
"""
import json
import re
import subprocess
import sys
import tempfile

TOOL, CXX, INCLUDES = sys.argv[1], sys.argv[2], sys.argv[3:]
# Op -> the classes of it and of its dialect.
OPS = {
    "gpu.barrier": ("gpu::BarrierOp", "gpu::GPUDialect"),
    "affine.prefetch": ("affine::AffinePrefetchOp", "affine::AffineDialect"),
    "memref.generic_atomic_rmw": ("memref::GenericAtomicRMWOp",
                                  "memref::MemRefDialect"),
    "cf.switch": ("cf::SwitchOp", "cf::ControlFlowDialect"),
    "ub.unreachable": ("ub::UnreachableOp", "ub::UBDialect"),
}
HEAD = """
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
using namespace mlir;
"""


def main():
    code, interfaces = HEAD, set()
    for number, (op, classes) in enumerate(OPS.items()):
        done = subprocess.run([TOOL, "explain", "--op", op, "--format=json"],
                              capture_output=True, text=True, check=True,
                              timeout=60)
        for part, snippet in enumerate(json.loads(done.stdout)["snippets"]):
            if snippet["language"] != "cpp":
                continue
            names = re.search(r"\((\w+) and (\w+) stand", snippet["title"])
            interfaces |= set(re.findall(r"(\w+)::ExternalModel",
                                         snippet["code"]))
            code += f"namespace op{number}_{part} {{\n" \
                f"using {names[1]} = {classes[0]};\n" \
                f"using {names[2]} = {classes[1]};\n" \
                f"{snippet['code']}}}\n"
    wanted = {"MemoryEffectOpInterface", "RegionBranchOpInterface",
              "RegionBranchTerminatorOpInterface",
              "BufferDeallocationOpInterface"}
    if interfaces != wanted:
        print(f"no snippet of {wanted - interfaces}, or one of "
              f"{interfaces - wanted}")
        return 1
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as file:
        file.write(code)
        file.flush()
        words = [CXX, "-std=c++17", "-fno-rtti", "-fsyntax-only", "-Wall",
                 "-Werror"]
        for folder in INCLUDES:
            words += ["-isystem", folder]
        done = subprocess.run(words + [file.name], capture_output=True,
                              text=True, timeout=280, check=False)
    print(done.stderr[:4000])
    print(f"{len(OPS)} ops, {len(interfaces)} interfaces")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
