#!/usr/bin/env python3
"""`check -j`: the same bytes and the same exit status with any number of jobs.

Over half of the corpus's defects and small real programs, those that kill a worker
among them, all at once; with remedies tried, one by one over a part of the samples
and real programs; with MEMREF_LENS_LONG=1 over all real programs (remedies: over those of
at most 150 kB). Prints how long each number of jobs took, and asserts nothing
about it.

The program is $MEMREF_LENS.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "scripts")]
import corpus  # noqa: E402
import sample  # noqa: E402
from benchmarks import programs  # noqa: E402

LONG = sample.LONG
# Time decides nothing: paths end by their number, and remedies by their ops.
WORDS = ["--path-seconds", "3600"]


def inputs():
    folder = corpus.corpus()
    limit = 10 ** 9 if LONG else 6000
    files = [path for part in ("defects", "real")
             for path in sorted((folder / part).glob("*.mlir"))
             if path.stat().st_size < limit and
             "exponential" not in path.name and path.name != "diamonds24.mlir"]
    files = sample.part(files, 2, core=["crash"])
    # The last is first done, and one cannot be read.
    return files[::-1] + [folder / "no-such-file.mlir"]


def check(tool, jobs, files, form, folder, words=("--no-try",)):
    output = folder / f"{form}-{jobs}"
    output.unlink(missing_ok=True)
    begin = time.monotonic()
    done = subprocess.run(
        [tool, "check", *WORDS, *words, "-j", str(jobs), "--format", form, "-o",
         output, *files], stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=1500)
    found = output.read_bytes() if output.exists() else b""
    return found, done.returncode, done.stderr, time.monotonic() - begin


def tryRemedies(tool, folder):
    """One file at a time, so that the jobs try remedies. Faults and seconds."""
    limit = 150_000 if LONG else 40_000
    files = [path for path in
             sorted((corpus.ROOT / "samples").glob("*.mlir")) +
             sorted((corpus.corpus() / "real").glob("*.mlir"))
             if path.stat().st_size < limit]
    files = sample.part(files, 2 if sample.FULL else 15, isWhole=LONG)
    faults, seconds, tried = [], {1: 0, 4: 0}, 0
    for path in files:
        found = {}
        for jobs in seconds:
            *found[jobs], took = check(tool, jobs, [path], "json", folder, [])
            seconds[jobs] += took
        if found[1] != found[4]:
            faults.append(f"{path.name}: -j4 differs from -j1")
        tried += found[1][0].count(b'"remedy"')
    if tried < 30:
        faults.append(f"only {tried} remedies were tried")
    print(f"{len(files)} files one by one, {tried} remedies tried: "
          f"-j1 {seconds[1]:.1f} s, -j4 {seconds[4]:.1f} s")
    return faults


def countCopies(tool, path):
    """Most processes that the command has at a time, those of copies that wait
    among them."""
    command = subprocess.Popen(
        [tool, "check", *WORDS, "-j", "2", path, "-o", os.devnull],
        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def below(pid):
        try:
            found = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
        except OSError:
            return 0
        return sum(1 + below(child) for child in found.split())

    most = 0
    while command.poll() is None:
        most = max(most, below(command.pid))
        time.sleep(0.005)
    return most


def goAhead(tool, folder):
    """Functions so large that copies are begun while they are analysed: of those
    that external functions make work for, and others, whose first guess is
    another; and one of which the guess is in vain."""
    faults = []
    given = {
        "training": programs.training(500),
        "returned": programs.trainingReturned(300),
        "plain": programs.plain(1200),
        "external": programs.external(500),
        "rejected": programs.external(500) +
        "func.func @r() {\n  cf.br ^l\n^l:\n  cf.br ^l\n}\n",
    }
    for name, text in given.items():
        path = folder / f"{name}.mlir"
        path.write_text(text)
        found = {jobs: check(tool, jobs, [path], "json", folder, [])[:3]
                 for jobs in (1, 2, 6)}
        for jobs in (2, 6):
            if found[jobs] != found[1]:
                faults.append(f"{name}: -j{jobs} differs from -j1")
        tried = found[1][0].count(b'"remedy"')
        if (tried > 0) == (name == "plain"):
            faults.append(f"{name}: {tried} remedies, {found[1][2]}")
    # Its file, who tries remedies, and two copies at a time are four.
    if (processes := countCopies(tool, folder / "training.mlir")) < 6:
        faults.append(f"no copies were begun ahead: {processes} processes")
    return faults


def main():
    tool, files = os.environ["MEMREF_LENS"], inputs()
    faults, seconds = [], {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        first = {}
        for jobs in (1, 2, 8):
            for form in ("json", "sarif", "text") if jobs != 2 else ("json",):
                found, status, told, took = check(tool, jobs, files, form,
                                                  folder)
                seconds.setdefault(jobs, took)
                if not found:
                    faults.append(f"-j{jobs} {form}: nothing written: {told}")
                expected = first.setdefault(form, (found, status, told))
                if found != expected[0]:
                    faults.append(f"-j{jobs} {form}: other bytes than -j1")
                if status != expected[1]:
                    faults.append(f"-j{jobs} {form}: status {status}, "
                                  f"not {expected[1]}")
                # What is told of single files comes as they are done.
                if sorted(told.splitlines()) != sorted(expected[2].splitlines()):
                    faults.append(f"-j{jobs} {form}: told {told!r}, "
                                  f"not {expected[2]!r}")
        faults += tryRemedies(tool, folder) + goAhead(tool, folder)
    print("\n".join(faults))
    times = ", ".join(f"-j{jobs} {took:.1f} s"
                      for jobs, took in seconds.items())
    print(f"{len(files)} files; json: {times}; {len(faults)} faults")
    sys.exit(1 if faults or len(files) < (60 if sample.FULL else 25) else 0)


if __name__ == "__main__":
    main()
