"""memref-lens equals upstream on random programs.

For each seed: `memref-lens compare` must find nothing DIFFERENT. Where upstream
reads freed memory or crashes, our IR after each stage must be that of upstream
under the mender. Odd seeds run with dynamic ownership of private functions.

  MEMREF_LENS=... run_random.py [--seeds A..B] --mender=LIBMENDER [--keep=FOLDER]

The seeds of a failure reproduce it: generate.py --seed N.
"""

import argparse
import collections
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges"))

import generate
import judges  # puts the folder of `sample` on the path
import sample

STAGES = [
    "expand-realloc{emit-deallocs=false}",
    "canonicalize",
    "ownership-based-buffer-deallocation",
    "canonicalize",
    "buffer-deallocation-simplification",
    "bufferization-lower-deallocations",
    "cse",
    "canonicalize",
]
SOFT = ("upstream crashed", "upstream reads freed memory")


def mended_stage(mender, path, stage, dynamic):
    """What the mended upstream prints after `stage`."""
    passes = STAGES[:stage]
    if dynamic:
        passes = [p + "{private-function-dynamic-ownership=true}"
                  if p.startswith("ownership") else p for p in passes]
    return judges.run([judges.tool("mlir-opt"), path,
                       f"--pass-pipeline=builtin.module({','.join(passes)})"],
                      preload=mender)


def check_against_mender(arguments, path, options):
    """None, or what differs."""
    for stage in range(3, len(STAGES) + 1):
        mended = mended_stage(arguments.mender, path, stage, bool(options))
        ours = judges.run([judges.lens(), "ir", path, "--stage", str(stage),
                           *options])
        if mended.status is None or mended.crashed:
            return f"the mended upstream crashes at stage {stage}"
        if mended.status != 0:
            # It stops at a function that both reject; `compare` saw to the rest.
            return None
        if ours.out != mended.out:
            return f"stage {stage} differs from the mended upstream"
    return None


def check_seed(arguments, folder, seed):
    """(verdicts, list of failures)."""
    path = pathlib.Path(folder) / f"random-{seed}.mlir"
    path.write_text(generate.generate(seed))
    options = ["--private-function-dynamic-ownership"] if seed % 2 else []
    result = judges.run([judges.lens(), "compare", path, *options], seconds=300)
    verdicts = collections.Counter()
    for line in result.out.splitlines():
        if line.startswith(f"{path}: @"):
            verdict = line.split(": ")[2].split(" (")[0].strip()
            verdicts[verdict] += 1
    failures = []
    if result.status != 0 or "DIFFERENT" in result.out or (
            not verdicts and "{\n" in path.read_text()):
        failures.append(f"seed {seed}: compare exits {result.status}\n" +
                        "\n".join((result.out + result.err).splitlines()[:12]))
    elif any(verdict in SOFT for verdict in verdicts):
        difference = check_against_mender(arguments, path, options)
        verdicts["checked against the mender"] += 1
        if difference:
            failures.append(f"seed {seed}: {difference}")
    if not failures and not arguments.keep:
        path.unlink()
    return verdicts, failures


def check(arguments, folder):
    total, failed = collections.Counter(), 0
    seeds = sample.seeds(arguments.seeds, always=10, more=20, full=60, long=2000)
    for number, (verdicts, failures) in enumerate(judges.in_parallel(
            lambda seed: check_seed(arguments, folder, seed),
            seeds)):
        total += verdicts
        failed += bool(failures)
        if failures:
            print("\n".join(failures), flush=True)
        if number % 100 == 99:
            print(f"... {number + 1} programs", file=sys.stderr, flush=True)
    print(f"{len(seeds)} programs, {failed} failed; functions: {dict(total)}")
    accepted = total["identical"]
    if accepted < 0.7 * sum(total.values()):
        print("FAIL: too few functions reach the end of the pipeline")
        failed += 1
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", help="A..B, without B")
    parser.add_argument("--mender", required=True)
    parser.add_argument("--keep", help="folder for the programs")
    arguments = parser.parse_args()
    judges.lens()
    if arguments.keep:
        pathlib.Path(arguments.keep).mkdir(parents=True, exist_ok=True)
        sys.exit(1 if check(arguments, arguments.keep) else 0)
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(1 if check(arguments, folder) else 0)


if __name__ == "__main__":
    main()
