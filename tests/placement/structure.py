"""Two printed modules, compared without names and without the order in which
clones and deallocs that stand together were made.

That order is upstream's order of addresses. What is left after `normal` is
equal exactly where the same buffers are copied and freed at the same places.
"""

import re

NAME = re.compile(r"%[\w$.-]+(?:#\d+)?|\^\w+")
CLONE = re.compile(r"^\s*(%[\w$.-]+) = bufferization\.clone (%[\w$.#-]+) : (.*)$")
DEALLOC = re.compile(r"^\s*memref\.dealloc (%[\w$.#-]+) : (.*)$")


def runs(lines):
    """(is a run of clones and deallocs, its lines), in order."""
    current = []
    for line in lines:
        if CLONE.match(line) or DEALLOC.match(line):
            current.append(line)
            continue
        if current:
            yield True, current
            current = []
        yield False, [line]
    if current:
        yield True, current


class Names:
    """New names in order of first sight; a clone goes by what it copies."""

    def __init__(self):
        self.names = {}

    def of(self, name):
        base, _, number = name.partition("#")
        new = self.names.setdefault(base, f"{base[0]}v{len(self.names)}")
        return f"{new}#{number}" if number else new

    def clone(self, name, source):
        self.names[name] = f"copy({self.of(source)})"

    def all_of(self, line):
        return NAME.sub(lambda match: self.of(match.group()), line)


def normal(text):
    names, out = Names(), []
    text = re.sub(r"\s*// .*", "", text)
    # What is cloned is seen first, whoever uses the clone.
    for is_run, lines in runs(text.splitlines()):
        if not is_run:
            out.append(names.all_of(lines[0]).rstrip())
            continue
        made = []
        for line in lines:
            clone = CLONE.match(line)
            if clone:
                names.clone(clone[1], clone[2])
                made.append(f"copy {names.of(clone[2])} : {clone[3]}")
            else:
                made.append(names.all_of(line).strip())
        out += sorted(made)
    return [line for line in out if line]


def counts(text):
    """How many clones, and how many deallocs."""
    return text.count("bufferization.clone"), text.count("memref.dealloc ")
