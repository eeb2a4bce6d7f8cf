#!/usr/bin/env python3
"""Holds who may include whom: arrows point toward core/trace.

  check_layers.py [ROOT]    prints each include that breaks a rule; exit 1 if any
  check_layers.py --self-test

`llvm/` and `mlir/` share one include folder, and nlohmann and Graphviz lie in
/usr/include, so CMake alone cannot hold these rules.
"""
import fnmatch
import pathlib
import re
import sys
import tempfile

# Folder of ours -> folders of ours that its files may include (besides itself).
ALLOWED = {
    # The release that is reproduced, as data.
    "core/upstream": [],
    "core/files": [],
    "core/text": [],
    "core/trace": ["core/text", "core/upstream"],
    "core/process": [],
    "core/source": ["core/text", "core/trace"],
    # The rooms of core/pipeline: what is recorded, what decides, what runs it.
    "core/pipeline/record": ["core/trace", "core/query", "core/source"],
    "core/pipeline/ownership": [
        "core/trace", "core/source", "core/pipeline/record"],
    "core/pipeline/simplify": ["core/trace"],
    "core/pipeline/opneeds": [
        "core/trace", "core/source", "core/pipeline/ownership"],
    "core/pipeline/host": ["core/source", "core/pipeline/record"],
    "core/pipeline/bufferize": ["core/trace", "core/source"],
    "core/pipeline/classic": ["core/trace", "core/pipeline/simplify"],
    "core/pipeline/costs": ["core/trace", "core/source"],
    "core/pipeline/lifetimes": ["core/trace", "core/source"],
    "core/pipeline/placement": [
        "core/trace", "core/source", "core/pipeline/classic"],
    "core/pipeline/aliasing": [
        "core/trace", "core/dialect", "core/pipeline/classic",
        "core/pipeline/record", "core/pipeline/simplify"],
    "core/pipeline/stages": ["core/upstream", 
        "core/text", "core/trace", "core/source", "core/pipeline/aliasing",
        "core/pipeline/bufferize", "core/pipeline/classic", "core/pipeline/host", "core/pipeline/ownership",
        "core/pipeline/placement", "core/pipeline/record",
        "core/pipeline/simplify"],
    "core/pipeline/run": [
        "core/text", "core/trace", "core/source", "core/process",
        "core/pipeline/bufferize", "core/pipeline/host",
        "core/pipeline/costs", "core/pipeline/lifetimes",
        "core/pipeline/stages"],
    "core/pipeline/upstream": ["core/upstream", 
        "core/trace", "core/source", "core/process", "core/pipeline/record",
        "core/pipeline/run", "core/pipeline/stages"],
    # Facts that follow from a trace; words for them; pictures of them.
    "core/query": ["core/text", "core/trace"],
    # What can be wrong with memory; found by trying paths, or by a run.
    "core/faults": ["core/trace"],
    "core/explain": ["core/upstream", "core/text", "core/trace", "core/query"],
    "core/memory": ["core/text", "core/trace", "core/query", "core/explain"],
    "core/graph": ["core/files", "core/text", "core/trace", "core/query",
                   "core/explain", "core/memory"],
    "core/graph/memory": ["core/text", "core/trace", "core/query", "core/explain",
                          "core/memory", "core/graph"],
    "core/graph/tensors": ["core/text", "core/trace", "core/query",
                           "core/explain", "core/graph"],
    # What a run leaves behind is plain data; only jit/ sees IR.
    "core/execute": ["core/text", "core/trace", "core/query", "core/explain",
                     "core/faults", "core/memory"],
    "core/execute/jit": ["core/text", "core/trace", "core/source",
                         "core/process", "core/execute"],
    "core/diff": ["core/text", "core/trace", "core/query", "core/explain"],
    "core/bundle": [],
    "core/report": ["core/text", "core/trace", "core/query", "core/explain",
                    "core/graph", "core/graph/memory", "core/graph/tensors",
                    "core/memory", "core/check",
                    "core/causes", "core/diff", "core/execute"],
    "core/check": ["core/upstream", "core/text", "core/trace", "core/query",
                   "core/explain", "core/faults", "core/memory", "core/check/rules"],
    # A file a rule: what is found, its words, its advice.
    "core/check/rules": ["core/upstream", "core/text", "core/trace", "core/query",
                         "core/explain", "core/check"],
    "core/causes": ["core/text", "core/trace", "core/query", "core/explain",
                    "core/check", "core/execute"],
    # Path-sensitive symbolic execution of memory; who checks gets plain data.
    "core/symexec": ["core/trace", "core/source", "core/faults"],
    "core/trials": ["core/upstream", "core/files", "core/text", "core/trace", "core/source",
                    "core/process", "core/pipeline/costs",
                    "core/pipeline/lifetimes",
                    "core/pipeline/run", "core/explain", "core/check", "core/symexec"],
    # Runs programs, and looks at all that can be said of them.
    "core/reduce": ["core/upstream", "core/text", "core/trace", "core/source", "core/process",
                    "core/pipeline/ownership", "core/pipeline/record",
                    "core/pipeline/run", "core/pipeline/upstream", "core/query",
                    "core/explain", "core/check", "core/symexec"],
    "core/dialect": [],
    # Lives in tools of others; what it finds goes to files.
    "core/attach": ["core/files", "core/trace", "core/source", "core/process",
                    "core/pipeline/host", "core/pipeline/run",
                    "core/pipeline/stages", "core/pipeline/upstream",
                    "core/symexec"],
    "cli": ["core/files", "core/text", "core/trace", "core/source", "core/process",
            "core/pipeline/aliasing", "core/pipeline/opneeds",
            "core/pipeline/ownership", "core/pipeline/placement",
            "core/pipeline/run", "core/pipeline/stages",
            "core/pipeline/upstream", "core/query", "core/explain", "core/graph",
            "core/graph/memory", "core/graph/tensors", "core/report", "core/check",
            "core/symexec", "core/causes",
            "core/diff", "core/bundle", "core/trials", "core/reduce", "core/dialect",
            "core/memory", "core/execute", "core/execute/jit", "passes"],
    # A file a command; cli sees them by its list alone.
    "cli/commands": [
        "cli", "core/files", "core/text", "core/trace", "core/source", "core/process",
        "core/pipeline/aliasing", "core/pipeline/placement", "core/pipeline/run",
        "core/pipeline/stages", "core/pipeline/upstream", "core/query", "core/explain",
        "core/graph", "core/graph/memory", "core/report", "core/check",
        "core/symexec", "core/diff", "core/bundle", "core/reduce", "core/memory",
        "core/execute"],
    # The program: both, with all of MLIR.
    "cli/driver": ["cli", "lsp", "lsp/supervisor", "core/dialect",
                   "core/pipeline/run", "core/process", "passes"],
    # The process that must survive all input sees no IR and no LLVM.
    "lsp/wire": ["core/text"],
    "lsp/documents": ["lsp/wire", "core/text"],
    "lsp/supervisor": ["lsp/wire", "lsp/documents", "core/files", "core/text",
                       "core/process"],
    "lsp/analysis": ["lsp/wire", "lsp/documents", "core/files", "core/text",
                     "core/trace", "core/execute",
                     "core/source", "core/process", "core/pipeline/opneeds",
                     "core/pipeline/ownership", "core/pipeline/run",
                     "core/pipeline/stages", "core/query", "core/explain", "core/graph",
                     "core/graph/memory", "core/memory", "core/check", "core/symexec",
                     "core/causes"],
    # Runs in other people's compilers: no trace, no process, no files.
    "passes": ["core/trace", "core/source", "core/pipeline/record",
               "core/pipeline/ownership", "core/pipeline/simplify",
               "core/pipeline/placement", "core/pipeline/bufferize"],
    # Draws traces; runs no pass itself. Where the user is, and what is made of a
    # trace to be shown; what is read and run; what is drawn of it.
    "viewer/state": ["core/text", "core/trace", "core/query", "core/explain",
                     "core/graph", "core/execute"],
    "viewer/work": ["core/files", "core/text", "core/process", "core/trace",
                    "core/explain", "core/graph", "core/report", "core/check",
                    "core/causes", "core/execute", "viewer/state"],
    "viewer/canvas": ["core/files", "core/text", "core/trace", "core/graph",
                      "viewer/state"],
    "viewer/panels": ["core/text", "core/trace", "core/query", "core/explain",
                      "core/graph", "core/causes", "viewer/state", "viewer/work",
                      "viewer/canvas"],
    "viewer/memory": ["core/text", "core/query", "core/explain", "core/memory",
                      "viewer/state", "viewer/canvas", "viewer/panels"],
    "viewer/tensors": ["core/trace", "core/query", "core/graph",
                       "core/graph/tensors", "viewer/state",
                       "viewer/canvas", "viewer/panels"],
    "viewer/window": ["core/text", "core/trace", "viewer/state", "viewer/work",
                      "viewer/canvas", "viewer/panels", "viewer/memory",
                      "viewer/tensors"],
    "lsp": ["lsp/wire", "lsp/documents", "lsp/supervisor", "lsp/analysis",
            "core/pipeline/run", "core/pipeline/upstream", "core/dialect"],
    "tests": ["core/files", "core/text", "core/process", "core/trace", "core/source",
              "core/pipeline/record", "core/pipeline/ownership",
              "core/pipeline/simplify", "core/pipeline/opneeds",
              "core/pipeline/bufferize", "core/pipeline/host",
              "core/pipeline/classic",
              "core/pipeline/placement", "core/pipeline/aliasing",
              "core/pipeline/stages", "core/pipeline/run",
              "core/pipeline/upstream", "core/query", "core/explain",
              "core/graph", "core/graph/memory", "core/graph/tensors", "core/memory",
              "core/report", "core/check",
              "core/symexec", "core/diff", "core/bundle",
              "core/trials", "core/reduce", "core/dialect",
              "core/attach", "cli", "lsp",
              "lsp/wire", "lsp/documents", "lsp/supervisor", "lsp/analysis",
              "viewer/state", "viewer/work", "viewer/canvas", "viewer/panels",
              "viewer/memory", "viewer/tensors", "viewer/window", "passes"],
}

