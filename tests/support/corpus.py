"""Where the corpus is, which files it has, and what upstream makes of them.

A missing corpus or tool skips the test with a message; under CI=true it fails.
"""

import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77  # SKIP_RETURN_CODE of the tests.


def missing(what):
    """Ends the test: a failure under CI, else a skip."""
    in_ci = os.environ.get("CI") == "true"
    print(f"{'FAIL' if in_ci else 'skipped'}: {what}")
    sys.exit(1 if in_ci else SKIPPED)


def tool(name):
    """Path of an LLVM 22 tool, or of another program."""
    found = shutil.which(f"{name}-22") or shutil.which(name)
    return found or missing(f"{name} is not installed")


def corpus():
    """The folder of test inputs."""
    folder = pathlib.Path(
        os.environ.get("MEMREF_LENS_CORPUS", ROOT.parent / "shared/corpus"))
    if not folder.is_dir():
        missing(f"no corpus at {folder} (set MEMREF_LENS_CORPUS)")
    return folder


def tensors():
    """The folder of programs on tensors."""
    folder = pathlib.Path(
        os.environ.get("MEMREF_LENS_TENSORS", ROOT.parent / "shared/tensors"))
    if not folder.is_dir():
        missing(f"no programs on tensors at {folder} (set MEMREF_LENS_TENSORS)")
    return folder


def corpus_files(names=()):
    """All .mlir files of the corpus, or those whose path holds one of `names`."""
    folder = corpus()
    files = sorted(folder.rglob("*.mlir"))
    if names:
        files = [f for f in files if any(name in str(f) for name in names)]
    return files


def verdicts(mode="static", folder=ROOT / "tests/compare/expected"):
    """{file: {function: set of verdicts}} that `compare` is held to.

    A set: a file may have several functions of one name.
    """
    found = {}
    for table in sorted(folder.glob("*.tsv")):
        for row in table.read_text().splitlines():
            file, row_mode, function, verdict = row.split("\t")
            if row_mode == mode:
                functions = found.setdefault(file, {})
                functions.setdefault(function, set()).add(verdict)
    return found
