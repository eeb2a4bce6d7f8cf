//===- core/source/TextNames.cpp - the user's names and ranges ------------===//

#include "core/source/TextNames.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mlir;
using namespace memreflens;

trace::Range TextNames::rangeOf(SMRange range) const {
  if (!range.isValid())
    return {};
  const char *from = range.Start.getPointer(), *to = range.End.getPointer();
  if (from < parsed.begin() || to > parsed.end() || from > to)
    return {};
  return {begin + uint32_t(from - parsed.begin()),
          begin + uint32_t(to - parsed.begin())};
}

StringRef TextNames::textOf(trace::Range range) const {
  return range.empty() ? StringRef()
                       : parsed.slice(range.begin - begin, range.end - begin);
}

uint32_t TextNames::takeResultNumber(trace::Range &range) const {
  StringRef rest = parsed.drop_front(range.end - begin);
  if (!rest.consume_front("#"))
    return 0;
  StringRef digits = rest.take_while(llvm::isDigit);
  uint32_t number = 0;
  if (digits.empty() || digits.getAsInteger(10, number))
    return 0;
  range.end += uint32_t(digits.size()) + 1;
  return number;
}

std::vector<trace::Range> TextNames::usesOf(const Definition &definition,
                                            uint32_t number) const {
  std::vector<trace::Range> uses;
  for (SMRange use : definition.uses) {
    trace::Range range = rangeOf(use);
    if (!range.empty() && takeResultNumber(range) == number)
      uses.push_back(range);
  }
  std::sort(uses.begin(), uses.end(),
            [](trace::Range a, trace::Range b) { return a.begin < b.begin; });
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  return uses;
}

void TextNames::describeOp(Operation *op, trace::Op &entry) {
  const AsmParserState::OperationDefinition *definition = state.getOpDef(op);
  if (!definition)
    return;
  entry.nameRange = rangeOf(definition->loc);
  entry.range = rangeOf(definition->scopeLoc);
}

void TextNames::describeBlock(Block *block, trace::Block &entry) {
  const AsmParserState::BlockDefinition *definition = state.getBlockDef(block);
  if (!definition)
    return;
  trace::Range label = rangeOf(definition->definition.loc);
  if (!textOf(label).starts_with("^"))
    return;
  entry.nameRange = label;
  entry.name = textOf(label).str();
}

void TextNames::describeValue(Value value, trace::Value &entry) {
  if (auto result = dyn_cast<OpResult>(value))
    return describeResult(result, entry);
  auto argument = cast<BlockArgument>(value);
  const AsmParserState::BlockDefinition *block =
      state.getBlockDef(argument.getOwner());
  if (!block || argument.getArgNumber() >= block->arguments.size())
    return;
  const Definition &definition = block->arguments[argument.getArgNumber()];
  trace::Range range = rangeOf(definition.loc);
  StringRef name = textOf(range);
  if (!name.consume_front("%") || name.empty())
    return;
  entry.range = range;
  entry.name = name.str();
  entry.uses = usesOf(definition, 0);
}

void TextNames::describeResult(OpResult result, trace::Value &entry) const {
  const AsmParserState::OperationDefinition *op =
      state.getOpDef(result.getOwner());
  if (!op)
    return;
  // The last group that starts at or before the result holds it.
  auto after = std::find_if(
      op->resultGroups.begin(), op->resultGroups.end(), [&](const auto &group) {
        return group.startIndex > result.getResultNumber();
      });
  if (after == op->resultGroups.begin())
    return;
  const auto &group = *std::prev(after);
  unsigned end = after == op->resultGroups.end()
                     ? result.getOwner()->getNumResults()
                     : after->startIndex;
  trace::Range range = rangeOf(group.definition.loc);
  StringRef name = textOf(range);
  if (!name.consume_front("%") || name.empty())
    return;
  uint32_t number = result.getResultNumber() - group.startIndex;
  entry.range = range;
  entry.name = name.str();
  if (end - group.startIndex > 1)
    entry.name += "#" + std::to_string(number);
  entry.uses = usesOf(group.definition, number);
}
