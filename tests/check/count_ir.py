"""Counts in a program that mlir-opt printed in its generic form: what
`memref-lens check` says of remedies that it tried, found out once more.
"""

import math
import re

OP = re.compile(r"^\s*(?:(%[^=]*?) = )?\"([\w.]+)\"\(([^)]*)\)(.*)$")
BLOCK = re.compile(r"^\s*(\^\w+)(?:\((.*)\))?:")
SUCCESSORS = re.compile(r"^\[([^\]]*)\]")
SEGMENTS = re.compile(r"operandSegmentSizes = array<i32: ([\d, ]+)>")
LOOPS = {"scf.for", "scf.while", "scf.parallel", "scf.forall", "affine.for",
         "affine.parallel"}
YIELDED = {"scf.for", "scf.if", "scf.execute_region", "scf.index_switch"}
MAKERS = {"memref.alloc", "bufferization.clone"}
FOR_FREE = {"memref.extract_strided_metadata",
            "memref.extract_aligned_pointer_as_index"}


class Op:

    def __init__(self, name, results, operands, rest, position, parents):
        self.name, self.results, self.operands = name, results, operands
        self.rest, self.position, self.parents = rest, position, parents
        self.last = position
        # Types behind the last colon that is in no parentheses or brackets.
        self.result_types = types_behind_arrow(rest)


class Function:

    def __init__(self, name, rest):
        self.name, self.rest = name, rest
        self.ops, self.users, self.definition = [], {}, {}
        # By the op around and the label: arguments and their types.
        self.blocks = {}
        self.module = {"asked": []}

    def ownership_types(self):
        """Its i1 results."""
        signature = self.rest.split("function_type = ")[1]
        return types_behind_arrow(signature, of_type=True).count("i1")


def split_types(text):
    """Comma-separated types; commas within brackets do not count."""
    parts, depth, current = [], 0, ""
    for index, letter in enumerate(text):
        # The arrow of a function or a map closes nothing.
        arrow = letter == ">" and index > 0 and text[index - 1] == "-"
        depth += (letter in "<([{") - (letter in ">)]}" and not arrow)
        if depth < 0:
            break
        if letter == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += letter
    if current.strip():
        parts.append(current.strip())
    return parts


def types_behind_arrow(text, of_type=False):
    """Of an op's trailing type `(...) -> T` or `(...) -> (T, T)`; the first
    arrow outside of brackets for a function's own type."""
    if of_type:
        depth, at = 0, -1
        for index, letter in enumerate(text):
            arrow = text[index:index + 2] == "->"
            if arrow and depth == 0:
                at = index + 2
                break
            depth += (letter in "<([{") - (letter in ">)]}" and
                      text[index - 1] != "-")
        if at < 0:
            return []
        tail = text[at:].strip()
    else:
        at = text.rfind(") -> ")
        if at < 0:
            return []
        tail = text[at + 5:].strip()
    if tail.startswith("("):
        return split_types(tail[1:])
    return split_types(tail)[:1]


