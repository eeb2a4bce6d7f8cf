//===- tests/viewer/TensorTest.cpp - tensors and their buffers ------------===//

#include "tests/viewer/Fixture.h"

#include "core/trace/Plan.h"
#include "viewer/canvas/CanvasPainter.h"
#include "viewer/state/Anchor.h"
#include "viewer/tensors/TensorView.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace memreflens::viewer {
namespace {

using graph::TensorPart;

/// A loop that reads what it overwrites, a slice, and a function without
/// tensors.
constexpr const char *text = R"(
func.func @f(%t: tensor<64xf32>, %x: f32, %n: index) -> (tensor<64xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<64xf32> {
    %v = tensor.extract %t[%i] : tensor<64xf32>
    %b = tensor.insert %v into %a[%i] : tensor<64xf32>
    scf.yield %b : tensor<64xf32>
  }
  %s = tensor.extract_slice %r[0] [8] [1] : tensor<64xf32> to tensor<8xf32>
  %w = tensor.insert %x into %s[%c0] : tensor<8xf32>
  %u = tensor.insert_slice %w into %r[0] [8] [1] : tensor<8xf32> into tensor<64xf32>
  %old = tensor.extract %t[%c0] : tensor<64xf32>
  return %u, %old : tensor<64xf32>, f32
}
func.func @g(%m: memref<4xf32>) {
  return
}
)";

class TensorPanel : public Viewer {
protected:
  TensorView &view() { return cacheOf<TensorView>(state()); }
  const TensorModel &model() { return *view().model; }

  void show(const std::string &program = text, bool bufferizes = true) {
    trace::RunOptions options;
    options.bufferize = bufferizes;
    openFile(write("t.mlir", program), options);
    ASSERT_TRUE(tab().program) << tab().error;
    // Room for all of the picture.
    ImGui::GetIO().DisplaySize = {2000, 1600};
    comeToIt();
  }
  void comeToIt() {
    press({.key = 'T', .ctrl = true});
    moveTo({5, 5});
    ASSERT_TRUE(view().model);
  }
  void moveTo(ImVec2 place) {
    ImGui::GetIO().MousePos = place;
    frame();
    frame();
  }
  Id valueNamed(const std::string &name, const char *type = "") {
    for (const trace::Value &value : program().trace.values)
      if (program().lookup.name(value.id) == name &&
          value.type.starts_with(type))
        return value.id;
    ADD_FAILURE() << "no value " << name;
    return none;
  }
  Id tensor(const std::string &name) { return valueNamed(name, "tensor<"); }
  /// The group of a tensor's chip; -1 for none.
  int chip(const std::string &name) {
    const Id value = tensor(name);
    for (size_t i = 0; i < model().light.groups.size(); ++i)
      if (model().group(int(i)).part == TensorPart::chip &&
          model().group(int(i)).value == value)
        return int(i);
    ADD_FAILURE() << "no chip of " << name;
    return -1;
  }
  ImVec2 middleOf(int group) {
    const graph::Point at = model().groupBoxes[size_t(group)].center();
    return view().onScreen(at.x, at.y);
  }
  void clickOn(int group) {
    const ImVec2 at = middleOf(group);
    click(at.x, at.y);
    frame();
  }
  TensorSelection selection() {
    return selectionOf(program(), state(), model());
  }
  std::string sourceOf(trace::Range range) {
    return program().trace.source.text.substr(range.begin,
                                              range.end - range.begin);
  }
  std::string nameOfChip(int group) {
    return group < 0 ? "" : program().lookup.name(model().group(group).value);
  }
};

TEST_F(TensorPanel, clickOnATensorSelectsItsMemrefAndItsPlace) {
  show();
  clickOn(chip("%b"));
  // The loop's buffer was allocated once, and %b is in it.
  const Id memref = state().place.value;
  EXPECT_TRUE(program().lookup.value(memref)->isMemref);
  EXPECT_EQ(memref, model().memrefOf(tensor("%b")));
  EXPECT_EQ(memref, model().memrefOf(tensor("%a")));
  EXPECT_EQ(sourceOf(state().place.mark), "%b");
  // The chip that was clicked, not another one in that buffer.
  EXPECT_EQ(nameOfChip(selection().chip), "%b");
  EXPECT_TRUE(selection().touches(model(), chip("%a")));
  EXPECT_FALSE(selection().touches(model(), chip("%t")));
  press({.key = Key::left, .alt = true});
  EXPECT_EQ(selection().chip, -1);
}

