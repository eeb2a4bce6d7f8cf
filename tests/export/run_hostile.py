#!/usr/bin/env python3
"""Exports traces that no parser would let through, and uses `export` wrongly.

  run_hostile.py MEMREF_LENS

Names, types, stages and paths of a saved trace are markup of every format; what
comes out must be text. Wrong usage must end with the right status and a message
that says what to do, and leave no file.
"""
import html.parser
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOSTILE = ("</script><script>window.hostile=1</script><img src=//x onerror=y()>"
           "'\"`|&amp;&#60;{[(]]>--><!--</style>\\N\\l\n\r\u202e\u2066\u200b"
           "\u00e9\u6f22 ../../up javascript:alert(1) <b>%a</b>")


class Elements(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = []

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))


class Tester:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.faults = tool, folder, []
        self.checks = 0

    def run(self, *words):
        return subprocess.run([self.tool, *map(str, words)],
                              stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=120)

    def want(self, holds, what):
        self.checks += 1
        if not holds:
            self.faults.append(what)

    #---- Hostile text -----------------------------------------------------

    def hostileTrace(self):
        source = ROOT / "samples" / "nested-regions.mlir"
        plain = self.folder / "plain.json"
        self.run("trace", source, "-o", plain)
        trace = json.loads(plain.read_text())
        for kind in ("values", "blocks", "ops", "functions"):
            for record in trace[kind]:
                record["name"] = record.get("name", "") + HOSTILE
        for value in trace["values"]:
            value["type"] = value.get("type", "") + HOSTILE
        for chunk in trace["chunks"]:
            for stage in chunk["stages"]:
                stage["name"] += HOSTILE
        trace["source"]["path"] = HOSTILE
        out = self.folder / "hostile.json"
        out.write_text(json.dumps(trace))
        return out

    def checkHostile(self):
        trace = self.hostileTrace()
        for format_ in ("dot", "svg", "png", "html", "md", "json"):
            out = self.folder / format_
            done = self.run("export", trace, "--format", format_, "-o",
                            f"{out}/")
            self.want(done.returncode == 0,
                      f"{format_}: exit {done.returncode}: {done.stderr[:200]}")
            for file in sorted(out.iterdir()) if out.is_dir() else []:
                self.checkFile(file)
        self.want(not (self.folder.parent / "up").exists(), "left the folder")
        for view in (["--view", "lifetimes"], ["--stage", "0..final"],
                     ["--detail", "blocks", "--theme", "dark"]):
            name = json.loads(trace.read_text())["functions"][1]["name"]
            done = self.run("export", trace, "--function", name, *view, "-o",
                            self.folder / "one.svg")
            self.want(done.returncode == 0, f"{view}: {done.stderr[:200]}")
            self.checkFile(self.folder / "one.svg")

    def checkFile(self, file):
        data = file.read_bytes()
        if file.suffix == ".png":
            self.want(data.startswith(b"\x89PNG"), f"{file.name}: no PNG")
            return
        text = data.decode()  # Not UTF-8 is an error of its own.
        for mark in ("\u202e", "\u2066", "\u200b"):
            self.want(mark not in text, f"{file.name}: holds {mark!r}")
        {".svg": self.checkSvg, ".html": self.checkHtml, ".md": self.checkMd,
         ".dot": self.checkDot, ".json": self.checkJson}[file.suffix](file, text)

    def checkSvg(self, file, text):
        for element in xml.etree.ElementTree.fromstring(text).iter():
            tag = element.tag.split("}")[-1]
            self.want(tag not in ("script", "img", "image", "foreignObject",
                                  "b", "use"), f"{file.name}: <{tag}>")
            for name, value in element.attrib.items():
                name = name.split("}")[-1]
                self.want(not name.startswith("on"), f"{file.name}: {name}")
                self.want(name != "href" or value.startswith("#"),
                          f"{file.name}: href {value}")

    def checkHtml(self, file, text):
        elements = Elements()
        elements.feed(text)
        scripts = [a for tag, a in elements.seen if tag == "script"]
        isIndex = file.name == "index.html"
        self.want(not (isIndex and scripts), f"{file.name}: a script")
        for tag, attributes in elements.seen:
            self.want(tag != "img" or "onerror" not in attributes,
                      f"{file.name}: <{tag}> {attributes}")
            for name in attributes:
                self.want(not name.startswith("on"), f"{file.name}: {name}")
        self.want(any(tag == "meta" and "default-src 'none'" in a.get("content", "")
                      for tag, a in elements.seen), f"{file.name}: no CSP")

    def checkMd(self, file, text):
        elements = Elements()
        elements.feed(text)
        tags = {tag for tag, _ in elements.seen}
        self.want(tags <= {"code", "details", "summary", "br"},
                  f"{file.name}: {tags}")

    def checkDot(self, file, text):
        if not shutil.which("dot"):
            return
        done = subprocess.run(["dot", "-Tcanon", file], capture_output=True,
                              timeout=60)
        self.want(done.returncode == 0 and not done.stderr,
                  f"dot refuses {file.name}: {done.stderr[:200]}")

    def checkJson(self, file, text):
        graphs = json.loads(text)["graphs"]
        self.want(graphs and graphs[0]["nodes"], f"{file.name}: empty")

    #---- Wrong usage ------------------------------------------------------

    def refused(self, status, word, *words, out=None):
        out = out or self.folder / "none.svg"
        done = self.run("export", *words, "-o", out)
        said = done.stderr.decode(errors="replace")
        self.want(done.returncode == status and word in said,
                  f"{words}: exit {done.returncode}: {said[:200]}")
        self.want(str(out).endswith("/") or not pathlib.Path(out).exists(),
                  f"{words}: left a file")

    def checkUsage(self):
        samples = ROOT / "samples"
        several, one = samples / "transformer.mlir", samples / "diamond.mlir"
        self.refused(2, "--function NAME", several)
        self.refused(2, f"no function '@none' in '{one}'; it has @diamond\n",
                     one, "--function", "none")
        self.refused(2, "no value '%none'", one, "--highlight", "%none")
        self.refused(2, "'--format'", one, "--format", "gif")
        self.refused(2, "'--format'", one, out=self.folder / "none")
        self.refused(2, "'--stage'", one, "--stage", "9")
        self.refused(2, "'--stage'", one, "--stage", "0..x")
        self.refused(2, "'--theme'", one, "--theme", "blue")
        self.refused(2, "svg or png only", one, "--view", "lifetimes",
                     out=self.folder / "none.dot")
        self.refused(3, "No such file", self.folder / "absent.mlir")
        self.refused(3, "cannot write", one,
                     out=self.folder / "absent" / "x.svg")
        plain = (self.folder / "plain.json").read_text()
        for name, text, word in (
                ("short.json", plain[:len(plain) // 2], "is no trace"),
                ("newer.json", plain.replace('"schemaVersion":1',
                                             '"schemaVersion":99', 1),
                 "is no trace"),
                ("empty.json", "{}", "is no trace")):
            path = self.folder / name
            path.write_text(text)
            self.refused(3, word, path)
        declaration = self.folder / "declaration.mlir"
        declaration.write_text("func.func private @f(memref<4xf32>)\n")
        self.refused(3, "nothing to export", declaration)


def main():
    with tempfile.TemporaryDirectory() as name:
        tester = Tester(sys.argv[1], pathlib.Path(name))
        tester.checkHostile()
        tester.checkUsage()
    for fault in tester.faults[:30]:
        print(fault)
    print(f"{tester.checks} checks, {len(tester.faults)} faults")
    return 1 if tester.faults or tester.checks < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
