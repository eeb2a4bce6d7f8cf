#!/usr/bin/env python3
"""Paths with all that a path may hold, in every command and program.

Spaces, quotes, line breaks, dashes in front, what a shell would take for a command,
and bytes that are no UTF-8. What comes out is what comes of a plain path; nothing
that a path says is ever run.
"""
import base64
import json
import os
import sys

from harm import ROOT, SAMPLES, Bench, binary, part, viewerAndDisplay

sys.path.insert(0, str(ROOT / "tests" / "lsp"))
from client import Client, at

lens, server = binary("MEMREF_LENS"), binary("MEMREF_LENS_LSP_SERVER")
bench = Bench()
DIAMOND = (SAMPLES / "diamond.mlir").read_text()
NAMES = ["with space", "tab\tand\nline", "it's \"quoted\"", "-o", "--help",
         "$(touch canary)", "`touch canary`; touch canary | x > canary & v",
         "a*b?[c]{d,e}~!#%20%0a", "\udc9b\udcff\udc80 bytes", "\\back\\slash",
         "\u202eright\u2066", "a:b:1:2", "x.json.mlir", "=eq", "@at,comma",
         "n" * 240]
COMMANDS = [["trace"], ["explain"], ["ir", "--stage", "final"], ["check"],
            ["check", "--format", "sarif"], ["compare"], ["scopes"],
            ["compare", "--pipelines", "classic,ownership"],
            ["export", "--format", "svg"], ["export", "--format", "html"],
            ["export", "--format", "md"], ["diff"],
            ["explain", "--reduce"]]


def wordsOf(command, file, out):
    """The path as a user gives it; `--` where it looks like an option."""
    if command == ["diff"]:
        file = [file, file]
    elif command == ["explain", "--reduce"]:
        file = [f"{file}:14"]
    else:
        file = [file]
    output = [] if command == ["compare"] else ["-o", out]
    return [lens, *command, *output, "--", *file]


def commands():
    (bench.work / "plain.mlir").write_text(DIAMOND)
    plain, made = {}, None
    for command in COMMANDS:
        words = wordsOf(command, "plain.mlir", "plain.out")
        plain[tuple(command)] = bench.run(words)
        if command == ["trace"]:
            made = json.loads((bench.work / "plain.out").read_bytes())
    del made["source"]
    for name in NAMES:
        bench.clear()
        # As long as names may be.
        file = name[:240] + ".mlir"
        (bench.work / file).write_text(DIAMOND)
        for command in part(COMMANDS, 2):
            target = bench.work / (file + ".o" if len(file) < 240 else "n.out")
            result = bench.run(wordsOf(command, file, target.name))
            what = f"{' '.join(command)} of {ascii(file)[:40]}"
            as_ = plain[tuple(command)]
            bench.expect(f"{what}: status", result.status == as_.status
                         in (0, 1), (result, as_))
            if command == ["compare"]:
                bench.expect(f"{what}: lines", b"identical" in
                             result.out.lower(), result)
                continue
            bench.expect(f"{what}: written", target.exists() and
                         target.stat().st_size > 10,
                         sorted(os.listdir(bench.work)))
            if command == ["trace"] and target.exists():
                trace = json.loads(target.read_bytes())
                bench.expect(f"{what}: its name is in the trace",
                             pathOf(trace) == os.fsencode(file), trace["source"])
                del trace["source"]
                bench.expect(f"{what}: the same trace", trace == made)
        bundled(file)
        bench.expect("nothing was run", not list(bench.base.rglob("canary")),
                     list(bench.base.iterdir()))


def pathOf(trace):
    path = trace["source"]["path"]
    return base64.b64decode(path["base64"]) if isinstance(path, dict) else \
        path.encode()


def bundled(file):
    result = bench.run([lens, "bundle", "--", file])
    made = list(bench.work.glob("*.bundle.tar.gz"))
    what = f"bundle of {ascii(file)[:40]}"
    tooLong = len(os.fsencode(file)) > 235
    bench.expect(what, (tooLong and result.status == 3 and "too long" in
                        result.err) or (result.status == 0 and len(made) == 1),
                 result)
    if made:
        shown = bench.run([lens, "explain", "--", made[0].name])
        bench.expect(f"{what}: opened", shown.status == 0 and
                     b"%copy" in shown.out, shown)


def uris():
    """The server reads no file: a URI is a name."""
    client = Client([server, "--crash-dir=off"])
    for uri in ["file:///a%20b'%22.mlir", "file:///%0A%0D%1B%5B31m.mlir",
                "file:///%FF%FE.mlir", "file:///-o", "file:///..%2F..%2Fetc/x",
                "file:///$(touch%20x)`y`;z", "untitled:a b\n'\"\x1b[31m",
                "x" * 5000 + ":y", "file://host/a", "", ":", "%", "file:///%zz",
                "\u202e:\u2066"]:
        client.open(uri, DIAMOND)
        answer = client.ask("textDocument/hover", at(uri, 6, 5))
        # MLIR's part refuses what is no URI at all.
        bench.expect(f"hover in {ascii(uri)[:40]}", "owned" in str(
            answer.get("result")) or (len(uri) < 2 and "error" in answer),
            answer)
        client.change(uri, 2, [{"text": "broken"}])
        if len(uri) > 1:
            found = client.diagnostics(uri, 2, lambda given: given, 120)
            bench.expect(f"diagnostics in {ascii(uri)[:40]}", found, found)
        client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    bench.expect("the server ends well", client.close() == 0)


def viewer():
    if not (found := viewerAndDisplay()):
        return
    program, display = found
    with display:
        for name in NAMES:
            bench.clear()
            file = name[:230] + ".mlir"
            (bench.work / file).write_text(DIAMOND)
            given = file if not file.startswith("-") else "./" + file
            result = bench.run([program, given, "--screenshot", file + ".png"],
                               DISPLAY=display.environment["DISPLAY"])
            bench.expect(f"the viewer shows {ascii(file)[:40]}",
                         result.status == 0 and
                         (bench.work / (file + ".png")).exists(), result)


commands()
uris()
viewer()
bench.end()
