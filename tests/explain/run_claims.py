#!/usr/bin/env python3
"""Holds what explanations claim against runs of the program.

  run_claims.py CLAIMS [--seeds A..B] [--fault F]

CLAIMS (ClaimDump.cpp) prints the claims of a trace as data. An interpreter
(tests/check/heap_of_run.py) runs the program as the ownership pass left it, as the
last stage left it, and as it was given, several times with the same draws. Held
are, each time that a run comes by:

  source      an ownership indicator of a block argument or a region op's result has
              the value that one of the sources told for it hands on
  constant    an indicator that is told to be true or false always is
  condition   "deallocated at the end of X if C": C is what decides there
  never       what is told never to be deallocated (there) is not
  always      what is told to be deallocated there, always, is
  told        each deallocation is told of the buffer, or of what it was passed as
  last stage  what the ownership pass' program deallocates, the last one's does
  returned    what a function returns is told to be returned, or a clone; a public
              one's result is no argument, and alive
  origin      a memref is one of those that it is told to come from, and no other
  last use    no op of the function uses a buffer after what is told to be the last
  replaced    what is told to stand in the place of a memref is the same one
  gone        what the ownership pass' program does not have is told to be gone
  one verdict  what is told never to be deallocated is told of no deallocation
  alias       what is told to be one allocation is, what never is is not, and
              memory comes from where it is told to come from

Programs: samples, a part of the corpus, and random ones, some of them with their
control flow lowered and lifted again.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
for near in ("judges", "check", "random", "support"):
    sys.path.insert(0, str(HERE.parent / near))

import corpus
import generate
import judges
import sample
from heap_of_run import VIEWS, Memory, Program, Run, Unknown

RUNS = 12
TOKEN = re.compile(r"%[\w$.\-#]+|\(|\)|\?|:|\w+")
#: trace::BufferSource::allocation
ALLOCATION = 1
GONE = (r"removed before the|replaced by|in its place before|skipped|"
        r"rejected|moved to|the stack")
HELPER = "dealloc_helper"
#: Ops of linalg whose regions are printed.
# Branches that take a buffer under names which canonicalize merged, ifs made one.
ONCE_WRONG = (122, 360, 1153, 1371, 1818)
SHOWN = {"linalg.generic", "linalg.map", "linalg.reduce"}
COUNTERS = re.compile(r"scf\.(?:parallel|forall) \(([^)]*)\) (?:=|in)")
DEFINED = re.compile(r"[( ,](%[\w$.\-]+) = ")


#===--- The same values under their names ------------------------------------===#

def results_of(text):
    """%a, %b:2 -> %a, %b#0, %b#1"""
    names = []
    for name in text.split(","):
        base, _, many = name.strip().partition(":")
        names += [f"{base}#{i}" for i in range(int(many))] if many else [base]
    return names


def defined(line):
    """Values that a line of the custom form defines, in order."""
    text = line.strip()
    names = []
    if found := re.match(r"(%[^=]*?) = ", text):
        names = results_of(found[1])
        text = text[found.end():]
    if text.startswith(("func.func", "^")):
        return re.findall(r"(%[\w$.\-]+): ", text)
    if found := COUNTERS.match(text):
        return names + re.findall(r"%[\w$.\-]+", found[1])
    return names + DEFINED.findall(" " + text)


def definers(op):
    """Lists in which the op and what is in it define values, in the order of the
    custom form."""
    yield op.names
    regions = op.regions
    if op.kind == "scf.index_switch":
        regions = [*regions[1:], regions[0]]  # The default comes last.
    for region in regions:
        for block in region:
            yield block["arguments"]
            for inner in block["ops"]:
                yield from definers(inner)


def ops_of(op):
    yield op
    for region in op.regions:
        for block in region:
            for inner in block["ops"]:
                yield from ops_of(inner)


