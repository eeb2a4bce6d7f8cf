//===- core/process/Child.h - jobs and programs in processes of their own -===//
//
// The only place that makes processes. What may die is run as a job in a copy
// of this process; the server, the viewer's runs and the user's editor are
// programs. All but a detached program end with the process that began them.
//
//   Child child = Child::run([&] { return analyse(file); });
//   if (!child.hasStarted()) ...            // errno says why
//   ChildEnd end = child.wait();
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PROCESS_CHILD_H
#define MEMREFLENS_PROCESS_CHILD_H

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace memreflens {

/// How a process ended.
struct ChildEnd {
  /// Its exit status; -1 where a signal ended it, or nobody knows.
  int status = -1;
  /// The signal that ended it; 0 if none did.
  int signal = 0;
  /// Whether a job came to its end: false where a signal ended it, or something
  /// in it called exit. A program ends as it likes.
  bool hasReturned = false;
  /// A job asked for memory that there was not.
  bool isOutOfMemory = false;
};

/// What a job says of itself, in memory that its parent sees.
enum class JobState : unsigned char { running, returned, outOfMemory };

/// What ended a process before its job returned: "Segmentation fault", "exit
/// status 0", "out of memory".
std::string causeOfDeath(const ChildEnd &end);
/// The same as what it did: "crashed (Aborted)", "ended its process (exit
/// status 0)", "ran out of memory".
std::string deathWords(const ChildEnd &end);

/// Where a job's standard output and error go.
enum class ChildOutput { shared, discarded };

/// A program to start.
struct ChildProgram {
  /// Its name, which is looked up in PATH, and its arguments.
  std::vector<std::string> words;
  /// This very program instead, where the system can tell which it is.
  bool isThisProgram = false;
  /// Descriptors that become its standard input, output and error; -1 for
  /// nowhere, `kept` for this process' own.
  int in = -1, out = -1, error = -1;
  /// A stack for IR of any depth.
  bool hasDeepStack = false;

  static constexpr int kept = -2;
};

/// A process that this one began. One that is not waited for stays.
class Child {
public:
  Child() = default;

  /// Runs a job in a copy of this process; the job's result is its exit status.
  /// What was written, but not flushed, is flushed before, and nothing after.
  /// The job ends where it runs out of memory.
  static Child run(const std::function<int()> &job,
                   ChildOutput output = ChildOutput::shared);
  static Child start(const ChildProgram &program);

  /// False if the system gave no process; `errno` says why.
  bool hasStarted() const { return id > 0; }
  pid_t getId() const { return id; }
  /// How it ended; nothing as long as it runs.
  std::optional<ChildEnd> poll();
  ChildEnd wait();
  /// Waits as long as `goesOn`, which is asked at least 50 times a second; once
  /// it says no, nothing is given, and the child runs on.
  std::optional<ChildEnd> waitWhile(const std::function<bool()> &goesOn);
  /// Ends it at once, and waits for that.
  ChildEnd kill();
  /// Asks it to end; at once if it has not after a second.
  void stop();

private:
  explicit Child(pid_t id) : id(id) {}
  ChildEnd endOf(int waitStatus) const;
  ChildEnd endWithoutStatus() const;
  friend std::pair<pid_t, ChildEnd> waitForAnyChild();

  pid_t id = -1;
  /// Of a job, shared with the process that runs it; null for programs.
  std::shared_ptr<JobState> state;
};

/// In a job: ends it here, with this result, as if it had returned it.
[[noreturn]] void endJob(int status);
/// In a job: ends it, and lets its parent know why. `new` does so by itself
/// where there is no memory left.
[[noreturn]] void endJobOutOfMemory();

/// Lets a moment pass, but not beyond the end of one of these.
void pauseUntilOneEnds(const std::vector<const Child *> &children);

/// Waits for one of this process' children, whichever ends first; which, and
/// how. -1 if there is none.
std::pair<pid_t, ChildEnd> waitForAnyChild();

/// Starts a program (an editor) that lives on its own; false if it cannot.
bool startDetached(std::vector<std::string> words);

/// Goes on as another program, which gets these words as its own. Comes back
/// where it cannot; `errno` says why.
void becomeProgram(const std::string &path, std::vector<std::string> words);

/// Writes all of it; ends the process where nobody reads it.
void writeAll(int descriptor, const void *data, size_t size);

} // namespace memreflens

#endif // MEMREFLENS_PROCESS_CHILD_H
