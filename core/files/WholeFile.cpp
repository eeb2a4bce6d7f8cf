//===- core/files/WholeFile.cpp -------------------------------------------===//

#include "core/files/WholeFile.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

namespace memreflens {

/// Folder of a path, with its slash; empty for the current one.
static std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

/// In a folder that everybody writes to, a link of somebody else may lead
/// anywhere: Linux does not follow such ones, and neither do we.
static bool mayFollow(const std::string &link, const struct stat &status) {
  std::string folder = folderOf(link);
  struct stat around;
  if (stat(folder.empty() ? "." : folder.c_str(), &around) != 0)
    return false;
  bool isShared = (around.st_mode & S_ISVTX) && (around.st_mode & S_IWOTH);
  return !isShared || status.st_uid == geteuid() ||
         status.st_uid == around.st_uid;
}

/// Where symbolic links lead to in the end, whether it is there or not.
static bool followLinks(std::string &path, struct stat &status, bool &isThere) {
  for (int turn = 0; turn < 40; ++turn) {
    isThere = lstat(path.c_str(), &status) == 0;
    if (!isThere && errno != ENOENT)
      return false;
    // Links of /proc are files that are open, and have no other path.
    if (!isThere || !S_ISLNK(status.st_mode) || path.starts_with("/proc/") ||
        path.starts_with("/dev/"))
      return true;
    if (!mayFollow(path, status)) {
      errno = EACCES;
      return false;
    }
    char target[PATH_MAX];
    ssize_t size = readlink(path.c_str(), target, sizeof(target));
    if (size < 0)
      return false;
    std::string next(target, size_t(size));
    path = next.starts_with("/") ? next : folderOf(path) + next;
  }
  errno = ELOOP;
  return false;
}

WholeFile::WholeFile(std::string given, WholeFileOptions options)
    : path(std::move(given)), options(options) {
  findTarget();
  if (error.empty())
    open();
}

WholeFile::~WholeFile() {
  if (descriptor >= 0)
    close(descriptor);
  if (!temporary.empty())
    unlink(temporary.c_str());
}

bool WholeFile::fail() {
  if (error.empty())
    error = std::strerror(errno);
  return false;
}

void WholeFile::findTarget() {
  struct stat status;
  if (path.empty()) {
    errno = ENOENT;
    fail();
    return;
  }
  if (!followLinks(path, status, isThere)) {
    fail();
    return;
  }
  folder = folderOf(path);
  if (!isThere)
    return;
  isReplaceable = S_ISREG(status.st_mode);
  oldMode = status.st_mode & 07777;
  if (S_ISDIR(status.st_mode) || options.isNew) {
    errno = S_ISDIR(status.st_mode) ? EISDIR : EEXIST;
    fail();
  }
}

void WholeFile::open() {
  constexpr int always = O_WRONLY | O_CLOEXEC;
  if (!isReplaceable) {
    descriptor = ::open(path.c_str(), always | O_TRUNC | O_NOCTTY);
    if (descriptor < 0)
      fail();
    return;
  }
#ifdef O_TMPFILE
  // It is given a name by its path there.
  if (access("/proc/self/fd", X_OK) == 0)
    descriptor = ::open(folder.empty() ? "." : folder.c_str(),
                        always | O_TMPFILE, options.mode);
  if (descriptor >= 0)
    return;
#endif
  // Not every file system has files without a name.
  if (!openNamed())
    fail();
}

/// A name that nobody can foresee, and no file but a new one.
bool WholeFile::openNamed() {
  std::string name = folder + ".memref-lens-XXXXXX";
  descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0)
    return false;
  temporary = std::move(name);
  // There is no way to ask for the umask without setting it.
  mode_t taken = umask(077);
  umask(taken);
  return fchmod(descriptor, options.mode & ~taken) == 0;
}

bool WholeFile::write(std::string_view bytes) {
  if (descriptor < 0)
    return false;
  while (!bytes.empty()) {
    ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return fail();
    bytes.remove_prefix(size_t(put));
  }
  return error.empty();
}

/// The target's name where it is free, or one beside it, for the file that has
/// none.
bool WholeFile::giveName() {
  if (!temporary.empty())
    return true;
  std::string open = "/proc/self/fd/" + std::to_string(descriptor);
  if (!isThere) {
    // In one step, so that who is killed here leaves nothing behind.
    isPlaced = linkat(AT_FDCWD, open.c_str(), AT_FDCWD, path.c_str(),
                      AT_SYMLINK_FOLLOW) == 0;
    if (isPlaced || errno != EEXIST || options.isNew)
      return isPlaced;
  }
  for (unsigned turn = 0; turn < 100; ++turn) {
    std::string name = folder + ".memref-lens-" + std::to_string(getpid()) +
                       "-" + std::to_string(turn);
    // A link that is there is not followed, and nothing is replaced.
    if (linkat(AT_FDCWD, open.c_str(), AT_FDCWD, name.c_str(),
               AT_SYMLINK_FOLLOW) == 0) {
      temporary = std::move(name);
      return true;
    }
    if (errno != EEXIST)
      return false;
  }
  return false;
}

bool WholeFile::replace() {
  if (options.isNew) {
    // Unlike a renaming, a link takes no file's place.
    if (link(temporary.c_str(), path.c_str()) != 0)
      return false;
    unlink(temporary.c_str());
  } else if (rename(temporary.c_str(), path.c_str()) != 0) {
    return false;
  }
  temporary.clear();
  return true;
}

bool WholeFile::keep() {
  if (descriptor < 0 || !error.empty())
    return false;
  bool isWhole = !isReplaceable ||
                 ((!isThere || fchmod(descriptor, oldMode) == 0) &&
                  (!options.isDurable || fsync(descriptor) == 0) && giveName());
  if (!isWhole)
    fail();
  // A file system over a network may say only now that it is full.
  int opened = descriptor;
  descriptor = -1;
  if (close(opened) != 0)
    fail();
  if (!error.empty()) {
    if (isPlaced)
      unlink(path.c_str());
    return false;
  }
  if (isReplaceable && !isPlaced && !replace())
    return fail();
  if (isReplaceable && options.isDurable) {
    int around = ::open(folder.empty() ? "." : folder.c_str(),
                        O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // The file is there already; that its name is kept cannot be promised more.
    if (around >= 0) {
      (void)fsync(around);
      close(around);
    }
  }
  return true;
}

bool writeWhole(const std::string &path, std::string_view bytes,
                const WholeFileOptions &options, std::string &error) {
  WholeFile file(path, options);
  bool isKept = file.write(bytes) && file.keep();
  error = file.getError();
  return isKept;
}

} // namespace memreflens
