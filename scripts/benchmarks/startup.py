"""From the start of a program to its first answer, ours and upstream's in turn:
`--version`, `initialize` answered by the server, the trace of a small file."""
import json
import pathlib
import subprocess
import tempfile
import time

from benchmarks import programs
from benchmarks.measure import failureOf, runOnce, samples, say

INITIALIZE = json.dumps({
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}}})


def initialize(command):
    """One start of a server, up to the answer; as `runOnce` has it."""
    begin = time.monotonic()
    child = subprocess.Popen(command, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        body = INITIALIZE.encode()
        child.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        child.stdin.flush()
        length = None
        while line := child.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        answer = json.loads(child.stdout.read(length)) if length else {}
        seconds = time.monotonic() - begin
    finally:
        child.kill()
        child.wait()
    return {"seconds": seconds, "cpu": 0.0, "bytes": 0,
            "status": 0 if "result" in answer else 1}


def startUp(options, skipped):
    """Rows `{input, memrefLens, upstream}`."""
    count = {"full": 30, "quick": 10, "tiny": 2}[options.scale]
    with tempfile.TemporaryDirectory() as scratch:
        small = pathlib.Path(scratch) / "small.mlir"
        small.write_text(programs.functions(1))
        output = str(pathlib.Path(scratch) / "output")

        def run(command):
            return runOnce(command, 30)
        kinds = [
            ("--version", run, [options.memref_lens, "--version"],
             [options.mlir_opt, "--version"]),
            ("initialize answered", initialize,
             [options.server, "--crash-dir=off"], [options.mlir_lsp_server]),
            ("trace of a small file", run,
             [options.memref_lens, "trace", str(small), "-o", output],
             [options.mlir_opt, "--buffer-deallocation-pipeline",
              "--mlir-print-ir-after-all", str(small), "-o", output]),
        ]
        rows = []
        for name, work, lens, upstream in kinds:
            say(f"start-up: {name}")
            ours, theirs = [], []
            for _ in range(count):
                ours.append(work(lens))
                theirs.append(work(upstream))
            failures = [failureOf(one, 30) for one in ours + theirs]
            if any(failures):
                why = next(one for one in failures if one)
                skipped.append({"input": f"start-up: {name}", "why": why,
                                "failure": True})
                continue
            rows.append({"input": name, "memrefLens": samples(ours),
                         "upstream": samples(theirs)})
    return rows
