#!/usr/bin/env python3
"""Memory spaces: peaks, sizes and budgets of each by itself.

  run_spaces.py

A tile loop with two spaces, in each command; and random programs whose peaks by space
are held to those of a run, which knows nothing of how they were predicted: from its
buffers, each with when it began and ended, and the space that the text has for it.
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

LENS = os.environ["MEMREF_LENS"]
FULL = os.environ.get("MEMREF_LENS_FULL") == "1"
SEED = int(os.environ.get("MEMREF_LENS_SEED", "1"))
faults = []

TILES = """func.func private @read(memref<256x256xf32, 1>, memref<32x64xf32, 2>, index)
func.func private @mix(memref<32x64xf32, 2>, memref<64x64xf32, 2>)
func.func @tiles(%rounds: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %shared = memref.alloc() : memref<256x256xf32, 1>
  %sum = memref.alloc() : memref<64x64xf32, 2>
  scf.for %i = %c0 to %rounds step %c1 {
    %left = memref.alloc() : memref<32x64xf32, 2>
    %right = memref.alloc() : memref<32x64xf32, 2>
    func.call @read(%shared, %left, %i)
      : (memref<256x256xf32, 1>, memref<32x64xf32, 2>, index) -> ()
    func.call @mix(%left, %sum) : (memref<32x64xf32, 2>, memref<64x64xf32, 2>) -> ()
    func.call @read(%shared, %right, %i)
      : (memref<256x256xf32, 1>, memref<32x64xf32, 2>, index) -> ()
    func.call @mix(%right, %sum) : (memref<32x64xf32, 2>, memref<64x64xf32, 2>) -> ()
  }
  return
}
"""


def expect(what, holds, shown=""):
    if not holds:
        faults.append(f"{what}\n{str(shown)[:1500]}")


def lens(*words, folder=None):
    done = subprocess.run([LENS, *map(str, words)], capture_output=True, cwd=folder,
                          timeout=300)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def text(*words, folder=None):
    status, out, err = lens(*words, folder=folder)
    return out.decode("utf-8", "replace") + err


#===--- One program in every command ----------------------------------------===#

def commands(folder):
    path = folder / "tiles.mlir"
    path.write_text(TILES)
    first = text(path)
    expect("the first screen tells both by themselves",
           "peak at least 256 KiB in memory space 1, at least 32 KiB in memory space 2"
           in first, first)
    expect("and what the loop allocates", "allocates 2 buffers in each iteration" in first
           and "allocations in loops 2 -> 0" in first, first)
    told = text("memory", path, "--space", "2=L1,24KiB")
    expect("memory: a section each", "@tiles, memory space 1: peak at least 256 KiB"
           in told and "@tiles, memory space 2 (L1): peak at least 32 KiB at 10:14, "
           "8 KiB more than its 24 KiB" in told, told)
    expect("what fits", "fits               if each is allocated right in front of its "
           "first use" in told, told)
    told = text("memory", path, "--space", "2=L1,20KiB")
    expect("what does not", re.search(r"does not fit +by any order: %sum \(16 KiB\) has "
                                      r"to be elsewhere", told), told)
    data = json.loads(lens("memory", path, "--format=json")[1])["functions"]
    spaces = {one["space"]: one for one in data}
    expect("JSON", {"1": 262144, "2": 32768} ==
           {space: one["peakBytes"] for space, one in spaces.items()}, data)
    expect("a buffer is in one of them", [len(spaces[one]["buffers"]) for one in "12"] ==
           [1, 3], data)
    for budget, over in (("peak[2]=32KiB", 0), ("peak[2]=31KiB", 1), ("peak[1]=1KiB", 1),
                         ("peak[3]=1B", 0)):
        status, out, err = lens("check", "--no-try", "--budget", budget, path)
        expect(f"--budget {budget}", (b"over-budget" in out) == bool(over), out)
    out = text("check", "--no-try", "--space=2=L1,24KiB", path)
    expect("what a space does not hold is an error",
           "error: @tiles has a peak of at least 32 KiB in memory space 2 (L1) at 10:14, "
           "8 KiB over the size of 24 KiB [over-budget]" in out, out)
    out = text("check", "--no-try", "--space=2=L1,24KiB", "--budget=peak[L1]=1KiB", path)
    expect("a budget by the name of the space", "over the budget of 1 KiB" in out, out)
    for wrong in ("2", "2=", "2=L1,", "2=1,2", "=L1", "2=L1,lots"):
        status, out, err = lens("memory", f"--space={wrong}", path)
        expect(f"'--space={wrong}' is refused", status != 0 and "takes a memory space"
               in err, err)
    (folder / "memref-lens.assume").write_text("space[2]=L1,24KiB\n")
    expect("stated in a file", "(L1) at 10:14, 8 KiB over the size of 24 KiB" in
           text("check", "--no-try", path), "")
    (folder / "memref-lens.assume").unlink()
    for view in ("memory", "arena"):
        lens("export", "--view", view, path, "-o", folder / "out.svg")
        drawn = (folder / "out.svg").read_text()
        expect(f"{view}: both are drawn", "memory space 1</text>" in drawn and
               "memory space 2</text>" in drawn, drawn)
        lens("export", "--view", view, path, "-o", folder / "out.png")
        head = (folder / "out.png").read_bytes()[:24]
        width, height = (int.from_bytes(head[at:at + 4], "big") for at in (16, 20))
        # Of the whole, and of the two that are below each other.
        _, *each = map(int, re.findall(r'<svg[^>]* height="(\d+)"', drawn))
        expect(f"{view}: as PNG, too", len(each) == 2 and
               height * 1000 == width * sum(each), (width, height, each))
    lens("memory", path, "-o", folder / "out.html")
    expect("HTML", '"spaceWords":"memory space 2"' in
           (folder / "out.html").read_text(), "")


def named(folder):
    """An attribute is a space, too; and a program without others has no word of them."""
    path = folder / "named.mlir"
    path.write_text(TILES.replace(", 2>", ", #gpu.address_space<workgroup>>")
                    .replace(", 1>", ">"))
    first = text(path)
    expect("by its attribute", "256 KiB in the default memory space, at least 32 KiB in "
           "memory space #gpu.address_space<workgroup>" in first, first)
    out = text("check", "--no-try", "--budget=peak[workgroup]=1KiB", path)
    expect("a budget by the word in it", "over the budget of 1 KiB" in out, out)
    path.write_text(TILES.replace(", 2>", ">").replace(", 1>", ">"))
    plain = text(path) + text("memory", path)
    expect("one space alone is not named", "memory space" not in plain, plain)
    path.write_text(TILES.replace(", 2>", ", 0>").replace(", 1>", ">"))
    expect("0 is the default one", "memory space" not in text(path), "")


#===--- Samples ---------------------------------------------------------------===#

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples" / "spaces"


def samples(folder):
    """Each with the options that its second line states."""
    tiles = SAMPLES / "tiled-matmul.mlir"
    spaces = ("--space=1=L2,16KiB", "--space=2=L1,4KiB")
    told = text("memory", *spaces, tiles)
    expect("what overlaps needlessly", re.search(
        r"needless overlap +1 KiB +%left_ping is last used by func.call \(54:9\), and "
        r"%left_pong first at 55:9: let them be one buffer, or allocate %left_pong in "
        r"between", told) and "%right_ping is last used by" in told, told)
    expect("where all are placed", "deallocated right after its last one; placed in "
           "3 KiB, greedy by size" in told, told)
    expect("a space that is enough", re.search(
        r"memory space 1 \(L2\): peak 8 KiB[^@]*fits +as it is; placed in 8 KiB", told),
        told)
    expect("an op of each buffer", "164 allocations, 224 KiB; 164 copies, 224 KiB" in told,
           told)
    data = json.loads(lens("memory", *spaces, tiles, "--format=json")[1])["functions"]
    l1 = next(one for one in data if one["space"] == "2")
    placed = l1["placed"]
    checkPlan(l1, placed, "firstUse")
    expect("the plan fits", placed["bytes"] <= l1["capacityBytes"], placed)
    first = text(*spaces, tiles)
    expect("the stack is in the same space: no gain", "promote-buffers-to-stack" in first
           and "peak 13 KiB" not in first and "-> 0 B" not in first, first)
    lens("run", tiles, "--format=json", "-o", folder / "tiles.json")
    told = text("memory", *spaces, tiles, "--with-run", folder / "tiles.json")
    expect("a run beside each", re.search(r"\(L1\): peak 5 KiB[^@]*measured +5 KiB at "
                                          r"%right_pong", told) and
           re.search(r"\(L2\): peak 8 KiB[^@]*measured +8 KiB at %rhs_panel", told), told)
    expect("and what it allocated", "allocated          164 buffers, 224 KiB, in that run"
           in told, told)
    double = SAMPLES / "double-buffer.mlir"
    told = text("memory", "--space=1=DRAM", "--space=2=L1,40KiB", double)
    expect("what does not fit", re.search(
        r"does not fit +by any order: %first \(16 KiB\) has to be elsewhere", told) and
        re.search(r"fits +if %first \(16 KiB\) is half as large", told), told)


LATE = """func.func @late(%out: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %main = memref.alloc() : memref<65536xf32>
  memref.store %v, %main[%c0] : memref<65536xf32>
  %a = memref.alloc() : memref<4096xf32, 2>
  memref.store %v, %a[%c0] : memref<4096xf32, 2>
  %x = memref.load %a[%c0] : memref<4096xf32, 2>
  memref.store %x, %out[%c0] : memref<1xf32>
  %b = memref.alloc() : memref<4096xf32, 2>
  memref.store %x, %b[%c0] : memref<4096xf32, 2>
  %y = memref.load %b[%c0] : memref<4096xf32, 2>
  memref.store %y, %out[%c0] : memref<1xf32>
  %z = memref.load %main[%c0] : memref<65536xf32>
  memref.store %z, %out[%c0] : memref<1xf32>
  return
}
"""


def gains(folder):
    """Of remedies: in the space that is over its size, however large others are."""
    path = folder / "late.mlir"
    path.write_text(LATE)
    out = text("check", "--space=2=L1,20KiB", path)
    expect("of the space that is over",
           "peak 32 KiB -> 16 KiB in memory space 2 (L1)" in out, out)
    first = text("--space=2=L1,20KiB", path)
    expect("on the first screen, too",
           "peak 32 KiB -> 16 KiB in memory space 2 (L1)" in first, first)
    out = text("memory", "--space=2=L1,20KiB", path)
    expect("it overlaps needlessly", "let them be one buffer, or deallocate %a in between"
           in out and "last use; placed in 16 KiB" in out, out)


STACK = """func.func private @use(memref<16xf32>)
func.func @rounds(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    BEGIN
    %s = memref.alloca() : memref<16xf32>
    func.call @use(%s) : (memref<16xf32>) -> ()
    END
  }
  return
}
func.func private @ext() -> memref<16xf32>
func.func @takes() {
  %e = func.call @ext() : () -> memref<16xf32>
  func.call @use(%e) : (memref<16xf32>) -> ()
  return
}
"""


def apart(folder):
    """A round of a loop gives the stack back only where upstream's lowering does."""
    path = folder / "stack.mlir"
    for begin, end, words in (
            ("", "", "%s anew in each round of scf.for (5:3), until the function returns"),
            ("memref.alloca_scope {", "}",
             "64 B of it taken and given back in each round of scf.for (5:3)")):
        path.write_text(STACK.replace("BEGIN", begin).replace("END", end))
        told = text("memory", "--all", path)
        expect(words, words in told, told)
        lowered = subprocess.run(
            ["mlir-opt-22", "--convert-scf-to-cf", "--finalize-memref-to-llvm", path],
            capture_output=True, text=True, check=True).stdout
        expect("as upstream lowers it", ("llvm.intr.stackrestore" in lowered) ==
               bool(begin), lowered)
    expect("an external result is taken to be as large as its type",
           "assumed to be as large as its type" in told, told)


