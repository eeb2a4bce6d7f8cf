#!/usr/bin/env python3
"""Sizes that the program leaves open, what is not on the heap, and files of memory.

  run_sizes.py

- a dynamic size is told by its symbols, and counted where `--assume` states it: by a
  scalar's name everywhere, by a dimension of an argument; what is not stated stays
  listed, and the peak a lower bound;
- a layout counts from the start to behind the last element, as MLIR's
  normalize-memrefs allocates it;
- a clone is as large as what is cloned, by its memory or the view's op, without gaps
  between its elements; one of an open size is named by what is cloned;
- an alignment of more than 64 is kept by each arena;
- stack buffers and globals are told apart from the heap;
- a loop that counts to a number has the peak that a run has, whatever its rounds make
  of the number;
- `-o` makes SVG, PNG, HTML and JSON by the file's ending;
- `--budget peak=` names the buffers, and `compare --before` the causes.
"""

import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import corpus  # noqa: E402

LENS = os.environ["MEMREF_LENS"]

DYNAMIC = """func.func private @callee(%n: index, %x: memref<?xf32>) {
  %own = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %own : memref<?xf32> to memref<?xf32>
  memref.copy %own, %x : memref<?xf32> to memref<?xf32>
  return
}
func.func @f(%n: index, %m: index, %x: memref<?xf32>, %y: memref<4x?xi8>) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n, %m) : memref<?x?x2xf32>
  %d = memref.dim %y, %c1 : memref<4x?xi8>
  %e = memref.alloc(%d) : memref<4x?xi8>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  memref.copy %y, %e : memref<4x?xi8> to memref<4x?xi8>
  call @callee(%n, %a) : (index, memref<?xf32>) -> ()
  %z = memref.collapse_shape %b [[0, 1, 2]] : memref<?x?x2xf32> into memref<?xf32>
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  memref.copy %z, %x : memref<?xf32> to memref<?xf32>
  memref.copy %e, %y : memref<4x?xi8> to memref<4x?xi8>
  return
}
"""

INDEX = """module attributes {dlti.dl_spec = #dlti.dl_spec<index = %d>} {
  func.func @f(%%n: index, %%v: index) -> index {
    %%c0 = arith.constant 0 : index
    %%a = memref.alloc(%%n) : memref<?x3xindex>
    memref.store %%v, %%a[%%c0, %%c0] : memref<?x3xindex>
    %%x = memref.load %%a[%%c0, %%c0] : memref<?x3xindex>
    return %%x : index
  }
}
"""

LAYOUTS = """func.func @f(%i: index) -> f32 {
  %a = memref.alloc() : memref<4x8xf32, strided<[16, 1], offset: 2>>
  %b = memref.alloc() : memref<4x8xf32, affine_map<(d0, d1) -> (d0 * 10 + d1 + 3)>>
  %v = memref.load %a[%i, %i] : memref<4x8xf32, strided<[16, 1], offset: 2>>
  %w = memref.load %b[%i, %i] : memref<4x8xf32, affine_map<(d0, d1) -> (d0 * 10 + d1 + 3)>>
  %r = arith.addf %v, %w : f32
  return %r : f32
}
"""

APART = """memref.global "private" constant @weights : memref<16xf32> = dense<1.0>
memref.global "private" constant @more : memref<4xf32> = dense<1.0>
func.func @f(%i: index, %n: index, %x: memref<64xf32>) -> f32 {
  %w = memref.get_global @weights : memref<16xf32>
  %again = memref.get_global @weights : memref<16xf32>
  %m = memref.get_global @more : memref<4xf32>
  %s = memref.alloca() : memref<8xf32>
  %open = memref.alloca(%n) : memref<?xf32>
  %a = memref.alloc() {alignment = 256 : i64} : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  %v = memref.load %w[%i] : memref<16xf32>
  memref.store %v, %s[%i] : memref<8xf32>
  memref.store %v, %open[%i] : memref<?xf32>
  %t = memref.load %s[%i] : memref<8xf32>
  %o = memref.load %open[%i] : memref<?xf32>
  %q = memref.load %m[%i] : memref<4xf32>
  %u = memref.load %again[%i] : memref<16xf32>
  %r = arith.addf %t, %o : f32
  %r2 = arith.addf %r, %q : f32
  %r3 = arith.addf %r2, %u : f32
  return %r3 : f32
}
"""

