"""`memref-lens trace` beside `mlir-opt` on real programs and on families of
generated ones.

Upstream is `mlir-opt --buffer-deallocation-pipeline --mlir-print-ir-after-all`:
like a trace, it writes the program after each stage.
"""
import os
import pathlib
import tempfile

from benchmarks import programs
from benchmarks.figures import growth, median
from benchmarks.measure import (LONG_RUN_SECONDS, failureOf, runOnce, samples,
                                say)

CHUNK_MARK = "// -----"
# Exit status of memref-lens for what it cannot parse.
UNREADABLE = 3
SMALL = "func.func @small() {\n  return\n}\n"

# Family -> sizes on which both run. Upstream is exponential in diamonds, cubic
# in `training` and quadratic elsewhere, hence the small sizes.
SIZES = {
    "plain": [400, 800, 1600, 3200],
    "chain": [400, 800, 1600, 3200],
    "external": [100, 200, 400, 800],
    "diamonds": [4, 8, 12, 16, 20, 22],
    "ladder": [100, 200, 400, 800],
    "nest if": [50, 100, 200, 400],
    "nest for": [50, 100, 200, 400],
    "functions": [200, 400, 800, 1600],
    "calls": [200, 400, 800, 1600],
    "training": [90, 180, 360, 720],
    "training returned": [90, 180, 360, 720],
}

# Family -> very large sizes; upstream runs on the last only, if at all.
LARGE = {
    "plain": ([12500, 25000, 50000], False),
    "chain": ([3200, 6400, 12800], True),
    "diamonds": ([2500, 5000, 10000], False),
    "nest if": ([500, 1000, 2000], True),
    "training": ([1360, 2720, 5440], True),
    "training returned": ([1360, 2720, 5440], True),
}
NOT_RUN = {"plain": "quadratic: minutes", "diamonds": "doubles with each one"}


def sizesOf(family, scale):
    """`quick` takes the first three sizes, `tiny` next to nothing."""
    full = SIZES[family]
    return {"full": full, "quick": full[:3], "tiny": [2, 4]}[scale]


def largeOf(family, scale):
    sizes, runsUpstream = LARGE.get(family, ([], False))
    return {"full": (sizes, runsUpstream), "quick": ([], False),
            "tiny": ([6, 8] if sizes else [], runsUpstream)}[scale]


