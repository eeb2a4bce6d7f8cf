#!/usr/bin/env python3
"""Processes of ours that are killed at any moment.

Of each command, one of its processes is killed: a child of it, or the command
itself. It ends soon; no process stays behind, and no file for the moment; an output
file is whole or not there; a child's death is told, or made good so that the
output is as ever.

  MEMREF_LENS_LONG=1   some hundred moments a command
"""
import gzip
import json
import os
import pathlib
import random
import re
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from benchmarks import programs  # noqa: E402
from harm import LONG, SAMPLES, Bench, binary, marked

lens = binary("MEMREF_LENS")
bench = Bench()
chance = random.Random(10)
ROUNDS = 60 if LONG else 6


def program(functions):
    """Large enough that there are moments."""
    text = ""
    for number in range(functions):
        text += (f"func.func @f{number}(%c: i1, %m: memref<16xf32>) "
                 "-> memref<16xf32> {\n"
                 "  %a = memref.alloc() : memref<16xf32>\n"
                 "  memref.copy %m, %a : memref<16xf32> to memref<16xf32>\n"
                 "  %s = arith.select %c, %a, %m : memref<16xf32>\n"
                 "  cf.cond_br %c, ^x(%s : memref<16xf32>), "
                 "^x(%m : memref<16xf32>)\n"
                 "^x(%r: memref<16xf32>):\n  return %r : memref<16xf32>\n}\n")
    return text


source = bench.base / "program.mlir"
source.write_text(program(60))
giant = bench.base / "giant.mlir"
giant.write_text(programs.external(400))
few = bench.base / "few.mlir"
few.write_text(program(6))
COMMANDS = {
    "trace": ["trace", source, "-o", "out.json"],
    "ir": ["ir", source, "--stage", "final", "-o", "out.json"],
    "explain": ["explain", source, "-o", "out.json"],
    "export": ["export", source, "--format", "html", "-o", "out.json"],
    "export folder": ["export", few, "--format", "svg", "-o", "folder/"],
    "check": ["check", few, source, "--format", "json", "-o", "out.json"],
    "compare": ["compare", few],
    "pipelines": ["compare", "--pipelines", "classic,ownership", source, "-o",
                  "out.json"],
    "versions": ["compare", "--before", few, "--after", few, "-o", "out.json"],
    "diff": ["diff", few, source, "-o", "out.json"],
    "bundle": ["bundle", few, "-o", "out.json"],
    "reduce": ["explain", f"{few}:7", "--reduce", "-o", "out.json"],
    "check ahead": ["check", giant, "-j", "2", "--format", "json", "-o",
                    "out.json"],
}
attachOpt = os.environ.get("ATTACH_OPT")
if attachOpt:
    COMMANDS["attach"] = [attachOpt, source, "--buffer-deallocation-pipeline",
                          "--memref-lens-trace=.", "-o", "out.json"]


def wordsOf(command):
    return command if command[0] == attachOpt else [lens, *command]


def outputs():
    """Files that came, and what the command printed, is its own business."""
    return {str(path.relative_to(bench.work)): path.read_bytes()
            for path in sorted(bench.work.rglob("*")) if path.is_file()}


def undisturbed(name, command):
    bench.clear()
    begin = time.monotonic()
    result = bench.run(wordsOf(command))
    took = time.monotonic() - begin
    bench.expect(f"{name}: undisturbed", result.status in (0, 1) and
                 not result.left and not result.orphans, result)
    return result, outputs(), took


def strike(process, mark, took, kind, victim):
    """Kills one of the processes at some moment; false if it was too late."""
    moment = time.monotonic() + chance.uniform(0, took)
    while time.monotonic() < moment:
        time.sleep(0.001)
    found = [one for one in marked(mark)
             if (one == process.pid) == (victim == "itself")]
    if not found:
        return False
    try:
        os.kill(chance.choice(found), kind)
    except ProcessLookupError:
        return False
    return True


def isFit(name, result, whole, expected):
    """What a child's death may come to."""
    if result.status == expected.status and whole:
        # Made good, or it struck what only tries something.
        return True
    told = re.search(r"(^|\s)error: ", result.err)
    return result.status not in (0, None) and bool(told)


def killed(name, command):
    expected, wanted, took = undisturbed(name, command)
    struck = 0
    for turn in range(ROUNDS):
        victim = "itself" if turn % 3 == 2 else "a child"
        kind = chance.choice([signal.SIGKILL, signal.SIGSEGV] if victim ==
                             "a child" else
                             [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
        bench.clear()
        process, mark = bench.start(wordsOf(command))
        hit = strike(process, mark, took, kind, victim)
        struck += hit
        result = bench.finish(process, mark, 120)
        what = f"{name}: {victim} by {kind.name}"
        bench.expect(f"{what}: ends, alone", result.status is not None and
                     not result.orphans, result)
        bench.expect(f"{what}: leaves nothing", not result.left, result)
        made = outputs()
        # A reduction that loses a try is larger, and whole nevertheless; a try
        # of a remedy that is killed says so in the report.
        # A child that is killed by SIGSEGV while it reads cannot be told from a
        # crash of MLIR's reader, and of a program that crashes it there are bundles.
        isBundled = (name == "bundle" and kind == signal.SIGSEGV and
                     "MLIR crashed while it read this" in result.err)
        isVague = name in ("reduce", "check", "check ahead", "attach") or isBundled
        whole = made == wanted or (isVague and made.keys() == wanted.keys())
        isWhole = all(made[file] == wanted.get(file) for file in made) or (
            isVague and all(ends(text) for text in made.values()))
        bench.expect(f"{what}: no half file", isWhole,
                     {file: (len(text), len(wanted.get(file, b"")))
                      for file, text in made.items()})
        if hit and victim == "a child" and name != "attach":
            bench.expect(f"{what}: told or made good",
                         isBundled or isFit(name, result, whole, expected),
                         result)
        if hit and name == "attach" and victim == "a child":
            bench.expect(f"{what}: the tool's own work is done",
                         result.status == 0 and
                         made.get("out.json") == wanted["out.json"], result)
    print(f"{name}: {struck} of {ROUNDS} struck, {took:.2f} s each", flush=True)
    return struck


def ends(text):
    """JSON, a program, or an archive: to its last line."""
    if text.startswith(b"\x1f\x8b"):
        text = gzip.decompress(text)
        return text.endswith(bytes(1024))
    if text.startswith(b"{"):
        json.loads(text)
    return text.endswith(b"\n")


hits = sum(killed(name, command) for name, command in COMMANDS.items())
bench.expect("enough were struck", hits >= 5, hits)
bench.end()
