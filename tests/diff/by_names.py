"""Compares two traces by the names that the file gives, as a judge of
`memref-lens diff`, which goes by structure. Only for files whose edit renames
nothing, and functions in which every name is used once.
"""

import collections


class Side:
    """One trace: names of its things, decisions of its functions."""

    def __init__(self, trace):
        self.trace = trace
        self.known = {}
        self.dealloc_of = {event["op"]: event for event in trace["events"]
                           if event["kind"] == "dealloc" and "op" in event}
        self.base_of, self.erased = {}, set()
        for event in trace["events"]:
            if event["kind"] == "dealloc":
                self.base_of.update(zip(event.get("bases", []),
                                        event.get("memrefs", [])))
            if event["kind"] == "rewrite":
                self.erased.update(event.get("erased", []))
        self.place = {}
        for function in trace["functions"]:
            for index, block in enumerate(function.get("blocks", [])):
                self.place[block] = ("block", index)

    # --- names ---

    def value(self, number):
        if number is None:
            return None
        if number not in self.known:
            self.known[number] = self._value(self.trace["values"][number])
        return self.known[number]

    def _value(self, value):
        if value["type"] == "i1" and value.get("constant", -1) >= 0:
            return ("constant", value["constant"])
        if not value.get("generated"):
            return value["name"]
        stands = self.value(value.get("standsFor"))
        index = None if stands else value.get("index", 0)
        if "op" not in value:
            return ("argument", self.block(value["block"]), stands, index)
        event = self.dealloc_of.get(value["op"])
        if event:
            return ("kept", stands, self.block(event["block"]),
                    event.get("edge", -1))
        op = self.trace["ops"][value["op"]]
        operands = op.get("operands", [])
        origin = self.op(op.get("origin")) if not stands and not operands \
            else None
        return (op["name"], stands, self.block(op.get("block")), index, origin,
                tuple(self.value(operand) for operand in operands))

    def op(self, number):
        if number is None:
            return None
        op = self.trace["ops"][number]
        if op.get("generated"):
            return ("made", op["name"], self.op(op.get("origin")),
                    self.block(op.get("block")))
        # The pass appends results of its own.
        results = [self.value(result) for result in op.get("results", [])
                   if not self.trace["values"][result].get("generated")]
        if results or "block" not in op:
            return (op["name"], tuple(results))
        return (op["name"], self.block(op["block"]), tuple(
            self.value(operand) for operand in op.get("operands", [])),
            op.get("isTerminator", False))

    def block(self, number):
        if number is None:
            return None
        block = self.trace["blocks"][number]
        if number in self.place:
            return self.place[number]
        parent = self.trace["ops"][block["parentOp"]]
        region = block.get("region", 0)
        index = parent["regions"][region].index(number) if "regions" in parent \
            else 0
        return (self.op(block["parentOp"]), region, index)

    def ownership(self, given):
        return (given.get("state", "uninitialized"),
                self.value(given.get("indicator")))

    def buffer(self, number):
        value = self.trace["values"][number]
        while value.get("generated"):
            op = self.trace["ops"][value["op"]] if "op" in value else {}
            if value["id"] in self.base_of:
                value = self.trace["values"][self.base_of[value["id"]]]
            elif op.get("name") in ("memref.extract_strided_metadata",
                                    "memref.reinterpret_cast",
                                    "memref.cast") and "standsFor" in value:
                value = self.trace["values"][value["standsFor"]]
            else:
                break
        return self.value(value["id"])

    # --- decisions: (kind, about what) -> what was decided, each time ---

    def decisions(self, number):
        function = self.trace["functions"][number]
        found = collections.defaultdict(list)
        found["status", ()].append((
            function.get("status"), function.get("upstreamReadsFreedMemory"),
            function.get("dynamicOwnership")))
        owned = {}
        for event in self.trace["events"]:
            if event.get("function") == number:
                self._add(found, owned, event)
        for (value, block), ownership in owned.items():
            found["ownership", (self.value(value), self.block(block))].append(
                ownership)
        return found

    def _add(self, found, owned, event):
        kind = event["kind"]
        value, block = (self.value(event.get("value")),
                        self.block(event.get("block")))
        if kind == "clone":
            found["clone", (value, block, event.get("demand"))].append((
                event.get("conditional"), self.ownership(event.get(
                    "ownership", {})), event["op"] in self.erased))
        elif kind == "candidate":
            found["candidate", (value, block)].append((
                event.get("source"), event.get("dropped")))
        elif kind == "dealloc":
            found["dealloc", (block, event.get("edge", -1))].append(
                collections.Counter(
                    (self.value(memref), self.value(condition))
                    for memref, condition in zip(event.get("memrefs", []),
                                                 event.get("conditions", []))))
        elif kind == "retain":
            found["retained", (value, block, event.get("edge", -1),
                               self.block(event.get("successor")))].append(
                event.get("reason"))
        elif kind == "ownership":
            owned[event["value"], event["block"]] = self.ownership(
                event.get("after", {}))
        elif kind == "signature":
            found["signature", (value, event.get("part"),
                                self.op(event.get("op")), block,
                                event.get("edge", -1))].append(None)
        elif kind == "rejection":
            found["rejection", (self.op(event.get("op")),
                                event.get("cause"))].append((
                event.get("message"), frozenset(
                    self.op(op) for op in event.get("witnesses", []))))
        elif kind == "lowering":
            self._lowering(found, event, block)

    def _lowering(self, found, event, block):
        freed, compared = iter(event.get("freed", [])), event.get("compared",
                                                                  [])
        checks = 0
        for number in event.get("ops", []):
            op = self.trace["ops"][number]
            value = next(freed, None) if op["name"] == "memref.dealloc" else \
                None
            checks += op["name"] == "arith.cmpi"
            if number in self.erased:
                continue
            if op["name"] == "arith.cmpi" and compared:
                found["runTimeCheck", (
                    block, self.buffer(compared[0]),
                    self.buffer(compared[checks]) if checks < len(compared)
                    else None)].append(None)
            if op["name"] == "func.call":
                found["runTimeCheck", (block, "call", frozenset(
                    collections.Counter(map(self.value, compared)).items()))
                ].append((event.get("memrefCount"),
                          event.get("retainedCount")))
            if op["name"] == "memref.dealloc" and value is not None and \
                    not self.isHelpers(event, value):
                found["free", (self.buffer(value), block)].append(
                    self.isConditional(op))

    def isHelpers(self, event, number):
        value = self.trace["values"][number]
        op = self.trace["ops"][value["op"]] if "op" in value else {}
        return bool(op.get("generated")) and op["name"] == "memref.alloc" and \
            op.get("origin") == event.get("op")

    def isConditional(self, op):
        if "block" not in op:
            return False
        parent = self.trace["blocks"][op["block"]].get("parentOp")
        parent = self.trace["ops"][parent] if parent is not None else {}
        return bool(parent.get("generated")) and parent["name"] == "scf.if" \
            and parent["id"] not in self.erased


