"""What figures were before: of a result that is kept in before.json, so that tables
can show both. Ratios hold between machines; seconds are of the one that it names."""
import functools
import json
import pathlib

FILE = pathlib.Path(__file__).with_name("before.json")


@functools.cache
def figures():
    return json.loads(FILE.read_text())["figures"]


def value(id):
    """None where it was not measured then."""
    return figures().get(id)
