"""The MLIR texts that the project keeps: files, blocks of pages, strings of sources.

  for origin, text in texts.kept(): ...   # ("tests/lsp/wire.py:12", "func.func @f() ...")

A string that is put together from constants is taken as it is put together: pieces
that follow each other, `+`, `*` with numbers, f-strings with a name in place of what
is filled in. Strings that no line of MLIR could be made of are left out.
"""

import ast
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What a text has to have for MLIR's parser to go far into it.
MAYBE_MLIR = re.compile(
    rb"[%^@#!][\w\"]|\b(func|module|memref|scf|arith|tensor|builtin)\b|ML\xefR|"
    rb"\"[\w.]+\"\s*\(|[\[({<]{8}")
# An f-string's value, and what a string is multiplied by where it is not a number.
FILLER, REPEATS = "x0", 20000
MOST_BYTES = 1 << 22


def tracked():
    """The files that git knows or would add."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"],
        check=True, capture_output=True).stdout
    for name in sorted(listed.decode().split("\0")):
        path = ROOT / name
        if name and path.is_file() and not path.is_symlink():
            yield path


#===--- Python ----------------------------------------------------------===#


def folded(node):
    """The string or number that an expression of constants has; None for others."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bytes):
            return node.value.decode("latin-1")
        return node.value if isinstance(node.value, (str, int)) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else FILLER
                       for part in node.values)
    if not isinstance(node, ast.BinOp):
        return None
    left, right = folded(node.left), folded(node.right)
    if isinstance(node.op, ast.Mult):
        if isinstance(right, str):
            left, right = right, left
        if not isinstance(left, str):
            return None
        count = right if isinstance(right, int) else REPEATS
        return left * min(count, MOST_BYTES // max(len(left), 1))
    if isinstance(node.op, ast.Add):
        # A part that is known only when the test runs is left out.
        known = [part for part in (left, right) if isinstance(part, str)]
        return "".join(known) if known else None
    return folded(node.left) if isinstance(node.op, ast.Mod) else None


def outermost(node):
    """Each expression that is a string, without its parts."""
    text = folded(node) if isinstance(node, ast.expr) else None
    if isinstance(text, str):
        yield node.lineno, text
        return
    for child in ast.iter_child_nodes(node):
        yield from outermost(child)


def ofPython(data):
    yield from outermost(ast.parse(data))


#===--- C++, TypeScript, JavaScript, Lua, shell -------------------------===#

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
LITERAL = re.compile(
    r"""R"(?P<mark>[^(\s]*)\((?P<raw>.*?)\)(?P=mark)"|"""
    r""""(?P<plain>(?:\\.|[^"\\\n])*)"|`(?P<template>(?:\\.|[^`\\])*)`|"""
    r"""'(?P<single>(?:\\.|[^'\\\n])*)'""", re.S)
# What may stand between two pieces of one string.
BETWEEN = re.compile(r"\s*(?:\+\s*)?(?:(?://[^\n]*|#[^\n]*)\s*)*")


def plain(match):
    if match["raw"] is not None:
        return match["raw"]
    body = next(part for part in (match["plain"], match["template"],
                                  match["single"]) if part is not None)
    body = re.sub(r"\$\{[^}]*\}", FILLER, body)
    return re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], found[1]), body,
                  flags=re.S)


def ofLiterals(source):
    """Strings, those that follow each other as one."""
    begun, text, end = 0, "", None
    for match in LITERAL.finditer(source):
        if end is not None and BETWEEN.fullmatch(source, end, match.start()):
            text += plain(match)
        else:
            if text:
                yield begun, text
            begun = source.count("\n", 0, match.start()) + 1
            text = plain(match)
        end = match.end()
    if text:
        yield begun, text


HERE_DOCUMENT = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?[^\n]*\n(.*?)\n\s*\1\b", re.S)


def ofShell(source):
    for match in HERE_DOCUMENT.finditer(source):
        yield source.count("\n", 0, match.start()) + 1, match[2] + "\n"
    yield from ofLiterals(source)


FENCE = re.compile(r"^(\s*)```[^\n]*\n(.*?)^\s*```", re.S | re.M)


def ofPage(source):
    for match in FENCE.finditer(source):
        yield source.count("\n", 0, match.start()) + 1, match[2]


#===--- All -------------------------------------------------------------===#

# Pictures and the like; no parser gets to see them.
NO_TEXTS = {".png", ".svg", ".gif", ".ico", ".ttf", ".lock", ".map"}

READERS = {".py": ofPython, ".md": ofPage, ".sh": ofShell, "": ofShell,
           ".cpp": ofLiterals, ".h": ofLiterals, ".def": ofLiterals,
           ".c": ofLiterals,
           ".ts": ofLiterals, ".mjs": ofLiterals, ".js": ofLiterals,
           ".lua": ofLiterals, ".el": ofLiterals}


def within(path, data):
    """The file itself, and the strings in it."""
    yield 0, data
    reader = READERS.get(path.suffix)
    if path.suffix == "" and not data.startswith(b"#!"):
        return
    if data.startswith(b"#!") and b"python" in data.split(b"\n")[0]:
        reader = ofPython
    if not reader:
        return
    for line, text in reader(data.decode(errors="replace")):
        yield line, text.encode(errors="surrogateescape")


def kept():
    """(place, bytes) of each text that may be MLIR, each text once."""
    seen = set()
    for path in tracked():
        if path.suffix in NO_TEXTS or path.name == "package-lock.json":
            continue
        data = path.read_bytes()
        for line, text in within(path, data):
            isSource = line == 0 and path.suffix in READERS and path.suffix
            if isSource or len(text) < 3 or len(text) > MOST_BYTES or \
                    text in seen or not MAYBE_MLIR.search(text):
                continue
            seen.add(text)
            yield f"{path.relative_to(ROOT)}{f':{line}' if line else ''}", text
