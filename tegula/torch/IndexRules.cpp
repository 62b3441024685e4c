// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gather and scatter: elements at indices that are data.

#include "tegula/torch/KernelWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;

/// Rows of a matrix, for any number of indices.
static Written writeEmbedding(KernelWriter &writer, const Node &node) {
  const Argument &weight = node.arguments[0], &indices = node.arguments[1];
  std::string list =
      writer.listIndices(node, indices, writer.typeOf(weight).shape[0]);
  return one(reshapeTo(writer.name(llvm::formatv("kernels.rows({0}, {1})",
                                                 writer.use(weight), list)),
                       shapeOf(node)));
}

static Written writeIndexSelect(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  unsigned axis = readAxis(writer.readInteger(writer.get(node, 1, "dim"), 0),
                           writer.rankOf(source));
  return one(writer.take(source,
                         writer.listIndices(node, writer.get(node, 2, "index"),
                                            writer.typeOf(source).shape[axis]),
                         axis, shapeOf(node)));
}

/// Where tensors of indices stand in an indexed tensor, which are neighbours,
/// and one list of indices along all their axes.
struct Indices {
  unsigned begin = 0, end = 0;
  std::string list;
  /// The shape of what is found: that of the indices between the other axes.
  std::vector<std::string> shape = {};
};

/// The indices broadcast to one shape; nothing if torch's rule for them is
/// another.
static std::optional<std::vector<std::string>>
broadcast(KernelWriter &writer, llvm::ArrayRef<Argument> indices) {
  size_t rank = 0;
  for (const Argument &index : indices)
    rank = std::max<size_t>(rank, writer.typeOf(index).shape.size());
  std::vector<std::string> shape(rank, "1");
  for (const Argument &index : indices) {
    const std::vector<std::string> &own = writer.typeOf(index).shape;
    for (auto [number, extent] : llvm::enumerate(own)) {
      std::string &found = shape[rank - own.size() + number];
      if (extent != "1" && found != "1" && found != extent)
        return std::nullopt;
      found = extent == "1" ? found : extent;
    }
  }
  return shape;
}

static std::optional<Indices> readIndices(KernelWriter &writer,
                                          const Node &node) {
  const Argument &source = node.arguments[0], &indices = node.arguments[1];
  const std::vector<std::string> &own = writer.typeOf(source).shape;
  std::vector<Argument> tensors;
  Indices found;
  for (auto [number, index] : llvm::enumerate(indices.elements)) {
    if (index.isNone())
      continue;
    bool isNext = tensors.empty() || found.end == number;
    if (!index.isNode() || !isNext || writer.typeOf(index).dtype == "bool" ||
        writer.typeOf(index).dtype == "uint8")
      return std::nullopt;
    found.begin = tensors.empty() ? number : found.begin;
    found.end = number + 1;
    tensors.push_back(index);
  }
  auto shape = broadcast(writer, tensors);
  if (tensors.empty() || !shape || found.end > own.size())
    return std::nullopt;
  for (auto [number, index] : llvm::enumerate(tensors)) {
    const std::string &extent = own[found.begin + number];
    std::vector<std::string> axes(
        shape->size() - writer.typeOf(index).shape.size(), "1");
    llvm::append_range(axes, writer.typeOf(index).shape);
    std::string text =
        reshapeTo(writer.listIndices(node, index, extent, true), axes);
    found.list = number == 0
                     ? text
                     : llvm::formatv("{0} * pl.cast({1}, pl.INT64) + {2}",
                                     found.list, extent, text)
                           .str();
    found.list = writer.name(found.list);
  }
  found.list = reshapeTo(found.list, {formatProduct(*shape)});
  found.shape.assign(own.begin(), own.begin() + found.begin);
  llvm::append_range(found.shape, *shape);
  found.shape.insert(found.shape.end(), own.begin() + found.end, own.end());
  return found;
}

