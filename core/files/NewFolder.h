//===- core/files/NewFolder.h - a folder that is filled, or not there -----===//
//
//   NewFolder folder("out/pictures/");
//   if (!folder.getError().empty() || !write(folder.add("f.svg")))
//     return fail();                    // nothing is left of it
//   folder.keep();
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_FILES_NEWFOLDER_H
#define MEMREFLENS_FILES_NEWFOLDER_H

#include <string>
#include <vector>

namespace memreflens {

/// Makes a folder, and those around it, where they are not there. Unless it is
/// kept, what was not there before goes again: files and folders.
class NewFolder {
public:
  explicit NewFolder(std::string path);
  ~NewFolder();
  NewFolder(const NewFolder &) = delete;
  NewFolder &operator=(const NewFolder &) = delete;

  /// Why it could not be made, in the system's words; empty if it is there.
  const std::string &getError() const { return error; }
  /// The path of a file in it, which is about to be written.
  std::string add(const std::string &name);
  void keep() { isKept = true; }

private:
  std::string path, error;
  /// What was not there, in the order in which it was made.
  std::vector<std::string> folders, files;
  bool isKept = false;
};

} // namespace memreflens

#endif // MEMREFLENS_FILES_NEWFOLDER_H
