#!/usr/bin/env python3
"""Predicted lifetimes against what a run has seen.

  run_lifetimes.py SAMPLES [--seeds A..B] [FILE...]

Each public function of the samples, the corpus, the tensor programs (with --bufferize)
and random programs runs once (memref-lens run). The run tells, for each op that made a
buffer, which ops of its function read or wrote it, and when. Held against `memory`:

- no use comes before the predicted first or behind the predicted last one, in steps;
- each arena plan is replayed: two buffers that are both between their first and last
  real use share no byte;
- no measured peak is above one that is predicted for every path;
- each remedy that is offered with `check`'s figures is run in its place: it adds no
  fault, the peak that it promises is not exceeded, and is a gain where the run without
  it has come to the peak that was told.

The run has no model of aliases: it watches addresses. Prints the counts of each kind.
"""

import argparse
import collections
import json
import pathlib
import re
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "judges"), str(TESTS / "random"), str(TESTS / "support")]

import judges  # noqa: E402
import generate  # noqa: E402
import generate_tensors  # noqa: E402
import sample  # noqa: E402

SECONDS = 5
PIPELINE = re.compile(r"--pass-pipeline='(builtin\.module\([^']*\))'")
PRIVATE = re.compile(r"symbol-privatize(?:\{exclude=([^}]*)\})?")
# `%r#1`, and what bufferization makes of it.
ONE_OF_SEVERAL = re.compile(r"#|_\d+_buf$")


