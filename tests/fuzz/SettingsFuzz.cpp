//===- tests/fuzz/SettingsFuzz.cpp - the viewer's settings, damaged -------===//
//
// Whatever the file holds, reading it gives settings that a window can have,
// and they are written and read back equal.
//
// Input: the file.
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/Fuzz.h"
#include "viewer/work/Settings.h"

#include <filesystem>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace memreflens;
using namespace memreflens::viewer;
using fuzz::require;

namespace {

/// A file in memory, which has a path while it is open.
class MemoryFile {
public:
  explicit MemoryFile(std::string_view bytes)
      : handle(memfd_create("settings", 0)) {
    require(handle >= 0 && ::write(handle, bytes.data(), bytes.size()) ==
                               ssize_t(bytes.size()),
            "there is memory for a file");
  }
  ~MemoryFile() { ::close(handle); }
  MemoryFile(const MemoryFile &) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(handle); }

private:
  int handle;
};

/// For what is written; a folder of this process.
const std::string &scratchFile() {
  static const std::string path = [] {
    std::string folder =
        std::filesystem::temp_directory_path() / "memref-lens-fuzz-XXXXXX";
    require(mkdtemp(folder.data()), "there is a folder for files");
    return folder + "/viewer.json";
  }();
  return path;
}

void checkShare(float share) {
  require(share >= 0.05f && share <= 0.95f, "a share leaves room");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MemoryFile file({reinterpret_cast<const char *>(data), size});
  Settings settings = readSettings(file.path());
  require(settings.width >= 200 && settings.width <= 8192 &&
              settings.height >= 150 && settings.height <= 8192,
          "a window has a size");
  require(settings.recent.size() <= 12, "the list of files is short");
  const Arrangement &shown = settings.arrangement;
  for (float share :
       {shown.left, shown.right, shown.functions, shown.graph, shown.why})
    checkShare(share);
  if (size % 16 == 0) {
    require(writeSettings(settings, scratchFile()), "settings are written");
    require(readSettings(scratchFile()) == settings, "and read back equal");
    ::unlink(scratchFile().c_str());
  }
  return 0;
}
