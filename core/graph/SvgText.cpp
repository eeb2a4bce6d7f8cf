//===- core/graph/SvgText.cpp - Graphviz's SVG, made fit for a page -------===//
//
// Goes from tag to tag and copies what it does not know. Graphviz wraps what
// has a tooltip in <g id="a_..."><a xlink:title="...">; the link becomes a
// <title> of the group.
//
//===----------------------------------------------------------------------===//

#include "core/graph/SvgText.h"

#include "core/graph/DotLabels.h"
#include "core/text/Escape.h"

#include <algorithm>
#include <map>

namespace memreflens::graph {

namespace {

/// The value of an attribute in a tag, as it is written.
std::string_view valueOf(std::string_view tag, std::string_view name) {
  std::string key = " " + std::string(name) + "=\"";
  size_t at = tag.find(key);
  if (at == std::string_view::npos)
    return {};
  at += key.size();
  return tag.substr(at, tag.find('"', at) - at);
}

void replaceAll(std::string &text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

class SvgFinisher {
public:
  SvgFinisher(const std::string &svg, const Picture &picture,
              const DotOptions &options)
      : svg(svg), picture(picture), options(options) {
    for (const Node &node : picture.nodes)
      facts[escapedXml(node.key)] =
          " data-block=\"" + idText(node.block) + "\"";
    for (const Cluster &cluster : picture.clusters)
      facts[escapedXml(cluster.key)] =
          " data-op=\"" + idText(cluster.op) + "\"";
    for (const Edge &edge : picture.edges)
      facts[escapedXml(edge.key)] = " data-from=\"" + keyOf(edge.from) +
                                    "\" data-to=\"" + keyOf(edge.to) + "\"";
  }

  std::string run() {
    out.reserve(svg.size());
    size_t at = std::min(svg.find("<svg"), svg.size());
    while (at < svg.size()) {
      size_t open = svg.find('<', at);
      if (open == std::string::npos)
        break;
      copyText(at, open);
      at = svg.compare(open, 4, "<!--") == 0 ? skipTo(open, "-->")
                                             : takeTag(open);
    }
    return std::move(out);
  }

private:
  static std::string idText(Id id) {
    return id == none ? "" : std::to_string(id);
  }
  std::string keyOf(int node) const {
    return escapedXml(picture.nodes[size_t(node)].key);
  }

  /// Past `end`, with the line break behind it.
  size_t skipTo(size_t at, std::string_view end) const {
    at = svg.find(end, at);
    if (at == std::string::npos)
      return svg.size();
    at += end.size();
    return at < svg.size() && svg[at] == '\n' ? at + 1 : at;
  }

  void copyText(size_t from, size_t to) { out += svg.substr(from, to - from); }

  size_t takeTag(size_t open) {
    size_t close = svg.find('>', open);
    if (close == std::string::npos)
      return svg.size();
    std::string tag = svg.substr(open, close + 1 - open);
    size_t next = close + 1;
    if (tag.starts_with("<svg"))
      out += rootTag(tag);
    else if (tag == "<title>")
      return skipTo(open, "</title>");
    else if (tag.starts_with("<g "))
      out += groupTag(tag);
    else if (tag.starts_with("<a "))
      out += titleTag(valueOf(tag, "xlink:title"));
    else if (tag == "</a>")
      return next < svg.size() && svg[next] == '\n' ? next + 1 : next;
    else
      out += shapeTag(std::move(tag));
    return next;
  }

  std::string rootTag(std::string tag) const {
    tag.pop_back();
    replaceAll(tag, " xmlns:xlink=\"http://www.w3.org/1999/xlink\"", "");
    tag += " role=\"img\" class=\"memref-lens ";
    tag += options.theme == ThemeName::dark ? "dark" : "light";
    return tag + "\">\n<title>" + escapedXml(picture.title) +
           "</title>\n<desc>" + escapedXml(description()) + "</desc>";
  }

  std::string description() const {
    std::string text = "Control-flow graph with buffer ownership";
    if (!picture.subtitle.empty())
      text += "; " + picture.subtitle;
    return text + "; nodes: " + std::to_string(picture.nodes.size()) +
           ", edges: " + std::to_string(picture.edges.size());
  }

  static std::string titleTag(std::string_view tooltip) {
    if (tooltip.find_first_not_of(' ') == std::string_view::npos)
      return "";
    return "<title>" + std::string(tooltip) + "</title>";
  }

  std::string groupTag(const std::string &tag) const {
    std::string_view id = valueOf(tag, "id");
    if (id.starts_with("a_c."))
      return chipTag(id.substr(2));
    if (id.starts_with("a_l."))
      return "<g id=\"" + std::string(id.substr(2)) + "\" class=\"line\"" +
             numberAfter(id, ".o", "data-op") + ">";
    if (id.starts_with("a_t."))
      return "<g class=\"heading\">";
    if (id.starts_with("a_"))
      return "<g>";
    auto fact = facts.find(std::string(id));
    if (fact == facts.end())
      return tag;
    return tag.substr(0, tag.size() - 1) + fact->second + ">";
  }

  /// Of "c.owned-if.12.v3.e40".
  static std::string chipTag(std::string_view id) {
    std::string_view kind = id.substr(2, id.find('.', 2) - 2);
    return "<g id=\"" + std::string(id) + "\" class=\"chip " +
           std::string(kind) + "\"" + numberAfter(id, ".v", "data-value") +
           numberAfter(id, ".e", "data-event") + ">";
  }

  static std::string numberAfter(std::string_view id, std::string_view mark,
                                 std::string_view name) {
    size_t at = id.rfind(mark);
    if (at == std::string_view::npos)
      return "";
    at += mark.size();
    size_t end = at;
    while (end < id.size() && id[end] >= '0' && id[end] <= '9')
      ++end;
    std::string number(id.substr(at, end - at));
    if (number.empty() || number == std::to_string(none))
      return "";
    return " " + std::string(name) + "=\"" + number + "\"";
  }

  static std::string shapeTag(std::string tag) {
    if (tag.starts_with("<text")) {
      replaceAll(tag, "font-family=\"DejaVu Sans Mono\"",
                 "font-family=\"DejaVu Sans Mono,Menlo,Consolas,monospace\"");
      replaceAll(tag, "font-family=\"DejaVu Sans\"",
                 "font-family=\"DejaVu Sans,Helvetica,Arial,sans-serif\"");
    } else {
      replaceAll(tag, "stroke=\"transparent\"", "stroke=\"none\"");
    }
    return tag;
  }

  const std::string &svg;
  const Picture &picture;
  const DotOptions &options;
  /// Attributes of the group with an id.
  std::map<std::string, std::string> facts;
  std::string out;
};

} // namespace

std::string finishedSvg(const std::string &svg, const Picture &picture,
                        const DotOptions &options) {
  return SvgFinisher(svg, picture, options).run();
}

} // namespace memreflens::graph
