//===- viewer/window/StepperCommands.cpp - from decision to decision ------===//

#include "viewer/panels/Stepper.h"
#include "viewer/window/Commands.h"

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
      selectStage(state, program, stageBeside(program, state, direction));
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
  auto along = [](auto walk, int direction) -> Action {
    return [=](const Program &program, ViewState &state) {
      walk(state, program, direction);
    };
  };
  auto toEnd = [](bool isLast) -> Action {
    return [=](const Program &program, ViewState &state) {
      auto events = program.lookup.eventsOfFunction(state.place.function);
      if (!events.empty())
        selectEvent(state, program, isLast ? events.back() : events.front());
    };
  };
  auto speed = [](double factor) -> Action {
    return
        [=](const Program &, ViewState &state) { changeSpeed(state, factor); };
  };
  for (int way : {1, -1}) {
    int key = way > 0 ? Key::right : Key::left;
    std::string which = way > 0 ? "Next" : "Previous";
    commands.add({"Step",
                  which + " decision in this block",
                  {{.key = key, .ctrl = true}}},
                 along(stepBlock, way));
    commands.add({"Step",
                  which + " decision of this kind",
                  {{.key = key, .ctrl = true, .shift = true}}},
                 along(stepKind, way));
  }
  commands.add({"Step", "First decision", {{Key::home}}}, toEnd(false));
  commands.add({"Step", "Last decision", {{Key::end}}}, toEnd(true));
  commands.add({"Step", "Play faster", {{']'}}}, speed(0.5));
  commands.add({"Step", "Play slower", {{'['}}}, speed(2));
  commands.add({"Step", "Stage after", {{Key::down}}}, stageBy(1));
  commands.add({"Step", "Stage before", {{Key::up}}}, stageBy(-1));
  commands.add({"Step", "Play or pause", {{Key::space}}},
               [](const Program &, ViewState &state) {
                 state.isPlaying = !state.isPlaying;
               });
}

} // namespace memreflens::viewer
