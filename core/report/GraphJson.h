//===- core/report/GraphJson.h - pictures as JSON -------------------------===//
//
// The control-flow graphs with their chips as data, for tools that draw them
// themselves: `{"schemaVersion":1,"graphs":[{"title":...,"nodes":[...]}]}`.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REPORT_GRAPHJSON_H
#define MEMREFLENS_REPORT_GRAPHJSON_H

#include "core/graph/Picture.h"

namespace memreflens::report {

/// Version of the form; raised with each change that a reader could misread.
inline constexpr int graphSchemaVersion = 1;

std::string graphsJson(const std::vector<graph::Picture> &pictures);

} // namespace memreflens::report

#endif // MEMREFLENS_REPORT_GRAPHJSON_H