BEFORE = """func.func @f(%x: memref<256xf32>) {
  %a = memref.alloc() : memref<256xf32>
  memref.copy %x, %a : memref<256xf32> to memref<256xf32>
  memref.copy %a, %x : memref<256xf32> to memref<256xf32>
  return
}
"""
AFTER = BEFORE.replace("""  return
""", """  %b = memref.alloc() : memref<256xf32>
  memref.copy %x, %b : memref<256xf32> to memref<256xf32>
  memref.copy %b, %x : memref<256xf32> to memref<256xf32>
  return
""")

LOOPS = """// Alike each round: two at a time, whatever the number of rounds.
func.func @alike(%f: f32, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    memref.store %f, %a[%i] : memref<16xf32>
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  }
  return
}
// Each round leaves one behind.
func.func @left(%f: f32, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() {bufferization.manual_deallocation} : memref<16xf32>
    memref.store %f, %a[%i] : memref<16xf32>
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  }
  return
}
// The largest is that of the last round.
func.func @larger(%f: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %n = arith.addi %i, %c1 : index
    %a = memref.alloc(%n) : memref<?xf32>
    memref.store %f, %a[%c0] : memref<?xf32>
    %part = memref.subview %out[0] [%n] [1] : memref<64xf32> to memref<?xf32, strided<[1]>>
    memref.copy %a, %part : memref<?xf32> to memref<?xf32, strided<[1]>>
  }
  return
}
// One in round 2, another in round 5: never both.
func.func @chosen(%f: f32, %out: memref<256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %base = memref.alloc() : memref<256xf32>
  memref.copy %out, %base : memref<256xf32> to memref<256xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %is2 = arith.cmpi eq, %i, %c2 : index
    %a = scf.if %is2 -> memref<256xf32> {
      %new = memref.alloc() : memref<256xf32>
      memref.store %f, %new[%i] : memref<256xf32>
      scf.yield %new : memref<256xf32>
    } else {
      scf.yield %base : memref<256xf32>
    }
    %is5 = arith.cmpi eq, %i, %c5 : index
    scf.if %is5 {
      %b = memref.alloc() : memref<256xf32>
      memref.copy %a, %b : memref<256xf32> to memref<256xf32>
      memref.copy %b, %out : memref<256xf32> to memref<256xf32>
    }
    memref.copy %a, %out : memref<256xf32> to memref<256xf32>
  }
  return
}
// The same, kept in memory.
func.func @stored(%f: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %m = memref.alloc() : memref<1xindex>
  memref.store %c1, %m[%c0] : memref<1xindex>
  scf.for %i = %c0 to %c9 step %c1 {
    memref.store %i, %m[%c0] : memref<1xindex>
    %a = memref.alloc() : memref<4xf32>
    memref.store %f, %a[%c0] : memref<4xf32>
    %x = memref.load %a[%c1] : memref<4xf32>
    memref.store %x, %out[%i] : memref<64xf32>
  }
  %n = memref.load %m[%c0] : memref<1xindex>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.store %f, %b[%c0] : memref<?xf32>
  %part = memref.subview %out[0] [%n] [1] : memref<64xf32> to memref<?xf32, strided<[1]>>
  memref.copy %b, %part : memref<?xf32> to memref<?xf32, strided<[1]>>
  return
}
// In a loop of its own, as often as the one around says.
func.func @nested(%f: f32, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      %a = memref.alloc() {bufferization.manual_deallocation} : memref<16xf32>
      memref.store %f, %a[%j] : memref<16xf32>
      memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    }
  }
  return
}
"""
LEFT_OF_LOOPS = {"left", "nested"}

