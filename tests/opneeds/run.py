#!/usr/bin/env python3
"""`explain --op` against what MLIR's pass does to such an op.

  run.py MEMREF_LENS

Each program of programs.py goes through mlir-opt's ownership pass alone. What
`explain --op` says of each op in it must be so: refused with that text, accepted,
invalid afterwards, and so many more operands, results and block arguments. What
it says of the op's name must leave room for that, and no more than it claims.
With MEMREF_LENS_LONG=1 also for every op of the corpus.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from programs import PROGRAMS

HERE = pathlib.Path(__file__).resolve().parent
TOOL = sys.argv[1]
OPT = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
CORPUS = pathlib.Path(os.environ.get(
    "MEMREF_LENS_CORPUS", HERE.parents[1] / ".." / "shared" / "corpus"))
PASS = "builtin.module(ownership-based-buffer-deallocation)"
FREES = "memory free side-effect on MemRef value not supported!"
TO_OPERANDS = {"regionOpOperand", "terminatorOperand", "branchOperand"}
TO_RESULTS = {"regionOpResult", "callResult"}
# FIXME: an op whose own verifier does not take the constants that the pass puts
# into its region; the registry does not say so.
UNFORESEEN = {"vector.mask"}
# By their definitions: no memref and no allocation, or one of them.
PASSED_OVER = {"arith.addf": "yes", "arith.constant": "yes",
               "memref.load": "no", "memref.alloc": "no", "gpu.barrier": "no"}
# An op in generic form: results, name, operands.
OP = re.compile(r'^\s*(?:(%[\w#]+)(?::(\d+))? = )?"([\w.$]+)"\(([^)]*)\)')
BLOCK = re.compile(r"^\s*\^\w+\((.*)\):", re.M)


def run(words, text=None):
    return subprocess.run(words, input=text, capture_output=True, text=True,
                          timeout=120, check=False)


def optimized(text, passes):
    """(generic text, errors) of mlir-opt."""
    done = run([OPT, f"--pass-pipeline={passes}", "--mlir-print-op-generic",
                "--mlir-print-local-scope"], text)
    return (done.stdout if done.returncode == 0 else None), done.stderr


def resultCount(line, match):
    """`%a, %b = ` is written as %0:2 in generic form."""
    if match[1] is None:
        return 0
    return int(match[2] or 1)


def counted(generic):
    """{op: [ops, operands, results]}, and all block arguments."""
    ops, arguments = collections.defaultdict(lambda: [0, 0, 0]), 0
    for line in generic.splitlines():
        match = OP.match(line)
        if match:
            entry = ops[match[3]]
            entry[0] += 1
            entry[1] += match[4].count("%")
            entry[2] += resultCount(line, match)
    for match in BLOCK.finditer(generic):
        arguments += match[1].count("%")
    return ops, arguments


def explained(name, file):
    done = run([TOOL, "explain", "--op", name, "--format=json", str(file)])
    if done.returncode != 0:
        return None, f"explain --op {name} ended with {done.returncode}: " \
            + done.stderr
    return json.loads(done.stdout), None


def sumOf(answer, parts):
    return sum(entry["count"] for op in answer["ops"]
               for entry in op["appended"] if entry["to"] in parts)


def checkName(name, answer):
    """The answer about the name against those about the ops of it."""
    conditions = {entry["message"]: entry["fails"]
                  for entry in answer["conditions"]}
    parts = {entry["to"] for entry in answer["appended"]}
    for op in answer["ops"]:
        refused = op["rejected"]
        if op["refused"] != refused:
            yield f"{name}: the old key of JSON has not what the new one has"
        if refused and conditions.get(refused, "no") == "no":
            yield f"{name}: an op is refused ({refused}), its name never is"
        if op["place"] != "inside":
            continue
        if answer["rejected"] and refused != answer["rejected"]:
            yield f"{name}: every op should be refused, one is not"
        if answer["passedOver"] not in (op["passedOver"], "depends"):
            yield f"{name}: passed over {answer['passedOver']}, " \
                f"an op {op['passedOver']}"
        if not {entry["to"] for entry in op["appended"]} <= parts:
            yield f"{name}: the name tells less than the op is given"
        if op["passedOver"] != PASSED_OVER.get(name, op["passedOver"]):
            yield f"{name}: an op is passed over: {op['passedOver']}"
        probe = answer["madeUp"]
        if refused == FREES and probe["asked"] and not probe["freed"]:
            yield f"{name}: an op frees, a made-up one does not"
        if op["allocated"] and probe["asked"] and not probe["allocated"] and \
                probe["results"]:
            yield f"{name}: an op allocates, a made-up one does not"
        if op["handledBy"] != answer["handledBy"]:
            yield f"{name}: handled in two ways"
        if op["spoiled"] == "yes" and answer["spoiled"] == "no":
            yield f"{name}: an op is spoiled, its name never"


def checkAccepted(answers, before, after):
    ops, arguments = counted(before)
    opsAfter, argumentsAfter = counted(after)
    for name, answer in answers.items():
        if ops[name][0] != opsAfter[name][0]:
            # The pass makes such ops itself.
            continue
        for i, parts in ((1, TO_OPERANDS), (2, TO_RESULTS)):
            wanted = ops[name][i] + sumOf(answer, parts)
            if opsAfter[name][i] != wanted:
                yield f"{name}: {opsAfter[name][i]} " \
                    f"{('', 'operands', 'results')[i]}, not {wanted}"
    wanted = sum(sumOf(answer, {"blockArgument"})
                 for answer in answers.values())
    if argumentsAfter - arguments != wanted:
        yield f"{argumentsAfter - arguments} more block arguments, " \
            f"not {wanted}"


def checkProgram(text, subject=None):
    """What is wrong, one line each; None if mlir-opt cannot read the program."""
    before, errors = optimized(text, "builtin.module()")
    if before is None:
        if subject:
            yield f"mlir-opt cannot read the program: {errors}"
        return
    after, errors = optimized(text, PASS)
    names = sorted(set(counted(before)[0]) - {"builtin.module"})
    if subject and subject not in names:
        yield f"no {subject} in the program"
    answers = {}
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        for name in names:
            answers[name], fault = explained(name, file.name)
            if fault and subject:
                yield fault
            if fault:
                # Of the corpus: a dialect that only mlir-opt has.
                return
            yield from checkName(name, answers[name])
    refusals = {(op["line"], op["column"], op["rejected"])
                for answer in answers.values()
                for op in answer["ops"] if op["rejected"]}
    spoiled = any(op["spoiled"] == "yes" for answer in answers.values()
                  for op in answer["ops"])
    known = {entry["message"] for answer in answers.values()
             for entry in answer["conditions"]}
    told = re.search(r":(\d+):(\d+): error: (?:'[\w.$]+' op )?(.*)",
                     errors or "")
    place = told and (int(told[1]), int(told[2]), told[3])
    if after is not None:
        for refusal in sorted(refusals):
            yield f"accepted, and said to be refused: {refusal}"
        if spoiled:
            yield "the result is valid, and said to be invalid"
        else:
            yield from checkAccepted(answers, before, after)
    elif place in refusals:
        pass
    elif refusals:
        yield f"refused with {told and told[0]}, not for one of {refusals}"
    elif told and told[3] in known:
        yield f"refused, and said to be accepted: {told[0]}"
    elif not spoiled and subject and subject not in UNFORESEEN:
        yield f"fails, and nothing is said of it: {errors[:300]}"


# Ops of MLIR's that lack something in their definitions, which no reader can change:
# words of what helps in place of that.
ADVICE = {"gpu.barrier": "before the pass that makes 'gpu.barrier'",
          "gpu.launch_func": "before gpu-kernel-outlining",
          "affine.dma_start": "run lower-affine before the pipeline"}


def checkAdvice():
    for name, wanted in ADVICE.items():
        done = run([TOOL, "explain", "--op", name, "--format=json"])
        answer = json.loads(done.stdout)
        advice = " ".join(answer["remedies"])
        if wanted not in advice or "declare" in advice or \
                "implement" in advice:
            yield f"{name}: {advice}"
        languages = {one["language"] for one in answer["snippets"]}
        if languages != {"cpp"}:
            yield f"{name}: snippets in {languages}"


def corpusPrograms():
    for file in sorted(CORPUS.rglob("*.mlir")):
        for chunk in re.split(r"^// -----.*$", file.read_text(errors="replace"),
                              flags=re.M):
            if "memref" in chunk and len(chunk) < 20000:
                yield chunk, None


def main():
    if not OPT:
        print("no mlir-opt of LLVM 22")
        return 1 if os.environ.get("CI") == "true" else 77
    programs = [(text, subject) for subject, text in PROGRAMS]
    if os.environ.get("MEMREF_LENS_LONG"):
        programs += list(corpusPrograms())
    faults = 0
    for fault in checkAdvice():
        faults += 1
        print(fault)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda entry: list(checkProgram(*entry)), programs)
        for (text, subject), wrong in zip(programs, found):
            for line in wrong:
                faults += 1
                print(f"{subject or text[:200]}: {line}")
    subjects = len({subject for _, subject in programs if subject})
    print(f"{len(programs)} programs, {subjects} ops, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
