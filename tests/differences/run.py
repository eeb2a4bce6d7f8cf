#!/usr/bin/env python3
"""Holds docs/upstream-differences.md to what mlir-opt-22 does.

Each row of the page's table has a file rows/<id>.mlir, and each file a row. A
file is run once per `// args:` line; the lines that follow state what comes out:

  // has: REGEX        a line matches          // not: REGEX    no line does
  // then: REGEX       lines match in this order
  // count N: REGEX    N matches               // error: REGEX  fails, and says so

A run that should succeed must. Without arguments all rows run.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "upstream-differences.md"
LINE = re.compile(r"// (args|has|not|then|error|count \d+):(.*)")


def row_ids():
    """The ids in the first column of the page's tables, in order."""
    found = re.findall(r"^\| `([a-z0-9-]+)` \|", PAGE.read_text(), re.M)
    return found


def runs_of(text):
    """[(arguments, [(kind, pattern)])] of a row's file."""
    runs = []
    for line in text.splitlines():
        match = LINE.match(line)
        if not match:
            continue
        kind, rest = match.group(1), match.group(2).strip()
        if kind == "args":
            runs.append((rest, []))
        elif not runs:
            raise ValueError(f"'{line}' comes before any '// args:'")
        else:
            runs[-1][1].append((kind, rest))
    return runs


def failure_of(expected, output, failed):
    """What is wrong with the output, or None."""
    at = 0
    wants_error = any(kind == "error" for kind, _ in expected)
    if failed != wants_error:
        return "fails" if failed else "succeeds, but should fail"
    for kind, pattern in expected:
        regex = re.compile(pattern, re.M)
        if kind == "then":
            match = regex.search(output, at)
            if not match:
                return f"not found, or not in this order: {pattern}"
            at = match.end()
        elif kind in ("has", "error"):
            if not regex.search(output):
                return f"not found: {pattern}"
        elif kind == "not":
            if regex.search(output):
                return f"found, but should not be: {pattern}"
        else:
            wanted = int(kind.split()[1])
            count = len(regex.findall(output))
            if count != wanted:
                return f"{count} times, but should be {wanted}: {pattern}"
    return None


def check_row(path, mlir_opt):
    """The failures of one file, each with the output that shows it."""
    runs = runs_of(path.read_text())
    if not runs or any(not expected for _, expected in runs):
        return ["states nothing"]
    failures = []
    for arguments, expected in runs:
        command = [mlir_opt, *shlex.split(arguments), str(path)]
        done = subprocess.run(command, capture_output=True, text=True,
                              timeout=60, check=False)
        output = done.stdout + done.stderr
        wrong = failure_of(expected, output, done.returncode != 0)
        if wrong:
            failures.append(f"{arguments or '(no pass)'}: {wrong}\n{output}")
    return failures


def self_check():
    """Each kind of expectation can fail."""
    for kind, pattern, output, failed in (
            ("has", "a", "b", False), ("not", "a", "a", False),
            ("then", "a", "b", False), ("count 2", "a", "a", False),
            ("error", "a", "a", False), ("error", "a", "b", True),
            ("has", "a", "a", True)):
        assert failure_of([(kind, pattern)], output, failed), kind
    assert failure_of([("then", "b"), ("then", "a")], "a b", False)
    assert not failure_of([("then", "a"), ("then", "b")], "a b", False)


def main():
    self_check()
    mlir_opt = os.environ.get("MLIR_OPT") or shutil.which("mlir-opt-22")
    if not mlir_opt:
        print("mlir-opt-22 is not here; install mlir-22-tools")
        return 1 if os.environ.get("CI") == "true" else 77
    ids = row_ids()
    files = {path.stem: path for path in sorted((HERE / "rows").glob("*.mlir"))}
    bad = 0
    for kind, names in (
            ("row without a test", set(ids) - set(files)),
            ("test without a row", set(files) - set(ids)),
            ("row twice", {name for name in ids if ids.count(name) > 1})):
        for name in sorted(names):
            print(f"FAIL {name}: {kind}")
            bad += 1
    wanted = sys.argv[1:] or sorted(files)
    for name in wanted:
        failures = check_row(files[name], mlir_opt)
        print(f"{'FAIL' if failures else 'ok  '} {name}")
        for failure in failures:
            print("  " + failure.replace("\n", "\n    "))
        bad += len(failures)
    print(f"{len(wanted)} rows, {bad} failures")
    return 1 if bad or len(ids) < 15 else 0


if __name__ == "__main__":
    sys.exit(main())
