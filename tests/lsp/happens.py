#!/usr/bin/env python3
"""What hints say is freed is what the running program frees.

  happens.py SERVER MEMREF_LENS RECORDER [PROGRAMS] [FAULT]

Random programs, and samples that can run, mark their terminators, tell the
values that the hints name, and run with an allocator that records (marked.py,
Recorder.cpp). At each terminator that is run, the buffers freed before anything
else happens must be those that its hint names, under the conditions that it
gives. FAULT, of the tests: `swap` or `negate` what a hint says.
"""
import collections
import os
import pathlib
import re
import sys
import tempfile

from client import ROOT, Client, whole

sys.path[:0] = [str(ROOT / "tests" / "random"), str(ROOT / "tests" / "judges")]
import generate  # noqa: E402
import judges  # noqa: E402
import sample  # noqa: E402
from marked import marked, telling  # noqa: E402
from run_execute import LOWER, runner  # noqa: E402
from runnable import runnableSamples  # noqa: E402

# Blocks of an op that canonicalize put in its place, two ifs made one, a buffer
# that is its own retained value, one that is freed by way of a view.
ONCE_WRONG = (112, 119, 123, 136, 139)
# What is told of a buffer that canonicalize removes keeps it.
LEFT_OUT = {200}
HINTS = {"inlayHints": {"maxLength": 0}}
OURS = "ownership-based-buffer-deallocation"
REST = ("builtin.module(canonicalize,buffer-deallocation-simplification,"
        "bufferization-lower-deallocations,cse,canonicalize," +
        LOWER.removeprefix("builtin.module(").replace(
            "finalize-memref-to-llvm",
            "finalize-memref-to-llvm{use-generic-functions=true}"))
PROMISE = re.compile(
    r"(?P<buffer>%[^\s,]+)(?: if (?P<when>(?:(?! unless | by | on edge ).)+))?"
    r"(?P<helper> by dealloc_helper)?"
    r"(?: unless it is (?P<other>(?:(?! on edge | unless ).)+))?"
    r"(?: on edge to (?P<edge>\^\S+)(?: \(successor (?P<number>\d)\))?)?$")


class Unknown(Exception):
    """A name in a hint that the running program did not tell."""


def promises(hint):
    """[(whether it is freed or kept, match)] of a terminator's hint."""
    found, kind = [], None
    for part in hint["label"]:
        text = part["value"].removeprefix(" · ").removeprefix(", ")
        if text == "each once, by dealloc_helper":
            # Which then compares with what is kept, too.
            found = [(kind, PROMISE.match(re.sub(
                "( unless.*| on edge.*)?$", r" by dealloc_helper\1",
                match[0], count=1)))
                     for kind, match in found]
            continue
        for word in ("deallocates", "retains"):
            if text.startswith(word + " "):
                kind, text = word, text.removeprefix(word + " ")
        if kind is None:
            return []
        match = PROMISE.match(text)
        assert match, f"no test for such a hint: {text}"
        found.append((kind, match))
    return found


def truth(words, values):
    """Value of a hint's condition."""
    def named(match):
        if match[0] not in values:
            raise Unknown(match[0])
        return str(bool(values[match[0]]))

    text = re.sub(r"%[^\s()]+", named, words)
    text = re.sub(r"\b(true|false)\b", lambda m: m[0].title(), text)
    text = re.sub(r"^(.+?) \? (.+) : (.+)$", r"(\2) if (\1) else (\3)", text)
    if "?" in text:
        raise Unknown(words)
    return bool(eval(text, {"__builtins__": {}}))


def taken(line, values):
    """(block, number) of the edge that a branch took."""
    match = re.match(r"\s*cf\.cond_br (%\w+),.*?(\^\w+).*?(\^\w+)", line)
    if not match:
        raise Unknown(line)
    number = 0 if truth(match[1], values) else 1
    return match[2 + number], number


