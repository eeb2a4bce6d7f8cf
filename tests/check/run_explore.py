"""What the path explorer says of small programs, as they stand.

  run_explore.py EXPLORE_FILES

Each program is given with the faults that it has (none: it is right), or with
words of the line that says how far the exploration went.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "judges"))

import judges

M = "memref<4xf32>"
ALLOC = f"%a = memref.alloc() : {M}\n"
FREE = f"memref.dealloc %a : {M}\n"
TRUE = "%t = arith.constant true\n"
STEPS = ("%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
         "%c5 = arith.constant 5 : index\n")


def f(arguments, body, results=""):
    arrow = f" -> ({results})" if results else ""
    return f"func.func @f({arguments}){arrow} {{\n{body}}}\n"


def ret(values="", types=""):
    return f"return {values} : {types}\n" if values else "return\n"


def diamonds(count):
    """Conditions of their own; the buffer is freed on both ways of the last."""
    arguments = ", ".join(f"%c{i}: i1" for i in range(count))
    text = ALLOC + "cf.br ^b0\n"
    for i in range(count):
        text += (f"^b{i}:\n cf.cond_br %c{i}, ^l{i}, ^r{i}\n"
                 f"^l{i}:\n memref.store %v, %a[%i] : {M}\n cf.br ^b{i + 1}\n"
                 f"^r{i}:\n cf.br ^b{i + 1}\n")
    return f(arguments + ", %v: f32, %i: index",
             text + f"^b{count}:\n" + FREE + ret())


def ifs(count):
    """A free under each condition, and under its negation."""
    arguments = ", ".join(f"%c{i}: i1" for i in range(count))
    text = TRUE
    for i in range(count):
        text += (f"%a{i} = memref.alloc() : {M}\n"
                 f"scf.if %c{i} {{\n memref.dealloc %a{i} : {M}\n}}\n"
                 f"%n{i} = arith.xori %c{i}, %t : i1\n"
                 f"scf.if %n{i} {{\n memref.dealloc %a{i} : {M}\n}}\n")
    return f(arguments, text + ret())


def loop(body, end="%n", carried="", results=""):
    return (f"{results}scf.for %k = %c0 to {end} step %c1 {carried} {{\n"
            f"{body}}}\n")


# A loop notes whether it met something: what is done under that, twice.
FLAGGED = f("%n: index", STEPS + f"""
%none = arith.constant false
%some = arith.constant true
%u = memref.alloc(%n) : memref<?xindex>
%met = scf.while (%i = %c0, %m = %none) : (index, i1) -> i1 {{
 %go = arith.cmpi slt, %i, %n : index
 scf.condition(%go) %m : i1
}} do {{
^bb0(%m: i1):
 %x = memref.load %u[%c0] : memref<?xindex>
 %is = arith.cmpi eq, %x, %n : index
 %next = arith.select %is, %some, %m : i1
 scf.yield %x, %next : index, i1
}}
memref.dealloc %u : memref<?xindex>
%a = scf.if %met -> ({M}) {{
 FIRST
 scf.yield %a : {M}
}} else {{
 %e = memref.alloc() : {M}
 memref.dealloc %e : {M}
 scf.yield %e : {M}
}}
scf.if %met {{
 SECOND
}}
""" + ret())

CASES = {
    "nothing": (f("", ret()), set()),
    "freed": (f("", ALLOC + FREE + ret()), set()),
    "lost": (f("", ALLOC + ret()), {"leak"}),
    "freed behind a branch of another kind": (
        f("", ALLOC + "pdl_interp.branch ^next\n^next:\n" + FREE + ret()),
        set()),
    "lost behind a branch of another kind": (
        f("", ALLOC + "pdl_interp.branch ^next\n^next:\n" + ret()), {"leak"}),
    "returned": (f("", ALLOC + ret("%a", M), M), set()),
    "freed twice": (f("", ALLOC + FREE + FREE + ret()), {"double-free"}),
    "freed through a view": (
        f("", ALLOC + f"%w = memref.cast %a : {M} to memref<?xf32>\n" + FREE +
          "memref.dealloc %w : memref<?xf32>\n" + ret()), {"double-free"}),
    "used late": (
        f("%i: index", ALLOC + FREE + f"%x = memref.load %a[%i] : {M}\n" +
          ret("%x", "f32"), "f32"), {"use-after-free"}),
    "argument freed": (f(f"%a: {M}", FREE + ret()), {"free-not-owned"}),
    "argument returned": (f(f"%a: {M}", ret("%a", M), M),
                          {"returns-not-owned"}),
    "stack returned": (
        f("", f"%a = memref.alloca() : {M}\n" + ret("%a", M), M),
        {"returns-not-owned"}),
    "returned after its free": (f("", ALLOC + FREE + ret("%a", M), M),
                                {"returns-freed"}),
    "returned twice": (f("", ALLOC + ret("%a, %a", f"{M}, {M}"), f"{M}, {M}"),
                       {"results-alias"}),
    "one condition, both ways": (ifs(1), set()),
    "select of two": (
        f("%c: i1", ALLOC + f"%b = memref.alloc() : {M}\n"
          f"%s = arith.select %c, %a, %b : {M}\n"
          f"%o = arith.select %c, %b, %a : {M}\n"
          f"memref.dealloc %s : {M}\nmemref.dealloc %o : {M}\n" + ret()),
        set()),
    "select of one": (
        f("%c: i1", ALLOC + f"%b = memref.alloc() : {M}\n"
          f"%s = arith.select %c, %a, %b : {M}\n"
          f"memref.dealloc %s : {M}\n" + FREE + ret()),
        {"double-free"}),
    "equal compares are one": (
        f("%x: index, %y: index", ALLOC +
          "%p = arith.cmpi slt, %x, %y : index\n"
          "%q = arith.cmpi sge, %x, %y : index\n"
          "scf.if %p {\n" + FREE + "}\nscf.if %q {\n" + FREE + "}\n" + ret()),
        set()),
    "pointers compared": (
        f("%c: i1", ALLOC + f"%b = memref.alloc() : {M}\n"
          f"%s = arith.select %c, %a, %b : {M}\n"
          f"%p = memref.extract_aligned_pointer_as_index %a : {M} -> index\n"
          f"%q = memref.extract_aligned_pointer_as_index %s : {M} -> index\n"
          f"%r = memref.extract_aligned_pointer_as_index %b : {M} -> index\n"
          "%d = arith.cmpi ne, %p, %q : index\n"
          "%e = arith.cmpi ne, %r, %q : index\n"
          "scf.if %d {\n" + FREE +
          f"}}\nscf.if %e {{\n memref.dealloc %b : {M}\n}}\n" +
          ret("%s", M), M), set()),
    "arguments that may be one": (
        f(f"%x: {M}, %y: {M}", ALLOC +
          f"%p = memref.extract_aligned_pointer_as_index %x : {M} -> index\n"
          f"%q = memref.extract_aligned_pointer_as_index %y : {M} -> index\n"
          "%d = arith.cmpi ne, %p, %q : index\n"
          "scf.if %d {\n" + FREE + "}\n" + ret()), {"leak"}),
    "dealloc op": (
        f(f"%c: i1, %x: {M}", ALLOC + "%s = arith.select %c, %a, %x : " + M +
          "\n" + TRUE + f"%o = bufferization.dealloc (%a : {M}) if (%t) "
          f"retain (%s : {M})\n"
          f"scf.if %o {{\n memref.dealloc %s : {M}\n}}\n" + ret()), set()),
    "dealloc op, earlier memref without condition": (
        f("", ALLOC + TRUE + "%e = arith.constant false\n"
          f"bufferization.dealloc (%a, %a : {M}, {M}) if (%e, %t)\n" + ret()),
        {"leak"}),
    "loop, freed in each": (
        f("%n: index", STEPS + loop(ALLOC + FREE) + ret()), set()),
    "loop, lost in each": (
        f("%n: index", STEPS + loop(ALLOC) + ret()), {"leak"}),
    "loop, freed in the second": (
        f("%n: index", STEPS + ALLOC + loop(FREE) + ret()),
        {"double-free", "leak"}),
    "known loop, freed in the last": (
        f("", STEPS + "%c4 = arith.constant 4 : index\n" + ALLOC +
          loop("%l = arith.cmpi eq, %k, %c4 : index\n"
               "scf.if %l {\n" + FREE + "}\n", "%c5") + ret()), set()),
    "carried and swapped": (
        f("%n: index", STEPS + ALLOC + f"%b = memref.alloc() : {M}\n" +
          loop(f"scf.yield %y, %x : {M}, {M}\n", "%n",
               f"iter_args(%x = %a, %y = %b) -> ({M}, {M})", "%r:2 = ") +
          f"memref.dealloc %r#0 : {M}\nmemref.dealloc %r#1 : {M}\n" + ret()),
        set()),
    "while": (
        f("%c: i1", ALLOC + f"%r = scf.while (%x = %a) : ({M}) -> {M} {{\n"
          "%g = func.call @flag() : () -> i1\n"
          f"scf.condition(%g) %x : {M}\n}} do {{\n^bb0(%y: {M}):\n"
          f"memref.dealloc %y : {M}\n%b = memref.alloc() : {M}\n"
          f"scf.yield %b : {M}\n}}\nmemref.dealloc %r : {M}\n" + ret()) +
        "func.func private @flag() -> i1\n", set()),
    "switch": (
        f("%x: index", ALLOC + "scf.index_switch %x\ncase 0 {\n" + FREE +
          "scf.yield\n}\ndefault {\n}\n" + ret()), {"leak"}),
    "callee frees": (
        f("", ALLOC + f"func.call @g(%a) : ({M}) -> ()\n" + FREE + ret()) +
        f"func.func private @g(%a: {M}) {{\n" + FREE + ret() + "}\n",
        {"double-free"}),
    "callee that does not use it": (
        f("", ALLOC + FREE + f"func.call @g(%a) : ({M}) -> ()\n" + ret()) +
        f"func.func private @g(%a: {M}) {{\n" + ret() + "}\n", set()),
    "callee that may use it": (
        f("", ALLOC + FREE + f"func.call @g(%a) : ({M}) -> ()\n" + ret()) +
        f"func.func private @g(%a: {M})\n", {"use-after-free"}),
    "result of a call": (
        f("", f"%a = func.call @g() : () -> {M}\n" + FREE + ret()) +
        f"func.func private @g() -> {M}\n", set()),
    "result of a call, lost": (
        f("", f"%a = func.call @g() : () -> {M}\n" + ret()) +
        f"func.func private @g() -> {M}\n", {"leak"}),
    "recursion": (
        f("%c: i1", "scf.if %c {\n%d = func.call @flag() : () -> i1\n"
          "func.call @f(%d) : (i1) -> ()\n}\n" + ret()) +
        "func.func private @flag() -> i1\n", set()),
    "grown": (
        f("%n: index", "%a = memref.alloc(%n) : memref<?xf32>\n"
          "%b = memref.realloc %a(%n) : memref<?xf32> to memref<?xf32>\n"
          "memref.dealloc %b : memref<?xf32>\n" + ret()), set()),
    "old name of what was grown": (
        f("%n: index", "%a = memref.alloc(%n) : memref<?xf32>\n"
          "%b = memref.realloc %a(%n) : memref<?xf32> to memref<?xf32>\n"
          "memref.dealloc %a : memref<?xf32>\n" + ret()),
        {"double-free"}),
    "stored where others see it": (
        f(f"%h: memref<{M}>", ALLOC + f"memref.store %a, %h[] : memref<{M}>\n" +
          FREE + ret()), {"escapes-freed"}),
    # What loops and conditions do to numbers alone is not tried way by way.
    "used late in one way of a choice": (
        f("%c: i1, %i: index", ALLOC + FREE +
          f"scf.if %c {{\n %x = memref.load %a[%i] : {M}\n"
          f" memref.store %x, %a[%i] : {M}\n}}\n" + ret()),
        {"use-after-free"}),
    "used late in a loop": (
        f("%n: index", STEPS + ALLOC + FREE +
          loop(f"%w = memref.cast %a : {M} to memref<?xf32>\n"
               "%x = memref.load %w[%k] : memref<?xf32>\n"
               "func.call @see(%x) : (f32) -> ()\n") + ret()) +
        "func.func private @see(f32)\n", {"use-after-free"}),
    "whether something was met": (
        FLAGGED.replace("FIRST", ALLOC).replace("SECOND", FREE), set()),
    "whether something was met, lost": (
        FLAGGED.replace("FIRST", ALLOC).replace("SECOND", ""), {"leak"}),
    "an indicator carried on": (
        f("%c: i1, %n: index", STEPS + ALLOC + "scf.if %c {\n" + FREE + "}\n" +
          TRUE + "%o = arith.xori %c, %t : i1\n" +
          loop("%f = arith.constant false\n"
               "%x = func.call @flag() : () -> i1\n"
               "%y = arith.select %x, %p, %p : i1\nscf.yield %y : i1\n", "%n",
               "iter_args(%p = %o) -> (i1)", "%r = ") +
          "scf.if %r {\n" + FREE + "}\n" + ret()) +
        "func.func private @flag() -> i1\n", set()),
    "a number chosen": (
        f("%c: i1, %d: i1", STEPS + f"%h = memref.alloc() : memref<2x{M}>\n" +
          "%i = scf.if %c -> (index) {\n"
          f" %z = memref.load %h[%c0] : memref<2x{M}>\n"
          " scf.yield %c0 : index\n} else {\n scf.yield %c1 : index\n}\n" +
          ALLOC +
          f"memref.store %a, %h[%i] : memref<2x{M}>\n"
          f"%x = memref.load %h[%i] : memref<2x{M}>\n"
          f"memref.dealloc %x : {M}\nmemref.dealloc %h : memref<2x{M}>\n" +
          ret()), set()),
    # Iterations of a long loop meet; all of them were tried then.
    "long loop": (
        f("%c: i1", STEPS + "%m = arith.constant 100000 : index\n" +
          loop(ALLOC + f"scf.if %c {{\n memref.store %v, %a[%k] : {M}\n}}\n" +
               FREE, "%m") + ret()).replace("%c: i1", "%c: i1, %v: f32"),
        set()),
    "long loop, grown in each": (
        f("%n: index", STEPS + "%m = arith.constant 100000 : index\n"
          "%a = memref.alloc(%n) : memref<?xf32>\n" +
          loop("%b = memref.realloc %x(%k) : memref<?xf32> to memref<?xf32>\n"
               "scf.yield %b : memref<?xf32>\n", "%m",
               "iter_args(%x = %a) -> (memref<?xf32>)", "%r = ") +
          "memref.dealloc %r : memref<?xf32>\n" + ret()), set()),
    "only in the first iteration": (
        f("", STEPS + "%m = arith.constant 100000 : index\n" + ALLOC +
          loop("%first = arith.cmpi eq, %k, %c0 : index\n"
               "scf.if %first {\n" + FREE + "}\n", "%m") + ret()), set()),
    "buffers kept by number": (
        f("", STEPS + "%m = arith.constant 200 : index\n"
          f"%h = memref.alloc() : memref<200x{M}>\n" +
          loop(ALLOC + f"memref.store %a, %h[%k] : memref<200x{M}>\n", "%m") +
          loop(f"%x = memref.load %h[%k] : memref<200x{M}>\n"
               f"memref.dealloc %x : {M}\n", "%m") +
          f"memref.dealloc %h : memref<200x{M}>\n" + ret()), set()),
    "buffers kept by number in a callee": (
        f("", STEPS + "%m = arith.constant 9 : index\n"
          f"%h = memref.alloc() : memref<9x{M}>\n" +
          loop(f"func.call @put(%h, %k) : (memref<9x{M}>, index) -> ()\n",
               "%m") +
          loop(f"%x = memref.load %h[%k] : memref<9x{M}>\n"
               f"memref.dealloc %x : {M}\n", "%m") +
          f"memref.dealloc %h : memref<9x{M}>\n" + ret()) +
        f"func.func private @put(%h: memref<9x{M}>, %k: index) {{\n" + ALLOC +
        f"memref.store %a, %h[%k] : memref<9x{M}>\n" + ret() + "}\n", set()),
    "a flag kept by number": (
        f("", STEPS + TRUE + "%h = memref.alloc() : memref<5xi1>\n" + ALLOC +
          loop("memref.store %t, %h[%k] : memref<5xi1>\n", "%c5") +
          "%x = memref.load %h[%c0] : memref<5xi1>\n"
          f"scf.if %x {{\n{FREE}}}\nmemref.dealloc %h : memref<5xi1>\n" +
          ret()), set()),
    "loop of branches": (
        f("", "cf.br ^a\n^a:\n" + ALLOC + FREE +
          "%c = func.call @flag() : () -> i1\ncf.cond_br %c, ^a, ^b\n^b:\n" +
          ret()) + "func.func private @flag() -> i1\n", set()),
    "endless": (f("", "cf.br ^a\n^a:\ncf.br ^a\n"), set()),
    "40 diamonds": (diamonds(40), set()),
    "40 pairs of ifs": (ifs(40), set()),
}
# As code of the pipeline: rounds of longer loops are not told apart, but where
# buffers are kept by number.
COUNTED = {"buffers kept by number": 2, "buffers kept by number in a callee": 2}
# Longest for one of them on a machine that does much else, in seconds.
LONGEST = 30


def keeps(count):
    """Each condition decides whether a buffer of its own is there to the end:
    no two of the 2 ** count paths are alike."""
    arguments = ", ".join(f"%c{i}: i1" for i in range(count))
    text = "".join(
        f"%o{i} = memref.alloc() : memref<{M}>\n"
        f"scf.if %c{i} {{\n %b{i} = memref.alloc() : {M}\n"
        f" memref.store %b{i}, %o{i}[] : memref<{M}>\n}}\n"
        for i in range(count))
    text += "".join(
        f"scf.if %c{i} {{\n %x{i} = memref.load %o{i}[] : memref<{M}>\n"
        f" memref.dealloc %x{i} : {M}\n}}\n"
        f"memref.dealloc %o{i} : memref<{M}>\n" for i in range(count))
    return f(arguments, text + ret())


def undecided(count):
    """Loops whose ends all hang on %n: each turn decides something that may be
    asked again, so no decision is ever forgotten and paths wait in thousands."""
    return f("%n: index", f"""%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%count = arith.constant {count} : index
