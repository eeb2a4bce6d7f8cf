//===- core/graph/GraphJson.cpp -------------------------------------------===//

#include "core/graph/GraphJson.h"

#include "core/graph/Dot.h"
#include "core/text/Escape.h"

#include <nlohmann/json.hpp>

namespace memreflens::graph {

using Json = nlohmann::ordered_json;

namespace {

const char *nameOf(RowKind kind) {
  static constexpr const char *names[] = {
      "arguments",    "live-in",     "allocated", "cloned", "ownership",
      "dealloc-list", "deallocated", "live-out",  "aliases"};
  return names[size_t(kind)];
}

const char *nameOf(NodeKind kind) {
  static constexpr const char *names[] = {"block", "entry", "result", "stub",
                                          "folded"};
  return names[size_t(kind)];
}

const char *nameOf(EdgeKind kind) {
  static constexpr const char *names[] = {"branch", "back", "enter",   "leave",
                                          "repeat", "skip", "boundary"};
  return names[size_t(kind)];
}

/// Leaves out what is empty or unknown.
void put(Json &json, const char *key, const std::string &text) {
  if (!text.empty())
    json[key] = text;
}
void put(Json &json, const char *key, int id) {
  if (id >= 0)
    json[key] = id;
}

Json toJson(const Chip &chip) {
  Json json;
  json["meaning"] = classOf(chip.meaning);
  json["text"] = chip.text;
  put(json, "tooltip", chip.tooltip);
  put(json, "name", visibleText(chip.facts.name));
  put(json, "condition", visibleText(chip.facts.condition));
  for (const std::string &other : chip.facts.others)
    json["others"].push_back(visibleText(other));
  put(json, "edge", visibleText(chip.facts.edge));
  if (chip.facts.isByHelper)
    json["byHelper"] = true;
  put(json, "value", chip.value);
  put(json, "event", chip.event);
  if (chip.faded)
    json["never"] = true;
  return json;
}

Json toJson(const std::vector<Chip> &chips) {
  Json json = Json::array();
  for (const Chip &chip : chips)
    json.push_back(toJson(chip));
  return json;
}

Json toJson(const Node &node) {
  Json json;
  json["id"] = node.key;
  json["kind"] = nameOf(node.kind);
  put(json, "block", node.block);
  json["title"] = node.title;
  put(json, "note", node.note);
  put(json, "cluster", node.cluster);
  if (!node.reachable)
    json["unreachable"] = true;
  for (const auto *rows : {&node.top, &node.bottom})
    for (const Row &row : *rows) {
      Json made;
      made["kind"] = nameOf(row.kind);
      made["label"] = row.label;
      made["chips"] = toJson(row.chips);
      json["rows"].push_back(std::move(made));
    }
  for (const Line &line : node.lines) {
    Json made;
    made["text"] = line.tooltip.empty() ? line.text : line.tooltip;
    put(made, "op", line.op);
    if (line.accent != Meaning::plain)
      made["meaning"] = classOf(line.accent);
    if (line.mark != ' ')
      made["mark"] = std::string(1, line.mark);
    put(made, "run", line.counts);
    if (line.isFaulty)
      made["isFaulty"] = true;
    json["ops"].push_back(std::move(made));
  }
  return json;
}

} // namespace

Json graphJson(const Picture &picture) {
  Json json;
  json["title"] = picture.title;
  json["subtitle"] = picture.subtitle;
  put(json, "function", picture.function);
  json["nodes"] = Json::array();
  for (const Node &node : picture.nodes)
    json["nodes"].push_back(toJson(node));
  json["edges"] = Json::array();
  for (const Edge &edge : picture.edges) {
    Json made;
    made["id"] = edge.key;
    made["from"] = picture.nodes[size_t(edge.from)].key;
    made["to"] = picture.nodes[size_t(edge.to)].key;
    made["kind"] = nameOf(edge.kind);
    put(made, "label", edge.label);
    made["chips"] = toJson(edge.chips);
    json["edges"].push_back(std::move(made));
  }
  json["clusters"] = Json::array();
  for (const Cluster &cluster : picture.clusters) {
    Json made;
    made["id"] = cluster.key;
    put(made, "parent", cluster.parent);
    put(made, "op", cluster.op);
    made["title"] = cluster.title;
    json["clusters"].push_back(std::move(made));
  }
  return json;
}

std::string graphsJson(const std::vector<Picture> &pictures) {
  Json json;
  json["schemaVersion"] = graphSchemaVersion;
  json["graphs"] = Json::array();
  for (const Picture &picture : pictures)
    json["graphs"].push_back(graphJson(picture));
  return json.dump(1, ' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace) +
         "\n";
}

} // namespace memreflens::graph
