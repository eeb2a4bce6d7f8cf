//===- tests/query/IndexTest.cpp - questions to a trace -------------------===//

#include "core/query/Index.h"
#include "core/trace/StageTexts.h"
#include "core/trace/Validate.h"
#include "tests/support/Fixtures.h"

#include <gtest/gtest.h>

#include <numeric>

namespace memreflens::trace {
namespace {

using test::BranchExample;

std::vector<Id> toVector(std::span<const Id> ids) {
  return {ids.begin(), ids.end()};
}

class Query : public ::testing::Test {
protected:
  BranchExample e;
  Index index{e.trace()};

  uint32_t at(const std::string &text, int n = 0) const {
    return e.b.offsetOf(text, n);
  }
};

TEST_F(Query, theExampleIsValid) {
  EXPECT_EQ(validate(e.trace()), std::nullopt) << *validate(e.trace());
}

TEST_F(Query, valueAtItsDefinitionAndUses) {
  EXPECT_EQ(index.valueAt(at("%a")), e.a);
  EXPECT_EQ(index.valueAt(at("%a", 1)), e.a);
  EXPECT_EQ(index.valueAt(at("%a") + 1), e.a);
  EXPECT_EQ(index.valueAt(at("%x:")), e.x);
  EXPECT_EQ(index.valueAt(at("memref.alloc")), none);
}

TEST_F(Query, valueJustBehindItsName) {
  EXPECT_EQ(index.valueAt(at("%a") + 2), e.a);
  EXPECT_EQ(index.valueAt(at("%a") + 3), none);
}

TEST_F(Query, innermostOpAndBlock) {
  Id scfIf = e.trace().values[size_t(e.r)].op;
  EXPECT_EQ(index.opAt(at("scf.yield")), e.yield);
  EXPECT_EQ(index.opAt(at("%r = ")), scfIf);
  EXPECT_EQ(index.opAt(at("-> memref<4xf32> {\n    ")), scfIf);
  EXPECT_EQ(index.blockAt(at("scf.yield")), e.inner);
  EXPECT_EQ(index.blockAt(at("scf.if")), e.bb2);
  EXPECT_EQ(index.blockAt(at("^bb1(%x")), e.bb1);
  EXPECT_EQ(index.blockAt(at("cf.cond_br")), e.entry);
  EXPECT_EQ(index.functionAt(at("scf.yield")), 0);
  EXPECT_EQ(index.functionAt(uint32_t(e.trace().source.text.size())), none);
}

TEST_F(Query, answersNothingForNone) {
  EXPECT_TRUE(index.eventsOfValue(none).empty());
  EXPECT_TRUE(index.eventsOfDealloc(99).empty());
  EXPECT_EQ(index.enclosingBlock(none), none);
  EXPECT_EQ(index.valueAt(UINT32_MAX), none);
}

TEST_F(Query, eventsByWhatTheyAreAbout) {
  EXPECT_EQ(toVector(index.eventsOfDealloc(1)),
            (std::vector<Id>{e.elseDealloc, e.lowering}));
  EXPECT_EQ(index.eventsOfFunction(0).size(), e.trace().events.size());
  size_t inBlocks = 0;
  for (const Block &block : e.trace().blocks)
    inBlocks += index.eventsOfBlock(block.id).size();
  EXPECT_EQ(inBlocks, e.trace().events.size());
}

TEST_F(Query, eventsThatNameAValueAmongTheirFacts) {
  std::vector<Id> naming = toVector(index.eventsNamingValue(e.baseA));
  EXPECT_EQ(naming,
            (std::vector<Id>{e.thenDealloc, e.elseDealloc, e.lowering}));
  naming = toVector(index.eventsNamingValue(e.a));
  EXPECT_TRUE(std::is_sorted(naming.begin(), naming.end()));
  EXPECT_EQ(std::adjacent_find(naming.begin(), naming.end()), naming.end());
  EXPECT_EQ(toVector(index.eventsNamingOp(e.yield)).size(), 2u);
}

TEST_F(Query, ownershipFollowsThePosition) {
  OwnershipAt before = ownershipAt(index, e.a, at("%a") - 1);
  EXPECT_EQ(before.ownership, Ownership());
  EXPECT_EQ(before.event, none);
  EXPECT_EQ(before.changedBy, e.allocEvent);

  OwnershipAt defined = ownershipAt(index, e.a, at("%a"));
  EXPECT_EQ(defined.ownership, (Ownership{OwnershipState::unique, e.tru}));
  EXPECT_EQ(defined.event, e.allocEvent);
  EXPECT_EQ(defined.block, e.entry);
  EXPECT_NE(defined.changedBy, none);

  OwnershipAt left = ownershipAt(index, e.a, at("cf.cond_br"));
  EXPECT_EQ(left.ownership.indicator, e.thenResult);
  EXPECT_EQ(left.changedBy, none);
}

TEST_F(Query, ownershipInANestedBlockIsItsOwn) {
  EXPECT_EQ(ownershipAt(index, e.m, at("scf.yield")).block, e.inner);
  // Nothing is held for %r inside the region that makes it.
  OwnershipAt outside = ownershipAt(index, e.r, at("scf.yield"));
  EXPECT_EQ(outside.block, e.bb2);
}

TEST_F(Query, stageTextFollowsUnchangedStagesBack) {
  Trace trace = e.trace();
  auto stage = [](int number, const char *name, bool changed,
                  const char *text) {
    return Stage{number, name, changed, text, {}, Agreement::notCompared, ""};
  };
  trace.chunks[0].stages = {stage(0, "input", false, "in"),
                            stage(1, "expand-realloc", false, ""),
                            stage(2, "canonicalize", true, "canonical"),
                            stage(3, "ownership", false, "")};
  EXPECT_EQ(stageText(trace, 0, 0), "in");
  EXPECT_EQ(stageText(trace, 0, 1), "in");
  EXPECT_EQ(stageText(trace, 0, 3), "canonical");
  EXPECT_EQ(stageText(trace, 0, 4), std::nullopt);
  EXPECT_EQ(stageText(trace, 0, -1), std::nullopt);
  EXPECT_EQ(stageText(trace, 1, 0), std::nullopt);
}

TEST(Ranges, innermostOfNestedAndEqual) {
  RangeIndex ranges;
  ranges.add({0, 100}, 0);
  ranges.add({10, 20}, 1);
  ranges.add({10, 20}, 2);
  ranges.add({12, 14}, 3);
  ranges.add({30, 30}, 4);
  ranges.finish();
  EXPECT_EQ(ranges.at(0), 0);
  EXPECT_EQ(ranges.at(10), 1);
  EXPECT_EQ(ranges.at(13), 3);
  EXPECT_EQ(ranges.at(14), 1);
  EXPECT_EQ(ranges.at(30), 0);
  EXPECT_EQ(ranges.at(100), none);
}

void checkInvalid(const Trace &trace, const std::string &error) {
  EXPECT_EQ(validate(trace).value_or("valid"), error);
}

TEST(Validate, rejectsRecordsThatDisagree) {
  Trace good = BranchExample().trace(), bad = good;
  bad.ops[1].block = 2;
  checkInvalid(bad, "blocks[0].ops[0]: op 1 says that it belongs to 2");
  bad = good;
  bad.blocks[0].ops[0] = none;
  checkInvalid(bad, "blocks[0].ops[0]: expected an id, got none");
  bad = good;
  bad.values[2].id = 3;
  checkInvalid(bad, "values[2].id: expected 2, got 3");
  bad = good;
  std::get<DeallocEvent>(bad.events[4].detail).conditions.clear();
  checkInvalid(bad, "events[4]: memrefs and conditions differ in length");
  bad = good;
  std::get<RetainEvent>(bad.events[5].detail).dealloc = 99;
  checkInvalid(bad, "events[5].dealloc: there is no event 99 (the trace has " +
                        std::to_string(good.events.size()) + ")");
  bad = good;
  bad.events[0].stage = 256;
  checkInvalid(bad,
               "events[0].stage: expected a number from 0 to 255, got 256");
  bad = good;
  bad.values[0].range = {5, 3};
  checkInvalid(bad, "values[0].range: the range ends before it begins");
  bad = good;
  bad.chunks[0].stages.resize(2);
  checkInvalid(bad, "chunks[0].stages[1].number: expected 1, got 0");
}

TEST(Validate, rejectsAnOpInsideItself) {
  Trace trace = BranchExample().trace();
  Id scfIf = trace.blocks[3].parentOp;
  auto &ops = trace.blocks[2].ops;
  ops.erase(std::find(ops.begin(), ops.end(), scfIf));
  trace.ops[size_t(scfIf)].block = 3;
  checkInvalid(trace, "blocks[3].parentOp: the op lies inside this block");
}

} // namespace
} // namespace memreflens::trace
