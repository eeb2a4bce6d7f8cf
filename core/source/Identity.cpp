//===- core/source/Identity.cpp - who an op is, through every stage -------===//

#include "core/source/Identity.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <limits>

using namespace mlir;
using namespace memreflens;

static constexpr llvm::StringLiteral opPrefix = "memref-lens.op.";
static constexpr llvm::StringLiteral argumentPrefix = "memref-lens.arg.";

static Location tag(Location original, StringRef prefix, trace::Id id) {
  StringAttr name =
      StringAttr::get(original.getContext(), Twine(prefix) + Twine(id));
  return NameLoc::get(name, original);
}

static trace::Id taggedId(Location location, StringRef prefix) {
  auto named = dyn_cast<NameLoc>(location);
  if (!named)
    return trace::none;
  StringRef text = named.getName().getValue();
  // Asked of each op many times: digits are read here, and there are as many
  // as an id may have.
  constexpr size_t mostDigits = 10;
  if (!text.consume_front(prefix) || text.empty() || text.size() > mostDigits)
    return trace::none;
  int64_t id = 0;
  for (char c : text) {
    if (c < '0' || c > '9')
      return trace::none;
    id = 10 * id + (c - '0');
  }
  return id > std::numeric_limits<trace::Id>::max() ? trace::none
                                                    : trace::Id(id);
}

Location memreflens::tagOp(Location original, trace::Id id) {
  return tag(original, opPrefix, id);
}

Location memreflens::tagArgument(Location original, trace::Id value) {
  return tag(original, argumentPrefix, value);
}

Location memreflens::stripTag(Location location) {
  if (taggedOp(location) == trace::none &&
      taggedArgument(location) == trace::none)
    return location;
  return cast<NameLoc>(location).getChildLoc();
}

trace::Id memreflens::taggedOp(Location location) {
  return taggedId(location, opPrefix);
}

trace::Id memreflens::taggedArgument(Location location) {
  return taggedId(location, argumentPrefix);
}
