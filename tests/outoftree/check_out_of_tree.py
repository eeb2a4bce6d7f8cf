#!/usr/bin/env python3
"""samples/out-of-tree, built against an installed package, end to end; and the
same dialect as a plugin in the programs that are installed."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "samples" / "out-of-tree"
sys.path.insert(0, str(ROOT / "tests" / "lsp"))
from client import Client, at  # noqa: E402

FILE = str(SAMPLE / "loom.mlir")
MIXED = str(pathlib.Path(__file__).parent / "mixed.mlir")
URI = pathlib.Path(FILE).as_uri()
TEXT = pathlib.Path(FILE).read_text()


def run(*words, status=0, folder=None):
    """Standard output and standard error, of a program that ends so."""
    done = subprocess.run([str(word) for word in words], text=True,
                          cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=600)
    assert done.returncode == status, (words, done)
    return done.stdout, done.stderr


def expect(text, *parts):
    for part in parts:
        assert part in text, f"'{part}' is missing in:\n{text}"


def line_of(text):
    """Number of the line, from 0, that has it."""
    return TEXT[:TEXT.index(text)].count("\n")


class Setup:
    """An installed package, and the sample built against it."""

    def __init__(self, asked):
        self.asked = asked
        work = pathlib.Path(asked.work)
        shutil.rmtree(work, ignore_errors=True)
        self.work = work
        prefix = work / "prefix"
        run("cmake", "--install", asked.build, "--prefix", prefix)
        sample = work / "build"
        # Not optimized: it is compiled once and runs for moments.
        run("cmake", "-S", SAMPLE, "-B", sample, "-G", asked.generator,
            f"-DCMAKE_PREFIX_PATH={prefix}", f"-DMLIR_DIR={asked.mlir_dir}",
            f"-DCMAKE_CXX_COMPILER={asked.cxx}",
            f"-DCMAKE_CXX_COMPILER_LAUNCHER={asked.launcher}",
            "-DCMAKE_BUILD_TYPE=")
        run("cmake", "--build", sample)
        self.lens = prefix / "bin" / "memref-lens"
        self.server = prefix / "bin" / "memref-lens-lsp-server"
        self.own_lens = sample / "loom-lens"
        self.own_server = sample / "loom-lsp-server"
        self.broken_lens = sample / "loom-broken-lens"
        self.own_opt = sample / "loom-opt"
        self.plugin = sample / "libLoomPlugin.so"
        self.dialects = f"--load-dialect-plugin={self.plugin}"
        self.passes = f"--load-pass-plugin={self.plugin}"


def check_words(setup):
    """The project's own program and the plugin say the same, and what is so."""
    own, _ = run(setup.own_lens, "explain", FILE)
    expect(own,
           "%found (17:3): deallocated at the end of ^bb0 if "
           "%own_found\n",
           "%own_found is the result of loom.is_fresh on %found, which "
           "loom.lookup (17:12) made",
           "returned at 25:3 as the clone %detach_found",
           "loom.lookup, asked who owns %found, answers with a clone that "
           "loom.detach makes",
           "%last is owned if %own_last: by a result of loom.repeat",
           "true yielded by the body of loom.repeat (6:11), with %next")
    plugged, _ = run(setup.lens, "explain", setup.dialects, FILE)
    assert own == plugged, (own, plugged)
    split, _ = run(setup.lens, "explain", "--load-dialect-plugin",
                   setup.plugin, FILE)
    assert split == own, split
    place, _ = run(setup.lens, "explain", setup.dialects, FILE + ":24:12")
    expect(place,
           "loom.lookup handles its own deallocation (its process); it made "
           "loom.is_fresh\n",
           "loom.lookup was asked who owns %found (its "
           "materializeUniqueOwnershipForMemref); it made loom.detach and "
           "arith.constant; the answer is true\n")
    # Nobody knows the dialect who was not told of it.
    _, said = run(setup.lens, "explain", FILE, status=3)
    expect(said, "loom")