def checkPlan(use, plan, begin):
    """No two that live at the same time share a byte."""
    lives = [(one[begin], one["lastUse"], offset, offset + one["bytes"]) for one, offset in
             zip(use["buffers"], plan["offsets"])]
    for i, (begin, end, low, high) in enumerate(lives):
        expect("all in the arena", high <= plan["bytes"], plan)
        for begin2, end2, low2, high2 in lives[:i]:
            isTogether = begin <= end2 and begin2 <= end
            expect("no byte is shared", not isTogether or high <= low2 or high2 <= low,
                   (plan, lives))


#===--- Held to runs --------------------------------------------------------===#

class Program:
    """Buffers of several spaces, in straight code, loops and calls."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.count, self.spaceOf = [], 0, {}
        self.body(2, 0)
        self.text = ("func.func @main(%out: memref<1xf32>) {\n  %c0 = arith.constant 0 : index\n"
                     "  %c1 = arith.constant 1 : index\n"
                     "  %v = arith.constant 1.0 : f32\n" +
                     "\n".join(self.lines) + "\n  return\n}\n")

    def body(self, indent, depth):
        pad, own = " " * indent, []
        for _ in range(self.random.randrange(3, 7)):
            kind = self.random.random()
            if kind < 0.2 and depth < 2:
                number = self.fresh()
                rounds = self.random.randrange(1, 5)
                self.lines += [f"{pad}%n{number} = arith.constant {rounds} : index",
                               f"{pad}scf.for %i{number} = %c0 to %n{number} step %c1 {{"]
                self.body(indent + 2, depth + 1)
                self.lines.append(f"{pad}}}")
            elif kind < 0.45 and own:
                name, type = self.random.choice(own)
                number = self.fresh()
                self.lines += [f"{pad}%l{number} = memref.load %{name}[%c0] : {type}",
                               f"{pad}memref.store %l{number}, %out[%c0] : memref<1xf32>"]
            else:
                number, space = self.fresh(), self.random.choice(("", "", "1", "2", "7"))
                size = 4 * self.random.randrange(1, 65)
                type = f"memref<{size}xf32{', ' + space if space else ''}>"
                self.spaceOf[f"%b{number}"] = space
                self.lines += [f"{pad}%b{number} = memref.alloc() : {type}",
                               f"{pad}memref.store %v, %b{number}[%c0] : {type}",
                               f"{pad}%l{number} = memref.load %b{number}[%c0] : {type}",
                               f"{pad}memref.store %l{number}, %out[%c0] : memref<1xf32>"]
                own.append((f"b{number}", type))

    def fresh(self):
        self.count += 1
        return self.count


def measured(record, spaceOf):
    """Most bytes at once by space: from each buffer's begin and end."""
    changes = {}
    for site, _, bytes, begin, *_, end in record["lives"]:
        space = spaceOf[record["sites"][site]["value"]]
        changes.setdefault(space, []).append((begin, bytes))
        if end:
            changes[space].append((end, -bytes))
    most = {}
    for space, all in changes.items():
        live = most[space] = 0
        for _, bytes in sorted(all):
            live += bytes
            most[space] = max(most[space], live)
    return most


