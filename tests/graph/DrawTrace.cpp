//===- tests/graph/DrawTrace.cpp - draws each function of a trace ---------===//
//
//   draw-trace TRACE.json OUT-PREFIX    writes OUT-PREFIX<number>.dot and .svg
//
//===----------------------------------------------------------------------===//

#include "core/graph/Draw.h"
#include "core/graph/OwnershipPicture.h"
#include "core/trace/Json.h"

#include <fstream>
#include <iostream>
#include <sstream>

using namespace memreflens;

int main(int argc, char **argv) {
  std::ifstream file(argc == 3 ? argv[1] : "");
  std::stringstream text;
  text << file.rdbuf();
  auto read = trace::readJson(text.str());
  if (!read) {
    std::cerr << read.error << "\n";
    return 1;
  }
  Lookup lookup(*read.trace);
  int number = 0;
  for (const auto &function : read.trace->functions) {
    graph::Picture picture = graph::ownershipPicture(lookup, function.id, {});
    std::string prefix = argv[2] + std::to_string(number++);
    for (auto [format, ending] : {std::pair(graph::ImageFormat::dot, ".dot"),
                                  std::pair(graph::ImageFormat::svg, ".svg")}) {
      graph::Image image = graph::draw(picture, {}, format);
      if (!image.error.empty() || image.note.starts_with("graphviz") ||
          image.note.find("; graphviz") != std::string::npos) {
        std::cerr << function.name << ": " << image.error << image.note << "\n";
        return 1;
      }
      std::ofstream(prefix + ending) << image.bytes;
    }
  }
}
