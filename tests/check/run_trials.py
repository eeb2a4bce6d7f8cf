"""What `check` says of a program's costs and of remedies that it tried is so: the
edit and the passes are applied once more, by mlir-opt, and everything is counted
in what it prints.

  run_trials.py [FILE...]
"""

import functools
import json
import pathlib
import random
import re
import shlex
import sys
import tempfile

import run_rules  # puts the judges' folder on the path
import count_ir
import heap_of_run
import judges
import sample

COUNTED = ("clones", "unconditional clones", "run-time alias checks",
           "dealloc_helper calls", "of these in loops", "late deallocs",
           "memref.copy", "memref.alloc", "allocations in loops",
           "allocations in a call")
NUMBER = r"(\d[\w. ]*?|at least \d[\w. ]*?|unknown)"
CHANGE = re.compile(rf"([a-z][\w. -]*?) {NUMBER} -> {NUMBER}(?=,|;|$| \()")
#: What is counted at the place of a rule's finding.
SITES = {"clone": '"bufferization.clone"', "run-time-check": '"arith.cmpi"',
         "dealloc-helper": "callee = @dealloc_helper"}
#: Runs of each function that are held against its peak.
RUNS = 12


class OnOneLine(Exception):
    """A function that this cannot edit."""


def edited(text, remedy):
    """The text with the edit that the words of a remedy name."""
    names = re.findall(r"@(.+?)(?=, @| and @| private| returning|$)", remedy)
    if " private" in remedy and names:
        for name in names:
            text = re.sub(rf"func\.func(?: public)? {symbol(name)}",
                          rf"func.func private \1", text)
    elif "returning copies" in remedy:
        for name in names:
            text = in_function(text, name, return_copies)
    elif remedy.startswith("without the deallocs"):
        for name in names:
            text = in_function(text, name, lambda body: re.sub(
                r"(?m)^\s*(memref|bufferization)\.dealloc .*\n", "", body))
    return text


def symbol(name):
    """A name in a program; those with other letters are quoted."""
    return rf'(@(?:"{re.escape(name)}"|{re.escape(name)}(?![\w$.-])))'


def in_function(text, name, change):
    match = re.search(rf"func\.func[^@\n]*{symbol(name)}", text)
    if not match:
        return text
    # Its body begins with the brace that ends a line.
    begin = re.compile(r"\{[ \t]*$", re.M).search(text, match.end())
    if not begin:
        raise OnOneLine
    depth, end = 1, begin.end()
    while depth > 0 and end < len(text):
        depth += (text[end] == "{") - (text[end] == "}")
        end += 1
    return text[:match.start()] + change(text[match.start():end]) + text[end:]


def return_copies(body):
    allocated = set(re.findall(r"(%[\w#]+) = memref\.alloc\(", body))

    def copy(match):
        indent, values, types = match.groups()
        lines, returned = "", []
        for number, (value, type) in enumerate(
                zip([v.strip() for v in values.split(",")],
                    count_ir.split_types(types))):
            if type.startswith("memref<") and value not in allocated:
                lines += (f"{indent}%returned_copy{number} = bufferization.clone "
                          f"{value} : {type} to {type}\n")
                value = f"%returned_copy{number}"
            returned.append(value)
        return f"{lines}{indent}return {', '.join(returned)} : {types}"

    return re.sub(r"(?m)^(\s*)(?:func\.)?return (%[^:]*?) : (.*)$", copy, body)


def at_most(number, said):
    """Up to how the tool rounds."""
    match = re.fullmatch(r"([\d.]+) (B|KiB|MiB|GiB)", said)
    if not match:
        return False
    scale = {"B": 1, "KiB": 1024, "MiB": 1 << 20, "GiB": 1 << 30}[match[2]]
    return number <= float(match[1]) * scale + (0.06 * scale if scale > 1 else 0)


