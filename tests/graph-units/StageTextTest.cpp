//===- tests/graph-units/StageTextTest.cpp --------------------------------===//

#include "core/graph/StageText.h"

#include <gtest/gtest.h>

using namespace memreflens;
using namespace memreflens::graph;

static trace::Trace traceOf(std::string text,
                            std::vector<std::string> functions) {
  trace::Trace trace;
  trace::Chunk chunk;
  chunk.id = 0;
  trace::Stage stage;
  stage.text = std::move(text);
  chunk.stages.push_back(stage);
  trace.chunks.push_back(chunk);
  for (const std::string &name : functions) {
    trace::Function function;
    function.id = trace::Id(trace.functions.size());
    function.chunk = 0;
    function.name = name;
    function.opName = "func.func";
    trace.functions.push_back(function);
  }
  return trace;
}

TEST(StageText, findsBlocksArgumentsAndSuccessors) {
  trace::Trace trace = traceOf(R"(module {
  func.func @f(%a: i1) {
    cf.cond_br %a, ^bb1, ^bb2(%a : i1)
  ^bb1:  // pred: ^bb0
    return
  ^bb2(%b: i1):  // pred: ^bb0
    return
  }
}
)",
                               {"f"});
  StageFunction found = stageFunction(trace, 0, 0);
  ASSERT_TRUE(found.found);
  EXPECT_EQ(found.head, "func.func @f(%a: i1)");
  ASSERT_EQ(found.body.blocks.size(), 3u);
  EXPECT_EQ(found.body.blocks[0].successors,
            std::vector<std::string>({"^bb1", "^bb2"}));
  EXPECT_EQ(found.body.blocks[1].label, "^bb1");
  EXPECT_EQ(found.body.blocks[2].arguments, "%b: i1");
  EXPECT_EQ(found.lines.size(), 7u);
}

TEST(StageText, findsRegionsWithTheirWords) {
  trace::Trace trace = traceOf(R"(module {
  func.func private @g()
  func.func @f(%c: i1, %i: index) {
    scf.if %c {
      func.call @g() : () -> ()
    } else {
      scf.execute_region {
        cf.br ^bb1
      ^bb1:  // pred: ^bb0
        scf.yield
      }
    }
    scf.index_switch %i 
    case 2 {
      scf.yield
    }
    default {
    }
    return
  }
}
)",
                               {"g", "f"});
  StageFunction found = stageFunction(trace, 1, 0);
  ASSERT_TRUE(found.found);
  ASSERT_EQ(found.body.blocks.size(), 1u);
  const std::vector<StageItem> &items = found.body.blocks[0].items;
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[0].text, "scf.if %c");
  ASSERT_EQ(items[0].regions.size(), 2u);
  EXPECT_EQ(items[0].regions[1].word, "else");
  const StageItem &execute = items[0].regions[1].blocks[0].items[0];
  ASSERT_EQ(execute.regions.size(), 1u);
  EXPECT_EQ(execute.regions[0].blocks.size(), 2u);
  ASSERT_EQ(items[1].regions.size(), 2u);
  EXPECT_EQ(items[1].regions[0].word, "case 2");
  EXPECT_EQ(items[1].regions[1].word, "default");
  EXPECT_EQ(items[2].text, "return");
  StageFunction declaration = stageFunction(trace, 0, 0);
  EXPECT_TRUE(declaration.found);
  EXPECT_TRUE(declaration.body.blocks.empty());
}

TEST(StageText, takesNoBraceOrCaretFromAString) {
  trace::Trace trace = traceOf(R"(module {
  func.func @"a \22{ ^bb9"() {
    "x.y"() {text = "^bb7 {"} : () -> ()
    return
  }
}
)",
                               {"a \"{ ^bb9"});
  StageFunction found = stageFunction(trace, 0, 0);
  ASSERT_TRUE(found.found);
  ASSERT_EQ(found.body.blocks.size(), 1u);
  ASSERT_EQ(found.body.blocks[0].items.size(), 2u);
  EXPECT_TRUE(found.body.blocks[0].successors.empty());
}

TEST(StageText, tellsTwoFunctionsOfOneNameApart) {
  trace::Trace trace = traceOf(R"(module {
  module @a {
    func.func @f() {
      return
    }
  }
  module @b {
    func.func @f(%x: i1) {
      return
    }
  }
}
)",
                               {"f", "f"});
  EXPECT_EQ(stageFunction(trace, 0, 0).head, "func.func @f()");
  EXPECT_EQ(stageFunction(trace, 1, 0).head, "func.func @f(%x: i1)");
}
