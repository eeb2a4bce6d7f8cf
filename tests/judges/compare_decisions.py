"""The ownership decisions in our traces are those that upstream really made.

Each file is brought to the form in which the ownership pass sees it (the first
two stages of the pipeline). On that text runs upstream's pass under the logger,
and memref-lens; per function, block and value both must give the same sequence
of ownership states, indicators included.

  MEMREF_LENS=... compare_decisions.py LIBLOGGER [--dynamic] [FILE...]

Without FILE: a part of the corpus, and random programs on which upstream reads freed
memory, which run under --mender=LIBMENDER. Functions that upstream rejects are
compared up to the rejection.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import sys
import tempfile

import judges  # puts the folder of `sample` on the path
import sample
import stale as stales
import traces

STAGES_1_2 = "builtin.module(expand-realloc{emit-deallocs=false},canonicalize)"


def upstream_decisions(arguments, path, stale):
    """(function, block, value) -> list of (kind, state), from the logger."""
    option = "--ownership-based-buffer-deallocation"
    if arguments.dynamic:
        option += "=private-function-dynamic-ownership=true"
    preload = [arguments.logger] + ([arguments.mender] if stale else [])
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        result = judges.run([judges.tool("mlir-opt"), option,
                             "--allow-unregistered-dialect",
                             "--verify-each=false", path, "-o", os.devnull],
                            preload=":".join(preload),
                            MEMREF_LENS_JUDGE_LOG=log)
        lines = pathlib.Path(log).read_text() if os.path.exists(log) else ""
    decisions = collections.defaultdict(list)
    for line in lines.splitlines():
        entry = json.loads(line)
        value = entry.get("result", entry["value"])
        if entry["kind"] != "reset":
            decisions[entry["function"], entry["block"], value].append(
                (entry["kind"], entry["after"]))
    return result, decisions


def our_decisions(trace):
    decisions = collections.defaultdict(list)
    for event in trace.events:
        # A materialized select is an answer; it is stored nowhere.
        if event["kind"] != "ownership" or event.get("rule") in (
                "selectMaterialized",):
            continue
        key = (trace.functions[event["function"]]["name"],
               trace.block(event["block"]), trace.value(event["value"]))
        decisions[key].append(
            (event.get("rule", "allocation"), event.get("op", -1),
             trace.ownership(event.get("after", {}))))
    return decisions


def same_name(ours, theirs):
    """Ops made for a block argument have no place in our trace."""
    if ours == theirs:
        return True
    return ours.startswith("?:") and theirs.split(":", 2)[-1] == ours[2:]


def our_states(events):
    """States after each decision, polled as upstream's logger polls them: of the
    results that one dealloc gave a value, only the last is seen at a return."""
    states = []
    for number, (rule, op, after) in enumerate(events):
        following = events[number + 1:number + 2]
        again = (rule == "retainedResult" and following and
                 following[0][:2] == (rule, op))
        states.append((after, again))
    return states


def settled(states):
    """Without repeats of the same state."""
    result = []
    for state in states:
        if not result or result[-1] != state:
            result.append(state)
    return result


def compare_value(ours, theirs):
    """Whether the sequences are the same; polled states may hide joins."""
    polled = any(kind == "return" for kind, _ in theirs)
    mine = settled([state for state, again in our_states(ours)
                    if not (again and polled)])
    other = settled([state for _, state in theirs])
    if len(mine) != len(other) or not all(map(same_name, mine, other)):
        return f"{mine} but upstream {other}"
    return None


def align(ours, theirs):
    """Gives our keys upstream's names where ours have no place."""
    renamed = {}
    for function, block, value in ours:
        target = (function, block, value)
        if "?:" in value or "?:" in block:
            target = next((key for key in theirs if key[0] == function and
                           same_name(block, key[1]) and
                           same_name(value, key[2])), target)
        renamed[target] = ours[function, block, value]
    return renamed


def varying_functions(arguments, path, stale, decisions):
    """Functions on which upstream itself decides otherwise from run to run: it
    sorts more than 16 live values by a comparator with ties, from an order of
    addresses."""
    varying = set()
    for _ in range(6):
        _, again = upstream_decisions(arguments, path, stale)
        varying |= {key[0] for key in set(again) | set(decisions)
                    if again.get(key) != decisions.get(key)}
    return varying