class Traces:
    def __init__(self, options, skipped):
        self.options, self.skipped = options, skipped
        self.scratch = tempfile.TemporaryDirectory()

    def commands(self, path):
        words = []
        if CHUNK_MARK in path.read_text(errors="replace"):
            words = ["--split-input-file"]
        output = os.path.join(self.scratch.name, "output")
        words += ["--allow-unregistered-dialect", str(path)]
        return ([self.options.mlir_opt, "--buffer-deallocation-pipeline",
                 "--mlir-print-ir-after-all", *words, "-o", output + ".mlir"],
                [self.options.memref_lens, "trace", *words, "-o",
                 output + ".json"])

    def skip(self, name, why, failure=False):
        say(f"  skipped: {why}")
        self.skipped.append({"input": name, "why": why, "failure": failure})

    def upstreamFirst(self, name, command, limit):
        """The first run of upstream; None if the input is of no use."""
        first = runOnce(command, limit)
        why = failureOf(first, limit)
        if why:
            self.skip(name, "upstream rejects it"
                      if (first["status"] or 0) > 0 else f"upstream {why}")
            return None
        return first

    def measure(self, name, path, n=None):
        """A row, or None with the reason recorded."""
        say(name)
        upstream, lens = self.commands(path)
        first = self.upstreamFirst(name, upstream, self.options.limit)
        if not first:
            return None
        ours, theirs = [], [first]
        # A trace that needs ten times upstream's time has missed the aim.
        limit = max(10.0, 10 * first["seconds"])
        for number in range(self.options.runs):
            if number and first["seconds"] > LONG_RUN_SECONDS:
                break
            ours.append(runOnce(lens, limit))
            if ours[-1]["status"] == UNREADABLE:
                return self.skip(name, "memref-lens cannot read it (as the "
                                 "test dialect, which is upstream's own)")
            if why := failureOf(ours[-1], limit):
                return self.skip(name, f"memref-lens {why}", failure=True)
            if number:
                theirs.append(runOnce(upstream, self.options.limit))
        return self.row(name, path, n, ours, theirs)

    def row(self, name, path, n, ours, theirs):
        made = {"input": name, "n": n,
                "lines": path.read_bytes().count(b"\n"),
                "memrefLens": samples(ours),
                "upstream": samples(theirs) if theirs else None}
        if theirs:
            part = (median(made["memrefLens"]["seconds"]) /
                    median(made["upstream"]["seconds"]))
            say(f"  {part:.2f} of the time")
        return made

    def measureLarge(self, name, path, n, runsUpstream, note):
        """Ours always; upstream once, as far as the limit goes."""
        say(name)
        upstream, lens = self.commands(path)
        limit = self.options.large_limit
        ours = []
        for _ in range(self.options.runs):
            ours.append(runOnce(lens, 2 * limit))
            if why := failureOf(ours[-1], 2 * limit):
                return self.skip(name, f"memref-lens {why}", failure=True)
            if ours[-1]["seconds"] > LONG_RUN_SECONDS / 2:
                break
        theirs = [runOnce(upstream, limit)] if runsUpstream else []
        late = bool(theirs) and theirs[0]["status"] is None
        if theirs and not late and (why := failureOf(theirs[0], limit)):
            note, theirs = why, []
        row = self.row(name, path, n, ours, theirs)
        if late:
            # At least: it was stopped.
            row["upstreamStopped"] = True
        if not theirs:
            row["upstreamNote"] = note
        return row

    #===--- Parts ---===#
    def real(self):
        rows = []
        for path in ([pathlib.Path(file) for file in self.options.files] or
                     self.realFiles()):
            if row := self.measure(path.name, path):
                rows.append(row)
        return rows

    def realFiles(self):
        """The large ones, to which the aims apply, come last."""
        files = (self.options.corpus / "real").glob("*.mlir")
        lines = {path: path.read_bytes().count(b"\n") for path in files}
        found = [path for path in sorted(lines, key=lambda path:
                                         (lines[path], path.name))
                 if lines[path] >= self.options.min_lines]
        if self.options.scale == "quick":
            # Small ones, which are most, are like one another.
            found = found[::8] + [path for path in found[-40:]
                                  if lines[path] >= 1000][:3]
        return found[:3] if self.options.scale == "tiny" else \
            list(dict.fromkeys(found))

    def write(self, family, n):
        path = pathlib.Path(self.scratch.name) / "generated.mlir"
        path.write_text(programs.FAMILIES[family](n))
        return path

    def families(self):
        floor = self.floor()
        made = {}
        for family in self.options.family or SIZES:
            rows = []
            for n in sizesOf(family, self.options.scale):
                row = self.measure(f"{family} {n}", self.write(family, n), n)
                if not row:
                    break
                rows.append(row)
            large, runsUpstream = largeOf(family, self.options.scale)
            for n in large:
                row = self.measureLarge(
                    f"{family} {n}", self.write(family, n), n,
                    runsUpstream and n == large[-1],
                    NOT_RUN.get(family, "only on the largest"))
                if row:
                    row["isLarge"] = True
                    rows.append(row)
            made[family] = {"rows": rows, "growth": self.growths(rows, floor)}
        return made

    def growths(self, rows, floor):
        both = [row for row in rows if not row.get("isLarge")]
        alone = rows if any(row.get("isLarge") for row in rows) else []
        return {"memrefLens": growth(both, "memrefLens", floor["memrefLens"]),
                "upstream": growth(both, "upstream", floor["upstream"]),
                "memrefLensLarge":
                    growth(alone, "memrefLens", floor["memrefLens"])}

    def floor(self):
        """The processor's seconds of each tool for next to nothing, to be
        taken off."""
        path = pathlib.Path(self.scratch.name) / "small.mlir"
        path.write_text(SMALL)
        row = self.measure("start-up", path)
        return {tool: min(row[tool]["cpu"]) if row else 0.0
                for tool in ("memrefLens", "upstream")}

    def calibration(self):
        """Samples of upstream on one program: how fast the machine is now."""
        path = self.write("chain", 800)
        return samples([runOnce(self.commands(path)[0], 60)
                        for _ in range(5)])
