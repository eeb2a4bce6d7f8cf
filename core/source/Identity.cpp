//===- core/source/Identity.cpp - who an op is, through every stage -------===//

#include "core/source/Identity.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <limits>

using namespace mlir;
using namespace memreflens;

/// Digits that an id may have.
static constexpr size_t mostDigits = 10;

// Asked of each op many times: the length of a prefix is known where it is
// compared, and digits are read and written here.

template <size_t size>
static Location tag(Location original, const char (&prefix)[size],
                    trace::Id id) {
  char text[size + mostDigits];
  char *end = std::copy(prefix, prefix + size - 1, text);
  end = std::to_chars(end, std::end(text), id).ptr;
  return NameLoc::get(
      StringAttr::get(original.getContext(), StringRef(text, end - text)),
      original);
}

template <size_t size>
static trace::Id taggedId(Location location, const char (&prefix)[size]) {
  auto named = dyn_cast<NameLoc>(location);
  if (!named)
    return trace::none;
  constexpr size_t length = size - 1;
  StringRef text = named.getName().getValue();
  if (text.size() <= length || text.size() > length + mostDigits ||
      std::memcmp(text.data(), prefix, length) != 0)
    return trace::none;
  int64_t id = 0;
  for (char c : text.drop_front(length)) {
    if (c < '0' || c > '9')
      return trace::none;
    id = 10 * id + (c - '0');
  }
  return id > std::numeric_limits<trace::Id>::max() ? trace::none
                                                    : trace::Id(id);
}

Location memreflens::tagOp(Location original, trace::Id id) {
  return tag(original, opTag, id);
}

Location memreflens::tagArgument(Location original, trace::Id value) {
  return tag(original, argumentTag, value);
}

Location memreflens::stripTag(Location location) {
  if (taggedOp(location) == trace::none &&
      taggedArgument(location) == trace::none)
    return location;
  return cast<NameLoc>(location).getChildLoc();
}

trace::Id memreflens::taggedOp(Location location) {
  return taggedId(location, opTag);
}

const trace::Function *memreflens::tracedFunction(Operation *function,
                                                  const trace::Trace &trace) {
  trace::Id id = taggedOp(function->getLoc());
  if (id == trace::none)
    return nullptr;
  const trace::Op &op = trace.ops[size_t(id)];
  if (!op.regions.empty() && !op.regions.front().empty()) {
    const trace::Block &body = trace.blocks[size_t(op.regions.front().front())];
    if (body.function != trace::none &&
        trace.functions[size_t(body.function)].op == id)
      return &trace.functions[size_t(body.function)];
  }
  // A declaration.
  auto known = std::ranges::find(trace.functions, id, &trace::Function::op);
  return known == trace.functions.end() ? nullptr : &*known;
}

trace::Id memreflens::taggedArgument(Location location) {
  return taggedId(location, argumentTag);
}

trace::Id memreflens::taggedValue(Value value, const trace::Trace &trace) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return taggedArgument(argument.getLoc());
  auto result = cast<OpResult>(value);
  const trace::Id op = taggedOp(result.getOwner()->getLoc());
  if (op < 0 || size_t(op) >= trace.ops.size())
    return trace::none;
  const std::vector<trace::Id> &results = trace.ops[size_t(op)].results;
  return result.getResultNumber() < results.size()
             ? results[result.getResultNumber()]
             : trace::none;
}
