//===- core/graph/Theme.cpp - colours with one meaning each ---------------===//
//
// Lines are Okabe and Ito's hues, fills tints of them toward the ground, texts
// shades of them away from it; a test holds the contrast.
//
//===----------------------------------------------------------------------===//

#include "core/graph/Theme.h"

#include <set>

namespace memreflens::graph {

static constexpr Theme light{
    .ground = "#ffffff",
    .node = "#ffffff",
    .title = "#eef1f4",
    .clusterLine = "#aab4bf",
    .clusterFill = "#f8f9fb",
    .line = "#5b6672",
    .text = "#1b2229",
    .dimText = "#5b6672",
    .accents = {
        /*plain=*/{"#5b6672", "#ffffff", "#1b2229"},
        /*live=*/{"#9aa5b1", "#f4f6f8", "#3c4650"},
        /*allocated=*/{"#009e73", "#e0f4ed", "#004d38"},
        /*owned=*/{"#0072b2", "#e1eff8", "#003f63"},
        /*ownedIf=*/{"#e69f00", "#fdf1d8", "#5c3f00"},
        /*borrowed=*/{"#9aa5b1", "#ffffff", "#4a545e"},
        /*unknown=*/{"#cc79a7", "#f9ecf3", "#6b2a4d"},
        /*candidate=*/{"#d55e00", "#ffffff", "#8a3d00"},
        /*freed=*/{"#d55e00", "#fbe6d8", "#6e3000"},
        /*retained=*/{"#56b4e9", "#e6f4fc", "#0b4a6e"},
        /*cloned=*/{"#b8a800", "#fcf9d2", "#4d4600"},
        /*indicator=*/{"#5b6672", "#eef1f4", "#1b2229"},
        /*rejected=*/{"#000000", "#2b2f36", "#ffffff"},
    },
    .buffers =
        {
            {"#1a6fb5", "#e3eff9", "#0c3f69"},
            {"#c47f00", "#fdf0d9", "#5e3d00"},
            {"#00957a", "#dff4ef", "#004c3e"},
            {"#8a5cc9", "#efe8fa", "#46267a"},
            {"#858f10", "#f3f6d6", "#434a00"},
            {"#c9619b", "#fae9f3", "#6c2450"},
            {"#2e95c8", "#e4f4fd", "#0b4a6b"},
            {"#9a6b4a", "#f4ebe4", "#4e301a"},
        },
    .reason = {"#c4122f", "#fdeaec", "#8a0a20"}};

static constexpr Theme dark{.ground = "#14181d",
                            .node = "#1c2229",
                            .title = "#29313a",
                            .clusterLine = "#4d5965",
                            .clusterFill = "#181d23",
                            .line = "#9aa7b4",
                            .text = "#e6ebf0",
                            .dimText = "#9aa7b4",
                            .accents = {
                                /*plain=*/{"#9aa7b4", "#1c2229", "#e6ebf0"},
                                /*live=*/{"#5d6b78", "#242c34", "#c4ced8"},
                                /*allocated=*/{"#1fc796", "#0d3529", "#b5f0dd"},
                                /*owned=*/{"#3fa9e6", "#0f2f45", "#c5e6fb"},
                                /*ownedIf=*/{"#e69f00", "#3d2d08", "#ffdf9c"},
                                /*borrowed=*/{"#6d7b88", "#1c2229", "#b9c4cf"},
                                /*unknown=*/{"#cc79a7", "#3a2130", "#f6cfe3"},
                                /*candidate=*/{"#e87722", "#1c2229", "#ffb98a"},
                                /*freed=*/{"#e87722", "#43230c", "#ffd3b3"},
                                /*retained=*/{"#56b4e9", "#12323f", "#cbeafc"},
                                /*cloned=*/{"#f0e442", "#37340c", "#f8f2a6"},
                                /*indicator=*/{"#9aa7b4", "#29313a", "#e6ebf0"},
                                /*rejected=*/{"#ffffff", "#e6ebf0", "#14181d"},
                            },
                            .buffers =
                                {
                                    {"#5db0ee", "#0f2d47", "#c8e5fb"},
                                    {"#f0a830", "#3d2b09", "#ffe0a3"},
                                    {"#2cc9a8", "#0c352c", "#b8f2e4"},
                                    {"#b593ee", "#2d2145", "#e3d5fb"},
                                    {"#c3cf4a", "#30340d", "#ecf2b3"},
                                    {"#ec90c4", "#3d1f31", "#fad3e8"},
                                    {"#7fd0f5", "#0e3446", "#cdeefc"},
                                    {"#cf9f7c", "#36261a", "#f2dcca"},
                                },
                            .reason = {"#ff6b7d", "#431820", "#ffd2d8"}};

const Theme &themeOf(ThemeName name) {
  return name == ThemeName::dark ? dark : light;
}

std::string_view signOf(Meaning meaning) {
  switch (meaning) {
  case Meaning::plain:
  case Meaning::live:
  case Meaning::indicator:
    return "";
  case Meaning::allocated:
    return "+";
  case Meaning::owned:
    return "●";
  case Meaning::ownedIf:
    return "◐";
  case Meaning::borrowed:
    return "○";
  case Meaning::unknown:
    return "?";
  case Meaning::candidate:
    return "−";
  case Meaning::freed:
    return "✕";
  case Meaning::retained:
    return "▸";
  case Meaning::cloned:
    return "⊕";
  case Meaning::rejected:
    return "!";
  }
  return "";
}

std::string_view wordOf(Meaning meaning) {
  switch (meaning) {
  case Meaning::plain:
    return "";
  case Meaning::live:
    return "live";
  case Meaning::allocated:
    return "allocated";
  case Meaning::owned:
    return "owned";
  case Meaning::ownedIf:
    return "owned if";
  case Meaning::borrowed:
    return "borrowed";
  case Meaning::unknown:
    return "unknown";
  case Meaning::candidate:
    return "dealloc list";
  case Meaning::freed:
    return "deallocated";
  case Meaning::retained:
    return "retained";
  case Meaning::cloned:
    return "cloned";
  case Meaning::indicator:
    return "ownership indicator";
  case Meaning::rejected:
    return "rejected";
  }
  return "";
}

std::vector<Meaning> meaningsIn(const Picture &picture) {
  std::set<Meaning> used;
  auto addChips = [&](const std::vector<Chip> &chips) {
    for (const Chip &chip : chips)
      used.insert(chip.meaning);
  };
  for (const Node &node : picture.nodes) {
    for (const auto *rows : {&node.top, &node.bottom})
      for (const Row &row : *rows)
        addChips(row.chips);
    for (const Line &line : node.lines)
      used.insert(line.accent);
  }
  for (const Edge &edge : picture.edges)
    addChips(edge.chips);
  used.erase(Meaning::plain);
  return {used.begin(), used.end()};
}

} // namespace memreflens::graph
