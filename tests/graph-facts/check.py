#!/usr/bin/env python3
"""Holds pictures to the trace: every chip, edge and label is a recorded fact,
and every recorded fact of its kind has a chip.

  check.py MEMREF_LENS FILE...        exit 1, with a line for each lie
  check.py MEMREF_LENS --corpus       the same of a part of the corpus's defects and
                                      of its real programs, but for the largest
  check.py MEMREF_LENS --faults PATCH TOOL_WITH_FAULTS FILE...
                                      every seeded fault must be noticed

Reads `export --format json` and `trace` and derives anew, from the events
alone, what must be in the picture. Knows nothing of how pictures are made.
"""
import collections
import functools
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] /
                       "support"))
import corpus  # noqa: E402
import sample  # noqa: E402
import seeded  # noqa: E402
from stages import textAfter  # noqa: E402

import placement

AFTER_DEALLOC = {"retainedResult", "mergedAtCondBranch"}
# Okabe and Ito's colours, one for each meaning, in the light theme.
COLOURS = {"allocated": "#009e73", "owned": "#0072b2", "owned-if": "#e69f00",
           "unknown": "#cc79a7", "candidate": "#d55e00", "deallocated": "#d55e00",
           "retained": "#56b4e9", "live": "#9aa5b1", "borrowed": "#9aa5b1",
           "cloned": "#b8a800"}
ALLOCATES = {"allocation", "stackAllocation", "manualDeallocation"}


def run(tool, *words, fault=None):
    environment = dict(os.environ, MEMREF_LENS_FAULT=fault or "")
    result = subprocess.run([tool, *words], capture_output=True, timeout=300,
                            stdin=subprocess.DEVNULL, env=environment)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: exit "
                         f"{result.returncode}: {result.stderr.decode()[:500]}")
    return result.stdout.decode()


class Facts:
    """The trace, as read from JSON; a field left out has its default."""

    def __init__(self, trace):
        self.trace = trace
        self.events = trace.get("events", [])
        self.byFunction = collections.defaultdict(list)
        for number, event in enumerate(self.events):
            event["id"] = number
            self.byFunction[event.get("function", -1)].append(event)

    def blocksOf(self, function):
        """All blocks of a function, nested ones too."""
        found, open_ = [], list(
            self.trace["functions"][function].get("blocks", []))
        while open_:
            block = open_.pop(0)
            found.append(block)
            for op in self.trace["blocks"][block].get("ops", []):
                for region in self.trace["ops"][op].get("regions", []):
                    open_ += region
        return found

    def predecessors(self, block):
        return {one["id"] for one in self.trace["blocks"]
                if block in one.get("successors", [])}

    def constant(self, value):
        return -1 if value < 0 else self.trace["values"][value].get(
            "constant", -1)


