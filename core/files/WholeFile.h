//===- core/files/WholeFile.h - a file is written whole, or not at all ----===//
//
// What was there before stays until all is written: the bytes go to a file that
// has no name, which takes the place of the old one at the end. So a full disk,
// a signal or a power cut leaves the old file or the new one, and nothing
// beside.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_FILES_WHOLEFILE_H
#define MEMREFLENS_FILES_WHOLEFILE_H

#include <string>
#include <string_view>
#include <sys/types.h>

namespace memreflens {

struct WholeFileOptions {
  /// Permissions of a file that was not there, less what the umask takes. A
  /// file that was there keeps its own.
  mode_t mode = 0666;
  /// On the disk before the old one goes: for what nobody can make again.
  bool isDurable = false;
  /// Fails where a file of the name is there.
  bool isNew = false;
};

/// Opened by the constructor. A symbolic link stays one: what it points to is
/// replaced. Devices and pipes are written to as they are.
class WholeFile {
public:
  explicit WholeFile(std::string path, WholeFileOptions options = {});
  /// Nothing is left of what was not kept.
  ~WholeFile();
  WholeFile(const WholeFile &) = delete;
  WholeFile &operator=(const WholeFile &) = delete;

  bool write(std::string_view bytes);
  /// To be written to by others; -1 if the file could not be opened.
  int getDescriptor() const { return descriptor; }
  /// Gives it its name. False if anything failed since it was opened.
  bool keep();
  /// The first thing that failed, in the system's words; empty if nothing did.
  const std::string &getError() const { return error; }

private:
  bool fail();
  void findTarget();
  void open();
  bool openNamed();
  bool giveName();
  bool replace();

  std::string path;
  WholeFileOptions options;
  std::string folder, temporary, error;
  int descriptor = -1;
  /// Not a device, nor a pipe.
  bool isReplaceable = true, isThere = false;
  /// It bears the target's name already, which was free.
  bool isPlaced = false;
  mode_t oldMode = 0;
};

/// All of it at once; false, with the reason, if it is not there as a whole.
bool writeWhole(const std::string &path, std::string_view bytes,
                const WholeFileOptions &options, std::string &error);

} // namespace memreflens

#endif // MEMREFLENS_FILES_WHOLEFILE_H
