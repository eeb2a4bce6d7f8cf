#!/usr/bin/env python3
"""Fails if a library of ours names a symbol of upstream's ownership pass.

  check_symbols.py --nm=nm --judge=libMemrefLensUpstream.a libMemrefLens*.a

The judge's library runs upstream for comparison, so it must name one: that shows
that this check would see it."""

import argparse
import subprocess
import sys

FORBIDDEN = (
    "createOwnershipBasedBufferDeallocationPass",
    "OwnershipBasedBufferDeallocationPass",
    "deallocateBuffersOwnershipBased",
    "buildBufferDeallocationPipeline",
    "registerBufferDeallocationPipelines",
    "registerBufferizationPipelines",
    "BufferOriginAnalysis",
)
# A library that needs fewer symbols than this was not read as it should be.
FEWEST_SYMBOLS = 20


def undefined_symbols(nm, library):
    """Demangled; ordered as nm lists them."""
    listing = subprocess.run([nm, "-C", "--undefined-only", library],
                             check=True, capture_output=True, text=True).stdout
    return [line.split(" U ", 1)[1] for line in listing.splitlines()
            if " U " in line]


def forbidden(symbols):
    return [symbol for symbol in symbols
            if any(name in symbol for name in FORBIDDEN)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--judge", required=True)
    parser.add_argument("libraries", nargs="+")
    arguments = parser.parse_args()

    failures = []
    for library in arguments.libraries:
        symbols = undefined_symbols(arguments.nm, library)
        print(f"{library}: {len(symbols)} undefined symbols")
        if len(symbols) < FEWEST_SYMBOLS:
            failures.append(f"{library}: too few symbols to be the library")
        failures += [f"{library} names {symbol}"
                     for symbol in forbidden(symbols)]
    found = forbidden(undefined_symbols(arguments.nm, arguments.judge))
    if not found:
        failures.append(f"{arguments.judge} names no symbol of upstream's pass:"
                        " this check is blind")
    for failure in failures:
        print(f"error: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
