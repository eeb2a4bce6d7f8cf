"""Where memory comes from, against MLIR's LocalAliasAnalysis.

  run_sources.py OPT [FILE...]

For each two memrefs of each function of the corpus and the samples: what ours
holds apart is never the same memory for MLIR, and what MLIR holds apart ours does
too. Two things are otherwise: what the program itself states to be distinct, MLIR
does not know; and it takes a clone, or the result of a realloc, for new memory,
which it need not be (run_witness.py sees them be the same buffer).
"""

import collections
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import corpus
import sample

ROOT = HERE.parents[1]
SHORT = ["/classic/", "upstream/OwnershipBased", "/defects/"]


def answers(opt, file):
    """(function, first, second, ours, theirs); none where MLIR dies on it."""
    command = [opt, "--mlir-disable-threading", "--allow-unregistered-dialect",
               "--split-input-file", "--lens-compare-aliases", file, "-o",
               "/dev/null"]
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=120)
    except subprocess.TimeoutExpired:
        return None, "timed out"
    if done.returncode < 0:
        return None, "dies"
    return [line.rsplit(" ", 4) for line in done.stdout.splitlines()], \
        re.findall("answer depends.*", done.stderr)


def main():
    opt = sys.argv[1]
    files = sys.argv[2:] or [
        *sorted((ROOT / "samples").glob("*.mlir")),
        *sorted((HERE / "cases").glob("*.mlir")),
        *corpus.corpus_files(() if sample.LONG else SHORT)]
    counts, failures = collections.Counter(), []
    for file in files:
        if pathlib.Path(file).stat().st_size > 200_000:
            continue
        rows, problems = answers(opt, file)
        if rows is None:
            counts[f"MLIR {problems}"] += 1
            continue
        failures += [f"{file}: {problem}" for problem in problems]
        for function, first, second, ours, theirs in rows:
            counts[f"{ours} / {theirs}"] += 1
            if ours == "may" and theirs == "NoAlias":
                failures.append(f"{file} {function}: {first} and {second} are "
                                f"apart for MLIR only")
            if ours not in ("may", "kept", "distinct") and theirs == "MustAlias":
                failures.append(f"{file} {function}: {first} and {second} are "
                                f"apart by {ours}, the same for MLIR")
    for what, count in sorted(counts.items()):
        print(f"{count:8} ours / MLIR's: {what}")
    for needed in ("allocations / NoAlias", "older / NoAlias", "kept / NoAlias",
                   "may / MustAlias", "distinct / NoAlias"):
        if not counts[needed] and not sys.argv[2:]:
            failures.append(f"never seen: {needed}")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
