//===- core/graph/RegionFlow.cpp - how control moves through regions ------===//
//
// The flow is that of the ops' RegionBranchOpInterface, written down by name,
// since a trace holds no interfaces. Of other ops all that may be is drawn.
//
//===----------------------------------------------------------------------===//

#include "core/graph/RegionFlow.h"

#include <algorithm>
#include <array>

namespace memreflens::graph {

namespace {

constexpr int before = FlowPoint::before, behind = FlowPoint::behind;

constexpr std::array loops = {"scf.for", "scf.parallel", "affine.for",
                              "affine.parallel"};
constexpr std::array single = {"scf.execute_region", "memref.alloca_scope",
                               "bufferization.alloc_scope"};

/// Their regions are gone through, too, but are no picture's subject.
constexpr std::array once = {"scf.forall.in_parallel", "scf.reduce"};

bool isAnyOf(const std::string &name, const auto &names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Of an op that is not known by name, each region may be a loop, or be left
/// out: only its dialect knows.
std::vector<FlowEdge> alternatives(const RegionShape &shape, bool isKnown) {
  std::vector<FlowEdge> edges;
  for (size_t i = 0; i < shape.isEmpty.size(); ++i) {
    if (shape.isEmpty[i])
      continue;
    bool isOnly = shape.isEmpty.size() == 1;
    edges.push_back(
        {{before}, {int(i)}, EdgeKind::enter, isOnly ? "" : shape.words[i]});
    edges.push_back({{int(i)}, {behind}, EdgeKind::leave, ""});
    if (!isKnown)
      edges.push_back({{int(i)}, {int(i)}, EdgeKind::repeat, "may repeat"});
  }
  if (edges.empty())
    return {{{before}, {behind}, EdgeKind::skip, ""}};
  if (!isKnown)
    edges.push_back({{before}, {behind}, EdgeKind::skip, "may be skipped"});
  return edges;
}

std::vector<FlowEdge> flowOfIf(const RegionShape &shape) {
  std::vector<FlowEdge> edges = {{{before}, {0}, EdgeKind::enter, "true"},
                                 {{0}, {behind}, EdgeKind::leave, ""}};
  if (shape.isEmpty.size() < 2 || shape.isEmpty[1]) {
    edges.push_back({{before}, {behind}, EdgeKind::skip, "false"});
    return edges;
  }
  edges.push_back({{before}, {1}, EdgeKind::enter, "false"});
  edges.push_back({{1}, {behind}, EdgeKind::leave, ""});
  return edges;
}

std::vector<FlowEdge> flowOfLoop() {
  return {{{before}, {0}, EdgeKind::enter, "first iteration"},
          {{0}, {0}, EdgeKind::repeat, "next iteration"},
          {{0}, {behind}, EdgeKind::leave, "done"},
          {{before}, {behind}, EdgeKind::skip, "no iteration"}};
}

std::vector<FlowEdge> flowOfWhile() {
  return {{{before}, {0}, EdgeKind::enter, ""},
          {{0}, {1}, EdgeKind::branch, "true"},
          {{0}, {behind}, EdgeKind::leave, "false"},
          {{1}, {0}, EdgeKind::repeat, "next iteration"}};
}

/// Both sides of sample.region_if go on to its third region.
std::vector<FlowEdge> flowOfRegionIf() {
  return {{{before}, {0}, EdgeKind::enter, "true"},
          {{0}, {2}, EdgeKind::branch, ""},
          {{before}, {1}, EdgeKind::enter, "false"},
          {{1}, {2}, EdgeKind::branch, ""},
          {{2}, {behind}, EdgeKind::leave, ""}};
}

} // namespace

bool hasKnownFlow(const std::string &name) {
  return name == "scf.if" || name == "scf.while" || name == "scf.forall" ||
         name == "scf.index_switch" || name == "affine.if" ||
         name == "sample.region_if" || isAnyOf(name, loops) ||
         isAnyOf(name, single);
}

std::vector<FlowEdge> flowOf(const RegionShape &shape) {
  const std::string &name = shape.opName;
  bool isEmpty = shape.isEmpty.empty() || shape.isEmpty[0];
  if (!isEmpty && (name == "scf.if" || name == "affine.if"))
    return flowOfIf(shape);
  if (!isEmpty && isAnyOf(name, loops))
    return flowOfLoop();
  if (name == "scf.while" && shape.isEmpty.size() == 2 && !isEmpty &&
      !shape.isEmpty[1])
    return flowOfWhile();
  if (name == "sample.region_if" && shape.isEmpty.size() == 3 &&
      std::count(shape.isEmpty.begin(), shape.isEmpty.end(), false) == 3)
    return flowOfRegionIf();
  if (name == "scf.forall" && !isEmpty)
    return {{{before}, {0}, EdgeKind::enter, "each thread"},
            {{0}, {behind}, EdgeKind::leave, "all done"},
            {{before}, {behind}, EdgeKind::skip, "no thread"}};
  return alternatives(shape, hasKnownFlow(name) || isAnyOf(name, once));
}

} // namespace memreflens::graph
