#!/usr/bin/env python3
"""Rebuilds every bufferization.dealloc of stage 3 from the events that led to it.

  replay.py MEMREF-LENS [--dynamic] [FILE...]

Without FILE: the samples and the corpus, with and without dynamic ownership. From
the candidate, ownership and retain events alone this works out what each block
frees, under which conditions, and what it retains. The deallocs that the trace
records, and those in the text of stage 3, must be the same."""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] /
                       "support"))
import sample  # noqa: E402
from stages import textAfter  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARGEST_FILE = 200_000
# Fewer deallocs than this, and the test did not look at what it should.
FEWEST_DEALLOCS = {"samples": 100, "corpus": 1500 if sample.FULL else 150}
# The tool's exit status for an input that MLIR does not parse.
INPUT_ERROR = 3
OWNERSHIP_STAGE = 3
# Rules that forget the ownership before; all others join with it.
RESETTING = ("stackAllocation", "manualDeallocation", "mergedAtCondBranch")
UNINITIALIZED, UNKNOWN = "uninitialized", "unknown"


class Mismatch(Exception):
    pass


def require(condition, *message):
    if not condition:
        raise Mismatch(" ".join(str(part) for part in message))


class Replay:
    """State of the ownership pass, kept by reading its events."""

    def __init__(self, trace):
        self.values, self.ops = trace["values"], trace["ops"]
        self.events = [event for event in trace["events"]
                       if event.get("stage", 0) == OWNERSHIP_STAGE]
        self.retains = collections.defaultdict(list)
        for event in self.events:
            if event["kind"] == "retain":
                self.retains[event.get("dealloc", -1)].append(event)
        self.owned = {}
        self.lists = collections.defaultdict(list)
        self.reset_by = set()
        self.sides = {}
        self.live_out = {}
        self.deallocs = []

    def run(self):
        for event in self.events:
            handler = getattr(self, "on_" + event["kind"], None)
            if not handler:
                continue
            try:
                handler(event)
            except Mismatch as mismatch:
                raise Mismatch(f"event {event['id']}: {mismatch}") from None
        return self.deallocs

    @staticmethod
    def check_places(trace):
        """What a rewrite erased in one function is told of that function."""
        ops, blocks = trace["ops"], trace["blocks"]

        def function_of(op):
            block = ops[op].get("block", -1)
            return blocks[block].get("function", -1) if block >= 0 else -1

        for event in trace["events"]:
            if event["kind"] != "rewrite":
                continue
            places = {function_of(op) for op in event.get("erased", [])} - {-1}
            require(places <= {event.get("function", -1)}, "event",
                    event["id"], "of function", event.get("function", -1),
                    "erases ops of", sorted(places))

    # -- Ownership and lists ------------------------------------------------

    def join(self, before, other):
        if before == UNINITIALIZED or before == UNKNOWN:
            return other if before == UNINITIALIZED else before
        if other == UNINITIALIZED or other == before:
            return before
        constants = [] if other == UNKNOWN else [
            self.values[i].get("constant", -1) for i in (before, other)]
        return before if constants in ([0, 0], [1, 1]) else UNKNOWN

    @staticmethod
    def ownership(record):
        state = record.get("state", UNINITIALIZED)
        return record["indicator"] if state == "unique" else state

    def on_ownership(self, event):
        rule = event.get("rule", "allocation")
        after = self.ownership(event.get("after", {}))
        if rule == "selectMaterialized":
            return  # An answer; stored nowhere.
        key = event["value"], event["block"]
        before = self.owned.get(key, UNINITIALIZED)
        if rule in RESETTING:
            before = UNINITIALIZED
        if rule == "retainedResult" and (event["op"], key) not in self.reset_by:
            self.reset_by.add((event["op"], key))
            before = UNINITIALIZED
        if rule == "mergedAtCondBranch":
            self.check_merge(event, after)
        given = self.ownership(event.get("with", {}))
        for source, owned in zip(event.get("inputs", []),
                                 event.get("inputOwnerships", [])):
            # Blocks may have been merged, so the defining one is not looked up.
            held = {UNINITIALIZED} | {state for (value, _), state
                                      in self.owned.items() if value == source}
            require(self.ownership(owned) in held, "input", source,
                    "is not so owned")
        require(before == self.ownership(event.get("before", {})),
                "ownership before should be", before)
        mine = after if rule.startswith("interface") else self.join(before, given)
        require(mine == after, "ownership should be", mine, "but is", after)
        self.owned[key] = mine

    def on_candidate(self, event):
        if event.get("dropped", "notDropped") == "notDropped":
            self.lists[event["block"]].append(event["value"])

    def on_liveness(self, event):
        self.live_out[event["block"]] = event.get("liveOut", [])

    def on_signature(self, event):
        part, block = event.get("part", "blockArgument"), event.get("block", -1)
        if part not in ("branchOperand", "terminatorOperand"):
            return
        dealloc = self.sides[block, max(event.get("edge", -1), 0)
                             if part == "branchOperand" else 0]
        told = [result for value, result in zip(dealloc["retained"],
                                                dealloc["results"])
                if value == event["value"]]
        require(event["indicator"] in told, "hands over", event["indicator"],
                "which is no result for", event["value"])

    # -- Deallocs -----------------------------------------------------------

    def operands(self, value, name):
        op = self.ops[self.values[value].get("op", -1)]
        require(op["name"] == name, "i1", value, "is not made by", name)
        return op["operands"]

    def on_dealloc(self, event):
        block, edge = event["block"], event.get("edge", -1)
        if edge == 1:
            # Both sides free by what was known before the branch.
            memrefs, indicators = self.sides[block, "before"]
        else:
            memrefs = list(self.lists[block])
            indicators = [self.owned.get((memref, block), UNINITIALIZED)
                          for memref in memrefs]
            self.sides[block, "before"] = memrefs, indicators
        conditions = event.get("conditions", [])
        if edge >= 0:
            conditions = [self.check_side(condition, edge, block)
                          for condition in conditions]
        retains = self.retains[event["id"]]
        retained = [retain["value"] for retain in retains]
        require(memrefs == event.get("memrefs", []), "should free", memrefs,
                "but frees", event.get("memrefs", []))
        require(indicators == conditions, "conditions should be", indicators,
                "but are", conditions)
        require(retained == event.get("retained", []), "should retain",
                retained, "but retains", event.get("retained", []))
        self.check_retains(retains, block)
        bases = event.get("bases", [])
        require([self.values[base].get("standsFor", -1) for base in bases] ==
                memrefs, "base buffers", bases, "are not those of", memrefs)
        results = event.get("results", [])
        require(len(results) == len(retained), "one i1 a retained value")
        self.sides[block, max(edge, 0)] = {
            "retained": retained, "results": results}
        self.deallocs.append((event, bases, event.get("conditions", []),
                              retained, results))

    def check_side(self, condition, edge, block):
        """The indicator in `condition`, which is `indicator and (not) taken`."""
        indicator, taken = self.operands(condition, "arith.andi")
        if edge == 1:
            one, taken = self.operands(taken, "arith.xori")
            require(self.values[one].get("constant", -1) == 1, "negation")
        known = self.sides.setdefault((block, "taken"), taken)
        require(known == taken, "conditions of different branches")
        return indicator

    def check_merge(self, event, merged):
        block = event["block"]
        taken, first, second = self.operands(merged, "arith.select")
        known = self.sides.get((block, "taken"), taken)
        require(known == taken, "merged by another condition")
        for edge, result in enumerate((first, second)):
            side = self.sides[block, edge]
            pairs = list(zip(side["retained"], side["results"]))
            require((event["value"], result) in pairs, "side", edge,
                    "of the merge is not of its dealloc")

    def check_retains(self, retains, block):
        """Forwarded values in operand order, then those live across the edge."""
        # The pass's order of live values is no total one, so it is not held to.
        live = [retain["value"] for retain in retains
                if retain.get("reason") == "liveAcrossEdge"]
        forwarded = [retain.get("operandIndex", -1) for retain in retains
                     if retain.get("reason") != "liveAcrossEdge"]
        require(forwarded == sorted(forwarded), "operands out of order")
        require(not live or all(retain.get("reason") == "liveAcrossEdge"
                                for retain in retains[len(forwarded):]),
                "live values before forwarded ones")
        known = self.live_out.get(block, [])
        require(set(live) <= set(known) and len(set(live)) == len(live),
                "live values", live, "are not among those live out", known)


