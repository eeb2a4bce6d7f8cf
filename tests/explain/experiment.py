#!/usr/bin/env python3
"""Holds explanations to experiment: what they cite must matter.

usage: experiment.py MEMREF_LENS DECISIONS GENERATOR [--corpus DIR] [--fault F] [--only TEXT]

For some of the copies, run-time checks and rejections of a part of the corpus, of
the samples and of random programs: each fact that the explanation cites is taken out
of the program by the smallest edit that does so, and the tool runs again. The
decision must be gone, or rest on something that was not cited before. Of a
rejection's smallest set, nothing may be left out, and it must be enough: all
other ops of the function are deleted.
"""

import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from surgery import Program, Tools

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import sample  # noqa: E402

NAME = re.compile(r"%[\w$.\-]+(?:#\d+)?")
# In a reason: the names of origins, not the one whose origins they are.
ORIGIN = re.compile(r"%[\w$.\-]+(?:#\d+)?(?![\w$.\-#]| may )")
STAGE_FAILURES = ["invalidIr", "stageFailed", "stageCrashed", "stageTimedOut"]
WAYS = ["alloc", "poison", "alloca", "call"]


class Decision:
    """One decision of a program: `key` finds it again in an edited one."""

    def __init__(self, program, row, key, because, facts, names):
        self.program, self.row, self.key = program, row, key
        # The reason without places; facts are (text, range).
        self.because, self.facts, self.names = because, facts, names


def nameOf(program, value):
    return program.values[value]["name"] if value is not None else ""


def functionName(program, event):
    function = event.get("function")
    return "" if function is None else program.functions[function]["name"]


def decisionsOf(program):
    found = []
    for row in program.rows:
        event = program.events[row["event"]]
        function = functionName(program, event)
        facts = [(text, [begin, end])
                 for _, begin, end, text in row["evidence"]]
        if row["kind"] == "clone":
            leaving = [program.line(place) for text, place in facts
                       if "returns it to the caller" in text]
            key = ("clone", function, nameOf(program, event.get("value")),
                   *leaving)
            found.append(Decision(program, row, key, row["sentence"], facts, {
                text for text, _ in facts}))
        elif row["kind"] == "rejection":
            # Where a stage fails, no op is blamed.
            if event.get("cause") in STAGE_FAILURES:
                continue
            # Without the memref, a switch is refused with other words.
            key = ("rejection", function, event.get(
                "cause", "unknownEffects").replace("WithMemref", ""))
            lines = {(program.lineOfOp(w), program.ops[w]["name"])
                     for w in event.get("witnesses", [])}
            found.append(Decision(program, row, key, "", facts, lines))
        else:
            found += checksOf(program, row, event, function, facts)
    return found


def checksOf(program, row, event, function, facts):
    """A decision for each pair of buffers that is compared."""
    for text, place in facts:
        head, found, reason = text.partition(" may alias: ")
        if not found:
            continue
        pair = NAME.findall(head)
        retained = [f for f in facts if f[0].startswith(
            tuple(name + " is " for name in pair))]
        roles = tuple(sorted((name, any(fact.startswith(name + " is retained")
                                        for fact, _ in facts))
                             for name in pair))
        key = ("check", function, program.lineOfOp(event.get("op")), roles)
        origins = dict.fromkeys(ORIGIN.findall(reason))
        yield Decision(program, row, key, "",
                       retained + [(name, None) for name in origins],
                       set(origins) | {fact for fact, _ in retained})


def standing(program, decision):
    """The decisions of an edited program that are the same one."""
    return [other for other in decisionsOf(program)
            if other.key == decision.key]


def restsOnOther(before, after):
    """Whether the decision has a reason that it did not have."""
    return after.because != before.because or bool(
        after.names - before.names or placed(after) - placed(before))


def placed(decision):
    """The facts with their lines, which edits keep."""
    return {(text, decision.program.line(place))
            for text, place in decision.facts}


#===--- The edits that take a fact out ---===#

