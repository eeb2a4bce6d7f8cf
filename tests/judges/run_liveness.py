"""The liveness sets in our traces are those of upstream's analysis.

Each file of a part of the corpus is brought to the form in which the ownership pass sees it (the
first two stages). On that text the memrefs live into and out of each block, as
the trace has them, must be those that `test-print-liveness` prints.

  MEMREF_LENS=... run_liveness.py [FILE...]
"""

import argparse
import os
import pathlib
import re
import sys
import tempfile

import judges  # puts the folder of `sample` on the path
import sample
import traces

STAGES_1_2 = "builtin.module(expand-realloc{emit-deallocs=false},canonicalize)"
PRINT = "builtin.module(func.func(test-print-liveness))"


def printed_sets(text):
    """Function -> list of (live-in, live-out) by upstream's block number; values
    have its names: `arg1@0` (of block 0), `val_7`."""
    functions, sets = {}, None
    for line in text.splitlines():
        function = re.match(r"Testing : (\S+)$", line)
        if function:
            sets = functions.setdefault(function[1], [])
        elif re.match(r"// - Block: \d+$", line):
            sets.append([])
        else:
            live = re.match(r"// --- Live(?:In|Out): ?(.*)", line)
            if live:
                sets[-1].append(set(live[1].split()))
    return functions


def numbered_blocks(trace, function):
    """Blocks in the order in which upstream numbers them."""
    order, stack = [], list(reversed(function.get("blocks", [])))
    while stack:
        block = stack.pop()
        order.append(block)
        nested = [inner for op in trace.blocks[block].get("ops", [])
                  for region in trace.ops[op].get("regions", [])
                  for inner in region]
        stack.extend(reversed(nested))
    return order


def upstream_names(trace, order):
    """Value id -> upstream's name for it."""
    names, count = {}, 0
    for number, block in enumerate(order):
        record = trace.blocks[block]
        arguments = [v for v in record.get("arguments", [])
                     if not trace.values[v].get("generated")]
        for index, value in enumerate(arguments):
            names[value] = f"arg{index}@{number}"
        count += len(arguments)
        for op in record.get("ops", []):
            for value in trace.ops[op].get("results", []):
                if not trace.values[value].get("generated"):
                    names[value] = f"val_{count}"
                    count += 1
    return names


def compare_function(trace, function, printed):
    """(number of blocks compared, list of differences)."""
    order = numbered_blocks(trace, function)
    names = upstream_names(trace, order)
    memrefs = {name for value, name in names.items()
               if trace.values[value].get("isMemref")}
    events = {event["block"]: event for event in trace.events
              if event["kind"] == "liveness" and
              event.get("function") == function["id"]}
    if len(order) != len(printed):
        return 0, [f"{len(order)} blocks but upstream {len(printed)}"]
    differences = []
    for number, block in enumerate(order):
        event = events.get(block)
        if event is None:
            reachable = trace.blocks[block].get("reachable", True)
            if events and reachable:
                differences.append(f"block {number}: not in the trace")
            continue
        for side, theirs in zip(("liveIn", "liveOut"), printed[number]):
            ours = {names.get(v, "?") for v in event.get(side, [])}
            if ours != theirs & memrefs:
                differences.append(f"block {number} {side}: {sorted(ours)} but "
                                   f"upstream {sorted(theirs & memrefs)}")
    return len(events), differences


# Printing the liveness of each op of larger ones takes minutes.
MAX_BYTES = 40_000


def needs_test_dialect(text):
    return (re.search(r"\btest\.\w", text) and
            not os.environ.get("MEMREF_LENS_HAS_TEST_DIALECT"))


def compare_chunk(text):
    """(blocks, non-empty sets, differences)."""
    if len(text) > MAX_BYTES:
        return 0, []
    prepared = judges.run([judges.tool("mlir-opt"), "-", "--pass-pipeline",
                           STAGES_1_2, "--allow-unregistered-dialect"], text)
    if prepared.status != 0 or needs_test_dialect(prepared.out):
        return 0, []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stage2.mlir")
        pathlib.Path(path).write_text(prepared.out)
        upstream = judges.run([judges.tool("mlir-opt"), path,
                               "--mlir-disable-threading",
                               "--allow-unregistered-dialect",
                               f"--pass-pipeline={PRINT}", "-o", os.devnull])
        traced = judges.run([judges.lens(), "trace", path,
                             "--allow-unregistered-dialect"])
    if upstream.status != 0 or traced.status is None:
        return 0, []
    if traced.status != 0:
        return 0, [f"memref-lens exits {traced.status}: {traced.err[:300]}"]
    trace = traces.Trace(traced.out)
    if any(stage.get("number", 0) in (1, 2) and stage.get("changed")
           for chunk in trace.chunks for stage in chunk.get("stages", [])):
        return 0, []
    printed = printed_sets(upstream.err)
    blocks, differences = 0, []
    for function in trace.functions:
        if function.get("opName") != "func.func" or not function.get("blocks"):
            continue
        if function["name"] not in printed:
            continue  # Nested in another module.
        count, found = compare_function(trace, function,
                                        printed[function["name"]])
        if count == 0 and function.get("status", "traced") == "traced":
            found = ["no liveness in the trace"]
        blocks += count
        differences += [f"@{function['name']} {text}" for text in found]
    return blocks, differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    judges.lens()
    files = arguments.files or sample.part(judges.corpus_files(), 4)
    blocks, failed = 0, 0
    for path, results in judges.in_parallel(
            lambda path: (path, [compare_chunk(text) for text in judges.chunks(
                path.read_text(errors="replace"))]), files):
        for number, (count, differences) in enumerate(results):
            blocks += count
            failed += bool(differences)
            if differences:
                print(f"DIFFERENT {path.name} chunk {number}:\n  " +
                      "\n  ".join(differences[:5]))
    print(f"{len(files)} files, {blocks} blocks")
    if not arguments.files and blocks < (1500 if sample.FULL else 60):
        print("FAIL: too few blocks were compared")
        failed += 1
    sys.exit(1 if failed else 0)


main()