TEST_F(TensorPanel, memrefOfTheGraphSelectsTheTensorItWasMadeFor) {
  show();
  const Id memref = model().memrefOf(tensor("%b"));
  selectValue(state(), program(), memref);
  frame();
  ASSERT_GE(selection().chip, 0);
  const Id made = model().group(selection().chip).value;
  EXPECT_EQ(model().memrefOf(made), memref);
  EXPECT_TRUE(selection().touches(model(), chip("%b")));
  // An argument's memref stands for the argument.
  const Id argument = model().memrefOf(tensor("%t"));
  ASSERT_NE(argument, none);
  EXPECT_NE(argument, memref);
  selectValue(state(), program(), argument);
  EXPECT_EQ(nameOfChip(selection().chip), "%t");
}

TEST_F(TensorPanel, sourceSelectsTensorsAndOps) {
  show();
  const std::string &source = program().trace.source.text;
  selectOffset(state(), program(), uint32_t(source.find("%w = ")));
  frame();
  EXPECT_EQ(nameOfChip(selection().chip), "%w");
  selectOffset(state(), program(),
               uint32_t(source.find("tensor.insert_slice")));
  frame();
  ASSERT_GE(selection().row, 0);
  const Id op = model().group(selection().row).op;
  EXPECT_EQ(program().lookup.op(op)->name, "tensor.insert_slice");
  // And the other way round.
  selectValue(state(), program(), none);
  EXPECT_EQ(selection().row, -1);
  for (size_t i = 0; i < model().light.strokes.size(); ++i)
    if (model().light.strokes[i].words == "tensor.insert_slice") {
      const graph::Point at = model().strokeBoxes[i].center();
      const ImVec2 place = view().onScreen(at.x, at.y);
      click(place.x, place.y);
    }
  EXPECT_EQ(state().place.op, op);
  EXPECT_EQ(sourceOf(state().place.mark), "tensor.insert_slice");
}

TEST_F(TensorPanel, captionOfAnAllocationSelectsTheMemref) {
  show();
  int clicked = 0;
  for (size_t i = 0; i < model().light.groups.size(); ++i)
    if (model().group(int(i)).part == TensorPart::allocation) {
      clickOn(int(i));
      EXPECT_EQ(state().place.value, model().group(int(i)).value);
      EXPECT_TRUE(program().lookup.value(state().place.value)->isMemref);
      ++clicked;
    }
  EXPECT_GT(clicked, 0);
}

TEST_F(TensorPanel, whatIsUnderTheMouseIsWhatIsDrawnThere) {
  show();
  int chips = 0, uses = 0;
  for (size_t i = 0; i < model().light.groups.size(); ++i) {
    const graph::TensorGroup &group = model().group(int(i));
    if (group.part == TensorPart::chip) {
      moveTo(middleOf(int(i)));
      EXPECT_EQ(view().hovered, int(i));
      EXPECT_TRUE(model()
                      .tooltipOf(view().hovered)
                      .starts_with(program().lookup.name(group.value)));
      ++chips;
    }
    if (group.part == TensorPart::use &&
        group.link == graph::TensorLink::copy) {
      // Its line, wherever that is.
      for (size_t k = 0; k < model().light.strokes.size(); ++k)
        if (model().light.strokes[k].group == int(i) &&
            model().light.strokes[k].dash > 0) {
          const auto &steps = model().light.strokes[k].steps;
          moveTo(view().onScreen((steps[0].x + steps[1].x) / 2.,
                                 (steps[0].y + steps[1].y) / 2.));
          EXPECT_EQ(view().hovered, int(i));
          EXPECT_NE(model().tooltipOf(view().hovered).find("copied"),
                    std::string::npos);
          ++uses;
        }
    }
  }
  EXPECT_GE(chips, 7);
  EXPECT_GE(uses, 1);
  moveTo({5, 5});
  EXPECT_EQ(view().hovered, -1);
}

