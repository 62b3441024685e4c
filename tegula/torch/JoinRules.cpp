// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors one after the other, or above each other. What comes out of a graph
// is written where it will be: joined tensors that are parts of it, too, as the
// keys and values that a decoder keeps. So each element is written once.

#include "tegula/torch/KernelWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;

namespace {

/// A window of a tensor, in which a node's result lies.
struct Destination {
  std::string tensor;
  /// Where it begins along each axis of the tensor, and how far it goes;
  /// nothing where it is all of the axis.
  std::vector<std::string> begins;
  std::vector<std::string> extents;
  /// The axis of the tensor that each axis of the result is.
  std::vector<unsigned> axes = {};
  /// The joined tensor that it is a part of; null if it is none.
  const Node *whole = nullptr;
};

/// How tensors are joined.
struct Join {
  const Node &node;
  bool isStack;
  unsigned axis;
  llvm::ArrayRef<Argument> parts;
};

} // namespace

static bool isStack(const Node &node) {
  return node.op == "aten.stack.default";
}

static bool isJoin(const Node &node) {
  return isStack(node) || node.op == "aten.cat.default" ||
         node.op == "aten.concat.default";
}

static Join readJoin(KernelWriter &writer, const Node &node) {
  unsigned axis = readAxis(writer.readInteger(writer.get(node, 1, "dim"), 0),
                           rankOfResult(node));
  return {node, isStack(node), axis, node.arguments[0].elements};
}

/// Lists of nothing may be joined to anything.
static bool isNothing(KernelWriter &writer, const Join &join,
                      const Argument &part) {
  const std::vector<std::string> &shape = writer.typeOf(part).shape;
  return !join.isStack && shape.size() != rankOfResult(join.node) &&
         shape[0] == "0";
}

static unsigned countInputs(KernelWriter &writer, const Join &join) {
  return llvm::count_if(join.parts, [&](const Argument &part) {
    return !isNothing(writer, join, part);
  });
}

/// All of a tensor that is made for a node.
static Destination makeDestination(KernelWriter &writer, const Node &node) {
  std::vector<std::string> shape = shapeOf(node);
  Destination destination{writer.tensorOf(node),
                          std::vector<std::string>(shape.size()), shape};
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    destination.axes.push_back(axis);
  return destination;
}

/// How far a part goes along the axis.
static std::string extentOf(KernelWriter &writer, const Join &join,
                            const Argument &part) {
  return join.isStack ? "1" : writer.typeOf(part).shape[join.axis];
}

/// Where a part lies in a tensor in which all of them lie.
static Destination destinationOf(KernelWriter &writer, const Join &join,
                                 Destination destination, size_t number) {
  unsigned axis = destination.axes[join.axis];
  std::string begin =
      destination.begins[axis].empty() ? "0" : destination.begins[axis];
  for (const Argument &before : join.parts.take_front(number))
    if (!isNothing(writer, join, before))
      begin += " + (" + extentOf(writer, join, before) + ")";
  destination.begins[axis] = begin;
  destination.extents[axis] = extentOf(writer, join, join.parts[number]);
  destination.whole = &join.node;
  if (join.isStack)
    destination.axes.erase(destination.axes.begin() + join.axis);
  return destination;
}

/// "t0[0 : 0 + 1, :]"
static std::string windowOf(const Destination &destination) {
  std::vector<std::string> windows;
  for (auto [begin, extent] :
       llvm::zip(destination.begins, destination.extents))
    windows.push_back(begin.empty()
                          ? std::string(":")
                          : begin + " : " + begin + " + (" + extent + ")");
  return destination.tensor + "[" + llvm::join(windows, ", ") + "]";
}

/// Where a joined tensor lies that comes out, or is a part of one that does.
static std::optional<Destination> findDestination(KernelWriter &writer,
                                                  const Node &node) {
  // Rows that are cut are better made whole.
  unsigned rank = rankOfResult(node);
  if (rank > 1 && readJoin(writer, node).axis + 1 == rank)
    return std::nullopt;
  llvm::ArrayRef<const Node *> users = writer.usersOf(node);
  if (llvm::is_contained(users, nullptr))
    return makeDestination(writer, node);
  Argument self{Argument::Kind::Node, node.name};
  for (const Node *user : users) {
    if (!isJoin(*user) || resultOf(*user).dtype != resultOf(node).dtype ||
        llvm::count(users, user) != 1 || resultOf(node).shape.empty())
      continue;
    Join join = readJoin(writer, *user);
    if (countInputs(writer, join) < 2 || isNothing(writer, join, self))
      continue;
    auto part = llvm::find_if(join.parts, [&](const Argument &argument) {
      return argument.text == node.name;
    });
    if (part == join.parts.end())
      continue;
    if (std::optional<Destination> all = findDestination(writer, *user))
      return destinationOf(writer, join, *all, part - join.parts.begin());
  }
  return std::nullopt;
}

/// A part as an expression, with an axis of one element where it is put above
/// others.
static std::string usePart(KernelWriter &writer, const Join &join,
                           const Argument &part) {
  std::string text = castTo(writer.use(part), writer.typeOf(part).dtype,
                            resultOf(join.node).dtype);
  if (!join.isStack)
    return text;
  std::vector<std::string> shape = shapeOf(join.node);
  shape[join.axis] = "1";
  return reshapeTo(text, shape);
}

/// Writes the parts that have not been written there already.
static Written writeInPlace(KernelWriter &writer, const Join &join,
                            const Destination &all) {
  for (auto [number, part] : llvm::enumerate(join.parts)) {
    if (isNothing(writer, join, part) || writer.isInside(part, join.node))
      continue;
    Destination destination = destinationOf(writer, join, all, number);
    writer.assign(windowOf(destination),
                  reshapeTo(usePart(writer, join, part), destination.extents));
  }
  writer.markPlaced(join.node);
  if (!all.whole)
    return one(all.tensor);
  writer.setInside(join.node, *all.whole);
  return one(reshapeTo(windowOf(all), shapeOf(join.node)));
}

/// The language joins eight at most; more are written one after the other.
static Written writeJoin(KernelWriter &writer, const Node &node) {
  Join join = readJoin(writer, node);
  std::vector<std::string> parts;
  for (const Argument &part : join.parts)
    if (!isNothing(writer, join, part))
      parts.push_back(usePart(writer, join, part));
  if (parts.empty())
    return std::nullopt;
  if (parts.size() == 1)
    return one(parts.front());
  if (std::optional<Destination> destination = findDestination(writer, node))
    return writeInPlace(writer, join, *destination);
  if (parts.size() > 8)
    return writeInPlace(writer, join, makeDestination(writer, node));
  for (std::string &part : parts)
    part = writer.name(part);
  return one(llvm::formatv("pl.concat({0}, axis={1})", llvm::join(parts, ", "),
                           join.axis));
}

void tegula::torch::addJoinRules(RuleTable &rules) {
  for (const char *name : {"cat.default", "concat.default", "stack.default"})
    rules[std::string("aten.") + name] = writeJoin;
}