def rename(program, custom):
    """Gives the values of `program` their names in the custom form of its text;
    whether it can be told which is which."""
    starts = [found.start() for found in re.finditer(
        r"(?m)^\s*func\.func\b", custom)]
    pieces = [custom[begin:end]
              for begin, end in zip(starts, [*starts[1:], len(custom)])]
    program.repeated, program.defined = set(), {}
    functions = [op for top in program.tops for op in ops_of(top)
                 if op.kind == "func.func"]
    if len(pieces) != len(functions):
        return False
    for function, piece in zip(functions, pieces):
        for op in ops_of(function):
            op.names[:] = results_of(", ".join(op.names)) if op.names else []
            if op.kind.startswith("linalg.") and op.kind not in SHOWN:
                op.regions.clear()
        lists = list(definers(function))
        names = [name for line in piece.splitlines() for name in defined(line)]
        if sum(map(len, lists)) != len(names):
            return False
        new = iter(names)
        rename_in(function, {id(of): [next(new) for _ in of] for of in lists},
                  {})
        program.defined[symbol_of(function)] = set(map(bare, names))
        # Of values with one name, claims do not say which is meant.
        program.repeated |= {
            (symbol_of(function), bare(name))
            for name, times in collections.Counter(names).items() if times > 1}
    return True


def rename_in(op, new, scope):
    """Regions next to each other use the same names again."""
    for region in op.regions:
        lists = [of for block in region for of in [
            block["arguments"], *(inner.names for inner in block["ops"])]]
        inside = dict(scope)
        for of in lists:
            inside.update(zip(of, new.get(id(of), of)))
        for block in region:
            for inner in block["ops"]:
                inner.operands[:] = [inside.get(name, name)
                                     for name in inner.operands]
                rename_in(inner, new, inside)
        for of in lists:
            of[:] = new.get(id(of), of)


def programs_of(texts):
    """A program for each text, with the names of the text."""
    programs = []
    for text in texts:
        made = judges.run([judges.tool("mlir-opt"), "-", "--mlir-print-debuginfo",
                           "--mlir-print-local-scope",
                           "--allow-unregistered-dialect",
                           "--mlir-print-op-generic"], text)
        if made.status != 0:
            return None
        programs.append(Program(made.out))
    return programs if all(map(rename, programs, texts)) else None


#===--- Conditions as they are told -------------------------------------------===#

class Expression:
    """`%a and not %b`, `%c ? %a : %b`, `true`."""

    def __init__(self, text):
        self.rest = TOKEN.findall(text)

    def value(self, scope):
        value = self.primary(scope)
        while self.rest and self.rest[0] in ("and", "or", "?"):
            kind = self.rest.pop(0)
            other = self.primary(scope)
            if kind == "?":
                self.rest.pop(0)
                third = self.primary(scope)
                value = other if value else third
            else:
                value = value and other if kind == "and" else value or other
        return value

    def primary(self, scope):
        word = self.rest.pop(0)
        if word == "not":
            return not self.primary(scope)
        if word == "(":
            value = self.value(scope)
            self.rest.pop(0)
            return value
        return {"true": True, "false": False}[word] \
            if word in ("true", "false") else bool(scope[word])


#===--- What is claimed of one function ---------------------------------------===#

class Function:
    def __init__(self):
        self.indicators, self.buffers = {}, {}
        self.deallocs, self.ambiguous = {}, set()
        self.aliases = None
        #: Of memrefs, where they may come from; and the line of an allocation,
        #: with that of its last use.
        self.origins, self.lastUses = {}, {}

    def add(self, claim):
        kind = claim["kind"]
        if kind == "function":
            pass
        elif kind == "aliases":
            self.aliases = Aliases(claim)
        elif kind == "origin":
            self.origins.setdefault(claim["value"], []).append(claim["from"])
        elif kind == "dealloc":
            key = (tuple(claim["bases"]), tuple(claim["conditions"]),
                   tuple(claim["retained"]))
            if key in self.deallocs:
                self.ambiguous.add(key)
            self.deallocs[key] = claim
        else:
            known = self.indicators if kind == "indicator" else self.buffers
            if claim["value"] in known:
                self.ambiguous.add(claim["value"])
            known[claim["value"]] = claim

    def buffer(self, name):
        return None if name in self.ambiguous else self.buffers.get(name)


class Aliases:
    def __init__(self, claim):
        names = claim["memrefs"]
        self.verdicts, pairs = {}, iter(claim["verdicts"])
        for at, first in enumerate(names):
            for second in names[at + 1:]:
                verdict = next(pairs)
                self.verdicts[first, second] = verdict
                self.verdicts[second, first] = verdict
        self.sources = {name: {source for source, _ in sources}
                        for name, sources in zip(names, claim["sources"])
                        if sources and all(own for _, own in sources)}


#===--- Runs ----------------------------------------------------------------===#

