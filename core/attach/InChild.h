//===- core/attach/InChild.h - work that cannot harm the tool -------------===//
//
// The one file of this folder with a process in it. What dies, hangs or takes
// too much memory in a child does so there.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_ATTACH_INCHILD_H
#define MEMREFLENS_ATTACH_INCHILD_H

#include <cstdio>
#include <functional>
#include <string>

namespace memreflens {

/// Runs `work` in a copy of this process that has no other thread, and waits.
/// What `work` writes to its file is returned. Fails, with the reason, if the
/// copy could not be made, or did not end with status 0.
bool writtenInChild(const std::function<int(std::FILE *output)> &work,
                    std::string &output, std::string &why);

} // namespace memreflens

#endif // MEMREFLENS_ATTACH_INCHILD_H
