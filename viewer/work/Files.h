//===- viewer/work/Files.h - whole files ----------------------------------===//

#ifndef MEMREFLENS_VIEWER_WORK_FILES_H
#define MEMREFLENS_VIEWER_WORK_FILES_H

#include "nlohmann/json_fwd.hpp"

#include <optional>
#include <string>

namespace memreflens::viewer {

/// Nothing if it is no regular file, or cannot be read.
std::optional<std::string> readFile(const std::string &path);

/// As a whole or not at all: what was there stays until all is written.
bool writeFile(const std::string &path, const std::string &bytes);

/// A JSON object; nothing if there is none. `isBroken` if something else is
/// there, or it cannot be read.
std::optional<nlohmann::json> readObject(const std::string &path,
                                         bool &isBroken);

/// What nobody can make again: on the disk when this returns. Something else
/// that is there is kept beside it, as `PATH.broken`.
bool writeKept(const std::string &path, const nlohmann::json &value);

/// A folder for a child's files, gone with this; `path` is empty if there is
/// none.
struct Scratch {
  Scratch();
  ~Scratch();
  Scratch(const Scratch &) = delete;
  std::string path;
};

/// Indented, and never throws on text that is no UTF-8.
std::string dumped(const nlohmann::json &value);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WORK_FILES_H