def candidates(decision, text, place):
    """Edits, smallest first, one of which may take the fact out."""
    program = decision.program
    event = program.events[decision.row["event"]]
    function = event.get("function")
    if place is None:
        yield from flowEdits(decision, text.lstrip("%"), function)
        return
    op = program.opAt(place)
    values = program.valuesAt(place)
    if op is None and not values:
        return
    named = {name.lstrip("%") for name in NAME.findall(text)}
    for value in values:
        if value.get("kind") == "argument":
            for how in WAYS + ["true", "false"]:
                yield program.replacedEverywhere(value, how, function)
            users = [o for o in program.opsOf(function)
                     if value["id"] in o.get("operands", [])]
            for user in users:
                yield from useEdits(program, user, {value["name"]}, function)
            continue
        definer = program.ops[value["op"]]
        for how in WAYS:
            yield program.deletion(definer, how, function)
        yield from useEdits(program, definer, set(), function)
        for use in value.get("uses", []):
            for how in WAYS:
                yield program.replacedUse(value, use, how, function)
    if op is None:
        return
    if op.get("isTerminator"):
        yield withoutOp(program, op, function)
    else:
        for how in WAYS:
            yield program.deletion(op, how, function)
    yield from useEdits(program, op, named, function)


def useEdits(program, op, named, function):
    """Other operands; the named ones first."""
    uses = sorted(program.operandUses(op),
                  key=lambda u: u[0]["name"] not in named)
    for value, use in uses:
        for how in WAYS if value.get("isMemref") else ["true", "false"]:
            yield program.replacedUse(value, use, how, function)


def flowEdits(decision, name, function):
    """Cuts each way on which a buffer may flow into another."""
    program = decision.program
    value = program.named(name, function)
    # A clone of a select stands for it, and that for the argument that it merged.
    while value and value.get("generated") and "standsFor" in value:
        value = program.values[value["standsFor"]]
    if value is None:
        return
    others = [program.named(n.lstrip("%"), function)
              for n in decision.names if n != "%" + name]
    for use in value.get("uses", []):
        for how in WAYS[:2]:
            yield program.replacedUse(value, use, how, function)
        for other in others:
            if other and other["type"] == value["type"]:
                yield [(use[0], use[1], "%" + other["name"])]
    if value.get("kind") == "argument":
        for how in WAYS:
            yield program.replacedEverywhere(value, how, function)
    else:
        for how in WAYS:
            yield program.deletion(program.ops[value["op"]], how, function)


def verdictOn(decision, text, place):
    """'gone', 'other', 'superfluous', or 'no edit' for one cited fact."""
    def unchanged(those):
        return sum(not restsOnOther(decision, other) for other in those)

    seen = False
    for edits in candidates(decision, text, place):
        if edits is None:
            continue
        edited = decision.program.edited(edits)
        if edited.trace is None:
            continue
        still = standing(edited, decision)
        if not still:
            return "gone"
        # Several may bear one key, as on two edges, or for a value that is
        # returned twice: one must be as before no more.
        if unchanged(still) < unchanged(standing(decision.program, decision)):
            return "other"
        fact = (text, decision.program.line(place))
        cites = any(fact in placed(other) for other in still)
        seen = seen or not cites
    return "superfluous" if seen else "no edit"


def withoutConstants(decision):
    """The same decision of a program in which nothing folds: on some that we
    make, canonicalize does not end otherwise. None if it is not there."""
    program = decision.program
    function = program.events[decision.row["event"]].get("function")
    edits = []
    for op in program.opsOf(function):
        if op["name"] == "arith.constant":
            edits += program.deletion(op, "call", function) or []
    edited = program.edited(edits)
    still = standing(edited, decision) if edited.trace else []
    return still[0] if len(still) == 1 else None


def verdictOrOther(decision, text, place):
    verdict = verdictOn(decision, text, place)
    other = withoutConstants(decision) if verdict == "no edit" else None
    for fact in other.facts if other else []:
        if fact[0] == text:
            return verdictOn(other, *fact)
    return verdict


