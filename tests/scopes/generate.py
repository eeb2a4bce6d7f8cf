"""Random programs on memrefs that print what they compute.

  generate.py SEED

Each is valid, and each fact that it states (memref.distinct_objects, distinct
objects with a region, alias scopes) is true whenever it is stated: buffers that
it takes for different are different ones. Functions are small enough to be
inlined; they are called in loops with their buffers swapped, return buffers that
come back as arguments, and free memory that is allocated again. Results of @rand
keep a compiler from computing everything by itself.
"""

import random
import sys

SIZE = 8
MEMREF = f"memref<{SIZE}xi64>"
VIEW = f"memref<4xi64, strided<[1], offset: ?>>"

PRINT = """
func.func private @rand() -> i32
func.func private @putchar(i32) -> i32
func.func @print(%v: i64) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %four = arith.constant 4 : i64
  %mask = arith.constant 15 : i64
  %letter = arith.constant 97 : i32
  %end = scf.for %i = %c0 to %c16 step %c1 iter_args(%rest = %v) -> (i64) {
    %digit = arith.andi %rest, %mask : i64
    %small = arith.trunci %digit : i64 to i32
    %char = arith.addi %small, %letter : i32
    %ignored = func.call @putchar(%char) : (i32) -> i32
    %next = arith.shrui %rest, %four : i64
    scf.yield %next : i64
  }
  %line = arith.constant 10 : i32
  %ignored = func.call @putchar(%line) : (i32) -> i32
  return
}
func.func @number() -> i64 {
  %r = func.call @rand() : () -> i32
  %w = arith.extsi %r : i32 to i64
  return %w : i64
}
"""



def one_of_two(result, p, q, c, v, name):
    """In one run only one of the two is touched: they may be the same."""
    return f"""
  {result} = lens.alias_domain_scope -> i64 {{
    {name}r = scf.if {c} -> i64 {{
      memref.store {v}, {q}[%c0] {{lens.alias = #lens.aliasing<
        alias_scopes = [#e0], noalias = [#e1]>}} : {MEMREF}
      scf.yield {v} : i64
    }} else {{
      {name}x = memref.load {p}[%c0] {{lens.alias = #lens.aliasing<
        alias_scopes = [#e1], noalias = [#e0]>}} : {MEMREF}
      {name}y = memref.load {p}[%c1] : {MEMREF}
      {name}z = arith.addi {name}x, {v} : i64
      {name}s = arith.addi {name}z, {name}y : i64
      scf.yield {name}s : i64
    }}
    lens.alias_domain_scope.return {name}r : i64
  }}"""


EITHER = f"""
func.func private @either(%p: {MEMREF}, %q: {MEMREF}, %c: i1, %v: i64) -> i64 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
{one_of_two("%r", "%p", "%q", "%c", "%v", "%e")}
  return %r : i64
}}
"""

DATA = (f'memref.global "private" @data : {MEMREF} = '
        "dense<[1, 2, 3, 4, 5, 6, 7, 8]>\n")
IDS = "".join(f"#e{i} = #lens.alias_scope<id = distinct[{9000 + i}]<>>\n"
              for i in range(2))


BOTH = f"""
func.func private @both(%p: {MEMREF}, %q: {MEMREF}, %c: i1, %v: i64) -> i64 {{
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : {MEMREF}
  memref.store %v, %a[%c0] : {MEMREF}
  %x = memref.load %p[%c0] : {MEMREF}
  memref.store %v, %q[%c0] : {MEMREF}
  %y = memref.load %p[%c0] : {MEMREF}
  %z = memref.load %a[%c0] : {MEMREF}
  %s = arith.muli %x, %y : i64
  %t = arith.addi %s, %z : i64
  return %t : i64
}}
"""


def called(name):
    return (f"    %s = func.call {name}(%p, %q, %c, %w) : ({MEMREF}, {MEMREF}, "
            "i1, i64) -> i64")


