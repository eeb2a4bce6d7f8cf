"""The path explorer against what programs really do.

Random programs are brought through the pipeline; in what comes out one dealloc
is deleted, moved, duplicated or put under a condition, or the condition of one
is dropped. Each mutant is lowered and run under the fence (tests/random), and
the explorer says what it thinks of `main`.

  run_mutants.py EXPLORE_FILES LIBFENCE [--seeds A..B] [--mutants N] [--keep DIR]

It has to find at least 99 % of the mutants that go wrong when run, and has
nothing to say against those that run clean, nor against the unmutated programs.
"""

import argparse
import os
import pathlib
import random
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "judges"))
sys.path.insert(0, str(HERE.parent / "random"))

import generate
import judges
import run_execute
import sample

DEALLOC = re.compile(r"^(\s*)memref\.dealloc (%\S+) : (.*)$")
FUNCTION = re.compile(r"^\s*func\.func .*@(\w+)\((.*)")
# Nothing may go that could go wrong: canonicalize drops buffers that are only
# written and freed.
LOWER = run_execute.LOWER.replace("canonicalize,", "")
# Said of programs that are right, too: the ABI lets two results be one.
HARMLESS = {"results-alias"}


class Program:
    """Lines of a deallocated program, and where its deallocs are."""

    def __init__(self, text):
        self.lines = text.splitlines()
        self.deallocs, self.guards = [], []
        name, arguments = None, ""
        self.flags = {}
        for number, line in enumerate(self.lines):
            if match := FUNCTION.match(line):
                name, arguments = match[1], match[2]
            if name == "dealloc_helper":
                continue
            if DEALLOC.match(line):
                self.deallocs.append(number)
                self.flags[number] = re.findall(r"(%arg\d+): i1", arguments)
                if re.match(r"\s*scf\.if %\S+ \{$", self.lines[number - 1]):
                    self.guards.append(number - 1)

    def end_of(self, guard):
        indent = re.match(r"\s*", self.lines[guard])[0]
        return next(number for number in range(guard + 1, len(self.lines))
                    if self.lines[number].startswith(indent + "}"))


def delete(program, rng, lines):
    del lines[rng.choice(program.deallocs)]


def duplicate(program, rng, lines):
    number = rng.choice(program.deallocs)
    lines.insert(number, lines[number])


def move(program, rng, lines):
    """Up, over ops of its block that do not define what it frees."""
    number = rng.choice(program.deallocs)
    indent, value = DEALLOC.match(lines[number])[1], DEALLOC.match(
        lines[number])[2]
    target = number
    while True:
        line = lines[target - 1]
        defines = re.match(rf"\s*{re.escape(value)}\b[^=]*=", line) or \
            value.split("#")[0] + ":" in line or \
            re.match(rf"\s*%[^=]*{re.escape(value.split('#')[0])}\b[^=]*=",
                     line)
        if defines or not re.match(rf"{indent}[%\w]", line) or \
                rng.random() < 0.05:
            break
        target -= 1
    if target == number:
        return delete(program, rng, lines)
    lines.insert(target, lines.pop(number))


def condition(program, rng, lines):
    number = rng.choice(program.deallocs)
    flag = rng.choice(program.flags[number] + ["%mutant"])
    made = ["%mutant = arith.constant false"] if flag == "%mutant" else []
    lines[number:number + 1] = made + [f"scf.if {flag} {{", lines[number], "}"]


def drop_condition(program, rng, lines):
    if not program.guards:
        return condition(program, rng, lines)
    guard = rng.choice(program.guards)
    end = program.end_of(guard)
    value = rng.choice(["true", "true", "false"])
    lines[guard] = (f"%mutant = arith.constant {value}\n"
                    f"scf.if %mutant {{")
    assert end > guard


def without_idle_accesses(text):
    """The code generator drops a store of what was loaded from there, and the
    load with it: what is stored becomes a sum."""
    return re.sub(r"(?m)^(\s*)%(\S+) = memref\.load (\S+\[.*\]) : (.*)\n"
                  r"\s*memref\.store %\2, \3 : \4$",
                  r"\1%\2 = memref.load \3 : \4\n"
                  r"\1%sum_\2 = arith.addf %\2, %\2 : f32\n"
                  r"\1memref.store %sum_\2, \3 : \4", text)


KINDS = [delete, duplicate, move, condition, drop_condition]


