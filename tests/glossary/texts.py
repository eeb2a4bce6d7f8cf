"""What users read of the project, taken out of its files.

Each text comes as (path, line, text): string literals of C++ and TypeScript, those
that the compiler joins as one; titles and descriptions of package.json; pages, man
page and completions whole.
"""

import json
import re

CPP = re.compile(
    r'//[^\n]*|/\*.*?\*/|#include[^\n]*|R"(?P<mark>\w*)\((?P<raw>.*?)\)(?P=mark)"'
    r'|"(?P<plain>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'', re.S)
SCRIPT = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?P<double>(?:[^"\\\n]|\\.)*)"'
    r"|'(?P<single>(?:[^'\\\n]|\\.)*)'|`(?P<template>(?:[^`\\]|\\.)*)`", re.S)
#: Names of JSON's members, of files and of classes are no words for users.
NAME = re.compile(r"[\w.:#/*\-]*$")


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def of_cpp(path, text):
    joined, begin, end = "", 0, None
    for found in CPP.finditer(text):
        piece = found["raw"] if found["raw"] is not None else found["plain"]
        if piece is None:
            continue
        if end is not None and not text[end:found.start()].strip():
            joined += piece
        else:
            if joined:
                yield path, line_of(text, begin), joined
            joined, begin = piece, found.start()
        end = found.end()
    if joined:
        yield path, line_of(text, begin), joined


def of_script(path, text):
    for found in SCRIPT.finditer(text):
        for kind in ("double", "single", "template"):
            if found[kind] is not None:
                yield path, line_of(text, found.start()), found[kind]


def of_json(path, text):
    def strings(value, key=""):
        if isinstance(value, dict):
            for name, inner in value.items():
                yield from strings(inner, name)
        elif isinstance(value, list):
            for inner in value:
                yield from strings(inner, key)
        elif isinstance(value, str) and re.search(
                r"title|escription|label|contents|name", key):
            yield value
    for value in strings(json.loads(text)):
        at = text.find(json.dumps(value, ensure_ascii=False)[:40])
        yield path, line_of(text, max(at, 0)), value


def of_man(path, text):
    words = re.sub(r"(?m)^\.\\\".*$|^\.\w+ ?|\\f[BIR]|\\", "", text)
    yield path, 1, words


def of_page(path, text):
    """Without what programs print, which is held where they say it."""
    yield path, 1, re.sub(r"(?ms)^```console\n.*?^```$",
                          lambda found: "\n" * found[0].count("\n"), text)


def of_file(root, name):
    """The texts of one file; none of those that no user reads."""
    path = root / name
    kind = path.suffix
    text = path.read_text(errors="replace")
    if kind in (".cpp", ".h", ".def", ".td"):
        found = (one for one in of_cpp(name, text) if not NAME.match(one[2]))
    elif kind in (".ts", ".js", ".mjs"):
        found = (one for one in of_script(name, text) if not NAME.match(one[2]))
    elif kind == ".json":
        found = of_json(name, text)
    elif kind == ".1":
        found = of_man(name, text)
    else:
        found = of_page(name, text)
    yield from found
