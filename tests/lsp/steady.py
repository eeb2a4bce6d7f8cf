#!/usr/bin/env python3
"""A hover never tells less than an earlier one of the same text.

  steady.py SERVER

A large document is hovered at one place, again and again, while its other functions
are analysed: once it told who owns the buffer, each hover does, with and without an
edit of another function in between.
"""
import sys
import time

from client import FUNCTION, Client

FUNCTIONS = 4000
text = "".join(FUNCTION.format(n=n, more="") for n in range(FUNCTIONS))
lines = text.splitlines()
line = lines.index("  %0 = memref.alloc() : memref<8xf32>", len(lines) // 2)
assert len(text) > 1 << 19

client = Client([sys.argv[1]])
uri = "file:///steady.mlir"
client.tell("textDocument/didOpen", {"textDocument": {
    "uri": uri, "languageId": "mlir", "version": 1, "text": text}})


def hover():
    found = client.result("textDocument/hover", {
        "textDocument": {"uri": uri}, "position": {"line": line, "character": 3}})
    return (found or {}).get("contents", {}).get("value", "")


def told(seconds):
    """Hovers from the first one that tells of ownership on."""
    end = time.time() + 120
    while "deallocated" not in (first := hover()):
        assert time.time() < end, f"nothing of ownership is told: {first!r}"
    rest, end = [], time.time() + seconds
    while time.time() < end or len(rest) < 60:
        rest.append(hover())
    return rest


faults = []
for version, edit in ((1, None), (2, "  // of another function\n")):
    if edit:
        client.tell("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"range": {"start": {"line": len(lines) - 2,
                                                    "character": 0},
                                          "end": {"line": len(lines) - 2,
                                                  "character": 0}},
                                "text": edit}]})
    all = told(4)
    without = [one for one in all if "deallocated" not in one]
    faults += [f"version {version}: {len(without)} of {len(all)} hovers tell less: "
               f"{without[0]!r}"] if without else []
    print(f"version {version}: {len(all)} hovers")
client.ask("shutdown", None)
client.tell("exit", None)
sys.exit("\n".join(faults) or 0)
