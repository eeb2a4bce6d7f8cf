"""Each way of dying that the product survives, in each place where it may die.

  run_deadly.py LENS SERVER PLUGIN [PLACE...]

PLUGIN has the dialect of Deadly.h. For the worker, the server's two children, the
trials of remedies, `compare` and plain reading: the function that dies is blamed,
with the way in which it died; all others get what they get without it; nothing is
left running. (`attach` is held to the same by tests/attach/AttachTest.cpp.)
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / name) for name in ("support", "lsp")]

from client import Client, at
from sample import FULL

LENS, SERVER, PLUGIN = sys.argv[1:4]
PLUGINS = [f"--load-dialect-plugin={PLUGIN}", f"--load-pass-plugin={PLUGIN}"]
# How it is told that a stage died so.
TOLD = {"abort": r"crashed \(Aborted\)", "signal": r"crashed \(Segmentation fault\)",
        "loop": r"stopped after 2 s", "memory": r"ran out of memory",
        "exit": r"ended its process \(exit status 0\)"}
# As MLIR's own pipeline, which has no word for memory of its own.
COMPARED = {"abort": "upstream crashed .*: Aborted in ",
            "signal": "upstream crashed .*: Segmentation fault in ",
            "loop": "upstream timed out", "memory": "upstream crashed .*: ",
            "exit": "upstream crashed .*: exit status 0 in "}
GOOD = """func.func @good(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
"""
BAD = """func.func @bad() {{
  %0 = memref.alloc() : memref<4xf32>
  deadly.op(%0) {{at = "{place}", by = "{way}"}} : (memref<4xf32>) -> ()
  return
}}
"""
READ = """// -----
func.func @bad() {{
  deadly.read "{way}"
  return
}}
"""
# The remedy makes it private.
TRIED = """func.func @tried(%a: memref<4xf32>) -> memref<4xf32> {{
  deadly.op() {{at = "canonicalize", by = "{way}", when = "private"}} : () -> ()
  return %a : memref<4xf32>
}}
func.func @caller(%a: memref<4xf32>) {{
  %r = call @tried(%a) : (memref<4xf32>) -> memref<4xf32>
  return
}}
"""
PASS = """func.func @bad() attributes {{deadly.by = "{way}"}} {{
  return
}}
"""
failures, checks = [], 0


def expect(what, holds, detail=""):
    global checks
    checks += 1
    if not holds:
        failures.append(f"{what}: {str(detail)[:700]}")
        print("FAIL", failures[-1], flush=True)


class Result:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err
        self.all = out + err

    def __repr__(self):
        return f"status {self.status}\n{self.all[-600:]}"


def run(folder, text, *words, seconds=100):
    """The command on a file of this text; status None where it does not end."""
    (folder / "program.mlir").write_text(text)
    environment = dict(os.environ, LLVM_DISABLE_SYMBOLIZATION="1")
    try:
        done = subprocess.run(
            [LENS, *words, "--stage-timeout=2", *PLUGINS, "program.mlir"],
            cwd=folder, capture_output=True, text=True, timeout=seconds,
            env=environment)
    except subprocess.TimeoutExpired:
        return Result(None, "", "it does not end")
    return Result(done.returncode, done.stdout, done.stderr)


def findings(folder, text, *words):
    result = run(folder, text, "check", "--format=json", *words)
    try:
        return json.loads(result.out)["files"][0]["findings"], result
    except (json.JSONDecodeError, IndexError):
        return [], result


def inWorker(folder, way):
    """A stage dies on one function."""
    for place in ("canonicalize", "ownership"):
        found, result = findings(folder, GOOD + BAD.format(place=place, way=way),
                                 "--no-try")
        rules = {(one["function"], one["rule"]) for one in found}
        expect(f"worker, {place}, {way}: the one that dies, and the other",
               {("bad", "stage-crashed"), ("good", "clone")} <= rules,
               (rules, result))
        said = " ".join(
            text for one in found if one["function"] == "bad"
            for text in [one["message"], *(r["text"] for r in one["related"])])
        expect(f"worker, {place}, {way}: how", re.search(TOLD[way], said),
               (said, result))
        expect(f"worker, {place}, {way}: status", result.status == 1, result)


def inReading(folder, way):
    """MLIR dies while it reads a part of the file."""
    result = run(folder, GOOD + READ.format(way=way), "check", "--no-try")
    if way in ("abort", "signal"):
        expect(f"reading, {way}: the other part is checked",
               "MLIR crashed while it read this" in result.all and
               "[clone]" in result.out, result)
    else:
        expect(f"reading, {way}: told", re.search(
            f"memref-lens: error: the analysis {TOLD[way]}", result.all), result)
    expect(f"reading, {way}: status", result.status in (3, 70, 71), result)


def inPre(folder, way):
    """A pass of the user's dies."""
    result = run(folder, GOOD + PASS.format(way=way), "check", "--no-try",
                 "--pre=func.func(deadly)")
    expect(f"--pre, {way}: told", re.search(TOLD[way], result.all), result)
    if way in ("abort", "signal"):
        expect(f"--pre, {way}: the pass is named", re.search(
            r"in the pass deadly, which runs before the pipeline, on @\w+",
            result.all), result)
    expect(f"--pre, {way}: status", result.status in (1, 3, 70, 71), result)


def inTrials(folder, way):
    """A remedy makes a program on which the pipeline dies."""
    if way == "loop" and not FULL:
        return  # It is given a minute.
    found, result = findings(folder, TRIED.format(way=way))
    tried = [entry for one in found if one["rule"] == "clone"
             for entry in one["tried"]]
    dead = [entry for entry in tried if "private" in entry["remedy"]]
    expect(f"trials, {way}: what dies is no remedy", dead and not any(
        entry["helps"] or not re.search(
            "dies on it|longer than a minute", entry["outcome"])
        for entry in dead), (tried, result))
    expect(f"trials, {way}: another one is", any(
        entry["helps"] for entry in tried), (tried, result))


def inCompare(folder, way):
    """MLIR's own pipeline dies, and so do we."""
    text = GOOD + BAD.format(place="ownership", way=way)
    result = run(folder, text, "compare", "--timeout=4")
    expect(f"compare, {way}: the other is identical",
           "@good: identical" in result.out, result)
    expect(f"compare, {way}: how", re.search("@bad: " + COMPARED[way], result.out),
           result)
    expect(f"compare, {way}: none differs", "DIFFERENT" not in result.all, result)


def inServer(folder, way):
    """A child of the server dies: of a stage, or while it reads."""
    for place, text in (("a stage", GOOD + BAD.format(place="canonicalize",
                                                      way=way)),
                        ("reading", GOOD + READ.format(way=way))):
        what = f"server, {place}, {way}"
        client = Client([SERVER, "--crash-dir=off", "--time-limit=2", *PLUGINS])
        uri = f"file:///{way}.mlir"
        client.open(uri, text)
        found = client.diagnostics(
            uri, 1, lambda found: place == "reading" or any(
                "@bad is rejected" in one["message"] for one in found), 60)
        if place == "a stage":
            said = " ".join(one["message"] for one in found)
            expect(f"{what}: how", re.search(
                "did not end in time" if way == "loop" else "crashed", said),
                   said)
        client.change(uri, 2, [{"text": GOOD}])
        client.diagnostics(uri, 2, lambda _: True, 60)
        end, hover = time.monotonic() + 20, None
        while time.monotonic() < end and "borrowed" not in str(hover):
            hover = client.result("textDocument/hover", at(uri, 0, 17), 60)
        expect(f"{what}: a hover afterwards", "borrowed" in str(hover), hover)
        expect(f"{what}: it ends well", client.close() == 0)


def main():
    places = {"worker": inWorker, "reading": inReading, "pre": inPre,
              "trials": inTrials, "compare": inCompare, "server": inServer}
    with tempfile.TemporaryDirectory() as name:
        for place in sys.argv[4:] or places:
            for way in TOLD:
                places[place](pathlib.Path(name), way)
            print(place, "done", flush=True)
    print(f"{checks} checks, {len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
