#!/usr/bin/env python3
"""Nothing that a file or its path holds drives the terminal that shows it.

Names, strings, locations and paths with control characters, whole and broken, in
every command that writes for people: to standard output and to standard error.
"""
import json
import os

from harm import Bench, binary, part

lens = binary("MEMREF_LENS")
bench = Bench()
# Colour, title, clear, 8-bit CSI in both encodings, bell, backspace, direction.
HOSTILE = ("\x1b[31m\x1b]0;title\x07\x1b[2J\b\r\x7f\u009b31m\u202eback\u2066"
           "\nmemref-lens: error: forged")


def quoted(text):
    """As MLIR takes bytes in a string."""
    return '"' + "".join(f"\\{byte:02X}" for byte in text.encode()) + \
        '\\9B"'


NAME = f"@{quoted(HOSTILE)}"
PROGRAM = f"""func.func {NAME}(%c: i1, %m: memref<4xf32>) attributes {{n = {quoted(HOSTILE)}}} {{
  %a = memref.alloc() {{tag = {quoted(HOSTILE)}}} : memref<4xf32> loc({quoted(HOSTILE)}:1:1)
  %s = arith.select %c, %a, %m : memref<4xf32>
  cf.br ^b
^b:
  cf.br ^b
}}
func.func @{quoted('clone' + HOSTILE)}(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {{
  %a = memref.alloc() : memref<4xf32>
  %z = func.call @{quoted('callee' + HOSTILE)}(%a) : (memref<4xf32>) -> (memref<4xf32>)
  %i = arith.constant 0 : index
  %v = memref.load %m[%i] : memref<4xf32>
  memref.store %v, %z[%i] : memref<4xf32>
  return %m : memref<4xf32>
}}
func.func private @{quoted('callee' + HOSTILE)}(%m: memref<4xf32>) -> (memref<4xf32>)
func.func @{quoted('leak' + HOSTILE)}() {{
  %a = memref.alloc() {{bufferization.manual_deallocation}} : memref<4xf32>
  memref.dealloc %a {{bufferization.manual_deallocation}} : memref<4xf32>
  return
}}
"""
# What no parser takes, and whose bytes messages repeat.
BROKEN = ['func.func @x() {\n  %a = "' + HOSTILE.replace("\n", "") +
          '"() : () -> ()\n  return\n}\n', "func.func \x1b[2J\n",
          f"func.func @f() {{ {quoted(HOSTILE)}() : () -> () return }}\n",
          f'func.func @f() {{ call {NAME}() : () -> () return }}\n']
COMMANDS = [["trace", "--format", "text"], ["trace"], ["explain"],
            ["explain", "--aliases"], ["ir", "--stage", "final"],
            ["ir", "--stage", "final", "--source-names"],
            ["check"], ["check", "-v"], ["check", "--format", "github"],
            ["check", "--format", "json"], ["check", "--format", "sarif"],
            ["compare"], ["compare", "--pipelines", "classic,ownership"],
            ["compare", "--pipelines", "classic,ownership", "--format=md"],
            ["compare", "--pipelines", "classic,ownership", "--format=json"],
            ["compare", "--pipelines", "classic,ownership", "--format=html"],
            ["scopes"], ["scopes", "--format", "json"],
            ["diff", "--right=--private-function-dynamic-ownership"],
            ["diff", "--format=md",
             "--right=--private-function-dynamic-ownership"],
            ["export", "--format", "md", "-o", "-"],
            ["export", "--format", "html", "-o", "-"],
            ["export", "--format", "svg", "-o", "-"],
            ["export", "--format", "dot", "-o", "-"],
            ["export", "--format", "json", "-o", "-"],
            ["explain", "--function", "no\x1b[31mne"],
            ["ir", "--stage", "no\x1b[31mne"], ["no\x1b[31mne"],
            ["explain", "--pre", "no\x1b[31mne"],
            ["trace", "--load-dialect-plugin", "./no\x1b[31mne.so"],
            ["explain", "--op", "no\x1b[31mne.x"]]