class Judge:
    def __init__(self, program, hints, numbers):
        self.lines = program.split("\n")
        self.hints = hints
        self.names = {number: name for name, number in numbers.items()}
        self.counts = collections.Counter()
        self.problems = []

    def holds(self, match, values, line):
        """Whether the promise says that its buffer is freed."""
        condition = match["when"]
        if condition:
            value = truth(condition, values)
            self.counts["true" if value else "false"] += 1
            if not value:
                return False
        if match["edge"]:
            block, number = taken(line, values)
            isTaken = (number == int(match["number"]) if match["number"]
                       else block == match["edge"])
            self.counts["edge taken" if isTaken else "edge not taken"] += 1
            if not isTaken:
                return False
        for other in re.split(" or ", match["other"] or ""):
            if other and other not in values:
                raise Unknown(other)
            if other and values[other] == values[match["buffer"]]:
                self.counts["is the other"] += 1
                return False
        return True

    def terminator(self, number, values, freed):
        line, listed = self.lines[number], self.hints.get(number, [])
        self.counts["terminators"] += 1
        self.counts["frees"] += len(freed)
        expected, kept = {}, set()
        try:
            for kind, match in sorted(listed,
                                      key=lambda one: one[0] != "retains"):
                if match["buffer"] not in values:
                    raise Unknown(match["buffer"])
                buffer = values[match["buffer"]]
                if kind == "retains":
                    self.counts["keeps"] += 1
                    kept.add(buffer)
                    continue
                isFreed = self.holds(match, values, line)
                if isFreed and match["helper"] and buffer in kept:
                    # Of a branch, it may be kept on the other edge only.
                    self.counts["is kept"] += 1
                    isFreed = bool(match["edge"]) and buffer in freed
                expected[buffer] = isFreed or expected.get(buffer, False)
        except Unknown as name:
            self.counts["not judged"] += 1
            print(f"not judged: {self.told(number)}: {name}")
            return
        for buffer, isFreed in expected.items():
            self.counts["promises"] += 1
            if isFreed != (buffer in freed):
                self.wrong(number, f"allocation {buffer} is freed: "
                           f"{buffer in freed}, not {isFreed}")
        if extra := set(freed) - set(expected):
            self.wrong(number, f"{extra} are freed, which no hint says")

    def told(self, number):
        said = "; ".join(f"{kind} {match[0]}"
                         for kind, match in self.hints.get(number, []))
        return f"{number + 1}: {self.lines[number].strip()} [{said}]"

    def wrong(self, number, what):
        if len(self.problems) < 3:  # A site may be run a thousand times.
            self.problems.append(f"{self.told(number)}: {what}")
        self.counts["wrong"] += 1

    def judge(self, printed):
        frames, site, freed, lists = [], None, [], set()
        for line in printed.splitlines() + ["say -1 0"]:
            kind, number, *value = line.split()
            number = int(number)
            if kind == "alloc":
                lists.add(number)  # Of dealloc_helper, if it is freed at once.
            if kind == "free" and number not in lists:
                freed.append(number)
            if kind != "say":
                continue
            function, name = self.names.get(number, (None, None))
            isCaller = site is not None and name and \
                frames[-1][None] != function
            if name and not isCaller:
                # Also those that the terminator's own deallocs make.
                frames[-1][name] = int(value[0])
                continue
            if site is not None:
                self.ended(site, frames, freed)
            elif freed:
                self.wrong(0, f"{freed} are freed before all terminators")
            site, freed, lists = None, [], set()
            if isCaller:
                frames[-1][name] = int(value[0])
            elif function and name is None:
                frames.append({None: function})
            elif not function and number >= 0:
                site = number

    def ended(self, number, frames, freed):
        """Before another block begins or ends."""
        if -1 in freed or len(set(freed)) < len(freed):
            self.wrong(number, f"freed twice: {freed}")
        if "memref.dealloc" not in self.lines[number]:
            self.terminator(number, frames[-1], freed)
        if re.match(r"\s*(func\.)?return\b", self.lines[number]):
            frames.pop()


def seeded(listed, fault):
    """The hints with a fault, so that the test is seen to notice it."""
    freed = [match for kind, match in listed if kind == "deallocates"]
    if fault == "swap" and len(freed) > 1:
        first, second = freed[0]["buffer"], freed[1]["buffer"]
        text = second + freed[0][0].removeprefix(first)
        return [("deallocates", PROMISE.match(text)), *listed[1:]]
    if fault == "negate" and freed and freed[0]["when"]:
        text = freed[0][0].replace(" if ", " if not ", 1)
        return [("deallocates", PROMISE.match(text)), *listed[1:]]
    return listed


def hintsOf(client, uri, program, fault):
    client.open(uri, program)
    found = {}
    for hint in client.result("textDocument/inlayHint", whole(uri)):
        if listed := promises(hint):
            found[hint["position"]["line"]] = seeded(listed, fault)
    return found


def judged(client, lens, folder, name, text, fault):
    program = marked(text)
    path = pathlib.Path(folder) / f"{name}.mlir"
    path.write_text(program)
    hints = hintsOf(client, path.as_uri(), program, fault)
    stage = judges.run([lens, "ir", path, "--source-names", "--stage", OURS])
    assert stage.status == 0, (name, stage.err[:600])
    if "// rejected by" in stage.out:
        return None
    told, numbers = telling(stage.out, len(program.split("\n")) + 1)
    judge = Judge(program, hints, numbers)
    path.write_text(told)
    low = judges.run([judges.tool("mlir-opt"), path, f"--pass-pipeline={REST}"])
    assert low.status == 0, (name, low.err[:600])
    path.write_text(low.out)
    library = f"--shared-libs={os.path.abspath(sys.argv[3])}"
    ran = judges.run([*runner()[:-1], library, runner()[-1], path], seconds=60)
    assert ran.status == 0, (name, ran.err[:600])
    judge.judge(ran.out)
    return judge


def main():
    seeds = sample.seeds(sys.argv[4] if len(sys.argv) > 4 else "", always=8,
                         more=8, full=50, long=300)
    if len(sys.argv) <= 4:
        seeds = sorted({*seeds, *ONCE_WRONG} - LEFT_OUT)
    count = len(seeds)
    fault = sys.argv[5] if len(sys.argv) > 5 else None
    programs = [(f"seed-{seed}", generate.generate(seed, "acyclic-run"))
                for seed in seeds] + runnableSamples()
    client = Client([sys.argv[1], "--crash-dir=off"], options=HINTS)
    total, failures = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        for name, text in programs:
            judge = judged(client, sys.argv[2], folder, name, text, fault)
            total["refused"] += judge is None
            if judge:
                total += judge.counts
                failures += [f"{name}:{one}" for one in judge.problems]
    client.close()
    print(f"{len(programs)} programs:",
          ", ".join(f"{number} {what}" for what, number in total.items()))
    print("\n".join(failures))
    assert total["true"] > count and total["false"] > count, total
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
