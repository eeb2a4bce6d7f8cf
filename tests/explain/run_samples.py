#!/usr/bin/env python3
"""Compares `memref-lens explain` on samples with tests/explain/golden/*.txt.

usage: run_samples.py MEMREF_LENS [--update]
"""

import difflib
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parents[1] / "samples"


def main():
    tool, update = sys.argv[1], "--update" in sys.argv[2:]
    bad = 0
    goldens = sorted((HERE / "golden").glob("*.txt"))
    for golden in goldens:
        sample = SAMPLES / (golden.stem + ".mlir")
        done = subprocess.run([tool, "explain", str(sample)], text=True,
                              capture_output=True, timeout=120, check=False)
        if update:
            golden.write_text(done.stdout)
        diff = list(difflib.unified_diff(
            golden.read_text().splitlines(), done.stdout.splitlines(),
            "expected", "explained", lineterm=""))
        bad += bool(diff)
        print(("FAIL " if diff else "ok   ") + golden.stem, *diff, sep="\n")
    print(f"{len(goldens)} samples, {bad} differ")
    return 1 if bad or not goldens else 0


if __name__ == "__main__":
    sys.exit(main())
