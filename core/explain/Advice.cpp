//===- core/explain/Advice.cpp --------------------------------------------===//

#include "core/explain/Advice.h"

#include <algorithm>

namespace memreflens {

using trace::RejectionCause;

namespace {
struct PassRow {
  std::string_view name, anchor, made;
};
} // namespace

static constexpr PassRow passes[] = {
#define REMEDY_PASS(name, text, anchor, made) {text, anchor, made},
#include "core/explain/RemedyPasses.def"
};

std::string_view nameOf(RemedyPass pass) {
  return size_t(pass) < std::size(passes) ? passes[size_t(pass)].name
                                          : std::string_view();
}

std::optional<RemedyPass> passNamed(std::string_view name) {
  for (int i = 0; !nameOf(RemedyPass(i)).empty(); ++i)
    if (nameOf(RemedyPass(i)) == name)
      return RemedyPass(i);
  return std::nullopt;
}

static bool isWritten(const PassRow &pass, std::string_view text) {
  if (pass.anchor.empty())
    return text == pass.name;
  return text == std::string(pass.anchor) + "(" + std::string(pass.name) + ")";
}

std::optional<MadePass> madeInCpp(std::string_view text) {
  for (const PassRow &pass : passes)
    if (!pass.made.empty() && isWritten(pass, text))
      return MadePass{pass.made, !pass.anchor.empty()};
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
