//===- tests/graph/LayoutTest.cpp - where everything lies -----------------===//

#include "core/graph/Draw.h"
#include "core/graph/Graphviz.h"
#include "tests/graph/GraphFamilies.h"

#include <gtest/gtest.h>

using namespace memreflens::graph;

namespace {

bool overlap(const Box &a, const Box &b) {
  constexpr double touch = 0.5;
  return a.left + touch < b.right && b.left + touch < a.right &&
         a.top + touch < b.bottom && b.top + touch < a.bottom;
}

bool holds(const Box &outer, const Box &inner) {
  return outer.left <= inner.left && outer.top <= inner.top &&
         outer.right >= inner.right && outer.bottom >= inner.bottom;
}

bool isInside(const Picture &picture, int cluster, int ancestor) {
  for (; cluster >= 0; cluster = picture.clusters[size_t(cluster)].parent)
    if (cluster == ancestor)
      return true;
  return ancestor < 0;
}

Box boxAround(Point center, Size size) {
  return {center.x - size.width / 2, center.y - size.height / 2,
          center.x + size.width / 2, center.y + size.height / 2};
}

/// No node lies on another, no cluster on what is not in it, and edges end at
/// the border of their nodes.
void checkPlaces(const Arranged &arranged) {
  const Picture &picture = arranged.picture;
  const Layout &layout = arranged.layout;
  ASSERT_EQ(arranged.error, "");
  Box whole{0, 0, layout.size.width, layout.size.height};
  for (size_t i = 0; i < picture.nodes.size(); ++i) {
    ASSERT_TRUE(holds(whole, layout.nodes[i])) << picture.nodes[i].key;
    for (size_t k = 0; k < i; ++k)
      ASSERT_FALSE(overlap(layout.nodes[i], layout.nodes[k]))
          << picture.nodes[i].key << " lies on " << picture.nodes[k].key;
    for (size_t k = 0; k < picture.clusters.size(); ++k) {
      const Box &box = layout.clusters[k].box;
      bool isMember = isInside(picture, picture.nodes[i].cluster, int(k));
      ASSERT_TRUE(isMember ? holds(box, layout.nodes[i])
                           : !overlap(box, layout.nodes[i]))
          << picture.nodes[i].key << " and " << picture.clusters[k].key;
    }
  }
  for (size_t i = 0; i < picture.edges.size(); ++i) {
    const Layout::Edge &edge = layout.edges[i];
    ASSERT_EQ(edge.curve.size() % 3, 1u);
    const Box &head = layout.nodes[size_t(picture.edges[i].to)];
    Box near{head.left - 1, head.top - 1, head.right + 1, head.bottom + 1};
    ASSERT_TRUE(holds(near, {edge.tip.x, edge.tip.y, edge.tip.x, edge.tip.y}))
        << picture.edges[i].key;
    if (arranged.request.edges[i].label.width == 0)
      continue;
    Box label = boxAround(edge.label, arranged.request.edges[i].label);
    for (size_t k = 0; k < picture.nodes.size(); ++k)
      ASSERT_FALSE(overlap(label, layout.nodes[k])) << picture.edges[i].key;
    for (size_t k = 0; k < picture.clusters.size(); ++k)
      ASSERT_FALSE(
          overlap(label, boxAround(layout.clusters[k].title,
                                   arranged.request.clusters[k].title)))
          << picture.edges[i].key << " on a title";
  }
}

/// No edge runs through a node other than its own or through a title. The
/// curves are sampled, since a wrong bend is much longer than a step.
void checkCurves(const Arranged &arranged) {
  const Layout &layout = arranged.layout;
  for (size_t i = 0; i < layout.edges.size(); ++i) {
    const std::vector<Point> &curve = layout.edges[i].curve;
    for (size_t piece = 0; piece + 3 < curve.size(); piece += 3)
      for (int step = 0; step <= 20; ++step) {
        double t = step / 20.0, u = 1 - t;
        double b[] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
        Point at;
        for (size_t k = 0; k < 4; ++k) {
          at.x += b[k] * curve[piece + k].x;
          at.y += b[k] * curve[piece + k].y;
        }
        Box dot{at.x - 1, at.y - 1, at.x + 1, at.y + 1};
        for (size_t k = 0; k < layout.nodes.size(); ++k) {
          const Edge &edge = arranged.picture.edges[i];
          if (int(k) == edge.from || int(k) == edge.to)
            continue;
          ASSERT_FALSE(overlap(dot, layout.nodes[k]))
              << edge.key << " runs through " << arranged.picture.nodes[k].key;
        }
        for (size_t k = 0; k < layout.clusters.size(); ++k)
          ASSERT_FALSE(
              overlap(dot, boxAround(layout.clusters[k].title,
                                     arranged.request.clusters[k].title)))
              << arranged.picture.edges[i].key << " crosses a title";
      }
  }
}

TEST(Layout, NothingOverlapsInKnownShapes) {
  for (const Picture &picture :
       {ladder(30), diamonds(40), nest(12), fan(30), blocks(25), blocks(1),
        randomGraph(40, 80, 1)}) {
    Arranged arranged = arrange(picture, {});
    checkPlaces(arranged);
    checkCurves(arranged);
  }
}

TEST(Layout, NothingOverlapsInRandomNests) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Arranged arranged = arrange(randomNest(seed), {});
    checkPlaces(arranged);
    checkCurves(arranged);
    if (HasFatalFailure())
      return;
  }
}