@functools.cache
def peaks(text):
    """Most bytes live in some runs of each function. Many outcomes are about the
    same output."""
    try:
        program = heap_of_run.Program(text)
    except Exception:  # Text that the small parser does not know.
        return {}
    found = {}
    for name in program.functions:
        for number in range(RUNS):
            try:
                heap = program.run(name, random.Random(number))
            except Exception:  # Ops that it does not know.
                break
            found[name] = max(found.get(name, 0), heap.peak)
    return found


def add_peaks(text, counts):
    for name, entry in counts.items():
        entry["peak"] = max(entry["peak"], peaks(text).get(name, 0))


class File:
    """One file and its chunks, through mlir-opt."""

    def __init__(self, path, options):
        self.path, self.options = path, options
        self.chunks = judges.chunks(path.read_text())
        self.known = {}
        self.faults, self.derived, self.helpful, self.costs = [], 0, 0, 0
        # Outcomes held to the place of their finding.
        self.there, self.elsewhere, self.placed = 0, 0, {}

    def optimise(self, text, pipeline):
        flags = [option for option in self.options
                 if option.startswith("--allow")]
        key = (text, pipeline)
        if key not in self.known:
            if "lens-" in pipeline:
                flags.append(f"--load-pass-plugin={judges.plugin()}")
            self.known[key] = judges.run(
                [judges.tool("mlir-opt"), "--mlir-print-op-generic",
                 f"--pass-pipeline={pipeline}", *flags], text=text)
        return self.known[key]

    def counts(self, text, pipeline):
        """Counts by function, with ownership i1s; None if mlir-opt refuses."""
        result = self.optimise(text, pipeline)
        if result.status != 0:
            return None
        found = count_ir.count(result.out)
        add_peaks(result.out, found)
        front = re.sub(r",?buffer-deallocation-pipeline.*", "", pipeline) + ")"
        if pipeline.startswith("builtin.module(buffer-deallocation"):
            front = "builtin.module()"
        return self.with_ownership(found, text, front)

    def with_ownership(self, found, text, front):
        before = self.optimise(text, front)
        if before.status != 0:
            return None
        had = count_ir.count(before.out)
        for name, entry in found.items():
            entry["ownership indicators"] = entry["i1 results"] - \
                had.get(name, {"i1 results": 0})["i1 results"]
        return found

    def by_plugin(self, command, path):
        """By our passes in the stock mlir-opt, as it is offered."""
        words = [f"--load-pass-plugin={judges.plugin()}"
                 if word.startswith("--load-pass-plugin=") else word
                 for word in shlex.split(command)[1:-1]]
        return judges.run([judges.tool("mlir-opt"), *words, path])

    def stated(self, text, command):
        """Under an assumption, which only our passes know."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "stated.mlir"
            path.write_text(text)
            ours = self.by_plugin(command, path)
        if ours.status != 0:
            return None
        printed = self.optimise(ours.out, "builtin.module()")
        if printed.status != 0:
            return None
        found = count_ir.count(printed.out)
        add_peaks(printed.out, found)
        return self.with_ownership(found, text, "builtin.module()")

    def check(self):
        result = judges.run(
            [judges.lens(), "check", "--format", "json", "--try-ops", "0",
             "--fail-on", "none", *self.options, self.path], seconds=600)
        if result.status != 0:
            return
        report = json.loads(result.out)["files"][0]
        self.check_costs(report["costs"])
        done = set()
        for finding in report["findings"]:
            for tried in finding["tried"]:
                key = (finding["chunk"], finding["function"],
                       finding["rule"], tried["remedy"])
                if key not in done:
                    done.add(key)
                    self.check_tried(finding, tried)
                self.check_site(finding, tried)

    def check_site(self, finding, tried):
        """Whether the ops at the finding's own place become fewer."""
        op = SITES.get(finding["rule"])
        isElsewhere = "changes nothing here" in tried["outcome"]
        # A loop that runs less often, another text: not to be seen at a place.
        if not op or len(self.chunks) > 1 or not tried["pipeline"] or \
                "inline" in tried["remedy"] or "of these in loops" in tried["outcome"] or \
                not (tried["helps"] or isElsewhere):
            return
        try:
            if edited(self.chunks[0], tried["remedy"]) != self.chunks[0]:
                return
        except OnOneLine:
            return
        place = f":{finding['place']['line']}:{finding['place']['column']})"
        was, now = (sum(op in line and place in line for line in
                        self.with_places(pipeline))
                    for pipeline in (self.own_pipeline(), tried["pipeline"]))
        if was > 0 and (now < was) == isElsewhere:
            self.faults.append(
                f"{self.path.name}{place} [{finding['rule']}] {tried['remedy']}: "
                f"{was} -> {now} there; {tried['outcome']}")
        self.elsewhere += was > 0 and isElsewhere
        self.there += was > 0 and not isElsewhere

    def with_places(self, pipeline):
        if pipeline not in self.placed:
            result = judges.run([
                judges.tool("mlir-opt"), self.path, f"--pass-pipeline={pipeline}",
                "--mlir-print-op-generic", "--mlir-print-debuginfo",
                "--mlir-print-local-scope"], seconds=300)
            self.placed[pipeline] = result.out.splitlines() \
                if result.status == 0 else []
        return self.placed[pipeline]

    def check_costs(self, costs):
        """What each function pays is what is in mlir-opt's IR."""
        names = [entry["function"] for entry in costs]
        hasClones = any("bufferization.clone" in text for text in self.chunks)
        real = {}
        for text in self.chunks:
            real |= self.counts(text, self.own_pipeline()) or {}
        for entry in costs:
            name = entry["function"]
            if names.count(name) > 1 or name not in real:
                continue
            self.costs += 1
            for said, counted in (("clones", "clones"),
                                  ("runTimeChecks", "run-time alias checks"),
                                  ("helperCalls", "dealloc_helper calls")):
                # The program's own clones are no cost of the pipeline.
                isMeant = said != "clones" or not hasClones
                if isMeant and entry[said] != real[name][counted]:
                    self.faults.append(
                        f"{self.path.name}: @{name}: {entry[said]} {counted}, "
                        f"but {real[name][counted]}")

    def own_pipeline(self):
        """Without a remedy."""
        dynamic = any("dynamic-ownership" in option for option in self.options)
        return "builtin.module(buffer-deallocation-pipeline" + (
            "{private-function-dynamic-ownership=1})" if dynamic else ")")

    def check_tried(self, finding, tried):
        outcome = tried["outcome"]
        if "other function" in tried["remedy"] or re.search(
                r"pipeline dies|pass fails|longer than|is rejected then|"
                r"cannot be followed|"
                r"is unsound then", outcome):
            return
        text = self.chunks[finding["chunk"]]
        try:
            changed = edited(text, tried["remedy"])
        except OnOneLine:
            return
        after = self.counts(changed, tried["pipeline"]) if tried["pipeline"] \
            else self.stated(changed, tried["commands"][-1])
        before = self.counts(text, self.own_pipeline())
        where = f"{self.path.name}: @{finding['function']} " \
                f"[{finding['rule']}] {tried['remedy']}"
        if accepted := re.search(
                r"is accepted, (?:at no cost|with .*)", outcome):
            self.check_accepted(where, finding, before, after, accepted)
            return
        if before is None or after is None or "still rejected" in outcome or \
                "reads no freed" in outcome:
            return
        self.compare(where, outcome, before, after)
        self.derived += 1
        self.helpful += tried["helps"]

    def check_accepted(self, where, finding, before, after, said):
        # Another function of the file may be refused.
        if after is None:
            return
        if before is not None:
            self.faults.append(f"{where}: mlir-opt accepts it before")
        counts = after.get(finding["function"])
        real = counts and [counts["clones"], counts["run-time alias checks"],
                           counts["dealloc_helper calls"]]
        told = [int(found[1]) if (found := re.search(
            rf"(\d+) {what}", said[0])) else 0
                for what in ("clone", "run-time alias check", "dealloc_helper")]
        if real != told:
            self.faults.append(f"{where}: {said[0]}, but {real}")
        self.derived += 1
        self.helpful += 1

    def compare(self, where, outcome, before, after):
        total = outcome.split("in all: ")[-1].replace("at the cost of ", "")
        said = {match[1].strip(): (match[2], match[3])
                for match in CHANGE.finditer(total)}
        isMoved = "inline" in where or "out-params" in where
        for what in COUNTED + ("ownership indicators",):
            was = sum(entry[what] for entry in before.values())
            now = sum(entry[what] for entry in after.values())
            claimed = said.pop(what, None)
            real = (str(was), str(now)) if was != now else None
            # The number of clones says as much.
            clones = [sum(entry["clones"] for entry in side.values())
                      for side in (before, after)]
            if what == "allocations in a call" and \
                    all(sum(entry["memref.alloc"] for entry in side.values()) == count
                        for side, count in ((before, was), (after, now))):
                real = None
            # What moves between functions is executed as often as before, and
            # need not be said; what an external function made is new here.
            if what.startswith("allocations in") and isMoved and not claimed:
                real = None
            if what == "unconditional clones" and \
                    clones[0] - was == clones[1] - now:
                real = None
            if claimed != real:
                self.faults.append(f"{where}: {what}: said {claimed}, but "
                                   f"{was} -> {now}; {outcome}")
        for text, side in zip(said.pop("peak", ()), (before, after)):
            most = max((entry["peak"] for entry in side.values()), default=0)
            # Of what is not known there may be more than is said; and the run
            # counts all memory spaces together (memory.spaces counts each).
            isBound = (text.startswith("at least") or text == "unknown"
                       or " in " in text)
            if not isBound and not at_most(most, text):
                self.faults.append(f"{where}: peak: said {text}, but a run has "
                                   f"{most}")
        said.pop("largest dealloc", None)
        # Of that mlir-runner is the judge (run_lost_writes.py).
        said.pop("writes that clones do not see", None)
        if said:
            self.faults.append(f"{where}: says {said}")


