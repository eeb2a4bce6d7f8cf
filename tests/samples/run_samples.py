#!/usr/bin/env python3
"""Runs `trace`, `explain` and `compare` on the samples.

  run_samples.py [--memref-lens PATH] [--update] [--without NAME] [NAME...]
  run_samples.py --check-files

Each sample's trace, as text, and its verdicts lie in tests/golden/samples.
Comments at the top of a sample: the first line says its idea and, for
`reject-*`, quotes the message; `// options: ...` gives options of memref-lens;
`// exit: N` the exit status, where it is not 0.

A sample with --pipeline is freed in another way than by ownership. MLIR 22 has
no such pipeline, so there is no `compare`; mlir-opt 16, the last that has the
classic pass, is the judge of what the passes leave, and the first line says how
many clones and deallocs there are.
"""
import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import subprocess
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
GOLDEN = ROOT / "tests" / "golden" / "samples"
sys.path[:0] = [str(ROOT / "tests" / name) for name in ("support", "placement")]

import mlir16
import structure

# The parts of --pipeline, as 16 calls them.
PASSES_OF_16 = {"hoist": "--buffer-hoisting", "classic": "--buffer-deallocation"}
# Nothing but these may end in a golden of `compare`: a difference or a time-out
# cannot be made the expected result with --update.
GOOD_VERDICTS = ("identical", "rejected alike", "upstream crashed",
                 "upstream reads freed memory")
# Of these a part does not parse: it is not compared, and compare does not end with 0.
NOT_WHOLE = {"several-chunks": 3}


class Sample:
    def __init__(self, name):
        self.name = name
        self.path = SAMPLES / f"{name}.mlir"
        lines = self.path.read_text().splitlines()
        self.idea = lines[0].removeprefix("// ")
        self.options, self.status = [], 0
        for line in lines[1:]:
            if not line.startswith("//"):
                break
            key, _, value = line.removeprefix("// ").partition(": ")
            if key == "options":
                self.options = value.split()
            elif key == "exit":
                self.status = int(value)

    def pipeline(self):
        """What --pipeline asks for; None if nothing does."""
        named = [option.removeprefix("--pipeline=") for option in self.options
                 if option.startswith("--pipeline=")]
        return named[0] if named else None

    def message(self):
        """The diagnostic that the first line quotes, if it is a rejection."""
        quoted = re.search(r'"([^"]+)"', self.idea)
        isRejection = self.name.startswith("reject-")
        return quoted[1] if isRejection and quoted else None


