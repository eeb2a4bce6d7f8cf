#!/usr/bin/env python3
"""External functions that write into buffers of their callers.

  run_out_params.py PLUGIN MEMREF_LENS GENERATOR

`lens-external-results-to-out-params` changes each declaration that returns memrefs
whose sizes are known, with all of its calls; it says of each other one why it still
returns them. Of random programs it changes exactly these, the result is valid, and the
deallocation of it has no fault that the program did not have.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import corpus  # noqa: E402
import sample  # noqa: E402

PLUGIN, LENS, GENERATOR = sys.argv[1:]
OPT = corpus.tool("mlir-opt")
PASS = "lens-external-results-to-out-params"

CASES = """module attributes {t.x} {
func.func private @one(memref<8xf32>, f32) -> (memref<8xf32>, i32)
    attributes {memref_lens.fresh_results, memref_lens.no_capture}
func.func private @two(memref<8xf32> {t.a}) -> (memref<2xf32> {t.b}, i1 {t.c}, memref<f32>)
func.func private @cast() -> memref<8xf32, strided<[?], offset: ?>>
func.func private @sized(memref<?x4xf32>) -> (memref<?x4xf32> {memref_lens.shape_of = 0})
func.func private @unsized(memref<?xf32>) -> memref<?xf32>
func.func private @beyond(memref<?xf32>) -> (memref<?xf32> {memref_lens.shape_of = 1})
func.func private @unranked() -> memref<*xf32>
func.func private @strange() -> memref<4xf32, strided<[2], offset: 0>>
func.func private @constant() -> memref<8xf32>
func.func private @none(memref<8xf32>) -> i32
func.func private @body() -> memref<8xf32> {
  %0 = memref.alloc() : memref<8xf32>
  return %0 : memref<8xf32>
}
func.func @f(%a: memref<8xf32>, %s: f32, %d: memref<?x4xf32>) -> (memref<8xf32>, i32, i1) {
  %0:2 = call @one(%a, %s) {t.call} : (memref<8xf32>, f32) -> (memref<8xf32>, i32)
  %1:3 = call @two(%0#0) : (memref<8xf32>) -> (memref<2xf32>, i1, memref<f32>)
  %2 = call @cast() : () -> memref<8xf32, strided<[?], offset: ?>>
  memref.copy %2, %a : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
  %3 = call @sized(%d) : (memref<?x4xf32>) -> memref<?x4xf32>
  memref.copy %3, %d : memref<?x4xf32> to memref<?x4xf32>
  %4 = constant @constant : () -> memref<8xf32>
  %5 = call_indirect %4() : () -> memref<8xf32>
  memref.store %s, %1#2[] : memref<f32>
  return %5, %0#1, %1#1 : memref<8xf32>, i32, i1
}
module @inner {
  func.func private @one() -> memref<4xf32>
  func.func @g() {
    %0 = call @one() : () -> memref<4xf32>
    return
  }
}
}
"""
STRIDED = "strided<[?], offset: ?>"
WANTED = (
    "private @one(memref<8xf32>, f32, memref<8xf32>) -> i32 "
    "attributes {memref_lens.no_capture}",
    "private @two(memref<8xf32> {t.a}, memref<2xf32>, memref<f32>) "
    "-> (i1 {t.c})",
    f"private @cast(memref<8xf32, {STRIDED}>)\n",
    "private @sized(memref<?x4xf32>, memref<?x4xf32>)\n",
    "private @unsized(memref<?xf32>) -> memref<?xf32>",
    "private @unranked() -> memref<*xf32>",
    "private @constant() -> memref<8xf32>",
    "private @none(memref<8xf32>) -> i32",
    "private @body() -> memref<8xf32> {",
    "private @one(memref<4xf32>)\n",
    "%0 = call @one(%arg0, %arg1, %alloc) {t.call} : "
    "(memref<8xf32>, f32, memref<8xf32>) -> i32",
    "%1 = call @two(%alloc, %alloc_0, %alloc_1) :",
    f"%cast = memref.cast %alloc_2 : memref<8xf32> to memref<8xf32, {STRIDED}>",
    "%alloc_3 = memref.alloc(%dim) : memref<?x4xf32>",
    "return %2, %0, %1 :")
REMARKS = {
    "unsized": "a size that no argument is stated to have",
    "beyond": "a size that no argument is stated to have",
    "unranked": "has no rank", "strange": "a layout that no new buffer has",
    "constant": "`func.constant` refers to it"}


def opt(path, options="", *words):
    return subprocess.run(
        [OPT, f"--load-pass-plugin={PLUGIN}", *words,
         f"--pass-pipeline=builtin.module({PASS}{options})", path],
        capture_output=True, text=True, timeout=300)


def isolated(folder):
    """One declaration for each rule."""
    path = Path(folder) / "cases.mlir"
    path.write_text(CASES)
    done = opt(path, "", "--allow-unregistered-dialect")
    faults = [f"not printed: {line}" for line in WANTED
              if line not in done.stdout]
    told = dict(re.findall(r"remark: @(\w+) still returns memrefs: (.*)",
                           done.stderr))
    faults += [f"of @{name} is told: {told.get(name)}"
               for name, why in REMARKS.items() if why not in told.get(name, "")]
    if set(told) != set(REMARKS):
        faults.append(f"told of {sorted(told)}")
    some = opt(path, "{functions=@t*,sized}", "--allow-unregistered-dialect")
    changed = {name for name in ("one", "two", "cast", "sized")
               if f"@{name}(" in some.stdout and re.search(
                   rf"private @{name}\(.*\)( -> \(?i.*)?\n", some.stdout)
               and not re.search(rf"private @{name}\(.*-> \(?memref", some.stdout)}
    if changed != {"two", "sized"} or some.stderr:
        faults.append(f"of two named functions are changed: {changed}")
    return [*faults, done.stdout, done.stderr] if faults else []


def errors(path, *words):
    """Faults of memory on any path; nothing where it is not accepted."""
    done = subprocess.run(
        [LENS, "check", "--format=json", "--no-try", "--fail-on=none", *words,
         path], capture_output=True, timeout=300)
    if done.returncode != 0:
        return None
    findings = json.loads(done.stdout)["files"][0]["findings"]
    return sorted(one["rule"] for one in findings
                  if one["severity"] == "error")


def returning(text):
    return set(re.findall(r"func\.func private @(\w+)\([^{\n]*\) -> [^{\n]*"
                          r"memref<[^{\n]*$", text, re.M))


def randomFaults(path):
    before = opt(path, "{functions=@no_such}")
    after = opt(path)
    if before.returncode != 0:
        return 0, []
    if after.returncode != 0:
        return 0, [after.stderr]
    had = returning(before.stdout)
    kept = {name for name in had if re.search(
        rf"private @{name}\(.*\) -> .*memref<(\*|\S*\?)", before.stdout)}
    faults = []
    if returning(after.stdout) != kept:
        faults.append(f"still return memrefs: {returning(after.stdout)}, "
                      f"not {kept}")
    old, new = errors(path), errors(path, f"--pre={PASS}")
    if old is not None and (new is None or len(new) > len(old)):
        faults.append(f"faults {old}, then {new}")
    return len(had - kept), faults


def main():
    with tempfile.TemporaryDirectory() as folder:
        faults = isolated(folder)
        seeds = sample.seeds(None, 10, 130, 600, 3000)
        changed = looked = 0
        for seed in seeds:
            path = Path(folder) / f"random-{seed}.mlir"
            text = subprocess.run(
                [sys.executable, GENERATOR, "--seed", str(seed)],
                capture_output=True, timeout=60, text=True).stdout
            if not returning(text):
                continue
            path.write_text(text)
            looked += 1
            count, found = randomFaults(path)
            changed += count
            faults += [f"random {seed}: {fault}" for fault in found]
    print("\n".join(faults))
    print(f"{looked} random programs, {changed} declarations changed, "
          f"{len(faults)} faults")
    return len(faults) > 0 or changed < 5


sys.exit(main())