def bare(name):
    return name.lstrip("%")


def symbol_of(function):
    return re.search(r'sym_name = "([^"]*)"', function.rest)[1]


def gone_in(op):
    """For each block of the op's regions the names that are no more when a run
    comes to it: those defined in it or in one that it dominates; in a first one,
    those of the regions that come after it, too."""
    for number, region in enumerate(op.regions):
        labels = [block["label"] for block in region]
        after = {block["label"]: block["ops"][-1].successors
                 for block in region if block["ops"]}
        for block in region:
            reached, pending = set(), labels[:1]
            while pending:
                label = pending.pop()
                if label in reached or label == block["label"]:
                    continue
                reached.add(label)
                pending += after.get(label, [])
            others = [inner for later in op.regions[number + 1:]
                      for inner in later] if block is region[0] else []
            yield id(block), set().union(*(names_in(other) for other in [
                *(one for one in region if one["label"] not in reached),
                *others]))


def names_in(block):
    names = set(block["arguments"])
    for op in block["ops"]:
        for name in op.names:
            base, _, many = name.partition(":")
            names |= {f"{base}#{i}" for i in range(int(many))} if many else {base}
        for region in op.regions:
            for inner in region:
                names |= names_in(inner)
    return names


class Watched(Run):
    """A run whose draws follow from `seed` and the names of what is drawn, so that
    another stage's program gets the same."""

    def __init__(self, program, seed, judge):
        super().__init__(program, None)
        self.seed, self.judge = seed, judge
        self.counts = collections.Counter()
        self.freed, self.isDrawn = [], False
        self.frames, self.given = [], []

    def pick(self, choices, what):
        self.counts[what] += 1
        chance = random.Random(f"{self.seed} {what} {self.counts[what]}")
        return chance.choice(choices)

    def drawn(self, type, *what):
        if type.startswith("memref"):
            if self.given and self.pick((True, False, False, False), what):
                return self.pick(self.given, what)
            memory = Memory(None)
            memory.key, memory.isAlive = what, True
            self.given.append(memory)
            return memory
        if len(what) == 2 and what[0].startswith("%") and \
                type in ("i1", "index", "i32", "i64"):
            self.isDrawn = True
        return super().drawn(type, *what)

    def enter(self, region, block, scope):
        known = self.program.__dict__.setdefault("gone", {})
        if not known:
            for top in self.program.tops:
                for op in ops_of(top):
                    known.update(gone_in(op))
        for name in known[id(block)]:
            scope.pop(name, None)

    def call(self, function, arguments):
        name = symbol_of(function)
        if name not in self.judge.claims and name != HELPER:
            raise Unknown("a function that is rejected")
        self.frames.append(name)
        results = super().call(function, arguments)
        self.frames.pop()
        return results

    def results(self, op, values, scope):
        results = super().results(op, values, scope)
        if op.kind in ("memref.alloc", "memref.alloca", "memref.get_global",
                       "bufferization.clone", "func.call"):
            for number, memory in enumerate(results):
                if not isinstance(memory, Memory):
                    continue
                # What an earlier iteration made goes by this name, too.
                memory.names.add((len(self.frames), bare(op.names[number])))
                if not hasattr(memory, "key"):
                    what = (self.frames[-1], op.names[0], number)
                    self.counts[what] += 1
                    memory.key = (*what, self.counts[what])
                    memory.isAlive = True
                    memory.frame = len(self.frames)
                    memory.isClone = op.kind == "bufferization.clone"
        return results

    def release(self, memory):
        if memory.bytes is None or not memory.isAlive:
            raise Wrong("deallocated", f"{memory.key} is "
                        f"{'deallocated again' if memory.isAlive is False else 'not its to deallocate'}")
        memory.isAlive = False
        self.freed.append(memory.key)

    def do_memref_dealloc(self, op, values, scope):
        # A program may deallocate by hand what it is lent.
        if values[0].bytes is not None:
            self.release(values[0])
        return []

    def do_memref_realloc(self, op, values, scope):
        raise Unknown(op.kind)


class Wrong(Exception):
    def __init__(self, kind, what):
        super().__init__(f"{kind}: {what}")


