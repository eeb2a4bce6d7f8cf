#!/usr/bin/env python3
"""What `memref-lens run` is given: files of numpy's, libraries, passes.

  run_inputs.py LIBRARY.c

The program stops with an assertion where an argument or a call does not give what the
file or the library has. Each wrong input is told with what to do about it, and nothing
crashes.
"""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import corpus  # noqa: E402

LENS = os.environ["MEMREF_LENS"]
found, held = [], 0

SUM = """func.func @f(%x: TYPE, %want: f32) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : TYPE
  %columns = memref.dim %x, %c1 : TYPE
  %copy = memref.alloc(%rows, %columns) : memref<?x?xf32>
  %sum = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %zero) -> f32 {
    %row = scf.for %j = %c0 to %columns step %c1 iter_args(%b = %a) -> f32 {
      %v = memref.load %x[%i, %j] : TYPE
      memref.store %v, %copy[%i, %j] : memref<?x?xf32>
      %w = memref.load %copy[%i, %j] : memref<?x?xf32>
      %ten = arith.constant 10.0 : f32
      %shifted = arith.mulf %b, %ten : f32
      %c = arith.addf %shifted, %w : f32
      scf.yield %c : f32
    }
    scf.yield %row : f32
  }
  %holds = arith.cmpf oeq, %sum, %want : f32
  cf.assert %holds, "another sum"
  return
}
"""

NUMBER = """func.func @f(%x: memref<4xTYPE>, %want: TYPE) {
  %c2 = arith.constant 2 : index
  %v = memref.load %x[%c2] : memref<4xTYPE>
  %holds = COMPARE, %v, %want : TYPE
  cf.assert %holds, "another number"
  return
}
"""

CALLS = """func.func private @twice(memref<?xf32>)
func.func private @sum(memref<?xf32>) -> f32 attributes {llvm.emit_c_interface}
func.func @f(%x: memref<?xf32>, %want: f32) {
  call @twice(%x) : (memref<?xf32>) -> ()
  %sum = call @sum(%x) : (memref<?xf32>) -> f32
  %holds = arith.cmpf oeq, %sum, %want : f32
  cf.assert %holds, "another sum"
  return
}
"""

MAKES = """func.func private @NAME(index) -> memref<?xf32> attributes {llvm.emit_c_interface}
func.func @f(%n: index, %x: memref<?xf32>) {
  %made = call @NAME(%n) : (index) -> memref<?xf32>
  memref.copy %made, %x : memref<?xf32> to memref<?xf32>
  return
}
"""

ABSENT = CALLS.replace("@twice", "@absent")

LOOP = """func.func @f(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.copy ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.copy ins(%a : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}
"""
LOWER = ("convert-linalg-to-loops,convert-scf-to-cf,"
         "finalize-memref-to-llvm{use-generic-functions=1},convert-arith-to-llvm,"
         "convert-cf-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts")


def run(*words):
    return subprocess.run([LENS, "run", *map(str, words)], text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120)


def expect(name, done, status, said):
    global held
    text = done.stdout + done.stderr
    missing = [words for words in said if words not in text]
    if done.returncode != status or missing:
        found.append(f"{name}: exit {done.returncode}, not {status}; "
                     f"not said: {missing}: {text[:600]}")
    held += 1


def npy(shape, type, data, version=1, order="False"):
    sizes = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
    header = (f"{{'descr': '{type}', 'fortran_order': {order}, "
              f"'shape': ({sizes}), }}").encode()
    begin = b"\x93NUMPY" + bytes([version, 0])
    header += b" " * (63 - (len(begin) + 4 + len(header)) % 64) + b"\n"
    return begin + struct.pack("<H" if version == 1 else "<I", len(header)) + \
        header + data


class Inputs:
    def __init__(self, folder):
        self.folder, self.count = pathlib.Path(folder), 0

    def write(self, ending, data):
        self.count += 1
        path = self.folder / f"{self.count}{ending}"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def sum(self, data, type="memref<2x3xf32>", want="123456", key="0"):
        program = self.write(".mlir", SUM.replace("TYPE", type))
        return run(program, "--arg", f"{key}={self.write('.npy', data)}",
                   "--arg", f"want={want}")


