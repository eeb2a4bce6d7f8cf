"""A program with a `main`, for mlir-runner-22: what `memref-lens run` does with a
function, built in another way.

  program = Program(text)                  # as `memref-lens ir` prints it
  program.functions["f"].arguments         # ["memref<4x?xf32>", "index"]
  program.closed("f", seed, "0=...", ...)  # a module in the LLVM dialect's reach

Arguments are globals, so that all that is allocated is the program's own. What
they hold is drawn here and goes to memref-lens as files of numpy's. External functions
get a body: they return buffers of zeros.
"""

import pathlib
import random
import re
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "check"))

import judges  # noqa: E402  the script put its folder on the path
from count_ir import split_types, types_behind_arrow  # noqa: E402

FUNCTION = re.compile(r'^  "func\.func"\(\) <\{(.*)\}> \(\{$')
MEMREF = re.compile(r"memref<(.*)>$")
#: Of a dynamic size, where nobody says: as memref-lens has it.
EXTENT = 4
#: Of numpy, by element type: letter of `struct`, and the type in its files.
NUMPY = {"i1": ("B", "|b1"), "i8": ("b", "|i1"), "i16": ("h", "<i2"),
         "i32": ("i", "<i4"), "i64": ("q", "<i8"), "index": ("q", "<i8"),
         "f16": ("e", "<f2"), "f32": ("f", "<f4"), "f64": ("d", "<f8")}
MOST_DRAWN = 1 << 16

#: Nothing in it takes an allocation away, or merges two.
LOWER = ("builtin.module(symbol-dce,expand-realloc,"
         "bufferization-lower-deallocations,convert-bufferization-to-memref,"
         "convert-linalg-to-loops,lower-affine,convert-vector-to-scf,"
         "scf-forall-to-for,func.func(memref-expand),expand-strided-metadata,"
         "lower-affine,func.func(arith-expand),convert-scf-to-cf,"
         "convert-complex-to-libm,convert-complex-to-standard,"
         "expand-strided-metadata,lower-affine,convert-vector-to-llvm,"
         "convert-math-to-llvm,convert-math-to-libm,convert-complex-to-llvm,"
         "convert-arith-to-llvm,convert-index-to-llvm,convert-ub-to-llvm,"
         "finalize-memref-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,"
         "reconcile-unrealized-casts)")


class Unknown(Exception):
    """What cannot be built here, in words."""


