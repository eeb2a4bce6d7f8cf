"""What our warnings say about a placement pass happens when a program is run.

  run_faults.py OPT FENCE [FILE...]

Each program of faults/ is run as it is and after MLIR's pass, and has to do what
it says on its first lines: what it prints, or what the fence (tests/random) sees.
Our pass has to give the warning on it that the file names, and every kind of
warning that shows in a run has a file.
"""

import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "judges"), str(HERE.parent / "random")]

import judges
from run_execute import LOWER

SECONDS = 120
# Of what makes a program slower or larger, and of what MLIR itself dies of.
NOT_SEEN_IN_A_RUN = {"higherPeak", "moreConditionalFrees", "copyOntoItself",
                     "upstreamCrashes"}
TO_LLVM = LOWER.removeprefix("builtin.module(").removesuffix(")")
THREADS = ("lower-affine,async-parallel-for{async-dispatch=false num-workers=2 "
           "min-task-size=1},async-to-async-runtime,"
           "func.func(async-runtime-ref-counting),convert-async-to-llvm," +
           TO_LLVM)


class Program:
    def __init__(self, file):
        self.name, self.text = file.name, file.read_text()
        self.facts = dict(re.findall(r"(?m)^// (\w+): (.*)$", self.text))
        how = self.facts.get("run", "fence")
        self.has_threads, self.is_fenced = "threads" in how, "fence" in how

    def lowered(self, passes):
        """In the LLVM dialect, or why not."""
        then = self.facts.get("then")
        stages = [one for one in (passes, then) if one]
        stages.append(THREADS if self.has_threads else TO_LLVM)
        return judges.run([judges.tool("mlir-opt"), "-", "--pass-pipeline="
                           f"builtin.module({','.join(stages)})"], self.text)


def limit_stack():
    _, most = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, most))


def libraries(names):
    folder = pathlib.Path(judges.tool("mlir-runner")).resolve().parents[1] / "lib"
    paths = [folder / f"libmlir_{name}.so" for name in names]
    for path in paths:
        if not path.exists():
            judges.missing(f"no {path}")
    return ",".join(map(str, paths))


def behaviour(program, passes, fence):
    """What a run prints, or what the fence sees, or that it dies."""
    low = program.lowered(passes)
    if low.status != 0:
        return f"cannot be lowered: {low.err[:500]}"
    names = ["c_runner_utils"] + ["async_runtime"] * program.has_threads
    env = dict(os.environ)
    if program.is_fenced:
        env["LD_PRELOAD"] = str(fence)
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(low.out)
        file.flush()
        # Coroutines are lowered by the optimizer.
        level = "-O3" if program.has_threads else "-O0"
        done = subprocess.run(
            [judges.tool("mlir-runner"), "-e", "main", level,
             "--entry-point-result=void",
             f"--shared-libs={libraries(names)}", file.name],
            capture_output=True, text=True, timeout=SECONDS, env=env,
            stdin=subprocess.DEVNULL, preexec_fn=limit_stack)
    said = re.findall(r"fence: .*", done.stderr)
    if said and (done.returncode != 0 or not done.stdout.strip()):
        return said[-1]
    return done.stdout.strip() if done.returncode == 0 else "dies"


def warnings(ours, program):
    done = judges.run([ours, "-", "--allow-unregistered-dialect",
                       f"--pass-pipeline=builtin.module("
                       f"{program.facts['ours']})"], program.text)
    return re.findall(r"warning: (\w+)", done.err)


def matches(expected, found):
    """The number of buffers may be left out."""
    return found == expected or \
        re.sub(r"\d+ buffers, ", "", found) == expected


def check(program, ours, fence):
    wrong = []
    for passes, key in ((None, "without"), (program.facts["pass"], "with")):
        found = behaviour(program, passes, fence)
        if not matches(program.facts[key], found):
            wrong.append(f"{program.name} {key} the pass: {found!r}, and not "
                         f"{program.facts[key]!r}")
    said = warnings(ours, program)
    if said != [program.facts["says"]]:
        wrong.append(f"{program.name}: warnings {said}")
    return wrong


def kinds():
    """The warnings that there are."""
    header = HERE.parents[1] / "core/trace/PlacementEvents.h"
    body = re.search(r"enum class PlacementWarning.*?\{(.*?)\};", header.read_text(),
                     re.S)[1]
    return set(re.findall(r"(?m)^  (\w+),$", body))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ours")
    parser.add_argument("fence")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    programs = [Program(file) for file in
                arguments.files or sorted((HERE / "faults").glob("*.mlir"))]
    failures = []
    for program in programs:
        # Two iterations that wait for each other need two threads.
        if program.has_threads and (os.cpu_count() or 1) < 2:
            print(f"{program.name}: left out, with one processor")
            continue
        wrong = check(program, arguments.ours, arguments.fence)
        print(f"{program.name}: {'WRONG' if wrong else 'as it says'}")
        failures += wrong
    unseen = kinds() - NOT_SEEN_IN_A_RUN - {one.facts["says"]
                                           for one in programs}
    if unseen and not arguments.files:
        failures.append(f"no program shows {sorted(unseen)}")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
