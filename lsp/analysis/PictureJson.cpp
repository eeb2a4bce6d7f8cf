//===- lsp/analysis/PictureJson.cpp ---------------------------------------===//

#include "lsp/analysis/PictureJson.h"

#include <nlohmann/json.hpp>

namespace memreflens::lsp {

using namespace graph;

static Json chipsJson(const std::vector<Chip> &chips) {
  Json all = Json::array();
  for (const Chip &chip : chips)
    all.push_back({{"meaning", std::string(wordOf(chip.meaning))},
                   {"text", chip.text},
                   {"tooltip", chip.tooltip},
                   {"value", chip.value},
                   {"event", chip.event},
                   {"faded", chip.faded}});
  return all;
}

static Json rowsJson(const std::vector<Row> &rows) {
  Json all = Json::array();
  for (const Row &row : rows)
    all.push_back({{"label", row.label}, {"chips", chipsJson(row.chips)}});
  return all;
}

static Json nodeJson(const Node &node) {
  constexpr const char *kinds[] = {"block", "entry", "result", "stub",
                                   "folded"};
  Json lines = Json::array();
  for (const Line &line : node.lines)
    lines.push_back({{"text", line.text}, {"op", line.op}});
  return {{"key", node.key},
          {"kind", kinds[size_t(node.kind)]},
          {"block", node.block},
          {"title", node.title},
          {"note", node.note},
          {"tooltip", node.tooltip},
          {"top", rowsJson(node.top)},
          {"lines", lines},
          {"bottom", rowsJson(node.bottom)},
          {"reachable", node.reachable},
          {"cluster", node.cluster}};
}

static Json edgeJson(const Edge &edge) {
  constexpr const char *kinds[] = {"branch", "back", "enter",   "leave",
                                   "repeat", "skip", "boundary"};
  return {{"key", edge.key},        {"from", edge.from},
          {"to", edge.to},          {"kind", kinds[size_t(edge.kind)]},
          {"label", edge.label},    {"chips", chipsJson(edge.chips)},
          {"tooltip", edge.tooltip}};
}

Json toJson(const Picture &picture) {
  Json nodes = Json::array(), edges = Json::array(), clusters = Json::array();
  for (const Node &node : picture.nodes)
    nodes.push_back(nodeJson(node));
  for (const Edge &edge : picture.edges)
    edges.push_back(edgeJson(edge));
  for (const Cluster &cluster : picture.clusters)
    clusters.push_back({{"key", cluster.key},
                        {"parent", cluster.parent},
                        {"op", cluster.op},
                        {"title", cluster.title},
                        {"tooltip", cluster.tooltip}});
  return {{"title", picture.title},
          {"subtitle", picture.subtitle},
          {"nodes", nodes},
          {"edges", edges},
          {"clusters", clusters}};
}

} // namespace memreflens::lsp
