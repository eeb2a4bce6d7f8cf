//===- core/execute/Arguments.h - what a program is run with --------------===//
//
// `--arg 0=16x16xf32:random`, `--arg x=FILE.npy`, `--arg n=64`, and how
// external functions behave: `--stub @ext=fresh`. As typed, read into plain
// data.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXECUTE_ARGUMENTS_H
#define MEMREFLENS_EXECUTE_ARGUMENTS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memreflens::execute {

enum class Content : uint8_t { random, zeros, iota, file };

/// A value for an argument.
struct ArgumentSpec {
  /// Number or name, without `%`.
  std::string key;
  /// As typed, behind `=`.
  std::string text;
  /// Of a buffer: sizes and element type, empty where its type says them.
  std::vector<int64_t> shape;
  std::string element;
  Content content = Content::random;
  /// Of `Content::file`.
  std::string path;
  std::vector<char> bytes;
  /// Of a scalar.
  bool isScalar = false;
  double number = 0;
  int64_t integer = 0;
};

/// Reads "0=16x16xf32:random". Says what is wrong in `error`.
std::optional<ArgumentSpec> parseArgument(const std::string &text,
                                          std::string &error);

/// "4x8x".
std::string shapeText(const std::vector<int64_t> &shape);

/// Reads a file of numpy's (versions 1 to 3, in the order of C): sizes, the
/// element type as MLIR has it, and the bytes. False, with `error`, if it
/// cannot; all bytes are there where it can.
bool readNpy(const std::string &bytes, ArgumentSpec &spec, std::string &error);

enum class Behaviour : uint8_t {
  fresh,  ///< returns buffers of the caller's
  kept,   ///< returns buffers that stay its own
  alias,  ///< returns an argument
  nothing ///< returns no memref
};

/// What an external function does.
struct StubSpec {
  /// Without `@`; may have `*` for any letters.
  std::string function;
  Behaviour behaviour = Behaviour::fresh;
  unsigned argument = 0;
};
/// Reads "@NAME=fresh". Says what is wrong in `error`.
std::optional<StubSpec> parseStub(const std::string &text, std::string &error);
/// What it does, as parseStub reads it: "fresh", "alias:0".
std::string wordOf(const StubSpec &stub);

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_ARGUMENTS_H
