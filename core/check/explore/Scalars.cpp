//===- core/check/explore/Scalars.cpp - numbers and conditions ------------===//

#include "core/check/explore/Machine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace memreflens::explorer {

static unsigned widthOf(Type type) {
  if (type.isInteger())
    return std::min(64u, unsigned(type.getIntOrFloatBitWidth()));
  return 64;
}

void Machine::set(State &state, Value value, PathValue what) {
  if (value.use_empty())
    return;
  bind(state.frame(), shape.numberOf(value), what);
}

Term Machine::constantTerm(unsigned number, int64_t value) {
  if (number >= constants.size())
    constants.resize(number + 1, noTerm);
  if (constants[number] == noTerm) {
    const Value source = shape.valueOf(number);
    constants[number] = terms.constant(value, widthOf(source.getType()));
    terms.name(constants[number], source);
  }
  return constants[number];
}

PathValue Machine::valueOf(State &state, Value value) {
  if (!stated.empty() && value.getType().isIntOrIndex())
    if (const int64_t size = statedSize(value); size >= 0)
      return PathValue::scalar(terms.constant(size, widthOf(value.getType())));
  const unsigned number = shape.numberOf(value);
  if (auto constant = shape.constantOf(number))
    return PathValue::scalar(constantTerm(number, *constant));
  PathValue found = lookUp(state.frame(), number);
  if (found.term != noTerm)
    found.term = terms.resolve(found.term, state.decisions);
  return found;
}

Term Machine::termOf(State &state, Value value) {
  PathValue found = valueOf(state, value);
  if (found.kind == ValueClass::scalar)
    return found.term;
  Term term = terms.fresh(widthOf(value.getType()), value);
  if (found.kind == ValueClass::none)
    bind(state.frame(), shape.numberOf(value), PathValue::scalar(term));
  return term;
}

Term Machine::termOf(State &state, OpFoldResult value) {
  if (auto known = getConstantIntValue(value))
    return terms.constant(*known, 64);
  if (auto dynamic = dyn_cast<Value>(value))
    return termOf(state, dynamic);
  return terms.fresh(64);
}

/// The object behind a buffer; foreign memory where nothing is known.
PathValue Machine::memrefOf(State &state, Value value) {
  PathValue found = valueOf(state, value);
  if (found.isMemref())
    return found;
  int32_t object =
      addObject(state, ObjectKind::foreign, value.getDefiningOp(), value);
  PathValue made = PathValue::memref(object);
  bind(state.frame(), shape.numberOf(value), made);
  return made;
}

std::optional<bool> Machine::truth(State &state, Term condition) {
  Term resolved = terms.resolve(condition, state.decisions);
  if (auto known = terms.constantOf(resolved))
    return *known != 0;
  forkOn = terms.undecided(resolved);
  return std::nullopt;
}

std::optional<int64_t> Machine::numberOf(State &state, Value value) {
  return terms.constantOf(termOf(state, value));
}

bool Machine::isPoison(const State &state, const PathValue &pointer) const {
  Operation *site = state.objects[pointer.object].site;
  return site && isa<ub::PoisonOp>(site);
}

void Machine::notePoison(const State &state, const PathValue &left,
                         const PathValue &right) {
  if (left.object == right.object ||
      !(isPoison(state, left) || isPoison(state, right)))
    return;
  comparesPoison = true;
  assumed.insert("the pointer of ub.poison, which may be any, is no buffer's");
}

/// i1: both point to the same place.
Term Machine::samePointer(State &state, const PathValue &left,
                          const PathValue &right) {
  notePoison(state, left, right);
  Term sameObject = isSame(state, left.object, right.object);
  if (left.term == right.term || terms.constantOf(sameObject) == 0)
    return sameObject;
  auto shift = [&](const PathValue &value) {
    return value.term == noTerm ? terms.constant(0, 64) : value.term;
  };
  Term sameShift = terms.make(TermKind::equal, 1, {shift(left), shift(right)});
  return terms.make(TermKind::bitAnd, 1, {sameObject, sameShift});
}

