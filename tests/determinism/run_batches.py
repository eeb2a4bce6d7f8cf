#!/usr/bin/env python3
"""Holds a file that is analysed in batches to the same file as a whole.

usage: run_batches.py MEMREF_LENS GENERATOR [--programs N] [--keep DIR]

Functions of random programs, with declarations, globals, aliases in front and
behind, and calls between them, make one file that is long enough to be cut, once
as it is and once in a module that is written. A comment that could begin a
resource keeps it whole. All that the commands print must be equal, and a trace
the same from one thread and from two.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import sample  # noqa: E402

WHOLE = b"// {-#\n"
# Each is printed, and all of them are in a trace.
STAGES = range(9) if sample.FULL else (6, 8)
# Upstream's canonicalizer takes other steps on the one from run to run; the other
# returns what a rejected function returned twice.
KNOWN = {21412, 75904}


def run(lens, *arguments):
    done = subprocess.run(
        [lens, *map(str, arguments)], capture_output=True, timeout=600,
        env={**os.environ, "MEMREF_LENS_PROGRESS": "1"})
    return done.returncode, done.stdout, done.stderr


def ranInBatches(progress):
    """All of them were done, and nothing was run as a whole behind them."""
    counts = re.findall(rb"\[(\d+)/(\d+)\] (batches)?", progress)
    return bool(counts) and bool(counts[-1][2])


def isAccepted(lens, path):
    status, _, problems = run(lens, "trace", path, "-o", os.devnull)
    return status == 0 and b"error:" not in problems


def program(generator, seed):
    """Its functions, with names of their own."""
    text = subprocess.run([sys.executable, generator, "--seed", str(seed)],
                          capture_output=True, check=True, timeout=60,
                          text=True).stdout
    return re.sub(r"@(\w+)", rf"@s{seed}_\1", text)


def calls(number):
    """What stays together, and what stands in every text that needs it."""
    return f"""
func.func private @kernel{number % 3}_{number}(memref<8xf32>) -> memref<8xf32>
func.func @caller{number}(%a: memref<8xf32>) -> memref<8xf32> {{
  %g = memref.get_global @table{number % 3} : memref<8xf32>
  %0 = func.call @kernel{number % 3}_{number}(%a) : (memref<8xf32>) -> memref<8xf32>
  %1 = func.call @inner{number}(%0) : (memref<8xf32>) -> memref<8xf32>
  memref.copy %g, %1 : memref<8xf32> to memref<8xf32>
  return %1 : memref<8xf32>
}}
func.func private @inner{number}(%a: memref<8xf32>) -> memref<8xf32> {{
  %0 = func.call @shared(%a) : (memref<8xf32>) -> memref<8xf32>
  return %0 : memref<8xf32>
}}
"""


def placed(number):
    """What names attributes and a place."""
    return f"""
func.func @placed{number}(%i: index) -> index {{
  %0 = affine.apply #twice(%i) loc(#place)
  return %0 : index
}}
"""


def fileOf(lens, generator, seeds, folder, inModule):
    head = "".join(f'memref.global "private" @table{n} : memref<8xf32> = '
                   "uninitialized\n" for n in range(3))
    text = head + "func.func private @shared(memref<8xf32>) -> memref<8xf32>\n"
    for seed in seeds:
        one = program(generator, seed)
        path = folder / "one.mlir"
        path.write_text(one)
        if isAccepted(lens, path):
            text += one + calls(seed) + placed(seed)
    if inModule:
        text = "module {\n" + text + "}\n"
    return ("#twice = affine_map<(d0) -> (d0 * 2)>\n" + text +
            '#place = loc("elsewhere.mlir":3:4)\n').encode()


def commands():
    for stage in STAGES:
        yield ["ir", "--stage", str(stage)]
        yield ["ir", "--stage", str(stage), "--source-names"]
    yield ["explain"]
    yield ["trace", "--format", "text"]
    yield ["check", "--no-try", "--format", "json"]


def faultsOf(lens, text, options, folder):
    """Lines that say which command's output differs."""
    cut, whole = folder / "cut" / "f.mlir", folder / "whole" / "f.mlir"
    for path, content in ((cut, text), (whole, text + WHOLE)):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    faults = []
    for command in commands():
        one, other = (run(lens, *command, *options, path)
                      for path in (cut, whole))
        if not ranInBatches(one[2]) or ranInBatches(other[2]):
            faults.append(f"{' '.join(command)} was not run in batches")
        # The path is all that differs.
        if one[:2] != (other[0], other[1].replace(b"/whole/", b"/cut/")):
            faults.append(f"{' '.join(command)} differs")
    traces = [run(lens, "trace", "-j", threads, *options, cut)[:2]
              for threads in (1, 2)]
    if traces[0] != traces[1]:
        faults.append("the traces of one and of two threads differ")
    bodies = [json.loads(run(lens, "trace", *options, path)[1])["blocks"][0]
              for path in (cut, whole)]
    if bodies[0] != bodies[1]:
        faults.append("the traces' modules differ")
    saved = folder / "saved.json"
    saved.write_bytes(traces[0][1])
    if run(lens, "explain", saved)[:2] != run(lens, "explain", *options,
                                              cut)[:2]:
        faults.append("the saved trace is explained otherwise")
    # As text it is written of a trace that is whole in memory.
    if run(lens, "trace", "--format=text", saved)[:2] != run(
            lens, "trace", "--format=text", *options, cut)[:2]:
        faults.append("the trace that was never whole in memory is another one")
    return faults + faultsOfCompressed(lens, cut, options, saved)


def faultsOfCompressed(lens, cut, options, saved):
    """Of the same trace, written through zstd."""
    faults = []
    small = saved.with_suffix(".json.zst")
    run(lens, "trace", *options, cut, "-o", small)
    if small.stat().st_size > saved.stat().st_size / 4:
        faults.append("it is not small")
    if run(lens, "trace", small)[1] != saved.read_bytes():
        faults.append("compressed, it is another trace")
    whole = small.read_bytes()
    for what, damaged in (("cut", whole[:len(whole) // 2]),
                          ("changed", whole[:-99] + b"\0" * 99)):
        small.write_bytes(damaged)
        status, out, problems = run(lens, "explain", small)
        if status != 3 or out or b"zstd cannot read it" not in problems:
            faults.append(f"{what}, it is read: {status} {problems[:200]}")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lens")
    parser.add_argument("generator")
    parser.add_argument("--programs", type=int,
                        default=600 if sample.FULL else 60)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    first = 1000 + sample.seed() % 100000
    bad = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(exist_ok=True)
        for options, inModule in (
                ([], False),
                (["--private-function-dynamic-ownership"], True)):
            text = fileOf(arguments.lens, arguments.generator,
                          sorted({*range(first, first + arguments.programs), *KNOWN}),
                          folder, inModule)
            faults = faultsOf(arguments.lens, text, options, folder)
            bad += len(faults)
            for fault in faults:
                print(f"from seed {first} {' '.join(options)}: {fault}")
        print(f"{len(text)} bytes, {text.count(b'func.func @')} public functions,"
              f" {bad} faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
