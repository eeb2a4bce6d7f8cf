//===- viewer/Files.cpp - whole files
//---------------------------------------===//

#include "viewer/Files.h"

#include "nlohmann/json.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace memreflens::viewer {

namespace fs = std::filesystem;

std::optional<std::string> readFile(const std::string &path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  // An empty file leaves the stream of the copy in a failed state.
  if (!in.is_open() || in.bad())
    return std::nullopt;
  return std::move(all).str();
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

std::string dumped(const nlohmann::json &value) {
  return value.dump(2, ' ', /*ensure_ascii=*/false,
                    nlohmann::json::error_handler_t::replace) +
         "\n";
}

} // namespace memreflens::viewer
