#!/usr/bin/env python3
"""Builds the fuzz targets with clang, ASan and UBSan, and runs them.

  run_fuzz.py --build DIR --short                 those that are soon built, or with
                                                  MEMREF_LENS_FULL=1 all, a short while
  run_fuzz.py --build DIR --out DIR [TARGET...] [--runs N] [--jobs N]

The short form starts from the seeds with fixed counts of runs, and with random
numbers that are others for each commit, or with MEMREF_LENS_FULL=1 fixed. The long form goes on from what it found before (DIR/TARGET), counts all
runs there, keeps what breaks a rule in DIR/faults, and goes on behind it.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "support"))
import clang  # noqa: E402
import sample  # noqa: E402

# Runs of the short form with MEMREF_LENS_FULL=1, and the longest input.
TARGETS = {
    "frames": (150000, 256),
    "edits": (100000, 128),
    "units": (60000, 512),
    "trace": (20000, 6000),
    "pages": (3000, 16000),
    "settings": (40000, 512),
    "bundle": (20000, 2048),
    "source": (20000, 2048),
    "pipeline": (150, 512),
}
# Those for which little is compiled; on the others, the replay (fuzz-replay-*) tries
# some random inputs, too.
SOON_BUILT = ["frames", "edits", "units", "settings", "bundle", "trace"]
# Whose seeds and words a target takes that has none of its own.
LIKE = {"pages": "trace"}
# MLIR that crashes under its guard leaks, and a process that dies reports none.
# Short stacks of allocations and a small quarantine make twice as many runs; an
# input that breaks a rule gives the rest when it is run alone.
ENVIRONMENT = os.environ | {
    "ASAN_OPTIONS": "detect_leaks=0:malloc_context_size=1:"
                    "quarantine_size_mb=8",
    "UBSAN_OPTIONS": "print_stacktrace=1"}


def build(options):
    command = clang.configuring(options, "MEMREF_LENS_FUZZ")
    wanted = [f"fuzz-{name}" for name in options.targets]
    for step in (command, ["cmake", "--build", options.build, "--target",
                           *wanted]):
        made = subprocess.run(step, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT)
        if made.returncode:
            print(made.stdout[-6000:])
            sys.exit("the fuzz targets could not be built")


def command(options, target, runs, corpora, artifacts, *more):
    args = [str(pathlib.Path(options.build) / "tests/fuzz" / f"fuzz-{target}"),
            f"-runs={runs}", f"-max_len={TARGETS[target][1]}",
            f"-artifact_prefix={artifacts}", "-timeout=60", "-reload=0",
            "-rss_limit_mb=4096", "-print_final_stats=1", "-verbosity=0",
            *more]
    words = HERE / f"{LIKE.get(target, target)}.dict"
    if words.exists():
        args.append(f"-dict={words}")
    return args + [str(one) for one in corpora]


def seedsOf(target):
    return HERE / "seeds" / LIKE.get(target, target)


def executed(output):
    found = re.findall(r"stat::number_of_executed_units: (\d+)", output)
    return int(found[-1]) if found else 0


def say(*words):
    print(*words, flush=True)


#===--- Short ---===#

def tryShort(options, target):
    """Whether the target holds on fixtures, seeds and what is made of them."""
    fixtures = HERE / "faults" / target
    with tempfile.TemporaryDirectory() as folder:
        corpora = [folder, seedsOf(target)]
        if fixtures.exists():
            corpora.append(fixtures)
        begin = time.monotonic()
        wanted = TARGETS[target][0] // (1 if sample.FULL else 5)
        made = subprocess.run(
            command(options, target, wanted, corpora, folder + "/",
                    f"-seed={options.seed}"),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=ENVIRONMENT)
        output = made.stdout.decode(errors="replace")
        runs = executed(output)
        say(f"{target}: {runs} runs in {time.monotonic() - begin:.0f} s")
        # A target that could not see its seeds would hold too.
        if made.returncode == 0 and runs >= wanted / 2:
            return True
        say(output[-8000:])
        return False


#===--- Long ---===#

class Tally:
    """Runs and faults of a target, over all sessions."""

    def __init__(self, folder):
        self.path = folder / "tally.json"
        self.lock = threading.Lock()
        self.now = (json.loads(self.path.read_text()) if self.path.exists()
                    else {"runs": 0, "seconds": 0, "faults": 0})

    def add(self, runs, seconds, faults):
        with self.lock:
            self.now["runs"] += runs
            self.now["seconds"] = round(self.now["seconds"] + seconds, 1)
            self.now["faults"] += faults
            # Replaced as a whole: a session may be ended at any moment.
            fresh = self.path.with_suffix(".new")
            fresh.write_text(json.dumps(self.now))
            fresh.replace(self.path)


def runLong(options, target, part, tally):
    """One process; a part of the runs at a time, so that little is lost when
    it is ended. Number of faults."""
    folder = options.out / target
    left, faults = part, 0
    while left > 0:
        runs = min(left, options.slice)
        begin = time.monotonic()
        made = subprocess.run(
            command(options, target, runs,
                    [folder / "corpus", seedsOf(target)],
                    f"{folder}/faults/"),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=ENVIRONMENT)
        output = made.stdout.decode(errors="replace")
        seconds = time.monotonic() - begin
        done = executed(output)
        found = int(made.returncode != 0)
        faults += found
        tally.add(done, seconds, found)
        left -= max(done, 1)
        say(f"{target}: {done} runs, {done / max(seconds, .001):.0f}/s, "
            f"{tally.now['runs']} in all, {tally.now['faults']} faults in all")
        if found:
            say(output[-5000:])
        if done == 0:
            say(f"{target}: stopped, since it does not get past its corpus")
            return faults
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.
                                     RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET",
                        help=", ".join(TARGETS) + "; default: all")
    parser.add_argument("--build", required=True)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=10_000_000)
    parser.add_argument("--jobs", type=int, default=1,
                        help="processes of one target")
    parser.add_argument("--slice", type=int, default=500_000,
                        help=argparse.SUPPRESS)
    parser.add_argument("--mlir-dir", default="")
    parser.add_argument("--launcher", default="")
    options = parser.parse_args()
    for name in options.targets:
        if name not in TARGETS:
            parser.error(f"no target '{name}'; there are {', '.join(TARGETS)}")
    options.targets = options.targets or (
        SOON_BUILT if options.short and not sample.FULL else list(TARGETS))
    begin = time.monotonic()
    build(options)
    say(f"built in {time.monotonic() - begin:.0f} s")
    if options.short:
        options.seed = 1 if sample.FULL else sample.seed() % 2 ** 31 + 1
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            held = list(pool.map(lambda one: tryShort(options, one),
                                 options.targets))
        sys.exit(0 if all(held) else "a rule is broken: see above")
    if not options.out:
        parser.error("the long form needs --out")
    faults = 0
    for target in options.targets:
        for name in ("corpus", "faults"):
            (options.out / target / name).mkdir(parents=True, exist_ok=True)
        tally = Tally(options.out / target)
        part = -(-options.runs // options.jobs)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            faults += sum(pool.map(
                lambda _: runLong(options, target, part, tally),
                range(options.jobs)))
    sys.exit(f"{faults} faults; their inputs are in {options.out}/*/faults"
             if faults else 0)


main()