found = []


def expect(name, holds, what=""):
    if not holds:
        found.append(f"{name}: {what}")


def run(*words):
    done = subprocess.run([LENS, *map(str, words)], stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=300)
    return done.returncode, done.stdout.decode(errors="replace"), \
        done.stderr.decode(errors="replace")


def memory(path, *options):
    status, out, errors = run("memory", "--format=json", *options, path)
    if status:
        found.append(f"memory: exit {status}: {errors}")
        return {}
    return {one["function"]: one for one in json.loads(out)["functions"]}


def checkDynamic(folder):
    path = folder / "dynamic.mlir"
    path.write_text(DYNAMIC)
    plain = memory(path)["f"]
    sizes = {one["name"]: (one["size"], one["symbols"])
             for one in plain["unknownBuffers"]}
    expect("symbols", sizes == {"%a": ("4 * %n", ["%n"]),
                                "%b": ("8 * %n * %m", ["%m", "%n"]),
                                "%e": ("4 * %d", ["%d"])}, sizes)
    expect("not zero", plain["peakIsLowerBound"] and plain["gaps"], plain["gaps"])
    text = run("memory", "--function=f", path)[1]
    for words in ("size not known     %a (9:3), 4 * %n B",
                  "--assume '%n=1024' states one", "peak unknown"):
        expect("symbols as text", words in text, f"no '{words}':\n{text}")
    # The same symbol, the same number: also in the callee.
    some = memory(path, "--assume", "%n=1024")
    expect("one symbol", some["callee"]["peakBytes"] == 4096 and
           not some["callee"]["peakIsLowerBound"], some["callee"]["peakBytes"])
    expect("one symbol", [one["name"] for one in some["f"]["unknownBuffers"]] ==
           ["%b", "%e"] and some["f"]["peakIsLowerBound"] and
           some["f"]["peakBytes"] == 8192, some["f"]["peakBytes"])
    whole = memory(path, "--assume=%n=1024", "--assume=%m=2",
                   "--assume=@f:3:1=100")["f"]
    bytes = {one["name"]: one["bytes"] for one in whole["buffers"]}
    expect("all stated", bytes == {"%a": 4096, "%b": 16384, "%e": 400} and
           not whole["unknownBuffers"] and not whole["peakIsLowerBound"] and
           whole["peakBytes"] == 4096 + 16384 + 400 + 4096, (bytes, whole["gaps"],
                                                             whole["peakBytes"]))
    byArgument = memory(path, "--assume=@f:0=1024", "--assume=@f:1=2",
                        "--assume=@f:3:1=100")["f"]
    expect("by argument", byArgument["peakBytes"] == whole["peakBytes"],
           byArgument["peakBytes"])
    text = run("memory", "--function=f", "--assume=%n=1024", path)[1]
    expect("assumed", "assumed            %n=1024" in text, text)
    _, _, errors = run("memory", "--assume=%none=3", "--assume=@f:9:0=1", path)
    expect("of nothing", errors.count("is about nothing in the program") == 2, errors)
    for wrong in ("%n", "%n=", "%n=-1", "n=3", "@f=3", "@f:x:0=3", "%n=4k"):
        status, _, errors = run("memory", "--assume", wrong, path)
        expect("a wrong size", status == 2 and "'--assume' takes" in errors,
               (wrong, status, errors))
    for command in (["check", "--no-try", "--format=json", "--fail-on=none"],
                    ["compare", "--pipelines=ownership", "--format=json"]):
        status, out, errors = run(*command, "--assume=%n=1024", "--assume=%m=2",
                                  "--assume=@f:3:1=100", path)
        peaks = re.findall(r'"peakBytes": ?(\d+)', out)
        expect("the same elsewhere", str(whole["peakBytes"]) in peaks,
               (command[0], peaks, errors))


