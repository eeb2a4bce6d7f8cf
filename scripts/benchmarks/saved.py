"""Saved traces: bytes that `trace` writes, and what reading one costs: time beside the
same command on the program itself, and memory as part of the file."""
import pathlib
import tempfile

from benchmarks.inputs import STEP, Inputs
from benchmarks.measure import failureOf, runOnce, say
from benchmarks.rows import failed, isWanted, row, values

LIMIT = 300
# MB that are written, and that are when compressed.
WRITTEN = {"136,000 lines": (100, 15), STEP: (53, 8)}
COMMANDS = ("explain", "memory")
# To the same command on the program: what was saved is not made again. To the
# bytes of the file, with what the program itself takes: a third of what the file had
# when it held each stage's text whole.
TIME_AIM, MEMORY_AIM = 1.0, 1.0
# Of a file that zstd compressed.
MAGIC = b"\x28\xb5\x2f\xfd"


def isCompressed(path):
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


class Saved:
    def __init__(self, options, inputs, skipped):
        self.options, self.inputs, self.skipped = options, inputs, skipped
        self.rows = []

    def run(self, what, *words):
        """None, with the reason recorded, where it does not end well."""
        run = runOnce([self.options.memref_lens, *map(str, words)], LIMIT)
        if why := failureOf(run, LIMIT):
            failed(self.skipped, "saved", what, why)
            return None
        return run

    def writes(self, name, what, trace, most):
        """A row of the bytes; whether there is a trace now."""
        if not self.run(what, "trace", self.inputs.path(name), "-o", trace):
            return False
        if isWanted(self.options, "saved", what):
            self.rows.append(row(what, "MB", [1e-6 * trace.stat().st_size],
                                 most=most))
        return True

    def compressed(self, name, trace, most):
        what = f"trace, {name}: .json.zst"
        if not isWanted(self.options, "saved", what):
            return
        if self.writes(name, what, trace, most) and not isCompressed(trace):
            self.rows = [one for one in self.rows if one["what"] != what]
            failed(self.skipped, "saved", what, "is not compressed")

    def reads(self, name, trace, command):
        ours, beside = [], []
        out = self.inputs.folder / "told"
        what = f"{command} of the saved trace, {name}"
        for _ in range(self.options.runs):
            ours.append(self.run(what, command, trace, "-o", out))
            beside.append(self.run(what, command, self.inputs.path(name), "-o",
                                   out))
            if None in (ours[-1], beside[-1]):
                return
        self.rows.append(row(f"{what}: time, to that of the program", "s",
                             values(ours, "seconds"), values(beside, "seconds"),
                             TIME_AIM))
        bytes = 1e-6 * trace.stat().st_size
        self.rows.append(row(f"{what}: memory, to the file's bytes", "MB",
                             values(ours, "bytes"), [bytes] * len(ours),
                             MEMORY_AIM))

    def measure(self, name):
        most, mostCompressed = WRITTEN[name]
        commands = [one for one in COMMANDS if isWanted(
            self.options, "saved", f"{one} of the saved trace, {name}")]
        trace = self.inputs.folder / "saved.json"
        if commands or isWanted(self.options, "saved",
                                f"trace, {name}: bytes written"):
            say(f"saved trace of {name}")
            if self.writes(name, f"trace, {name}: bytes written", trace, most):
                for command in commands:
                    self.reads(name, trace, command)
            trace.unlink(missing_ok=True)
        self.compressed(name, trace.with_suffix(".json.zst"), mostCompressed)


def savedTraces(options, skipped):
    """Rows of `benchmarks.rows`."""
    with tempfile.TemporaryDirectory() as folder:
        saved = Saved(options, Inputs(options, pathlib.Path(folder)), skipped)
        for name in WRITTEN:
            saved.measure(name)
        return saved.rows
