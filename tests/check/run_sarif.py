"""SARIF and annotations: valid against SARIF's own schema, places right where a
line is not ASCII, rules with their pages, limits of the exploration told.

  run_sarif.py OUT

The schema comes from the npm package @microsoft/jest-sarif, and what checks it is
ajv, on which that depends; both are installed once below OUT. Without npm, only
the structure is checked (under CI=true that is a failure).
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import run_rules  # puts the judges' folder on the path
import judges

PACKAGE = "@microsoft/jest-sarif@1.0.0-beta.0"
VALIDATE = """
const fs = require("fs"), path = require("path");
const modules = path.resolve(process.argv[1], "node_modules");
const Ajv = require(path.join(modules, "ajv"));
const ajv = new Ajv({schemaId: "auto", allErrors: true, format: "full"});
ajv.addMetaSchema(
    require(path.join(modules, "ajv/lib/refs/json-schema-draft-04.json")));
const check = ajv.compile(require(path.join(
    modules, "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json")));
for (const file of process.argv.slice(2))
  if (!check(JSON.parse(fs.readFileSync(file))))
    console.log(path.basename(file) + ": " + ajv.errorsText(check.errors));
"""
WIDE = """func.func @f(%m: memref<8xf32>) {
  %s = arith.constant {x.y = "\u00e9\u4e2d\U0001d11e"} 1 : i32 memref.dealloc %m : memref<8xf32>
  return
}
"""
ASSUMED = """func.func @f(%p: !llvm.ptr) {
  %a = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  return
}
func.func private @use(memref<4xf32>)
"""
BASE = "https://example.org/rules"


def fetch(out):
    """Folder with the schema and the validator; None if they cannot be had."""
    wanted = out / "node_modules/@microsoft/jest-sarif/lib/schemas"
    if not wanted.is_dir() and shutil.which("npm") and shutil.which("node"):
        out.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", PACKAGE, "--ignore-scripts",
                        "--no-audit", "--no-fund", "--legacy-peer-deps",
                        "--prefix", out], stdin=subprocess.DEVNULL,
                       capture_output=True, timeout=300, cwd=out)
    return out if wanted.is_dir() else None


def sarif(path, *options):
    result = judges.run([judges.lens(), "check", "--no-try", "--format", "sarif",
                         "--fail-on", "none", "--allow-unregistered-dialect",
                         *options, path])
    # What cannot be read is said, too.
    if result.status not in (0, 3) or not result.out:
        sys.exit(f"FAIL: {path}: exit {result.status}: {result.err[:300]}")
    return result.out


def units(text):
    """Length as SARIF counts it."""
    return len(text.encode("utf-16-le")) // 2


def regions(node):
    """Every region of a log, wherever it is."""
    if isinstance(node, dict):
        if "region" in node:
            yield node["region"]
        for child in node.values():
            yield from regions(child)
    elif isinstance(node, list):
        for child in node:
            yield from regions(child)


def structure_of(name, log, text):
    """What the schema cannot know."""
    faults = []
    run = log["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    if run["columnKind"] != "utf16CodeUnits":
        faults.append(f"{name}: columns are {run['columnKind']}")
    for result in run["results"]:
        if rules[result["ruleIndex"]] != result["ruleId"]:
            faults.append(f"{name}: {result['ruleId']} has a wrong index")
        if not result["partialFingerprints"]:
            faults.append(f"{name}: {result['ruleId']} has no fingerprint")
    lines = text.split("\n")
    for region in regions(run):
        line = lines[region["startLine"] - 1]
        if region["startColumn"] > units(line) + 1:
            faults.append(f"{name}: {region} is past the end of {line!r}")
    return faults


def check_wide(folder):
    path = folder / "wide.mlir"
    path.write_text(WIDE)
    line = WIDE.split("\n")[1]
    expected = units(line[:line.index("memref.dealloc")]) + 1
    log = json.loads(sarif(path))
    columns = {result["locations"][0]["physicalLocation"]["region"]
               ["startColumn"] for result in log["runs"][0]["results"]
               if result["ruleId"] == "free-in-input"}
    faults = []
    if columns != {expected}:
        faults.append(f"wide.mlir: columns {columns}, not {expected}")
    result = judges.run([judges.lens(), "check", "--no-try", "--format",
                         "github", "--allow-unregistered-dialect", path])
    if not re.search(rf",line=2,col={expected},endColumn=\d+,"
                     r"title=free-in-input", result.out):
        faults.append(f"wide.mlir: annotation {result.out}, not {expected}")
    return faults


def check_assumed(folder):
    """In all formats."""
    path = folder / "assumed.mlir"
    path.write_text(ASSUMED)
    said = "taken for granted: a result of builtin.unrealized_conversion_cast"
    faults = []
    for format in ("text", "json", "sarif", "github"):
        result = judges.run([judges.lens(), "check", "--format", format, path])
        wanted = "a result of builtin.unrealized" if format == "json" else said
        if wanted not in result.out:
            faults.append(f"assumed.mlir: {format} does not say what was "
                          f"assumed: {result.out[:300]}")
    return faults


def check_pages(folder):
    path = folder / "empty.mlir"
    path.write_text("module {}\n")
    faults = []
    for base in (BASE, BASE + "/"):
        log = json.loads(sarif(path, "--help-uri-base", base))
        for rule in log["runs"][0]["tool"]["driver"]["rules"]:
            if rule["helpUri"] != f"{BASE}/{rule['id']}.md":
                faults.append(f"{rule['id']}: {rule['helpUri']}")
    return faults


def main():
    out = pathlib.Path(sys.argv[1])
    faults, texts = [], {}
    inputs = sorted((judges.ROOT / "samples").glob("*.mlir"))
    corpus = pathlib.Path(os.environ.get(
        "MEMREF_LENS_CORPUS", judges.ROOT.parent / "shared/corpus"))
    if corpus.is_dir() or os.environ.get("CI") == "true":
        inputs += sorted((judges.corpus() / "defects").glob("*.mlir"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        faults += check_wide(folder) + check_assumed(folder) + \
            check_pages(folder)
        inputs += [folder / "wide.mlir", folder / "assumed.mlir"]
        for path, text in zip(inputs, judges.in_parallel(
                lambda path: sarif(path, "--help-uri-base", BASE), inputs)):
            faults += structure_of(path.name, json.loads(text),
                                   path.read_text())
            (folder / f"{path.stem}.sarif").write_text(text)
        found = fetch(out)
        if found:
            result = judges.run(["node", "-e", VALIDATE, "--", found,
                                 *sorted(folder.glob("*.sarif"))])
            faults += result.out.splitlines() + result.err.splitlines()
    print("\n".join(faults))
    print(f"{len(inputs)} logs, {len(faults)} faults")
    if faults:
        sys.exit(1)
    if not found:
        judges.missing(f"{PACKAGE} could not be had: SARIF's schema is not "
                       "checked")


if __name__ == "__main__":
    main()
