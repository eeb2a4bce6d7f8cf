"""What the pipeline makes frees every buffer once, and after its last use.

Programs are brought through the deallocation pipeline (by memref-lens if
MEMREF_LENS names it, else by mlir-opt), lowered to LLVM and run: under the fence
(Fence.cpp), which stops at a use after free or a second free and counts what is
left, and with --valgrind under valgrind too.

  run_execute.py LIBFENCE [--seeds A..B] [--valgrind] [--mlir-opt | --plugin FILE]
                 [--reads-freed]

First an input of the corpus on which upstream 22.1.8 reads freed memory: stock
upstream's result must be caught, so that the fence is known to see. Then random
programs. With --plugin our passes make the programs, in
the stock mlir-opt, and deallocate right after the last use, or, of every second one,
leave out deallocs that never deallocate; with --reads-freed, too, they are those alone on which upstream's dies or reads freed memory, and our passes do
what upstream's should.
"""

import argparse
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges"))

import generate
import judges  # puts the folder of `sample` on the path
import sample
import stale

LOWER = ("builtin.module(convert-bufferization-to-memref,"
         "convert-linalg-to-loops,expand-strided-metadata,lower-affine,"
         "convert-scf-to-cf,canonicalize,memref-expand,"
         "expand-strided-metadata,lower-affine,convert-arith-to-llvm,"
         "convert-index-to-llvm,convert-cf-to-llvm,finalize-memref-to-llvm,"
         "convert-func-to-llvm,reconcile-unrealized-casts)")

CONDITIONS = """
  %t = arith.constant true
  %e = arith.constant false
  %v = arith.constant 1.0 : f32
  %i = arith.constant 0 : index
"""


def main_of(body):
    return "func.func @main() {" + CONDITIONS + body + "  return\n}\n"


def with_buffers(type, arguments, result=""):
    """Calls @f with fresh buffers %x and %y, taking both branches."""
    calls = ""
    for number, condition in enumerate(("%t", "%e")):
        made = "".join(
            f"  {name}{number} = memref.alloc() : {type}\n"
            f"  linalg.fill ins(%v : f32) outs({name}{number} : {type})\n"
            for name in ("%x", "%y"))
        operands = re.sub(r"(%[xy])\b", rf"\g<1>{number}", arguments[0])
        left = f"%r{number} = " if result else ""
        calls += made + (f"  {left}func.call @f({operands.replace('%c', condition)})"
                         f" : ({arguments[1]}) -> ({result})\n")
    return main_of(calls)


BUFFER = "memref<8xf32>"
# `main` for stale.FILE, of which stock upstream makes a program that uses a freed
# buffer.
STALE_MAIN = with_buffers(
    BUFFER, ("%c, %x, %v, %i", f"i1, {BUFFER}, f32, index"))


# What `ir` says in a function that the pass refuses. It has no deallocations, so
# that nothing can be asked of such a program when it runs.
MARK = "// rejected by ownership-based-buffer-deallocation"
REFUSED = "a function is refused"


PIPELINE = "builtin.module(lens-buffer-deallocation-pipeline%s)"
LATE = "{late-free=last-use}"
IDLE = "{drop-idle-deallocs=1}"


def deallocate(path, stock, plugin=None, options=LATE):
    """The program after the whole pipeline."""
    if stock:
        return judges.run([judges.tool("mlir-opt"), path,
                           "--buffer-deallocation-pipeline"])
    ours = judges.run([judges.lens(), "ir", path, "--stage", "final"])
    if not plugin or ours.status != 0 or MARK in ours.out:
        return ours
    return judges.run([judges.tool("mlir-opt"), path,
                       f"--load-pass-plugin={plugin}",
                       f"--pass-pipeline={PIPELINE % options}"])


def lowered(text):
    return judges.run([judges.tool("mlir-opt"), "-", f"--pass-pipeline={LOWER}"],
                      text)


def runner():
    """Command that runs a program in the LLVM dialect."""
    version = pathlib.Path(judges.tool("mlir-runner")).resolve()
    utilities = version.parents[1] / "lib/libmlir_c_runner_utils.so"
    if not utilities.exists():
        judges.missing(f"no {utilities}")
    return [judges.tool("mlir-runner"), "-e", "main", "-O0",
            "--entry-point-result=void", f"--shared-libs={utilities}"]


