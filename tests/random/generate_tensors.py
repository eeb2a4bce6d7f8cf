#!/usr/bin/env python3
"""Random programs on tensors, for one-shot-bufferize.

  generate_tensors.py --seed N [--sharing]

Functions of linalg ops, slices, casts, calls, loops that carry tensors, branches that
yield them, and scf.forall. `main` takes nothing, calls each function, and gives a sum
of what they return, so that a run needs no arguments and reads every result. Loops of
odd seeds yield other tensors than they were given: one-shot-bufferize takes them with
allow-return-allocs-from-loops only. With --sharing, functions return and loops yield
several tensors of one type, often one tensor several times, and more of them is written.
"""

import argparse
import random

ROW = "tensor<8xf32>"
MATRIX = "tensor<4x8xf32>"
DYNAMIC = "tensor<?xf32>"
TYPES = [ROW, ROW, ROW, MATRIX, DYNAMIC]
RANK = {ROW: 1, MATRIX: 2, DYNAMIC: 1}


class Generator:
    #: Ops in @main: at least, and fewer than.
    main_size = (0, 4)

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.yields_others = seed % 2 == 1
        self.lines = []
        self.count = 0
        self.depth = 1

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def value(self, expression):
        name = self.name()
        self.emit(f"{name} = {expression}")
        return name

    def pick(self, pool, type_):
        """A value of the type, made where there is none."""
        known = [value for value, of in pool if of == type_]
        if known and self.rng.random() < 0.9:
            # Recent ones are taken more often.
            return known[min(int(self.rng.expovariate(0.7)), len(known) - 1) * -1 - 1]
        return self.fresh(pool, type_)

    def empty(self, type_):
        if type_ == DYNAMIC:
            return self.value(f"tensor.empty(%c8) : {DYNAMIC}")
        return self.value(f"tensor.empty() : {type_}")

    def fresh(self, pool, type_):
        way = self.rng.randrange(4)
        if way == 0 and type_ != DYNAMIC:
            result = self.value(f"arith.constant dense<{self.rng.randrange(9)}.0> : {type_}")
        else:
            result = self.value(f"linalg.fill ins(%f : f32) outs({self.empty(type_)} : "
                                f"{type_}) -> {type_}")
        pool.append((result, type_))
        return result

    def types(self, count):
        return self.rng.sample(TYPES, count)

    #===--- Ops ---===#

    def compute(self, pool):
        type_ = self.rng.choice(TYPES)
        target = (self.empty(type_) if self.rng.random() < 0.5
                  else self.pick(pool, type_))
        one, other = self.pick(pool, type_), self.pick(pool, type_)
        if self.rng.random() < 0.3:
            result = self.value(f"linalg.exp ins({one} : {type_}) outs({target} : "
                                f"{type_}) -> {type_}")
        else:
            result = self.value(
                f"linalg.{self.rng.choice(['add', 'mul', 'sub'])} ins({one}, {other} : "
                f"{type_}, {type_}) outs({target} : {type_}) -> {type_}")
        pool.append((result, type_))

    def insert(self, pool):
        type_ = self.rng.choice([ROW, DYNAMIC])
        result = self.value(f"tensor.insert %f into {self.pick(pool, type_)}"
                            f"[%c{self.rng.randrange(4)}] : {type_}")
        pool.append((result, type_))

    def insert_slice(self, pool):
        row, matrix = self.pick(pool, ROW), self.pick(pool, MATRIX)
        result = self.value(
            f"tensor.insert_slice {row} into {matrix}[{self.rng.randrange(4)}, 0] "
            f"[1, 8] [1, 1] : {ROW} into {MATRIX}")
        pool.append((result, MATRIX))

    def extract_slice(self, pool):
        matrix = self.pick(pool, MATRIX)
        result = self.value(
            f"tensor.extract_slice {matrix}[%c{self.rng.randrange(4)}, 0] [1, 8] [1, 1]"
            f" : {MATRIX} to {ROW}")
        pool.append((result, ROW))

    def cast(self, pool):
        source, target = self.rng.choice([(ROW, DYNAMIC), (DYNAMIC, ROW)])
        result = self.value(
            f"tensor.cast {self.pick(pool, source)} : {source} to {target}")
        pool.append((result, target))

    def copy(self, pool):
        type_ = self.rng.choice([ROW, MATRIX])
        source = self.pick(pool, type_)
        result = self.value(f"bufferization.alloc_tensor() copy({source}) : {type_}")
        pool.append((result, type_))

    def read(self, pool):
        type_ = self.rng.choice(TYPES)
        at = ", ".join(f"%c{self.rng.randrange(4)}" for _ in range(RANK[type_]))
        read = self.value(f"tensor.extract {self.pick(pool, type_)}[{at}] : {type_}")
        self.emit(f"memref.store {read}, %sink[%c0] : memref<1xf32>")

    #===--- Control flow ---===#

    def block(self, pool, size):
        """Emits ops that see the pool, and gives the pool with what they made."""
        inner = list(pool)
        self.depth += 1
        for _ in range(size):
            self.op(inner)
        self.depth -= 1
        return inner

    def carried(self, pool, given, type_):
        """What a round hands to the next one for `given`."""
        if self.yields_others:
            return self.pick(pool, type_)
        return self.rng.choice([given, self.value(
            f"linalg.exp ins({given} : {type_}) outs({given} : {type_}) -> {type_}")])

    def closing(self, word, pool, types, given=()):
        self.depth += 1
        values = ([self.carried(pool, one, type_) for one, type_ in zip(given, types)]
                  if given else [self.pick(pool, type_) for type_ in types])
        self.emit(f"{word} {', '.join(values)} : {', '.join(types)}")
        self.depth -= 1

    def results(self, pool, types):
        name = self.name()
        names = [f"{name}#{i}" for i in range(len(types))] if len(types) > 1 else [name]
        pool.extend(zip(names, types))
        return f"{name}:{len(types)}" if len(types) > 1 else name

    def loop(self, pool):
        types = self.types(self.rng.randrange(1, 3))
        first = [self.pick(pool, type_) for type_ in types]
        inner = [self.name() for _ in types]
        step = self.name()
        made = []
        head = self.results(made, types)
        pairs = ", ".join(f"{a} = {b}" for a, b in zip(inner, first))
        self.emit(f"{head} = scf.for {step} = %c0 to %c3 step %c1 iter_args({pairs}) -> "
                  f"({', '.join(types)}) {{")
        body = self.block([*pool, *zip(inner, types)], self.rng.randrange(1, 4))
        self.closing("scf.yield", body, types, inner)
        self.emit("}")
        pool.extend(made)

    def while_(self, pool):
        type_ = self.rng.choice([ROW, MATRIX])
        first = self.pick(pool, type_)
        before, after, count, next_, test = (self.name() for _ in range(5))
        round_ = self.name()
        result = self.name()
        self.emit(f"{result}:2 = scf.while ({before} = {first}, {count} = %c0) : "
                  f"({type_}, index) -> ({type_}, index) {{")
        inner = self.block([*pool, (before, type_)], self.rng.randrange(2))
        self.depth += 1
        self.emit(f"{test} = arith.cmpi slt, {count}, %c3 : index")
        passed = self.pick(inner, type_) if self.yields_others else before
        self.emit(f"scf.condition({test}) {passed}, {count} : {type_}, index")
        self.depth -= 1
        self.emit("} do {")
        self.emit(f"^bb0({after}: {type_}, {round_}: index):")
        inner = self.block([*pool, (after, type_)], self.rng.randrange(1, 3))
        self.emit(f"  {next_} = arith.addi {round_}, %c1 : index")
        self.closing("scf.yield", inner, [type_], [after])
        self.lines[-1] = self.lines[-1].replace(
            f" : {type_}", f", {next_} : {type_}, index")
        self.emit("}")
        pool.append((f"{result}#0", type_))

    def branch(self, pool):
        types = self.types(self.rng.randrange(1, 3))
        made = []
        head = self.results(made, types)
        self.emit(f"{head} = scf.if %{self.rng.choice(['true', 'false'])} -> "
                  f"({', '.join(types)}) {{")
        for last in (False, True):
            body = self.block(pool, self.rng.randrange(3))
            self.closing("scf.yield", body, types)
            self.emit("}" if last else "} else {")
        pool.extend(made)

    def forall(self, pool):
        matrix = self.pick(pool, MATRIX)
        index, shared, result = self.name(), self.name(), self.name()
        self.emit(f"{result} = scf.forall ({index}) in (4) shared_outs({shared} = "
                  f"{matrix}) -> ({MATRIX}) {{")
        self.depth += 1
        row = self.value(f"tensor.extract_slice {shared}[{index}, 0] [1, 8] [1, 1] : "
                         f"{MATRIX} to {ROW}")
        done = self.value(f"linalg.add ins({row}, {row} : {ROW}, {ROW}) outs({row} : "
                          f"{ROW}) -> {ROW}")
        self.emit("scf.forall.in_parallel {")
        self.emit(f"  tensor.parallel_insert_slice {done} into {shared}[{index}, 0] "
                  f"[1, 8] [1, 1] : {ROW} into {MATRIX}")
        self.emit("}")
        self.depth -= 1
        self.emit("}")
        pool.append((result, MATRIX))

    def call(self, pool):
        if not self.callees:
            return
        name, arguments, types = self.rng.choice(self.callees)
        values = [self.pick(pool, type_) for type_ in arguments]
        self.emit_call(pool, name, values, arguments, types)

    def emit_call(self, pool, name, values, arguments, types):
        made = []
        head = self.results(made, types)
        self.emit(f"{head} = func.call @{name}({', '.join(values)}) : "
                  f"({', '.join(arguments)}) -> ({', '.join(types)})")
        pool.extend(made)

    def op(self, pool):
        plain = [self.compute] * 4 + [self.insert, self.insert_slice, self.copy,
                                      self.extract_slice, self.cast, self.read]
        nested = [self.loop, self.loop, self.branch, self.while_, self.forall, self.call]
        choices = plain + nested if self.depth < 4 else plain
        self.rng.choice(choices)(pool)

    #===--- Functions ---===#

    def constants(self):
        for i in (0, 1, 2, 3, 8):
            self.emit(f"%c{i} = arith.constant {i} : index")
        self.emit("%f = arith.constant 0.5 : f32")
        self.emit("%true = arith.constant true")
        self.emit("%false = arith.constant false")
        self.emit("%sink = memref.get_global @sink : memref<1xf32>")

    def function(self, name):
        arguments = self.types(self.rng.randrange(3))
        types = self.types(self.rng.randrange(1, 3))
        names = [f"%a{i}" for i in range(len(arguments))]
        private = self.rng.choice(["", "private "])
        listed = ", ".join(f"{a}: {b}" for a, b in zip(names, arguments))
        self.lines.append(f"func.func {private}@{name}({listed}) -> "
                          f"({', '.join(types)}) {{")
        self.constants()
        pool = list(zip(names, arguments))
        for _ in range(self.rng.randrange(2, 8)):
            self.op(pool)
        self.depth = 0
        self.closing("return", pool, types)
        self.depth = 1
        self.lines.append("}")
        self.callees.append((name, arguments, types))

    def summed(self, pool):
        """What @main reads at its end: what is read there is copied before a write."""
        return pool

    def program(self):
        self.callees = []
        self.lines.append('memref.global "private" @sink : memref<1xf32> = dense<0.0>')
        for i in range(self.rng.randrange(1, 4)):
            self.function(f"f{i}")
        self.lines.append("func.func @main() -> f32 {")
        self.constants()
        pool = []
        for name, arguments, types in list(self.callees):
            values = [self.pick(pool, type_) for type_ in arguments]
            self.emit_call(pool, name, values, arguments, types)
        for _ in range(self.rng.randrange(*self.main_size)):
            self.op(pool)
        sum_ = "%f"
        for value, type_ in self.summed(pool):
            at = ", ".join(["%c1"] * RANK[type_])
            read = self.value(f"tensor.extract {value}[{at}] : {type_}")
            sum_ = self.value(f"arith.addf {sum_}, {read} : f32")
        self.emit(f"return {sum_} : f32")
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"


