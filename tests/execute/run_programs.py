#!/usr/bin/env python3
"""What `memref-lens run` says of real programs, beside malloc and valgrind.

  run_programs.py LIBCOUNTED SAMPLES [--table] [FILE...]

Each public function of the samples and the corpus runs twice, as the pipeline leaves it and as
it is written: by memref-lens, and, with the same arguments (closed.py), lowered by
mlir-opt-22 and run by mlir-runner-22 with a malloc that counts. Allocations,
deallocations and the most bytes at once must be the same. Where the run finds
faults, valgrind must find the same kinds, and as many buffers that are left.

Prints how many ran, why the others did not, and how the predicted peaks hold; --table as
Markdown (scripts/run-figures).
"""

import argparse
import collections
import json
import os
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "judges"), str(TESTS / "random")]

import judges  # noqa: E402  puts the folder of `sample` on the path
import closed  # noqa: E402
import predicted  # noqa: E402
import run_execute  # noqa: E402
import sample  # noqa: E402

COUNTS = re.compile(r"counted: (\d+) allocations, (\d+) frees, peak (\d+) bytes")
#: Faults that no arguments can bring about in what the pipeline made, unless `check`
#: has a finding of these rules: a path ends at its first fault there.
UNSOUND = {
    "leak": {"leak"},
    "double free": {"double-free", "use-after-free", "free-not-owned"},
    "use after free": {"use-after-free", "double-free", "free-not-owned"},
    "returned after free": {"returns-freed", "use-after-free", "double-free"}}
#: With one of these, a malloc that goes on as if nothing had happened counts otherwise.
HARM = {"double free", "use after free", "access out of bounds",
        "free of a borrowed buffer", "free of what was not allocated"}
#: Other runs, to find the path with the peak.
OTHERS = [["--seed", str(number)] for number in range(2, 8)]
SECONDS = 10
#: For elements that are no numbers, MLIR's lowering asks malloc for room to align them:
#: the buffer's bytes and one element more.
SUM = re.compile(r"^ *(%\w+) = llvm\.add %\w+, (%\w+) : i64$")
MALLOC = re.compile(r"^( *)%\w+ = llvm\.call @malloc\((%\w+)\)")


def ran(path, *options):
    done = judges.run([judges.lens(), "run", "--format=json",
                       f"--timeout={SECONDS}", *options, path],
                      seconds=SECONDS + 90)
    return done, json.loads(done.out) if done.out.startswith("{") else None


#===--- By mlir-runner ------------------------------------------------------===#

def lowered(folder, name, text):
    """The file to run; or why there is none."""
    low = judges.run([judges.tool("mlir-opt"), "-",
                      f"--pass-pipeline={closed.LOWER}"], text)
    if low.status != 0:
        return None, f"mlir-opt does not lower it: {low.err[:300]}"
    target = pathlib.Path(folder) / f"{name}.llvm.mlir"
    target.write_text(low.out)
    return target, ""


def toldRoom(text):
    """In front of each malloc, how much of what it is asked for is no buffer's own."""
    lines, room = [], {}
    for line in text.split("\n"):
        if found := SUM.match(line):
            room[found[1]] = found[2]
        elif found := MALLOC.match(line):
            if added := room.get(found[2]):
                lines.append(f"{found[1]}llvm.call @counted_room({added}) : (i64) -> ()")
        elif line.lstrip().startswith("llvm.func "):
            room = {}
        lines.append(line)
        if re.match(r" *llvm\.func @malloc\(", line):
            lines.append("  llvm.func @counted_room(i64)")
    return "\n".join(lines)


def runner():
    return ["judge_main" if word == "main" else word for word in run_execute.runner()]


def counted(preload, target):
    """Allocations, deallocations, peak of the buffers' own bytes; or what went wrong."""
    told = target.with_suffix(".told.mlir")
    told.write_text(toldRoom(target.read_text()))
    done = judges.run([*runner(), told], preload=preload, seconds=SECONDS + 90)
    told.unlink()
    found = done.status == 0 and COUNTS.search(done.err)
    return tuple(map(int, found.groups())) if found else \
        f"mlir-runner: exit {done.status}: {done.err[:300]}"