def checkFiles(inputs):
    """What is in the file is what the program reads."""
    six = struct.pack("<6f", 1, 2, 3, 4, 5, 6)
    good = npy((2, 3), "<f4", six)
    for name, data, type in (
            ("version 1", good, "memref<2x3xf32>"),
            ("version 2", npy((2, 3), "<f4", six, 2), "memref<2x3xf32>"),
            ("dynamic sizes", good, "memref<?x?xf32>"),
            ("a layout", good, "memref<2x3xf32, strided<[8, 2], offset: 5>>"),
            ("a layout that is open", good, "memref<?x?xf32, strided<[?, ?], offset: ?>>"),
            ("bytes behind it", good + b"more", "memref<2x3xf32>")):
        expect(name, inputs.sum(data, type), 0, ["1 allocation, 1 deallocation"])
    expect("by name", inputs.sum(good, key="x"), 0, ["no leak"])
    expect("another sum", inputs.sum(good, want="123455"), 1,
           ["an assertion does not hold: another sum"])
    for type, numpy, letter in (("f64", "<f8", "d"), ("f16", "<f2", "e"),
                                ("i8", "|i1", "b"), ("i16", "<i2", "h"),
                                ("i32", "<i4", "i"), ("i64", "<i8", "q"),
                                ("index", "<i8", "q"), ("i8", "|u1", "B"),
                                ("i32", "<u4", "I"), ("i1", "|b1", "B")):
        values = (0, 0, 1, 0) if type == "i1" else (1, 2, 77, 4)
        compare = "arith.cmpf oeq" if type[0] == "f" else "arith.cmpi eq"
        program = inputs.write(".mlir", NUMBER.replace("TYPE", type).replace(
            "COMPARE", compare))
        data = inputs.write(".npy", npy((4,), numpy, struct.pack(f"<4{letter}", *values)))
        expect(f"elements {numpy}", run(program, "--arg", f"x={data}",
                                        "--arg", f"want={values[2]}"), 0, ["ran @f"])


def checkBadFiles(inputs):
    six = struct.pack("<6f", 1, 2, 3, 4, 5, 6)
    good = npy((2, 3), "<f4", six)
    wrong = {
        "truncated": (good[:-5], "ends too early: its 2x3xf32 need 24 bytes, and it "
                                 "has 19"),
        "truncated header": (good[:40], "ends within its header"),
        "empty": (b"", "is no file of numpy's"),
        "something else": (b"PK\x03\x04" + b" " * 60, "is no file of numpy's"),
        "elements of another type": (
            npy((2, 3), "<f8", six * 2), "has elements of type f32, not f64, which '"),
        "another byte order": (npy((2, 3), ">f4", six), "little-endian, can be read"),
        "objects": (npy((2, 3), "|O", six), "can be read"),
        "the order of Fortran": (npy((2, 3), "<f4", six, order="True"),
                                 "numpy.ascontiguousarray"),
        "other sizes": (npy((3, 2), "<f4", six), "which 3x2xf32 does not fit"),
        "another rank": (npy((6,), "<f4", six), "which 6xf32 does not fit"),
        "sizes without end": (npy((1 << 40, 1 << 40), "<f4", six), "ends too early"),
        "sizes that are no number": (npy(("9" * 30, 3), "<f4", six),
                                     "has a shape that cannot be read"),
        "no shape": (good.replace(b"'shape'", b"'shap_'"), "has no shape"),
    }
    for name, (data, said) in wrong.items():
        expect(name, inputs.sum(data), 3, [said])
    program = inputs.write(".mlir", SUM.replace("TYPE", "memref<2x3xf32>"))
    expect("no such file", run(program, "--arg", "x=none.npy"), 3, ["none.npy"])
    expect("no file", run(program, "--arg", f"x={inputs.folder}/.npy"), 3, [".npy"])
    path = inputs.write(".npy", good)
    expect("sizes that the file has not", run(program, "--arg", f"x=3x2xf32:{path}"), 3,
           ["has other sizes or elements than"])
    expect("a file for a number", run(program, "--arg", f"want={path}"), 3,
           ["which takes a number"])
    expect("a number for a buffer", run(program, "--arg", "x=3"), 3,
           ["which takes a buffer such as 'random'"])


