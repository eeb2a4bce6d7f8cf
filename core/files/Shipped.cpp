//===- core/files/Shipped.cpp - files that come with the program ----------===//

#include "core/files/Shipped.h"

#include <filesystem>

namespace memreflens {

std::string shippedFile(std::string_view name) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error)
    return "";
  fs::path file =
      program.parent_path().parent_path() / "share/memref-lens" / name;
  return fs::is_regular_file(file, error) ? file.string() : "";
}

} // namespace memreflens
