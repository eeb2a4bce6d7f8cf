//===- core/process/PipeReader.h - what a child sends, within a time ------===//
//
// Reads a pipe until its other end is closed, or the time is up.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PROCESS_PIPEREADER_H
#define MEMREFLENS_PROCESS_PIPEREADER_H

#include <chrono>
#include <cstddef>
#include <string>

namespace memreflens {

class PipeReader {
public:
  /// The time is counted from here; 0 seconds for as long as it takes.
  PipeReader(int pipe, double seconds);
  /// False if so much did not come.
  bool read(void *data, size_t size);
  /// All that came.
  std::string readAll();
  /// Whether the time was up.
  bool isLate() const { return late; }

private:
  /// How much came, at most `size`; 0 at the end.
  size_t readSome(char *data, size_t size);

  int pipe;
  bool isLimited;
  std::chrono::steady_clock::time_point deadline;
  bool late = false;
};

} // namespace memreflens

#endif // MEMREFLENS_PROCESS_PIPEREADER_H
