"""Reads a trace (docs/trace.schema.json) and names its values and blocks by the
place of their definition, as Logger.cpp names upstream's."""

import bisect
import json


class Trace:

    def __init__(self, text):
        data = json.loads(text)
        self.data = data
        for kind in ("chunks", "functions", "blocks", "ops", "values", "events"):
            setattr(self, kind, data.get(kind, []))
        source = data["source"].get("text", "")
        self.bytes = source.encode()
        self.line_starts = [0] + [
            i + 1 for i, byte in enumerate(self.bytes) if byte == 0x0A]
        self.ordinals = self._count_equal_ops()
        self.block_numbers = {}
        for function in self.functions:
            for number, block in enumerate(function.get("blocks", [])):
                self.block_numbers[block] = number
        for op in self.ops:
            for region in op.get("regions", []):
                for number, block in enumerate(region):
                    self.block_numbers[block] = number

    def position(self, offset):
        """1-based line and column, in bytes."""
        line = bisect.bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def _at(self, range):
        begin, end = range
        return "?" if begin == end else "{}:{}".format(*self.position(begin))

    def _place(self, op):
        """`line:column` of the op, or of the op or argument it was made for."""
        while op.get("generated") and op.get("origin", -1) >= 0:
            op = self.ops[op["origin"]]
        if not op.get("generated"):
            return self._at(op.get("nameRange", [0, 0]))
        for result in op.get("results", []):
            stands = self.values[result].get("standsFor", -1)
            if stands >= 0 and self.values[stands].get("op", -1) < 0:
                return self._at(self.values[stands].get("range", [0, 0]))
        return "?"

    def _count_equal_ops(self):
        """Number of earlier ops of the same block, place and name."""
        seen, ordinals = {}, {}
        for op in self.ops:
            key = (op.get("block", -1), self._place(op), op["name"])
            ordinals[op["id"]] = seen.get(key, 0)
            seen[key] = ordinals[op["id"]] + 1
        return ordinals

    def op(self, number):
        op = self.ops[number]
        text = f"{self._place(op)}:{op['name']}"
        earlier = self.ordinals.get(number, 0)
        return f"{text}.{earlier}" if earlier else text

    def block(self, number):
        block = self.blocks[number]
        parent = block.get("parentOp", -1)
        if parent < 0:
            parent = self.functions[block["function"]]["op"]
        return (f"{self.op(parent)}/{block.get('region', 0)}."
                f"{self.block_numbers.get(number, 0)}")

    def value(self, number):
        value = self.values[number]
        if value.get("op", -1) < 0:
            return f"{self.block(value['block'])}/arg{value.get('index', 0)}"
        return f"{self.op(value['op'])}#{value.get('index', 0)}"

    def ownership(self, ownership):
        """The state, or the indicator where it is unique."""
        state = ownership.get("state", "uninitialized")
        if state != "unique":
            return state
        indicator = self.values[ownership["indicator"]]
        constant = indicator.get("constant", -1)
        if constant >= 0:
            return "true" if constant else "false"
        return self.value(indicator["id"])
