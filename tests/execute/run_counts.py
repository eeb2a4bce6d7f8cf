#!/usr/bin/env python3
"""What `memref-lens run` counts, beside an independent count.

  run_counts.py LIBCOUNTED SAMPLES [--seeds A..B] [--form FORM]... [--table]

Random programs run twice: by memref-lens, and lowered by mlir-opt-22 and run by
mlir-runner-22 with a malloc that counts (CountedMalloc.cpp). Allocations,
deallocations and the most bytes at once must be the same, and what is left must be
told as leaks: after our pipeline, after MLIR's own, and as written, where nothing is
freed. Where MLIR's own pipeline makes a use after free, valgrind must tell the same.
The peak that is predicted is the one that is measured, or there is a reason to be
told. With --table that is all, as Markdown.

Then samples and real programs, each function by itself: none crashes memref-lens, no
prediction is contradicted, and what the pipeline made neither leaks nor uses freed
memory. Prints how many ran, and why others did not.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "judges"), str(TESTS / "random")]

import generate  # noqa: E402
import judges  # noqa: E402  puts the folder of `sample` on the path
import predicted  # noqa: E402
import run_execute  # noqa: E402
import run_programs  # noqa: E402
import sample  # noqa: E402

OURS, THEIRS, WRITTEN = FORMS = (
    "after our pipeline", "after MLIR's own", "as written")
#: One of so many is run under valgrind, and those that have a fault besides leaks.
VALGRINDS = 50
#: Faults that no arguments can bring about in what the pipeline made.
UNSOUND = {"leak", "double free", "use after free", "returned after free"}


def ran(path, *options):
    """Exit status and record."""
    done = judges.run([judges.lens(), "run", "--format", "json", *options, path])
    return done, json.loads(done.out) if done.out.startswith("{") else None


def programOf(form, path):
    """Its file, the stage of ours that it is after, and what made its text."""
    if form == OURS:
        return path, "final", judges.run([judges.lens(), "ir", path,
                                            "--stage", "final"])
    if form == WRITTEN:
        return path, "0", judges.run(["cat", path])
    made = run_execute.deallocate(path, stock=True)
    stock = path.with_name(f"stock-{path.name}")
    stock.write_text(made.out)
    return stock, "0", made


def endsOf(record):
    """Each buffer that was deallocated has its end, and each deallocation, where none
    went wrong, its buffer."""
    sites, ended = record["sites"], collections.Counter()
    for site in sites:
        for deallocation, times in site.get("ends", []):
            ended[deallocation] += times
        told = sum(times for _, times in site.get("ends", []))
        if told != site["deallocated"]:
            yield f"{site['value']}: {told} ends, not {site['deallocated']}"
    for at, site in enumerate(sites):
        wrong = sum(fault["times"] for fault in record["faults"] if fault["site"] == at)
        if site["kind"] == "deallocation" and ended[at] != site["ran"] - wrong:
            yield f"{site['opName']} {at}: {ended[at]} ends, ran {site['ran']}x"


class Random:
    """Random programs, each in three forms, and how many were compared with what."""

    def __init__(self, counted, folder, forms, valgrinds):
        self.counted = counted
        self.folder = pathlib.Path(folder)
        self.forms, self.valgrinds = forms, valgrinds
        self.tally, self.peaks = collections.Counter(), collections.Counter()

    def check(self, seed):
        path = self.folder / f"random-{seed}.mlir"
        path.write_text(generate.generate(seed, "acyclic-run"))
        for name in self.forms:
            yield from (f"seed {seed}, {name}: {fault}" for fault in
                        self.form(seed, name, path))

    def form(self, seed, name, path):
        file, stage, made = programOf(name, path)
        if made.status != 0:
            why = "MLIR's pass dies" if made.crashed else "the pass rejects it"
            self.tally[name, why] += 1
            if name == OURS and made.crashed:
                yield f"exit {made.status}: {made.err[:300]}"
            return
        done, record = ran(file, "--entry", "main", "--stage", stage)
        if record is None and "rejects or skips" in done.err:
            self.tally[name, "the pass rejects it"] += 1
            return
        if record is None or record["end"] != "returned":
            yield f"exit {done.status}: {record and record['end']} {done.err[:300]}"
            return
        self.tally[name, "ran"] += 1
        yield from record["contradictions"]
        yield from endsOf(record)
        if name == OURS:
            yield from predicted.faults(file, record, [], self.peaks)
            lives = predicted.Lives(file, [])
            yield from lives.faults(record)
            self.tally[name, "lives that end where a path deallocates"] += \
                lives.compared
            if record["faults"]:
                yield f"{[fault['text'] for fault in record['faults']]}"
        text = made.out.replace("@main(", "@judge_main(")
        target, why = run_programs.lowered(self.folder, f"{seed}-{FORMS.index(name)}",
                                             text)
        if not target:
            yield why
            return
        yield from self.compare(seed, name, record, target)
        target.unlink()

    def compare(self, seed, name, record, target):
        harm = run_programs.asValgrindHasIt(record)
        left = run_programs.leftBy(record)
        if not harm:
            ours = (record["allocations"], record["deallocations"],
                    record["peakBytes"])
            theirs = run_programs.counted(self.counted, target)
            if ours != theirs or left != ours[0] - ours[1]:
                yield f"counts {ours}, {left} left, malloc's {theirs}"
            else:
                self.tally[name, "allocations, deallocations, peak as malloc's"] += 1
                self.tally[name, "with leaks"] += left > 0
        for kind in harm:
            self.tally[name, f"with a {kind}"] += 1
        if not harm and seed % VALGRINDS:
            return
        if self.valgrinds <= 0:
            self.tally[name, "faults not compared"] += bool(harm)
        else:
            self.valgrinds -= 1
            theirs = run_programs.underValgrind(self.folder, target)
            if theirs != (harm, left):
                yield f"{harm}, {left} left, valgrind's {theirs}"
            else:
                self.tally[name, "faults, and buffers left, as valgrind's"] += 1

    def table(self, seeds):
        rows = [f"| {what} | " + " | ".join(str(self.tally[form, what] or "")
                                            for form in self.forms) + " |"
                for what in dict.fromkeys(
                    what for (_, what), count in self.tally.most_common() if count)]
        return "\n".join([f"Of {seeds:,} random programs:", "",
                          f"| programs | {' | '.join(self.forms)} |",
                          "|---|" + "--:|" * len(self.forms),
                          *rows, "", "| measured peak, beside the predicted one | "
                          "programs |", "|---|--:|",
                          *(f"| {what} | {count} |" for what, count in
                            self.peaks.most_common())])


def entriesOf(path):
    """Public functions with a body, and the options of the file."""
    text = path.read_text(errors="replace")
    words = re.findall(r"^// options: (.*)$", text, re.M)
    names = re.findall(r"^\s*func\.func (?:public )?@([\w.$-]+)\(", text, re.M)
    return names[:sample.FULL and 20 or 3], words[0].split() if words else []


def checkFile(path, tally):
    names, words = entriesOf(path)
    for name in names:
        done, record = ran(path, "--timeout", "10", "--entry", name, *words)
        if done.crashed or done.status not in (0, 1, 3):
            yield f"{path.name} @{name}: exit {done.status}: {done.err[:300]}"
            continue
        if record is None:
            tally["rejected" if "rejects" in done.err else
                  "not parsed, or no such function"] += 1
            continue
        tally[record["end"] if record["end"] != "notRun" else
              re.sub(r"'.*|,.*|:.*: ", "", record["failure"])[:60]] += 1
        kinds = {fault["kind"] for fault in record["faults"]}
        # What is far out of bounds can be deallocated memory.
        kinds = set() if "access out of bounds" in kinds else kinds & UNSOUND
        if kinds and record["end"] == "returned":
            yield f"{path.name} @{name}: {kinds}"
        yield from (f"{path.name} @{name}: {claim}"
                    for claim in record["contradictions"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("counted")
    parser.add_argument("samples", type=pathlib.Path)
    parser.add_argument("--seeds", help="A..B, without B")
    parser.add_argument("--form", action="append", choices=FORMS)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--valgrinds", type=int, default=sample.LONG and 1000 or
                        (sample.FULL and 10 or 1))
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    faults = []
    seeds = sample.seeds(arguments.seeds, always=3, more=3, full=100, long=1000)
    with tempfile.TemporaryDirectory() as folder:
        random = Random(arguments.counted, folder, arguments.form or FORMS,
                        arguments.valgrinds)
        for found in judges.in_parallel(lambda seed: list(random.check(seed)), seeds,
                                        arguments.workers):
            faults += found
            if found:
                print("\n".join(found), file=sys.stderr, flush=True)
        print(random.table(len(seeds)), flush=True)
        if arguments.table:
            sys.exit(1 if faults else 0)
        if not random.peaks["equal"]:
            faults.append("no peak was equal")
        tally = collections.Counter()
        files = sorted(arguments.samples.glob("*.mlir"))
        files += sorted((judges.corpus() / "real").glob("*.mlir"))
        files = [path for path in files if path.stat().st_size < 200_000]
        for found in judges.in_parallel(
                lambda path: list(checkFile(path, tally)),
                sample.part(files, 24)):
            faults += found
        for reason, count in tally.most_common():
            print(f"{count:5} {reason}")
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
