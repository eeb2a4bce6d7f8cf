//===- tests/trace/JsonTest.cpp - writing and reading a trace -------------===//

#include "core/trace/Json.h"
#include "core/trace/Utf8.h"
#include "core/trace/Validate.h"
#include "tests/support/EveryField.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

namespace memreflens::trace {
namespace {

std::string toJson(const Trace &trace) {
  std::ostringstream out;
  writeJson(trace, out);
  return out.str();
}

std::string replaced(std::string text, std::string_view from,
                     std::string_view to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " is not in the trace";
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

void checkRejected(std::string_view text, const std::string &error) {
  ReadResult result = readJson(text);
  EXPECT_FALSE(result);
  EXPECT_EQ(result.error, error);
}

/// A small trace in JSON to damage.
std::string smallTrace() {
  Trace trace;
  trace.source.text = "some text";
  trace.values.resize(2);
  trace.values[0].id = 0;
  trace.values[1].id = 1;
  trace.values[1].kind = ValueKind::argument;
  trace.values[1].index = 7;
  trace.events.emplace_back();
  trace.events[0].id = 0;
  trace.events[0].stage = 3;
  trace.events[0].value = 1;
  trace.events[0].detail = OwnershipEvent{};
  return toJson(trace);
}

TEST(Json, emptyTraceRoundTrips) {
  ReadResult result = readJson(toJson({}));
  ASSERT_TRUE(result) << result.error;
  EXPECT_TRUE(test::sameTrace(*result.trace, {}));
}

TEST(Json, everyFieldAndEnumeratorRoundTrips) {
  Trace trace = test::traceWithEveryField();
  ASSERT_EQ(validate(trace), std::nullopt) << *validate(trace);
  std::string json = toJson(trace);
  ReadResult result = readJson(json);
  ASSERT_TRUE(result) << result.error;
  EXPECT_TRUE(test::sameTrace(*result.trace, trace));
  EXPECT_EQ(toJson(*result.trace), json);
}

TEST(Json, comparisonSeesEachField) {
  Trace a = test::traceWithEveryField(), b = a;
  EXPECT_TRUE(test::sameTrace(a, b));
  std::get<RewriteEvent>(b.events[9].detail).facts[0].secondTerminals = {3};
  EXPECT_FALSE(test::sameTrace(a, b));
  b = a;
  b.problems[0].notes[0].remedy += "x";
  EXPECT_FALSE(test::sameTrace(a, b));
}

TEST(Json, leavesOutDefaultsAndWritesARecordALine) {
  EXPECT_NE(smallTrace().find("\n{\"id\":1,\"kind\":\"argument\",\"index\":7}"),
            std::string::npos);
  EXPECT_NE(smallTrace().find(
                "\n{\"id\":0,\"stage\":3,\"value\":1,\"kind\":\"ownership\"}]"),
            std::string::npos)
      << smallTrace();
}

TEST(Json, textThatIsNotUtf8LosesNoByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i)
    bytes += char(i);
  for (size_t length = 0; length <= bytes.size(); ++length) {
    Trace trace;
    trace.source.text = bytes.substr(bytes.size() - length);
    ReadResult result = readJson(toJson(trace));
    ASSERT_TRUE(result) << result.error;
    EXPECT_EQ(result.trace->source.text, trace.source.text);
  }
}

TEST(Json, utf8IsToldFromOtherBytes) {
  for (const char *good : {"", "a", "\xC3\xA9", "\xE2\x82\xAC", "\xED\x9F\xBF",
                           "\xF4\x8F\xBF\xBF", "\xEF\xBF\xBF"})
    EXPECT_TRUE(isValidUtf8(good)) << good;
  for (const char *bad :
       {"\x80", "\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "a\xFF"})
    EXPECT_FALSE(isValidUtf8(bad)) << bad;
}

TEST(JsonReader, rejectsWhatIsNotATrace) {
  checkRejected("", "not a trace: the input is empty");
  checkRejected(" \n", "not a trace: the input is empty");
  checkRejected("[]", "not a trace: expected an object, got an array");
  checkRejected("{}", "schemaVersion is missing: this is not a trace of "
                      "memref-lens, or one from before version 1");
  EXPECT_EQ(readJson("func.func @f()").error.rfind("not JSON: parse error", 0),
            0u);
}

TEST(JsonReader, namesBothVersions) {
  checkRejected(
      "{\"schemaVersion\":2}",
      "schemaVersion: the trace has version 2, this memref-lens reads "
      "version 1: open it with a newer memref-lens, or write the "
      "trace again with this one");
  checkRejected(
      "{\"schemaVersion\":0}",
      "schemaVersion: the trace has version 0, this memref-lens reads "
      "version 1: write the trace again with this memref-lens");
  checkRejected("{\"schemaVersion\":\"1\"}",
                "schemaVersion: expected an integer, got a string");
}

TEST(JsonReader, namesThePlaceOfAFault) {
  std::string json = smallTrace();
  checkRejected(replaced(json, "\"ownership\"", "\"ownershp\""),
                "events[0].kind: unknown kind 'ownershp'");
  checkRejected(replaced(json, "\"kind\":\"ownership\"", "\"op\":-1"),
                "events[0]: kind is missing");
  checkRejected(replaced(json, "\"argument\"", "\"parameter\""),
                "values[1].kind: unknown name 'parameter'");
  checkRejected(replaced(json, "\"index\":7", "\"index\":-7"),
                "values[1].index: expected an integer from 0 to 4294967295, "
                "got -7");
  checkRejected(replaced(json, "\"index\":7", "\"index\":4294967296"),
                "values[1].index: expected an integer from 0 to 4294967295, "
                "got 4294967296");
  checkRejected(replaced(json, "\"index\":7", "\"index\":7.5"),
                "values[1].index: expected an integer, got a number with a "
                "fraction");
  checkRejected(replaced(json, "\"index\":7", "\"index\":18446744073709551615"),
                "values[1].index: expected an integer from 0 to 4294967295, "
                "got 18446744073709551615");
  checkRejected(replaced(json, "\"index\":7", "\"indexes\":7"),
                "values[1].indexes: unknown field");
  checkRejected(replaced(json, "\"index\":7", "\"range\":[0]"),
                "values[1].range: expected a range [begin, end], got an array");
  checkRejected(replaced(json, "\"index\":7", "\"range\":[0,true]"),
                "values[1].range[1]: expected an integer, got true");
  checkRejected(replaced(json, "\"index\":7", "\"uses\":[[0,1],[2,\"x\"]]"),
                "values[1].uses[1][1]: expected an integer, got a string");
  checkRejected(replaced(json, "\"index\":7", "\"isMemref\":1"),
                "values[1].isMemref: expected true or false, got the number 1");
  checkRejected(replaced(json, "\"some text\"", "{\"base64\":\"A===\"}"),
                "source.text: not valid base64");
  checkRejected(replaced(json, "\"some text\"", "3"),
                "source.text: expected a string or {\"base64\": string}, got "
                "the number 3");
  checkRejected(replaced(json, ",\n\"problems\":[]", ""),
                "problems is missing");
  checkRejected(replaced(json, "\"index\":7", "\"index\":7,\"index\":7"),
                "values[1].index: given twice");
}

TEST(JsonReader, rejectsIdsOutOfRange) {
  std::string json = smallTrace();
  checkRejected(replaced(json, "\"value\":1", "\"value\":2"),
                "events[0].value: there is no value 2 (the trace has 2)");
  checkRejected(replaced(json, "\"value\":1", "\"value\":-2"),
                "events[0].value: expected an integer from -1 to 2147483647, "
                "got -2");
  checkRejected(replaced(json, "\"id\":1,", "\"id\":0,"),
                "values[1].id: expected 1, got 0");
  checkRejected(replaced(json, "\"index\":7", "\"range\":[3,10]"),
                "values[1].range: the range ends at 10, past the source text's "
                "9 bytes");
}

TEST(JsonReader, survivesEachTruncation) {
  std::string json = smallTrace();
  for (size_t length = 0; length + 2 < json.size(); ++length) {
    ReadResult result = readJson(std::string_view(json).substr(0, length));
    EXPECT_FALSE(result) << length;
    EXPECT_FALSE(result.error.empty());
  }
}

TEST(JsonReader, survivesDepthBombs) {
  for (const char *unit : {"[", "{\"a\":", "{\"notes\":["}) {
    std::string bomb;
    for (int i = 0; i < 1000000; ++i)
      bomb += unit;
    EXPECT_NE(readJson(bomb).error.find("nested more than 128 deep"),
              std::string::npos);
  }
}

/// Hands out a few bytes at a time.
class Pieces : public std::stringbuf {
public:
  Pieces(const std::string &text, std::streamsize most)
      : std::stringbuf(text, std::ios::in), most(most) {}
  std::streamsize xsgetn(char *to, std::streamsize count) override {
    return std::stringbuf::xsgetn(to, std::min(count, most));
  }

private:
  std::streamsize most;
};

/// The same answer, also where a piece ends within a token.
void checkStream(const std::string &text) {
  ReadResult whole = readJson(text);
  for (std::streamsize most : {1, 2, 3, 7, 64, 1000, 1000000}) {
    Pieces pieces(text, most);
    std::istream stream(&pieces);
    ReadResult streamed = readJson(stream);
    EXPECT_EQ(whole.error, streamed.error);
    ASSERT_EQ(bool(whole), bool(streamed));
    if (whole) {
      EXPECT_TRUE(test::sameTrace(*whole.trace, *streamed.trace));
    }
  }
}

TEST(JsonReader, readsStreamsAsTexts) {
  std::string json = toJson(test::traceWithEveryField());
  checkStream(json);
  checkStream("\xEF\xBB\xBF" + json);
  for (const std::string &bad :
       {std::string(), std::string(" "), std::string("{\"schemaVersion\":2}"),
        json.substr(0, json.size() / 2), json + "x",
        replaced(json, "\"ownership\"", "\"ownershp\"")}) {
    EXPECT_FALSE(readJson(bad));
    checkStream(bad);
  }
}

TEST(JsonReader, stringsAreThoseThatTheStandardAllows) {
  auto textOf = [](const std::string &quoted) {
    Trace trace;
    trace.source.text = "HERE";
    ReadResult result =
        readJson(replaced(toJson(trace), "\"HERE\"", "\"" + quoted + "\""));
    return result ? result.trace->source.text : "refused: " + result.error;
  };
  EXPECT_EQ(textOf(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(textOf(R"(\u0041\u00e9\u20AC\ud83d\ude00)"),
            "A\u00e9\u20AC\U0001F600");
  for (const char *bad : {R"(\x)", R"(\u12)", R"(\ud83d)", R"(\ud83d\u0041)",
                          R"(\ude00)", "\n", "\x01", "\xFF", "\xC3"})
    EXPECT_EQ(textOf(bad).rfind("refused: not JSON: parse error", 0), 0u)
        << textOf(bad);
}

TEST(JsonReader, fieldsMayComeInAnyOrder) {
  std::string json = smallTrace();
  for (
      const char *event :
      {R"({"rule":"callResult","kind":"ownership","value":1,"stage":3,"id":0})",
       R"({"after":{"state":"unknown"},"inputs":[1,0],"inputOwnerships":[{},{}],"id":0,"stage":3,)"
       R"("kind":"ownership"})"}) {
    ReadResult result = readJson(replaced(
        json, R"({"id":0,"stage":3,"value":1,"kind":"ownership"})", event));
    ASSERT_TRUE(result) << result.error;
    const auto &detail =
        std::get<OwnershipEvent>(result.trace->events[0].detail);
    EXPECT_EQ(detail.rule == OwnershipRule::callResult, detail.inputs.empty());
  }
  checkRejected(replaced(json, "\"id\":0,\"stage\"",
                         "\"nothing\":[{\"}\":1}],\"id\":0,\"stage\""),
                "events[0].nothing: unknown field");
  // The version may stand last.
  std::string version = "\"schemaVersion\":1,";
  std::string last = replaced(json, version, "");
  last.insert(last.rfind('}'), ",\"schemaVersion\":1");
  EXPECT_TRUE(readJson(last)) << readJson(last).error;
}

TEST(JsonReader, survivesDamage) {
  std::string good = toJson(test::traceWithEveryField());
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string text = good;
    for (int i = 0; i < 3; ++i)
      text[random() % text.size()] =
          "0123456789-{}[]\",:ntf\xFF"[random() % 22];
    ReadResult result = readJson(text);
    EXPECT_NE(bool(result), !result.error.empty());
    if (result) {
      EXPECT_EQ(validate(*result.trace), std::nullopt);
    }
  }
}

} // namespace
} // namespace memreflens::trace
