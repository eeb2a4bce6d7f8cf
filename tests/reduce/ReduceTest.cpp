//===- tests/reduce/ReduceTest.cpp - what is the same thing, and what not -===//

#include "core/reduce/Child.h"
#include "core/reduce/Edits.h"
#include "core/reduce/Header.h"
#include "core/reduce/Seen.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "gtest/gtest.h"

#include <csignal>
#include <unistd.h>

using namespace mlir;
using namespace memreflens;

namespace {

/// Dies of every function that has two calls of @boom, one after the other.
struct DiePass : PassWrapper<DiePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DiePass)
  StringRef getArgument() const override { return "die-of-booms"; }
  void runOnOperation() override {
    getOperation()->walk([](func::CallOp call) {
      auto next = dyn_cast_or_null<func::CallOp>(call->getNextNode());
      if (next && call.getCallee() == "boom" && next.getCallee() == "boom")
        std::raise(SIGSEGV);
    });
  }
};

DialectRegistry &registry() {
  static DialectRegistry dialects = [] {
    DialectRegistry all;
    registerAllDialects(all);
    PassRegistration<DiePass>();
    return all;
  }();
  return dialects;
}

/// A program with all that can be reduced in it.
struct Listed {
  trace::Trace trace;
  std::unique_ptr<Lookup> lookup;
  std::vector<Choice> choices;

  const Choice *of(ReduceKind kind) const {
    for (const Choice &choice : choices)
      if (choice.target.kind == kind)
        return &choice;
    return nullptr;
  }
};

Listed list(const std::string &text, trace::RunOptions run = {}) {
  Listed listed;
  AnalysisOptions options;
  options.run = run;
  Watcher watcher;
  watcher.addTo(options);
  listed.trace = analyse({"-", text}, registry(), options).trace;
  listed.lookup = std::make_unique<Lookup>(listed.trace);
  listed.choices = choicesOf(*listed.lookup, watcher.take());
  return listed;
}

ProbeOptions probeOptions() { return {registry(), {}, 20}; }

Wish at(const std::string &text, const std::string &what,
        const std::string &kind = "") {
  uint32_t offset = uint32_t(text.find(what));
  return {kind, {offset, offset}, false};
}

const std::string copies = R"(
func.func @f(%c: i1, %p: memref<4xf32>, %q: memref<4xf32>)
    -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %p : memref<4xf32>
  return %s, %p, %q : memref<4xf32>, memref<4xf32>, memref<4xf32>
}
)";

//===--- The same thing ---------------------------------------------------===//

TEST(Target, copiesOfTwoArgumentsAreTwoThings) {
  Listed listed = list(copies);
  std::vector<const Choice *> clones;
  for (const Choice &choice : listed.choices)
    if (choice.target.kind == ReduceKind::clone)
      clones.push_back(&choice);
  ASSERT_EQ(clones.size(), 3u);
  // Equal in all but the value.
  EXPECT_EQ(clones[1]->target.signature, clones[2]->target.signature);
  EXPECT_NE(clones[1]->target.value, clones[2]->target.value);
  EXPECT_NE(clones[0]->target.signature, clones[1]->target.signature);
  for (const Choice *clone : clones)
    EXPECT_EQ(find(clone->target, listed.choices), clone);
}

TEST(Target, everyPartOfItCounts) {
  Listed listed = list(copies);
  const Target known = listed.of(ReduceKind::clone)->target;
  ASSERT_NE(find(known, listed.choices), nullptr);
  auto isGone = [&](auto change) {
    Target other = known;
    change(other);
    return find(other, listed.choices) == nullptr;
  };
  EXPECT_TRUE(isGone([](Target &t) { t.kind = ReduceKind::check; }));
  EXPECT_TRUE(isGone([](Target &t) { t.signature += "x"; }));
  EXPECT_TRUE(isGone([](Target &t) { t.rule = "leak"; }));
  EXPECT_TRUE(isGone([](Target &t) { t.value += 1; }));
  EXPECT_TRUE(isGone([](Target &t) { t.op = 2; }));
  EXPECT_TRUE(isGone([](Target &t) { t.function = trace::none; }));
}

TEST(Target, freedMemoryMustNotBeReadWhereItWasNot) {
  Listed listed = list(copies);
  Target target = listed.of(ReduceKind::clone)->target;
  for (Choice &choice : listed.choices)
    choice.target.readsFreed = true;
  EXPECT_EQ(find(target, listed.choices), nullptr);
  target.readsFreed = true;
  EXPECT_NE(find(target, listed.choices), nullptr);
}

