#!/usr/bin/env python3
"""`--unregistered` against mlir-opt with a registered op in place of the unknown.

  unregistered.py MEMREF_LENS

A program with "my.op" under the assumption must become what mlir-opt's pipeline
makes of it with an op in its place that is registered, pure or reading, and that
no pattern touches: text for text, after the op is named alike. What nobody knows
is refused all the same, and said to be.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]
OPT = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
REFUSED = "ops with unknown memory side effects are not supported"

# (assumption, unknown op, the op in its place), each in generic form.
PURE = ('"my.op"', '"builtin.unrealized_conversion_cast"')
READS = ('"my.op"', '"memref.load"')

VIEWS = """
func.func @view(%c: i1) -> i8 {
  %a = memref.alloc() : memref<4xf32>
  %v = "my.op"(%a) : (memref<4xf32>) -> memref<i8>
  %x = memref.load %v[] : memref<i8>
  return %x : i8
}
func.func @returned(%m: memref<4xf32>) -> memref<i8> {
  %v = "my.op"(%m) : (memref<4xf32>) -> memref<i8>
  return %v : memref<i8>
}
func.func @of_two(%m: memref<4xf32>, %c: i1) -> memref<i8> {
  %a = memref.alloc() : memref<4xf32>
  %v = "my.op"(%m, %a) : (memref<4xf32>, memref<4xf32>) -> memref<i8>
  return %v : memref<i8>
}
func.func @across(%m: memref<4xf32>, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^use, ^join(%m : memref<4xf32>)
^use:
  %v = "my.op"(%a) : (memref<4xf32>) -> memref<i8>
  func.call @take(%v) : (memref<i8>) -> ()
  cf.br ^join(%a : memref<4xf32>)
^join(%x: memref<4xf32>):
  %w = "my.op"(%x) : (memref<4xf32>) -> memref<i8>
  func.call @take(%w) : (memref<i8>) -> ()
  return
}
func.func @nested(%m: memref<4xf32>, %i: index, %n: index) -> memref<i8> {
  %r = scf.for %k = %i to %n step %i iter_args(%p = %m) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    %v = "my.op"(%b) : (memref<4xf32>) -> memref<i8>
    func.call @take(%v) : (memref<i8>) -> ()
    scf.yield %b : memref<4xf32>
  }
  %w = "my.op"(%r) : (memref<4xf32>) -> memref<i8>
  return %w : memref<i8>
}
func.func @from_nothing(%i: i64) -> memref<i8> {
  %v = "my.op"(%i) : (i64) -> memref<i8>
  return %v : memref<i8>
}
func.func @no_memref(%i: i64, %c: i1) -> i32 {
  %a = memref.alloc() : memref<4xf32>
  func.call @keep(%a) : (memref<4xf32>) -> ()
  %v = "my.op"(%i) : (i64) -> i32
  return %v : i32
}
func.func private @take(memref<i8>)
func.func private @keep(memref<4xf32>)
"""

LOADS = """
func.func @load(%c: i1) -> f32 {
  %a = memref.alloc() : memref<f32>
  func.call @fill(%a) : (memref<f32>) -> ()
  %x = "my.op"(%a) : (memref<f32>) -> f32
  return %x : f32
}
func.func @across(%m: memref<f32>, %c: i1) -> f32 {
  %a = memref.alloc() : memref<f32>
  func.call @fill(%a) : (memref<f32>) -> ()
  cf.cond_br %c, ^l, ^r
^l:
  cf.br ^join(%a : memref<f32>)
^r:
  cf.br ^join(%m : memref<f32>)
^join(%p: memref<f32>):
  %x = "my.op"(%p) : (memref<f32>) -> f32
  return %x : f32
}
func.func @region(%m: memref<f32>, %c: i1) -> f32 {
  %r = scf.if %c -> memref<f32> {
    %a = memref.alloc() : memref<f32>
    func.call @fill(%a) : (memref<f32>) -> ()
    %y = "my.op"(%a) : (memref<f32>) -> f32
    memref.store %y, %m[] : memref<f32>
    scf.yield %a : memref<f32>
  } else {
    scf.yield %m : memref<f32>
  }
  %x = "my.op"(%r) : (memref<f32>) -> f32
  return %x : f32
}
func.func private @fill(memref<f32>)
"""

# Each must be refused under every assumption.
UNKNOWN_CONTROL = {
    "region": """func.func @f(%m: memref<f32>) {
      "my.op"(%m) ({ "my.end"() : () -> () }) : (memref<f32>) -> ()
      return }""",
    "empty region": """func.func @f(%m: memref<f32>) {
      "my.op"(%m) ({}) : (memref<f32>) -> ()
      return }""",
    "successor": """func.func @f(%m: memref<f32>) {
      "my.op"(%m)[^b] : (memref<f32>) -> ()
    ^b:
      return }""",
    "end": """func.func @f(%m: memref<f32>) {
      "my.op"(%m) : (memref<f32>) -> () }""",
    "end of region": """func.func @f(%m: memref<f32>, %c: i1) {
      scf.execute_region {
        cf.cond_br %c, ^a, ^b
      ^a:
        "my.op"(%m) : (memref<f32>) -> ()
      ^b:
        scf.yield }
      return }""",
}


def run(words, text=None):
    return subprocess.run(words, input=text, capture_output=True, text=True,
                          timeout=120, check=False)


def lens(text, *words):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        return run([TOOL, *words, file.name])


# An op of one name in generic form, and how mlir-opt prints the same in its own.
PRINTED = {
    "unrealized_conversion_cast": re.compile(
        r"builtin\.unrealized_conversion_cast ([^:]*) : (.*) to (.*)"),
    "load": re.compile(r"memref\.load ([%\w#]+)\[\] : (memref<f32>)()"),
}


def generic(line, name):
    match = PRINTED[name].search(line)
    if not match:
        return line
    result = match[3] or "f32"
    return line[:match.start()] + f'"my.op"({match[1]}) : ({match[2]}) -> ' \
        + result


def lines(text):
    """Without empty lines, which end the tool's output."""
    return [line for line in text.splitlines() if line.strip()]


