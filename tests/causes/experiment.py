#!/usr/bin/env python3
"""Without the fact that a cause names, what it costs is gone, and nothing else.

usage: experiment.py MEMREF_LENS SAMPLES GENERATOR [FILE...]

The fact is taken out of a copy of the program:
  an argument that is returned: a clone of it is returned
  an arith.select of buffers: its first operand in its place
  a scf.if that yields buffers: its condition is true
  a result of an external function: --assume=fresh-results
Then clones, run-time alias checks and dealloc_helper calls of that cause must be
gone, and no other cause have fewer, but for those that need several facts, and those
behind a scf.if that goes.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import reports
from reports import sample

COUNTED = ("clones", "runTimeChecks", "helperCalls")
RETURN = re.compile(r"^(\s*)((?:func\.)?return) (%[^:]*) : (.*?)(\s*//.*)?$")


def split(types):
    """At the commas that are not inside of brackets."""
    parts, depth = [""], 0
    for letter in types:
        depth += (letter in "<([{") - (letter in ">)]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def returnClones(lines, report, cause):
    """A clone of each argument that the evidence names, where it is returned."""
    names = {note["text"] for note in cause["evidence"]}
    first = next((costs["place"]["line"] for costs in report["costs"]
                  if costs["function"] == cause["function"]), 0)
    edited, inside, changed = [], False, 0
    for number, line in enumerate(lines, 1):
        if re.match(r"\s*func\.func", line):
            inside = number == first
        found = inside and RETURN.match(line)
        if not found:
            edited.append(line)
            continue
        operands, types = split(found[3]), split(found[4])
        # On one line, so that the others keep their places.
        clones = found[1]
        for at, operand in enumerate(operands):
            if operand in names:
                operands[at] = f"%lens_{number}_{at}"
                clones += (f"{operands[at]} = bufferization.clone {operand} : "
                           f"{types[at]} to {types[at]} ")
                changed += 1
        edited.append(f"{clones}{found[2]} {', '.join(operands)} : {found[4]}")
    # Others are returned as views, or many are not named.
    return edited if changed and changed == cause["clones"] else None


def dropSelect(lines, report, cause):
    line = cause["place"]["line"] - 1
    found = re.match(r"^(\s*%\S+ = )arith\.select [^,]+, (%[^,]+), [^:]+: (.*)$",
                     lines[line])
    if not found:
        return None
    types = split(found[3])
    return [*lines[:line],
            f"{found[1]}memref.cast {found[2]} : {types[-1]} to {types[-1]}",
            *lines[line + 1:]]


def decideIf(lines, report, cause):
    line = cause["place"]["line"] - 1
    found = re.match(r"^(\s*)(%.* = scf\.if) (%[\w#]+) (.*)$", lines[line])
    if not found:
        return None
    return [*lines[:line],
            f"{found[1]}%lens_true = arith.constant true {found[2]} %lens_true "
            f"{found[4]}", *lines[line + 1:]]


def externals(text):
    return [part.split("(")[0] for part in
            re.split(r"func\.func (?:private )?@", text)[1:] if "{" not in part]


EDITS = {"argument-returned": returnClones, "join": dropSelect,
         "region": decideIf}


def keyOf(cause):
    """What a cause is, in the copy as well."""
    return (cause["kind"], cause["function"], cause["rule"],
            cause["sentence"]
            if cause["kind"] in ("loop", "region", "join", "branch") else "")


def countsOf(report, leaving=lambda cause: False):
    counts = Counter()
    for cause in report["causes"]:
        if not leaving(cause):
            for what in COUNTED:
                counts[keyOf(cause), what] += cause[what]
    return counts


def calleesOf(cause):
    """Of whose results it speaks: the same fact for each of their callers."""
    if cause["kind"] != "call-result":
        return set()
    return set(re.findall(r"@([\w$.]+)",
                          cause["sentence"].split(", called in")[0]))


def endOf(text, cause):
    """The line, from 1, of the brace that ends the last region of the cause's op."""
    lines, begin, depth = text.split("\n"), cause["place"]["line"], 0
    for number in range(begin, len(lines) + 1):
        depth += lines[number - 1].count("{") - lines[number - 1].count("}")
        # The cases of a switch stand behind each other.
        goesOn = number < len(lines) and re.match(r"\s*(case|default)\b",
                                                  lines[number])
        if depth <= 0 and "}" in lines[number - 1] and not goesOn:
            return number
    return begin