TEST(Target, checkSaysWhyTheAnalysisCouldNotTell) {
  Listed listed = list(R"(
func.func private @make() -> memref<4xf32>
func.func @f(%p: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %p, %a : memref<4xf32> to memref<4xf32>
  %m = call @make() : () -> memref<4xf32>
  return %m : memref<4xf32>
}
)");
  const Choice *check = listed.of(ReduceKind::check);
  ASSERT_NE(check, nullptr);
  EXPECT_EQ(check->target.signature,
            "compares frees of a result owned=always cause=notAllAllocations");
  EXPECT_EQ(listed.trace.values[check->target.value].name, "a");
}

TEST(Target, aFreeUnderAConditionHasBothOutcomes) {
  const std::string head = R"(
func.func private @use(memref<4xf32>)
func.func @f(%c: i1, %p: memref<4xf32>) {
)";
  const std::string tail = R"(
^x:
  return
^y(%m: memref<4xf32>):
  call @use(%m) : (memref<4xf32>) -> ()
  return
}
)";
  auto kindsOf = [&](const std::string &branch) {
    size_t count = 0;
    for (const Choice &choice : list(head + branch + tail).choices)
      count += choice.target.kind == ReduceKind::check &&
               choice.target.signature.starts_with("condition");
    return count;
  };
  EXPECT_EQ(kindsOf("cf.cond_br %c, ^z, ^y(%p : memref<4xf32>)\n^z:\n"
                    "%a = memref.alloc() : memref<4xf32>\n"
                    "cf.br ^y(%a : memref<4xf32>)"),
            1u);
  // An i1 comes along, which is always false.
  EXPECT_EQ(kindsOf("cf.cond_br %c, ^x, ^y(%p : memref<4xf32>)"), 0u);
}

TEST(Target, rejectionHasCauseMessageAndOp) {
  Listed listed = list(R"(
func.func @f(%a: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>
  return
}
)");
  const Choice *rejection = listed.of(ReduceKind::rejection);
  ASSERT_NE(rejection, nullptr);
  EXPECT_EQ(rejection->target.signature,
            "freeEffect: memory free side-effect on MemRef value not "
            "supported! at memref.dealloc");
  EXPECT_EQ(listed.trace.ops[rejection->target.op].name, "memref.dealloc");
}

TEST(Target, detailsOfAMessageDoNotCount) {
  EXPECT_EQ(withoutDetails("'memref.cast' op %a12#1 of memref<4x1xf16, "
                           "strided<[?], offset: ?>> in @f, 17 times"),
            "'memref.cast' op % of memref<> in @, 0 times");
  EXPECT_EQ(withoutDetails("affine_map<(d0) -> (d0)> x"), "affine_map<> x");
  EXPECT_EQ(withoutDetails("a < b"), "a < b");
}

//===--- Which one --------------------------------------------------------===//

TEST(Choose, theValueUnderTheCursor) {
  Listed listed = list(copies);
  Chosen chosen =
      choose(*listed.lookup, listed.choices, at(copies, "%q: memref"));
  ASSERT_NE(chosen.choice, nullptr);
  EXPECT_EQ(listed.trace.values[chosen.choice->target.value].name, "q");
}

TEST(Choose, aWishedKindThatIsNotThereNamesTheOthers) {
  Listed listed = list(copies);
  Chosen chosen =
      choose(*listed.lookup, listed.choices, at(copies, "%s = arith", "crash"));
  EXPECT_EQ(chosen.choice, nullptr);
  EXPECT_NE(chosen.error.find("no crash to reduce at 5:3"), std::string::npos)
      << chosen.error;
  EXPECT_NE(chosen.error.find("clone at 5:"), std::string::npos)
      << chosen.error;
}

TEST(Choose, theMostTellingOfAFunction) {
  const std::string text = R"(
func.func @f(%c: i1, %p: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %a, %p : memref<4xf32> to memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  memref.dealloc %a : memref<4xf32>
  return
}
)";
  Listed listed = list(text);
  Chosen chosen = choose(*listed.lookup, listed.choices, at(text, "@f"));
  ASSERT_NE(chosen.choice, nullptr);
  // It also has a double free.
  EXPECT_EQ(chosen.choice->target.kind, ReduceKind::rejection);
  EXPECT_GE(chosen.others, 1u);
  chosen = choose(*listed.lookup, listed.choices,
                  at(text, "@f", "finding:double-free"));
  ASSERT_NE(chosen.choice, nullptr);
  EXPECT_EQ(chosen.choice->target.rule, "double-free");
}

TEST(Choose, wishesAreChecked) {
  EXPECT_EQ(faultOfWish(""), "");
  EXPECT_EQ(faultOfWish("clone"), "");
  EXPECT_EQ(faultOfWish("finding:leak"), "");
  EXPECT_NE(faultOfWish("finding:"), "");
  EXPECT_NE(faultOfWish("finding:nothing"), "");
  EXPECT_NE(faultOfWish("leak"), "");
}

//===--- Reduction --------------------------------------------------------===//