TEST(Layout, AnEmptyPictureHasAPlaceForItsTitle) {
  Arranged arranged = arrange(blocks(0), {});
  EXPECT_EQ(arranged.error, "");
  EXPECT_GT(arranged.layout.size.width, 20);
  EXPECT_NE(draw(blocks(0), {}, ImageFormat::svg).bytes, "");
}

TEST(Layout, EqualRequestsGiveEqualPlaces) {
  Arranged first = arrange(randomNest(3), {}),
           second = arrange(randomNest(3), {});
  EXPECT_EQ(first.request, second.request);
  EXPECT_EQ(first.layout.nodes, second.layout.nodes);
  second.request.nodes[0].size.width += 1;
  EXPECT_NE(first.request, second.request);
}

TEST(Layout, ALongChainWithStubsStaysNarrow) {
  Arranged arranged = arrange(ladder(300), {});
  // Wider than a block, its stub and the exit beside them, but no staircase.
  EXPECT_LT(arranged.layout.size.width, 2500);
}

/// The time that ctest allows this test is many times what it takes.
TEST(Layout, NoGraphHangs) {
  for (const Picture &picture :
       {ladder(1000), diamonds(1000), nest(300), fan(1000),
        randomGraph(1500, 6000, 5), randomGraph(300, 6000, 6)})
    EXPECT_EQ(draw(picture, {}, ImageFormat::svg).error, "");
}

TEST(Layout, TooManyBlocksAreFolded) {
  Image image = draw(diamonds(20004), {}, ImageFormat::svg);
  EXPECT_EQ(image.error, "");
  EXPECT_NE(image.note.find("folded 20,004 blocks"), std::string::npos)
      << image.note;
}

TEST(Layout, RegionsNestedTooDeepLoseTheirBoxes) {
  Image image = draw(nest(500), {}, ImageFormat::svg);
  EXPECT_EQ(image.error, "");
  EXPECT_NE(image.note.find("nested more than 400 deep"), std::string::npos)
      << image.note;
}

TEST(Graphviz, SaysWhatIsWrongInsteadOfPrintingIt) {
  testing::internal::CaptureStderr();
  Rendering rendering = render({"digraph { a [", "nop2", "svg"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(rendering.bytes, "");
  EXPECT_NE(rendering.error.find("syntax error"), std::string::npos)
      << rendering.error;
}

TEST(Graphviz, RejectsAFormatThatItDoesNotKnow) {
  Rendering rendering = render({"digraph { a }", "dot", "nosuchformat"});
  EXPECT_EQ(rendering.bytes, "");
  EXPECT_NE(rendering.error, "");
}

} // namespace