scf.for %i = %zero to %count step %one {{
 %row = arith.muli %i, %count : index
 scf.for %j = %zero to %count step %one {{
  %from = arith.addi %row, %j : index
  scf.for %k = %from to %n step %one {{
   %m = memref.alloc() : {M}
   memref.dealloc %m : {M}
  }}
 }}
}}
""" + ret())


def memory(explorer, folder):
    """Paths that wait have a bound of their own: without it, a loop nest of the
    sparse compiler took 24 GB."""
    path = pathlib.Path(folder) / "undecided.mlir"
    path.write_text(undecided(250))

    def limit():
        # A sanitizer needs terabytes of addresses.
        if "ASAN_OPTIONS" not in os.environ:
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    done = subprocess.run([explorer, "--no-clock", "--words", "4000000000",
                           "--function", "f", path],
                          capture_output=True, text=True, preexec_fn=limit,
                          timeout=600)
    said = "no fault; stopped after 128 MB of paths that wait, "
    if done.returncode or said not in done.stdout:
        return [f"waiting paths: {done.returncode} {done.stdout.strip()} "
                f"{done.stderr[-300:]}, not {said}"]
    return []


D = "memref<?xindex>"


def grown(count):
    """Buffers as the sparse compiler has them: each stays, is looked at as a
    larger one, or grows, and what is kept is owned by whom an i1 says. After
    that nobody asks how large they are."""
    arguments = ", ".join(f"%a{i}: {D}, %n{i}: index" for i in range(count))
    text = ("%c0 = arith.constant 0 : index\n%c2 = arith.constant 2 : index\n"
            "%no = arith.constant false\n")
    for i in range(count):
        text += f"""%d{i} = memref.dim %a{i}, %c0 : {D}
