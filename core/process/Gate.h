//===- core/process/Gate.h - a process that waits for another's word ------===//
//
// One process goes as far as it can by itself and waits there until the one
// that began it, or one that it began, lets it pass.
//
//   Gate gate;
//   Child child = Child::run([&] { return gate.pass() ? work() : 1; });
//   gate.let();                             // the child goes on
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PROCESS_GATE_H
#define MEMREFLENS_PROCESS_GATE_H

#include <cstddef>

namespace memreflens {

class Gate {
public:
  Gate();
  ~Gate();
  Gate(Gate &&other) noexcept;
  Gate &operator=(Gate &&other) noexcept;

  /// False where the system gave none.
  bool isMade() const { return out >= 0; }
  /// Lets so many pass, now or when they come; false if it cannot.
  bool let(size_t count = 1) const;
  /// Waits until it may pass; false where nobody is left who could let it.
  bool pass();
  /// Whether one may pass that waits for so long.
  bool isOpen(int milliseconds = 0) const;

private:
  int in = -1, out = -1;
};

} // namespace memreflens

#endif // MEMREFLENS_PROCESS_GATE_H
