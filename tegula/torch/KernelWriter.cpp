// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/torch/KernelWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;

Rule tegula::torch::findRule(StringRef op) {
  static const RuleTable rules = [] {
    RuleTable table;
    addPointwiseRules(table);
    addReductionRules(table);
    addShapeRules(table);
    addCreationRules(table);
    addMatmulRules(table);
    addIndexRules(table);
    addNormRules(table);
    addWindowRules(table);
    addIndexUpdateRules(table);
    addPadRules(table);
    addLossRules(table);
    addJoinRules(table);
    return table;
  }();
  auto found = rules.find(op);
  return found == rules.end() ? nullptr : found->second;
}

/// Results after the first have names of their own.
static std::string nameResult(const std::string &node, size_t number) {
  return number == 0 ? node : node + "." + std::to_string(number);
}

static TensorType withAxes(TensorType type) {
  if (type.shape.empty())
    type.shape.push_back("1");
  return type;
}

KernelWriter::KernelWriter(const Graph &graph) : graph(graph) {
  auto addType = [&](const std::string &name, const TensorType &type) {
    types[name] = withAxes(type);
    if (type.shape.empty())
      single.insert(name);
  };
  for (const Input &input : graph.inputs) {
    addType(input.name, input.type);
    names[input.name] = input.name;
    shared.insert(input.name);
    placed.insert(input.name);
  }
  for (const Node &node : graph.nodes) {
    for (auto [number, type] : llvm::enumerate(node.results))
      addType(nameResult(node.name, number), type);
    // Sizes are known without it.
    if (node.results.empty())
      continue;
    for (const Argument &argument : node.arguments)
      addUser(argument, &node);
    for (const auto &[name, argument] : node.named)
      addUser(argument, &node);
  }
  for (const Argument &output : graph.outputs)
    addUser(output, nullptr);
}

void KernelWriter::addUser(const Argument &argument, const Node *user) {
  if (argument.isNode())
    users[argument.text].push_back(user);
  for (const Argument &part : argument.elements)
    addUser(part, user);
}

const Node *KernelWriter::findOnlyUser(const Node &node) const {
  auto found = users.find(node.name);
  return found != users.end() && found->second.size() == 1
             ? found->second.front()
             : nullptr;
}

llvm::ArrayRef<const Node *> KernelWriter::usersOf(const Node &node) const {
  auto found = users.find(node.name);
  if (found == users.end())
    return {};
  return found->second;
}

std::string KernelWriter::tensorOf(const Node &node) {
  std::string &tensor = tensors[node.name];
  if (tensor.empty())
    tensor = makeTensor(node);
  return tensor;
}

const TensorType &KernelWriter::typeOf(const Argument &argument) const {
  static const TensorType none = {"float32", {"1"}};
  auto found = types.find(argument.text);
  bool isTensor = argument.isNode() && found != types.end();
  isOpen |= !isTensor;
  return isTensor ? found->second : none;
}

std::string KernelWriter::use(const Argument &argument) const {
  auto found = names.find(argument.text);
  bool isTensor = argument.isNode() && found != names.end();
  isOpen |= !isTensor;
  return isTensor ? found->second : "";
}

std::string KernelWriter::use(const Argument &argument, StringRef dtype,
                              unsigned rank) {
  if (argument.isScalar()) {
    isOpen |= !fits(argument, dtype);
    return formatNumber(argument, dtype);
  }
  const TensorType &type = typeOf(argument);
  std::string text = castTo(use(argument), type.dtype, dtype);
  if (type.shape.size() >= rank)
    return text;
  std::vector<std::string> shape(rank - type.shape.size(), "1");
  llvm::append_range(shape, type.shape);
  return reshapeTo(text, shape);
}

std::string KernelWriter::usePlaced(const Argument &argument, StringRef dtype) {
  std::string text = use(argument, dtype, 0);
  if (placed.count(argument.text) && typeOf(argument).dtype == dtype)
    return text;
  return name("kernels.copy(" + text + ")");
}

std::string KernelWriter::take(const Argument &source,
                               const std::string &indices, unsigned axis,
                               const std::vector<std::string> &shape) {
  const std::vector<std::string> &own = typeOf(source).shape;
  std::vector<std::string> before(own.begin(), own.begin() + axis);
  std::vector<std::string> after(own.begin() + axis + 1, own.end());
  std::string apart = reshapeTo(
      use(source), {formatProduct(before), own[axis], formatProduct(after)});
  return reshapeTo(
      name(llvm::formatv("kernels.take({0}, {1})", apart, name(indices))),
      shape);
}

std::string KernelWriter::name(const std::string &expression) {
  std::string made = "t" + std::to_string(count++);
  body += "    " + made + " = " + expression + "\n";
  return made;
}

std::string KernelWriter::makeTensor(const Node &node,
                                     const std::string &value) {
  std::string made = name(llvm::formatv("pl.create_tensor({0}, dtype={1})",
                                        formatShape(shapeOf(node)),
                                        nameDType(resultOf(node).dtype)));
  if (!value.empty())
    assign(made + "[:]", value);
  return made;
}

void KernelWriter::assign(const std::string &part, const std::string &value) {
  body += "    " + part + " = " + value + "\n";
}

/// "embedding" of "aten.embedding.default".
static StringRef shortName(const Node &node) {
  return StringRef(node.op).split('.').second.split('.').first;
}

void KernelWriter::require(const Node &node, const std::string &condition,
                           StringRef message, const std::string &when) {
  if (!when.empty())
    body += "    if " + when + ":\n    ";
  body += llvm::formatv("    pl.assert_({0}, \"{1}: {2}\")\n", condition,
                        shortName(node), message)
              .str();
}