def distinct_names(trace):
    """Functions in which every name of a value is used once."""
    names = collections.defaultdict(collections.Counter)
    for value in trace["values"]:
        if not value.get("generated") and "block" in value:
            function = trace["blocks"][value["block"]].get("function")
            names[function][value["name"]] += 1
    return {function["name"] for function in trace["functions"]
            if all(count == 1 for count in names[function["id"]].values())}


def compare(before, after):
    """{function: {kind: {change: number}}}, for functions with distinct names
    that both traces have once."""
    sides = Side(before), Side(after)
    chosen = distinct_names(before) & distinct_names(after)
    result = {}
    for function in before["functions"]:
        name = function["name"]
        others = [other["id"] for other in after["functions"]
                  if other["name"] == name]
        own = [other for other in before["functions"] if other["name"] == name]
        if name not in chosen or len(others) != 1 or len(own) != 1:
            continue
        was, now = (side.decisions(number) for side, number in
                    zip(sides, (function["id"], others[0])))
        counts = collections.defaultdict(collections.Counter)
        for key in set(was) | set(now):
            gone, new = list(was.get(key, [])), list(now.get(key, []))
            for entry in list(gone):
                if entry in new:
                    gone.remove(entry)
                    new.remove(entry)
            both = min(len(gone), len(new))
            counts[key[0]] += collections.Counter(
                changed=both, went=len(gone) - both, appeared=len(new) - both)
        result[name] = {kind: dict(+count) for kind, count in counts.items()
                        if +count}
    return result
