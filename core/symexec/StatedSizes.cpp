//===- core/symexec/StatedSizes.cpp - sizes that the user states ----------===//

#include "core/symexec/StatedSizes.h"
#include "core/source/Identity.h"

using namespace mlir;

namespace memreflens::symexec {

StatedSizes::StatedSizes(Context &context) : Part(context) {
  if (!options.heap)
    return;
  for (const std::string &text : trace.options.sizes)
    if (auto size = trace::sizeIn(text); size && size->type.empty())
      stated.push_back(*size);
}

/// The user's name of the value; empty if it is none of the user's.
static std::string_view userName(Value value, const trace::Trace &trace) {
  const trace::Id id = taggedValue(value, trace);
  if (id < 0 || size_t(id) >= trace.values.size() ||
      trace.values[size_t(id)].generated)
    return {};
  return trace.values[size_t(id)].name;
}

/// Number of the argument if the value is one of this function; else -1.
static int64_t argumentOf(Value value, llvm::StringRef name) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function =
      argument && argument.getOwner()->isEntryBlock()
          ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
          : FunctionOpInterface();
  return function && function.getName() == name
             ? int64_t(argument.getArgNumber())
             : -1;
}

int64_t StatedSizes::sizeOf(Value value) {
  auto [entry, isNew] = known.insert({value, -1});
  if (!isNew)
    return entry->second;
  const std::string_view name = userName(value, trace);
  for (const trace::StatedSize &one : stated)
    if (one.value.empty() ? one.dimension < 0 &&
                                argumentOf(value, one.function) == one.argument
                          : one.value == name)
      entry->second = one.size;
  return entry->second;
}

int64_t StatedSizes::dimensionOf(Value buffer, int64_t dimension) const {
  int64_t size = -1;
  for (const trace::StatedSize &one : stated)
    if (one.value.empty() && one.dimension == dimension &&
        argumentOf(buffer, one.function) == one.argument)
      size = one.size;
  return size;
}

} // namespace memreflens::symexec
