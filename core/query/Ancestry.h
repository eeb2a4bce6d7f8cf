//===- core/query/Ancestry.h ----------------------------------------------===//
//
// What became of the program's ops and memrefs before the pass that places
// deallocations saw them, and which ops were taken out behind it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_ANCESTRY_H
#define MEMREFLENS_QUERY_ANCESTRY_H

#include "core/query/Names.h"

#include <map>
#include <set>
#include <string_view>

namespace memreflens {

class Ancestry : public Names {
public:
  Ancestry(const trace::Trace &trace, Places places);

  /// Whether a stage after the ownership pass took the op out again.
  bool isErased(trace::Id op) const { return erased.contains(op); }
  /// Whether the op is in the program that the placement pass gets: no stage
  /// before it took the op out, nor does a later one make it.
  bool reachesPass(trace::Id op) const;
  /// Whether a later stage took all the code of this free out again, since it
  /// is never reached.
  bool isRemoved(const trace::Freed &freed) const;
  /// What the pass saw in the place of the user's memref, where a stage before
  /// it made the op or the loop anew (a loop with other arguments, an
  /// allocation with its sizes known, a realloc expanded); else the value
  /// itself.
  trace::Id heirOf(trace::Id value) const;
  /// The user's memref whose heir this is; `none` if it is no heir.
  trace::Id ancestorOf(trace::Id value) const;
  /// The program's memrefs in whose place the stages before the pass put this
  /// one: another name of what it is.
  const Ids &namesBefore(trace::Id value) const;
  /// Whether a stage moved the allocation to the stack.
  bool isPromoted(trace::Id value) const;

private:
  bool wasSeen(trace::Id value) const;
  trace::Id heirAmongMade(const trace::Value &memref) const;
  trace::Id heirAmongMade(const trace::Op &oldOp, std::string_view name) const;
  void addHeirs();
  void addRewriteBefore(const trace::RewriteEvent &detail);

  std::set<trace::Id> erased, erasedBefore, madeBefore;
  std::map<trace::Id, trace::Id> heirs, ancestors;
  std::map<trace::Id, Ids> replaced;
};

} // namespace memreflens

#endif // MEMREFLENS_QUERY_ANCESTRY_H
