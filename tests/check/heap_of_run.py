"""Runs functions of a program that mlir-opt printed in its generic form, and says
how many bytes of heap were live at once: what `memref-lens` calls the peak, found
out in another way, one run after the other.

  heap = Program(text).run("f", random.Random(1))   # Heap(peak=61, isExact=True)

Conditions, numbers and sizes that the program gets from outside are drawn. Who
wants to see more of a run makes a kind of `Run`: each value goes through `assign`,
with the names of what it was handed on from.
"""

import dataclasses
import itertools
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
         "memref.prefetch", "vector.print"}
COMPARE = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
#: A location, where the program was printed with them.
PLACE = re.compile(r' loc\("[^"]*":(\d+):\d+\)')
MOST_STEPS = 20000
#: mlir::ShapedType::kDynamic
DYNAMIC = -1 << 63


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
    line: int = 0


@dataclasses.dataclass
class Heap:
    peak: int = 0
    #: Every size and every callee was known.
    isExact: bool = True


class Memory:
    def __init__(self, bytes):
        self.bytes, self.cells, self.shape = bytes, {}, []
        self.names = set()


def numbers(op, attribute):
    found = re.search(attribute + r" = array<i\d+(?:: ([-\d, ]+))?>", op.rest)
    return [int(one) for one in (found and found[1] or "").split(",")
            if one.strip()]


def block_of(line):
    arguments = re.findall(r"(%[\w#]+): ", line)
    return {"label": re.match(r"\s*(\^\w+)", line)[1],
            "arguments": arguments, "ops": []}


