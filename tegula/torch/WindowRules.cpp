// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions and pooling: windows that move over an image.

#include "tegula/torch/KernelWriter.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;

/// Two numbers, of which one may stand for both.
static std::pair<int64_t, int64_t>
readPair(KernelWriter &writer, const Argument &argument, int64_t otherwise) {
  if (argument.elements.empty()) {
    int64_t both = writer.readInteger(argument, otherwise);
    return {both, both};
  }
  return {writer.readInteger(argument.elements.front(), otherwise),
          writer.readInteger(argument.elements.back(), otherwise)};
}

static std::string formatPair(std::pair<int64_t, int64_t> pair) {
  return llvm::formatv("[{0}, {1}]", pair.first, pair.second);
}

static Written writeConv2d(KernelWriter &writer, const Node &node) {
  const Argument &input = node.arguments[0], &weight = node.arguments[1];
  const Argument &bias = writer.get(node, 2, "bias");
  const Argument &padding = writer.get(node, 4, "padding");
  if (padding.kind == Argument::Kind::String || writer.rankOf(input) != 4)
    return std::nullopt;
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  int64_t groups = writer.readInteger(writer.get(node, 6, "groups"), 1);
  std::vector<std::string> shape = shapeOf(node);
  std::string text = llvm::formatv(
      "kernels.conv2d({0}, {1}, {2}, {3}, {4}, {5}, {6}, {7})",
      writer.use(input, wide, 0), writer.use(weight, wide, 0), shape[2],
      shape[3], formatPair(readPair(writer, writer.get(node, 3, "stride"), 1)),
      formatPair(readPair(writer, padding, 0)),
      formatPair(readPair(writer, writer.get(node, 5, "dilation"), 1)), groups);
  if (!bias.isNone())
    text = llvm::formatv(
        "{0} + {1}", writer.name(text),
        reshapeTo(writer.use(bias, wide, 0), {"1", shape[1], "1", "1"}));
  return one(castTo(text, wide, dtype));
}

/// The largest of each window.
static Written writeMaxPool2d(KernelWriter &writer, const Node &node) {
  const Argument &input = node.arguments[0];
  const Argument &stride = writer.get(node, 2, "stride");
  if (writer.readBool(writer.get(node, 5, "ceil_mode"), false) ||
      writer.rankOf(input) != 4 || node.results.size() != 1 ||
      !isFloating(resultOf(node).dtype))
    return std::nullopt;
  auto kernel = readPair(writer, writer.get(node, 1, "kernel_size"), 1);
  auto step = stride.isNone() || (stride.kind == Argument::Kind::List &&
                                  stride.elements.empty())
                  ? kernel
                  : readPair(writer, stride, 1);
  std::vector<std::string> shape = shapeOf(node);
  return one(llvm::formatv(
      "kernels.max_pool2d({0}, {1}, {2}, {3}, {4}, {5}, {6})",
      writer.use(input), shape[2], shape[3], formatPair(kernel),
      formatPair(step),
      formatPair(readPair(writer, writer.get(node, 3, "padding"), 0)),
      formatPair(readPair(writer, writer.get(node, 4, "dilation"), 1))));
}

/// The mean of all places of a channel.
static Written writeAdaptivePool(KernelWriter &writer, const Node &node) {
  const Argument &input = node.arguments[0];
  if (readPair(writer, node.arguments[1], 0) !=
          std::pair<int64_t, int64_t>(1, 1) ||
      writer.rankOf(input) != 4)
    return std::nullopt;
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  const std::vector<std::string> &shape = writer.typeOf(input).shape;
  std::string rows = reshapeTo(writer.use(input, wide, 0),
                               {formatProduct({shape[0], shape[1]}),
                                formatProduct({shape[2], shape[3]})});
  return one(reshapeTo(
      castTo("pl.mean(" + rows + ", axis=-1, keepdims=True)", wide, dtype),
      shapeOf(node)));
}

void tegula::torch::addWindowRules(RuleTable &rules) {
  rules["aten.conv2d.default"] = writeConv2d;
  rules["aten.max_pool2d.default"] = writeMaxPool2d;
  rules["aten.adaptive_avg_pool2d.default"] = writeAdaptivePool;
}
