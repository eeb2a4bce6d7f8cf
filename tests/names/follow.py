#!/usr/bin/env python3
"""`%a` in `ir --source-names` is the user's `%a` at every stage, or nothing is.

What a value is, is told by mlir-opt alone: every op and block argument gets its
place in the source as a name location, which passes keep and mlir-opt prints as
the value's name. Its text and ours must be equal but for the names, and where
ours has a name of the user's, the other must have the place that defines it. An
op made by a pass has the location of the op it is made from: so the name must
also stand before the same kind of op (or a known rewrite), once, and keep its
place among the results. The arguments of a loop that is made anew have the place
of the loop or of what it is given: there an op of the user's must use the name
just so.

  MEMREF_LENS=... follow.py [NAME...]

MEMREF_LENS_LONG=1: the whole corpus and all stages; else a sample of both.
"""

import collections
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / name)
                for name in ("bytes", "judges", "random", "support")]

import judges
import run_bytes
import sample

NAME = r"%[\w$.-]+"
TOKEN = re.compile(rf"({NAME})(?:([:#])(\d+))?")
DEFINITION = re.compile(
    rf'({NAME}(?::\d+)?(?:\s*,\s*{NAME}(?::\d+)?)*)\s*=\s*"?(?=[A-Za-z_])')
HEAD = re.compile(rf'^ *({NAME}(?::\d+)?(?: *, *{NAME}(?::\d+)?)*) = "?([\w.$]+)')
FUNCTION = re.compile(r'^ *func\.func .*?@("[^"]*"|[\w$.-]+)\(')
PLACE = re.compile(r"%p(\d+)_(\d+)(?:_\d+)?$")
# What a pass may make of the op that defined the name.
REWRITES = {
    "bufferization.clone": {"memref.cast"},
    "memref.alloc": {"memref.cast"},  # Of an alloc with constant sizes.
    "memref.expand_shape": {"memref.collapse_shape"},  # Of a collapsed one.
    "scf.if": {"arith.select"},
}
IS_LONG = run_bytes.IS_LONG


def without_words(text):
    """`text` with blanks for its comments, and no % in its strings."""
    return re.sub(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*',
                  lambda m: m[0].replace("%", "?") if m[0][0] == '"'
                  else " " * len(m[0]), text)


def flatten(definition):
    """`%a:2, %b` as [a#0, a#1, b], without the %."""
    names = []
    for name, mark, count in TOKEN.findall(definition):
        names += ([f"{name[1:]}#{i}" for i in range(int(count))]
                  if mark == ":" else [name[1:]])
    return names


class Source:
    """Which names a place of the text defines, and by which op."""

    def __init__(self, text, lines_before):
        text = without_words(text)
        self.text, self.lines_before = text, lines_before
        self.starts = [0] + [m.end() for m in re.finditer("\n", text)]
        self.ops = {}
        for found in DEFINITION.finditer(text):
            begin = found.end() - (text[found.end() - 1] == '"')
            kind = re.match(r"[\w.$]+", text[found.end():])[0]
            self.ops[begin] = (flatten(found[1]), kind)
        #: Names that some op's result has; all others are arguments'.
        self.results = {name for names, _ in self.ops.values() for name in names}
        heads = list(run_bytes.standins.HEAD.finditer(text))
        self.functions = [head.start() for head in heads]
        ends = self.functions[1:] + [len(text)]
        self.names = {}
        for head, end in zip(heads, ends):
            self.names.setdefault(head[1], set()).update(
                name[1:] for name in re.findall(NAME, text[head.start():end]))
        self.words = " ".join(text.split())
        self.all_names = {name[1:] for name in re.findall(NAME, text)}

    def at(self, token):
        """(names, kind) at the place that mlir-opt's name `token` tells."""
        place = PLACE.match(token)
        line = int(place[1]) - 1 - self.lines_before if place else -1
        if not 0 <= line < len(self.starts):
            return [], "unknown"
        at = self.starts[line] + int(place[2]) - 1
        if at in self.ops:
            return self.ops[at]
        argument = re.match(NAME, self.text[at:at + 500])
        return ([argument[0][1:]], "argument") if argument else ([], "unknown")


