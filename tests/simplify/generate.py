#!/usr/bin/env python3
"""Random programs full of bufferization.dealloc, for the simplification stage.

generate.py SEED [--folds]  prints one module.

Buffers come from arguments, allocs, allocas, globals, calls, casts, subviews,
selects, reallocs, clones, region ops and branches; each dealloc frees and
retains a random choice of those in sight. With --folds there are also ops that
fold away while the stage runs, so that values vanish under its analysis.
"""
import random
import sys

TYPES = ["memref<4xf32>", "memref<?xf32>", "memref<8xf32>"]


class Function:
    def __init__(self, rng, name, folds):
        self.rng = rng
        self.name = name
        self.folds = folds
        self.lines = []
        self.count = 0
        self.indent = 1

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text):
        self.lines.append("  " * self.indent + text)

    def pick(self, scope, type=None):
        choice = [v for v in scope["memrefs"] if type is None or v[1] == type]
        return self.rng.choice(choice) if choice else None

    # Each maker adds ops and puts what it makes into `scope`.

    def alloc(self, scope):
        type = self.rng.choice(TYPES)
        size = "%n" if "?" in type else ""
        op = self.rng.choice(["alloc", "alloc", "alloc", "alloca"])
        value = self.fresh()
        self.emit(f"{value} = memref.{op}({size}) : {type}")
        scope["memrefs"].append((value, type))

    def get_global(self, scope):
        value = self.fresh()
        name = self.rng.choice("gh")
        self.emit(f"{value} = memref.get_global @{name} : memref<4xf32>")
        scope["memrefs"].append((value, "memref<4xf32>"))

    def call(self, scope):
        operand = self.pick(scope, "memref<4xf32>")
        if not operand:
            return
        value = self.fresh()
        self.emit(f"{value}:2 = func.call @ext({operand[0]}) : (memref<4xf32>) -> "
                  "(memref<4xf32>, memref<?xf32>)")
        scope["memrefs"].append((f"{value}#0", "memref<4xf32>"))
        scope["memrefs"].append((f"{value}#1", "memref<?xf32>"))

    def cast(self, scope):
        source = self.pick(scope, "memref<4xf32>")
        if not source:
            return
        value = self.fresh()
        self.emit(f"{value} = memref.cast {source[0]} : memref<4xf32> to "
                  "memref<?xf32>")
        scope["memrefs"].append((value, "memref<?xf32>"))

    def subview(self, scope):
        source = self.pick(scope)
        if source[1] not in TYPES:
            return
        value = self.fresh()
        type = "memref<2xf32, strided<[1], offset: ?>>"
        self.emit(f"{value} = memref.subview {source[0]}[%n] [2] [1] : "
                  f"{source[1]} to {type}")
        scope["memrefs"].append((value, type))

    def select(self, scope):
        type = self.rng.choice(TYPES)
        first, second = self.pick(scope, type), self.pick(scope, type)
        if not first:
            return
        value = self.fresh()
        condition = self.rng.choice(scope["plain"])
        if first == second and not self.folds:
            return
        self.emit(f"{value} = arith.select {condition}, {first[0]}, "
                  f"{second[0]} : {type}")
        scope["memrefs"].append((value, type))

    def realloc(self, scope):
        source = self.pick(scope, "memref<4xf32>")
        if not source:
            return
        value = self.fresh()
        self.emit(f"{value} = memref.realloc {source[0]} : memref<4xf32> to "
                  "memref<8xf32>")
        scope["memrefs"].append((value, "memref<8xf32>"))

    def clone(self, scope):
        source = self.pick(scope)
        if source[1] not in TYPES:
            return
        value = self.fresh()
        self.emit(f"{value} = bufferization.clone {source[0]} : {source[1]} to "
                  f"{source[1]}")
        scope["memrefs"].append((value, source[1]))

    def metadata(self, scope):
        source = self.pick(scope)
        if source[1] == "memref<f32>":
            return
        value = self.fresh()
        self.emit(f"{value}, {value}o, {value}s, {value}t = "
                  f"memref.extract_strided_metadata {source[0]} : {source[1]} "
                  "-> memref<f32>, index, index, index")
        scope["memrefs"].append((value, "memref<f32>"))

    def distinct(self, scope):
        first, second = self.pick(scope), self.pick(scope)
        value = self.fresh()
        self.emit(f"{value}:2 = memref.distinct_objects {first[0]}, "
                  f"{second[0]} : {first[1]}, {second[1]}")
        scope["memrefs"].append((f"{value}#0", first[1]))
        scope["memrefs"].append((f"{value}#1", second[1]))

    def use(self, scope):
        value = self.pick(scope)
        other = self.pick(scope, value[1])
        self.emit(f"memref.copy {value[0]}, {other[0]} : {value[1]} to "
                  f"{value[1]}")

    def vanish(self, scope):
        """A value that folds away."""
        kind = self.rng.randrange(3)
        source = self.pick(scope, "memref<4xf32>")
        if not source:
            return
        value = self.fresh()
        if kind == 0:
            self.emit(f"{value}x = memref.cast {source[0]} : memref<4xf32> to "
                      "memref<?xf32>")
            self.emit(f"{value} = memref.cast {value}x : memref<?xf32> to "
                      "memref<4xf32>")
        else:
            other = self.pick(scope, "memref<4xf32>")
            condition = self.rng.choice(["%true", "%false"])
            self.emit(f"{value} = arith.select {condition}, {source[0]}, "
                      f"{other[0]} : memref<4xf32>")
        scope["memrefs"].append((value, "memref<4xf32>"))

    def dealloc(self, scope):
        rng = self.rng
        bias = rng.random()
        pool = scope["memrefs"][-8:] if bias < 0.5 else scope["memrefs"]
        freed = [rng.choice(pool) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4, 6]))]
        kept = [rng.choice(pool) for _ in range(rng.choice([0, 0, 1, 1, 2, 3, 4]))]
        if bias < 0.8:
            freed, kept = list(dict.fromkeys(freed)), list(dict.fromkeys(kept))
        conditions = [rng.choice(scope["conditions"]) for _ in freed]
        if bias > 0.7:
            conditions = [rng.choice(["%true", "%true", c]) for c in conditions]
        text = "bufferization.dealloc"
        if freed:
            text += (f" ({', '.join(v for v, _ in freed)} : "
                     f"{', '.join(t for _, t in freed)})"
                     f" if ({', '.join(conditions)})")
        if kept:
            text += (f" retain ({', '.join(v for v, _ in kept)} : "
                     f"{', '.join(t for _, t in kept)})")
            value = self.fresh()
            text = f"{value}:{len(kept)} = {text}"
            made = [f"{value}#{i}" for i in range(len(kept))]
            scope["conditions"] += made
            scope["made"] += made
        self.emit(text)

    def loop(self, scope, depth):
        values = [self.pick(scope, "memref<4xf32>") for _ in range(2)]
        if not values[0]:
            return
        result, first, second = self.fresh(), self.fresh(), self.fresh()
        self.emit(f"{result}:2 = scf.for %i{self.count} = %n to %m step %n "
                  f"iter_args({first} = {values[0][0]}, {second} = "
                  f"{values[1][0]}) -> (memref<4xf32>, memref<4xf32>) {{")
        inner = inside(scope)
        inner["memrefs"] += [(first, "memref<4xf32>"), (second, "memref<4xf32>")]
        self.body(inner, self.rng.randrange(5), depth + 1)
        self.finish(inner)
        yielded = self.rng.choice([
            [first, second], [first, second], [second, first],
            [self.pick(inner, "memref<4xf32>")[0], second]])
        self.indent += 1
        self.emit(f"scf.yield {', '.join(yielded)} : memref<4xf32>, "
                  "memref<4xf32>")
        self.indent -= 1
        self.emit("}")
        for i in range(2):
            scope["memrefs"].append((f"{result}#{i}", "memref<4xf32>"))

    def branch(self, scope, depth):
        type = self.rng.choice(TYPES)
        if not self.pick(scope, type):
            return
        result = self.fresh()
        condition = self.rng.choice(scope["plain"])
        self.emit(f"{result} = scf.if {condition} -> ({type}) {{")
        for arm in range(2):
            inner = inside(scope)
            self.body(inner, self.rng.randrange(3), depth + 1)
            self.finish(inner)
            self.indent += 1
            self.emit(f"scf.yield {self.pick(inner, type)[0]} : {type}")
            self.indent -= 1
            self.emit("} else {" if arm == 0 else "}")
        scope["memrefs"].append((result, type))

    def body(self, scope, length, depth):
        self.indent += 1
        simple = [self.alloc, self.alloc, self.alloc, self.get_global,
                  self.call, self.cast, self.subview, self.select, self.select,
                  self.realloc, self.clone, self.metadata, self.distinct,
                  self.use, self.use, self.dealloc, self.dealloc, self.dealloc]
        if self.folds:
            simple += [self.vanish, self.vanish, self.vanish]
        for _ in range(length):
            if depth < 3 and self.rng.random() < 0.15:
                self.rng.choice([self.loop, self.branch])(scope, depth)
            else:
                self.rng.choice(simple)(scope)
        self.indent -= 1

    def text(self):
        rng = self.rng
        arguments = [(f"%a{i}", rng.choice(TYPES)) for i in range(rng.randrange(1, 4))]
        scope = {"memrefs": list(arguments), "plain": ["%c", "%d"],
                 "conditions": ["%c", "%d", "%true", "%false"], "made": []}
        for name in ("true", "false"):
            self.emit(f"  %{name} = arith.constant {name}")
        self.body(scope, rng.randrange(1, 12), 0)
        shape = rng.randrange(4) if self.folds else rng.choice([0, 1, 3])
        if shape == 1:
            self.diamond(scope)
        elif shape == 2:
            self.unreachable(scope)
        self.finish(scope)
        header = ", ".join(f"{v}: {t}" for v, t in arguments)
        return "\n".join([f"func.func @{self.name}({header}, %c: i1, %d: i1, "
                          f"%n: index, %m: index) {{"] + self.lines + ["}"])

    def diamond(self, scope):
        type = self.rng.choice(TYPES)
        if not self.pick(scope, type):
            return
        argument = self.fresh()
        n = self.count
        self.emit(f"  cf.cond_br %c, ^left{n}, ^right{n}")
        for side in ("left", "right"):
            self.emit(f"^{side}{n}:")
            inner = inside(scope)
            self.body(inner, self.rng.randrange(4), 1)
            self.finish(inner)
            self.emit(f"  cf.br ^join{n}({self.pick(inner, type)[0]} : {type})")
        self.emit(f"^join{n}({argument}: {type}):")
        scope["memrefs"].append((argument, type))
        self.body(scope, self.rng.randrange(5), 1)

    def unreachable(self, scope):
        """A block that nothing reaches forwards a buffer to one that is."""
        type = self.rng.choice(TYPES)
        if not self.pick(scope, type):
            return
        argument = self.fresh()
        n = self.count
        self.emit(f"  cf.br ^join{n}({self.pick(scope, type)[0]} : {type})")
        self.emit(f"^dead{n}:")
        inner = inside(scope)
        self.body(inner, self.rng.randrange(4), 1)
        self.finish(inner)
        self.emit(f"  cf.br ^join{n}({self.pick(inner, type)[0]} : {type})")
        self.emit(f"^join{n}({argument}: {type}):")
        scope["memrefs"].append((argument, type))
        self.body(scope, self.rng.randrange(6), 1)

    def finish(self, scope):
        """Uses of most results, so that they are not dead."""
        used = [v for v in scope["made"] if self.rng.random() < 0.9]
        if used:
            types = ", ".join(["i1"] * len(used))
            self.emit(f"  \"test.use\"({', '.join(used)}) : ({types}) -> ()")
        if scope.get("nested"):
            return
        self.emit("  return")


def inside(scope):
    copy = {key: list(value) for key, value in scope.items() if key != "nested"}
    copy["made"] = []
    copy["nested"] = True
    return copy


def module(seed, folds):
    rng = random.Random(seed)
    parts = ["memref.global @g : memref<4xf32> = dense<0.0>",
             "memref.global @h : memref<4xf32> = dense<0.0>",
             "func.func private @ext(memref<4xf32>) -> "
             "(memref<4xf32>, memref<?xf32>)"]
    parts += [Function(rng, f"f{i}", folds).text() for i in range(1 if folds else 8)]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.stdout.write(module(int(sys.argv[1]), "--folds" in sys.argv))
