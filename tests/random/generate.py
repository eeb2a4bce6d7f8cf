"""Prints one valid MLIR program of buffers, the same for the same seed.

  generate.py --seed N [--kind any|acyclic-run]

Functions (public, private, external) of allocations, views, selects, branches
without back edges, structured control flow and calls, over a small pool of
types. `acyclic-run`: the program has a `main` that calls every function under
several conditions; it ends, and reads nothing that another call has to set.
"""

import argparse
import random

STATIC = "memref<8xf32>"
DYNAMIC = "memref<?xf32>"
MATRIX = "memref<2x4xf32>"
WINDOW = "memref<4xf32, strided<[1], offset: ?>>"
BYTES = "memref<32xi8>"
UNRANKED = "memref<*xf32>"
RANK = {STATIC: 1, DYNAMIC: 1, MATRIX: 2, WINDOW: 1, BYTES: 1}
# Types of block arguments, iteration arguments and results: few, so that values
# meet; those of function results can be cloned by every later lowering.
MERGED = [STATIC, STATIC, STATIC, DYNAMIC, DYNAMIC, MATRIX, WINDOW]
MERGED_UNRANKED = MERGED * 2 + [UNRANKED]
RETURNED = [STATIC, STATIC, DYNAMIC, DYNAMIC, MATRIX]


class Function:
    """A signature; `external` ones have no body."""

    def __init__(self, name, rng, private, external, run):
        self.name, self.private, self.external = name, private, external
        self.args = [rng.choice([STATIC, STATIC, DYNAMIC, MATRIX])
                     for _ in range(rng.randint(0, 3))]
        self.results = [rng.choice(RETURNED) for _ in range(rng.choice(
            [0, 1, 1, 1, 2, 3]))]
        self.run = run

    def types(self):
        return ["i1", "i1", "index"] + self.args


class Scope:
    """Values that may be used here. `memrefs` holds (name, type); `local` those
    that must not be used in another block of the region."""

    def __init__(self, memrefs, conditions, indices, local=()):
        self.memrefs, self.conditions = list(memrefs), list(conditions)
        self.indices, self.local = list(indices), set(local)

    def inner(self):
        return Scope(self.memrefs, self.conditions, self.indices)

    def across_blocks(self):
        kept = [m for m in self.memrefs if m[0] not in self.local]
        return Scope(kept, self.conditions, self.indices)

    def of(self, type):
        return [name for name, t in self.memrefs if t == type]

    def drop(self, name):
        self.memrefs = [m for m in self.memrefs if m[0] != name]


