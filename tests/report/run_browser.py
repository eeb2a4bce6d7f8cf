#!/usr/bin/env python3
"""Makes reports, among them hostile ones, and opens them in headless Chromium.

  run_browser.py MEMREF_LENS REPORT_TOOL REPOSITORY OUT

Playwright is installed once into OUT/node. Without Chromium, node or npm the
test is skipped; with CI=true that is a failure.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

LENS, TOOL = sys.argv[1:3]
ROOT, OUT = (pathlib.Path(argument) for argument in sys.argv[3:5])
HERE = pathlib.Path(__file__).parent

sys.path.insert(0, str(ROOT / "tests" / "support"))
from counted import LEAVES  # noqa: E402

# Ends or opens something in HTML, JSON, JavaScript, CSS, SVG or CDATA, and
# would leave a trace in `window.hostile` if it ran.
HOSTILE = ("</script><script>window.hostile=1</script>"
           "<img src=http://127.0.0.1:9/x onerror=window.hostile=2>"
           "'\"`&amp;&#60;{{7*7}}${window.hostile=3}]]>--><!--</style>"
           "</template></svg>\u202eevil\u2066\u200b\u00e4\u6f22\u2028"
           "javascript:window.hostile=4")


def skip(why):
    if os.environ.get("CI") == "true":
        sys.exit(f"report-browser: {why}")
    print(f"skipped: {why}")
    sys.exit(77)


def run(command, **more):
    return subprocess.run(command, stdin=subprocess.DEVNULL, timeout=300,
                          **more)


def installPlaywright():
    """Into OUT/node, unless the version that package.json names is there."""
    node = OUT / "node"
    node.mkdir(parents=True, exist_ok=True)
    wanted = json.loads((HERE / "package.json").read_text())
    there = node / "node_modules/playwright-core/package.json"
    version = wanted["dependencies"]["playwright-core"]
    if there.exists() and json.loads(there.read_text())["version"] == version:
        return node
    shutil.copy(HERE / "package.json", node)
    log = node / "npm.log"
    with log.open("w") as out:
        result = run(["npm", "install", "--ignore-scripts", "--no-audit",
                      "--no-fund", "--no-package-lock"], cwd=node, stdout=out,
                     stderr=out)
    if result.returncode:
        skip(f"npm could not install playwright-core; see {log}")
    return node


def traceOf(source, *options):
    path = OUT / (source.stem + ".trace.json")
    run([LENS, "trace", *options, str(source), "-o", str(path)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path


def report(path, name):
    made = [run([TOOL, str(path)], check=True, stdout=subprocess.PIPE).stdout
            for _ in range(2)]
    if made[0] != made[1]:
        sys.exit(f"{name}: two runs differ")
    page = OUT / (name + ".html")
    page.write_bytes(made[0])
    return page


def hostileSource():
    """What a file can hold: names in quotes, strings, attributes, locations."""
    text = HOSTILE.replace("\\", "\\\\").replace('"', '\\"')
    path = OUT / "hostile.mlir"
    path.write_text(
        f'func.func @"{text}"(%c: i1) attributes {{note = "{text}"}} {{\n'
        f'  %a = memref.alloc() {{note = "{text}\\0A%a"}} : memref<4xf32>'
        f' loc("{text}":1:1)\n'
        f'  %b = memref.alloca() : memref<4xf32> loc("{text}")\n'
        f'  %s = arith.select %c, %a, %b : memref<4xf32>\n'
        f'  cf.cond_br %c, ^x(%s : memref<4xf32>), ^y\n'
        f'^x(%m: memref<4xf32>):\n  return\n^y:\n  return\n}}\n')
    return path


def hostileTrace(path, name="hostile-names"):
    """What no parser lets through, but a saved trace can hold."""
    trace = json.loads(path.read_text())
    for value in trace["values"]:
        value["name"] = value.get("name", "") + HOSTILE
        value["type"] = value.get("type", "") + HOSTILE
    for block in trace["blocks"]:
        block["name"] = block.get("name", "") + HOSTILE
    for op in trace["ops"]:
        op["name"] = op.get("name", "") + HOSTILE
    for function in trace["functions"]:
        function["name"] = function.get("name", "") + HOSTILE
    for chunk in trace["chunks"]:
        for stage in chunk.get("stages", []):
            stage["name"] += HOSTILE
    trace["source"]["path"] = HOSTILE
    trace["problems"] = [{"message": HOSTILE, "remedy": HOSTILE}]
    out = OUT / (name + ".trace.json")
    out.write_text(json.dumps(trace))
    return out


def pathsSource():
    """A leak on one way through three blocks, and another function's clone."""
    path = OUT / "paths.mlir"
    path.write_text("""func.func @leaks(%c: i1, %v: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %r = memref.load %a[%i] : memref<4xf32>
  cf.cond_br %c, ^free, ^end
^free:
  memref.dealloc %a : memref<4xf32>
  cf.br ^end
^end:
  return %r : f32
}
func.func @copies(%given: memref<4xf32>) -> memref<4xf32> {
  return %given : memref<4xf32>
}
""")
    return path