Reduced reduceFirst(const std::string &text, ReduceKind kind,
                    ReduceLimits limits = {}) {
  Listed listed = list(text);
  const Choice *choice = listed.of(kind);
  if (!choice)
    return {};
  limits.seconds = 0;
  return reduce(text, choice->target, probeOptions(), limits);
}

TEST(Reduce, theSmallestCopy) {
  Reduced reduced = reduceFirst(copies, ReduceKind::clone);
  EXPECT_EQ(reduced.text,
            "func.func @f(%c: i1, %p: memref<2xf32>) -> memref<2xf32> {\n"
            "  %a = memref.alloc() : memref<2xf32>\n"
            "  %s = arith.select %c, %a, %p : memref<2xf32>\n"
            "  return %s : memref<2xf32>\n"
            "}\n");
  EXPECT_EQ(reduced.stopped, "");
}

TEST(Reduce, theSameTwice) {
  EXPECT_EQ(reduceFirst(copies, ReduceKind::clone).text,
            reduceFirst(copies, ReduceKind::clone).text);
}

TEST(Reduce, endsWhenTold) {
  ReduceLimits limits;
  int asked = 0;
  limits.goesOn = [&] { return ++asked < 3; };
  Reduced reduced = reduceFirst(copies, ReduceKind::clone, limits);
  EXPECT_EQ(reduced.stopped, "interrupted");
  EXPECT_NE(reduced.text, "");
}

TEST(Reduce, aResultLessKeepsTheNamesOfTheOthers) {
  const std::string text = R"(
func.func @f(%c: i1, %p: memref<4xf32>) -> memref<4xf32> {
  %r:3 = scf.if %c -> (index, memref<4xf32>, index) {
    %a = memref.alloc() : memref<4xf32>
    %k = arith.constant 1 : index
    scf.yield %k, %a, %k : index, memref<4xf32>, index
  } else {
    %k = arith.constant 2 : index
    scf.yield %k, %p, %k : index, memref<4xf32>, index
  }
  return %r#1 : memref<4xf32>
}
)";
  Reduced reduced = reduceFirst(text, ReduceKind::clone);
  EXPECT_NE(reduced.text.find("%r = "), std::string::npos) << reduced.text;
  EXPECT_EQ(reduced.text.find("index"), std::string::npos) << reduced.text;
}

TEST(Reduce, aBlockArgumentLessKeepsTheNamesOfTheOthers) {
  const std::string text = R"(
func.func @f(%c: i1, %k: index, %p: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^a, ^b(%k, %p : index, memref<4xf32>)
^a:
  return %p : memref<4xf32>
^b(%j: index, %x: memref<4xf32>):
  %v = memref.load %x[%j] : memref<4xf32>
  return %x : memref<4xf32>
}
)";
  Listed listed = list(text);
  Chosen chosen =
      choose(*listed.lookup, listed.choices, at(text, "%x: memref", "clone"));
  ASSERT_NE(chosen.choice, nullptr) << chosen.error;
  Reduced reduced = reduce(text, chosen.choice->target, probeOptions(), {});
  EXPECT_NE(reduced.text.find("(%x: memref"), std::string::npos)
      << reduced.text;
  EXPECT_EQ(reduced.text.find("index"), std::string::npos) << reduced.text;
}

/// The header looks at the result once more, and would have nothing to say.
TEST(Reduce, aPredicateThatAlwaysSaysYesIsNoticed) {
  Target target = list(copies).of(ReduceKind::clone)->target;
  ProbeOptions options = probeOptions();
  options.acceptsAll = true;
  Reduced reduced = reduce(copies, target, options, {});
  EXPECT_EQ(reduced.text.find("memref.alloc"), std::string::npos);
  EXPECT_EQ(withHeader(reduced, {}, options), "");
}

TEST(Reduce, whatIsNotThereIsNotReduced) {
  Target target = list(copies).of(ReduceKind::clone)->target;
  target.signature = "something else";
  Reduced reduced = reduce(copies, target, probeOptions(), {});
  EXPECT_EQ(reduced.text, "");
}

