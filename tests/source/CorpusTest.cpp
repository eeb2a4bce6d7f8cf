#include "tests/source/Corpus.h"
#include "tests/source/Parsing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace memreflens;
using namespace memreflens::test;
namespace fs = std::filesystem;

static std::string withoutNumber(const std::string &name) {
  return name.substr(0, name.find('#'));
}

static void checkValue(const Parsed &parsed, const trace::Value &value,
                       const std::string &file) {
  ASSERT_FALSE(value.name.empty()) << file;
  std::string text = parsed.text(value.range);
  if (!text.empty()) {
    EXPECT_EQ(text, "%" + withoutNumber(value.name)) << file;
  }
  for (trace::Range use : value.uses) {
    std::string used = parsed.text(use);
    bool same = used == "%" + value.name ||
                (used == text && value.name.ends_with("#0")) ||
                used == "%" + value.name + "#0";
    EXPECT_TRUE(same) << file << ": " << used << " for " << value.name;
  }
  if (value.kind == trace::ValueKind::result)
    EXPECT_EQ(parsed.trace.ops[value.op].results[value.index], value.id);
  else
    EXPECT_EQ(parsed.trace.blocks[value.block].arguments[value.index],
              value.id);
}

/// Uses in the text and operands in the IR must tell the same story.
static void checkUseCounts(const Parsed &parsed, const std::string &file) {
  std::map<trace::Id, size_t> operands;
  for (const trace::Op &op : parsed.trace.ops)
    if (!op.range.empty())
      for (trace::Id operand : op.operands) {
        ASSERT_NE(operand, trace::none) << file;
        ++operands[operand];
      }
  for (const trace::Value &value : parsed.trace.values) {
    if (!value.range.empty()) {
      EXPECT_EQ(value.uses.empty(), operands[value.id] == 0)
          << file << ": %" << value.name;
    }
  }
}

static void checkBlock(const Parsed &parsed, const trace::Block &block,
                       const std::string &file) {
  EXPECT_TRUE(block.name.starts_with("^")) << file;
  if (!block.nameRange.empty()) {
    EXPECT_EQ(parsed.text(block.nameRange), block.name) << file;
  }
  ASSERT_NE(block.parentOp, trace::none);
  const auto &region = parsed.trace.ops[block.parentOp].regions[block.region];
  EXPECT_NE(std::find(region.begin(), region.end(), block.id), region.end());
  for (trace::Id op : block.ops)
    EXPECT_EQ(parsed.trace.ops[op].block, block.id);
}

static void checkFile(const std::string &path) {
  std::string file = fs::path(path).filename();
  Parsed parsed(readFile(path));
  for (const trace::Value &value : parsed.trace.values)
    checkValue(parsed, value, file);
  for (const trace::Block &block : parsed.trace.blocks)
    checkBlock(parsed, block, file);
  checkUseCounts(parsed, file);
  for (const trace::Function &function : parsed.trace.functions) {
    std::string name = parsed.text(function.nameRange);
    bool symbol = name == "@" + function.name ||
                  name == "@\"" + function.name + "\"" ||
                  name == "\"" + function.name + "\"";
    EXPECT_TRUE(symbol) << file << ": " << name;
  }
}

class Corpus : public testing::TestWithParam<const char *> {};

TEST_P(Corpus, NamesAndRangesAreThoseOfTheText) {
  std::vector<std::string> files = corpusFiles(GetParam());
  if (files.empty()) {
    ASSERT_FALSE(corpusIsRequired()) << "the corpus is missing";
    GTEST_SKIP() << "no corpus";
  }
  for (const std::string &path : files)
    checkFile(path);
}

INSTANTIATE_TEST_SUITE_P(Source, Corpus,
                         testing::Values("real", "upstream", "defects"),
                         [](const auto &info) { return info.param; });

TEST(CorpusReal, EveryFileParses) {
  std::vector<std::string> files = corpusFiles("real");
  if (files.empty() && !corpusIsRequired())
    GTEST_SKIP() << "no corpus";
  EXPECT_GE(files.size(), 143u);
  for (const std::string &path : files) {
    std::string text = readFile(path);
    // That dialect is upstream's own, for its tests.
    if (text.find(" test.") != std::string::npos)
      continue;
    Parsed parsed(text);
    EXPECT_TRUE(parsed.document.anyParsed())
        << path << ": " << parsed.problems();
  }
}
