#!/usr/bin/env python3
"""Holds the README's example to the sample and to what the program prints.

usage: check_readme.py MEMREF_LENS
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main():
    readme = (ROOT / "README.md").read_text()
    found = re.search(r"```mlir\n(.*?)```\n\n`memref-lens explain (\S+)`[^\n]*"
                      r"\n\n```\n(.*?)```", readme, re.DOTALL)
    if not found:
        print("README.md: no program followed by its explanation")
        return 1
    program, sample, shown = found.groups()
    printed = subprocess.run([sys.argv[1], "explain", str(ROOT / sample)],
                             text=True, capture_output=True, timeout=60,
                             check=True).stdout
    faults = []
    if program not in (ROOT / sample).read_text():
        faults.append(f"{sample} does not hold the program")
    # The report's own indentation is left away, and "..." stands for some text.
    pattern = "".join(
        "  " + re.escape(line).replace(re.escape("..."), "[^\n]*") + "\n"
        for line in shown.splitlines())
    if not re.search("^" + pattern, printed, re.MULTILINE):
        faults.append(f"not printed:\n{shown}printed:\n{printed}")
    print(*faults or ["README.md: the example is what is printed"], sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
