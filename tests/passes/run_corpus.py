#!/usr/bin/env python3
"""What deallocates after the last use, on real programs that are run.

  run_corpus.py PLUGIN FENCE [FILE...]

Samples and corpus: each part of a file gets a `main` that calls its functions with
buffers of their own, once with each i1 true and once false, and external functions
get a body. Where the program runs without a fault through our pipeline, it is run
again with `late-free=last-use`, under the fence (tests/random), which stops at an
access to a buffer that is deallocated, or at a second dealloc, and counts what is
left: neither may be seen. What cannot be lowered or run as it is, is counted.
"""

import pathlib
import re
import sys
import tempfile
from collections import Counter

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "judges"), str(HERE.parent / "random")]

import judges
import sample
from run_execute import LOWER, runner

PLUGIN, FENCE, *FILES = sys.argv[1:]
PIPELINE = "lens-buffer-deallocation-pipeline"
FUNCTION = re.compile(r"^  func\.func (?:(private|public) )?@([\w.$-]+)"
                      r"\((.*?)\)(?: -> (.*?))?(?: attributes \{.*\})?( \{)?$",
                      re.M)
MEMREF = re.compile(r"memref<((?:(?:\d+|\?)x)*)(f16|f32|f64|i1|i8|i16|i32|i64|"
                    r"index)>$")
SCALAR = re.compile(r"(f16|f32|f64|i1|i8|i16|i32|i64|index)$")
#: Elements of a dimension whose size is not known, and of one buffer at most.
EXTENT, MOST = 4, 1 << 20


def split(types):
    """The types of a list, at its outermost commas."""
    found, depth, at = [], 0, 0
    for place, letter in enumerate(types.replace("->", "  ")):
        depth += (letter in "<([{") - (letter in ">)]}")
        if letter == "," and depth == 0:
            found.append(types[at:place].strip())
            at = place + 1
    return [*found, types[at:].strip()] if types.strip() else []


class Values:
    """Makes a value of a type; raises ValueError where it cannot."""

    def __init__(self, truth, prefix):
        self.truth, self.prefix, self.body, self.count = truth, prefix, [], 0

    def add(self, made):
        self.count += 1
        name = f"%{self.prefix}{self.count}"
        self.body.append(f"    {name} = {made}")
        return name

    def scalar(self, kind):
        value = {"i1": self.truth, "index": "1"}.get(
            kind, "1.0" if kind[0] == "f" else "1")
        return self.add(f"arith.constant {value}" +
                        ("" if kind == "i1" else f" : {kind}"))

    def of(self, kind):
        if SCALAR.match(kind):
            return self.scalar(kind)
        found = MEMREF.match(kind)
        if not found:
            raise ValueError(kind)
        sizes = found[1].split("x")[:-1]
        elements = 1
        for size in sizes:
            elements *= EXTENT if size == "?" else int(size)
        if elements > MOST:
            raise ValueError(f"{kind} is large")
        extents = ", ".join(self.add(f"arith.constant {EXTENT} : index")
                            for size in sizes if size == "?")
        name = self.add(f"memref.alloc({extents}) : {kind}")
        value = self.scalar(found[2])
        self.body.append(f"    linalg.fill ins({value} : {found[2]}) "
                         f"outs({name} : {kind})")
        return name


def bodyOf(results):
    """Of an external function: what it returns is its own to give."""
    values = Values("true", "r")
    names = [values.of(kind) for kind in results]
    return " {\n" + "\n".join([*values.body, "    return " + (
        f"{', '.join(names)} : {', '.join(results)}" if names else "")]) + "\n  }"


def resultsOf(text):
    return split(re.sub(r"^\((.*)\)$", r"\1", text or ""))


