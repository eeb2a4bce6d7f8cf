"""What is told apart, and what is not, in words.

  run_facts.py [--update]

`memref-lens scopes` on cases/facts.mlir must print cases/facts.expected.
"""

import difflib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "judges"))

import judges


def main():
    expected = HERE / "cases/facts.expected"
    made = judges.run([judges.lens(), "scopes", HERE / "cases/facts.mlir"])
    if made.status != 0:
        sys.exit(f"FAIL: exit {made.status}: {made.err[:500]}")
    if "--update" in sys.argv[1:]:
        expected.write_text(made.out)
    for option in ("--pipeline=classic", "--refine=distinct-objects"):
        refused = judges.run([judges.lens(), "scopes", option, expected])
        if refused.status != 2 or "no deallocation pipeline" not in refused.err:
            sys.exit(f"FAIL: {option}: exit {refused.status}: {refused.err}")
    difference = list(difflib.unified_diff(
        expected.read_text().splitlines(), made.out.splitlines(),
        "expected", "made", lineterm=""))
    print("\n".join(difference) or f"{made.out.count('@')} names as expected")
    sys.exit(1 if difference else 0)


main()