/// A stage of ours that dies takes the process along: that is what is kept.
TEST(Reduce, aCrashOfAStage) {
  const std::string text = R"(
func.func private @boom()
func.func private @other()
func.func @f(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  call @other() : () -> ()
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    func.call @other() : () -> ()
    func.call @boom() : () -> ()
    func.call @boom() : () -> ()
  }
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  call @boom() : () -> ()
  return %m : memref<4xf32>
}
)";
  (void)registry();
  Target target;
  target.kind = ReduceKind::crash;
  target.function = 2;
  target.stage = 2;
  target.signature = "stageCrashed: 2 crashed (Segmentation fault)";
  ProbeOptions options = probeOptions();
  options.analysis.run.pipeline = "builtin.module(cse,die-of-booms)";
  options.analysis.run.passes = {"cse", "die-of-booms"};
  ReduceLimits limits;
  limits.seconds = 0;
  Reduced reduced = reduce(text, target, options, limits);
  EXPECT_EQ(reduced.text, "func.func private @boom()\n"
                          "func.func @f() {\n"
                          "  call @boom() : () -> ()\n"
                          "  call @boom() : () -> ()\n"
                          "  return\n"
                          "}\n");
  // Neither another stage nor another signal is this crash.
  target.stage = 1;
  EXPECT_EQ(reduce(text, target, options, limits).text, "");
  target.stage = 2;
  target.signature = "stageCrashed: 2 crashed (Aborted)";
  EXPECT_EQ(reduce(text, target, options, limits).text, "");
}

//===--- Header -----------------------------------------------------------===//

TEST(Header, optionsWithoutFolders) {
  trace::RunOptions run;
  run.prePipeline = "func.func(buffer-hoisting)";
  run.privateFunctionDynamicOwnership = true;
  run.skipSimplificationOver = 5000;
  run.dialectPlugins = {"/home/someone/lib/libMine.so"};
  EXPECT_EQ(lensOptions(run), " --private-function-dynamic-ownership "
                              "--pre='func.func(buffer-hoisting)' "
                              "--skip-simplification-over=5000 "
                              "--load-dialect-plugin=libMine.so");
  EXPECT_EQ(mlirOptPipeline(run),
            "builtin.module(func.func(buffer-hoisting),"
            "buffer-deallocation-pipeline{private-function-dynamic-ownership="
            "1})");
}

TEST(Header, whatMlirOptCannotRunIsNotNamed) {
  trace::RunOptions run;
  run.pipeline = "classic";
  run.passes = {"func.func(buffer-deallocation)"};
  EXPECT_EQ(mlirOptPipeline(run), "");
  run = {};
  run.refineDistinctObjects = true;
  EXPECT_EQ(mlirOptPipeline(run), "");
}

TEST(Header, saysWhatItShowsAtItsOwnPlaces) {
  Reduced reduced = reduceFirst(copies, ReduceKind::clone);
  reduced.stopped = "interrupted";
  std::string text = withHeader(reduced, {"x.mlir", 2}, probeOptions());
  EXPECT_TRUE(text.starts_with("// Clone: %s is cloned")) << text;
  size_t line = 1;
  for (size_t at = 0; at < text.find("%s = arith.select"); ++at)
    line += text[at] == '\n';
  EXPECT_NE(text.find("x.mlir:" + std::to_string(line)), std::string::npos)
      << text;
  EXPECT_NE(text.find("Not the smallest: the reduction was interrupted"),
            std::string::npos);
  EXPECT_NE(text.find("Chosen of 3 things"), std::string::npos);
}

TEST(Header, knownIssues) {
  Target target;
  target.kind = ReduceKind::crash;
  target.signature = "upstream reads freed memory";
  EXPECT_NE(knownIssue(target, "", "").find("#119863"), std::string::npos);
  target.signature = "upstream: 4 crashed (Aborted)";
  EXPECT_EQ(knownIssue(target, "", ""), "");
}

//===--- Processes --------------------------------------------------------===//

TEST(Child, whatWasSentBeforeItDiedArrives) {
  ChildResult result = runCandidate(
      [](Channel &channel, int32_t *stage) {
        channel.send("text");
        channel.send(int64_t(7));
        *stage = 5;
        std::raise(SIGKILL);
        return 0;
      },
      10);
  Reader reader(result.sent);
  EXPECT_EQ(reader.text(), "text");
  EXPECT_EQ(reader.number(), 7);
  EXPECT_TRUE(reader.isWhole());
  EXPECT_EQ(reader.number(), 0);
  EXPECT_FALSE(reader.isWhole());
  EXPECT_TRUE(result.died);
  EXPECT_EQ(result.end.signal, SIGKILL);
  EXPECT_EQ(result.stage, 5);
  EXPECT_FALSE(result.ended);
}

TEST(Child, whatExitsHasNotReturned) {
  ChildResult result = runCandidate(
      [](Channel &channel, int32_t *) {
        channel.send("text");
        _exit(0);
        return 0;
      },
      10);
  EXPECT_FALSE(result.ended);
  EXPECT_TRUE(result.died);
  EXPECT_EQ(deathWords(result.end), "ended its process (exit status 0)");
}

TEST(Child, whatDoesNotEndIsEnded) {
  ChildResult result = runCandidate(
      [](Channel &, int32_t *) {
        while (true)
          pause();
        return 0;
      },
      0.05);
  EXPECT_TRUE(result.timedOut);
  EXPECT_FALSE(result.ended);
  EXPECT_FALSE(result.died);
}

} // namespace