# Generated by CMake from Version.h.in: plain macros, for everybody.
ANYBODY = {"core/Version.h", "core/upstream/Release.h"}

# First folder of a foreign include -> files that may include it.
FOREIGN = {
    "mlir": ["core/source/*", "core/pipeline/*", "core/symexec/*",
             "core/execute/jit/*", "core/trials/*", "core/reduce/*", "core/dialect/*",
             "core/attach/*", "cli/*", "passes/*",
             "lsp/analysis/*", "lsp/Main.cpp", "tests/*"],
    "llvm": ["core/source/*", "core/pipeline/*", "core/symexec/*",
             "core/execute/jit/*", "core/trials/*", "core/reduce/*", "core/dialect/*",
             "core/attach/*", "cli/*", "passes/*",
             "lsp/Main.cpp",
             "tests/*"],
    "nlohmann": ["core/trace/Json*.cpp", "core/report/*.cpp",
                 "core/graph/GraphJson.*",
                 "core/check/*.cpp", "core/causes/OverviewJson.cpp", "core/memory/MemoryJson.cpp",
                 "core/execute/RunJson.cpp",
                 "core/bundle/Bundle.cpp", "cli/*",
                 "lsp/Check.cpp", "lsp/wire/*", "lsp/documents/*",
                 "lsp/supervisor/*",
                 # Features answer structs; the protocol is read and made here.
                 "lsp/analysis/AnalysisServer.cpp", "lsp/analysis/Options.cpp",
                 "lsp/analysis/Protocol.cpp", "lsp/analysis/Requests.cpp",
                 "viewer/work/Settings.cpp", "viewer/work/Bookmarks.cpp",
                 "viewer/work/Files.*", "tests/*"],
    "archive.h": ["core/bundle/Archive.cpp"],
    "archive_entry.h": ["core/bundle/Archive.cpp"],
    "zlib.h": ["core/bundle/Archive.cpp", "viewer/window/Png.cpp"],
    "graphviz": ["core/graph/Graphviz.cpp"],
    "imgui": ["viewer/canvas/*", "viewer/panels/*", "viewer/memory/*",
              "viewer/tensors/*", "viewer/window/*", "tests/viewer/*"],
    "GLFW": ["viewer/window/Main.cpp"],
    "gtest": ["tests/*"],
    "gmock": ["tests/*"],
}