class Checker:
    def __init__(self, facts, graph):
        self.facts, self.graph = facts, graph
        self.function = graph["function"]
        self.lies = []
        self.nodes = {node["id"]: node for node in graph["nodes"]}
        self.ofBlock = collections.defaultdict(list)
        for node in graph["nodes"]:
            if node["kind"] == "block":
                self.ofBlock[node["block"]].append(node)
        self.events = collections.defaultdict(list)
        for event in facts.byFunction[self.function]:
            self.events[event.get("block", -1)].append(event)
        # Of a loop that was made anew before the pass: the user's block that
        # each of its blocks begins with.
        self.anew = {block: merged[0] for block, events in self.events.items()
                     if block >= 0 and not facts.trace["blocks"][block].get(
                         "ops") for e in events if e["kind"] == "liveness"
                     and (merged := e.get("merged"))}
        self.blocks = [*self.ofBlock, *self.anew]
        self.seen = {block: events[-1] for block in self.blocks
                     if (events := self.ofKind(block, "liveness"))}
        self.ends = {block: self.endOf(block) for block in self.blocks}
        self.erased = {op for event in facts.byFunction[self.function]
                       for op in event.get("erased", [])}

    #---- Blocks that canonicalize merged before the pass ----#

    def successors(self, block):
        """As the pass saw them."""
        event = self.seen.get(block, {})
        return event.get("successors", []) if event.get("reshaped") else \
            self.facts.trace["blocks"][block].get("successors", [])

    def isGone(self, block):
        return bool(self.seen) and block not in self.seen

    def endOf(self, block):
        """Where a block of the pass ends in the user's text: down the chain of
        blocks that are gone and can be entered from here only."""
        event = self.seen.get(block, {})
        if not event.get("reshaped"):
            return block
        block = self.anew.get(block, block)
        stop = event.get("terminator", -1)
        stop = -1 if stop < 0 else self.facts.trace["ops"][stop].get("block", -1)
        if stop >= 0 and self.leadsOnlyTo(block, stop):
            return stop
        blocks = self.facts.trace["blocks"]
        if stop >= 0 and blocks[stop].get("ops") and (
                len(event.get("successors", [])) != 1 or
                blocks[stop].get("parentOp") != blocks[block].get("parentOp")):
            return stop
        at, merged = block, event.get("merged", [])
        while at != stop:
            after = set(self.facts.trace["blocks"][at].get("successors", []))
            chain = [one for one in after if self.isGone(one)
                     and self.facts.predecessors(one) == {at}
                     and (len(after) == 1 or one in merged)]
            if len(chain) != 1:
                break
            at = chain[0]
        return at

    def leadsOnlyTo(self, block, later):
        """Whether each way to `later` goes through `block`, and then through
        blocks that are gone only."""
        data = self.facts.trace["blocks"]

        def reached(start, without):
            found, open_ = set(), [start]
            while open_:
                one = open_.pop()
                if one != without and one not in found:
                    found.add(one)
                    open_ += data[one].get("successors", [])
            return found

        region = [b for b in self.ofBlock if later in reached(b, None)
                  and b in reached(block, None)] if block != later else []
        entries = [b for b in self.ofBlock
                   if not self.facts.predecessors(b) and b != block]
        return bool(region) and self.isGone(later) and \
            all(self.isGone(b) for b in region if b != block) and \
            not any(later in reached(entry, block) for entry in entries)

    def past(self, block):
        """Where a branch to a block leads that does nothing and is gone."""
        for _ in self.ofBlock:
            after = self.facts.trace["blocks"][block].get("successors", [])
            if not self.isGone(block) or len(set(after)) != 1:
                break
            block = after[0]
        return block

    def usersEdges(self, block, number):
        """The user's edges that became edge `number` of the pass."""
        to = self.successors(block)[number]
        users = self.facts.trace["blocks"][self.ends[block]].get(
            "successors", [])
        same = [i for i, one in enumerate(users) if self.past(one) == to]
        isOpen = [self.isGone(self.past(one)) for one in users]
        if len(users) == len(self.successors(block)) and isOpen[number] and \
                all(is_ or self.past(one) == self.successors(block)[i]
                    for i, (one, is_) in enumerate(zip(users, isOpen))):
            return {number}
        return {number} if number in same and \
            len(users) == len(self.successors(block)) else set(same)

    def checkMerged(self):
        """What is shown as one block is one in the text after stage 2, and what
        goes on into another block shows nothing of an end."""
        for block, end in self.ends.items():
            if block != end and block in self.seen:
                homes = {self.homeOf(name) for one in (block, end)
                         for name in self.namesIn(one)} - {None}
                if len(homes) > 1:
                    self.lie("blocks", block, "and", end, "are shown as one, "
                             "but their values stand in", sorted(homes))
        for block in set(self.ofBlock) - {self.ends[b] for b in self.seen}:
            if not self.seen:
                break
            for kind in ("ownership", "dealloc-list", "deallocated", "cloned",
                         "live-out"):
                if self.rows(block, kind):
                    self.lie("block", block, "does not end for the pass, but "
                             "has a row", kind)

    def namesIn(self, block):
        """Allocations: nothing moves them, and they keep their names."""
        ops = self.facts.trace["ops"]
        return ["%" + self.facts.trace["values"][ops[op]["results"][0]]["name"]
                for op in self.facts.trace["blocks"][block].get("ops", [])
                if ops[op]["name"] == "memref.alloc"]

    def homeOf(self, name):
        """Number of the block of the text after stage 2 that defines it."""
        text = self.textAfter(2)
        leave = re.search(r"(?m)^( +)  (func\.)?return\b", text)
        if not leave:
            return None
        # Labels of nested blocks stand deeper.
        blocks = re.split(rf"(?m)^{leave[1]}(?=\^)", text)
        found = [i for i, one in enumerate(blocks) if f"{name} = " in one]
        return found[0] if len(found) == 1 else None

    def lie(self, *words):
        self.lies.append(
            f"{self.graph['title']}: " + " ".join(map(str, words)))

    def rows(self, block, kind):
        return [chip for node in self.ofBlock[block]
                for row in node.get("rows", []) if row["kind"] == kind
                for chip in row["chips"]]

    def same(self, what, block, got, wanted):
        if got != wanted:
            self.lie(what, "of block", block, "is", got, "not", wanted)

    def check(self):
        self.checkMerged()
        for block in self.blocks:
            self.checkLiveness(block)
            self.checkOwnership(block)
            self.checkLists(block)
            self.checkCopies(block)
            self.checkArguments(block)
        for block in self.ofBlock:
            self.checkAllocations(block)
            self.checkEdges(block)
            self.checkReach(block)
        self.checkRetained()
        self.checkIndicators()
        self.checkFrees()
        self.checkBoundary()
        self.checkRejections()
        self.checkRepeats()
        return self.lies

    def ofKind(self, block, kind):
        return [e for e in self.events[block] if e["kind"] == kind]

    def checkLiveness(self, block):
        liveness = self.ofKind(block, "liveness")
        last = liveness[-1] if liveness else {}
        for row, field in (("live-in", "liveIn"), ("live-out", "liveOut")):
            at = self.anew.get(block, block) if row == "live-in" \
                else self.ends[block]
            if block in self.seen:
                self.same(row, block, [c["value"] for c in self.rows(at, row)],
                          last.get(field, []))

    def isOfProgram(self, op):
        """The user's, or made in the place of one of the same name."""
        if not op.get("generated"):
            return True
        old = self.facts.trace["ops"][op["origin"]] if "origin" in op else {}
        return old.get("name") == op["name"] and not old.get("generated") \
            and old.get("block") == op.get("block")

    def checkAllocations(self, block):
        ops = self.facts.trace["ops"]
        made = {e["value"] for e in self.facts.byFunction[self.function]
                if e["kind"] == "ownership"
                and e.get("rule", "allocation") in ALLOCATES
                and ops[e["op"]].get("block", -1) == block
                and self.isOfProgram(ops[e["op"]])}
        shown = {c["value"] for c in self.rows(block, "allocated")}
        self.same("allocations", block, shown, made)

    def checkOwnership(self, block):
        last = {}
        for event in self.ofKind(block, "ownership"):
            if event.get("rule", "allocation") not in AFTER_DEALLOC:
                last[event["value"]] = event
        if self.seen and block not in self.seen:
            return
        shown = {c["value"]: c
                 for c in self.rows(self.ends[block], "ownership")}
        wanted = {value for value, event in last.items()
                  if event.get("after", {}).get("state", "uninitialized")
                  != "uninitialized"}
        self.same("ownership", block, set(shown), wanted)
        for value in wanted & set(shown):
            after = last[value]["after"]
            constant = self.facts.constant(after.get("indicator", -1))
            may = {"unknown"} if after["state"] == "unknown" else \
                {"owned"} if constant == 1 else \
                {"borrowed"} if constant == 0 else \
                {"owned-if", "owned", "borrowed"}
            if shown[value]["meaning"] not in may:
                self.lie("value", value, "of block", block, "is shown",
                         shown[value]["meaning"], "but is", may)
            if shown[value].get("event") != last[value]["id"]:
                self.lie("value", value, "of block", block, "is explained by",
                         shown[value].get("event"))
            if after["state"] == "unique" and constant < 0 and \
                    self.isOpenInTheEnd(after.get("indicator", -1)) and \
                    shown[value]["meaning"] != "owned-if":
                self.lie("value", value, "of block", block,
                         "is owned on one edge and not on another, but is "
                         "shown as", shown[value]["meaning"])

    def isOpenInTheEnd(self, indicator):
        """Whether the i1 is a block argument that gets true on one edge and
        false on another in the program after the last stage."""
        return {"true", "false"} <= self.cameIn(indicator)

    def cameIn(self, indicator):
        """What the branches of the last stage's program hand to an i1 that is a
        block argument: "true", "false", or "" for what is no constant."""
        if indicator < 0:
            return set()
        name = self.facts.trace["values"][indicator].get("name", "")
        text = self.finalText()
        label = re.search(r"(\^bb\d+)\(([^)]*%" + re.escape(name) +
                          r": i1[^)]*)\):", text) if name else None
        if not label:
            return set()
        names = re.findall(r"(%[\w.$-]+): ", label[2])
        at = names.index("%" + name)
        came = set()
        for branch in re.finditer(re.escape(label[1]) + r"\(([^:)]*) : ", text):
            operands = [word.strip() for word in branch[1].split(",")]
            if at < len(operands):
                came.add(re.match(r"%(true|false|)", operands[at])[1])
        return came

    def finalText(self):
        return self.textAfter(8)

    def textAfter(self, number):
        """The function's; empty if it cannot be told."""
        data = self.facts.trace["functions"][self.function]
        stages = self.facts.trace["chunks"][data["chunk"]]["stages"]
        text = textAfter(stages, number)
        parts = re.split(r"(?m)^\s*(?=func\.func )", text)
        mine = [part for part in parts
                if re.match(r"func\.func [^@]*@" + re.escape(
                    data.get("name", "")) + r"\(", part)]
        return mine[0] if len(mine) == 1 else ""

    def checkLists(self, block):
        if self.seen and block not in self.seen:
            return
        shown = self.rows(self.ends[block], "dealloc-list")
        for event in self.ofKind(block, "dealloc"):
            memrefs = event.get("memrefs", [])
            for memref, condition in zip(memrefs, event.get("conditions", [])):
                chips = [c for c in shown if c.get("value") == memref]
                if not chips:
                    self.lie("memref", memref, "of dealloc", event["id"],
                             "has no chip")
                never = self.facts.constant(condition) == 0
                for chip in chips:
                    if chip.get("event") == event["id"] and never and \
                            not chip.get("never"):
                        self.lie("memref", memref, "of dealloc", event["id"],
                                 "is never freed by it, but not shown so")
        listed = {m for e in self.ofKind(block, "dealloc")
                  for m in e.get("memrefs", [])}
        for chip in shown:
            if chip.get("value", -1) >= 0 and chip["value"] not in listed:
                self.lie("chip", chip["text"], "of no dealloc")

    def checkCopies(self, block):
        if self.seen and block not in self.seen:
            return
        self.same("clones", block,
                  sorted(c["event"]
                         for c in self.rows(self.ends[block], "cloned")),
                  sorted(e["id"] for e in self.ofKind(block, "clone")))

    def checkArguments(self, block):
        wanted = [e["id"] for e in self.ofKind(block, "signature")
                  if e.get("part", "blockArgument") == "blockArgument"]
        if block in self.anew.values():
            return
        got = [c["event"]
               for c in self.rows(self.anew.get(block, block), "arguments")
               if c["meaning"] == "indicator"]
        self.same("i1 arguments", block, got, wanted)

    def edgesFrom(self, block):
        last = self.ofBlock[block][-1]["id"]
        return [e for e in self.graph["edges"] if e["from"] == last]

    def checkEdges(self, block):
        data = self.facts.trace["blocks"][block]
        successors = data.get("successors", [])
        if not successors:
            return
        edges = self.edgesFrom(block)
        self.same("edges", block,
                  [self.nodes[e["to"]].get("block") for e in edges],
                  successors)
        order = {id_: i for i, id_ in enumerate(self.nodes)}
        for edge in edges:
            isBack = order[edge["to"]] <= order[self.ofBlock[block][0]["id"]]
            if isBack != (edge["kind"] == "back"):
                self.lie("edge", edge["id"], "is", edge["kind"])
        last = self.facts.trace["ops"][data["ops"][-1]]
        if last["name"] == "cf.cond_br":
            self.same("labels", block, [e.get("label") for e in edges],
                      ["true", "false"][:len(edges)])

    def checkReach(self, block):
        for node in self.ofBlock[block]:
            reachable = self.facts.trace["blocks"][block].get("reachable", True)
            if reachable == bool(node.get("unreachable")):
                self.lie("block", block, "is shown as reachable or not, wrongly")

    def drawnEvents(self, meaning):
        found = collections.defaultdict(list)
        for edge in self.graph["edges"]:
            for chip in edge["chips"]:
                if chip["meaning"] == meaning:
                    found[chip["event"]].append(edge)
        return found

    def checkRetained(self):
        drawn = self.drawnEvents("retained")
        for block in self.blocks:
            successors = self.successors(block)
            for event in self.ofKind(block, "retain"):
                if event.get("reason") == "returned":
                    continue
                edges = drawn.get(event["id"], [])
                if not edges:
                    self.lie("retain", event["id"], "is on no edge")
                mine = self.edgesFrom(self.ends[block])
                for edge in edges:
                    number = event.get("edge", -1)
                    if edge not in mine or number >= 0 and successors and \
                            mine.index(edge) not in \
                            self.usersEdges(block, number):
                        self.lie("retain", event["id"], "is on edge",
                                 edge["id"], "not number", number)

    def checkIndicators(self):
        drawn = self.drawnEvents("indicator")
        for block in self.blocks:
            for event in self.ofKind(block, "signature"):
                if event.get("part") in ("branchOperand", "terminatorOperand") \
                        and self.edgesFrom(self.ends[block]) \
                        and self.isInside(block, event) \
                        and event["id"] not in drawn:
                    self.lie("i1", event["id"], "is on no edge")

    def isInside(self, block, event):
        """Not at a return, which has no edge to show it on."""
        body = self.facts.trace["functions"][self.function].get("blocks", [])
        return event.get("part") == "branchOperand" or block not in body

    def checkFrees(self):
        """Each free is in the block of a dealloc that lists the buffer."""
        for block in self.ofBlock:
            for chip in self.rows(block, "deallocated"):
                lowering = self.facts.events[chip["event"]]
                if lowering["kind"] != "lowering":
                    self.lie("chip", chip["text"], "is no lowering")
                    continue
                number = lowering.get("dealloc", -1)
                made = [e for e in self.facts.byFunction[self.function]
                        if e["kind"] == "dealloc"
                        and e.get("dealloc", -1) == number]
                places = {self.ends[e["block"]] for e in made}
                if places and block not in places:
                    self.lie("free", chip["text"], "is in block", block,
                             "not in", places)
                if chip["value"] not in self.freedInTheEnd(lowering):
                    self.lie("free", chip["text"], "is in no code")
        shown = {chip["event"] for block in self.ofBlock
                 for chip in self.rows(block, "deallocated")}
        if self.graph["subtitle"].find("rejected") >= 0:
            return
        for event in self.facts.byFunction[self.function]:
            names = [v for v in event.get("freed", []) if v >= 0]
            if event["kind"] == "lowering" and names and \
                    event["id"] not in shown and \
                    self.freedInTheEnd(event) and \
                    not self.isNeverOwned(event):
                self.lie("lowering", event["id"], "frees, but has no chip")
            if event["kind"] != "lowering" or self.isNeverOwned(event):
                continue
            chips = {chip["value"] for block in self.ofBlock
                     for chip in self.rows(block, "deallocated")
                     if chip["event"] == event["id"]}
            listed = {memref for e in self.deallocsOf(event)
                      for memref, condition in zip(e["memrefs"],
                                                   e["conditions"])
                      if not self.isNeverTrue(condition) and
                      not self.isItsOwnRetained(e, memref)}
            for value in (self.freedInTheEnd(event) & listed) - chips:
                self.lie("value", value, "is freed by", event["id"],
                         "but has no chip")

    def freedInTheEnd(self, lowering):
        """What the code frees that it made and that is still there."""
        deallocs = [op for op in lowering.get("ops", [])
                    if self.facts.trace["ops"][op]["name"] == "memref.dealloc"]
        there = {value for op, value in zip(deallocs, lowering.get("freed", []))
                 if op not in self.erased}
        return there | {memref for e in self.deallocsOf(lowering)
                        for memref, base in zip(e["memrefs"], e["bases"])
                        if base in there}

    def isNeverOwned(self, lowering):
        """Whether each i1 of the dealloc is false, as constant or on each edge
        that brings it."""
        return any(condition >= 0 for e in self.deallocsOf(lowering)
                   for condition in e.get("conditions", [])) and all(
            self.isNeverTrue(condition)
            for e in self.deallocsOf(lowering)
            for memref, condition in zip(e["bases"], e["conditions"])
            if memref in lowering["freed"]) or all(
            base not in lowering["freed"] or self.isItsOwnRetained(e, memref)
            for e in self.deallocsOf(lowering)
            for memref, base in zip(e["memrefs"], e["bases"]))

    def isItsOwnRetained(self, dealloc, memref):
        """Whether the dealloc retains what it lists, or what takes its place
        where it is owned and is a copy elsewhere."""
        return any(retained == memref or any(
            event["kind"] == "clone" and event.get("conditional") and
            event["result"] == retained and event["value"] == memref
            for event in self.facts.byFunction[self.function])
            for retained in dealloc.get("retained", []))

    def isNeverTrue(self, indicator):
        return self.facts.constant(indicator) == 0 or \
            self.cameIn(indicator) == {"false"} or \
            indicator in self.neverTrue()

    @functools.cache
    def neverTrue(self):
        """i1s that are false on every path, loops included: what is left of all
        if each goes to which anything else may flow. Of an op with regions: from
        its operands and from every region of its."""
        sources = {}
        passed = collections.defaultdict(list)
        signatures = [e for e in self.facts.byFunction[self.function]
                      if e["kind"] == "signature"]
        blocks, ops = self.facts.trace["blocks"], self.facts.trace["ops"]

        def placeOf(event, part):
            return ("op", event.get("op", -1)) if part.startswith("regionOp") \
                else ("block", event.get("block", -1))

        for event in signatures:
            part = event.get("part", "blockArgument")
            passed[(part, *placeOf(event, part))].append(event["indicator"])
        for event in signatures:
            part = event.get("part", "blockArgument")
            if part not in ("blockArgument", "regionOpResult"):
                continue
            place = placeOf(event, part)
            op = place[1] if part == "regionOpResult" else \
                blocks[place[1]].get("parentOp", -1)
            isNested = op >= 0 and not ops[op]["name"].endswith(".func") and (
                part == "regionOpResult" or
                blocks[place[1]].get("isEntry", False))
            if not isNested:
                continue
            rank = passed[(part, *place)].index(event["indicator"])
            # Its first two regions are entered from outside only.
            isEntered = ops[op]["name"] == "sample.region_if" and \
                part == "blockArgument" and \
                blocks[place[1]].get("region", 0) < 2
            lists = [passed[("regionOpOperand", "op", op)]]
            lists += [] if isEntered else [
                passed[("terminatorOperand", "block", block["id"])]
                for block in blocks if block.get("parentOp", -1) == op]
            found = [one[rank] for one in lists if len(one) > rank]
            if len(found) == len([one for one in lists if one]):
                sources[event["indicator"]] = found
        for event in self.facts.byFunction[self.function]:
            if event["kind"] == "dealloc":
                for result in event.get("results", []):
                    sources[result] = event.get("conditions", [])
        left, size = set(sources), -1
        while size != len(left):
            size = len(left)
            left = {one for one in left if all(
                other in left or self.facts.constant(other) == 0
                for other in sources[one])}
        return left

    def deallocsOf(self, lowering):
        return [e for e in self.facts.byFunction[self.function]
                if e["kind"] == "dealloc"
                and e.get("dealloc", 0) == lowering.get("dealloc", 0)]

    def checkBoundary(self):
        for node in self.graph["nodes"]:
            if node["kind"] != "entry":
                continue
            blocks = self.facts.trace["functions"][self.function].get("blocks")
            if not blocks:
                return
            arguments = self.facts.trace["blocks"][blocks[0]].get(
                "arguments", [])
            wanted = [a for a in arguments
                      if self.facts.trace["values"][a].get("isMemref")]
            got = [c["value"] for row in node.get("rows", [])
                   for c in row["chips"]]
            self.same("borrowed arguments", blocks[0], got, wanted)
        wanted = sorted(e["id"] for e in self.facts.byFunction[self.function]
                        if e["kind"] == "retain"
                        and e.get("reason") == "returned"
                        and self.ends.get(e["block"]) in self.ofBlock)
        got = sorted(c["event"] for node in self.graph["nodes"]
                     if node["kind"] == "result"
                     for row in node.get("rows", []) for c in row["chips"])
        self.same("results", "return", got, wanted)

    def checkRejections(self):
        ops = {e["op"] for e in self.facts.byFunction[self.function]
               if e["kind"] == "rejection" and e.get("op", -1) >= 0
               and not self.facts.trace["ops"][e["op"]].get("generated")}
        marked = {o.get("op") for node in self.graph["nodes"]
                  for o in node.get("ops", []) if o.get("meaning") == "rejected"}
        marked |= {c.get("op") for c in self.graph["clusters"]
                   if c["title"].startswith("! ")}
        function = self.facts.trace["functions"][self.function].get("op", -1)
        missing = ops - marked - {function}
        if missing:
            self.lie("rejected ops", missing, "are not marked")

    def checkRepeats(self):
        """A loop's cluster has an edge to its next round."""
        for cluster in self.graph["clusters"]:
            name = self.facts.trace["ops"][cluster["op"]]["name"]
            if name not in ("scf.for", "scf.while", "scf.parallel"):
                continue
            numbers = {i for i, c in enumerate(self.graph["clusters"])
                       if c is cluster}
            inside = {n["id"] for n in self.graph["nodes"]
                      if n.get("cluster") in numbers}
            if inside and not any(
                    e["kind"] == "repeat" and e["to"] in inside
                    for e in self.graph["edges"]):
                self.lie("loop", cluster["title"], "has no next round")


