"""`memref-lens bundle`: what is in it is what the commands print, equal bytes
from wherever it is made, nothing of the machine, and archives that are damaged,
hostile or of another version.
"""

import bz2
import gzip
import io
import json
import os
import pathlib
import pwd
import re
import shutil
import socket
import subprocess
import tarfile
import tempfile
import time

import common
from common import lens

PROGRAM = """func.func private @use(memref<8xf32>)
func.func @f(%c: i1, %m: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %r = arith.select %c, %a, %m : memref<8xf32>
  return %r : memref<8xf32>
}
"""
# Two constants of the pass become one, of which the trace knows nothing.
YIELDS = """func.func @yields(%c: i1) -> f32 {
  %i = arith.constant 0 : index
  %r:2 = scf.if %c -> (memref<8xf32>, memref<8xf32>) {
    %a = memref.alloc() : memref<8xf32>
    scf.yield %a, %a : memref<8xf32>, memref<8xf32>
  } else {
    %b = memref.alloc() : memref<8xf32>
    %d = memref.alloc() : memref<8xf32>
    scf.yield %b, %d : memref<8xf32>, memref<8xf32>
  }
  %x = memref.load %r#0[%i] : memref<8xf32>
  %y = memref.load %r#1[%i] : memref<8xf32>
  %s = arith.addf %x, %y : f32
  return %s : f32
}
"""


