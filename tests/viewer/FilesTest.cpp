//===- tests/viewer/FilesTest.cpp - opens, reloads, rejects files ---------===//

#include "tests/viewer/Fixture.h"

#include "viewer/window/Options.h"
#include "viewer/work/Salvage.h"

#include "core/trace/Json.h"

#include <sstream>
#include <thread>

namespace memreflens::viewer {
namespace {

constexpr char twoFunctions[] = R"(
func.func @first(%a: memref<4xf32>) {
  %x = memref.alloc() : memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  return
}
func.func @second(%a: memref<4xf32>) {
  %y = memref.alloc() : memref<4xf32>
  %z = memref.alloc() : memref<4xf32>
  memref.copy %y, %z : memref<4xf32> to memref<4xf32>
  return
}
)";

/// Frames until the watch has noticed a change and it was read.
class Files : public Viewer {
protected:
  void letRest() {
    for (int i = 0; i < 60; ++i)
      frame();
    waitForLoads(workspace);
    frame();
  }
  void select(const std::string &function, const std::string &value) {
    for (const auto &candidate : program().trace.functions)
      if (candidate.name == function)
        selectFunction(state(), program(), candidate.id);
    for (const auto &candidate : program().trace.values)
      if (candidate.name == value)
        selectValue(state(), program(), candidate.id);
  }
};

TEST_F(Files, changedFileIsReadAgainAndKeepsSelection) {
  std::string path = write("program.mlir", twoFunctions);
  openFile(path);
  frame();
  select("second", "z");
  step(state(), program(), 1);
  std::string event = anchorOf(program(), state().place).event;
  size_t before = program().trace.values.size();
  ASSERT_EQ(nameOfSelected(), "%z");
  // A function more before it: all ids change.
  write("program.mlir",
        "func.func @zeroth() {\n  %q = memref.alloc() : memref<9xf32>\n"
        "  return\n}\n" +
            std::string(twoFunctions));
  letRest();
  EXPECT_GT(program().trace.values.size(), before);
  EXPECT_EQ(nameOfFunction(), "second");
  EXPECT_EQ(nameOfSelected(), "%z");
  EXPECT_EQ(anchorOf(program(), state().place).event, event);
  EXPECT_FALSE(state().back.empty());
}

TEST_F(Files, selectionOutlivesTextThatDoesNotParse) {
  std::string path = write("program.mlir", twoFunctions);
  openFile(path);
  select("second", "z");
  write("program.mlir", "func.func @second( {");
  letRest();
  EXPECT_FALSE(tab().error.empty());
  EXPECT_EQ(program().trace.problems.size(), 1u);
  EXPECT_EQ(program().trace.source.text, "func.func @second( {");
  write("program.mlir", std::string(twoFunctions) + "\n");
  letRest();
  EXPECT_TRUE(tab().error.empty()) << tab().error;
  EXPECT_EQ(nameOfFunction(), "second");
  EXPECT_EQ(nameOfSelected(), "%z");
}

TEST_F(Files, vanishedFileStaysOnTheScreen) {
  std::string path = write("program.mlir", twoFunctions);
  openFile(path);
  std::filesystem::remove(path);
  letRest();
  EXPECT_NE(workspace.notice.find("is gone"), std::string::npos);
  EXPECT_EQ(program().trace.functions.size(), 2u);
  write("program.mlir", twoFunctions);
  letRest();
  EXPECT_NE(workspace.notice.find("read again"), std::string::npos);
}

TEST_F(Files, eachFileHasOneTab) {
  openSample("diamond.mlir");
  openSample("loop-fresh.mlir");
  EXPECT_EQ(workspace.tabs.size(), 2u);
  openSample("diamond.mlir");
  EXPECT_EQ(workspace.tabs.size(), 2u);
  EXPECT_EQ(workspace.active, 0u);
  frame();
  press({.key = Key::tab, .ctrl = true});
  EXPECT_EQ(workspace.active, 1u);
  frame();
  EXPECT_EQ(workspace.active, 1u);
  press({.key = 'W', .ctrl = true});
  EXPECT_EQ(workspace.tabs.size(), 1u);
  EXPECT_NE(tab().request.path.find("diamond"), std::string::npos);
}

TEST_F(Files, startsWhereAsked) {
  openFile(sample("loop-swapped.mlir"), {}, {"", 0, 5});
  EXPECT_EQ(state().place.stage, 5);
  std::string path = write("two.mlir", twoFunctions);
  openFile(path, {}, {"second"});
  EXPECT_EQ(nameOfFunction(), "second");
  closeTab(workspace, workspace.active);
  openFile(path, {}, {"", 9});
  EXPECT_EQ(nameOfFunction(), "second");
  closeTab(workspace, workspace.active);
  openFile(path, {}, {"", 0, -1, 12});
  EXPECT_EQ(state().place.event, 12);
}

TEST_F(Files, optionsReachTheAnalysis) {
  trace::RunOptions options;
  options.bufferize = true;
  openFile(sample("tensor-level.mlir"), options);
  EXPECT_TRUE(tab().error.empty()) << tab().error;
  EXPECT_TRUE(program().trace.options.bufferize);
}

TEST_F(Files, pluginsGoToTheChildAndToASecondRun) {
  const char *words[] = {"viewer", "--load-dialect-plugin=./libA.so",
                         "--load-dialect-plugin", "./libB.so",
                         "--load-pass-plugin=./libC.so"};
  Options options = optionsOf(5, const_cast<char **>(words));
  EXPECT_EQ(options.problem, "");
  EXPECT_TRUE(options.files.empty());
  WhatIf whatIf;
  for (const trace::RunOptions &run :
       {options.run, whatIf.options(options.run)}) {
    std::vector<std::string> given = argumentsOf({"x.mlir", run});
    ASSERT_EQ(given.size(), 4u);
    EXPECT_EQ(given[0], "--load-dialect-plugin=./libA.so");
    EXPECT_EQ(given[1], "--load-dialect-plugin=./libB.so");
    EXPECT_EQ(given[2], "--load-pass-plugin=./libC.so");
  }
  words[1] = "--load-dialect-plugin=";
  EXPECT_NE(optionsOf(2, const_cast<char **>(words)).problem, "");
}

TEST_F(Files, aPluginThatCannotBeLoadedIsToldOf) {
  trace::RunOptions options;
  options.dialectPlugins = {"/nowhere/libMine.so"};
  openFile(sample("diamond.mlir"), options);
  EXPECT_NE(tab().error.find("cannot load dialect plugin "
                             "'/nowhere/libMine.so': no such file"),
            std::string::npos)
      << tab().error;
}

TEST_F(Files, aSavedTraceLoadsNoPlugin) {
  trace::Trace saved;
  saved.options.dialectPlugins = {"/nowhere/libMine.so"};
  std::ostringstream out;
  trace::writeJson(saved, out);
  openFile(write("named.trace.json", out.str()));
  ASSERT_TRUE(tab().program) << tab().error;
  EXPECT_TRUE(tab().request.options.dialectPlugins.empty());
  EXPECT_TRUE(
      tab().whatIf.options(tab().request.options).dialectPlugins.empty());
}

TEST_F(Files, brokenTracesAreToldOf) {
  for (const char *text : {"", "{", "[]", "null", "\0", "\"", "{\"source\":{}}",
                           "{\"schemaVersion\":1,"}) {
    openFile(write("broken.trace.json", text));
    EXPECT_FALSE(tab().program) << text;
    EXPECT_FALSE(tab().error.empty()) << text;
    EXPECT_GT(frame(), 0);
    closeTab(workspace, 0);
  }
  openFile(write("newer.trace.json", "{\"schemaVersion\": 999}"));
  EXPECT_NE(tab().error.find("999"), std::string::npos) << tab().error;
  openFile("/nowhere/at/all.mlir");
  EXPECT_EQ(tab().error, "cannot read /nowhere/at/all.mlir");
}

TEST_F(Files, whatIsWholeOfACutTraceIsShown) {
  openSample("diamond.mlir");
  std::ostringstream out;
  trace::writeJson(program().trace, out);
  std::string whole = out.str();
  size_t events = program().trace.events.size();
  bool wasSource = false, wasMore = false;
  for (size_t cut = 0; cut + 2 < whole.size(); cut += 97) {
    LoadResult result =
        readTrace(write("cut.trace.json", whole.substr(0, cut)), "cut");
    EXPECT_FALSE(result.error.empty()) << cut;
    if (!result.program)
      continue;
    EXPECT_FALSE(result.program->trace.problems.empty());
    wasSource |= result.program->trace.functions.empty();
    wasMore |= !result.program->trace.events.empty();
    EXPECT_LE(result.program->trace.events.size(), events);
  }
  EXPECT_TRUE(wasSource);
  EXPECT_TRUE(wasMore);
}

TEST_F(Files, cutTraceIsDrawnWithItsProblem) {
  openSample("worked-example.mlir");
  std::ostringstream out;
  trace::writeJson(program().trace, out);
  std::string whole = out.str();
  openFile(write("cut.trace.json", whole.substr(0, whole.size() * 9 / 10)));
  ASSERT_TRUE(tab().program) << tab().error;
  EXPECT_FALSE(tab().error.empty());
  EXPECT_GT(frame(), 200);
}

/// Ids out of range, wild numbers: the reader rejects them, or they do no harm.
TEST_F(Files, hostileTracesDoNoHarm) {
  openSample("conditional-clone.mlir");
  std::ostringstream out;
  trace::writeJson(program().trace, out);
  std::string whole = out.str();
  closeTab(workspace, 0);
  unsigned seed = 7;
  auto next = [&] { return seed = seed * 1664525u + 1013904223u; };
  int shown = 0;
  for (int i = 0; i < 60; ++i) {
    std::string text = whole;
    for (int change = 0; change < 3; ++change) {
      size_t at = text.find_first_of("0123456789", next() % text.size());
      if (at != text.npos)
        text.replace(at, 1, std::to_string(next() % (i % 2 ? 40u : 4000000u)));
    }
    openFile(write("hostile.trace.json", text));
    EXPECT_TRUE(tab().program || !tab().error.empty());
    for (int turn = 0; turn < 3; ++turn)
      frame();
    if (tab().program) {
      ++shown;
      press({Key::right});
      press({'G'});
    }
    closeTab(workspace, 0);
  }
  EXPECT_GT(shown, 0);
}

TEST_F(Files, messagesOfMlirBecomeProblemsAtTheirPlaces) {
  trace::Trace trace = traceOfErrors(
      {"a.mlir", "ab\ncdef\n"},
      "/x:1:y/a.mlir:2:3: error: something is wrong\n  cdef\n    ^\n"
      "/x/a.mlir:1:1: note: see here\n");
  ASSERT_EQ(trace.problems.size(), 2u);
  EXPECT_EQ(trace.problems[0].message, "something is wrong");
  EXPECT_EQ(trace.problems[0].range.begin, 5u);
  EXPECT_EQ(trace.problems[1].severity, trace::Severity::note);
  // Places past the end, and no place at all.
  EXPECT_EQ(traceOfErrors({"a", "x"}, "a:900:900: error: far").problems.size(),
            1u);
  EXPECT_EQ(traceOfErrors({"a", ""}, "killed").problems[0].message, "killed");
}

TEST_F(Files, loadCanBeCancelled) {
  Progress progress;
  progress.cancelled = true;
  LoadResult result =
      load({sample("transformer.mlir"), {}}, workspace.tool, progress);
  EXPECT_FALSE(result.program);
  EXPECT_EQ(result.error, "cancelled");
}

TEST_F(Files, loadTellsItsStage) {
  Progress progress;
  bool seen = false;
  progress.told = [&](const std::string &stage) {
    seen |= stage.starts_with("[");
  };
  std::string text;
  for (int i = 0; i < 200; ++i) {
    std::string n = std::to_string(i);
    text += "func.func @f" + n +
            "(%a: memref<4xf32>) {\n  %x = memref.alloc() "
            ": memref<4xf32>\n  memref.copy %a, %x : memref<4xf32> to "
            "memref<4xf32>\n  return\n}\n";
  }
  LoadResult result =
      load({write("many.mlir", text), {}}, workspace.tool, progress);
  EXPECT_TRUE(result.program) << result.error;
  EXPECT_TRUE(seen);
}

TEST_F(Files, largeProgramComesInParts) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    std::string n = std::to_string(i);
    text += "func.func @f" + n +
            "(%a: memref<4xf32>) {\n  %x = memref.alloc() "
            ": memref<4xf32>\n  memref.copy %a, %x : memref<4xf32> to "
            "memref<4xf32>\n  return\n}\n";
  }
  EXPECT_EQ(functionToBeginWith(text, 0), "f0");
  EXPECT_EQ(functionToBeginWith(text, 7), "f1");
  EXPECT_EQ(functionToBeginWith("func.func @f() {", 0), "");
  workspace.waits = false;
  StartPlace start;
  start.function = "f7";
  open(workspace, {write("large.mlir", text), {}}, start);
  bool wasText = false, wasOne = false;
  while (tab().loader) {
    frame();
    if (!tab().isEarly)
      continue;
    wasText |= program().trace.functions.empty();
    wasOne |= nameOfFunction() == "f7";
  }
  EXPECT_TRUE(wasText);
  EXPECT_TRUE(wasOne);
  EXPECT_EQ(program().trace.functions.size(), 3000u);
  EXPECT_GT(program().trace.events.size(), 9000u);
  EXPECT_EQ(nameOfFunction(), "f7");
  EXPECT_TRUE(tab().error.empty());
}

TEST_F(Files, opensAtAValueWhileItLoads) {
  workspace.waits = false;
  StartPlace start;
  start.value = "copy";
  start.panel = memoryPanel;
  open(workspace, {sample("diamond.mlir"), {}}, start);
  while (tab().loader)
    frame();
  EXPECT_EQ(program().lookup.name(tab().state.place.value), "%copy");
  frame();
  EXPECT_EQ(tab().shownPanel, memoryPanel);
}

TEST_F(Files, missingToolIsToldOf) {
  workspace.tool = "/nowhere/memref-lens";
  openFile(sample("diamond.mlir"));
  EXPECT_NE(tab().error.find("/nowhere/memref-lens"), std::string::npos)
      << tab().error;
  EXPECT_GT(frame(), 0);
}

} // namespace
} // namespace memreflens::viewer
