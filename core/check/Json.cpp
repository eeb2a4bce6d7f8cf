//===- core/check/Json.cpp - reports as JSON, and back --------------------===//

#include "core/check/Fields.h"
#include "core/check/Formats.h"
#include "core/text/Plain.h"
#include "core/trace/Names.h"

#include <nlohmann/json.hpp>

#include <map>
#include <type_traits>
#include <utility>

namespace memreflens {

using Json = nlohmann::ordered_json;

static constexpr int formatVersion = 1;

//===--- Out --------------------------------------------------------------===//

namespace {
/// As it goes: a report may have tens of megabytes, and as many again for each
/// copy of a document. A level is indented by one.
class Writer {
public:
  void write(const CheckOutput &output);
  std::string take() { return std::move(text) + "\n"; }

  // What Fields.h calls.
  void operator()(const char *name, const auto &field) { add(name, field); }
  void later(const char *name, const auto &field, const auto &...) {
    add(name, field);
  }
  void where(bool isThere, const char *name, const auto &field) {
    if (isThere)
      add(name, field);
  }
  void advice(const std::vector<Advice> &remedies);

private:
  /// Begins an element of a list, or the key of an attribute.
  void beginLine() {
    if (hasElements)
      text += ',';
    hasElements = true;
    text += '\n';
    text.append(depth, ' ');
  }
  void between(char begin, char end, const auto &writeElements) {
    text += begin;
    ++depth;
    hasElements = false;
    writeElements();
    --depth;
    if (std::exchange(hasElements, true)) {
      text += '\n';
      text.append(depth, ' ');
    }
    text += end;
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  void write(T number) {
    if constexpr (std::is_same_v<T, bool>)
      text += number ? "true" : "false";
    else
      text += std::to_string(number);
  }
  void write(std::string_view words);
  template <class T> void write(const std::vector<T> &list) {
    between('[', ']', [&] {
      for (const auto &element : list) {
        beginLine();
        write(element);
      }
    });
  }
  void beginAttribute(std::string_view key) {
    beginLine();
    write(key);
    text += ": ";
  }
  template <class T> void add(std::string_view key, const T &value) {
    beginAttribute(key);
    write(value);
  }
  void write(CauseKind kind) { write(nameOf(kind)); }
  void write(trace::Severity severity) { write(trace::nameOf(severity)); }
  void write(Quantity quantity) { write(wordsOf(quantity)); }
  void write(RemedyPass pass) { write(nameOf(pass)); }
  void write(RemedyId id) { write(nameOf(id)); }
  void write(const Sentence &sentence) { write(std::string_view(sentence)); }
  void write(const std::string &words) { write(std::string_view(words)); }
  void write(const std::optional<uint64_t> &number) {
    text += number ? std::to_string(*number) : "null";
  }
  template <class T>
    requires std::is_class_v<T>
  void write(const std::optional<T> &record) {
    write(*record);
  }
  void write(const SharedRemedy &tried);
  template <class Record>
    requires std::is_class_v<Record>
  void write(const Record &record) {
    between('{', '}', [&] { fields::each(*this, record); });
  }
  void write(const FileReport &report, const std::string &overview);

  std::string text;
  size_t depth = 0;
  /// Of the list or object that is open.
  bool hasElements = false;
  /// Texts of those that thousands of findings may share.
  std::map<std::pair<const TriedRemedy *, size_t>, std::string> remedies;
};
} // namespace

/// Text of a user's file need not be UTF-8.
static std::string dump(const Json &json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

void Writer::write(std::string_view words) {
  if (plainBytes(words) == words.size())
    text.append("\"").append(words).append("\"");
  else
    text += dump(Json(words), -1);
}

void Writer::write(const SharedRemedy &tried) {
  auto [known, isNew] = remedies.try_emplace({tried.get(), depth});
  if (!isNew) {
    text += known->second;
    return;
  }
  const size_t begin = text.size();
  write(*tried);
  known->second = text.substr(begin);
}

void Writer::advice(const std::vector<Advice> &remedies) {
  std::vector<std::string_view> words;
  std::vector<RemedyPasses> passes;
  std::vector<size_t> vain;
  for (const Advice &remedy : remedies) {
    if (remedy.isVain)
      vain.push_back(words.size());
    words.push_back(remedy.words);
    passes.push_back(remedy.passes);
  }
  add("remedies", words);
  add("remedyPasses", passes);
  add("vainRemedies", vain);
}

void Writer::write(const FileReport &report, const std::string &overview) {
  between('{', '}', [&] {
    fields::each(*this, report);
    if (overview.empty())
      return;
    beginAttribute("overview");
    for (char c : dump(Json::parse(overview), 1)) {
      text += c;
      if (c == '\n')
        text.append(depth, ' ');
    }
  });
}

void Writer::write(const CheckOutput &output) {
  between('{', '}', [&] {
    add("format", std::string_view("memref-lens check"));
    add("version", formatVersion);
    add("toolVersion", output.toolVersion);
    beginAttribute("files");
    between('[', ']', [&] {
      for (size_t i = 0; i < output.reports.size(); ++i) {
        beginLine();
        write(output.reports[i],
              i < output.overviews.size() ? output.overviews[i] : "");
      }
    });
    if (!output.change)
      return;
    beginAttribute("baseline");
    between('{', '}', [&] {
      add("new", output.change->added);
      add("fixed", output.change->fixed);
      add("unchanged", output.change->unchanged);
    });
  });
}

std::string asJson(const CheckOutput &output) {
  Writer writer;
  writer.write(output);
  return writer.take();
}

//===--- In ---------------------------------------------------------------===//

namespace {
/// Fills in one record.
class Reader {
public:
  explicit Reader(const Json &json) : json(json) {}

  // What Fields.h calls.
  void operator()(const char *name, auto &field) { read(json.at(name), field); }
  void later(const char *name, auto &field) {
    if (const auto found = json.find(name); found != json.end())
      read(*found, field);
  }
  void later(const char *name, auto &field, const auto &otherwise) {
    field = otherwise;
    later(name, field);
  }
  void where(bool, const char *name, auto &field) { later(name, field); }
  void advice(std::vector<Advice> &remedies);

private:
  template <class T>
    requires std::is_arithmetic_v<T>
  static void read(const Json &json, T &number) {
    number = json.get<T>();
  }
  static void read(const Json &json, std::string &words) {
    words = json.get<std::string>();
  }
  static void read(const Json &json, Sentence &sentence) {
    sentence = json.get<std::string>();
  }
  static void read(const Json &json, CauseKind &kind) {
    kind = causeKindNamed(json.get<std::string>());
  }
  static void read(const Json &json, trace::Severity &severity) {
    severity = trace::enumeratorNamed<trace::Severity>(json.get<std::string>())
                   .value_or(trace::Severity::error);
  }
  static void read(const Json &json, Quantity &quantity) {
    quantity = quantityNamed(json.get<std::string>()).value();
  }
  template <class T>
  static void read(const Json &json, std::optional<T> &value) {
    if (!json.is_null())
      read(json, value.emplace());
  }
  template <class T> static void read(const Json &json, std::vector<T> &list) {
    for (const Json &entry : json)
      if (isKnown(entry, list))
        read(entry, list.emplace_back());
  }
  static void read(const Json &json, RemedyId &id) {
    id = remedyNamed(json.get<std::string>());
  }
  static void read(const Json &json, RemedyPass &pass) {
    pass = passNamed(json.get<std::string>()).value();
  }
  static void read(const Json &json, SharedRemedy &tried) {
    TriedRemedy made;
    read(json, made);
    tried = std::make_shared<TriedRemedy>(std::move(made));
  }
  template <class Record>
    requires std::is_class_v<Record>
  static void read(const Json &json, Record &record) {
    Reader reader(json);
    fields::each(reader, record);
  }

  // What this version does not know is left out.
  static bool isKnown(const Json &, const auto &) { return true; }
  static bool isKnown(const Json &pass, const RemedyPasses &) {
    return passNamed(pass.get<std::string>()).has_value();
  }
  static bool isKnown(const Json &change, const std::vector<NumberChange> &) {
    return quantityNamed(change.at("what").get<std::string>()).has_value();
  }

  const Json &json;
};
} // namespace

void Reader::advice(std::vector<Advice> &remedies) {
  std::vector<std::string> words;
  std::vector<RemedyPasses> passes;
  std::vector<size_t> vain;
  (*this)("remedies", words);
  later("remedyPasses", passes);
  later("vainRemedies", vain);
  for (std::string &one : words)
    remedies.emplace_back(std::move(one));
  for (size_t at = 0; at < std::min(passes.size(), remedies.size()); ++at)
    remedies[at].passes = std::move(passes[at]);
  for (size_t at : vain)
    if (at < remedies.size())
      remedies[at].isVain = true;
}

std::optional<std::vector<FileReport>> readJsonReports(const std::string &text,
                                                       std::string &error) {
  try {
    Json root = Json::parse(text);
    if (root.at("format") != "memref-lens check" ||
        root.at("version") != formatVersion) {
      error = "not written by this version of 'memref-lens check'";
      return std::nullopt;
    }
    std::vector<FileReport> reports;
    for (const Json &file : root.at("files")) {
      Reader reader(file);
      fields::each(reader, reports.emplace_back());
    }
    return reports;
  } catch (const nlohmann::json::exception &problem) {
    error = problem.what();
    return std::nullopt;
  }
}

} // namespace memreflens