class Runner:
    def __init__(self, tool, update):
        self.tool, self.update, self.faults = tool, update, []

    def fault(self, sample, text):
        self.faults.append(f"{sample.name}: {text}")

    def run(self, sample, command, *extra):
        # Relative path: the goldens must not name a machine's folders.
        words = [self.tool, command, *extra, *sample.options,
                 "--color=never", sample.path.name]
        result = subprocess.run(words, cwd=SAMPLES, capture_output=True,
                                text=True, timeout=300)
        status = sample.status
        if command == "compare":
            status = NOT_WHOLE.get(sample.name, status)
        if result.returncode != status:
            self.fault(sample, f"{command} ended with {result.returncode}, "
                       f"not {status}\n{result.stdout}{result.stderr}")
        return result

    def checkGolden(self, sample, suffix, text):
        path = GOLDEN / f"{sample.name}{suffix}"
        if self.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            return
        expected = path.read_text() if path.exists() else ""
        if text != expected or not path.exists():
            diff = difflib.unified_diff(
                expected.splitlines(), text.splitlines(),
                f"golden/samples/{path.name}", "now", lineterm="")
            self.fault(sample, "differs from its golden\n" + "\n".join(diff))

    def checkVerdicts(self, sample, text):
        verdicts = re.findall(r"^\S+: @\S+: (.+?)(?: \(|:|$)", text, re.M)
        for verdict in verdicts:
            if verdict not in GOOD_VERDICTS:
                self.fault(sample, f"verdict '{verdict}'\n{text}")
        if not verdicts and sample.status == 0:
            self.fault(sample, "compare gave no verdict")
        self.checkGolden(sample, ".verdicts.txt", text)

    def stage(self, sample, stage, pipeline):
        result = subprocess.run(
            [self.tool, "ir", f"--pipeline={pipeline}", f"--stage={stage}",
             sample.path.name], cwd=SAMPLES, capture_output=True, text=True,
            timeout=300)
        if result.returncode != 0:
            self.fault(sample, f"ir {stage}: {result.stderr}")
        return result.stdout

    def checkCounts(self, sample, stages):
        """Clones and deallocs are as many as the first line says."""
        said = re.search(r"Behind the pass (\d+) clones? and (\d+) deallocs?, "
                         r"in the end (\d+) and (\d+)", sample.idea)
        if not said:
            self.fault(sample, "does not say how many clones and deallocs")
            return
        found = structure.counts(stages[0]) + structure.counts(stages[1])
        if found != tuple(map(int, said.groups())):
            self.fault(sample, f"has {found} clones and deallocs")
        hoisted = re.search(r"hoisted first, (\d+) and (\d+)", sample.idea)
        if hoisted:
            found = structure.counts(
                self.stage(sample, "final", f"hoist+{sample.pipeline()}"))
            if found != tuple(map(int, hoisted.groups())):
                self.fault(sample, f"hoisted first, has {found}")

    def checkAgainst16(self, sample):
        """Behind the classic pass, and in the end, all is as 16 leaves it."""
        pipeline = sample.pipeline()
        stages = [self.stage(sample, stage, pipeline)
                  for stage in ("buffer-deallocation", "final")]
        self.checkCounts(sample, stages)
        if not shutil.which("mlir-opt-16") and os.environ.get("CI") != "true":
            print(f"{sample.name}: not compared, mlir-opt-16 is not installed")
            return
        def printed(text, *passes):
            result = mlir16.Run([mlir16.tool(), *passes],
                                mlir16.without_samples(mlir16.old_form(text)))
            if result.status != 0:
                self.fault(sample, f"mlir-opt-16: {result.err}")
            return result.out
        passes = [PASSES_OF_16[part] for part in pipeline.split("+")]
        text = sample.path.read_text()
        for ours, theirs in zip(stages, (passes, [*passes, "--canonicalize"])):
            wanted = printed(text, *theirs)
            got = printed(ours)
            if structure.normal(got) != structure.normal(wanted):
                self.fault(sample, f"{theirs} of mlir-opt-16 gives\n{wanted}"
                           f"not\n{got}")

    def checkNoCompare(self, sample):
        """`compare` says that it is for upstream's pipeline, and what to use."""
        words = [self.tool, "compare", *sample.options, sample.path.name]
        result = subprocess.run(words, cwd=SAMPLES, capture_output=True,
                                text=True, timeout=300)
        if result.returncode == 0 or "--pipelines" not in result.stderr:
            self.fault(sample, "compare does not say what to use instead\n" +
                       result.stdout + result.stderr)

    def check(self, sample):
        """What is wrong with it."""
        self.checkAll(sample)
        return self.faults

    def checkAll(self, sample):
        trace = self.run(sample, "trace", "--format=text")
        again = self.run(sample, "trace", "--format=text")
        if trace.stdout != again.stdout:
            self.fault(sample, "two runs gave two traces")
        explain = self.run(sample, "explain")
        if sample.pipeline():
            self.checkNoCompare(sample)
            self.checkAgainst16(sample)
            self.checkGolden(sample, ".txt", trace.stdout)
            self.checkGolden(sample, ".explain.txt", explain.stdout)
            return
        compare = self.run(sample, "compare")
        if sample.status != 0:
            for result in (trace, explain, compare):
                if sample.message() not in result.stderr:
                    self.fault(sample, "does not report its message\n" +
                               result.stderr)
            return
        if not explain.stdout.strip():
            self.fault(sample, "explain said nothing")
        if sample.message() and sample.message() not in explain.stdout:
            self.fault(sample, "explain does not quote the message\n" +
                       explain.stdout)
        self.checkGolden(sample, ".txt", trace.stdout)
        self.checkVerdicts(sample, compare.stdout)


def checkFiles(samples):
    """Every sample states its idea, and no golden is left without its sample."""
    faults = [f"{sample.name}: the first line does not say the idea"
              for sample in samples
              if not sample.path.read_text().startswith("// ")]
    faults += [f"{sample.name}: no message is quoted" for sample in samples
               if sample.name.startswith("reject-") and not sample.message()]
    names = {sample.name for sample in samples}
    faults += [f"{path.name}: golden without a sample"
               for path in sorted(GOLDEN.glob("*.txt"))
               if path.name.split(".")[0] not in names]
    if not any(name.startswith("reject-") for name in names):
        faults.append("no rejected sample found")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.
                                     RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--memref-lens",
                        default=os.environ.get("MEMREF_LENS") or
                        str(ROOT / "build" / "bin" / "memref-lens"))
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--check-files", action="store_true")
    options = parser.parse_args()

    names = options.names or sorted(p.stem for p in SAMPLES.glob("*.mlir"))
    names = [name for name in names if name not in options.without]
    samples = [Sample(name) for name in names]
    if options.check_files:
        faults = checkFiles(samples)
    else:
        tool = os.path.abspath(options.memref_lens)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            faults = sum(pool.map(
                lambda sample: Runner(tool, options.update).check(sample),
                samples), [])
    for fault in faults:
        print(fault)
    print(f"{len(samples)} samples, {len(faults)} faults")
    return 1 if faults or not samples else 0


if __name__ == "__main__":
    sys.exit(main())
