#!/usr/bin/env python3
"""The program between the steps of one-shot-bufferize, against mlir-opt.

run_copies.py [FILE...]

`ir --stage tensor-copies` is byte for byte what mlir-opt's own stop behind the copies on
tensors prints (test-tensor-copy-insertion; it has the default order of decisions only).
With the names of the source, mlir-opt reads the text and prints the same IR, no name of
the source denotes another value, and a saved trace has the same text. `compare` holds the
stage in its own child, under other orders, too.

A part of the programs on tensors is drawn; MEMREF_LENS_FULL=1 takes all.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import corpus  # noqa: E402
import sample  # noqa: E402

LENS = os.environ["MEMREF_LENS"]
VARIANTS = ["bufferize-function-boundaries",
            "bufferize-function-boundaries allow-return-allocs-from-loops"]
OWN = """func.func @f(%t: tensor<?xf32>, %c: tensor<4xf32>, %x: f32, %i: index)
    -> (tensor<?xf32>, f32, tensor<4xf32>) {
  %w = tensor.insert %x into %t[%i] : tensor<?xf32>
  %old = tensor.extract %t[%i] : tensor<?xf32>
  %copy_c = linalg.add ins(%c, %c : tensor<4xf32>, tensor<4xf32>)
      outs(%c : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.add ins(%copy_c, %c : tensor<4xf32>, tensor<4xf32>)
      outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %w, %old, %sum : tensor<?xf32>, f32, tensor<4xf32>
}
"""


def run(*words, text=None):
    return subprocess.run(list(map(str, words)), input=text, text=True,
                          capture_output=True, timeout=600)


def ours(path, options, *more):
    return run(LENS, "ir", f"--bufferize={options}", "--stage", "tensor-copies",
               "--allow-unregistered-dialect", *more, path)


def upstream(path, options, text=None):
    return run(corpus.tool("mlir-opt"), path, "--split-input-file",
               "--allow-unregistered-dialect", text=text,
               *([f"--test-tensor-copy-insertion={options}"] if options else []))


def rejects(path, options):
    return run(corpus.tool("mlir-opt"), path, "--split-input-file",
               "--allow-unregistered-dialect",
               f"--one-shot-bufferize={options}").returncode != 0


def definitions(text):
    """The op that defines each name, of names that occur once."""
    found = {}
    for name, op in re.findall(r"(?m)^\s*(%[\w$.-]+)(?::\d+)? = (\w+\.\w+)", text):
        found.setdefault(name, set()).add(op)
    return {name: ops.pop() for name, ops in found.items() if len(ops) == 1}


def faults_of(path, folder):
    """What is wrong, whether it was compared, and how many copies there were."""
    copies = 0
    for options in VARIANTS:
        wanted = upstream(path, options)
        made = ours(path, options)
        if wanted.returncode:
            # Of several functions of the file, those that are not at fault.
            if made.returncode == 0 and "alloc_tensor" in made.stdout:
                return [f"mlir-opt rejects it: {wanted.stderr[:200]}"], False, 0
            return [], False, 0
        if made.returncode and rejects(path, options):
            # What comes behind the copies fails, and so there is no program.
            return [], False, 0
        if made.stdout != wanted.stdout:
            return [f"{options}: another text than mlir-opt's: {made.stderr[:200]}"], \
                True, 0
        copies += wanted.stdout.count("bufferization.alloc_tensor")
    named = ours(path, VARIANTS[0], "--source-names").stdout
    # What the printer numbers has no letters in front in the source either.
    again = upstream("-", None, text=named)
    if again.stdout != upstream(path, VARIANTS[0]).stdout:
        return [f"with names it is another program: {again.stderr[:300]}"], True, 0
    source, there = definitions(pathlib.Path(path).read_text()), definitions(named)
    lies = [name for name, op in source.items()
            if name in there and there[name] not in (op, f"func.{op}")
            and there[name] in ("bufferization.alloc_tensor", "tensor.dim")]
    if lies:
        return [f"{lies[0]} is another value than in the source"], True, 0
    trace = pathlib.Path(folder) / f"{path.stem}.trace.json"
    run(LENS, "trace", f"--bufferize={VARIANTS[0]}", "--allow-unregistered-dialect", path,
        "-o", trace)
    saved = run(LENS, "ir", trace, "--stage", "tensor-copies", "--source-names")
    if saved.stdout != named:
        return [f"a saved trace has another text: {saved.stderr[:200]}"], True, 0
    return [], True, copies


def of_own(folder):
    path = pathlib.Path(folder) / "own.mlir"
    path.write_text(OWN)
    named = ours(path, VARIANTS[0], "--source-names").stdout
    for line in ("%copy_t = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>",
                 "%w = tensor.insert %x into %copy_t[%i] : tensor<?xf32>",
                 # A name of the source is not taken.
                 "%new_copy_c = bufferization.alloc_tensor() : tensor<4xf32>",
                 "outs(%new_copy_c : tensor<4xf32>) -> tensor<4xf32>"):
        if line not in named:
            yield f"no line {line!r} in\n{named}"
    # As a stage of a pipeline.
    passes = f"builtin.module(one-shot-bufferize{{{VARIANTS[0]}}},cse)"
    piped = run(LENS, "ir", f"--pipeline={passes}", "--stage", "tensor-copies", path)
    if piped.stdout != ours(path, VARIANTS[0]).stdout:
        yield f"another text in a pipeline: {piped.stderr}\n{piped.stdout}"
    for options in ("", "analysis-heuristic=top-down", "analysis-heuristic=fuzzer",
                    "copy-before-write", "no-analysis-func-filter=f"):
        held = run(LENS, "compare", f"--bufferize={options}", path)
        if held.returncode or "identical" not in held.stdout:
            yield f"compare, {options}: {held.stdout}{held.stderr}"
    # No such step without bufferization, and none without an analysis.
    plain = run(LENS, "ir", path, "--stage", "tensor-copies")
    if plain.returncode != 2 or "add '--bufferize'" not in plain.stderr:
        yield f"without --bufferize: {plain.returncode}, {plain.stderr}"
    yield from of_exports(path, folder)


def of_exports(path, folder):
    """Pictures of the stage, and the stage in a report, from a program and a trace."""
    trace = pathlib.Path(folder) / "own.trace.json"
    run(LENS, "trace", "--bufferize", path, "-o", trace)
    for source in ([path, "--bufferize"], [trace]):
        for stage, both in (("tensor-copies", False), ("tensor-copies..0", True)):
            drawn = run(LENS, "export", *source, "--function", "f", "--stage", stage,
                        "--format", "svg").stdout
            if ("bufferization.alloc_tensor" not in drawn
                    or ("memref.alloc" in drawn) != both
                    or "the tensor copies, between the steps" not in drawn):
                yield f"export {source}, {stage}: {drawn[:600]}"
        page = run(LENS, "export", *source, "--no-try", "--format", "html").stdout
        copies = re.search(r'"copies":(\[.*?\])', page)
        if not copies or "bufferization.alloc_tensor() copy(%t)" not in copies[1]:
            yield f"the report of {source} has no stage of copies on tensors"
    for words, wanted in (([path], "add '--bufferize'"),
                          ([path, "--bufferize", "--function", "gone"], "gone")):
        plain = run(LENS, "export", *words, "--stage", "tensor-copies", "--format", "svg")
        if plain.returncode != 2 or wanted not in plain.stderr:
            yield f"export {words}: {plain.returncode}, {plain.stderr}"


def main():
    files = [pathlib.Path(name) for name in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        faults = [] if files else [*of_own(folder)]
        files = files or sample.part(
            [path for path in sorted(corpus.tensors().rglob("*.mlir"))
             if path.stat().st_size < (1 << 20 if sample.FULL else 60_000)], 6)
        compared = copies = 0
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            work = [pool.submit(faults_of, path, folder) for path in files]
            for path, one in zip(files, work):
                wrong, was, made = one.result()
                compared += was
                copies += made
                faults += [f"{path.name}: {fault}" for fault in wrong]
    print("\n".join(faults[:40]))
    print(f"{compared} of {len(files)} programs compared, with {copies} new tensors; "
          f"{len(faults)} faults")
    return 1 if faults or compared < min(len(files), 5) or not copies else 0


if __name__ == "__main__":
    sys.exit(main())