def checkIndex(folder):
    """As `finalize-memref-to-llvm` allocates an index, which the data layout says."""
    path = folder / "index.mlir"
    for bits, size in ((32, "12 * %n"), (64, "24 * %n")):
        path.write_text(INDEX % bits)
        told = {one["name"]: one["size"] for one in memory(path)["f"]["unknownBuffers"]}
        expect("index by the layout", told == {"%a": size}, told)


def checkLayouts(folder):
    path = folder / "layouts.mlir"
    path.write_text(LAYOUTS)
    function = memory(path)["f"]
    ours = {one["name"]: one["bytes"] for one in function["buffers"]}
    done = subprocess.run([corpus.tool("mlir-opt"), "--normalize-memrefs", path],
                          capture_output=True, text=True)
    # In the order of the text: %a, %b.
    theirs = [4 * eval(size.replace("x", "*")) for size in
              re.findall(r"memref\.alloc\(\) : memref<([\dx]+)xf32>", done.stdout)]
    expect("layouts", ours == {"%a": theirs[0], "%b": theirs[1]},
           (ours, theirs, done.stderr[:200]))


CLONES = """func.func @known() -> memref<?xf32> {
  %a = memref.alloc() : memref<8xf32>
  %x = memref.cast %a : memref<8xf32> to memref<?xf32>
  %r = call @same(%x) : (memref<?xf32>) -> memref<?xf32>
  return %r : memref<?xf32>
}
func.func private @same(%p: memref<?xf32>) -> memref<?xf32> {
  return %p : memref<?xf32>
}
func.func @view(%p: memref<4x64xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
  %c4 = arith.constant 4 : index
  %v = memref.subview %p[1, 0] [1, %c4] [1, 2] : memref<4x64xf32>
      to memref<?xf32, strided<[2], offset: 64>>
  %x = memref.cast %v : memref<?xf32, strided<[2], offset: 64>>
      to memref<?xf32, strided<[?], offset: ?>>
  return %x : memref<?xf32, strided<[?], offset: ?>>
}
func.func @spread(%p: memref<8x8xf32, strided<[?, ?], offset: ?>>)
    -> memref<8x8xf32, strided<[?, ?], offset: ?>> {
  return %p : memref<8x8xf32, strided<[?, ?], offset: ?>>
}
"""


def checkClones(folder):
    path = folder / "clones.mlir"
    path.write_text(CLONES)
    for name, bytes in (("known", 64), ("view", 16), ("spread", 256)):
        _, out, errors = run("run", "--format=json", f"--entry={name}", path)
        record = json.loads(out)
        told = [record[one] for one in ("predictedPeakBytes", "peakBytes",
                                        "predictedPeakIsLowerBound")]
        expect("clone", told == [bytes, bytes, False], (name, told, errors))
    open = memory(path)["same"]
    expect("open clone", open["gaps"] ==
           ["the size of the clone of %p (7:25) is not known"], open["gaps"])
    stated = memory(path, "--assume=@same:0:0=32")["same"]
    expect("stated clone", (stated["peakBytes"], stated["gaps"]) == (128, []), stated)


def checkApart(folder):
    path = folder / "apart.mlir"
    path.write_text(APART)
    function = memory(path)["f"]
    stack = {one["name"]: one["bytes"] for one in function["stack"]}
    expect("stack", stack == {"%s": 32, "%open": None}, stack)
    names = {one["name"]: one["bytes"] for one in function["globals"]}
    expect("globals", names == {"@weights": 64, "@more": 16}, names)
    expect("heap alone", function["peakBytes"] == 512, function["peakBytes"])
    expect("alignment", function["arenaAlignment"] == 256 and
           all(offset % 256 == 0 for one in function["buffers"]
               for offset in one["offsets"].values()), function["buffers"])
    text = run("memory", path)[1]
    for words in ("on the stack       at least 32 B apart from the heap (2 buffers, "
                  "the size of 1 not known)",
                  "in globals         80 B       apart from the heap (2 globals)"):
        expect("apart", words in text, f"no '{words}':\n{text}")


