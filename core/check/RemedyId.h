//===- core/check/RemedyId.h - the remedies' ids, each once ---------------===//
//
// What a remedy is, is told by one of these, never by its words. Remedies.def
// lists them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_REMEDYID_H
#define MEMREFLENS_CHECK_REMEDYID_H

#include <cstdint>
#include <string_view>

namespace memreflens {

enum class RemedyId : uint8_t {
  none,
#define REMEDY(name, ...) name,
#include "core/check/Remedies.def"
};

/// As in the JSON: "lift-cf-to-scf"; empty for `none`.
std::string_view nameOf(RemedyId id);
/// `none` for a name that this version does not know.
RemedyId remedyNamed(std::string_view name);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_REMEDYID_H
