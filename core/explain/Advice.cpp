//===- core/explain/Advice.cpp --------------------------------------------===//

#include "core/explain/Advice.h"

#include <algorithm>

namespace memreflens {

using trace::RejectionCause;

std::string_view nameOf(RemedyPass pass) {
  static constexpr std::string_view names[] = {"optimize-allocation-liveness",
                                               "buffer-results-to-out-params",
                                               "lift-cf-to-scf",
                                               "private-function-dynamic-"
                                               "ownership",
                                               "inline",
                                               "expand-realloc",
                                               "canonicalize",
                                               "eliminate-empty-tensors",
                                               "cse",
                                               "lens-fill-constants",
                                               "lens-copy-shared",
                                               "lens-reads-first",
                                               "identity-layout-map",
                                               "buffer-loop-hoisting",
                                               "loop-invariant-code-"
                                               "motion"};
  return size_t(pass) < std::size(names) ? names[size_t(pass)]
                                         : std::string_view();
}

std::optional<RemedyPass> passNamed(std::string_view name) {
  for (int i = 0; !nameOf(RemedyPass(i)).empty(); ++i)
    if (nameOf(RemedyPass(i)) == name)
      return RemedyPass(i);
  return std::nullopt;
}

bool rewritesFunction(RemedyPass pass) {
  return pass == RemedyPass::liftCfToScf || pass == RemedyPass::expandRealloc ||
         pass == RemedyPass::canonicalize;
}

bool Advice::names(RemedyPass pass) const {
  return std::ranges::find(passes, pass) != passes.end();
}

std::vector<Advice> adviceAgainst(RejectionCause cause, std::string_view op,
                                  std::span<const std::string> remedies) {
  std::vector<Advice> advice;
  for (const std::string &remedy : remedies)
    advice.push_back(remedy);
  if (advice.empty())
    return advice;
  switch (cause) {
  case RejectionCause::loopInControlFlow:
  case RejectionCause::multipleSuccessors:
  case RejectionCause::multipleSuccessorsWithMemref:
    advice.front().passes = {RemedyPass::liftCfToScf};
    break;
  case RejectionCause::noUniqueOwnership:
    advice.back().passes = {RemedyPass::liftCfToScf};
    break;
  case RejectionCause::returnTypesDiffer:
    advice.front().passes = {RemedyPass::canonicalize};
    break;
  case RejectionCause::freeEffect:
    if (op == "memref.realloc")
      advice.front().passes = {RemedyPass::expandRealloc};
    break;
  default:
    break;
  }
  return advice;
}

} // namespace memreflens
