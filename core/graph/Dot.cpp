//===- core/graph/Dot.cpp - a picture as DOT ------------------------------===//
//
// The structure of the file: defaults, clusters with their nodes, edges, and
// the place of each where a layout is given. DotLabels.h writes the labels.
//
//===----------------------------------------------------------------------===//

#include "core/graph/Dot.h"

#include "core/graph/DotLabels.h"
#include "core/graph/Layout.h"

#include <array>
#include <charconv>

namespace memreflens::graph {

namespace {

std::string number(double value) {
  std::array<char, 64> text;
  auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                           std::chars_format::fixed, 2);
  return {text.data(), end.ptr};
}

std::string quoted(std::string_view text) {
  return "\"" + escapedAttribute(text) + "\"";
}

class DotWriter {
public:
  DotWriter(const Picture &picture, const DotOptions &options,
            const Layout *layout)
      : picture(picture), theme(themeOf(options.theme)), layout(layout),
        labels(picture, options), nodesIn(picture.clusters.size() + 1),
        clustersIn(picture.clusters.size() + 1) {
    for (size_t i = 0; i < picture.nodes.size(); ++i)
      nodesIn[size_t(picture.nodes[i].cluster + 1)].push_back(i);
    for (size_t i = 0; i < picture.clusters.size(); ++i)
      clustersIn[size_t(picture.clusters[i].parent + 1)].push_back(i);
  }

  std::string write() {
    out = "digraph \"memref-lens\" {\n";
    writeDefaults();
    writeMembers(0, "  ");
    for (size_t i = 0; i < picture.edges.size(); ++i)
      writeEdge(i);
    out += "}\n";
    return std::move(out);
  }

private:
  /// Graphviz counts y from below.
  std::string place(Point point) const {
    return number(point.x) + "," + number(layout->size.height - point.y);
  }

  void writeDefaults() {
    out += "  graph [id=\"picture\" bgcolor=\"" + std::string(theme.ground) +
           "\" rankdir=TB nodesep=0.35 ranksep=0.4 nslimit=4 nslimit1=4 "
           "mclimit=0.5 pad=0.2 labelloc=t labeljust=l tooltip=\" \"";
    if (layout)
      out += " lp=\"" + place(layout->title) + "\"";
    out += " label=<" + labels.ofPicture() + ">];\n";
    out += "  node [shape=plain margin=0 fontname=\"" + std::string(monoFace) +
           "\" fontsize=10];\n";
    out += "  edge [fontname=\"" + std::string(monoFace) +
           "\" fontsize=10 arrowsize=0.7 color=\"" + std::string(theme.line) +
           "\" fontcolor=\"" + std::string(theme.text) + "\"];\n";
  }

  void writeNode(size_t index, const std::string &indent) {
    const Node &node = picture.nodes[index];
    std::string kind(classOf(node.kind));
    if (!node.reachable)
      kind += " unreachable";
    std::string key = quoted(node.key);
    out +=
        indent + key + " [id=" + key + " class=\"" + kind + "\" tooltip=\" \"";
    if (layout)
      out += " pos=\"" + place(layout->nodes[index].center()) + "\"";
    out += " label=<" + labels.ofNode(node) + ">];\n";
  }

  /// What lies in a cluster (its index plus 1; 0 for the outermost).
  void writeMembers(size_t cluster, const std::string &indent) {
    for (size_t node : nodesIn[cluster])
      writeNode(node, indent);
    for (size_t inner : clustersIn[cluster])
      writeCluster(inner, indent);
  }

  void writeCluster(size_t index, const std::string &indent) {
    const Cluster &cluster = picture.clusters[index];
    out += indent + "subgraph " + quoted("cluster_" + cluster.key) + " {\n" +
           indent + "  graph [id=" + quoted(cluster.key) +
           " class=\"region\" style=\"rounded,filled\" labeljust=l color=\"" +
           std::string(theme.clusterLine) + "\" fillcolor=\"" +
           std::string(theme.clusterFill) + "\" tooltip=" +
           quoted(cluster.tooltip.empty() ? cluster.title : cluster.tooltip);
    if (layout) {
      const Layout::Cluster &placed = layout->clusters[index];
      out += " bb=\"" + place({placed.box.left, placed.box.bottom}) + "," +
             place({placed.box.right, placed.box.top}) + "\" lp=\"" +
             place(placed.title) + "\"";
    }
    out += " label=<" + labels.ofCluster(cluster) + ">];\n";
    writeMembers(index + 1, indent + "  ");
    out += indent + "}\n";
  }