class Buffer:
    """A memref type: sizes (dynamic ones as they will be), elements, strides."""

    def __init__(self, text):
        self.text = text
        parts = split_types(MEMREF.match(text)[1])
        sizes = re.match(r"(\*x|(?:(?:\d+|\?)x)*)(.*)", parts[0])
        self.element, self.rest = sizes[2], parts[1:]
        self.is_ranked = sizes[1] != "*x"
        self.sizes = [EXTENT if one == "?" else int(one) for one in
                      sizes[1].split("x")[:-1]] if self.is_ranked else [EXTENT]
        self.strides, self.offset = None, 0
        if self.rest and self.rest[0].startswith("strided<"):
            found = re.match(r"strided<\[(.*?)\](?:, offset: (\d+|\?))?>", self.rest[0])
            self.offset = 0 if found[2] in (None, "?") else int(found[2])
            self.strides = self.stridesFrom([one.strip() for one in
                                             found[1].split(",") if one.strip()])
            self.rest = self.rest[1:]
        elif self.rest and "map" in self.rest[0]:
            raise Unknown("an argument has a layout without strides")

    def stridesFrom(self, words):
        plain, step = [], 1
        for size in reversed(self.sizes):
            plain.insert(0, step)
            step *= max(size, 1)
        return [one if word == "?" else int(word)
                for word, one in zip(words, plain)]

    def count(self):
        """Elements of the memory, with the gaps that strides leave."""
        product = 1
        for size in self.sizes:
            product *= size
        if self.strides is None:
            return product
        return self.offset + 1 + sum((size - 1) * stride for size, stride in
                                     zip(self.sizes, self.strides))

    def plain(self):
        """The type of the memory."""
        sizes = self.sizes if self.strides is None else [self.count()]
        return "memref<" + ", ".join(
            ["".join(f"{one}x" for one in sizes) + self.element, *self.rest]) + ">"

    def isDrawn(self):
        return (self.element in NUMPY and self.strides is None and
                0 < self.count() <= MOST_DRAWN)

    def drawn(self, chance):
        """Bytes of the elements: small, so that as positions they stay inside."""
        letter = NUMPY[self.element][0]
        most = 2 if self.element == "i1" else 4
        values = [chance.random() if letter in "efd" else chance.randrange(most)
                  for _ in range(self.count())]
        return struct.pack(f"<{len(values)}{letter}", *values)

    def npy(self, data):
        sizes = ", ".join(map(str, self.sizes)) + ("," if len(self.sizes) == 1 else "")
        header = (f"{{'descr': '{NUMPY[self.element][1]}', "
                  f"'fortran_order': False, 'shape': ({sizes}), }}")
        header += " " * (63 - (len(header) + 10) % 64) + "\n"
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + \
            header.encode() + data

    def globalOf(self, name, data):
        initial = self.initial(data)
        return (f"  memref.global \"private\" @{name} : {self.plain()} = "
                f"{initial}\n")

    def initial(self, data):
        if self.element in NUMPY and data:
            if self.element == "i1":
                words = ["true" if one else "false" for one in data]
                return f"dense<{nested(words, self.sizes)}>"
            return f'dense<"0x{data.hex().upper()}">'
        if self.element.startswith("f") or self.element == "bf16":
            return "dense<0.0>"
        if re.match(r"i\d+$|index$", self.element):
            return "dense<false>" if self.element == "i1" else "dense<0>"
        # Zeros, too: the loader has no others.
        return "uninitialized"

    def viewed(self, memory, name):
        """Text that makes %name of %memory."""
        if self.strides is None:
            return (f"    %{name} = memref.cast %{memory} : {self.plain()} to "
                    f"{self.text}\n")
        strides = ", ".join(map(str, self.strides))
        sizes = "".join(f"{one}x" for one in self.sizes)
        exact = "memref<" + ", ".join(
            [sizes + self.element, f"strided<[{strides}], offset: {self.offset}>",
             *self.rest]) + ">"
        return (f"    %{name}_exact = memref.reinterpret_cast %{memory} to offset: "
                f"[{self.offset}], sizes: [{', '.join(map(str, self.sizes))}], strides: "
                f"[{strides}] : {self.plain()} to {exact}\n"
                f"    %{name} = memref.cast %{name}_exact : {exact} to {self.text}\n")


def withoutSpaces(text):
    """The generic text with all memrefs in one memory, the default one."""
    def one(match):
        parts = split_types(match[1])
        # A memref can hold memrefs.
        kept = [withoutSpaces(parts[0])] + [part for part in parts[1:]
                             if re.match(r"(strided|affine_map)<|#map", part)]
        return "memref<" + ", ".join(kept) + ">"

    return re.sub(r"memref<((?:->|[^<>]|<(?:->|[^<>]|<[^<>]*>)*>)*)>", one, text).replace(
        '"memref.memory_space_cast"', '"memref.cast"')


def nested(words, sizes):
    """[[a, b], [c, d]]"""
    if not sizes:
        return words[0]
    step = len(words) // sizes[0]
    return "[" + ", ".join(nested(words[at:at + step], sizes[1:])
                           for at in range(0, len(words), step)) + "]"


class Function:
    def __init__(self, attributes, line):
        signature = re.search(r"function_type = \(", attributes)
        self.arguments = split_types(attributes[signature.end():])
        self.results = types_behind_arrow(
            attributes[signature.end() - 1:], of_type=True)
        self.name = re.search(r'sym_name = "([^"]*)"', attributes)[1]
        self.isPublic = "sym_visibility" not in attributes
        self.isExternal, self.line = True, line


def constant(name, type, shown):
    """A number as `run` printed that it chose it."""
    if type.startswith("complex<"):
        found = re.match(r"(\S+) \+ (\S+)i$", shown)
        if not found:
            raise Unknown(f"an argument is a {type}")
        return f"    %{name} = complex.constant [{found[1]}, {found[2]}] : {type}\n"
    element = type
    if found := re.match(r"vector<[\dx]*x?(\w+)>$", type):
        element = found[1]
    value = shown
    if "f" in element and not re.search(r"[.e]", value):
        value += ".0"
    elif "f" in element and "." not in value:
        value = f"{float(value):.9f}"
    if type != element:
        value = f"dense<{value}>"
    elif type == "i1":
        return f"    %{name} = arith.constant {value}\n"
    return f"    %{name} = arith.constant {value} : {type}\n"


