//===- cli/Input.cpp ------------------------------------------------------===//

#include "cli/Input.h"
#include "cli/ExitStatus.h"
#include "core/bundle/Bundle.h"
#include "core/explain/PlainText.h"
#include "core/files/SameFile.h"
#include "core/files/WholeFile.h"
#include "core/text/LineIndex.h"
#include "core/text/Zstd.h"
#include "core/trace/Json.h"
#include "core/trace/Names.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <streambuf>
#include <sys/stat.h>
#include <unistd.h>

namespace memreflens {

/// Files of this ending are written compressed.
static constexpr llvm::StringLiteral zstdEnding = ".zst";
/// More is rejected before it is read.
static constexpr size_t maxInputBytes = size_t(64) << 20;

void tell(const char *format, ...) {
  va_list words, again;
  va_start(words, format);
  va_copy(again, words);
  int size = std::vsnprintf(nullptr, 0, format, words);
  std::string text(size_t(std::max(size, 0)) + 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, again);
  va_end(again);
  va_end(words);
  text.pop_back();
  std::fputs(plainText(text).c_str(), stderr);
}

int failTemporary() {
  tell("memref-lens: error: cannot make a temporary file: %s\n",
       std::strerror(errno));
  return noResources;
}

/// Whether a file that begins so is a saved trace.
static bool beginsTrace(std::string_view start, llvm::StringRef name) {
  return isZstd(start) || (name.ends_with(".json") &&
                           llvm::StringRef(start).ltrim().starts_with("{"));
}

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
  const llvm::StringRef name(path);
  const bool mayBeTrace = name.ends_with(".json") || name.ends_with(zstdEnding);
  bool read = readAll(file, mayBeTrace ? trace::maxTraceBytes : maxInputBytes,
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
    tell("memref-lens: error: cannot read '%s': %s\n", path.c_str(),
         error.c_str());
  return source;
}

InputKind kindOf(const trace::Source &source) {
  const llvm::StringRef text(source.text);
  if (bundle::isCompressed(source.text))
    return InputKind::bundle;
  if (mlir::isBytecode(llvm::MemoryBufferRef(text, "")))
    return InputKind::bytecode;
  return beginsTrace(text, source.path) ? InputKind::trace : InputKind::program;
}

/// Of a regular file that is a saved trace, the beginning: whoever reads a
/// trace reads it from the file, piece by piece.
static std::optional<trace::Source> beginningOfTrace(const std::string &path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      size_t(status.st_size) > trace::maxTraceBytes)
    return std::nullopt;
  constexpr size_t most = 4096;
  trace::Source source;
  source.path = path;
  source.text.resize(most);
  std::ifstream file(path, std::ios::binary);
  file.read(source.text.data(), most);
  source.text.resize(size_t(file.gcount()));
  return beginsTrace(source.text, path) ? std::optional(std::move(source))
                                        : std::nullopt;
}

std::optional<Input> inputOrComplain(const std::string &path) {
  if (std::optional<trace::Source> trace = beginningOfTrace(path))
    return Input{std::move(*trace), InputKind::trace};
  std::optional<trace::Source> source = readOrComplain(path);
  if (!source)
    return std::nullopt;
  const InputKind kind = kindOf(*source);
  return Input{std::move(*source), kind};
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
    bool isControl = (c < 0x20 && c != '\t') || c == 0x7f;
    shown += isControl ? ' ' : char(c);
    bool continuesCharacter = (c & 0xC0) == 0x80;
    if (at + 1 < column && !continuesCharacter)
      caret += c == '\t' ? '\t' : ' ';
  }
  std::fprintf(stderr, "%s\n%s^\n", plainText(shown).c_str(), caret.c_str());
}

/// MLIR's list of all dialects there are, with each op that it does not know.
static bool isLongList(const trace::Problem &note) {
  return note.message.starts_with("Available dialects: ");
}

