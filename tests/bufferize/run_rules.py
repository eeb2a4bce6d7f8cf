#!/usr/bin/env python3
"""Programs that bufferization rejects or makes something else of, and what is said.

run_rules.py

Rejections: mlir-opt has to say the same, and each has advice of its own. Statements of
`bufferization.access`: a program is executed with and without them, and the finding has
to be there if, and only if, the results differ. The other rules by what mlir-opt leaves:
a dense memref, tensors, a view of a larger allocation, one buffer for all threads. And a
remedy that changes what a program computes, by running it, helps nobody.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "random"))
import corpus  # noqa: E402
import run_execute  # noqa: E402

LENS = os.environ["MEMREF_LENS"]
FOLDER = tempfile.TemporaryDirectory()


def run(*words, text=None):
    return subprocess.run(list(map(str, words)), input=text, text=True,
                          capture_output=True, timeout=120, check=False)


def check(program, options="", *more):
    path = pathlib.Path(FOLDER.name) / "program.mlir"
    path.write_text(program)
    flag = "--bufferize" + (f"={options}" if options else "")
    done = run(LENS, "check", "--no-try", "--format=json", flag, *more, path)
    assert done.returncode in (0, 1, 3), done.stderr
    return [one for report in json.loads(done.stdout)["files"]
            for one in report["findings"]]


def bufferized(program, options=""):
    done = run(corpus.tool("mlir-opt"), "-", text=program, *[
        "--one-shot-bufferize=bufferize-function-boundaries " + options,
        "--cse", "--canonicalize"])
    return done.stdout, done.stderr


SPACES = """  %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %b = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
"""
REJECTED = {
    "is not equivalent to the corresponding iter bbArg": ("outs on the iter_arg", """
func.func @f(%t: tensor<4xf32>, %n: index, %x: f32, %i: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %t) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %new = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %new : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}"""),
    "to_tensor ops without `restrict`": ("write 'restrict' on it", """
func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %x : f32
}"""),
    "op was not bufferized": ("lower the op before", """
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = tosa.abs %t : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}"""),
    "inconsistent memory space on true/false operands": ("memory space of the other", f"""
func.func @f(%c: i1, %i: index) -> f32 {{
{SPACES}  %s = arith.select %c, %a, %b : tensor<4xf32>
  %x = tensor.extract %s[%i] : tensor<4xf32>
  return %x : f32
}}"""),
    "inconsistent memory space on then/else branches": ("memory space of the other", f"""
func.func @f(%c: i1, %i: index) -> f32 {{
{SPACES}  %s = scf.if %c -> tensor<4xf32> {{
    scf.yield %a : tensor<4xf32>
  }} else {{
    scf.yield %b : tensor<4xf32>
  }}
  %x = tensor.extract %s[%i] : tensor<4xf32>
  return %x : f32
}}"""),
    "inconsistent memory space on switch cases": ("memory space of the other", f"""
func.func @f(%c: index, %i: index) -> f32 {{
{SPACES}  %s = scf.index_switch %c -> tensor<4xf32>
  case 0 {{
    scf.yield %a : tensor<4xf32>
  }}
  default {{
    scf.yield %b : tensor<4xf32>
  }}
  %x = tensor.extract %s[%i] : tensor<4xf32>
  return %x : f32
}}"""),
    "op without unique scf.yield": ("branch to one that has the only scf.yield", """
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %r = scf.execute_region -> tensor<4xf32> {
    cf.cond_br %c, ^a, ^b
  ^a:
    scf.yield %t : tensor<4xf32>
  ^b:
    scf.yield %u : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}"""),
    "cannot bufferize func.func without func.return": ("end the function with", """
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  llvm.unreachable
}"""),
}


def checkRejections():
    for message, (advice, program) in REJECTED.items():
        _, errors = bufferized(program)
        assert message in errors, (message, errors)
        found = [one for one in check(program) if message in one["message"]]
        assert len(found) == 1, (message, found)
        told = json.dumps(found[0]["remedies"])
        assert advice in told, (message, told)


ACCESS = """
func.func private @g(%t: tensor<4xf32>{stated}, %x: f32, %i: index) -> f32 {{
{body}  return %y : f32
}}
func.func @main() {{
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %i = arith.constant 2 : index
  %e = tensor.empty() : tensor<4xf32>
  %t = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = call @g(%t, %one, %i) : (tensor<4xf32>, f32, index) -> f32
  %old = tensor.extract %t[%i] : tensor<4xf32>
  vector.print %y : f32
  vector.print %old : f32
  return
}}
"""
WRITES = """  %new = tensor.insert %x into %t[%i] : tensor<4xf32>
  %y = tensor.extract %new[%i] : tensor<4xf32>
