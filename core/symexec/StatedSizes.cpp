//===- core/symexec/StatedSizes.cpp - sizes that the user states ----------===//
//
// What `--assume %n=1024` and `--assume @f:0:1=32` say of scalars and of
// dimensions of arguments; only where bytes are counted.
//
//===----------------------------------------------------------------------===//

#include "core/source/Identity.h"
#include "core/symexec/Executor.h"

using namespace mlir;

namespace memreflens::symexec {

void Executor::readStated() {
  if (!options.heap)
    return;
  for (const std::string &text : trace.options.sizes)
    if (auto size = trace::sizeIn(text))
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

/// -1 where nothing is stated.
int64_t Executor::statedSize(Value value) {
  auto [known, isNew] = statedValues.insert({value, -1});
  if (!isNew)
    return known->second;
  const std::string_view name = userName(value, trace);
  for (const trace::StatedSize &one : stated)
    if (one.value.empty() ? one.dimension < 0 &&
                                argumentOf(value, one.function) == one.argument
                          : one.value == name)
      known->second = one.size;
  return known->second;
}

/// -1 where nothing is stated.
int64_t Executor::statedDimension(Value buffer, int64_t dimension) const {
  int64_t size = -1;
  for (const trace::StatedSize &one : stated)
    if (one.value.empty() && one.dimension == dimension &&
        argumentOf(buffer, one.function) == one.argument)
      size = one.size;
  return size;
}

/// So that a cast of the argument has it, too.
void Executor::addStatedShape(State &state, int32_t argument) {
  auto type = dyn_cast<MemRefType>(state.objects[argument].value.getType());
  if (stated.empty() || !type)
    return;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    const int64_t known =
        ShapedType::isDynamic(size)
            ? statedDimension(state.objects[argument].value, int64_t(i))
            : size;
    state.objects[argument].shape.push_back(
        known < 0 ? exprs.fresh(64) : exprs.constant(known, 64));
  }
}

} // namespace memreflens::symexec
