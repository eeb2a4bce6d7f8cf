//===- core/trace/Symbol.h - a function's name in a sentence
//---------------===//
//
//   symbolText("main")      // @main
//   symbolText("my func")   // @"my func", as MLIR writes it
//
//===----------------------------------------------------------------------===//

#ifndef MEMREF_LENS_CORE_TRACE_SYMBOL_H
#define MEMREF_LENS_CORE_TRACE_SYMBOL_H

#include <string>
#include <string_view>

namespace memreflens::trace {

/// Of a name, or of a title, in which `::` stands behind each scope.
std::string symbolText(std::string_view name);

} // namespace memreflens::trace

#endif
