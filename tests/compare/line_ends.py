"""Parts, lines and columns are those of MLIR for LF, CRLF and CR.

  MEMREF_LENS=... line_ends.py

Each file, with each kind of line end: `ir --stage 0` prints what `mlir-opt
--split-input-file` prints of the parts that it reads, its first error has the same
place, and `compare` has the same verdicts.
"""

import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "judges"))

import judges  # puts the folder of `sample` on the path
import sample

ENDS = {"lf": b"\n", "crlf": b"\r\n", "cr": b"\r"}
# Errors are looked for at their places.
BROKEN = b"""// One part is good.
func.func @good(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32> // no mark
}
// -----
func.func @bad() {
  %x = memref.allo() : memref<4xf32>
  return
}
// -----// a dump //
func.func @last() { return }
"""
LARGEST = 60_000
ERROR = re.compile(r"^(?:<stdin>|[^\n:]*):(\d+:\d+): error: ", re.M)


def files():
    corpus = [path for path in judges.corpus_files()
              if path.stat().st_size < LARGEST]
    samples = sorted((judges.ROOT / "samples").glob("*.mlir"))
    return [*sample.part(corpus, 12, ["e_existing_buf"]), *sample.part(samples, 6)]


def parts_of(text):
    """Printed parts; mlir-opt prints a mark for one that it cannot read, too."""
    return [part for part in text.split("// -----\n") if part.strip()]


def verdicts(path):
    result = judges.run([judges.lens(), "compare", path,
                         "--allow-unregistered-dialect", "--timeout=60"],
                        seconds=600)
    return sorted(re.findall(r": (@.*?: [\w ]+)", result.out)), result.status


def check(folder, name, data):
    """What is wrong with the file in any of its forms."""
    plain, found = None, []
    for kind, end in ENDS.items():
        path = pathlib.Path(folder) / f"{name}.{kind}.mlir"
        path.write_bytes(data.replace(b"\r\n", b"\n").replace(b"\n", end))
        theirs = judges.run([judges.tool("mlir-opt"), "--split-input-file",
                             "--allow-unregistered-dialect", path])
        ours = judges.run([judges.lens(), "ir", "--stage=0",
                           "--allow-unregistered-dialect", path])
        # A dialect that one of them has not, or errors that are not printed.
        if any(re.search(r"Dialect `\w+' not found|\btest\.", said.err)
               for said in (ours, theirs)) or b"-verify-diagnostics" in data:
            return []
        if parts_of(theirs.out) != parts_of(ours.out):
            found.append(f"{name}, {kind}: other parts than mlir-opt's")
        places = ERROR.search(theirs.err), ERROR.search(ours.err)
        if [one and one[1] for one in places[:1]] != \
                [one and one[1] for one in places[1:]]:
            found.append(f"{name}, {kind}: {ours.err[:200]} but {theirs.err[:200]}")
        said = verdicts(path)
        plain = plain or said
        if said != plain:
            found.append(f"{name}, {kind}: {said} but {plain}")
    return found


def main():
    with tempfile.TemporaryDirectory() as folder:
        inputs = [(f"{number}-{path.stem}", path.read_bytes())
                  for number, path in enumerate(files())]
        inputs.append(("broken", BROKEN))
        problems = [problem for one in judges.in_parallel(
            lambda item: check(folder, *item), inputs) for problem in one]
        done = judges.run([judges.lens(), "compare",
                           pathlib.Path(folder) / "broken.cr.mlir"])
    if done.status != 3 or "@good: identical" not in done.out or \
            "@last: identical" not in done.out:
        problems.append(f"a part that does not parse: {done.status} {done.out}")
    print("\n".join(problems))
    print(f"{len(inputs)} files with three kinds of line ends, "
          f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