# -- Text ---------------------------------------------------------------------

DEALLOC = re.compile(r"^\s*(?:(%[^=]*) = )?bufferization\.dealloc\b(.*)$")
CONSTANT = re.compile(r"^\s*(%\S+) = (?:arith\.constant |"
                      r"\"arith\.constant\"\(\) <\{value = )(true|false)\b")
# As it is written where the module does not verify.
GENERIC = re.compile(r"^\s*(?:(%[^=]*) = )?\"bufferization\.dealloc\"\(([^)]*)\)"
                     r".*operandSegmentSizes = array<i32: (\d+), (\d+), (\d+)>")


def spelled(name):
    """`%r#1` as it is printed where `%r#0` is gone: `%result_r_1`."""
    return re.sub(r"^%(.+)#(\d+)$", r"%result_\1_\2", name)


def names(pattern, line):
    found = re.search(pattern, line)
    return tuple(spelled(name.strip()) for name in found.group(1).split(",")) \
        if found else ()


def parse_dealloc(line):
    """(memrefs, conditions, retained, results), or None."""
    if match := GENERIC.match(line):
        operands = names(r"^(.+)$", match.group(2))
        memrefs, conditions = int(match.group(3)), int(match.group(4))
        return (operands[:memrefs], operands[memrefs:memrefs + conditions],
                operands[memrefs + conditions:],
                names(r"^(.+)$", match.group(1) or ""))
    if match := DEALLOC.match(line):
        return (names(r"^\s*\((%[^:]*) :", match.group(2)),
                names(r"\bif \(([^)]*)\)", match.group(2)),
                names(r"\bretain \((%[^:]*) :", match.group(2)),
                names(r"^(.+)$", match.group(1) or ""))
    return None


