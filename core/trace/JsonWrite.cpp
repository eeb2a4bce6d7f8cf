//===- core/trace/JsonWrite.cpp - a trace as JSON -------------------------===//
//
// Streams the fields of Fields.h; keeps no document in memory.
//
//===----------------------------------------------------------------------===//

#include "core/text/Plain.h"
#include "core/trace/Fields.h"
#include "core/trace/Json.h"
#include "core/trace/Names.h"
#include "core/trace/PackedTrace.h"
#include "core/trace/Utf8.h"

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace memreflens::trace {

namespace {

/// Whether a field is left out. Structs without `==` are always written.
template <class T> bool isDefault(const T &value, const T &byDefault) {
  if constexpr (requires { value.empty() && value.size() == 0; })
    return value.empty();
  else if constexpr (requires { value == byDefault; })
    return value == byDefault;
  else
    return false;
}

/// Text that grows: a trace is written in pieces of a few bytes, for which
/// std::string is several times slower.
class Text {
public:
  std::string_view str() const { return {begin.get(), size}; }
  /// Of so many bytes; what is not used is given back by `end`.
  char *room(size_t bytes) {
    if (capacity - size < bytes)
      grow(bytes);
    return begin.get() + size;
  }
  void end(const char *at) { size = size_t(at - begin.get()); }
  void clear() { size = 0; }
  Text &operator+=(char c) {
    *room(1) = c;
    ++size;
    return *this;
  }
  Text &operator+=(std::string_view text) {
    std::memcpy(room(text.size()), text.data(), text.size());
    size += text.size();
    return *this;
  }

private:
  void grow(size_t bytes) {
    capacity = std::max(2 * capacity, size + bytes);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (size > 0)
      std::memcpy(larger.get(), begin.get(), size);
    begin = std::move(larger);
  }

  std::unique_ptr<char[]> begin;
  size_t size = 0, capacity = 0;
};

class Writer {
public:
  explicit Writer(Text buffer = {}) : buffer(std::move(buffer)) {}
  Text take() { return std::exchange(buffer, {}); }
  void writeText(std::string_view text) { buffer += text; }

  template <class T>
    requires std::is_integral_v<T>
  void write(T number) {
    constexpr size_t mostDigits = 24;
    char *digits = buffer.room(mostDigits);
    buffer.end(std::to_chars(digits, digits + mostDigits, number).ptr);
  }
  void write(bool value) { buffer += value ? "true" : "false"; }
  template <class T>
    requires std::is_enum_v<T>
  void write(T enumerator) {
    buffer += '"';
    buffer += nameOf(enumerator);
    buffer += '"';
  }
  void write(const Range &range) {
    buffer += '[';
    write(range.begin);
    buffer += ',';
    write(range.end);
    buffer += ']';
  }
  void write(const std::string &text) {
    const size_t plain = plainBytes(text);
    if (plain == text.size()) {
      char *at = buffer.room(plain + 2);
      *at = '"';
      std::memcpy(at + 1, text.data(), plain);
      at[plain + 1] = '"';
      return buffer.end(at + plain + 2);
    }
    if (isValidUtf8(text))
      return writeQuoted(text);
    buffer += "{\"base64\":\"";
    buffer += toBase64(text);
    buffer += "\"}";
  }
  void write(const Name &name) { write(name.str()); }
  template <class T> void write(const std::vector<T> &elements) {
    writeElements(elements);
  }
  template <class T> void write(const List<T> &elements) {
    writeElements(elements);
  }
  template <class T>
    requires std::is_class_v<T>
  void write(const T &object) {
    buffer += '{';
    bool first = true;
    writeFields(object, first);
    buffer += '}';
  }
  void write(const Event &event) {
    buffer += '{';
    bool first = true;
    writeFields(event, first);
    buffer += ",\"kind\":\"";
    buffer += kindOf(event);
    buffer += '"';
    std::visit([&](const auto &detail) { writeFields(detail, first); },
               event.detail);
    buffer += '}';
  }

private:
  template <class Elements> void writeElements(const Elements &elements) {
    buffer += '[';
    for (size_t i = 0; i < elements.size(); ++i) {
      if (i != 0)
        buffer += ',';
      write(elements[i]);
    }
    buffer += ']';
  }
  template <class T> void writeFields(const T &object, bool &first) {
    constexpr size_t count = std::tuple_size_v<decltype(fields::of<T>())>;
    [&]<size_t... numbers>(std::index_sequence<numbers...>) {
      (writeField<T, numbers>(object, first), ...);
    }(std::make_index_sequence<count>());
  }
  template <class T, size_t number>
  void writeField(const T &object, bool &first) {
    static constexpr auto field = std::get<number>(fields::of<T>());
    static const T defaults;
    const auto &value = object.*field.member;
    if (!field.required && isDefault(value, defaults.*field.member))
      return;
    static constexpr std::string_view name = field.name;
    char *at = buffer.room(name.size() + 4);
    if (!std::exchange(first, false))
      *at++ = ',';
    *at++ = '"';
    std::memcpy(at, name.data(), name.size());
    at += name.size();
    *at++ = '"';
    *at++ = ':';
    buffer.end(at);
    write(value);
  }

  void writeQuoted(std::string_view text) {
    static constexpr char hex[] = "0123456789abcdef";
    buffer += '"';
    size_t plainFrom = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      const uint8_t c = uint8_t(text[i]);
      if (isPlain(text[i]) || c >= 0x80)
        continue;
      buffer += text.substr(plainFrom, i - plainFrom);
      plainFrom = i + 1;
      if (c == '\n')
        buffer += "\\n";
      else if (c == '\t')
        buffer += "\\t";
      else if (c >= 0x20)
        (buffer += '\\') += char(c);
      else
        ((buffer += "\\u00") += hex[c >> 4]) += hex[c & 15];
    }
    buffer += text.substr(plainFrom);
    buffer += '"';
  }

  Text buffer;
};

/// Records of all lists in pieces, made side by side and written in order.
class Document {
public:
  explicit Document(const Trace &trace, const PackedTrace *packed = nullptr) {
    Writer between;
    between.writeText("{\"schemaVersion\":");
    between.write(schemaVersion);
    fields::forEach<Trace>([&](const auto &field) {
      const auto &value = trace.*field.member;
      using List = std::decay_t<decltype(value)>;
      std::vector<PackedTrace::Piece> parts;
      if constexpr (isPacked<List>)
        if (packed)
          parts = packed->pieces<typename List::value_type>();
      if (!field.required && parts.empty() && isDefault(value, {}))
        return;
      between.writeText(",\n\"");
      between.writeText(field.name);
      between.writeText("\":");
      if constexpr (isPacked<List>)
        if (packed)
          return add<typename List::value_type>(*packed, std::move(parts),
                                                between);
      add(value, between);
    });
    between.writeText("}\n");
    texts.push_back(between.take());
  }

  /// Whoever has made a piece writes it, with those behind it that are there,
  /// unless somebody writes already.
  void write(std::ostream &out, const Workers &workers) {
    std::mutex mutex;
    std::condition_variable wrote;
    std::vector<bool> isMade(pieces.size());
    size_t next = 0;
    bool isWriting = false;
    workers(pieces.size(), [&](size_t number) {
      std::unique_lock lock(mutex);
      Writer writer(takeSpare());
      lock.unlock();
      pieces[number].make(writer);
      lock.lock();
      texts[pieces[number].text] = writer.take();
      isMade[number] = true;
      wrote.wait(lock,
                 [&] { return !isWriting || number < next + piecesAhead; });
      if (std::exchange(isWriting, true))
        return;
      while (next < pieces.size() && isMade[next]) {
        Text &piece = texts[pieces[next].text];
        const size_t end = pieces[next++].text;
        lock.unlock();
        writeUpTo(end + 1, out);
        lock.lock();
        spare.push_back(std::move(piece));
        wrote.notify_all();
      }
      isWriting = false;
      wrote.notify_all();
    });
    writeUpTo(texts.size(), out);
  }

private:
  struct Piece {
    std::function<void(Writer &)> make;
    /// Among the texts.
    size_t text = 0;
  };
  /// Records of one piece, and how many pieces may wait in memory.
  static constexpr size_t pieceSize = 2048, piecesAhead = 64;

  template <class List>
  static constexpr bool isPacked =
      std::is_same_v<List, std::vector<Function>> ||
      std::is_same_v<List, std::vector<Block>> ||
      std::is_same_v<List, std::vector<Op>> ||
      std::is_same_v<List, std::vector<Value>> ||
      std::is_same_v<List, std::vector<Event>>;

  template <class T> void add(const T &value, Writer &between) {
    between.write(value);
  }
  template <class T>
  void add(const PackedTrace &packed, std::vector<PackedTrace::Piece> parts,
           Writer &between) {
    between.writeText("[");
    texts.push_back(between.take());
    for (const PackedTrace::Piece &part : parts)
      addPiece([&packed, part](Writer &writer) {
        for (const T &record : packed.records<T>(part))
          writeRecord(writer, record, record.id == 0);
      });
    between.writeText("]");
  }
  template <class T> void add(const std::vector<T> &records, Writer &between) {
    between.writeText("[");
    texts.push_back(between.take());
    for (size_t begin = 0; begin < records.size(); begin += pieceSize) {
      const size_t end = std::min(records.size(), begin + pieceSize);
      addPiece([&records, begin, end](Writer &writer) {
        for (size_t i = begin; i < end; ++i)
          writeRecord(writer, records[i], i == 0);
      });
    }
    between.writeText("]");
  }
  void addPiece(std::function<void(Writer &)> make) {
    pieces.push_back({std::move(make), texts.size()});
    texts.emplace_back();
  }
  template <class T>
  static void writeRecord(Writer &writer, const T &record, bool isFirst) {
    writer.writeText(isFirst ? "\n" : ",\n");
    writer.write(record);
  }
  void writeUpTo(size_t end, std::ostream &out) {
    for (; written < end; ++written) {
      const std::string_view text = texts[written].str();
      out.write(text.data(), std::streamsize(text.size()));
    }
  }
  /// Memory that was written already is warm.
  Text takeSpare() {
    if (spare.empty())
      return {};
    Text text = std::move(spare.back());
    spare.pop_back();
    text.clear();
    return text;
  }

  std::vector<Text> texts, spare;
  std::vector<Piece> pieces;
  size_t written = 0;
};

} // namespace

void writeJson(const Trace &trace, std::ostream &out, const Workers &workers) {
  Document(trace).write(out, workers);
}

void writeJson(const PackedTrace &trace, std::ostream &out,
               const Workers &workers) {
  Document(trace.getHead(), &trace).write(out, workers);
}

} // namespace memreflens::trace