class Judge:
    def __init__(self):
        self.counts = collections.Counter()
        self.faults = []

    def fault(self, title, words):
        self.faults.append(f"{title}: {words}")

    def file(self, title, path, flags, tries_remedies=False):
        """Of each function that can run."""
        done = judges.run([judges.lens(), "memory", "--all", "--format=json", *flags, path],
                          seconds=120)
        if not done.out.startswith("{"):
            self.counts["files without an analysis"] += 1
            return
        functions = json.loads(done.out)["functions"]
        self.counts["files"] += 1
        for function in functions:
            for buffer in function["buffers"]:
                self.counts["buffers"] += 1
                self.counts["last use known"] += buffer["isLastUseKnown"]
            if function["arenaBytes"]:
                self.counts["functions with an arena"] += 1
        ran = {}
        for name in runnable(path):
            run = judges.run([judges.lens(), "run", "--format=json", "--entry", name,
                              f"--timeout={SECONDS}", *flags, path],
                             seconds=SECONDS + 120)
            if not run.out.startswith("{"):
                continue
            record = json.loads(run.out)
            record["comparesPoison"] = "ub.poison" in pathlib.Path(path).read_text(
                errors="replace")
            if record["end"] != "returned":
                self.counts[f"runs that {record['end']}"] += 1
                continue
            self.counts["runs"] += 1
            ran[name] = record
            self.run(f"{title} @{name}", functions, record)

        if tries_remedies and ran:
            self.remedies(title, path, flags, ran)

    def remedies(self, title, path, flags, ran):
        done = judges.run([judges.lens(), "check", "--format=json", *flags, path],
                          seconds=300)
        if not done.out.startswith("{"):
            return
        tried = {}
        for finding in json.loads(done.out)["files"][0]["findings"]:
            for remedy in finding.get("tried", []):
                # With its edit, if it has one.
                command = PIPELINE.search(" ".join(remedy["commands"]))
                if remedy["helps"] and command:
                    tried[command[1]] = remedy
        others = [flag for flag in flags
                  if flag != "--bufferize" and not flag.startswith("--pre=")]
        for pipeline, remedy in tried.items():
            private = PRIVATE.search(pipeline)
            for name, before in ran.items():
                if private and name not in (private[1] or "").split(","):
                    # By then only functions of the module call it.
                    continue
                run = judges.run([judges.lens(), "run", "--format=json", "--entry", name,
                                  f"--timeout={SECONDS}", f"--pipeline={pipeline}",
                                  *others, path], seconds=SECONDS + 120)
                if not run.out.startswith("{"):
                    self.counts["remedies that change what is passed, not run"] += 1
                    continue
                self.remedy(f"{title} @{name}, {remedy['remedy']}", remedy, before,
                            json.loads(run.out))

    def remedy(self, title, remedy, before, after):
        if after["end"] != "returned":
            self.fault(title, f"ends with {after['end']} {after['failure']}")
            return
        self.counts["remedies run"] += 1
        def kinds(record):
            return {fault["kind"] for fault in record["faults"]}
        for kind in sorted(kinds(after) - kinds(before)):
            if before["comparesPoison"] and after["restsOnPoison"]:
                self.counts["faults that a compare with poison decides"] += 1
            else:
                self.fault(title, f"has a fault: {kind}")
        peak = next((change for change in remedy["changes"]
                     if change["what"] == "peak"), None)
        if not peak or "at least" in peak["text"]:
            return
        self.counts["gains measured"] += 1
        if after["peakBytes"] > max(peak["before"], peak["after"]):
            self.fault(title, f"peak {after['peakBytes']} B, told {peak['text']}")
        if before["peakBytes"] != peak["before"]:
            return
        self.counts["gains measured, of the peak that was told"] += 1
        if peak["after"] < peak["before"] and after["peakBytes"] > peak["after"]:
            self.fault(title, f"peak {before['peakBytes']} -> {after['peakBytes']} B, "
                       f"told {peak['text']}")

    def run(self, title, functions, record):
        if any(fault["kind"] != "leak" for fault in record["faults"]):
            self.counts["runs with a fault, of which uses are not compared"] += 1
            return
        for words in record["contradictions"]:
            self.fault(title, words)
        # lift-cf-to-scf yields ub.poison where a value is not used, and the pass
        # compares its address: what is freed then is not defined.
        self.counts["runs with faults that a compare with poison decides"] += \
            record["restsOnPoison"]
        if record["restsOnPoison"] and not record["comparesPoison"]:
            self.fault(title, "rests on ub.poison, which the program does not have")
        predicted = record["predictedPeakBytes"]
        if predicted is not None and not record["predictedPeakIsLowerBound"]:
            self.counts["peaks compared"] += 1
            if record["peakBytes"] > predicted:
                self.fault(title, f"peak {record['peakBytes']} B, predicted {predicted} B")
        sites = record["sites"]
        known, arenas = {}, {}
        for function in functions:
            steps = {op: step for step, op in enumerate(function["steps"])}
            for buffer in function["buffers"]:
                known.setdefault(buffer["op"], []).append((buffer, steps))
                if buffer["offsets"]:
                    arenas.setdefault(buffer["op"], []).append(buffer)
        for site in sites:
            if any(ONE_OF_SEVERAL.search(buffer["name"])
                   for buffer, _ in known.get(site["op"], [])):
                # Which of several results is used, the run does not tell.
                self.counts["uses of one of several results, not compared"] += len(
                    site.get("uses", []))
            elif site["op"] in known:
                self.uses(title, site, known[site["op"]], sites)
        self.arenas(title, record, arenas)

    def uses(self, title, site, known, sites):
        """Of an op with several results: of all that it makes together."""
        buffer, steps = dict(known[0][0]), known[0][1]
        for other, _ in known[1:]:
            buffer["firstUse"] = min(buffer["firstUse"], other["firstUse"])
            buffer["lastUse"] = max(buffer["lastUse"], other["lastUse"])
        seen = False
        for use in site.get("uses", []):
            step = steps.get(sites[use]["op"])
            if step is None:
                self.counts["uses by ops that no step is"] += 1
                continue
            seen = True
            self.counts["uses compared"] += 1
            if not buffer["firstUse"] <= step <= max(buffer["lastUse"], buffer["firstUse"]):
                self.fault(title, f"{buffer['name']} ({buffer['at']}) is used by "
                           f"{sites[use]['opName']} ({sites[use]['line']}:"
                           f"{sites[use]['column']}), step {step}; predicted "
                           f"{buffer['firstUse']} to {buffer['lastUse']}, "
                           f"{buffer['usedBy']}")
        self.counts["buffers compared"] += seen

    def arenas(self, title, record, arenas):
        placed = collections.defaultdict(list)
        for site, frame, size, _, first, last, _ in record["lives"]:
            buffers = arenas.get(record["sites"][site]["op"], []) if site >= 0 else []
            if len(buffers) == 1 and last > 0 and \
                    not ONE_OF_SEVERAL.search(buffers[0]["name"]):
                function = record["sites"][site]["function"]
                placed[frame, function].append((first, last, size, buffers[0]))
        for lives in placed.values():
            self.counts["arenas replayed"] += 1
            for planner in lives[0][3]["offsets"]:
                self.replay(title, planner, lives)

    def replay(self, title, planner, lives):
        lives = sorted(lives, key=lambda life: life[0])
        live = []
        for first, last, size, buffer in lives:
            live = [other for other in live if other[1] > first]
            begin = buffer["offsets"][planner]
            for other in live:
                start = other[3]["offsets"][planner]
                if begin < start + other[2] and start < begin + size:
                    self.fault(title, f"{planner}: {buffer['name']} ({buffer['at']}) and "
                               f"{other[3]['name']} ({other[3]['at']}) share bytes")
            live.append((first, last, size, buffer))
            self.counts["buffers replayed"] += 1
            if len(live) > 2000:
                return