def kindOf(error):
    """Valgrind's error in our words; None for what it alone looks for."""
    kind = error.findtext("kind")
    # Not "is not stack'd, malloc'd or (recently) free'd". A block of no bytes has no inside.
    wasFreed = re.search(r"(inside a block .*|0 bytes after a block of size 0 )free'd$",
                         error.findtext("auxwhat") or "")
    if kind in ("InvalidRead", "InvalidWrite"):
        return "use after free" if wasFreed else "access out of bounds"
    if kind == "InvalidFree":
        return "double free" if wasFreed else "free of another's"
    return None


def underValgrind(folder, target):
    """Kinds of faults, and how many blocks are left; or what went wrong."""
    report = pathlib.Path(folder) / (target.stem + ".xml")
    done = judges.run([judges.tool("valgrind"), "--smc-check=all-non-file", "--malloc-fill=00",
                       "--leak-check=full", "--show-leak-kinds=all", "--xml=yes",
                       f"--xml-file={report}", *runner(), target],
                      seconds=600)
    if not report.exists():
        return f"valgrind: exit {done.status}: {done.err[:300]}"
    try:
        errors = xml.etree.ElementTree.parse(report).iter("error")
    except xml.etree.ElementTree.ParseError:
        return f"valgrind: exit {done.status}, no report"
    kinds, left = set(), 0
    for error in errors:
        stack = error.find("stack")
        if stack is None or not run_execute.is_compiled(stack.findall("frame")[:3]):
            continue
        if (error.findtext("kind") or "").startswith("Leak"):
            left += int(error.findtext("xwhat/leakedblocks"))
        elif kind := kindOf(error):
            kinds.add(kind)
    return kinds, left


#===--- Both ----------------------------------------------------------------===#

def leftBy(record):
    """Buffers of the program's own that nobody deallocated, the returned among them."""
    return sum(site["ran"] - site["deallocated"] for site in record["sites"]
               if site["kind"] == "allocation")


def asValgrindHasIt(record):
    # What closed.py has for an external function reads nothing that it is given.
    kinds = {fault["kind"] for fault in record["faults"]
             if record["sites"][fault["site"]]["kind"] != "call"} & HARM
    others = {"free of a borrowed buffer", "free of what was not allocated"}
    return kinds - others | ({"free of another's"} if kinds & others else set())


