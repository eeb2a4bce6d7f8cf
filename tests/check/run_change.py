"""`memref-lens compare --before A --after B`: what is said of edits, and that
nothing is said where only places, names of functions or numbers of values moved.
"""

import json
import pathlib
import re
import sys
import tempfile

import run_rules  # puts the judges' folder on the path
import judges
import sample

BASE = """func.func private @use(memref<8xf32>)
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  call @use(%a) : (memref<8xf32>) -> ()
  return
}
func.func @g(%m: memref<8xf32>) -> memref<8xf32> {
  %b = memref.alloc() : memref<8xf32>
  return %b : memref<8xf32>
}
"""
NEW = """func.func @new(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
"""


class Tests:

    def __init__(self, folder):
        self.folder, self.failures = folder, []

    def run(self, before, after, *options):
        old, new = self.folder / "old.mlir", self.folder / "new.mlir"
        old.write_text(before)
        new.write_text(after)
        return judges.run([judges.lens(), "compare", "--before", old, "--after",
                           new, "--allow-unregistered-dialect", *options],
                          seconds=600)

    def change(self, before, after, *options):
        result = self.run(before, after, "--format", "json", *options)
        if result.status != 0:
            return None
        return json.loads(result.out)

    def expect(self, what, holds, detail=""):
        if not holds:
            self.failures.append(f"{what}: {str(detail)[:500]}")

    def kinds(self, change):
        return {entry["name"]: entry["change"] for entry in change["functions"]}

    def edits(self):
        same = self.change(BASE, BASE)
        self.expect("a file against itself", same["same"], same)
        added = self.change(BASE, BASE + NEW)
        self.expect("a function more", self.kinds(added) == {
            "f": "unchanged", "g": "unchanged", "new": "added"}, added)
        self.expect("its copy is new", [entry["rule"] for entry in
                                        added["findings"]["new"]] == ["clone"],
                    added["findings"])
        removed = self.change(BASE + NEW, BASE)
        self.expect("a function less", self.kinds(removed)["new"] == "removed"
                    and [entry["rule"] for entry in
                         removed["findings"]["fixed"]] == ["clone"], removed)
        renamed = self.change(BASE + NEW, BASE + NEW.replace("@new", "@other")
                              .replace("%m", "%renamed"))
        entry = next(entry for entry in renamed["functions"]
                     if entry["name"] == "other")
        self.expect("a function renamed", entry["change"] == "renamed" and
                    entry["oldName"] == "new", renamed)
        cloned = self.change(BASE, BASE.replace("return %b", "return %m"))
        g = next(e for e in cloned["functions"] if e["name"] == "g")
        self.expect("a copy more", g["before"]["clones"] == 0 and
                    g["after"]["clones"] == 1 and g["change"] == "changed", g)
        decisions = [d for d in g["decisions"] if re.match(r"%m\b", d["after"])]
        self.expect("what becomes of %m", len(decisions) == 1 and
                    "returned" in decisions[0]["after"] and
                    "returned" not in decisions[0]["before"], g["decisions"])

    def conditional(self):
        """A free that becomes conditional."""
        after = BASE.replace("""  call @use(%a) : (memref<8xf32>) -> ()
  return
""", """  cf.cond_br %c, ^keep, ^drop
^keep:
  call @use(%a) : (memref<8xf32>) -> ()
  return
^drop:
  return
""")
        change = self.change(BASE, after)
        f = next(e for e in change["functions"] if e["name"] == "f")
        self.expect("the fate of %a is told", any(
            re.match(r"%a\b", d["before"]) and re.match(r"%a\b", d["after"])
            for d in f["decisions"]), f)

    def numbers(self):
        """An op more moves the numbers of the values behind it."""
        plain = BASE.replace("%a", "%0").replace("%b", "%alloc_3")
        after = plain.replace("%0", "%1").replace("%alloc_3", "%alloc_4") \
            .replace("  %1 = memref", "  %0 = arith.constant 1 : i32\n"
                                      "  %1 = memref")
        change = self.change(plain, after)
        cast = ("func.func @n(%m: memref<4xf32>) -> memref<?xf32> {\n"
                "  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>\n"
                "  return %0 : memref<?xf32>\n}\n")
        other = cast.replace("%0", "%1").replace(
            "  %1 = ", "  %0 = arith.constant 1 : i32\n  %1 = ")
        found = self.change(cast, other)["findings"]
        self.expect("nor in findings", not found["new"] and
                    not found["fixed"] and found["unchanged"] > 0, found)
        self.expect("numbers of values do not count",
                    all(not entry["decisions"] for entry in
                        change["functions"]), change)

    def formats(self):
        result = self.run(BASE, BASE.replace("return %b", "return %m"))
        for wanted in ("## Ownership: ", "| @g (changed) |", "**0 → 1**",
                       "### Findings: 1 new", "### Decisions in @g",
                       r"%owned\_m"):
            self.expect(f"Markdown has {wanted}", wanted in result.out,
                        result.out)
        self.expect("no raw < in Markdown",
                    not re.search(r"(?<!\\)<", result.out), result.out)
        again = self.run(BASE, BASE.replace("return %b", "return %m"))
        self.expect("equal each time", result.out == again.out)
        text = self.run(BASE, BASE, "--format", "text")
        self.expect("no change, as text", text.out.startswith(
            "no change in 2 functions"), text.out)
        for arguments, status in ((["--before", "x"], 2),
                                  (["--before", "-", "--after", "-"], 2),
                                  (["--before", "x", "--after", "y", "z"], 2),
                                  (["--before", self.folder / "none",
                                    "--after", self.folder / "none"], 3)):
            ended = judges.run([judges.lens(), "compare", *arguments])
            self.expect(f"exit status of {arguments}", ended.status == status,
                        (ended.status, ended.err))

    def corpus(self):
        """Real programs: against themselves, moved, and with an edit each."""
        files = sorted((judges.corpus() / "real").glob("*.mlir"))
        files = sample.part([path for path in files
                             if path.stat().st_size < 20000], 4,
                            isWhole=sample.LONG)
        tried = 0
        for path in files:
            text = path.read_text()
            moved = "// A line more.\n\n" + "".join(
                " " + line for line in text.splitlines(keepends=True))
            change = self.change(text, moved)
            if change is None or not change["functions"]:
                continue
            self.expect(f"{path.name}, moved", change["same"], change)
            name = next((entry["name"] for entry in change["functions"]
                         if text.count(f"@{entry['name']}") == 1), None)
            if name is None or "// -----" in text:
                continue
            renamed = self.change(text, text.replace(f"@{name}",
                                                     "@another_name"))
            kinds = self.kinds(renamed)
            self.expect(f"{path.name}, renamed", kinds.get("another_name") ==
                        "renamed" and not renamed["findings"]["new"] and
                        all(not entry["decisions"] for entry in
                            renamed["functions"]), renamed)
            tried += 1
        self.expect("files of the corpus", tried > 5, tried)


def main():
    with tempfile.TemporaryDirectory() as folder:
        tests = Tests(pathlib.Path(folder))
        for name in ("edits", "conditional", "numbers", "formats", "corpus"):
            getattr(tests, name)()
    print("\n".join(tests.failures))
    print(f"{len(tests.failures)} faults")
    sys.exit(1 if tests.failures else 0)


if __name__ == "__main__":
    main()
