// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/torch/ConvEpilogue.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;

/// True for a batch norm of what has been learnt, by channels of `conv`. What
/// it uses has been written already.
static bool isLearntNorm(KernelWriter &writer, const Node &node,
                         const Node &conv) {
  return node.op == "aten.batch_norm.default" &&
         node.arguments[0].text == conv.name &&
         !writer.readBool(writer.get(node, 5, "training"), false) &&
         !writer.get(node, 3, "running_mean").isNone() &&
         !writer.get(node, 4, "running_var").isNone() &&
         llvm::all_of(
             llvm::drop_begin(node.arguments),
             [&](const Argument &part) { return writer.isWritten(part); });
}

/// What is added to `last`, if all of it has been written already.
static const Argument *findAdded(KernelWriter &writer, const Node &node,
                                 const Node &last) {
  if (node.op != "aten.add.Tensor" || !writer.get(node, 2, "alpha").isNone())
    return nullptr;
  const Argument &lhs = node.arguments[0], &rhs = node.arguments[1];
  const Argument &other = lhs.text == last.name ? rhs : lhs;
  bool isAlike = other.isNode() && writer.isWritten(other) &&
                 writer.typeOf(other).shape == shapeOf(last) &&
                 writer.typeOf(other).dtype == resultOf(last).dtype;
  return isAlike ? &other : nullptr;
}

ConvEpilogue tegula::torch::takeEpilogue(KernelWriter &writer, const Node &conv,
                                         const std::string &bias) {
  ConvEpilogue epilogue;
  const Node *last = &conv;
  auto next = [&] { return writer.findOnlyUser(*last); };
  auto take = [&](const Node *node) {
    writer.merge(*node, conv);
    last = node;
  };
  if (!bias.empty())
    epilogue.shift = bias;
  // Narrow floats are rounded after each operation.
  const std::string &dtype = resultOf(conv).dtype;
  if (widen(dtype) != dtype)
    return epilogue;
  const Node *node = next();
  if (node && isLearntNorm(writer, *node, conv)) {
    auto part = [&](unsigned position, const char *name,
                    const char *otherwise) {
      const Argument &value = writer.get(*node, position, name);
      return value.isNone() ? otherwise : writer.use(value, dtype, 0);
    };
    double epsilon = writer.readFloat(writer.get(*node, 7, "eps"), 1e-5);
    epilogue.scale = writer.name(llvm::formatv(
        "{0} * pl.rsqrt({1} + {2})", part(1, "weight", "1.0"),
        part(4, "running_var", ""), llvm::format("%.17g", epsilon)));
    std::string shift =
        llvm::formatv("({0} - {1}) * {2}", bias.empty() ? "0.0" : bias,
                      part(3, "running_mean", ""), epilogue.scale);
    epilogue.shift = writer.name(shift + " + " + part(2, "bias", "0.0"));
    take(node);
    node = next();
  }
  if (const Argument *other =
          node ? findAdded(writer, *node, *last) : nullptr) {
    epilogue.other = writer.use(*other);
    take(node);
    node = next();
  }
  if (node && node->op == "aten.relu.default") {
    epilogue.relu = true;
    take(node);
  }
  return epilogue;
}
