"""What the first screen costs: `memref-lens FILE`, which tests remedies on copies of
the program, beside the `trace` of the same file. Both may use all cores."""
import os
import tempfile

from benchmarks.figures import ratio
from benchmarks.measure import failureOf, runOnce, samples, say

AIM = 2.0
MIN_LINES = 1000
LIMIT = 600


def row(options, path, output):
    """The ratio of the two by the clock, run in turn; why it has none."""
    runs = {"trace": [], "overview": []}
    for _ in range(options.runs):
        for name in runs:
            words = [name] if name == "trace" else []
            run = runOnce([options.memref_lens, *words,
                           "--allow-unregistered-dialect", str(path), "-o",
                           output], LIMIT)
            if why := failureOf(run, LIMIT):
                return None, f"{name}: {why}"
            runs[name].append(run)
    trace, overview = (samples(found)["seconds"] for found in runs.values())
    return {"what": path.name, "unit": "ratio", "aim": AIM,
            **ratio(overview, trace)}, None


def overviews(options, skipped):
    """Rows `{what, value, deviation, unit, aim}` of the large real programs."""
    files = [path for path in (options.corpus / "real").glob("*.mlir")
             if path.read_bytes().count(b"\n") >= MIN_LINES]
    files.sort(key=lambda path: (path.stat().st_size, path.name))
    step = {"full": 1, "quick": 5, "tiny": len(files)}[options.scale]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path in files[::max(step, 1)]:
            say(f"overview of {path.name}")
            found, why = row(options, path, os.path.join(folder, "out"))
            if why:
                skipped.append({"input": f"overview of {path.name}",
                                "why": why, "failure": True})
            else:
                rows.append(found)
    return rows
