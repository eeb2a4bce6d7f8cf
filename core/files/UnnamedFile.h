//===- core/files/UnnamedFile.h - what one process leaves for another -----===//
//
// A file that no folder has, so that nothing of it is left however this process
// ends, and that needs no folder for temporary files. Children find it by its
// path as long as this process has it open.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_FILES_UNNAMEDFILE_H
#define MEMREFLENS_FILES_UNNAMEDFILE_H

#include <cstdio>
#include <string>

namespace memreflens {

class UnnamedFile {
public:
  UnnamedFile();
  /// One that is not open.
  static UnnamedFile none() { return UnnamedFile(nullptr); }
  ~UnnamedFile();
  UnnamedFile(UnnamedFile &&other) noexcept;
  UnnamedFile &operator=(UnnamedFile &&other) noexcept;

  bool isOpen() const { return file != nullptr; }
  /// For this process and those that it forks.
  std::string getPath() const;
  /// To be written to, also by children.
  std::FILE *getStream() const { return file; }
  /// All that was written, from the beginning.
  std::string read() const;

private:
  explicit UnnamedFile(std::FILE *file) : file(file) {}

  std::FILE *file = nullptr;
};

} // namespace memreflens

#endif // MEMREFLENS_FILES_UNNAMEDFILE_H
