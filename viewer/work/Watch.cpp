//===- viewer/work/Watch.cpp - notices that a file was changed ------------===//

#include "viewer/work/Watch.h"

#include <sys/stat.h>

namespace memreflens::viewer {

FileStamp stampOf(const std::string &path) {
  struct stat status = {};
  if (path.empty() || stat(path.c_str(), &status) != 0)
    return {};
  return {true, status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
          uint64_t(status.st_size), status.st_ino};
}

Change Watch::poll(double now) {
  if (path.empty() || now - last < interval)
    return Change::none;
  last = now;
  FileStamp stamp = stampOf(path);
  bool rests = isMoving && stamp == candidate;
  isMoving = stamp != seen;
  candidate = stamp;
  if (!isMoving || !rests)
    return Change::none;
  isMoving = false;
  seen = stamp;
  return stamp.exists ? Change::changed : Change::vanished;
}

} // namespace memreflens::viewer