# Known violations that wait to be mended: (file, include). Starts empty; a
# line here that is no violation any more is an error too.
DEBT = set()

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SUFFIXES = {".h", ".cpp", ".inc"}
SKIPPED = {".git", "out"}
# A project of somebody else's, as far as we are concerned.
OUTSIDE = "samples/out-of-tree"


def layerOf(path):
    """The longest folder of ALLOWED that holds `path`; None if there is none."""
    layers = [layer for layer in ALLOWED if path.startswith(layer + "/")]
    return max(layers, key=len, default=None)


def faultOf(path, quoted, include):
    """Why the file `path` may not include `include`; None if it may."""
    first = include.split("/")[0]
    if first in FOREIGN:
        if any(fnmatch.fnmatchcase(path, g) for g in FOREIGN[first]):
            return None
        return f"only {', '.join(FOREIGN[first])} may include {first}/"
    if not quoted or include in ANYBODY:
        return None
    here = layerOf(path)
    there = layerOf(include)
    if there is None:
        sameFolder = "/" not in include and here == "tests"
        return None if sameFolder else \
            "includes of ours are written from the repository's root"
    if there == here or there in ALLOWED[here]:
        return None
    return f"{here} may not see {there}"


def sourceFiles(root):
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        first = relative.parts[0]
        if first in SKIPPED or first.startswith("build"):
            continue
        if relative.is_relative_to(OUTSIDE):
            continue
        if path.suffix in SUFFIXES and path.is_file():
            yield path, relative.as_posix()


