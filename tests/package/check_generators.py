#!/usr/bin/env python3
"""Passes that generate code for other machines do what they do in mlir-opt, though
the program that starts fast has no code generators for these.

  check_generators.py BIN ARCHIVES MLIR_OPT

ARCHIVES is the folder with MLIR's static libraries.
"""
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lsp"))
from client import Client, at, skip

bin_, archives, mlir_opt = map(pathlib.Path, sys.argv[1:])
lens, server = bin_ / "memref-lens", bin_ / "memref-lens-lsp-server"
other = "memref-lens-with-plugins"
if not mlir_opt.exists():
    skip("no mlir-opt")

OWNER = """  func.func @g() -> i32 {
    %a = memref.alloc() : memref<4xi32>
    %i = arith.constant 0 : index
    %v = memref.load %a[%i] : memref<4xi32>
    return %v : i32
  }
}
"""
LAYOUT = "llvm-target-to-data-layout"
TRIPLES = ("aarch64-unknown-linux-gnu", "riscv64-unknown-linux-gnu",
           "x86_64-unknown-linux-gnu", "none-such-machine")
PROGRAMS = [(LAYOUT, "module attributes {llvm.target = #llvm.target<triple = "
             f"\"{triple}\", chip = \"\">}} {{\n{OWNER}") for triple in TRIPLES]
PROGRAMS += [("gpu-module-to-binary{format=isa}", f"""module {{
  gpu.module @kernels [{target}] {{
    llvm.func @k(%x: f32) attributes {{gpu.kernel, nvvm.kernel}} {{
      llvm.return
    }}
  }}
{OWNER}""") for target in ('#nvvm.target<chip = "sm_70">',
                           '#xevm.target<chip = "bmg">')]


def run(*words, text):
    return subprocess.run([*map(str, words)], input=text, capture_output=True,
                          text=True, timeout=120)


def timeless(text):
    """Without what a code generator says of its own speed."""
    return re.sub(r"(TimeInMs) = \d+", r"\1", text).rstrip("\n")


def asInMlirOpt():
    """In front of the pipeline, and as one of its passes."""
    for pipeline, text in PROGRAMS:
        both = f"builtin.module({pipeline},buffer-deallocation-pipeline)"
        upstream = run(mlir_opt, f"-pass-pipeline={both}", text=text)
        ways = [[f"--pre={pipeline}"], ["--pre", pipeline]]
        # What fails as a stage is shown as it was before.
        if upstream.returncode == 0:
            ways.append(["--pipeline", both])
        for words in ways:
            ours = run(lens, "ir", "--stage", "final", *words, "-", text=text)
            assert (ours.returncode == 0) == (upstream.returncode == 0), \
                (pipeline, ours, upstream)
            assert timeless(ours.stdout) == timeless(upstream.stdout), \
                (pipeline, text, ours.stdout, upstream.stdout)
            said = re.search(r"error: (.*)", upstream.stderr)
            assert not said or said[1] in ours.stderr, (said, ours.stderr)
            assert "other machines" not in ours.stderr, ours.stderr
        assert upstream.returncode == ("none-such" in text), upstream


def programsOf(process):
    """Names of what the server's children run."""
    names = set()
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = (entry / "stat").read_text().rsplit(")", 1)[1].split()[1]
            if int(parent) == process.pid:
                names.add(os.readlink(entry / "exe").rsplit("/", 1)[1])
        except (OSError, IndexError):
            pass
    return names


def inTheServer():
    """With the settings at the start, and with settings that change."""
    uri, text = "file:///g.mlir", PROGRAMS[0][1]
    needed = {"pipeline": {"pre": LAYOUT}}
    isApart = (bin_.parent / "libexec" / other).exists()

    def check(client, isNeeded):
        answer = client.result("textDocument/hover", at(uri, 2, 5))
        assert "owns" in str(answer) or "owned" in str(answer), answer
        assert not isApart or isNeeded == (other in programsOf(client.process)), \
            (isNeeded, programsOf(client.process))

    def told(client):
        return [one["message"] for note in client.notifications
                if note["method"] == "textDocument/publishDiagnostics"
                for one in note["params"]["diagnostics"] if one["severity"] == 1]

    client = Client(server, options={"memrefLens": needed})
    client.open(uri, text)
    check(client, True)
    for settings in ({}, needed, {"pipeline": {"pre": "canonicalize"}}):
        client.tell("workspace/didChangeConfiguration",
                    {"settings": {"memrefLens": settings}})
        check(client, settings == needed)
    assert not told(client), told(client)
    assert client.close() == 0


def whoAsksForThem():
    """The names in core/process/CodeGenerators.cpp are of passes of these."""
    asking = {path.stem for path in archives.glob("libMLIR*.a")
              if b"LLVMInitialize" in path.read_bytes()}
    assert not asking or asking == {
        "libMLIRTargetLLVMIRTransforms", "libMLIRNVVMTarget",
        "libMLIRROCDLTarget", "libMLIRXeVMTarget",
        "libMLIRCAPIExecutionEngine"}, asking


asInMlirOpt()
inTheServer()
whoAsksForThem()
