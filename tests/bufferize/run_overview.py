#!/usr/bin/env python3
"""The first screen of a program on tensors, against mlir-opt.

run_overview.py [FILE...]

The copies and buffers that its first line counts are those in what mlir-opt makes of
the same file, those that it calls the program's own are those that the file has before
bufferization, and no entry is told twice. Where upstream's analysis takes long it says so
with the pass that does not, and nowhere else. A copy for nothing has an entry with its
place, its bytes and what to do.

A part of the programs on tensors is drawn; MEMREF_LENS_FULL=1 takes all.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import corpus  # noqa: E402
import sample  # noqa: E402

LENS = os.environ["MEMREF_LENS"]
BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries=1}"
HEAD = re.compile(r": [\d,]+ tensor operands?(?:, [\w,]+ in place)?; "
                  r"([\d,]+) buffers?[^;]*; ([\d,]+) cop(?:y|ies)\b[^;]*")
OWN = re.compile(r"; the program's own: (?:([\d,]+) buffers?\b[^;]*?)?(?:, and )?"
                 r"(?:([\d,]+) cop(?:y|ies)\b[^;]*)?$")
CONSTANT = """func.func @accumulate(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>)
    -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
"""
ENTRY = """1  %zero is copied here, 16 KiB: a constant cannot be written (4:8)
   costs  1 copy, 16 KiB; 1 buffer, 16 KiB
   fix    tensor.empty and linalg.fill in place of constants (lens-fill-constants before one-shot-bufferize)  copies 1 -> 0
