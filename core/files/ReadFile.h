//===- core/files/ReadFile.h - a file as it is when it is read ------------===//
//
// The file is looked at after it was opened, so that nothing can take its place
// in between, and it is read, not mapped: one that shrinks meanwhile is short,
// and kills nobody.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_FILES_READFILE_H
#define MEMREFLENS_FILES_READFILE_H

#include <cstddef>
#include <optional>
#include <string>

namespace memreflens {

/// Descriptor of a regular file, to be closed; -1, with the reason, if it is
/// none. Never waits for a pipe's other end.
int openRegularFile(const std::string &path, std::string &error);

/// A regular file of at most `limit` bytes. Nothing, with the reason, where it
/// is none, is larger, or cannot be read.
std::optional<std::string> readRegularFile(const std::string &path,
                                           size_t limit, std::string &error);

} // namespace memreflens

#endif // MEMREFLENS_FILES_READFILE_H
