//===- cli/Input.cpp ------------------------------------------------------===//

#include "cli/Input.h"
#include "core/source/LineIndex.h"
#include "core/trace/Names.h"

#include "llvm/Support/FileSystem.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <streambuf>
#include <sys/stat.h>
#include <unistd.h>

namespace memreflens {

/// More is refused before it is read.
static constexpr size_t maxInputBytes = size_t(64) << 20;
/// A saved trace holds the program nine times and all that was decided.
static constexpr size_t maxTraceBytes = size_t(1) << 30;

static bool readAll(FILE *file, size_t limit, std::string &text,
                    std::string &error) {
  char buffer[1 << 16];
  size_t got;
  while ((got = std::fread(buffer, 1, sizeof(buffer), file)) > 0) {
    text.append(buffer, got);
    if (text.size() > limit) {
      error =
          "larger than the limit of " + std::to_string(limit >> 20) + " MiB";
      return false;
    }
  }
  if (std::ferror(file)) {
    error = std::strerror(errno);
    return false;
  }
  return true;
}

std::optional<trace::Source> readInput(const std::string &path,
                                       std::string &error) {
  trace::Source source;
  source.path = path;
  if (path == "-") {
    if (!readAll(stdin, maxInputBytes, source.text, error))
      return std::nullopt;
    return source;
  }
  if (llvm::sys::fs::is_directory(path)) {
    error = "is a directory; name a file";
    return std::nullopt;
  }
  FILE *file = std::fopen(path.c_str(), "rb");
  if (!file) {
    error = std::strerror(errno);
    return std::nullopt;
  }
  bool mayBeTrace = llvm::StringRef(path).ends_with(".json");
  bool read = readAll(file, mayBeTrace ? maxTraceBytes : maxInputBytes,
                      source.text, error);
  std::fclose(file);
  if (!read)
    return std::nullopt;
  return source;
}

std::optional<trace::Source> readOrComplain(const std::string &path) {
  std::string error;
  std::optional<trace::Source> source = readInput(path, error);
  if (!source)
    std::fprintf(stderr, "memref-lens: error: cannot read '%s': %s\n",
                 path.c_str(), error.c_str());
  return source;
}

//===--- Problems ---------------------------------------------------------===//

/// The line, and a caret under the place. Long lines are cut around it.
static void printCaret(std::string_view line, uint32_t column) {
  constexpr uint32_t width = 160;
  uint32_t begin =
      column > width / 2 && line.size() > width ? column - width / 2 : 0;
  std::string shown, caret;
  for (uint32_t at = begin; at < line.size() && at < begin + width; ++at) {
    unsigned char c = static_cast<unsigned char>(line[at]);
    shown += c < 0x20 && c != '\t' ? ' ' : char(c);
    bool continuesCharacter = (c & 0xC0) == 0x80;
    if (at + 1 < column && !continuesCharacter)
      caret += c == '\t' ? '\t' : ' ';
  }
  std::fprintf(stderr, "%s\n%s^\n", shown.c_str(), caret.c_str());
}

static void printProblem(const trace::Trace &trace, const LineIndex &lines,
                         const trace::Problem &problem, bool color) {
  LineColumn place = lines.lineColumn(problem.range.begin);
  const char *strong = color ? "\033[1m" : "", *plain = color ? "\033[0m" : "";
  const char *red = !color                                       ? ""
                    : problem.severity == trace::Severity::error ? "\033[1;31m"
                                                                 : "\033[1;35m";
  std::string path = trace.source.path == "-" ? "<stdin>" : trace.source.path;
  std::fprintf(stderr, "%s%s:%u:%u:%s %s%s:%s %s\n", strong, path.c_str(),
               place.line, place.column, plain, red,
               std::string(trace::nameOf(problem.severity)).c_str(), plain,
               problem.message.c_str());
  if (!trace.source.text.empty())
    printCaret(lines.line(place.line), place.column);
  if (!problem.remedy.empty())
    std::fprintf(stderr, "  help: %s\n", problem.remedy.c_str());
  for (const trace::Problem &note : problem.notes)
    printProblem(trace, lines, note, color);
}

void printProblems(const trace::Trace &trace, bool color) {
  LineIndex lines(trace.source.text);
  for (const trace::Problem &problem : trace.problems)
    printProblem(trace, lines, problem, color);
}

//===--- Output -----------------------------------------------------------===//

static bool complain(const std::string &path, const char *what) {
  std::fprintf(stderr, "memref-lens: error: cannot write '%s': %s\n",
               path.c_str(), what);
  return false;
}

namespace {
/// Lets a stream write to a C file, which tells errors apart.
class FileBuffer : public std::streambuf {
public:
  explicit FileBuffer(std::FILE *file) : file(file) {}
  bool isWhole() const { return whole; }

protected:
  std::streamsize xsputn(const char *text, std::streamsize size) override {
    whole &= std::fwrite(text, 1, size_t(size), file) == size_t(size);
    return whole ? size : 0;
  }
  int overflow(int letter) override {
    whole &= std::fputc(letter, file) != EOF;
    return whole ? letter : EOF;
  }

private:
  std::FILE *file;
  bool whole = true;
};
} // namespace

static bool writeTo(std::FILE *file, const OutputWriter &write) {
  FileBuffer buffer(file);
  std::ostream out(&buffer);
  write(out);
  return buffer.isWhole();
}

bool writeOutput(const std::string &path, const OutputWriter &write) {
  if (path == "-") {
    if (!writeTo(stdout, write) || std::fflush(stdout) != 0)
      return complain("standard output", std::strerror(errno));
    return true;
  }
  // Written beside the target and renamed: the old file stays until the new one
  // is whole. Only files are replaced; devices and pipes are written to.
  struct stat target;
  bool isReplaceable =
      lstat(path.c_str(), &target) != 0 || S_ISREG(target.st_mode);
  std::string temporary =
      isReplaceable ? path + ".tmp" + std::to_string(getpid()) : path;
  FILE *file = std::fopen(temporary.c_str(), "wb");
  if (!file)
    return complain(path, std::strerror(errno));
  bool whole = writeTo(file, write);
  whole &= std::fclose(file) == 0;
  if (!isReplaceable)
    return whole || complain(path, std::strerror(errno));
  if (!whole || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const char *why = std::strerror(errno);
    std::remove(temporary.c_str());
    return complain(path, why);
  }
  return true;
}

bool wantsColor(int mode, int descriptor) {
  if (mode != 0)
    return mode == 1;
  return isatty(descriptor) && !std::getenv("NO_COLOR");
}

std::string pastTheEnd(unsigned line, const LineIndex &lines) {
  return "line " + std::to_string(line) + " is past the end; the file has " +
         std::to_string(lines.lineCount()) + " lines";
}

} // namespace memreflens