class Program:
    def __init__(self, text):
        self.functions, self.tops = {}, []
        lines = iter(text.splitlines())
        for line in lines:
            self.top(line, lines)

    def top(self, line, lines):
        found = OP.match(line)
        if not found:
            return
        op = self.op(found, line, lines)
        self.tops.append(op)
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
        if place := PLACE.findall(op.rest):
            op.line, op.rest = int(place[-1]), PLACE.sub("", op.rest)
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
        #: Names of what the results of the op were handed on from.
        self.fed = None

    def function(self, name):
        function = self.program.functions[name]
        types = split_types(re.search(r"function_type = \((.*?)\) ->",
                                      function.rest)[1])
        self.call(function, [self.drawn(type, name, number)
                             for number, type in enumerate(types)])
        return self.heap

    def pick(self, choices, what):
        """One of them; `what` tells one draw from another."""
        return self.chance.choice(choices)

    def drawn(self, type, *what):
        if type.startswith("memref"):
            return Memory(None)
        return self.pick((False, True) if type == "i1" else (0, 1, 2, 3, 5, 7),
                         what)

    def call(self, function, arguments):
        self.depth += 1
        if self.depth > 30:
            raise Unknown("recursion")
        scope = {}
        result = self.region(function.regions[0], arguments, scope)
        self.depth -= 1
        return result[1]

    def assign(self, scope, names, values, fed):
        scope.update(zip(names, values))

    def enter(self, region, block, scope):
        """Before the arguments of the block get their values."""

    def region(self, region, arguments, scope, fed=None):
        """The terminator that leaves it, and its operands."""
        block, values = region[0], arguments
        while True:
            self.enter(region, block, scope)
            self.assign(scope, block["arguments"], values, fed)
            for op in block["ops"][:-1]:
                self.step(op, scope)
            last = block["ops"][-1]
            if not last.successors:
                return last, [scope[name] for name in last.operands]
            label, operands = self.branch(last, scope)
            values = [self.get(scope, name) for name in operands]
            fed = operands
            block = next(one for one in region if one["label"] == label)

    def handed_on(self, region, arguments, scope, fed=None):
        """What the region yields, as results of the op."""
        last, values = self.region(region, arguments, scope, fed)
        self.fed = last.operands
        return values

    def branch(self, op, scope):
        """Where it goes, and the names of what it hands on."""
        self.count()
        if op.kind == "cf.br":
            return op.successors[0], op.operands
        if op.kind == "cf.cond_br":
            split = 1 + numbers(op, "operandSegmentSizes")[1]
            return (op.successors[0], op.operands[1:split]) \
                if scope[op.operands[0]] else \
                (op.successors[1], op.operands[split:])
        if op.kind == "cf.switch":
            return self.switched(op, scope)
        raise Unknown(op.kind)

    def switched(self, op, scope):
        found = re.search(r"case_values = dense<([^>]*)>", op.rest)
        cases = [int(one) for one in re.findall(r"-?\d+", found[1] if found
                                                else "")]
        segments = numbers(op, "case_operand_segments")
        flag = scope[op.operands[0]]
        at = 1 + numbers(op, "operandSegmentSizes")[1]
        if len(cases) == 1:
            cases *= len(segments)
        if flag not in cases:
            return op.successors[0], op.operands[1:at]
        number = cases.index(flag)
        at += sum(segments[:number])
        return (op.successors[number + 1],
                op.operands[at:at + segments[number]])

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
        fed, self.fed = self.fed, None
        self.assign(scope, names, results, fed)

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
            return [self.drawn(type, op.names[0], number)
                    for number, type in enumerate(op.types)]
        raise Unknown(kind)

    def do_memref_alloc(self, op, values, scope):
        return [self.allocate(op.types[0], values)]

    def do_memref_alloca(self, op, values, scope):
        return [Memory(None)]

    def do_memref_get_global(self, op, values, scope):
        return [Memory(None)]

    def do_bufferization_clone(self, op, values, scope):
        return [self.allocate(op.types[0], values[0].shape)]

    def do_cf_assert(self, op, values, scope):
        if not values[0]:
            raise Unknown("an assertion that stops it")
        return []

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
            values[0].cells[key] = self.drawn(op.types[0], op.names[0])
        return [values[0].cells[key]]

    def do_memref_dim(self, op, values, scope):
        shape = values[0].shape
        known = shape[values[1]] if 0 <= values[1] < len(shape) else None
        return [self.pick((1, 2, 4), op.names[0]) if known is None else known]

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

    do_arith_index_castui = do_arith_index_cast

    def do_arith_trunci(self, op, values, scope):
        return [bool(values[0] & 1) if op.types == ["i1"] else values[0]]

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
        return self.handed_on(region, [], scope) if region else []

    def do_scf_index_switch(self, op, values, scope):
        cases = numbers(op, "cases")
        number = cases.index(values[0]) + 1 if values[0] in cases else 0
        return self.handed_on(op.regions[number], [], scope)

    def do_scf_execute_region(self, op, values, scope):
        return self.handed_on(op.regions[0], [], scope)

    do_memref_alloca_scope = do_scf_execute_region

    def do_ub_poison(self, op, values, scope):
        if op.types[0].startswith("memref"):
            memory = Memory(None)
            memory.key, memory.isAlive = ("poison", op.names[0]), True
            return [memory]
        return [self.drawn(op.types[0], "poison", op.names[0])]

    def do_scf_for(self, op, values, scope):
        at, end, step, *carried = values
        names = op.operands[3:]
        for _ in range(300):
            if not at < end or step <= 0:
                self.fed = names
                return carried
            last, carried = self.region(op.regions[0], [at, *carried], scope,
                                        [None, *names])
            names = last.operands
            at += step
        raise Unknown("a long loop")

    def do_scf_while(self, op, values, scope):
        names = op.operands
        for _ in range(300):
            last, (goesOn, *passed) = self.region(op.regions[0], values, scope,
                                                  names)
            names = last.operands[1:]
            if not goesOn:
                self.fed = names
                return passed
            last, values = self.region(op.regions[1], passed, scope, names)
            names = last.operands
        raise Unknown("a long loop")

    def do_scf_parallel(self, op, values, scope):
        if op.names:
            raise Unknown("a reduction")
        many = len(values) // 3
        return self.each(op, scope, *(values[at:at + many]
                                      for at in (0, many, 2 * many)))

    def do_scf_forall(self, op, values, scope):
        if op.names:
            raise Unknown("a scf.forall of tensors")
        values = iter(values)
        return self.each(op, scope, *(
            [next(values) if one == DYNAMIC else one
             for one in numbers(op, f"static{what}")]
            for what in ("LowerBound", "UpperBound", "Step")))

    def each(self, op, scope, lower, upper, step):
        """The region for each index, one after the other."""
        if 0 in step:
            raise Unknown("a step of 0")
        ranges = [range(*bounds) for bounds in zip(lower, upper, step)]
        for at, indices in enumerate(itertools.product(*ranges)):
            if at == 300:
                raise Unknown("a long loop")
            self.region(op.regions[0], list(indices), scope)
        return []

    def do_memref_generic_atomic_rmw(self, op, values, scope):
        return [self.drawn(op.types[0], op.names[0])]

    do_memref_atomic_rmw = do_memref_generic_atomic_rmw

    def do_func_call(self, op, values, scope):
        name = re.search(r"callee = @([\w$.]+)", op.rest)[1]
        callee = self.program.functions.get(name)
        if callee and callee.regions and callee.regions[0]:
            return self.call(callee, values)
        self.heap.isExact = False
        return [self.allocate(type) if type.startswith("memref<")
                else self.drawn(type, op.names[0], number)
                for number, type in enumerate(op.types)]
