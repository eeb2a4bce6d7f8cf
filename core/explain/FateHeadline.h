//===- core/explain/FateHeadline.h - a buffer's fate in one line
//--------------===//

#ifndef MEMREFLENS_EXPLAIN_FATEHEADLINE_H
#define MEMREFLENS_EXPLAIN_FATEHEADLINE_H

#include "core/explain/Lookup.h"
#include "core/trace/Fate.h"

namespace memreflens {

std::string fateHeadline(const Lookup &lookup, const trace::Fate &fate);

/// "at the end of ^bb0 on the edge to ^bb1".
std::string placeOfFree(const Lookup &lookup, const trace::Fate &fate,
                        const trace::Freed &freed);
/// " if %own_a", or nothing where it is always freed.
std::string conditionOfFree(const Lookup &lookup, const trace::Freed &freed);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_FATEHEADLINE_H
