"""The peak that is predicted, beside the one that a run measured: equal, or the reason;
and where buffers are deallocated.

  for fault in predicted.faults(path, record, options, tally, others): ...

An exact peak is that of the path with the most, so that a run has as much or takes
another path: then one with other arguments must come to it, where any is tried. A
peak of `at least` has gaps, and what a run has beyond it must lie in the buffers that
these name: of an unknown size, or from a callee that is not known. A gap at a call is
one of the callee's, which `memory` tells of the callee itself.
"""

import json
import re

import judges

SIZE = re.compile(r"the size (?:that (\S+)|of the clone of \S+) \((\d+):\d+\)"
                  r"(?: allocates)? is not known")
CALLEE = re.compile(r"(?:what|which) \S+ \((\d+):\d+\) calls,? is not known")
CALLED = re.compile(r"call\b.*?@(\"[^\"]*\"|[\w$.-]+)", re.S)


class Gaps:
    """Of each function of a file, as `memory` tells them."""

    def __init__(self, path, options):
        done = judges.run([judges.lens(), "memory", "--format=json", *options, path])
        functions = json.loads(done.out)["functions"] if done.status == 0 else []
        self.of = {one["function"].split("::")[-1]: one["gaps"] for one in functions}
        self.lines = path.read_text(errors="replace").split("\n")

    def calledAt(self, line):
        """The callee of the first call from there on; empty if it has no symbol."""
        found = CALLED.search("\n".join(self.lines[line - 1:line + 3]))
        return found[1].strip('"') if found else ""

    def name(self, site, function, seen=()):
        """Whether one of the function's gaps is about what the op allocates."""
        for gap in self.of.get(function, ()):
            size, callee = SIZE.search(gap), CALLEE.search(gap)
            # Of a function that is called, too: its gap is told with its own place.
            if size and int(size[2]) == site["line"]:
                return True
            if not callee and not (size and (size[1] or "").endswith("call")):
                continue
            called = self.calledAt(int(callee[1] if callee else size[2]))
            if callee and site["value"] == f"the result of @{called}":
                return True
            if called not in seen and self.name(site, called, (*seen, function)):
                return True
        return False


class Lives:
    """Where the paths through a program deallocate each buffer."""

    def __init__(self, path, options):
        done = judges.run([judges.lens(), "trace", *options, path])
        trace = json.loads(done.out) if done.status == 0 else {"functions": []}
        before = path.read_bytes().decode("utf-8", "replace").encode()
        self.freed, self.compared = {}, 0
        for function in trace["functions"]:
            heap = function.get("heap", {})
            if any(gap.get("kind") == "notAllPaths" for gap in heap.get("gaps", ())):
                continue
            for one in heap.get("freed", ()):
                places = self.freed.setdefault(
                    (function["name"], one.get("allocation", -1)), set())
                op = trace["ops"][one["op"]] if "op" in one else {}
                if "nameRange" not in op:
                    places.add(None)
                    continue
                begin = op["nameRange"][0]
                line = before[:begin].count(b"\n") + 1
                places.add((line, begin - before.rfind(b"\n", 0, begin)))

    def faults(self, record):
        """A run deallocates each buffer where a path does, if that is known."""
        sites = record["sites"]
        for site in sites:
            told = self.freed.get((site["function"], site["op"]), {None})
            for number, _ in site["ends"] if None not in told else ():
                end = sites[number]
                place = (end["line"], end["column"])
                if end["function"] != site["function"] or not end["line"]:
                    continue
                self.compared += 1
                if place not in told:
                    yield (f"{site['value']} ({site['line']}:{site['column']}) is "
                           f"deallocated at {place}, not one of {sorted(told)}")


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
    known = Gaps(path, options)
    gaps = known.of.get(record["entry"])
    predicted, measured = record["predictedPeakBytes"], record["peakBytes"]
    if not gaps:
        yield f"at least {predicted}, but memory tells no gap"
        return
    if measured < predicted:
        # Another path; or a callee that counts by itself, as not all paths were tried.
        tally["`at least`, and lower"] += 1
        return
    others = sum(site["bytesAtPeak"] for site in record["sites"]
                 if not known.name(site, record["entry"]))
    whole = [gap for gap in gaps if not SIZE.search(gap) and not CALLEE.search(gap)]
    if others <= predicted:
        tally["`at least`, and higher by buffers that the gaps name"] += 1
    elif whole:
        tally[f"`at least`, and higher: {kindOf(whole[0])}"] += 1
    else:
        yield (f"at least {predicted}, measured {measured}, of which {others} are in "
               f"buffers that no gap names: {gaps}")