class Judge:
    """What the runs of one program held."""

    def __init__(self, claims):
        self.claims = claims
        self.counts = collections.Counter()
        #: Why runs ended before their end.
        self.unknown = collections.Counter()
        self.faults = []

    def hold(self, kind, isTrue, *what):
        self.counts[kind] += 1
        if not isTrue:
            self.faults.append(f"{kind}: {' '.join(map(str, what))}")

    def of(self, name):
        return self.claims.get(name, Function())


class OfTheInput(Watched):
    """Runs the program as it was given."""

    def results(self, op, values, scope):
        lasts = self.judge.of(self.frames[-1]).lastUses
        for name in op.operands:
            made = self.program.made.get((self.frames[-1], name))
            # Others may be gone before the pass.
            if made in lasts and op.kind in (
                    "memref.store", "memref.copy", "linalg.fill",
                    "func.call") and len(set(map(id, values))) > 1:
                self.judge.hold("last use", op.line <= lasts[made],
                                f"{op.kind} in line {op.line} comes after "
                                f"line {lasts[made]}")
        return super().results(op, values, scope)

    def assign(self, scope, names, values, fed):
        super().assign(scope, names, values, fed)
        told = self.judge.of(self.frames[-1])
        ambiguous, claims = told.ambiguous, told.aliases
        for name, value in zip(names, values):
            buffer = told.buffer(bare(name))
            by = buffer["replacedBy"] if buffer else ""
            # Poison may be taken for anything.
            isPoison = isinstance(value, Memory) and value.key[0] == "poison"
            if f"%{by}" in scope and by not in ambiguous and not isPoison:
                self.judge.hold("replaced", scope[f"%{by}"] is value or
                                (len(self.frames), by) in value.names,
                                buffer["headline"])
        if not claims:
            return
        for name, value in zip(names, values):
            if not isinstance(value, Memory) or bare(name) in ambiguous:
                continue
            if bare(name) in claims.sources and hasattr(value, "key"):
                self.judge.hold("alias", bare(value.key[1]) in
                                claims.sources[bare(name)] or
                                len(self.frames) != value.frame,
                                name, "comes from", value.key)
            for other, its in scope.items():
                verdict = claims.verdicts.get((bare(name), bare(other)))
                if other == name or verdict in (None, "?") or \
                        bare(other) in ambiguous or \
                        not isinstance(its, Memory):
                    continue
                self.judge.hold("alias", (value is its) == (verdict == "="),
                                name, other, verdict)