class SharingGenerator(Generator):
    main_size = (4, 10)

    def __init__(self, seed):
        super().__init__(seed)
        self.yields_others = True

    def number(self):
        """Another one each time, so that no write is hidden by its value."""
        return self.value(f"arith.constant {self.count % 61 / 16} : f32")

    def fresh(self, pool, type_):
        result = self.value(f"linalg.fill ins({self.number()} : f32) outs("
                            f"{self.empty(type_)} : {type_}) -> {type_}")
        pool.append((result, type_))
        return result

    def types(self, count):
        return [self.rng.choice([ROW, ROW, MATRIX])] * (count + self.rng.randrange(2))

    def summed(self, pool):
        return [one for one in pool if self.rng.random() < 0.4]

    def insert(self, pool):
        type_ = self.rng.choice([ROW, ROW, MATRIX])
        result = self.value(
            f"tensor.insert {self.number()} into {self.pick(pool, type_)}"
            f"[{', '.join(['%c1'] * RANK[type_])}] : {type_}")
        pool.append((result, type_))

    def while_(self, pool):
        types = self.types(self.rng.randrange(1, 3))
        listed = ", ".join([*types, "index"])
        first = [self.pick(pool, type_) for type_ in types]
        before, after = ([self.name() for _ in types] for _ in range(2))
        count, next_, test, round_, result = (self.name() for _ in range(5))
        pairs = ", ".join(f"{a} = {b}" for a, b in zip(before, first))
        self.emit(f"{result}:{len(types) + 1} = scf.while ({pairs}, {count} = %c0) : "
                  f"({listed}) -> ({listed}) {{")
        inner = self.block([*pool, *zip(before, types)], self.rng.randrange(1, 3))
        passed = [self.rng.choice([one, self.pick(inner, type_)])
                  for one, type_ in zip(before, types)]
        self.emit(f"  {test} = arith.cmpi slt, {count}, %c3 : index")
        self.emit(f"  scf.condition({test}) {', '.join(passed)}, {count} : {listed}")
        self.emit("} do {")
        heads = ", ".join(f"{a}: {b}" for a, b in zip(after, types))
        self.emit(f"^bb0({heads}, {round_}: index):")
        inner = self.block([*pool, *zip(after, types)], self.rng.randrange(2))
        yielded = [self.pick(inner, type_) for type_ in types]
        self.emit(f"  {next_} = arith.addi {round_}, %c1 : index")
        self.emit(f"  scf.yield {', '.join(yielded)}, {next_} : {listed}")
        self.emit("}")
        pool.extend((f"{result}#{i}", type_) for i, type_ in enumerate(types))

    def op(self, pool):
        plain = [self.compute, self.insert, self.insert, self.insert, self.insert_slice]
        nested = [self.loop, self.while_, self.branch, self.call, self.call]
        self.rng.choice(plain + nested if self.depth < 3 else plain)(pool)


def generate(seed, sharing=False):
    return (SharingGenerator if sharing else Generator)(seed).program()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--sharing", action="store_true")
    options = parser.parse_args()
    print(generate(options.seed, options.sharing), end="")
