// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The form in which torch.export.save writes a program: JSON next to raw
// tensors.
#include "tegula/support/JsonDepth.h"
#include "tegula/torch/Model.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <set>

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;
namespace json = llvm::json;

/// Numbers of element types, in torch's order; nothing for what kernels have
/// not.
static StringRef nameType(int64_t number) {
  static const StringRef names[] = {
      "",        "uint8",   "int8", "int16", "int32", "int64", "float16",
      "float32", "float64", "",     "",      "",      "bool",  "bfloat16"};
  return number >= 0 && number < 14 ? names[number] : "";
}

static unsigned countBytes(StringRef dtype) {
  if (dtype == "bool" || dtype.ends_with("8"))
    return 1;
  return dtype.ends_with("16") ? 2 : dtype.ends_with("32") ? 4 : 8;
}

namespace {

class ModelReader {
public:
  explicit ModelReader(const Archive &archive) : archive(archive) {}

  Expected<Model> read(const std::string &name);

private:
  Error readTypes(const json::Object &graph);
  Error readInput(const json::Object &spec);
  Error readNode(const json::Object &node);
  Error readOutputs(const json::Object &signature);
  Error hold(StringRef input, StringRef folder, StringRef config,
             StringRef name);
  Error addInput(StringRef name);
  Expected<Argument> readArgument(const json::Object &argument);
  Expected<Argument> readSize(const json::Object &size);
  Expected<json::Value> parse(StringRef file) const;
  Error readRequirements(const json::Object &program);
  Expected<std::string> readGuard(StringRef guard) const;
  Error checkCasts(const Node &node) const;
  Error checkSymbols() const;
  Example exampleOf(StringRef name) const {
    auto type = types.find(name);
    return type == types.end()
               ? Example()
               : Example{type->second.dtype, hints.find(name)->second};
  }

  const Archive &archive;
  Model model;
  std::map<std::string, TensorType, std::less<>> types;
  std::map<std::string, std::vector<int64_t>, std::less<>> hints;
  /// Sizes that are values of the graph.
  std::map<std::string, Argument, std::less<>> sizes;
};

} // namespace

/// A member that has to be there; an empty one if it is not.
static const json::Object &getObject(const json::Object &object,
                                     StringRef name) {
  static const json::Object none;
  const json::Object *found = object.getObject(name);
  return found ? *found : none;
}

static const json::Array &getArray(const json::Object &object, StringRef name) {
  static const json::Array none;
  const json::Array *found = object.getArray(name);
  return found ? *found : none;
}

static const json::Object &asObject(const json::Value &value) {
  static const json::Object none;
  const json::Object *found = value.getAsObject();
  return found ? *found : none;
}

Expected<json::Value> ModelReader::parse(StringRef file) const {
  Expected<StringRef> text = archive.find(file);
  if (!text)
    return text.takeError();
  if (isDeep(*text))
    return makeError("'{0}' has too many brackets in brackets", file);
  return json::parse(*text);
}

/// {"as_int": 3} or {"as_expr": {"expr_str": "...", "hint": {"as_int": 2}}}
static Expected<std::pair<std::string, int64_t>>
readAxis(const json::Object &size) {
  if (auto number = size.getInteger("as_int"))
    return std::pair(std::to_string(*number), *number);
  const json::Object &expression = getObject(size, "as_expr");
  Expected<std::string> extent =
      readExtent(expression.getString("expr_str").value_or(""));
  if (!extent)
    return extent.takeError();
  int64_t hint = getObject(expression, "hint").getInteger("as_int").value_or(2);
  return std::pair(*extent, hint);
}

Error ModelReader::readTypes(const json::Object &graph) {
  for (const auto &[name, value] : getObject(graph, "tensor_values")) {
    const json::Object &tensor = asObject(value);
    TensorType type{nameType(tensor.getInteger("dtype").value_or(0)).str(), {}};
    std::vector<int64_t> hint;
    for (const json::Value &size : getArray(tensor, "sizes")) {
      auto axis = readAxis(asObject(size));
      if (!axis)
        return axis.takeError();
      type.shape.push_back(axis->first);
      hint.push_back(axis->second);
    }
    types[StringRef(name).str()] = std::move(type);
    hints[StringRef(name).str()] = std::move(hint);
  }
  for (const auto &[name, value] : getObject(graph, "sym_int_values")) {
    auto axis = readAxis(asObject(value));
    if (!axis)
      return axis.takeError();
    sizes[StringRef(name).str()] = {Argument::Kind::Size, axis->first};
  }
  return Error::success();
}

