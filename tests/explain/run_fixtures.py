#!/usr/bin/env python3
"""Holds what `memref-lens explain FILE:LINE:COL` says at places in programs.

usage: run_fixtures.py MEMREF_LENS

A line of a fixture that is `//`, carets and a text asks about the place in the
last line of program above that the first caret is under: the text is part of
what is said there. `// options: ...` gives options of the command.
"""

import re
import subprocess
import sys
from pathlib import Path

FIXTURES = Path(__file__).resolve().parent / "fixtures"
CARET = re.compile(r"^//( *)(\^+) (.*\S)\s*$")
AT_LEAST = 40


def places(path):
    """(line, column, expected text, number of the caret's line)."""
    asked = 0
    for number, line in enumerate(path.read_text().splitlines(), 1):
        caret = CARET.match(line)
        if caret:
            yield asked, len(caret[1]) + 3, caret[3], number
        elif not line.startswith("//"):
            asked = number


def main():
    count, bad = 0, 0
    for path in sorted(FIXTURES.glob("*.mlir")):
        options = re.search(r"^// options: (.*)", path.read_text(), re.M)
        for line, column, text, number in places(path):
            done = subprocess.run(
                [sys.argv[1], "explain", f"{path}:{line}:{column}",
                 *(options[1].split() if options else [])],
                text=True, capture_output=True, timeout=60, check=False)
            said = done.stdout + done.stderr
            # Indentation apart; a text may start or end anywhere in a line.
            found = any(text in " ".join(out.split())
                        for out in said.splitlines())
            count, bad = count + 1, bad + (not found)
            if not found:
                print(f"{path.name}:{number}: not said at {line}:{column}: "
                      f"{text}\n{said}")
    print(f"{count} carets, {bad} not as expected")
    return 1 if bad or count < AT_LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
