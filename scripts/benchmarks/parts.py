"""The parts of the benchmark that are commands of their own."""
import json
import pathlib
import subprocess
import tempfile

from benchmarks.measure import say

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 1800


def commandOf(part, options):
    if part == "lsp":
        sizes = {"full": "3400,17000,68000", "quick": "3400",
                 "tiny": "110"}[options.scale]
        edits = {"full": 40, "quick": 20, "tiny": 4}[options.scale]
        return [str(SCRIPTS / "bench-lsp"), options.server, "--sizes", sizes,
                "--edits", str(edits), "--upstream", options.mlir_lsp_server,
                "--trace", options.memref_lens]
    command = [str(SCRIPTS / f"bench-{part}"), "--build", str(options.build)]
    if part == "passes":
        command += ["--opt", options.mlir_opt]
        command += ["--quick"] if options.scale != "full" else []
        command += ["--family", "calls"] if options.scale == "tiny" else []
    return command


def runPart(part, options, skipped):
    """Its rows; none, with the reason recorded, where it cannot run."""
    say(part)
    with tempfile.TemporaryDirectory() as scratch:
        output = pathlib.Path(scratch) / "rows.json"
        command = commandOf(part, options) + ["--json", str(output)]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True,
                                  timeout=LIMIT)
            why = (done.stderr.strip().splitlines() or ["it failed"])[-1]
        except subprocess.TimeoutExpired:
            why = f"took more than {LIMIT} s"
        if output.exists():
            return json.loads(output.read_text())
    say(f"  skipped: {why}")
    skipped.append({"input": part, "why": why, "failure": False})
    return []