%more{i} = arith.cmpi ugt, %n{i}, %d{i} : index
%twice{i} = arith.muli %d{i}, %c2 : index
%fits{i} = arith.cmpi ult, %d{i}, %twice{i} : index
%b{i}, %o{i} = scf.if %more{i} -> ({D}, i1) {{
 %x, %y = scf.if %fits{i} -> ({D}, i1) {{
  %new = memref.alloc(%twice{i}) : {D}
  %yes = arith.constant true
  scf.yield %new, %yes : {D}, i1
 }} else {{
  %view = memref.reinterpret_cast %a{i} to offset: [0], sizes: [%twice{i}],
      strides: [1] : {D} to {D}
  scf.yield %view, %no : {D}, i1
 }}
 scf.yield %x, %y : {D}, i1
}} else {{
 scf.yield %a{i}, %no : {D}, i1
}}
memref.store %c0, %b{i}[%c0] : {D}
"""
    for i in range(count):
        text += (f"%e{i}, %f{i}, %s{i}, %t{i} = memref.extract_strided_metadata "
                 f"%b{i} : {D} -> memref<index>, index, index, index\n"
                 f"scf.if %o{i} {{\n memref.dealloc %e{i} : memref<index>\n}}\n")
    return f(arguments, text + ret())


def made_in_many_places(count):
    """Two buffers go round in a loop; each round, one of several calls may make
    them anew. Each call is a place of its own, but what follows is the same.
    %x and %y are handed on as numbers, so that what is freed may be used."""
    text = "".join(f"""%c{i} = memref.load %flags[%n] : memref<?xi1>
