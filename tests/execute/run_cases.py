#!/usr/bin/env python3
"""What `memref-lens run` says of programs with known faults and counts.

Each case is a program, the options, the exit status, and what the text must and must
not say. A fault is told with the program's names and places.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import corpus  # noqa: E402

LENS = os.environ["MEMREF_LENS"]

LOOP = """func.func @f(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 2.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<40xf32>
    memref.store %v, %a[%i] : memref<40xf32>
    %r = memref.load %a[%c0] : memref<40xf32>
    memref.store %r, %x[%c0] : memref<8xf32>
  }
  return
}
"""

DIVISION = """func.func @f(%x: i32, %b: i32) -> i32 {
  %c = arith.constant 0 : i32
  %y = arith.addi %x, %c : i32
  %q = arith.divsi %y, %b : i32
  return %q : i32
}
"""

NARROW_INDEX = """module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {
  func.func @f(%x: memref<4xindex>) -> index {
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%c0] : memref<4xindex>
    return %v : index
  }
}
"""

TRAP = """func.func @f(%%c: i1) {
  scf.if %%c {
    %s
  }
  return
}
"""

PARALLEL = """func.func @f(%x: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %v, %x[%i] : memref<8xf32>
  }
  return
}
"""


def many(count):
    """So many buffers, all alive at once."""
    lines = []
    for n in range(count):
        lines += [f"%m{n} = memref.alloc() : memref<16xf32>",
                  f"memref.store %f, %m{n}[%i] : memref<16xf32>"]
    total = "%f"
    for n in range(count):
        lines += [f"%l{n} = memref.load %m{n}[%i] : memref<16xf32>",
                  f"%s{n} = arith.addf {total}, %l{n} : f32"]
        total = f"%s{n}"
    return ("func.func @f(%f: f32) -> f32 {\n  %i = arith.constant 3 : index\n  " +
            "\n  ".join(lines) + f"\n  return {total} : f32\n}}\n")


MANY = many(3000)

BRANCH = """func.func @f(%c: i1) -> memref<8xf32> {
  %0 = scf.if %c -> memref<8xf32> {
    %a = memref.alloc() : memref<8xf32>
    scf.yield %a : memref<8xf32>
  } else {
    %b = memref.alloc() : memref<8xf32>
    %d = memref.alloc() : memref<8xf32>
    memref.copy %d, %b : memref<8xf32> to memref<8xf32>
    scf.yield %b : memref<8xf32>
  }
  return %0 : memref<8xf32>
}
"""

MANUAL = """func.func @f(%x: memref<8xf32>, %i: index) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  %r = memref.load %a[%i] : memref<8xf32>
  BODY
  return %r : f32
}
"""

BEHIND = """func.func @f(%i: index) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %r = memref.load %a[%i] : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return %r : f32
}
"""

EXTERNAL = """func.func private @ext(memref<8xf32>) -> memref<8xf32>
func.func @f(%x: memref<8xf32>) {
  %r = call @ext(%x) : (memref<8xf32>) -> memref<8xf32>
  return
}
"""

LARGE = """func.func @f(%i: index) -> f32 {
  %a = memref.alloc() : memref<1048576x1024xf32>
  %r = memref.load %a[%i, %i] : memref<1048576x1024xf32>
  return %r : f32
}
"""

ASSERT = """func.func @f(%c: i1) {
  cf.assert %c, "c must hold"
  return
}
"""

SYSTEM = """llvm.func @system(!llvm.ptr) -> i32
func.func @f(%x: memref<8xi8>) {
  %i = memref.extract_aligned_pointer_as_index %x : memref<8xi8> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.call @system(%p) : (!llvm.ptr) -> i32
  return
}
"""

SYSCALL = """func.func @f() {
  %get = llvm.mlir.constant(41 : i64) : i64
  %r = llvm.inline_asm has_side_effects "syscall", "={rax},{rax},~{rcx},~{r11}" %get : (i64) -> i64
  return
}
"""

EQUAL = """func.func @f(%c: i1, %x: memref<8xf32>) -> memref<8xf32> {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  cf.cond_br %n, ^bb1, ^bb2
^bb1:
  %a = memref.alloc() : memref<8xf32>
  return %a : memref<8xf32>
^bb2:
  %b = memref.alloc() : memref<8xf32>
  return %b : memref<8xf32>
}
"""

REALLOC = """func.func @f(%n: index) {
  %a = memref.alloc() : memref<2xi32>
  %b = memref.realloc %a : memref<2xi32> to memref<4xi32>
  %c = memref.realloc %b(%n) : memref<4xi32> to memref<?xi32>
  return
}
"""

TENSOR = """func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
"""

LEFT = """func.func @f(%m: memref<8xindex>, %i: index) {
  %t = gpu.thread_id x
  memref.store %t, %m[%i] : memref<8xindex>
  return
}
"""

INVALID = """func.func @f(%m: memref<f32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %g = %c1)
      threads(%h, %i, %j) in (%k = %c1, %l = %c1, %mm = %c1)
      workgroup(%w : memref<4xf32, 3>) private(%p : memref<1xf32, 5>) {
    %c0 = arith.constant 0 : index
    %v = memref.load %w[%c0] : memref<4xf32, 3>
    memref.store %v, %m[] : memref<f32>
    gpu.terminator
  }
  return
}
"""

REJECTED = """func.func @g(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  return
}
func.func @main(%x: memref<8xf32>) {
  call @g(%x) : (memref<8xf32>) -> ()
  return
}
"""

#: name: (program, options, status, said, unsaid)
CASES = {
    "a loop": (LOOP, ["--arg", "n=40"], 0,
               ["ran @f(%n = 40, %x = 8xf32 random): 40 allocations, 40 deallocations, peak 160 B; "
                "no leak, no use after free", "40x  %a (6:5)"], ["leak:"]),
    "one path": (BRANCH, ["--arg", "c=true"], 0,
                 ["1 allocation, 0 deallocations", "%a (3:5)", "returned 1x",
                  "always true"], ["%b"]),
    "the other": (BRANCH, ["--arg", "0=false"], 0,
                  ["2 allocations, 1 deallocation", "%b (6:5)", "%d (7:5)",
                   "always false"], ["%a (3:5)"]),
    "before the pipeline": (LOOP, ["--stage", "0", "--arg", "n=3"], 1,
                            ["leak: %a (6:5) is never deallocated, 3 times, "
                             "480 B in all"], ["use after free:"]),
    "use after free": (
        MANUAL.replace("BODY", ""), ["--stage", "0", "--arg", "i=2"], 1,
        ["use after free: %a (2:3) is read by memref.load (5:3) after it was "
         "deallocated by memref.dealloc (4:3)"], ["leak:"]),
    "double free": (
        MANUAL.replace("BODY", "memref.dealloc %a : memref<8xf32>").replace(
            "%r = memref.load %a[%i]", "%r = memref.load %x[%i]"),
        ["--stage", "0"], 1,
        ["double free: %a (2:3) is deallocated again by memref.dealloc (6:3), "
         "after memref.dealloc (4:3)"], ["use after free:"]),
    "free of an argument": (
        MANUAL.replace("BODY", "memref.dealloc %x : memref<8xf32>").replace(
            "%r = memref.load %a[%i]", "%r = memref.load %x[%i]"),
        ["--stage", "0"], 1,
        ["free of a borrowed buffer: %x is deallocated by memref.dealloc (6:3), "
         "but belongs to the caller"], ["use after free:"]),
    "out of bounds": (
        MANUAL.replace("BODY", "").replace(
            "%r = memref.load %a[%i]", "%r = memref.load %x[%i]"),
        ["--stage", "0", "--arg", "i=8"], 1,
        ["access out of bounds: %x is read by memref.load (5:3) at byte 32 of "
         "32"], ["use after free:"]),
    "out of bounds, where another buffer is": (
        BEHIND, ["--stage", "0", "--arg", "i=48"], 1,
        ["access out of bounds: %a (2:3) is read by memref.load (4:3) at byte 192 of 32"],
        ["use after free"]),
    "out of bounds, where another buffer was": (
        BEHIND.replace("  %r", "  memref.dealloc %b : memref<8xf32>\n  %r").replace(
            "  memref.dealloc %b : memref<8xf32>\n  return", "  return"),
        ["--stage", "0", "--arg", "i=48"], 1,
        ["access out of bounds: %a (2:3) is read by memref.load (5:3) at byte 192 of 32"],
        ["use after free"]),
    "far out of bounds": (
        BEHIND, ["--stage", "0", "--arg", "i=1000000000000"], 1,
        ["access out of bounds: %a (2:3) is read by memref.load (4:3) at byte 4000000000000"],
        ["crash"]),
    "out of bounds of another memory space": (
        re.sub(r"  memref.dealloc.*\n", "", BEHIND).replace("8xf32>", "8xf32, 1>"),
        ["--stage", "0", "--arg", "i=48"], 1,
        ["access out of bounds: %a (2:3) is read by memref.load (4:3) at byte 192 of 32"],
        ["use after free"]),
    "fresh": (EXTERNAL, [], 0, ["external functions: @ext: fresh",
                                "1 allocation, 1 deallocation"], ["leak:"]),
    "alias": (EXTERNAL, ["--stub", "@ext=alias:0"], 1,
              ["@ext: alias:0", "free of a borrowed buffer: %x is deallocated"],
              ["leak:"]),
    "no memory": (LARGE, [], 1, ["needs more memory than it may have"],
                  ["leak:"]),
    "no end": (LOOP.replace("%a[%i]", "%a[%c1]"),
               ["--timeout", "4", "--arg", "n=1000000000000"], 1, ["does not end within 4 s"],
               ["leak:"]),
    "an assertion": (ASSERT, ["--arg", "c=false"], 1,
                     ["an assertion does not hold: c must hold"], []),
    "a call of the system": (SYSTEM, [], 3, ["is not run", "system"], []),
    "a system call": (SYSCALL, [], 1, ["crashes", "asks the system for something"], []),
    # Which the lowering must not merge.
    "equal blocks": (EQUAL, ["--stage", "0", "--arg", "c=true"], 0,
                     ["%n (4:3)  always false", "1x  %b (9:3)"], ["%a (6:3)"]),
    # A realloc ends a buffer and makes one: each run of it counts once.
    "reallocs": (REALLOC, ["--stage", "0", "--arg", "n=8"], 1,
                 ["leak: %c (4:3) is never deallocated, 32 B in all", "1x  %a (2:3)  8 B",
                  "1x  %b (3:3)  16 B, deallocated 1x", "1x  %c (4:3)  32 B, left 1x"],
                 ["2x"]),
    "a division by zero": (
        DIVISION, ["--arg", "b=0"], 1,
        ["crashes at arith.divsi (4:3): an integer is divided by zero"], ["signal"]),
    "a remainder by zero": (
        DIVISION.replace("divsi", "remui"), ["--arg", "b=0"], 1,
        ["crashes at arith.remui (4:3): an integer is divided by zero"], ["signal"]),
    "a division": (DIVISION, ["--arg", "b=3"], 0, ["no leak, no use after free"], []),
    "a trap": (TRAP % '"llvm.intr.trap"() : () -> ()', ["--stage", "0", "--arg", "c=true"], 1,
               ["it reaches a trap"], ["signal"]),
    "an abort": (
        "llvm.func @abort()\n" + TRAP % "llvm.call @abort() : () -> ()",
        ["--arg", "c=true"], 1, ["crashes", "it calls abort()"], ["signal"]),
    # The limit is of running, which is short.
    "many allocations": (MANY, ["--timeout", "2"], 0,
                         ["3,000 allocations, 3,000 deallocations"], []),
    "too long to compile": (
        MANY, ["--compile-timeout", "0.05"], 3,
        ["to LLVM takes longer than 0 s; '--compile-timeout' allows more"], []),
    "iterations side by side": (
        PARALLEL, [], 0,
        ["no use after free; scf.parallel ran its iterations in turn, so races are "
         "not found"], []),
    "a tensor": (TENSOR, [], 3,
                 ["%x is a tensor<8xf32>", "bufferize the program first"], []),
    "cannot be lowered": (LEFT, [], 3,
                          ["'gpu.thread_id' is left when all passes have run, "
                           "gpu.thread_id (2:3)"], []),
    "an index of other bits": (NARROW_INDEX, [], 3,
                               ["by its data layout (dlti.dl_spec) an index has 32 bits",
                                "leave that out to run it"], []),
    "a rejected callee": (REJECTED, [], 3,
                          ["is not run: the pipeline rejects or skips @g",
                           "'--stage 0' runs the program as written"], []),
    "invalid IR": (
        INVALID, [], 3,
        ["@f is not run: what the passes left is no valid IR: 'gpu.launch' op expected "
         "memref type in attribution; '--stage 0' runs the program as written"],
        ["lens$site"]),
    "as written": (REJECTED, ["--stage", "0"], 1,
                   ["use after free: %a (2:3) is written by memref.copy (4:3)"],
                   []),
    "another argument": (LOOP, ["--arg", "m=3"], 3,
                         ["@f has no argument 'm'"], []),
}

STALE = "defects/uaf-region-result-live-out.mlir"


def run(path, *options):
    return subprocess.run([LENS, "run", *options, path], text=True,
                          capture_output=True, timeout=120)


def faultsOf(name, done, status, said, unsaid):
    text = done.stdout + done.stderr
    if done.returncode != status:
        yield f"{name}: exit {done.returncode}, not {status}: {text[:600]}"
    for words in said:
        if words not in text:
            yield f"{name}: does not say '{words}': {text[:600]}"
    for words in unsaid:
        if words in text:
            yield f"{name}: says '{words}': {text[:600]}"


def checkJson(path):
    """The same figures as the text, and equal bytes each time."""
    made = [run(path, "--format", "json", "--arg", "n=40") for _ in range(2)]
    record = json.loads(made[0].stdout)
    if made[0].stdout != made[1].stdout:
        yield "JSON: two runs of one seed differ"
    if (record["allocations"], record["deallocations"],
            record["peakBytes"]) != (40, 40, 160):
        yield f"JSON: {record['allocations']}, {record['peakBytes']}"
    if record["predictedPeakBytes"] != 160:
        yield f"JSON: predicted {record['predictedPeakBytes']}"
    schema = json.loads((corpus.ROOT / "docs/run.schema.json").read_text())
    keys = set(schema["properties"])
    if keys != set(record):
        yield f"docs/run.schema.json: {keys ^ set(record)}"
    site = schema["properties"]["sites"]["items"]["properties"]
    if set(site) != set(record["sites"][0]):
        yield f"docs/run.schema.json: sites: {set(site) ^ set(record['sites'][0])}"


def checkStale():
    """Upstream's pipeline uses a freed buffer; ours does not."""
    path = corpus.corpus() / STALE
    chosen = ["--arg", "c=true", "--arg", "i=3"]
    stock = run(path, *chosen, "--stage", "0", "--pre",
                "buffer-deallocation-pipeline")
    yield from faultsOf("upstream", stock, 1,
                        ["use after free: %a (9:5) is written by memref.store "
                         "(16:3)"], [])
    yield from faultsOf("ours", run(path, *chosen), 0, ["no use after free"],
                        [])


def main():
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, case) in enumerate(CASES.items()):
            program, options, *expected = case
            path = pathlib.Path(folder) / f"case-{number}.mlir"
            path.write_text(program)
            faults += faultsOf(name, run(path, *options), *expected)
        path = pathlib.Path(folder) / "loop.mlir"
        path.write_text(LOOP)
        faults += checkJson(path)
    faults += checkStale()
    print("\n".join(faults) or f"{len(CASES)} cases hold")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