void KernelWriter::requireSome(const Node &node,
                               llvm::ArrayRef<std::string> extents,
                               StringRef message) {
  for (const std::string &extent : extents) {
    isOpen |= extent == "0";
    if (!isNumeral(extent))
      require(node, extent + " > 0", message);
  }
}

std::string KernelWriter::listIndices(const Node &node, const Argument &indices,
                                      const std::string &extent,
                                      bool countsFromEnd) {
  return name(llvm::formatv(
      "kernels.within({0}, {1}, {2}, \"{3}: an index is out of range\")",
      reshapeTo(use(indices), {formatProduct(typeOf(indices).shape)}), extent,
      countsFromEnd ? "True" : "False", shortName(node)));
}

const Argument &KernelWriter::get(const Node &node, unsigned position,
                                  StringRef name) const {
  static const Argument none;
  if (position < node.arguments.size() && !node.arguments[position].isNone())
    return node.arguments[position];
  auto found = node.named.find(name);
  return found == node.named.end() ? none : found->second;
}

bool KernelWriter::isWritten(const Argument &argument) const {
  if (argument.isNode() && !names.count(argument.text))
    return false;
  return llvm::all_of(argument.elements,
                      [&](const Argument &part) { return isWritten(part); });
}

std::optional<std::vector<std::string>> KernelWriter::apply(const Node &node) {
  if (auto found = merged.find(node.name); found != merged.end())
    return std::vector<std::string>{names[found->second]};
  Rule rule = findRule(node.op);
  bool isReady = llvm::all_of(
      node.arguments, [&](const Argument &part) { return isWritten(part); });
  for (const auto &[name, argument] : node.named)
    isReady &= isWritten(argument);
  if (!isReady)
    return std::nullopt;
  for (const TensorType &type : node.results)
    if (nameDType(type.dtype).empty())
      return std::nullopt;
  if (!rule)
    return std::nullopt;
  isOpen = false;
  std::optional<std::vector<std::string>> written = rule(*this, node);
  return isOpen ? std::nullopt : written;
}

void KernelWriter::bind(const Node &node,
                        std::vector<std::string> expressions) {
  if (auto found = merged.find(node.name);
      found != merged.end() && placed.count(found->second))
    placed.insert(node.name);
  for (auto [number, expression] : llvm::enumerate(expressions)) {
    bool isName = llvm::all_of(
        expression, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    std::string made = isName ? expression : name(expression);
    names[nameResult(node.name, number)] = made;
    bool isShared = node.arguments[0].isNode() &&
                    shared.count(names[node.arguments[0].text]);
    if (isShared && isView(node.op))
      shared.insert(made);
  }
}

std::vector<std::string> KernelWriter::listUnknown() {
  std::vector<std::string> unknown;
  for (const Node &node : graph.nodes) {
    if (node.results.empty())
      continue;
    std::optional<std::vector<std::string>> written = apply(node);
    if (!written)
      unknown.push_back(node.name);
    // What comes after it may still be known.
    bind(node, written.value_or(
                   std::vector<std::string>(node.results.size(), node.name)));
  }
  return unknown;
}

std::string KernelWriter::writeInputs() const {
  std::string text;
  for (const Input &input : graph.inputs) {
    const TensorType &type = types.find(input.name)->second;
    text += llvm::formatv("    {0}: pl.Tensor[{1}, {2}],\n", input.name,
                          formatShape(type.shape), nameDType(type.dtype));
  }
  for (const std::string &number : graph.numbers)
    text += "    " + number + ": pl.Scalar[pl.INDEX],\n";
  return text;
}

/// Adds the nodes that an argument uses.
static void addUses(const Argument &argument, std::set<std::string> &names) {
  if (argument.isNode())
    names.insert(argument.text);
  for (const Argument &part : argument.elements)
    addUses(part, names);
}

/// The nodes that the outputs are made of.
std::set<std::string> KernelWriter::findNeeded() const {
  std::set<std::string> needed;
  for (const Argument &output : graph.outputs)
    addUses(output, needed);
  for (const Node &node : llvm::reverse(graph.nodes)) {
    if (!needed.count(node.name))
      continue;
    for (const Argument &argument : node.arguments)
      addUses(argument, needed);
    for (const auto &[name, argument] : node.named)
      addUses(argument, needed);
  }
  return needed;
}

Expected<std::string> KernelWriter::write() {
  std::set<std::string> needed = findNeeded();
  for (const Node &node : graph.nodes) {
    if (node.results.empty() || !needed.count(node.name))
      continue;
    std::optional<std::vector<std::string>> written = apply(node);
    if (!written)
      return makeError("{0} is not known in this form", node.op);
    bind(node, std::move(*written));
  }
  // What is memory of an input, or comes out twice, is a tensor of its own.
  std::vector<std::string> results;
  for (const Argument &output : graph.outputs)
    if (output.isNode()) {
      std::string text = use(output);
      bool isNew = shared.insert(text).second;
      results.push_back(isNew ? text : name("kernels.copy(" + text + ")"));
    }
  std::string text = "import tegula.language as pl\n"
                     "from tegula.torch import kernels\n\n";
  for (const std::string &symbol : graph.symbols)
    text += llvm::formatv("{0} = pl.dynamic(\"{0}\")\n", symbol);
  text += "\n\n@pl.jit\ndef " + graph.name + "(\n" + writeInputs() + "):\n";
  for (const Requirement &requirement : graph.requirements)
    text += llvm::formatv("    assert {0}, \"{1}\"\n", requirement.condition,
                          requirement.message);
  text += body + "    return " + llvm::join(results, ", ") + "\n";
  return text;
}
