"""Runs functions of a program that mlir-opt printed in its generic form, and says
how many bytes of heap were live at once: what `memref-lens` calls the peak, found
out in another way, one run after the other.

  heap = Program(text).run("f", random.Random(1))   # Heap(peak=61, isExact=True)

Conditions, numbers and sizes that the program gets from outside are drawn.
"""

import dataclasses
import re

from count_ir import bytes_of, split_types, types_behind_arrow

OP = re.compile(r'^\s*(?:(%[^=]*?) = )?"([\w.]+)"\(([^)]*)\)'
                r'(?:\[([^\]]*)\])?(.*)$')
VIEWS = {"memref.cast", "memref.subview", "memref.reinterpret_cast",
         "memref.collapse_shape", "memref.expand_shape", "memref.view",
         "memref.transpose", "memref.memory_space_cast",
         "memref.assume_alignment"}
PURE = ("arith.", "math.", "index.", "vector.", "complex.")
#: Ops that read and write, and keep nothing.
PLAIN = {"memref.copy", "linalg.fill", "linalg.matmul", "linalg.generic",
         "linalg.copy", "linalg.transpose", "linalg.map", "linalg.add",
         "memref.prefetch", "vector.print", "cf.assert"}
COMPARE = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
MOST_STEPS = 20000


class Unknown(Exception):
    """What this interpreter has no word for."""


@dataclasses.dataclass
class Op:
    names: list
    kind: str
    operands: list
    successors: list
    rest: str
    regions: list = dataclasses.field(default_factory=list)
    types: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Heap:
    peak: int = 0
    #: Every size and every callee was known.
    isExact: bool = True


class Memory:
    def __init__(self, bytes):
        self.bytes, self.cells, self.shape = bytes, {}, []


def block_of(line):
    arguments = re.findall(r"(%[\w#]+): ", line)
    return {"label": re.match(r"\s*(\^\w+)", line)[1],
            "arguments": arguments, "ops": []}


class Program:
    def __init__(self, text):
        self.functions = {}
        lines = iter(text.splitlines())
        for line in lines:
            self.top(line, lines)

    def top(self, line, lines):
        found = OP.match(line)
        if not found:
            return
        op = self.op(found, line, lines)
        pending = [op]
        while pending:
            one = pending.pop()
            if one.kind == "func.func":
                name = re.search(r'sym_name = "([^"]*)"', one.rest)[1]
                self.functions.setdefault(name, one)
            else:
                pending += [inner for region in one.regions
                            for block in region for inner in block["ops"]]

    def op(self, found, line, lines):
        names, kind, operands, successors, rest = found.groups()
        op = Op([name.strip() for name in (names or "").split(",") if name.strip()],
                kind, [one.strip() for one in operands.split(",") if one.strip()],
                re.findall(r"\^\w+", successors or ""), rest)
        if line.rstrip().endswith("({"):
            self.regions(op, lines)
        op.types = types_behind_arrow(op.rest)
        return op

    def regions(self, op, lines):
        region = [{"label": "", "arguments": [], "ops": []}]
        for line in lines:
            text = line.strip()
            if text.startswith("}, {"):
                op.regions.append(region)
                region = [{"label": "", "arguments": [], "ops": []}]
            elif text.startswith("})"):
                op.regions.append(region)
                op.rest += text[2:]
                op.regions = [[block for block in one if block["ops"] or
                               block["label"]] for one in op.regions]
                return
            elif text.startswith("^"):
                region.append(block_of(text))
            elif found := OP.match(line):
                region[-1]["ops"].append(self.op(found, line, lines))

    def run(self, name, chance):
        return Run(self, chance).function(name)


