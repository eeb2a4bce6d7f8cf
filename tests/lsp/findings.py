#!/usr/bin/env python3
"""The server's diagnostics are the findings of `memref-lens check`.

Over samples, defects and real programs: the same rule, place and message, none
missing, none twice, none that MLIR's own server tells; each with the facts and
the steps of its path. Findings of unchanged functions survive edits, and edits
while paths are tried cost no answer.
"""
import collections
import json
import re
import subprocess
import sys
import time

from client import ROOT, Client, corpus, skip

sys.path.insert(0, str(ROOT / "tests" / "support"))
import sample  # noqa: E402

SERVER, LENS = (sys.argv + [None, None])[1:3]
SEVERITY = {"error": 1, "warning": 2, "remark": 3, "note": 3}


def explored(client, seconds=300):
    """Waits until all documents' paths were tried and all is told."""
    end = time.monotonic() + seconds
    while True:
        status = client.result("memrefLens/status", {"analysis": True})
        if all(one["explored"] for one in status["analysisDocuments"]):
            # What it told before is here after one more answer.
            client.result("memrefLens/status", {"analysis": True})
            return status
        assert time.monotonic() < end, status
        time.sleep(0.05)


UNTESTED = " (not tested here: memref-lens check does)"


def told(client, uri, version=1):
    """The newest diagnostics of a version that is explored."""
    client.diagnostics(uri, version, lambda _: True)
    newest = [note["params"]["diagnostics"] for note in client.notifications
              if note["method"] == "textDocument/publishDiagnostics" and
              note["params"]["uri"] == uri and
              note["params"]["version"] == version][-1]
    # Advice against costs is tested by check alone.
    return [{**one, "message": one["message"].replace(UNTESTED, "")}
            for one in newest]


