// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Losses that torch takes apart into what refuses less than they do.

#include "tegula/torch/KernelWriter.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;

/// Nothing, the mean of all elements, or their sum.
enum class Reduction { None, Mean, Sum };

/// A tensor of losses as it is wanted.
static std::string reduce(KernelWriter &writer, const Node &node,
                          const std::string &losses, Reduction reduction,
                          const std::vector<std::string> &shape,
                          StringRef dtype) {
  if (reduction == Reduction::None)
    return losses;
  std::string count = formatProduct(shape);
  std::string text = llvm::formatv("pl.sum({0}, axis=0, keepdims=True)",
                                   reshapeTo(writer.name(losses), {count}));
  if (reduction == Reduction::Mean)
    text =
        llvm::formatv("{0} / pl.cast({1}, {2})", text, count, nameDType(dtype));
  return reshapeTo(text, shapeOf(node));
}

/// -(y log x + (1 - y) log(1 - x)), with logarithms of -100 at least. Both are
/// probabilities.
static Written writeBinaryCrossEntropy(KernelWriter &writer, const Node &node) {
  const Argument &input = node.arguments[0], &target = node.arguments[1];
  const Argument &weight = writer.get(node, 2, "weight");
  int64_t reduction = writer.readInteger(writer.get(node, 3, "reduction"), 1);
  const std::string &dtype = resultOf(node).dtype;
  const std::vector<std::string> shape = writer.typeOf(input).shape;
  StringRef wide = widen(dtype);
  auto isSame = [&](const Argument &other) {
    return other.isNone() || writer.typeOf(other).dtype == dtype;
  };
  if (!isFloating(dtype) || !isSame(input) || !isSame(target) ||
      !isSame(weight) || reduction < 0 || reduction > 2 ||
      writer.typeOf(target).shape != shape)
    return std::nullopt;
  std::string x = writer.use(input, wide, 0), y = writer.use(target, wide, 0);
  for (const std::string &part : {x, y})
    writer.require(node,
                   llvm::formatv("({0} >= 0.0) & ({0} <= 1.0)", part).str(),
                   "an element is not between 0 and 1");
  std::string losses =
      llvm::formatv("(({1} - 1.0) * pl.maximum(pl.log(1.0 - {0}), -100.0) - "
                    "{1} * pl.maximum(pl.log({0}), -100.0))",
                    x, y);
  if (!weight.isNone())
    losses += " * " + writer.use(weight, wide, shape.size());
  return one(castTo(reduce(writer, node, losses,
                           static_cast<Reduction>(reduction), shape, wide),
                    wide, dtype));
}

void tegula::torch::addLossRules(RuleTable &rules) {
  rules["aten.binary_cross_entropy.default"] = writeBinaryCrossEntropy;
}
