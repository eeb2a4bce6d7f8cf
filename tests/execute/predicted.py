"""The peak that is predicted, beside the one that a run measured: equal, or the reason.

  for fault in predicted.faults(path, record, options, tally, others): ...

An exact peak is that of the path with the most, so that a run has as much or takes
another path: then one with other arguments must come to it, where any is tried. A
peak of `at least` has gaps, and what a run has beyond it must lie in the buffers that
these name: of an unknown size, or from a callee that is not known.
"""

import json
import re

import judges

SIZE = re.compile(r"the size that \S+ \((\d+):\d+\) allocates is not known")
CALLEE = re.compile(r"what \S+ \((\d+):\d+\) calls is not known")


def gapsOf(path, entry, options):
    done = judges.run([judges.lens(), "memory", "--format=json", "--function", entry,
                       *options, path])
    if done.status != 0:
        return None
    for function in json.loads(done.out)["functions"]:
        if function["function"].split("::")[-1] == entry:
            return function["gaps"]
    return None


def isNamed(site, gaps, entry):
    """Whether a gap is about what the op allocates."""
    if site["value"].startswith("the result of @"):
        return any(CALLEE.search(gap) for gap in gaps)
    lines = [int(found[1]) for gap in gaps if (found := SIZE.search(gap))]
    if site["line"] in lines:
        return True
    # What a callee allocates is told at the call.
    return site["function"] != entry and any(
        CALLEE.search(gap) or "the size that func.call" in gap for gap in gaps)


def kindOf(gap):
    gap = re.sub(r"\S+ \(\d+:\d+\)", "an op", gap)
    return re.sub(r"\d+", "N", gap)


def faults(path, record, options, tally, others=()):
    """`others`: options of other runs, of which one should have the peak."""
    predicted, measured = record["predictedPeakBytes"], record["peakBytes"]
    entry, isLeast = record["entry"], record["predictedPeakIsLowerBound"]
    if predicted is None:
        tally["nothing predicted"] += 1
    elif predicted == measured:
        tally["`at least`, and equal" if isLeast else "equal"] += 1
    elif not isLeast and predicted > measured:
        for more in others:
            done = judges.run([judges.lens(), "run", "--format=json", "--entry", entry,
                               *options, *more, path])
            other = json.loads(done.out) if done.out.startswith("{") else {}
            if other.get("peakBytes") == predicted:
                tally["lower; equal with other arguments"] += 1
                return
        tally["lower; no run came onto the path with the peak"] += 1
        if not others:
            yield f"predicted {predicted}, measured {measured}"
    elif not isLeast:
        yield f"predicted {predicted}, measured {measured}"
    else:
        yield from leastFaults(path, record, options, tally)


def leastFaults(path, record, options, tally):
    gaps = gapsOf(path, record["entry"], options)
    predicted, measured = record["predictedPeakBytes"], record["peakBytes"]
    if not gaps:
        yield f"at least {predicted}, but memory tells no gap"
        return
    if measured < predicted:
        # Another path; or a callee that counts by itself, as not all paths were tried.
        tally["`at least`, and lower"] += 1
        return
    known = sum(site["bytesAtPeak"] for site in record["sites"]
                if not isNamed(site, gaps, record["entry"]))
    whole = [gap for gap in gaps if not SIZE.search(gap) and not CALLEE.search(gap)]
    if known <= predicted:
        tally["`at least`, and higher by buffers that the gaps name"] += 1
    elif whole:
        tally[f"`at least`, and higher: {kindOf(whole[0])}"] += 1
    else:
        yield (f"at least {predicted}, measured {measured}, of which {known} are in "
               f"buffers that no gap names: {gaps}")