def checkFile(tool, path, fault=None):
    try:
        facts = Facts(json.loads(run(tool, "trace", path, fault=fault)))
    except SystemExit:
        return 0, 0, []  # No trace of a file that does not parse.
    if not any(f.get("status", "traced") not in ("declaration", "skipped")
               for f in facts.trace.get("functions", [])):
        return 0, 0, []
    graphs = json.loads(
        run(tool, "export", path, "--format", "json", fault=fault))["graphs"]
    lies = []
    for graph in graphs:
        lies += Checker(facts, graph).check()
    lies += checkPlacement(tool, path, fault)
    lies += checkStages(tool, path, graphs, fault)
    lies += checkColours(tool, path, graphs, fault)
    chips = sum(len(row["chips"]) for g in graphs for n in g["nodes"]
                for row in n.get("rows", []))
    chips += sum(len(e["chips"]) for g in graphs for e in g["edges"])
    return len(graphs), chips, lies


def checkPlacement(tool, path, fault=None):
    """A sample with --pipeline, under that pipeline too."""
    options = placement.optionsOf(path)
    if not options:
        return []
    facts = Facts(json.loads(run(tool, "trace", *options, path, fault=fault)))
    graphs = json.loads(run(tool, "export", *options, path, "--format", "json",
                            fault=fault))["graphs"]
    lies = []
    for graph in graphs:
        lies += placement.PlacementChecker(facts, graph).check()
    return lies


