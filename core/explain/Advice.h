//===- core/explain/Advice.h - what to do about it ------------------------===//
//
// A remedy in words, with the passes and options that it names: a quick fix
// runs them, and a trial says whether they help.
//
//   Advice advice = {"run lift-cf-to-scf before the pipeline", {liftCfToScf}};
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_ADVICE_H
#define MEMREFLENS_EXPLAIN_ADVICE_H

#include "core/text/Sentence.h"
#include "core/trace/Event.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memreflens {

enum class RemedyPass : uint8_t {
#define REMEDY_PASS(name, ...) name,
#include "core/explain/RemedyPasses.def"
};

/// As mlir-opt names it; empty past the last.
std::string_view nameOf(RemedyPass pass);
std::optional<RemedyPass> passNamed(std::string_view name);

/// How C++ makes a pass.
struct MadePass {
  /// Of a PassManager: "createInlinerPass()".
  std::string_view made;
  bool isOfFunctions = false;
};
/// Of a pass as a pipeline has it, "func.func(buffer-hoisting)"; nothing where
/// it is no remedy's, or has options.
std::optional<MadePass> madeInCpp(std::string_view text);
/// Whether it takes one function and rewrites it in front of the pipeline.
bool rewritesFunction(RemedyPass pass);

using RemedyPasses = std::vector<RemedyPass>;

struct Advice {
  Sentence words;
  RemedyPasses passes;
  /// It was applied to a copy of the program, and does not help.
  bool isVain = false;

  Advice() = default;
  Advice(std::string words, RemedyPasses passes = {},
         std::source_location where = std::source_location::current())
      : words(std::move(words), where), passes(std::move(passes)) {}
  Advice(const char *words,
         std::source_location where = std::source_location::current())
      : Advice(std::string(words), {}, where) {}

  bool names(RemedyPass pass) const;
};

/// What a rejection's remedies, as the trace has them, name: by its cause, and
/// by the op that is rejected.
std::vector<Advice> adviceAgainst(trace::RejectionCause cause,
                                  std::string_view op,
                                  std::span<const std::string> remedies);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_ADVICE_H
