"""`memref-lens check` on many files: one at a time beside one for each core."""
import os
import tempfile

from benchmarks.figures import absolute, ratio
from benchmarks.measure import failureOf, runOnce, say

LIMIT = 600
# Status 1: there are findings.
FOUND = 1


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