def checkColours(tool, path, graphs, fault):
    """The frame of every chip has the colour of its meaning."""
    lies = []
    for graph in graphs[:3]:
        dot = run(tool, "export", path, "--format", "dot", "--function",
                  graph["title"][1:], fault=fault)
        cells = re.findall(r'ID="c\.([a-z-]+)\.[^"]*"[^>]*? COLOR="([^"]+)"', dot)
        shown = sum(len(row["chips"]) for node in graph["nodes"]
                    for row in node.get("rows", []))
        if shown and not cells:
            lies.append(f"{graph['title']}: no chip in the DOT")
        lies += [f"{graph['title']}: a chip of {meaning} is {colour}"
                 for meaning, colour in cells
                 if COLOURS.get(meaning, colour) != colour]
    return lies


def checkStages(tool, path, graphs, fault):
    """Two stages side by side: marks equal difflib's, frees are accented."""
    if pathlib.Path(path).stat().st_size > 200_000:
        return []
    text = run(tool, "export", path, "--format", "json", "--stage", "0..final",
               fault=fault)
    lies = []
    for graph in json.loads(text)["graphs"]:
        left = {c["id"]: i for i, c in enumerate(graph["clusters"])}
        if "before" not in left:
            lies.append(f"{graph['title']}: no side by side")
            continue
        sides = {"-": [], "+": []}
        for node in graph["nodes"]:
            for op in node.get("ops", []):
                if "mark" in op:
                    sides[op["mark"]].append(op["text"])
                isFree = op["text"].startswith("memref.dealloc")
                if isFree != (op.get("meaning") == "deallocated") and \
                        "@dealloc_helper" not in op["text"]:
                    lies.append(f"{graph['title']}: {op['text']} is shown as "
                                f"{op.get('meaning')}")
        changed = re.match(r"(\d+) lines? gone, (\d+) lines? new",
                           graph["subtitle"])
        folded = any(op["text"].startswith("… ") for n in graph["nodes"]
                     for op in n.get("ops", []))
        clustersMarked = [c for c in graph["clusters"]
                          if c["title"].startswith(("+ ", "- "))]
        if changed and int(changed[1]) + int(changed[2]) > 0 and not folded \
                and not sides["-"] and not sides["+"] and not clustersMarked \
                and int(changed[2]) > 4:
            lies.append(f"{graph['title']}: {changed[0]}, but none marked")
    return lies


