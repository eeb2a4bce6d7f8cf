#!/usr/bin/env python3
"""Programs that bufferization rejects or makes something else of, and what is said.

run_rules.py PASS_PLUGIN

Rejections: mlir-opt has to say the same, and each has advice of its own. Statements of
`bufferization.access`: a program is executed with and without them, and the finding has
to be there if, and only if, the results differ. The other rules by what mlir-opt leaves:
a dense memref, tensors, a view of a larger allocation, one buffer for all threads.
Tensors that calls and loops make one buffer: the finding has to be there if, and only
if, a program gives something else than with copy-before-write. And a remedy that changes
what a program computes, by running it, helps nobody.
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
    "'memref.alloc' op incorrect number of dynamic sizes": ("tensor.cast behind the call", """
func.func private @same(%t: tensor<8xf32>) -> tensor<?xf32> {
  %open = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  return %open : tensor<?xf32>
}
func.func @f(%t: tensor<8xf32>, %x: f32, %i: index) -> (f32, f32) {
  %same = call @same(%t) : (tensor<8xf32>) -> tensor<?xf32>
  %new = tensor.insert %x into %same[%i] : tensor<?xf32>
  %now = tensor.extract %new[%i] : tensor<?xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  return %now, %old : f32, f32
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
    message = check(REJECTED["op was not bufferized"][1])[0]["message"]
    assert message == "'tosa.abs' op was not bufferized", message


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


def executed(program, *before, more="", after=""):
    done = ended(program, *before, more=more, after=after)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def ended(program, *before, more="", after=""):
    lowered = run(corpus.tool("mlir-opt"), "-", text=program, *before, *[
        "--one-shot-bufferize=bufferize-function-boundaries" + more,
        "--buffer-deallocation-pipeline" + after, "--convert-bufferization-to-memref",
        "--convert-linalg-to-loops",
        "--convert-vector-to-llvm", "--expand-strided-metadata",
        "--convert-scf-to-cf", "--lower-affine", "--convert-arith-to-llvm",
        "--convert-index-to-llvm", "--finalize-memref-to-llvm",
        "--convert-func-to-llvm", "--convert-cf-to-llvm",
        "--reconcile-unrealized-casts"])
    assert lowered.returncode == 0, lowered.stderr
    return run(*run_execute.runner(), text=lowered.stdout)


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


LOOPS = " allow-return-allocs-from-loops"
T = "tensor<4xf32>"
#: %t is of 1.0, %u of 3.0; results are printed at %i.
DRIVER = f"""
func.func @main() {{{{
  %zero = arith.constant 0 : index
  %i = arith.constant 2 : index
  %n = arith.constant 3 : index
  %x = arith.constant 1.0 : f32
  %y = arith.constant 3.0 : f32
  %z = arith.constant 5.0 : f32
  %step = arith.constant 1 : index
  %true = arith.constant true
  %e0 = tensor.empty() : {T}
  %t = linalg.fill ins(%x : f32) outs(%e0 : {T}) -> {T}
  %e1 = tensor.empty() : {T}
  %u = linalg.fill ins(%y : f32) outs(%e1 : {T}) -> {T}
{{body}}  return
}}}}
"""
TWO = f"""
func.func private @two(%x: f32) -> ({T}, {T}) {{
  %e = tensor.empty() : {T}
  %f = linalg.fill ins(%x : f32) outs(%e : {T}) -> {T}
  return %f, %f : {T}, {T}
}}
"""
CALL = f"  %r:2 = call @two(%x) : (f32) -> ({T}, {T})\n"
WRITE = f"  %new = tensor.insert %z into %r#1[%i] : {T}\n"
READ = f"  %old = tensor.extract %r#0[%i] : {T}\n"
SHOW = f"""  %now = tensor.extract %new[%i] : {T}
  vector.print %old : f32
  vector.print %now : f32
"""


def looped(before, passed, after, yielded, behind):
    """Of scf.while over %a and %b, then %c and %d, with a sum; then `behind`."""
    return DRIVER.format(body=f"""
  %r:4 = scf.while (%a = %t, %b = %u, %s = %x, %k = %zero)
      : ({T}, {T}, f32, index) -> ({T}, {T}, f32, index) {{
{before}    %again = arith.cmpi slt, %k, %n : index
    scf.condition(%again) {passed}, %k : {T}, {T}, f32, index
  }} do {{
  ^bb0(%c: {T}, %d: {T}, %q: f32, %k: index):
{after}    %next = arith.addi %k, %step : index
    scf.yield {yielded}, %q, %next : {T}, {T}, f32, index
  }}
{behind}  vector.print %r#2 : f32
""")


def counted(body, yielded):
    """Of scf.for over %a and %b, with a sum."""
    return DRIVER.format(body=f"""
  %r:3 = scf.for %k = %zero to %n step %step iter_args(%a = %t, %b = %u, %s = %x)
      -> ({T}, {T}, f32) {{
{body}    scf.yield {yielded}, %sum : {T}, {T}, f32
  }}
  vector.print %r#2 : f32
""")


MADE = f"""    %e = tensor.empty() : {T}
    %made = linalg.fill ins(%x : f32) outs(%e : {T}) -> {T}
"""
INSERT = f"    %w = tensor.insert %z into %a[%i] : {T}\n"
ADD = f"""    %one = tensor.extract %b[%i] : {T}
    %sum = arith.addf %s, %one : f32
"""
OUTER = f"""  %last = tensor.extract %t[%i] : {T}
  vector.print %last : f32
"""
RESULTS, LOOP = "results-share-buffer", "loop-shares-buffer"
SHARED = {
    # What the program is, the rule that is to find it, the program.
    "one tensor twice": (RESULTS, TWO + DRIVER.format(
        body=CALL + WRITE + READ + SHOW)),
    "nobody writes": (None, TWO + DRIVER.format(
        body=CALL + READ + "  vector.print %old : f32\n")),
    "nobody reads after the write": (None, TWO + DRIVER.format(
        body=CALL + READ + WRITE + SHOW)),
    "two tensors": (None, TWO.replace("return %f, %f", f"""%g = tensor.empty() : {T}
  %h = linalg.fill ins(%x : f32) outs(%g : {T}) -> {T}
  return %f, %h""") + DRIVER.format(body=CALL + WRITE + READ + SHOW)),
    "branches that exclude each other": (None, TWO + DRIVER.format(body=CALL + f"""
  %old = scf.if %true -> f32 {{
  {WRITE}    %now = tensor.extract %new[%i] : {T}
    scf.yield %now : f32
  }} else {{
  {READ}    scf.yield %old : f32
  }}
  vector.print %old : f32
""")),
    "by a function between": (RESULTS, TWO + f"""
func.func private @through(%x: f32) -> ({T}, {T}) {{
{CALL}  return %r#1, %r#0 : {T}, {T}
}}
""" + DRIVER.format(body=CALL.replace("@two", "@through") + WRITE + READ + SHOW)),
    "written behind a call that gives back its argument": (RESULTS, TWO + f"""
func.func private @same(%t: {T}) -> {T} {{
  return %t : {T}
}}
""" + DRIVER.format(body=CALL + f"  %same = call @same(%r#1) : ({T}) -> {T}\n"
                    + WRITE.replace("%r#1", "%same") + READ + SHOW)),
    "read by the caller's caller": (RESULTS, TWO + f"""
func.func private @through(%x: f32, %z: f32, %i: index) -> ({T}, {T}) {{
{CALL}{WRITE}  return %r#0, %new : {T}, {T}
}}
""" + DRIVER.format(body=f"""
  %r:2 = call @through(%x, %z, %i) : (f32, f32, index) -> ({T}, {T})
{READ}  vector.print %old : f32
""")),
    "an argument twice, copied before the call": (RESULTS, f"""
func.func private @two(%t: {T}, %x: f32, %i: index) -> ({T}, {T}) {{
  %f = tensor.insert %x into %t[%i] : {T}
  return %f, %f : {T}, {T}
}}
""" + DRIVER.format(body=f"""
  %r:2 = call @two(%t, %y, %i) : ({T}, f32, index) -> ({T}, {T})
{WRITE}{READ}{SHOW}{OUTER}""")),
    "scf.for yields one twice": (LOOP, counted(INSERT + ADD + MADE, "%made, %made")),
    "the read is first": (None, counted(ADD + INSERT + MADE, "%made, %made")),
    "scf.for yields two": (None, counted(
        INSERT + ADD + MADE + MADE.replace("%made", "%other").replace("%e", "%g"),
        "%made, %other")),
    "scf.for yields one for both": (None, counted(INSERT + ADD, "%a, %a")),
    "scf.while yields from outside": (LOOP, looped(
        INSERT, "%w, %b, %s", "", "%t, %d", OUTER)),
    "scf.while writes after it passed on": (None, looped(
        "", "%a, %b, %s", INSERT.replace("%a", "%c"), "%w, %d", OUTER)),
    "nobody needs what was yielded": (None, looped(
        f"    %w = linalg.fill ins(%z : f32) outs(%a : {T}) -> {T}\n",
        "%w, %b, %s", "", "%t, %d", "")),
    "scf.while yields one twice": (LOOP, looped(
        INSERT + ADD, "%w, %b, %sum", MADE, "%made, %made", "")),
    "scf.while yields one argument for both": (LOOP, looped(
        INSERT.replace("%w", "%v").replace("%z", "%s")
        + INSERT.replace("into %a", "into %v") + ADD,
        "%w, %b, %sum", INSERT.replace("%a", "%c").replace("%z", "%y"),
        "%w, %w", "")),
}


def tried(program, options):
    """The remedies of its findings that were tried, by their first word."""
    path = pathlib.Path(FOLDER.name) / "tried.mlir"
    path.write_text(program)
    done = run(LENS, "check", "--format=json", "--bufferize" + options, path)
    return {re.sub(".*(lens-[a-z-]+).*", r"\1", one["remedy"].split(" before ")[0]): one
            for report in json.loads(done.stdout)["files"]
            for finding in report["findings"] for one in finding["tried"]}


def checkShared():
    options = "=bufferize-function-boundaries=1" + LOOPS + "=1"
    copy = (corpus.tool("mlir-opt"), "-", f"--load-pass-plugin={sys.argv[1]}",
            "--pass-pipeline=builtin.module(lens-copy-shared)")
    # Else the ownership pass clones an argument that is returned, which hides one case.
    after = "=private-function-dynamic-ownership"
    differ = 0
    for name, (rule, program) in SHARED.items():
        right = executed(program, more=LOOPS + " copy-before-write", after=after)
        is_wrong = executed(program, more=LOOPS, after=after) != right
        assert is_wrong == bool(rule), (name, right)
        found = {one["rule"] for one in check(program, options[1:])
                 if one["severity"] == "error"}
        # That the clones hide it in one case is a fault of its own.
        assert found - {"lost-write"} == ({rule} if rule else set()), (name, found)
        copied = run(*copy, text=program)
        assert copied.returncode == 0, copied.stderr
        assert executed(copied.stdout, more=LOOPS, after=after) == right, name
        if rule:
            one = tried(program, options)["lens-copy-shared"]
            assert one["helps"], (name, one)
            assert any(change["what"] == "overwritten tensors" and change["after"] == 0
                       for change in one["changes"]), (name, one)
            differ += 1
        else:
            done = run(corpus.tool("mlir-opt"), "-", text=program)
            assert copied.stdout == done.stdout, name
    assert differ == 9, differ
    outer = {one["rule"]: one["message"] for one in check(
        SHARED["scf.while yields from outside"][1], options[1:])}
    assert "yielded in the place of %t, which" in outer["copy-per-iteration"], outer


TABLE = f"""
func.func private @table() -> {T} {{
  %table = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : {T}
  return %table : {T}
}}
"""
FILLED = f"""
func.func private @table() -> {T} {{
  %x = arith.constant 2.0 : f32
  %e = tensor.empty() : {T}
  %f = linalg.fill ins(%x : f32) outs(%e : {T}) -> {T}
  return %f : {T}
}}
"""
GIVEN = f"  %r = call @table() : () -> {T}\n"
PUT = f"""  %new = tensor.insert %z into %r[%i] : {T}
  %now = tensor.extract %new[%i] : {T}
  vector.print %now : f32
"""
GOT = f"""  %old = tensor.extract %r[%i] : {T}
  vector.print %old : f32
"""
READ_ONLY = f"""
memref.global "private" @kept : memref<4xf32> = dense<1.0>
func.func private @table() -> {T} {{{{
  %m = memref.get_global @kept : memref<4xf32>
  %table = bufferization.to_tensor %m restrict{{writable}} : memref<4xf32> to {T}
  return %table : {T}
}}}}
"""
KEPT = """  %m = memref.get_global @kept : memref<4xf32>
  %last = memref.load %m[%i] : memref<4xf32>
  vector.print %last : f32
"""
CONSTANTS = {
    # What the program is, whether it writes what must not be written, the program.
    "a call returns it": (True, TABLE + DRIVER.format(body=GIVEN + PUT)),
    "nobody writes": (False, TABLE + DRIVER.format(body=GIVEN + GOT)),
    "a call returns a fill": (False, FILLED + DRIVER.format(body=GIVEN + PUT)),
    "it is written where it is made": (False, DRIVER.format(body=f"""
  %r = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : {T}
""" + PUT)),
    "by a function between": (True, TABLE + f"""
func.func private @through() -> {T} {{
{GIVEN}  return %r : {T}
}}
""" + DRIVER.format(body=GIVEN.replace("@table", "@through") + PUT)),
    "another function writes": (True, TABLE + f"""
func.func private @write(%r: {T}, %z: f32, %i: index) {{
{PUT}  return
}}
""" + DRIVER.format(body=GIVEN + f"  call @write(%r, %z, %i) : ({T}, f32, index) -> ()\n")),
    "another function reads": (False, TABLE + f"""
func.func private @read(%r: {T}, %i: index) {{
{GOT}  return
}}
""" + DRIVER.format(body=GIVEN + f"  call @read(%r, %i) : ({T}, index) -> ()\n")),
    "a branch of scf.if": (True, TABLE + DRIVER.format(body=f"""
  %r = scf.if %true -> {T} {{
{GIVEN.replace("%r = ", "%q = func.")}    scf.yield %q : {T}
  }} else {{
    scf.yield %t : {T}
  }}
""" + PUT)),
    "scf.for yields it": (True, DRIVER.format(body=f"""
  %r = scf.for %k = %zero to %n step %step iter_args(%a = %t) -> {T} {{
    %table = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : {T}
    scf.yield %table : {T}
  }}
""" + PUT)),
    "scf.while yields it": (True, looped(INSERT, "%w, %b, %s", f"""
    %table = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : {T}
""", "%table, %d", "")),
    "memory that is not writable": (True, READ_ONLY.format(writable="") + DRIVER.format(
        body=GIVEN + PUT + KEPT)),
    "memory that is writable": (False, READ_ONLY.format(
        writable=" writable") + DRIVER.format(body=GIVEN + PUT + KEPT)),
}


def checkConstants():
    """Writes into what must not be written: the program dies, or has another result."""
    options = "=bufferize-function-boundaries=1" + LOOPS + "=1"
    copy = (corpus.tool("mlir-opt"), "-", f"--load-pass-plugin={sys.argv[1]}",
            "--pass-pipeline=builtin.module(lens-copy-shared)")
    # Else the ownership pass clones what is returned, which hides it.
    after = "=private-function-dynamic-ownership"
    for name, (isWritten, program) in CONSTANTS.items():
        plain = ended(program, more=LOOPS, after=after)
        copied = run(*copy, text=program)
        assert copied.returncode == 0, copied.stderr
        mended = executed(copied.stdout, more=LOOPS, after=after)
        if isWritten:
            assert plain.returncode or plain.stdout.split() != mended, name
        else:
            assert plain.returncode == 0, (name, plain.stderr)
            done = run(corpus.tool("mlir-opt"), "-", text=program)
            assert copied.stdout == done.stdout, name
        found = [one for one in check(program, options[1:])
                 if one["rule"] == "constant-overwritten"]
        assert len(found) == isWritten, (name, found)
        if isWritten:
            one = tried(program, options)["lens-copy-shared"]
            assert one["helps"], (name, one)


WRITABLE = f"""
func.func private @f(%t: {T} {{{{bufferization.writable = false}}}}, %x: f32, %i: index)
    -> f32 {{{{
  %new = tensor.insert %x into %t[%i] : {T}
  %y = tensor.extract %new[%i] : {T}
  return %y : f32
}}}}
func.func @main() {{{{
  %i = arith.constant 2 : index
  %x = arith.constant 1.0 : f32
  %y = arith.constant 3.0 : f32
  %e = tensor.empty() : {T}
  %t = linalg.fill ins(%x : f32) outs(%e : {T}) -> {T}
  %r = call @f(%t, %y, %i) : ({T}, f32, index) -> f32
  vector.print %r : f32
{{read}}  return
}}}}
"""
#: What the remedy is, whether it helps, the program.
EDITS = {
    "the caller needs it no more": (
        "lens-writable-arguments", True, WRITABLE.format(read="")),
    "the caller reads it": (
        "lens-writable-arguments", False, WRITABLE.format(read=OUTER)),
    "a new tensor in each iteration": (
        "lens-yield-in-place,eliminate-empty-tensors", True,
        counted(INSERT + ADD + MADE, "%made, %b")),
}


EDITS["two tensors change places, an odd number of times"] = (
    "lens-unroll-crossed", True, DRIVER.format(body=f"""
  %r:2 = scf.for %k = %zero to %n step %step iter_args(%a = %t, %b = %u)
      -> ({T}, {T}) {{
    %sum = linalg.add ins(%a, %b : {T}, {T}) outs(%b : {T}) -> {T}
    scf.yield %sum, %a : {T}, {T}
  }}
  %one = tensor.extract %r#0[%i] : {T}
  %other = tensor.extract %r#1[%i] : {T}
  vector.print %one : f32
  vector.print %other : f32
"""))
EDITS["a number of times that is not known"] = (
    "lens-unroll-crossed", True, f"""
func.func private @swap(%t: {T}, %u: {T}, %from: index, %to: index, %by: index)
    -> ({T}, {T}) {{
  %r:2 = scf.for %k = %from to %to step %by iter_args(%a = %t, %b = %u) -> ({T}, {T}) {{
    %sum = linalg.add ins(%a, %b : {T}, {T}) outs(%b : {T}) -> {T}
    scf.yield %sum, %a : {T}, {T}
  }}
  return %r#0, %r#1 : {T}, {T}
}}
""" + DRIVER.format(body="".join(f"""
  %from{at} = arith.constant {first} : index
  %to{at} = arith.constant {last} : index
  %by{at} = arith.constant {by} : index
  %r{at}:2 = call @swap(%t, %u, %from{at}, %to{at}, %by{at})
      : ({T}, {T}, index, index, index) -> ({T}, {T})
  %one{at} = tensor.extract %r{at}#0[%i] : {T}
  %other{at} = tensor.extract %r{at}#1[%i] : {T}
  vector.print %one{at} : f32
  vector.print %other{at} : f32
""" for at, (first, last, by) in enumerate(
        ((0, 0, 1), (0, 1, 1), (0, 2, 1), (0, 3, 1), (4, 1, 3), (0, -5, 3), (0, -7, 2),
         (-3, 8, 5), (2, 12, 3))))))
EDITS["a slice goes back into a later value"] = (
    "lens-slice-from-destination", True, DRIVER.format(body=f"""
  %s = tensor.extract_slice %t[0] [2] [1] : {T} to tensor<2xf32>
  %w = linalg.add ins(%s, %s : tensor<2xf32>, tensor<2xf32>)
      outs(%s : tensor<2xf32>) -> tensor<2xf32>
  %v = tensor.insert %z into %t[%n] : {T}
  %r = tensor.insert_slice %w into %v[0] [2] [1] : tensor<2xf32> into {T}
  %one = tensor.extract %r[%zero] : {T}
  %other = tensor.extract %r[%n] : {T}
  vector.print %one : f32
  vector.print %other : f32
"""))
MADE_THERE = f"""
func.func private @made(%x: f32) -> {T} {{
  %e = tensor.empty() : {T}
  %f = linalg.fill ins(%x : f32) outs(%e : {T}) -> {T}
  return %f : {T}
}}
"""
EDITS["a function computes what its caller puts into a slice"] = (
    "lens-destination-arguments", True, MADE_THERE + DRIVER.format(body=f"""
  %big = tensor.empty() : tensor<8xf32>
  %whole = linalg.fill ins(%y : f32) outs(%big : tensor<8xf32>) -> tensor<8xf32>
  %made = call @made(%z) : (f32) -> {T}
  %r = tensor.insert_slice %made into %whole[4] [4] [1] : {T} into tensor<8xf32>
  %four = arith.constant 4 : index
  %one = tensor.extract %r[%i] : tensor<8xf32>
  %other = tensor.extract %r[%four] : tensor<8xf32>
  vector.print %one : f32
  vector.print %other : f32
"""))
KEPT_CONSTANT = """
memref.global "private" constant @kept : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
"""
EDITS["a memref of an argument is only read"] = (
    "lens-read-only-buffers", True, KEPT_CONSTANT + f"""
func.func private @read(%t: {T}, %i: index) -> f32 {{
  %m = bufferization.to_buffer %t : {T} to memref<4xf32, strided<[?], offset: ?>>
  %part = memref.subview %m[%i] [1] [1]
      : memref<4xf32, strided<[?], offset: ?>> to memref<1xf32, strided<[?], offset: ?>>
  %zero = arith.constant 0 : index
  %old = memref.load %part[%zero] : memref<1xf32, strided<[?], offset: ?>>
  return %old : f32
}}
""" + DRIVER.format(body=f"""
  %m = memref.get_global @kept : memref<4xf32>
  %table = bufferization.to_tensor %m restrict : memref<4xf32> to {T}
  %old = call @read(%table, %i) : ({T}, index) -> f32
  vector.print %old : f32
"""))
#: Changes that have to be none: what each pass leaves as it is.
KEPT_AS_IS = {
    "the slice is written between": ("lens-slice-from-destination", DRIVER.format(body=f"""
  %s = tensor.extract_slice %t[0] [2] [1] : {T} to tensor<2xf32>
  %w = linalg.add ins(%s, %s : tensor<2xf32>, tensor<2xf32>)
      outs(%s : tensor<2xf32>) -> tensor<2xf32>
  %v = tensor.insert %z into %t[%step] : {T}
  %r = tensor.insert_slice %w into %v[0] [2] [1] : tensor<2xf32> into {T}
  %one = tensor.extract %r[%zero] : {T}
  vector.print %one : f32
""")),
    "it is not known where": ("lens-slice-from-destination", DRIVER.format(body=f"""
  %at = arith.muli %i, %zero : index
  %s = tensor.extract_slice %t[0] [2] [1] : {T} to tensor<2xf32>
  %w = linalg.add ins(%s, %s : tensor<2xf32>, tensor<2xf32>)
      outs(%s : tensor<2xf32>) -> tensor<2xf32>
  %v = tensor.insert %z into %t[%at] : {T}
  %r = tensor.insert_slice %w into %v[0] [2] [1] : tensor<2xf32> into {T}
  %one = tensor.extract %r[%zero] : {T}
  vector.print %one : f32
""")),
    "what is written between needs the slice": ("lens-slice-from-destination",
                                               DRIVER.format(body=f"""
  %s = tensor.extract_slice %t[0] [2] [1] : {T} to tensor<2xf32>
  %w = linalg.add ins(%s, %s : tensor<2xf32>, tensor<2xf32>)
      outs(%s : tensor<2xf32>) -> tensor<2xf32>
  %q = tensor.extract %w[%zero] : tensor<2xf32>
  %v = tensor.insert %q into %t[%n] : {T}
  %r = tensor.insert_slice %w into %v[0] [2] [1] : tensor<2xf32> into {T}
  %one = tensor.extract %r[%n] : {T}
  vector.print %one : f32
""")),
    "nobody puts the result into a place": ("lens-destination-arguments",
                                           MADE_THERE + DRIVER.format(body=f"""
  %made = call @made(%z) : (f32) -> {T}
  %one = tensor.extract %made[%i] : {T}
  vector.print %one : f32
""")),
    "the memref is written": ("lens-read-only-buffers", DRIVER.format(body=f"""
  %m = bufferization.to_buffer %t : {T} to memref<4xf32>
  memref.store %z, %m[%i] : memref<4xf32>
  %old = tensor.extract %t[%i] : {T}
  vector.print %old : f32
""")),
    "the tensor is written before the memref is read": ("lens-read-only-buffers",
                                                       DRIVER.format(body=f"""
  %m = bufferization.to_buffer %t : {T} to memref<4xf32>
  %new = tensor.insert %z into %t[%i] : {T}
  %old = memref.load %m[%i] : memref<4xf32>
  %now = tensor.extract %new[%i] : {T}
  vector.print %old : f32
  vector.print %now : f32
""")),
    "nothing changes places": ("lens-unroll-crossed", counted(INSERT + ADD, "%w, %b")),
}


def checkKept():
    for name, (passes, program) in KEPT_AS_IS.items():
        changed = run(corpus.tool("mlir-opt"), "-", f"--load-pass-plugin={sys.argv[1]}",
                      f"--pass-pipeline=builtin.module({passes})", text=program)
        plain = run(corpus.tool("mlir-opt"), "-", text=program)
        assert changed.returncode == 0 and changed.stdout == plain.stdout, name


def checkEdits():
    """Changes of a program that are tried: it gives the same, whether they help."""
    for name, (passes, helps, program) in EDITS.items():
        found = {}
        for each in tried(program, "").values():
            found[each["remedy"].split(" ")[0]] = each["helps"]
        assert found.get(passes) == helps, (name, found)
        changed = run(corpus.tool("mlir-opt"), "-", f"--load-pass-plugin={sys.argv[1]}",
                      f"--pass-pipeline=builtin.module({passes})", text=program)
        assert changed.returncode == 0 and changed.stdout != program, changed.stderr
        assert executed(changed.stdout) == executed(
            program, more=LOOPS + " copy-before-write"), name


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
    assert not harmful["helps"], harmful
    assert "overwrites a tensor of @main" in harmful["outcome"], harmful
    assert tried["eliminate-empty-tensors"]["helps"], tried


for case in (checkRejections, checkAccess, checkOthers, checkShared, checkConstants,
             checkEdits, checkKept, checkHarmful):
    case()
    print(f"{case.__name__}: ok")
