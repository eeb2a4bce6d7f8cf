"""What the first screen costs: `memref-lens FILE`, which tests remedies on copies of
the program, beside the `trace` of the same file; of the largest programs also beside
the plain pipeline. All may use all cores."""
import os
import tempfile

from benchmarks.figures import ratio
from benchmarks.measure import failureOf, runOnce, samples, say
from benchmarks.rows import isWanted

AIM = 2.0
MIN_LINES = 1000
# To the plain pipeline, of programs of so many lines.
PLAIN_AIM, PLAIN_LINES = 0.6, 9000
LIMIT = 600


def programsOf(options):
    return {"trace": [options.memref_lens, "trace"],
            "the plain pipeline": [options.mlir_opt,
                                   "--buffer-deallocation-pipeline"]}


def row(options, path, output, other):
    """The ratio of the overview to the other by the clock, run in turn; why it has
    none."""
    commands = {other: programsOf(options)[other],
                "overview": [options.memref_lens]}
    runs = {name: [] for name in commands}
    for _ in range(options.runs):
        for name, words in commands.items():
            run = runOnce([*words, "--allow-unregistered-dialect", str(path),
                           "-o", output], LIMIT)
            if why := failureOf(run, LIMIT):
                return None, f"{name}: {why}"
            runs[name].append(run)
    theirs, overview = (samples(found)["seconds"] for found in runs.values())
    isPlain = other != "trace"
    return {"what": f"{path.name}, to {other}" if isPlain else path.name,
            "unit": "ratio", "aim": PLAIN_AIM if isPlain else AIM,
            **ratio(overview, theirs)}, None


def othersOf(path):
    isLarge = path.read_bytes().count(b"\n") >= PLAIN_LINES
    return ["trace", "the plain pipeline"] if isLarge else ["trace"]


def overviews(options, skipped):
    """Rows `{what, value, deviation, unit, aim}` of the large real programs."""
    files = [path for path in (options.corpus / "real").glob("*.mlir")
             if path.read_bytes().count(b"\n") >= MIN_LINES]
    files.sort(key=lambda path: (path.stat().st_size, path.name))
    step = {"full": 1, "quick": 5, "tiny": len(files)}[options.scale]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path, other in ((path, other) for path in files[::max(step, 1)]
                            for other in othersOf(path)):
            if not isWanted(options, "overview", f"{path.name}, to {other}"):
                continue
            say(f"overview of {path.name}, to {other}")
            found, why = row(options, path, os.path.join(folder, "out"), other)
            if why:
                # Upstream rejects some, which is no fault of ours.
                skipped.append({
                    "input": f"overview of {path.name}", "why": why,
                    "failure": not why.startswith("the plain pipeline")})
            else:
                rows.append(found)
    return rows