DYNAMIC = "--private-function-dynamic-ownership"
#: In each draw, so that there are gains and costs to compare.
SEEN = ("call-private", "helper-call", "nested-regions")


def check_file(item):
    path, options = item
    file = File(path, options)
    file.check()
    return file


def options_of(path):
    """A sample's first lines may say with which options it is to be run."""
    match = re.search(r"(?m)^// options: (.*)$", path.read_text())
    return match[1].split() if match else []


def main():
    root, corpus = judges.ROOT, judges.corpus()
    if sys.argv[1:]:
        items = [(pathlib.Path(name), []) for name in sys.argv[1:]]
    else:
        samples = sorted((root / "samples").glob("*.mlir"))
        items = [(path, options)
                 for path in sample.part(samples, 4, core=SEEN)
                 for options in ([], [DYNAMIC])]
        items += [(path, []) for path in sample.part(sorted(
            (corpus / "defects").glob("*.mlir")), 6)]
        real = sorted((corpus / "real").glob("*.mlir"))
        # Of the largest, no copy can be tried in the time that a test has.
        real = [path for path in real
                if path.stat().st_size < (150000 if sample.LONG else 12000)]
        real = sample.part(real, 4 if sample.FULL else 20, isWhole=sample.LONG)
        items += [(path, []) for path in real]
        items = [item for item in items
                 if not any("tensor" in option for option in item[1])]
    faults, derived, helpful, costs, there, elsewhere = [], 0, 0, 0, 0, 0
    for file in judges.in_parallel(check_file, items):
        faults += file.faults
        derived += file.derived
        helpful += file.helpful
        costs += file.costs
        there += file.there
        elsewhere += file.elsewhere
    print("\n".join(faults))
    print(f"{len(items)} runs, {derived} outcomes derived anew, {helpful} of "
          f"them gains, costs of {costs} functions counted, {there} gains seen at "
          f"their place, {elsewhere} only elsewhere, {len(faults)} faults")
    isEnough = sys.argv[1:] or (helpful >= (40 if sample.FULL else 6) and
                                costs >= (100 if sample.FULL else 12))
    sys.exit(1 if faults or not isEnough else 0)


if __name__ == "__main__":
    main()