Error ModelReader::addInput(StringRef name) {
  auto found = types.find(name);
  if (found == types.end() || found->second.dtype.empty())
    return makeError("'{0}' has elements that kernels have not", name);
  model.graph.inputs.push_back({name.str(), found->second});
  model.examples.push_back(exampleOf(name));
  for (const std::string &extent : found->second.shape)
    if (llvm::isAlpha(extent[0]) && !StringRef(extent).contains('(') &&
        !llvm::is_contained(model.graph.symbols, extent))
      model.graph.symbols.push_back(extent);
  return Error::success();
}

/// How many elements the tensor has, if all of them are among `numStored`.
static std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape,
                                            llvm::ArrayRef<int64_t> strides,
                                            int64_t offset, int64_t numStored) {
  if (llvm::any_of(llvm::concat<const int64_t>(shape, strides),
                   [](int64_t number) { return number < 0; }))
    return std::nullopt;
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1, last = offset;
  for (auto [extent, stride] : llvm::zip(shape, strides)) {
    int64_t length;
    if (__builtin_mul_overflow(count, extent, &count) ||
        __builtin_mul_overflow(extent - 1, stride, &length) ||
        __builtin_add_overflow(last, length, &last))
      return std::nullopt;
  }
  // What is broadcast has more elements than are stored.
  constexpr int64_t maxBroadcast = 1 << 26;
  if (offset < 0 || last >= numStored ||
      count > std::max(numStored, maxBroadcast))
    return std::nullopt;
  return count;
}

/// The elements one after the other, whatever the strides; nothing if some are
/// not among the bytes.
static std::optional<std::string> gather(StringRef bytes, unsigned width,
                                         llvm::ArrayRef<int64_t> shape,
                                         llvm::ArrayRef<int64_t> strides,
                                         int64_t offset) {
  std::optional<int64_t> found =
      countElements(shape, strides, offset, bytes.size() / width);
  if (!found)
    return std::nullopt;
  int64_t count = *found;
  std::string dense(count * width, 0);
  for (int64_t number = 0; number < count; ++number) {
    int64_t index = offset, left = number;
    for (size_t axis = shape.size(); axis-- > 0; left /= shape[axis])
      index += left % shape[axis] * strides[axis];
    StringRef element = bytes.substr(index * width, width);
    llvm::copy(element, dense.begin() + number * width);
  }
  return dense;
}

static std::vector<int64_t> readNumbers(const json::Array &array) {
  std::vector<int64_t> numbers;
  for (const json::Value &value : array)
    numbers.push_back(asObject(value).getInteger("as_int").value_or(0));
  return numbers;
}

Error ModelReader::hold(StringRef input, StringRef folder, StringRef config,
                        StringRef name) {
  Expected<json::Value> file = parse((folder + "/" + config).str());
  if (!file)
    return file.takeError();
  const json::Object &entry =
      getObject(getObject(asObject(*file), "config"), name);
  const json::Object &meta = getObject(entry, "tensor_meta");
  if (entry.getBoolean("use_pickle").value_or(true))
    return makeError("'{0}' is not stored as plain bytes", name);
  Expected<StringRef> bytes = archive.find(
      (folder + "/" + entry.getString("path_name").value_or("")).str());
  if (!bytes)
    return bytes.takeError();
  std::string dtype = nameType(meta.getInteger("dtype").value_or(0)).str();
  std::vector<int64_t> shape = readNumbers(getArray(meta, "sizes"));
  std::vector<int64_t> strides = readNumbers(getArray(meta, "strides"));
  if (dtype.empty() || strides.size() != shape.size())
    return makeError("'{0}' is a tensor that kernels have not", name);
  std::optional<std::string> dense = gather(
      *bytes, countBytes(dtype), shape, strides,
      getObject(meta, "storage_offset").getInteger("as_int").value_or(0));
  if (!dense)
    return makeError("'{0}' has elements that are not in the file", name);
  model.bound.push_back({input.str(), dtype, shape, std::move(*dense)});
  return addInput(input);
}

