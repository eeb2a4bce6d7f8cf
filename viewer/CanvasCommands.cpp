//===- viewer/CanvasCommands.cpp - the graph from the keyboard ------------===//

#include "viewer/Canvas.h"
#include "viewer/Commands.h"

namespace memreflens::viewer {

void addCanvasCommands(Commands &commands) {
  auto zoom = [](float factor) -> Commands::OnProgram {
    return [=](const Program &, ViewState &state) {
      zoomBy(state, factor, 300, 200);
    };
  };
  commands.add({"Graph", "Zoom in", {{'='}, {.key = '=', .shift = true}}},
               zoom(1.2f));
  commands.add({"Graph", "Zoom out", {{'-'}}}, zoom(1 / 1.2f));
  commands.add(
      {"Graph", "Fit the graph", {{'F'}}},
      [](const Program &, ViewState &state) { state.wantsFit = true; });
  commands.add({"Graph", "Decisions, or the stage's IR", {{'G'}}},
               [](const Program &, ViewState &state) {
                 state.showsStageGraph = !state.showsStageGraph;
               });
}

} // namespace memreflens::viewer
