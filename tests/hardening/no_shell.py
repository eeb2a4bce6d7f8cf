#!/usr/bin/env python3
"""What our sources may do to the world, held to a list.

  no_shell.py            what is found and not allowed
  no_shell.py --self-test

No shell, no network, no file written but through `core/files`, no limit that looks
at the wall clock, no message to a terminal but through `tell`.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CPP = ["core", "cli", "lsp", "viewer"]
TS = ["vscode-extension/src"]

# What must not be found -> why, and the files that may have it (with a reason).
RULES = [
    (CPP, r"\b(std::)?(system|popen|wordexp)\s*\(", "a shell", {}),
    (CPP, r"[\"'](/bin/)?(ba|da|z)?sh[\"']", "a shell", {}),
    (CPP, r"\bexec(l|le|lp|v|ve|vp|vpe)\s*\(|\bposix_spawnp?\s*\(|"
          r"ExecuteAndWait|ExecuteNoWait", "starts a program",
     {"core/process/Child.cpp": "all programs: no words but those given"}),
    (CPP, r"\bfork\s*\(\)", "starts a process",
     {"core/process/Child.cpp": "all processes"}),
    (CPP, r"Child::start\(|startDetached\(|becomeProgram\(", "starts a program", {
        "core/process/Child.h": "declares it",
        "core/process/Child.cpp": "does it",
        "cli/driver/memref-lens.cpp": "itself, as the one that takes plugins",
        "lsp/analysis/RemedyTests.cpp": "memref-lens check, which is beside it",
        "lsp/supervisor/Child.cpp": "the server itself in another role",
        "viewer/work/Child.cpp": "memref-lens",
        "viewer/work/Editor.cpp": "the user's editor"}),
    (CPP, r"\bsocket\s*\(|\bconnect\s*\(|getaddrinfo|gethostby|<netdb|<sys/socket"
          r"|<netinet|libcurl|[^:]\bcurl_", "the network", {}),
    (CPP, r"\bdlopen\s*\(|DynamicLibrary", "loads code",
     {"core/pipeline/run/Plugins.cpp": "plugins that the user named",
      "core/execute/jit/Run.cpp": "--load: libraries that the user named",
      "core/execute/jit/Compile.cpp": "the same, and libm"}),
    (CPP, r"\bofstream\b|createUniqueFile|"
          r"createTemporaryFile|ToolOutputFile|\bmkstemp|\bmkostemp|\btmpnam|"
          r"\bcreat\s*\(|O_CREAT|writeToOutput|fopen\([^;]*\"[wa]",
     "writes a file", {
         "core/files/WholeFile.cpp": "all files",
         "viewer/work/Child.cpp": "a child's errors, in a folder of its own",
         "lsp/supervisor/Log.cpp": "the log that the user named"}),
    (CPP, r"raw_fd_ostream", "writes a file",
     {"core/attach/OptMain.cpp": "to a file of core/files, or standard output"}),
    (CPP, r"\bmmap\s*\([^;]*?PROT_READ(?![^;]*MAP_ANONYMOUS)|MemoryBuffer::getFile",
     "maps a file, which kills the reader when it shrinks", {}),
    (CPP, r"system_clock|gettimeofday|CLOCK_REALTIME|\btime\s*\(\s*(0|NULL|nullptr)",
     "looks at the wall clock",
     {"lsp/supervisor/CrashReports.cpp": "the name of a report"}),
    (["cli"], r"fprintf\(\s*stderr,\s*\"[^\"]*%s", "a text that may drive a "
     "terminal", {"cli/Input.cpp": "escapes it",
                  "cli/CheckRun.cpp": "counts files",
                  "cli/Exporter.cpp": "counts functions",
                  "cli/Reduce.cpp": "counts ops"}),
    (["cli"], r"f?puts\([^;]*stdout|[^fn:]printf\(|std::printf|std::cout",
     "output that may fail in silence", {}),
    (TS, r"shell\s*:\s*true|(?<![.\w])exec\(|execSync|spawnSync|[\"'](ba)?sh[\"']|"
         r"createTerminal|ShellExecution", "a shell", {}),
    (TS, r"child_process", "starts a program", {
        "vscode-extension/src/commandLine.ts": "memref-lens",
        "vscode-extension/src/client.ts": "the server, for its version",
        "vscode-extension/src/desktopViewer.ts": "the viewer"}),
    (TS, r"\bfetch\(|XMLHttpRequest|WebSocket|node:https?|node:net|node:dgram",
     "the network", {}),
    (TS, r"Date\.now|new Date", "looks at the wall clock", {}),
    (TS, r"\beval\(|new Function\(|document\.write|insertAdjacentHTML|outerHTML",
     "runs text", {}),
]


def sources(folders):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".cpp", ".h", ".ts") and \
                    "node_modules" not in path.parts:
                yield path.relative_to(ROOT), path.read_text()


def withoutComments(text):
    text = re.sub(r"/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), text,
                  flags=re.S)
    return re.sub(r"(?m)(^|[^:\"'])//.*$", r"\1", text)


def faultsIn(path, text, folders):
    code = withoutComments(text)
    for given, pattern, why, allowed in RULES:
        if given != folders or str(path) in allowed:
            continue
        for found in re.finditer(pattern, code, flags=re.S if "mmap" in pattern
                                 else 0):
            line = code[:found.start()].count("\n") + 1
            yield f"{path}:{line}: {why}: {found[0].strip()[:60]!r}"


def selfTest():
    bad = {'int x = system("ls");': CPP, 'popen ("x")': CPP,
           'char *a[] = {"sh", "-c"};': CPP, 'execlp("x", 0);': CPP,
           'pid_t p = fork();': CPP, 'socket(AF_INET, 0, 0)': CPP,
           'dlopen(path, 0);': CPP, 'std::ofstream out(path);': CPP,
           'fopen(path, "w")': CPP, 'std::time(nullptr)': CPP,
           'std::fprintf(stderr, "x: %s", name);': ["cli"],
           'std::fputs(text, stdout);': ["cli"],
           'mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0)': CPP,
           "spawn(x, y, { shell: true })": TS, "fetch(url)": TS,
           "exec('ls')": TS, "Date.now()": TS, "eval(x)": TS}
    missed = [text for text, folders in bad.items()
              if not list(faultsIn(pathlib.Path("x"), text, folders))]
    good = ["// system(x)\n", "mmap(nullptr, n, PROT_READ | PROT_WRITE, "
            "MAP_SHARED | MAP_ANONYMOUS, -1, 0);"]
    wrong = [text for text in good if list(faultsIn("x", text, CPP))]
    print(f"missed: {missed}; wrong: {wrong}")
    return 1 if missed or wrong else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return selfTest()
    faults, count, used = [], 0, set()
    for folders in [CPP, ["cli"], TS]:
        for path, text in sources(folders):
            count += 1
            faults += faultsIn(path, text, folders)
    # A file that needs its permission no more must lose it.
    for folders, pattern, why, allowed in RULES:
        for path in allowed:
            text = (ROOT / path).read_text() if (ROOT / path).exists() else ""
            if not re.search(pattern, withoutComments(text), re.S):
                faults.append(f"{path}: may do this, and does not: {why}")
    print("\n".join(faults) or f"{count} sources")
    return 1 if faults or count < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
