"""Programs on which a sentence was wrong: what is said of them now.

  run_readings.py

The programs of the corpus's `readings`, and others of the same kinds.
"""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "judges"))

import judges

GONE_CAPTURE = """
func.func @f(%v: f32, %i: index) -> !async.token {{
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {{
    {use}
    async.yield
  }}
  return %t : !async.token
}}
"""


def capture(use):
    return GONE_CAPTURE.format(use=use)


STORE_AND_LOAD = """memref.store %v, %a[%i] : memref<4xf32>
    %x = memref.load %a[%i] : memref<4xf32>
    vector.print %x : f32"""

#: Each: program, words that `check` says, words that it does not say.
CHECKED = {
    "a store to what nothing reads": (capture(
        "memref.store %v, %a[%i] : memref<4xf32>"), [], ["async-capture"]),
    "a capture that is left": (capture(STORE_AND_LOAD),
                               ["[async-capture]"], []),
    "a load that nothing uses": (capture(
        "%x = memref.load %a[%i] : memref<4xf32>"), [], ["async-capture"]),
    "a capture that is not deallocated here": ("""
func.func @f(%v: f32, %i: index) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {
    memref.store %v, %a[%i] : memref<4xf32>
    async.yield
  }
  return %a : memref<4xf32>
}
""", [], ["async-capture"]),
    "a dealloc on one path only": ("""
func.func private @use(memref<8xf32>)
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  call @use(%a) : (memref<8xf32>) -> ()
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %a : memref<8xf32>
  cf.br ^bb2
^bb2:
  return
}
""", ["[leak]", "remove the deallocs of the input"], ["on this path, too"]),
    "a gpu.func that only writes its buffer": ("""
gpu.module @m {
  gpu.func @k(%v: f32, %i: index) kernel {
    %a = memref.alloc() : memref<4xf32>
    memref.store %v, %a[%i] : memref<4xf32>
    gpu.return
  }
}
""", [], ["not-processed"]),
    "a gpu.func that reads its buffer": ("""
gpu.module @m {
  gpu.func @k(%v: f32, %i: index) kernel {
    %a = memref.alloc() : memref<4xf32>
    memref.store %v, %a[%i] : memref<4xf32>
    %x = memref.load %a[%i] : memref<4xf32>
    gpu.printf "%f", %x : f32
    gpu.return
  }
}
""", ["[not-processed]"], []),
    "a gpu.func that frees its buffer": ("""
gpu.module @m {
  gpu.func @k(%v: f32, %i: index) kernel {
    %a = memref.alloc() : memref<4xf32>
    memref.store %v, %a[%i] : memref<4xf32>
    %x = memref.load %a[%i] : memref<4xf32>
    gpu.printf "%f", %x : f32
    memref.dealloc %a : memref<4xf32>
    gpu.return
  }
}
""", [], ["not-processed"]),
    "a tensor that nothing uses": ("""
func.func @f(%m: memref<4xf32>, %i: index, %v: f32) {
  %t = tensor.empty() : tensor<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  return
}
""", [], ["tensor-left"]),
    "a tensor that goes to a buffer and is gone": ("""
func.func @f(%m: memref<4xf32>, %i: index, %v: f32) {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %v, %b[%i] : memref<4xf32>
  return
}
""", [], ["tensor-left"]),
    "a tensor that is left": ("""
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}
""", ["[tensor-left]"], []),
    "what a helper call of another part is given": ("""
func.func @borrows(%c: i1, %x: memref<?xf32>, %y: memref<?xf32>) {
  %s = arith.select %c, %x, %y : memref<?xf32>
  cf.br ^end(%s : memref<?xf32>)
^end(%t: memref<?xf32>):
  cf.cond_br %c, ^a(%t : memref<?xf32>), ^a(%x : memref<?xf32>)
^a(%u: memref<?xf32>):
  return
}
// -----
func.func @both(%c: i1, %p: memref<f32>) {
  %a = memref.alloc() : memref<f32>
  cf.cond_br %c, ^bb1(%a : memref<f32>), ^bb2
^bb1(%x: memref<f32>):
  memref.copy %a, %x : memref<f32> to memref<f32>
  return
^bb2:
  memref.copy %a, %p : memref<f32> to memref<f32>
  return
}
// -----
func.func @lent(%c: i1, %x: memref<f32>, %y: memref<f32>, %z: memref<f32>) {
  cf.cond_br %c, ^bb1(%x : memref<f32>), ^bb2
^bb1(%u: memref<f32>):
  memref.copy %y, %u : memref<f32> to memref<f32>
  return
^bb2:
  memref.copy %y, %z : memref<f32> to memref<f32>
  return
}
""", ["dealloc_helper deallocates %a and %x, each allocation once"],
        ["deallocates nothing"]),
    "passed to one block, used in another": ("""
func.func private @use(memref<?xf32>)
func.func @f(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %c, ^b1(%a : memref<?xf32>), ^b2
^b1(%x: memref<?xf32>):
  call @use(%x) : (memref<?xf32>) -> ()
  cf.br ^b3
^b2:
  call @use(%a) : (memref<?xf32>) -> ()
  cf.br ^b3
^b3:
  return
}
""", [], ["no-unique-ownership"]),
    "passed to a block, and live into both": ("""
func.func private @use(memref<?xf32>)
func.func @f(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %c, ^b1(%a : memref<?xf32>), ^b2
^b1(%x: memref<?xf32>):
  call @use(%x) : (memref<?xf32>) -> ()
  cf.br ^b3
^b2:
  cf.br ^b3
^b3:
  call @use(%a) : (memref<?xf32>) -> ()
  return
}
""", [], ["no-unique-ownership"]),
    "passed to a block, and used behind it": ("""
func.func @f(%i: index) {
  %s = memref.alloc(%i) : memref<?xf32>
  cf.br ^bb1(%s : memref<?xf32>)
^bb1(%0: memref<?xf32>):
  memref.copy %0, %0 : memref<?xf32> to memref<?xf32>
  cf.br ^bb2
^bb2:
  memref.copy %s, %s : memref<?xf32> to memref<?xf32>
  return
}
""", ["no-unique-ownership"], []),
    "passed to one block, and live into it alone": ("""
func.func @f(%c: i1, %i: index) {
  %s = memref.alloc(%i) : memref<?xf32>
  cf.cond_br %c, ^bb1(%s : memref<?xf32>), ^bb2
^bb1(%0: memref<?xf32>):
  memref.copy %s, %0 : memref<?xf32> to memref<?xf32>
  return
^bb2:
  return
}
""", ["no-unique-ownership"], []),
}


