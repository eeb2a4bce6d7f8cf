#!/usr/bin/env python3
"""Code is loaded where the user names it on the command line, and nowhere else.

A library that leaves a file when it is loaded is named in saved traces, bundles,
the server's options and configuration, and a workspace's settings.
"""
import io
import json
import os
import sys
import tarfile

from harm import ROOT, SAMPLES, Bench, binary, viewerAndDisplay

sys.path.insert(0, str(ROOT / "tests" / "lsp"))
from client import Client, Gone, at

lens, server = binary("MEMREF_LENS"), binary("MEMREF_LENS_LSP_SERVER")
canary = binary("CANARY_LIBRARY")
DIAMOND = SAMPLES / "diamond.mlir"
bench = Bench()
song = bench.base / "song"
os.environ["CANARY"] = str(song)


def expectSilence(what):
    bench.expect(f"{what}: loads nothing", not song.exists())
    song.unlink(missing_ok=True)


def namedByTheUser():
    """So that the silence below means something."""
    for flag in ("--load-dialect-plugin", "--load-pass-plugin"):
        for program in (lens, server):
            words = ["trace", DIAMOND] if program == lens else []
            result = bench.run([program, f"{flag}={canary}", *words])
            bench.expect(f"{flag}: loaded, and told to be none", song.exists()
                         and "cannot load" in result.err and result.status == 2,
                         result)
            song.unlink(missing_ok=True)


NAMES = {"dialectPlugins": [canary], "passPlugins": [canary]}


def hostileTrace():
    trace = json.loads(bench.run([lens, "trace", DIAMOND]).out)
    trace["options"] = dict(trace.get("options", {}), **NAMES)
    return json.dumps(trace).encode()


def hostileBundle(trace):
    """The bundle of the program, with the trace exchanged and a library added."""
    bench.run([lens, "bundle", DIAMOND, "-o", "good.tar.gz"])
    for extra in (False, True):
        with tarfile.open(bench.work / "good.tar.gz") as good, tarfile.open(
                bench.work / f"bad{int(extra)}.tar.gz", "w:gz") as bad:
            for member in good.getmembers():
                data = good.extractfile(member).read() if member.isfile() \
                    else None
                if member.name.endswith("trace.json"):
                    data = trace
                if data is not None:
                    member.size = len(data)
                bad.addfile(member, io.BytesIO(data) if data is not None
                            else None)
            if extra:
                bad.add(canary, "bundle/plugin.so")


def savedByAStranger():
    trace = hostileTrace()
    (bench.work / "saved.json").write_bytes(trace)
    hostileBundle(trace)
    read = 0
    for file in ("saved.json", "bad0.tar.gz", "bad1.tar.gz"):
        for command in (["trace"], ["explain"], ["explain", "--aliases"],
                        ["ir", "--stage", "3", "--source-names"],
                        ["export", "--format", "html", "-o", "out.html"],
                        ["export", "--format", "svg", "-o", "out.svg"],
                        ["diff", DIAMOND], ["check"], ["compare"], ["scopes"],
                        ["bundle", "-o", "again.tar.gz"]):
            result = bench.run([lens, *command, file])
            read += result.status in (0, 1)
            bench.expect(f"{command[0]} of {file}: ends",
                         result.status in (0, 1, 2, 3), result)
            expectSilence(f"{command[0]} of {file}")
    bench.expect("some of it is read", read >= 6, read)


def namedToTheServer():
    settings = dict(NAMES, server=NAMES, pipeline=dict(
        NAMES, pre="canonicalize", passes=""), loadDialectPlugin=canary)
    for options in (settings, {"memrefLens": settings}):
        client = Client([server, "--crash-dir=off"],
                        {"workspace": {"configuration": True}}, options)
        client.tell("workspace/didChangeConfiguration",
                    {"settings": {"memrefLens": settings}})
        uri = (SAMPLES / "diamond.mlir").as_uri()
        client.open(uri, DIAMOND.read_text())
        for _ in range(3):
            client.result("memrefLens/status", {})
            for note in client.notifications:
                if note.get("method") == "workspace/configuration":
                    client.message({"jsonrpc": "2.0", "id": note["id"],
                                    "result": [settings for _ in
                                               note["params"]["items"]]})
            client.notifications.clear()
        hover = client.result("textDocument/hover", at(uri, 6, 5))
        bench.expect("a hover", hover and "owned" in hover["contents"]["value"],
                     hover)
        bench.expect("the server ends well", client.close() == 0)
        expectSilence("the server's settings")


def inAWorkspace():
    """VS Code runs nothing of ours before the workspace is trusted, and takes
    what may name code from no settings of a folder that is not."""
    package = json.loads((ROOT / "vscode-extension/package.json").read_text())
    trust = package["capabilities"]["untrustedWorkspaces"]["supported"]
    bench.expect("untrusted workspaces: nothing runs", trust is False, trust)
    settings = package["contributes"]["configuration"]["properties"]
    for name in ("serverPath", "cliPath", "viewerPath", "dialectPlugins",
                 "passPlugins"):
        scope = settings[f"memrefLens.{name}"].get("scope")
        bench.expect(f"{name} belongs to the machine",
                     scope == "machine-overridable", scope)
    source = (ROOT / "vscode-extension/src/client.ts").read_text()
    body = source.split("function namedPlugins()", 1)[1].split("\n}", 1)[0]
    first = body.strip().split("\n")[1].strip()
    bench.expect("plugins are asked for in trusted ones only",
                 first == "if (!vscode.workspace.isTrusted) return [];", first)
    # Whoever starts a program takes plugins from there.
    for path in sorted((ROOT / "vscode-extension/src").rglob("*.ts")):
        text = path.read_text()
        if path.name not in ("client.ts", "pipelineArguments.ts"):
            bench.expect(f"{path.name} names no plugins itself",
                         "dialectPlugins" not in text and
                         "load-dialect-plugin" not in text)


def viewer():
    if not (found := viewerAndDisplay()):
        return
    program, display = found
    with display:
        for file in ("saved.json", "bad0.tar.gz", "bad1.tar.gz"):
            result = bench.run([program, file, "--screenshot", "out.png"],
                               DISPLAY=display.environment["DISPLAY"])
            bench.expect(f"the viewer opens {file}", result.status in (0, 1),
                         result)
            expectSilence(f"the viewer with {file}")


namedByTheUser()
savedByAStranger()
namedToTheServer()
inAWorkspace()
viewer()
bench.end()