def packed(files, mode="w:gz", change=None):
    """An archive of {name: bytes}; `change(TarInfo)` may spoil an entry."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            if change:
                change(entry)
            archive.addfile(entry, io.BytesIO(data) if entry.isreg() else None)
    return stream.getvalue()


def unpacked(data):
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
        return {member.name: archive.extractfile(member).read()
                for member in archive.getmembers()}


class Bundles(common.Checks):

    def make(self, path, *options, name="b.tar.gz", **how):
        out = self.folder / name
        result = lens("bundle", path, "-o", out, *options, **how)
        self.expect(f"bundle of {path}", result.status == 0 and out.exists(),
                    result.err)
        return out

    # --- what is in it ---

    def round_trip(self):
        machine = {socket.gethostname(), pwd.getpwuid(os.getuid()).pw_name,
                   str(self.folder), os.getcwd(), str(common.ROOT),
                   os.path.expanduser("~")}
        machine = {word for word in machine if len(word) > 4}

        def check(path):
            return path, list(self.check(path, machine))

        for path, found in common.judges.in_parallel(check,
                                                     common.programs(40)):
            for what, holds, detail in found:
                self.expect(f"{path.name}: {what}", holds, detail)

    def check(self, path, machine):
        # Several folders of the corpus have files of one name.
        home = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        program = home / "input.mlir"
        shutil.copy(path, program)
        out = home / "b.tar.gz"
        # What is printed of a file of this name has no path of this machine.
        def here(*words):
            done = subprocess.run([common.judges.lens(), *map(str, words)],
                                  cwd=home, capture_output=True, timeout=600,
                                  stdin=subprocess.DEVNULL)
            return done.returncode, done.stdout
        made = here("bundle", path, "-o", out)
        yield "made", made[0] == 0 and made[1] == b"", made
        if not out.exists():
            return
        files = unpacked(out.read_bytes())
        manifest = json.loads(files["bundle/manifest.json"])
        yield "the program", files["bundle/input.mlir"] == path.read_bytes(), ""
        status, trace = here("trace", "input.mlir")
        if status != 0:  # Nothing of it can be parsed: only the bundle knows.
            yield "an unreadable program's trace", here("trace", out)[0] == \
                status, ""
            return
        yield "its trace", files["bundle/trace.json"] == trace, ""
        yield "trace BUNDLE", here("trace", out) == (0, trace), ""
        yield "explain BUNDLE", here("explain", out) == \
            here("explain", "input.mlir"), ""
        yield "export BUNDLE", here("export", out, "--format=json") == \
            here("export", "input.mlir", "--format=json"), ""
        yield "diff", here("diff", out, "input.mlir")[0] == 0, ""
        stages = list(enumerate(manifest["stages"]))
        for number, stage in stages if common.LONG else stages[::3]:
            plain = here("ir", "input.mlir", "--stage", number)
            yield f"stage {number}", files["bundle/" + stage["file"]] == \
                plain[1] and here("ir", out, "--stage", number) == plain, plain
        named = ("--stage", 5, "--source-names")
        yield "ir with names", here("ir", out, *named) == \
            here("ir", "input.mlir", *named), ""
        # By which signal MLIR dies is chance.
        compared = re.sub(rb"(upstream crashed \(stage [^)]*\): ).*? in ",
                          rb"\1died in ", here("compare", "input.mlir")[1])
        yield "the comparison", files["bundle/compare.txt"] == \
            (compared or b"no function to compare\n"), compared
        own = path.read_bytes()
        for word in machine:
            for name, data in files.items():
                yield f"nothing of the machine in {name}", \
                    word.encode() not in data or word.encode() in own, word
        again = here("bundle", "input.mlir", "-o", "-")
        yield "equal bytes", again == (0, out.read_bytes()), ""

    def parts(self):
        """A part's names do not depend on how far those before it were brought."""
        path = self.file("parts.mlir", PROGRAM + "// -----\n" + YIELDS)
        named = ("--stage", "5", "--source-names")
        kept, direct = lens("ir", self.make(path), *named), \
            lens("ir", path, *named)
        self.expect("names of a later part", kept.out == direct.out and
                    "%true_" in direct.out, (kept.out, direct.out))

    def elsewhere(self):
        """From other folders, users, zones and file modes."""
        path = self.file("one/program.mlir", PROGRAM)
        first = self.make(path).read_bytes()
        other = self.file("two/another.name.mlir", PROGRAM)
        old = os.umask(0o077)
        try:
            second = self.make(other, name="two/b.tar.gz", HOME="/nowhere",
                               USER="somebody", TZ="Asia/Tokyo",
                               LANG="C", LC_ALL="C", SOURCE_DATE_EPOCH="77")
        finally:
            os.umask(old)
        self.expect("equal bytes from elsewhere", second.read_bytes() == first)
        piped = subprocess.run([common.judges.lens(), "bundle", "-", "-o", "-"],
                               input=PROGRAM.encode(), capture_output=True,
                               timeout=600)
        self.expect("equal bytes through a pipe", piped.stdout == first,
                    piped.stderr)
        if os.getuid() == 0:
            for folder in (self.folder, self.folder / "one"):
                folder.chmod(0o755)
            path.chmod(0o644)
            nobody = subprocess.run(
                [common.judges.lens(), "bundle", str(path), "-o", "-"],
                user=65534, group=65534, capture_output=True, timeout=600,
                stdin=subprocess.DEVNULL, cwd="/")
            if nobody.returncode >= 0 and b"denied" not in nobody.stderr:
                self.expect("equal bytes as another user",
                            nobody.stdout == first, nobody.stderr)
        with tarfile.open(fileobj=io.BytesIO(first)) as archive:
            entries = {(e.uid, e.gid, e.uname, e.gname, e.mode, e.mtime, e.type)
                       for e in archive.getmembers()}
        self.expect("owner, mode and time", entries ==
                    {(0, 0, "", "", 0o644, 0, tarfile.REGTYPE)}, entries)
        self.expect("no time in the compressed bytes", first[4:8] == b"\0" * 4)
        listed = subprocess.run(["tar", "tzf", "-"], input=first,
                                capture_output=True)
        self.expect("tar lists it", listed.returncode == 0 and
                    b"bundle/input.mlir\n" in listed.stdout, listed)

    def options(self):
        path = self.file("p.mlir", PROGRAM)
        flags = ["--private-function-dynamic-ownership",
                 "--pipeline=hoist+ownership", "--pre=cse"]
        made = self.make(path, *flags)
        files = unpacked(made.read_bytes())
        manifest = json.loads(files["bundle/manifest.json"])
        self.expect("options", sorted(manifest["options"]) == sorted(flags),
                    manifest)
        self.expect("another pipeline is not compared",
                    files["bundle/compare.txt"].startswith(b"not compared"))
        last = len(manifest["stages"]) - 1
        self.expect("stages of another pipeline", last > 8 and
                    lens("ir", made, "--stage", last).out ==
                    lens("ir", path, *flags, "--stage", last).out, last)
        self.expect("the same options are none", lens(
            "trace", made, flags[0]).status == 0)
        refused = lens("explain", made, "--bufferize")
        self.expect("others are refused", refused.status == 2 and
                    "'--bufferize'" in refused.err, refused.err)
        readme = files["bundle/README.txt"].decode()
        self.expect("the command to run it again", all(
            f"'{flag}'" in readme for flag in flags), readme)
        own = self.file("own.mlir", PROGRAM.replace(
            "  return", '  return', 1).rstrip() +
            '\nfunc.func private @g() loc("/home/me/x.mlir":1:1)\n')
        told = lens("bundle", own, "-o", self.folder / "own.tar.gz")
        self.expect("a path of the program's own is told", "names a path" in
                    told.err and "line 7" in told.err, told.err)
        folder = self.folder / "in"
        folder.mkdir()
        subprocess.run([common.judges.lens(), "bundle", path], cwd=folder,
                       capture_output=True, timeout=600)
        self.expect("name by default", [entry.name for entry in
                                        folder.iterdir()] ==
                    ["p.bundle.tar.gz"], list(folder.iterdir()))

    def unreadable(self):
        made = self.make(self.file("bad.mlir", "func.func {\n"))
        files = unpacked(made.read_bytes())
        self.expect("a program that cannot be parsed is bundled", files[
            "bundle/input.mlir"] == b"func.func {\n" and
            b"expected" in files["bundle/trace.json"], files)
        self.expect("and told when it is opened", lens(
            "explain", made).status == 3)

    # --- hostile ---

    def refused(self, what, data, word, name="bad.tar.gz"):
        path = self.file(name, data)
        for command in (["trace"], ["ir", "--stage", "1"], ["explain"],
                        ["export", "--format=dot"], ["diff", path]):
            result = lens(*command, path)
            self.expect(f"{what}: {command[0]}", result.status == 3 and
                        word in result.err and str(path) in result.err and
                        result.out == "" and "\x1b" not in result.err,
                        (result.status, result.out[:100], result.err))

    def hostile(self):
        good = self.make(self.file("p.mlir", PROGRAM)).read_bytes()
        files = unpacked(good)
        step = 1 if common.LONG else max(1, len(good) // 12)
        for size in [3, *range(10, len(good) - 8, step), len(good) - 1]:
            result = lens("trace", self.file("cut.tar.gz", good[:size]))
            self.expect(f"cut off after {size} bytes", result.status == 3 and
                        result.out == "", (result.status, result.err))
        for place in range(12, len(good), 7 if common.LONG else 511):
            spoiled = bytearray(good)
            spoiled[place] ^= 0x55
            result = lens("trace", self.file("spoiled.tar.gz", bytes(spoiled)))
            self.expect(f"byte {place} spoiled", result.status == 3 and
                        result.out == "", (result.status, result.err))
        for place in (-8, -4):
            spoiled = bytearray(good)
            spoiled[place] ^= 1
            self.refused(f"a checksum spoiled at {place}", bytes(spoiled),
                         "it is damaged: incorrect")
        for more in (gzip.compress(b"\0" * 512), b"more", b"\0" * 512):
            self.refused(f"{len(more)} bytes more", good + more,
                         "it is damaged: something follows its end")
        self.refused("no archive", gzip.compress(b"hello" * 1000), "archive")
        self.refused("nothing in it", packed({}), "manifest.json")
        for name in ("../../evil", "/etc/evil", "bundle/../../evil",
                     "bundle//x", "bundle/./x", "bundle/\x1b[31m", "a\\b",
                     "C:evil"):
            self.refused(f"a name {name!r}", packed({**files, name: b"x"}),
                         "leads elsewhere")
            self.expect(f"nothing written for {name!r}",
                        not pathlib.Path("/etc/evil").exists() and
                        not list(self.folder.rglob("evil")))

        def link(kind, target):
            def change(entry):
                if entry.name == "bundle/link":
                    entry.type, entry.linkname, entry.size = kind, target, 0
            return packed({**files, "bundle/link": b""}, change=change)
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE,
                     tarfile.DIRTYPE, tarfile.FIFOTYPE):
            self.refused(f"an entry of type {kind}",
                         link(kind, "bundle/input.mlir"), "plain file")
        twice = packed(files, "w")[:-1024].rstrip(b"\0")
        twice += b"\0" * (-len(twice) % 512) + packed(files, "w")
        self.refused("every file twice", gzip.compress(twice), "one name")
        self.refused("many files", packed({f"bundle/{i}": b"" for i in
                                           range(1100)}), "1000 files")
        bomb = io.BytesIO()
        with gzip.open(bomb, "wb", 6) as out:
            entry = tarfile.TarInfo("bundle/bomb")
            entry.size = 3 << 30
            out.write(entry.tobuf())
            for _ in range(1100):
                out.write(bytes(1 << 20))
        self.refused("a bomb", bomb.getvalue(), "1024 MiB")
        # Only what `bundle` makes: one layer of gzip, and none of others inside.
        self.refused("compressed twice", gzip.compress(good), "archive")
        self.refused("compressed by bzip2 inside", gzip.compress(bz2.compress(
            gzip.decompress(good))), "archive")
        began = time.monotonic()
        self.refused("many empty layers inside", gzip.compress(
            gzip.compress(b"") * 200000), "archive")
        self.expect("they are not read one by one",
                    time.monotonic() - began < 10)
        self.contents(files)
        self.expect("two in a row are no error of ours", lens(
            "trace", self.file("two.tar.gz", good + good)).status in (0, 3))
        for command in ("check", "compare", "scopes", "bundle"):
            result = lens(command, self.file("good.tar.gz", good))
            self.expect(f"{command} takes no bundle", result.status == 3 and
                        "bundle/input.mlir" in result.err, result.err)

    def contents(self, files):
        """Archives that are whole, with files that are not."""
        def without(name):
            return packed({key: data for key, data in files.items()
                           if key != name})
        for name in ("bundle/manifest.json", "bundle/trace.json",
                     "bundle/input.mlir", "bundle/compare.txt",
                     "bundle/ir/2-canonicalize.mlir"):
            self.refused(f"without {name}", without(name), name)

        def manifest(change):
            data = json.loads(files["bundle/manifest.json"])
            change(data)
            return packed({**files, "bundle/manifest.json":
                           json.dumps(data).encode()})
        self.refused("a future bundle", manifest(
            lambda data: data.update(bundleVersion=2)), "bundleVersion is 2")
        for value in (None, "1", 1.0, [], {}, True, 2 ** 70):
            self.refused(f"bundleVersion {value}", manifest(
                lambda data: data.update(bundleVersion=value)),
                "bundleVersion is")
        self.refused("stages elsewhere", manifest(lambda data: data[
            "stages"][0].update(file="../../etc/passwd")), "no file")
        for data in (b"", b"[]", b"{", b"null", b"[" * 200000, b"\xff\xfe"):
            self.refused(f"manifest {data[:4]}", packed(
                {**files, "bundle/manifest.json": data}), "manifest.json")
        self.refused("half a trace", packed({
            **files, "bundle/trace.json": files["bundle/trace.json"][:3000]}),
            "trace.json")
        for key in ("options", "stages", "toolVersion"):
            for value in (7, "x", [[]], {"a": 1}, None):
                path = self.file("odd.tar.gz", manifest(
                    lambda data: data.update({key: value})))
                result = lens("trace", path)
                self.expect(f"{key} is {value}", result.status in (0, 3),
                            result.status)
        old = files["bundle/trace.json"].replace(b'"toolVersion":"',
                                                 b'"toolVersion":"0.0.1-', 1)
        told = lens("trace", self.file("old.tar.gz", packed(
            {**files, "bundle/trace.json": old})))
        self.expect("another version is told", told.status == 0 and
                    "was made by memref-lens 0.0.1-" in told.err, told.err)


if __name__ == "__main__":
    common.main(Bundles, "parts", "elsewhere", "options", "unreadable", "hostile",
                "round_trip")
