//===- cli/ScopesReport.h - alias scopes of a file, in the user's names ---===//

#ifndef MEMREFLENS_CLI_SCOPESREPORT_H
#define MEMREFLENS_CLI_SCOPESREPORT_H

#include "cli/ScopesText.h"
#include "core/pipeline/aliasing/AccessScopes.h"
#include "core/text/LineIndex.h"
#include "core/trace/Model.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace memreflens {

/// What is said of one file, in the user's names and places.
class ScopesReport {
public:
  ScopesReport(const trace::Trace &trace, const std::string &wanted)
      : trace(trace), wanted(wanted), lines(trace.source.text) {}
  void add(mlir::ModuleOp module);
  std::vector<ScopesOfFunction> functions;

private:
  ScopesOfFunction rowsOf(mlir::FunctionOpInterface function);
  std::string wordsOf(const aliasing::FunctionScopes &scopes,
                      const aliasing::AccessScope &scope);
  std::string wordsOf(mlir::Value source);
  std::string nameOf(mlir::Value value);
  const trace::Op *opOf(mlir::Operation *op);
  LineColumn placeOf(mlir::Operation *op);
  std::string placeText(mlir::Operation *op);

  const trace::Trace &trace;
  const std::string &wanted;
  LineIndex lines;
};

} // namespace memreflens

#endif // MEMREFLENS_CLI_SCOPESREPORT_H
