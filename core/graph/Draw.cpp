//===- core/graph/Draw.cpp - a picture as an image ------------------------===//
//
// Stubs, then the sizes of all labels from Graphviz, then our own layout, then
// Graphviz again for the drawing; it places nothing itself.
//
//===----------------------------------------------------------------------===//

#include "core/graph/Draw.h"

#include "core/graph/Graphviz.h"
#include "core/graph/Stubs.h"
#include "core/graph/SvgText.h"

namespace memreflens::graph {

static LayoutRequest requestFor(const Picture &picture,
                                const std::map<std::string, Size> &sizes) {
  auto sizeOf = [&](const std::string &name) {
    auto found = sizes.find(name);
    return found == sizes.end() ? Size{} : found->second;
  };
  LayoutRequest request;
  request.title = sizeOf("title");
  for (size_t i = 0; i < picture.nodes.size(); ++i)
    request.nodes.push_back(
        {sizeOf("n" + std::to_string(i)), picture.nodes[i].cluster});
  for (size_t i = 0; i < picture.edges.size(); ++i)
    request.edges.push_back({picture.edges[i].from, picture.edges[i].to,
                             sizeOf("e" + std::to_string(i))});
  for (size_t i = 0; i < picture.clusters.size(); ++i)
    request.clusters.push_back(
        {picture.clusters[i].parent, sizeOf("c" + std::to_string(i))});
  return request;
}

Arranged arrange(const Picture &picture, const DotOptions &options) {
  Stubbed stubbed = withStubs(picture);
  Arranged out{std::move(stubbed.picture), {}, {}, {}, stubbed.note};
  Measured measured = measure(toMeasuringDot(out.picture, options));
  out.error = measured.error;
  if (!out.error.empty())
    return out;
  out.request = requestFor(out.picture, measured.sizes);
  out.layout = layOut(out.request);
  return out;
}

Image draw(const Picture &picture, const DotOptions &options,
           ImageFormat format) {
  if (format == ImageFormat::dot) {
    Stubbed stubbed = withStubs(picture);
    return {toDot(stubbed.picture, options), "", stubbed.note};
  }
  Arranged arranged = arrange(picture, options);
  if (!arranged.error.empty())
    return {"", arranged.error, arranged.note};
  std::string dot = toDot(arranged.picture, options, &arranged.layout);
  bool isSvg = format == ImageFormat::svg;
  Rendering rendering = render({dot, "nop2", isSvg ? "svg" : "png:cairo"});
  Image image{std::move(rendering.bytes), rendering.error, arranged.note};
  if (!rendering.note.empty())
    image.note += (image.note.empty() ? "" : "; ") + rendering.note;
  if (isSvg && image.error.empty())
    image.bytes = finishedSvg(image.bytes, arranged.picture, options);
  return image;
}

} // namespace memreflens::graph