Error ModelReader::readInput(const json::Object &spec) {
  auto nameOf = [](const json::Object &kind) {
    return getObject(kind, "arg").getString("name").value_or("");
  };
  auto holdOf = [&](const json::Object &kind, bool isWeight, StringRef key) {
    return hold(nameOf(kind), isWeight ? "data/weights" : "data/constants",
                isWeight ? "model_weights_config.json"
                         : "model_constants_config.json",
                kind.getString(key).value_or(""));
  };
  if (const json::Object *kind = spec.getObject("parameter"))
    return holdOf(*kind, true, "parameter_name");
  if (const json::Object *kind = spec.getObject("buffer"))
    return holdOf(*kind, kind->getBoolean("persistent").value_or(true),
                  "buffer_name");
  if (const json::Object *kind = spec.getObject("tensor_constant"))
    return holdOf(*kind, false, "tensor_constant_name");
  const json::Object &given = getObject(getObject(spec, "user_input"), "arg");
  if (auto name = getObject(given, "as_tensor").getString("name"))
    return addInput(*name);
  if (given.getObject("as_sym_int"))
    return makeError("an input is a number that varies; only tensors can");
  // What else there is are constants of the call, which the graph has inside.
  return Error::success();
}

/// {"as_name": "n"} or {"as_int": 3}
Expected<Argument> ModelReader::readSize(const json::Object &size) {
  if (auto number = size.getInteger("as_int"))
    return Argument{Argument::Kind::Integer, "", *number, double(*number)};
  auto found = sizes.find(size.getString("as_name").value_or(""));
  if (found == sizes.end())
    return makeError("a size is one that only data says");
  int64_t number;
  if (!StringRef(found->second.text).getAsInteger(10, number))
    return Argument{Argument::Kind::Integer, "", number, double(number)};
  return found->second;
}

static Argument readFloat(const json::Value &value) {
  Argument argument{Argument::Kind::Float};
  if (auto number = value.getAsNumber())
    argument.real = *number;
  else if (auto text = value.getAsString())
    argument.real = text->contains("Inf")
                        ? (text->starts_with("-") ? -HUGE_VAL : HUGE_VAL)
                        : std::nan("");
  return argument;
}

static Argument readPlain(StringRef kind, const json::Value &value) {
  using Kind = Argument::Kind;
  if (kind.starts_with("as_bool"))
    return {Kind::Bool, "", value.getAsBoolean().value_or(false),
            value.getAsBoolean().value_or(false) ? 1.0 : 0.0};
  if (kind.starts_with("as_int"))
    return {Kind::Integer, "", value.getAsInteger().value_or(0),
            value.getAsNumber().value_or(0)};
  if (kind.starts_with("as_float"))
    return readFloat(value);
  if (kind.starts_with("as_string"))
    return {Kind::String, value.getAsString().value_or("").str()};
  if (kind == "as_scalar_type")
    return {Kind::DType, nameType(value.getAsInteger().value_or(0)).str()};
  return {Kind::Node, asObject(value).getString("name").value_or("").str()};
}

Expected<Argument> ModelReader::readArgument(const json::Object &object) {
  for (const auto &[key, value] : object) {
    StringRef kind = key;
    static const std::set<StringRef> nothing = {"as_none", "as_memory_format",
                                                "as_layout", "as_device"};
    static const std::set<StringRef> plain = {
        "as_bool",    "as_int",     "as_float",      "as_string",
        "as_tensor",  "as_bools",   "as_ints",       "as_floats",
        "as_strings", "as_tensors", "as_scalar_type"};
    if (nothing.count(kind))
      return Argument();
    if (kind == "as_sym_int")
      return readSize(asObject(value));
    if (kind == "as_optional_tensor")
      return readArgument(asObject(value));
    const json::Array *array = value.getAsArray();
    if (plain.count(kind) && !array)
      return readPlain(kind, value);
    bool isList = kind == "as_sym_ints" || kind == "as_optional_tensors";
    if (!array || (!plain.count(kind) && !isList)) {
      kind.consume_front("as_");
      return makeError("an operation is given what kernels cannot be: {0}",
                       kind);
    }
    Argument list{Argument::Kind::List};
    for (const json::Value &part : *array) {
      Expected<Argument> element =
          kind == "as_sym_ints"           ? readSize(asObject(part))
          : kind == "as_optional_tensors" ? readArgument(asObject(part))
                                          : readPlain(kind, part);
      if (!element)
        return element.takeError();
      list.elements.push_back(*element);
    }
    return list;
  }
  return Argument();
}

/// The names of the tensors that a node gives.
static std::vector<std::string> namesOf(const json::Array &outputs) {
  std::vector<std::string> names;
  for (const json::Value &output : outputs) {
    const json::Object &object = asObject(output);
    if (auto name = getObject(object, "as_tensor").getString("name"))
      names.push_back(name->str());
    for (const json::Value &part : getArray(object, "as_tensors"))
      names.push_back(asObject(part).getString("name").value_or("").str());
  }
  return names;
}

