//===- tests/viewer/CanvasTest.cpp - graph, steps and tables --------------===//

#include "tests/viewer/Fixture.h"

#include "viewer/canvas/Canvas.h"
#include "viewer/canvas/CanvasPainter.h"
#include "viewer/canvas/Fold.h"
#include "viewer/panels/Comparison.h"
#include "viewer/state/Facts.h"

#include "core/trace/Names.h"

#include <algorithm>
#include <chrono>

namespace memreflens::viewer {
namespace {

class Canvas : public Viewer {
protected:
  CanvasCache &cache() { return cacheOf<CanvasCache>(state()); }
  const Scene &scene() { return *tab().scenes.current(); }
  Id eventOf(auto isWanted) {
    for (const trace::Event &event : program().trace.events)
      if (isWanted(event))
        return event.id;
    return none;
  }
  template <class Detail> Id firstOf() {
    return eventOf([](const trace::Event &event) {
      return std::holds_alternative<Detail>(event.detail);
    });
  }
  Id valueNamed(const std::string &name) {
    for (const trace::Value &value : program().trace.values)
      if (value.name == name)
        return value.id;
    return none;
  }
  std::vector<const Word *> chips() {
    std::vector<const Word *> all;
    for (const Words &words : scene().nodes)
      for (const Word &word : words.words)
        if (word.kind == WordKind::chip)
          all.push_back(&word);
    return all;
  }
  /// Diamonds in a chain; one side of each makes a buffer of its own.
  static std::string chain(int links) {
    std::string type = ": memref<4xf32>", text = "func.func @chain(%c: i1, %b";
    text += type + ") {\n  cf.br ^a0(%b " + type + ")\n";
    for (int i = 0; i < links; ++i) {
      std::string n = std::to_string(i), next = std::to_string(i + 1);
      text += "^a" + n + "(%x" + n + type + "):\n  cf.cond_br %c, ^t" + n +
              ", ^e" + n + "\n^t" + n + ":\n  %m" + n + " = memref.alloc() " +
              type + "\n  memref.copy %x" + n + ", %m" + n + " " + type +
              " to memref<4xf32>\n  cf.br ^a" + next + "(%m" + n + " " + type +
              ")\n^e" + n + ":\n  cf.br ^a" + next + "(%x" + n + " " + type +
              ")\n";
    }
    return text + "^a" + std::to_string(links) + "(%x" + std::to_string(links) +
           type + "):\n  return\n}\n";
  }
};

TEST_F(Canvas, ownershipChipSaysWhatHoldsAtTheStep) {
  openSample("worked-example.mlir");
  frame();
  const Word *chosen = nullptr;
  for (const Word *chip : chips())
    if (chip->history.size() > 1)
      chosen = chip;
  ASSERT_TRUE(chosen) << "no ownership changes in the sample";
  EXPECT_NE(chosen->history.front().meaning, chosen->history.back().meaning);
  EXPECT_EQ(chosen->history.back().text, chosen->text);
  EXPECT_EQ(chosen->history.back().event, chosen->event);
  EXPECT_EQ(chosen->since, chosen->history.front().event);
  // Each of its moments is a decision about the value, with that outcome.
  for (const Moment &moment : chosen->history) {
    const trace::Event *event = program().lookup.event(moment.event);
    EXPECT_EQ(event->value, chosen->value);
    const auto &detail = std::get<trace::OwnershipEvent>(event->detail);
    EXPECT_EQ(detail.after.state == trace::OwnershipState::unknown,
              moment.meaning == graph::Meaning::unknown);
  }
}

TEST_F(Canvas, chipsComeWithTheirDecision) {
  openSample("diamond.mlir");
  frame();
  for (const Word *chip : chips())
    if (chip->event != none && chip->history.empty()) {
      EXPECT_EQ(chip->since, chip->event) << chip->text;
    }
  // Drawn is less before the first decision than behind the last one.
  state().reducesMotion = true;
  press({Key::home});
  frame();
  EXPECT_EQ(cache().moment, momentOf(state(), program()));
  int before = ImGui::GetDrawData()->TotalVtxCount;
  press({'M'});
  EXPECT_TRUE(state().showsOutcome);
  EXPECT_NE(ImGui::GetDrawData()->TotalVtxCount, before);
}

TEST_F(Canvas, momentOfAStageWithoutDecisionsIsTheOneBefore) {
  openSample("diamond.mlir");
  auto events = program().lookup.eventsOfFunction(state().place.function);
  for (int stage = 0; stage <= 8; ++stage) {
    selectStage(state(), program(), stage);
    Id moment = momentOf(state(), program());
    if (moment != none) {
      EXPECT_LE(program().trace.events[size_t(moment)].stage, stage);
    }
    for (Id id : events)
      if (program().trace.events[size_t(id)].stage < stage) {
        EXPECT_LE(id, moment);
      }
  }
}

TEST_F(Canvas, regionsFoldAndUnfold) {
  openSample("nested-regions.mlir");
  frame();
  size_t all = scene().picture.nodes.size();
  ASSERT_EQ(scene().picture.clusters.size(), 2u);
  std::string inner = scene().picture.clusters[1].key;
  graph::Picture folds = folded(scene().picture, {inner});
  EXPECT_EQ(folds.clusters.size(), 1u);
  auto at = std::ranges::find(folds.nodes, inner, &graph::Node::key);
  ASSERT_NE(at, folds.nodes.end());
  EXPECT_EQ(at->kind, graph::NodeKind::folded);
  EXPECT_EQ(at->note, "2 blocks");
  EXPECT_EQ(folds.nodes.size(), all - 1);
  for (const graph::Edge &edge : folds.edges) {
    ASSERT_LT(size_t(edge.from), folds.nodes.size());
    ASSERT_LT(size_t(edge.to), folds.nodes.size());
  }
  press({'Z'});
  frame();
  EXPECT_TRUE(scene().picture.clusters.empty());
  EXPECT_LT(scene().picture.nodes.size(), all);
  press({'Z'});
  frame();
  EXPECT_EQ(scene().picture.nodes.size(), all);
}

TEST_F(Canvas, focusKnowsWhatTouchesTheValue) {
  openSample("diamond.mlir");
  frame();
  const Word *chip = nullptr;
  for (const Word *one : chips())
    if (one->value != none)
      chip = one;
  ASSERT_TRUE(chip);
  selectValue(state(), program(), chip->value);
  frame();
  ASSERT_EQ(cache().nodes.size(), scene().picture.nodes.size());
  for (size_t i = 0; i < scene().nodes.size(); ++i) {
    bool names =
        std::ranges::any_of(scene().nodes[i].words, [&](const Word &word) {
          return word.value == chip->value;
        });
    if (names) {
      EXPECT_TRUE(cache().nodes[i]);
    }
  }
  press({'X'});
  EXPECT_TRUE(state().focuses);
}

TEST_F(Canvas, clickOnAnEdgeOrTitleSelectsIt) {
  openSample("diamond.mlir");
  frame();
  frame();
  bool hasEdge = false, hasBlock = false;
  for (float y = 140; y < 470; y += 6)
    for (float x = 320; x < 950; x += 24) {
      click(x, y);
      hasEdge |= !state().place.edge.empty();
      hasBlock |= state().place.block != none;
      if (hasEdge && hasBlock)
        return;
    }
  EXPECT_TRUE(hasEdge);
  EXPECT_TRUE(hasBlock);
}

TEST_F(Canvas, wheelZoomsToTheMouse) {
  openSample("diamond.mlir");
  frame();
  ImGuiIO &io = ImGui::GetIO();
  io.MousePos = {640, 300};
  frame();
  float zoom = state().zoom, x = state().panX;
  io.MouseWheel = 2;
  frame();
  io.MouseWheel = 0;
  EXPECT_GT(state().zoom, zoom * 1.2f);
  EXPECT_NE(state().panX, x);
  state().wantsFit = true;
  frame();
  EXPECT_NEAR(state().zoom, zoom, 0.01f);
  press({'F'});
  EXPECT_LE(state().zoom, zoom);
}

TEST_F(Canvas, stepsAlongBlockAndKind) {
  openSample("diamond.mlir");
  frame();
  selectEvent(state(), program(), firstOf<trace::OwnershipEvent>());
  Id start = state().place.event;
  Id block = program().trace.events[size_t(start)].block;
  press({.key = Key::right, .ctrl = true});
  EXPECT_GT(state().place.event, start);
  EXPECT_EQ(program().trace.events[size_t(state().place.event)].block, block);
  press({.key = Key::right, .ctrl = true, .shift = true});
  selectEvent(state(), program(), start);
  press({.key = Key::right, .ctrl = true, .shift = true});
  EXPECT_GT(state().place.event, start);
  EXPECT_TRUE(std::holds_alternative<trace::OwnershipEvent>(
      program().trace.events[size_t(state().place.event)].detail));
  auto events = program().lookup.eventsOfFunction(state().place.function);
  press({Key::end});
  EXPECT_EQ(state().place.event, events.back());
  press({Key::home});
  EXPECT_EQ(state().place.event, events.front());
  double pace = state().secondsPerStep;
  press({']'});
  EXPECT_LT(state().secondsPerStep, pace);
}

TEST_F(Canvas, playTakesSteps) {
  openSample("diamond.mlir");
  frame();
  Id before = state().place.event;
  press({Key::space});
  for (int i = 0; i < 60; ++i)
    frame();
  EXPECT_GT(state().place.event, before);
  press({Key::space});
  EXPECT_FALSE(state().isPlaying);
}

//===--- Comparison -------------------------------------------------------===//

TEST_F(Canvas, comparedLinesAreThoseOfTheStages) {
  for (std::string name :
       {"diamond.mlir", "worked-example.mlir", "nested-regions.mlir"}) {
    openSample(name);
    for (int after = 1; after <= 8; ++after) {
      Comparison made = compare(
          program(), {program().serial, state().place.function, 0, after});
      ASSERT_TRUE(made.isLeftThere && made.isRightThere);
      int left = 0, right = 0;
      for (const ComparedRow &row : made.rows) {
        if (row.left >= 0) {
          EXPECT_EQ(row.left, left++);
        }
        if (row.right >= 0) {
          EXPECT_EQ(row.right, right++);
        }
        if (!row.isChanged) {
          EXPECT_EQ(made.left[size_t(row.left)], made.right[size_t(row.right)]);
        }
        if (row.isChanged && row.left >= 0 && row.right >= 0) {
          std::string_view a = made.left[size_t(row.left)];
          std::string_view b = made.right[size_t(row.right)];
          ASSERT_LE(row.leftSpan.begin, row.leftSpan.end);
          ASSERT_LE(row.rightSpan.begin, row.rightSpan.end);
          EXPECT_EQ(a.substr(0, row.leftSpan.begin),
                    b.substr(0, row.rightSpan.begin));
          EXPECT_EQ(a.substr(row.leftSpan.end), b.substr(row.rightSpan.end));
        }
      }
      EXPECT_EQ(left, int(made.left.size()));
      EXPECT_EQ(right, int(made.right.size()));
    }
  }
}

TEST_F(Canvas, tokensCoverTheLine) {
  std::string line = "  %a, %b:2 = scf.if %c -> (memref<?x8xf32>) { "
                     "\"x.y\"(%d#1) {t = \"a\\\"b\"} : () -> i1 // ^bb1 @f";
  size_t at = 0;
  std::vector<std::string> values;
  for (const Token &token : tokensOf(line)) {
    EXPECT_EQ(token.begin, at);
    at = token.end;
    if (token.kind == TokenKind::value)
      values.push_back(line.substr(token.begin, token.end - token.begin));
  }
  EXPECT_EQ(at, line.size());
  EXPECT_EQ(values, (std::vector<std::string>{"%a", "%b", "%c", "%d#1"}));
  EXPECT_TRUE(tokensOf("").empty());
  EXPECT_EQ(tokensOf("\"open").back().end, 5u);
}

TEST_F(Canvas, clickInTheComparisonSelectsTheValue) {
  openSample("diamond.mlir");
  selectStage(state(), program(), 3);
  tab().wantedPanel = loweringPanel;
  frame();
  frame();
  for (float y = 530; y < 690 && state().place.value == none; y += 9)
    for (float x = 330; x < 940 && state().place.value == none; x += 16)
      click(x, y);
  EXPECT_NE(state().place.value, none);
}

//===--- Tables -----------------------------------------------------------===//

TEST_F(Canvas, factsAreThoseOfTheTrace) {
  openSample("diamond.mlir");
  Id function = state().place.function;
  Id last = Id(program().trace.events.size());
  size_t lists = 0, sets = 0, signatures = 0;
  for (const trace::Event &event : program().trace.events) {
    if (const auto *d = std::get_if<trace::DeallocEvent>(&event.detail))
      lists += d->memrefs.size() + d->retained.size();
    if (const auto *l = std::get_if<trace::LivenessEvent>(&event.detail))
      sets += l->liveIn.size() + l->liveOut.size();
    signatures += std::holds_alternative<trace::SignatureEvent>(event.detail);
  }
  auto count = [&](FactKind kind, Id moment) {
    FactTable table = factsOf(program(), function, kind, moment);
    for (const Fact &fact : table.rows)
      EXPECT_EQ(fact.cells.size(), table.columns.size()) << nameOf(kind);
    return table.rows.size();
  };
  EXPECT_GT(lists, 0u);
  EXPECT_EQ(count(FactKind::deallocs, last), lists);
  EXPECT_EQ(count(FactKind::liveness, last), sets);
  EXPECT_EQ(count(FactKind::signatures, last), signatures);
  // Before the first dealloc there is none to show.
  EXPECT_EQ(count(FactKind::deallocs, firstOf<trace::DeallocEvent>() - 1), 0u);
}

TEST_F(Canvas, rejectionsAndCostsAreFindings) {
  openSample("reject-unknown-effects.mlir");
  auto findings = [&] {
    return factsOf(program(), state().place.function, FactKind::findings, 0);
  };
  ASSERT_FALSE(findings().rows.empty());
  EXPECT_TRUE(std::ranges::any_of(findings().rows, [](const Fact &fact) {
    return fact.cells[0] == "rejected" && !fact.cells[3].empty();
  }));
  openSample("helper-call.mlir");
  EXPECT_TRUE(std::ranges::any_of(findings().rows, [](const Fact &fact) {
    return fact.cells[0] == "helper call";
  }));
}

TEST_F(Canvas, pairsTellWhatWasAskedAndWhatWasNot) {
  openSample("conditional-clone.mlir");
  Id function = state().place.function;
  const trace::AliasFact *asked = nullptr;
  for (const trace::Event &event : program().trace.events)
    if (const auto *rewrite = std::get_if<trace::RewriteEvent>(&event.detail))
      for (const trace::AliasFact &fact : rewrite->facts)
        if (fact.first != fact.second)
          asked = &fact;
  ASSERT_TRUE(asked);
  size_t memrefs = program().lookup.memrefsOf(function).size();
  for (Id value : {asked->first, asked->second}) {
    FactTable table = factsOf(program(), function, FactKind::pairs, 0, value);
    EXPECT_GE(table.rows.size() + 1, memrefs);
    size_t answers = 0;
    for (const Fact &fact : table.rows) {
      EXPECT_EQ(fact.cells.size(), table.columns.size());
      bool isAsked = fact.event != none;
      answers += isAsked;
      EXPECT_EQ(fact.cells[2] == "not asked", !isAsked);
      bool isThatPair =
          fact.value == asked->first || fact.value == asked->second;
      if (isThatPair) {
        EXPECT_EQ(fact.cells[2], trace::nameOf(asked->answer));
      }
    }
    EXPECT_GT(answers, 0u);
  }
  EXPECT_TRUE(factsOf(program(), function, FactKind::pairs, 0).rows.empty());
}

TEST_F(Canvas, matrixOfManyBlocksMovesOverThemAll) {
  openFile(write("chain.mlir", chain(60)));
  ASSERT_TRUE(tab().program) << tab().error;
  tab().wantedPanel = ownershipPanel;
  // Each block's decision brings its column; no more than Dear ImGui allows.
  for (Id event : program().lookup.eventsOfFunction(state().place.function))
    if (event % 25 == 0) {
      selectEvent(state(), program(), event);
      EXPECT_GT(frame(), 200);
    }
}

TEST_F(Canvas, graphTooLargeForTheWindowShowsItsBegin) {
  openSample("diamond.mlir");
  Scene scene;
  scene.serial = 1000000;
  for (graph::Box box :
       {graph::Box{0, 0, 200, 100}, graph::Box{9000, 90000, 9200, 90100}}) {
    graph::Node node;
    node.title = "node";
    scene.picture.nodes.push_back(node);
    scene.nodes.push_back({{200, 100}, {}});
    scene.layout.nodes.push_back(box);
  }
  scene.layout.size = {9200, 90100};
  ViewState view;
  ImGui::NewFrame();
  ImGui::SetNextWindowSize({600, 400});
  ImGui::Begin("graph");
  drawCanvas(program(), scene, view);
  ImGui::End();
  ImGui::Render();
  EXPECT_EQ(cacheOf<CanvasCache>(view).drawnNodes, 1);
  EXPECT_GT(view.zoom, 0.5f);
}

TEST_F(Canvas, filterWantsEveryWord) {
  Fact fact;
  fact.cells = {"%a", "in ^bb1", "not owned"};
  EXPECT_TRUE(matches(fact, ""));
  EXPECT_TRUE(matches(fact, "bb1 %a"));
  EXPECT_FALSE(matches(fact, "bb1 %b"));
  FactTable table{{"x", "y", "z"}, {fact}};
  EXPECT_EQ(tabbed(table, {0}), "x\ty\tz\n%a\tin ^bb1\tnot owned\n");
}

TEST_F(Canvas, everyTableOfEverySampleIsDrawn) {
  for (std::string name : {"diamond.mlir", "nested-regions.mlir",
                           "reject-loop.mlir", "helper-call.mlir"}) {
    openSample(name);
    for (int kind = 0; kind < factKindCount; ++kind) {
      state().wantedFacts = kind;
      frame();
      EXPECT_GT(frame(), 200);
    }
  }
}

//===--- Time -------------------------------------------------------------===//

TEST_F(Canvas, framesOfAThousandBlocksAreCheap) {
  openFile(write("chain.mlir", chain(340)));
  ASSERT_TRUE(tab().program) << tab().error;
  for (int i = 0; i < 5; ++i)
    frame();
  EXPECT_GT(scene().picture.nodes.size(), 1000u);
  auto measure = [&](const char *what) {
    std::vector<double> times;
    for (int i = 0; i < 300; ++i) {
      if (i % 4 == 0)
        step(state(), program(), 1);
      state().panY += i / 50 % 2 ? 5 : -5;
      auto begin = std::chrono::steady_clock::now();
      frame();
      times.push_back(std::chrono::duration<double, std::milli>(
                          std::chrono::steady_clock::now() - begin)
                          .count());
    }
    std::ranges::sort(times);
    std::printf("%s: p50 %.2f ms, p99 %.2f ms, %d nodes and %d edges drawn\n",
                what, times[150], times[296], cache().drawnNodes,
                cache().drawnEdges);
    return times[150];
  };
  EXPECT_GT(program().trace.events.size(), 5000u);
  press({'F'});
  // Medians, since other programs run beside the test.
  EXPECT_LT(measure("whole graph"), 16.6);
  int whole = cache().drawnNodes;
  state().zoom = 0.6f;
  state().panX = state().panY = 0;
  EXPECT_LT(measure("close"), 16.6);
  // Only what is in sight is drawn.
  EXPECT_LT(cache().drawnNodes, whole / 4);
}

TEST_F(Canvas, stagesOfALongFunctionStandSideBySide) {
  std::string type = " : memref<8xf32>", body;
  constexpr int lines = 17000, buffers = 100;
  for (int i = 0; i < lines; ++i) {
    std::string name = "%b" + std::to_string(i % buffers);
    body += i < buffers
                ? "  " + name + " = memref.alloc()" + type + "\n"
                : "  memref.copy %a, " + name + type + " to memref<8xf32>\n";
  }
  openFile(write("long.mlir", "func.func @long(%a: memref<8xf32>) {\n" + body +
                                  "  return\n}\n"));
  ASSERT_TRUE(tab().program) << tab().error;
  selectStage(state(), program(), 6);
  tab().wantedPanel = loweringPanel;
  frame();
  ComparisonKey key{program().serial, state().place.function, 5, 6};
  Comparison comparison = compare(program(), key);
  EXPECT_GT(comparison.rows.size(), size_t(lines));
  EXPECT_FALSE(comparison.changes.empty());
  std::vector<double> times;
  for (int i = 0; i < 60; ++i) {
    if (i % 3 == 0)
      step(state(), program(), 1);
    auto begin = std::chrono::steady_clock::now();
    EXPECT_GT(frame(), 200);
    times.push_back(std::chrono::duration<double, std::milli>(
                        std::chrono::steady_clock::now() - begin)
                        .count());
  }
  std::ranges::sort(times);
  std::printf("two stages of %d lines: p50 %.2f ms\n", lines, times[30]);
  EXPECT_LT(times[30], 16.6);
}

/// Layouts and comparisons in their threads, sentences in the window's: what
/// they share is looked at by helgrind, or a build with a thread sanitizer.
TEST_F(Canvas, threadsShareAProgramInPeace) {
  workspace.waits = false;
  for (std::string name :
       {"call-private.mlir", "conditional-clone.mlir", "diamond.mlir"}) {
    openSample(name);
    tab().wantedPanel = loweringPanel;
    int turn = 0;
    for (const trace::Function &function : program().trace.functions)
      for (Id event : program().lookup.eventsOfFunction(function.id)) {
        selectEvent(state(), program(), event);
        selectValue(state(), program(), program().trace.events[event].value);
        state().showsStageGraph = turn++ % 2;
        frame();
      }
    EXPECT_GT(turn, 20);
  }
}

TEST_F(Canvas, manyBlocksAreDrawnAlsoByOldOpenGl) {
  openFile(write("chain.mlir", chain(900)));
  ASSERT_TRUE(tab().program) << tab().error;
  state().showsOutcome = true;
  for (float zoom : {0.f, 0.02f, 0.11f, 0.35f}) {
    frame();
    press({'F'});
    if (zoom > 0) {
      state().zoom = zoom;
      state().panX = 320 - float(scene().layout.nodes[0].center().x) * zoom;
      state().panY = 0;
    }
    EXPECT_GT(frame(), 200);
    EXPECT_GT(cache().drawnNodes, 3);
  }
}

} // namespace
} // namespace memreflens::viewer