TEST_F(TensorPanel, wheelZoomsAtTheMouseAndADragMoves) {
  show();
  const ImVec2 middle = middleOf(chip("%s"));
  // The mouse stands on whole pixels.
  const ImVec2 place{std::floor(middle.x), std::floor(middle.y)};
  moveTo(place);
  const float before = view().zoom;
  for (int i = 0; i < 4; ++i) {
    ImGui::GetIO().MouseWheel = 1;
    frame();
  }
  EXPECT_GT(view().zoom, before * 1.5f);
  const float larger = view().zoom / before;
  EXPECT_NEAR(middleOf(chip("%s")).x, place.x + (middle.x - place.x) * larger,
              0.1);
  EXPECT_NEAR(middleOf(chip("%s")).y, place.y + (middle.y - place.y) * larger,
              0.1);
  const ImVec2 zoomed = middleOf(chip("%s"));
  ImGuiIO &io = ImGui::GetIO();
  const Place was = state().place;
  io.MouseDown[0] = true;
  frame();
  for (int i = 1; i <= 10; ++i) {
    io.MousePos = {place.x + float(i) * 5, place.y + float(i) * 3};
    frame();
  }
  io.MouseDown[0] = false;
  frame();
  // The first step is not yet a drag.
  EXPECT_NEAR(middleOf(chip("%s")).x, zoomed.x + 45, 0.1);
  EXPECT_NEAR(middleOf(chip("%s")).y, zoomed.y + 27, 0.1);
  // A drag selects nothing.
  EXPECT_TRUE(state().place == was);
  view().wantsFit = view().wantsWhole = true;
  moveTo({5, 5});
  for (const graph::Box &box : model().groupBoxes) {
    // The legend has a place of its own.
    if (box.top >= model().light.legendTop)
      continue;
    EXPECT_LE(view().onScreen(box.right, box.bottom).x,
              view().corner.x + view().size.x + 1);
    EXPECT_LE(view().onScreen(box.right, box.bottom).y,
              view().corner.y + view().size.y + 1);
  }
}

TEST_F(TensorPanel, whatIsSelectedElsewhereComesIntoSight) {
  // Far more rows than there is room for.
  std::string program = "func.func @f(%t0: tensor<64xf32>, %x: f32, %i: index) "
                        "-> tensor<64xf32> {\n";
  for (int i = 0; i < 100; ++i)
    program += "  %t" + std::to_string(i + 1) + " = tensor.insert %x into %t" +
               std::to_string(i) + "[%i] : tensor<64xf32>\n";
  show(program + "  return %t100 : tensor<64xf32>\n}\n");
  auto isInSight = [&](const std::string &name) {
    const ImVec2 at = middleOf(chip(name));
    return at.x > view().corner.x && at.y > view().corner.y &&
           at.x < view().corner.x + view().size.x &&
           at.y < view().corner.y + view().size.y;
  };
  EXPECT_FALSE(isInSight("%t90"));
  selectValue(state(), this->program(), tensor("%t90"));
  frame();
  EXPECT_TRUE(isInSight("%t90"));
  EXPECT_FALSE(isInSight("%t1"));
  // Who looks elsewhere then is left there.
  view().panY += 5000;
  frame();
  EXPECT_FALSE(isInSight("%t90"));
}

TEST_F(TensorPanel, saysWhyThereIsNoPicture) {
  show();
  for (const trace::Function &function : program().trace.functions)
    if (function.name == "g")
      selectFunction(state(), program(), function.id);
  frame();
  EXPECT_TRUE(view().isBufferized);
  EXPECT_TRUE(model().flow.empty());
  const int words = frame();
  selectFunction(state(), program(), 0);
  frame();
  EXPECT_FALSE(model().flow.empty());
  EXPECT_NE(frame(), words);
  // Back again, it is the same.
  press({.key = Key::left, .alt = true});
  frame();
  EXPECT_EQ(frame(), words);
}

TEST_F(TensorPanel, ofAProgramOfMemrefsThereIsNone) {
  openSample("diamond.mlir");
  comeToIt();
  EXPECT_FALSE(view().isBufferized);
  EXPECT_TRUE(model().flow.empty());
}

TEST_F(TensorPanel, equalStatesGiveEqualPicturesAndFocusFadesTheRest) {
  show();
  const int before = frame();
  EXPECT_EQ(frame(), before);
  EXPECT_EQ(model().light.strokes.size(), model().dark.strokes.size());
  for (size_t i = 0; i < model().light.strokes.size(); ++i) {
    EXPECT_EQ(model().light.strokes[i].x, model().dark.strokes[i].x);
    EXPECT_EQ(model().light.strokes[i].words, model().dark.strokes[i].words);
  }
  // One chip is framed, and so are those in its buffer.
  selectValue(state(), program(), model().memrefOf(tensor("%t")));
  EXPECT_GT(frame(), before);
}

TEST_F(TensorPanel, legendIsThereWhereItFitsAndWhereItIsWanted) {
  show();
  EXPECT_TRUE(view().hasLegend);
  ImGui::GetIO().DisplaySize = {1280, 500};
  frame();
  EXPECT_FALSE(view().hasLegend);
  view().legendWish = TensorView::Legend::shown;
  frame();
  EXPECT_TRUE(view().hasLegend);
  view().legendWish = TensorView::Legend::hidden;
  ImGui::GetIO().DisplaySize = {2000, 1600};
  frame();
  EXPECT_FALSE(view().hasLegend);
}