class OfThePass(Watched):
    """Runs the program as the ownership pass left it."""

    def __init__(self, program, seed, judge):
        super().__init__(program, seed, judge)
        #: What is deallocated where a later stage takes the dealloc out.
        self.removed = set()

    def assign(self, scope, names, values, fed):
        super().assign(scope, names, values, fed)
        claims = self.judge.of(self.frames[-1])
        for number, (name, value) in enumerate(zip(names, values)):
            if isinstance(value, Memory):
                self.come(claims, name, value, scope)
            claim = claims.indicators.get(bare(name))
            if not claim or bare(name) in claims.ambiguous:
                continue
            if claim["constant"] >= 0:
                self.judge.hold("constant", value == bool(claim["constant"]),
                                name, value)
            if not fed or number >= len(fed) or fed[number] is None:
                continue
            self.judge.hold("source", not claim["complete"] or any(
                source == bare(fed[number]) or constant == int(value)
                for source, constant in claim["sources"]),
                name, "=", value, "from", fed[number], "told:",
                claim["sources"])

    def come(self, claims, name, value, scope):
        """Where a memref comes from, as it is told."""
        if bare(name) in claims.ambiguous:
            return
        for told in claims.origins.get(bare(name), []):
            values = [scope.get(f"%{one}") for one in told]
            isMade = any((len(self.frames), one) in value.names for one in told)
            if None not in values:
                self.judge.hold("origin", isMade or value in values, name, "from",
                                told, getattr(value, "key", ""))

    def do_bufferization_dealloc(self, op, values, scope):
        sizes = re.search(r"operandSegmentSizes = array<i32: ([\d, ]+)>",
                          op.rest)[1]
        many, _, kept = map(int, sizes.split(","))
        memrefs, conditions = values[:many], values[many:2 * many]
        retained = values[2 * many:]
        key = tuple(tuple(map(bare, part)) for part in (
            op.operands[:many], op.operands[many:2 * many],
            op.operands[2 * many:]))
        claims = self.judge.of(self.frames[-1])
        claim = claims.deallocs.get(key)
        if key in claims.ambiguous:
            claim = None
        done = []
        for at, (memory, own) in enumerate(zip(memrefs, conditions)):
            # An earlier one of the same buffer stands for it, owned or not.
            isFirst = memory not in memrefs[:at]
            isFreed = bool(own) and memory not in retained and isFirst
            if isFreed:
                done.append(memory)
            if claim:
                self.listed(claims, claim, at, memory, bool(own), isFreed,
                            not isFirst, scope)
        for memory in done:
            self.release(memory)
        results = [any(own and memory is one for memory, own in
                       zip(memrefs, conditions)) for one in retained]
        if claim:
            for (name, constant), value in zip(claim["results"], results):
                # On an edge it is told for when that is taken.
                if constant >= 0 and claim["edge"] < 0:
                    self.judge.hold("constant", value == bool(constant),
                                    name, value)
        return results

    def listed(self, claims, claim, at, memory, own, isFreed, isDone, scope):
        """One memref of a dealloc, against what is told of it."""
        name = claim["memrefs"][at]
        buffer = claims.buffer(name)
        if not buffer or buffer["heir"] != name:
            return
        told = [one for one in buffer["listed"]
                if one["base"] == claim["bases"][at] and
                one["condition"] == claim["conditions"][at] and
                one["edge"] == claim["edge"]]
        if len(told) != 1:
            return
        told, hold = told[0], self.judge.hold
        if told["edge"] < 0:
            hold("condition", Expression(told["expression"]).value(scope) == own,
                 f"%{name}: {told['expression']} is not {own}")
            if told["constant"] >= 0:
                hold("constant", bool(told["constant"]) == own, f"%{name}")
        elif own:
            hold("condition", Expression(told["expression"]).value(scope),
                 f"%{name}: {told['expression']} is not {own}")
        frees = [one for one in buffer["frees"]
                 if one["dealloc"] == told["dealloc"]]
        standing = [one for one in frees if not one["removed"]]
        if isFreed and frees and not standing:
            self.removed.add(memory.key)
        elif isFreed:
            # Or of the allocation, of which it is a view. What is folded away with
            # it is not in the last stage.
            whole = claims.buffer(bare(memory.key[1])) or buffer
            hold("told", standing or buffer["gone"] or any(
                not one["removed"] and one["dealloc"] == told["dealloc"]
                for one in whole["frees"]),
                 f"%{name} is deallocated, told: {buffer['headline']}")
        if not buffer["mayBeOwned"] or told["retained"] or \
                told["constant"] == 0:
            hold("never", not isFreed, f"%{name}: {buffer['headline']}")
        if told["edge"] < 0 and len(standing) == 1 and \
                standing[0]["condition"] == "true" and \
                not standing[0]["compared"] and not standing[0]["helper"]:
            hold("always", isFreed or isDone,
                 f"%{name}: {buffer['headline']}")

    def call(self, function, arguments):
        depth = len(self.frames) + 1
        name = symbol_of(function)
        results = super().call(function, arguments)
        isPrivate = 'sym_visibility = "private"' in function.rest
        mine = [one for one in results if isinstance(one, Memory)]
        for memory in mine:
            if memory.bytes is None or isPrivate:
                continue
            self.judge.hold("returned", memory.isAlive and
                            memory not in arguments, f"by @{name}", memory.key)
        for memory in mine:
            buffer = self.judge.of(name).buffer(bare(memory.key[1])) \
                if getattr(memory, "frame", 0) == depth and \
                memory.key[0] == name else None
            if buffer and buffer["source"] == ALLOCATION and \
                    not memory.isClone:
                self.judge.hold("returned", leaves(buffer),
                                f"@{name} returns %{buffer['value']}, told:",
                                buffer["headline"])
        return results


def leaves(buffer):
    """Whether it is told to go anywhere."""
    return any(word in buffer["headline"] for word in (
        "returned", "passed to", "yielded", "which may alias it", "goes into",
        "given", "handed", "leaves"))


#===--- Programs ------------------------------------------------------------===#

