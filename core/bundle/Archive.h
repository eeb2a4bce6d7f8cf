//===- core/bundle/Archive.h - files in one .tar.gz, in memory ------------===//
//
// Writes an archive that says nothing of the machine: no names, no times, one
// mode; equal files give equal bytes. Reads one without ever putting anything
// on disk, and rejects what is no plain file, or is too large.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_BUNDLE_ARCHIVE_H
#define MEMREFLENS_BUNDLE_ARCHIVE_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memreflens::bundle {

struct File {
  /// With slashes, relative: "bundle/ir/0-input.mlir".
  std::string name;
  std::string bytes;
};

/// The archive; empty, with a message in `error`, if it could not be made.
std::string pack(const std::vector<File> &files, std::string &error);

/// Past these, an archive is rejected.
struct Limits {
  size_t files = 1000;
  /// Of all files together.
  size_t bytes = size_t(1) << 30;
};

/// The files in their order; nothing, with a message in `error`, if the bytes
/// are no whole archive of plain files with relative names, each once.
std::optional<std::vector<File>>
unpack(std::string_view bytes, std::string &error, const Limits &limits = {});

/// Whether the bytes begin as a .gz does.
bool isCompressed(std::string_view bytes);

} // namespace memreflens::bundle

#endif // MEMREFLENS_BUNDLE_ARCHIVE_H