def runnable(path):
    """Names of public functions with a body, as the text has them."""
    text = pathlib.Path(path).read_text(errors="replace")
    names = []
    for piece in text.split("func.func ")[1:]:
        head = piece.split("(", 1)[0].strip()
        if head.startswith("@") and "private" not in head:
            body = piece.split("func.func ", 1)[0]
            if "{" in body:
                names.append(head[1:].strip('"'))
    return list(dict.fromkeys(names))[:20]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("samples", type=pathlib.Path)
    parser.add_argument("--seeds", help="random programs: A..B")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    judge = Judge()
    with tempfile.TemporaryDirectory() as folder:
        if options.files:
            work = [(str(file), file, flags, True) for file in options.files
                    for flags in ([], ["--bufferize"])]
        else:
            work = list(generated(options, pathlib.Path(folder)))
            # Reports: on which the prediction was wrong once.
            work += sample.part(programs(options), 12, ["reports/"])
            chance = sample.draw()
            work = [(*one, sample.FULL or chance.random() <
                     (0.2 if one[0].startswith("reports/") else 0.1)) for one in work]
        for _ in judges.in_parallel(lambda one: judge.file(*one), work):
            pass
    for kind, count in sorted(judge.counts.items()):
        print(f"{count:7d}  {kind}")
    for fault in judge.faults[:40]:
        print("FAULT", fault)
    print(f"{len(judge.faults)} faults; drawn by seed {sample.seed()}")
    return 1 if judge.faults else 0


LIFTED = ["--convert-scf-to-cf", "--lift-cf-to-scf"]
CARRIES = ("--pre=one-shot-bufferize{bufferize-function-boundaries "
           "allow-return-allocs-from-loops}")


def generated(options, folder):
    """Half of them on memrefs, half of these with loops lifted from branches; half on
    tensors, half of these with loops that yield other tensors than they were given."""
    for seed in sample.seeds(options.seeds, 8, 12, 200, 2000):
        file = folder / f"{seed}.mlir"
        if seed % 2:
            number = seed // 2
            file.write_text(generate_tensors.generate(number))
            flags = [CARRIES if number % 2 else "--bufferize"]
            yield f"seed {seed}, tensors {' '.join(flags)}", file, flags
            continue
        file.write_text(generate.generate(seed, "acyclic-run"))
        if seed % 4:
            lifted = judges.run([judges.tool("mlir-opt"), *LIFTED, file], seconds=60)
            if lifted.status == 0:
                file.write_text(lifted.out)
        yield f"seed {seed}", file, []


def programs(options):
    """Title, path and flags."""
    for file in sorted(options.samples.glob("*.mlir")):
        yield file.name, file, []
    shared = judges.corpus().parent
    for part in ["upstream", "upstream/*", "defects", "readings", "real"]:
        for file in sorted((shared / "corpus").glob(f"{part}/*.mlir")):
            yield str(file.relative_to(shared)), file, []
    for part in ["tensors", "tensors/real", "reports"]:
        for file in sorted((shared / part).glob("*.mlir")):
            yield str(file.relative_to(shared)), file, ["--bufferize"]
            if part == "reports":
                yield str(file.relative_to(shared)), file, []


if __name__ == "__main__":
    sys.exit(main())
