"""What the scripts of tests/judges and tests/random share: where the tools and
the corpus are, and a process run with a time limit.

A missing tool or corpus skips the test with a message; under CI=true it fails.
"""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
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


def corpus_files(names=()):
    """All .mlir files of the corpus, or those whose path holds one of `names`."""
    folder = corpus()
    files = sorted(folder.rglob("*.mlir"))
    if names:
        files = [f for f in files if any(name in str(f) for name in names)]
    return files


def lens():
    """The memref-lens under test."""
    program = os.environ.get("MEMREF_LENS")
    if not program or not os.access(program, os.X_OK):
        missing("MEMREF_LENS does not name the memref-lens program")
    return program


class Result:
    """Exit status (None: ran out of time), standard output and error."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    @property
    def crashed(self):
        return self.status is not None and (self.status < 0 or
                                            self.status >= 128)


def run(command, text=None, seconds=120, preload=None, **environment):
    """Runs `command` with `text` on its standard input."""
    env = dict(os.environ, **environment)
    if preload:
        env["LD_PRELOAD"] = str(preload)
    data = text.encode() if isinstance(text, str) else text
    try:
        done = subprocess.run([str(part) for part in command], input=data,
                              capture_output=True, timeout=seconds, env=env)
    except subprocess.TimeoutExpired:
        return Result(None, "", "")
    return Result(done.returncode, done.stdout.decode(errors="replace"),
                  done.stderr.decode(errors="replace"))


def chunks(text):
    """The parts of a file between `// -----` lines, as mlir-opt splits it."""
    parts, current = [], []
    for line in text.splitlines(keepends=True):
        if line.startswith("// -----"):
            parts.append("".join(current))
            current = []
        else:
            current.append(line)
    return parts + ["".join(current)]


def in_parallel(check, items, workers=2):
    """`check(item)` for each, in order of `items`."""
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        yield from pool.map(check, items)
