"""`memref-lens diff`: programs against themselves, moved and renamed; edits whose
effect is known; options; formats, saved traces and wrong usage.
"""

import json
import pathlib

import common
from common import counts, difference, lens

BASE = """func.func private @use(memref<8xf32>)
func.func @kept(%m: memref<8xf32>) {
  call @use(%m) : (memref<8xf32>) -> ()
  return
}
func.func @f(%c: i1, %m: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  cf.cond_br %c, ^left, ^right
^left:
  call @use(%a) : (memref<8xf32>) -> ()
  call @use(%b) : (memref<8xf32>) -> ()
  return
^right:
  call @use(%b) : (memref<8xf32>) -> ()
  return
}
"""
USE_A = "  call @use(%a) : (memref<8xf32>) -> ()\n"
NEW = """func.func @new(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
"""
PRIVATE = """func.func private @make(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func @caller(%c: i1, %m: memref<4xf32>) {
  %r = call @make(%c, %m) : (i1, memref<4xf32>) -> memref<4xf32>
  return
}
"""
HOIST = """func.func @h(%c: i1, %m: memref<8xf32>) {
  scf.if %c {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %m, %a : memref<8xf32> to memref<8xf32>
  }
  return
}
"""


class Diff(common.Checks):

    def compare(self, before, after, *options):
        return difference(self.file("a.mlir", before),
                          self.file("b.mlir", after), *options)

    def same(self):
        """Programs against themselves, with other lines and names."""

        def check(path):
            text = path.read_bytes().decode(errors="surrogateescape")
            other = self.folder / f"moved-{path.name}"
            other.write_bytes(common.renamed(text).encode(
                errors="surrogateescape"))
            found = difference(path, other)
            return path, found

        functions = 0
        for path, found in common.judges.in_parallel(check,
                                                     common.programs(8)):
            if found is None:  # Nothing of it can be parsed.
                continue
            functions += found["equalFunctions"]
            self.expect(f"{path.name}, moved and renamed", found["equal"] and
                        not found["sides"], found["summary"])
        self.expect("enough functions",
                    functions > (100 if common.sample.FULL else 12), functions)

    def edits(self):
        """Each edit has one effect."""
        # Without its use in ^left, %a is not live across that edge.
        found = self.compare(BASE, BASE.replace(USE_A, ""))
        went = counts(found)
        self.expect("a use less: the retained entry goes",
                    went["retained"] == {"went": 1} and
                    went["candidate"] == {"went": 1}, went)
        self.expect("a use less: the other function is equal",
                    found["equalFunctions"] == 1 and
                    [f["name"] for f in found["functions"]] == ["f"], found)
        entry = [d for d in found["functions"][0]["decisions"]
                 if d["kind"] == "retained"][0]
        self.expect("it is told in words", "%a is retained on the edge" in
                    entry["before"]["sentence"] and "after" not in entry and
                    entry["before"]["place"] == "10:3", entry)
        back = counts(self.compare(BASE.replace(USE_A, ""), BASE))
        mirrored = {kind: {{"went": "appeared", "appeared": "went"}.get(
            change, change): number for change, number in changes.items()}
            for kind, changes in went.items()}
        self.expect("the other way round", back == mirrored, (back, mirrored))
        # On tensors, what bufferization makes.
        late = ("func.func @g(%t: tensor<64xf32>, %x: f32, %i: index) -> f32 {\n"
                "  %n = tensor.insert %x into %t[%i] : tensor<64xf32>\n"
                "  %o = tensor.extract %t[%i] : tensor<64xf32>\n"
                "  %y = tensor.extract %n[%i] : tensor<64xf32>\n"
                "  %s = arith.addf %o, %y : f32\n"
                "  return %s : f32\n}\n")
        lines = late.split("\n")
        early = "\n".join([lines[0], lines[2], lines[1], *lines[3:]])
        found = self.compare(late, early, "--bufferize")
        told = [entry for one in found["functions"] for entry in one["decisions"]
                if entry["kind"] in ("copy", "buffer")]
        self.expect("the copy of a tensor goes", [
            (entry["change"], entry["kind"]) for entry in told] == [
                ("went", "copy"), ("went", "buffer")] and
            "%t is copied here, 256 B" in told[0]["before"]["sentence"] and
            told[0]["before"]["place"] == "2:8", told)
        found = counts(self.compare(BASE, BASE.replace(
            USE_A, "  %x = arith.constant 7 : index\n" + USE_A)))
        self.expect("an op more changes nothing", found == {}, found)
        found = counts(self.compare(BASE, BASE.replace(
            "  %b = memref.alloc() : memref<8xf32>\n",
            "  %n = memref.alloc() : memref<8xf32>\n"
            "  %b = memref.alloc() : memref<8xf32>\n"
            "  memref.copy %m, %n : memref<8xf32> to memref<8xf32>\n")))
        # ^bb0 is listed on two edges, and kept on none.
        self.expect("a buffer more", found["candidate"] == {"appeared": 1} and
                    found["dealloc"] == {"changed": 2} and
                    "retained" not in found and
                    found["ownership"] == {"appeared": 1}, found)

    def clones(self):
        text = BASE + NEW
        found = self.compare(BASE, text)
        self.expect("a function more", [(f["name"], f["change"]) for f in
                                        found["functions"]] ==
                    [("new", "appeared")] and found["equalFunctions"] == 2,
                    found)
        found = self.compare(text, BASE)
        self.expect("a function less", [(f["name"], f["change"]) for f in
                                        found["functions"]] ==
                    [("new", "went")], found)
        found = self.compare(text, text.replace("@new", "@other"))
        self.expect("a function renamed", [
            (f["name"], f["change"], f["oldName"], f["decisions"])
            for f in found["functions"]] == [("other", "renamed", "new", [])],
            found)
        owned = NEW.replace("  return %m", "  %n = memref.alloc() : "
                            "memref<4xf32>\n  return %n")
        found = counts(self.compare(NEW, owned))
        self.expect("a copy less", found["clone"] == {"went": 1} or
                    found["clone"] == {"appeared": 1, "went": 1}, found)

    def chunks(self):
        """Functions of one name, in chunks."""
        bodies = [NEW, BASE.replace("@kept", "@new"), HOIST.replace(
            "@h", "@new"), PRIVATE.replace("@make", "@new")]
        text = "// -----\n".join(bodies)
        found = self.compare(text, "// -----\n".join([bodies[3], *bodies]))
        self.expect("a chunk more, in front", [
            (f["name"], f["change"], f["decisions"]) for f in
            found["functions"]] == [("new", "appeared", []),
                                    ("caller", "appeared", [])], found)
        found = self.compare(text, "// -----\n".join(bodies[:1] + bodies[2:]))
        self.expect("a chunk less", [
            (f["name"], f["change"]) for f in found["functions"]] ==
            [("new", "went"), ("f", "went")], found)

    def rejections(self):
        bad = BASE.replace("^right:\n", "^right:\n"
                           "  memref.dealloc %a : memref<8xf32>\n", 1)
        found = counts(self.compare(BASE, bad))
        self.expect("a refusal", found["rejection"] == {"appeared": 1} and
                    found["status"] == {"changed": 1}, found)

    def options(self):
        path = self.file("p.mlir", PRIVATE)
        dynamic = "--right=--private-function-dynamic-ownership"
        found = difference(path, dynamic)
        self.expect("options that differ are on top", found["sides"] == [
            {"what": "--private-function-dynamic-ownership", "before": "",
             "after": "on"}], found["sides"])
        total = counts(found)
        self.expect("dynamic ownership", total["signature"] ==
                    {"appeared": 3} and total["clone"] == {"went": 1}, total)
        self.expect("for both sides", difference(
            path, "--private-function-dynamic-ownership")
            is None, "one file needs --left or --right")
        both = difference(path, path, "--private-function-dynamic-ownership")
        self.expect("for both files", both["equal"] and not both["sides"], both)
        path = self.file("h.mlir", HOIST)
        found = difference(path, "--right=--pipeline=hoist+ownership")
        total = counts(found)
        self.expect("a pass more: placements", total["move"]["appeared"] >= 1
                    and [side["what"] for side in found["sides"]] ==
                    ["--pipeline"], found)
        quoted = difference(path, "--left=--pre='func.func(cse, canonicalize)'",
                            "--right=--pre=func.func(cse,\\ canonicalize)")
        self.expect("words as in a shell", quoted and quoted["equal"] and
                    not quoted["sides"], quoted)

    def formats(self):
        name = "<b>`|*_"
        hostile = BASE.replace("@f", f'@"{name}\\1B[31m"')
        a, b = self.file("a.mlir", hostile), self.file(
            "b.mlir", hostile.replace(USE_A, ""))
        text, md = lens("diff", a, b), lens("diff", a, b, "--format=md")
        self.expect("text: summary", "1 function changed: " in text.out and
                    "1 retained entry went" in text.out and
                    "; 1 equal" in text.out and text.status == 1, text.out)
        self.expect("text: sentences", "\n  - 10:3  %a is retained on the edge "
                    "^bb0 -> ^left: live-in of ^left\n" in text.out, text.out)
        self.expect("text: no control characters", "\x1b" not in text.out and
                    "\u241b" in text.out, text.out)
        self.expect("Markdown: nothing of a name is markup", "\x1b" not in
                    md.out and "<b>" not in md.out and "`" not in md.out and
                    "&#60;b&#62;&#96;&#124;&#42;&#95;" in md.out, md.out)
        self.expect("Markdown: who and what", "## Decisions: <code>" in md.out
                    and "- retained entry **went**: <code>10:3</code> %a is" in md.out,
                    md.out)
        out = self.folder / "out.md"
        written = lens("diff", a, b, "--format=md", "-o", out)
        self.expect("-o", written.out == "" and out.read_text() == md.out)
        self.expect("twice the same", lens("diff", a, b).out == text.out)

    def saved(self):
        """Saved traces, of this and of other versions."""
        a = self.file("a.mlir", BASE)
        trace = lens("trace", a)
        json_file = self.file("a.json", trace.out)
        found = difference(json_file, a)
        # --allow-unregistered-dialect is not one that the trace was made with.
        self.expect("options of a saved trace", found is None)
        same = lens("diff", json_file, a)
        self.expect("a program against its trace", same.status == 0, same.out)
        other = self.file("old.json", trace.out.replace(
            '"toolVersion":"', '"toolVersion":"0.0.1-', 1))
        old = lens("diff", other, a)
        self.expect("another version is told", old.status == 0 and
                    "memref-lens: 0.0.1-" in old.out and
                    "was made by memref-lens 0.0.1-" in old.err,
                    old.out + old.err)
        future = self.file("new.json", trace.out.replace(
            '"schemaVersion":1', '"schemaVersion":99', 1))
        refused = lens("diff", a, future)
        self.expect("another schema is refused", refused.status == 3 and
                    "version 99" in refused.err and
                    "new.json" in refused.err, refused.err)
        cut = self.file("cut.json", trace.out[:len(trace.out) // 2])
        self.expect("half a trace", lens("diff", a, cut).status == 3)
        for command in ("explain", "trace"):
            one, two = lens(command, json_file), lens(command, a)
            self.expect(f"{command} of a saved trace", one.status == 0 and
                        one.out == two.out, one.err)

        named = ["--stage", "3", "--source-names"]
        self.expect("ir of a saved trace", lens("ir", json_file, *named).out ==
                    lens("ir", a, *named).out != "")
        self.expect("ir as MLIR prints it is not there", lens(
            "ir", json_file, "--stage", "3").status == 2)
        self.expect("nor is another stage", lens(
            "ir", json_file, "--stage", "40").status == 2)

    def usage(self):
        a = self.file("a.mlir", BASE)
        for arguments, status, word in (
                ([], 2, "no input file"), ([a], 2, "two files"),
                ([a, a, a], 2, "too many"), (["-", "-"], 2, "standard input"),
                ([a, "--left=--nonsense"], 2, "'--left'"),
                ([a, "--right=-o x"], 2, "'--right'"),
                ([a, f"--right={a}"], 2, "'--right'"),
                ([a, "--right=--help"], 2, "'--right'"),
                ([a, a, "--function", "nobody"], 2, "@nobody"),
                ([a, self.folder / "none.mlir"], 3, "none.mlir"),
                ([a, self.file("bad.mlir", "func.func {")], 3, "bad.mlir:1:"),
                ([a, a, "--format=xml"], 2, "text, json, md")):
            ended = lens("diff", *arguments)
            self.expect(f"exit status of {arguments}", ended.status == status
                        and word in ended.err, (ended.status, ended.err))
        one = lens("diff", a, self.file("b.mlir", BASE.replace(USE_A, "")),
                   "--function", "@kept")
        self.expect("one function", one.status == 0 and "1 equal" in one.out,
                    one.out)
        piped = lens("diff", "-", a, text=BASE)
        self.expect("standard input", piped.status == 0, piped.out + piped.err)
        both = lens("diff", "-", "--right=--aliases", text=BASE)
        self.expect("standard input for both", both.status == 0, both.err)


if __name__ == "__main__":
    common.main(Diff, "edits", "clones", "chunks", "rejections", "options", "formats",
                "saved", "usage", "same")
