//===- core/memory/Hold.cpp -----------------------------------------------===//

#include "core/memory/Hold.h"
#include "core/explain/DecisionText.h"

namespace memreflens::memory {

std::string_view nameOf(Hold hold) {
  switch (hold) {
  case Hold::nothing:
    return "nothing";
  case Hold::blockEnd:
    return "block-end";
  case Hold::conditional:
    return "conditional";
  case Hold::retained:
    return "retained";
  case Hold::passed:
    return "passed-on";
  case Hold::returned:
    return "returned";
  case Hold::escapes:
    return "last-use-unknown";
  case Hold::open:
    return "never-deallocated";
  }
  return {};
}

std::string_view wordsOf(Hold hold) {
  switch (hold) {
  case Hold::nothing:
    return "deallocated right after the last use";
  case Hold::blockEnd:
    return "the pass deallocates at the end of a block";
  case Hold::conditional:
    return "the dealloc at the end of a block is conditional";
  case Hold::retained:
    return "a dealloc on the way retains it";
  case Hold::passed:
    return "passed on as a block argument or an op's result";
  case Hold::returned:
    return "returned to the caller";
  case Hold::escapes:
    return "its last use is not known";
  case Hold::open:
    return "nothing deallocates it";
  }
  return {};
}

static Hold kindOf(const Lifetime &lifetime, const Buffer &buffer) {
  if (lifetime.ends.empty())
    return Hold::open;
  switch (lifetime.ends.back().kind) {
  case EndKind::returned:
    return Hold::returned;
  case EndKind::passed:
    return Hold::passed;
  case EndKind::open:
    return Hold::open;
  case EndKind::scope:
    return Hold::nothing;
  case EndKind::freed:
    break;
  }
  if (!buffer.isLastUseKnown)
    return Hold::escapes;
  if (buffer.end <= buffer.lastUse)
    return Hold::nothing;
  if (lifetime.ends.back().conditional)
    return Hold::conditional;
  return lifetime.retained == none ? Hold::blockEnd : Hold::retained;
}

Held holdOf(const Lookup &lookup, const Lifetime &lifetime,
            const Buffer &buffer) {
  Held held = {kindOf(lifetime, buffer), {}};
  held.why = wordsOf(held.hold);
  if (held.hold == Hold::conditional) {
    const Id condition = lifetime.ends.back().condition;
    if (condition != none && lookup.constantOf(condition) < 0)
      held.why = "deallocated only if " + lookup.name(condition);
  } else if (held.hold == Hold::retained) {
    const std::string sentence =
        explainEvent(lookup, lifetime.retained).sentence;
    held.why = sentence.empty() ? held.why : sentence;
  } else if (held.hold == Hold::escapes) {
    held.why += " behind " + buffer.usedBy;
  }
  return held;
}

} // namespace memreflens::memory
