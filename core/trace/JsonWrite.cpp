//===- core/trace/JsonWrite.cpp - a trace as JSON -------------------------===//
//
// Streams the fields of Fields.h; keeps no document in memory.
//
//===----------------------------------------------------------------------===//

#include "core/trace/Fields.h"
#include "core/trace/Json.h"
#include "core/trace/Names.h"
#include "core/trace/Utf8.h"

#include <algorithm>
#include <charconv>
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

class Writer {
public:
  Writer(std::ostream &out, const Workers &workers)
      : out(out), workers(workers) {}
  ~Writer() { flush(); }

  void write(const Trace &trace) {
    buffer += "{\"schemaVersion\":";
    write(schemaVersion);
    fields::forEach<Trace>([&](const auto &field) {
      if (!field.required && isDefault(trace.*field.member, {}))
        return;
      buffer += ",\n\"";
      buffer += field.name;
      buffer += "\":";
      writeTopLevel(trace.*field.member);
    });
    buffer += "}\n";
  }

private:
  /// Records that one worker writes at a time, and how often in turn: what all
  /// have written is in memory.
  static constexpr size_t pieceSize = 2048, piecesAtOnce = 64;

  template <class T> void writeTopLevel(const T &value) { write(value); }
  template <class T> void writeTopLevel(const std::vector<T> &records) {
    buffer += '[';
    flush();
    const size_t pieces = (records.size() + pieceSize - 1) / pieceSize;
    std::vector<std::string> before;
    for (size_t first = 0; first < pieces; first += piecesAtOnce) {
      std::vector<std::string> texts(std::min(piecesAtOnce, pieces - first));
      // One of them writes what came of the round before.
      workers(texts.size() + 1, [&](size_t work) {
        if (work == 0)
          return writeTexts(before);
        Writer writer(out, workers);
        writer.writePiece(records, (first + work - 1) * pieceSize);
        texts[work - 1] = std::exchange(writer.buffer, {});
      });
      before = std::move(texts);
    }
    writeTexts(before);
    buffer += ']';
  }
  void writeTexts(const std::vector<std::string> &texts) {
    for (const std::string &text : texts)
      out.write(text.data(), std::streamsize(text.size()));
  }
  template <class T>
  void writePiece(const std::vector<T> &records, size_t begin) {
    const size_t end = std::min(records.size(), begin + pieceSize);
    for (size_t i = begin; i < end; ++i) {
      buffer += i == 0 ? "\n" : ",\n";
      write(records[i]);
    }
  }

  template <class T>
    requires std::is_integral_v<T>
  void write(T number) {
    char digits[24];
    char *end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
    buffer.append(digits, end);
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
  template <class Elements> void writeElements(const Elements &elements) {
    buffer += '[';
    for (size_t i = 0; i < elements.size(); ++i) {
      if (i != 0)
        buffer += ',';
      write(elements[i]);
    }
    buffer += ']';
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

  template <class T> void writeFields(const T &object, bool &first) {
    static const T defaults;
    fields::forEach<T>([&](const auto &field) {
      const auto &value = object.*field.member;
      if (!field.required && isDefault(value, defaults.*field.member))
        return;
      buffer += first ? "\"" : ",\"";
      first = false;
      buffer += field.name;
      buffer += "\":";
      write(value);
    });
  }

  void writeQuoted(std::string_view text) {
    static constexpr char hex[] = "0123456789abcdef";
    buffer += '"';
    size_t plainFrom = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      uint8_t c = uint8_t(text[i]);
      if (c >= 0x20 && c != '"' && c != '\\')
        continue;
      buffer.append(text, plainFrom, i - plainFrom);
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
    buffer.append(text, plainFrom, text.size() - plainFrom);
    buffer += '"';
  }

  void flush() {
    out.write(buffer.data(), std::streamsize(buffer.size()));
    buffer.clear();
  }

  std::ostream &out;
  const Workers &workers;
  std::string buffer;
};

} // namespace

void writeJson(const Trace &trace, std::ostream &out, const Workers &workers) {
  Writer(out, workers).write(trace);
}

} // namespace memreflens::trace