static Error makeAutocastError() {
  return makeError("it was exported with autocast, and the file does not say "
                   "what is cast; tegula.torch.export writes its library");
}

/// These give what they are given, unless torch casts it at the call.
Error ModelReader::checkCasts(const Node &node) const {
  static const std::set<StringRef> casting = {
      "aten.linear.default",
      "aten.matmul.default",
      "aten.mm.default",
      "aten.bmm.default",
      "aten.addmm.default",
      "aten.baddbmm.default",
      "aten.conv1d.default",
      "aten.conv1d.padding",
      "aten.conv2d.default",
      "aten.conv2d.padding",
      "aten.scaled_dot_product_attention.default"};
  if (!casting.count(node.op))
    return Error::success();
  for (const Argument &argument :
       llvm::ArrayRef(node.arguments).take_front(2)) {
    auto given = types.find(argument.text);
    if (given != types.end() && given->second.dtype != node.results[0].dtype)
      return makeAutocastError();
  }
  return Error::success();
}

Error ModelReader::readNode(const json::Object &object) {
  std::vector<std::string> names = namesOf(getArray(object, "outputs"));
  StringRef op = object.getString("target").value_or("");
  if (op.contains("_assert_async"))
    return makeError("it asserts something of elements");
  if (op.contains("wrap_with_autocast"))
    return makeAutocastError();
  if (names.empty())
    return Error::success();
  bool isList = names.size() > 1 ||
                asObject(getArray(object, "outputs").front()).get("as_tensors");
  Node node;
  node.name = isList ? names[0] + "_and_others" : names[0];
  op.consume_front("torch.ops.");
  node.op = op.str();
  for (const json::Value &value : getArray(object, "inputs")) {
    const json::Object &input = asObject(value);
    Expected<Argument> argument = readArgument(getObject(input, "arg"));
    if (!argument)
      return argument.takeError();
    if (input.getInteger("kind").value_or(1) == 2)
      node.named[input.getString("name").value_or("").str()] = *argument;
    else
      node.arguments.push_back(*argument);
  }
  // Rules look at the first few without asking how many there are.
  node.arguments.resize(std::max<size_t>(node.arguments.size(), 4));
  for (const std::string &name : names)
    node.results.push_back(types[name]);
  if (Error error = checkCasts(node))
    return error;
  model.graph.nodes.push_back(node);
  for (size_t number = 0; isList && number < names.size(); ++number) {
    Argument index{Argument::Kind::Integer, "", int64_t(number),
                   double(number)};
    model.graph.nodes.push_back({names[number],
                                 "getitem",
                                 {{Argument::Kind::Node, node.name}, index},
                                 {},
                                 {types[names[number]]}});
    model.graph.nodes.back().arguments.resize(4);
  }
  return Error::success();
}

Error ModelReader::readOutputs(const json::Object &signature) {
  for (const json::Value &value : getArray(signature, "output_specs")) {
    const json::Object *given = asObject(value).getObject("user_output");
    if (!given)
      return makeError("the model changes its buffers or its inputs");
    if (auto name = getObject(getObject(*given, "arg"), "as_tensor")
                        .getString("name")) {
      model.graph.outputs.push_back({Argument::Kind::Node, name->str()});
      model.examples.push_back(exampleOf(*name));
      if (model.examples.back().dtype.empty())
        return makeError("'{0}' has elements that kernels have not", *name);
    }
  }
  if (model.graph.outputs.empty())
    return makeError("the model gives no tensor");
  return Error::success();
}

/// Sizes that a call does not bring are those that depend on data.
Error ModelReader::checkSymbols() const {
  auto isKnown = [&](StringRef extent) {
    while (!extent.empty()) {
      StringRef word = extent.take_while(
          [](char c) { return llvm::isAlnum(c) || c == '_'; });
      if (!word.empty() && llvm::isAlpha(word[0]) && word != "max" &&
          word != "min" && !llvm::is_contained(model.graph.symbols, word.str()))
        return false;
      extent = extent.drop_front(std::max<size_t>(word.size(), 1));
    }
    return true;
  };
  for (const Node &node : model.graph.nodes)
    for (const TensorType &type : node.results)
      for (const std::string &extent : type.shape)
        if (!isKnown(extent))
          return makeError("'{0}' has a size that only data says: {1}",
                           node.name, extent);
  return Error::success();
}

