//===- tests/simplify/SharedSetsTest.cpp - sets against std::set ----------===//

#include "core/pipeline/simplify/SharedSets.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace memreflens {
namespace {

std::vector<unsigned> membersOf(SharedSets::Set set) {
  std::vector<unsigned> members;
  SharedSets::forEach(set, [&](unsigned id) { members.push_back(id); });
  return members;
}

TEST(SharedSets, doWhatSetsDo) {
  std::mt19937 chance(11);
  for (unsigned range : {3u, 70u, 1000u, ~0u}) {
    SharedSets sets;
    std::vector<SharedSets::Set> made = {nullptr};
    std::vector<std::set<unsigned>> expected = {{}};
    auto pick = [&] { return chance() % made.size(); };
    for (int i = 0; i < 400; ++i) {
      size_t a = pick(), b = pick();
      if (chance() % 2) {
        unsigned id = unsigned(chance()) % range;
        made.push_back(sets.of(id));
        expected.push_back({id});
      } else {
        made.push_back(sets.unite(made[a], made[b]));
        expected.push_back(expected[a]);
        expected.back().insert(expected[b].begin(), expected[b].end());
      }
      const std::set<unsigned> &all = expected.back();
      ASSERT_EQ(membersOf(made.back()),
                std::vector<unsigned>(all.begin(), all.end()));
      ASSERT_EQ(SharedSets::size(made.back()), all.size());
      if (!all.empty()) {
        ASSERT_EQ(SharedSets::first(made.back()), *all.begin());
      }
      std::optional<unsigned> common;
      for (unsigned id : expected[a])
        if (!common && expected[b].count(id))
          common = id;
      ASSERT_EQ(SharedSets::firstCommon(made[a], made[b]), common);
    }
  }
}

// What is united with a part of it stays what it is, so that sets are shared.
TEST(SharedSets, keepsTheLargerOne) {
  SharedSets sets;
  SharedSets::Set all = nullptr;
  std::vector<SharedSets::Set> parts;
  for (unsigned id = 0; id < 5000; id += 7)
    parts.push_back(all = sets.unite(all, sets.of(id)));
  for (SharedSets::Set part : parts) {
    EXPECT_EQ(sets.unite(all, part), all);
    EXPECT_EQ(sets.unite(part, all), all);
  }
}

} // namespace
} // namespace memreflens