class Stage:
    """One part of the input at one stage, in both texts."""

    def __init__(self, source, ours, theirs, label):
        self.source, self.label = source, label
        self.ours = without_words(ours).splitlines()
        self.theirs = without_words(theirs).splitlines()
        self.wrong, self.followed = [], 0
        self.spelled = set()
        # What canonicalize made of a block argument: ours, and mlir-opt's name.
        self.merged = set()

    def find_spelled(self, numbers, pairs):
        """Names of arguments, ours and theirs, in ops that are the user's by
        the letter."""
        self.spelled = set()
        for number in numbers:
            ours, theirs = self.rest(number)
            op = " ".join(ours.split(" : ")[0].split())
            if "%" in op and "{" not in op and op in self.source.words:
                self.spelled |= {
                    (mine, other) for mine, other in
                    zip(re.findall(NAME, op), re.findall(NAME, theirs))
                    if (mine[1:], other[1:]) not in pairs}

    def rest(self, number):
        """What stands behind the results, in both texts."""
        texts = []
        for text in (self.ours[number], self.theirs[number]):
            head = HEAD.match(text)
            texts.append(text[head.end(1):] if head else text.lstrip())
        return [text.removeprefix(" = ") for text in texts]

    def complain(self, number, what):
        self.wrong.append(f"{self.label}: {what}: {self.ours[number].strip()}"
                          f"   // {self.theirs[number].strip()}")

    def check(self):
        if len(self.ours) != len(self.theirs):
            self.wrong.append(f"{self.label}: other lines than mlir-opt's")
            return
        names, begin = self.source.all_names, 0
        for number, line in enumerate([*self.ours, None]):
            function = line and FUNCTION.match(line)
            if function or line is None:
                self.check_part(range(begin, number), names)
                begin = number
            if function:  # One that a pass made has no name of the user's.
                names = self.source.names.get(function[1], set())

    def check_part(self, numbers, names):
        """The lines of one function."""
        pairs, seen = set(), collections.Counter()
        for number in numbers:
            ours, theirs = (HEAD.match(text[number])
                            for text in (self.ours, self.theirs))
            if bool(ours) != bool(theirs):
                self.complain(number, "another definition")
            elif ours:
                self.define(number, ours, theirs, names, pairs, seen)
        self.find_spelled(numbers, pairs)
        for number in numbers:
            self.check_uses(number, names, pairs)

    def define(self, number, ours, theirs, names, pairs, seen):
        mine, other = flatten(ours[1]), flatten(theirs[1])
        pairs.update(zip(mine, other))
        if len(mine) != len(other):
            return self.complain(number, "another number of results")
        last = -1
        for name, place in zip(mine, other):
            base = name.split("#")[0]
            if base not in names:
                continue
            given, kind = self.source.at("%" + place.split("#")[0])
            if name not in given and base + "#0" in given and "#" not in name:
                name = base + "#0"  # The only one left of a group.
            if name not in given and ours[2] == "arith.select" and \
                    name not in self.source.results:
                self.merged.add((f"%{name}", f"%{place}"))
                continue
            if name not in given:
                self.complain(number, f"%{name} is not the user's")
                continue
            index = given.index(name)
            if index <= last or (len(given) == len(mine) and
                                 index != mine.index(name)):
                self.complain(number, f"%{name} at another place")
            last = index
            if kind != ours[2] and ours[2] not in REWRITES.get(kind, ()):
                self.complain(number, f"%{name} was of {kind}")
            key = PLACE.match("%" + place.split("#")[0]).groups(), name
            seen[key] += 1
            if seen[key] > 1:
                self.complain(number, f"%{name} is defined twice")
            self.followed += 1

    def check_uses(self, number, names, pairs):
        rest = self.rest(number)
        if TOKEN.sub("%", rest[0]) != TOKEN.sub("%", rest[1]):
            return self.complain(number, "differs in more than names")
        for mine, other in zip(TOKEN.finditer(rest[0]), TOKEN.finditer(rest[1])):
            name, base = mine[0][1:], mine[1][1:]
            given, kind = self.source.at(other[1])
            defined = (name, other[0][1:]) in pairs
            if base not in names:
                continue
            self.followed += 1
            if (mine[1], other[1]) in self.spelled | self.merged:
                continue
            if not any(base == one.split("#")[0] for one in given):
                self.complain(number, f"{mine[0]} is not the user's")
            elif not defined and kind != "argument":
                self.complain(number, f"{mine[0]} is another result")


