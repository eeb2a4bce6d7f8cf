"""What a user waits for beside the plain pipeline: `mlir-opt
--buffer-deallocation-pipeline`, which writes the last IR and nothing else.

On files of many small functions, and on the real programs that it takes some time
for. Both may use all cores.
"""
import os
import pathlib
import tempfile

from benchmarks.figures import median, ratio
from benchmarks.measure import failureOf, runOnce, samples, say
from benchmarks.programs import layers
from benchmarks.rows import isWanted

LIMIT = 600
# Status 1 of `check`: there are findings.
FOUND = 1
CHUNK_MARK = "// -----"
# To the plain pipeline, by the clock on two cores and of the processor.
AIMS = {"ir --stage final": (1.0, 1.8), "trace": (1.2, 2.2),
        "explain": (1.0, 1.6), "check --no-try": (1.2, 2.2)}
# Where the plain pipeline takes less, what else the machine does shows: each is run
# so many times as often.
SHORT_SECONDS, SHORT_RUNS = 0.5, 3
# Of a real program, by the clock, where the plain pipeline takes so many seconds.
REAL_AIM, LEAST_SECONDS = 1.2, 0.05


class Plain:
    def __init__(self, options, skipped):
        self.options, self.skipped = options, skipped
        self.scratch = tempfile.TemporaryDirectory()
        self.output = os.path.join(self.scratch.name, "out")

    def theirs(self, path):
        words = []
        if CHUNK_MARK in path.read_text(errors="replace"):
            words = ["--split-input-file"]
        return [self.options.mlir_opt, "--buffer-deallocation-pipeline",
                "--allow-unregistered-dialect", *words, str(path), "-o",
                self.output]

    def ours(self, name, path):
        return [self.options.memref_lens, *name.split(),
                "--allow-unregistered-dialect", str(path), "-o", self.output]

    def wanted(self, runs):
        """Number of runs, by how long the first took."""
        most = self.options.runs
        if runs and runs[0]["seconds"] < SHORT_SECONDS:
            return most * SHORT_RUNS
        return most

    def row(self, input, path):
        """Samples of each command and of the plain pipeline right before it;
        None, with the reason recorded, where one cannot be measured."""
        made = {"input": input, "lines": path.read_bytes().count(b"\n"),
                "commands": {}}
        for name in AIMS:
            if not isWanted(self.options, "plain", f"{input}/{name}"):
                continue
            say(f"{name} of {input}")
            runs = {"upstream": [], "memrefLens": []}
            while len(runs["upstream"]) < self.wanted(runs["upstream"]):
                for who, command in (("upstream", self.theirs(path)),
                                     ("memrefLens", self.ours(name, path))):
                    # Some file systems write the old file's successor to the
                    # disk at once.
                    pathlib.Path(self.output).unlink(missing_ok=True)
                    run = runOnce(command, LIMIT)
                    why = failureOf(run, LIMIT)
                    if why and (run["status"] != FOUND or who == "upstream"):
                        self.skipped.append({
                            "input": f"plain: {name} of {input}", "why": why,
                            "failure": who == "memrefLens"})
                        return None
                    runs[who].append(run)
            made["commands"][name] = {who: samples(found)
                                      for who, found in runs.items()}
        return made if made["commands"] else None

    def wholeFiles(self):
        """Rows of files of many functions."""
        sizes = {"full": [200, 1000, 4000], "quick": [200, 1000],
                 "tiny": [4]}[self.options.scale]
        rows = []
        for size in sizes:
            path = pathlib.Path(self.scratch.name) / "functions.mlir"
            path.write_text(layers(size))
            rows.append(self.row(f"{size:,} functions", path))
        return [row for row in rows if row]

    def isSlow(self, path):
        """Whether the plain pipeline takes it, and long enough."""
        runs = [runOnce(self.theirs(path), self.options.limit)]
        if runs[0]["seconds"] >= LEAST_SECONDS:
            runs += [runOnce(self.theirs(path), self.options.limit)
                     for _ in range(2)]
        return all(failureOf(run, self.options.limit) is None
                   for run in runs) and \
            median([run["seconds"] for run in runs]) >= LEAST_SECONDS

    def realFiles(self):
        """Rows of the real programs that count, the largest last."""
        found = sorted((self.options.corpus / "real").glob("*.mlir"),
                       key=lambda path: (path.stat().st_size, path.name))
        if self.options.scale == "tiny":
            return [row for row in (self.row(path.name, path)
                                    for path in found[:1]) if row]
        if self.options.scale == "quick":
            found = found[-20::4]
        say(f"the plain pipeline on {len(found)} real programs")
        return [row for row in (self.row(path.name, path) for path in found
                                if self.isSlow(path)) if row]


def addPlain(figures, key, rows):
    """Ratios by the clock and of the processor: of files of many functions each
    with its aim, of real programs by the clock."""
    for row in rows:
        for name, runs in row["commands"].items():
            ours, theirs = runs["memrefLens"], runs["upstream"]
            clock, processor = AIMS[name]
            if key == "plain-real":
                clock, processor = REAL_AIM, None
            id = f"{key}/{row['input']}/{name}"
            figures.add(f"{id}/time",
                        ratio(ours["seconds"], theirs["seconds"]), "ratio",
                        clock)
            figures.add(f"{id}/processor", ratio(ours["cpu"], theirs["cpu"]),
                        "ratio", processor)
