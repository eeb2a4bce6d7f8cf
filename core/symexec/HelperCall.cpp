//===- core/symexec/HelperCall.cpp - the library function of deallocs -----===//
//
// `dealloc_helper(memrefs, retained, conditions, frees, ownerships)`: lists of
// pointers and i1s. Known lists give the same as running it, in one step.
//
//===----------------------------------------------------------------------===//

#include "core/symexec/CallGraph.h"
#include "core/symexec/CallOps.h"

using namespace mlir;

namespace memreflens::symexec {

/// The list behind a buffer; false if some of it is not known.
static bool readList(const State &state, const PathValue &list,
                     SymbolicExprs &exprs, ValueClass kind,
                     std::vector<PathValue> &values) {
  const Object &object = state.objects[list.object];
  if (!list.plain || object.freed || object.shape.size() != 1)
    return false;
  auto size = exprs.constantOf(object.shape.front());
  for (int64_t i = 0; size && i < *size; ++i) {
    const PathValue *value = contentOf(object, {i});
    if (!value || value->kind != kind)
      return false;
    values.push_back(*value);
  }
  return size.has_value();
}

namespace {
/// A list of pointers by their objects: of thousands, few may be one.
class PointerList {
public:
  void add(const State &state, const PathValue &pointer) {
    byObject[pointer.object].push_back(size);
    if (state.objects[pointer.object].mayBeShared())
      shared.push_back(size);
    ++size;
  }
  /// Positions of those that are not surely another pointer than this, in
  /// order.
  llvm::ArrayRef<size_t> candidates(const State &state,
                                    const PathValue &pointer) const {
    if (state.objects[pointer.object].mayBeShared())
      return shared;
    auto known = byObject.find(pointer.object);
    if (known == byObject.end())
      return {};
    return known->second;
  }

private:
  llvm::DenseMap<int32_t, std::vector<size_t>> byObject;
  /// Of objects that may be the same as others.
  std::vector<size_t> shared;
  size_t size = 0;
};
} // namespace

/// False if it has to be run op by op.
bool CallOps::callHelper(State &state, CallOpInterface op, Operation *callee) {
  if (!isDeallocHelper(callee) || op.getArgOperands().size() != 5)
    return false;
  std::vector<PathValue> lists = values.valuesOf(state, op.getArgOperands());
  std::vector<PathValue> memrefs, retained, conditions;
  for (const PathValue &list : lists)
    if (!list.isMemref() || !list.plain)
      return false;
  if (!readList(state, lists[0], exprs, ValueClass::pointer, memrefs) ||
      !readList(state, lists[1], exprs, ValueClass::pointer, retained) ||
      !readList(state, lists[2], exprs, ValueClass::scalar, conditions) ||
      conditions.size() != memrefs.size())
    return false;
  auto poisoned = [&](const PathValue &pointer) {
    return values.isPoison(state, pointer);
  };
  if (llvm::any_of(memrefs, poisoned) || llvm::any_of(retained, poisoned))
    for (const PathValue &memref : memrefs)
      for (const std::vector<PathValue> *list : {&retained, &memrefs})
        for (const PathValue &other : *list)
          values.notePoison(state, memref, other);
  PointerList kept, earlier;
  for (const PathValue &pointer : retained)
    kept.add(state, pointer);
  std::vector<SymbolicExpr> owned(retained.size(), exprs.boolean(false));
  for (size_t i = 0; i < memrefs.size(); ++i) {
    SymbolicExpr frees = exprs.resolve(conditions[i].expr, state.decisions);
    auto unless = [&](SymbolicExpr same) {
      frees = exprs.make(ExprKind::bitAnd, 1, {frees, exprs.negate(same)});
    };
    for (size_t j : kept.candidates(state, memrefs[i])) {
      SymbolicExpr same = values.samePointer(state, memrefs[i], retained[j]);
      unless(same);
      SymbolicExpr both =
          exprs.make(ExprKind::bitAnd, 1, {same, conditions[i].expr});
      owned[j] = exprs.make(ExprKind::bitOr, 1, {owned[j], both});
    }
    for (size_t j : earlier.candidates(state, memrefs[i]))
      unless(values.samePointer(state, memrefs[i], memrefs[j]));
    earlier.add(state, memrefs[i]);
    writeCell(state.objects[lists[3].object], {int64_t(i)},
              PathValue::scalar(frees));
  }
  for (size_t j = 0; j < retained.size(); ++j)
    writeCell(state.objects[lists[4].object], {int64_t(j)},
              PathValue::scalar(owned[j]));
  return true;
}

} // namespace memreflens::symexec