class Program:
    def __init__(self, text):
        done = judges.run([judges.tool("mlir-opt"), "-", "--mlir-print-op-generic",
                           "--allow-unregistered-dialect"], text)
        if done.status != 0:
            raise Unknown(f"mlir-opt does not read it: {done.err[:200]}")
        # What an allocator adds to align is no byte of the program's; and LLVM calls no
        # `malloc` for another address space.
        self.lines = [re.sub(r"alignment = \d+ : i64(, )?", "", line)
                      if '"memref.alloc"' in line or '"memref.realloc"' in line
                      else line
                      for line in withoutSpaces(done.out).splitlines()]
        self.called = set(re.findall(r'"func\.call".*callee = (@[\w.$-]+)',
                                     done.out))
        self.functions = {}
        for number, line in enumerate(self.lines):
            if found := FUNCTION.match(line):
                function = Function(found[1], number)
                function.isExternal = self.lines[number + 1].startswith("  })")
                self.functions[function.name] = function

    def stub(self, function):
        """A body for what is external."""
        body, results = "", []
        for number, type in enumerate(function.results):
            name = f"r{number}"
            results.append(f"%{name}")
            if not type.startswith("memref<"):
                body += constant(name, type, "4" if type == "index" else
                                 "false" if type == "i1" else "0")
                continue
            buffer = Buffer(type)
            body += (f"    %{name}_memory = memref.alloc() : {buffer.plain()}\n" +
                     zeros(name, buffer) + buffer.viewed(f"{name}_memory", name))
        arguments = ", ".join(f"%a{number}: {type}" for number, type in
                              enumerate(function.arguments))
        return (f"  func.func private @{function.name}({arguments}) -> "
                f"({', '.join(function.results)}) {{\n{body}"
                f"    return {', '.join(results)}" +
                (f" : {', '.join(function.results)}" if results else "") + "\n  }\n")

    def closed(self, entry, shown, data):
        """The module with a `main` that calls `entry`: `shown` are the numbers, `data`
        the bytes of buffers, by number of the argument."""
        function = self.functions[entry]
        globals, body, names = "", "", []
        for number, type in enumerate(function.arguments):
            names.append(f"%a{number}")
            if not type.startswith("memref<"):
                body += constant(f"a{number}", type, shown[number])
                continue
            buffer = Buffer(type)
            globals += buffer.globalOf(f"judge_{number}", data.get(number))
            body += (f"    %m{number} = memref.get_global @judge_{number} : "
                     f"{buffer.plain()}\n" + buffer.viewed(f"m{number}", f"a{number}"))
        results = f"({', '.join(function.results)})"
        many = f":{len(function.results)}" if len(function.results) > 1 else ""
        left = f"%r{many} = " if function.results else ""
        main = (f"{globals}  func.func @judge_main() {{\n{body}    {left}func.call @{entry}("
                f"{', '.join(names)}) : ({', '.join(function.arguments)}) -> {results}\n"
                "    return\n  }\n")
        return self.joined(main)

    def joined(self, main):
        lines, skipped = [], False
        for number, line in enumerate(self.lines):
            found = FUNCTION.match(line)
            if found:
                function = self.functions[re.search(
                    r'sym_name = "([^"]*)"', found[1])[1]]
                if function.isExternal and f"@{function.name}" in self.called:
                    lines.append(self.stub(function))
                    skipped = True
                    continue
                if function.isPublic:
                    line = line.replace(f'sym_name = "{function.name}"',
                                        f'sym_name = "{function.name}", '
                                        'sym_visibility = "private"')
            if skipped:
                skipped = False
                continue
            lines.append(line)
        end = max(number for number, line in enumerate(lines)
                  if line.startswith("})"))
        return "\n".join([*lines[:end], main, *lines[end:]]) + "\n"


def zeros(name, buffer):
    """Text that fills what a stub allocates."""
    element = buffer.element
    if not re.match(r"(i\d+|index|f\d+|bf16)$", element):
        return ""
    value = "0.0" if "f" in element else "false" if element == "i1" else "0"
    colon = "" if element == "i1" else f" : {element}"
    return (f"    %{name}_zero = arith.constant {value}{colon}\n"
            f"    linalg.fill ins(%{name}_zero : {element}) outs(%{name}_memory : "
            f"{buffer.plain()})\n")


def drawn(function, seed):
    """Bytes of each buffer argument that can be given as a file."""
    chance = random.Random(f"{function.name} {seed}")
    found = {}
    for number, type in enumerate(function.arguments):
        if type.startswith("memref<") and Buffer(type).isDrawn():
            found[number] = Buffer(type).drawn(chance)
    return found
