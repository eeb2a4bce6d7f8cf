"""Pages of Markdown as blocks: what stands between fences, and the comments in front.

  <!-- file: samples/diamond.mlir -->      the block is that file
  <!-- write: before.mlir -->              the block becomes that file of the page's folder
  <!-- with: OPTIONS -->                   the options for it, to tests/check/run_rules.py
  <!-- run: COMMAND -->                    the block is what COMMAND prints
  <!-- exit: 1 -->                         with this exit status, else 0
  <!-- part: entry %data; lines error -->  only these parts of it
  <!-- not run: REASON -->                 nothing is held

A block of `console` has its commands in itself, behind `$ `; one of `sh` is run as a
script; one of `mlir` has to parse. Parts, of which several are joined by `; `:

  head N             the first N lines
  entry KEY          the first line that begins with KEY, and the deeper ones below it
  lines KEY          each line with KEY in it
  from KEY to KEY    from the first line with the one to the next one with the other
"""

import dataclasses
import re

FENCE = re.compile(r"^```(\S*)$")
COMMENT = re.compile(r"^<!-- (run|file|write|with|exit|part|not run): (.*?) -->$")


@dataclasses.dataclass
class Block:
    """`text` are the lines between the fences, from line `line` (from 1) on."""
    language: str
    line: int
    text: str
    marks: dict

    @property
    def exit(self):
        return int(self.marks.get("exit", "0"))


def blocks_of(text):
    """The blocks of a page in order."""
    found, marks, opened = [], {}, None
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        fence = FENCE.match(line.rstrip("\n"))
        if opened:
            if line == "```\n":
                found.append(opened)
                opened, marks = None, {}
            else:
                opened.text += line
        elif fence:
            opened = Block(fence[1], number + 1, "", marks)
        else:
            mark = COMMENT.match(line.rstrip("\n"))
            marks = {**marks, mark[1]: mark[2]} if mark else {}
    return found


def with_blocks(text, texts):
    """The page with other texts in its blocks; `texts` has one for each."""
    lines, done = text.splitlines(keepends=True), 0
    out = []
    for block, new in zip(blocks_of(text), texts, strict=True):
        out += lines[done:block.line - 1] + [new]
        done = block.line - 1 + len(block.text.splitlines())
    return "".join(out + lines[done:])


def commands_of(text):
    """[(command, what the block says that it prints)] of a block of `console`."""
    return re.findall(r"^\$ (.*)\n((?:(?!\$ ).*(?:\n|\Z))*)", text, re.M)


def indentation(line):
    return len(line) - len(line.lstrip())


def rows_of_part(part, lines):
    """The numbers of the lines that one part asks for."""
    kind, _, rest = part.partition(" ")
    if kind == "head":
        return list(range(min(int(rest), len(lines))))
    if kind == "lines":
        return [n for n, line in enumerate(lines) if rest in line]
    if kind == "entry":
        first = next((n for n, line in enumerate(lines)
                      if line.lstrip().startswith(rest)), None)
        if first is None:
            return []
        last = first + 1
        while last < len(lines) and lines[last].strip() and \
                indentation(lines[last]) > indentation(lines[first]):
            last += 1
        return list(range(first, last))
    if kind == "from":
        begin, end = rest.split(" to ")
        first = next((n for n, line in enumerate(lines) if begin in line), None)
        if first is None:
            return []
        last = next((n for n in range(first + 1, len(lines))
                     if end in lines[n]), None)
        return [] if last is None else list(range(first, last + 1))
    raise ValueError(f"no part of the kind '{kind}'")


def part_of(text, parts):
    """What `parts` ask for of a text, its common indentation taken off; `...` stands
    where something between them is left out. Raises ValueError for one not found."""
    lines = text.splitlines()
    rows = []
    for part in parts.split("; "):
        found = rows_of_part(part, lines)
        if not found:
            raise ValueError(f"no part '{part}' in:\n{text}")
        rows += [row for row in found if row not in rows]
    indent = min(indentation(lines[row]) for row in rows if lines[row].strip())
    kept = []
    for at, row in enumerate(rows):
        if at and row != rows[at - 1] + 1:
            kept.append("...")
        kept.append(lines[row][indent:])
    return "\n".join(kept) + "\n"
