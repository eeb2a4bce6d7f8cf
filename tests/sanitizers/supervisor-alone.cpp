//===- tests/sanitizers/supervisor-alone.cpp - the server without MLIR ----===//
//
// The language server's supervisor, which links no MLIR, so that all of its
// process can be built with a sanitizer; its children are those of the server
// that MEMREF_LENS_LSP_SERVER names, as it is.
//
//===----------------------------------------------------------------------===//

#include "lsp/supervisor/Supervisor.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    if (std::strncmp(argv[i], "--role=", 7) == 0) {
      // By its name it knows what it is.
      argv[0] = std::getenv("MEMREF_LENS_LSP_SERVER");
      if (argv[0])
        execv(argv[0], argv);
      std::fprintf(stderr, "cannot start MEMREF_LENS_LSP_SERVER\n");
      return 70;
    }
  memreflens::lsp::Settings settings;
  settings.arguments.assign(argv, argv + argc);
  settings.timeLimit = 10;
  return memreflens::lsp::Supervisor(std::move(settings)).run();
}
