"""`memref-lens check` on many files: one at a time beside one for each core; how
commands over a whole file grow with its functions."""
import os
import pathlib
import tempfile

from benchmarks.figures import absolute, growth, ratio
from benchmarks.measure import failureOf, runOnce, say
from benchmarks.programs import functions

LIMIT = 600
# Status 1: there are findings.
FOUND = 1
# Of the growth with the number of functions: well under their square.
GROWTH_AIM = 1.5


def checkFiles(options, skipped):
    """Rows `{what, value, deviation, unit}`."""
    most = {"full": 30, "quick": 15, "tiny": 3}[options.scale]
    files = sorted((options.corpus / "real").glob("*.mlir"),
                   key=lambda path: (path.stat().st_size, path.name))
    # Of middling size: the small ones take no time, a few large ones all of it.
    part = 0.5 if options.scale == "tiny" else 0.75
    files = files[:int(part * len(files))][-most:]
    cores = os.cpu_count() or 1
    seconds = {1: [], cores: []}
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(options.runs):
            for jobs in seconds:
                say(f"check -j{jobs} of {len(files)} files")
                run = runOnce([options.memref_lens, "check", "-j", str(jobs),
                               "--no-try", "-o", os.path.join(scratch, "out"),
                               *map(str, files)], LIMIT)
                why = failureOf(run, LIMIT)
                if why and run["status"] != FOUND:
                    skipped.append({"input": f"check -j{jobs}", "why": why,
                                    "failure": True})
                    return []
                seconds[jobs].append(run["seconds"])
    alone = {"what": f"{len(files)} files one by one", "unit": "s",
             **absolute(seconds[1])}
    if cores == 1:
        return [alone]
    return [alone, {"what": f"the same with -j{cores}", "unit": "ratio",
                    **ratio(seconds[cores], seconds[1])}]


def growthOfCommands(options, skipped):
    """Rows of the exponents, and of the time at the largest size."""
    sizes = {"full": [400, 800, 1600], "quick": [200, 400, 800],
             "tiny": [5, 10]}[options.scale]
    commands = {"check": ["check"], "check with remedies":
                ["check", "--try-ops", "0"], "explain": ["explain"],
                "export --format html": ["export", "--format", "html"]}
    found = []
    for name, words in commands.items():
        say(f"{name} of up to {sizes[-1]} functions")
        rows = [{"n": n, "memrefLens": {"seconds": [], "cpu": []}}
                for n in [1, *sizes]]
        with tempfile.TemporaryDirectory() as scratch:
            for row in rows * min(options.runs, 3):
                path = pathlib.Path(scratch) / f"{row['n']}.mlir"
                path.write_text(functions(row["n"]))
                run = runOnce([options.memref_lens, *words, "-o",
                               os.path.join(scratch, "out"), str(path)], LIMIT)
                why = failureOf(run, LIMIT)
                if why and run["status"] != FOUND:
                    skipped.append({"input": name, "why": why,
                                    "failure": True})
                    return found
                for what in ("seconds", "cpu"):
                    row["memrefLens"][what].append(run[what])
        smallest, *rows = rows
        grown = growth(rows, "memrefLens", min(smallest["memrefLens"]["cpu"]))
        found.append({"what": f"{name}, {sizes[-1]} functions", "unit": "s",
                      **absolute(rows[-1]["memrefLens"]["seconds"])})
        if grown["exponent"] is not None:
            found.append({"what": f"{name}, growth with the functions",
                          "unit": "exponent", "aim": GROWTH_AIM,
                          "value": grown["exponent"],
                          "deviation": grown["deviation"]})
    return found
