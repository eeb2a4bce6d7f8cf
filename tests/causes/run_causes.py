#!/usr/bin/env python3
"""Every decision that costs has one cause, and the overview shows all of them.

usage: run_causes.py MEMREF_LENS SAMPLES [FILE...]

Of all samples and a part of the corpus: each finding has a cause; clones, run-time
alias checks, dealloc_helper calls and conditional deallocs of the causes come to
those of the functions; and the overview, remedies tried, has at most 25 lines, each cause in it or
counted in its last lines, and tells no gain whose figures are the same; the report
has the same fixes with the same gains.
"""

import html
import re
import sys
from collections import Counter
from pathlib import Path

import reports

MOST_LINES = 25
# Bytes; the reports of larger programs take long.
LARGE = 20_000


def faultsOf(lens, path):
    """What is wrong, and of how many findings each kind of cause is."""
    words = reports.options(path)
    report = reports.report(lens, path, "--no-try", *words)
    if report is None:
        return [], Counter()
    faults, kinds = [], Counter()
    causes = report["causes"]
    for finding in report["findings"]:
        if not 0 <= finding["cause"] < len(causes):
            faults.append(f"{finding['rule']} of @{finding['function']} has no "
                          "cause")
            continue
        cause = causes[finding["cause"]]
        kinds[cause["kind"]] += 1
        if cause["function"] != finding["function"]:
            faults.append(f"{finding['rule']} of @{finding['function']} is put "
                          f"down to @{cause['function']}")
    for ours, theirs in reports.COUNTED.items():
        told = sum(cause[ours] for cause in causes)
        there = sum(costs[theirs] for costs in report["costs"])
        if told != there:
            faults.append(f"{told} {ours} of causes, {there} of functions")
    faults += [f"a cause without a sentence or a place: {cause}"
               for cause in causes
               if not cause["sentence"] or cause["sentence"].startswith("0 ")]
    return faults + overviewFaults(lens, path, words, causes), kinds


def overviewFaults(lens, path, words, causes):
    done = reports.run(lens, path, *words)
    text = done.stdout.decode(errors="replace")
    lines = text.splitlines()
    if done.returncode != 0:
        return [f"the overview ends with {done.returncode}"]
    # The last lines count what is not shown.
    entries = [line for line in lines
               if re.match(r"[\d,]+ +(?![\d,]*(more cause|remed|functions?\b))", line)]
    more = re.search(r"^(\d[\d,]*) more causes?,", text, re.M)
    faults = []
    if len(lines) > MOST_LINES:
        faults.append(f"the overview has {len(lines)} lines")
    if causes and not entries:
        faults.append("the overview has no entry")
    if not causes and entries:
        faults.append("the overview has an entry without a cause")
    if len(entries) + (int(more[1].replace(",", "")) if more else 0) > \
            len(causes):
        faults.append("the overview has more entries than there are causes")
    same = re.search(r"(?<=[ ,;])([a-z][\w -]*? ((?:at least )?\d[\w. ]*)) -> \2"
                     r"(?=[,;\n])", text)
    if same:
        faults.append(f"the overview tells a gain that is none: {same[0]}")
    if re.search(r"\b0 (place|function|buffer|clone|run-time|dealloc_helper|conditional|late)", text):
        faults.append("the overview tells a zero")
    return faults + reportFaults(lens, path, words, lines)


def reportFaults(lens, path, words, lines):
    """The report has each fix of the overview, with its gain."""
    fixes = [found.groups() for line in lines
             if (found := re.match(r"   fix    (.*?) {2,}(?! |\(as for)(.*)", line))]
    if not fixes or path.stat().st_size > LARGE:
        return []
    done = reports.run(lens, "export", path, "--format=md", *words)
    told = html.unescape(done.stdout.decode(errors="replace"))
    # It goes further along the paths of functions that stay as they are.
    fixes = [(remedy, gain.removesuffix(" (not all paths could be tried)"))
             for remedy, gain in fixes]
    return [f"the report does not tell 'fix {remedy}: {gain}'"
            for remedy, gain in fixes if f"fix {remedy}: {gain}" not in told]


def main():
    lens, samples, *names = sys.argv[1:]
    paths = [Path(name) for name in names] or reports.inputs(samples, 6)
    wrong, kinds = 0, Counter()
    for path in paths:
        faults, found = faultsOf(lens, path)
        kinds += found
        wrong += len(faults)
        for fault in faults[:5]:
            print(f"{path.name}: {fault}")
    print(f"{len(paths)} files, {kinds.total()} findings with a cause: "
          + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
          + f"; {wrong} faults")
    return wrong > 0


sys.exit(main())
