//===- viewer/work/Child.cpp - runs a program without a shell -------------===//

#include "viewer/work/Child.h"
#include "core/process/Child.h"

#include <fcntl.h>
#include <unistd.h>

namespace memreflens::viewer {

int runChild(std::vector<std::string> words, const std::string &errorFile,
             const std::function<bool()> &onTurn) {
  ChildProgram program;
  program.words = std::move(words);
  program.error =
      ::open(errorFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  // The thread that asks for a child waits for it, and ends with the viewer.
  Child child = Child::start(program);
  if (program.error >= 0)
    ::close(program.error);
  if (!child.hasStarted())
    return -1;
  std::optional<ChildEnd> end = child.waitWhile(onTurn);
  if (!end)
    child.stop();
  return end ? end->status : -1;
}

} // namespace memreflens::viewer