/// x[indices], with tensors of indices along axes that are neighbours.
static Written writeIndex(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  std::optional<Indices> indices = readIndices(writer, node);
  if (!indices)
    return std::nullopt;
  std::string three = asThree(writer.use(source), writer.typeOf(source).shape,
                              indices->begin, indices->end);
  return one(
      reshapeTo(writer.name(llvm::formatv("kernels.take({0}, {1})", three,
                                          writer.name(indices->list))),
                shapeOf(node)));
}

/// x[truths] = value is a choice.
static Written writeMasked(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0], &value = node.arguments[2];
  const std::vector<Argument> &masks = node.arguments[1].elements;
  const TensorType &type = writer.typeOf(source);
  if (masks.size() != 1 || !masks[0].isNode() ||
      writer.typeOf(masks[0]).dtype != "bool" ||
      writer.typeOf(value).shape != std::vector<std::string>{"1"})
    return std::nullopt;
  std::vector<std::string> shape = writer.typeOf(masks[0]).shape;
  shape.resize(type.shape.size(), "1");
  return one(llvm::formatv(
      "pl.select({0}, {1}, {2})", reshapeTo(writer.use(masks[0]), shape),
      writer.use(value, type.dtype, type.shape.size()), writer.use(source)));
}

/// Values written at indices, or added to what is there.
static Written writeIndexPut(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0], &value = node.arguments[2];
  bool adds = writer.readBool(writer.get(node, 3, "accumulate"), false);
  const TensorType &type = writer.typeOf(source);
  std::optional<Indices> indices = readIndices(writer, node);
  if (!indices)
    return adds ? std::nullopt : writeMasked(writer, node);
  unsigned rank = indices->shape.size();
  if (writer.rankOf(value) > rank)
    return std::nullopt;
  StringRef wide =
      adds && type.dtype != "bool" ? widen(type.dtype) : StringRef(type.dtype);
  std::string values = writer.use(value, wide, rank);
  if (writer.typeOf(value).shape != indices->shape)
    values = llvm::formatv("kernels.expand({0}, {1}, {2})", values,
                           formatShape(indices->shape), nameDType(wide));
  unsigned after = type.shape.size() - indices->end;
  std::string text =
      llvm::formatv("kernels.put({0}, {1}, {2}, {3})",
                    asThree(writer.use(source, wide, 0), type.shape,
                            indices->begin, indices->end),
                    writer.name(indices->list),
                    asThree(writer.name("kernels.copy(" + values + ")"),
                            indices->shape, indices->begin, rank - after),
                    adds ? "True" : "False");
  return one(
      reshapeTo(castTo(writer.name(text), wide, type.dtype), shapeOf(node)));
}

/// Where each element that `indices` names along an axis lies in all of
/// `source`: a list.
static std::string findElements(KernelWriter &writer, const Node &node,
                                unsigned axis) {
  const Argument &source = node.arguments[0], &indices = node.arguments[2];
  const std::vector<std::string> &own = writer.typeOf(source).shape;
  const std::vector<std::string> &shape = writer.typeOf(indices).shape;
  std::string sum;
  for (unsigned number = 0; number < own.size(); ++number) {
    std::vector<std::string> later(own.begin() + number + 1, own.end());
    std::vector<std::string> along(own.size(), "1");
    along[number] = shape[number];
    std::string counted =
        number == axis
            ? reshapeTo(writer.listIndices(node, indices, own[axis]), shape)
            : reshapeTo("pl.cast(pl.arange(0, [" + shape[number] +
                            "], dtype=pl.INT32), pl.INT64)",
                        along);
    std::string term = llvm::formatv("{0} * pl.cast({1}, pl.INT64)", counted,
                                     formatProduct(later));
    sum += (sum.empty() ? "" : " + ") + term;
  }
  return writer.name(reshapeTo(writer.name(sum), {formatProduct(shape)}));
}

