//===- tests/support/SchemaValidator.h - a little of JSON Schema ----------===//
//
// The keywords of draft 2020-12 that docs/trace.schema.json uses; any other one
// is an error, so that none is passed over in silence.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TESTS_SUPPORT_SCHEMAVALIDATOR_H
#define MEMREFLENS_TESTS_SUPPORT_SCHEMAVALIDATOR_H

#include <nlohmann/json.hpp>

#include <set>
#include <stdexcept>
#include <string>

namespace memreflens::trace::test {

class SchemaValidator {
public:
  using Json = nlohmann::json;

  explicit SchemaValidator(Json schema) : root(std::move(schema)) {}

  /// Empty if valid; otherwise the place and the keyword that rejects it.
  std::string validate(const Json &instance) const {
    return check(root, instance, "$");
  }

  const Json &definition(const std::string &name) const {
    return root.at("$defs").at(name);
  }
  const Json &resolve(const Json &schema) const {
    auto reference = schema.find("$ref");
    if (reference == schema.end())
      return schema;
    static const std::string prefix = "#/$defs/";
    std::string target = reference->get<std::string>();
    if (target.compare(0, prefix.size(), prefix) != 0)
      throw std::runtime_error("cannot resolve " + target);
    return definition(target.substr(prefix.size()));
  }

private:
  std::string check(const Json &schema, const Json &instance,
                    const std::string &at) const {
    static const std::set<std::string> notes = {
        "$schema", "$defs", "title", "description", "default", "minItems"};
    for (const auto &[keyword, argument] : schema.items()) {
      std::string error;
      if (keyword == "$ref")
        error = check(resolve(schema), instance, at);
      else if (keyword == "type")
        error = isOfType(instance, argument) ? "" : at + ": type";
      else if (keyword == "const")
        error = instance == argument ? "" : at + ": const " + argument.dump();
      else if (keyword == "oneOf")
        error = checkOneOf(argument, instance, at);
      else if (keyword == "items")
        error = checkItems(argument, instance, at);
      else if (keyword == "minimum" || keyword == "maximum")
        error = checkBound(keyword, argument, instance, at);
      else if (keyword == "maxItems")
        error = checkLength(schema, instance, at);
      else if (keyword == "required")
        error = checkRequired(argument, instance, at);
      else if (keyword == "properties")
        error = checkProperties(argument, instance, at);
      else if (keyword == "additionalProperties")
        error = checkNoOthers(schema, instance, at);
      else if (!notes.count(keyword))
        throw std::runtime_error("unknown keyword " + keyword);
      if (!error.empty())
        return error;
    }
    return "";
  }

  static bool isOfType(const Json &instance, const std::string &type) {
    if (type == "object")
      return instance.is_object();
    if (type == "array")
      return instance.is_array();
    if (type == "string")
      return instance.is_string();
    if (type == "boolean")
      return instance.is_boolean();
    if (type == "integer")
      return instance.is_number_integer();
    throw std::runtime_error("unknown type " + type);
  }
  std::string checkOneOf(const Json &choices, const Json &instance,
                         const std::string &at) const {
    int matches = 0;
    std::string last;
    for (const Json &choice : choices) {
      std::string error = check(choice, instance, at);
      matches += error.empty();
      // The choice of that kind says more than "no match".
      bool sameKind = error.find(".kind: const") == std::string::npos;
      if (!error.empty() && (last.empty() || sameKind))
        last = error;
    }
    if (matches > 1)
      return at + ": several of oneOf";
    return matches == 1 ? "" : "oneOf: " + last;
  }
  std::string checkItems(const Json &items, const Json &instance,
                         const std::string &at) const {
    for (size_t i = 0; instance.is_array() && i < instance.size(); ++i) {
      std::string error =
          check(items, instance[i], at + "[" + std::to_string(i) + "]");
      if (!error.empty())
        return error;
    }
    return "";
  }
  static std::string checkBound(const std::string &keyword, const Json &bound,
                                const Json &instance, const std::string &at) {
    if (!instance.is_number())
      return "";
    bool good = keyword == "minimum" ? instance >= bound : instance <= bound;
    return good ? "" : at + ": " + keyword;
  }
  static std::string checkLength(const Json &schema, const Json &instance,
                                 const std::string &at) {
    bool good =
        !instance.is_array() || (instance.size() <= schema["maxItems"] &&
                                 instance.size() >= schema["minItems"]);
    return good ? "" : at + ": minItems or maxItems";
  }
  static std::string checkRequired(const Json &names, const Json &instance,
                                   const std::string &at) {
    for (const Json &name : names)
      if (instance.is_object() && !instance.contains(name.get<std::string>()))
        return at + ": required " + name.dump();
    return "";
  }
  std::string checkProperties(const Json &properties, const Json &instance,
                              const std::string &at) const {
    if (!instance.is_object())
      return "";
    for (const auto &[name, schema] : properties.items()) {
      auto found = instance.find(name);
      std::string error =
          found == instance.end() ? "" : check(schema, *found, at + "." + name);
      if (!error.empty())
        return error;
    }
    return "";
  }
  static std::string checkNoOthers(const Json &schema, const Json &instance,
                                   const std::string &at) {
    if (schema["additionalProperties"] != false)
      throw std::runtime_error("additionalProperties is not false");
    if (!instance.is_object())
      return "";
    for (const auto &[name, value] : instance.items())
      if (!schema["properties"].contains(name))
        return at + "." + name + ": additionalProperties";
    return "";
  }

  Json root;
};

} // namespace memreflens::trace::test

#endif // MEMREFLENS_TESTS_SUPPORT_SCHEMAVALIDATOR_H
