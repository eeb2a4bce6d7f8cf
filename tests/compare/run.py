#!/usr/bin/env python3
"""Holds `memref-lens compare` to the checked-in verdict of every corpus function.

usage: run.py --binary memref-lens-test --set upstream|defects|readings|real|generated
              [--file PART] [--update]

Each file, of the real programs each of a part, is compared with and without
private-function-dynamic-ownership (large files only without, unless
MEMREF_LENS_LONG is set). A verdict that differs from
expected/SET.tsv is a failure, in either direction; so is another number of files.
The long form waits longer for upstream, so that some verdicts are others: a file
and mode that stands in expected/SET.long.tsv is held to that there. --file takes
only the files whose name has PART in it.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(REPO, "tests", "support"))
import sample  # noqa: E402

CORPUS = os.environ.get("MEMREF_LENS_CORPUS",
                        os.path.join(REPO, "..", "shared", "corpus"))
DYNAMIC = "--private-function-dynamic-ownership"
# Number of files in each set; a file that vanishes must be noticed.
COUNTS = {"upstream": 31, "defects": 54, "readings": 17, "real": 143,
          "generated": 8}
# One of so many files is taken, of sets that are not small.
STEPS = {"real": 4}
# Beyond this a file is compared in one mode only, except in the long form.
SMALL = 100_000
GENERATED = [("straight.py", ["40"]), ("straight.py", ["200"]),
             ("diamonds.py", ["4"]), ("diamonds.py", ["12"]),
             ("nest.py", ["5"]), ("nest.py", ["60"]),
             ("funcs.py", ["3"]), ("funcs.py", ["120"])]
VERDICT = re.compile(
    r": @(.*): (identical|rejected alike|upstream crashed|upstream timed out|"
    r"upstream reads freed memory|upstream order varies|DIFFERENT)(?: \(|$)")


def files_of(name, scratch):
    if name == "generated":
        for script, arguments in GENERATED:
            path = os.path.join(
                scratch, script[:-3] + "-" + "-".join(arguments) + ".mlir")
            with open(path, "w", encoding="utf-8") as out:
                subprocess.run([sys.executable,
                                os.path.join(CORPUS, "gen", script),
                                *arguments], stdout=out, check=True)
            yield path
        return
    for folder, _, names in sorted(os.walk(os.path.join(CORPUS, name))):
        for file in sorted(names):
            if file.endswith(".mlir"):
                yield os.path.join(folder, file)


def compare(binary, path, dynamic, root):
    label = os.path.relpath(path, root)
    # The slowest needs a minute on an idle machine; a loaded one must not matter.
    limit = 3600 if sample.LONG else 30
    command = [binary, "compare", "--allow-unregistered-dialect",
               f"--timeout={limit}", path] + ([DYNAMIC] if dynamic else [])
    try:
        run = subprocess.run(command, capture_output=True, text=True,
                             errors="replace", timeout=max(limit * 4, 600),
                             stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return [(label, dynamic, "*", "our compare timed out")], ""
    rows = []
    for line in run.stdout.splitlines():
        found = VERDICT.search(line)
        if found and line.startswith(path):
            rows.append((label, dynamic, found[1], found[2]))
    if run.returncode not in (0, 1, 3):
        rows.append((label, dynamic, "*", f"exit {run.returncode}"))
    if run.returncode == 3:
        rows.append((label, dynamic, "*", "not parsed"))
    text = run.stdout if "DIFFERENT" in run.stdout else ""
    return rows, text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--set", required=True, choices=sorted(COUNTS))
    parser.add_argument("--file", default="")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if not os.path.isdir(CORPUS):
        print(f"no corpus in {CORPUS}")
        return 1 if os.environ.get("CI") else 77
    with tempfile.TemporaryDirectory() as scratch:
        root = scratch if options.set == "generated" else CORPUS
        files = [path for path in files_of(options.set, scratch)
                 if options.file in path]
        count = len(files)
        if not options.file and not options.update:
            files = sample.part(map(pathlib.Path, files),
                                STEPS.get(options.set, 1))
        jobs = []
        for path in map(str, files):
            jobs.append((path, False))
            if sample.LONG or os.path.getsize(path) < SMALL:
                jobs.append((path, True))
        rows, texts = [], []
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for found, text in pool.map(
                    lambda job: compare(options.binary, *job, root), jobs):
                rows += found
                texts.append(text)
    print("".join(texts))
    labels = {os.path.relpath(path, root) for path in files}
    return judge(options, count, labels, rows)


def is_chance(row, actual, wanted):
    """Where upstream's result changes from run to run it may be ours by chance.

    Only the sparse programs with hundreds of blocks have sets large enough.
    """
    key = row.rsplit("\t", 1)[0]
    seen = {name for name in ("identical", "upstream order varies")
            if key + "\t" + name in actual | wanted}
    return len(seen) == 2 and "_as_cfg_loops.mlir\t" in row


def key_of(row):
    """File and mode."""
    return tuple(row.split("\t")[:2])


def is_in_corpus(name, row):
    """Whether the file of a row is there, though it may not be compared."""
    return name == "generated" or \
        os.path.exists(os.path.join(CORPUS, key_of(row)[0]))


def read_rows(name):
    path = os.path.join(HERE, "expected", name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as handle:
        return handle.read().splitlines()


def update(name, actual, known):
    """Replaces the rows of the files and modes that were looked at."""
    seen = {key_of(row) for row in actual}
    if name.endswith(".long.tsv"):
        short = set(known)
        actual = [row for row in actual if key_of(row) in
                  {key_of(other) for other in actual if other not in short}]
    rows = [row for row in read_rows(name) if key_of(row) not in seen]
    with open(os.path.join(HERE, "expected", name), "w",
              encoding="utf-8") as out:
        out.write("\n".join(sorted(rows + actual)) + "\n")


def expected_rows(name):
    rows = read_rows(name + ".tsv")
    if not sample.LONG:
        return rows
    longer = read_rows(name + ".long.tsv")
    replaced = {key_of(row) for row in longer}
    return [row for row in rows if key_of(row) not in replaced] + longer


def judge(options, count, labels, rows):
    """`count` files there are; `labels` are the names of those compared."""
    actual = sorted("\t".join((label, "dynamic" if dynamic else "static",
                               function, verdict))
                    for label, dynamic, function, verdict in rows)
    if options.update:
        update(options.set + (".long.tsv" if sample.LONG else ".tsv"), actual,
               read_rows(options.set + ".tsv"))
    wanted = [row for row in expected_rows(options.set)
              if key_of(row)[0] in labels or
              not options.file and not is_in_corpus(options.set, row)]
    failures = sorted(set(actual) ^ set(wanted))
    failures = [row for row in failures
                if not is_chance(row, set(actual), set(wanted))]
    for row in failures:
        print("unexpected:" if row in actual else "missing:   ", row)
    different = [row for row in actual if row.endswith("DIFFERENT")]
    isWhole = options.file or count == COUNTS[options.set]
    if not isWhole:
        print(f"{count} files instead of {COUNTS[options.set]}")
    print(f"{len(labels)} of {count} files, {len(actual)} verdicts, {len(different)} DIFFERENT, "
          f"{len(failures)} not as expected")
    return 1 if failures or different or not isWhole else 0


if __name__ == "__main__":
    sys.exit(main())
