"""Numbers from samples: medians, percentiles, growth, and how sure they are."""
import math


def quantile(values, share):
    """The smallest value that is not below this share of all: one that was
    measured, never one in between."""
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)]


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def percentiles(values):
    return {"p50": median(values), "p95": quantile(values, 0.95),
            "p99": quantile(values, 0.99), "worst": max(values),
            "count": len(values)}


def deviation(logs):
    """Standard error of a median of logarithms; None for one sample."""
    if len(logs) < 2:
        return None
    mean = sum(logs) / len(logs)
    variance = sum((one - mean) ** 2 for one in logs) / (len(logs) - 1)
    # The median's error is larger than the mean's by about this.
    return 1.25 * math.sqrt(variance / len(logs))


def logs(values):
    return [math.log(max(value, 1e-9)) for value in values]


def ratio(ours, theirs):
    """{value, deviation}: the median of pairs that ran one after the other, so
    that what slows both down does not show."""
    pairs = [math.log(max(a, 1e-9) / max(b, 1e-9))
             for a, b in zip(ours, theirs)]
    return {"value": math.exp(median(pairs)), "deviation": deviation(pairs)}


def absolute(values):
    return {"value": median(values), "deviation": deviation(logs(values))}


def slope(points):
    """Least-squares slope on a log-log scale: the exponent of the growth. None
    for a single size."""
    scaled = [(math.log(x), math.log(y)) for x, y in points]
    if len(scaled) < 2:
        return None
    meanX = sum(x for x, _ in scaled) / len(scaled)
    meanY = sum(y for _, y in scaled) / len(scaled)
    spread = sum((x - meanX) ** 2 for x, _ in scaled)
    return sum((x - meanX) * (y - meanY) for x, y in scaled) / spread


# Seconds beyond start-up; less than that cannot be told from none.
LEAST_WORK = 0.005


def growth(rows, tool, floor):
    """Exponent over the three largest sizes, of the processor's time beyond what
    the tool takes for next to nothing; sizes as they were used. The fastest runs
    count: what else runs on the machine makes none of them faster. None where
    there is too little to be told."""
    points = []
    for row in rows:
        runs = [one - floor for one in row[tool]["cpu"]] if row.get(tool) \
            else []
        if runs and min(runs) >= LEAST_WORK:
            points.append((row["n"], min(runs), runs))
    used = points[-3:]
    return {"exponent": slope([point[:2] for point in used]),
            "deviation": slopeError(used),
            "sizes": [point[0] for point in used]}


def slopeError(points):
    """Standard error of a slope, from how the runs of each size scatter."""
    xs = [math.log(n) for n, _, _ in points]
    spread = sum((x - sum(xs) / len(xs)) ** 2 for x in xs) if xs else 0
    known = [deviation(logs(runs)) for _, _, runs in points if len(runs) > 1]
    if not known or spread == 0:
        return None
    return median(known) / math.sqrt(spread)
