//===- core/files/Shipped.cpp - files that come with the program ----------===//

#include "core/files/Shipped.h"

#include <filesystem>

namespace memreflens {

namespace fs = std::filesystem;

/// With a path from the folder of this program.
static std::string fromHere(const fs::path &path) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error)
    return "";
  const fs::path file = program.parent_path() / path;
  return fs::is_regular_file(file, error) ? file.lexically_normal().string()
                                          : "";
}

std::string shippedFile(std::string_view name) {
  return fromHere(fs::path("../share/memref-lens") / name);
}

std::string programBeside(std::string_view name) { return fromHere(name); }

} // namespace memreflens