def runs(folder):
    compared = several = 0
    path = folder / "random.mlir"
    for number in range(200 if FULL else 20):
        program = Program(1000 * SEED + number)
        path.write_text(program.text)
        status, out, err = lens("run", "--format=json", path)
        if status != 0:
            faults.append(f"seed {number} does not run: {out[:300]}{err[:300]}\n"
                          f"{program.text}")
            continue
        most = measured(json.loads(out), program.spaceOf)
        told = {one["space"] or "": one["peakBytes"] for one in
                json.loads(lens("memory", path, "--format=json")[1])["functions"]}
        expect(f"seed {number}: {told} is told, {most} ran",
               told == most or (not most and told == {"": 0}), program.text)
        (folder / "run.json").write_bytes(out)
        beside = json.loads(lens("memory", path, "--with-run", folder / "run.json",
                                 "--format=json")[1])["functions"]
        ran = {one["space"] or "": one["measured"]["peakBytes"] for one in beside}
        expect(f"seed {number}: beside it {ran} ran, not {most}",
               ran == most or not most, program.text)
        compared += 1
        several += len(most) > 1
    print(f"{compared} programs ran, {several} with several memory spaces")
    expect("enough have several", several > compared / 2)


with tempfile.TemporaryDirectory() as name:
    commands(pathlib.Path(name))
    named(pathlib.Path(name))
    samples(pathlib.Path(name))
    gains(pathlib.Path(name))
    apart(pathlib.Path(name))
    runs(pathlib.Path(name))
for fault in faults:
    print("FAULT", fault)
sys.exit(1 if faults else 0)