#===--- Rejections ---===#

def ancestorsOf(program, op):
    found = set()
    while op.get("block") is not None:
        parent = program.blocks[op["block"]].get("parentOp")
        if parent is None:
            break
        found.add(parent)
        op = program.ops[parent]
    return found


def withoutOp(program, op, function):
    """Edits that delete an op; a branch becomes a return."""
    if not op.get("isTerminator"):
        return program.deletion(op, "poison", function)
    parent = program.blocks[op["block"]].get("parentOp")
    if parent != program.functions[function].get("op"):
        return withoutOp(program, program.ops[parent], function)
    begin, end = op["range"]
    if "successors" not in op:
        return None
    leaving = next((o for o in program.opsOf(function)
                    if o["name"] == "func.return"), None)
    if leaving is None:
        return [(begin, end, "ub.unreachable")]
    types = [program.values[v]["type"] for v in leaving.get("operands", [])]
    text, names = "", []
    for number, type in enumerate(types):
        names.append(f"%lens{op['id']}_{number}")
        text += f"{names[-1]} = ub.poison : {type} "
    text += "func.return" + (f" {', '.join(names)} : {', '.join(types)}"
                             if names else "")
    return [(begin, end, text + "\n" * program.text.count(b"\n", begin, end))]


def usesOf(program, ops, function):
    """Edits that hand the results of ops to calls: canonicalize takes some ops
    out whose results nobody uses."""
    begin = program.functionBegin(function)
    edits = []
    for op in ops:
        for number, result in enumerate(op.get("results", [])):
            value = program.values[result]
            callee = f"@lens_use{op['id']}_{number}"
            edits += [(begin, begin,
                       f"func.func private {callee}({value['type']}) "),
                      (op["range"][1], op["range"][1],
                       f" func.call {callee}(%{value['name']}) : "
                       f"({value['type']}) -> () ")]
    return edits


def onlyWith(program, kept, function, how, used=()):
    """All other ops deleted; or, where canonicalize then takes the blocks
    apart, replaced by calls that take nothing."""
    edits = usesOf(program, used, function)
    for op in program.opsOf(function):
        if op["id"] in kept or op.get("isTerminator"):
            continue
        edits += program.deletion(op, how, function)
        if how == "call" and not op.get("results"):
            begin = program.functionBegin(function)
            at, end, lines = edits[-1]
            edits[-1] = (at, end,
                         f"func.call @lens_op{op['id']}() : () -> () {lines}")
            edits.append((begin, begin,
                          f"func.func private @lens_op{op['id']}() "))
    return program.edited(edits)


def faultsOfRejection(decision):
    """Whether the smallest set is enough, and each of it needed."""
    program = decision.program
    event = program.events[decision.row["event"]]
    function = event["function"]
    witnesses = [program.originOf(w)["id"] for w in event.get("witnesses", [])]
    if not witnesses:
        return ["names no op that shows it"]
    kept = set(witnesses)
    for witness in witnesses:
        kept |= ancestorsOf(program, program.ops[witness])
    # Some ops parse only with constant operands.
    constants = {op["id"] for op in program.opsOf(function)
                 if op["name"] == "arith.constant"}
    plain = [program.ops[w] for w in witnesses
             if not program.ops[w].get("isTerminator")]
    for spared, how, used in ((kept, "poison", ()), (kept, "call", ()),
                              (kept | constants, "poison", ()),
                              (kept | constants, "call", ()),
                              (kept | constants, "call", plain)):
        reduced = onlyWith(program, spared, function, how, used)
        still = reduced.trace and standing(reduced, decision)
        if still:
            break
    if not still:
        return ["the smallest set is not enough"]
    faults = []
    for line, name in sorted(decision.names):
        member = next((op for op in reduced.ops if op["name"] == name and
                       not op.get("generated") and
                       reduced.line(op.get("nameRange")) == line), None)
        edits = member and withoutOp(reduced, member, still[0].program.events[
            still[0].row["event"]]["function"])
        if not edits:
            faults.append(f"cannot take out {name} at line {line}")
            continue
        less = reduced.edited(edits)
        # Another loop, say, is another cause.
        if less.trace is None or not all(restsOnOther(still[0], other)
                                         for other in standing(less, decision)):
            faults.append(f"{name} at line {line} can be left out")
    return faults