# One buffer under two names: stored to in some rounds of a loop and loaded from in
# others, by a function that may be inlined, or in the loop itself; or as two
# arguments.
TRAPS = {-1: called("@either"),
         -2: one_of_two("%s", "%p", "%q", "%c", "%w", "%e"),
         -3: called("@both")}


def trap(body):
    return IDS + PRINT + EITHER + BOTH + f"""
func.func @main() -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0 : i32
  %old = arith.constant 5 : i64
  %new = arith.constant 65 : i64
  %p = memref.alloc() : {MEMREF}
  %o = memref.alloc() : {MEMREF}
  memref.store %old, %p[%c0] : {MEMREF}
  memref.store %old, %p[%c1] : {MEMREF}
  memref.store %old, %o[%c0] : {MEMREF}
  memref.store %old, %o[%c1] : {MEMREF}
  %r = func.call @rand() : () -> i32
  %always = arith.cmpi sge, %r, %none : i32
  %q = arith.select %always, %p, %o : {MEMREF}
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%w = %new) -> (i64) {{
    %c = arith.cmpi ult, %i, %c2 : index
{body}
    scf.yield %s : i64
  }}
  func.call @print(%end) : (i64) -> ()
  return %none : i32
}}
"""


class Scope:
    """What may be used here. `apart` are groups of names that are different
    buffers from each other, whatever comes."""

    def __init__(self, memrefs=(), apart=(), inside=None):
        self.memrefs = list(memrefs)
        self.apart = [list(group) for group in apart]
        # In a domain: scopes by the rest of the index divided by two.
        self.inside = inside

    def copy(self):
        return Scope(self.memrefs, self.apart, self.inside)


