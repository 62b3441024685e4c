// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// index_add, index_copy, index_fill: slices at indices that are data.

#include "tegula/torch/KernelWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;

namespace {

/// A tensor whose slices along an axis are written at some indices.
struct Target {
  const Argument &tensor, &indices;
  const TensorType &type;
  unsigned axis;
  /// The elements that are computed with.
  StringRef wide;
};

} // namespace

static Target readTarget(KernelWriter &writer, const Node &node, bool adds) {
  const Argument &tensor = node.arguments[0];
  const TensorType &type = writer.typeOf(tensor);
  unsigned axis =
      readAxis(writer.readInteger(node.arguments[1], 0), type.shape.size());
  return {tensor, node.arguments[2], type, axis,
          adds ? widen(type.dtype) : StringRef(type.dtype)};
}

/// The shape of the slices at all indices: [before, indices, after].
static std::vector<std::string> shapeOfSlices(KernelWriter &writer,
                                              const Target &target) {
  llvm::ArrayRef<std::string> shape = target.type.shape;
  return {formatProduct(shape.take_front(target.axis).vec()),
          formatProduct(writer.typeOf(target.indices).shape),
          formatProduct(shape.drop_front(target.axis + 1).vec())};
}

/// A copy of the tensor with `values` at the indices.
static Written put(KernelWriter &writer, const Node &node, const Target &target,
                   const std::string &values, bool adds, bool countsFromEnd) {
  std::string indices = writer.listIndices(
      node, target.indices, target.type.shape[target.axis], countsFromEnd);
  std::string text =
      llvm::formatv("kernels.put({0}, {1}, {2}, {3})",
                    asThree(writer.use(target.tensor, target.wide, 0),
                            target.type.shape, target.axis, target.axis + 1),
                    indices, writer.name("kernels.copy(" + values + ")"),
                    adds ? "True" : "False");
  return one(
      reshapeTo(castTo(writer.name(text), target.wide, target.type.dtype),
                shapeOf(node)));
}

/// index_add and index_copy: slices of another tensor. Those that are added may
/// be multiplied by `alpha`.
template <bool adds>
static Written writeSlices(KernelWriter &writer, const Node &node) {
  Target target = readTarget(writer, node, adds);
  if (adds && target.type.dtype == "bool")
    return std::nullopt;
  std::string values = reshapeTo(writer.use(node.arguments[3], target.wide, 0),
                                 shapeOfSlices(writer, target));
  const Argument &alpha = writer.get(node, 4, "alpha");
  if (adds && !alpha.isNone() && writer.readFloat(alpha, 1) != 1)
    values += " * " + formatNumber(alpha, target.wide);
  return put(writer, node, target, values, adds, /*countsFromEnd=*/false);
}

/// One value in all slices.
static Written writeFilled(KernelWriter &writer, const Node &node) {
  Target target = readTarget(writer, node, /*adds=*/false);
  const Argument &value = node.arguments[3];
  std::string shape = formatShape(shapeOfSlices(writer, target));
  StringRef dtype = nameDType(target.wide);
  std::string text = writer.use(value, target.wide, 3);
  text =
      value.isScalar()
          ? llvm::formatv("pl.full({0}, {1}, {2})", shape, dtype, text).str()
          : llvm::formatv("kernels.expand({0}, {1}, {2})", text, shape, dtype)
                .str();
  return put(writer, node, target, text, /*adds=*/false,
             /*countsFromEnd=*/true);
}

/// A row for each number, with a 1 at that index.
static Written writeOneHot(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  int64_t count = writer.readInteger(writer.get(node, 1, "num_classes"), -1);
  if (count < 1 || writer.typeOf(source).dtype != "int64")
    return std::nullopt;
  std::vector<std::string> rows = shapeOf(node), columns(rows.size(), "1");
  rows.back() = "1";
  columns.back() = std::to_string(count);
  std::string indices = writer.listIndices(node, source, std::to_string(count));
  return one(llvm::formatv(
      "pl.cast({0} == pl.cast({1}, pl.INT64), pl.INT64)",
      reshapeTo(indices, rows),
      reshapeTo(llvm::formatv("pl.arange(0, [{0}], dtype=pl.INT32)", count),
                columns)));
}

void tegula::torch::addIndexUpdateRules(RuleTable &rules) {
  rules["aten.index_add.default"] = writeSlices<true>;
  rules["aten.index_copy.default"] = writeSlices<false>;
  rules["aten.index_fill.int_Scalar"] = writeFilled;
  rules["aten.index_fill.int_Tensor"] = writeFilled;
  rules["aten.one_hot.default"] = writeOneHot;
}