def mutants_of(text, seed, count):
    program = Program(text)
    rng = random.Random(f"mutants/{seed}")
    made = {}
    for _ in range(count * 3):
        if not program.deallocs or len(made) == count:
            break
        kind = rng.choice(KINDS)
        lines = list(program.lines)
        kind(program, rng, lines)
        made.setdefault("\n".join(lines) + "\n", kind.__name__)
    return made.items()


def run_mutant(arguments, path):
    """None if it runs clean; "invalid" if it is no program."""
    final = judges.run([judges.tool("mlir-opt"), path,
                        f"--pass-pipeline={LOWER}"])
    if final.status != 0:
        return "invalid"
    lowered = path.with_suffix(".llvm")
    lowered.write_text(final.out)
    problem = run_execute.run_fenced(arguments.fence, lowered)
    lowered.unlink()
    return problem


# Iterations that are told apart: of code by hand, and of the pipeline's.
COUNTED = ("256", "2")


def explored(arguments, paths, counted, disagree):
    """Kinds of faults of `main` by file. Adds to `disagree` what the explorer
    says otherwise where it does not tell apart what made a buffer."""
    found = {}
    for begin in range(0, len(paths), 50):
        result = judges.run([arguments.explorer, "--function", "main",
                             "--counted", counted,
                             *paths[begin:begin + 50]], seconds=300)
        if result.status != 0:
            disagree.append(f"exit {result.status}: {result.err[:500]}")
        for line in result.out.splitlines():
            parts = line.split("\t")
            if len(parts) == 4:
                kinds = set(filter(None, parts[2].split(","))) - HARMLESS
                found[parts[0]] = (kinds, parts[3])
    return found


def make_programs(arguments, folder):
    """(path, kind of mutation) of each program; the unmutated first."""

    def make(seed):
        source = folder / f"{seed}.mlir"
        source.write_text(generate.generate(seed, "acyclic-run"))
        made = judges.run([judges.lens(), "ir", source, "--stage", "final"])
        # A function that was refused is not deallocated.
        if made.status != 0 or "// rejected" in made.out:
            return []
        final = without_idle_accesses(made.out)
        files = [(folder / f"{seed}-0.mlir", "none", final)]
        for number, (text, kind) in enumerate(
                mutants_of(final, seed, arguments.mutants), 1):
            files.append((folder / f"{seed}-{number}.mlir", kind, text))
        for path, _, text in files:
            path.write_text(text)
        return [(path, kind) for path, kind, _ in files]

    seeds = sample.seeds(arguments.seeds, always=6, more=14, full=16, long=2000)
    for files in judges.in_parallel(make, seeds):
        yield from files


def check(arguments, folder):
    programs = list(make_programs(arguments, folder))
    disagree = []
    verdicts = [explored(arguments, [str(path) for path, _ in programs], counted,
                         disagree)
                for counted in COUNTED]
    wrong, missed, alarms, clean = 0, [], [], 0
    broken, invalid = [], 0
    runs = judges.in_parallel(
        lambda program: run_mutant(arguments, program[0]), programs)
    for (path, kind), problem in zip(programs, runs):
        if problem == "invalid":
            # A move may have put a free before what makes its buffer.
            broken += [path.name] if kind == "none" else []
            invalid += 1
            continue
        wrong += problem is not None
        clean += problem is None
        for verdict in verdicts:
            kinds, bounds = verdict.get(str(path), (set(), "no verdict"))
            line = f"{path.name} ({kind}): runs: {problem or 'clean'}; " \
                   f"explorer: {', '.join(sorted(kinds)) or 'no fault'} " \
                   f"({bounds})"
            if problem and not kinds:
                missed.append(line)
            if kinds and not problem or bounds == "no verdict":
                alarms.append(line)
    print(f"{wrong} programs go wrong, {len(missed)} of them not found; "
          f"{clean} run clean, {len(alarms)} of them accused; {invalid} are no "
          "programs")
    failures = [f"{name}: cannot be lowered" for name in broken]
    failures += disagree + alarms
    if len(missed) * 100 > wrong:
        failures += missed
    print("\n".join(missed))
    if wrong < 20 or invalid * 20 > len(programs):
        failures.append("too few programs go wrong, or too many are none: this "
                        "test shows nothing")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("explorer")
    parser.add_argument("fence")
    parser.add_argument("--seeds", help="A..B, without B")
    parser.add_argument("--mutants", type=int, default=6)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.keep:
            folder = arguments.keep
            os.makedirs(folder, exist_ok=True)
        failures = check(arguments, pathlib.Path(folder))
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