def run_fenced(fence, path):
    """None, or what went wrong."""
    result = judges.run([*runner(), path], seconds=120, preload=fence)
    if result.status is None:
        return "does not end"
    said = re.search(r"fence: .*", result.err)
    if not said:
        return f"exit {result.status}: {result.err[:300]}"
    if result.status != 0 or not said[0].endswith(", 0 left"):
        return f"exit {result.status}, {said[0]}"
    return None


def is_compiled(frames):
    """Whether compiled code is on the stack: a frame that is in no file."""
    return any(frame.findtext("obj") is None for frame in frames)


def run_valgrind(folder, path):
    """None, or the kinds of errors that valgrind sees in the program."""
    report = pathlib.Path(folder) / (path.stem + ".xml")
    result = judges.run([judges.tool("valgrind"), "--smc-check=all-non-file",
                         "--leak-check=full", "--xml=yes",
                         f"--xml-file={report}", *runner(), path], seconds=600)
    if result.status != 0 or not report.exists():
        return f"valgrind: exit {result.status}: {result.err[:300]}"
    kinds = {error.findtext("kind")
             for error in xml.etree.ElementTree.parse(report).iter("error")
             if any(is_compiled(stack.findall("frame")[:3])
                    for stack in error.findall("stack"))}
    kinds -= {"UninitCondition", "UninitValue"}
    return f"valgrind: {', '.join(sorted(kinds))}" if kinds else None


def execute(arguments, folder, name, text, stock, valgrind=False, idle=False):
    """None, or what went wrong with the program."""
    path = pathlib.Path(folder) / f"{name}{'-stock' if stock else ''}.mlir"
    path.write_text(text)
    made = deallocate(path, stock, arguments.plugin,
                      "" if arguments.reads_freed else IDLE if idle else LATE)
    if made.status != 0:
        return f"the pipeline fails: {made.err[:300]}"
    if MARK in made.out:
        return REFUSED
    final = lowered(made.out)
    if final.status != 0:
        return f"lowering fails: {final.err[:300]}"
    path = path.with_suffix(".llvm.mlir")
    path.write_text(final.out)
    problem = run_fenced(arguments.fence, path)
    if not problem and valgrind:
        problem = run_valgrind(folder, path)
    return problem


def stale_program():
    text = (judges.corpus() / "defects" / stale.FILE).read_text()
    return text + "\n" + STALE_MAIN


def check(arguments, folder):
    failures = []
    caught = execute(arguments, folder, "caught", stale_program(), stock=True)
    print(f"stock upstream on {stale.FILE}: {caught}")
    if not caught or "use after free" not in caught:
        failures.append("the fence does not see the use after free")
    if not arguments.mlir_opt:
        problem = execute(arguments, folder, "stale", stale_program(), False,
                          arguments.valgrind)
        print(f"{stale.FILE}: {problem or 'clean'}", flush=True)
        failures += [f"{stale.FILE}: {problem}"] if problem else []
    seeds = sample.seeds(arguments.seeds, always=5, more=10, full=20, long=40)
    if arguments.reads_freed:
        # Of these alone; one in seven is one, and six of the first 39.
        seeds = sample.seeds(arguments.seeds, always=39, more=40, full=140,
                             long=280)
        found, _ = stale.programs(folder, seeds, "acyclic-run")
        seeds = [seed for seed, _ in found]
        if len(seeds) < 4:
            failures.append("too few programs on which it reads freed memory")

    def check_seed(seed):
        text = generate.generate(seed, "acyclic-run")
        return seed, execute(arguments, folder, f"random-{seed}", text,
                             arguments.mlir_opt,
                             arguments.valgrind and seed % 25 == 0,
                             idle=seed % 2 == 1)

    refused = 0
    for seed, problem in judges.in_parallel(check_seed, seeds):
        refused += problem == REFUSED
        failures += [f"seed {seed}: {problem}"] \
            if problem not in (None, REFUSED) else []
    print(f"{len(seeds) - refused} random programs run, {refused} refused")
    # Of a few programs one in twenty may be two.
    if refused * 20 > max(len(seeds), 40):
        failures.append("too many programs are refused")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fence")
    parser.add_argument("--seeds", help="A..B, without B")
    parser.add_argument("--valgrind", action="store_true")
    parser.add_argument("--mlir-opt", action="store_true",
                        help="judge upstream's own pipeline")
    parser.add_argument("--plugin", help="judge our passes")
    parser.add_argument("--reads-freed", action="store_true",
                        help="only where upstream's reads freed memory")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        failures = check(arguments, folder)
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