def claims_of(path, folder, dump, options=()):
    """The claims of a file's only part, and the texts of two stages."""
    trace = pathlib.Path(folder) / (path.stem + ".trace.json")
    made = judges.run([judges.lens(), "trace", "--aliases", *options, path,
                       "-o", trace])
    if made.status not in (0, 1) or not trace.exists():
        return None
    printed = judges.run([dump, trace])
    trace.unlink()
    if printed.status != 0:
        return None
    functions, texts = collections.defaultdict(Function), []
    checked = judges.run([judges.lens(), "check", "--format=json", "--no-try",
                          "-v", *options, path])
    for file in json.loads(checked.out or '{"files": []}')["files"]:
        if "// -----" in path.read_text():
            break
        for finding in file["findings"]:
            uses = [fact["place"]["line"] for fact in finding["related"]
                    if fact["text"].startswith("last used by")]
            if finding["rule"] == "late-free" and uses:
                functions[finding["function"]].lastUses[
                    finding["place"]["line"]] = max(uses)
    for line in printed.out.splitlines():
        claim = json.loads(line)
        if claim["kind"] == "text":
            texts.append(claim["text"])
        else:
            functions[claim["function"]].add(claim)
    return functions, texts


def judged(path, folder, dump, options=(), fault=None):
    """A judge, or why the program is left out."""
    claims = claims_of(path, folder, dump, options)
    if not claims:
        return "no trace"
    functions, texts = claims
    if len(texts) != 2:
        return "several parts, or no stage"
    if fault:
        spoil(functions, fault)
    source = path.read_text()
    programs = programs_of([*texts, source])
    if not programs:
        return "names are not told"
    for program in programs:
        for function, name in program.repeated:
            if function in functions:
                functions[function].ambiguous.add(name)
    judge = Judge(functions)
    programs[2].made = lines_of_makers(programs[2])
    ends = ends_of_ops(programs[2])
    for name, function in functions.items():
        function.lastUses = {line: ends.get(last, last)
                             for line, last in function.lastUses.items()}
        tell_gone(judge, name, function, programs[0].defined.get(name))
    ran = 0
    for name in programs[0].functions:
        for seed in range(RUNS):
            ran += run_once(judge, programs, name, f"{path.name} {seed}")
            if len(judge.faults) > 5:
                break
    return judge if ran else "nothing runs"


def has_body(program, name):
    function = program.functions.get(name)
    return function and function.regions and function.regions[0]


def ends_of_ops(program):
    """For the line of an op with regions, the last line in them."""
    return {op.line: max(inner.line for inner in ops_of(op))
            for top in program.tops for op in ops_of(top) if op.regions}


def lines_of_makers(program):
    """For each memref that is an allocation, or a view of one, by function and
    name, the line of that."""
    made = {}
    for top in program.tops:
        for function in ops_of(top):
            if function.kind != "func.func":
                continue
            symbol = symbol_of(function)
            for op in ops_of(function):
                if op.kind == "memref.alloc":
                    made[symbol, op.names[0]] = op.line
                elif op.kind in VIEWS and (symbol, op.operands[0]) in made:
                    made[symbol, op.names[0]] = made[symbol, op.operands[0]]
    return {key: line for key, line in made.items()
            if (key[0], bare(key[1])) not in program.repeated}


def tell_gone(judge, name, function, defined):
    """What the ownership pass' program does not have goes nowhere there."""
    for buffer in function.buffers.values():
        told = buffer["headline"].split(": ", 1)[1]
        judge.hold("one verdict", not (
            re.search(r"never deallocated", told) and
            re.search(r"(^|; )deallocated (at|on)", told)), buffer["headline"])
        # A result that is the only one left has another name there.
        if defined is None or buffer["heir"] in defined or buffer["seen"] or \
                buffer["value"] in function.ambiguous:
            continue
        judge.hold("gone", re.search(GONE, told) and not re.search(
            r"\b((?<!not )deallocated (at|on)|returned|yielded|passed)\b", told),
            f"@{name} has no %{buffer['value']}, told: {buffer['headline']}")


