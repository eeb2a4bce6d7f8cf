"""Programs on tensors: the first screen with `--bufferize`, beside mlir-opt's
one-shot-bufferize and deallocation of the same file. Ours finds the causes of copies
and tries remedies on top, each on a copy of the program."""
import pathlib
import tempfile

from benchmarks.measure import failureOf, runOnce, say
from benchmarks.programs import tensors
from benchmarks.rows import failed, isWanted, row, values

LIMIT = 300
# Of the real programs, those of so many lines; to mlir-opt, by the clock and in
# memory.
MIN_LINES = 300
TIME_AIM, MEMORY_AIM = 4.0, 2.0
MLIR = ("--one-shot-bufferize=bufferize-function-boundaries",
        "--buffer-deallocation-pipeline", "--allow-unregistered-dialect")


def realFiles(options):
    folder = pathlib.Path(options.corpus).parent / "tensors" / "real"
    found = [path for path in sorted(folder.glob("*.mlir"))
             if path.read_bytes().count(b"\n") >= MIN_LINES]
    return found[:1] if options.scale == "tiny" else found


def inputsOf(options, folder):
    """(name, path)."""
    sizes = {"full": (200, 1000), "quick": (200,), "tiny": (2,)}[options.scale]
    for size in sizes:
        path = folder / f"{size}.mlir"
        path.write_text(tensors(size))
        yield f"{size:,} functions", path
    for path in realFiles(options):
        yield path.name.rsplit("__", 1)[-1], path


def tensorPrograms(options, skipped):
    """Rows of `benchmarks.rows`."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        output = str(pathlib.Path(folder) / "out")
        for name, path in inputsOf(options, pathlib.Path(folder)):
            if not isWanted(options, "tensors", name):
                continue
            say(f"overview with --bufferize of {name}")
            theirs, ours = [], []
            for _ in range(options.runs):
                theirs.append(runOnce([options.mlir_opt, *MLIR, str(path), "-o",
                                       output], LIMIT))
                ours.append(runOnce([options.memref_lens, "--bufferize",
                                     "--allow-unregistered-dialect", str(path),
                                     "-o", output], LIMIT))
            why = [failureOf(one, LIMIT) for one in ours]
            if failureOf(theirs[0], LIMIT):
                skipped.append({"input": f"tensors: {name}", "failure": False,
                                "why": "upstream rejects it"})
                continue
            if any(why):
                failed(skipped, "tensors", name, next(filter(None, why)))
                continue
            for what, unit, key, aim in (("time", "s", "seconds", TIME_AIM),
                                         ("memory", "MB", "bytes", MEMORY_AIM)):
                rows.append(row(f"{name}: {what}", unit, values(ours, key),
                                values(theirs, key), aim))
    return rows
