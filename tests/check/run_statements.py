"""What is stated of external functions is read from the file beside the program, too,
and a statement that can say nothing of the program is reported.

  run_statements.py
"""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges"))

import judges

DECLARED = """func.func private @make(index) -> memref<?xf32>
func.func private @keep(memref<?xf32>, index)
func.func private @number() -> i32
"""
BODY = """func.func @f(%n: index) {
  %a = call @make(%n) : (index) -> memref<?xf32>
  call @keep(%a, %n) : (memref<?xf32>, index) -> ()
  return
}
"""
ASKED = "what @make returns is taken for the caller's to deallocate"
# By option: what is said of it; nothing where it fits.
OPTIONS = {
    "fresh-results=@make": None,
    "keeps-argument=@keep:0": None,
    "fresh-results=@m*": None,
    "fresh-results=@mak": "no function has that name",
    "keeps-argument=@keep:2": "@keep has 2 arguments, which are counted from 0",
    "keeps-argument=@keep:1": "argument 1 of @keep is no memref",
    "fresh-results=@number": "@number returns no memref",
    "fresh-results=@f": "@f has a body, which is what counts",
}
ATTRIBUTES = {
    (" -> memref<?xf32>\n", " -> memref<?xf32> attributes {memref_lens.fresh_result}\n"):
        "memref_lens.fresh_result is no attribute of memref-lens; "
        "memref_lens.fresh_results is",
    ("keep(memref<?xf32>", "keep(memref<?xf32> {memref_lens.fresh_results}"):
        "memref_lens.fresh_results is an attribute of the function itself",
    (" -> memref<?xf32>\n", " -> memref<?xf32> attributes {memref_lens.kept}\n"):
        "memref_lens.kept is an attribute of an argument",
    (" -> memref<?xf32>\n",
     " -> (memref<?xf32> {memref_lens.fresh_results})\n"):
        "memref_lens.fresh_results is no attribute of a result",
    (" -> memref<?xf32>\n", " -> memref<?xf32> attributes "
     "{memref_lens.fresh_results, memref_lens.keeps_results}\n"):
        "what is stated of @make cannot all be true: fresh-results and keeps-results",
    (", index)\n", ", index {memref_lens.released})\n"):
        "memref_lens.released states nothing: argument 1 of @keep is no memref",
    (" -> memref<?xf32>\n", " -> memref<?xf32> attributes {memref_lens.fresh_results}\n"):
        None,
}


def main():
    faults = []

    def check(name, result, said, unsaid=()):
        output = result.out + result.err
        if result.status not in (0, 1):
            faults.append(f"{name}: exit {result.status}: {output}")
        faults.extend(f"{name}: not said: {words}\n{output}" for words in said
                      if words not in output)
        faults.extend(f"{name}: said: {words}\n{output}" for words in unsaid
                      if words in output)

    def lens(path, *options):
        return judges.run([judges.lens(), "check", "--no-try", path, *options])

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "kernels"
        folder.mkdir()
        path = folder / "f.mlir"
        path.write_text(DECLARED + BODY)
        for option, words in OPTIONS.items():
            check(option, lens(path, f"--assume={option}"), [words] if words else [],
                  [] if words else ["states nothing"])
        for (old, new), words in ATTRIBUTES.items():
            path.write_text((DECLARED + BODY).replace(old, new, 1))
            check(new, lens(path), [words] if words else [],
                  [] if words else ["warning: memref_lens", "cannot all"])
        # A part of the file need not have what another one has.
        path.write_text(DECLARED + BODY + "// -----\nfunc.func @g() { return }\n")
        check("parts", lens(path, "--assume=fresh-results=@make"), [],
              ["states nothing"])

        path.write_text(DECLARED + BODY)
        check("no file", lens(path), [ASKED])
        file = folder.parent / "memref-lens.assume"
        file.write_text("# of our runtime\n\n  fresh-results=@make\n"
                        "keeps-argument=@keep:0\n")
        check("a file above", lens(path),
              [f"taken from {file.resolve()}: 2 statements", "[escapes-freed]"], [ASKED])
        (folder / "memref-lens.assume").write_text("fresh-results=@make\nnonsense\n")
        check("a nearer file", lens(path),
              ["1 statement\n", "memref-lens.assume:2: no statement: nonsense"],
              [ASKED, "[escapes-freed]"])
        check("another folder",
              judges.run(["sh", "-c", f"cd {folder} && {judges.lens()} check --no-try "
                          "f.mlir"]), ["1 statement\n"], [ASKED])
        check("standard input",
              judges.run([judges.lens(), "check", "--no-try", "-"],
                         path.read_text()), [ASKED], ["taken from"])
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
