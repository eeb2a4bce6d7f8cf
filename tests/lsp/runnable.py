"""The samples that can run: with a `main` that calls each function for every
value of its i1s, and bodies for what they only declare.
"""
import itertools
import re

from client import ROOT
from marked import pieces

# Refused, on tensors, for a GPU, of things not run here, or without an end.
LEFT_OUT = re.compile(r"reject|tensor-level|gpu-|several-chunks|accept-after|"
                      r"assert|transformer|while")
DECLARED = re.compile(r"^func\.func private @(\w+)\(([^)]*)\)"
                      r"(?:\s*-> ([^{\n]*))?$",
                      re.M)
DEFINED = re.compile(r"^func\.func @(\w+)\((.*?)\)\s*(?:-> ([^{]*))?\{", re.M |
                     re.S)


def listed(types):
    types = (types or "").strip()
    return pieces(types[1:-1] if types.startswith("(") else types)


class Code:
    def __init__(self):
        self.lines, self.count = [], 0

    def made(self, type, value=None):
        self.count += 1
        name = f"%m{self.count}"
        if type.startswith("memref"):
            sizes = []
            for _ in range(type.split(",")[0].count("?")):
                sizes.append(self.made("index", 8))
            text = f"memref.alloc({', '.join(sizes)}) : {type}"
        else:
            zero = "0.0" if type[0] == "f" else "1"
            text = f"arith.constant {zero if value is None else value} : {type}"
            if type == "i1":
                text = f"arith.constant {'true' if value else 'false'}"
        self.lines.append(f"  {name} = {text}")
        return name

    def leave(self, types):
        values = [self.made(type) for type in types]
        self.lines.append(f"  return {', '.join(values)}" + (
            f" : {', '.join(types)}" if types else ""))
        return "\n".join(self.lines)


def withBody(match):
    types = listed(match[2])
    names = ", ".join(f"%p{i}: {type}" for i, type in enumerate(types))
    results = listed(match[3])
    arrow = f" -> ({', '.join(results)})" if results else ""
    return (f"func.func private @{match[1]}({names}){arrow} {{\n" +
            Code().leave(results) + "\n}")


def withMain(text):
    code = Code()
    for match in DEFINED.finditer(text):
        types = [part.split(": ", 1)[1] for part in pieces(
            match[2].replace("\n", " "))]
        choices = [[0, 1] if type == "i1" else [0, 1, 2] if type == "index"
                   else [None] for type in types]
        for values in itertools.product(*choices):
            operands = [code.made(type, value)
                        for type, value in zip(types, values)]
            results = listed(match[3])
            code.count += 1
            left = f"%m{code.count}:{len(results)} = " if results else ""
            code.lines.append(
                f"  {left}func.call @{match[1]}({', '.join(operands)}) : "
                f"({', '.join(types)}) -> ({', '.join(results)})")
    return (DECLARED.sub(withBody, text) + "\nfunc.func @main() {\n" +
            code.leave([]) + "\n}\n")


def runnableSamples():
    """[(name, program)]"""
    return [(path.stem, withMain(path.read_text()))
            for path in sorted((ROOT / "samples").glob("*.mlir"))
            # What another pipeline is shown on has no hints of this one.
            if not LEFT_OUT.search(path.name)
            and "--pipeline" not in path.read_text().split("func.func")[0]]
