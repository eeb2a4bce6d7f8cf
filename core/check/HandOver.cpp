//===- core/check/HandOver.cpp --------------------------------------------===//

#include "core/check/HandOver.h"
#include "core/check/Fields.h"
#include "core/trace/Utf8.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <map>
#include <type_traits>

namespace memreflens {

static constexpr std::string_view begin = "memref-lens report\n";
/// What was cut off does not end so.
static constexpr std::string_view end = "\nwhole";

//===--- Out and in -------------------------------------------------------===//

template <typename Type>
concept Plain = std::is_arithmetic_v<Type> || std::is_enum_v<Type>;

/// Text of a user's file need not be UTF-8, and the JSON that may be made of it
/// has to be.
static std::string asUtf8(const std::string &text) {
  using nlohmann::json;
  return json::parse(
      json(text).dump(-1, ' ', false, json::error_handler_t::replace));
}

namespace {
/// All fields are there, whatever JSON leaves out.
template <class Direction> class EachField {
public:
  void operator()(const char *, auto &field) { direction().one(field); }
  void later(const char *, auto &field, const auto &...) {
    direction().one(field);
  }
  void where(bool, const char *, auto &field) { direction().one(field); }
  void advice(auto &field) { direction().one(field); }

private:
  Direction &direction() { return static_cast<Direction &>(*this); }
};

class Packer : public EachField<Packer> {
public:
  void one(auto &field) { write(field); }
  std::string take() { return std::move(bytes); }

private:
  template <Plain Type> void write(Type value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
  }
  void write(std::string &text) {
    if (!trace::isValidUtf8(text))
      text = asUtf8(text);
    write(text.size());
    bytes += text;
  }
  template <typename Type> void write(std::vector<Type> &list) {
    write(list.size());
    for (Type &one : list)
      write(one);
  }
  template <typename Type> void write(std::optional<Type> &value) {
    write(value.has_value());
    if (value)
      write(*value);
  }
  /// With the place where it was made: whoever asks for that asks the parent.
  void write(Sentence &sentence) {
    std::string file = sentence.madeAt().getFile();
    write(static_cast<std::string &>(sentence));
    write(file);
    write(sentence.madeAt().getLine());
  }
  void write(Advice &advice) {
    write(advice.words);
    write(advice.passes);
    write(advice.isVain);
  }
  /// Many findings share it: what comes again is its number.
  void write(SharedRemedy &remedy) {
    auto [at, isNew] = remedies.try_emplace(remedy.get(), remedies.size());
    write(at->second);
    if (isNew) {
      TriedRemedy copy = *remedy;
      write(copy);
    }
  }
  template <typename Type>
  void write(Type &record)
    requires std::is_class_v<Type>
  {
    fields::each(*this, record);
  }

  std::string bytes;
  std::map<const TriedRemedy *, size_t> remedies;
};

class Unpacker : public EachField<Unpacker> {
public:
  explicit Unpacker(std::string_view bytes) : rest(bytes) {}
  void one(auto &field) { read(field); }
  bool isWhole() const { return !isCut && rest.empty(); }

private:
  bool has(size_t size) {
    isCut |= size > rest.size();
    return !isCut;
  }
  template <Plain Type> void read(Type &value) {
    if (!has(sizeof(value)))
      return;
    std::memcpy(&value, rest.data(), sizeof(value));
    rest.remove_prefix(sizeof(value));
  }
  void read(std::string &text) {
    size_t size = 0;
    read(size);
    if (!has(size))
      return;
    text = rest.substr(0, size);
    rest.remove_prefix(size);
  }
  template <typename Type> void read(std::vector<Type> &list) {
    size_t size = 0;
    read(size);
    // Each has a byte at least.
    if (!has(size))
      return;
    list.reserve(size);
    for (size_t i = 0; i < size && !isCut; ++i)
      read(list.emplace_back());
  }
  template <typename Type> void read(std::optional<Type> &value) {
    bool isThere = false;
    read(isThere);
    if (isThere)
      read(value.emplace());
  }
  void read(Sentence &sentence) {
    std::string file;
    uint32_t line = 0;
    read(static_cast<std::string &>(sentence));
    read(file);
    read(line);
    sentence.setMadeAt(SentencePlace::of(file, line));
  }
  void read(Advice &advice) {
    read(advice.words);
    read(advice.passes);
    read(advice.isVain);
  }
  void read(SharedRemedy &remedy) {
    size_t number = 0;
    read(number);
    if (number == remedies.size()) {
      TriedRemedy made;
      read(made);
      remedies.push_back(std::make_shared<TriedRemedy>(std::move(made)));
    }
    isCut |= number >= remedies.size();
    if (!isCut)
      remedy = remedies[number];
  }
  template <typename Type>
  void read(Type &record)
    requires std::is_class_v<Type>
  {
    fields::each(*this, record);
  }

  std::string_view rest;
  bool isCut = false;
  std::vector<SharedRemedy> remedies;
};
} // namespace

std::string asBytes(FileReport report) {
  Packer writer;
  writer.one(report);
  return std::string(begin) + writer.take() + std::string(end);
}

std::optional<FileReport> reportFromBytes(std::string_view bytes) {
  if (!bytes.starts_with(begin) || !bytes.ends_with(end) ||
      bytes.size() < begin.size() + end.size())
    return std::nullopt;
  bytes.remove_prefix(begin.size());
  bytes.remove_suffix(end.size());
  FileReport report;
  Unpacker reader(bytes);
  reader.one(report);
  return reader.isWhole() ? std::optional(std::move(report)) : std::nullopt;
}

} // namespace memreflens
