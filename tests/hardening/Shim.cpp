//===- tests/hardening/Shim.cpp - a system that does not play along -------===//
//
// Preloaded into a program. What it does is said in the environment:
//
//   SHIM_FORK_FAILS=N   the Nth fork of a process, and all later ones, fail
//   SHIM_CLOCK=SECONDS  the wall clock jumps to and fro by that, at each look
//
//===----------------------------------------------------------------------===//

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <sys/time.h>
#include <unistd.h>

static long numberIn(const char *name) {
  const char *text = std::getenv(name);
  return text ? std::atol(text) : 0;
}

template <typename Function> static Function *original(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

/// Of this look at the clock.
static long jump() {
  static long looks = 0;
  return ++looks % 2 ? numberIn("SHIM_CLOCK") : -numberIn("SHIM_CLOCK");
}

extern "C" {

pid_t fork() {
  static long count = 0;
  long fails = numberIn("SHIM_FORK_FAILS");
  if (fails != 0 && ++count >= fails) {
    errno = EAGAIN;
    return -1;
  }
  return original<pid_t()>("fork")();
}

int clock_gettime(clockid_t clock, timespec *time) noexcept {
  int result =
      original<int(clockid_t, timespec *)>("clock_gettime")(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME)
    time->tv_sec += jump();
  return result;
}

int gettimeofday(timeval *now, void *zone) noexcept {
  int result = original<int(timeval *, void *)>("gettimeofday")(now, zone);
  if (result == 0)
    now->tv_sec += jump();
  return result;
}

time_t time(time_t *result) noexcept {
  time_t now = original<time_t(time_t *)>("time")(nullptr) + jump();
  if (result)
    *result = now;
  return now;
}
}
