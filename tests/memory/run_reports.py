#!/usr/bin/env python3
"""Programs after public reports on which figures of memory were wrong once.

  run_reports.py

Each of shared/reports is asked as its reporter asked; what must be said was read from
the IR or measured by a run, what must not be said is what was told before. Their README
says why. `judges.lifetimes` runs the same files.
"""

import os
import subprocess
import sys
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import corpus  # noqa: E402

LENS = os.environ["MEMREF_LENS"]

# File, arguments in front of it, what must be said, what must not.
CASES = [
    # Loops carry the buffers to their results, which are read behind.
    ("loop_result", ["memory"],
     ["one arena for all  12 KiB", "%a    idle since memref.load (20:10)"],
     ["idle since scf.for", "arena for all  8 KiB"]),
    ("loop_unrolled", ["memory"],
     ["one arena for all  12 KiB", "%a    in use until memref.load (19:10)"], []),
    ("loop_result", ["check"], ["dealloc-helper"], ["late-free"]),
    # Every round reads the first state.
    ("m6_loop_init_last_use", ["memory"],
     ["%start  in use until memref.copy (16:3)",
      "none, since rounds of a loop have several of %work (11:5)"], ["idle since"]),
    ("m6_loop_init_last_use", ["check", "--no-try"], [], ["late-free"]),
    # What a call executes, and what would be executed less often.
    ("matmul", [], ["a call of @tiled_matmul: 33 allocations, 512 KiB; 32 copies, 384 KiB",
                    "allocations in a call 33 -> 3"], ["no findings"]),
    ("c02_while_state", [], ["scf.while (6:10) in @count_up allocates 1 buffer in each "
                             "iteration", "it leaves the iteration by scf.condition (10:5)"],
     ["no findings"]),
    ("ring", [], ["in each iteration of scf.while (9:10): 2 dealloc_helper calls; 10 lists "
                  "for dealloc_helper, 76 B"], []),
    # Each memory space by itself.
    ("c16_l1_budget", [], ["512 KiB in memory space 1", "58 KiB in memory space 2",
                           "4 * (%steps / 2) allocations"], ["570 KiB"]),
    ("c16_l1_budget", ["memory", "--space", "2=L1,48KiB"],
     ["@tile, memory space 2 (L1): peak at least 58 KiB at 16:11, 10 KiB more than its "
      "48 KiB", "%a1 (16 KiB), %w1 (9 KiB) are alive there, and not needed"], []),
    # What bufferization made is as old as its op, and its copies are uses.
    ("m5_transposed", ["--bufferize"], ["peak 48.6 KiB, 48 KiB of it in 2 buffers "
                                        "that linalg.transpose fills from arguments; "
                                        "could be 32.5 KiB",
                                        "peak 48.6 KiB -> 32.5 KiB"], ["no findings"]),
    ("m5_transposed", ["memory", "--bufferize"],
     ["%e1_buf  idle since linalg.vecmat (8:9)", "after last use     32.5 KiB at 6:8"],
     []),
    ("m3_materialize_late", ["memory", "--bufferize"],
     ["%e_buf   in use until memref.copy (14:3)"], ["idle since"]),
    # A cast that is yielded takes the buffer with it.
    ("m1_cast_yield", ["memory"],
     ["%fresh  in use until memref.copy (11:3); passed on (9:5)"],
     ["never deallocated"]),
    # One op has more in use than an arena of one slot for each buffer would hold.
    ("c14_accumulate", ["memory"],
     ["peak 48.0 KiB", "none, since rounds of a loop have several of %sum (36:5)"],
     ["which is the least"]),
    # The two bounds leave out different things.
    ("ext_out2", [], [], ["16.0 KiB -> ", "32.0 KiB"]),
    # The caller allocates what the callee did.
    ("m7_identity_called", [], [], ["could be 0 B"]),
    # Each round of scf.while makes it anew.
    ("c15_while_stack", ["memory"],
     ["%inner anew in each round of scf.while (8:12), until the function returns"], []),
    # One number of allocations.
    ("c24_language", [], ["4 functions, 1 rejected, 4 allocations"], []),
    ("c24_language", ["explain"], ["4 functions (1 rejected), 4 allocations"], []),
    # Executed, inlining makes fewer.
    ("calls", [], [], ["memref.alloc 2 -> 3", "allocations 2 -> 3"]),
    # Elements as finalize-memref-to-llvm allocates them.
    ("mask_elements", ["memory"], ["peak at least 512 B"], ["4 KiB"]),
    ("f80_elements", ["memory"], ["peak 1 KiB"], ["640 B"]),
    ("index_of_32_bits", ["memory"], ["4 * %n B"], ["8 * %n B"]),
    ("index_of_32_bits", ["run"], ["by its data layout (dlti.dl_spec)"], []),
    # Only the callee knows the size of the result.
    ("dyn", [], [], ["as out-params"]),
    ("dyn", ["check"], [], ["buffer-results-to-out-params"]),
    # Callers elsewhere own the results.
    ("c26_sparse_add", [], ["callers are elsewhere"], ["private"]),
]


def main():
    folder = corpus.corpus().parent / "reports"
    found = []
    for name, arguments, said, unsaid in CASES:
        file = folder / f"{name}.mlir"
        command = arguments[:1] if arguments and not arguments[0].startswith("-") else []
        options = arguments[len(command):]
        done = subprocess.run([LENS, *command, *options, file], capture_output=True,
                              text=True, timeout=300, stdin=subprocess.DEVNULL)
        text = done.stdout + done.stderr
        for words in said:
            if words not in text:
                found.append(f"{name} {arguments}: no '{words}':\n{text}")
        for words in unsaid:
            if words in text:
                found.append(f"{name} {arguments}: says '{words}':\n{text}")
    print("\n".join(found) or f"{len(CASES)} questions are answered")
    sys.exit(1 if found else 0)


main()
