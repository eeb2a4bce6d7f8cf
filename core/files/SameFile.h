//===- core/files/SameFile.h - one file under several names ---------------===//

#ifndef MEMREFLENS_FILES_SAMEFILE_H
#define MEMREFLENS_FILES_SAMEFILE_H

#include <string>

#include <sys/stat.h>

namespace memreflens {

/// Whether both paths lead to one regular file that is there: by a link,
/// another case or another way through folders.
inline bool isSameFile(const std::string &one, const std::string &other) {
  struct stat first, second;
  return stat(one.c_str(), &first) == 0 && stat(other.c_str(), &second) == 0 &&
         S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

} // namespace memreflens

#endif // MEMREFLENS_FILES_SAMEFILE_H
