//===- tests/trace/SchemaTest.cpp - the schema says what the code does ----===//
//
// Two ways: written traces are valid, and each list of Fields.h and enumeration
// of Names.h is the schema's, with types, bounds and defaults.
//
//===----------------------------------------------------------------------===//

#include "core/trace/Json.h"
#include "tests/support/EveryField.h"
#include "tests/support/Fixtures.h"
#include "tests/support/SchemaValidator.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace memreflens::trace {
namespace {

using Json = nlohmann::json;
using test::SchemaValidator;

const SchemaValidator &schema() {
  static const SchemaValidator validator = [] {
    std::ifstream file(MEMREF_LENS_TRACE_SCHEMA);
    return SchemaValidator(Json::parse(file));
  }();
  return validator;
}

Json written(const Trace &trace) {
  std::ostringstream out;
  writeJson(trace, out);
  return Json::parse(out.str());
}

//===--- Traces against the schema ----------------------------------------===//

TEST(Schema, acceptsEveryFieldAndEnumerator) {
  EXPECT_EQ(schema().validate(written(test::traceWithEveryField())), "");
}

TEST(Schema, acceptsSmallTraces) {
  EXPECT_EQ(schema().validate(written({})), "");
  EXPECT_EQ(schema().validate(written(test::BranchExample().trace())), "");
  Trace bytes;
  bytes.source.text = "\xFF";
  EXPECT_EQ(schema().validate(written(bytes)), "");
}

TEST(Schema, rejectsWhatTheReaderRejects) {
  Json good = written(test::traceWithEveryField());
  auto checkRejected = [&](const char *pointer, Json value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = std::move(value);
    EXPECT_NE(schema().validate(bad), "") << pointer;
    EXPECT_FALSE(readJson(bad.dump())) << pointer;
  };
  checkRejected("/schemaVersion", 2);
  checkRejected("/extra", 1);
  checkRejected("/source/text", 1);
  checkRejected("/source/text", {{"base65", ""}});
  checkRejected("/events/0/kind", "ownershp");
  checkRejected("/events/0/liveIn", Json::array());
  checkRejected("/events/0/stage", 256);
  checkRejected("/events/2/rule", "none");
  checkRejected("/events/2/before/state", "unknow");
  checkRejected("/values/0/range", {0});
  checkRejected("/values/0/range/0", -1);
  checkRejected("/values/0/constant", 2);
  checkRejected("/values/0/op", -2);
  checkRejected("/values/0/isMemref", 1);
  checkRejected("/ops/0/regions", {0});
  checkRejected("/problems/0/notes/0/severity", "fatal");
  for (const char *name : {"id", "stage", "kind"}) {
    Json bad = good;
    bad["events"][0].erase(name);
    EXPECT_NE(schema().validate(bad), "") << name;
    EXPECT_FALSE(readJson(bad.dump())) << name;
  }
}

//===--- The lists of the code against the schema -------------------------===//

template <class T> struct NameInSchema;
#define NAME_IN_SCHEMA(type, name)                                             \
  template <> struct NameInSchema<type> {                                      \
    static constexpr const char *value = name;                                 \
  };
NAME_IN_SCHEMA(Range, "range")
NAME_IN_SCHEMA(std::string, "text")
NAME_IN_SCHEMA(Name, "text")
NAME_IN_SCHEMA(TextStep, "textStep")
NAME_IN_SCHEMA(Severity, "severity")
NAME_IN_SCHEMA(InterfaceCall, "interfaceCall")
NAME_IN_SCHEMA(UnregisteredOps, "unregisteredOps")
NAME_IN_SCHEMA(Agreement, "agreement")
NAME_IN_SCHEMA(ValueKind, "valueKind")
NAME_IN_SCHEMA(FunctionStatus, "functionStatus")
NAME_IN_SCHEMA(OwnershipState, "ownershipState")
NAME_IN_SCHEMA(OwnershipRule, "ownershipRule")
NAME_IN_SCHEMA(CandidateSource, "candidateSource")
NAME_IN_SCHEMA(DropReason, "dropReason")
NAME_IN_SCHEMA(RetainReason, "retainReason")
NAME_IN_SCHEMA(CloneDemand, "cloneDemand")
NAME_IN_SCHEMA(SignaturePart, "signaturePart")
NAME_IN_SCHEMA(RejectionCause, "rejectionCause")
NAME_IN_SCHEMA(SameAllocation, "sameAllocation")
NAME_IN_SCHEMA(AliasRule, "aliasRule")
NAME_IN_SCHEMA(RewriteKind, "rewriteKind")
NAME_IN_SCHEMA(LoweringCase, "loweringCase")
NAME_IN_SCHEMA(Source, "source")
NAME_IN_SCHEMA(RunOptions, "runOptions")
NAME_IN_SCHEMA(Problem, "problem")
NAME_IN_SCHEMA(Value, "value")
NAME_IN_SCHEMA(Op, "op")
NAME_IN_SCHEMA(Block, "block")
NAME_IN_SCHEMA(PeakGapKind, "peakGapKind")
NAME_IN_SCHEMA(CostKind, "costKind")
NAME_IN_SCHEMA(SpaceUse, "spaceUse")
NAME_IN_SCHEMA(CostSite, "costSite")
NAME_IN_SCHEMA(LoopRounds, "loopRounds")
NAME_IN_SCHEMA(LoopRange, "loopRange")
NAME_IN_SCHEMA(ComputedNumber, "computedNumber")
NAME_IN_SCHEMA(PassedNumber, "passedNumber")
NAME_IN_SCHEMA(Amount, "amount")
NAME_IN_SCHEMA(Symbol, "symbol")
NAME_IN_SCHEMA(PeakGap, "peakGap")
NAME_IN_SCHEMA(BufferBytes, "bufferBytes")
NAME_IN_SCHEMA(CalleeBytes, "calleeBytes")
NAME_IN_SCHEMA(GlobalBytes, "globalBytes")
NAME_IN_SCHEMA(LiveBytes, "liveBytes")
NAME_IN_SCHEMA(FreedAt, "freedAt")
NAME_IN_SCHEMA(HeapUse, "heapUse")
NAME_IN_SCHEMA(Escape, "escape")
NAME_IN_SCHEMA(UseSpan, "useSpan")
NAME_IN_SCHEMA(Function, "function")
NAME_IN_SCHEMA(Stage, "stage")
NAME_IN_SCHEMA(Chunk, "chunk")
NAME_IN_SCHEMA(Ownership, "ownership")
NAME_IN_SCHEMA(AliasFact, "aliasFact")
NAME_IN_SCHEMA(AliasLink, "aliasLink")
NAME_IN_SCHEMA(CriticalReason, "criticalReason")
NAME_IN_SCHEMA(MoveOutcome, "moveOutcome")
NAME_IN_SCHEMA(PlacementWarning, "placementWarning")
NAME_IN_SCHEMA(LocalAlias, "localAlias")
NAME_IN_SCHEMA(SourceKind, "sourceKind")
NAME_IN_SCHEMA(Separation, "separation")
NAME_IN_SCHEMA(StatedFact, "statedFact")
NAME_IN_SCHEMA(MemrefSources, "memrefSources")
NAME_IN_SCHEMA(AliasPair, "aliasPair")
NAME_IN_SCHEMA(Access, "access")
NAME_IN_SCHEMA(StatedPair, "statedPair")
NAME_IN_SCHEMA(FunctionAliases, "functionAliases")
NAME_IN_SCHEMA(TensorPlacement, "tensorPlacement")
NAME_IN_SCHEMA(TensorReasonKind, "tensorReasonKind")
NAME_IN_SCHEMA(TensorReadOnly, "tensorReadOnly")
NAME_IN_SCHEMA(TensorCostOrigin, "tensorCostOrigin")
NAME_IN_SCHEMA(TensorReason, "tensorReason")
NAME_IN_SCHEMA(TensorOperand, "tensorOperand")
NAME_IN_SCHEMA(TensorCost, "tensorCost")
NAME_IN_SCHEMA(TensorArgument, "tensorArgument")
NAME_IN_SCHEMA(TensorResult, "tensorResult")
NAME_IN_SCHEMA(TensorFunction, "tensorFunction")
NAME_IN_SCHEMA(TensorBuffer, "tensorBuffer")
NAME_IN_SCHEMA(TensorOverwrite, "tensorOverwrite")
NAME_IN_SCHEMA(TensorLoop, "tensorLoop")
NAME_IN_SCHEMA(Bufferization, "bufferization")
NAME_IN_SCHEMA(Event, "event")
#undef NAME_IN_SCHEMA

/// The $ref that a field with ids of this kind must have.
std::string idReference(fields::Ref ref) {
  switch (ref) {
  case fields::Ref::chunk:
    return "#/$defs/chunkId";
  case fields::Ref::function:
    return "#/$defs/functionId";
  case fields::Ref::block:
    return "#/$defs/blockId";
  case fields::Ref::op:
    return "#/$defs/opId";
  case fields::Ref::value:
    return "#/$defs/valueId";
  case fields::Ref::event:
    return "#/$defs/eventId";
  case fields::Ref::dealloc:
    return "#/$defs/deallocNumber";
  case fields::Ref::notAnId:
  case fields::Ref::self:
    break;
  }
  return "";
}

template <class Enum> void checkEnumeration() {
  const char *name = NameInSchema<Enum>::value;
  Json names = Json::array(), inSchema = Json::array();
  for (int i = 0; !nameOf(Enum(i)).empty(); ++i)
    names.push_back(nameOf(Enum(i)));
  for (const Json &choice : schema().definition(name).at("oneOf")) {
    inSchema.push_back(choice.at("const"));
    EXPECT_FALSE(choice.at("description").get<std::string>().empty());
  }
  EXPECT_EQ(names, inSchema) << name;
}

template <class T>
void checkType(const Json &property, const T *, fields::Ref ref,
               fields::Bounds bounds) {
  if constexpr (std::is_same_v<T, bool>) {
    EXPECT_EQ(property.at("type"), "boolean");
  } else if constexpr (std::is_integral_v<T>) {
    if (!idReference(ref).empty()) {
      EXPECT_EQ(property.at("$ref"), idReference(ref));
      return;
    }
    EXPECT_EQ(property.at("type"), "integer");
    int64_t min = std::numeric_limits<T>::min();
    int64_t max = std::numeric_limits<int64_t>::max();
    if constexpr (sizeof(T) < sizeof(int64_t))
      max = std::numeric_limits<T>::max();
    EXPECT_EQ(property.at("minimum"), std::max(min, bounds.min));
    EXPECT_EQ(property.at("maximum"), std::min(max, bounds.max));
  } else {
    EXPECT_EQ(property.at("$ref"),
              "#/$defs/" + std::string(NameInSchema<T>::value));
    if constexpr (std::is_enum_v<T>)
      checkEnumeration<T>();
  }
}
template <class T>
void checkType(const Json &property, const std::vector<T> *, fields::Ref ref,
               fields::Bounds bounds) {
  EXPECT_EQ(property.at("type"), "array");
  const T *element = nullptr;
  checkType(property.at("items"), element, ref, bounds);
}

template <class T>
void checkType(const Json &property, const List<T> *, fields::Ref ref,
               fields::Bounds bounds) {
  const std::vector<T> *elements = nullptr;
  checkType(property, elements, ref, bounds);
}

template <class T> Json asJson(const T &value) {
  if constexpr (std::is_same_v<T, Range>)
    return {value.begin, value.end};
  else if constexpr (std::is_enum_v<T>)
    return nameOf(value);
  else if constexpr (std::is_same_v<T, Ownership> || std::is_same_v<T, HeapUse>)
    return Json::object();
  else if constexpr (requires { value.empty(); })
    return std::is_same_v<T, std::string> || std::is_same_v<T, Name>
               ? Json("")
               : Json::array();
  else
    return value;
}

/// Checks T's fields in `object` and takes their names off `left`.
template <class T>
void checkFields(const Json &object, std::set<std::string> &left) {
  static const T defaults;
  fields::forEach<T>([&](const auto &field) {
    SCOPED_TRACE(field.name);
    ASSERT_TRUE(object.at("properties").contains(field.name));
    left.erase(field.name);
    const Json &property = object.at("properties").at(field.name);
    EXPECT_FALSE(
        property.at("description").template get<std::string>().empty());
    checkType(property, &(defaults.*field.member), field.ref, field.bounds);
    if constexpr (!std::is_same_v<T, Trace>) {
      const Json &required = object.at("required");
      bool isRequired = std::find(required.begin(), required.end(),
                                  field.name) != required.end();
      EXPECT_EQ(isRequired, field.required);
      if (!field.required) {
        EXPECT_EQ(property.at("default"), asJson(defaults.*field.member));
      }
    }
  });
}

std::set<std::string> propertyNames(const Json &object) {
  std::set<std::string> names;
  for (const auto &[name, property] : object.at("properties").items())
    names.insert(name);
  return names;
}

template <class T> void checkStruct() {
  SCOPED_TRACE(NameInSchema<T>::value);
  const Json &object = schema().definition(NameInSchema<T>::value);
  std::set<std::string> left = propertyNames(object);
  checkFields<T>(object, left);
  EXPECT_EQ(left, std::set<std::string>()) << "only in the schema";
}

TEST(Schema, hasTheFieldsOfEachStruct) {
  checkStruct<Source>();
  checkStruct<RunOptions>();
  checkStruct<Problem>();
  checkStruct<Value>();
  checkStruct<Op>();
  checkStruct<Block>();
  checkStruct<Function>();
  checkStruct<Stage>();
  checkStruct<Chunk>();
  checkStruct<Ownership>();
  checkStruct<AliasFact>();
  checkStruct<MemrefSources>();
  checkStruct<AliasPair>();
  checkStruct<Access>();
  checkStruct<StatedPair>();
  checkStruct<FunctionAliases>();
  checkStruct<TensorReason>();
  checkStruct<TensorOperand>();
  checkStruct<TensorCost>();
  checkStruct<TensorArgument>();
  checkStruct<TensorResult>();
  checkStruct<TensorFunction>();
  checkStruct<TensorBuffer>();
  checkStruct<TensorOverwrite>();
  checkStruct<TensorLoop>();
  checkStruct<Bufferization>();
}

TEST(Schema, hasTheFieldsOfTheTrace) {
  std::ifstream file(MEMREF_LENS_TRACE_SCHEMA);
  Json root = Json::parse(file);
  std::set<std::string> left = propertyNames(root);
  checkFields<Trace>(root, left);
  EXPECT_EQ(left, std::set<std::string>{"schemaVersion"});
  // All but the aliases and the runs of one-shot-bufferize, which are there
  // if asked for.
  EXPECT_EQ(root.at("required").size() + 2, root.at("properties").size());
  EXPECT_EQ(root["properties"]["schemaVersion"]["const"], schemaVersion);
}

template <size_t alternative = 0> void checkEventKinds() {
  if constexpr (alternative < std::variant_size_v<decltype(Event::detail)>) {
    std::string kind(kindName(alternative));
    SCOPED_TRACE(kind);
    const Json &object = schema().definition(kind + "Event");
    EXPECT_EQ(object["properties"]["kind"]["const"], kind);
    EXPECT_EQ(schema().definition("event")["oneOf"][alternative]["$ref"],
              "#/$defs/" + kind + "Event");
    using Detail =
        std::variant_alternative_t<alternative, decltype(Event::detail)>;
    std::set<std::string> left = propertyNames(object);
    checkFields<Event>(object, left);
    checkFields<Detail>(object, left);
    EXPECT_EQ(left, std::set<std::string>{"kind"}) << "only in the schema";
    EXPECT_EQ(object["required"], Json({"id", "stage", "kind"}));
    checkEventKinds<alternative + 1>();
  } else {
    EXPECT_EQ(schema().definition("event")["oneOf"].size(), alternative);
  }
}

TEST(Schema, hasTheFieldsOfEachEventKind) { checkEventKinds(); }

} // namespace
} // namespace memreflens::trace