class Generator:

    def __init__(self, seed):
        self.rng = random.Random(f"scopes/{seed}")
        # Past the names of constants, such as %c2.
        self.lines, self.count, self.scopes = [], 100, 0
        self.budget, self.may_use_stack = 0, True

    def fresh(self, hint="v"):
        self.count += 1
        return f"%{hint}{self.count}"

    def emit(self, depth, text):
        self.lines.append("  " * depth + text)

    def chance(self, probability):
        return self.rng.random() < probability

    #===--- Program ---===#

    def program(self):
        self.functions = []
        for number in range(self.rng.randint(2, 4)):
            self.function(number)
        self.main()
        text = "\n".join(self.lines) + "\n"
        attributes = "".join(
            f'#s{i} = #lens.alias_scope<id = distinct[{i}]<>, '
            f'description = "s{i}">\n' for i in range(self.scopes))
        return attributes + IDS + DATA + PRINT + EITHER + text

    def function(self, number):
        """Its buffers are different ones if `apart`; else any."""
        apart = self.chance(0.6)
        returns = self.chance(0.4)
        name = f"@f{number}"
        result = f"(i64, {MEMREF})" if returns else "i64"
        visibility = "private " if self.chance(0.6) else ""
        self.emit(0, f"func.func {visibility}{name}(%p: {MEMREF}, "
                     f"%q: {MEMREF}, %seed: i64, %n: index) -> {result} {{")
        self.constants()
        scope = Scope(["%p", "%q"], [["%p", "%q"]] if apart else [])
        self.budget = self.rng.randint(6, 18)
        self.may_use_stack = not returns
        end = self.body(1, scope, "%seed")
        if not returns and self.chance(0.3):
            end = self.again(name, scope, end, apart)
        if returns:
            buffer = self.rng.choice(scope.memrefs)
            self.emit(1, f"return {end}, {buffer} : i64, {MEMREF}")
        else:
            self.emit(1, f"return {end} : i64")
        self.emit(0, "}")
        self.functions.append((name, apart, returns))

    def again(self, name, scope, value, apart):
        """Calls itself at its end, with buffers that may be new."""
        pair = self.pair(scope) if apart else [self.rng.choice(scope.memrefs)
                                               for _ in range(2)]
        result, flag, less = self.fresh("r"), self.fresh("c"), self.fresh("n")
        called = self.fresh("r")
        self.emit(1, f"{flag} = arith.cmpi ugt, %n, %c0 : index")
        self.emit(1, f"{result} = scf.if {flag} -> (i64) {{")
        self.emit(2, f"{less} = arith.subi %n, %c1 : index")
        self.emit(2, f"{called} = func.call {name}({pair[0]}, {pair[1]}, {value}, "
                     f"{less}) : ({MEMREF}, {MEMREF}, i64, index) -> i64")
        self.emit(2, f"scf.yield {called} : i64")
        self.emit(1, "} else {")
        self.emit(2, f"scf.yield {value} : i64")
        self.emit(1, "}")
        return result

    def constants(self):
        for name, value in (("c0", 0), ("c1", 1), ("c2", 2), ("size", SIZE)):
            self.emit(1, f"%{name} = arith.constant {value} : index")
        self.emit(1, "%k = arith.constant 31 : i64")
        self.emit(1, "%even = arith.constant 6 : i64")
        self.emit(1, "%odd = arith.constant 1 : i64")
        self.emit(1, "%low = arith.constant 7 : i64")

    def main(self):
        self.emit(0, "func.func @main() -> i32 {")
        self.constants()
        self.emit(1, "%n = arith.constant 3 : index")
        self.may_use_stack = True
        for _ in range(3):
            seed = self.fresh("s")
            self.emit(1, f"{seed} = func.call @number() : () -> i64")
            scope = Scope()
            for _ in range(3):
                self.allocate(1, scope, seed)
            self.budget = 12
            end = self.body(1, scope, seed)
            self.emit(1, f"func.call @print({end}) : (i64) -> ()")
            # Wrong values in memory show too.
            for buffer in scope.memrefs:
                end = self.digest(1, buffer, end)
            self.emit(1, f"func.call @print({end}) : (i64) -> ()")
        self.emit(1, "%zero = arith.constant 0 : i32")
        self.emit(1, "return %zero : i32")
        self.emit(0, "}")

    #===--- Statements; each returns the value computed so far ---===#

    def body(self, depth, scope, value):
        for _ in range(self.rng.randint(2, 5)):
            if self.budget <= 0:
                break
            self.budget -= 1
            value = self.statement(depth, scope, value)
        return value

    def statement(self, depth, scope, value):
        kinds = [(self.load, 6), (self.store, 6), (self.mixed, 5)]
        if depth < 4:
            kinds += [(self.branch, 1.5), (self.loop, 2.5)]
            if scope.inside is None:
                kinds += [(self.domain, 2), (self.objects, 2)]
        if scope.inside is None:
            kinds += [(self.new, 1.5), (self.distinct, 2), (self.choose, 1.5),
                      (self.reuse, 1), (self.view, 1), (self.copy, 1),
                      (self.global_, 1)]
            kinds += [(self.either, 2), (self.switch, 1), (self.while_, 1.5)]
            if self.functions:
                kinds += [(self.call, 3)]
        makers, weights = zip(*kinds)
        if not scope.memrefs:
            return self.new(depth, scope, value)
        return self.rng.choices(makers, weights)[0](depth, scope, value)

    def join(self, depth, value, other):
        product, total = self.fresh(), self.fresh()
        self.emit(depth, f"{product} = arith.muli {value}, %k : i64")
        self.emit(depth, f"{total} = arith.addi {product}, {other} : i64")
        return total

    def index(self, depth, scope, value, parity):
        """In bounds; in a domain even or odd."""
        masked = self.fresh("m")
        mask = "%low" if scope.inside is None else "%even"
        self.emit(depth, f"{masked} = arith.andi {value}, {mask} : i64")
        if scope.inside is not None and parity:
            odd = self.fresh("m")
            self.emit(depth, f"{odd} = arith.ori {masked}, %odd : i64")
            masked = odd
        if scope.inside is None and self.chance(0.5):
            return self.rng.choice(["%c0", "%c1", "%c2"])
        index = self.fresh("i")
        self.emit(depth, f"{index} = arith.index_cast {masked} : i64 to index")
        return index

    def aliasing(self, scope, parity):
        if scope.inside is None or self.chance(0.1):
            return ""
        mine, other = scope.inside[parity], scope.inside[1 - parity]
        return (f" {{lens.alias = #lens.aliasing<alias_scopes = [#s{mine}], "
                f"noalias = [#s{other}]>}}")

    def load(self, depth, scope, value):
        parity = self.rng.randrange(2)
        index = self.index(depth, scope, value, parity)
        loaded = self.fresh("l")
        self.emit(depth, f"{loaded} = memref.load "
                         f"{self.rng.choice(scope.memrefs)}[{index}]"
                         f"{self.aliasing(scope, parity)} : {MEMREF}")
        return self.join(depth, value, loaded)

    def store(self, depth, scope, value):
        parity = self.rng.randrange(2)
        index = self.index(depth, scope, value, parity)
        self.emit(depth, f"memref.store {value}, "
                         f"{self.rng.choice(scope.memrefs)}[{index}]"
                         f"{self.aliasing(scope, parity)} : {MEMREF}")
        return value

    def mixed(self, depth, scope, value):
        """A load, a store to another buffer, the load again."""
        place = self.rng.choice(["%c0", "%c1", "%c2"])
        if scope.inside is not None:
            return self.store(depth, scope, self.load(depth, scope, value))
        first, second = (self.rng.choice(scope.memrefs) for _ in range(2))
        before, after = self.fresh("l"), self.fresh("l")
        self.emit(depth, f"{before} = memref.load {first}[{place}] : {MEMREF}")
        value = self.join(depth, value, before)
        self.emit(depth, f"memref.store {value}, {second}[{place}] : {MEMREF}")
        self.emit(depth, f"{after} = memref.load {first}[{place}] : {MEMREF}")
        return self.join(depth, value, after)

    def allocate(self, depth, scope, value):
        buffer = self.fresh("a")
        aligned = " {alignment = 64 : i64}" if self.chance(0.3) else ""
        on_stack = depth == 1 and self.may_use_stack and self.chance(0.2)
        kind = "alloca" if on_stack else "alloc"
        self.emit(depth, f"{buffer} = memref.{kind}(){aligned} : {MEMREF}")
        self.emit(depth, f"scf.for %x = %c0 to %size step %c1 {{")
        self.emit(depth + 1, f"memref.store {value}, {buffer}[%x] : {MEMREF}")
        self.emit(depth, "}")
        # What is new is none of what there is.
        scope.apart += [[buffer, other] for other in scope.memrefs]
        scope.memrefs.append(buffer)
        return buffer, kind

    def new(self, depth, scope, value):
        self.allocate(depth, scope, value)
        return value

    def reuse(self, depth, scope, value):
        """Memory that is freed, and perhaps allocated again at once."""
        inner = scope.copy()
        buffer, kind = self.allocate(depth, inner, value)
        value = self.mixed(depth, inner, value)
        value = self.digest(depth, buffer, value)
        if kind == "alloc":
            self.emit(depth, f"memref.dealloc {buffer} : {MEMREF}")
        self.allocate(depth, scope, value)
        return self.mixed(depth, scope, value)

    def digest(self, depth, buffer, value):
        end, at, loaded = self.fresh("d"), self.fresh("t"), self.fresh("l")
        self.emit(depth, f"{end} = scf.for %x = %c0 to %size step %c1 "
                         f"iter_args({at} = {value}) -> (i64) {{")
        self.emit(depth + 1, f"{loaded} = memref.load {buffer}[%x] : {MEMREF}")
        total = self.join(depth + 1, at, loaded)
        self.emit(depth + 1, f"scf.yield {total} : i64")
        self.emit(depth, "}")
        return end

    def global_(self, depth, scope, value):
        buffer = self.fresh("g")
        self.emit(depth, f"{buffer} = memref.get_global @data : {MEMREF}")
        scope.memrefs.append(buffer)
        return self.mixed(depth, scope, value)

    def copy(self, depth, scope, value):
        first, second = (self.rng.choice(scope.memrefs) for _ in range(2))
        # Of one buffer to itself is undefined.
        if not any(first in group and second in group for group in scope.apart):
            return value
        self.emit(depth, f"memref.copy {first}, {second} : {MEMREF} to {MEMREF}")
        return self.mixed(depth, scope, value)

    def view(self, depth, scope, value):
        buffer, view = self.rng.choice(scope.memrefs), self.fresh("w")
        loaded, offset = self.fresh("l"), self.rng.choice(["%c0", "%c1", "%c2"])
        self.emit(depth, f"{view} = memref.subview {buffer}[{offset}] [4] [1] : "
                         f"{MEMREF} to {VIEW}")
        value = self.mixed(depth, scope, value)
        self.emit(depth, f"memref.store {value}, {view}[%c0] : {VIEW}")
        value = self.mixed(depth, scope, value)
        self.emit(depth, f"{loaded} = memref.load {view}[%c1] : {VIEW}")
        return self.join(depth, value, loaded)

    def condition(self, depth, value):
        bit, zero, flag = self.fresh("b"), self.fresh("z"), self.fresh("c")
        self.emit(depth, f"{bit} = arith.andi {value}, %odd : i64")
        self.emit(depth, f"{zero} = arith.constant 0 : i64")
        self.emit(depth, f"{flag} = arith.cmpi ne, {bit}, {zero} : i64")
        return flag

    def choose(self, depth, scope, value):
        flag, buffer = self.condition(depth, value), self.fresh("o")
        first, second = (self.rng.choice(scope.memrefs) for _ in range(2))
        self.emit(depth, f"{buffer} = arith.select {flag}, {first}, {second} : "
                         f"{MEMREF}")
        scope.memrefs.append(buffer)
        for group in list(scope.apart):
            for name in group:
                if name not in (first, second) and all(
                        any(name in other and side in other
                            for other in scope.apart)
                        for side in (first, second)):
                    scope.apart.append([buffer, name])
        return self.mixed(depth, scope, value)

    #===--- Facts ---===#

    def pair(self, scope):
        pairs = [group for group in scope.apart
                 if all(name in scope.memrefs for name in group)]
        return self.rng.sample(self.rng.choice(pairs), 2) if pairs else None

    def distinct(self, depth, scope, value):
        pair = self.pair(scope)
        if not pair:
            return self.new(depth, scope, value)
        first, second = self.fresh("x"), self.fresh("x")
        self.emit(depth, f"{first}, {second} = memref.distinct_objects "
                         f"{pair[0]}, {pair[1]} : {MEMREF}, {MEMREF}")
        scope.memrefs += [first, second]
        scope.apart.append([first, second])
        for _ in range(2):
            value = self.mixed(depth, Scope([first, second]), value)
        return value

    def objects(self, depth, scope, value):
        pair = self.pair(scope)
        if not pair:
            return self.new(depth, scope, value)
        result, first, second = self.fresh("r"), self.fresh("x"), self.fresh("x")
        hands = self.chance(0.3)
        others = [name for name in scope.memrefs
                  if name not in pair and all(any(name in group and object in group
                             for group in scope.apart) for object in pair)]
        none = ""
        if others and self.chance(0.7):
            none = f" none_are({others[0]} : {MEMREF})"
        types = f"(i64, {MEMREF})" if hands else "i64"
        names = f"{result}:2" if hands else result
        self.emit(depth, f"{names} = lens.distinct_objects({pair[0]}, {pair[1]} : "
                         f"{MEMREF}, {MEMREF}){none} -> {types} {{")
        self.emit(depth, f"^bb0({first}: {MEMREF}, {second}: {MEMREF}):")
        inner = Scope([first, second] + (others[:1] if none else []),
                      [[first, second]])
        end = self.body(depth + 1, inner, value)
        chosen = self.rng.choice(inner.memrefs)
        self.emit(depth + 1, f"lens.yield {end}, {chosen} : i64, {MEMREF}"
                  if hands else f"lens.yield {end} : i64")
        self.emit(depth, "}")
        if hands:
            scope.memrefs.append(f"{result}#1")
        return f"{result}#0" if hands else result

    def domain(self, depth, scope, value):
        """Two halves of the same buffers: even places and odd ones."""
        result = self.fresh("r")
        self.scopes += 2
        inner = Scope(scope.memrefs, scope.apart,
                      inside=(self.scopes - 2, self.scopes - 1))
        self.emit(depth, f"{result} = lens.alias_domain_scope -> i64 {{")
        end = self.body(depth + 1, inner, value)
        self.emit(depth + 1, f"lens.alias_domain_scope.return {end} : i64")
        self.emit(depth, "}")
        return result

    #===--- Control flow ---===#

    def branch(self, depth, scope, value):
        flag, result = self.condition(depth, value), self.fresh("r")
        self.emit(depth, f"{result} = scf.if {flag} -> (i64) {{")
        for number in range(2):
            end = self.body(depth + 1, scope.copy(), value)
            self.emit(depth + 1, f"scf.yield {end} : i64")
            self.emit(depth, "} else {" if number == 0 else "}")
        return result

    def loop(self, depth, scope, value):
        """Carries two buffers, which change places or are made anew."""
        pair = self.pair(scope)
        buffers = pair or [self.rng.choice(scope.memrefs) for _ in range(2)]
        inits, names = [value] + buffers, [self.fresh("t") for _ in range(3)]
        result = self.fresh("r")
        carried = ", ".join(f"{n} = {i}" for n, i in zip(names, inits))
        types = f"i64, {MEMREF}, {MEMREF}"
        self.emit(depth, f"{result}:3 = scf.for {self.fresh('n')} = %c0 to %n "
                         f"step %c1 iter_args({carried}) -> ({types}) {{")
        inner = Scope(scope.memrefs + names[1:], [], scope.inside)
        mode = self.rng.choice(["swap", "keep", "new"])
        if pair and mode != "new":
            inner.apart = [names[1:]]
        end = self.body(depth + 1, inner, names[0])
        following = {"swap": [names[2], names[1]], "keep": names[1:],
                     "new": [names[2], names[1]]}[mode]
        if mode == "new" and scope.inside is None:
            made, _ = self.allocate(depth + 1, inner, end)
            following = [made, names[1]]
        self.emit(depth + 1, f"scf.yield {end}, {', '.join(following)} : {types}")
        self.emit(depth, "}")
        if scope.inside is None:
            scope.memrefs += [f"{result}#1", f"{result}#2"]
        return f"{result}#0"

    def switch(self, depth, scope, value):
        """One buffer of several, or a new one."""
        result, index = self.fresh("r"), self.fresh("i")
        self.emit(depth, f"{index} = arith.index_cast {value} : i64 to index")
        low, two = self.fresh("i"), "%c2"
        self.emit(depth, f"{low} = arith.remui {index}, {two} : index")
        self.emit(depth, f"{result} = scf.index_switch {low} -> {MEMREF}")
        for case in ("case 0", "default"):
            self.emit(depth, f"{case} {{")
            inner = scope.copy()
            if self.chance(0.4):
                chosen, _ = self.allocate(depth + 1, inner, value)
            else:
                chosen = self.rng.choice(scope.memrefs)
            self.emit(depth + 1, f"scf.yield {chosen} : {MEMREF}")
            self.emit(depth, "}")
        scope.memrefs.append(result)
        return self.mixed(depth, scope, value)

    def while_(self, depth, scope, value):
        """Carries a number and two buffers through both of its regions."""
        first, second = self.pair(scope) or [self.rng.choice(scope.memrefs)
                                             for _ in range(2)]
        result, flag, count, more = (self.fresh(hint) for hint in "rcnn")
        before = [self.fresh("t") for _ in range(4)]
        after = [self.fresh("t") for _ in range(4)]
        inits = [value, "%c0", first, second]
        types = f"i64, index, {MEMREF}, {MEMREF}"
        carried = ", ".join(f"{n} = {i}" for n, i in zip(before, inits))
        self.emit(depth, f"{result}:4 = scf.while ({carried}) : ({types}) -> "
                         f"({types}) {{")
        self.emit(depth + 1, f"{flag} = arith.cmpi ult, {before[1]}, %n : index")
        inner = Scope(scope.memrefs + before[2:], inside=scope.inside)
        end = self.mixed(depth + 1, inner, before[0])
        handed = [end, before[1], before[3], before[2]]
        self.emit(depth + 1, f"scf.condition({flag}) {', '.join(handed)} : "
                             f"{types}")
        listed = ", ".join(f"{n}: {t}" for n, t in zip(
            after, ["i64", "index", MEMREF, MEMREF]))
        self.emit(depth, "} do {")
        self.emit(depth, f"^bb0({listed}):")
        self.emit(depth + 1, f"{more} = arith.addi {after[1]}, %c1 : index")
        inner = Scope(scope.memrefs + after[2:], inside=scope.inside)
        end = self.body(depth + 1, inner, after[0])
        handed = [end, more] + [self.rng.choice(inner.memrefs), after[3]]
        self.emit(depth + 1, f"scf.yield {', '.join(handed)} : {types}")
        self.emit(depth, "}")
        scope.memrefs += [f"{result}#2", f"{result}#3"]
        return f"{result}#0"

    def either(self, depth, scope, value):
        """Stores to a buffer in some rounds and loads from it in others."""
        first, second, third = (self.rng.choice(scope.memrefs)
                                for _ in range(3))
        flag, buffer = self.condition(depth, value), self.fresh("o")
        self.emit(depth, f"{buffer} = arith.select {flag}, {first}, {second} : "
                         f"{MEMREF}")
        result, at, now = self.fresh("r"), self.fresh("t"), self.fresh("c")
        got, round = self.fresh("r"), self.fresh("n")
        self.emit(depth, f"{result} = scf.for {round} = %c0 to %n step %c1 "
                         f"iter_args({at} = {value}) -> (i64) {{")
        self.emit(depth + 1, f"{now} = arith.cmpi "
                             f"{self.rng.choice(['ult', 'uge', 'eq'])}, {round}, "
                             "%c1 : index")
        other = self.rng.choice([first, third])
        if self.chance(0.5):
            self.emit(0, one_of_two(got, other, buffer, now, at, self.fresh("e")))
        else:
            self.emit(depth + 1, f"{got} = func.call @either({other}, {buffer}, "
                                 f"{now}, {at}) : ({MEMREF}, {MEMREF}, i1, i64) "
                                 "-> i64")
        total = self.join(depth + 1, at, got)
        self.emit(depth + 1, f"scf.yield {total} : i64")
        self.emit(depth, "}")
        return result

    def call(self, depth, scope, value):
        name, apart, returns = self.rng.choice(self.functions)
        pair = self.pair(scope)
        if apart and not pair:
            return self.new(depth, scope, value)
        pair = pair if apart else [self.rng.choice(scope.memrefs)
                                   for _ in range(2)]
        result = self.fresh("r")
        for number in range(self.rng.choice([1, 2])):
            # The second time with the buffers in the other order.
            first, second = pair if number == 0 else reversed(pair)
            result = self.fresh("r")
            types = f"({MEMREF}, {MEMREF}, i64, index)"
            left = f"{result}:2" if returns else result
            to = f"(i64, {MEMREF})" if returns else "i64"
            self.emit(depth, f"{left} = func.call {name}({first}, {second}, "
                             f"{value}, %c2) : {types} -> {to}")
            value = f"{result}#0" if returns else result
        if returns:
            scope.memrefs.append(f"{result}#1")
        return value


def generate(seed):
    """Negative seeds: programs that wrong scopes surely spoil."""
    return trap(TRAPS[seed]) if seed < 0 else Generator(seed).program()


if __name__ == "__main__":
    sys.stdout.write(generate(int(sys.argv[1])))
