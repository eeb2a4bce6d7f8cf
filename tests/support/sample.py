"""Which part of its inputs a test takes this time.

The whole corpus with MEMREF_LENS_FULL=1; with MEMREF_LENS_LONG=1 also what is
large or waits long, and many more random programs (scripts/test --full: both).
Else a part that is drawn anew for each commit, so that in time all are taken; it is
printed how to draw the same again:

  seed 305419896 (MEMREF_LENS_SEED=305419896 runs the same)
"""

import datetime
import functools
import os
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONG = os.environ.get("MEMREF_LENS_LONG") == "1"
FULL = LONG or os.environ.get("MEMREF_LENS_FULL") == "1"

# By how much each draw is smaller than what its test asks for: commits come often, so
# that small draws of many see more than a large one of few, and CI ends in time.
THINNER = 2


def commit():
    """A number for the commit; for the day, where there is no git."""
    try:
        found = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"],
                               capture_output=True, text=True)
        return int(found.stdout[:8], 16)
    except (OSError, ValueError):
        return datetime.date.today().toordinal()


@functools.cache
def seed():
    given = os.environ.get("MEMREF_LENS_SEED")
    number = int(given) if given else commit()
    print(f"seed {number} (MEMREF_LENS_SEED={number} runs the same)", flush=True)
    return number


def size(item):
    return item.stat().st_size if isinstance(item, pathlib.Path) else 0


@functools.cache
def draw():
    """Another for each test; each call goes on where the one before ended."""
    return random.Random(f"{seed()} {pathlib.Path(sys.argv[0]).stem}")


def part(items, step, core=(), isWhole=FULL):
    """One of `step` items, in their order, and all whose text has a word of
    `core`; all `items` if `isWhole`. Files are drawn one from each `step` of about
    the same size, so that no draw takes much longer than another."""
    items = list(items)
    if isWhole or step == 1:
        return items
    step *= THINNER
    kept = {number for number, item in enumerate(items)
            if any(word in str(item) for word in core)}
    others = sorted((number for number in range(len(items))
                     if number not in kept), key=lambda number: size(items[number]))
    chance = draw()
    kept |= {chance.choice(others[at:at + step])
             for at in range(0, len(others), step)}
    return [items[number] for number in sorted(kept)]


def seeds(asked, always, more, full, long):
    """The seeds of random programs: A to B if `asked` is A..B. Else the first
    `always`, where old faults stay, and `more` of the first `long`; if FULL the first
    `full`, and if LONG the first `long`."""
    if asked:
        return list(range(*map(int, asked.split(".."))))
    if FULL:
        return list(range(long if LONG else full))
    more = -(-more // THINNER)
    return [*range(always), *sorted(draw().sample(range(always, long), more))]