def checked(path):
    """The report of `check`; None where it cannot read the file."""
    done = subprocess.run(
        # In the editor a function is looked at alone: it is not asked there
        # whose the results of others are.
        [LENS, "check", "--format", "json", "--fail-on", "none", "--no-try",
         "--rules=-open-ownership", path],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
    if done.returncode != 0:
        return None
    report = json.loads(done.stdout)["files"][0]
    return None if report["unreadable"] else report


def column(lines, place, prefix=""):
    """LSP's line and UTF-16 column of a place of `check`."""
    if place["line"] == 0:
        return None
    line = lines[place["line"] - 1] if place["line"] <= len(lines) else b""
    before = line[:place["column"] - 1].decode("utf-8", "replace")
    return place["line"] - 1, len(before.encode("utf-16-le")) // 2


def start(range):
    return range["start"]["line"], range["start"]["character"]


def notes(lines, finding):
    """What the related information is to be: (place or None, text)."""
    made = [(column(lines, note["place"]), note["text"])
            for note in finding["related"]]
    count = len(finding["path"])
    for number, note in enumerate(finding["path"]):
        made.append((column(lines, note["place"]),
                     f"{number + 1}/{count} {note['text']}"))
    return made


def checkOne(diagnostic, finding, lines, where):
    message = diagnostic["message"]
    expected = "".join([finding["message"]] +
                       ["\n→ " + one for one in finding["remedies"]])
    rest = message[len(expected):]
    assert message.startswith(expected), (where, message, expected)
    if finding["path"]:
        asWritten = finding["message"].endswith(" (as written)")
        kind = "in the program as written: " if asWritten else \
            "in what the pipeline makes of it: "
        assert rest.startswith("\n" + kind) and "path" in rest, (where, rest)
        assert diagnostic["data"]["asWritten"] == asWritten, where
    else:
        assert rest == "", (where, rest)
    assert diagnostic["source"] == "memref-lens", where
    assert diagnostic["severity"] == SEVERITY[finding["severity"]], where
    related = diagnostic["relatedInformation"]
    expected = notes(lines, finding)
    assert len(related) == len(expected), (where, related, expected)
    for note, (place, text) in zip(related, expected):
        assert note["message"] == text, (where, note, text)
        if place:
            assert start(note["location"]["range"]) == place, (where, note)
    data = diagnostic["data"]
    assert data["facts"] == len(finding["related"]), where
    assert data["steps"] == len(finding["path"]), where
    # A place of no length would be seen by nobody.
    assert diagnostic["range"]["start"] != diagnostic["range"]["end"] or \
        finding["place"]["line"] > len(lines) - 1, (where, diagnostic)


def withoutSizeOfPaths(finding, lines):
    """As the server tells it, which measures no paths, where only these tell the
    size: of a type with dimensions, or a layout, that no constant gives."""
    line = lines[finding["place"]["line"] - 1]
    type = line.rsplit(b"->" if b"->" in line else b" : ", 1)[-1]
    if finding["rule"] == "late-free" and b"?" in type:
        finding = {**finding, "message": re.sub(
            r"^(\S+) \([\d.,]+ [KMG]?i?B\) is", r"\1 is", finding["message"])}
    return finding


def compare(path, diagnostics, report):
    """How many findings are the same; fails at the first difference."""
    lines = path.read_bytes().split(b"\n")
    upstreams = [one["message"] for one in diagnostics
                 if one.get("source") != "memref-lens"]
    ours = collections.defaultdict(list)
    for one in diagnostics:
        if one.get("source") == "memref-lens" and "code" in one:
            ours[(one["code"], start(one["range"]))].append(one)
    wanted = collections.defaultdict(dict)
    for finding in report["findings"]:
        place = column(lines, finding["place"]) or (0, 0)
        if not any(one["message"].startswith(finding["message"])
                   for one in ours.get((finding["rule"], place), [])):
            finding = withoutSizeOfPaths(finding, lines)
        wanted[(finding["rule"], place)][finding["message"]] = finding
    missing = {key: list(entry) for key, entry in wanted.items()
               if key not in ours}
    more = {key: [one["message"] for one in entry]
            for key, entry in ours.items() if key not in wanted}
    assert not missing and not more, (path.name, "missing", missing, "more",
                                      more)
    count = 0
    for key, findings in wanted.items():
        where = (path.name, key)
        assert len(ours[key]) == len(findings), (where, ours[key], findings)
        for diagnostic in ours[key]:
            first = [one for one in findings
                     if diagnostic["message"].startswith(one)]
            assert first, (where, diagnostic["message"], list(findings))
            best = max(first, key=len)
            checkOne(diagnostic, findings.pop(best), lines, where)
            assert best not in upstreams, where
            count += 1
    return count


def checkFiles(files):
    client = Client([SERVER, "--crash-dir=off"],
                    options={"findings": {"most": 1_000_000,
                                           "byCause": False}})
    rules, count, read = collections.Counter(), 0, 0
    for path in files:
        report = checked(path)
        if report is None:
            continue
        read += 1
        uri = path.as_uri()
        client.open(uri, path.read_bytes().decode("utf-8", "replace"))
        explored(client)
        diagnostics = told(client, uri)
        count += compare(path, diagnostics, report)
        rules.update(one["rule"] for one in report["findings"])
        client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        client.notifications.clear()
    client.close()
    print(f"{count} findings of {len(rules)} rules in {read} files are the same")
    # Few on a part of the files.
    assert count > (100 if sample.FULL else 8), rules
    assert len(rules) > (12 if sample.FULL else 4), rules


def checkGrouped(path):
    """One diagnostic for a rule's findings with one cause, with their places;
    each error alone. How many findings are told so."""
    report = checked(path)
    lines = path.read_bytes().split(b"\n")
    groups, alone = collections.defaultdict(list), 0
    for finding in report["findings"]:
        if finding["severity"] == "error" or finding["cause"] < 0:
            alone += 1
        else:
            groups[(finding["cause"], finding["rule"])].append(finding)
    client = Client([SERVER, "--crash-dir=off"])
    client.open(path.as_uri(), path.read_text())
    explored(client)
    ours = [one for one in told(client, path.as_uri())
            if one.get("source") == "memref-lens" and "code" in one]
    client.close()
    assert len(ours) == len(groups) + alone, (path.name, len(ours), groups)
    grouped = 0
    for (number, rule), findings in groups.items():
        if len(findings) == 1:
            continue
        cause = report["causes"][number]
        isShared = cause["kind"] not in ("fault", "other")
        place = cause["place"] if isShared else findings[0]["place"]
        said = cause["sentence"] if isShared else findings[0]["message"]
        here = [one for one in ours if one["code"] == rule and
                start(one["range"]) == column(lines, place) and
                one["message"].startswith(said + ": ")]
        assert len(here) == 1, (path.name, rule, said, here)
        related = here[0]["relatedInformation"]
        shown = findings[:100]
        assert [one["message"] for one in related[:100]] == \
            [one["message"] for one in shown], (path.name, rule, related)
        assert [start(one["location"]["range"]) for one in related[:100]] == \
            [column(lines, one["place"]) for one in shown], (path.name, rule)
        assert len(related) == len(shown) + (len(findings) > 100), path.name
        grouped += len(findings)
    return grouped


def checkBound(path, most):
    """Past the bound the most severe are shown, and how many others there are."""
    client = Client([SERVER, "--crash-dir=off"],
                    options={"findings": {"most": most,
                                           "byCause": False}})
    client.open(path.as_uri(), path.read_text())
    explored(client)
    diagnostics = [one for one in told(client, path.as_uri())
                   if one.get("source") == "memref-lens"]
    client.close()
    severities = sorted(SEVERITY[one["severity"]]
                        for one in checked(path)["findings"])
    assert severities[0] < severities[-1] and len(severities) > most, path
    shown = sorted(one["severity"] for one in diagnostics if "code" in one)
    assert shown == severities[:most], (shown, severities)
    rest = [one["message"] for one in diagnostics if "code" not in one]
    assert rest == [f"{len(severities) - most} more findings of this file are "
                    "not shown; memref-lens check --all lists each"], rest


def main():
    folder = corpus()
    if not folder:
        skip("no corpus: MEMREF_LENS_CORPUS is not set")
    real = sorted((folder / "real").glob("*.mlir"))
    if not sample.LONG:
        real = sample.part([path for path in real if path.stat().st_size < 20000],
                           6 if sample.FULL else 18, isWhole=False)
    checkBound(ROOT / "samples" / "transformer.mlir", 9)
    grouped = {path.name: checkGrouped(path) for path in (
        ROOT / "samples" / "transformer.mlir",
        ROOT / "samples" / "loop-swapped.mlir",
        folder / "real" / "TRAIN_linear_train_step.mlir",
        folder / "real" / "TRAIN_mobilenetv2_reduced_train_step.mlir")}
    print("findings told by their cause:", grouped)
    assert max(grouped.values()) > 100 and sum(grouped.values()) > 200, grouped
    checkFiles(sample.part(sorted((ROOT / "samples").glob("*.mlir")), 3) +
               sample.part(sorted((folder / "defects").glob("*.mlir")), 3) + real)


if __name__ == "__main__":
    main()