%p{i}, %q{i}, %op{i}, %oq{i} = scf.if %c{i} -> ({M}, {M}, i1, i1) {{
 %m{i}:2 = func.call @make() : () -> ({M}, {M})
 %yes = arith.constant true
 scf.if {"%own" if i == 0 else f"%op{i - 1}"} {{
  memref.dealloc {"%x" if i == 0 else f"%p{i - 1}"} : {M}
 }}
 scf.if {"%owny" if i == 0 else f"%oq{i - 1}"} {{
  memref.dealloc {"%y" if i == 0 else f"%q{i - 1}"} : {M}
 }}
 scf.yield %m{i}#0, %m{i}#1, %yes, %yes : {M}, {M}, i1, i1
}} else {{
 scf.yield {"%x, %y, %own, %owny" if i == 0 else
            f"%p{i - 1}, %q{i - 1}, %op{i - 1}, %oq{i - 1}"} : {M}, {M}, i1, i1
}}
%n{i} = memref.extract_aligned_pointer_as_index %p{i} : {M} -> index
func.call @keep(%n{i}) : (index) -> ()
""" for i in range(count))
    last = count - 1
    return ("func.func private @make() -> (memref<4xf32>, memref<4xf32>)\n"
            "func.func private @keep(index)\n" +
            f(f"%n: index, %a: {M}, %flags: memref<?xi1>", f"""%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%no = arith.constant false
