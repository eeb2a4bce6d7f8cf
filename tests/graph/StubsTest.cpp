//===- tests/graph/StubsTest.cpp - edges that would clutter a picture -----===//

#include "core/graph/Stubs.h"
#include "tests/graph/GraphFamilies.h"

#include <gtest/gtest.h>
#include <set>

using namespace memreflens::graph;

namespace {

const Node *nodeTitled(const Picture &picture, const std::string &title) {
  for (const Node &node : picture.nodes)
    if (node.title == title)
      return &node;
  return nullptr;
}

TEST(Stubs, LeaveSmallPicturesAlone) {
  Stubbed out = withStubs(diamonds(40));
  EXPECT_EQ(out.note, "");
  EXPECT_EQ(out.picture.nodes.size(), 40u);
}

TEST(Stubs, NameBothEndsOfACutEdge) {
  Stubbed out = withStubs(ladder(20));
  EXPECT_TRUE(nodeTitled(out.picture, "to ^bb19"));
  EXPECT_TRUE(
      nodeTitled(out.picture,
                 "from 19 blocks: ^bb0, ^bb1, ^bb2, ^bb3, ^bb4, ^bb5, … +13"));
  EXPECT_EQ(out.note, "19 edges are drawn as stubs, \"to …\" and \"from …\"");
}

TEST(Stubs, CountTheTargetsOfAWideSwitch) {
  Stubbed out = withStubs(fan(100));
  EXPECT_TRUE(nodeTitled(out.picture, "from ^bb0"));
  EXPECT_TRUE(nodeTitled(
      out.picture, "to 100 blocks: ^bb1, ^bb2, ^bb3, ^bb4, ^bb5, ^bb6, … +94"));
}

TEST(Stubs, KeepEachLabelOnceAndEachKeyUnique) {
  Picture picture = randomGraph(200, 2000, 4);
  for (size_t i = 0; i < picture.edges.size(); ++i)
    picture.edges[i].label = "edge " + std::to_string(i);
  Stubbed out = withStubs(picture);
  std::multiset<std::string> labels;
  std::set<std::string> nodeKeys, edgeKeys;
  for (const Edge &edge : out.picture.edges) {
    EXPECT_TRUE(edgeKeys.insert(edge.key).second) << edge.key;
    if (!edge.label.empty())
      labels.insert(edge.label);
  }
  for (const Node &node : out.picture.nodes)
    EXPECT_TRUE(nodeKeys.insert(node.key).second) << node.key;
  EXPECT_EQ(labels.size(), 2000u);
  EXPECT_EQ(std::set<std::string>(labels.begin(), labels.end()).size(), 2000u);
}

TEST(Stubs, StayInTheRegionOfTheirNode) {
  Picture picture = ladder(20);
  picture.clusters.push_back({"c0", -1, 0, "scf.if", ""});
  picture.nodes[3].cluster = 0;
  Stubbed out = withStubs(picture);
  for (const Edge &edge : out.picture.edges) {
    const Node &from = out.picture.nodes[size_t(edge.from)];
    const Node &to = out.picture.nodes[size_t(edge.to)];
    bool isStub = to.kind == NodeKind::stub;
    EXPECT_TRUE(!isStub || from.cluster == to.cluster) << edge.key;
  }
}

} // namespace
