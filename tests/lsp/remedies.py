#!/usr/bin/env python3
"""Remedies in the editor are those that `memref-lens check` has tested.

A saved file's diagnostics name the remedies that help, with their gains, and none
that was tested in vain; `memrefLens/causes` has check's own report. They stay with
a function that an edit does not change, and are tested anew once the file is saved.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from client import ROOT, Client, corpus

sys.path.insert(0, str(ROOT / "tests" / "support"))
import sample  # noqa: E402

SERVER, LENS = (sys.argv + [None, None])[1:3]
UNTESTED = "not tested here"


def checked(path):
    done = subprocess.run([LENS, "check", "--format=json", "--fail-on=none", path],
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    return json.loads(done.stdout)["files"][0] if done.returncode == 0 else None


def lines(finding):
    """What the diagnostic is to say of the finding's remedies."""
    helpful = [one for one in finding["tried"] if one["helps"]]
    said = [f"→ {one['remedy']}: {one['outcome']}" for one in helpful[:4]]
    if len(helpful) > 4:
        said.append(f"→ and {len(helpful) - 4} more; memref-lens check lists each")
    said += ["→ " + one for number, one in enumerate(finding["remedies"])
             if number not in finding["vainRemedies"]]
    count = len(finding["tried"])
    if not said and count:
        said = [f"→ none found; {count} {'remedy' if count == 1 else 'remedies'} tested"]
    return said


def state(client, uri, *wanted, seconds=150):
    end = time.monotonic() + seconds
    while True:
        answer = client.result("memrefLens/causes", {"textDocument": {"uri": uri}})
        if answer["state"] in wanted:
            # What it told before is here after one more answer.
            client.result("memrefLens/status", {"analysis": True})
            return answer
        assert time.monotonic() < end, (uri, answer["state"])
        time.sleep(0.05)


def told(client, uri, version):
    return [note["params"]["diagnostics"] for note in client.notifications
            if note["method"] == "textDocument/publishDiagnostics" and
            note["params"]["uri"] == uri and
            note["params"]["version"] == version][-1]


def start(server=SERVER, **findings):
    return Client([server, "--crash-dir=off"], options={"findings": {
        "testRemedies": True, "most": 1_000_000, **findings}})


def checkFile(client, path, counts):
    """Its diagnostics, one for each finding, against check's report."""
    report = checked(path)
    if report is None or report["unreadable"]:
        return
    uri = path.as_uri()
    client.open(uri, path.read_bytes().decode("utf-8", "replace"))
    answer = state(client, uri, "tested", "nothing", "failed")
    if "took more than" in answer["problem"]:
        counts["late"] += 1
        return
    if answer["state"] != "tested":
        assert answer["state"] == "nothing" and not [
            one for one in report["findings"]
            if one["rule"] != "open-ownership"], (path, answer)
        return
    assert answer["isOfThisText"] and answer["problem"] == "", answer
    assert len(answer["report"]["files"][0]["findings"]) == len(report["findings"]), path
    assert answer["report"]["files"][0]["overview"] == report["overview"], path
    diagnostics = told(client, uri, 1)
    byPlace = {}
    for one in report["findings"]:
        place = one["place"]["line"] - 1, one["place"]["utf16Column"] - 1
        byPlace.setdefault((one["rule"], *place), []).append(one)
    for one in diagnostics:
        begin = one["range"]["start"]
        found = byPlace.get((one.get("code"), begin["line"], begin["character"]))
        if one.get("source") != "memref-lens" or not found or len(found) != 1:
            continue
        said = [line for line in one["message"].split("\n") if line.startswith("→")]
        assert said == lines(found[0]), (path, one["message"], lines(found[0]))
        counts["compared"] += 1
        counts["helpful"] += any(each["helps"] for each in found[0]["tried"])
        counts["vain"] += any(not each["helps"] for each in found[0]["tried"])
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.notifications.clear()


def checkFiles():
    files = sample.part(sorted((ROOT / "samples").glob("*.mlir")), 3,
                        core=("call-private", "loop-swapped", "helper-call"))
    files += sample.part([path for path in sorted((corpus() / "real").glob("*.mlir"))
                          if path.stat().st_size < 20_000], 12)
    client, counts = start(byCause=False), dict.fromkeys(
        ("compared", "helpful", "vain", "late"), 0)
    for path in files:
        if "// options" not in path.read_text(errors="replace"):
            checkFile(client, path, counts)
    client.close()
    print(f"{len(files)} files: {counts}")
    assert counts["compared"] > 5 and counts["helpful"] and counts["vain"], counts


def checkEdits():
    """An edit elsewhere keeps what is known; a save tests anew."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a b.mlir"
        text = (ROOT / "samples" / "loop-swapped.mlir").read_text()
        path.write_text(text)
        uri, client = path.as_uri(), start()
        client.open(uri, text)
        state(client, uri, "tested")
        gains = [one["message"] for one in told(client, uri, 1) if " -> " in one["message"]]
        assert gains and not any(UNTESTED in one for one in gains), gains

        more = "func.func @more(%m: memref<4xf32>) {\n  return\n}\n"
        client.change(uri, 2, [{"text": more + text}])
        answer = state(client, uri, "unsaved")
        assert answer["isOfThisText"] is False and answer["report"], answer
        client.diagnostics(uri, 2, lambda told: [
            one["message"].replace("(", "").split(":")[0] for one in told] and
            any(" -> " in one["message"] for one in told))

        path.write_text(more + text)
        client.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
        answer = state(client, uri, "tested")
        assert answer["isOfThisText"] is True, answer
        assert {one["function"] for one in answer["report"]["files"][0]["findings"]}, answer
        client.close()


def checkWithout():
    """Off, without check, and of what is in no file: said, and nothing is lost."""
    sampleFile = ROOT / "samples" / "nested-regions.mlir"
    text = sampleFile.read_text()
    client = start(testRemedies=False)
    client.open(sampleFile.as_uri(), text)
    assert state(client, sampleFile.as_uri(), "off")["problem"] == ""
    client.close()

    client = start()
    client.open("untitled:one.mlir", text)
    state(client, "untitled:one.mlir", "unsaved")
    client.close()

    with tempfile.TemporaryDirectory() as folder:
        alone = shutil.copy(SERVER, folder)
        client = start(alone)
        client.open(sampleFile.as_uri(), text)
        answer = state(client, sampleFile.as_uri(), "failed")
        assert answer["problem"] == "there is no memref-lens beside this server", answer
        client.close()


if __name__ == "__main__":
    checkEdits()
    checkWithout()
    checkFiles()