#===--- Faults, to see that they are found ---===#

def unrelatedOp(program, row):
    """The user's op in the function of a decision that has no part in it."""
    event = program.events[row["event"]]
    cited = {begin for _, begin, _, _ in row["evidence"]}
    for op in program.opsOf(event["function"]):
        # No bound, condition or index: a buffer's fate cannot hang on it.
        if op["name"] == "arith.constant" and op["nameRange"][0] not in cited \
                and all(program.values[v]["type"] in ("f16", "f32", "f64")
                        for v in op.get("results", [])):
            return op
    return None


def citeUnrelatedOps(program):
    for row in program.rows:
        pairs = [NAME.findall(text)[0] for *_, text in row["evidence"]
                 if text.startswith("not known whether")]
        op = unrelatedOp(program, row)
        if op and (pairs or row["kind"] == "clone"):
            name = pairs[0] if pairs else "seeded"
            row["evidence"].append([row["event"], *op["nameRange"],
                                    f"{name} is seeded"])


def addWitnesses(program):
    for row in program.rows:
        op = unrelatedOp(program, row)
        if row["kind"] == "rejection" and op:
            event = program.events[row["event"]]
            event["witnesses"] = event.get("witnesses", []) + [op["id"]]
            event["isSeeded"] = True


def dropWitnesses(program):
    for row in program.rows:
        event = program.events[row["event"]]
        witnesses = event.get("witnesses", [])
        kept = [w for w in witnesses if program.ops[w].get("isTerminator")]
        if row["kind"] == "rejection" and len(kept) < len(witnesses):
            event["witnesses"], event["isSeeded"] = kept, True


FAULTS = {"superfluous-fact": citeUnrelatedOps,
          "superfluous-witness": addWitnesses, "missing-witness": dropWitnesses}


def isSeeded(decision):
    event = decision.program.events[decision.row["event"]]
    return event.get("isSeeded") or any(
        text.endswith(" is seeded") for text, _ in decision.facts)


#===--- Sample and report ---===#

# Besides random programs: copies, checks and rejections in which every fault shows.
SHOWING_FAULTS = ["test-one-shot-bufferize.mlir", "lower-deallocations-func.mlir",
                  "buddy-mlir__batchmatmul-vectorization.mlir"]


def chunksOf(path):
    text = path.read_bytes()
    for part in re.split(rb"(?m)^// -----.*$", text):
        if part.strip():
            yield part


def sources(arguments):
    """(label, text, options) of every program to draw from."""
    folders = [HERE.parents[1] / "samples"] + [
        Path(arguments.corpus) / name for name in
        ("real", "defects", "upstream")]
    paths = [path for folder in folders for path in sorted(folder.rglob("*.mlir"))
             if path.stat().st_size <= arguments.size]
    seeds = range(arguments.random)
    if arguments.fault and not sample.FULL:
        paths = [path for path in paths if path.name in SHOWING_FAULTS]
    else:
        paths, seeds = sample.part(paths, 3), sample.part(seeds, 3)
    for path in paths:
        for number, text in enumerate(chunksOf(path)):
            yield (f"{path.parent.name}/{path.name}[{number}]", text,
                   ["--allow-unregistered-dialect"])
    for seed in seeds:
        text = subprocess.run(
            [sys.executable, arguments.generator, "--seed", str(1000 + seed)],
            capture_output=True, check=True, timeout=60).stdout
        yield (f"random {1000 + seed}", text,
               ["--private-function-dynamic-ownership"] if seed % 3 == 0
               else [])


