"""Programs that tell what they do while they run, for happens.py.

`marked` puts a call before each terminator of a program, which changes no
buffer's lifetime. `telling` takes the program as the ownership pass leaves it
(there are the i1s that tell who owns) and lets it tell each value of type
memref or i1 once it is made. What stands in between is what the rest of the pipeline
makes of it.
"""
import re

ENDS = re.compile(r"\s*(func\.)?(return\b|[\w.]+\.(yield|condition|return|"
                  r"terminator|in_parallel)\b|cf\.)")
REGION = re.compile(r"(scf|memref|affine|linalg)\.\w+$")
DECLARED = ("func.func private @lens_say_value(i64, i64)\n"
            "func.func private @lens_say_buffer(i64, i64)\n")


def marked(text):
    """The program with marks; the number of each mark is that of its line."""
    lines, made = text.split("\n"), DECLARED.split("\n")[:-1]
    for number, line in enumerate(lines):
        before = lines[number - 1] if number else ""
        isEnd = ENDS.match(line) or re.match(r"\s*memref\.dealloc ", line)
        isBare = (re.match(r"\s+\}", line) and not ENDS.match(before) and
                  before.strip() != "}" or
                  re.match(r"\s+\}", line) and before.strip() == "}" and
                  len(before) - len(before.lstrip()) >
                  len(line) - len(line.lstrip()))
        if isEnd or isBare:
            at = len(made) + 2
            made += [f"%lens{at} = arith.constant {at} : i64",
                     f"func.call @lens_say_value(%lens{at}, %lens{at}) : "
                     "(i64, i64) -> ()"]
        made.append(line)
    return "\n".join(made)


def pieces(text):
    """Its parts between commas outside of brackets."""
    parts, depth, current = [], 0, ""
    for c in text.replace("->", "→"):
        depth += (c in "<([{") - (c in ">)]}")
        if c == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += c
    return [part.replace("→", "->") for part in parts + [current.strip()]
            if part]


def lastAt(text, words):
    """What follows the last of the words outside of brackets."""
    depth, found = 0, None
    text = text.replace("->", "→")
    for at, c in enumerate(text):
        depth += (c in "<([{") - (c in ">)]}")
        for word in words if depth == 0 else ():
            if text.startswith(word, at):
                found = text[at + len(word):]
    return found


def resultTypes(line, count):
    if "= bufferization.dealloc" in line:
        return ["i1"] * count
    if re.search(r"= arith\.cmp[if] ", line):
        return ["i1"]
    if re.search(r"= arith\.constant (true|false)$", line):
        return ["i1"]
    found = lastAt(line.removesuffix("{").strip(),
                   [" → ", " to ", " into ", " : "])
    if not found:
        return []
    found = found.strip()
    if found.startswith("(") and found.endswith(")"):
        found = found[1:-1]
    return pieces(found)


def names(left):
    """The names before the equals sign, one for each result."""
    found = []
    for part in left.split(","):
        name, _, count = part.strip().partition(":")
        found += ([f"{name}#{i}" for i in range(int(count))] if count
                  else [name])
    return found


class Telling:
    """Writes the calls, and gives each (function, name) a number."""

    def __init__(self, first):
        self.numbers, self.first, self.made = {}, first, 0
        self.function = None

    def number(self, name):
        return self.numbers.setdefault((self.function, name),
                                       self.first + len(self.numbers))

    def say(self, name, type):
        self.made += 1
        key = f"%zz{self.made}"
        code = [f"{key} = arith.constant {self.number(name)} : i64"]
        kind = "value"
        if type is None:
            code.append(f"{key}v = arith.constant 0 : i64")
        elif type == "i1":
            code.append(f"{key}v = arith.extui {name} : i1 to i64")
        elif re.match(r"memref<[^*]", type):
            kind = "buffer"
            code += [f"{key}p = memref.extract_aligned_pointer_as_index "
                     f"{name} : {type} -> index",
                     f"{key}v = arith.index_cast {key}p : index to i64"]
        else:
            return []
        return code + [f"func.call @lens_say_{kind}({key}, {key}v) : "
                       "(i64, i64) -> ()"]

    def begin(self):
        """A block begins: what comes is no part of a terminator before."""
        return self.say("", None)

    def arguments(self, text):
        said = []
        for part in pieces(text):
            name, _, type = part.partition(": ")
            said += self.say(name, type)
        return said


def telling(text, first):
    """(program, {(function, name): number}). The name None tells that the
    function starts, an empty one that a block begins."""
    teller = Telling(first)
    made, waiting = [], []  # (indentation, calls, is a copy) of open ops
    for line in text.split("\n"):
        bare = line.strip()
        indent = len(line) - len(line.lstrip())
        isInside = re.match(r"\}|case |default |\^", bare)
        while bare and waiting and indent <= waiting[-1][0] and \
                not (isInside and indent == waiting[-1][0]):
            made += waiting.pop()[1]
        made.append(line)
        header = re.match(r"func\.func (?:private |public )?@(\w+)\((.*?)\)"
                          r"( ->.*)? \{$", bare)
        if header:
            teller.function = header[1]
            made += teller.say(None, None) + teller.arguments(header[2])
        isCopy = waiting and waiting[-1][2]
        if not isCopy and re.match(r"\^|(\} else|case .*|default) \{$", bare):
            made += teller.begin()
        block = re.match(r"\^\w+\((.*)\):", bare)
        if block:
            made += teller.arguments(block[1])
        op = re.match(r"(?:(%[^=]*) = )?([\w.]+)", bare)
        if op and not header and bare.startswith(("%", op[2])):
            tellOp(teller, bare, op, indent, made, waiting)
    return "\n".join(made), teller.numbers


def tellOp(teller, bare, op, indent, made, waiting):
    found = names(op[1]) if op[1] else []
    types = resultTypes(bare, len(found)) if found else []
    calls = []
    isMade = op[2] not in ("memref.load", "memref.extract_strided_metadata")
    if isMade and len(types) == len(found):
        for name, type in zip(found, types):
            calls += teller.say(name, type)
    isOpen = bare.endswith("{") or op[2] == "scf.index_switch"
    if not isOpen:
        made += calls
        return
    # A copy is part of the terminator for which it is made.
    isCopy = bare.startswith("%owned_")
    waiting.append((indent, calls, isCopy))
    if teller.function and bare.endswith("{") and not isCopy:
        made += teller.begin()
    carried = re.search(r"iter_args\((.*?)\) -> |scf\.while \((.*?)\) : \((.*)"
                        r"\) -> ", bare)
    if carried:
        inner = pieces(carried[3]) if carried[3] else types
        listed = carried[1] or carried[2]
        for part, type in zip(pieces(listed), inner):
            made += teller.say(part.split(" = ")[0], type)
