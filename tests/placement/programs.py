"""The programs that the placement passes are compared on: the corpus, chunk by
chunk, and random ones."""

import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "random")]

import corpus
import generate

LONG = bool(os.environ.get("MEMREF_LENS_LONG"))
LARGEST_FILE = 200_000


def add_arguments(parser):
    parser.add_argument("--seeds", default="0..400" if LONG else "0..12")
    parser.add_argument("files", nargs="*")


def chunks_of(file):
    text = file.read_text(errors="replace")
    for number, chunk in enumerate(re.split(r"(?m)^// -----.*$", text)):
        if chunk.strip():
            yield f"{file.name} chunk {number}", chunk


def inputs(arguments, short):
    """(name, program). Without MEMREF_LENS_LONG, of the corpus only the files
    whose path holds one of `short`."""
    files = arguments.files or [
        file for file in corpus.corpus_files(() if LONG else short)
        if file.stat().st_size < LARGEST_FILE]
    for file in files:
        yield from chunks_of(pathlib.Path(file))
    first, last = map(int, arguments.seeds.split(".."))
    for seed in range(first, last):
        yield f"seed {seed}", generate.generate(seed)
