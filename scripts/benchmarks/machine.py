"""What a result was measured on; nothing that names a host or a user."""
import os
import platform
import re
import subprocess


def outputOf(command):
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, timeout=60,
                              capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def versionOf(program):
    """Its first line with a number such as 22.1.8 in it."""
    lines = outputOf([program, "--version"]).splitlines()
    return next((line.strip() for line in lines
                 if re.search(r"\d+\.\d+", line)), "unknown")


def processor():
    try:
        with open("/proc/cpuinfo") as info:
            return next((line.split(":", 1)[1].strip() for line in info
                         if line.startswith("model name")), "unknown")
    except OSError:
        return "unknown"


def facts(options):
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {"cores": os.cpu_count(), "processor": processor(),
            "architecture": platform.machine(), "system": platform.system(),
            "memoryGB": round(pages / 2 ** 30),
            "versions": {"memref-lens": versionOf(options.memref_lens),
                         "mlir-opt": versionOf(options.mlir_opt)}}


def commit(root):
    """The source's, with `+` after it if it was changed; None without git."""
    name = outputOf(["git", "-C", str(root), "rev-parse", "--short", "HEAD"])
    if not name:
        return None
    changed = outputOf(["git", "-C", str(root), "status", "--porcelain",
                        "--untracked-files=no"])
    return name + ("+" if changed else "")
