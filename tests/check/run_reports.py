"""What people asked in public threads, and what check, the overview and run must say.

Files of ../shared/reports, and small programs of the same kinds: for each a command,
words that have to be in what it prints, and words that must not.
"""

import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges"))

import judges  # puts the folder of `corpus` on the path
import corpus

# File, arguments (the file is appended), what is said, what is not.
OF_REPORTS = [
    ("dyn", [""], [], ["out-params"]),
    ("clone_loses_write", [""],
     ["memref.load reads %a, but memref.store wrote to a clone of it",
      "cloned at 1:22, written at 11:3",
      "fix    drop-equivalent-buffer-results"], ["as out-params"]),
    ("clone_loses_write", ["check"],
     ["[lost-write]", "a copy still does not see what is written",
      "with --private-function-dynamic-ownership: in @main writes that clones do not "
      "see 1 -> 0"], ["fix   buffer-results-to-out-params"]),
    ("clone_loses_write", ["run"],
     ["the pipeline may change the result: memref.load reads %a"], []),
    ("clone_loses_write_select", [""],
     ["memref.load reads %a, but memref.store wrote to a clone of it"], []),
    ("c11_reverse_rule", ["check"],
     ["the caller gets %shadow, but memref.store wrote to a clone of it",
      "fix   drop-equivalent-buffer-results"],
     ["fix   buffer-results-to-out-params"]),
    ("c01_session_pool", [""],
     ["what @session_pool returns is taken for the caller's",
      "keeps-results=@session_pool if it keeps"], ["@*"]),
    ("c01_session_pool", ["check", "--no-try",
                          "--assume=keeps-results=@session_pool"],
     ["%pool is deallocated, but is not the function's to deallocate"],
     ["what @session_pool returns"]),
    ("c26_sparse_add", [""], [], ["private"]),
    ("c18_flash", ["", "--bufferize"],
     ["rejected in front of the pipeline",
      "allow-return-allocs-from-loops of one-shot-bufferize"], []),
    ("c18_flash", ["check", "--bufferize"],
     ["let the loop write into the tensor that it carries", "1 file: 1 error;"], []),
    ("c10_wsloop", [""],
     ["run the pipeline before the pass that makes 'omp.wsloop'"],
     ["lower that op before"]),
    ("div", ["run", "--arg", "b=0"], ["arith.divsi", "divided by zero"],
     ["Bad system call"]),
    ("m8_if_select", [""], ["scf.if (4:8)"], ["unknown origin"]),
    ("probe", [""], ["@view_of_arg returns a view (memref.subview (3:8)) of its "
                     "argument %x"], ["unknown origin"]),
    ("ring", [""], ["drop deallocs that never deallocate",
                    "dealloc_helper calls 3 -> 0"], []),
    ("clone_vs_call", ["check", "--no-try"],
     ["nothing says that %r is an allocation of its own"],
     ["nothing says that %clone_a"]),
    ("c24_language", ["memory"],
     ["@find holds, which func.call (56:8) calls, is not known: it is rejected"], []),
    ("c24_language", ["run", "--entry", "find"], ["--pre=lift-cf-to-scf"],
     ["--stage 0"]),
]

