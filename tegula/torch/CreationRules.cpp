// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors that are made of numbers.

#include "tegula/torch/KernelWriter.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;

static Written makeFull(const Node &node, const Argument &value) {
  const TensorType &type = resultOf(node);
  return one(llvm::formatv("pl.full({0}, {1}, {2})", formatShape(shapeOf(node)),
                           nameDType(type.dtype),
                           formatNumber(value, type.dtype)));
}

template <int64_t value>
static Written writeConstant(KernelWriter &, const Node &node) {
  return makeFull(node, {Argument::Kind::Integer, "", value, double(value)});
}

template <unsigned position>
static Written writeFull(KernelWriter &writer, const Node &node) {
  const Argument &value = writer.get(node, position, "fill_value");
  return value.isScalar() ? makeFull(node, value) : std::nullopt;
}

/// Fractions are added up in FP64 and rounded once.
static Written writeFractions(const Node &node, const Argument &start,
                              const Argument &step) {
  static const Argument none{Argument::Kind::Integer, "", 0, 0};
  static const Argument unit{Argument::Kind::Integer, "", 1, 1};
  std::string text = llvm::formatv(
      "(pl.cast(pl.arange(0, {0}, dtype=pl.INT32), pl.FP64) * {1} + {2})",
      formatShape(shapeOf(node)),
      formatNumber(step.isNone() ? unit : step, "float64"),
      formatNumber(start.isNone() ? none : start, "float64"));
  return one(castTo(text, "float64", resultOf(node).dtype));
}

/// From `start`, by `step`: arange(end), arange(start, end), arange(start, end,
/// step). Integers are made of numbers without their fractions.
static Written writeArange(KernelWriter &writer, const Node &node) {
  const TensorType &type = resultOf(node);
  static const Argument none;
  bool hasStart = !node.arguments[1].isNone();
  const Argument &start = hasStart ? node.arguments[0] : none;
  const Argument &step = node.arguments[2];
  bool isInteger =
      start.kind != Argument::Kind::Float && step.kind != Argument::Kind::Float;
  if (type.dtype == "bool")
    return std::nullopt;
  if (!isInteger && isFloating(type.dtype))
    return writeFractions(node, start, step);
  std::string text = llvm::formatv("pl.arange(0, {0}, dtype=pl.INT32)",
                                   formatShape(shapeOf(node)));
  text = castTo(text, "int32", type.dtype);
  bool isUnit = step.isNone() ||
                (step.kind == Argument::Kind::Integer && step.integer == 1);
  if (!isUnit)
    text = llvm::formatv("{0} * {1}", text, formatNumber(step, type.dtype));
  if (hasStart)
    text = llvm::formatv("{0} + {1}", text, formatNumber(start, type.dtype));
  return one(text);
}

/// From one number to another one, both included, in so many steps.
static Written writeLinspace(KernelWriter &writer, const Node &node) {
  const Argument &start = node.arguments[0], &end = node.arguments[1];
  const std::string &dtype = resultOf(node).dtype;
  // Torch rounds the steps of narrow types, and cuts those of integers.
  if (!start.isScalar() || !end.isScalar() || !isFloating(dtype) ||
      isNarrowFloat(dtype))
    return std::nullopt;
  std::string text = llvm::formatv(
      "kernels.linspace({0}, {1}, {2})", shapeOf(node)[0],
      formatNumber(start, "float64"), formatNumber(end, "float64"));
  return one(castTo(writer.name(text), "float64", dtype));
}

/// The lower or upper triangle of the last two axes.
template <bool isUpper>
static Written writeTriangle(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  int64_t diagonal = writer.readInteger(writer.get(node, 1, "diagonal"), 0);
  const TensorType &type = writer.typeOf(source);
  size_t rank = type.shape.size();
  if (rank < 2)
    return std::nullopt;
  std::vector<std::string> rows(rank, "1"), columns(rank, "1");
  rows[rank - 2] = type.shape[rank - 2];
  columns[rank - 1] = type.shape[rank - 1];
  auto count = [](const std::vector<std::string> &shape,
                  const std::string &extent) {
    return reshapeTo("pl.arange(0, [" + extent + "], dtype=pl.INT32)", shape);
  };
  return one(llvm::formatv(
      "pl.select({0} {1} {2} + {3}, {4}, {5})",
      count(columns, type.shape[rank - 1]), isUpper ? ">=" : "<=",
      count(rows, type.shape[rank - 2]), diagonal, writer.use(source),
      formatNumber({Argument::Kind::Integer, "", 0, 0}, type.dtype)));
}

void tegula::torch::addCreationRules(RuleTable &rules) {
  auto add = [&](Rule rule, std::initializer_list<const char *> names) {
    for (const char *name : names)
      rules[std::string("aten.") + name] = rule;
  };
  add(writeConstant<0>,
      {"zeros.default", "zeros_like.default", "new_zeros.default",
       "empty.memory_format", "empty_like.default", "new_empty.default"});
  add(writeConstant<1>,
      {"ones.default", "ones_like.default", "new_ones.default"});
  add(writeFull<1>, {"full.default", "full_like.default"});
  add(writeFull<2>, {"new_full.default"});
  add(writeFull<0>, {"scalar_tensor.default"});
  add(writeArange, {"arange.default", "arange.start", "arange.start_step"});
  add(writeLinspace, {"linspace.default"});
  add(writeTriangle<false>, {"tril.default"});
  add(writeTriangle<true>, {"triu.default"});
}
