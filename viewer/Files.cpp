//===- viewer/Files.cpp - whole files -------------------------------------===//

#include "viewer/Files.h"

#include "nlohmann/json.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace memreflens::viewer {

namespace fs = std::filesystem;

std::optional<std::string> readFile(const std::string &path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in.is_open())
    return std::nullopt;
  // A large file must not be held twice, as a growing buffer would.
  std::string text(size_t(fs::file_size(path, error)), '\0');
  in.read(text.data(), std::streamsize(text.size()));
  text.resize(size_t(in.gcount()));
  // What is not of a known size (/proc), or was added meanwhile.
  in.clear();
  char rest[4096];
  while (in.read(rest, sizeof rest), in.gcount() > 0)
    text.append(rest, size_t(in.gcount()));
  if (in.bad())
    return std::nullopt;
  return text;
}

bool writeFile(const std::string &path, const std::string &bytes) {
  std::string scratch = path + "." + std::to_string(getpid()) + ".tmp";
  std::error_code error;
  {
    std::ofstream out(scratch, std::ios::binary);
    out << bytes;
    if (!out.flush()) {
      fs::remove(scratch, error);
      return false;
    }
  }
  fs::rename(scratch, path, error);
  if (error)
    fs::remove(scratch, error);
  return !error;
}

Scratch::Scratch() {
  std::error_code error;
  path = (fs::temp_directory_path(error) / "memref-lens-XXXXXX").string();
  if (!mkdtemp(path.data()))
    path.clear();
}

Scratch::~Scratch() {
  std::error_code error;
  if (!path.empty())
    fs::remove_all(path, error);
}

std::string dumped(const nlohmann::json &value) {
  return value.dump(2, ' ', /*ensure_ascii=*/false,
                    nlohmann::json::error_handler_t::replace) +
         "\n";
}

} // namespace memreflens::viewer
