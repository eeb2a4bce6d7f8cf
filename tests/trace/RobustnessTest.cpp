//===- tests/trace/RobustnessTest.cpp - damaged traces --------------------===//
//
// Whatever the reader accepts, every query answers: numbers in good traces are
// replaced at random, and those that are still valid are asked everything.
//
//===----------------------------------------------------------------------===//

#include "core/query/Fate.h"
#include "core/trace/Json.h"
#include "core/trace/StageTexts.h"
#include "core/trace/Text.h"
#include "tests/support/EveryField.h"
#include "tests/support/Fixtures.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

namespace memreflens::trace {
namespace {

void askEverything(const Trace &trace) {
  Index index(trace);
  EXPECT_FALSE(toText(trace).empty());
  for (const Value &value : trace.values) {
    EXPECT_EQ(fateOf(index, value.id).value, value.id);
  }
  for (uint32_t at = 0; at <= trace.source.text.size(); ++at) {
    index.opAt(at);
    index.functionAt(at);
    ownershipAt(index, index.valueAt(at), at);
  }
  for (const Chunk &chunk : trace.chunks)
    for (int number = -1; number < 10; ++number)
      stageText(trace, chunk.id, number);
}

/// Replaces one number of the text by another.
void damage(std::string &json, std::mt19937 &random) {
  size_t at = random() % json.size();
  at = json.find_first_of("0123456789", at);
  if (at == std::string::npos)
    return;
  size_t end = json.find_first_not_of("0123456789", at);
  static const char *numbers[] = {"0", "1", "2", "3", "4", "7", "11", "-1"};
  json.replace(at, end - at, numbers[random() % 8]);
}

void checkSurvival(const Trace &trace, int rounds) {
  std::ostringstream out;
  writeJson(trace, out);
  std::mt19937 random(7);
  int accepted = 0;
  for (int round = 0; round < rounds; ++round) {
    std::string json = out.str();
    damage(json, random);
    damage(json, random);
    ReadResult result = readJson(json);
    if (!result)
      continue;
    ++accepted;
    askEverything(*result.trace);
  }
  // Otherwise this tests nothing.
  EXPECT_GT(accepted, rounds / 20);
}

TEST(Robustness, damagedExampleAnswers) {
  checkSurvival(test::BranchExample().trace(), 2000);
}

TEST(Robustness, damagedTraceOfEverythingAnswers) {
  checkSurvival(test::traceWithEveryField(), 150);
}

} // namespace
} // namespace memreflens::trace
