"""What the scripts of tests/judges and tests/random share: the tools, the corpus
(from tests/support/corpus.py), and a process run with a time limit.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from corpus import (ROOT, SKIPPED, corpus, corpus_files, missing, tool,
                    verdicts)


def lens():
    """The memref-lens under test."""
    program = os.environ.get("MEMREF_LENS")
    if not program or not os.access(program, os.X_OK):
        missing("MEMREF_LENS does not name the memref-lens program")
    return program


def plugin():
    """The library of our passes, beside the program under test."""
    folder = pathlib.Path(lens()).resolve().parents[1] / "lib"
    return str(folder / "libMemrefLensPasses.so")


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