def run_once(judge, programs, name, seed):
    """Whether the interpreter could run it."""
    ran, runs = 0, []
    for program, make in zip(programs, (
            lambda one: OfThePass(one, seed, judge),
            lambda one: Watched(one, seed, judge),
            lambda one: OfTheInput(one, seed, judge))):
        try:
            run = make(program)
            if has_body(program, name):
                run.function(name)
                ran += 1
            judge.counts["deallocated once"] += len(run.freed)
            runs.append(run)
        except (Unknown, RecursionError) as unknown:
            judge.unknown[str(unknown)[:40]] += 1
            runs.append(None)
        except Wrong as wrong:
            judge.faults.append(f"@{name}: {wrong}")
            runs.append(None)
    ofPass, last, _ = runs
    if ofPass and last and not ofPass.isDrawn and not last.isDrawn:
        common = set(ofPass.counts) & set(last.counts)
        freed = [{key for key in run.freed if key[:3] in common}
                 for run in (ofPass, last)]
        judge.hold("last stage", not (freed[0] ^ freed[1]) - ofPass.removed,
                   f"@{name}", seed, sorted(freed[0] ^ freed[1]))
    return ran > 0


def spoil(functions, fault):
    """Makes claims false, so that it is known that the judge sees it."""
    for function in functions.values():
        for claim in function.indicators.values():
            if fault == "source":
                claim["sources"] = claim["sources"][:-1]
        for buffer in function.buffers.values():
            for told in buffer["listed"]:
                if fault == "condition":
                    told["expression"] = f"not ({told['expression']})"
            if fault == "never":
                buffer["mayBeOwned"] = False
            if fault == "told":
                buffer["frees"] = []
            if fault == "returned":
                buffer["headline"] = "%x: nothing"
        if fault == "alias" and function.aliases:
            turned = {"=": ".", ".": "="}
            function.aliases.verdicts = {
                pair: turned.get(verdict, verdict)
                for pair, verdict in function.aliases.verdicts.items()}


LOWER_AND_LIFT = ["--convert-scf-to-cf", "--lift-cf-to-scf"]


def random_program(seed, folder):
    """Every third with its loops and branches lifted from a lowered program."""
    text = generate.generate(seed, "acyclic-run" if seed % 2 else "any")
    passes = [[], LOWER_AND_LIFT, LOWER_AND_LIFT[:1]][seed % 3]
    if passes:
        made = judges.run([judges.tool("mlir-opt"), "-",
                           "--allow-unregistered-dialect", *passes], text)
        text = made.out if made.status == 0 else text
    path = pathlib.Path(folder) / f"random-{seed}.mlir"
    path.write_text(text)
    return path


def options_for(path):
    """Every fifth random program with ownership that private functions return."""
    number = re.search(r"random-(\d+)", path.name)
    dynamic = number and int(number[1]) % 5 == 4
    return ["--allow-unregistered-dialect",
            *(["--private-function-dynamic-ownership"] if dynamic else [])]


def parts(files, folder):
    """Each part of each file, by itself."""
    for file in files:
        text = file.read_text(errors="replace")
        for number, part in enumerate(judges.chunks(text)):
            if "memref" not in part or len(part) > 60000:
                continue
            path = pathlib.Path(folder) / f"{file.stem}.{number}.mlir"
            path.write_text(part)
            yield path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("claims")
    parser.add_argument("--seeds", help="A..B, without B")
    parser.add_argument("--fault")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    counts, left, unknown = (collections.Counter() for _ in range(3))
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        if arguments.files:
            paths = list(parts(arguments.files, folder))
        else:
            seeds = sample.seeds(arguments.seeds, always=5, more=20, full=200,
                                 long=2000)
            if not arguments.seeds:
                seeds = sorted({*seeds, *ONCE_WRONG})
            files = [] if arguments.seeds else [
                *sorted((judges.ROOT / "samples").glob("*.mlir")),
                *sample.part(corpus.corpus_files(), 16, ["readings"])]
            paths = [*[random_program(seed, folder) for seed in seeds],
                     *parts(files, folder)]

        def check(path):
            return path, judged(path, folder, arguments.claims,
                                options_for(path), arguments.fault)

        for path, judge in judges.in_parallel(check, paths):
            if isinstance(judge, str):
                left[judge] += 1
                continue
            counts.update(judge.counts)
            unknown.update(judge.unknown)
            faults += [f"{path.name}: {fault}" for fault in judge.faults]
    print(f"{len(paths) - left.total()} programs run, left out: {dict(left)}")
    print(f"runs that ended early: {dict(unknown.most_common(12))}")
    print(", ".join(f"{kind} {number}" for kind, number in sorted(
        counts.items())))
    print("\n".join(faults[:40]))
    if arguments.fault:
        sys.exit(0 if faults else f"nobody sees the fault {arguments.fault}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
