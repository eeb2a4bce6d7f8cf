"""What `memref-lens check --format json` says of a file, and what to run it on."""

import json
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import corpus  # noqa: E402
import sample  # noqa: E402

#: Number of a cause, and the same number of a function's costs.
COUNTED = {"clones": "clones", "runTimeChecks": "runTimeChecks",
           "helperCalls": "helperCalls",
           "conditionalDeallocs": "conditionalFrees"}


def options(path):
    """Those that a sample needs."""
    found = re.search(r"^// options: (.*)$", path.read_text(errors="replace"),
                      re.M)
    words = found[1].split() if found else []
    return [] if any(word.startswith(("--pipeline", "--aliases"))
                     for word in words) else words


def run(lens, *arguments):
    return subprocess.run([lens, *map(str, arguments)], capture_output=True,
                          timeout=600)


def report(lens, path, *arguments):
    """Of the file; nothing if it cannot be read."""
    done = run(lens, "check", "--format=json", "--fail-on=none", *arguments,
               path)
    return json.loads(done.stdout)["files"][0] if done.returncode == 0 else None


def inputs(samples, step):
    """All samples, and a part of the corpus."""
    return sorted(Path(samples).glob("*.mlir")) + sample.part(
        corpus.corpus_files(), step)
