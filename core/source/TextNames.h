//===- core/source/TextNames.h - the user's names and ranges --------------===//
//
// Answers, from what the parser noted, where each op, block and value stands in
// the user's text and what the user called it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_TEXTNAMES_H
#define MEMREFLENS_SOURCE_TEXTNAMES_H

#include "core/source/IrLister.h"

#include "mlir/AsmParser/AsmParserState.h"

namespace memreflens {

class TextNames final : public IrOrigin {
public:
  /// `parsed` is the chunk's text as the parser had it, which starts at `begin`
  /// in the user's file.
  TextNames(const mlir::AsmParserState &state, llvm::StringRef parsed,
            uint32_t begin)
      : state(state), parsed(parsed), begin(begin) {}

  void describeOp(mlir::Operation *op, trace::Op &entry) override;
  void describeBlock(mlir::Block *block, trace::Block &entry) override;
  void describeValue(mlir::Value value, trace::Value &entry) override;

  /// The parser's range in the user's file; empty if it has none.
  trace::Range rangeOf(llvm::SMRange range) const;

private:
  using Definition = mlir::AsmParserState::SMDefinition;

  llvm::StringRef textOf(trace::Range range) const;
  /// Number `n` of the `#n` behind `range`, which grows by it; 0 if none.
  uint32_t takeResultNumber(trace::Range &range) const;
  void describeResult(mlir::OpResult result, trace::Value &entry) const;
  /// Uses of member `number` of the group.
  std::vector<trace::Range> usesOf(const Definition &definition,
                                   uint32_t number) const;

  const mlir::AsmParserState &state;
  llvm::StringRef parsed;
  uint32_t begin;
};

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_TEXTNAMES_H