def judge(lens, report, cause, arguments, original, text, words):
    """What is wrong; nothing if the copy cannot be judged."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.mlir"
        copy.write_text(text)
        after = reports.report(lens, copy, "--no-try", *words, *arguments)
    if after is None or any(f["severity"] == "error" for f in after["findings"]):
        return None
    begin = cause["place"]["line"]
    # What an op yields comes from the ops in its regions: decided otherwise there, it
    # may yield one buffer only.
    isAround = (lambda other: other["kind"] in ("region", "loop") and
                other["function"] == cause["function"] and
                other["place"]["line"] < begin <= endOf(original, other))
    isInside = (lambda other: cause["kind"] == "region" and
                other["function"] == cause["function"] and
                other["place"]["line"] >= begin)
    # Without one of several facts a decision would not be there either.
    isShared = (lambda other: isInside(other) or isAround(other) or
                bool(other["alsoNeeded"]) or
                bool(calleesOf(cause) & calleesOf(other)))
    before, now = countsOf(report, isShared), countsOf(after, isInside)
    own = countsOf({"causes": [cause]})
    faults = []
    left = countsOf(after)
    for (key, what), count in own.items():
        rest = countsOf(report)[key, what] - count
        if count and left[key, what] > rest:
            faults.append(f"{left[key, what]} {what} are left of {cause}")
    for (key, what), count in before.items():
        if now[key, what] < count and not own[key, what]:
            faults.append(f"{count - now[key, what]} {what} of {key} went with "
                          f"{keyOf(cause)}")
    return faults


def faultsOf(lens, path, words, tried):
    report = reports.report(lens, path, "--no-try", *words)
    if report is None:
        return []
    text = path.read_text(errors="replace")
    if "// -----" in text:
        return []
    faults = []
    for cause in report["causes"]:
        if not any(cause[what] for what in COUNTED) or cause["alsoNeeded"]:
            continue
        arguments, edited = [], text
        if cause["kind"] == "call-result":
            called = calleesOf(cause)
            if not called <= set(externals(text)) or "..." in cause["sentence"]:
                continue
            arguments = [f"--assume=fresh-results=@{name}" for name in called]
        elif cause["kind"] in EDITS:
            lines = EDITS[cause["kind"]](text.split("\n"), report, cause)
            if lines is None:
                continue
            edited = "\n".join(lines)
        else:
            continue
        found = judge(lens, report, cause, arguments, text, edited, words)
        if found is not None:
            tried[cause["kind"]] += 1
            faults += found
    return faults


def randomPrograms(generator, folder):
    for seed in sample.seeds(None, 5, 15, 150, 600):
        path = Path(folder) / f"random-{seed}.mlir"
        done = subprocess.run([sys.executable, generator, "--seed", str(seed)],
                              capture_output=True, timeout=60, text=True)
        if done.returncode == 0:
            path.write_text(done.stdout)
            yield path


def main():
    lens, samples, generator, *names = sys.argv[1:]
    tried, wrong, files = Counter(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(name) for name in names] or [
            *reports.inputs(samples, 16), *randomPrograms(generator, folder)]
        for path in paths:
            files += 1
            faults = faultsOf(lens, path, reports.options(path), tried)
            wrong += len(faults)
            for fault in faults[:3]:
                print(f"{path.name}: {fault}")
    print(f"{files} files, {tried.total()} causes taken out: "
          + ", ".join(f"{n} {kind}" for kind, n in tried.most_common())
          + f"; {wrong} faults")
    if not names and tried.total() < 10:
        print("too few to tell anything")
        return True
    return wrong > 0


sys.exit(main())
