//===- core/graph/RegionFlow.cpp - how control moves through regions ------===//
//
// The flow is that of the ops' RegionBranchOpInterface, written down by name,
// since a trace holds no interfaces.
//
//===----------------------------------------------------------------------===//

#include "core/graph/RegionFlow.h"

#include "core/graph/LineText.h"

#include <algorithm>
#include <array>

namespace memreflens::graph {

using namespace trace;

namespace {

constexpr int before = FlowPoint::before, behind = FlowPoint::behind;

constexpr std::array loops = {"scf.for", "scf.parallel", "affine.for",
                              "affine.parallel"};
constexpr std::array single = {"scf.execute_region", "memref.alloca_scope",
                               "bufferization.alloc_scope"};

bool isAnyOf(const std::string &name, const auto &names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<FlowEdge> alternatives(const Trace &trace, const Op &op,
                                   bool mayBeSkipped) {
  std::vector<FlowEdge> edges;
  for (size_t i = 0; i < op.regions.size(); ++i) {
    if (op.regions[i].empty())
      continue;
    edges.push_back(
        {{before}, {int(i)}, EdgeKind::enter, regionWord(trace, op, i)});
    edges.push_back({{int(i)}, {behind}, EdgeKind::leave, ""});
  }
  if (mayBeSkipped || edges.empty())
    edges.push_back({{before}, {behind}, EdgeKind::skip, ""});
  return edges;
}

std::vector<FlowEdge> flowOfIf(const Op &op) {
  std::vector<FlowEdge> edges = {{{before}, {0}, EdgeKind::enter, "true"},
                                 {{0}, {behind}, EdgeKind::leave, ""}};
  if (op.regions.size() < 2 || op.regions[1].empty()) {
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

} // namespace

bool hasKnownFlow(const Op &op) {
  return op.name == "scf.if" || op.name == "scf.while" ||
         op.name == "scf.forall" || op.name == "scf.index_switch" ||
         op.name == "affine.if" || isAnyOf(op.name, loops) ||
         isAnyOf(op.name, single);
}

std::vector<FlowEdge> flowOf(const Trace &trace, const Op &op) {
  bool isEmpty = op.regions.empty() || op.regions[0].empty();
  if (!isEmpty && (op.name == "scf.if" || op.name == "affine.if"))
    return flowOfIf(op);
  if (!isEmpty && isAnyOf(op.name, loops))
    return flowOfLoop();
  if (op.name == "scf.while" && op.regions.size() == 2 && !isEmpty)
    return flowOfWhile();
  if (op.name == "scf.forall" && !isEmpty)
    return {{{before}, {0}, EdgeKind::enter, "each thread"},
            {{0}, {behind}, EdgeKind::leave, "all done"},
            {{before}, {behind}, EdgeKind::skip, "no thread"}};
  return alternatives(trace, op, /*mayBeSkipped=*/!hasKnownFlow(op));
}

} // namespace memreflens::graph
