//===- tests/fuzz/BundleFuzz.cpp - archives and bundles from anywhere -----===//
//
// Whatever the bytes, an archive gives plain files within the limits or one
// sentence. A bundle that is read is written and read back equal.
//
// Input: one byte of flags, then an archive's bytes, or, since a fuzzer guesses
// no checksum, a manifest and files to make one of.
//
//===----------------------------------------------------------------------===//

#include "core/bundle/Bundle.h"
#include "tests/fuzz/Fuzz.h"

#include <algorithm>
#include <set>

using namespace memreflens;
using namespace memreflens::bundle;
using fuzz::require;

namespace {

void checkArchive(std::string_view bytes) {
  Limits limits{.files = 5, .bytes = 20000};
  std::string error;
  std::optional<std::vector<File>> files = unpack(bytes, error, limits);
  require(files.has_value() == error.empty(), "files or an error", error);
  if (!files)
    return;
  std::set<std::string> names;
  size_t total = 0;
  for (const File &file : *files) {
    require(!file.name.empty() && file.name[0] != '/' &&
                ("/" + file.name + "/").find("/../") == std::string::npos,
            "a name leads nowhere else", file.name);
    require(names.insert(file.name).second, "each name is there once");
    total += file.bytes.size();
  }
  require(files->size() <= limits.files && total <= limits.bytes,
          "the limits hold");
  std::string packed = pack(*files, error);
  require(!packed.empty() && isCompressed(packed), "files are packed", error);
  std::optional<std::vector<File>> again = unpack(packed, error, limits);
  require(again && std::equal(files->begin(), files->end(), again->begin(),
                              again->end(),
                              [](const File &a, const File &b) {
                                return a.name == b.name && a.bytes == b.bytes;
                              }),
          "and unpacked equal", error);
}

bool same(const Bundle &a, const Bundle &b) {
  return a.toolVersion == b.toolVersion && a.llvmVersion == b.llvmVersion &&
         a.options == b.options && a.input == b.input &&
         a.isBytecode == b.isBytecode && a.trace == b.trace &&
         a.comparison == b.comparison &&
         std::equal(a.stages.begin(), a.stages.end(), b.stages.begin(),
                    b.stages.end(), [](const Stage &one, const Stage &other) {
                      return one.name == other.name && one.text == other.text;
                    });
}

void checkBundle(std::string_view bytes) {
  std::string error;
  std::optional<Bundle> bundle = read(bytes, error);
  require(bundle.has_value() == error.empty(), "a bundle or an error", error);
  if (!bundle)
    return;
  std::string written = write(*bundle, error);
  require(!written.empty(), "a bundle is written", error);
  std::optional<Bundle> again = read(written, error);
  require(again && same(*bundle, *again), "and read back equal", error);
}

/// A manifest that the bytes finish, and the files that it may name.
std::string makeBundle(fuzz::Choices &choices) {
  static const char *const names[] = {
      "trace.json",  "compare.txt", "input.mlir", "input.mlirbc",
      "ir/0-a.mlir", "../a",        "/b"};
  std::vector<File> files;
  unsigned number = choices.below(7);
  for (unsigned i = 0; i < number; ++i)
    files.push_back({std::string("bundle/") + names[choices.below(7)],
                     std::string(choices.take(choices.below(20)))});
  std::string manifest = "{\"kind\":\"memref-lens bundle\",\"bundleVersion\":1";
  if (choices.chance(70))
    manifest += ",\"input\":\"input.mlir\"";
  files.push_back(
      {"bundle/manifest.json", manifest + std::string(choices.rest()) + "}"});
  std::string error;
  return pack(files, error);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::Choices choices(data, size);
  uint8_t flags = choices.byte();
  std::string bytes =
      flags & 1 ? makeBundle(choices) : std::string(choices.rest());
  if (flags & 2)
    bytes.resize(bytes.size() / 2);
  checkArchive(bytes);
  checkBundle(bytes);
  return 0;
}
