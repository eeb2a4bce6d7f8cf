#!/usr/bin/env python3
"""Too little memory: an end, soon, that says so and what to do.

The limit is searched for: the least with which the program starts, and a bit more,
so that memory ends while the file is read, in a stage, and while output is made.
"""
import os
import resource

from harm import LONG, SAMPLES, SANITIZED, Bench, binary, skip

if SANITIZED:
    skip("a sanitizer needs terabytes of addresses")
lens = binary("MEMREF_LENS")
bench = Bench()
MIB = 1 << 20

source = bench.base / "program.mlir"
source.write_text("".join(
    f"func.func @f{number}(%c: i1, %m: memref<16xf32>) -> memref<16xf32> {{\n"
    "  %a = memref.alloc() : memref<16xf32>\n"
    "  %s = arith.select %c, %a, %m : memref<16xf32>\n"
    "  cf.cond_br %c, ^x(%s : memref<16xf32>), ^x(%m : memref<16xf32>)\n"
    "^x(%r: memref<16xf32>):\n  return %r : memref<16xf32>\n}\n"
    for number in range(500)))


def limited(words, mebibytes, seconds=120):
    return bench.run([lens, *words], [(resource.RLIMIT_AS, mebibytes * MIB)],
                     seconds=seconds)


def leastToStart():
    """With which a small program is traced."""
    low, high = 64, 4096
    while high - low > 4:
        middle = (low + high) // 2
        if limited(["trace", SAMPLES / "diamond.mlir"], middle).status == 0:
            high = middle
        else:
            low = middle
    return high


least = leastToStart()
told = 0
for more in (2, 6, 12, 24) if LONG else (2, 12):
    for command in (["trace", source, "-o", "out.json"],
                    ["explain", source, "-o", "out.json"],
                    ["export", source, "--format", "html", "-o", "out.json"],
                    ["check", source, "--no-try", "-o", "out.json"],
                    ["diff", source, source, "-o", "out.json"],
                    ["bundle", source, "-o", "out.json"]):
        bench.clear()
        result = limited(command, least + more)
        what = f"{command[0]} with {least + more} MiB"
        bench.expect(f"{what}: ends", result.status is not None and
                     not result.orphans and not result.left, result)
        isOut = "ran out of memory" in result.err
        told += isOut
        bench.expect(f"{what}: enough, or told", result.status in (0, 1) or (
            isOut and "ulimit -v" in result.err and result.status == 71), result)
        for foreign in ("LLVM ERROR", "terminate called", "PLEASE submit",
                        "crashed"):
            bench.expect(f"{what}: no '{foreign}'", foreign not in result.err,
                         result)
        file = bench.work / "out.json"
        # `check` says in its report that the file was not checked.
        bench.expect(f"{what}: no half file", result.status in (0, 1) or
                     not file.exists() or (command[0] == "check" and
                                           file.read_bytes().endswith(b"\n")),
                     result)
bench.expect("memory ended some times", told >= 3, told)
print(f"starts with {least} MiB; ran out {told} times")
bench.end()
