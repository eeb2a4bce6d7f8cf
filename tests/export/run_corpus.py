#!/usr/bin/env python3
"""Exports every function of real programs in every format, twice.

  run_corpus.py MEMREF_LENS [FILE...]

Each export must end with status 0 and say something about every function; two
runs must give equal bytes; `dot -Tcanon` must accept each DOT; each SVG must be
XML without links; and Graphviz must have nothing to say of a sample. A part of the
corpus' real programs, and of the samples.
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import sample  # noqa: E402

CORPUS = pathlib.Path(os.environ.get("MEMREF_LENS_CORPUS",
                                     ROOT.parent / "shared" / "corpus"))
FORMATS = ("dot", "svg", "png", "html", "md", "json")
# Bytes of a trace past which it is exported once, and as one report only.
LARGE = 8_000_000


def run(*words, seconds=600):
    return subprocess.run([str(word) for word in words], capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=seconds)


def programs(given):
    if given:
        return [pathlib.Path(path) for path in given]
    samples = sorted((ROOT / "samples").glob("*.mlir"))
    real = sorted((CORPUS / "real").glob("*.mlir"))
    if not real:
        message = f"no corpus at {CORPUS}"
        if os.environ.get("CI") == "true":
            sys.exit(message)
        print(f"skipped: {message}")
        return samples
    return sample.part(samples, 3) + sample.part(
        real, 8 if sample.FULL else 36, isWhole=sample.LONG)


def faultsOfSvg(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    if root.get("role") != "img":
        yield "no role"
    for element in root.iter():
        tag = element.tag.split("}")[-1]
        if tag not in ("svg", "g", "title", "desc", "polygon", "path", "text",
                       "polyline", "ellipse"):
            yield f"an element <{tag}>"
        for name in element.attrib:
            if "href" in name or name.startswith("on"):
                yield f"an attribute {name}"


class Exporter:
    def __init__(self, tool):
        self.tool, self.faults, self.files = tool, [], 0
        self.dot = shutil.which("dot")
        if not self.dot and os.environ.get("CI") == "true":
            sys.exit("no dot here")

    def fault(self, path, text):
        self.faults.append(f"{path.name}: {text}")

    def export(self, trace, path, folder, name, *words):
        out = folder / name
        if name.endswith("/"):
            out.mkdir(parents=True, exist_ok=True)
        result = run(self.tool, "export", trace, *words, "-o",
                     f"{out}/" if name.endswith("/") else out)
        if result.returncode != 0:
            self.fault(path, f"{' '.join(words)}: exit {result.returncode}: "
                             f"{result.stderr.decode()[:300]}")
        if path.parent == ROOT / "samples" and b"graphviz" in result.stderr:
            self.fault(path, f"{' '.join(words)}: {result.stderr.decode()}")
        return out

    def check(self, path):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            trace = folder / "program.trace.json"
            made = run(self.tool, "trace", path, "-o", trace,
                       "--allow-unregistered-dialect")
            if made.returncode != 0 or "func.func" not in path.read_text(
                    errors="replace"):
                return
            isLarge = trace.stat().st_size > LARGE
            for format_ in FORMATS:
                self.checkFormat(trace, path, folder, format_, isLarge)

    def checkFormat(self, trace, path, folder, format_, isLarge):
        words = ("--format", format_)
        isReport = format_ in ("html", "md", "json")
        if isReport and isLarge:
            first = self.export(trace, path, folder, f"one.{format_}", *words)
            self.files += 1
            if not first.exists() or first.stat().st_size == 0:
                self.fault(path, f"{format_}: empty")
            return
        first = self.export(trace, path, folder, f"one-{format_}/", *words)
        files = sorted(first.iterdir())
        if len(files) < 2:
            if b"nothing to export" not in run(
                    self.tool, "export", trace, *words, "-o", f"{first}/").stderr:
                self.fault(path, f"{format_}: no files")
            return
        self.files += len(files) - 1
        for file in files:
            self.checkFile(path, file, isLarge)
        if isLarge:
            return
        second = self.export(trace, path, folder, f"two-{format_}/", *words)
        for file in files:
            if file.read_bytes() != (second / file.name).read_bytes():
                self.fault(path, f"{file.name} differs between two runs")

    def checkFile(self, path, file, isLarge):
        if file.suffix == ".svg":
            for fault in faultsOfSvg(file):
                self.fault(path, f"{file.name}: {fault}")
        elif file.suffix == ".png":
            if not file.read_bytes().startswith(b"\x89PNG"):
                self.fault(path, f"{file.name} is no PNG")
        elif file.suffix == ".dot" and self.dot and not isLarge:
            accepted = run(self.dot, "-Tcanon", file)
            if accepted.returncode != 0 or accepted.stderr:
                self.fault(path, f"dot refuses {file.name}: "
                                 f"{accepted.stderr.decode()[:200]}")


def check(tool, path):
    exporter = Exporter(tool)
    try:
        exporter.check(path)
    except (xml.etree.ElementTree.ParseError, OSError,
            subprocess.TimeoutExpired) as error:
        exporter.fault(path, str(error)[:300])
    return exporter


def main(arguments):
    tool = os.path.abspath(arguments[0])
    given = programs(arguments[1:])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda path: check(tool, path), given))
    faults = [fault for exporter in done for fault in exporter.faults]
    files = sum(exporter.files for exporter in done)
    for fault in faults[:40]:
        print(fault)
    print(f"{len(given)} programs, {files} files, {len(faults)} faults")
    return 1 if faults or files < 3 * len(given) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
