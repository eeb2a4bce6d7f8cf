#!/usr/bin/env python3
"""Memory, as the server tells it, is what the command line tells.

  memory.py SERVER MEMREF_LENS

Of each function of the samples that hold memory: space by space, in bytes, steps,
buffers and words.
"""
import json
import subprocess
import sys

from client import ROOT, Client

def withoutIds(functions):
    """Ids of the trace are those of all functions of a file, or of some."""
    for one in functions or []:
        one["steps"] = len(one["steps"])
        for buffer in one["buffers"]:
            buffer.pop("op")
    return functions


server, lens = sys.argv[1:3]
client = Client([server])
compared, spaces, calls = 0, 0, 0
for path in sorted((ROOT / "samples").glob("**/*.mlir")):
    text = path.read_text()
    if "// options:" in text and "--space" not in text:
        continue
    told = subprocess.run([lens, "memory", "--all", "--format=json", path],
                          capture_output=True, text=True)
    if told.returncode:
        continue
    wanted = {}
    for one in json.loads(told.stdout)["functions"]:
        wanted.setdefault(one["function"], []).append(one)
    uri = path.as_uri()
    client.tell("textDocument/didOpen", {"textDocument": {
        "uri": uri, "languageId": "mlir", "version": 1, "text": text}})
    for name, functions in wanted.items():
        # Whether it has no memory in one space or in several is of the file.
        if not any(one["peakBytes"] for one in functions):
            continue
        answer = client.result("memrefLens/memory", {
            "textDocument": {"uri": uri}, "function": name})
        found = withoutIds(answer and answer["memory"]["functions"])
        assert found == withoutIds(functions), (path, name, found, functions)
        compared += 1
        spaces += len(functions) > 1
        calls += "call" in text
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
client.ask("shutdown", None)
client.tell("exit", None)
print(f"{compared} functions, {spaces} with several memory spaces, {calls} in files "
      "with calls")
assert compared > 20 and spaces > 1 and calls > 5
