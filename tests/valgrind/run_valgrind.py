"""`memref-lens trace` is clean under valgrind on hard and on random programs.

ASan sees nothing inside libMLIR.so; valgrind does. The programs are the
`uaf-*` files of the corpus and seeded random ones, several to a
process (as chunks of one input): most of the time goes into starting it.

  MEMREF_LENS=... run_valgrind.py [--seeds A..B]

MEMREF_LENS_LONG=1: every file and 200 programs instead of a handful.
"""

import argparse
import pathlib
import re
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / name)
                for name in ("judges", "random")]

import generate
import judges  # puts the folder of `sample` on the path
import sample

BATCH = 25
SHORT_FILES = ("uaf-region-result-live-out",)
SUMMARY = re.compile(r"ERROR SUMMARY: (\d+) errors")


def batches(arguments):
    """(name, programs, options) of each process."""
    folder = judges.corpus() / "defects"
    files = sorted(folder.glob("uaf-*.mlir"))
    assert len(files) >= 3, f"only {len(files)} files in {folder}"
    if not sample.LONG:
        files = [f for f in files if f.stem.startswith(SHORT_FILES)]
        assert len(files) == len(SHORT_FILES), files
    programs = [f.read_text() for f in files]
    yield "uaf-*", programs, []
    if sample.LONG:
        yield ("uaf-*, dynamic", programs,
               ["--private-function-dynamic-ownership"])
    chosen = sample.seeds(arguments.seeds, always=1, more=3, full=8, long=200)
    # On some of these MLIR's own pass reads freed memory.
    if not arguments.seeds:
        chosen = sorted({*chosen, 5, 12, 13})
    for parity, options in ((0, []),
                            (1, ["--private-function-dynamic-ownership"])):
        seeds = [seed for seed in chosen if seed % 2 == parity]
        for begin in range(0, len(seeds), BATCH):
            part = seeds[begin:begin + BATCH]
            yield (f"seeds {', '.join(map(str, part))}",
                   [generate.generate(seed) for seed in part], options)


def check(folder, number, batch):
    """None, or what valgrind or the tool complained about."""
    name, programs, options = batch
    path = pathlib.Path(folder) / f"{number}.mlir"
    path.write_text("\n// -----\n".join(programs))
    trace, log = path.with_suffix(".json"), path.with_suffix(".log")
    # In one process: a crash that the worker would catch must show here.
    result = judges.run(
        [judges.tool("valgrind"), "--error-exitcode=99", "--num-callers=30",
         f"--log-file={log}", judges.lens(), "trace", path, "-o", trace,
         "--stage-timeout", "0", *options],
        seconds=1500, MEMREF_LENS_IN_PROCESS="1")
    report = log.read_text() if log.exists() else ""
    summary = SUMMARY.search(report)
    if (result.status != 0 or not summary or summary.group(1) != "0" or
            "crashed" in result.err or not trace.exists()):
        return (f"{name}: exit status {result.status}\n" +
                "\n".join((result.err + report).splitlines()[:60]))
    print(f"{name}: {len(programs)} programs, 0 errors", flush=True)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", help="A..B, without B")
    arguments = parser.parse_args()
    judges.lens()
    judges.tool("valgrind")
    with tempfile.TemporaryDirectory() as folder:
        numbered = list(enumerate(batches(arguments)))
        failures = [f for f in judges.in_parallel(
            lambda item: check(folder, *item), numbered) if f]
    for failure in failures:
        print(f"FAIL: {failure}")
    programs = sum(len(batch[1]) for _, batch in numbered)
    print(f"{programs} programs in {len(numbered)} processes, "
          f"{len(failures)} of them not clean")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
