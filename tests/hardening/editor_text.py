#!/usr/bin/env python3
"""What an editor is sent about a hostile program is text: no markup, no load.

Every hover, hint, lens, diagnostic and action of a program whose names, strings,
attributes and locations are Markdown, HTML and links.
"""
import re
import sys

from harm import ROOT, Bench, binary

sys.path.insert(0, str(ROOT / "tests" / "lsp"))
from client import Client, at, whole

server = binary("MEMREF_LENS_LSP_SERVER")
bench = Bench()
HOSTILE = ("![x](http://127.0.0.1:9/x.png)[y](command:evil)<img src=//z onerror=1>"
           "<script>h()</script>`code` **b** ~~~ ``` \\u202e# t $(icon) |a|b|")


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


NAME = quoted(HOSTILE)
LOOP = quoted("loop" + HOSTILE)
CALLEE = quoted("callee" + HOSTILE)
TEXT = f"""func.func private @{CALLEE}(%m: memref<4xf32>) -> memref<4xf32>
func.func @{NAME}(%c: i1, %m: memref<4xf32>, %i: index) -> memref<4xf32> attributes {{note = {NAME}}} {{
  %a = memref.alloc() {{tag = {NAME}}} : memref<4xf32> loc({NAME}:1:1)
  %z = func.call @{CALLEE}(%a) : (memref<4xf32>) -> memref<4xf32>
  %s = arith.select %c, %a, %m : memref<4xf32>
  %v = memref.load %s[%i] : memref<4xf32>
  memref.store %v, %z[%i] : memref<4xf32>
  return %s : memref<4xf32>
}}
func.func @{LOOP}(%c: i1, %m: memref<4xf32>) {{
  %a = memref.alloc() : memref<4xf32>
  cf.br ^b
^b:
  cf.br ^b
}}
"""


def unescaped(text, uri):
    """What a reader of Markdown would take for more than text."""
    found = []
    text = re.sub(r"(?ms)^```.*?^```$", "", text)
    text = text.replace("\\\\", "").replace(f"](<{uri}#L", "](<#L")
    text = re.sub(r"\\[!-/:-@\[-`{-~]", "", text)
    # MLIR's name of a block, which a reader drops as an unknown element.
    text = re.sub(r"<Block #\d+>", "", text)
    # Spans of code show what is in them; as many backticks end one as begin it.
    text = re.sub(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)", "", text)
    # Our own links, to places in the file.
    text = re.sub(r"\[[0-9:, a-z()]*\]\(<#L[\d,]+>\)", "", text)
    for pattern in (r"!\[", r"\]\(", r"<[a-zA-Z/!?]", r"`"):
        found += [text[max(0, one.start() - 30):one.start() + 30]
                  for one in re.finditer(pattern, text)]
    return found


def strings(node):
    if isinstance(node, dict):
        for one in node.values():
            yield from strings(one)
    elif isinstance(node, list):
        for one in node:
            yield from strings(one)
    elif isinstance(node, str):
        yield node


client = Client([server, "--crash-dir=off"], {"textDocument": {"hover": {
    "contentFormat": ["markdown"]}}})
uri = "file:///hostile.mlir"
client.open(uri, TEXT)
lines = TEXT.split("\n")
hovers = 0
said = ""
for number, line in enumerate(lines):
    columns = {match.start() + 1 for match in re.finditer(
        r"[%@^]\S|[a-z]+\.[a-z]+", line)}
    for column in sorted(columns):
        hover = client.result("textDocument/hover", at(uri, number, column), 120)
        if not hover:
            continue
        hovers += 1
        value = hover["contents"]["value"]
        said += value
        wrong = unescaped(value, uri)
        bench.expect(f"hover at {number}:{column}", not wrong, (wrong, value))
bench.expect("there are hovers", hovers > 20, hovers)
bench.expect("which name what is hostile", "127.0.0.1" in said)
hints = client.result("textDocument/inlayHint", whole(uri), 120)
for hint in hints:
    for part in hint["label"]:
        tip = part.get("tooltip")
        if isinstance(tip, dict) and tip.get("kind") == "markdown":
            wrong = unescaped(tip["value"], uri)
            bench.expect("hint", not wrong, wrong)
        bench.expect("hint: no command", "command" not in part, part)
bench.expect("there are hints", len(hints) > 2, hints)
for lens in client.result("textDocument/codeLens",
                          {"textDocument": {"uri": uri}}, 120) or []:
    # `$(x)` is an icon in a lens of VS Code.
    title = (lens.get("command") or {}).get("title", "")
    bench.expect("lens: no icon of the program's", "$(icon)" not in title, lens)
    bench.expect("lens: commands are ours", (lens["command"].get("command") or
                 "memrefLens.").startswith("memrefLens."), lens)
found = client.diagnostics(uri, 1, lambda given: given, 120)
bench.expect("a diagnostic of the loop", any(one["code"] == "branch-loop"
                                             for one in found), found)
for one in found:
    links = [text for text in strings(one.get("codeDescription", {}))]
    bench.expect("no link of the program's", not links, links)
    for place in one.get("relatedInformation", []):
        bench.expect("places are in the file", place["location"]["uri"] == uri,
                     place)
bench.expect("the server ends well", client.close() == 0)
bench.end()