class Reader:
    """Ops of the functions of a module, with values told apart by scope."""

    def __init__(self, text):
        self.functions, self.scopes, self.stack = [], [{}], []
        self.current, self.fresh, self.position = None, 0, 0
        for line in text.splitlines():
            self.take(line)

    def define(self, name):
        self.fresh += 1
        self.scopes[-1][name] = self.fresh
        return self.fresh

    def resolve(self, name):
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return self.define(name)

    def take(self, line):
        stripped = line.strip()
        if stripped.startswith("}, {"):
            self.scopes[-1] = {}
            return
        if stripped.startswith("})"):
            self.scopes.pop()
            op = self.stack.pop()
            if isinstance(op, Op):
                op.last = self.position - 1
                op.result_types = types_behind_arrow(stripped)
                # Results are seen only behind the regions.
                self.bind(op)
            elif op is not None:
                self.current = None
            return
        block = BLOCK.match(line)
        if block:
            numbers = [self.define(argument)
                       for argument in re.findall(r"(%\w+):", block[2] or "")]
            types = split_types(re.sub(r"%\w+: ", "", block[2] or "") + ")")
            if self.current is not None:
                self.current.blocks[id(self.stack[-1]), block[1]] = (numbers, types)
            return
        match = OP.match(line)
        if match:
            self.take_op(line, match)

    def bind(self, op):
        numbers = []
        for name in op.names:
            base, _, count = name.partition(":")
            if count:
                numbers += [self.define(f"{base}#{i}")
                            for i in range(int(count))]
            else:
                numbers.append(self.define(base))
        op.results = numbers
        for number in numbers:
            self.current.definition[number] = op

    def take_op(self, line, match):
        opens = line.rstrip().endswith("({")
        names, name, operands, rest = match.groups()
        if self.current is None:
            entry = None
            if name == "func.func":
                symbol = re.search(r'sym_name = "([^"]*)"', rest)[1]
                entry = Function(symbol, rest)
                if opens:
                    self.functions.append(entry)
                    self.current, self.position = entry, 1
            if opens:
                self.stack.append(entry)
                self.scopes.append({})
            return
        parents = [op for op in self.stack if isinstance(op, Op)]
        values = [self.resolve(value.strip())
                  for value in operands.split(",") if value.strip()]
        op = Op(name, [], values, rest, self.position, parents)
        op.around = id(self.stack[-1])
        op.names = [part.strip() for part in names.split(",")] if names else []
        self.position += 1
        self.current.ops.append(op)
        for value in values:
            self.current.users.setdefault(value, []).append(op)
        if opens:
            self.stack.append(op)
            self.scopes.append({})
        else:
            self.bind(op)


