//===- tests/sanitizers/ParallelTest.cpp - work side by side --------------===//
//
// What several threads do, and what is told of it meanwhile: all is done once,
// in the order in which it was begun, no further than somebody wants, and with
// any number of threads that the system gives. Runs under TSan, too.
//
//===----------------------------------------------------------------------===//

#include "core/process/Parallel.h"
#include "core/process/Child.h"
#include "core/process/Gate.h"
#include "core/trace/Json.h"
#include "lsp/analysis/Progress.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <sstream>
#include <sys/resource.h>
#include <thread>

using namespace memreflens;

namespace memreflens::lsp {
/// The tests need none of what a document has.
struct Document {};
} // namespace memreflens::lsp

TEST(Parallel, allIsDoneOnce) {
  for (unsigned threads : {1u, 2u, 8u, 40u}) {
    std::vector<int> done(1000);
    EXPECT_EQ(inParallel(done.size(), threads, [&](size_t i) { ++done[i]; }),
              done.size());
    EXPECT_EQ(done, std::vector<int>(1000, 1)) << threads;
  }
  EXPECT_EQ(inParallel(0, 4, [](size_t) { FAIL(); }), 0u);
}

TEST(Parallel, noMoreThanWantedAtATime) {
  std::atomic<int> now = 0, most = 0;
  inParallel(64, 3, [&](size_t) {
    int here = ++now;
    for (int seen = most; here > seen;)
      if (most.compare_exchange_weak(seen, here))
        break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --now;
  });
  EXPECT_GT(most, 1);
  EXPECT_LE(most, 3);
}

TEST(Parallel, theCallerWorksTooUnlessItIsAskedOrStaysFree) {
  const std::function<bool()> nobody, asked = [] { return true; };
  for (auto [goesOn, staysFree] :
       {std::pair(nobody, false), {nobody, true}, {asked, false}}) {
    std::atomic<int> begun = 0, byCaller = 0;
    std::thread::id caller = std::this_thread::get_id();
    auto work = [&](size_t) {
      byCaller += std::this_thread::get_id() == caller;
      // So that each is another thread's.
      for (++begun; begun < 2;)
        std::this_thread::yield();
    };
    EXPECT_EQ(inParallel(2, 2, work, goesOn, staysFree), 2u);
    EXPECT_EQ(byCaller, !goesOn && !staysFree);
  }
}

TEST(Parallel, endsWhereItIsToldTo) {
  for (unsigned threads : {1u, 4u}) {
    std::atomic<size_t> done = 0;
    std::thread::id caller = std::this_thread::get_id();
    size_t begun = inParallel(
        100000, threads,
        [&](size_t) {
          ++done;
          std::this_thread::sleep_for(std::chrono::microseconds(100));
        },
        [&] {
          EXPECT_EQ(std::this_thread::get_id(), caller);
          return done < 20;
        });
    EXPECT_EQ(begun, done) << threads;
    EXPECT_GE(begun, 20u) << threads;
    EXPECT_LT(begun, 100000u) << threads;
  }
}

TEST(Parallel, oneIsDoneWhateverIsSaid) {
  for (unsigned threads : {1u, 4u})
    EXPECT_GE(inParallel(2, threads, [](size_t) {}, [] { return false; }), 1u);
}

/// Ends the process: 0 if all was done where there is no thread to be had.
static void workWithoutThreads() {
  // Root may have any number; then no room for their stacks stops them.
  rlimit few{1, 1}, space{};
  setrlimit(RLIMIT_NPROC, &few);
  getrlimit(RLIMIT_AS, &space);
  space.rlim_cur = 8 << 20;
  setrlimit(RLIMIT_AS, &space);
  std::thread::id caller = std::this_thread::get_id();
  size_t done = 0;
  inParallel(50, 16,
             [&](size_t) { done += std::this_thread::get_id() == caller; });
  _exit(done == 50 ? 0 : 1);
}

TEST(Parallel, worksWithoutThreads) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "ASan needs more addresses than this leaves it";
#endif
  // Anew: what other tests leave of their threads would serve again.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(workWithoutThreads(), testing::ExitedWithCode(0), "");
}

//===--- Progress ---------------------------------------------------------===//

using lsp::Progress;
using lsp::Working;

namespace {
struct Log {
  std::vector<Working> told;
  lsp::Document document;
  Progress progress{[this](const Working &now) { told.push_back(now); }};
};

std::vector<uint64_t> keysOf(const Working &now) {
  return now.keys.value_or(std::vector<uint64_t>{999});
}
} // namespace