def with_places(path, folder):
    """`path` as mlir-opt writes it, each location now the name of a place."""
    printed = run_bytes.mlir_opt(path, 0, "--mlir-print-debuginfo",
                                 "--mlir-print-local-scope",
                                 "--mlir-print-op-generic")
    text = re.sub(r'loc\("(?:[^"\\]|\\.)*":(\d+):(\d+)\)', r'loc("p\1_\2")',
                  printed.out)
    placed = pathlib.Path(folder) / "placed.mlir"
    placed.write_text(text)
    return placed


def their_stages(placed):
    """Text of each stage of mlir-opt, by its number."""
    run = run_bytes.mlir_opt(
        placed, 8, "--mlir-print-ir-after-all", "--mlir-disable-threading",
        "--mlir-print-ir-module-scope", "--mlir-use-nameloc-as-prefix")
    dumps = [parts_of(dump)[0] for dump in run_bytes.DUMP.split(run.err)[1:]]
    texts = {stage: dumps[stage - 1::8] for stage in range(1, 9)}
    texts[0] = parts_of(run_bytes.mlir_opt(
        placed, 0, "--mlir-use-nameloc-as-prefix").out)
    return texts if run.status == 0 else None


def parts_of(text):
    """The modules, without the blobs that may stand behind them."""
    return [part.split("\n\n{-#")[0].rstrip("\n")
            for part in text.split("// -----\n")]


def check(path, expected):
    with tempfile.TemporaryDirectory() as folder:
        file = run_bytes.File(path, expected, folder)
        if not file.prepare():
            return [], 0, 0
        theirs = their_stages(with_places(file.late, folder))
        if theirs is None:
            return [f"{path}: mlir-opt fails"], 0, 0
        sources, lines = [], 0
        for part in judges.chunks(file.late.read_text()):
            sources.append(Source(part, lines))
            lines += part.count("\n") + 1
        wrong, followed, texts = [], 0, 0
        for stage in range(9) if IS_LONG else (0, 2, 3, 5, 8):
            ours = judges.run([judges.lens(), "ir", file.late,
                               *run_bytes.COMMON, "--source-names", "--stage",
                               str(stage)], seconds=run_bytes.SECONDS)
            label = f"{path.name} stage {stage}"
            back = judges.run([judges.tool("mlir-opt"), *run_bytes.COMMON, "-o",
                               os.devnull], text=ours.out, seconds=300)
            if ours.status != 0 or back.status != 0:
                wrong.append(f"{label}: mlir-opt does not read it: "
                             f"{(ours.err + back.err)[:300]}")
            parts = parts_of(ours.out)
            if not len(parts) == len(sources) == len(theirs[stage]):
                wrong.append(f"{label}: {len(parts)} parts, {len(sources)}, "
                             f"{len(theirs[stage])}")
                continue
            for number, part in enumerate(parts):
                one = Stage(sources[number], part, theirs[stage][number],
                            f"{label} part {number}")
                one.check()
                wrong += one.wrong
                followed += one.followed
                texts += 1
    return wrong, followed, texts


def main():
    names = sys.argv[1:]
    judges.lens()
    root, files = judges.corpus(), judges.corpus_files(names)
    if not IS_LONG and not names:
        files = sample.part([f for f in files
                             if f.stat().st_size < run_bytes.SMALL], 12,
                            isWhole=False)
    expected = run_bytes.expected_verdicts()
    failed = followed = texts = 0
    for path, (wrong, count, done) in zip(files, judges.in_parallel(
            lambda path: check(path, expected.get(
                str(path.relative_to(root)), {})), files)):
        failed += bool(wrong)
        followed += count
        texts += done
        for line in wrong[:10]:
            print(line[:400], flush=True)
    print(f"{len(files)} files, {texts} texts, {followed} names followed, "
          f"{failed} files with names that lie")
    sys.exit(1 if failed or not followed else 0)


if __name__ == "__main__":
    main()