def check(root, debt=None):
    """Returns the faults as lines of text, in order of files."""
    debt = DEBT if debt is None else debt
    faults, paid, count = [], set(debt), 0
    for path, name in sourceFiles(root):
        count += 1
        if layerOf(name) is None:
            faults.append(f"{name}: no layer of the allow-list holds this file")
            continue
        for number, line in enumerate(
                path.read_text(errors="replace").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            why = faultOf(name, match[1] == '"', match[2])
            if why is None:
                continue
            if (name, match[2]) in debt:
                paid.discard((name, match[2]))
                continue
            faults.append(f"{name}:{number}: {match[2]}: {why}")
    faults += [f"{name}: {include}: in DEBT, but mended: delete the entry"
               for name, include in sorted(paid)]
    if count == 0:
        faults.append("no source file found")
    return faults


# --- self-test --------------------------------------------------------------

# (file, line, whether it breaks a rule)
CASES = [
    ("core/trace/A.cpp", '#include "core/trace/Model.h"', False),
    ("core/trace/A.cpp", "#include <vector>", False),
    ("core/trace/A.cpp", '#include "core/source/Document.h"', True),
    ("core/trace/A.cpp", '#include "mlir/IR/Value.h"', True),
    ("core/trace/A.cpp", "#include <llvm/ADT/StringRef.h>", True),
    ("core/trace/A.cpp", "  #  include <nlohmann/json.hpp>", True),
    ("core/trace/JsonRead.cpp", "#include <nlohmann/json.hpp>", False),
    ("core/explain/A.cpp", '#include "core/query/Index.h"', False),
    ("core/explain/A.cpp", '#include "core/pipeline/stages/Stages.h"', True),
    ("core/explain/A.cpp", '#include "mlir/IR/Value.h"', True),
    ("core/graph/A.cpp", "#include <graphviz/gvc.h>", True),
    ("core/graph/Graphviz.cpp", "#include <graphviz/gvc.h>", False),
    ("core/findings/A.cpp", '#include "core/explain/Words.h"', True),
    ("core/source/A.cpp", '#include "core/pipeline/stages/Stages.h"', True),
    ("core/source/A.cpp", '#include "mlir/IR/Value.h"', False),
    ("core/pipeline/run/A.cpp", '#include "core/source/Document.h"', False),
    ("core/pipeline/run/A.cpp", '#include "core/explain/Words.h"', True),
    ("core/pipeline/run/A.cpp", '#include "cli/Main.h"', True),
    ("core/pipeline/run/A.cpp", '#include "Stages.h"', True),
    ("core/pipeline/run/A.cpp", '#include <gtest/gtest.h>', True),
    ("core/pipeline/record/A.cpp",
     '#include "core/pipeline/ownership/OwnershipPass.h"', True),
    ("core/pipeline/ownership/A.cpp",
     '#include "core/pipeline/record/Recorder.h"', False),
    ("core/pipeline/A.cpp", "", True),
    ("core/process/A.cpp", '#include "mlir/IR/Value.h"', True),
    ("cli/A.cpp", '#include "core/explain/Words.h"', False),
    ("lsp/supervisor/A.cpp", '#include "core/trace/Model.h"', True),
    ("lsp/supervisor/A.cpp", '#include "mlir/IR/Value.h"', True),
    ("lsp/supervisor/A.cpp", '#include "lsp/wire/Frames.h"', False),
    ("lsp/wire/A.cpp", "#include <nlohmann/json.hpp>", False),
    ("lsp/analysis/Hover.cpp", "#include <nlohmann/json.hpp>", True),
    ("lsp/analysis/A.cpp", '#include "mlir/IR/Dialect.h"', False),
    ("core/trace/A.cpp", '#include "lsp/wire/Frames.h"', True),
    ("viewer/canvas/A.cpp", '#include "core/graph/Layout.h"', False),
    ("viewer/canvas/A.cpp", '#include "imgui/imgui.h"', False),
    ("viewer/canvas/A.cpp", '#include "viewer/panels/Rows.h"', True),
    ("viewer/work/A.cpp", '#include "viewer/panels/Rows.h"', True),
    ("viewer/work/A.cpp", '#include "imgui/imgui.h"', True),
    ("viewer/state/A.cpp", '#include "viewer/work/Load.h"', True),
    ("viewer/panels/A.cpp", '#include "viewer/window/Workspace.h"', True),
    ("viewer/window/A.cpp", '#include "core/pipeline/stages/Stages.h"', True),
    ("viewer/work/A.cpp", '#include "core/pipeline/stages/Stages.h"', True),
    ("viewer/window/A.cpp", '#include "mlir/IR/Value.h"', True),
    ("viewer/window/A.cpp", "#include <GLFW/glfw3.h>", True),
    ("viewer/A.cpp", "", True),
    ("core/graph/A.cpp", '#include "imgui/imgui.h"', True),
    ("core/query/A.cpp", '#include "core/explain/Words.h"', True),
    ("core/check/A.cpp", '#include "core/graph/Theme.h"', True),
    ("core/check/A.cpp", '#include "core/symexec/Explore.h"', True),
    ("core/symexec/A.cpp", '#include "core/check/FaultRule.h"', True),
    ("core/symexec/A.cpp", '#include "mlir/IR/Value.h"', False),
    ("core/causes/A.cpp", '#include "core/graph/Theme.h"', True),
    ("core/memory/A.cpp", '#include "core/graph/Theme.h"', True),
    ("core/execute/A.cpp", '#include "core/graph/Theme.h"', True),
    ("core/diff/A.cpp", '#include "core/graph/Theme.h"', True),
    ("core/pipeline/run/A.cpp", '#include "core/explain/Words.h"', True),
    ("passes/A.cpp", '#include "core/explain/Words.h"', True),
    ("tests/trace/A.cpp", '#include "core/explain/Words.h"', False),
    ("elsewhere/A.cpp", "", True),
]


def faultsOfTree(files, debt=frozenset()):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n")
        return check(pathlib.Path(folder), debt)


def selfTest():
    for name, line, breaks in CASES:
        faults = faultsOfTree({name: line})
        assert bool(faults) == breaks, (name, line, faults)
    assert faultsOfTree({}), "an empty tree must not pass"
    bad = {"core/trace/A.cpp": '#include "mlir/IR/Value.h"'}
    entry = ("core/trace/A.cpp", "mlir/IR/Value.h")
    assert not faultsOfTree(bad, {entry}), "debt must excuse its line"
    good = {"core/trace/A.cpp": "#include <vector>"}
    assert faultsOfTree(good, {entry}), "stale debt must be reported"
    print(f"self-test: {len(CASES) + 3} cases as expected")
    return 0


def main(arguments):
    if arguments == ["--self-test"]:
        return selfTest()
    root = pathlib.Path(arguments[0] if arguments else
                        pathlib.Path(__file__).parents[2])
    faults = check(root)
    for fault in faults:
        print(fault)
    print(f"layers: {len(faults)} faults, {len(DEBT)} in debt")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