def program(text, wanted, truth):
    """`text` with a main that calls the functions `wanted`."""
    # To print, the C library takes a buffer, and keeps it.
    text = re.sub(r"^ *vector\.print .*\n", "", text, flags=re.M)
    text = FUNCTION.sub(lambda found: found[0] if found[5] else
                        f"  func.func private @{found[2]}(" + ", ".join(
                            f"%a{number}: {kind}" for number, kind in
                            enumerate(split(found[3]))) + ")" +
                        (f" -> {found[4]}" if found[4] else "") +
                        bodyOf(resultsOf(found[4])), text)
    body = []
    for number, (name, arguments, results) in enumerate(wanted):
        values = Values(truth, f"v{number}_")
        names = [values.of(kind) for kind in arguments]
        made = f"%c{number}:{len(results)} = " if results else ""
        body += [*values.body, f"    {made}func.call @{name}({', '.join(names)}) "
                 f": ({', '.join(arguments)}) -> ({', '.join(results)})"]
    main = "\n".join(["  func.func @main() {", *body, "    return", "  }"])
    place = text.rindex("}")
    return text[:place] + main + "\n" + text[place:]


def functionsOf(text):
    """Name, arguments and results of those that can be called."""
    for found in FUNCTION.finditer(text):
        arguments = [re.sub(r"^%\w+: (.*?)(?: \{.*\})?$", r"\1", one)
                     for one in split(found[3])]
        if found[5]:
            try:
                for kind in arguments:
                    Values("true", "x").of(kind)
            except ValueError:
                continue
            yield found[2], arguments, resultsOf(found[4])


def behaviour(text, options):
    """`clean`, or what stopped it: a step before the run, or the fence."""
    made = judges.run([judges.tool("mlir-opt"), "-",
                       f"--load-pass-plugin={PLUGIN}",
                       f"--pass-pipeline=builtin.module({PIPELINE}{options})"],
                      text)
    if made.status != 0:
        return "is rejected"
    low = judges.run([judges.tool("mlir-opt"), "-", f"--pass-pipeline={LOWER}"],
                     made.out)
    if low.status != 0:
        return "cannot be lowered"
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(low.out)
        file.flush()
        done = judges.run([*runner(), file.name], seconds=20, preload=FENCE)
    said = re.search(r"fence: .*", done.err)
    if done.status == 0 and said and said[0].endswith(", 0 left"):
        return "clean"
    if done.status is None:
        return "does not end"
    if not said:
        return f"cannot be run: {done.err[:200]}"
    return re.sub(r"\d[\d,]* left", "some left", said[0].split(", ")[-1])


def runOne(text, wanted, seen):
    """Whether it runs as it is; what is wrong with it after our pass."""
    wrong, ran = [], False
    for truth in ("true", "false"):
        try:
            whole = program(text, wanted, truth)
        except ValueError:
            return False, []
        plain = behaviour(whole, "")
        if plain != "clean":
            # It uses what is not there, or keeps or leaves it, as it is.
            seen["calls: " + plain.removeprefix("fence: ").split(":")[0]] += 1
            continue
        ran = True
        seen["runs"] += 1
        found = behaviour(whole, "{late-free=last-use}")
        if found != "clean":
            wrong.append(f"{truth}: {found}")
    return ran, wrong


def check(path):
    seen, faults = Counter(), []
    text = path.read_text(errors="replace")
    for number, chunk in enumerate(judges.chunks(text)):
        read = judges.run([judges.tool("mlir-opt"), "-"], chunk)
        wanted = list(functionsOf(read.out)) if read.status == 0 else []
        if not wanted or "@main(" in read.out:
            seen["parts that cannot be called"] += 1
            continue
        ran, wrong = runOne(read.out, wanted, seen)
        # One that cannot be run keeps no other from it.
        for one in wanted if not ran and len(wanted) > 1 else []:
            alone = runOne(read.out, [one], seen)
            ran, wrong = ran or alone[0], wrong + alone[1]
        seen["parts run" if ran else "parts that cannot be run"] += 1
        faults += [f"{path.name}[{number}] {one}" for one in wrong]
    return path, seen, faults


def main():
    files = [pathlib.Path(name) for name in FILES] or sample.part(
        [path for path in [*sorted((judges.ROOT / "samples").glob("*.mlir")),
                           *judges.corpus_files()]
         if path.stat().st_size < 200_000], 12)
    total, faults, ran = Counter(), [], 0
    for path, seen, found in judges.in_parallel(check, files):
        total += seen
        ran += seen["parts run"] > 0
        faults += found
        print(path.name, dict(seen), *found, flush=True)
    print(f"{len(files)} files, {ran} of them run: " + ", ".join(
        f"{count} {what}" for what, count in total.most_common()))
    if not FILES and total["runs"] == 0:
        faults.append("nothing could be run")
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


main()