"""
READS = """  %y = tensor.extract %t[%i] : tensor<4xf32>
"""


def executed(program, *before):
    lowered = run(corpus.tool("mlir-opt"), "-", text=program, *before, *[
        "--one-shot-bufferize=bufferize-function-boundaries",
        "--buffer-deallocation-pipeline", "--convert-bufferization-to-memref",
        "--convert-linalg-to-loops",
        "--convert-vector-to-llvm", "--expand-strided-metadata",
        "--convert-scf-to-cf", "--lower-affine", "--convert-arith-to-llvm",
        "--convert-index-to-llvm", "--finalize-memref-to-llvm",
        "--convert-func-to-llvm", "--convert-cf-to-llvm",
        "--reconcile-unrealized-casts"])
    assert lowered.returncode == 0, lowered.stderr
    done = run(*run_execute.runner(), text=lowered.stdout)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def checkAccess():
    differ = 0
    for body in (WRITES, READS):
        right = executed(ACCESS.format(stated="", body=body))
        for stated in ("read", "read-write"):
            program = ACCESS.format(
                stated=f' {{bufferization.access = "{stated}"}}', body=body)
            is_wrong = executed(program) != right
            found = [one for one in check(program)
                     if one["rule"] == "access-contradicted"]
            assert bool(found) == is_wrong, (stated, body, found)
            differ += is_wrong
    assert differ == 1, differ


DENSE = """
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @f(%a: tensor<8x8xf32, #CSR>, %i: index) -> f32 {
  %x = tensor.extract %a[%i, %i] : tensor<8x8xf32, #CSR>
  return %x : f32
}"""
NESTED = """
module {
  module @inner {
    func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
      %x = tensor.extract %t[%i] : tensor<4xf32>
      return %x : f32
    }
  }
}"""
PART = """
func.func @f(%a: tensor<64x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %x = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>)
      -> tensor<64x64xf32>
  %part = tensor.extract_slice %x[0, 0] [8, 64] [1, 1]
      : tensor<64x64xf32> to tensor<8x64xf32>
  return %part : tensor<8x64xf32>
}"""
THREADS = """
func.func @f(%t: tensor<64xf32>) -> tensor<64xf32> {
  %scratch = tensor.empty() : tensor<1xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %t) -> tensor<64xf32> {
    %in = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %x = linalg.exp ins(%in : tensor<1xf32>) outs(%scratch : tensor<1xf32>)
        -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1]
          : tensor<1xf32> into tensor<64xf32>
    }
  }
  return %r : tensor<64xf32>
}"""


def rules(program, options=""):
    return {one["rule"]: one["message"] for one in check(program, options)}


def checkOthers():
    assert "sparse" not in bufferized(DENSE)[0]
    assert "%a has a sparse encoding, and becomes a dense buffer" in rules(DENSE)[
        "made-dense"]

    assert "tensor.extract" in bufferized(NESTED)[0]
    assert "@f keeps its tensors" in rules(NESTED)["tensor-left"]

    code = bufferized(PART)[0]
    assert re.search(r"memref\.alloc\(\).*memref<64x64xf32>", code), code
    assert re.search(r"return .*memref<8x64xf32", code), code
    assert "2 KiB, keeps its whole buffer, 16 KiB" in rules(PART)["part-keeps-buffer"]

    for options, is_shared in (("", False), ("check-parallel-regions=0", True)):
        code = bufferized(THREADS, options)[0]
        before, inside = code.split("scf.forall", 1)
        assert ("memref.alloc" in before, "memref.alloc" in inside) == (
            is_shared, not is_shared), code
        assert ("shared-by-threads" in rules(THREADS, options)) == is_shared


TWICE = """
func.func private @two(%x: f32, %t: tensor<8xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %g = tensor.empty() : tensor<4xf32>
  %h = linalg.fill ins(%x : f32) outs(%g : tensor<4xf32>) -> tensor<4xf32>
  %k = tensor.empty() : tensor<4xf32>
  %y = linalg.add ins(%f, %f : tensor<4xf32>, tensor<4xf32>)
      outs(%k : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %y into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %f, %h, %r : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}
func.func @main() {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %i = arith.constant 2 : index
  %e = tensor.empty() : tensor<8xf32>
  %t = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r:3 = call @two(%zero, %t)
      : (f32, tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>)
  %new = tensor.insert %one into %r#1[%i] : tensor<4xf32>
  %old = tensor.extract %r#0[%i] : tensor<4xf32>
  %now = tensor.extract %new[%i] : tensor<4xf32>
  %part = tensor.extract %r#2[%i] : tensor<8xf32>
  vector.print %old : f32
  vector.print %now : f32
  vector.print %part : f32
  return
}
"""


def checkHarmful():
    """A remedy after which two results are one buffer changes what is computed."""
    passes = ("--eliminate-empty-tensors", "--cse")
    assert executed(TWICE) != executed(TWICE, *passes)
    path = pathlib.Path(FOLDER.name) / "twice.mlir"
    path.write_text(TWICE)
    done = run(LENS, "check", "--format=json", "--bufferize", path)
    tried = {one["remedy"].split(" ")[0]: one
             for report in json.loads(done.stdout)["files"]
             for finding in report["findings"] for one in finding["tried"]}
    harmful = tried["eliminate-empty-tensors,cse"]
    assert not harmful["helps"] and "@two is unsound" in harmful["outcome"], harmful
    assert tried["eliminate-empty-tensors"]["helps"], tried


for case in (checkRejections, checkAccess, checkOthers, checkHarmful):
    case()
    print(f"{case.__name__}: ok")