Term Machine::compare(State &state, Operation *op) {
  auto compare = cast<arith::CmpIOp>(op);
  PathValue left = valueOf(state, compare.getLhs());
  PathValue right = valueOf(state, compare.getRhs());
  arith::CmpIPredicate predicate = compare.getPredicate();
  Value result = compare.getResult();
  using enum arith::CmpIPredicate;
  if (left.kind == ValueClass::pointer && right.kind == ValueClass::pointer &&
      (predicate == eq || predicate == ne)) {
    Term same = samePointer(state, left, right);
    return predicate == eq ? same : terms.negate(same);
  }
  Term a = termOf(state, compare.getLhs()), b = termOf(state, compare.getRhs());
  auto make = [&](TermKind kind, Term first, Term second, bool negated) {
    Term term =
        terms.make(kind, 1, {first, second}, negated ? Value() : result);
    return negated ? terms.negate(term) : term;
  };
  switch (predicate) {
  case eq:
    return make(TermKind::equal, a, b, false);
  case ne:
    return make(TermKind::equal, a, b, true);
  case slt:
    return make(TermKind::lessSigned, a, b, false);
  case sgt:
    return make(TermKind::lessSigned, b, a, false);
  case sge:
    return make(TermKind::lessSigned, a, b, true);
  case sle:
    return make(TermKind::lessSigned, b, a, true);
  case ult:
    return make(TermKind::lessUnsigned, a, b, false);
  case ugt:
    return make(TermKind::lessUnsigned, b, a, false);
  case uge:
    return make(TermKind::lessUnsigned, a, b, true);
  case ule:
    return make(TermKind::lessUnsigned, b, a, true);
  }
  return terms.fresh(1, result);
}

static std::optional<TermKind> binaryKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<TermKind>>(op)
      .Case([](arith::AndIOp) { return TermKind::bitAnd; })
      .Case([](arith::OrIOp) { return TermKind::bitOr; })
      .Case([](arith::XOrIOp) { return TermKind::bitXor; })
      .Case([](arith::AddIOp) { return TermKind::add; })
      .Case([](arith::MulIOp) { return TermKind::multiply; })
      .Default([](Operation *) { return std::nullopt; });
}

/// See `Action::scalar`.
void Machine::executeScalar(State &state, Operation *op) {
  Value result = op->getResult(0);
  unsigned width = widthOf(result.getType());
  auto give = [&](Term term) {
    set(state, result, PathValue::scalar(term));
    terms.name(term, result);
  };
  if (isa<arith::CmpIOp>(op))
    return give(compare(state, op));
  if (auto extract = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op)) {
    PathValue source = memrefOf(state, extract.getSource());
    source.kind = ValueClass::pointer;
    // Of a pointer, only to where it points is asked.
    source.plain = false;
    set(state, result, source);
    return;
  }
  // A pointer stays what it is through a cast and a choice.
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    if (PathValue source = valueOf(state, op->getOperand(0));
        source.kind == ValueClass::pointer) {
      set(state, result, source);
      return;
    }
  llvm::SmallVector<Term, 3> arguments;
  for (Value operand : op->getOperands())
    arguments.push_back(termOf(state, operand));
  if (auto kind = binaryKind(op))
    return give(terms.make(*kind, width, arguments));
  if (isa<arith::SubIOp>(op))
    return give(terms.make(
        TermKind::add, width,
        {arguments[0], terms.make(TermKind::multiply, width,
                                  {arguments[1], terms.constant(-1, width)})}));
  if (isa<arith::SelectOp>(op) && op->getOperand(0).getType().isInteger(1))
    return give(terms.make(TermKind::choice, width, arguments));
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op))
    if (auto known = terms.constantOf(arguments[0]))
      return give(terms.constant(
          isa<arith::ExtSIOp>(op) && terms[arguments[0]].width == 1 ? -*known
                                                                    : *known,
          width));
  std::string tag =
      op->getName().getStringRef().str() + "#" +
      std::to_string(uintptr_t(op->getAttrDictionary().getAsOpaquePointer()));
  return give(terms.make(TermKind::other, width, arguments, result, tag));
}

} // namespace memreflens::explorer
