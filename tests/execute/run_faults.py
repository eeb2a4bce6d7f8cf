#!/usr/bin/env python3
"""Faults that `memref-lens run` finds in random programs, beside valgrind's.

  run_faults.py [--seeds A..B] [--mutants N]

In what the pipeline makes of a random program one dealloc is deleted, moved, duplicated
or put under a condition; and where MLIR's own pipeline reads freed memory, what it makes is
taken as it is. The run of each tells the kinds of faults that valgrind tells, and as
many buffers that are left.
"""

import argparse
import collections
import pathlib
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "judges"), str(TESTS / "random"), str(TESTS / "check")]

import judges  # noqa: E402  puts the folder of `sample` on the path
import closed  # noqa: E402
import generate  # noqa: E402
import run_execute  # noqa: E402
import stale  # noqa: E402
import run_mutants  # noqa: E402
import run_programs  # noqa: E402
import sample  # noqa: E402


def programsOf(seed, folder, mutants):
    """(kind, text)"""
    source = folder / f"{seed}.mlir"
    source.write_text(generate.generate(seed, "acyclic-run"))
    made = judges.run([judges.lens(), "ir", source, "--stage", "final"])
    if made.status == 0 and "// rejected" not in made.out:
        final = run_mutants.without_idle_accesses(made.out)
        for text, kind in run_mutants.mutants_of(final, seed, mutants):
            yield kind, text
    if stale.reads_freed(source):
        stock = run_execute.deallocate(source, stock=True)
        if stock.status == 0:
            yield "MLIR's own", stock.out


def check(kind, text, path, tally):
    """Nothing, or what is told otherwise."""
    path.write_text(text)
    done, record = run_programs.ran(path, "--entry", "main", "--stage", "0")
    if record is None:
        tally["not valid"] += 1
        return
    if record["end"] != "returned":
        yield f"{record['end']}: {record['failure']} {done.err[:200]}"
        return
    program = closed.Program(text).closed("main", [], {})
    target, why = run_programs.lowered(path.parent, path.stem, program)
    if not target:
        yield why
        return
    theirs = run_programs.underValgrind(path.parent, target)
    ours = (run_programs.asValgrindHasIt(record), run_programs.leftBy(record))
    if theirs != ours:
        yield f"{kind}: {ours}, valgrind's {theirs}"
    tally[kind] += 1
    for fault in ours[0] | ({"leak"} if ours[1] else set()):
        tally[f"with a {fault}"] += 1
    tally["without a fault"] += ours == (set(), 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", help="A..B, without B")
    parser.add_argument("--mutants", type=int, default=2)
    arguments = parser.parse_args()
    seeds = sample.seeds(arguments.seeds, always=0, more=1, full=30, long=100)
    tally = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def checkSeed(seed):
            return [f"seed {seed}: {fault}" for number, (kind, text) in enumerate(
                programsOf(seed, folder, arguments.mutants))
                for fault in check(kind, text, folder / f"{seed}-{number}.mlir", tally)]

        found = [fault for faults in judges.in_parallel(checkSeed, seeds)
                 for fault in faults]
    print(f"{len(seeds)} random programs: {dict(tally)}")
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
