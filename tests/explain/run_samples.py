#!/usr/bin/env python3
"""Compares `memref-lens explain` on samples with tests/explain/golden/*.txt; and each
line of it names, with --track-sentences, a line of the sources that makes it.

usage: run_samples.py MEMREF_LENS [--update]
"""

import difflib
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parents[1] / "samples"
MADE_AT = r"  \[((?:core|cli)/[\w/]+\.(?:cpp|h)):(\d+)\]$"


def explained(tool, file, *options):
    return subprocess.run([tool, "explain", *options, str(file)], text=True,
                          capture_output=True, timeout=120, check=False).stdout


def untracked(plain, tracked):
    """Lines that name no line of the sources."""
    root, lines = HERE.parents[1], tracked.splitlines()
    if [re.sub(MADE_AT, "", line) for line in lines] != plain.splitlines():
        yield "other lines than without the option"
    for line in filter(None, lines):
        found = re.search(MADE_AT, line)
        path = root / found[1] if found else None
        if not path or not path.is_file() or \
                not 0 < int(found[2]) <= len(path.read_text().splitlines()):
            yield f"no place: {line}"


def main():
    tool, update = sys.argv[1], "--update" in sys.argv[2:]
    bad = 0
    goldens = sorted((HERE / "golden").glob("*.txt"))
    for golden in goldens:
        sample = SAMPLES / (golden.stem + ".mlir")
        text = explained(tool, sample)
        if update:
            golden.write_text(text)
        diff = list(difflib.unified_diff(
            golden.read_text().splitlines(), text.splitlines(),
            "expected", "explained", lineterm=""))
        diff += untracked(text, explained(tool, sample, "--track-sentences"))
        bad += bool(diff)
        print(("FAIL " if diff else "ok   ") + golden.stem, *diff, sep="\n")
    print(f"{len(goldens)} samples, {bad} differ")
    return 1 if bad or not goldens else 0


if __name__ == "__main__":
    sys.exit(main())
