"""From opening a file to the first hover that tells who owns a buffer, beside the
first hover of MLIR's own server; and whether a later one tells less."""
import pathlib
import re
import sys
import tempfile
import time

from benchmarks.inputs import STEP, Inputs
from benchmarks.measure import say
from benchmarks.rows import failed, isWanted, row

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "lsp"))
from client import Client, Gone  # noqa: E402

LIMIT = 120
URI = "file:///hover.mlir"
# To the first hover of MLIR's own server.
AIMS = {"34,000 lines": 0.5, "a language model": 4.0, STEP: 4.0}
# Seconds in which a hover that told is asked for again.
LEAST_AFTER, MOST_AFTER = 1.0, 5.0
ALLOC = re.compile(r"^\s*(%[\w$.-]+) = memref\.alloc\b")


def place(text):
    """Line, column and name of the middle one of the buffers."""
    found = [(number, match.start(1) + 1, match[1])
             for number, line in enumerate(text.split("\n"))
             if (match := ALLOC.match(line))]
    return found[len(found) // 2]


class Session:
    def __init__(self, command, text):
        self.client = Client(command)
        self.line, self.column, self.name = place(text)
        self.begin = time.monotonic()
        self.client.open(URI, text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.kill()

    def isTold(self):
        """Whether a hover tells who owns the buffer."""
        found = self.client.result("textDocument/hover", {
            "textDocument": {"uri": URI},
            "position": {"line": self.line, "character": self.column}}, LIMIT)
        text = ((found or {}).get("contents") or {}).get("value", "")
        return f"`{self.name}` (" in text or f"`{self.name}` is owned" in text

    def seconds(self):
        return time.monotonic() - self.begin

    def untilTold(self):
        while not self.isTold():
            if self.seconds() > LIMIT:
                raise RuntimeError("no hover tells of ownership")
            time.sleep(0.005)
        return self.seconds()

    def untilAnswered(self):
        self.isTold()
        return self.seconds()

    def lost(self):
        """How many hovers of the same place do not tell it any more."""
        end = time.monotonic() + \
            min(max(2 * self.seconds(), LEAST_AFTER), MOST_AFTER)
        count = 0
        while time.monotonic() < end:
            count += not self.isTold()
            time.sleep(0.02)
        return count


def measured(options, text):
    """Samples: of ours, of MLIR's server, of hovers that tell less."""
    samples = []
    for _ in range(options.runs):
        with Session([options.server, "--crash-dir=off"], text) as ours:
            seconds, lost = ours.untilTold(), ours.lost()
        with Session([options.mlir_lsp_server], text) as theirs:
            samples.append((seconds, theirs.untilAnswered(), lost))
    return zip(*samples)


def hovers(options, skipped):
    """Rows of `benchmarks.rows`."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        inputs = Inputs(options, folder)
        for name, aim in AIMS.items():
            if not isWanted(options, "hover", name) or \
                    not inputs.isThere(name, "hover", skipped):
                continue
            say(f"hovers on {name}")
            try:
                ours, theirs, lost = measured(options,
                                              inputs.path(name).read_text())
            except (Gone, RuntimeError, OSError) as error:
                failed(skipped, "hover", name, str(error))
                continue
            rows.append(row(f"{name}: first that tells ownership", "s", ours,
                            theirs, aim))
            rows.append(row(f"{name}: later ones that do not", "hovers",
                            [max(lost)], most=0))
    return rows
