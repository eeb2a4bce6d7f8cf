#!/usr/bin/env python3
"""The size of every element type, as the lowering allocates it.

  run_elements.py

Each type that a memref may have is the element of one of ten, which a function
allocates and returns. What `memory` says is what the run asks the heap for, and
what mlir-opt-22 asks malloc for by itself, read from its LLVM IR.
"""

import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges"))

import judges  # noqa: E402

NUMBERS = [f"i{bits}" for bits in (1, 2, 7, 8, 9, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65,
                                   96, 100, 127, 128, 129, 200, 256)]
FLOATS = ["f16", "bf16", "f32", "f64", "f80", "f128", "f8E4M3FN", "f8E5M2", "f4E2M1FN",
          "f6E2M3FN"]
TYPES = (NUMBERS + FLOATS + ["index", "si16", "ui24"]
         + [f"complex<{one}>" for one in ("f16", "f32", "f64", "f80", "i24", "i65")]
         + [f"vector<{one}>" for one in ("f32", "i1", "64xi1", "3xi1", "9xi1", "3xf80", "3xf32",
                                         "2x3xf16", "2x3x5xi1", "4xindex", "3xi24", "17xi8",
                                         "1xi65")]
         + ["memref<4xf32>", "memref<f32>", "memref<2x?xf32>", "memref<*xf32>"])
LOWER = ("builtin.module(finalize-memref-to-llvm,convert-func-to-llvm,"
         "convert-arith-to-llvm,convert-index-to-llvm,reconcile-unrealized-casts)")
COUNT = 1000


def program(element, shape=COUNT):
    memref = f"memref<{shape}x{element}>"
    return (f"func.func @f() -> {memref} {{\n  %a = memref.alloc() : {memref}\n"
            f"  return %a : {memref}\n}}\n")


def allocated(text):
    """Bytes that upstream's lowering asks malloc for, without the room to align."""
    low = judges.run([judges.tool("mlir-opt"), "-", f"--pass-pipeline={LOWER}"], text)
    if low.status != 0:
        return None
    made = judges.run([judges.tool("mlir-translate"), "--mlir-to-llvmir", "-"], low.out)
    found = re.search(r"call ptr @malloc\(i64 (.*)\)\n", made.out)
    if not found:
        return None
    numbers = re.findall(r"getelementptr \((.*?), ptr null, i64 (\d+)\)", found[1])
    if not numbers:
        return int(found[1]) if found[1].isdigit() else None
    return constant(found[1])


def constant(words):
    """What opt folds the constant to, as the text of a function that returns it."""
    text = f"define i64 @f() {{\n  ret i64 {words}\n}}\n"
    folded = judges.run([judges.tool("opt"), "-S", "-passes=instcombine", "-"], text)
    found = re.search(r"ret i64 (\d+)", folded.out)
    return int(found[1]) if found else None


def main():
    judges.tool("mlir-translate"), judges.tool("opt")
    faults, compared, padded = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "f.mlir"
        for element in TYPES:
            path.write_text(program(element))
            done = judges.run([judges.lens(), "memory", "--format=json", path])
            told = json.loads(done.out)["functions"][0]
            known = [buffer["bytes"] for buffer in told["buffers"]]
            run = judges.run([judges.lens(), "run", "--format=json", path])
            record = json.loads(run.out)
            upstream = allocated(program(element))
            if record["end"] != "returned" or upstream is None:
                faults.append(f"{element}: not run: {record['failure']}")
                continue
            compared += 1
            peak = record["peakBytes"]
            # Upstream asks for one element more, where the alignment of malloc is not enough.
            if peak not in (upstream, upstream - peak // COUNT):
                faults.append(f"{element}: the run asks for {peak} B, upstream {upstream} B")
            padded += peak != upstream
            if known != [peak]:
                faults.append(f"{element}: predicted {known} B, allocated {peak} B")
    for fault in faults:
        print(fault)
    print(f"{compared} of {len(TYPES)} element types compared, {padded} of which malloc "
          f"aligns with one element more; {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
