//===- core/diff/Digest.h - what an op is, whatever it is called ----------===//
//
// Numbers that are equal for ops that are written alike, use alike values and
// are used alike. Names of values and blocks, places and ids are no part.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_DIFF_DIGEST_H
#define MEMREFLENS_DIFF_DIGEST_H

#include "core/text/Fingerprint.h"
#include "core/trace/Model.h"

#include <vector>

namespace memreflens::diff {

/// A fingerprint of numbers and texts, each told apart from the next.
class Hash {
public:
  Hash &add(uint64_t number) {
    state = mixInto(state, number);
    return *this;
  }
  Hash &add(std::string_view text) {
    state = fingerprint(text, state);
    return add(text.size());
  }
  uint64_t get() const { return state; }

private:
  uint64_t state = fingerprint({});
};

struct OpDigest {
  /// Name, types, and the digests of the ops that make its operands.
  uint64_t made = 0;
  /// Its text, without names; 0 where it has none.
  uint64_t text = 0;
  /// The ops that use its results, and as which operand.
  uint64_t used = 0;

  bool operator==(const OpDigest &) const = default;
  uint64_t all() const { return Hash().add(made).add(text).add(used).get(); }
};

/// By id of the op. Of a generated op only `made` says something.
std::vector<OpDigest> digestsOf(const trace::Trace &trace);

/// Text without what names values and blocks, and with single spaces.
std::string withoutNames(std::string_view text);

} // namespace memreflens::diff

#endif // MEMREFLENS_DIFF_DIGEST_H