"""
FILLED = CONSTANT.replace(
    "%zero = arith.constant dense<0.0> : tensor<64x64xf32>",
    "%z = arith.constant 0.0 : f32\n"
    "  %empty = tensor.empty() : tensor<64x64xf32>\n"
    "  %zero = linalg.fill ins(%z : f32) outs(%empty : tensor<64x64xf32>)\n"
    "      -> tensor<64x64xf32>")
# What it has as memrefs is not made by bufferization.
MIXED = """func.func @f(%t: tensor<64xf32>, %a: memref<64xf32>, %b: memref<64xf32>, %i: index)
    -> (tensor<64xf32>, f32) {
  %c = arith.constant 1.0 : f32
  %own = memref.alloc() : memref<64xf32>
  memref.copy %a, %own : memref<64xf32> to memref<64xf32>
  memref.store %c, %own[%i] : memref<64xf32>
  memref.copy %own, %b : memref<64xf32> to memref<64xf32>
  %w = tensor.insert %c into %t[%i] : tensor<64xf32>
  %old = tensor.extract %t[%i] : tensor<64xf32>
  return %w, %old : tensor<64xf32>, f32
}
"""
SLOW = ("lens-one-shot-bufferize in its place "
        "(--load-pass-plugin=libMemrefLensPasses.so) yields the same IR sooner")
MIXED_HEAD = ("; 1 buffer, 256 B; 1 copy, 256 B; the program's own: 1 buffer, 256 B, and "
              "2 copies, 512 B")


def run(*words, text=None):
    return subprocess.run(list(map(str, words)), input=text, text=True,
                          capture_output=True, timeout=600)


def made(path, passes):
    """Names of ops in what mlir-opt makes of the file; None if it rejects it."""
    done = run(corpus.tool("mlir-opt"), path, "--split-input-file",
               "--mlir-print-op-generic",
               f"--pass-pipeline=builtin.module({passes})")
    return (collections.Counter(re.findall(r'"(memref\.\w+)"\(', done.stdout))
            if done.returncode == 0 else None)


def numbers(match):
    """The two counts; 0 for what is not told."""
    found = match.groups() if match else (None, None)
    return [int((count or "0").replace(",", "")) for count in found]


def faults_of(path):
    """What is wrong, and whether it was compared."""
    whole = made(path, f"{BUFFERIZE},buffer-deallocation-pipeline")
    # No list for dealloc_helper is among these allocations.
    plain = made(path, f"{BUFFERIZE},expand-realloc,canonicalize,cse,canonicalize")
    if whole is None or plain is None:
        return [], False
    told = run(LENS, "--bufferize", path)
    head = HEAD.search(told.stdout.split("\n")[0])
    if not head and whole["memref.copy"] + plain["memref.alloc"] == 0:
        # Nothing was bufferized: functions of a nested module are left alone.
        return [], True
    if not head:
        return [f"no tensors in its first line: {told.stdout[:200]}"], True
    buffers, copies = numbers(head)
    ownBuffers, ownCopies = numbers(OWN.search(told.stdout.split("\n")[0]))
    faults = []
    before = made(path, "expand-realloc,canonicalize,cse,canonicalize")
    if (ownBuffers, ownCopies) != (before["memref.alloc"], before["memref.copy"]):
        faults.append(f"{ownBuffers} buffers and {ownCopies} copies of its own; it has "
                      f"{before['memref.alloc']} and {before['memref.copy']}")
    buffers += ownBuffers
    copies += ownCopies
    if copies != whole["memref.copy"]:
        faults.append(f"{copies} copies; mlir-opt has {whole['memref.copy']}")
    if buffers != plain["memref.alloc"]:
        faults.append(f"{buffers} buffers; mlir-opt has {plain['memref.alloc']}")
    entries = re.findall(r"(?m)^\d+ +(.*)$", told.stdout)
    faults += [f"told twice: {entry}" for entry, count in
               collections.Counter(entries).items() if count > 1]
    return faults, True


def chain(length, op):
    """So many writes of one buffer, one after another."""
    lines = "".join(f"  %t{i + 1} = {op % {'into': f'%t{i}', 'at': i}}\n"
                    for i in range(length))
    return ("func.func @chain(%t0: tensor<1024xf32>, %s: tensor<4xf32>, %x: f32, "
            "%i: index) -> tensor<1024xf32> {\n" + lines +
            f"  return %t{length} : tensor<1024xf32>\n}}\n")


INSERT = "tensor.insert %%x into %(into)s[%%i] : tensor<1024xf32>"
SLICE = ("tensor.insert_slice %%s into %(into)s[%(at)s] [4] [1] "
         ": tensor<4xf32> into tensor<1024xf32>")


def of_slow(folder):
    path = pathlib.Path(folder) / "chain.mlir"
    # By mlir-opt: 500 inserts take 6 s and more, 200 slices 25 s; 100 inserts 0.1 s.
    for length, op, isSlow in ((500, INSERT, True), (200, SLICE, True),
                               (100, INSERT, False), (40, SLICE, False)):
        path.write_text(chain(length, op))
        told = run(LENS, "--bufferize", path).stdout
        said = [line for line in told.split("\n") if SLOW in line]
        if len(said) != isSlow:
            yield f"{length} of {op[:19]}: {told[:600]}"
        if isSlow and not re.match(r"one-shot-bufferize compares reads and writes about "
                                   r"[\d,]+ million times, which takes seconds; ", said[0]):
            yield f"{said[0]}"
        # What makes the same analysis on copies of the program is not tried.
        if op == SLICE and isSlow and "remedies not tested, to be fast" not in told:
            yield f"eliminate-empty-tensors was tried: {told}"
        shown = run(LENS, "check", "--bufferize", "--no-try", "--format", "json",
                    path).stdout
        if (SLOW in shown) != isSlow:
            yield f"{length} of {op[:19]}: the JSON says otherwise"


BOUNDED = "not all writes were compared with all reads"


def shared(writes, apart):
    """A function returns one tensor twice; so many writes and reads of the two."""
    t = "tensor<1024xf32>"
    lines, sums = "", "%zero"
    for i in range(writes):
        lines += (f"  %t{i + 1} = tensor.insert %x into %t{i}[%i] : {t}\n"
                  f"  %y{i} = tensor.extract %r#0[%i] : {t}\n"
                  f"  %s{i} = arith.addf {sums}, %y{i} : f32\n")
        sums = f"%s{i}"
    return (f"func.func private @two(%t: {t}) -> ({t}, {t}) {{\n"
            f"  %copy = bufferization.alloc_tensor() copy(%t) : {t}\n"
            f"  return %copy, {'%t' if apart else '%copy'} : {t}, {t}\n}}\n"
            f"func.func @f(%t: {t}, %x: f32, %i: index) -> (f32, {t}) {{\n"
            f"  %zero = arith.constant 0.0 : f32\n"
            f"  %r:2 = call @two(%t) : ({t}) -> ({t}, {t})\n"
            + lines.replace("%t0[", "%r#1[") +
            f"  return {sums}, %t{writes} : f32, {t}\n}}\n")


def of_bounded(folder):
    """An insert reads what it leaves: 300 writes and 600 reads of one buffer are 180,000
    pairs, 400 and 800 are 320,000; of two buffers, 400 and 400 are 160,000."""
    path = pathlib.Path(folder) / "shared.mlir"
    for writes, apart, isBounded in ((300, False, False), (400, False, True),
                                     (400, True, False)):
        path.write_text(shared(writes, apart))
        for command in (["--bufferize"], ["check", "--bufferize", "--no-try"],
                        ["check", "--bufferize", "--no-try", "--format", "json"]):
            told = run(LENS, *command, path).stdout
            if (BOUNDED in told) != isBounded:
                yield f"{writes} writes, {command}: {told[:600]}"


def of_own(folder):
    path = pathlib.Path(folder) / "constant.mlir"
    path.write_text(CONSTANT)
    told = run(LENS, "--bufferize", path).stdout
    if ENTRY not in told:
        yield f"no such entry:\n{ENTRY}in\n{told}"
    # What it advises takes the copy away.
    path.write_text(FILLED)
    told = run(LENS, "--bufferize", path).stdout
    if "; 1 buffer, 16 KiB; 0 copies" not in told:
        yield f"a copy is left:\n{told}"
    path.write_text(MIXED)
    told = run(LENS, "--bufferize", path).stdout.split("\n")[0]
    if not told.endswith(MIXED_HEAD):
        yield f"{told!r} does not end with {MIXED_HEAD!r}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        faults = [*of_own(folder), *of_slow(folder), *of_bounded(folder)]
    files = [pathlib.Path(name) for name in sys.argv[1:]] or sample.part(
        [path for path in sorted(corpus.tensors().rglob("*.mlir"))
         if path.stat().st_size < (1 << 20 if sample.FULL else 60_000)], 6)
    compared = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, (wrong, was) in zip(files, pool.map(faults_of, files)):
            compared += was
            faults += [f"{path.name}: {fault}" for fault in wrong]
    print("\n".join(faults[:40]))
    print(f"{compared} of {len(files)} files compared, {len(faults)} faults")
    return 1 if faults or compared < min(len(files), 5) else 0


if __name__ == "__main__":
    sys.exit(main())
