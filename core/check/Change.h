//===- core/check/Change.h - two versions of a file, compared -------------===//
//
// What a change of a program does to its ownership, for a review: functions
// added, removed or renamed, what their memory handling costs, findings new and
// fixed, and what becomes of each buffer, by the user's names. Places do not
// matter.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_CHANGE_H
#define MEMREFLENS_CHECK_CHANGE_H

#include "core/check/Baseline.h"
#include "core/check/Finding.h"
#include "core/query/Lookup.h"

namespace memreflens {

enum class ChangeKind : uint8_t { unchanged, changed, added, removed, renamed };

/// "%a (memref<4xf32>): freed at the end of ^bb1" has become something else;
/// empty: was, or is, not there.
struct DecisionChange {
  std::string before, after;
};

struct FunctionChange {
  ChangeKind kind = ChangeKind::unchanged;
  /// As it is called now; before, if it is gone.
  std::string name;
  /// If it was renamed.
  std::string oldName;
  FunctionCosts before, after;
  std::vector<DecisionChange> decisions;
};

struct VersionChange {
  std::string before, after;
  /// In the order of the new version; what is gone, at the end.
  std::vector<FunctionChange> functions;
  BaselineChange findings;

  bool isSame() const;
};

/// Gives the report what a comparison needs: an entry for each function, with
/// its digest and the fate of its buffers.
void describeFunctions(FileReport &report, const Lookup &lookup);

VersionChange changeBetween(const FileReport &before, const FileReport &after);

std::string changeAsMarkdown(const VersionChange &change);
std::string changeAsText(const VersionChange &change);
std::string changeAsJson(const VersionChange &change);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_CHANGE_H