def checkLibraries(inputs, source):
    library = inputs.folder / "libgiven.so"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", source, "-o",
                    library], check=True)
    calls = inputs.write(".mlir", CALLS)
    data = inputs.write(".npy", npy((3,), "<f4", struct.pack("<3f", 1, 2, 4)))
    given = ["--arg", f"x={data}", "--arg"]
    expect("a library", run(calls, f"--load={library}", *given, "want=14"), 0,
           ["ran @f", "no fault seen, but what libgiven.so allocates and deallocates"])
    expect("what it computes", run(calls, "--load", library, *given, "want=13"), 1,
           ["another sum"])
    expect("one beside a stub",
           run(inputs.write(".mlir", ABSENT), f"--load={library}", *given, "want=7",
               "--stub", "@absent=noop"), 0, ["external functions: @absent: noop"])
    expect("a function that it lacks",
           run(inputs.write(".mlir", ABSENT), f"--load={library}", *given, "want=7"), 3,
           ["no library of '--load' has @absent", "'--stub @absent=noop'"])
    expect("no such library", run(calls, f"--load={inputs.folder}/none.so"), 3,
           ["'--load': ", "none.so", "takes its path, such as ./none.so"])
    expect("no library", run(calls, f"--load={data}"), 3, ["'--load': "])
    fresh = inputs.write(".mlir", MAKES.replace("NAME", "fresh"))
    expect("a buffer of a library's",
           run(fresh, f"--load={library}", "--arg", "n=4"), 0,
           ["0 allocations, 1 deallocation", "no fault seen, but what libgiven.so"])
    again = inputs.write(".mlir", MAKES.replace("NAME", "fresh").replace(
        "  return", "  memref.dealloc %made : memref<?xf32>\n"
        "  memref.dealloc %made : memref<?xf32>\n  return"))
    expect("twice", run(again, f"--load={library}", "--arg", "n=4", "--stage", "0"), 1,
           ["double free: a buffer is deallocated again by memref.dealloc (6:3), after "
            "memref.dealloc (5:3)"])
    borrowed = inputs.write(".mlir", MAKES.replace("NAME", "borrowed"))
    expect("a library's own memory",
           run(borrowed, f"--load={library}", "--arg", "n=4"), 1,
           ["free of what was not allocated"])


def checkLowering(inputs):
    program = inputs.write(".mlir", LOOP)
    plain = run(program)
    expect("passes", run(program, "--lower", LOWER), 0, ["1 allocation, 1 deallocation"])
    expect("with the module", run(program, "--lower", f"builtin.module({LOWER})"), 0,
           plain.stdout.splitlines()[:1])
    expect("no pass", run(program, "--lower", "no-such-pass"), 3,
           ["'--lower' is no pass pipeline", "no-such-pass"])
    expect("no pipeline", run(program, "--lower", "func.func(cse"), 3,
           ["'--lower' is no pass pipeline"])
    expect("no option", run(program, "--lower", "cse{none=1}"), 3,
           ["'--lower' is no pass pipeline"])
    expect("too little", run(program, "--lower", "convert-linalg-to-loops"), 3,
           ["is left when all passes have run"])
    fails = inputs.write(".mlir", LOOP.replace(
        "  return", "  %t = gpu.thread_id x\n  %c = arith.index_cast %t : index to i32\n"
        "  return"))
    expect("a pass that fails", run(fails, "--lower", "convert-gpu-to-rocdl"), 3,
           ["it cannot be lowered to LLVM"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        inputs = Inputs(folder)
        checkFiles(inputs)
        checkBadFiles(inputs)
        checkLibraries(inputs, sys.argv[1])
        checkLowering(inputs)
    print("\n".join(found) or f"{held} inputs hold")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
