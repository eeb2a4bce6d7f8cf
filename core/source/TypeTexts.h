//===- core/source/TypeTexts.h - types as text, each printed once ---------===//

#ifndef MEMREFLENS_SOURCE_TYPETEXTS_H
#define MEMREFLENS_SOURCE_TYPETEXTS_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace memreflens {

/// Printing a type asks each dialect for its aliases: a function has thousands
/// of values, and few types.
class TypeTexts {
public:
  const std::string &of(mlir::Type type) {
    std::string &text = texts[type];
    if (text.empty())
      llvm::raw_string_ostream(text) << type;
    return text;
  }

private:
  llvm::DenseMap<mlir::Type, std::string> texts;
};

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_TYPETEXTS_H