# The file in which a fault shows: tried first, before any other. Those that are not
# here show in the last one.
SHOWN_BY = {
    "hoisted": ["aliasMissing", "classicAllocationMissing", "classicFreeMissing",
                "escapeMissing", "hoistedMissing", "repeatMissing",
                "returnMissing"],
    "unreachable": ["backEdgeUnmarked", "unreachableUnmarked"],
    "classic-nested": ["classicCopyMissing", "copyPassedMissing",
                       "criticalMissing"],
    "call-private": ["cloneMissing"],
    "worked-example": ["neverMissed"],
    "reject-forwarded-argument": ["rejectionUnmarked"],
    "diamond-chain": [],
}


def noticed(broken, fault, files):
    """The first lie that the fault makes, or None."""
    shown = next((file for file, faults in SHOWN_BY.items() if fault in faults),
                 list(SHOWN_BY)[-1])
    for path in sorted(files, key=lambda path: pathlib.Path(path).stem != shown):
        _, _, lies = checkFile(broken, path, fault=fault)
        if lies:
            return lies[0]
    return None


def checkFaults(tool, patch, broken, files):
    failed = 0
    names = seeded.namesIn(patch)
    if len(names) < 20:
        raise SystemExit(f"only {len(names)} faults are seeded")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, lie in zip(names, pool.map(
                lambda name: noticed(broken, name, files), names)):
            print(f"{name}: {lie or 'NOT NOTICED'}")
            failed += lie is None
    print(f"{len(names)} faults, {failed} not noticed")
    return failed


def corpusFiles():
    """Small enough to be checked within minutes."""
    folder = corpus.corpus()
    most = 10 ** 7 if sample.LONG else 24000
    return sample.part([path for part in ("defects", "real")
                        for path in sorted((folder / part).glob("*.mlir"))
                        if path.stat().st_size < most], 6)


def main(arguments):
    tool = arguments[0]
    if arguments[1] == "--faults":
        return 1 if checkFaults(tool, arguments[2], arguments[3],
                                arguments[4:]) else 0
    functions = chips = 0
    lies = []
    files = corpusFiles() if arguments[1:] == ["--corpus"] else arguments[1:]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda path: checkFile(tool, path), files))
    for path, result in zip(files, results):
        functions += result[0]
        chips += result[1]
        lies += [f"{path}: {lie}" for lie in result[2]]
    for lie in lies[:40]:
        print(lie)
    print(f"{functions} functions, {chips} chips, {len(lies)} lies")
    return 1 if lies or functions == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