class Judge:
    def __init__(self, counted, folder, valgrinds):
        self.counted, self.folder = counted, pathlib.Path(folder)
        self.tally, self.peaks = collections.Counter(), collections.Counter()
        self.notes, self.valgrinds = [], valgrinds
        self.numbers = iter(range(1 << 30))

    def chunk(self, title, text):
        path = self.folder / f"{next(self.numbers)}.mlir"
        path.write_text(text)
        words = re.findall(r"^// options: (.*)$", text, re.M)
        words = words[0].split() if words else []
        for stage in ("final", "0"):
            yield from self.stage(title, path, stage, words)

    def stage(self, title, path, stage, words):
        made = judges.run([judges.lens(), "ir", path, "--stage", stage, *words])
        if made.status not in (0, 1):
            self.tally[stage, "not parsed"] += 1
            return
        try:
            program = closed.Program(made.out)
        except closed.Unknown as fault:
            self.tally[stage, "not parsed"] += 1
            self.notes.append(f"{title}, {stage}: {fault}")
            return
        for function in list(program.functions.values())[:20]:
            if function.isPublic and not function.isExternal:
                yield from (f"{title} @{function.name}, {stage}: {fault}" for fault in
                            self.function(program, function, path, stage, words))

    def function(self, program, function, path, stage, words):
        options = ["--entry", function.name, "--stage", stage, *words]
        done, record = ran(path, *options)
        if done.crashed or done.status not in (0, 1, 3):
            yield f"exit {done.status}: {done.err[:300]}"
            return
        if record is None or record["end"] != "returned":
            self.tally[stage, reason(done, record)] += 1
            return
        try:
            data = closed.drawn(function, 1)
            shown = [one["value"] for one in record["arguments"]]
            text = program.closed(function.name, shown, data)
        except closed.Unknown as fault:
            self.tally[stage, str(fault)] += 1
            return
        number = next(self.numbers)
        for at, type in enumerate(function.arguments):
            if not type.startswith("memref<"):
                continue
            value = "zeros"
            if at in data:
                value = self.folder / f"{number}-{at}.npy"
                value.write_bytes(closed.Buffer(type).npy(data[at]))
            options += ["--arg", f"{at}={value}"]
        done, record = ran(path, *options)
        # The first run may have ended in time by a little.
        if record and record["end"] == "timedOut":
            self.tally[stage, reason(done, record)] += 1
            return
        if record is None or record["end"] != "returned":
            yield f"with arguments: exit {done.status}: " \
                  f"{record and record['failure']} {done.err[:300]}"
            return
        if function.name in ("malloc", "free"):
            self.tally[stage, "not compared: it is named as what the C library has"] += 1
            return
        if "#dlti" in text:
            self.tally[stage, "not compared: mlir-runner does not know `dlti`"] += 1
            return
        target, why = lowered(self.folder, f"{number}", text)
        if not target:
            yield why
            return
        if stage == "final":
            yield from self.soundness(record, function.name, path, words)
            yield from predicted.faults(path, record, words, self.peaks, OTHERS)
        yield from self.compare(record, target, stage, path, words)
        target.unlink()

    def soundness(self, record, name, path, words):
        kinds = {fault["kind"] for fault in record["faults"]}
        # What is far out of bounds can be deallocated memory.
        wrong = set() if "access out of bounds" in kinds else kinds & set(UNSOUND)
        if not wrong:
            return
        done = judges.run([judges.lens(), "check", "--no-try", "--fail-on=none",
                           "--format=json", *words, path])
        rules = {finding["rule"] for file in json.loads(done.out)["files"]
                 for finding in file["findings"] if finding.get("function") == name}
        for kind in sorted(wrong):
            if rules & UNSOUND[kind]:
                self.tally["final", f"ran, with a {kind} that check tells"] += 1
            else:
                yield f"what the pipeline made has a {kind}; check tells {rules}"

    def isChance(self, record, path, stage, words):
        """Whether other numbers of external functions make other counts."""
        if not record["stubs"]:
            return False
        counts = set()
        for number in range(1, 7):
            given = [word for at, one in enumerate(record["arguments"])
                     if one["type"].startswith("memref<")
                     for word in ("--arg", f"{at}=zeros")]
            _, other = ran(path, "--entry", record["entry"], "--stage", stage,
                           "--seed", str(number), *given, *words)
            counts.add(other and other["allocations"])
        return len(counts) > 1

    def compare(self, record, target, stage, path, words):
        kinds = {fault["kind"] for fault in record["faults"]}
        self.tally[stage, "ran"] += 1
        yield from record["contradictions"]
        if "access out of bounds" in kinds:
            self.tally[stage, "not compared: an access is out of bounds, and hits "
                              "something else each time"] += 1
            return
        if not kinds & HARM:
            ours = (record["allocations"], record["deallocations"],
                    record["peakBytes"])
            theirs = counted(self.counted, target)
            if ours != theirs and self.isChance(record, path, stage, words):
                self.tally[stage, "not compared: what external functions return "
                                  "decides the counts"] += 1
                return
            if ours != theirs:
                yield f"counts {ours}, malloc's {theirs}"
            self.tally[stage, "counts compared"] += 1
            # A program that is right shows nothing.
            if stage == "final":
                return
        if self.valgrinds <= 0:
            self.tally[stage, "faults not compared"] += bool(kinds)
            return
        self.valgrinds -= 1
        theirs = underValgrind(self.folder, target)
        if isinstance(theirs, str):
            yield theirs
        elif theirs != (asValgrindHasIt(record), leftBy(record)):
            yield (f"faults {sorted(kinds)}, {leftBy(record)} left; valgrind's "
                   f"{sorted(theirs[0])}, {theirs[1]}")
        self.tally[stage, "faults compared"] += 1