def bytes_of(type):
    """Size of a static memref of plain elements without a layout, else None."""
    type, isComplex = re.subn(r"complex<(\w+)>", r"\1", type)
    match = re.fullmatch(r"memref<((?:\d+x)*)(index|i\d+|f\d+|bf16)"
                         r"(?:, \d+(?: : \w+)?)?>", type)
    if not match:
        return None
    count = 1
    for size in re.findall(r"\d+", match[1]):
        count *= int(size)
    bits = 64 if match[2] == "index" else int(re.search(r"\d+", match[2])[0])
    return count * ((bits + 7) // 8) * (2 if isComplex else 1)


def is_list_for_helper(function, value):
    """Whether the lowering of a dealloc made it, for dealloc_helper to fill."""
    def is_call(op):
        return op.name == "func.call" and "callee = @dealloc_helper" in op.rest
    return any(is_call(user) or user.name == "memref.cast" and
               any(is_call(other)
                   for other in function.users.get(user.results[0], []))
               for user in function.users.get(value, []))


# Ops behind whose results uses may come that no pass sees.
LEAVING = {"bufferization.to_tensor", "builtin.unrealized_conversion_cast"}


def leaves(function, user, quiet):
    """Whether what the op makes of a buffer leaves what can be followed."""
    followers = [other for result in user.results
                 for other in function.users.get(result, [])]
    if user.name in LEAVING and followers:
        return True
    if user.name == "memref.extract_aligned_pointer_as_index" and any(
            other.name != "arith.cmpi" and not (
                other.name == "memref.store" and
                is_list_for_helper(function, other.operands[1]))
            for other in followers):
        return True
    if any(parent.name == "async.execute" for parent in user.parents):
        return True
    if user.name == "func.call" and callee(user) in quiet:
        return False
    if any("token" in type or type.startswith(("!", "tensor<"))
           for type in user.result_types):
        return True
    return user.name == "func.call" and bool(followers) and any(
        type in ("index", "i64") for type in user.result_types)


def callee(call):
    return re.search(r'callee = @"?([^",}]+)', call.rest)[1]


def takes_buffer(op):
    return "memref<" in op.rest.rsplit(" : (", 1)[-1].split(") -> ")[0]


def quiet_functions(functions):
    """Those whose ops, and callees, keep all buffers where they can be followed:
    a number that one of them returns is no address."""
    quiet, grown = set(), True
    while grown:
        grown = [function.name for function in functions
                 if function.name not in quiet and function.ops and
                 not any(leaves(function, op, quiet) or
                         op.name == "memref.store" and " : (memref<" in op.rest
                         for op in function.ops if takes_buffer(op))]
        quiet.update(grown)
    return quiet


def escapes(function, users, buffers, quiet):
    """Whether a buffer leaves what can be followed."""
    return any(leaves(function, user, quiet) or
               user.name == "memref.store" and user.operands[0] in buffers
               for user in users)


def passed_on(function, user, value):
    """The results and arguments, with types, that are the value behind the op."""
    if user.name == "scf.yield" and user.parents[-1].name in YIELDED:
        around = user.parents[-1]
        return [(result, type) for yielded, result, type in
                zip(user.operands, around.results, around.result_types)
                if yielded == value]
    successors = SUCCESSORS.match(user.rest)
    if not successors or not user.name.startswith("cf."):
        return list(zip(user.results, user.result_types))
    segments = SEGMENTS.search(user.rest)
    sizes = (list(map(int, segments[1].split(",")))[1:] if segments
             else [len(user.operands)])
    first = len(user.operands) - sum(sizes)
    found = []
    for label, size in zip(successors[1].split(", "), sizes):
        arguments = zip(*function.blocks[user.around, label])
        found += [pair for given, pair in
                  zip(user.operands[first:first + size], arguments) if given == value]
        first += size
    return found


def returned_by_callee(function, call, value):
    """The results that may be the value, as far as the callee's text tells."""
    target = function.module.get(callee(call))
    if not target or not target.ops or target in function.module["asked"]:
        return []
    function.module["asked"].append(target)
    # The entry block is read first.
    arguments, _ = next(iter(target.blocks.values()), ([], []))
    found = []
    for number, operand in enumerate(call.operands):
        if operand != value or number >= len(arguments):
            continue
        buffers = family(target, arguments[number])[2]
        for op in target.ops:
            if op.name == "func.return":
                found += [pair for pair, returned in
                          zip(zip(call.results, call.result_types), op.operands)
                          if returned in buffers]
    function.module["asked"].pop()
    return found


def family(function, value):
    """The ops that use a buffer or what is made of it; its frees."""
    pending, seen, users, frees = [value], {value}, [], []
    while pending:
        value = pending.pop()
        for user in function.users.get(value, []):
            if user.name == "memref.dealloc":
                frees.append(user)
                continue
            users.append(user)
            if user.name in MAKERS:
                continue
            flows = returned_by_callee if user.name == "func.call" else passed_on
            for result, type in flows(function, user, value):
                if type.startswith("memref<") and result not in seen:
                    seen.add(result)
                    pending.append(result)
    return users, frees, seen


def is_handed_on(user):
    """A loop takes the value from round to round."""
    return user.name in LOOPS or \
        user.name in ("scf.yield", "scf.condition", "affine.yield") and \
        user.parents[-1].name in LOOPS


def end_of_use(user, maker):
    """A loop that the buffer comes into from outside may use it in each round."""
    around = [parent for parent in user.parents
              if parent.name in LOOPS and parent not in maker.parents]
    return around[0].last if around else user.last


def constant(function, value):
    """Nothing if it is none."""
    op = function.definition.get(value)
    found = re.search(r"value = (-?\d+) : (?:index|i\d+)", op.rest) \
        if op and op.name == "arith.constant" else None
    return int(found[1]) if found else None


def numbers(op, name):
    """Of an attribute; nothing where one is only known at run time."""
    found = re.search(name + r" = array<i64(?:: ([-\d, ]+))?>", op.rest)
    values = [int(one) for one in (found[1] or "").split(",") if one.strip()] \
        if found else []
    return None if -2 ** 63 in values else values


def rounds(function, loop):
    """Of a loop with constant bounds; of others, one."""
    if loop.name in ("scf.for", "scf.parallel"):
        count = 1 if loop.name == "scf.for" else \
            int(SEGMENTS.search(loop.rest)[1].split(",")[0])
        bounds = [constant(function, value) for value in loop.operands[:3 * count]]
        lows, highs, steps = (bounds[i * count:(i + 1) * count] for i in range(3))
    elif loop.name == "scf.forall":
        lows, highs, steps = (numbers(loop, f"static{word}") for word in
                              ("LowerBound", "UpperBound", "Step"))
    elif loop.name == "affine.for":
        maps = [re.search(rf"{word}BoundMap = affine_map<\(.*?\)(?:\[.*?\])? -> "
                          r"\((-?\d+)\)>", loop.rest) for word in ("lower", "upper")]
        step = re.search(r"step = (\d+) : index", loop.rest)
        lows, highs = ([int(found[1]) if found else None] for found in maps)
        steps = [int(step[1]) if step else None]
    else:
        return 1
    if None in (lows, highs, steps) or None in lows + highs + steps:
        return 1
    product = 1
    for low, high, step in zip(lows, highs, steps):
        product *= max(0, -(-(high - low) // step))
    return product


def count_function(function, quiet):
    found = dict.fromkeys(("clones", "unconditional clones", "run-time alias checks",
                           "dealloc_helper calls", "of these in loops",
                           "memref.copy", "memref.alloc", "late deallocs",
                           "allocations in loops", "allocations in a call",
                           "peak"), 0)
    makers = []
    for op in function.ops:
        costs = None
        if op.name == "memref.alloc":
            if not is_list_for_helper(function, op.results[0]):
                loops = [parent for parent in op.parents if parent.name in LOOPS]
                found["memref.alloc"] += 1
                found["allocations in loops"] += bool(loops)
                found["allocations in a call"] += math.prod(
                    rounds(function, loop) for loop in loops)
        elif op.name == "memref.copy":
            found["memref.copy"] += 1
        elif op.name == "bufferization.clone":
            costs = "clones"
            if not op.parents or op.parents[-1].name != "scf.if":
                found["unconditional clones"] += 1
        elif op.name == "arith.cmpi":
            sources = [function.definition.get(value) for value in op.operands]
            if all(source and source.name ==
                   "memref.extract_aligned_pointer_as_index"
                   for source in sources):
                costs = "run-time alias checks"
        elif op.name == "func.call" and "callee = @dealloc_helper" in op.rest:
            costs = "dealloc_helper calls"
        if costs:
            found[costs] += 1
            found["of these in loops"] += any(parent.name in LOOPS
                                              for parent in op.parents)
        if op.name in MAKERS and not is_list_for_helper(function,
                                                        op.results[0]):
            makers.append(op)
    # A clone under a condition may not be made.
    positions = [op.position for op in makers if op.name == "memref.alloc" or
                 not op.parents or op.parents[-1].name != "scf.if"]
    held = [op.results[0] for op in makers]
    held += [result for op in function.ops if op.name == "func.call"
             for result, type in zip(op.results, op.result_types)
             if type.startswith("memref<")]
    for value in held:
        op = function.definition[value]
        users, frees, buffers = family(function, value)
        # Which buffer of a loop's rounds a dealloc frees is not in the text.
        if not frees or any(is_handed_on(user) for user in users):
            continue
        free = max(user.position for user in frees)
        last = max([end_of_use(user, op) for user in users
                    if user.name not in FOR_FREE] + [op.position])
        found["late deallocs"] += not escapes(function, users, buffers, quiet) and any(
            last < position < free for position in positions)
    found["i1 results"] = function.ownership_types()
    return found


def count(text):
    """Counts by function; without the library function."""
    functions = Reader(text).functions
    module = {function.name: function for function in functions}
    module["asked"] = []
    for function in functions:
        function.module = module
    quiet = quiet_functions(functions)
    return {function.name: count_function(function, quiet)
            for function in functions
            if not function.name.startswith("dealloc_helper")}


def largest_dealloc(text):
    """Buffers in the largest bufferization.dealloc."""
    sizes = [int(match[1]) for match in re.finditer(
        r'"bufferization\.dealloc"\(.*operandSegmentSizes = array<i32: (\d+),',
        text)]
    return max(sizes, default=0)
