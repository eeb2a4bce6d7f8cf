//===- core/files/NewFolder.cpp -------------------------------------------===//

#include "core/files/NewFolder.h"

#include <cerrno>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

namespace memreflens {

NewFolder::NewFolder(std::string given) : path(std::move(given)) {
  if (!path.ends_with('/'))
    path += '/';
  for (size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string level = path.substr(0, slash);
    if (mkdir(level.c_str(), 0777) == 0)
      folders.push_back(level);
    else if (errno != EEXIST) {
      error = std::strerror(errno);
      return;
    }
  }
  struct stat status;
  if (stat(path.c_str(), &status) != 0)
    error = std::strerror(errno);
}

NewFolder::~NewFolder() {
  if (isKept)
    return;
  for (const std::string &file : files)
    unlink(file.c_str());
  // One that somebody else put something into stays.
  for (size_t i = folders.size(); i-- > 0;)
    rmdir(folders[i].c_str());
}

std::string NewFolder::add(const std::string &name) {
  std::string file = path + name;
  struct stat status;
  if (lstat(file.c_str(), &status) != 0)
    files.push_back(file);
  return file;
}

} // namespace memreflens