  void writeEdge(size_t index) {
    const Edge &edge = picture.edges[index];
    bool isLoop = edge.kind == EdgeKind::back || edge.kind == EdgeKind::repeat;
    bool isDim = edge.kind == EdgeKind::skip || edge.kind == EdgeKind::boundary;
    out += "  " + quoted(picture.nodes[size_t(edge.from)].key) + " -> " +
           quoted(picture.nodes[size_t(edge.to)].key) +
           " [id=" + quoted(edge.key) + " class=\"" +
           std::string(classOf(edge.kind)) + "\"";
    if (isLoop)
      out += " style=\"bold\" color=\"" +
             std::string(theme.of(Meaning::unknown).line) + "\"";
    else if (isDim)
      out += " style=\"dashed\"";
    if (!edge.tooltip.empty())
      out += " tooltip=" + quoted(edge.tooltip) +
             " labeltooltip=" + quoted(edge.tooltip);
    std::string label = labels.ofEdge(edge);
    if (layout)
      writeCurve(layout->edges[index], /*labelled=*/!label.empty());
    if (!label.empty())
      out += " label=<" + label + ">";
    out += "];\n";
  }

  void writeCurve(const Layout::Edge &edge, bool labelled) {
    out += " pos=\"e," + place(edge.tip);
    for (Point point : edge.curve)
      out += " " + place(point);
    out += "\"";
    if (labelled)
      out += " lp=\"" + place(edge.label) + "\"";
  }

  const Picture &picture;
  const Theme &theme;
  const Layout *layout;
  DotLabels labels;
  std::vector<std::vector<size_t>> nodesIn, clustersIn;
  std::string out;
};

} // namespace

std::string toDot(const Picture &picture, const DotOptions &options,
                  const Layout *layout) {
  return DotWriter(picture, options, layout).write();
}

std::string toMeasuringDot(const Picture &picture, const DotOptions &options) {
  DotLabels labels(picture, options);
  std::string out = "digraph {\n  node [shape=plain margin=0 pos=\"0,0\"];\n";
  auto write = [&](std::string_view name, const std::string &label) {
    if (!label.empty())
      out += "  " + std::string(name) + " [label=<" + label + ">];\n";
  };
  write("title", labels.ofPicture());
  for (size_t i = 0; i < picture.nodes.size(); ++i)
    write("n" + std::to_string(i), labels.ofNode(picture.nodes[i]));
  for (size_t i = 0; i < picture.edges.size(); ++i)
    write("e" + std::to_string(i), labels.ofEdge(picture.edges[i]));
  for (size_t i = 0; i < picture.clusters.size(); ++i)
    write("c" + std::to_string(i), labels.ofCluster(picture.clusters[i]));
  return out + "}\n";
}

std::string_view classOf(NodeKind kind) {
  switch (kind) {
  case NodeKind::block:
    return "block";
  case NodeKind::entry:
    return "boundary entry";
  case NodeKind::result:
    return "boundary result";
  case NodeKind::stub:
    return "stub";
  case NodeKind::folded:
    return "folded";
  }
  return "";
}

std::string_view classOf(EdgeKind kind) {
  switch (kind) {
  case EdgeKind::branch:
    return "branch";
  case EdgeKind::back:
    return "back";
  case EdgeKind::enter:
    return "enter";
  case EdgeKind::leave:
    return "leave";
  case EdgeKind::repeat:
    return "repeat";
  case EdgeKind::skip:
    return "skip";
  case EdgeKind::boundary:
    return "boundary";
  }
  return "";
}

} // namespace memreflens::graph