class Run:
    """One run, its draws made by `chance`."""

    def __init__(self, program, chance):
        self.program, self.chance = program, chance
        self.heap, self.live, self.steps, self.depth = Heap(), 0, 0, 0

    def function(self, name):
        function = self.program.functions[name]
        types = split_types(re.search(r"function_type = \((.*?)\) ->",
                                      function.rest)[1])
        self.call(function, [self.drawn(one) for one in types])
        return self.heap

    def drawn(self, type):
        if type.startswith("memref"):
            return Memory(None)
        return self.chance.random() < 0.5 if type == "i1" \
            else self.chance.choice((0, 1, 2, 3, 5, 7))

    def call(self, function, arguments):
        self.depth += 1
        if self.depth > 30:
            raise Unknown("recursion")
        scope = {}
        result = self.region(function.regions[0], arguments, scope)
        self.depth -= 1
        return result[1]

    def region(self, region, arguments, scope):
        """Kind and operands of the terminator that leaves it."""
        block, values = region[0], arguments
        while True:
            scope.update(zip(block["arguments"], values))
            for op in block["ops"][:-1]:
                self.step(op, scope)
            last = block["ops"][-1]
            if not last.successors:
                return last, [scope[name] for name in last.operands]
            label, values = self.branch(last, scope)
            block = next(one for one in region if one["label"] == label)

    def branch(self, op, scope):
        self.count()
        values = [self.get(scope, name) for name in op.operands]
        if op.kind == "cf.br":
            return op.successors[0], values
        if op.kind == "cf.cond_br":
            sizes = [int(one) for one in re.search(
                r"operandSegmentSizes = array<i32: ([\d, ]+)>",
                op.rest)[1].split(",")]
            split = 1 + sizes[1]
            return (op.successors[0], values[1:split]) if values[0] else (
                op.successors[1], values[split:])
        raise Unknown(op.kind)

    def count(self):
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Unknown("too long")

    def get(self, scope, name):
        return scope[name]

    def allocate(self, type, sizes=()):
        bytes = bytes_of(type)
        shape = re.match(r"memref<((?:[\d?]+x)*)(.*)>", type)
        memory = Memory(0)
        sizes = list(sizes)
        if shape:
            dims = [one for one in shape[1].split("x") if one]
            memory.shape = [int(one) if one != "?" else
                            (sizes.pop(0) if sizes else None) for one in dims]
            if bytes is None and "," not in shape[2] and \
                    None not in memory.shape:
                bytes = bytes_of("memref<" + "".join(
                    f"{size}x" for size in memory.shape) + shape[2] + ">")
                self.heap.isExact = False  # Drawn, or from a constant.
        if bytes is None:
            self.heap.isExact = False
        memory.bytes = bytes or 0
        self.live += memory.bytes
        self.heap.peak = max(self.heap.peak, self.live)
        return memory

    def step(self, op, scope):
        self.count()
        values = [self.get(scope, name) for name in op.operands]
        results = self.results(op, values, scope)
        names = []
        for name in op.names:
            base, _, many = name.partition(":")
            names += [f"{base}#{i}" for i in range(int(many))] if many else [base]
        if len(names) != len(results):
            raise Unknown(f"{op.kind}: {len(results)} results")
        scope.update(zip(names, results))

    def results(self, op, values, scope):
        kind = op.kind
        handler = getattr(self, "do_" + kind.replace(".", "_"), None)
        if handler:
            return handler(op, values, scope)
        if kind in VIEWS:
            return [values[0]]
        if kind in PLAIN:
            return []
        if kind.startswith(PURE):
            return [self.drawn(type) for type in op.types]
        raise Unknown(kind)

    def do_memref_alloc(self, op, values, scope):
        return [self.allocate(op.types[0], values)]

    def do_memref_alloca(self, op, values, scope):
        return [Memory(None)]

    def do_memref_get_global(self, op, values, scope):
        return [Memory(None)]

    def do_bufferization_clone(self, op, values, scope):
        return [self.allocate(op.types[0], values[0].shape)]

    def do_memref_dealloc(self, op, values, scope):
        if values[0].bytes is None:
            raise Unknown("a dealloc of what is not the function's")
        self.live -= values[0].bytes
        values[0].bytes = None
        return []

    def do_memref_store(self, op, values, scope):
        values[1].cells[tuple(values[2:])] = values[0]
        return []

    def do_memref_load(self, op, values, scope):
        key = tuple(values[1:])
        if key not in values[0].cells:
            values[0].cells[key] = self.drawn(op.types[0])
        return [values[0].cells[key]]

    def do_memref_dim(self, op, values, scope):
        shape = values[0].shape
        known = shape[values[1]] if 0 <= values[1] < len(shape) else None
        return [self.chance.choice((1, 2, 4)) if known is None else known]

    def do_memref_extract_strided_metadata(self, op, values, scope):
        return [values[0]] + [1] * (len(op.types) - 1)

    def do_memref_extract_aligned_pointer_as_index(self, op, values, scope):
        return [id(values[0])]

    def do_arith_constant(self, op, values, scope):
        found = re.search(r"value = (-?\d+|true|false)\b", op.rest)
        if not found or "dense" in op.rest:
            return [0]
        return [{"true": True, "false": False}.get(found[1], None)
                if found[1] in ("true", "false") else int(found[1])]

    def do_arith_addi(self, op, values, scope):
        return [values[0] + values[1]]

    def do_arith_subi(self, op, values, scope):
        return [values[0] - values[1]]

    def do_arith_muli(self, op, values, scope):
        return [values[0] * values[1]]

    def do_arith_andi(self, op, values, scope):
        return [values[0] & values[1]]

    def do_arith_ori(self, op, values, scope):
        return [values[0] | values[1]]

    def do_arith_xori(self, op, values, scope):
        return [values[0] ^ values[1]]

    def do_arith_index_cast(self, op, values, scope):
        return values

    def do_arith_select(self, op, values, scope):
        return [values[1] if values[0] else values[2]]

    def do_arith_cmpi(self, op, values, scope):
        name = COMPARE[int(re.search(r"predicate = (\d+)", op.rest)[1])]
        left, right = values
        return [{"eq": left == right, "ne": left != right,
                 "lt": left < right, "le": left <= right,
                 "gt": left > right, "ge": left >= right}[
                     name if name in ("eq", "ne") else name[1:]]]

    def do_scf_if(self, op, values, scope):
        region = op.regions[0 if values[0] else 1]
        return self.region(region, [], scope)[1] if region else []

    def do_scf_index_switch(self, op, values, scope):
        cases = re.search(r"cases = array<i64(?:: ([-\d, ]+))?>", op.rest)[1]
        cases = [int(one) for one in (cases or "").split(",") if one.strip()]
        number = cases.index(values[0]) + 1 if values[0] in cases else 0
        return self.region(op.regions[number], [], scope)[1]

    def do_scf_execute_region(self, op, values, scope):
        return self.region(op.regions[0], [], scope)[1]

    def do_scf_for(self, op, values, scope):
        at, end, step, *carried = values
        for _ in range(300):
            if not at < end or step <= 0:
                return carried
            carried = self.region(op.regions[0], [at, *carried], scope)[1]
            at += step
        raise Unknown("a long loop")

    def do_scf_while(self, op, values, scope):
        for _ in range(300):
            _, (goesOn, *passed) = self.region(op.regions[0], values, scope)
            if not goesOn:
                return passed
            values = self.region(op.regions[1], passed, scope)[1]
        raise Unknown("a long loop")

    def do_func_call(self, op, values, scope):
        name = re.search(r"callee = @([\w$.]+)", op.rest)[1]
        callee = self.program.functions.get(name)
        if callee and callee.regions and callee.regions[0]:
            return self.call(callee, values)
        self.heap.isExact = False
        return [self.allocate(type) if type.startswith("memref<")
                else self.drawn(type) for type in op.types]
