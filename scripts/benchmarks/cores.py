"""What more threads are worth: commands with `-j 1 2 4 8 16`, as far as the machine
has cores, on files of many functions and on single ones. Whatever the number, they
write the same. The fastest run of each counts: what else runs on the machine makes none
of them faster."""
import hashlib
import os
import pathlib
import tempfile

from benchmarks.figures import absolute, ratio
from benchmarks.inputs import STEP, Inputs
from benchmarks.measure import failureOf, runOnce, say
from benchmarks.rows import failed, isWanted

LIMIT = 300
# Status 1 of `check`: there are findings.
FOUND = 1
MOST_JOBS = 16
SHORT_SECONDS, SHORT_RUNS = 2.0, 3
# More threads, to the fastest with fewer.
SLOWER_AIM = 1.05
MANY, MODEL = "136,000 lines", "a language model"
# (command, input) -> seconds with 16 threads.
AIMS = {
    ("trace", MANY): 1.0, ("ir --stage final", MANY): 0.35,
    ("explain", MANY): 0.5, ("check --no-try", MANY): 0.65,
    ("trace", STEP): 2.4, ("trace", MODEL): 0.35, ("", STEP): 2.5,
    ("", MODEL): 0.45,
}


def jobsOf(options):
    """1, 2, 4 and so on, as far as there are cores."""
    cores = len(os.sched_getaffinity(0))
    jobs = [1]
    while jobs[-1] * 2 <= min(cores, MOST_JOBS):
        jobs.append(jobs[-1] * 2)
    # So that the part can be tried on a single core.
    return [1, 2] if options.scale == "tiny" else jobs


def nameOf(command, input):
    return f"{command or 'overview'}, {input}"


def wanted(options, found):
    """Number of runs, by how long the first took: in short ones what else the machine
    does shows."""
    isShort = found and found[0] < SHORT_SECONDS
    return options.runs * (SHORT_RUNS if isShort else 1)


def digest(path):
    """Of what may be large, piece by piece."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            found.update(piece)
    return found.digest()


def measured(options, command, path, output, jobs):
    """Seconds by number of threads, in turn. Raises RuntimeError where it does not
    end well, or writes something else with another number."""
    seconds, written = {count: [] for count in jobs}, set()
    while len(seconds[jobs[-1]]) < wanted(options, seconds[1]):
        for count in jobs:
            output.unlink(missing_ok=True)
            run = runOnce([options.memref_lens, *command.split(),
                           "--allow-unregistered-dialect", "-j", str(count),
                           str(path), "-o", str(output)], LIMIT)
            why = failureOf(run, LIMIT)
            if why and run["status"] != FOUND:
                raise RuntimeError(f"-j {count}: {why}")
            seconds[count].append(run["seconds"])
            written.add(digest(output))
    if len(written) > 1:
        raise RuntimeError("what is written depends on the number of threads")
    return seconds


def cores(options, skipped):
    """Rows {what, seconds: [[threads, samples]], aim}."""
    rows, jobs = [], jobsOf(options)
    if len(jobs) == 1:
        skipped.append({"input": "cores", "failure": False,
                        "why": "this machine has one"})
        return rows
    with tempfile.TemporaryDirectory() as folder:
        inputs = Inputs(options, folder)
        for (command, input), aim in AIMS.items():
            what = nameOf(command, input)
            if not isWanted(options, "cores", what) or \
                    not inputs.isThere(input, "cores", skipped):
                continue
            say(f"{what}, -j {' '.join(map(str, jobs))}")
            try:
                seconds = measured(options, command, inputs.path(input),
                                   pathlib.Path(folder) / "out", jobs)
            except (RuntimeError, OSError) as error:
                failed(skipped, "cores", what, str(error))
                continue
            rows.append({"what": what, "aim": aim,
                         "seconds": [[count, seconds[count]]
                                     for count in jobs]})
    return rows


def addCores(figures, rows):
    """The seconds of each; with 16 threads they have an aim. And for each number of
    threads but the first, the ratio to the fastest of the smaller ones."""
    for row in rows:
        fastest = None
        for count, samples in row["seconds"]:
            id = f"cores/{row['what']}/-j {count}"
            figures.add(id, {**absolute(samples), "value": min(samples)}, "s",
                        row["aim"] if count == MOST_JOBS else None)
            if fastest:
                figures.add(f"{id}, to fewer", {
                    **ratio(samples, fastest),
                    "value": min(samples) / min(fastest)}, "ratio", SLOWER_AIM)
            if not fastest or min(samples) < min(fastest):
                fastest = samples
