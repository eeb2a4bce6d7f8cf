#!/usr/bin/env python3
"""Holds explanations of the corpus's readings to what must and must not be said.

usage: run_readings.py MEMREF_LENS

The readings are programs on which a sentence was false or left out what matters;
`readings/` beside this test has variants of them, `//? must: TEXT` and `//? not: TEXT`
lines in each: some line of `memref-lens explain FILE`, indentation apart, has TEXT, or
none has. `//? options: ...` gives options of the command. Of each program also: every
"owned if" has a source, and one for each way into a loop; and so of a part of the
corpus.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import corpus  # noqa: E402
import sample  # noqa: E402

EXPECTED = {
    "d04_loop_result_sources": {
        "must": [
            "false where scf.for runs no iteration, with %i",
            "true yielded by the body of scf.for (6:8), with %t",
            "false on entry: scf.for borrows its operand %i",
        ],
        "not": [],
    },
    "d07_while_sources_lost": {
        "must": [
            "true yielded by the after region of scf.while (7:10), with %t",
            "yielded by the before region of scf.while (7:10), with %x",
            "false on entry: scf.while borrows its operand %a",
        ],
        "not": [],
    },
    "d19_retained_said_freed": {
        "must": [
            "%r#0, %r#1, ",
            "never deallocated: scf.for (8:10) carries them without ownership, "
            "their ownership indicators are false in every iteration",
        ],
        "not": ["deallocated at the end of", "owned if", "alias check"],
    },
    "d12_lifted_simple_loop": {
        "options": ["--pre=lift-cf-to-scf"],
        "must": ["%x (5:15", "true yielded by", "%while#2 is cloned to"],
        "not": ["argument of the then region of scf.if", "%while#2 (made for",
                "ub.poison"],
    },
}
AT_LEAST = 60


def said(lens, path, options=()):
    done = subprocess.run([lens, "explain", *options, path], text=True,
                          capture_output=True, timeout=120, check=False)
    if done.returncode < 0:
        print(f"{path}: ended with {done.returncode}\n{done.stderr}")
    return done.stdout.splitlines()


def flat(lines):
    return [" ".join(line.split()) for line in lines]


def depth(line):
    return len(line) - len(line.lstrip())


def unsourced(lines):
    """Each statement of an indicator below which stands no source."""
    for number, line in enumerate(lines):
        found = re.search(r"(?:is owned if \S+: by| is) a (block argument|result) of",
                          line)
        if not found or depth(line) > 4 or " via " in line:
            continue
        facts = []
        for below in lines[number + 1:]:
            if depth(below) <= depth(line):
                break
            facts.append(below)
        text = " ".join(facts)
        if not facts:
            yield f"no source: {line.strip()}"
        elif "a result of scf.for" in line and \
                "runs no iteration" not in text and "not known" not in text:
            yield f"no source for zero iterations: {line.strip()}"
        elif re.search(r"argument of the (body of scf\.for|before region)",
                       line) and "not known" not in text and not (
                           "on entry:" in text and "yielded by" in text):
            yield f"entry or back edge without a source: {line.strip()}"


def marked(path):
    text = path.read_text()
    options = re.search(r"^//\? options: (.*)", text, re.M)
    found = {"must": [], "not": [],
             "options": options[1].split() if options else []}
    for kind, what in re.findall(r"^//\? (must|not): (.*\S)\s*$", text, re.M):
        found[kind].append(what)
    return found


def held(lens, path, expected):
    """(number of checks, faults)."""
    raw = said(lens, path, expected.get("options", []))
    lines, faults = flat(raw), list(unsourced(raw))
    for text in expected["must"]:
        if not any(text in line for line in lines):
            faults.append(f"not said: {text}")
    for text in expected["not"]:
        faults += [f"said: {line}" for line in lines if text in line]
    if faults:
        print(f"{path.name}:", *faults, sep="\n  ")
        print("\n".join(raw))
    return len(expected["must"]) + len(expected["not"]) + 1, len(faults)


#===--- Small ones ---===#

DIALECT = """func.func @f(%a: memref<4xf32>) {
  %x = toy.make %a : memref<4xf32>
  return
}
"""
LINE_BREAK = """func.func @"a\\0Ab"() {
  return
}
"""
TWICE = """func.func private @use(memref<4xf32>)
func.func @f(%c: i1) {
  scf.if %c {
    %u = memref.alloc() : memref<4xf32>
    func.call @use(%u) : (memref<4xf32>) -> ()
  } else {
    %u = memref.alloc() : memref<4xf32>
    func.call @use(%u) : (memref<4xf32>) -> ()
  }
  return
}
"""
REJECTED = """func.func private @use(memref<4xf32>, memref<4xf32>)
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^use(%a : memref<4xf32>), ^end
^use(%x: memref<4xf32>):
  call @use(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  cf.br ^end
^end:
  return
}
"""
COPY = """func.func @f(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
"""


def smallFaults(lens):
    """What the commands say of programs of a few lines."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sub").mkdir()

        def run(text, *words, cwd=folder):
            (folder / "sub" / "p.mlir").write_text(text)
            done = subprocess.run([lens, *words], text=True, cwd=cwd, timeout=60,
                                  capture_output=True, check=False)
            return done.stdout, done.stderr

        if "--load-dialect-plugin" not in run(DIALECT, "explain", "sub/p.mlir")[1]:
            yield "an unknown dialect does not name --load-dialect-plugin"
        if run(LINE_BREAK, "compare", "sub/p.mlir")[0].count("\n") != 1:
            yield "compare prints a line break of a function's name"
        aliases = run(TWICE, "explain", "--aliases", "sub/p.mlir:4:5")[0]
        if "%u (4:5) and %u (7:5)" not in aliases:
            yield f"two memrefs of one name have no place: {aliases}"
        for place in ("4:4", "8:1"):
            told = run(REJECTED, "explain", f"sub/p.mlir:{place}")[0]
            if re.search(r"(?<!not )dealloc(ates|ated)", told):
                yield f"deallocation in a rejected function: {told}"
        told = run(REJECTED, "explain", "sub/p.mlir:4:4")[0]
        if not told.startswith("@f is rejected"):
            yield f"a rejection does not come first: {told}"
        old = run(COPY, "check", "--format=json", "sub/p.mlir")[0]
        (folder / "old.json").write_text(old)
        change = run(COPY, "check", "--baseline", "../old.json", "p.mlir",
                     cwd=folder / "sub")[0]
        if "no new findings" not in change:
            yield f"a baseline is not known from another folder: {change}"


def main():
    lens = sys.argv[1]
    cases = [(path, marked(path))
             for path in sorted((HERE / "readings").glob("*.mlir"))]
    folder = corpus.corpus() / "readings"
    for name, expected in EXPECTED.items():
        path = folder / f"{name}.mlir"
        if not path.is_file():
            corpus.missing(f"no reading {path}")
        cases.append((path, expected))
    checks, faults = 0, 0
    for path, expected in cases:
        counts = held(lens, path, expected)
        checks, faults = checks + counts[0], faults + counts[1]
    print(f"{len(cases)} programs, {checks} checks, {faults} not held")
    for fault in smallFaults(lens):
        faults += 1
        print(fault)
    statements = 0
    for path in sample.part((path for path in corpus.corpus_files()
                             if path.stat().st_size < 60000), 6):
        lines = said(lens, path, ["--allow-unregistered-dialect"])
        statements += sum(" owned if " in line for line in lines)
        for fault in unsourced(lines):
            faults += 1
            print(f"{path}: {fault}")
    print(f"{statements} statements of the corpus")
    return 1 if faults or checks < AT_LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
