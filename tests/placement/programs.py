"""The programs that the placement passes are compared on: the corpus, chunk by
chunk, and random ones, large and small."""

import pathlib
import random
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


#===--- Small random functions -------------------------------------------===#
#
# What the large generator has not: elements of all kinds, the same buffer returned
# several times, blocks that the text has in another order than control flow. Of some
# MLIR's passes die.

ELEMENTS = ["f32", "index", "i1", "complex<f32>", "vector<4xf32>", "memref<4xf32>"]


def returning(chance, seed):
    """One or two results: the same buffer, two, a cast."""
    buffer = f"memref<{chance.choice(['4', '2x3'])}x{chance.choice(ELEMENTS)}>"
    loose = re.sub(r"(?<=<)\d", "?", buffer, count=1)
    made = [(f"%{name}", buffer) for name in "ab"[:chance.randint(1, 2)]]
    body = [f"{name} = memref.alloc() : {type}" for name, type in made]
    if chance.random() < 0.3:
        body.append(f"%k = memref.cast {made[0][0]} : {buffer} to {loose}")
        made.append(("%k", loose))
    given = [chance.choice(made) for _ in range(chance.randint(1, 2))]
    types = ", ".join(type for _, type in given)
    body.append(f"return {', '.join(name for name, _ in given)} : {types}")
    private = chance.choice(["private ", ""])
    return (f"func.func {private}@returning{seed}() -> ({types}) {{\n  " +
            "\n  ".join(body) + "\n}\n")


def freeing(chance, seed):
    """A chain of blocks in any order of the text; a buffer, its uses, its dealloc."""
    blocks = [f"^b{number}" for number in range(chance.randint(1, 3))]
    home = chance.randrange(len(blocks))
    bodies = []
    for number, block in enumerate(blocks):
        body = []
        if number == home:
            body.append("%a = memref.alloc() : memref<4xf32>")
            body += ["memref.store %f, %a[%i] : memref<4xf32>",
                     "%x = arith.addf %f, %f : f32",
                     "memref.dealloc %a : memref<4xf32>"]
        if number > home and chance.random() < 0.5:
            body.append("memref.store %f, %a[%i] : memref<4xf32>")
        body.append(f"cf.br {blocks[number + 1]}" if block != blocks[-1]
                    else "return")
        bodies.append(f"{block}:\n  " + "\n  ".join(body) + "\n")
    chance.shuffle(bodies)
    return (f"func.func @freeing{seed}(%i: index, %f: f32) {{\n  cf.br {blocks[0]}\n"
            + "".join(bodies) + "}\n")


def kept(chance, seed):
    """A buffer that is not deallocated, of any type."""
    shape = chance.choice(["", "1x", "4x", "2x3x", "2x2x2x"])
    return (f"func.func @kept{seed}() {{\n  %a = memref.alloc() : "
            f"memref<{shape}{chance.choice(ELEMENTS)}>\n  return\n}}\n")


def small(seed):
    chance = random.Random(f"small {seed}")
    return chance.choice([returning, freeing, kept])(chance, seed)


#===--- All --------------------------------------------------------------===#


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
    for seed in sample.seeds(arguments.seeds, always=16, more=8, full=60,
                             long=600):
        yield f"small seed {seed}", small(seed)
