"""Memory: the peak of `trace` beside the plain pipeline, and what the server has in
use after it opened a file, beside MLIR's own."""
import pathlib
import sys
import tempfile
import time

from benchmarks.inputs import STEP, Inputs
from benchmarks.measure import (failureOf, proportionalMemory, runOnce, say)
from benchmarks.rows import failed, isWanted, row, values

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "lsp"))
from client import Client, Gone  # noqa: E402

LIMIT = 300
URI = "file:///memory.mlir"
# To the plain pipeline's peak; of the step, which takes it minutes, in MB.
TRACES = {"136,000 lines": 2.0, "34,000 lines": 2.0, "a language model": 0.7}
STEP_AIM = 170
# To what MLIR's own server has in use.
SERVERS = {"6,800 lines": 1.3, "136,000 lines": 1.8}


def plainPipeline(options, path, output):
    return [options.mlir_opt, "--buffer-deallocation-pipeline",
            "--allow-unregistered-dialect", str(path), "-o", output]


def ofTraces(options, inputs, skipped):
    rows = []
    for name in [*TRACES, STEP]:
        what = f"trace, {name}"
        if not isWanted(options, "memory", what) or \
                not inputs.isThere(name, "memory", skipped):
            continue
        say(f"memory of {what}")
        path, output = inputs.path(name), str(inputs.folder / "out")
        ours, theirs = [], []
        for _ in range(options.runs):
            if name != STEP:
                theirs.append(runOnce(plainPipeline(options, path, output),
                                      LIMIT))
            ours.append(runOnce([options.memref_lens, "trace", str(path), "-o",
                                 output], LIMIT))
            pathlib.Path(output).unlink(missing_ok=True)
        why = next(filter(None, (failureOf(one, LIMIT)
                                 for one in ours + theirs)), None)
        if why:
            failed(skipped, "memory", what, why)
            continue
        beside = values(theirs, "bytes") if theirs else None
        rows.append(row(what, "MB", values(ours, "bytes"), beside,
                        TRACES.get(name), None if beside else STEP_AIM))
    return rows


class Server:
    """One that opened a file and is done with it."""

    def __init__(self, command, text, isOurs):
        self.client = Client(command)
        self.isOurs = isOurs
        self.client.open(URI, text)
        self.client.diagnostics(URI, 1, lambda _: True, LIMIT)
        end = time.monotonic() + LIMIT
        while isOurs and not self.isDone():
            if time.monotonic() > end:
                raise RuntimeError("the analysis does not end")
            time.sleep(0.05)
        # As a user would; upstream's has read the file by then, too.
        self.client.result("textDocument/hover", {
            "textDocument": {"uri": URI},
            "position": {"line": text[:len(text) // 2].count("\n"),
                         "character": 3}}, LIMIT)

    def isDone(self):
        documents = self.client.result("memrefLens/status", {"analysis": True},
                                       LIMIT)["analysisDocuments"]
        return bool(documents) and all(one["reported"] for one in documents)

    def memory(self):
        """MB, when it does not fall any more."""
        last = proportionalMemory(self.client.process.pid)
        for _ in range(20):
            time.sleep(0.2)
            now = proportionalMemory(self.client.process.pid)
            if now >= 0.99 * last:
                break
            last = now
        self.client.kill()
        return 1e-6 * now


def ofServers(options, inputs, skipped):
    rows = []
    for name, aim in SERVERS.items():
        what = f"server, {name}"
        if not isWanted(options, "memory", what):
            continue
        say(f"memory of {what}")
        text = inputs.path(name).read_text()
        try:
            pairs = [(Server([options.server, "--crash-dir=off"], text,
                             True).memory(),
                      Server([options.mlir_lsp_server], text, False).memory())
                     for _ in range(options.runs)]
        except (Gone, RuntimeError, OSError) as error:
            failed(skipped, "memory", what, str(error))
            continue
        rows.append(row(what, "MB", *zip(*pairs), aim))
    return rows


def memories(options, skipped):
    """Rows of `benchmarks.rows`."""
    with tempfile.TemporaryDirectory() as folder:
        inputs = Inputs(options, folder)
        return ofTraces(options, inputs, skipped) + \
            ofServers(options, inputs, skipped)