def harmful(data):
    """Where a control character, or what a terminal may take for one, stands."""
    found = []
    text = data.decode("utf-8", "surrogateescape")
    for at, char in enumerate(text):
        isControl = (ord(char) < 32 and char not in "\n\t") or \
            127 <= ord(char) < 160 or 0xdc80 <= ord(char) <= 0xdcff
        if isControl or char in "\u202e\u2066":
            found.append((at, ascii(text[max(0, at - 20):at + 20])))
    return found[:3]


def check(what, result, mayHoldBytes=False):
    bench.expect(f"{what}: ends", result.status in (0, 1, 2, 3), result)
    out = harmful(result.out)
    if mayHoldBytes:
        # JSON escapes control characters; a direction is one like others.
        out = [one for one in out if "\\u202e" not in one[1] and
               "\\u2066" not in one[1]]
    bench.expect(f"{what}: output", not out, out)
    err = harmful((bench.base / "err").read_bytes())
    bench.expect(f"{what}: errors", not err, err)


def every(path, what):
    for command in COMMANDS:
        isData = "json" in " ".join(command) or "sarif" in command or \
            command == ["trace"] or command[0] == "ir"
        more = []
        if command[0] == "export" and command[2] in ("svg", "dot"):
            more = ["--function", HOSTILE + "\udc9b"]
        result = bench.run([lens, *command, *more, path])
        check(f"{what}: {' '.join(command)!a}", result, isData)
    check(f"{what}: reduce", bench.run([lens, "explain", f"{path}:5",
                                        "--reduce"]), True)
    check(f"{what}: versions", bench.run(
        [lens, "compare", "--before", path, "--after", path]))
    check(f"{what}: place", bench.run([lens, "explain", f"{path}:99999"]))
    for words in (["bundle"], ["bundle", "-o", "none/x"],
                  ["trace", "-o", "none/\x1b[31m"],
                  ["export", "-o", "\x1b[31mfolder/x"]):
        check(f"{what}: {words!a}", bench.run([lens, *words, path]))


plain = bench.base / "plain.mlir"
plain.write_text(PROGRAM)
every(plain, "names")
hostile = bench.base / ("p\x1b[31m\r\x07\n\udc9b'\" .mlir")
hostile.write_text(PROGRAM)
every(hostile, "path")
for number, text in enumerate(BROKEN):
    broken = bench.base / f"broken{number}.mlir"
    broken.write_text(text)
    for command in part(COMMANDS, 4):
        check(f"broken {number}: {command!a}",
              bench.run([lens, *command, broken]), True)
# A path that is not there, and a saved trace of somebody else's.
for command in COMMANDS:
    check(f"missing: {command!a}",
          bench.run([lens, *command, bench.base / "no\x1b[31mne\n.mlir"]))
made = bench.run([lens, "trace", plain])
bench.expect("the program is one", made.status == 0, made)
trace = json.loads(made.out)


def spoilt(node):
    """Every text of it hostile, but those that say what it is."""
    if isinstance(node, dict):
        return {key: spoilt(value) if not isinstance(value, str) or
                key in ("message", "remedy", "name", "type", "path",
                        "toolVersion", "llvmVersion", "functionName")
                else value for key, value in node.items()}
    if isinstance(node, list):
        return [spoilt(one) for one in node]
    return node + HOSTILE if isinstance(node, str) else node


trace["problems"] = [{"message": "m", "remedy": "r"}]
saved = bench.base / "saved.json"
for kind in (spoilt(trace), dict(trace, options={"function": HOSTILE,
                                                 "prePipeline": HOSTILE}),
             dict(trace, schemaVersion=HOSTILE), {HOSTILE: 1}, HOSTILE):
    saved.write_text(json.dumps(kind))
    for command in part(COMMANDS, 3):
        if command[0] in ("trace", "explain", "ir", "export", "diff"):
            check(f"saved: {command!a}", bench.run([lens, *command, saved]),
                  True)
bench.end()
