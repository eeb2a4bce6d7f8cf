"""DIFFERENT is a defect of ours: programs that were told so, and are not.

  MEMREF_LENS=... namesakes.py

Functions of one name in several symbol tables, one of them rejected; functions inside
of functions; modules that upstream makes invalid as a whole. `compare` names each, and
says what `mlir-opt` does; the error of the two is the same, at the same place.
"""

import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "judges"))

import judges

DYNAMIC = "--private-function-dynamic-ownership"
REJECTED = """  func.func @f(%m: memref<4xf32>) {
    memref.dealloc %m : memref<4xf32>
    return
  }
"""
GOOD = """  func.func @{0}() {{
    %a = memref.alloc() : memref<4xf32>
    return
  }}
"""
RETURNS = """func.func private @p(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
"""
CALLS = """func.func @c(%m: memref<4xf32>) {
  %0 = call @p(%m) : (memref<4xf32>) -> memref<4xf32>
  return
}
"""
ATTRIBUTE = RETURNS.replace("-> memref<4xf32>", "-> (memref<4xf32> {a.b = 1 : i32})")
# Program, options, what `compare` says of each function.
CASES = {
    "modules with names": (
        "module @a {\n" + GOOD.format("f") + "}\nmodule @b {\n" + REJECTED +
        GOOD.format("g") + "}\n" + GOOD.format("f") + GOOD.format("h"), [],
        {"a::@f": "identical", "b::@f": "rejected alike", "g": "identical",
         "f": "identical", "h": "identical"}),
    "modules without names": (
        "module {\n" + REJECTED + "}\nmodule {\n" + GOOD.format("f") + "}\n", [],
        {"module#1::@f": "rejected alike", "module#2::@f": "identical"}),
    "a module in a function": (
        "func.func @outer() {\n  builtin.module {\n" + REJECTED + "  }\n  return\n}\n" +
        GOOD.format("f"), [],
        {"outer": "rejected alike", "outer::@module#1::@f": "rejected alike",
         "f": "identical"}),
    "a good one in a function": (
        "func.func @outer() {\n  builtin.module {\n" + GOOD.format("g") +
        "  }\n  return\n}\n" + GOOD.format("f"), [],
        {"outer": "rejected alike", "g": "rejected alike",
         "f": "identical"}),
    "an attribute of a result": (ATTRIBUTE + CALLS, [DYNAMIC], {
        "p": "rejected alike", "c": "rejected alike"}),
    "a call in a gpu.func": (
        "module attributes {gpu.container_module} {\n" + RETURNS + CALLS +
        "gpu.module @k {\n" + RETURNS.replace("@p", "@q") +
        "gpu.func @g(%m: memref<4xf32>) kernel {\n"
        "  %0 = func.call @q(%m) : (memref<4xf32>) -> memref<4xf32>\n"
        "  gpu.return\n}\n}\n}\n", [DYNAMIC],
        {"p": "rejected alike", "q": "rejected alike", "c": "rejected alike"}),
    "a call in an async.func": (
        RETURNS + CALLS + "async.func @a(%m: memref<4xf32>) -> !async.token {\n"
        "  %0 = func.call @p(%m) : (memref<4xf32>) -> memref<4xf32>\n  return\n}\n",
        [DYNAMIC], {"p": "rejected alike", "c": "rejected alike"}),
    "a constant of a private function": (
        RETURNS + "func.func @c(%m: memref<4xf32>) -> memref<4xf32> {\n"
        "  %f = func.constant @p : (memref<4xf32>) -> memref<4xf32>\n"
        "  %0 = call_indirect %f(%m) : (memref<4xf32>) -> memref<4xf32>\n"
        "  return %0 : memref<4xf32>\n}\n", [DYNAMIC], None),
}


def place_and_message(text):
    """Of the first error."""
    found = re.search(r":(\d+:\d+): error: (.*)", text)
    return found and (found[1], re.sub("^[a-z-]+: ", "", found[2]))


def check(folder, name):
    text, options, wanted = CASES[name]
    path = pathlib.Path(folder) / "program.mlir"
    path.write_text(text)
    ours = judges.run([judges.lens(), "compare", *options, path])
    said = dict(re.findall(r": @(.*): (identical|rejected alike|DIFFERENT)", ours.out))
    pipeline = "--buffer-deallocation-pipeline" + (
        "=private-function-dynamic-ownership=1" if options else "")
    theirs = judges.run([judges.tool("mlir-opt"), pipeline, path])
    if wanted is not None and said != wanted or "DIFFERENT" in ours.out:
        yield f"{name}: {said}\n{ours.out}"
    if ours.err.count("error: ") > 1:
        yield f"{name}: an error is said several times:\n{ours.err}"
    shown = judges.run([judges.lens(), "check", "--no-try", *options, path])
    first = place_and_message(theirs.err)
    if first and (f":{first[0]}: error: " not in shown.out + shown.err):
        yield f"{name}: mlir-opt's error is at {first}:\n{shown.out}{shown.err}"
    if theirs.status != 0 and shown.status == 0:
        yield f"{name}: check has no finding"


def main():
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for name in CASES:
            problems += check(folder, name)
    print("\n".join(problems))
    print(f"{len(CASES)} programs, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
