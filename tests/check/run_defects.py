"""Each file of the corpus' defects gets the finding that its name promises.

The table says, for a file: options, then findings as RULE@LINE, each of which
must be there. A leading `!` says that there must be none of the rule.
"""

import json
import sys

import run_rules  # puts the judges' folder on the path
import judges

DYNAMIC = "--private-function-dynamic-ownership"
UNREGISTERED = "--allow-unregistered-dialect"
DEFECTS = {
    "affine-for-memref-iter-arg.mlir": ([], ["invalid-ir@6"]),
    "canonicalize-rank-reduced-subview-invalid-cast.mlir":
        ([], ["invalid-ir@6"]),
    "clone-on-returned-arg.mlir": (
        ["--bufferize"], ["clone@1", "clone@3", "clone@5"]),
    "diamonds24.mlir": ([], ["branching-explodes@1"]),
    "distinct-objects-aa.mlir": ([], ["distinct-objects@3"]),
    "distinct-objects-pessimises.mlir": ([], ["distinct-objects@3", "clone@3"]),
    "distinct-objects-simplify.mlir": ([], ["distinct-objects@6"]),
    "e_atomic.mlir": ([], ["region-without-interface@2"]),
    "e_existing.mlir": ([], ["free-in-input@1"]),
    "e_existing_buf.mlir": ([], ["existing-dealloc@1"]),
    "e_forall.mlir": ([], ["in-parallel-not-empty@6", "unknown-effects@6"]),
    "e_loop.mlir": ([], ["branch-loop@2"]),
    "e_reduce.mlir": ([], ["reduce-memref@7"]),
    "e_switch.mlir": ([], ["multiple-successors@2"]),
    "e_switch2.mlir": ([], ["multiple-successors@2"]),
    "e_switch3.mlir": ([], ["multiple-successors@2"]),
    "e_unreg.mlir": ([UNREGISTERED], ["unknown-effects@1"]),
    "e_unreg_nomem.mlir": ([UNREGISTERED], ["unknown-effects@1"]),
    "err-async-await.mlir": ([], ["unknown-effects@4"]),
    "err-gpu-async.mlir": ([], ["unknown-effects@3", "unknown-effects@6"]),
    "err-unreachable-private.mlir": ([DYNAMIC], ["unreachable-allocation@4"]),
    "err-valid-ownership-br-dup.mlir": ([], ["no-unique-ownership@3"]),
    "err-valid-ownership-condbr-dup.mlir": ([], ["no-unique-ownership@3"]),
    "exponential-cfg-26-diamonds.mlir": ([], ["branching-explodes@4"]),
    "gpu-alloc-mismatched-free.mlir": ([], ["allocator-mismatch"]),
    "invalid-affine-for.mlir": ([], ["invalid-ir@2"]),
    "invalid-async-arg.mlir": ([], ["invalid-ir"]),
    "invalid-gpu-workgroup.mlir": ([], ["invalid-ir"]),
    "invalid-nonstrided-layout.mlir": ([], ["invalid-ir"]),
    "invalid-vector-mask.mlir": ([], ["invalid-ir"]),
    "leak-gpu-func-skipped.mlir": ([], ["not-processed@3", "leak@4"]),
    "leak-omp-parallel.mlir": ([], ["leak@2"]),
    "live-late-free.mlir": ([], ["late-free@3"]),
    "miscompile-hoist-affine-parallel.mlir": ([], ["parallel-hoist@4"]),
    "ok-dup-nondefining.mlir": ([], ["!leak", "!double-free",
                                     "!use-after-free"]),
    "order.mlir": ([], ["!leak", "!double-free", "!use-after-free"]),
    "pingpong.mlir": ([], ["dealloc-helper@7"]),
    "private-dynamic.mlir": ([DYNAMIC], ["!wrong-ownership-result", "!leak",
                                         "clone@4"]),
    "reject-forwarded-and-live.mlir": ([], ["no-unique-ownership@6"]),
    "select-cases.mlir": ([], ["clone@16", "results-alias@35",
                               "run-time-check", "!leak", "!double-free"]),
    "uaf-escape-memref-of-memref.mlir": ([], ["escapes-freed@4"]),
    "uaf-region-result-live-out.mlir": ([], ["upstream-reads-freed@7",
                                             "!use-after-free"]),
    "uaf-to-tensor.mlir": ([], ["returns-freed@6"]),
    "unsound-view-uaf.mlir": ([], ["returns-freed@10", "use-after-free@17"]),
}


def check_file(name):
    options, expected = DEFECTS[name]
    result = judges.run([judges.lens(), "check", "--format", "json", *options,
                         judges.corpus() / "defects" / name])
    if result.status not in (0, 1):
        return [f"{name}: exit {result.status}: {result.err[:300]}"]
    findings = json.loads(result.out)["files"][0]["findings"]
    rules = {finding["rule"] for finding in findings}
    places = {f"{f['rule']}@{f['place']['line']}" for f in findings}
    faults = []
    for wanted in expected:
        if wanted.startswith("!"):
            found = wanted[1:] not in rules
        else:
            found = wanted in places or wanted in rules
        if not found:
            faults.append(f"{name}: {wanted}, but there are "
                          f"{', '.join(sorted(places))}")
    return faults


def main():
    names = sys.argv[1:] or sorted(DEFECTS)
    failures = [fault for faults in judges.in_parallel(check_file, names)
                for fault in faults]
    print("\n".join(failures))
    print(f"{len(names)} files, {len(failures)} faults")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
