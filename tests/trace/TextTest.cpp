//===- tests/trace/TextTest.cpp - a trace as short text -------------------===//

#include "core/trace/Text.h"
#include "core/trace/Validate.h"
#include "tests/support/EveryField.h"
#include "tests/support/Fixtures.h"

#include <gtest/gtest.h>

namespace memreflens::trace {
namespace {

TEST(Text, wholeExample) {
  test::BranchExample e;
  EXPECT_EQ(toText(e.trace()), R"(func.func @f (public): traced
  stage 3
    ^bb0
      live-in none; live-out %m (for scf.yield)
      own %m: uninitialized -> false by entryArgument
      own %a: uninitialized -> true by allocation
      candidate %a: allocation
      dealloc #0 (%a) if (%free_a) retain (%a) -> (%own_a), edge 0
      retain %a in dealloc #0: forwardedOperand 1 to ^bb1, edge 0
      own %a: uninitialized -> %own_a by retainedResult
      dealloc #1 (%a) if (%free_a_0) retain () -> (), edge 1
      i1 %own_a for %a: branchOperand 2 of cf.cond_br, edge 0
    ^bb1
      i1 %own_x for %x: blockArgument 1 of ^bb1
      own %x: uninitialized -> %own_x by blockArgument
      clone %x -> %owned_x unless %own_x, for functionReturn; because %x is %own_x by blockArgument
    ^bb2
      i1 %own_r for %r: regionOpResult 1 of scf.if
      own %r: uninitialized -> %own_r by regionResult
    ^bb0 in %r = scf.if
      own %m: uninitialized -> false by liveInAncestor
      no candidate %m: ancestorRegion, liveIn
      i1 false for %m: terminatorOperand 1 of scf.yield
  stage 6
    ^bb0
      lower dealloc #1: single, 1 deallocated, 0 retained; deallocates %base_a; now scf.if, memref.dealloc
)");
}

TEST(Text, rewrites) {
  Trace trace = test::BranchExample().trace();
  Event event;
  event.op = 1;
  auto checkLine = [&](const RewriteEvent &rewrite, const char *line) {
    event.detail = rewrite;
    EXPECT_EQ(toText(trace, event), line);
  };
  RewriteEvent rewrite;
  checkLine(rewrite, "rewrite pattern (unnamed) at %a = memref.alloc");
  rewrite.pattern = "EraseEmptyDealloc";
  rewrite.deallocs = {0, 1};
  checkLine(rewrite, "rewrite pattern EraseEmptyDealloc at %a = memref.alloc; "
                     "dealloc #0, #1");
  rewrite = {};
  rewrite.facts.resize(1);
  rewrite.facts[0].first = 1;
  rewrite.facts[0].second = 2;
  rewrite.facts[0].rule = AliasRule::overlappingTerminals;
  rewrite.facts[0].firstTerminals = {2};
  checkLine(rewrite, "kept %a = memref.alloc; same allocation? %m, %a: unknown "
                     "by overlappingTerminals {%a} {}");
  rewrite = {};
  rewrite.kind = RewriteKind::fold;
  rewrite.replaced = {2};
  rewrite.replacements = {1};
  checkLine(rewrite, "rewrite fold at %a = memref.alloc; %a => %m");
}

TEST(Text, everyEventIsOneLine) {
  Trace trace = test::traceWithEveryField();
  for (const Event &event : trace.events) {
    std::string line = toText(trace, event);
    EXPECT_FALSE(line.empty());
    EXPECT_EQ(line.find('\n'), std::string::npos);
  }
}

TEST(Text, everyEventIsWrittenOnce) {
  Trace trace = test::traceWithEveryField();
  // Messages that can be counted.
  for (Event &event : trace.events) {
    event.detail = RejectionEvent{};
    std::get<RejectionEvent>(event.detail).message =
        "<" + std::to_string(event.id) + ">";
  }
  std::string text = toText(trace);
  for (const Event &event : trace.events) {
    std::string mark = "<" + std::to_string(event.id) + ">";
    size_t first = text.find(mark);
    EXPECT_NE(first, std::string::npos) << mark;
    EXPECT_EQ(text.find(mark, first + 1), std::string::npos) << mark;
  }
}

} // namespace
} // namespace memreflens::trace