TEST_F(TensorPanel, aTensorChosenInTheSourceLightsItsMemref) {
  show();
  const Scene *scene = tab().scenes.current();
  ASSERT_TRUE(scene);
  const Id memref = model().memrefOf(tensor("%b"));
  const trace::Range at = program().lookup.rangeOfValue(tensor("%b"));
  selectOffset(state(), program(), at.begin);
  ASSERT_EQ(state().place.value, tensor("%b"));
  CanvasCache cache;
  cache.update(program(), *scene, state());
  EXPECT_EQ(cache.memref, memref);
  EXPECT_TRUE(std::ranges::count(cache.nodes, true) > 0);
  EXPECT_TRUE(std::ranges::any_of(scene->nodes, [&](const Words &words) {
    return std::ranges::any_of(words.words, [&](const Word &word) {
      return word.value == cache.memref;
    });
  }));
  // An argument has none, and neither has a memref.
  selectValue(state(), program(), tensor("%t"));
  cache.update(program(), *scene, state());
  EXPECT_EQ(cache.memref, none);
  selectValue(state(), program(), memref);
  cache.update(program(), *scene, state());
  EXPECT_EQ(cache.memref, none);
}

TEST_F(TensorPanel, comesBackToAFunctionWhileAnotherIsDrawn) {
  show();
  TensorView there;
  there.update(program(), 0, /*wait=*/true);
  ASSERT_TRUE(there.model);
  there.update(program(), 1, /*wait=*/false);
  for (int i = 0; i < 20000; ++i) {
    there.update(program(), 0, /*wait=*/false);
    if (there.model)
      break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(there.model);
  EXPECT_EQ(there.model->flow.function, Id(0));
}

TEST_F(TensorPanel, copiesOnTensorsAreAStageInFrontOfTheOthers) {
  show();
  const int copies = trace::tensorCopiesStage;
  ASSERT_TRUE(hasStage(program(), state().place.function, copies));
  const int placement = state().place.stage;
  for (int i = 0; i < placement; ++i)
    press({Key::up});
  EXPECT_EQ(state().place.stage, 0);
  press({Key::up});
  EXPECT_EQ(state().place.stage, copies);
  press({Key::up});
  EXPECT_EQ(state().place.stage, copies);
  EXPECT_NE(windowTitle(workspace).find("stage tensor-copies"),
            std::string::npos);
  // Its graph, and what bufferization makes of it beside it.
  state().showsStageGraph = true;
  tab().wantedPanel = loweringPanel;
  frame();
  frame();
  const Scene *scene = tab().scenes.current();
  ASSERT_TRUE(scene);
  bool hasCopy = false, hasMemref = false;
  for (const Words &words : scene->nodes)
    for (const Word &word : words.words) {
      hasCopy |=
          word.text.find("bufferization.alloc_tensor") != std::string::npos;
      hasMemref |= word.text.find("memref.alloc") != std::string::npos;
    }
  EXPECT_TRUE(hasCopy);
  EXPECT_FALSE(hasMemref);
  press({Key::down});
  EXPECT_EQ(state().place.stage, 0);
  // What is kept of a place is found again.
  selectStage(state(), program(), copies);
  const Place kept = placeOf(program(), anchorOf(program(), state().place));
  EXPECT_EQ(kept.stage, copies);
}

TEST_F(TensorPanel, aProgramOfMemrefsHasNoSuchStage) {
  openSample("diamond.mlir");
  EXPECT_FALSE(
      hasStage(program(), state().place.function, trace::tensorCopiesStage));
  selectStage(state(), program(), trace::tensorCopiesStage);
  EXPECT_EQ(state().place.stage, 0);
  press({Key::up});
  EXPECT_EQ(state().place.stage, 0);
}

/// The sample and its values, as the pictures of the docs show them.
TEST_F(TensorPanel, everyTensorOfTheSampleWithAMemrefLeadsThereAndBack) {
  trace::RunOptions options;
  options.bufferize = true;
  openFile(sample("tensors/smooth.mlir"), options);
  ImGui::GetIO().DisplaySize = {2000, 1600};
  comeToIt();
  int found = 0;
  for (size_t i = 0; i < model().light.groups.size(); ++i) {
    const graph::TensorGroup group = model().group(int(i));
    if (group.part != TensorPart::chip)
      continue;
    selectTensorGroup(program(), state(), model(), int(i));
    EXPECT_EQ(selection().chip, int(i)) << nameOfChip(int(i));
    const Id memref = model().memrefOf(group.value);
    if (memref == none)
      continue;
    EXPECT_EQ(state().place.value, memref);
    // Elsewhere it stands without the tensor's place.
    selectValue(state(), program(), memref);
    EXPECT_TRUE(selection().touches(model(), int(i))) << nameOfChip(int(i));
    ++found;
  }
  EXPECT_GE(found, 6);
}

} // namespace
} // namespace memreflens::viewer
