#!/usr/bin/env python3
"""Markdown that is made of a program reads as the plain text does, whatever its names are.

  markdown.py SERVER MEMREF_LENS

Each hover is asked for twice, as Markdown and as plain text. Read by CommonMark's rules
of code spans, escapes and links, the first must be the second: no backtick without its
partner, nothing of the program taken as markup, every SSA name, block and op in a span
of code. Reports of the same programs must be as sound: no tag but ours, as many cells
in a row as its table has, no marks but those of headings, lists and fences.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from client import Client, at

SERVER = [sys.argv[1], "--crash-dir=off"]
LENS = sys.argv[2]
#: Backticks alone, in pairs and in runs, tags, tables, emphasis, links, references.
NAMES = ("us`e|<b>*x*", "r``[x](y)&amp;", "a `b` c", "`", "_i_ ~~s~~ \\\\ <!-- ")
PROGRAM = """func.func private @"{0}"(memref<4xf32>) -> memref<4xf32>
func.func @"{1}"(%a$_b: memref<4xf32>, %_c_: i1) -> memref<4xf32> {{
  %x._y = memref.alloc() : memref<4xf32>
  %_q_ = call @"{0}"(%x._y) : (memref<4xf32>) -> memref<4xf32>
  %s__ = arith.select %_c_, %_q_, %a$_b : memref<4xf32>
  return %s__ : memref<4xf32>
}}
func.func @"{2}"(%m: memref<4xf32>) -> memref<4xf32> {{
  %r = call @"{1}{1}"(%m) : (memref<4xf32>) -> memref<4xf32>
  return %m : memref<4xf32>
}}
func.func private @"{1}{1}"(%m: memref<4xf32>) -> memref<4xf32> {{
  return %m : memref<4xf32>
}}
"""
MUST_BE_CODE = re.compile(
    r"[%^][A-Za-z_$][\w$.-]*|"
    r"\b(?:func|scf|memref|arith|cf|bufferization)\.[a-z_]+")


class Broken(Exception):
    """The Markdown is not what CommonMark would show as it was meant."""


def inline(text):
    """What is shown, and what of it is outside of spans of code."""
    shown, outside, i = "", "", 0
    while i < len(text):
        c = text[i]
        if c == "\\" and i + 1 < len(text) and not text[i + 1].isalnum() and \
                text[i + 1] != " ":
            shown, outside, i = shown + text[i + 1], outside + text[i + 1], i + 2
            continue
        if c == "`":
            run = re.match("`+", text[i:])[0]
            end = re.search(f"(?<!`){run}(?!`)", text[i + len(run):])
            if not end:
                raise Broken(f"no end of the code at {text[i:i + 40]!r}")
            code = text[i + len(run):i + len(run) + end.start()]
            if code[:1] == code[-1:] == " " and code.strip():
                code = code[1:-1]
            shown, outside = shown + code, outside + "\0"
            i += len(run) + end.end()
            continue
        if link := re.match(r"\]\(<[^<>\n]*>\)|\]\(command:[^ )]*\)", text[i:]):
            i += len(link[0])
            continue
        if c == "[":
            i += 1
            continue
        if c in "<>*&|]~":
            raise Broken(f"markup at {text[i:i + 40]!r}")
        shown, outside, i = shown + c, outside + c, i + 1
    return shown, outside


def words(text):
    """Sentences quote with backticks, which are marks in Markdown only."""
    return " ".join(text.replace("`", "").split())


def ofHover(markdown):
    """Its lines as they are shown; what MLIR's own server adds is not ours."""
    lines = []
    for line in markdown.split("\n"):
        if line.strip() in ("", "---"):
            continue
        shown, outside = inline(re.sub(r"^( *)- ", r"\1", line))
        if found := MUST_BE_CODE.search(outside):
            raise Broken(f"{found[0]} is no code in {line!r}")
        lines.append(words(shown))
    return [line for line in lines if line]


def isLost(name, plain, markdown):
    """Whether backticks of a name were taken as marks."""
    shown = "\n".join(inline(line)[0] for line in markdown.split("\n"))
    quoted = f'@"{name}"'
    return shown.count(quoted) < plain["contents"]["value"].count(quoted)


