//===- core/trace/Symbol.h - a function's name, as MLIR writes it ---------===//
//
//   symbolText("main")      // @main
//   symbolText("my func")   // @"my func", as MLIR writes it
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_SYMBOL_H
#define MEMREFLENS_TRACE_SYMBOL_H

#include <string>
#include <string_view>

namespace memreflens::trace {

/// Inside of quotes: MLIR's escapes, two digits of hexadecimal behind a
/// backslash; of letters that are not ASCII only where MLIR's bytes are asked
/// for.
std::string escapedSymbol(std::string_view name, bool isReadable);

/// Of a name, or of a title, in which `::` stands behind each scope.
std::string symbolText(std::string_view name);

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_SYMBOL_H