def deallocs_of_text(text):
    constants, found = {}, collections.Counter()
    for line in text.splitlines():
        if constant := CONSTANT.match(line):
            constants[constant.group(1)] = constant.group(2)
        elif dealloc := parse_dealloc(line):
            memrefs, conditions, retained, results = dealloc
            conditions = tuple(constants.get(name, name)
                               for name in conditions)
            found[memrefs, conditions, retained, results] += 1
    return found


def deallocs_of_replay(trace, rebuilt, chunk):
    def name(value):
        return spelled("%" + trace["values"][value]["name"])

    def condition(value):
        constant = trace["values"][value].get("constant", -1)
        return name(value) if constant < 0 else ("false", "true")[constant]

    found = collections.Counter()
    for event, bases, conditions, retained, results in rebuilt:
        function = trace["functions"][event["function"]]
        if event["chunk"] == chunk and \
                function.get("lastGoodStage", 8) >= OWNERSHIP_STAGE:
            found[tuple(map(name, bases)), tuple(map(condition, conditions)),
                  tuple(map(name, retained)), tuple(map(name, results))] += 1
    return found


def check_text(trace, rebuilt):
    compared = 0
    for number, chunk in enumerate(trace["chunks"]):
        stages = chunk.get("stages", [])
        if len(stages) <= OWNERSHIP_STAGE:
            continue
        # Deallocs of the user's own stay, in functions that are refused.
        written = deallocs_of_text(textAfter(stages, OWNERSHIP_STAGE))
        written -= deallocs_of_text(textAfter(stages, OWNERSHIP_STAGE - 1))
        rebuilt_here = deallocs_of_replay(trace, rebuilt, number)
        require(written == rebuilt_here, "the text has",
                dict(written - rebuilt_here), "but the events give",
                dict(rebuilt_here - written))
        compared += sum(written.values())
    return compared


# -- Files --------------------------------------------------------------------

def check_file(tool, path, dynamic):
    """(deallocs rebuilt, of them found in the text, what is wrong or None)."""
    command = [tool, "trace", "--allow-unregistered-dialect", str(path)]
    if dynamic:
        command.append("--private-function-dynamic-ownership")
    try:
        result = subprocess.run(command, capture_output=True, timeout=300)
    except subprocess.TimeoutExpired:
        return 0, 0, "timed out"
    if result.returncode == INPUT_ERROR and not result.stdout:
        return 0, 0, None  # The input has an error; nothing to replay.
    if result.returncode < 0 or not result.stdout:
        return 0, 0, f"no trace: {result.stderr.decode(errors='replace')[:300]}"
    trace = json.loads(result.stdout)
    rebuilt = []
    try:
        Replay.check_places(trace)
        rebuilt = Replay(trace).run()
        return len(rebuilt), check_text(trace, rebuilt), None
    except (Mismatch, KeyError) as wrong:
        return len(rebuilt), 0, f"{type(wrong).__name__}: {wrong}"


def files_by_origin():
    corpus = pathlib.Path(os.environ.get("MEMREF_LENS_CORPUS") or
                          ROOT.parent / "shared" / "corpus")
    found = {"samples": sorted((ROOT / "samples").glob("*.mlir")), "corpus": []}
    for part in ("upstream", "defects", "classic", "real"):
        found["corpus"] += sorted((corpus / part).rglob("*.mlir"))
    found["corpus"] = [path for path in found["corpus"]
                       if path.stat().st_size < LARGEST_FILE]
    found["corpus"] = sample.part(found["corpus"], 4)
    return found


def check_all(tool, origin, files, dynamics):
    jobs = [(path, dynamic) for path in files for dynamic in dynamics]
    failures = rebuilt = compared = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda job: check_file(tool, *job), jobs)
        for (path, dynamic), (count, in_text, wrong) in zip(jobs, answers):
            rebuilt, compared = rebuilt + count, compared + in_text
            if wrong:
                failures += 1
                print(f"error: {path}{' (dynamic)' if dynamic else ''}: {wrong}")
    print(f"{origin}: {len(jobs)} traces, {rebuilt} deallocs rebuilt, "
          f"{compared} of them found in the text, {failures} traces wrong")
    if compared < FEWEST_DEALLOCS.get(origin, 0):
        print(f"error: {origin}: too few deallocs to mean anything")
        failures += 1
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--dynamic", action="store_true")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    if arguments.files:
        return 1 if check_all(arguments.tool, "files", arguments.files,
                              [arguments.dynamic]) else 0
    found = files_by_origin()
    failures = check_all(arguments.tool, "samples", found["samples"],
                         [False, True])
    if found["corpus"]:
        failures += check_all(arguments.tool, "corpus", found["corpus"],
                              [False, True])
    elif os.environ.get("CI") == "true":
        print("error: the corpus is missing")
        failures += 1
    else:
        print("the corpus is not here; only the samples were replayed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
