//===- viewer/StepperCommands.cpp - from decision to decision -------------===//

#include "viewer/Commands.h"

namespace memreflens::viewer {

void addStepperCommands(Commands &commands) {
  using Action = Commands::OnProgram;
  auto stepBy = [](int direction) -> Action {
    return [=](const Program &program, ViewState &state) {
      step(state, program, direction);
    };
  };
  auto stepValueBy = [](int direction) -> Action {
    return [=](const Program &program, ViewState &state) {
      stepValue(state, program, direction);
    };
  };
  auto stageBy = [](int direction) -> Action {
    return [=](const Program &program, ViewState &state) {
      selectStage(state, program, state.place.stage + direction);
    };
  };
  commands.add({"Step", "Next decision", {{Key::right}}}, stepBy(1));
  commands.add({"Step", "Previous decision", {{Key::left}}}, stepBy(-1));
  commands.add({"Step",
                "Next decision about the selected value",
                {{.key = Key::right, .shift = true}}},
               stepValueBy(1));
  commands.add({"Step",
                "Previous decision about the selected value",
                {{.key = Key::left, .shift = true}}},
               stepValueBy(-1));
  commands.add({"Step", "Stage after", {{Key::down}}}, stageBy(1));
  commands.add({"Step", "Stage before", {{Key::up}}}, stageBy(-1));
  commands.add({"Step", "Play or pause", {{Key::space}}},
               [](const Program &, ViewState &state) {
                 state.isPlaying = !state.isPlaying;
               });
}

} // namespace memreflens::viewer
