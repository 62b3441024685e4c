// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalisations, computed in a float of 32 bits at least.

#include "tegula/torch/KernelWriter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;

/// The tensor as a matrix whose columns are normalised together.
static std::string asRows(KernelWriter &writer, const Argument &source,
                          unsigned columns, StringRef dtype) {
  const std::vector<std::string> &shape = writer.typeOf(source).shape;
  std::vector<std::string> rows(shape.begin(), shape.end() - columns);
  std::vector<std::string> rest(shape.end() - columns, shape.end());
  return reshapeTo(writer.use(source, dtype, 0),
                   {formatProduct(rows), formatProduct(rest)});
}

/// A scale or a shift as a row; none if there is none.
static std::string asRow(KernelWriter &writer, const Argument &value,
                         StringRef dtype) {
  if (value.isNone())
    return "None";
  return reshapeTo(writer.use(value, dtype, 0),
                   {"1", formatProduct(writer.typeOf(value).shape)});
}

static Written writeLayerNorm(KernelWriter &writer, const Node &node) {
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  unsigned columns = node.arguments[1].elements.size();
  std::string text = llvm::formatv(
      "kernels.layer_norm({0}, {1}, {2}, {3})",
      asRows(writer, node.arguments[0], columns, wide),
      asRow(writer, writer.get(node, 2, "weight"), wide),
      asRow(writer, writer.get(node, 3, "bias"), wide),
      llvm::format("%.17g",
                   writer.readFloat(writer.get(node, 4, "eps"), 1e-5)));
  return one(reshapeTo(writer.name(castTo(text, wide, dtype)), shapeOf(node)));
}

static Written writeRmsNorm(KernelWriter &writer, const Node &node) {
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  double least =
      dtype == "float64" ? 2.220446049250313e-16 : 1.1920928955078125e-07;
  unsigned columns = node.arguments[1].elements.size();
  std::string text = llvm::formatv(
      "kernels.rms_norm({0}, {1}, {2})",
      asRows(writer, node.arguments[0], columns, wide),
      asRow(writer, writer.get(node, 2, "weight"), wide),
      llvm::format("%.17g",
                   writer.readFloat(writer.get(node, 3, "eps"), least)));
  return one(reshapeTo(writer.name(castTo(text, wide, dtype)), shapeOf(node)));
}

/// Of what has been learnt: a scale and a shift for each channel, which is the
/// second axis.
static Written writeBatchNorm(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  if (writer.readBool(writer.get(node, 5, "training"), false) ||
      writer.get(node, 3, "running_mean").isNone())
    return std::nullopt;
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  unsigned rank = writer.rankOf(source);
  if (rank < 2)
    return std::nullopt;
  const std::string &channels = writer.typeOf(source).shape[1];
  auto perChannel = [&](const Argument &value, const char *otherwise) {
    if (value.isNone())
      return std::string(otherwise);
    std::vector<std::string> shape(rank, "1");
    shape[1] = channels;
    return reshapeTo(writer.use(value, wide, 0), shape);
  };
  std::string scale = writer.name(llvm::formatv(
      "{0} * pl.rsqrt({1} + {2})",
      perChannel(writer.get(node, 1, "weight"), "1.0"),
      perChannel(writer.get(node, 4, "running_var"), "1.0"),
      llvm::format("%.17g",
                   writer.readFloat(writer.get(node, 7, "eps"), 1e-5))));
  std::string text =
      llvm::formatv("({0} - {1}) * {2} + {3}", writer.use(source, wide, 0),
                    perChannel(writer.get(node, 3, "running_mean"), "0.0"),
                    scale, perChannel(writer.get(node, 2, "bias"), "0.0"));
  return one(castTo(text, wide, dtype));
}

/// Channels in groups, each normalised with all its pixels.
static Written writeGroupNorm(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  int64_t groups = writer.readInteger(node.arguments[1], 1);
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  std::vector<std::string> shape = writer.typeOf(source).shape;
  if (shape.size() < 2)
    return std::nullopt;
  std::vector<std::string> spatial(shape.begin() + 1, shape.end());
  std::vector<std::string> rows = {shape[0], std::to_string(groups)};
  std::string matrix = reshapeTo(
      writer.use(source, wide, 0),
      {formatProduct(rows),
       llvm::formatv("({0}) // {1}", formatProduct(spatial), groups).str()});
  std::string text = llvm::formatv(
      "kernels.layer_norm({0}, None, None, {1})", matrix,
      llvm::format("%.17g",
                   writer.readFloat(writer.get(node, 4, "eps"), 1e-5)));
  text = reshapeTo(writer.name(text), shape);
  std::vector<std::string> channel(shape.size(), "1");
  channel[1] = shape[1];
  for (auto [position, sign] : {std::pair(2u, " * "), std::pair(3u, " + ")})
    if (const Argument &value =
            writer.get(node, position, position == 2 ? "weight" : "bias");
        !value.isNone())
      text += sign + reshapeTo(writer.use(value, wide, 0), channel);
  return one(castTo(text, wide, dtype));
}

void tegula::torch::addNormRules(RuleTable &rules) {
  rules["aten.layer_norm.default"] = writeLayerNorm;
  rules["aten.rms_norm.default"] = writeRmsNorm;
  rules["aten.batch_norm.default"] = writeBatchNorm;
  rules["aten.group_norm.default"] = writeGroupNorm;
}