def choose(pool, arguments):
    """The same number of each kind, of as many programs as there are."""
    rng = random.Random(arguments.seed)
    chosen = []
    for kind in ("clone", "check", "rejection"):
        of = {}
        for label, decision in pool:
            if decision.key[0] == kind:
                of.setdefault((label, decision.key[1]), []).append(
                    (label, decision))
        groups = list(of.values())
        rng.shuffle(groups)
        for group in groups:
            rng.shuffle(group)
        depth = 0
        picked = []
        while len(picked) < arguments.count and any(
                len(group) > depth for group in groups):
            picked += [group[depth] for group in groups if len(group) > depth]
            depth += 1
        chosen += picked[:arguments.count]
    return chosen


def examine(entry):
    """(label, decision, list of (fact, verdict), list of faults)."""
    label, decision = entry
    verdicts, faults = [], []
    if decision.key[0] == "rejection":
        faults = faultsOfRejection(decision)
    for text, place in decision.facts:
        if text.startswith("upstream's error: ") and decision.key[0] == "rejection" \
                and len(decision.facts) > 1:
            continue
        # What is not known of the sources claims nothing that an edit could test.
        if text.endswith(" has other sources") or \
                text.startswith("not known where "):
            verdicts.append((text, "not known"))
            continue
        verdicts.append((text, verdictOrOther(decision, text, place)))
    return label, decision, verdicts, faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lens")
    parser.add_argument("decisions")
    parser.add_argument("generator")
    parser.add_argument("--corpus", default=os.environ.get(
        "MEMREF_LENS_CORPUS", HERE.parents[2] / "shared" / "corpus"))
    parser.add_argument("--seed", type=int)
    parser.add_argument("--count", type=int, default=36 if sample.FULL else 12,
                        help="of each kind")
    parser.add_argument("--size", type=int, default=6000,
                        help="bytes of a file of the corpus, at most")
    parser.add_argument("--random", type=int, default=40)
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--fault", choices=sorted(FAULTS), help="seed it in "
                        "every decision; all of them must be found")
    arguments = parser.parse_args()
    if not Path(arguments.corpus).is_dir():
        print(f"no corpus at {arguments.corpus}")
        return 1 if os.environ.get("CI") == "true" else 77
    if arguments.seed is None:
        isFixed = sample.FULL or arguments.fault
        arguments.seed = 22 if isFixed else sample.seed()
    if sample.LONG:
        arguments.count *= 3
    tools = Tools(arguments.lens, arguments.decisions)
    tools.seedFault = FAULTS.get(arguments.fault)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        programs = list(pool.map(
            lambda s: (s[0], Program(tools, s[1], s[2])),
            (s for s in sources(arguments) if arguments.only in s[0])))
        drawn = choose([(label, decision) for label, program in programs
                        if program.trace for decision in decisionsOf(program)
                        if not arguments.fault or isSeeded(decision)],
                       arguments)
        results = list(pool.map(examine, drawn))
    kinds, verdicts, bad = Counter(), Counter(), 0
    for label, decision, facts, faults in results:
        kinds[decision.key[0]] += 1
        for text, verdict in facts:
            verdicts[verdict] += 1
            if verdict in ("superfluous", "no edit"):
                faults = faults + [f"{verdict}: {text}"]
        if faults or arguments.verbose:
            print(label, *decision.key, *(["ok"] if not faults else []))
            for fault in faults:
                print("   ", fault)
        bad += bool(faults)
    if arguments.fault:
        print(f"{arguments.fault}: {bad} of {len(results)} found")
        return 0 if bad == len(results) > 0 else 1
    print(f"{len(results)} decisions ({dict(kinds)}), facts {dict(verdicts)}, "
          f"{tools.runs} runs, {tools.timeouts} of "
          f"them ended for time, {bad} decisions not held")
    fewest = 100 if sample.FULL else 30
    return 1 if bad or len(results) < fewest else 0


if __name__ == "__main__":
    sys.exit(main())