%r:4 = scf.for %i = %zero to %n step %one
    iter_args(%x = %a, %y = %a, %own = %no, %owny = %no) -> ({M}, {M}, i1, i1) {{
{text}
 scf.yield %p{last}, %q{last}, %op{last}, %oq{last} : {M}, {M}, i1, i1
}}
scf.if %r#2 {{
 memref.dealloc %r#0 : {M}
}}
scf.if %r#3 {{
 memref.dealloc %r#1 : {M}
}}
""" + ret()))


def marked(count):
    """As the sparse compiler expands a row: it marks which elements it has met,
    and counts them. Many ways, which differ in numbers alone."""
    body = f"""%was = memref.load %marks[%k] : memref<?xi1>
%new = arith.cmpi eq, %was, %no : i1
%next = scf.if %new -> (index) {{
 memref.store %t, %marks[%k] : memref<?xi1>
 memref.store %k, %which[%met] : memref<?xindex>
 %one = arith.addi %met, %c1 : index
 scf.yield %one : index
}} else {{
 scf.yield %met : index
}}
"""
    return f("%n: index", STEPS + TRUE + f"""%no = arith.constant false
%count = arith.constant {count} : index
%marks = memref.alloc(%n) : memref<?xi1>
%which = memref.alloc(%n) : memref<?xindex>
linalg.fill ins(%no : i1) outs(%marks : memref<?xi1>)
%all = scf.for %j = %c0 to %count step %c1 iter_args(%so = %c0) -> (index) {{
 %row = scf.for %k = %j to %n step %c1 iter_args(%met = %so) -> (index) {{
{body}
  scf.yield %next : index
 }}
 scf.yield %row : index
}}
scf.for %j = %c0 to %all step %c1 {{
 {ALLOC}
 {FREE}
}}
memref.dealloc %marks : memref<?xi1>
memref.dealloc %which : memref<?xindex>
""" + ret())


def long_one(count):
    """Many buffers that live to the end, and as many ways that part and meet
    meanwhile: few paths, each with a large state."""
    text = "".join(f"%b{i} = memref.alloc() : {M}\n"
                   f"func.call @use(%b{i}) : ({M}) -> ()\n"
                   for i in range(count))
    text += "".join(f"""%c{i} = func.call @flag() : () -> i1