def check_trace(setup):
    text, _ = run(setup.lens, "trace", setup.dialects, FILE)
    trace = json.loads(text)
    assert trace["options"]["dialectPlugins"] == [str(setup.plugin)], trace
    own = json.loads(run(setup.own_lens, "trace", FILE)[0])
    del trace["options"], own["options"]
    assert trace == own
    calls = [event for event in trace["events"]
             if event["kind"] == "interface"]
    # What is not written is what the schema has as default.
    assert [one.get("call", "process") for one in calls] == \
        ["process", "process", "materialize"], calls
    name_of = [op["name"] for op in trace["ops"]]
    assert [name_of[op] for op in calls[2]["made"]] == \
        ["loom.detach", "arith.constant"], calls[2]
    for call in calls:
        assert call["changes"] and max(call["changes"]) < call["id"], call


def check_ir(setup):
    """Every stage is what MLIR's own pipeline makes."""
    for program, *more in [(setup.lens, setup.dialects), (setup.own_lens,)]:
        verdicts, _ = run(program, "compare", *more, FILE)
        assert verdicts.count(": identical\n") == 3 == \
            verdicts.count("\n"), verdicts
        for option in [[], ["--private-function-dynamic-ownership"]]:
            verdicts, _ = run(program, "compare", *more, *option, MIXED)
            assert verdicts.count(": identical\n") == 6 == \
                verdicts.count("\n"), verdicts
    if setup.asked.mlir_opt.endswith("NOTFOUND"):
        assert os.environ.get("CI") != "true", "there is no mlir-opt"
        print("not held against mlir-opt: there is none")
        return
    for file in [MIXED, FILE]:
        theirs, _ = run(setup.asked.mlir_opt, setup.dialects,
                        "--buffer-deallocation-pipeline", file)
        ours, _ = run(setup.lens, "ir", setup.dialects, "--stage", "final",
                      file)
        assert ours.strip() == theirs.strip(), (ours, theirs)
    # The judge knows the plugin's ops, and they are still there.
    expect(theirs, "loom.is_fresh", "loom.detach", "loom.next %5, %true")


def check_commands(setup):
    """Every command takes plugins."""
    out = setup.work / "out"
    out.mkdir()
    for name in ["a.html", "a.svg", "a.md", "a.json", "a.dot"]:
        more = ["--function", "take"] if name.endswith(("svg", "dot")) else []
        run(setup.lens, "export", setup.dialects, *more, FILE, "-o",
            out / name)
        text = (out / name).read_text()
        expect(text, "loom.lookup",
               "%detach&#95;found" if name == "a.md" else "%detach_found")
    expect((out / "a.html").read_text(),
           "loom.lookup handles its own deallocation (its process)")
    found, _ = run(setup.lens, "check", setup.dialects, FILE)
    expect(found, "@peek: no fault", "@take: no fault")
    known, _ = run(setup.lens, "scopes", setup.dialects, FILE)
    expect(known, "@peek")
    table, _ = run(setup.lens, "compare", setup.dialects,
                   "--pipelines=ownership", FILE)
    expect(table, "@take")
    changed, _ = run(setup.lens, "compare", setup.dialects, "--before", FILE,
                     "--after", FILE)
    assert changed


def check_passes(setup):
    """A pass of a plugin's, in front and inside of a pipeline."""
    lowered, _ = run(setup.lens, "ir", setup.dialects, setup.passes,
                     "--pre=loom-lower-alloc", "--stage=0", FILE)
    expect(lowered, "memref.alloc(")
    assert "loom.alloc" not in lowered, lowered
    own, _ = run(setup.own_lens, "ir", "--pre=loom-lower-alloc", "--stage=0",
                 FILE)
    assert own == lowered, (own, lowered)
    pipeline = "builtin.module(loom-lower-alloc,buffer-deallocation-pipeline)"
    traced, _ = run(setup.lens, "explain", setup.dialects, setup.passes,
                    f"--pipeline={pipeline}", FILE)
    expect(traced, "%own_found is the result of loom.is_fresh")
    _, said = run(setup.lens, "explain", setup.dialects,
                  f"--pipeline={pipeline}", FILE, status=2)
    expect(said, "loom-lower-alloc")


