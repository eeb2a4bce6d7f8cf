"""Small edits of MLIR text, by the ranges that a trace gives.

A `Program` is a text with its trace and the decisions of it; its methods make
edited texts. Every edit stays on its line, so that lines can be compared.
"""

import json
import os
import re
import signal
import subprocess
import tempfile


class Tools:
    """The programs under test, and what goes with each run."""

    def __init__(self, lens, decisions):
        self.lens, self.decisions = lens, decisions
        self.runs = self.timeouts = 0
        # Mends a program's rows or events, to see that it is found.
        self.seedFault = None

    def trace(self, text, options):
        """The trace of a text; None if the tool could not read all of it."""
        self.runs += 1
        # Canonicalize does not end on all that we make; nor may a worker be
        # left behind that holds the pipe.
        with subprocess.Popen([self.lens, "trace", *options, "-"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL,
                              start_new_session=True) as done:
            try:
                raw, _ = done.communicate(text, timeout=10)
            except subprocess.TimeoutExpired:
                os.killpg(done.pid, signal.SIGKILL)
                self.timeouts += 1
                return None, b""
        if done.returncode != 0:
            return None, b""
        trace = json.loads(raw)
        parsed = all(chunk.get("parsed", True) for chunk in trace["chunks"])
        return (trace, raw) if parsed else (None, b"")

    def explained(self, traceText):
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            file.write(traceText)
            file.flush()
            done = subprocess.run([self.decisions, file.name], check=True,
                                  capture_output=True, timeout=120)
        return [json.loads(line) for line in done.stdout.splitlines()]


class Program:
    """`text` is bytes, as ranges count them."""

    def __init__(self, tools, text, options, isEdited=False):
        self.tools, self.text, self.options = tools, text, options
        self.trace, raw = tools.trace(text, options)
        self.rows = tools.explained(raw) if self.trace else []
        if self.trace:
            for name in ("ops", "values", "blocks", "functions", "events"):
                setattr(self, name, self.trace[name])
            if tools.seedFault and not isEdited:
                tools.seedFault(self)

    def edited(self, edits):
        """The program with (begin, end, new text) done; inner ones give way."""
        edits = sorted(set(edits))
        out, at = [], 0
        for begin, end, new in edits:
            if begin < at:
                continue
            out += [self.text[at:begin], new.encode()]
            at = end
        out.append(self.text[at:])
        return Program(self.tools, b"".join(out), self.options, True)

    #===--- Looking things up ---===#

    def line(self, range):
        return self.text.count(b"\n", 0, range[0]) + 1 if range else 0

    def originOf(self, op):
        """The user's op that a generated one was made for."""
        op = self.ops[op]
        if op.get("generated") and "origin" in op:
            op = self.ops[op["origin"]]
        return op

    def lineOfOp(self, op):
        return self.line(self.originOf(op).get("nameRange")) \
            if op is not None else 0

    def opAt(self, range):
        """The user's op that bears this name in the text."""
        for op in self.ops:
            if op.get("nameRange") == range and not op.get("generated"):
                return op
        return None

    def valuesAt(self, range):
        return [v for v in self.values if v.get("range") == range]

    def named(self, name, function):
        for value in self.values:
            if value.get("name") == name and \
                    self.functionOfBlock(value.get("block")) == function:
                return value
        return None

    def functionOfBlock(self, block):
        return None if block is None else \
            self.blocks[block].get("function")

    def operandUses(self, op, memrefsOnly=True):
        """(value, range) of the operands that are written in the op's text."""
        begin, end = op["range"]
        for value in self.values:
            if memrefsOnly and not value.get("isMemref") and \
                    value.get("type") != "i1":
                continue
            for use in value.get("uses", []):
                if begin <= use[0] and use[1] <= end:
                    yield value, use

    def beginOf(self, op):
        begins = [op["range"][0]] + [
            self.values[r]["range"][0] for r in op.get("results", [])
            if self.values[r].get("range")]
        return min(begins)

    def functionBegin(self, function):
        return self.functions[function]["range"][0]

    def opsOf(self, function):
        """The user's ops in a function, outer ones first."""
        found = []

        def walk(blocks):
            for block in blocks:
                for op in self.blocks[block].get("ops", []):
                    found.append(self.ops[op])
                    for region in self.ops[op].get("regions", []):
                        walk(region)

        walk(self.functions[function].get("blocks", []))
        return [op for op in found if op.get("range")]

    #===--- New values ---===#

    def define(self, name, type, how, function):
        """Text that defines `name`, and edits that it needs elsewhere; None if
        there is no such value of the type."""
        if how in ("true", "false"):
            return (f"{name} = arith.constant {how} ", []) \
                if type == "i1" else None
        if how == "poison" or how != "call" and not type.startswith("memref<"):
            return f"{name} = ub.poison : {type} ", []
        if how == "call":
            callee = "@lens_" + name.strip("%").replace("#", "_").replace(
                "-", "_").replace(".", "_").replace("$", "_")
            begin = self.functionBegin(function)
            return (f"{name} = func.call {callee}() : () -> {type} ",
                    [(begin, begin, f"func.func private {callee}() -> {type} ")])
        op = {"alloc": "memref.alloc", "alloca": "memref.alloca"}[how]
        shape = re.match(r"memref<((?:[0-9?]+x)*)", type)[1]
        layout = re.search(r"strided<\[([^]]*)\](, offset: \?)?>", type)
        if type.startswith("memref<*") or (", " in type and not layout and
                                           "affine_map" in type):
            return None
        symbols = (layout[1] + (layout[2] or "")).count("?") if layout else 0
        index = name + "_n"
        sizes = ", ".join([index] * shape.count("?"))
        offsets = ", ".join([index] * symbols)
        return (f"{index} = arith.constant 4 : index {name} = {op}({sizes})"
                + (f"[{offsets}]" if offsets else "") + f" : {type} ", [])

    def deletion(self, op, how="poison", function=None):
        """Edits that take an op out; its results become other values."""
        op = self.originOf(op["id"])
        if "range" not in op:
            return None
        begin, end = self.beginOf(op), op["range"][1]
        head = self.text[begin:op["range"][0]].decode(errors="replace")
        plain = ":" not in head
        made, edits = "", []
        for number, result in enumerate(op.get("results", [])):
            value = self.values[result]
            name = "%" + value["name"] if plain else f"%lens{op['id']}_{number}"
            # Of several kinds, only what is a memref can be allocated.
            kind = how if value.get("isMemref") or how == "call" else "poison"
            new = self.define(name, value["type"], kind, function)
            if new is None:
                return None
            made += new[0]
            edits += new[1]
            if not plain:
                edits += [(u[0], u[1], name) for u in value.get("uses", [])]
        lines = "\n" * self.text.count(b"\n", begin, end)
        return [(begin, end, made + lines)] + edits

    def replacedUse(self, value, use, how, function):
        """Edits that put another value in the place of one use."""
        user = min((op for op in self.ops if not op.get("generated") and
                    op.get("range") and op["range"][0] <= use[0] and
                    use[1] <= op["range"][1] and op.get("block") is not None),
                   key=lambda op: op["range"][1] - op["range"][0], default=None)
        if user is None:
            return None
        name = f"%lens{use[0]}"
        new = self.define(name, value["type"], how, function)
        if new is None:
            return None
        begin = self.beginOf(user)
        return [(begin, begin, new[0]), (use[0], use[1], name)] + new[1]

    def replacedEverywhere(self, value, how, function):
        """One new value in the place of all uses of an argument."""
        block = self.blocks[value["block"]]
        first = next((self.ops[op] for op in block.get("ops", [])
                      if self.ops[op].get("range")), None)
        name = f"%lens{value['id']}"
        new = self.define(name, value["type"], how, function)
        if new is None or first is None:
            return None
        begin = self.beginOf(first)
        return [(begin, begin, new[0])] + new[1] + [
            (use[0], use[1], name) for use in value.get("uses", [])]