scf.if %c{i} {{
 %n = memref.alloc() : {M}
 func.call @use(%n) : ({M}) -> ()
}}
""" for i in range(count))
    text += "".join(f"func.call @use(%b{i}) : ({M}) -> ()\n"
                    for i in range(count))
    return ("func.func private @use(memref<4xf32>)\n"
            "func.func private @flag() -> i1\n" + f("", text + ret()))


def large_states(folder):
    """Within the bounds of `check`, and of the peak."""
    path = pathlib.Path(folder) / "long.mlir"
    path.write_text(long_one(600))
    result = judges.run([judges.lens(), "check", "--no-try", "--verbose", path])
    failures = []
    if "no fault; all 601 paths tried" not in result.out:
        failures.append(f"a long function: {result.out[-300:]}{result.err}")
    path.write_text(long_one(300))
    peak = judges.run([judges.lens(), "memory", "--format", "json", path])
    function = json.loads(peak.out)["functions"][0]
    if function["peakBytes"] != 301 * 16 or any("paths" in gap for gap in
                                                function["gaps"]):
        failures.append(f"the peak of a long function: {function['peakBytes']} "
                        f"{function['gaps']}")
    return failures


def frees_of_calls(folder):
    """What a called function makes and returns is freed by the caller: so says
    its trace, though the callee is run."""
    path = pathlib.Path(folder) / "calls.mlir"
    path.write_text(f"func.func private @make() -> {M} {{\n" + ALLOC +
                    ret("%a", M) + "}\n" +
                    f("", f"%x = func.call @make() : () -> {M}\n"
                      f"%y = func.call @make() : () -> {M}\n" + ret()))
    trace = json.loads(judges.run([judges.lens(), "trace", path]).out)
    calls = {number for number, op in enumerate(trace["ops"])
             if op["name"] == "func.call" and not op.get("generated")}
    heap = next(function["heap"] for function in trace["functions"]
                if function["name"] == "f")
    freed = {entry["allocation"] for entry in heap.get("freed", [])}
    return [] if len(calls) == 2 and calls <= freed else \
        [f"frees of what calls return: {sorted(freed)}, not {sorted(calls)}"]


def meetings(explorer, folder):
    """Paths meet where they go on alike: what nobody asks, and where a buffer
    comes from, does not keep them apart."""
    failures = []
    path = pathlib.Path(folder) / "meetings.mlir"
    for program, options, steps in ((grown(6), [], 4000),
                                    (made_in_many_places(8),
                                     ["--sites-together"], 1000),
                                    (marked(200), [], 500)):
        path.write_text(program)
        result = judges.run([explorer, "--counted", "2", "--function", "f",
                             "--steps", str(steps), *options, path])
        if "no fault; all " not in result.out or result.status != 0:
            failures.append(f"{options}: exit {result.status}: {result.out}"
                            f"{result.err}")
    return failures


def bounds(explorer, folder):
    """The budget of a function, by steps, paths and memory: exact, whatever the
    clock."""
    path = pathlib.Path(folder) / "keeps.mlir"
    path.write_text(keeps(8))
    failures = memory(explorer, folder) + meetings(explorer, folder)
    failures += large_states(folder) + frees_of_calls(folder)
    for options, said in (
            ([], "no fault; all 256 paths tried"),
            (["--paths", "50"], "no fault; stopped after 50 paths, 50 paths "
                                "tried"),
            (["--steps", "500"], "no fault; stopped after 500 steps, "),
            (["--words", "150000"], "no fault; stopped after 1 MB of paths' "
                                    "states copied and compared, ")):
        result = judges.run([explorer, "--no-clock", "--function", "f", *options,
                             path])
        if said not in result.out:
            failures.append(f"{options}: {result.out.strip()}, not {said}")
    for name, said in (("long loop", "no fault; all 2 paths tried"),
                       ("long loop, grown in each", "no fault; all ")):
        path.write_text(CASES[name][0])
        result = judges.run([explorer, "--counted", "2", "--function", "f", path])
        line = result.out.split("\n")[0]
        if said not in line or "bound" in line:
            failures.append(f"{name}: {line}, not {said}")
    return failures


def main():
    explorer, failures = sys.argv[1], []
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, faults) in CASES.items():
            path = pathlib.Path(folder) / f"{name.replace(' ', '-')}.mlir"
            path.write_text(text)
            begin = time.monotonic()
            result = judges.run([explorer, "--function", "f",
                                 "--counted", str(COUNTED.get(name, 256)), path],
                                seconds=120)
            seconds = time.monotonic() - begin
            if result.status != 0:
                failures.append(f"{name}: exit {result.status}: {result.err}")
            parts = result.out.split("\n")[0].split("\t")
            found = set(filter(None, parts[2].split(","))) \
                if len(parts) == 4 else {"no result"}
            if found != faults or "stopped" in parts[-1]:
                failures.append(f"{name}: {', '.join(sorted(found)) or 'none'} "
                                f"({parts[-1]}), not "
                                f"{', '.join(sorted(faults)) or 'none'}")
            if seconds > LONGEST:
                failures.append(f"{name}: takes {seconds:.0f} s")
        failures += bounds(explorer, folder)
    print("\n".join(failures))
    print(f"{len(CASES)} programs, {len(failures)} faults")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
