//===- tests/trace/StageTextsTest.cpp -------------------------------------===//
//
// Texts from steps, and small fields.
//
// Whatever two texts are, the steps from one lead to the other; and a List
// holds what a std::vector would.
//
//===----------------------------------------------------------------------===//

#include "core/trace/StageTexts.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace memreflens::trace {
namespace {

size_t addedBytes(const std::vector<TextStep> &steps) {
  size_t bytes = 0;
  for (const TextStep &step : steps)
    bytes += step.add.size();
  return bytes;
}

TEST(StageTexts, stepsLeadFromOneTextToTheOther) {
  const char *texts[] = {"",          "\n",     "a",         "a\n",
                         "a\nb\n",    "b\na\n", "b",         "a\nx\nb\n",
                         "x\nx\nx\n", "x\nx",   "a\n\nb\n\n"};
  for (std::string before : texts)
    for (std::string after : texts)
      EXPECT_EQ(applySteps(before, textSteps(before, after)), after)
          << before << "->\n"
          << after;
}

TEST(StageTexts, randomTextsToo) {
  std::mt19937 chance(7);
  auto text = [&](unsigned kinds) {
    std::string made;
    for (unsigned lines = chance() % 40; lines > 0; --lines)
      made += "line " + std::to_string(chance() % kinds) + "\n";
    return chance() % 2 ? made : made + "open end";
  };
  for (int i = 0; i < 3000; ++i) {
    std::string before = text(1 + i % 50), after = text(1 + i % 50);
    ASSERT_EQ(applySteps(before, textSteps(before, after)), after)
        << before << "->\n"
        << after;
  }
}

TEST(StageTexts, oneChangedLineIsAllThatIsKept) {
  std::string before, after;
  for (int i = 0; i < 1000; ++i) {
    std::string line = "%" + std::to_string(i) + " = op\n  }\n";
    before += line;
    after += i == 500 ? "%new = op\n  }\n" : line;
  }
  std::vector<TextStep> steps = textSteps(before, after);
  EXPECT_EQ(steps.size(), 2u);
  EXPECT_EQ(addedBytes(steps), std::string("%new = op\n").size());
}

// Movement costs the lines that moved, not all of them.
TEST(StageTexts, linesThatMoveAreFew) {
  std::string before, after = "moved\n";
  for (int i = 0; i < 100; ++i) {
    before += "line " + std::to_string(i) + "\n";
    after += "line " + std::to_string(i) + "\n";
  }
  EXPECT_EQ(addedBytes(textSteps(before + "moved\n", after)), 6u);
}

TEST(StageTexts, chainOfStages) {
  Trace trace;
  trace.chunks.resize(1);
  std::vector<Stage> &stages = trace.chunks[0].stages;
  std::string text, before;
  for (int i = 0; i < 200; ++i)
    text += "line " + std::to_string(i) + "\n";
  std::vector<std::string> all;
  for (int number = 0; number < 6; ++number) {
    Stage &stage = stages.emplace_back();
    stage.number = number;
    stage.changed = number != 3;
    if (stage.changed) {
      before = all.empty() ? "" : all.back();
      text.insert(text.size() / 2, "new " + std::to_string(number) + "\n");
      keepText(stage, before, text);
    }
    all.push_back(text);
  }
  EXPECT_FALSE(stages[1].delta.empty());
  EXPECT_TRUE(stages[1].text.empty());
  StageTexts texts(trace);
  for (int number : {5, 0, 3, 4, 1, 2}) {
    EXPECT_EQ(texts.get(0, number), all[size_t(number)]) << number;
    EXPECT_EQ(stageText(trace, 0, number), all[size_t(number)]) << number;
  }
  EXPECT_EQ(texts.get(0, 6), std::nullopt);
  EXPECT_EQ(texts.get(1, 0), std::nullopt);
}

// Any trace that is read has a text, whatever its numbers say.
TEST(StageTexts, stepsPastTheEnd) {
  EXPECT_EQ(applySteps("a\nb\n", {{9, 9, "c"}, {9, 0, ""}}), "a\nb\nc");
  EXPECT_EQ(applySteps("", {{1, 2147483647, "x\n"}}), "x\n");
}

TEST(List, isAVectorInEightBytes) {
  static_assert(sizeof(List<Id>) == 8 && sizeof(List<std::string>) == 8);
  static_assert(sizeof(Event) <= 96);
  std::mt19937 chance(3);
  for (int round = 0; round < 200; ++round) {
    List<Id> ids;
    List<std::string> texts;
    std::vector<Id> expected;
    for (int i = 0; i < 30; ++i) {
      switch (chance() % 6) {
      case 0:
        ids.clear(), texts.clear(), expected.clear();
        break;
      case 1: {
        size_t count = chance() % 5;
        ids.resize(count), texts.resize(count), expected.resize(count);
        break;
      }
      case 2: {
        List<Id> copy(ids);
        copy.push_back(7);
        ids = std::move(copy);
        expected.push_back(7);
        texts.push_back("7");
        break;
      }
      case 3:
        if (!ids.empty()) {
          ids.push_back(ids.front());
          texts.push_back(texts.front());
          expected.push_back(expected.front());
        }
        break;
      default:
        ids.push_back(i);
        texts.emplace_back(std::to_string(i));
        expected.push_back(i);
      }
      ASSERT_EQ(std::vector<Id>(ids), expected);
      ASSERT_EQ(ids.size(), texts.size());
      ASSERT_EQ(ids.empty(), expected.empty());
      for (size_t k = 0; k < expected.size(); ++k)
        ASSERT_TRUE(texts[k].empty() ||
                    texts[k] == std::to_string(expected[k]));
    }
  }
}

TEST(Name, isOneForEachText) {
  EXPECT_EQ(sizeof(Name), 4u);
  EXPECT_TRUE(Name().empty());
  EXPECT_EQ(Name("").str(), "");
  EXPECT_EQ(Name("Fold"), Name(std::string("Fold")));
  EXPECT_FALSE(Name("Fold") == Name("fold"));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 500; ++i)
        EXPECT_EQ(Name("n" + std::to_string(i)).str(), "n" + std::to_string(i));
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace
} // namespace memreflens::trace