static Written writeGather(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0], &indices = node.arguments[2];
  const std::vector<std::string> &own = writer.typeOf(source).shape;
  unsigned rank = own.size();
  unsigned axis = readAxis(writer.readInteger(node.arguments[1], 0), rank);
  if (writer.rankOf(indices) != rank)
    return std::nullopt;
  // What is no number of 32 bits is not on an axis, either.
  if (rank == 2 && axis == 1 && own[0] == writer.typeOf(indices).shape[0])
    return one(llvm::formatv(
        "pl.gather({0}, dim=-1, index=pl.cast(pl.minimum(pl.maximum({1}, -1), "
        "2147483647), pl.INT32))",
        writer.use(source), writer.use(indices, "int64", 0)));
  std::string list = findElements(writer, node, axis);
  std::string line =
      reshapeTo(writer.use(source), {"1", formatProduct(own), "1"});
  return one(reshapeTo(
      writer.name(llvm::formatv("kernels.take({0}, {1})", line, list)),
      shapeOf(node)));
}

/// Elements written along an axis, or added.
template <bool adds>
static Written writeScatter(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0], &indices = node.arguments[2],
                 &value = node.arguments[3];
  const TensorType &type = writer.typeOf(source);
  unsigned rank = type.shape.size();
  unsigned axis = readAxis(writer.readInteger(node.arguments[1], 0), rank);
  const std::vector<std::string> &shape = writer.typeOf(indices).shape;
  if (shape.size() != rank || !writer.get(node, 4, "reduce").isNone() ||
      (value.isNode() && writer.typeOf(value).shape.size() != rank))
    return std::nullopt;
  StringRef wide = adds ? widen(type.dtype) : StringRef(type.dtype);
  std::string values = writer.use(value, wide, rank);
  if (value.isScalar())
    values = llvm::formatv("pl.full({0}, {1}, {2})", formatShape(shape),
                           nameDType(wide), values);
  // Only as many as there are indices are taken.
  else if (writer.typeOf(value).shape != shape) {
    std::vector<std::string> windows;
    for (const std::string &extent : shape)
      windows.push_back("0 : " + extent);
    values = writer.name(values) + "[" + llvm::join(windows, ", ") + "]";
  }
  std::string text =
      llvm::formatv("kernels.put({0}, {1}, {2}, {3})",
                    reshapeTo(writer.use(source, wide, 0),
                              {"1", formatProduct(type.shape), "1"}),
                    findElements(writer, node, axis),
                    reshapeTo(writer.name("kernels.copy(" + values + ")"),
                              {"1", formatProduct(shape), "1"}),
                    adds ? "True" : "False");
  return one(
      reshapeTo(castTo(writer.name(text), wide, type.dtype), shapeOf(node)));
}

/// In order along an axis, and where each was. Equal ones stay in order.
static Written writeSort(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  bool isStable = StringRef(node.op).ends_with(".stable");
  const TensorType &type = writer.typeOf(source);
  unsigned axis = readAxis(
      writer.readInteger(writer.get(node, isStable ? 2 : 1, "dim"), -1),
      type.shape.size());
  bool descends =
      writer.readBool(writer.get(node, isStable ? 3 : 2, "descending"), false);
  if (type.dtype == "bool")
    return std::nullopt;
  std::string pair = writer.name(
      llvm::formatv("pl.sort({0}, axis={1}, descending={2})",
                    writer.use(source), axis, descends ? "True" : "False"));
  std::string indices = "pl.cast(" + pair + "[1], pl.INT64)";
  if (node.results.size() == 1)
    return one(indices);
  return std::vector<std::string>{pair + "[0]", indices};
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
  rules["aten.scatter.src"] = writeScatter<false>;
  rules["aten.scatter.value"] = writeScatter<false>;
  rules["aten.scatter_add.default"] = writeScatter<true>;
  rules["aten.index_put.default"] = writeIndexPut;
  rules["aten.sort.default"] = writeSort;
  rules["aten.sort.stable"] = writeSort;
  rules["aten.argsort.default"] = writeSort;
  rules["aten.topk.default"] = writeTopk;
}
