//===- viewer/work/Watch.h - notices that a file was changed --------------===//
//
// Asks the file system a few times a second: this also sees editors that
// replace a file, and works on every file system.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_WORK_WATCH_H
#define MEMREFLENS_VIEWER_WORK_WATCH_H

#include <cstdint>
#include <string>

namespace memreflens::viewer {

struct FileStamp {
  bool exists = false;
  int64_t seconds = 0, nanoseconds = 0;
  uint64_t size = 0, inode = 0;
  bool operator==(const FileStamp &) const = default;
};

FileStamp stampOf(const std::string &path);

enum class Change : uint8_t { none, changed, vanished };

class Watch {
public:
  Watch() = default;
  explicit Watch(std::string path)
      : path(std::move(path)), seen(stampOf(this->path)) {}

  /// What happened since the last answer other than `none`. `now` in seconds.
  /// A change is told when the file has rested for one interval, so that a file
  /// that is still being written is not read.
  Change poll(double now);

private:
  static constexpr double interval = 0.25;
  std::string path;
  FileStamp seen, candidate;
  bool isMoving = false;
  double last = 0;
};

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WORK_WATCH_H
