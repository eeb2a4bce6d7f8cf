"""`lens-idle-deallocs`: deallocs that never deallocate are left out, and no others.

The ring of ../shared/reports, which runs dealloc_helper in each iteration for nothing;
programs of the corpus; and random ones whose loops carry buffers (tests/random). Each
is run with the pipeline and with `--pipeline=ownership+idle`: the same allocations of
the program itself, the same peak of these or less, no fault that was not there, no
more calls of dealloc_helper. Where the pass finds nothing the IR is the pipeline's.
"""

import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "random"))

import judges  # puts the folder of `corpus` on the path
import corpus
import generate
import sample

LIFTED = ["--convert-scf-to-cf", "--lift-cf-to-scf"]


def ran(path, *flags, entry=None):
    done = judges.run([judges.lens(), "run", "--format=json", "--timeout=20",
                       *(["--entry", entry] if entry else []), *flags, path],
                      seconds=120)
    return json.loads(done.out) if done.out.startswith("{") else None


def ir(path, *flags):
    return judges.run([judges.lens(), "ir", "--stage=final", *flags, path]).out


class Judge:
    def __init__(self):
        self.counts, self.faults = {}, []

    def count(self, what, number=1):
        self.counts[what] = self.counts.get(what, 0) + number

    def look(self, title, path, *flags, entry=None):
        before = ran(path, *flags, entry=entry)
        after = ran(path, *flags, "--pipeline=ownership+idle", entry=entry)
        if not before or before["end"] != "returned":
            self.count("programs that do not run")
            return None
        self.count("programs")
        if not after or after["end"] != "returned":
            self.faults.append(f"{title}: does not end with the pass")
            return None
        kinds = {one["kind"] for one in before["faults"]}
        new = {one["kind"] for one in after["faults"]} - kinds
        if new and not before["restsOnPoison"]:
            self.faults.append(f"{title}: {sorted(new)} with the pass")
        if after["allocations"] > before["allocations"]:
            self.faults.append(f"{title}: {before['allocations']} allocations, "
                               f"{after['allocations']} with the pass")
        if after["deallocations"] - after["allocations"] != \
                before["deallocations"] - before["allocations"] and \
                not before["restsOnPoison"]:
            self.faults.append(f"{title}: it leaves another number of buffers")
        if after["allocations"] < before["allocations"]:
            self.count("programs that allocate less with it")
        return before, after


def main():
    judge = Judge()
    reports = corpus.corpus().parent / "reports"
    found = judge.look("ring", reports / "ring.mlir", "--arg", "n=8", "--arg",
                       "steps=10")
    if found:
        before, after = found
        print(f"ring: {before['allocations']} allocations, "
              f"{after['allocations']} with the pass")
        if after["allocations"] * 2 > before["allocations"]:
            judge.faults.append("ring: the pass leaves most of its lists")
    for file in sorted(reports.glob("*.mlir")):
        changed = ir(file, "--pipeline=ownership+idle")
        judge.count("files whose IR stays" if changed == ir(file) else
                    "files whose IR changes")
    if judge.counts.get("files whose IR stays", 0) < 15:
        judge.faults.append("the IR of nearly all files changes")
    files = sorted((corpus.corpus() / "real").glob("*.mlir"))
    for file in sample.part([one for one in files if one.stat().st_size < 30000], 12):
        judge.look(file.name, file)
    with tempfile.TemporaryDirectory() as folder:
        seeds = sample.seeds(sys.argv[1] if len(sys.argv) > 1 else None, always=4,
                             more=12, full=120, long=400)
        def one(seed):
            path = pathlib.Path(folder) / f"{seed}.mlir"
            path.write_text(generate.generate(seed, "acyclic-run"))
            if seed % 2:
                lifted = judges.run([judges.tool("mlir-opt"), *LIFTED, path],
                                    seconds=60)
                if lifted.status == 0:
                    path.write_text(lifted.out)
            judge.look(f"seed {seed}", path, entry="main")
        for _ in judges.in_parallel(one, seeds):
            pass
    for what in sorted(judge.counts):
        print(f"{judge.counts[what]:6}  {what}")
    for fault in judge.faults[:40]:
        print(fault)
    print(f"{len(judge.faults)} faults")
    return 1 if judge.faults else 0


if __name__ == "__main__":
    sys.exit(main())