def checkAlike(assumption, program, place, passes, stage):
    """The lines in which both differ."""
    ours = lens(program, "ir", f"--stage={stage}",
                f"--unregistered={assumption}", *passes)
    if ours.returncode != 0:
        return [f"memref-lens ended with {ours.returncode}: {ours.stderr}"]
    upstream = passes[0].split("=", 1)[1] if passes else \
        "builtin.module(buffer-deallocation-pipeline)"
    theirs = run([OPT, f"--pass-pipeline={upstream}"],
                 program.replace(*place))
    if theirs.returncode != 0:
        return [f"mlir-opt refuses: {theirs.stderr[:300]}"]
    name = place[1].strip('"').split(".")[1]
    # @f's loads of i8 are the program's own.
    wanted = [generic(line, name) for line in lines(theirs.stdout)]
    got = lines(ours.stdout)
    if sum('"my.op"' in line for line in got) == 0:
        return ["nothing of my.op is left"]
    return [f"{a!r} is not {b!r}" for a, b in zip(got, wanted) if a != b] + \
        ([f"{len(got)} lines, not {len(wanted)}"]
         if len(got) != len(wanted) else [])


def checkNotes(assumption):
    """The trace says what rests on the assumption."""
    trace = json.loads(lens(VIEWS, "trace",
                            f"--unregistered={assumption}").stdout)
    if trace["options"].get("unregistered") != assumption:
        yield "the trace does not say what was asked for"
    notes = [problem for problem in trace.get("problems", [])
             if problem.get("severity") == "note"]
    ops = [op for op in trace["ops"]
           if op["name"] == "my.op" and not op.get("generated")]
    told = {tuple(note["range"]) if isinstance(note["range"], list)
            else (note["range"]["begin"], note["range"]["end"])
            for problem in notes for note in problem["notes"]}
    wanted = {tuple(op["nameRange"]) if isinstance(op["nameRange"], list)
              else (op["nameRange"]["begin"], op["nameRange"]["end"])
              for op in ops}
    if told != wanted or not wanted:
        yield f"{len(told)} notes about {len(wanted)} ops"
    functions = {op["function"] for op in notes}
    if len(functions) != len(notes):
        yield "not one note for each function"
    words = lens(VIEWS, "explain", f"--unregistered={assumption}").stdout
    if f"--unregistered={assumption}" not in words:
        yield "explain does not say that it rests on the assumption"
    place = VIEWS[:VIEWS.index("%v = ")].count("\n") + 1
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(VIEWS)
        file.flush()
        there = run([TOOL, "explain", f"--unregistered={assumption}",
                     f"{file.name}:{place}:4"]).stdout
    if "is not registered: assumed to" not in there:
        yield f"the decision does not say so: {there}"


def checkRefused(assumption):
    for name, text in UNKNOWN_CONTROL.items():
        done = lens(text, "trace", f"--unregistered={assumption}")
        trace = json.loads(done.stdout) if done.returncode == 0 else {}
        messages = [event.get("message") for event in trace.get("events", [])
                    if event["kind"] == "rejection"]
        if messages != [REFUSED]:
            yield f"{name}: refused with {messages}"
        found = lens(text, "check", "--no-try", f"--unregistered={assumption}")
        if "--unregistered does not cover it" not in found.stdout:
            yield f"{name}: nobody says why"


def checkUsage():
    done = lens(VIEWS, "compare", "--unregistered=assume-pure")
    if done.returncode != 2 or "nothing to compare" not in done.stderr:
        yield "compare takes the option"
    if lens(VIEWS, "trace", "--unregistered=maybe").returncode != 2:
        yield "any word is taken"
    reject = lens(VIEWS, "explain", "--unregistered=reject",
                  "--allow-unregistered-dialect").stdout
    if "@view (2:11): rejected" not in reject:
        yield "reject does not reject"
    found = lens(VIEWS, "check", "--no-try", "--unregistered=assume-reads")
    if "unknown-effects" in found.stdout:
        yield "check refuses what is assumed"


def main():
    if not OPT:
        print("no mlir-opt of LLVM 22")
        return 1 if os.environ.get("CI") == "true" else 77
    faults, count = [], 0
    alone = "--pipeline=builtin.module(ownership-based-buffer-deallocation)"
    for passes in ([], [alone]):
        for assumption, program, place in (
                ("assume-pure", VIEWS, PURE), ("assume-reads", VIEWS, PURE),
                ("assume-reads", LOADS, READS), ("assume-pure", LOADS, READS)):
            count += 1
            faults += [f"{assumption}, {place[1]} {passes}: {fault}"
                       for fault in checkAlike(assumption, program, place,
                                               passes, "final")]
    for assumption in ("assume-pure", "assume-reads"):
        for check in (checkNotes, checkRefused):
            count += 1
            faults += [f"{assumption}: {fault}" for fault in check(assumption)]
    faults += list(checkUsage())
    for fault in faults:
        print(fault)
    print(f"{count + 1} checks, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