def check_attach(setup):
    """The project's opt makes the same with a trace of it, which is right."""
    stock = "buffer-deallocation-pipeline"
    for file in [FILE, MIXED]:
        for number, passes in enumerate([stock, "loom-lower-alloc," + stock]):
            pipeline = f"builtin.module({passes})"
            words = (setup.own_opt, file, f"--pass-pipeline={pipeline}")
            folder = setup.work / f"traces-{pathlib.Path(file).stem}-{number}"
            plain = run(*words)
            assert run(*words, f"--memref-lens-trace={folder}") == plain
            # Its own ops say who owns what, in our passes as in upstream's.
            lens = pipeline.replace(stock, "lens-" + stock)
            assert run(setup.own_opt, file,
                       f"--pass-pipeline={lens}") == plain, lens
            saved = next(folder.glob("*.trace.json"))
            trace = json.loads(saved.read_text())
            stages = trace["chunks"][0]["stages"]
            taken = ["taken"] * number
            assert [stage.pop("agreement") for stage in stages[1:]] == \
                taken + ["identical"] * 8, stages
            said, _ = run(setup.own_lens, "trace", file,
                          f"--pipeline={pipeline}")
            if not number:
                assert trace == json.loads(said), file
            expect(run(setup.own_lens, "explain", saved)[0], "deallocated at")


def check_broken(setup):
    """An interface less: what is missing is said, and with it all is well."""
    said, problems = run(setup.broken_lens, "explain", FILE)
    expect(said + problems,
           "@rounds (4:11): rejected",
           "nothing says how control enters and leaves the regions of "
           "loom.repeat",
           "implement RegionBranchOpInterface on 'loom.repeat'",
           # The others are not hidden by it.
           "%found (17:3): deallocated at the end of ^bb0")
    verdicts, _ = run(setup.broken_lens, "compare", FILE)
    expect(verdicts, "@rounds: rejected alike", "@peek: identical")
    mended, _ = run(setup.own_lens, "explain", FILE)
    assert "rejected" not in mended, mended


def check_server(command, what):
    client = Client([*map(str, command), "--crash-dir=off"],
                    {"textDocument": {"hover": {
                        "contentFormat": ["markdown"]}}})
    client.open(URI, TEXT)
    line = line_of("loom.lookup %key")
    hover = client.result("textDocument/hover", at(URI, line, 13))
    value = hover["contents"]["value"]
    expect(value, "`loom.lookup` handles its own deallocation",
           # MLIR's own server knows the op, too.
           '"loom.lookup"(')
    hints = client.result("textDocument/inlayHint", {
        "textDocument": {"uri": URI}, "range": {
            "start": {"line": 0, "character": 0},
            "end": {"line": TEXT.count("\n"), "character": 0}}})

    def label(hint):
        parts = hint["label"]
        return parts if isinstance(parts, str) else \
            "".join(part["value"] for part in parts)
    shown = {(hint["position"]["line"], label(hint).strip()) for hint in hints}
    peek = line_of("loom.lookup %key")
    assert any(at_line == peek and "owned if" in text
               for at_line, text in shown), shown
    loop = line_of("loom.next %next")
    assert any(at_line == loop for at_line, _ in shown), shown
    cfg = client.result("memrefLens/cfg", {
        "textDocument": {"uri": URI}, "function": "take", "format": "data"})
    picture = json.dumps(cfg["picture"], ensure_ascii=False)
    expect(picture, "loom.lookup", "%found to %detach_found",
           "%found if %own_found")
    loops = json.dumps(client.result("memrefLens/cfg", {
        "textDocument": {"uri": URI}, "function": "rounds",
        "format": "data"})["picture"], ensure_ascii=False)
    expect(loops, "loom.repeat", "%own_now: ownership of %now",
           # Only the dialect knows that it is a loop.
           "may repeat", "may be skipped")
    diagnostics = client.diagnostics(URI, 1, lambda found: True)
    assert not any(one.get("severity") == 1 for one in diagnostics), \
        (what, diagnostics)
    assert client.close() == 0


