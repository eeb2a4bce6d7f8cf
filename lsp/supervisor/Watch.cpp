//===- lsp/supervisor/Watch.cpp -------------------------------------------===//

#include "lsp/supervisor/Watch.h"
#include "lsp/supervisor/Child.h"

#include <chrono>
#include <nlohmann/json.hpp>

namespace memreflens::lsp {

double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

Json statusOf(const Child &child, size_t waiting, int crashes) {
  return {{"running", child.isRunning()},
          {"processId", child.isRunning() ? child.processId() : 0},
          {"memory", child.memory()},
          {"queue", waiting},
          {"crashes", crashes}};
}

} // namespace memreflens::lsp
