//===- core/pipeline/stages/StandIn.cpp - a body that every stage accepts -===//

#include "core/pipeline/stages/StandIn.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace memreflens {

void makeStandIn(Operation *op) {
  auto function = cast<func::FuncOp>(op);
  Region &body = function.getBody();
  body.dropAllReferences();
  body.getBlocks().clear();
  Block *entry = function.addEntryBlock();
  OpBuilder builder = OpBuilder::atBlockBegin(entry);
  SmallVector<Value> results;
  for (Type type : function.getResultTypes())
    results.push_back(
        ub::PoisonOp::create(builder, function.getLoc(), type).getResult());
  func::ReturnOp::create(builder, function.getLoc(), results);
}

static std::string quoted(StringRef name) {
  std::string text = "\"";
  llvm::raw_string_ostream stream(text);
  llvm::printEscapedString(name, stream);
  return text + "\"";
}

/// Where the line begins that begins a function of the name, in its own form
/// or, of a module that is not valid, in the generic one: of the first such
/// function, or of one after it; npos if there is none.
static size_t findFunctionLine(const std::string &text, StringRef symbol,
                               unsigned number) {
  const std::string name = quoted(symbol);
  const std::pair<std::string, StringRef> forms[] = {
      {("@" + symbol + "(").str(), "func.func "},
      {"@" + name + "(", "func.func "},
      {"sym_name = " + name, "\"func.func\"("}};
  for (const auto &[head, op] : forms)
    for (size_t at = text.find(head); at != std::string::npos;
         at = text.find(head, at + 1)) {
      size_t line = text.rfind('\n', at) + 1;
      if (StringRef(text).slice(line, at).ltrim().starts_with(op) &&
          number-- == 0)
        return line;
    }
  return std::string::npos;
}

std::string annotateFunction(std::string text, StringRef symbol,
                             unsigned number, StringRef comment) {
  size_t line = findFunctionLine(text, symbol, number);
  if (line == std::string::npos)
    return text;
  size_t indent = text.find_first_not_of(' ', line) - line;
  return text.insert(line,
                     std::string(indent, ' ') + "// " + comment.str() + "\n");
}

} // namespace memreflens