def checkLoops(folder):
    path = folder / "loops.mlir"
    path.write_text(LOOPS)
    for name, told in memory(path, "--all").items():
        status, out, errors = run("run", path, "--entry", f"@{name}", "--format", "json")
        expect(f"run of @{name}", status == (name in LEFT_OF_LOOPS), (status, errors))
        ran = json.loads(out)["peakBytes"]
        expect(f"peak of @{name}", told["peakBytes"] == ran and not told["gaps"],
               (told["peakBytes"], told["gaps"], ran))


def checkFiles(folder):
    path = folder / "apart.mlir"
    path.write_text(APART)
    for ending, begin in ((".svg", b"<svg"), (".png", b"\x89PNG"),
                          (".html", b"<!DOCTYPE html>"), (".json", b"{")):
        out = folder / ("memory" + ending)
        status, _, errors = run("memory", "-o", out, path)
        made = out.read_bytes() if out.exists() else b""
        expect("by ending", status == 0 and made.startswith(begin),
               (ending, status, errors, made[:20]))
    made = (folder / "memory.png").read_bytes()
    wide, high = struct.unpack(">II", made[16:24])
    expect("PNG", wide > 900 and high > 300 and len(made) > 5000,
           (wide, high, len(made)))
    expect("HTML", b'data-tab="memory"' in (folder / "memory.html").read_bytes())
    for view in ("lifetimes", "memory", "arena"):
        out = folder / f"{view}.png"
        status, _, errors = run("export", f"--view={view}", "-o", out, path)
        expect("export", status == 0 and out.read_bytes().startswith(b"\x89PNG"),
               (view, status, errors))


def checkBudget(folder):
    path = folder / "after.mlir"
    path.write_text(AFTER)
    status, out, errors = run("check", "--no-try", "--budget", "peak=1536B", path)
    expect("budget", status == 1 and
           "@f has a peak of 2 KiB at 5:8, 512 B over the budget of 1.5 KiB" in out,
           (status, out, errors))
    for words in ("%b, 1 KiB: in use until memref.copy (7:3)",
                  "%a, 1 KiB: idle since memref.copy (4:3); the pass deallocates at "
                  "the end of a block"):
        expect("budget by buffer", words in out, f"no '{words}':\n{out}")
    status, out, _ = run("check", "--no-try", "--budget", "peak=2KiB,clones=0", path)
    expect("within", status == 0 and "budget" not in out, (status, out))
    status, _, errors = run("check", "--no-try", "--budget", "peak=2XB", path)
    expect("no budget", status == 2 or "peak=SIZE" in errors, (status, errors))


def checkChange(folder):
    before, after = folder / "before.mlir", folder / "after.mlir"
    before.write_text(BEFORE)
    after.write_text(AFTER)
    _, out, _ = run("compare", "--before", before, "--after", after)
    for words in ("### Peak of @f: 1 KiB → 2 KiB",
                  "- new 1 KiB: idle: the pass deallocates at the end of a block",
                  "- new 1 KiB: %b", "~~~mermaid\nxychart-beta\n"):
        expect("peak by cause", words in out, f"no '{words}':\n{out}")
    _, out, _ = run("compare", "--format=text", "--before", before, "--after", after)
    expect("as text", "  peak new 1 KiB: %b" in out, out)
    _, out, _ = run("compare", "--format=json", "--before", before, "--after", after)
    changed = json.loads(out)["functions"][0]
    expect("as JSON", "new 1 KiB: %b" in changed.get("peakChanges", []), changed)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for check in (checkDynamic, checkIndex, checkLayouts, checkClones, checkApart,
                      checkLoops, checkFiles, checkBudget, checkChange):
            check(folder)
    print("\n".join(found) or "all hold")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