class Generator:

    def __init__(self, seed, run):
        self.rng = random.Random(f"{seed}/{run}")
        self.run = run
        self.lines = []
        self.count = 0
        self.budget = 0
        self.loops = 0
        self.uses_global = False
        # A few programs keep results of region ops alive across blocks, on
        # which upstream 22.1.8 reads freed memory.
        self.stale = self.rng.random() < 0.25
        # Some forward a value that stays live, which the pass refuses.
        self.forward_live = self.rng.choice([0.9, 0.4, 0.1, 0, 0, 0])
        # Lowering a clone of an unranked buffer is not supported.
        self.merged = MERGED if run else MERGED_UNRANKED

    #===--- Text ---===#

    def chance(self, probability):
        return self.rng.random() < probability

    def fresh(self, hint="v"):
        self.count += 1
        return f"%{hint}{self.count}"

    def emit(self, depth, text):
        self.lines.append("  " * depth + text)

    #===--- Programs ---===#

    def program(self):
        rng = self.rng
        self.functions = []
        for number in range(rng.randint(2, 5)):
            external = not self.run and self.chance(0.12)
            private = external or self.chance(0.4)
            self.functions.append(Function(f"f{number}", rng, private, external,
                                           self.run))
        for function in self.functions:
            self.function(function)
        if self.run:
            self.main()
        if self.uses_global:
            self.lines.insert(0, f"memref.global \"private\" @data : {STATIC} "
                                 "= dense<1.0>")
        return "\n".join(self.lines) + "\n"

    def function(self, function):
        results = ", ".join(function.results)
        arrow = f" -> ({results})" if results else ""
        visibility = "private " if function.private else ""
        if function.external:
            self.emit(0, f"func.func {visibility}@{function.name}("
                         f"{', '.join(function.types())}){arrow}")
            return
        names = ["%c0_", "%c1_", "%n_"] + [
            f"%arg{i}" for i in range(len(function.args))]
        args = ", ".join(f"{name}: {type}"
                         for name, type in zip(names, function.types()))
        self.emit(0, f"func.func {visibility}@{function.name}({args}){arrow} {{")
        self.current = function
        self.budget = self.rng.randint(4, 26)
        for name, value in (("zero", 0), ("one", 1), ("two", 2)):
            self.emit(1, f"%{name} = arith.constant {value} : index")
        self.emit(1, "%f = arith.constant 1.0 : f32")
        scope = Scope(zip(names[3:], function.args), ["%c0_", "%c1_"], ["%n_"])

        def leave(depth, scope):
            values = [self.pick(depth, scope, t) for t in function.results]
            types = ", ".join(function.results)
            self.emit(depth, f"return {', '.join(values)} : {types}"
                      if values else "return")

        self.region(1, scope, leave, blocks=self.rng.choice(
            [1, 1, 1, 3, 4, 5, 6, 8]))
        self.emit(0, "}")

    def main(self):
        self.emit(0, "func.func @main() {")
        self.emit(1, "%t = arith.constant true")
        self.emit(1, "%e = arith.constant false")
        self.emit(1, "%n = arith.constant 8 : index")
        for function in self.functions:
            for first, second in (("%t", "%e"), ("%e", "%t"), ("%t", "%t"),
                                  ("%e", "%e")):
                memrefs = [self.allocate(1, t, "%n") for t in function.args]
                self.call(1, function, [first, second, "%n"] + memrefs)
        self.emit(1, "return")
        self.emit(0, "}")

    #===--- Regions and branches ---===#

    def region(self, depth, scope, leave, blocks=1):
        """Ops and `leave`, over one block or several that branch forward."""
        if blocks == 1:
            self.ops(depth, scope)
            leave(depth, scope)
            return
        successors = self.edges(blocks)
        labels = [self.fresh("bb").replace("%", "^") for _ in range(blocks)]
        arguments = [[] if b == 0 else [
            (self.fresh("b"), self.rng.choice(self.merged))
            for _ in range(self.rng.choice([0, 0, 1, 1, 2]))]
                     for b in range(blocks)]
        dominator = dominators(successors)
        ends = {}
        for block in range(blocks):
            here = scope if block == 0 else ends[
                dominator[block]].across_blocks()
            here = Scope(here.memrefs + arguments[block], here.conditions,
                         here.indices, here.local)
            if block > 0:
                listed = ", ".join(f"{n}: {t}" for n, t in arguments[block])
                self.emit(depth - 1, labels[block] +
                          (f"({listed}):" if listed else ":"))
                self.use_of_region_result(depth, here)
            self.ops(depth, here, share=blocks - block)
            ends[block] = here
            if not successors[block]:
                leave(depth, here)
                continue
            self.branch(depth, here, labels, arguments, successors[block])

    def use_of_region_result(self, depth, scope):
        """In some programs: of one that was made in an earlier block."""
        results = [m for m in scope.memrefs
                   if m[0].startswith("%x") and m[1] in RANK]
        if not self.stale or not results or self.chance(0.3):
            return
        name, type = self.rng.choice(results)
        place = ", ".join(["%zero"] * RANK[type])
        self.emit(depth, f"memref.store %f, {name}[{place}] : {type}")

    def edges(self, blocks):
        """Successors of each block: all later ones, every block reached."""
        successors = [[] for _ in range(blocks)]
        for block in range(1, blocks):
            open_blocks = [b for b in range(block) if len(successors[b]) < 2]
            successors[self.rng.choice(open_blocks)].append(block)
        for block in range(blocks - 1):
            while len(successors[block]) < 2 and (
                    not successors[block] and self.chance(0.85)
                    or self.chance(0.45)):
                successors[block].append(self.rng.randrange(block + 1, blocks))
        for targets in successors:
            self.rng.shuffle(targets)
        return successors

    def branch(self, depth, scope, labels, arguments, targets):
        texts, forwarded = [], set()
        for target in targets:
            values = []
            for _, type in arguments[target]:
                values.append(self.pick(depth, scope, type))
            forwarded.update(values)
            types = ", ".join(type for _, type in arguments[target])
            texts.append(labels[target] + (
                f"({', '.join(values)} : {types})" if values else ""))
        for value in sorted(forwarded):
            if not self.chance(self.forward_live):
                scope.drop(value)
        if len(targets) == 1:
            self.emit(depth, f"cf.br {texts[0]}")
        else:
            condition = self.rng.choice(scope.conditions)
            self.emit(depth, f"cf.cond_br {condition}, {', '.join(texts)}")

    #===--- Ops ---===#

    def ops(self, depth, scope, share=1):
        count = min(self.budget, self.rng.randint(1, 5))
        if share > 1:
            count = min(count, 1 + self.budget // share)
        for _ in range(count):
            if self.budget <= 0:
                return
            self.budget -= 1
            self.op(depth, scope)

    def op(self, depth, scope):
        simple = [(self.make, 20), (self.view, 16), (self.select, 12),
                  (self.memory, 16), (self.do_call, 8), (self.compare, 3),
                  (self.clone, 2), (self.realloc, 2), (self.by_hand, 1)]
        nested = [(self.if_op, 12), (self.for_op, 9), (self.while_op, 4),
                  (self.switch_op, 4), (self.execute_op, 4),
                  (self.forall_op, 2), (self.parallel_op, 2)]
        if not self.run:
            simple += [(self.refused, 0.25)]
            nested += [(self.scope_op, 2)]
        choices = simple + (nested if depth < 5 else [])
        kinds, weights = zip(*choices)
        kind = self.rng.choices(kinds, weights)[0]
        is_loop = kind in (self.for_op, self.while_op, self.forall_op,
                           self.parallel_op)
        self.loops += is_loop
        kind(depth, scope)
        self.loops -= is_loop

    def allocate(self, depth, type, size):
        name = self.fresh("a")
        sizes = size if type == DYNAMIC else ""
        self.emit(depth, f"{name} = memref.alloc({sizes}) : {type}")
        return name

    def make(self, depth, scope):
        kind = self.rng.random()
        if kind < 0.75:
            type = self.rng.choice([STATIC, STATIC, DYNAMIC, MATRIX, BYTES])
            name = self.allocate(depth, type, scope.indices[0])
        elif kind < 0.9:
            type, name = STATIC, self.fresh("s")
            self.emit(depth, f"{name} = memref.alloca() : {type}")
        else:
            type, name = STATIC, self.fresh("g")
            self.uses_global = True
            self.emit(depth, f"{name} = memref.get_global @data : {type}")
        scope.memrefs.append((name, type))

    def view(self, depth, scope):
        forms = {
            STATIC: [("cast", DYNAMIC), ("subview", WINDOW),
                     ("expand", MATRIX), ("reinterpret", STATIC)],
            DYNAMIC: [("cast", STATIC), ("subview", WINDOW)],
            MATRIX: [("collapse", STATIC)],
            BYTES: [("view", STATIC)],
            UNRANKED: [("cast", STATIC), ("cast", DYNAMIC)],
        }
        if not self.run:
            forms[STATIC].append(("cast", UNRANKED))
        sources = [m for m in scope.memrefs if m[1] in forms]
        if not sources:
            return self.make(depth, scope)
        source, type = self.recent(sources)
        form, result = self.rng.choice(forms[type])
        self.view_of(depth, scope, source, type, form, result)

    def view_of(self, depth, scope, source, type, form, result):
        name = self.fresh("w")
        text = {
            "cast": f"memref.cast {source}",
            "subview": f"memref.subview {source}[%two] [4] [1]",
            "expand": f"memref.expand_shape {source} [[0, 1]] "
                      "output_shape [2, 4]",
            "collapse": f"memref.collapse_shape {source} [[0, 1]]",
            "view": f"memref.view {source}[%zero][]",
            "reinterpret": f"memref.reinterpret_cast {source} to "
                           "offset: [0], sizes: [8], strides: [1]",
        }[form]
        into = "into" if form in ("expand", "collapse") else "to"
        self.emit(depth, f"{name} = {text} : {type} {into} {result}")
        scope.memrefs.append((name, result))
        return name

    def recent(self, memrefs):
        """One of them, rather a late one."""
        return memrefs[max(self.rng.randrange(len(memrefs)),
                           self.rng.randrange(len(memrefs)))]

    def pick(self, depth, scope, type):
        """A value of the type: one that is there, a view of one, or a new one."""
        names = scope.of(type)
        if names and self.chance(0.8):
            return self.recent(names)
        other = {DYNAMIC: STATIC, STATIC: DYNAMIC}.get(type)
        if other and scope.of(other) and self.chance(0.4):
            return self.view_of(depth, scope, self.recent(scope.of(other)),
                                other, "cast", type)
        if type == UNRANKED:
            source = self.pick(depth, scope, STATIC)
            return self.view_of(depth, scope, source, STATIC, "cast", type)
        if type == WINDOW:
            source = self.pick(depth, scope, STATIC)
            return self.view_of(depth, scope, source, STATIC, "subview", WINDOW)
        name = self.allocate(depth, type, scope.indices[0])
        scope.memrefs.append((name, type))
        return name

    def select(self, depth, scope):
        type = self.rng.choice(self.merged)
        first = self.pick(depth, scope, type)
        second = self.pick(depth, scope, type)
        name = self.fresh("sel")
        self.emit(depth, f"{name} = arith.select "
                         f"{self.rng.choice(scope.conditions)}, {first}, "
                         f"{second} : {type}")
        scope.memrefs.append((name, type))

    def memory(self, depth, scope):
        ranked = [m for m in scope.memrefs if m[1] in RANK and m[1] != BYTES]
        if not ranked:
            return self.make(depth, scope)
        name, type = self.recent(ranked)
        place = ", ".join(["%zero"] * RANK[type])
        kind = self.rng.random()
        if kind < 0.4:
            self.emit(depth, f"memref.store %f, {name}[{place}] : {type}")
        elif kind < 0.6:
            loaded = self.fresh("l")
            self.emit(depth, f"{loaded} = memref.load {name}[{place}] : {type}")
            self.emit(depth, f"memref.store {loaded}, {name}[{place}] : {type}")
        elif kind < 0.8:
            self.emit(depth, "linalg.fill ins(%f : f32) "
                             f"outs({name} : {type})")
        else:
            other = self.pick(depth, scope, type)
            self.emit(depth, f"memref.copy {other}, {name} : {type} to {type}")

    def compare(self, depth, scope):
        name = self.fresh("c")
        self.emit(depth, f"{name} = arith.cmpi ult, "
                         f"{self.rng.choice(scope.indices)}, %two : index")
        scope.conditions.append(name)

    def clone(self, depth, scope):
        type = self.rng.choice([STATIC, DYNAMIC])
        source = self.pick(depth, scope, type)
        name = self.fresh("k")
        self.emit(depth, f"{name} = bufferization.clone {source} : "
                         f"{type} to {type}")
        scope.memrefs.append((name, type))

    def realloc(self, depth, scope):
        # Of a buffer that nothing else knows: realloc may free its operand.
        source = self.allocate(depth, DYNAMIC, scope.indices[0])
        name = self.fresh("r")
        self.emit(depth, f"{name} = memref.realloc {source}"
                         f"({scope.indices[0]}) : {DYNAMIC} to {DYNAMIC}")
        scope.memrefs.append((name, DYNAMIC))

    def by_hand(self, depth, scope):
        name = self.fresh("h")
        attribute = "{bufferization.manual_deallocation}"
        self.emit(depth, f"{name} = memref.alloc() {attribute} : {STATIC}")
        self.emit(depth, f"memref.store %f, {name}[%zero] : {STATIC}")
        self.emit(depth, f"memref.dealloc {name} {attribute} : {STATIC}")

    def refused(self, depth, scope):
        """Something that the pass refuses."""
        buffer = self.allocate(depth, STATIC, None)
        kind = self.rng.randrange(3)
        if kind == 0:
            self.emit(depth, f"memref.dealloc {buffer} : {STATIC}")
        elif kind == 1:
            name = self.fresh("o")
            self.emit(depth, f"{name} = memref.generic_atomic_rmw "
                             f"{buffer}[%zero] : {STATIC} {{")
            self.emit(depth, "^bb0(%old: f32):")
            self.emit(depth + 1, "memref.atomic_yield %old : f32")
            self.emit(depth, "}")
        else:
            self.emit(depth, f"memref.store %f, {buffer}[%zero] : {STATIC}")
            self.emit(depth, f"bufferization.dealloc ({buffer} : {STATIC}) if "
                             f"({self.rng.choice(scope.conditions)})")

    def do_call(self, depth, scope):
        later = self.functions[self.functions.index(self.current) + 1:]
        if not self.run and self.chance(0.03):
            later = [self.current]
        # Run time must stay small: no calls in loops where the program is run.
        if not later or (self.run and self.loops):
            return self.make(depth, scope)
        callee = self.rng.choice(later)
        condition = self.rng.choice
        operands = [condition(scope.conditions), condition(scope.conditions),
                    "%n_"]
        operands += [self.pick(depth, scope, t) for t in callee.args]
        results = self.call(depth, callee, operands)
        scope.memrefs += results
        if callee.private and not self.stale:
            # Rebuilt under dynamic ownership, as region ops are.
            scope.local.update(name for name, _ in results)

    def call(self, depth, callee, operands):
        name = self.fresh("r")
        count = len(callee.results)
        left = f"{name}{f':{count}' if count > 1 else ''} = " if count else ""
        arrow = f"({', '.join(callee.results)})"
        self.emit(depth, f"{left}func.call @{callee.name}"
                         f"({', '.join(operands)}) : "
                         f"({', '.join(callee.types())}) -> {arrow}")
        return self.results(name, callee.results)

    #===--- Ops with regions ---===#

    @staticmethod
    def results(name, types):
        if len(types) == 1:
            return [(name, types[0])]
        return [(f"{name}#{i}", type) for i, type in enumerate(types)]

    def open(self, types):
        """Name and left side of an op with these results."""
        name = self.fresh("x")
        if not types:
            return name, ""
        return name, f"{name}{f':{len(types)}' if len(types) > 1 else ''} = "

    def add_results(self, scope, name, types):
        results = self.results(name, types) if types else []
        scope.memrefs += results
        if not self.stale:
            scope.local.update(result for result, _ in results)

    def yielding(self, types, choose=None):
        """A `leave` that yields values of the types."""

        def leave(depth, scope):
            values = [choose(depth, scope, number, type) if choose else
                      self.pick(depth, scope, type)
                      for number, type in enumerate(types)]
            self.emit(depth, f"scf.yield {', '.join(values)} : "
                             f"{', '.join(types)}" if values else "scf.yield")

        return leave

    def merged_types(self):
        return [self.rng.choice(self.merged)
                for _ in range(self.rng.choice([0, 1, 1, 1, 2]))]

    def if_op(self, depth, scope):
        types = self.merged_types()
        name, left = self.open(types)
        arrow = f" -> ({', '.join(types)})" if types else ""
        self.emit(depth, f"{left}scf.if {self.rng.choice(scope.conditions)}"
                         f"{arrow} {{")
        self.region(depth + 1, scope.inner(), self.yielding(types))
        if types or self.chance(0.4):
            self.emit(depth, "} else {")
            self.region(depth + 1, scope.inner(), self.yielding(types))
        self.emit(depth, "}")
        self.add_results(scope, name, types)

    def next_iteration(self, arguments):
        """Kept, swapped, or any other value of the type."""

        def choose(depth, scope, number, type):
            same = [name for name, t in arguments if t == type]
            kind = self.rng.random()
            if kind < 0.35:
                return arguments[number][0]
            if kind < 0.6:
                return self.rng.choice(same)
            return self.pick(depth, scope, type)

        return choose

    def iteration(self, depth, scope):
        types = self.merged_types()
        if types and self.chance(0.4):
            types = types + [types[0]]
        initial = [self.pick(depth, scope, type) for type in types]
        arguments = [(self.fresh("i"), type) for type in types]
        return types, initial, arguments

    def for_op(self, depth, scope):
        types, initial, arguments = self.iteration(depth, scope)
        name, left = self.open(types)
        pairs = ", ".join(f"{a} = {i}" for (a, _), i in zip(arguments, initial))
        carried = (f" iter_args({pairs}) -> ({', '.join(types)})"
                   if types else "")
        index = self.fresh("it")
        bound = "%two" if self.run else self.rng.choice(["%two", "%n_"])
        self.emit(depth, f"{left}scf.for {index} = %zero to {bound} step %one"
                         f"{carried} {{")
        inner = scope.inner()
        inner.memrefs += arguments
        inner.indices.append(index)
        self.region(depth + 1, inner,
                    self.yielding(types, self.next_iteration(arguments)))
        self.emit(depth, "}")
        self.add_results(scope, name, types)

    def while_op(self, depth, scope):
        types, initial, arguments = self.iteration(depth, scope)
        name, left = self.open(types + ["index"])
        counter, after = self.fresh("k"), self.fresh("k")
        pairs = [f"{a} = {i}" for (a, _), i in zip(arguments, initial)]
        listed = ", ".join(types + ["index"])
        self.emit(depth, f"{left}scf.while ("
                         f"{', '.join(pairs + [f'{counter} = %zero'])}) : "
                         f"({listed}) -> ({listed}) {{")
        before = scope.inner()
        before.memrefs += arguments
        self.ops(depth + 1, before)
        go_on = self.fresh("c")
        self.emit(depth + 1, f"{go_on} = arith.cmpi ult, {counter}, %two : index")
        choose = self.next_iteration(arguments)
        passed = [choose(depth + 1, before, i, t) for i, t in enumerate(types)]
        self.emit(depth + 1, f"scf.condition({go_on}) "
                             f"{', '.join(passed + [counter])} : {listed}")
        self.emit(depth, "} do {")
        received = [(self.fresh("j"), type) for type in types]
        header = ", ".join([f"{n}: {t}" for n, t in received] +
                           [f"{after}: index"])
        self.emit(depth, f"^{self.fresh('bb')[1:]}({header}):")
        body = scope.inner()
        body.memrefs += received
        self.ops(depth + 1, body)
        choose = self.next_iteration(received)
        values = [choose(depth + 1, body, i, t) for i, t in enumerate(types)]
        following = self.fresh("k")
        self.emit(depth + 1, f"{following} = arith.addi {after}, %one : index")
        self.emit(depth + 1, f"scf.yield {', '.join(values + [following])} : "
                             f"{listed}")
        self.emit(depth, "}")
        if types:
            self.add_results(scope, name, types + ["index"])
            scope.memrefs = [m for m in scope.memrefs if m[1] != "index"]

    def switch_op(self, depth, scope):
        types = self.merged_types()
        name, left = self.open(types)
        arrow = f" -> {', '.join(types)}" if types else ""
        self.emit(depth, f"{left}scf.index_switch "
                         f"{self.rng.choice(scope.indices)}{arrow}")
        for case in ("case 0", "case 8", "default")[self.rng.randrange(2):]:
            self.emit(depth, f"{case} {{")
            self.region(depth + 1, scope.inner(), self.yielding(types))
            self.emit(depth, "}")
        self.add_results(scope, name, types)

    def execute_op(self, depth, scope):
        types = self.merged_types()
        name, left = self.open(types)
        arrow = f" -> ({', '.join(types)})" if types else ""
        self.emit(depth, f"{left}scf.execute_region{arrow} {{")
        self.region(depth + 1, scope.inner(), self.yielding(types),
                    blocks=self.rng.choice([1, 3, 4]))
        self.emit(depth, "}")
        self.add_results(scope, name, types)

    def forall_op(self, depth, scope):
        index = self.fresh("t")
        self.emit(depth, f"scf.forall ({index}) in (2) {{")
        inner = scope.inner()
        inner.indices.append(index)
        self.ops(depth + 1, inner)
        self.emit(depth, "}")

    def parallel_op(self, depth, scope):
        index = self.fresh("p")
        self.emit(depth, f"scf.parallel ({index}) = (%zero) to (%two) "
                         "step (%one) {")
        inner = scope.inner()
        inner.indices.append(index)
        self.ops(depth + 1, inner)
        self.emit(depth, "}")

    def scope_op(self, depth, scope):
        types = self.merged_types()
        name, left = self.open(types)
        arrow = f" -> ({', '.join(types)})" if types else ""
        self.emit(depth, f"{left}memref.alloca_scope{arrow} {{")
        inner = scope.inner()
        self.ops(depth + 1, inner)
        values = [self.pick(depth + 1, inner, type) for type in types]
        if types:
            self.emit(depth + 1, f"memref.alloca_scope.return "
                                 f"{', '.join(values)} : {', '.join(types)}")
        self.emit(depth, "}")
        self.add_results(scope, name, types)


def dominators(successors):
    """Immediate dominator of each block but the first; edges go forward."""
    immediate = {0: 0}
    for block in range(1, len(successors)):
        common = None
        for earlier in range(block):
            if block in successors[earlier]:
                common = earlier if common is None else meet(
                    immediate, common, earlier)
        immediate[block] = common
    return immediate


def meet(immediate, first, second):
    while first != second:
        if first > second:
            first = immediate[first]
        else:
            second = immediate[second]
    return first


def generate(seed, kind="any"):
    return Generator(seed, kind == "acyclic-run").program()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--kind", default="any",
                        choices=["any", "acyclic-run"])
    arguments = parser.parse_args()
    print(generate(arguments.seed, arguments.kind), end="")