/// True for "s0 / 2", not for "s0 // 2".
static bool dividesToFractions(StringRef condition) {
  for (auto [before, rest] = condition.split('/'); !rest.empty();
       std::tie(before, rest) = rest.split('/'))
    if (!rest.consume_front("/"))
      return true;
  return false;
}

/// "L['x'].size()[0] > 4", or "L['xs'][1].size()[0] > 4", with the symbols of
/// the axes.
Expected<std::string> ModelReader::readGuard(StringRef guard) const {
  std::string condition;
  StringRef rest = guard;
  while (!rest.empty()) {
    auto [before, after] = rest.split("L[");
    condition += before;
    rest = after;
    if (after.empty())
      break;
    auto [path, sized] = after.split("].size()[");
    std::string name;
    for (char c : path)
      if (c != '\'' && c != ']')
        name += c == '[' ? '_' : c;
    auto type = types.find(name);
    unsigned axis;
    if (type == types.end() || sized.consumeInteger(10, axis) ||
        axis >= type->second.shape.size() || !sized.consume_front("]"))
      return makeError("a library cannot check what the model assumes of its "
                       "inputs: {0}",
                       guard);
    condition += type->second.shape[axis];
    rest = sized;
  }
  if (dividesToFractions(condition))
    return makeError("a library cannot check what the model assumes of its "
                     "inputs, for it has no fractions of sizes: {0}",
                     guard);
  return condition;
}

/// What torch would check at a call: answers that the model got when it asked
/// for sizes, and the ranges that were given. Numbers are fixed in the graph,
/// which has no parameters for them.
Error ModelReader::readRequirements(const json::Object &program) {
  static const char why[] =
      "what the model does was decided by it when it was exported";
  for (const json::Value &value : getArray(program, "guards_code")) {
    StringRef guard = value.getAsString().value_or("");
    if (!guard.contains(".size()"))
      continue;
    Expected<std::string> condition = readGuard(guard);
    if (!condition)
      return condition.takeError();
    model.graph.requirements.push_back({*condition, why});
  }
  for (const auto &[name, value] : getObject(program, "range_constraints")) {
    std::string symbol = StringRef(name).str();
    if (!llvm::is_contained(model.graph.symbols, symbol))
      continue;
    // Sizes 0 and 1 are in no range of torch's, and taken by what it exports.
    if (int64_t least = asObject(value).getInteger("min_val").value_or(0);
        least > 2)
      model.graph.requirements.push_back(
          {symbol + " >= " + std::to_string(least), why});
    if (auto most = asObject(value).getInteger("max_val"))
      model.graph.requirements.push_back(
          {symbol + " <= " + std::to_string(*most), why});
  }
  return Error::success();
}

Expected<Model> ModelReader::read(const std::string &name) {
  Expected<json::Value> program = parse("models/model.json");
  if (!program)
    return program.takeError();
  const json::Object &module = getObject(asObject(*program), "graph_module");
  const json::Object &graph = getObject(module, "graph");
  const json::Object &signature = getObject(module, "signature");
  model.graph.name = name;
  if (Error error = readTypes(graph))
    return error;
  for (const json::Value &spec : getArray(signature, "input_specs"))
    if (Error error = readInput(asObject(spec)))
      return error;
  for (const json::Value &node : getArray(graph, "nodes"))
    if (Error error = readNode(asObject(node)))
      return error;
  if (Error error = readOutputs(signature))
    return error;
  if (Error error = readRequirements(asObject(*program)))
    return error;
  if (Error error = checkSymbols())
    return error;
  return std::move(model);
}

/// A name for a kernel: letters, digits and underscores of the file's.
static std::string nameKernel(StringRef path) {
  std::string name = llvm::sys::path::stem(path).str();
  for (char &c : name)
    c = llvm::isAlnum(c) ? c : '_';
  return name.empty() || llvm::isDigit(name[0]) ? "model_" + name : name;
}

Expected<Model>
tegula::torch::readModel(std::unique_ptr<llvm::MemoryBuffer> file) {
  std::string path = file->getBufferIdentifier().str();
  Expected<Archive> archive = Archive::read(std::move(file));
  if (!archive)
    return archive.takeError();
  Expected<Model> model = ModelReader(*archive).read(nameKernel(path));
  if (!model)
    return makeError("'{0}' cannot become a kernel: {1}", path,
                     llvm::toString(model.takeError()));
  return model;
}