def aliasesSource():
    """Two arguments that may be one, an allocation, and what is distinct."""
    path = OUT / "aliases.mlir"
    path.write_text("""func.func @touch(%p: memref<4xf32>, %q: memref<4xf32>, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.load %p[%i] : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %x, %y = memref.distinct_objects %p, %q : memref<4xf32>, memref<4xf32>
  memref.store %v, %y[%i] : memref<4xf32>
  return
}
""")
    return path


def manyBuffers():
    """6,000 buffers of different sizes, all alive until the end."""
    path = OUT / "many-buffers.mlir"
    lines, last = ["func.func @many(%f: f32, %i: index) -> f32 {"], "%f"
    for k in range(6000):
        type_ = f"memref<{k % 97 + 1}xf32>"
        lines += [f"  %b{k} = memref.alloc() : {type_}",
                  f"  memref.store %f, %b{k}[%i] : {type_}",
                  f"  %r{k} = memref.load %b{k}[%i] : {type_}",
                  f"  %s{k} = arith.addf {last}, %r{k} : f32"]
        last = f"%s{k}"
    path.write_text("\n".join([*lines, f"  return {last} : f32", "}", ""]))
    return path


def exported(source, name, *options):
    """The command's own report, for which paths were tried."""
    page = OUT / (name + ".html")
    run([LENS, "export", "--format", "html", *options, "-o", str(page),
         str(source)],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return page


def ranPage():
    """`leaves` leaves three of ten buffers; its caller; a function that does not run."""
    source, kept = OUT / "ran.mlir", OUT / "ran.json"
    source.write_text(LEAVES + """func.func @aside() {
  return
}
""")
    run([LENS, "run", "--stage", "0", "--entry", "@main", "--arg", "n=10", "--format",
         "json", "-o", str(kept), str(source)], stderr=subprocess.DEVNULL)
    return exported(source, "ran", "--with-run", str(kept))


def strangersTrace(path):
    """Hostile wherever a trace holds text, options and plugins among it."""
    trace = json.loads(path.read_text())

    def spoilt(node, key=""):
        if isinstance(node, dict):
            return {name: spoilt(one, name) for name, one in node.items()}
        if isinstance(node, list):
            return [spoilt(one, key) for one in node]
        isText = key in ("message", "remedy", "name", "type", "text", "path",
                         "own", "toolVersion", "llvmVersion")
        return node + HOSTILE if isinstance(node, str) and isText else node
    trace = spoilt(trace)
    trace["problems"] = [{"message": HOSTILE, "remedy": HOSTILE,
                          "notes": [{"message": HOSTILE}]}]
    trace["options"] = {"prePipeline": HOSTILE, "bufferize": True,
                        "bufferizeOptions": HOSTILE,
                        "dialectPlugins": ["/" + HOSTILE],
                        "passPlugins": ["/" + HOSTILE]}
    out = OUT / "stranger.json"
    out.write_text(json.dumps(trace))
    return out


def otherPages(trace):
    """What else opens in a browser: pictures, lists of them, tables."""
    made = {}
    folder = OUT / ("folder" + HOSTILE[2:40].replace("/", "_"))
    for format_ in ("svg", "html"):
        target = folder / format_
        run([LENS, "export", str(trace), "--format", format_, "-o",
             f"{target}/"], check=True, stderr=subprocess.DEVNULL)
        for file in sorted(target.iterdir())[:6]:
            made[f"{format_} {file.name}"] = file
    stranger = strangersTrace(trace)
    made["stranger"] = exported(stranger, "stranger")
    name = json.loads(stranger.read_text())["functions"][0]["name"]
    for view in (["--view", "lifetimes"], ["--stage", "0..final"]):
        file = OUT / f"stranger{len(made)}.svg"
        run([LENS, "export", str(stranger), "--function", name, *view, "-o",
             str(file)], check=True, stderr=subprocess.DEVNULL)
        made[f"stranger {view}"] = file
    made["svg tensors"] = OUT / "hostile-tensors.svg"
    run([LENS, "export", "--view", "tensors", "-o", str(made["svg tensors"]),
         str(OUT / "hostile-tensors.trace.json")], check=True)
    source = OUT / ("p" + HOSTILE[:60].replace("/", "_") + ".mlir")
    source.write_text((OUT / "hostile.mlir").read_text())
    for where in ("hostile", "hostile path"):
        file = OUT / (where + " pipelines.html")
        run([LENS, "compare", "--pipelines", "classic,ownership",
             "--format=html", str(source if " " in where else
                                  OUT / "hostile.mlir"), "-o", str(file)],
            stderr=subprocess.DEVNULL)
        made[f"pipelines {where}"] = file
    bundle = OUT / "hostile.bundle.tar.gz"
    run([LENS, "bundle", str(source), "-o", str(bundle)], check=True,
        stderr=subprocess.DEVNULL)
    made["bundle"] = exported(bundle, "bundle")
    return made


def corpus():
    given = os.environ.get("MEMREF_LENS_CORPUS")
    folder = pathlib.Path(given) if given else ROOT.parent / "shared/corpus"
    real = folder / "real"
    if not real.is_dir():
        if os.environ.get("CI") == "true":
            sys.exit(f"report-browser: no corpus in {folder}")
        print(f"no corpus in {folder}: its largest function is not opened")
        return None
    return real


def main():
    for tool in ("chromium", "node", "npm"):
        if not shutil.which(tool):
            skip(f"there is no {tool}")
    OUT.mkdir(parents=True, exist_ok=True)
    node = installPlaywright()
    pages = {}
    for name in ("conditional-clone", "diamond-chain", "reject-loop",
                 "nested-regions"):
        trace = traceOf(ROOT / "samples" / (name + ".mlir"))
        pages[name] = report(trace, name)
    pages["paths"] = exported(pathsSource(), "paths")
    pages["memory"] = OUT / "memory.html"
    run([LENS, "memory", "-o", str(pages["memory"]),
         str(ROOT / "samples/tutorial/4-small.mlir")], check=True)
    pages["manyBuffers"] = OUT / "many-buffers.html"
    run([LENS, "memory", "-o", str(pages["manyBuffers"]), str(manyBuffers())],
        check=True)
    pages["run"] = ranPage()
    pages["aliases"] = exported(aliasesSource(), "aliases", "--aliases")
    pages["hostileAliases"] = exported(hostileSource(), "hostile-aliases",
                                       "--aliases")
    smooth = ROOT / "samples/tensors/smooth.mlir"
    pages["tensors"] = exported(smooth, "tensors", "--bufferize")
    pages["hostileTensors"] = report(
        hostileTrace(traceOf(smooth, "--bufferize"), "hostile-tensors"),
        "hostile-tensors")
    pages["hostilePaths"] = exported(hostileSource(), "hostile-paths")
    source = traceOf(hostileSource())
    pages["hostile"] = report(source, "hostile")
    pages["hostileNames"] = report(hostileTrace(source), "hostile-names")
    inert = otherPages(OUT / "hostile-names.trace.json")
    real = corpus()
    if real:
        largest = real / "MODEL_deepseek_r1_decode_deallocs_stripped.mlir"
        pages["largest"] = report(traceOf(largest), "largest")
        print(f"largest report: {pages['largest'].stat().st_size} bytes")
    settings = {"node": str(node), "out": str(OUT),
                "chromium": shutil.which("chromium"),
                "inert": {name: path.as_uri() for name, path in inert.items()},
                "pages": {name: path.as_uri() for name, path in pages.items()}}
    sys.exit(run(["node", str(HERE / "browser.mjs"),
                  json.dumps(settings)]).returncode)


main()
