"""No advice harms: what `check` offers frees nothing before a use, leads to no
advice that undoes it, and says what it costs.

  run_advice.py [FILE...]
"""

import json
import pathlib
import re
import sys
import tempfile

import run_rules  # puts the judges' folder on the path
import judges
import sample

DYNAMIC = "--private-function-dynamic-ownership"


class Report:
    """What `check` says of one file."""

    def __init__(self, path, *options):
        self.result = judges.run(
            [judges.lens(), "check", "--format", "json", "--try-ops", "0",
             "--fail-on", "none", *options, path], seconds=600)
        self.file = json.loads(self.result.out)["files"][0] \
            if self.result.out.startswith("{") else {"findings": []}
        self.findings = self.file["findings"]

    def of(self, rule):
        return [finding for finding in self.findings
                if finding["rule"] == rule]

    def offered(self, rule=None):
        """Remedies that are said to help."""
        return [tried for finding in self.findings
                if rule in (None, finding["rule"])
                for tried in finding["tried"] if tried["helps"]]

    def advice(self):
        return [line for finding in self.findings
                for line in finding["remedies"]] + [
                    tried["remedy"] for tried in self.offered()]


class Readings:
    """Programs on which an advice was once wrong."""

    def __init__(self):
        self.folder = judges.corpus() / "readings"
        self.faults, self.checks = [], 0

    def expect(self, what, holds, shown=""):
        self.checks += 1
        if not holds:
            self.faults.append(f"{what}\n{shown}")

    def path(self, name):
        return next(self.folder.glob(f"{name}_*.mlir"))

    def run(self):
        if not self.folder.is_dir():
            return
        for name in ("d06", "d06b", "d06e"):
            self.escapes(name)

    def escapes(self, name):
        """A buffer that is used through a tensor or a pointer."""
        report = Report(self.path(name))
        notes = report.of("late-free")
        self.expect(f"{name}: one late-free note", len(notes) == 1, notes)
        for note in notes:
            self.expect(f"{name}: the last use is not known",
                        "its last use is not known" in note["message"] and
                        "after its last use" not in note["message"], note)
            self.expect(f"{name}: the op is shown by which it escapes",
                        any(re.search(r"to_tensor|extract_aligned_pointer",
                                      fact["text"])
                            for fact in note["related"]), note)
        self.expect(f"{name}: no pass that moves deallocations",
                    not any("optimize-allocation-liveness" in line
                            for line in report.advice()), report.advice())


def main():
    readings = Readings()
    readings.run()
    print("\n".join(readings.faults))
    print(f"{readings.checks} checks of readings, "
          f"{len(readings.faults)} faults")
    sys.exit(1 if readings.faults else 0)


if __name__ == "__main__":
    main()
