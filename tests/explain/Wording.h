//===- tests/explain/Wording.h - explanations as text to compare ----------===//

#ifndef MEMREFLENS_TESTS_EXPLAIN_WORDING_H
#define MEMREFLENS_TESTS_EXPLAIN_WORDING_H

#include "core/explain/Render.h"
#include "tests/support/Fixtures.h"

#include <gtest/gtest.h>

namespace memreflens::test {

using trace::Id;
using trace::none;
using trace::test::BranchExample;
using trace::test::TraceBuilder;

/// The sentence and its facts, one a line, as the command line prints them.
inline std::string wording(const trace::Trace &trace,
                           const Explanation &explanation) {
  return renderText(trace, explanation, {});
}

inline bool mentions(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace memreflens::test

#endif // MEMREFLENS_TESTS_EXPLAIN_WORDING_H
