"""The pipeline's result on programs of others is sound, and checked in time.

Over a part of upstream's own tests and of the real programs (all of them under
MEMREF_LENS_LONG): no finding of the group `unsound` of severity error, except
for those below, where the program itself is the reason.
"""

import json
import sys
import time

import run_rules  # puts the judges' folder on the path
import judges
import sample

# (end of the path, function, rule): why it is right.
KNOWN = {
}


def errors_of(path):
    begin = time.monotonic()
    result = judges.run([judges.lens(), "check", "--format", "json", "--rules",
                         "unsound", "--allow-unregistered-dialect", path],
                        seconds=600)
    seconds = time.monotonic() - begin
    if result.status == 3:
        return path, [], 0, seconds
    if result.status not in (0, 1):
        return path, [f"{path}: exit {result.status}: {result.err[:200]}"], 0, \
            seconds
    report = json.loads(result.out)["files"][0]
    faults = []
    for finding in report["findings"]:
        known = any(str(path).endswith(end) and function == finding["function"]
                    and rule == finding["rule"]
                    for end, function, rule in KNOWN)
        if finding["severity"] == "error" and not known and \
                "(as written)" not in finding["message"]:
            faults.append(f"{path.name}:{finding['place']['line']}: "
                          f"@{finding['function']}: {finding['message']} "
                          f"[{finding['rule']}]")
    return path, faults, len(report["explorations"]), seconds


def told_twice(path):
    """An op for which a function is refused is told once."""
    result = judges.run([judges.lens(), "check", "--format", "json", "--rules",
                         "rejected", "--no-try", "--path-seconds", "0.01",
                         "--allow-unregistered-dialect", path], seconds=600)
    if result.status not in (0, 1):
        return []
    places = [(finding["function"], finding["place"]["line"],
               finding["place"]["column"])
              for finding in json.loads(result.out)["files"][0]["findings"]
              if "is rejected" in finding["message"] or
              "would be rejected" in finding["message"]]
    return [f"{path.name}: {place} is refused twice"
            for place in sorted(set(places)) if places.count(place) > 1]


def main():
    folder = judges.corpus()
    upstream = sorted((folder / "upstream").rglob("*.mlir"))
    real = sorted((folder / "real").glob("*.mlir"))
    if not sample.LONG:
        real = sample.part([path for path in real
                            if path.stat().st_size < 60000], 3, isWhole=False)
    failures, explored, slowest = [], 0, (0, None)
    for path, faults, functions, seconds in judges.in_parallel(
            errors_of, upstream + real):
        failures += faults
        explored += functions
        slowest = max(slowest, (seconds, path.name))
    # One whose op canonicalize makes anew before the pass refuses it.
    rebuilt = sorted((folder / "real").glob("buddy-benchmark__Batch*.mlir"))
    for faults in judges.in_parallel(told_twice, sorted({*real, *rebuilt})):
        failures += faults
    print("\n".join(failures))
    print(f"{len(upstream + real)} files, {explored} functions, "
          f"{len(failures)} soundness errors; slowest: {slowest[1]} "
          f"({slowest[0]:.1f} s)")
    sys.exit(1 if failures or explored < 50 else 0)


if __name__ == "__main__":
    main()
