#!/usr/bin/env python3
"""The steps of one-shot-bufferize against mlir-opt.

run_steps.py BUFFERIZE_TOOL [FOLDER]

For the programs on tensors, or those of a folder, and each heuristic: the IR is
that of the pass, each operand's decision is that of `test-analysis-only`, each operand
that is out of place has a reason, and each allocation and each copy has an origin. What
the pass rejects is rejected with its words.

The order in which upstream treats functions that do not call each other depends on
addresses. With it vary names and order of `memref.global`s, which are put in order in
both texts, and of several functions that are to be rejected which one is: where
mlir-opt names another than we do, it must say the same of the program without the
functions that ours does not call.

The same holds of our own replay of the analysis, wherever that takes a program.

Random programs (tests/random/generate_tensors.py) are held in the same way.

A part of the programs is drawn; MEMREF_LENS_FULL=1 takes all, and 500 random ones.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

for folder in ("support", "random"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / folder))
import corpus  # noqa: E402
import generate_tensors  # noqa: E402
import sample  # noqa: E402

SYMBOL = re.compile(r'@(?:"[^"]*"|[\w$.-]+)')
HEURISTICS = "bottom-up top-down bottom-up-from-terminators".split()
# Without the second, MLIR rejects some programs.
OPTIONS = ("bufferize-function-boundaries allow-return-allocs-from-loops "
           "analysis-heuristic=%s")
# Other options, each of which some program shows.
VARIANTS = [
    "bufferize-function-boundaries",
    "",
    "bufferize-function-boundaries function-boundary-type-conversion="
    "identity-layout-map",
    "bufferize-function-boundaries function-boundary-type-conversion="
    "fully-dynamic-layout-map buffer-alignment=0",
    "bufferize-function-boundaries check-parallel-regions=0",
    "allow-unknown-ops dialect-filter=tensor,bufferization",
    "bufferize-function-boundaries allow-unknown-ops "
    "unknown-type-conversion=identity-layout-map",
]
PART = 14
#: Seeds of random programs that showed faults.
OLD = [23, 34, 244]


def programs(folder):
    return sorted(path for path in pathlib.Path(folder).rglob("*.mlir")
                  if "tensor<" in path.read_text(errors="surrogateescape"))


def contents_of(line):
    """What a global is, without its name."""
    return SYMBOL.sub("", line, count=1).strip() + "\n"


def in_order(text):
    """The text with globals named by their contents and in order."""
    globals_ = re.findall(r"(?m)^ *memref\.global .*\n", text)
    for line in globals_:
        text = text.replace(line, "", 1)
    names = {}
    contents = collections.Counter()
    for line in sorted(globals_, key=contents_of):
        name = SYMBOL.search(line).group()
        content = contents_of(line)
        names[name] = f"@global_{hash(content)}_{contents[content]}"
        contents[content] += 1
    text = SYMBOL.sub(lambda match: names.get(match.group(), match.group()), text)
    return text.strip() + "\n" + "".join(
        sorted(contents_of(line) for line in globals_))


def mlir_opt(path, options):
    """The IR, or None and what it said."""
    ran = subprocess.run(
        [corpus.tool("mlir-opt"), path, "--allow-unregistered-dialect",
         f"-one-shot-bufferize={options}"],
        capture_output=True, text=True, timeout=600)
    return (ran.stdout if ran.returncode == 0 else None), ran.stderr


def function_at(text, line):
    """The program with only the function that the line is in and what it calls; the
    others are blank lines."""
    lines = text.split("\n")
    starts = [number for number, one in enumerate(lines)
              if one.startswith("func.func ")]
    parts = {}
    for start in starts:
        end = next(number for number in range(start, len(lines))
                   if lines[number].startswith("}")) + 1
        parts[SYMBOL.search(lines[start]).group()] = range(start, end)
    wanted = [name for name, part in parts.items() if line - 1 in part]
    for name in wanted:
        body = "\n".join(lines[number] for number in parts[name])
        wanted += [other for other in SYMBOL.findall(body)
                   if other in parts and other not in wanted]
    for name, part in parts.items():
        if name not in wanted:
            for number in part:
                lines[number] = ""
    return "\n".join(lines)


def says_of_part(path, options, place, message):
    """Whether mlir-opt says it at the place where nothing else may be rejected."""
    with tempfile.TemporaryDirectory() as folder:
        part = pathlib.Path(folder) / "part.mlir"
        part.write_text(function_at(pathlib.Path(path).read_text(),
                                    int(place.split(":")[0])))
        upstream, said = mlir_opt(part, options)
        return upstream is None and f":{place}: error: {message}" in said


class Held:
    def __init__(self, tool):
        self.tool = tool
        self.faults = []
        self.counts = collections.Counter()
        self.origins = collections.Counter()
        self.reasons = collections.Counter()

    def fault(self, path, options, what):
        self.faults.append(f"{path} with '{options}': {what}")
        print("FAIL:", self.faults[-1], flush=True)

    def ours(self, options, paths, words=()):
        """What the tool says of each; nothing where it dies."""
        ran = subprocess.run([self.tool, *words, options, *paths],
                             capture_output=True, text=True, timeout=1200)
        lines = ran.stdout.splitlines()
        if ran.returncode == 0 and len(lines) == len(paths):
            return [json.loads(line) for line in lines]
        self.fault(f"{len(lines)} of {len(paths)}", " ".join([*words, options]),
                   f"the tool ended with {ran.returncode}: {ran.stderr}")
        return []

    def look(self, options, paths):
        plain = self.ours(options, paths)
        replayed = self.ours(options, paths, ["--replay"])
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            judged = list(pool.map(lambda path: mlir_opt(path, options), paths))
        for path, ours, (upstream, said) in zip(paths, plain, judged):
            self.hold(path, options, ours, upstream, said)
        for path, ours, (upstream, said) in zip(paths, replayed, judged):
            # Where it cannot, it is the same as above.
            if ours.get("replayed"):
                self.counts["replayed"] += 1
                self.hold(path, f"--replay {options}", ours, upstream, said)
        show(f"so far, with '{options}'", self.counts)

    def hold(self, path, options, ours, upstream, said):
        self.counts["runs"] += 1
        if upstream is None:
            self.counts["rejected"] += 1
            message = ours.get("message", "").partition("\n")[0]
            place = ours.get("place", "")
            told = f":{place}: error: {message}" if place else message
            if "ir" not in ours and message and told not in said and place and \
                    says_of_part(path, options, place, message):
                self.counts["rejected for another function"] += 1
            elif "ir" in ours or not message or told not in said:
                self.fault(path, options, f"upstream rejects it ({said}), we say "
                           f"'{message}'")
            return
        if "ir" not in ours:
            self.fault(path, options, f"rejected: {ours['message']}")
            return
        if in_order(ours["ir"]) != in_order(upstream):
            self.fault(path, options, "the IR differs")
        for difference in ours["differences"]:
            self.fault(path, options, difference)
        if ours["unlinked"]:
            self.fault(path, options,
                       f"{ours['unlinked']} allocations or copies without origin")
        for name in ("operands", "outOfPlace", "several", "overwrites"):
            self.counts[name] += ours[name]
        self.origins.update(ours["origins"])
        self.reasons.update(ours["reasons"])
        for name in ours["origins"]:
            if "unknown" in name or "without op" in name:
                self.fault(path, options, name)
        for name in ours["reasons"]:
            if "unexplained" in name:
                self.fault(path, options, "an operand without a reason")


def show(title, counts):
    print(title + ": " + ", ".join(
        f"{count} {name}" for name, count in sorted(counts.items())), flush=True)


def hold_random(held, folder):
    seeds = sample.seeds(None, always=4, more=24, full=500, long=2000)
    paths = []
    for seed in sorted({*seeds, *OLD}):
        path = pathlib.Path(folder) / f"random-{seed}.mlir"
        path.write_text(generate_tensors.generate(seed))
        paths.append(str(path))
    for heuristic in HEURISTICS:
        held.look(OPTIONS % heuristic, paths)
    for variant in VARIANTS:
        held.look(variant, paths[::3])


def main():
    held = Held(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) > 2 else corpus.tensors()
    paths = [str(path) for path in sample.part(programs(folder), PART)]
    for heuristic in HEURISTICS:
        held.look(OPTIONS % heuristic, paths)
    for variant in VARIANTS:
        held.look(variant, [str(path) for path in sample.part(paths, 3)])
    show("so far", held.counts)
    if len(sys.argv) < 3:
        with tempfile.TemporaryDirectory() as folder:
            hold_random(held, folder)
    show("counts", held.counts)
    show("reasons", held.reasons)
    show("origins", held.origins)
    seen = held.counts["operands"] and held.counts["replayed"]
    return 1 if held.faults or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
