// What is live around each block, and which orders rest on addresses: held to
// MLIR's own analysis of the same IR.

#include "core/pipeline/ownership/BlockLiveness.h"
#include "core/source/Document.h"
#include "tests/source/Corpus.h"
#include "tests/source/Parsing.h"

#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using namespace memreflens;
using namespace memreflens::test;

namespace {
/// What was seen, so that a test over nothing fails.
struct Seen {
  unsigned sets = 0;
  unsigned hashed = 0;
  unsigned mixed = 0;
};
} // namespace

/// Positions hold values of the groups in turn: those of one group in any
/// order, but none of another in between.
static void checkSet(const LiveSet &ours, const Liveness::ValueSetT &theirs,
                     const std::string &where, Seen &seen) {
  ++seen.sets;
  ASSERT_EQ(ours.size(), theirs.size()) << where;
  ASSERT_EQ(ours.isHashed(), theirs.capacity() > 16) << where;
  for (Value value : theirs)
    ASSERT_TRUE(ours.contains(value)) << where;
  if (ours.isHashed()) {
    ++seen.hashed;
    return;
  }
  llvm::DenseMap<Value, unsigned> groups;
  std::set<unsigned> different;
  for (const LiveSet::Member &member : ours.members()) {
    groups[member.value] = member.group;
    different.insert(member.group);
  }
  seen.mixed += different.size() > 1 && different.size() < ours.size();
  unsigned last = 0;
  for (Value value : theirs) {
    ASSERT_GE(groups.lookup(value), last) << where;
    last = groups.lookup(value);
  }
}

static void checkModule(ModuleOp module, const std::string &file, Seen &seen) {
  module.walk([&](func::FuncOp function) {
    BlockLiveness ours(function);
    Liveness theirs(function);
    std::string where = file + " @" + function.getSymName().str();
    function.walk([&](Block *block) {
      checkSet(ours.liveIn(block), theirs.getLiveIn(block), where, seen);
      checkSet(ours.liveOut(block), theirs.getLiveOut(block), where, seen);
    });
  });
}

TEST(BlockLiveness, equalsUpstreamsOnTheCorpus) {
  Seen seen;
  for (const char *folder : {"real", "defects", "upstream"})
    for (const std::string &file : corpusFiles(folder)) {
      Parsed parsed(readFile(file));
      for (ParsedChunk &chunk : parsed.document.chunks)
        if (chunk.module)
          checkModule(*chunk.module, file, seen);
      if (HasFatalFailure())
        return;
    }
  if (seen.sets == 0 && !corpusIsRequired())
    GTEST_SKIP() << "no corpus";
  EXPECT_GT(seen.sets, 10000u);
  EXPECT_GT(seen.hashed, 1000u);
  EXPECT_GT(seen.mixed, 10u);
}

//===--- Sets -------------------------------------------------------------===//

namespace {
/// Twenty arguments to make sets of.
class LiveSetTest : public ::testing::Test {
protected:
  LiveSetTest() {
    std::string text = "func.func @f(";
    for (int i = 0; i < 20; ++i)
      text += (i ? ", %a" : "%a") + std::to_string(i) + ": i32";
    parsed = std::make_unique<Parsed>(text + ") {\n  return\n}\n");
    ModuleOp module = *parsed->document.chunks.front().module;
    auto function = *module.getOps<func::FuncOp>().begin();
    values.assign(function.getArguments().begin(),
                  function.getArguments().end());
  }

  LiveSet of(ArrayRef<int> numbers) const {
    LiveSet set;
    for (int number : numbers)
      set.insert(values[number]);
    return set;
  }
  LiveSet hashed(int begin, int end) const {
    LiveSet set = of(
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19});
    set.removeIf([&](Value value) {
      int number = int(cast<BlockArgument>(value).getArgNumber());
      return number < begin || number >= end;
    });
    return set;
  }
  /// `0 | 1 2 | 3`: by group, and by number in a group.
  static std::string text(const LiveSet &set) {
    std::set<std::pair<unsigned, unsigned>> members;
    for (const LiveSet::Member &member : set.members())
      members.insert(
          {member.group, cast<BlockArgument>(member.value).getArgNumber()});
    std::string text;
    std::optional<unsigned> group;
    for (auto [next, number] : members) {
      text += !group ? "" : *group == next ? " " : " | ";
      text += std::to_string(number);
      group = next;
    }
    return text;
  }

  std::unique_ptr<Parsed> parsed;
  std::vector<Value> values;
};
} // namespace

TEST_F(LiveSetTest, keepsSixteenInOrder) {
  LiveSet set = of({15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
  EXPECT_FALSE(set.isHashed());
  EXPECT_FALSE(set.insert(values[3]));
  EXPECT_FALSE(set.isHashed());
  EXPECT_TRUE(set.insert(values[16]));
  EXPECT_TRUE(set.isHashed());
}

TEST_F(LiveSetTest, staysHashedWhenItShrinks) {
  EXPECT_TRUE(hashed(0, 2).isHashed());
  EXPECT_EQ(hashed(0, 2).size(), 2u);
}

TEST_F(LiveSetTest, whatComesOutOfAHashedSetIsOneGroup) {
  LiveSet set = of({7, 1});
  set.add(hashed(0, 4));
  set.insert(values[9]);
  EXPECT_EQ(text(set), "7 | 1 | 0 2 3 | 9");
  LiveSet copy = of({8});
  copy.add(set);
  EXPECT_EQ(text(copy), "8 | 7 | 1 | 0 2 3 | 9");
}

TEST_F(LiveSetTest, lastValueFillsTheGap) {
  LiveSet set = of({0, 1, 2, 3});
  set.subtract(of({1}));
  EXPECT_EQ(text(set), "0 | 3 | 2");
}

TEST_F(LiveSetTest, unknownLastValueSpoilsTheOrderFromTheGapOn) {
  LiveSet set = of({7, 8, 9});
  set.add(hashed(0, 2));
  set.subtract(of({8}));
  EXPECT_EQ(text(set), "7 | 0 1 9");
}

TEST_F(LiveSetTest, lastValueJoinsTheGroupOfTheGap) {
  LiveSet set = of({7});
  set.add(hashed(0, 3));
  set.insert(values[9]);
  set.subtract(of({1}));
  EXPECT_EQ(text(set), "7 | 0 2 9");
}

TEST_F(LiveSetTest, filteringKeepsTheOrder) {
  LiveSet set =
      of({7, 8, 9}).filtered([&](Value value) { return value != values[7]; });
  EXPECT_EQ(text(set), "8 | 9");
}
