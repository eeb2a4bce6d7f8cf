//===- viewer/window/CanvasCommands.cpp - the graph from the keyboard -----===//

#include "viewer/canvas/Canvas.h"
#include "viewer/window/Workspace.h"

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
  commands.add({"Graph", "Fit the graph", {{'F'}}},
               [](const Program &, ViewState &state) {
                 state.wantsFit = state.wantsWhole = true;
               });
  commands.add({"Graph", "Decisions, or the stage's IR", {{'G'}}},
               [](const Program &, ViewState &state) {
                 state.showsStageGraph = !state.showsStageGraph;
               });
  commands.add({"Graph", "Focus on the selected value", {{'X'}}},
               [](const Program &, ViewState &state) {
                 state.focuses = !state.focuses;
               });
  commands.add({"Graph", "This moment, or the outcome", {{'M'}}},
               [](const Program &, ViewState &state) {
                 state.showsOutcome = !state.showsOutcome;
               });
  commands.add({"Graph", "Fold or unfold all regions", {{'Z'}}},
               Commands::OnWorkspace([](Workspace &workspace) {
                 if (!workspace.current())
                   return;
                 Tab &tab = *workspace.current();
                 const Scene *scene = tab.scenes.current();
                 if (!tab.state.folded.empty())
                   tab.state.folded.clear();
                 else if (scene)
                   for (const graph::Cluster &cluster : scene->picture.clusters)
                     tab.state.folded.insert(cluster.key);
               }));
  commands.add({"Graph", "Less motion", {}},
               [](const Program &, ViewState &state) {
                 state.reducesMotion = !state.reducesMotion;
               });
}

} // namespace memreflens::viewer
