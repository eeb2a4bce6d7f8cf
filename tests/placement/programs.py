"""The programs that the placement passes are compared on: the corpus, chunk by
chunk, and random ones."""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "random")]

import corpus
import generate
import sample

LARGEST_FILE = 200_000


def add_arguments(parser):
    parser.add_argument("--seeds", help="A..B, without B")
    parser.add_argument("files", nargs="*")


def chunks_of(file):
    text = file.read_text(errors="replace")
    for number, chunk in enumerate(re.split(r"(?m)^// -----.*$", text)):
        if chunk.strip():
            yield f"{file.name} chunk {number}", chunk


def inputs(arguments, short, step=1, core=()):
    """(name, program). Without MEMREF_LENS_LONG, of the corpus only the files
    whose path holds one of `short`; of those one in `step`, and those whose path
    holds one of `core`."""
    files = arguments.files or sample.part(
        [file for file in corpus.corpus_files(() if sample.LONG else short)
         if file.stat().st_size < LARGEST_FILE], step, core)
    for file in files:
        yield from chunks_of(pathlib.Path(file))
    for seed in sample.seeds(arguments.seeds, always=4, more=6, full=12,
                             long=400):
        yield f"seed {seed}", generate.generate(seed)
