//===- core/execute/RunTables.h - a run, as tables and notes --------------===//
//
// For who lays out the counts himself: a page, a summary, an editor.
//
//   tablesOf(record)[0].title      // "allocations"
//   notesByLine(record)[7]         // {"%a allocated 40x, ..."}
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXECUTE_RUNTABLES_H
#define MEMREFLENS_EXECUTE_RUNTABLES_H

#include "core/execute/Record.h"

#include <map>

namespace memreflens::execute {

/// An op that the program has itself: no list that dealloc_helper needs, and
/// nothing that happens in it.
bool isOwn(const Site &site);

/// What ran, of one kind.
struct SiteTable {
  std::string_view title;
  /// Indices of sites, in the order of the record; never empty.
  std::vector<size_t> sites;
};
std::vector<SiteTable> tablesOf(const Record &record);

/// By line of the program's text: what its ops did, each sentence once; of one
/// function, or of all with null.
std::map<uint32_t, std::vector<std::string>>
notesByLine(const Record &record, const std::string *function = nullptr,
            std::string (*of)(const Record &, const Site &) = noteOf);

/// What the op did whose first byte stands there; lines and columns of bytes,
/// from 1.
std::vector<std::string> notesAt(const Record &record, uint32_t line,
                                 uint32_t column);

/// Where it happens, of a leak the allocation: an index of a site, or -1.
int64_t placeOf(const Fault &fault);

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_RUNTABLES_H
