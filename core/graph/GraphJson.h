//===- core/graph/GraphJson.h - pictures as JSON --------------------------===//
//
// The control-flow graphs with their chips as data, for tools that draw them
// themselves: `{"schemaVersion":1,"graphs":[{"title":...,"nodes":[...]}]}`.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_GRAPH_GRAPHJSON_H
#define MEMREFLENS_GRAPH_GRAPHJSON_H

#include "core/graph/Picture.h"

#include <nlohmann/json_fwd.hpp>

namespace memreflens::graph {

/// Version of the form; raised with each change that a reader could misread.
inline constexpr int graphSchemaVersion = 1;

nlohmann::ordered_json graphJson(const Picture &picture);
/// As a document.
std::string graphsJson(const std::vector<Picture> &pictures);

} // namespace memreflens::graph

#endif // MEMREFLENS_GRAPH_GRAPHJSON_H
