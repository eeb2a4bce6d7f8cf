#!/usr/bin/env python3
"""Of several functions rejected alike, the overview tells what a remedy does for all.

usage: run_accepted.py MEMREF_LENS

mlir-opt judges. Of a made program: it rejects each function alone, and accepts each
alone with the remedy; the clones that the overview tells are those of all of them. Of
programs of the corpus: with the remedy none of their functions is rejected.
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import corpus  # noqa: E402

LENS = sys.argv[1]
OPT = corpus.tool("mlir-opt")
DECLARED = "func.func private @consume(memref<8xf32>, memref<8xf32>)\n"
# Rejected: a buffer is forwarded to a block that uses it, too. What is returned of
# `{given}` is cloned once it is accepted.
REJECTED = """
func.func @{name}(%input: memref<8xf32>, %which: i1) {type} {{
  %buffer = memref.alloc() : memref<8xf32>
  memref.copy %input, %buffer : memref<8xf32> to memref<8xf32>
  cf.cond_br %which, ^use(%buffer : memref<8xf32>), ^end
^use(%data: memref<8xf32>):
  call @consume(%data, %buffer) : (memref<8xf32>, memref<8xf32>) -> ()
  cf.br ^end
^end:
  return {given}
}}
"""
CORPUS = ["MLIRSmith11__sparse_binary_as_cfg_loops.mlir",
          "llvm2023__dense_output_f16.mlir"]


def function(name, clones):
    return REJECTED.format(
        name=name, type="-> memref<8xf32>" if clones else "",
        given="%input : memref<8xf32>" if clones else "")


def overview(path):
    """Of the file."""
    done = subprocess.run([LENS, "--format=json", path], capture_output=True,
                          text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["files"][0]["overview"]


def applied(command, path):
    """What mlir-opt makes of `path` by a command that was offered for another."""
    words = shlex.split(command)
    assert words[0] == "mlir-opt-22", command
    pipeline = [word for word in words if word.startswith("--pass-pipeline")]
    assert len(pipeline) == 1, command
    return subprocess.run([OPT, *pipeline, path], capture_output=True, text=True,
                          timeout=600)


def acceptedOf(entry):
    """Functions that the first fix has accepted, the clones told, and its command."""
    for fix in entry["fixes"]:
        told = re.match(r"all ([\d,]+) functions are accepted, "
                        r"(?:at no cost|with (?:(\d+) clone)?)", fix["gain"])
        if told:
            return (int(told[1].replace(",", "")), int(told[2] or 0),
                    fix["commands"][0])
    return None


def made(folder):
    """What is wrong with what is told of a made program."""
    functions = {f"f{at}": function(f"f{at}", at % 2 == 1) for at in range(5)}
    whole = Path(folder) / "made.mlir"
    whole.write_text(DECLARED + "".join(functions.values()))
    entry = overview(whole)["entries"][0]
    told = acceptedOf(entry)
    if not told:
        return [f"nothing is told of all functions: {entry}"]
    count, clones, command = told
    pipeline = "--ownership-based-buffer-deallocation"
    accepted = cloned = 0
    for name, text in functions.items():
        alone = Path(folder) / f"{name}.mlir"
        alone.write_text(DECLARED + text)
        if subprocess.run([OPT, pipeline, alone], capture_output=True).returncode == 0:
            return [f"@{name} is accepted without a remedy"]
        done = applied(command, alone)
        accepted += done.returncode == 0
        cloned += done.stdout.count("bufferization.clone")
    if (count, clones) != (accepted, cloned) or count != len(functions):
        return [f"{count} functions and {clones} clones are told, there are "
                f"{accepted} and {cloned}"]
    return []


def real(path):
    """What is wrong, and of how many functions it is told."""
    faults, functions = [], 0
    for entry in overview(path)["entries"]:
        told = acceptedOf(entry)
        if not told:
            continue
        count, _, command = told
        functions += count
        if count != len(entry["causes"]):
            faults.append(f"{count} functions of {len(entry['causes'])} causes")
        if applied(command, path).returncode != 0:
            faults.append(f"mlir-opt rejects with the remedy: {entry['sentence']}")
        if applied(command.split("--pass-pipeline")[0] +
                   "--pass-pipeline='builtin.module("
                   "ownership-based-buffer-deallocation)'", path).returncode == 0:
            faults.append("mlir-opt accepts without the remedy")
    return faults, functions


def main():
    with tempfile.TemporaryDirectory() as folder:
        faults = made(folder)
    told = 0
    for path in corpus.corpus_files(CORPUS):
        more, functions = real(path)
        faults += [f"{path.name}: {fault}" for fault in more]
        told += functions
    if told == 0:
        faults.append("no file of the corpus has several such functions")
    for fault in faults:
        print("FAIL", fault)
    print(f"5 functions made, {told} of the corpus; {len(faults)} faults")
    return bool(faults)


sys.exit(main())