/// `told`: remedies that were, since a file may have a hundred ops of one
/// dialect.
static void printProblem(const trace::Trace &trace, const LineIndex &lines,
                         const trace::Problem &problem, bool color,
                         std::set<std::string> &told) {
  LineColumn place = lines.lineColumn(problem.range.begin);
  const char *strong = color ? "\033[1m" : "", *plain = color ? "\033[0m" : "";
  const char *red = !color                                       ? ""
                    : problem.severity == trace::Severity::error ? "\033[1;31m"
                                                                 : "\033[1;35m";
  std::string path = trace.source.path == "-" ? "<stdin>" : trace.source.path;
  std::fprintf(stderr, "%s%s:%u:%u:%s %s%s:%s %s\n", strong,
               plainWord(path).c_str(), place.line, place.column, plain, red,
               std::string(trace::nameOf(problem.severity)).c_str(), plain,
               plainText(problem.message).c_str());
  if (!trace.source.text.empty())
    printCaret(lines.line(place.line), place.column);
  const bool hasRemedy = !problem.remedy.empty();
  if (hasRemedy && told.insert(problem.remedy).second)
    tell("  help: %s\n", problem.remedy.c_str());
  for (const trace::Problem &note : problem.notes)
    if (!hasRemedy || !isLongList(note))
      printProblem(trace, lines, note, color, told);
}

void printProblems(const trace::Trace &trace, bool color) {
  LineIndex lines(trace.source.text);
  std::set<std::string> told;
  for (const trace::Problem &problem : trace.problems)
    printProblem(trace, lines, problem, color, told);
}

int complain(int status, const std::string &what) {
  tell("memref-lens: error: %s\n", what.c_str());
  return status;
}

//===--- Output -----------------------------------------------------------===//

static bool failOn(const std::string &path, const std::string &what) {
  // Of what one process leaves for another.
  bool isOurs = path.starts_with("/proc/self/fd/");
  tell("memref-lens: error: cannot write %s: %s\n",
       isOurs ? "a temporary file" : ("'" + path + "'").c_str(), what.c_str());
  return false;
}

namespace {
/// Lets a stream write to what takes bytes, and can tell that it did not.
class Sink : public std::streambuf {
public:
  using Take = std::function<bool(std::string_view)>;
  explicit Sink(Take take) : take(std::move(take)) {
    setp(buffer, buffer + sizeof(buffer));
  }
  bool finish() { return sync() == 0; }

protected:
  int overflow(int letter) override {
    if (sync() != 0)
      return EOF;
    if (letter != EOF)
      sputc(char(letter));
    return 0;
  }
  /// What is long goes its way without a copy.
  std::streamsize xsputn(const char *text, std::streamsize size) override {
    if (size_t(size) < sizeof(buffer))
      return std::streambuf::xsputn(text, size);
    (void)sync();
    whole &= take({text, size_t(size)});
    return size;
  }
  int sync() override {
    whole &= take({pbase(), size_t(pptr() - pbase())});
    setp(buffer, buffer + sizeof(buffer));
    return whole ? 0 : -1;
  }

private:
  Take take;
  bool whole = true;
  char buffer[1 << 16];
};
} // namespace

static bool writeTo(const OutputWriter &write, Sink::Take take) {
  Sink sink(std::move(take));
  std::ostream out(&sink);
  write(out);
  return sink.finish();
}

static std::vector<std::string> &protectedInputs() {
  static std::vector<std::string> paths;
  return paths;
}

void protectInputs(std::vector<std::string> paths) {
  protectedInputs() = std::move(paths);
}

std::string whyNotWritten(const std::string &path) {
  for (const std::string &input : protectedInputs())
    if (isSameFile(input, path))
      return "it is the input" +
             (input == path ? "" : " '" + input + "' by another name") +
             "; name another file with -o";
  return {};
}

bool writeOutput(const std::string &path, const OutputWriter &write) {
  if (path == "-") {
    bool isWhole = writeTo(write, [](std::string_view bytes) {
      return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
    });
    return (isWhole && std::fflush(stdout) == 0) ||
           failOn("standard output", std::strerror(errno));
  }
  if (std::string why = whyNotWritten(path); !why.empty())
    return failOn(path, why);
  WholeFile file(path);
  auto keep = [&](std::string_view bytes) { return file.write(bytes); };
  bool isWhole;
  if (llvm::StringRef(path).ends_with(zstdEnding)) {
    ZstdWriter small(keep);
    isWhole = writeTo(
        write, [&](std::string_view bytes) { return small.write(bytes); });
    isWhole = isWhole && small.end();
  } else {
    isWhole = writeTo(write, keep);
  }
  return (isWhole && file.keep()) || failOn(path, file.getError());
}

bool print(const std::string &text) {
  return writeOutput("-", [&](std::ostream &out) { out << text; });
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