def hovers(text, name):
    """How many were compared, and what is wrong."""
    uri, faults, count = f"file:///{name}.mlir", [], 0
    clients = [Client(SERVER + ["--companion"], {"textDocument": {"hover": {
        "contentFormat": [kind]}}}) for kind in ("markdown", "plaintext")]
    for client in clients:
        client.open(uri, text)
        client.diagnostics(uri, 1, lambda _: True, 30)
    for number, line in enumerate(text.split("\n")):
        for found in re.finditer(r"[%@][\w$.\"]+|\b\w+\.\w+|\breturn|\bcall", line):
            marked, plain = (client.result("textDocument/hover", at(
                uri, number, found.start() + 1)) for client in clients)
            if not marked and not plain:
                continue
            count += 1
            value = marked["contents"]["value"]
            try:
                shown = ofHover(value)
            except Broken as fault:
                faults.append(f"{name}:{number + 1}: {found[0]}: {fault}")
                continue
            wanted = [words(one) for one in plain["contents"]["value"].split("\n")]
            faults += [f"{name}:{number + 1}: {found[0]}: {one!r} is not shown as it is"
                       for one in NAMES if isLost(one, plain, value)]
            if shown != [one for one in wanted if one]:
                faults.append(f"{name}:{number + 1}: {found[0]}: shown as {shown}, "
                              f"not {wanted}")
    for client in clients:
        client.close()
    return count, faults


TAG = re.compile(r"</?(?:code|details|summary)>|<br/?>")


def ofReport(text):
    """What is wrong with it; diagrams and their quotes are looked at elsewhere."""
    text = re.sub(r"(?ms)^(```|~~~).*?^\1$", "", text)
    columns = 0
    for line in text.split("\n"):
        bare = re.sub(r"\\[^\w\s]|&#\d+;", "x", line)
        bare = TAG.sub("", bare)
        bare = re.sub(r"\[[^\]\[]*\]\([^)\s]*\)", "", bare)
        if bare.startswith("|"):
            cells = bare.count("|")
            if columns and cells != columns:
                yield f"{cells} bars in a table of {columns}: {line}"
            columns = cells
        else:
            columns = 0
            if "|" in bare:
                yield f"a bar: {line}"
        bare = re.sub(r"\*\*[\w ]+\*\*|`[^`]*`", "", bare)
        if found := re.search(r"[<>*`~&]", bare):
            yield f"{found[0]} as markup: {line}"


def reports(folder, text, name):
    path = pathlib.Path(folder) / f"{name}.mlir"
    path.write_text(text)
    other = pathlib.Path(folder) / f"{name}-after.mlir"
    other.write_text(text.replace("return %s__", "return %a$_b"))
    for command in (["export", "--format=md"],
                    ["compare", "--pipelines=ownership,dynamic", "--format=md"],
                    ["compare", f"--before={path}", f"--after={other}",
                     "--format=md"],
                    ["diff", "--format=md", other]):
        inputs = [] if command[1].startswith("--before") else [path]
        done = subprocess.run([LENS, *map(str, command), *inputs],
                              capture_output=True, text=True, timeout=120)
        if len(done.stdout) < 80:
            yield f"{name}: {command}: says nothing: {done.stderr[:300]}"
        yield from (f"{name}: {command[:2]}: {fault}"
                    for fault in ofReport(done.stdout))


def main():
    found, compared = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(len(NAMES)):
            names = [NAMES[(turn + i) % len(NAMES)] for i in range(3)]
            text = PROGRAM.format(*names)
            count, faults = hovers(text, f"names{turn}")
            compared += count
            found += [*faults, *reports(folder, text, f"names{turn}")]
    for broken in ("`%a", "*x*", "a ``b`", "<b>"):
        try:
            inline(broken)
            found.append(f"{broken} is taken as sound")
        except Broken:
            pass
    print("\n".join(found[:30]))
    print(f"{compared} hovers, {len(found)} faults")
    sys.exit(1 if found or compared < 20 * len(NAMES) else 0)


if __name__ == "__main__":
    main()