def needs_test_dialect(text):
    return (re.search(r"\btest\.\w", text) and
            not os.environ.get("MEMREF_LENS_HAS_TEST_DIALECT"))


def compare_chunk(arguments, text, name, stale=False):
    """(number of decisions, list of differences, note)."""
    prepared = judges.run([judges.tool("mlir-opt"), "-", "--pass-pipeline",
                           STAGES_1_2, "--allow-unregistered-dialect"], text)
    if prepared.status != 0:
        return 0, [], "does not reach the pass"
    if needs_test_dialect(prepared.out):
        return 0, [], "needs the test dialect"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stage2.mlir")
        pathlib.Path(path).write_text(prepared.out)
        options = (["--private-function-dynamic-ownership"]
                   if arguments.dynamic else [])
        options.append("--allow-unregistered-dialect")
        upstream, theirs = upstream_decisions(arguments, path, stale)
        traced = judges.run([judges.lens(), "trace", path, *options])
        return compare_logs(arguments, path, stale, upstream, theirs, traced)


def compare_logs(arguments, path, stale, upstream, theirs, traced):
    if upstream.status is None or traced.status is None:
        return 0, [], "out of time"
    if upstream.crashed:
        return 0, [], "upstream crashes"
    if traced.status != 0:
        return 0, [f"memref-lens exits {traced.status}: {traced.err[:300]}"], ""
    trace = traces.Trace(traced.out)
    if any(stage.get("number", 0) in (1, 2) and stage.get("changed")
           for chunk in trace.chunks for stage in chunk.get("stages", [])):
        return 0, [], "canonicalize has no fixed point"
    ours = align(our_decisions(trace), theirs)
    # Of a function that the pass makes invalid the trace keeps no decisions.
    invalid = {trace.functions[event["function"]]["name"]
               for event in trace.events if event["kind"] == "rejection" and
               event.get("cause") == "invalidIr" and event["stage"] == 3}
    varying = set()
    if any(compare_value(ours.get(key, []), theirs.get(key, []))
           for key in set(ours) & set(theirs)):
        varying = varying_functions(arguments, path, stale, theirs)
    # The pass stops at the first function that it rejects; we go on.
    reached = {key[0] for key in theirs}
    differences = []
    for key in sorted(set(ours) | set(theirs)):
        if upstream.status != 0 and key[0] not in reached:
            continue
        if key[0] in invalid and key not in ours:
            continue
        if key[0] in varying:
            continue
        why = compare_value(ours.get(key, []), theirs.get(key, []))
        if why:
            differences.append(f"{' '.join(key)}: {why}")
    note = "upstream varies on a function" if varying else ""
    return sum(map(len, theirs.values())), differences, note


def compare_file(arguments, path, isStale):
    text = path.read_text(errors="replace")
    results = [compare_chunk(arguments, chunk, path.name,
                             isStale or path.name == stales.FILE)
               for chunk in judges.chunks(text)]
    return path, results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("logger")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--mender", default="")
    parser.add_argument("--dynamic", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    judges.lens()
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(1 if compare_all(arguments, folder) else 0)


def compare_all(arguments, folder):
    """How many programs have another decision, or are too few."""
    files = [(path, False) for path in arguments.files or sample.part(
        judges.corpus_files(), 8, {stales.FILE})]
    failed = 0
    if not arguments.files:
        seeds = sample.seeds(None, always=29, more=5, full=100, long=600)
        stale, _ = stales.programs(folder, seeds)
        files += [(path, True) for _, path in stale]
        if len(stale) < 3:
            print("FAIL: too few programs on which upstream reads freed memory")
            failed += 1
    total, notes = 0, collections.Counter()
    for path, results in judges.in_parallel(
            lambda one: compare_file(arguments, *one), files):
        for number, (count, differences, note) in enumerate(results):
            total += count
            notes[note or "compared"] += 1
            if arguments.verbose and note:
                print(f"{path.name} chunk {number}: {note}")
            if differences:
                failed += 1
                print(f"DIFFERENT {path.name} chunk {number}: "
                      f"{len(differences)} of {count}", flush=True)
                print("  " + "\n  ".join(differences[:5]))
    print(f"{len(files)} files, {total} decisions of upstream: {dict(notes)}")
    if not arguments.files and total < (5000 if sample.FULL else 120):
        print("FAIL: too few decisions were compared")
        failed += 1
    return failed


main()
