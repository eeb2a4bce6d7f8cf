//===- viewer/work/Files.cpp - whole files --------------------------------===//

#include "viewer/work/Files.h"

#include "core/files/ReadFile.h"
#include "core/files/WholeFile.h"

#include "nlohmann/json.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace memreflens::viewer {

namespace fs = std::filesystem;
using nlohmann::json;

/// Of a saved trace; the command line takes no larger one either.
static constexpr size_t maxBytes = size_t(1) << 30;

std::optional<std::string> readFile(const std::string &path) {
  std::string error;
  return readRegularFile(path, maxBytes, error);
}

bool writeFile(const std::string &path, const std::string &bytes) {
  std::string error;
  return writeWhole(path, bytes, {}, error);
}

std::optional<json> readObject(const std::string &path, bool &isBroken) {
  isBroken = false;
  std::string error;
  auto text = readRegularFile(path, maxBytes, error);
  if (!text) {
    std::error_code missing;
    isBroken = fs::exists(fs::symlink_status(path, missing));
    return std::nullopt;
  }
  json value = json::parse(*text, nullptr, /*allow_exceptions=*/false);
  isBroken = !value.is_object();
  if (isBroken)
    return std::nullopt;
  return value;
}

/// "bookmarks.json.broken", or one with a number that is not there yet.
static bool setAside(const std::string &path) {
  for (int number = 1; number < 100; ++number) {
    std::string name = path + ".broken";
    if (number > 1)
      name += "-" + std::to_string(number);
    if (link(path.c_str(), name.c_str()) == 0)
      return unlink(path.c_str()) == 0;
    if (errno != EEXIST)
      return false;
  }
  return false;
}

bool writeKept(const std::string &path, const json &value) {
  bool isBroken = false;
  // What the user wrote by hand, and did not get right, is still his.
  if (!readObject(path, isBroken) && isBroken && !setAside(path))
    return false;
  WholeFileOptions options;
  options.isDurable = true;
  std::string error;
  return writeWhole(path, dumped(value), options, error);
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
