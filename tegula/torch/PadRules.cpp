// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors that are continued beyond their edges.

#include "tegula/torch/KernelWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;

/// The indices along an axis that stand in for those from `before` in front of
/// it on: mirrored at its ends, or at them.
static std::string standIn(const std::string &extent, const std::string &length,
                           int64_t before, bool mirrors) {
  std::string index = llvm::formatv(
      "(pl.arange(0, [{0}], dtype=pl.INT32) - {1})", length, before);
  std::string last =
      llvm::formatv("pl.cast(({0}) - 1, pl.INT32)", extent).str();
  if (!mirrors)
    return llvm::formatv("pl.minimum(pl.maximum({0}, 0), {1})", index, last);
  return llvm::formatv("({1} - pl.abs({1} - pl.abs({0})))", index, last);
}

/// The last axis is named first.
template <bool mirrors>
static Written writeContinued(KernelWriter &writer, const Node &node) {
  const std::vector<Argument> &sides = node.arguments[1].elements;
  std::vector<std::string> shape = writer.typeOf(node.arguments[0]).shape;
  std::string text = writer.use(node.arguments[0]);
  for (size_t number = 0; number + 1 < sides.size(); number += 2) {
    int64_t before = writer.readInteger(sides[number], 0);
    int64_t after = writer.readInteger(sides[number + 1], 0);
    size_t axis = shape.size() - 1 - number / 2;
    const std::string extent = shape[axis];
    int64_t least = mirrors ? std::max(before, after) : 0;
    if (before < 0 || after < 0 || axis >= shape.size() ||
        (isNumeral(extent) && std::stoll(extent) <= least))
      return std::nullopt;
    if (!isNumeral(extent))
      writer.require(node, llvm::formatv("{0} > {1}", extent, least),
                     "an axis is too short for what is added to it");
    std::string apart = asThree(text, shape, axis, axis + 1);
    shape[axis] = shapeOf(node)[axis];
    std::string indices =
        writer.name(standIn(extent, shape[axis], before, mirrors));
    text = reshapeTo(
        writer.name(llvm::formatv("kernels.take({0}, {1})", apart, indices)),
        shape);
  }
  return one(text);
}

void tegula::torch::addPadRules(RuleTable &rules) {
  for (const char *axes : {"1d", "2d", "3d"}) {
    rules[llvm::formatv("aten.reflection_pad{0}.default", axes)] =
        writeContinued<true>;
    rules[llvm::formatv("aten.replication_pad{0}.default", axes)] =
        writeContinued<false>;
  }
}
