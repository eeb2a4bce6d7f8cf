//===- tests/viewer/MemoryTest.cpp - memory over time ---------------------===//

#include "tests/viewer/Fixture.h"

#include "core/explain/DecisionText.h"
#include "core/explain/FateText.h"
#include "viewer/memory/MemoryPacking.h"
#include "viewer/memory/MemoryView.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>

namespace memreflens::viewer {
namespace {

//===--- Without a window -------------------------------------------------===//

/// So many buffers with random lives; sums are taken one by one.
memory::MemoryUse randomUse(uint32_t seed, size_t buffers, uint32_t steps) {
  std::mt19937 random(seed);
  memory::MemoryUse use;
  for (auto *bytes :
       {&use.asIs.bytes, &use.live, &use.afterLastUse.bytes, &use.needed.bytes})
    bytes->resize(steps);
  use.places.resize(steps);
  for (size_t i = 0; i < buffers; ++i) {
    memory::Buffer buffer;
    buffer.name = "%b" + std::to_string(i);
    buffer.bytes = 64 * (1 + random() % 1000);
    buffer.begin = random() % steps;
    buffer.end = std::min(steps - 1, uint32_t(buffer.begin + random() % 200));
    buffer.lastUse = buffer.begin + random() % (buffer.end - buffer.begin + 1);
    for (uint32_t step = buffer.begin; step <= buffer.end; ++step) {
      use.live[step] += buffer.bytes;
      use.afterLastUse.bytes[step] += step <= buffer.lastUse ? buffer.bytes : 0;
    }
    use.buffers.push_back(std::move(buffer));
  }
  // Callees hold something too, and of two arms one is not taken.
  for (uint32_t step = 0; step < steps; ++step)
    use.asIs.bytes[step] = use.live[step] * (7 + random() % 5) / 8;
  const auto most = std::ranges::max_element(use.asIs.bytes);
  use.peakStep = uint32_t(most - use.asIs.bytes.begin());
  use.peakBytes = *most;
  std::vector<memory::Span> spans;
  for (const memory::Buffer &buffer : use.buffers)
    spans.push_back({buffer.bytes, buffer.begin, buffer.lastUse});
  use.leastArenaBytes = memory::leastArena(spans);
  use.plans = memory::planArenas(spans);
  return use;
}

TEST(MemoryModel, highestOfAPartIsThatOfALoop) {
  std::mt19937 random(1);
  for (size_t count : {0, 1, 2, 3, 7, 8, 100, 1000}) {
    std::vector<uint64_t> bytes(count);
    for (uint64_t &one : bytes)
      one = random() % 50;
    Heights heights(bytes);
    for (int i = 0; i < 300; ++i) {
      const size_t begin = random() % (count + 1),
                   end = begin + random() % (count - begin + 1);
      size_t wanted = begin;
      for (size_t step = begin; step < end; ++step)
        if (bytes[step] > bytes[wanted])
          wanted = step;
      EXPECT_EQ(heights.highest(begin, end), wanted)
          << count << " " << begin << " " << end;
    }
  }
}

/// Windows of every zoom, at many places.
std::vector<StepWindow> windowsOver(size_t steps) {
  std::vector<StepWindow> windows;
  std::mt19937 random(7);
  for (double wide = double(steps); wide >= 4; wide /= 1.25)
    for (int i = 0; i < 8; ++i) {
      const double from = double(random() % steps) + double(random() % 8) / 8;
      windows.push_back(StepWindow{from, from + wide}.within(steps));
    }
  return windows;
}

TEST(MemoryModel, columnsOfThePeakShowItAtEveryZoom) {
  const MemoryModel model(randomUse(3, 400, 20000));
  const size_t peak = model.use.peakStep;
  size_t seen = 0;
  for (StepWindow window : windowsOver(model.steps()))
    for (int columns : {1, 3, 333, 1400}) {
      // Also where it is in the middle.
      for (bool isCentered : {false, true}) {
        if (isCentered)
          window = StepWindow{double(peak) - window.width() / 3,
                              double(peak) + window.width() * 2 / 3}
                       .within(model.steps());
        const Stack stack = stackOf(model, window, {columns, 100});
        bool isShown = false;
        for (int column = 0; column < columns; ++column) {
          const StepRange range =
              stepsOf(window, column, columns, model.steps());
          if (peak < range.begin || peak >= range.end)
            continue;
          isShown = true;
          EXPECT_EQ(model.asIs[stack.steps[size_t(column)]],
                    model.use.peakBytes);
        }
        const bool isInSight =
            double(peak) >= window.from && double(peak) + 1 <= window.to;
        EXPECT_TRUE(isShown || !isInSight);
        if (isInSight) {
          EXPECT_GE(stack.top, model.use.peakBytes);
          ++seen;
        }
      }
    }
  EXPECT_GT(seen, 100u);
}

TEST(MemoryModel, everyStepInSightIsInAColumn) {
  for (StepWindow window : windowsOver(1000))
    for (int columns : {1, 10, 1200}) {
      size_t next = size_t(window.from);
      for (int column = 0; column < columns; ++column) {
        const StepRange range = stepsOf(window, column, columns, 1000);
        EXPECT_LE(range.begin, next);
        next = std::max(next, range.end);
      }
      EXPECT_GE(double(next), window.to - 1);
    }
}

TEST(MemoryModel, stripsOfAColumnAreThoseAliveAtItsStep) {
  const MemoryModel model(randomUse(5, 300, 2000));
  for (StepWindow window : windowsOver(model.steps())) {
    const int columns = 150;
    const Stack stack = stackOf(model, window, {columns, 120, 17});
    std::vector<std::vector<Strip>> byColumn(columns);
    for (const Strip &strip : stack.strips)
      for (int column = strip.begin; column < strip.end; ++column)
        byColumn[size_t(column)].push_back(strip);
    for (size_t column = 0; column < columns; ++column) {
      const size_t step = stack.steps[column];
      std::vector<Strip> &strips = byColumn[column];
      std::ranges::sort(strips, {}, &Strip::low);
      uint64_t at = 0, inUse = 0;
      for (const Strip &strip : strips) {
        EXPECT_EQ(strip.low, at);
        at = strip.high;
        if (strip.buffer == Strip::elsewhere)
          continue;
        inUse += strip.isIdle ? 0 : strip.high - strip.low;
        if (strip.buffer < 0)
          continue;
        const auto i = size_t(strip.buffer);
        EXPECT_TRUE(model.isAlive(i, step));
        EXPECT_EQ(model.isIdle(i, step), strip.isIdle);
        EXPECT_EQ(strip.high - strip.low, model.use.buffers[i].bytes);
        EXPECT_EQ(stack.at(int(column), strip.low)->buffer, strip.buffer);
      }
      EXPECT_EQ(at, std::max(model.use.live[step], model.asIs[step]));
      EXPECT_EQ(inUse, model.afterLastUse[step]);
      const bool isSelectedShown =
          std::ranges::count(strips, 17, &Strip::buffer) > 0;
      EXPECT_EQ(isSelectedShown, model.isAlive(17, step));
    }
  }
}

TEST(MemoryModel, whoIsAliveIsThatOfALoop) {
  const MemoryModel model(randomUse(9, 200, 500));
  for (size_t step = 0; step < model.steps(); ++step) {
    const Alive alive = aliveAt(model, step);
    EXPECT_EQ(alive.bytes, model.use.live[step]);
    EXPECT_EQ(alive.bytes - alive.idleBytes, model.afterLastUse[step]);
    for (size_t i = 1; i < alive.buffers.size(); ++i)
      EXPECT_GE(model.use.buffers[alive.buffers[i - 1]].bytes,
                model.use.buffers[alive.buffers[i]].bytes);
  }
}

TEST(MemoryModel, packingCoversWhatIsTakenAndNothingFarFromIt) {
  const MemoryModel model(randomUse(11, 300, 2000));
  const int columns = 120, rows = 90;
  for (size_t plan = 0; plan < model.use.plans.size(); ++plan)
    for (StepWindow window : windowsOver(model.steps())) {
      const PackingRequest request{plan, columns, rows, 3};
      const std::vector<Packed> packing = packingOf(model, window, request);
      const double bytes = double(model.use.plans[plan].bytes);
      for (int column = 0; column < columns; column += 7)
        for (int up = 0; up < rows; up += 5) {
          const double x = column + 0.5, y = up + 0.5;
          const auto step = size_t(window.from + window.width() * x / columns);
          const int taken =
              bufferAt(model, plan, step, uint64_t(bytes * y / rows));
          const bool isDrawn =
              std::ranges::any_of(packing, [&](const Packed &one) {
                return one.left <= x && x <= one.right && one.low <= y &&
                       y <= one.high;
              });
          if (taken >= 0) {
            EXPECT_TRUE(isDrawn) << plan << " " << column << " " << up;
          }
        }
      for (const Packed &one : packing)
        if (one.buffer >= 0) {
          const memory::Buffer &buffer = model.use.buffers[size_t(one.buffer)];
          EXPECT_NEAR(one.high - one.low, double(buffer.bytes) * rows / bytes,
                      0.01);
        }
    }
}

//===--- In the window ----------------------------------------------------===//

class MemoryPanel : public Viewer {
protected:
  MemoryView &view() { return cacheOf<MemoryView>(state()); }
  void show(const std::string &name) {
    openSample(name);
    tab().wantedPanel = memoryPanel;
    frame();
    frame();
    ASSERT_TRUE(view().model);
  }
  void moveTo(ImVec2 place) {
    ImGui::GetIO().MousePos = place;
    frame();
    frame();
  }
  /// A place over the plot; found, since panels are where they are.
  ImVec2 overThePlot() {
    for (float y = 690; y > 380; y -= 6)
      for (float x = 330; x < 960; x += 12) {
        moveTo({x, y});
        if (view().hoveredStep >= 0 && view().hoveredBuffer >= 0)
          return {x, y};
      }
    ADD_FAILURE() << "no buffer under the mouse";
    return {};
  }
};

TEST_F(MemoryPanel, mouseTellsWhoIsAliveAndAClickGoesThere) {
  show("loop-swapped.mlir");
  const ImVec2 place = overThePlot();
  const int step = view().hoveredStep, buffer = view().hoveredBuffer;
  ASSERT_GE(buffer, 0);
  EXPECT_EQ(view().stepLookedAt(state()), size_t(step));
  click(place.x, place.y);
  EXPECT_EQ(state().place.value,
            view().model->use.buffers[size_t(buffer)].value);
  EXPECT_EQ(view().selectedBuffer(state()), buffer);
  // It stays when the mouse goes away, and back is back.
  moveTo({5, 5});
  EXPECT_EQ(view().stepLookedAt(state()), size_t(step));
  press({.key = Key::left, .alt = true});
  EXPECT_EQ(view().selectedBuffer(state()), -1);
}

TEST_F(MemoryPanel, clickBesideBuffersGoesToTheOp) {
  show("loop-swapped.mlir");
  ImVec2 place = overThePlot();
  while (view().hoveredBuffer >= 0 && place.y > 380)
    moveTo({place.x, place.y -= 4});
  ASSERT_GE(view().hoveredStep, 0);
  const Id op = view().model->use.steps[size_t(view().hoveredStep)];
  click(place.x, place.y);
  EXPECT_EQ(state().place.op, op);
  EXPECT_FALSE(state().place.mark.empty());
}

TEST_F(MemoryPanel, wheelZoomsAtTheMouseAndADragMoves) {
  show("worked-example.mlir");
  const ImVec2 place = overThePlot();
  const StepWindow all = view().window;
  const int step = view().hoveredStep;
  for (int i = 0; i < 3; ++i) {
    ImGui::GetIO().MouseWheel = 1;
    frame();
  }
  const StepWindow zoomed = view().window;
  EXPECT_LT(zoomed.width(), all.width());
  moveTo({place.x + 1, place.y});
  EXPECT_NEAR(view().hoveredStep, step, 1);
  ImGuiIO &io = ImGui::GetIO();
  io.MouseDown[0] = true;
  frame();
  const float way = zoomed.from > 0 ? 1 : -1;
  for (int i = 1; i < 10; ++i) {
    io.MousePos = {place.x + 1 + way * float(i) * 8, place.y};
    frame();
  }
  io.MouseDown[0] = false;
  frame();
  EXPECT_FALSE(view().window == zoomed);
  EXPECT_NEAR(view().window.width(), zoomed.width(), 1e-6);
  // A drag selects nothing.
  EXPECT_EQ(state().place.value, none);
  io.MousePos = place;
  for (int i = 0; i < 20; ++i) {
    io.MouseWheel = -1;
    frame();
  }
  EXPECT_TRUE(view().window == all);
}

TEST_F(MemoryPanel, equalStatesGiveEqualPictures) {
  show("worked-example.mlir");
  moveTo({5, 5});
  const int before = frame();
  EXPECT_EQ(frame(), before);
  // It begins at the peak.
  EXPECT_EQ(view().stepLookedAt(state()), view().model->use.peakStep);
}

TEST_F(MemoryPanel, comesBackToAFunctionWhileAnotherIsWorkedOut) {
  openSample("call-private.mlir");
  ASSERT_GT(program().trace.functions.size(), 1u);
  MemoryView there;
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
  EXPECT_EQ(there.model->use.function, Id(0));
}

/// What pictures, charts and memory say of buffers is made in their threads,
/// sentences in the window's: both ask for what is found out once. A build with
/// a thread sanitizer looks at it.
TEST_F(MemoryPanel, chartsAndSentencesShareAProgramInPeace) {
  for (const char *name : {"call-private.mlir", "conditional-clone.mlir"}) {
    openSample(name);
    const trace::Trace &trace = program().trace;
    auto wordsOf = [&](const Lookup &lookup) {
      std::vector<std::string> words;
      for (const trace::Event &event : trace.events)
        words.push_back(explainEvent(lookup, event.id).sentence);
      for (const trace::Function &function : trace.functions)
        for (Id memref : lookup.memrefsOf(function.id))
          words.push_back(explainFate(lookup, memref).headline);
      return words;
    };
    const auto words = wordsOf(program().lookup);
    EXPECT_GT(words.size(), 20u);
    for (int round = 0; round < 20; ++round) {
      const Lookup lookup(trace);
      std::vector<std::string> others;
      std::thread other([&] { others = wordsOf(lookup); });
      EXPECT_EQ(wordsOf(lookup), words);
      other.join();
      EXPECT_EQ(others, words);
    }
  }
}

TEST_F(MemoryPanel, keyZeroComesToIt) {
  openSample("diamond.mlir");
  frame();
  press({.key = '0', .ctrl = true});
  frame();
  EXPECT_TRUE(view().model);
}

} // namespace
} // namespace memreflens::viewer
