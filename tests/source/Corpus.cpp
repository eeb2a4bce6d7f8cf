#include "tests/source/Corpus.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

static fs::path corpus() {
  if (const char *given = std::getenv("MEMREF_LENS_CORPUS"))
    return given;
  return fs::path(MEMREF_LENS_SOURCE_DIR) / ".." / "shared" / "corpus";
}

bool memreflens::test::corpusIsRequired() {
  const char *ci = std::getenv("CI");
  return ci && std::string(ci) == "true";
}

std::string memreflens::test::readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string>
memreflens::test::corpusFiles(const std::string &folder) {
  std::vector<std::string> files;
  if (fs::exists(corpus() / folder))
    for (const auto &entry :
         fs::recursive_directory_iterator(corpus() / folder))
      if (entry.path().extension() == ".mlir")
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}
