//===- tests/graph/BenchLayout.cpp - times of layouts ---------------------===//
//
// Prints "family blocks layout SVG", in seconds of the processor, which other
// programs do not lengthen, the best of three runs; scripts/bench-layout makes
// a table of it.
//
//===----------------------------------------------------------------------===//

#include "core/graph/Draw.h"
#include "tests/graph/GraphFamilies.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

using namespace memreflens::graph;

static double secondsOf(const std::function<void()> &work, int runs) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    std::clock_t start = std::clock();
    work();
    best = std::min(best, double(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

int main() {
  struct Family {
    const char *name;
    Picture (*make)(int);
  };
  for (auto [name, make] :
       {Family{"ladder", ladder}, Family{"diamonds", diamonds}})
    for (int count : {100, 500, 1000, 5000}) {
      Picture picture = make(count);
      int runs = count > 1000 ? 1 : 3;
      Arranged arranged = arrange(picture, {});
      double places = secondsOf([&] { layOut(arranged.request); }, runs);
      double whole = secondsOf(
          [&] {
            if (!draw(picture, {}, ImageFormat::svg).error.empty())
              std::exit(1);
          },
          runs);
      std::printf("%s %d %.4f %.4f\n", name, count, places, whole);
    }
}