MASK = """func.func @f(%c: vector<8xi1>, %v: vector<8xf32>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<8xf32>
  vector.mask %c { vector.transfer_write %v, %m[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32> } : vector<8xi1>
  return %m : memref<8xf32>
}
"""
REALLOC = """func.func @f() -> memref<4xf32> {
  %m = memref.alloc() : memref<8xf32>
  %r = memref.realloc %m : memref<8xf32> to memref<4xf32>
  return %r : memref<4xf32>
}
"""
RELEASED = """func.func private @take(memref<4xf32>)
func.func @f() {
  %m = memref.alloc() : memref<4xf32>
  call @take(%m) : (memref<4xf32>) -> ()
  return
}
"""
SAME = """func.func private @same(memref<4xf32>) -> memref<4xf32>
func.func @f(%a: memref<4xf32>) {
  %r = call @same(%a) : (memref<4xf32>) -> memref<4xf32>
  return
}
"""
GROWING = """func.func private @push(%m: memref<?xf32>, %i: index, %v: f32) -> memref<?xf32> {
  memref.store %v, %m[%i] : memref<?xf32>
  return %m : memref<?xf32>
}
func.func @fill(%n: index, %v: f32, %m: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %m) -> (memref<?xf32>) {
    %next = func.call @push(%b, %i, %v) : (memref<?xf32>, index, f32) -> memref<?xf32>
    scf.yield %next : memref<?xf32>
  }
  return %r : memref<?xf32>
}
"""
HOISTED = """func.func private @choose(%c: i1) -> memref<4xi32> {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  cf.cond_br %c, ^first, ^second
^first:
  return %a : memref<4xi32>
^second:
  return %b : memref<4xi32>
}
"""
HOIST = "buffer-results-to-out-params{hoist-static-allocs=1}"
# A fix that puts one fault in the place of another is none.
OTHER_FAULT = """func.func private @same(memref<8xf32> {memref_lens.returned}) -> memref<8xf32>
func.func private @keep(memref<8xf32> {memref_lens.kept})
func.func @main(%i: index, %x: f32) {
  %a = memref.alloc() : memref<8xf32>
  %b = call @same(%a) : (memref<8xf32>) -> memref<8xf32>
  memref.store %x, %b[%i] : memref<8xf32>
  call @keep(%a) : (memref<8xf32>) -> ()
  return
}
"""
POOL = """func.func private @pool() -> memref<8xf32> attributes {memref_lens.keeps_results}
func.func @a(%i: index) -> f32 {
  %m = call @pool() : () -> memref<8xf32>
  %x = memref.load %m[%i] : memref<8xf32>
  return %x : f32
}
"""
PUT = """func.func private @get() -> memref<8xi8> attributes {memref_lens.fresh_results}
func.func private @put(memref<8xi8> {memref_lens.released})
func.func @main(%i: index) -> i8 {
  %m = call @get() : () -> memref<8xi8>
  %w = memref.load %m[%i] : memref<8xi8>
  call @put(%m) : (memref<8xi8>) -> ()
  return %w : i8
}
"""
OF_TEXTS = [
    (OTHER_FAULT, ["check"], ["[escapes-freed]"],
     ["fix   promote-buffers", "fix   if it is stated"]),
    (POOL, ["check"], ["[free-not-owned]",
                       "stored into a memref of memrefs that is passed"],
     ["or what a call returns", "fix   if it is stated"]),
    (PUT, ["check", "--no-try"], ["[double-free]", "let the pipeline alone"],
     ["manual_deallocation"]),
    (PUT, ["run"], ["double free", "@put: releases 0"], ["no use after free"]),
    (HOISTED, ["check", "--no-try", f"--pre={HOIST}"],
     ["hoist-static-allocs gives a wrong result on @choose"], []),
    (HOISTED, ["check", "--no-try", f"--pre=lift-cf-to-scf,{HOIST}"], [],
     ["wrong result"]),
    (MASK, ["check"], ["fix   lower-vector-mask before the pipeline: @f is accepted"],
     []),
    (REALLOC, ["check", "--no-try"],
     ["take a memref.subview of the buffer"], ["no findings"]),
    (RELEASED, ["check", "--no-try"], ["no findings"], []),
    (RELEASED, ["check", "--no-try", "--assume=releases-argument=@take:0"],
     ["[double-free]"], []),
    (RELEASED.replace("(memref<4xf32>)\n", "(memref<4xf32> {memref_lens.released})\n",
                      1), ["check", "--no-try"], ["[double-free]"], []),
    (RELEASED, ["check", "--no-try", "--assume=keeps-argument=@take:0"],
     ["can still be reached from outside"], []),
    (SAME, ["check", "--no-try"], ["[open-ownership]"], ["free-not-owned"]),
    (SAME, ["check", "--no-try", "--assume=returns-argument=@same:0"],
     ["%a is deallocated, but is not the function's"], ["[open-ownership]"]),
    (SAME, ["check", "--no-try", "--assume=fresh-results=@same"], [],
     ["[open-ownership]", "free-not-owned"]),
    (GROWING, [""], ["for each call in a loop"], []),
    (GROWING, ["check", "--no-try"], ["time grows with its square"], []),
]


def main():
    faults, count = [], 0

    def look(title, path, arguments, says, never):
        nonlocal count
        command = [one for one in arguments if one]
        done = judges.run([judges.lens(), *command, path], seconds=300)
        printed = re.sub(r"\s+", " ", done.out + done.err)
        count += 1
        for words in says:
            if re.sub(r"\s+", " ", words) not in printed:
                faults.append(f"{title} {command}: does not say '{words}'")
        for words in never:
            if words in printed:
                faults.append(f"{title} {command}: says '{words}'")

    reports = corpus.corpus().parent / "reports"
    for name, arguments, says, never in OF_REPORTS:
        look(name, reports / f"{name}.mlir", arguments, says, never)
    with tempfile.TemporaryDirectory() as folder:
        for number, (text, arguments, says, never) in enumerate(OF_TEXTS):
            path = pathlib.Path(folder) / f"text{number}.mlir"
            path.write_text(text)
            look(f"text {number}", path, arguments, says, never)
    for fault in faults:
        print(fault)
    print(f"{count} questions, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
