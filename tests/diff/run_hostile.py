"""`memref-lens diff` on traces that are valid, but that nobody would make: ids
turned at random, lists with entries twice. It ends well or says what is wrong.

Also large programs, and ones that nest deeply: in time, and equal to themselves.
"""

import json
import random
import subprocess
import sys
import time

import common
from common import difference, lens

PROGRAM = """func.func private @use(memref<8xf32>)
func.func private @g(%c: i1, %m: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^one(%a : memref<8xf32>), ^one(%m : memref<8xf32>)
^one(%p: memref<8xf32>):
  %r = scf.if %c -> memref<8xf32> {
    %b = memref.alloc() : memref<8xf32>
    scf.yield %b : memref<8xf32>
  } else {
    scf.yield %p : memref<8xf32>
  }
  func.call @use(%r) : (memref<8xf32>) -> ()
  return %r : memref<8xf32>
}
"""


def numbers_in(node, found):
    """(list or object, key) of every number that may be an id."""
    entries = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in entries:
        if isinstance(value, int) and not isinstance(value, bool):
            if key != "id":
                found.append((node, key))
        elif isinstance(value, (dict, list)) and key not in ("source",
                                                             "chunks"):
            numbers_in(value, found)
    return found


class Hostile(common.Checks):

    def turned(self):
        chance, read = random.Random(9), 0
        text = lens("trace", self.file("p.mlir", PROGRAM)).out
        good = self.file("good.json", text)
        for turn in range(3000 if common.LONG else 150):
            trace = json.loads(text)
            places = numbers_in(trace, [])
            for node, key in chance.sample(places, chance.randint(1, 4)):
                node[key] = max(0, node[key] + chance.choice(
                    (-9, -3, -2, -1, 1, 2, 3, 9)))
            for _ in range(chance.randint(0, 2)):
                entry = chance.choice(trace[chance.choice(("ops", "blocks"))])
                lists = [value for value in entry.values()
                         if isinstance(value, list) and value]
                if lists:
                    some = chance.choice(lists)
                    some.append(chance.choice(some))
            other = self.file("other.json", json.dumps(trace))
            pair = [good, other] if turn % 2 else [other, good]
            result = lens("diff", *pair)
            read += result.status in (0, 1)
            self.expect(f"turn {turn}", result.status in (0, 1) or
                        (result.status == 3 and "other.json" in result.err),
                        (result.status, result.err))
        self.expect("enough of them are read", read > turn / 8, read)

    def generated(self, script, size):
        made = subprocess.run([sys.executable, str(
            common.judges.corpus() / "gen" / script), str(size)],
            capture_output=True, text=True, check=True)
        return made.stdout

    def large(self):
        """Each program against itself, renamed, and with a line more."""
        for script, size in (("straight.py", 1500), ("diamonds.py", 150),
                             ("nest.py", 150), ("funcs.py", 300)):
            text = self.generated(script, size)
            one = self.file("one.mlir", text)
            other = self.file("other.mlir", common.renamed(text))
            begin = time.time()
            trace = lens("trace", one, "-o", self.folder / "t.json")
            seconds = time.time() - begin
            begin = time.time()
            found = difference(one, other)
            print(f"{script} {size}: traced in {seconds:.1f} s, compared in "
                  f"{time.time() - begin:.1f} s")
            self.expect(f"{script}, renamed", trace.status == 0 and found and
                        found["equal"], found and found["summary"])


if __name__ == "__main__":
    common.main(Hostile, "turned", "large")
