"""A step of training, one function of thousands of allocations: `explain` of its
saved trace, `check` with its only path tried to the end, and a server that is
asked for hovers while it analyses it."""
import json
import os
import pathlib
import sys
import tempfile
import time

from benchmarks.figures import absolute
from benchmarks.measure import failureOf, runOnce, say
from benchmarks.programs import training, trainingReturned
from benchmarks.rows import isWanted

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "lsp"))
from client import Client  # noqa: E402

LIMIT = 120
FOUND = 1
STEPS = {"a step of training": training,
         "the same, weights returned": trainingReturned}
# Seconds, lines, and milliseconds.
TRACE_AIM, EXPLAIN_AIM, LINES_AIM, CHECK_AIM = 6.0, 3.0, 10000, 8.0
FIRST_AIM, MEANWHILE_AIM = 6.0, 50.0
URI = "file:///step.mlir"
# In front of the step: what does not wait for it.
SMALL = """func.func @small(%c: i1) {
  %small = memref.alloc() : memref<8xf32>
  return
}
"""


def measured(what, unit, values, aim=None):
    return {"what": what, "unit": unit, "aim": aim, **absolute(values)}


def isTriedToTheEnd(report):
    """Whether `check`'s JSON says so of every function."""
    functions = [one for file in json.loads(report.read_text())["files"]
                 for one in file["explorations"]]
    return bool(functions) and all(one["complete"] for one in functions)


def commands(options, name, path):
    """Rows of the commands, in the order in which they are run."""
    folder = path.parent
    trace, told = folder / "step.json", folder / "told"
    lens = options.memref_lens
    words = {"trace": ["trace", path, "-o", trace],
             "explain of the saved trace": ["explain", trace, "-o", told],
             "check --no-try": ["check", "--no-try", path, "-o", os.devnull],
             "check": ["check", "--format", "json", path, "-o",
                       folder / "report.json"]}
    aims = {"trace": TRACE_AIM, "check": CHECK_AIM, "check --no-try": CHECK_AIM,
            "explain of the saved trace": EXPLAIN_AIM}
    rows = []
    for command, rest in words.items():
        say(f"{command}, {name}")
        runs = [runOnce([lens, *map(str, rest)], LIMIT)
                for _ in range(options.runs)]
        for run in runs:
            if (why := failureOf(run, LIMIT)) and run["status"] != FOUND:
                raise RuntimeError(f"{command}: {why}")
        rows.append(measured(f"{name}: {command}", "s",
                             [run["seconds"] for run in runs], aims[command]))
    if not isTriedToTheEnd(folder / "report.json"):
        raise RuntimeError("check: its path was not tried to the end")
    lines = len(told.read_text().splitlines())
    return rows + [{"what": f"{name}: lines of explain", "unit": "lines",
                    "value": lines, "deviation": None, "aim": LINES_AIM}]


class Session:
    """Hovers on a buffer of the step, and of the small function before it, from
    the moment in which the file is opened."""

    def __init__(self, command, text):
        self.client = Client(command)
        lines = text.split("\n")
        self.lines = {name: next(number for number, line in enumerate(lines)
                                 if line.startswith(f"  {name} = "))
                      for name in ("%small", "%b0")}
        self.begin = time.monotonic()
        self.client.open(URI, text)

    def hover(self, name):
        """Milliseconds, and whether ownership is told."""
        begin = time.monotonic()
        found = self.client.result("textDocument/hover", {
            "textDocument": {"uri": URI},
            "position": {"line": self.lines[name], "character": 3}}, LIMIT)
        told = ((found or {}).get("contents") or {}).get("value", "")
        return (time.monotonic() - begin) * 1000, \
            f"`{name}` (" in told or f"`{name}` is owned" in told

    def run(self):
        """Seconds until ownership is told; milliseconds of each hover before,
        on the step and on the small function."""
        step, small = [], []
        while time.monotonic() - self.begin < LIMIT:
            ms, isTold = self.hover("%b0")
            if isTold:
                break
            step.append(ms)
            small.append(self.hover("%small")[0])
            time.sleep(0.005)
        else:
            raise RuntimeError("no hover tells of ownership")
        seconds = time.monotonic() - self.begin
        self.client.kill()
        return seconds, max(step, default=0), max(small, default=0)


def hovers(options, name, text):
    say(f"hovers, {name}")
    found, theirs = [], []
    for _ in range(options.runs):
        found.append(Session([options.server, "--crash-dir=off"],
                             SMALL + text).run())
        upstream = Session([options.mlir_lsp_server], SMALL + text)
        theirs.append(upstream.hover("%b0")[0])
        upstream.client.kill()
    first, step, small = zip(*found)
    rows = [measured(f"{name}: first hover with ownership", "s", first,
                     FIRST_AIM)]
    for what, values in (("slowest hover before it", step),
                         ("slowest hover on another function before it",
                          small)):
        rows.append(measured(f"{name}: {what}", "ms", values, MEANWHILE_AIM))
    # Which has to read the file for it, as we do.
    rows.append(measured(f"{name}: first hover of mlir-lsp-server", "ms", theirs))
    return rows


def giantFunctions(options, skipped):
    """Rows `{what, value, deviation, unit, aim}`."""
    size = {"full": 5440, "quick": 1360, "tiny": 40}[options.scale]
    rows = []
    for name, make in STEPS.items():
        if not isWanted(options, "giant", name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "step.mlir"
            path.write_text(make(size))
            try:
                rows += commands(options, name, path)
                rows += hovers(options, name, path.read_text())
            except (RuntimeError, OSError, EOFError) as error:
                skipped.append({"input": name, "why": str(error),
                                "failure": True})
    return rows