def reason(done, record):
    """Why a function was not run to its end."""
    if record is None:
        return "rejected by the pass" if "rejects or skips" in done.err else \
            "not parsed"
    if record["end"] != "notRun":
        return {"timedOut": f"does not end within {SECONDS} s",
                "outOfMemory": "needs more than 2 GiB"}.get(record["end"]) or \
            "ends by an assertion or a crash: " + record["failure"][:60]
    failure = record["failure"]
    if "is a tensor" in failure or "tensor" in failure:
        return "has tensors"
    if found := re.search(r"'(\w+)\.[\w.]+' is left", failure):
        return f"an op of the dialect `{found[1]}` is not lowered"
    if found := re.search(r" is a ([!\w.]+).*no value can be made", failure):
        return f"an argument is a `{found[1]}`, for which no value can be made"
    if found := re.search(r"elements of type (\w+).*no values can be made", failure):
        return f"an argument has elements that are a `{found[1]}`"
    if "type mismatch" in failure and "llvm.ptr<" in failure:
        return "MLIR lowers copies between memory spaces to no valid call"
    if "Symbols not found" in failure:
        return "calls functions of a C library"
    if "is no valid IR" in failure:
        return "what the passes left is no valid IR"
    failure = re.sub(r"^it cannot be lowered to LLVM: ", "", failure)
    return re.sub(r"\d+", "N", failure.split(";")[0])[:90].replace("|", "/")


def tableOf(judge, files):
    """As docs/reliability.md has it."""
    reasons = collections.Counter()
    for (_, why), count in judge.tally.items():
        reasons[why] += count
    rows = [f"| {why} | {judge.tally['final', why] or ''} | "
            f"{judge.tally['0', why] or ''} |" for why, _ in reasons.most_common()]
    peaks = [f"| {what} | {count} |" for what, count in judge.peaks.most_common()]
    return "\n".join([f"Of {files} files:", "",
                      "| functions | after the pipeline | as written |",
                      "|---|--:|--:|", *rows, "",
                      "| measured peak, beside the predicted one | functions |",
                      "|---|--:|", *peaks])


def chunksOf(path):
    for number, text in enumerate(judges.chunks(path.read_text(errors="replace"))):
        if "func.func" in text:
            yield f"{path.parent.name}/{path.name} part {number}", text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("counted")
    parser.add_argument("samples", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--valgrinds", type=int, default=40 if sample.FULL else 3)
    arguments = parser.parse_args()
    files = arguments.files
    if not files:
        files = sorted(arguments.samples.rglob("*.mlir")) + judges.corpus_files()
        files = sample.part([path for path in files
                             if path.stat().st_size < 400_000], 40)
    with tempfile.TemporaryDirectory() as folder:
        judge, faults = Judge(arguments.counted, folder, arguments.valgrinds), []
        parts = [part for path in files for part in chunksOf(path)]
        for found in judges.in_parallel(lambda part: list(judge.chunk(*part)), parts):
            faults += found
            if found:
                print("\n".join(found), file=sys.stderr, flush=True)
    if arguments.table:
        print(tableOf(judge, len(files)))
        sys.exit(1 if faults else 0)
    for (stage, why), count in sorted(judge.tally.items(),
                                      key=lambda row: (row[0][0], -row[1])):
        print(f"{stage:6} {count:5} {why}")
    print(f"{len(parts)} programs; peaks: {dict(judge.peaks)}")
    print("\n".join(judge.notes[:10]))
    print(f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
