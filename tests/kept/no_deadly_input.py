"""No text that the project keeps kills an outside program.

  no_deadly_input.py [WORD...]    only texts whose place has one of the words

Each text of texts.py goes through mlir-opt: as it is, with the deallocation pipeline,
with the ownership pass alone, with canonicalize, and with the pass that it names. None may end by a signal or run
for 20 s. A guard of ours is tried with the dialect of tests/deadly, which dies on
purpose; what outside programs die of is said in words, never kept.
MEMREF_LENS_FULL=1 takes all texts, else a part is drawn.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "judges"))

import judges  # puts the folder of `sample` on the path
import sample
import texts

SECONDS = 20
PASSES = ["--buffer-deallocation-pipeline",
          "--buffer-deallocation-pipeline=private-function-dynamic-ownership=true",
          "--ownership-based-buffer-deallocation", "--canonicalize"]
# MLIR's own pass where a file says `// pass:` and one of ours.
THEIRS = {"lens-hoist": "buffer-hoisting", "lens-loop-hoist": "buffer-loop-hoisting",
          "lens-promote": "promote-buffers-to-stack",
          "lens-liveness": "optimize-allocation-liveness",
          "lens-drop-results": "drop-equivalent-buffer-results",
          "lens-out-params": "buffer-results-to-out-params"}
# What has to be found at least, so that a reader of files that sees nothing fails.
LEAST_TEXTS, LEAST_PARSED = 2500, 400


def isDead(result):
    return result.status is None or result.crashed


def passes_of(text):
    """Those of each text, and the one that it names itself."""
    named = re.match(rb"// pass: (.*)", text)
    if not named:
        return PASSES
    pipeline = re.sub(r"lens-[\w-]+", lambda ours: THEIRS.get(ours[0], ours[0]),
                      named[1].decode())
    return [*PASSES, f"--pass-pipeline=builtin.module({pipeline})"]


def check(text):
    """(whether MLIR reads it, what it dies of)."""
    command = [judges.tool("mlir-opt"), "--allow-unregistered-dialect",
               "--split-input-file", "-o", "/dev/null", "-"]
    read = judges.run(command, text, SECONDS)
    if isDead(read):
        return False, ["the parser"]
    # With several parts, one may be read though another is not.
    if read.status != 0 and b"// -----" not in text:
        return False, []
    return read.status == 0, [
        option for option in passes_of(text)
        if isDead(judges.run([*command, option], text, SECONDS))]


def main():
    words = sys.argv[1:]
    found = list(texts.kept())
    problems = []
    if len(found) < LEAST_TEXTS:
        problems.append(f"only {len(found)} texts found")
    taken = [one for one in found if not words or
             any(word in one[0] for word in words)]
    if not words:
        taken = sample.part(taken, 12)
    parsed = 0
    for (place, _), (isRead, dead) in zip(taken, judges.in_parallel(
            lambda one: check(one[1]), taken)):
        parsed += isRead
        if dead:
            problems.append(f"{place}: mlir-opt dies by a signal or runs for "
                            f"{SECONDS} s with {', '.join(dead)}")
    if not words and sample.FULL and parsed < LEAST_PARSED:
        problems.append(f"only {parsed} texts were read by mlir-opt")
    print("\n".join(problems))
    print(f"{len(taken)} of {len(found)} texts tried, {parsed} of them programs; "
          f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
