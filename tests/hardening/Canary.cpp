//===- tests/hardening/Canary.cpp - tells that it was loaded --------------===//
//
// A shared library that leaves a file when somebody loads it, in the place that
// the environment names.
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>

__attribute__((constructor)) static void sing() {
  if (const char *path = std::getenv("CANARY"))
    if (std::FILE *file = std::fopen(path, "a"))
      std::fclose(file);
}