TEST(ProgressTest, oneTellsItsStages) {
  Log log;
  {
    Progress::Piece piece(log.progress, log.document, {7});
    piece.enter(1);
    piece.enter({8}, 2);
  }
  ASSERT_EQ(log.told.size(), 4u);
  EXPECT_EQ(log.told[0].stage, -1);
  EXPECT_EQ(log.told[1].stage, 1);
  EXPECT_EQ(keysOf(log.told[1]), std::vector<uint64_t>{7});
  EXPECT_EQ(log.told[2].stage, 2);
  EXPECT_EQ(keysOf(log.told[2]), std::vector<uint64_t>{8});
  EXPECT_TRUE(keysOf(log.told[3]).empty());
}

TEST(ProgressTest, whoIsLeftIsToldWithItsStage) {
  Log log;
  auto first = std::make_unique<Progress::Piece>(log.progress, log.document,
                                                 std::vector<uint64_t>{1});
  auto second = std::make_unique<Progress::Piece>(log.progress, log.document,
                                                  std::vector<uint64_t>{2, 3});
  EXPECT_EQ(keysOf(log.told.back()), (std::vector<uint64_t>{1, 2, 3}));
  size_t before = log.told.size();
  first->enter(5);
  // Of two, a stage says nothing.
  EXPECT_LE(log.told.size(), before + 1);
  second.reset();
  EXPECT_EQ(keysOf(log.told.back()), std::vector<uint64_t>{1});
  EXPECT_EQ(log.told.back().stage, 5);
  first.reset();
  EXPECT_TRUE(keysOf(log.told.back()).empty());
}

TEST(ProgressTest, manyThreads) {
  Log log;
  inParallel(200, 8, [&](size_t i) {
    Progress::Piece piece(log.progress, log.document, {i});
    for (int stage = 0; stage < 9; ++stage)
      piece.enter(stage);
  });
  EXPECT_TRUE(keysOf(log.told.back()).empty());
  std::set<uint64_t> seen;
  for (const Working &now : log.told)
    if (now.keys)
      seen.insert(now.keys->begin(), now.keys->end());
  EXPECT_EQ(seen.size(), 200u);
}

/// As many pieces as may wait in memory, and more.
static trace::Trace longTrace() {
  trace::Trace trace;
  for (int i = 0; i < 200'000; ++i)
    trace.values.emplace_back().id = i;
  return trace;
}

TEST(Json, isTheSameWhoeverWorks) {
  const trace::Trace trace = longTrace();
  std::ostringstream alone;
  trace::writeJson(trace, alone);
  EXPECT_GT(alone.str().size(), 1'000'000u);
  for (unsigned threads : {2u, 3u, 8u}) {
    std::ostringstream out;
    trace::writeJson(trace, out, workersOn(threads));
    EXPECT_TRUE(out.str() == alone.str()) << threads;
  }
  // Nobody says in which order.
  std::ostringstream out;
  trace::writeJson(trace, out,
                   [](size_t count, const std::function<void(size_t)> &work) {
                     while (count-- > 0)
                       work(count);
                   });
  EXPECT_TRUE(out.str() == alone.str());
}

TEST(Gate, oneWaitsForEachWord) {
  Gate gate;
  ASSERT_TRUE(gate.isMade());
  EXPECT_FALSE(gate.isOpen());
  auto passes = [&] { return gate.pass() ? 7 : 1; };
  Child first = Child::run(passes), second = Child::run(passes);
  EXPECT_FALSE(first.poll() || second.poll());
  EXPECT_TRUE(gate.let());
  // Whichever it is.
  const auto [ended, end] = waitForAnyChild();
  EXPECT_EQ(end.status, 7);
  Child &other = ended == first.getId() ? second : first;
  EXPECT_FALSE(other.poll());
  EXPECT_TRUE(gate.let());
  EXPECT_EQ(other.wait().status, 7);
  EXPECT_FALSE(gate.isOpen());
  // What is said before anybody waits is heard.
  EXPECT_TRUE(gate.let(2));
  EXPECT_TRUE(gate.isOpen());
  EXPECT_EQ(Child::run(passes).wait().status, 7);
  EXPECT_EQ(Child::run(passes).wait().status, 7);
  EXPECT_FALSE(gate.isOpen());
}

TEST(Gate, nobodyIsLeftWhoCouldLet) {
  Gate gate;
  Child waiting = Child::run([&] { return gate.pass() ? 7 : 1; });
  gate = Gate();
  EXPECT_EQ(waiting.wait().status, 1);
}
