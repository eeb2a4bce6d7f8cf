//===- viewer/work/Child.h - runs a program without a shell ---------------===//

#ifndef MEMREFLENS_VIEWER_WORK_CHILD_H
#define MEMREFLENS_VIEWER_WORK_CHILD_H

#include <functional>
#include <string>
#include <vector>

namespace memreflens::viewer {

/// Exit status; -1 if it could not start, died or was stopped. Its errors go to
/// a file. `onTurn` is called some fifty times a second while it runs; false
/// stops it.
int runChild(std::vector<std::string> words, const std::string &errorFile,
             const std::function<bool()> &onTurn);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WORK_CHILD_H
