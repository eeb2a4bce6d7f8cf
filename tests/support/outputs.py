#!/usr/bin/env python3
"""All that a user can be shown of the samples and the corpus, as hashes: what a
change of structure must not change.

  outputs.py BIN -o FILE          BIN: the folder of the programs
  outputs.py BIN --against FILE   prints what is not as FILE has it; 1 if anything

Of each file: its trace (with the IR of every stage), its explanation, what `check`
says without and (of small files) with trying remedies, the report with all
pictures, and the server's hints and hovers of each line.
"""
import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "lsp"))
# Trying remedies of larger ones, or listing their whole report, takes too long.
SMALL, LARGE = 6000, 60000


def files():
    corpus = pathlib.Path(os.environ.get("MEMREF_LENS_CORPUS",
                                         ROOT.parent / "shared" / "corpus"))
    found = sorted((ROOT / "samples").glob("*.mlir"))
    for part in ("readings", "defects", "real"):
        found += sorted((corpus / part).glob("*.mlir"))
    # Its paths are too many by design.
    return [path for path in found if path.stat().st_size < LARGE and
            path.name != "diamonds24.mlir" and "exponential" not in path.name]


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def told(program, folder, path):
    """{kind: hash} of what the command line tells of a file."""
    text = path.read_text()
    options = re.search(r"(?m)^// options: (.*)$", text)
    options = options[1].split() if options else []
    page = pathlib.Path(folder) / f"{path.parent.name}-{path.name}.html"
    commands = {
        "trace": ["trace"], "explain": ["explain"],
        "check": ["check", "--no-try", "--format=json", "-v"],
        "report": ["export", "-o", page]}
    if len(text) < SMALL:
        commands["remedies"] = ["check", "--try-ops=0"]
    found = {}
    for kind, words in commands.items():
        done = subprocess.run([program, *words, *options, path],
                              capture_output=True, timeout=600)
        shown = done.stdout + done.stderr + str(done.returncode).encode()
        if kind == "report" and page.exists():
            shown += page.read_bytes()
            page.unlink()
        found[kind] = digest(shown)
    return found


def served(program, path):
    """Hash of all hints, and of the hover of each word of each line."""
    from client import Client, at, labels, whole
    text = path.read_text()
    client = Client([program, "--crash-dir=off", "--companion"],
                    options={"inlayHints": {"maxLength": 0,
                                            "entryArguments": True}})
    uri = path.as_uri()
    client.open(uri, text)
    shown = [str(labels(client.result("textDocument/inlayHint", whole(uri),
                                      300)))]
    for number, line in enumerate(text.split("\n")):
        for match in re.finditer(r"%[\w$.-]+|\w+\.\w+|@\w+|\^\w+", line):
            shown.append(str(client.result(
                "textDocument/hover", at(uri, number, match.start() + 1), 300)))
    client.close()
    return digest("\n".join(shown).encode())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--against", type=pathlib.Path)
    arguments = parser.parse_args()
    lens = arguments.bin.resolve() / "memref-lens"
    server = arguments.bin.resolve() / "memref-lens-lsp-server"

    def of(path):
        found = told(lens, folder, path)
        if path.stat().st_size < SMALL:
            found["server"] = served(server, path)
        return [f"{path.parent.name}/{path.name} {kind} {value}"
                for kind, value in found.items()]

    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            lines = sorted(line for part in pool.map(of, files())
                           for line in part)
    if arguments.output:
        arguments.output.write_text("\n".join(lines) + "\n")
    if arguments.against:
        before = set(arguments.against.read_text().splitlines())
        other = [line for line in lines if line not in before]
        print("\n".join(other))
        print(f"{len(lines)} outputs, {len(other)} are not as before")
        sys.exit(1 if other or len(before) != len(lines) else 0)
    print(f"{len(lines)} outputs")


if __name__ == "__main__":
    main()
