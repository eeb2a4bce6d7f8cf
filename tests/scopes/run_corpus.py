"""Scopes of programs that nobody wrote for them.

  run_corpus.py [FILE...]

On each file of a part of the corpus and of the samples the lists must fit together, and what is
lowered must be taken by MLIR's and LLVM's verifiers, as without scopes. Which
programs cannot be lowered must not depend on scopes.
"""

import collections
import json
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "judges"))

import judges  # puts the folder of `sample` on the path
import sample

SHORT = ["/classic/", "upstream/OwnershipBased", "/defects/"]


def check_lists(function):
    """What is wrong with the lists of one function."""
    domain = [scope["domain"] for scope in function["scopes"]]
    members = collections.defaultdict(list)
    faults, apart = [], 0
    for access in function["accesses"]:
        mine = [domain[scope] for scope in access["scopes"]]
        if len(set(mine)) < len(mine):
            faults.append("two scopes of one domain")
        if {domain[scope] for scope in access["noalias"]} - set(mine):
            faults.append("apart in a domain without a scope in it")
        if set(access["scopes"]) & set(access["noalias"]):
            faults.append("apart from itself")
        for scope in access["scopes"]:
            members[scope].append(access)
    accesses = function["accesses"]
    for i, first in enumerate(accesses):
        for second in accesses[i + 1:]:
            one = bool(set(first["scopes"]) & set(second["noalias"]))
            if one != bool(set(second["scopes"]) & set(first["noalias"])):
                faults.append("apart in one direction")
            apart += one
    if (function["apart"], function["pairs"]) != (
            apart, len(accesses) * (len(accesses) - 1) // 2):
        faults.append("wrong counts")
    if not all(access["line"] and access["column"] for access in accesses):
        faults.append("an access without a place")
    return faults


TOO_LONG = "translated for too long"


def verify(text):
    """None, or who does not take it."""
    same = judges.run([judges.tool("mlir-opt"), "-", "--split-input-file",
                       "--allow-unregistered-dialect"], text)
    if same.status != 0:
        return f"mlir-opt: {same.err[:200]}"
    for part in judges.chunks(text):
        made = judges.run([judges.tool("mlir-translate"), "--mlir-to-llvmir",
                           "--allow-unregistered-dialect"], part)
        if made.status is None:
            # Constants of many megabytes are written out element by element.
            return TOO_LONG
        if made.status != 0:
            return f"mlir-translate: {made.err[:200]}"
        seen = judges.run([judges.tool("opt"), "-passes=verify",
                           "-disable-output"], made.out)
        if seen.status != 0:
            return f"opt: {seen.err[:200]}"
    return None


def check(path):
    """(counts, failures)"""
    counts, failures = collections.Counter(), []
    options = ["--allow-unregistered-dialect"]
    listed = judges.run([judges.lens(), "scopes", path, "--format=json",
                         *options])
    if listed.status not in (0, 3):
        return counts, [f"exit {listed.status}: {listed.err[:300]}"]
    if listed.status == 3:
        counts["not parsed"] += 1
        return counts, failures
    for function in json.loads(listed.out)["functions"]:
        counts["functions"] += 1
        counts["accesses"] += len(function["accesses"])
        counts["pairs"] += function["pairs"]
        counts["apart"] += function["apart"]
        failures += [f"@{function['name']}: {fault}"
                     for fault in check_lists(function)]
    results = [judges.run([judges.lens(), "scopes", path, "--emit=llvm",
                           *options, *more]) for more in ([], ["--no-scopes"])]
    status = {result.status for result in results}
    if len(status) > 1 or status - {0, 3}:
        # MLIR's passes die on some programs, with scopes or without.
        if status != {70}:
            failures.append(f"exits {[r.status for r in results]}: "
                            f"{results[0].err[:300]}")
        counts["MLIR dies"] += 1
    elif status == {3}:
        counts["not lowered"] += 1
    else:
        counts["lowered"] += 1
        counts["with scopes"] += len(re.findall(r"[ {<]alias_scopes = ",
                                                results[0].out))
        problem = verify(results[0].out)
        if problem == TOO_LONG:
            counts[TOO_LONG] += 1
        elif problem and not verify(results[1].out):
            failures.append(problem)
        counts["translated"] += problem is None
    return counts, failures


def many(folder):
    """A function with more kinds of accesses than one domain takes."""
    buffers = [f"%a{i}" for i in range(300)]
    lines = [f"  {name} = memref.alloc() : memref<8xf32>" for name in buffers]
    lines += [f"  memref.store %f, {name}[%i] : memref<8xf32>"
              for name in buffers]
    path = pathlib.Path(folder) / "many.mlir"
    path.write_text("func.func @many(%f: f32, %i: index) {\n" +
                    "\n".join(lines) + "\n  return\n}\n")
    return path


def check_many(path):
    listed = judges.run([judges.lens(), "scopes", path, "--format=json"])
    function = json.loads(listed.out)["functions"][0]
    accesses = function["accesses"]
    near = all(set(first["scopes"]) & set(second["noalias"])
               for first, second in zip(accesses, accesses[1:]))
    if not (function["inParts"] and near and len(accesses) == 300 and
            max(len(access["noalias"]) for access in accesses) < 300):
        return ["many.mlir: neighbours are not told apart, or lists too long"]
    return []


def main():
    files = [pathlib.Path(name) for name in sys.argv[1:]] or sample.part(
        [*sorted((HERE.parents[1] / "samples").glob("*.mlir")),
         *sorted((HERE.parent / "dialect" / "cases").glob("*.mlir")),
         *sorted((HERE / "cases").glob("*.mlir")),
         *judges.corpus_files(() if sample.LONG else SHORT)], 3,
        core=["tests/scopes/cases/", "tests/dialect/cases/"])
    files = [file for file in files if file.stat().st_size < 200_000]
    total, failures = collections.Counter(), []
    for file, (counts, faults) in judges.in_parallel(
            lambda file: (file, check(file)), files):
        total += counts
        failures += [f"{file.name}: {fault}" for fault in faults]
    with tempfile.TemporaryDirectory() as folder:
        path = many(folder)
        failures += check_many(path) + check(path)[1]
    print(f"{len(files)} files: " + ", ".join(
        f"{count} {what}" for what, count in sorted(total.items())))
    if not sys.argv[1:] and (total["apart"] < 50 or total["with scopes"] < 80):
        failures.append("too little is apart")
    if total[TOO_LONG] > 2:
        failures.append(f"{total[TOO_LONG]} {TOO_LONG}")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
