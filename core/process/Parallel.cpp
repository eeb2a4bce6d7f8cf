//===- core/process/Parallel.cpp ------------------------------------------===//
//
// By pthreads, since std::thread throws where the system has no thread left,
// and what LLVM has of the kind ends the process.
//
//===----------------------------------------------------------------------===//

#include "core/process/Parallel.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <vector>

namespace memreflens {

namespace {
/// What the threads share.
struct Crew {
  size_t count;
  const std::function<void(size_t)> &work;
  std::mutex mutex = {};
  std::condition_variable ended = {};
  size_t begun = 0, running = 0;
  bool isStopped = false;

  /// The next number; false if nothing is left.
  bool take(size_t &number) {
    std::lock_guard lock(mutex);
    if (isStopped || begun == count)
      return false;
    number = begun++;
    return true;
  }

  void run() {
    size_t number = 0;
    while (take(number))
      work(number);
    std::lock_guard lock(mutex);
    --running;
    ended.notify_all();
  }
};
} // namespace

unsigned usableThreads(unsigned most) {
  return std::clamp(std::thread::hardware_concurrency(), 1u,
                    std::max(most, 1u));
}

static void *runOne(void *crew) {
  static_cast<Crew *>(crew)->run();
  return nullptr;
}

/// Threads that were to be had.
static std::vector<pthread_t> start(Crew &crew, size_t wanted) {
  std::vector<pthread_t> threads;
  crew.running = wanted;
  while (threads.size() < wanted) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, runOne, &crew) != 0)
      break;
    threads.push_back(thread);
  }
  std::lock_guard lock(crew.mutex);
  crew.running -= wanted - threads.size();
  return threads;
}

size_t inParallel(size_t count, unsigned threads,
                  const std::function<void(size_t)> &work,
                  const std::function<bool()> &goesOn, bool staysFree) {
  constexpr std::chrono::milliseconds pause(5);
  Crew crew{count, work};
  std::vector<pthread_t> started;
  const bool worksToo = !goesOn && !staysFree;
  if (size_t most = std::min<size_t>(threads, count);
      most > 1 || (staysFree && most > 0))
    started = start(crew, most - worksToo);
  if (size_t number = 0; worksToo || started.empty())
    while ((!goesOn || crew.begun == 0 || goesOn()) && crew.take(number))
      work(number);
  std::unique_lock lock(crew.mutex);
  while (crew.running > 0) {
    crew.ended.wait_for(lock, pause);
    lock.unlock();
    bool stops = goesOn && !goesOn();
    lock.lock();
    crew.isStopped |= stops;
  }
  lock.unlock();
  for (pthread_t thread : started)
    pthread_join(thread, nullptr);
  return crew.begun;
}

} // namespace memreflens
