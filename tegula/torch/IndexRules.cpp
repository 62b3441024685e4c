// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements at places that are data.

#include "tegula/torch/KernelWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;

/// Rows of a matrix, for any number of places.
static Written writeEmbedding(KernelWriter &writer, const Node &node) {
  const Argument &weight = node.arguments[0], &places = node.arguments[1];
  std::string list = reshapeTo(writer.use(places),
                               {formatProduct(writer.typeOf(places).shape)});
  return one(reshapeTo(writer.name(llvm::formatv("kernels.rows({0}, {1})",
                                                 writer.use(weight), list)),
                       shapeOf(node)));
}

static Written writeIndexSelect(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  unsigned axis = readAxis(writer.readInteger(writer.get(node, 1, "dim"), 0),
                           writer.rankOf(source));
  return one(writer.take(source, writer.use(writer.get(node, 2, "index")), axis,
                         shapeOf(node)));
}

/// x[places] with one tensor of places, along any axis.
static Written writeIndex(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  const Argument *places = nullptr;
  unsigned axis = 0;
  for (auto [number, place] : llvm::enumerate(node.arguments[1].elements)) {
    if (place.isNone())
      continue;
    if (places || !place.isNode() || writer.typeOf(place).dtype == "bool")
      return std::nullopt;
    places = &place;
    axis = number;
  }
  if (!places)
    return std::nullopt;
  std::string list = reshapeTo(writer.use(*places),
                               {formatProduct(writer.typeOf(*places).shape)});
  return one(writer.take(source, list, axis, shapeOf(node)));
}

/// Along the last axis of matrices.
static Written writeGather(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0], &places = node.arguments[2];
  unsigned rank = writer.rankOf(source);
  if (rank != 2 ||
      readAxis(writer.readInteger(node.arguments[1], 0), rank) != 1 ||
      writer.typeOf(source).shape[0] != writer.typeOf(places).shape[0])
    return std::nullopt;
  return one(
      llvm::formatv("pl.gather({0}, dim=-1, index=pl.cast({1}, pl.INT32))",
                    writer.use(source), writer.use(places)));
}

static Written writeScatter(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0], &places = node.arguments[2],
                 &value = node.arguments[3];
  unsigned rank = writer.rankOf(source);
  if (rank != 2 ||
      readAxis(writer.readInteger(node.arguments[1], 0), rank) != 1 ||
      writer.typeOf(source).shape[0] != writer.typeOf(places).shape[0] ||
      !value.isNode() ||
      writer.typeOf(value).shape != writer.typeOf(places).shape)
    return std::nullopt;
  return one(llvm::formatv(
      "pl.scatter({0}, dim=-1, index=pl.cast({1}, pl.INT32), src={2})",
      writer.use(source), writer.use(places), writer.use(value)));
}

/// Along the last axis; others are put there and back.
static Written writeTopk(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  const TensorType &type = writer.typeOf(source);
  unsigned rank = type.shape.size();
  int64_t count = writer.readInteger(writer.get(node, 1, "k"), -1);
  unsigned axis =
      readAxis(writer.readInteger(writer.get(node, 2, "dim"), -1), rank);
  bool isLargest = writer.readBool(writer.get(node, 3, "largest"), true);
  if (count < 1 || axis + 1 != rank || !isFloating(type.dtype))
    return std::nullopt;
  std::vector<std::string> rows(type.shape.begin(), type.shape.end() - 1);
  std::string matrix =
      reshapeTo(writer.use(source), {formatProduct(rows), type.shape.back()});
  std::string pair =
      writer.name(llvm::formatv("pl.topk({0}, {1}, largest={2})", matrix, count,
                                isLargest ? "True" : "False"));
  std::vector<std::string> shape = shapeOf(node);
  return std::vector<std::string>{
      reshapeTo(pair + "[0]", shape),
      reshapeTo("pl.cast(" + pair + "[1], pl.INT64)", shape)};
}

void tegula::torch::addIndexRules(RuleTable &rules) {
  rules["aten.embedding.default"] = writeEmbedding;
  rules["aten.index_select.default"] = writeIndexSelect;
  rules["aten.index.Tensor"] = writeIndex;
  rules["aten.gather.default"] = writeGather;
  rules["aten.scatter.src"] = writeScatter;
  rules["aten.topk.default"] = writeTopk;
}