def check_servers(setup):
    check_server([setup.own_server], "the project's own")
    check_server([setup.server, setup.dialects, setup.passes], "plugin")
    for server, *more in [(setup.own_server,),
                          (setup.server, setup.dialects)]:
        said, problems = run(server, *more, "--check", FILE)
        assert "not found" not in said + problems, said + problems
    # A client's settings may name passes of the plugin.
    client = Client([str(setup.server), setup.dialects, setup.passes,
                     "--crash-dir=off"], options={"memrefLens": {
                         "pipeline": {"pre": "loom-lower-alloc"}}})
    client.open(URI, TEXT)
    stage = client.result("memrefLens/stageText", {
        "textDocument": {"uri": URI}, "stage": 0, "function": "rounds"})
    expect(stage["text"], "memref.alloc(")
    assert client.close() == 0


def library(setup, name, source):
    """A shared library of that source."""
    folder = setup.work / "bad"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.cpp").write_text(source)
    path = folder / f"{name}.so"
    run(setup.asked.cxx, "-shared", "-fPIC", "-o", path,
        folder / f"{name}.cpp")
    return path


ENTRY = """struct Info { unsigned version; const char *name, *number;
              void (*add)(void *); };
static void add(void *) {}
extern "C" Info mlirGetDialectPluginInfo() { return {%s, "p", "1", add}; }
"""


def bad_libraries(setup):
    """Each with what must be said of it."""
    folder = setup.work / "bad"
    folder.mkdir(exist_ok=True)
    text, cut = folder / "text.so", folder / "cut.so"
    text.write_text("not a library\n" * 400)
    cut.write_bytes(setup.plugin.read_bytes()[:8192])
    yield folder / "none.so", "no such file"
    yield "none.so", "cannot open shared object file"
    yield folder, "is a folder"
    yield text, "invalid ELF header"
    yield cut, "cannot load "
    yield library(setup, "empty", "int nothing;\n"), \
        "it has no function 'mlirGetDialectPluginInfo'"
    yield library(setup, "passes",
                  'extern "C" void mlirGetPassPluginInfo() {}\n'), \
        "name it with '--load-pass-plugin'"
    yield library(setup, "old", ENTRY % 77), "Wrong API version"
    yield library(setup, "unlinked", "void away();\n" + ENTRY % 1 +
                  "void use() { away(); }\n"), "undefined symbol"
    yield library(setup, "dies", "#include <cstdlib>\n"
                  "static int at = (std::abort(), 1);\n" + ENTRY % 1), \
        "loading it ended the process (Aborted)"
    yield library(setup, "ends", "#include <unistd.h>\n"
                  "static int at = (_exit(0), 1);\n" + ENTRY % 1), \
        "loading it ended the process (exit status 0)"


def check_bad(setup):
    """Status 2, the name, the cause and a remedy, from both programs."""
    for path, cause in bad_libraries(setup):
        for words in [(setup.lens, "explain", FILE), (setup.server,)]:
            said = run(*words, f"--load-dialect-plugin={path}", status=2)
            assert said[0] == "", said
            expect(said[1], "error: cannot load ", f"'{path}'", cause, "; ")
            assert said[1].count("\n") == 1, said
    _, said = run(setup.lens, "explain", FILE, "--load-pass-plugin", status=2)
    expect(said, "'--load-pass-plugin'", "shared library")
    # A file that is named like an option's value is only a file.
    run(setup.lens, "explain", "--", "--load-dialect-plugin=no.so", status=3)


def main():
    parser = argparse.ArgumentParser()
    for name in ["build", "work", "generator", "cxx", "launcher", "mlir-dir",
                 "mlir-opt"]:
        parser.add_argument("--" + name, default="")
    setup = Setup(parser.parse_args())
    for check in [check_words, check_trace, check_ir, check_commands,
                  check_passes, check_attach, check_broken, check_servers, check_bad]:
        check(setup)
        print(f"{check.__name__}: ok", flush=True)


if __name__ == "__main__":
    main()