class Readings:

    def __init__(self, folder):
        self.folder, self.faults, self.held = folder, [], 0

    def lens(self, *arguments):
        result = judges.run([judges.lens(), *arguments])
        return result.out + result.err

    def says(self, what, text, words, not_words=()):
        for word in words:
            self.held += 1
            if word not in text:
                self.faults.append(f"{what}: '{word}' is not said:\n{text}")
        for word in not_words:
            self.held += 1
            if word in text:
                self.faults.append(f"{what}: '{word}' is said:\n{text}")

    def counts(self, what, text, word, number):
        self.held += 1
        if text.count(word) != number:
            self.faults.append(f"{what}: '{word}' {text.count(word)} times, "
                               f"not {number}:\n{text}")

    def check(self, path):
        return self.lens("check", "--no-try", path)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def findings(self):
        for name, (text, words, not_words) in CHECKED.items():
            self.says(name, self.check(self.file("one.mlir", text)), words,
                      not_words)

    def by_hand(self):
        manual = "{bufferization.manual_deallocation}"
        late = self.file("late.mlir", f"""
func.func @f(%m: memref<8xf32>) {{
  %a = memref.alloc() {manual} : memref<8xf32>
  memref.copy %m, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %m : memref<8xf32> to memref<8xf32>
  memref.dealloc %a {manual} : memref<8xf32>
  memref.dealloc %a {manual} : memref<8xf32>
  return
}}
""")
        text = self.check(late)
        self.counts("a double free by hand", text, "[double-free]", 1)
        text = self.lens("explain", late)
        self.says("an assertion that is folded away", text,
                  ["deallocated by hand (6:3); deallocated by hand (7:3)"], ["asserted"])
        owned = self.file("owned.mlir", f"""
func.func @f(%m: memref<8xf32>) {{
  %a = memref.alloc() : memref<8xf32>
  memref.copy %m, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %m : memref<8xf32> to memref<8xf32>
  memref.dealloc %a {manual} : memref<8xf32>
  return
}}
""")
        self.says("an assertion that always fails",
                  self.lens("explain", owned),
                  ["deallocated twice: by hand (6:3) and at the end of ^bb0",
                   "the inserted cf.assert false stops the program before 6:3"],
                  ["asserted at run time"])
        self.says("a failing assertion, in the path of a fault",
                  self.check(owned), ["fails, and stops the program"])

    def every_op(self):
        path = self.file("lines.mlir", """
func.func private @use(memref<8xf32>)
func.func @f(%m: memref<8xf32>, %n: index, %c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %m, %a : memref<8xf32> to memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %a[%i] : memref<8xf32>
  }
  scf.if %c {
    func.call @use(%a) : (memref<8xf32>) -> ()
  }
  %d = memref.dim %a, %c0 : memref<8xf32>
  %x = memref.load %a[%d] : memref<8xf32>
  cf.br ^end
^end:
  return %x : f32
}
""")
        for number in (6, 7, 8, 9, 11, 12, 14, 15, 16, 18):
            self.says(f"line {number}", self.lens("explain", f"{path}:{number}"),
                      [], ["nothing about buffers"])
        for place in ("7:3", "8:3", "9:5", "12:5", "15:8"):
            self.says(f"at {place}", self.lens("explain", f"{path}:{place}"),
                      [], ["nothing about buffers"])
        self.says("the call", self.lens("explain", f"{path}:12"),
                  ["borrows %a"])
        self.says("the loop", self.lens("explain", f"{path}:8"), ["%a"])
        self.says("a number", self.lens("explain", f"{path}:4"),
                  ["nothing about buffers"])

    def counted(self):
        broken = self.file("broken.mlir", "func.func @f( {\n")
        self.says("a file that does not parse", self.check(broken),
                  ["1 error"], ["no findings"])
        half = self.file("half.mlir", "func.func @f() {\n  return\n}\n"
                         "// -----\nfunc.func @g( {\n")
        self.says("a part that does not parse", self.check(half),
                  ["1 error", "1 part is not read"], ["no findings"])

    def corpus(self):
        def reading(name):
            return next(judges.corpus().glob(f"readings/{name}_*.mlir"))

        self.says("d01", self.check(reading("d01")), [], ["async-capture"])
        self.says("d02", self.check(reading("d02")), [], ["not-processed"])
        self.says("d08", self.check(reading("d08")), [],
                  ["no-unique-ownership"])
        for name, function, words in (("d03", "sw", "61 B"),
                                      ("d04", "loop", "12 KiB")):
            path = reading(name)
            self.says(name, self.lens("compare", "--pipelines=ownership", path),
                      [words])
            for format in ("--format=md", "--view=lifetimes --format=svg"):
                out = self.folder / "out"
                self.lens("export", path, *format.split(), f"--function={function}",
                          "-o", out)
                self.says(f"{name} {format}", out.read_text(), [words])
        text = self.check(reading("d15"))
        self.counts("d15", text, "[leak]", 1)
        self.counts("d15", text, "[use-after-free]", 1)
        self.says("d15", self.lens("explain", reading("d15")), ["by hand"],
                  ["asserted at run time"])

    def stated(self):
        """A cause doubts nothing that is stated."""
        declared = "func.func private @fresh(index) -> memref<?xf32>"
        body = """
func.func @f(%n: index, %c: i1) -> memref<?xf32> {
  %a = call @fresh(%n) : (index) -> memref<?xf32>
  %b = call @fresh(%n) : (index) -> memref<?xf32>
  %r = arith.select %c, %a, %b : memref<?xf32>
  return %r : memref<?xf32>
}
"""
        doubt = "are not known to be buffers of their own"
        open_file = self.file("open.mlir", declared + body)
        self.says("not stated", self.lens(open_file), [doubt])
        self.says("stated by option",
                  self.lens("--assume=fresh-results=@fresh", open_file),
                  ["arith.select (5:8)"], [doubt])
        attribute = self.file("stated.mlir", declared + " attributes "
                              "{memref_lens.fresh_results}" + body)
        self.says("stated by attribute", self.lens(attribute),
                  ["arith.select (5:8)"], [doubt])

    def unrestricted(self):
        text = """func.func @f(%x: memref<8xf32>, %i: index) -> f32 {
  %t = bufferization.to_tensor %x : memref<8xf32> to tensor<8xf32>
  %v = tensor.extract %t[%i] : tensor<8xf32>
  return %v : f32
}
"""
        self.says("to_tensor without restrict",
                  self.lens("--bufferize", self.file("plain.mlir", text)),
                  ["write 'restrict' on it"])

    def run(self):
        self.findings()
        self.stated()
        self.unrestricted()
        self.by_hand()
        self.every_op()
        self.counted()
        self.corpus()


def main():
    with tempfile.TemporaryDirectory() as folder:
        readings = Readings(pathlib.Path(folder))
        readings.run()
    for fault in readings.faults:
        print("FAIL:", fault)
    print(f"{readings.held - len(readings.faults)} as expected, "
          f"{len(readings.faults)} not")
    sys.exit(1 if readings.faults else 0)


if __name__ == "__main__":
    main()
