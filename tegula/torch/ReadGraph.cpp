// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/JsonDepth.h"
#include "tegula/torch/Graph.h"

#include "llvm/Support/JSON.h"

using namespace tegula;
using namespace tegula::torch;
namespace json = llvm::json;

namespace tegula::torch {

using json::fromJSON;

/// The forms of an argument: null, a number, a text, a list, or an object whose
/// only key says what its text is.
static bool fromJSON(const json::Value &value, Argument &argument,
                     json::Path path) {
  using Kind = Argument::Kind;
  if (value.getAsNull())
    return true;
  if (auto truth = value.getAsBoolean()) {
    argument = {Kind::Bool, "", *truth, *truth ? 1.0 : 0.0};
    return true;
  }
  if (auto integer = value.getAsInteger();
      integer && value.kind() == json::Value::Number) {
    argument = {Kind::Integer, "", *integer, static_cast<double>(*integer)};
    return true;
  }
  if (auto text = value.getAsString()) {
    argument = {Kind::String, text->str()};
    return true;
  }
  if (value.getAsArray()) {
    argument.kind = Kind::List;
    return fromJSON(value, argument.elements, path);
  }
  const json::Object *object = value.getAsObject();
  static const std::pair<const char *, Kind> kinds[] = {
      {"node", Kind::Node}, {"size", Kind::Size}, {"dtype", Kind::DType}};
  for (auto [key, kind] : kinds)
    if (auto text = object ? object->getString(key) : std::nullopt) {
      argument = {kind, text->str()};
      return true;
    }
  // Floats have an object of their own: 2.0 is not 2, and there are infinities.
  if (auto text = object ? object->getString("float") : std::nullopt) {
    argument = {Kind::Float, text->str()};
    if (text->getAsDouble(argument.real)) {
      path.report("is not a number");
      return false;
    }
    return true;
  }
  path.report("is not what an operation can be given");
  return false;
}

static bool fromJSON(const json::Value &value, TensorType &type,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("dtype", type.dtype) && map.map("shape", type.shape);
}

static bool fromJSON(const json::Value &value, Input &input, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", input.name) && map.map("type", input.type);
}

static bool fromJSON(const json::Value &value, Node &node, json::Path path) {
  json::ObjectMapper map(value, path);
  std::map<std::string, Argument> named;
  bool isRead = map && map.map("name", node.name) && map.map("op", node.op) &&
                map.map("args", node.arguments) && map.map("kwargs", named) &&
                map.map("results", node.results);
  for (auto &[name, argument] : named)
    node.named[name] = std::move(argument);
  // Rules look at the first few without asking how many there are.
  node.arguments.resize(std::max<size_t>(node.arguments.size(), 4));
  return isRead;
}

static bool fromJSON(const json::Value &value, Requirement &requirement,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("condition", requirement.condition) &&
         map.map("message", requirement.message);
}

static bool fromJSON(const json::Value &value, Graph &graph, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", graph.name) &&
         map.map("symbols", graph.symbols) &&
         map.map("numbers", graph.numbers) && map.map("inputs", graph.inputs) &&
         map.map("nodes", graph.nodes) && map.map("outputs", graph.outputs) &&
         map.mapOptional("requirements", graph.requirements);
}

} // namespace tegula::torch

Expected<Graph> tegula::torch::readGraph(llvm::StringRef text) {
  if (isDeep(text))
    return makeTextError("a graph has too many brackets in brackets");
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return value.takeError();
  Graph graph;
  json::Path::Root root("graph");
  if (!fromJSON(*value, graph, root))
    return root.getError();
  return graph;
}
