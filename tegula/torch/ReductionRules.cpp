// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and their like along axes.

#include "tegula/torch/KernelWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;

/// The axes that an operation goes along; all if it names none.
static std::vector<unsigned> axesOf(KernelWriter &writer, const Node &node,
                                    unsigned position) {
  unsigned rank = writer.rankOf(node.arguments[0]);
  std::vector<unsigned> axes =
      writer.readAxes(writer.get(node, position, "dim"), rank);
  if (axes.empty())
    for (unsigned axis = 0; axis < rank; ++axis)
      axes.push_back(axis);
  return axes;
}

/// `function` along axes one after the other, which stay with one element.
static std::string along(StringRef function, std::string text,
                         llvm::ArrayRef<unsigned> axes) {
  for (unsigned axis : axes)
    text = llvm::formatv("pl.{0}({1}, axis={2}, keepdims=True)", function, text,
                         axis);
  return text;
}

/// "(s0 * 4)" as a number of elements along the axes.
static std::string countAlong(const KernelWriter &writer,
                              const Argument &source,
                              llvm::ArrayRef<unsigned> axes) {
  std::vector<std::string> extents;
  for (unsigned axis : axes)
    extents.push_back(writer.typeOf(source).shape[axis]);
  return formatProduct(extents);
}

/// The shape that torch gives, whether it keeps axes or not.
static std::string finish(const KernelWriter &writer, const Node &node,
                          const std::string &text, StringRef dtype) {
  std::string value = castTo(text, dtype, resultOf(node).dtype);
  unsigned rank = writer.rankOf(node.arguments[0]);
  return rankOfResult(node) == rank ? value : reshapeTo(value, shapeOf(node));
}

/// There is no largest of nothing, whatever the other axes are.
static void requireElements(KernelWriter &writer, const Node &node,
                            llvm::ArrayRef<unsigned> axes) {
  std::vector<std::string> extents;
  for (unsigned axis : axes)
    extents.push_back(writer.typeOf(node.arguments[0]).shape[axis]);
  writer.requireSome(node, extents, "there are no elements to choose from");
}

/// What elements are reduced in: truths are numbers.
static StringRef reducedType(const Node &node) {
  const std::string &dtype = resultOf(node).dtype;
  return dtype == "bool" ? "uint8" : widen(dtype);
}

/// Whether any is true, or all are. The largest of nothing is the lowest
/// number, the smallest the highest.
static Written writeTruths(KernelWriter &writer, const Node &node,
                           llvm::ArrayRef<unsigned> axes, bool isAny) {
  std::string truth = writer.use(node.arguments[0], "bool", 0);
  std::string text =
      along(isAny ? "max" : "min", "pl.cast(" + truth + ", pl.INT32)", axes);
  text =
      llvm::formatv(isAny ? "pl.maximum({0}, 0)" : "pl.minimum({0}, 1)", text);
  return one(finish(writer, node, text, "int32"));
}

template <const char *function, bool chooses = false>
static Written writeReduction(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  StringRef dtype = reducedType(node);
  std::vector<unsigned> axes = axesOf(writer, node, 1);
  if (chooses)
    requireElements(writer, node, axes);
  if (!chooses && resultOf(node).dtype == "bool")
    return writeTruths(writer, node, axes, StringRef(function) == "sum");
  std::string text = writer.use(source, dtype, 0);
  return one(finish(writer, node, along(function, text, axes), dtype));
}

static Written writeMean(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  StringRef dtype = widen(resultOf(node).dtype);
  std::vector<unsigned> axes = axesOf(writer, node, 1);
  std::string sum = along("sum", writer.use(source, dtype, 0), axes);
  return one(
      finish(writer, node,
             llvm::formatv("{0} / pl.cast({1}, {2})", sum,
                           countAlong(writer, source, axes), nameDType(dtype)),
             dtype));
}

template <bool isAny>
static Written writeTruth(KernelWriter &writer, const Node &node) {
  const Argument &dim = writer.get(node, 1, "dim");
  // Unlike sums, they go along no axis if a list of them is empty.
  bool isEmpty = dim.kind == Argument::Kind::List && dim.elements.empty();
  return writeTruths(
      writer, node, isEmpty ? std::vector<unsigned>() : axesOf(writer, node, 1),
      isAny);
}

/// The largest or smallest along an axis, and where it is.
template <const char *function>
static Written writeExtremum(KernelWriter &writer, const Node &node) {
  if (node.results.size() != 2)
    return std::nullopt;
  const Argument &source = node.arguments[0];
  unsigned rank = writer.rankOf(source);
  unsigned axis =
      readAxis(writer.readInteger(writer.get(node, 1, "dim"), 0), rank);
  requireElements(writer, node, {axis});
  StringRef dtype = reducedType(node);
  std::string text = writer.use(source, dtype, 0);
  std::string value =
      castTo(along(function, text, {axis}), dtype, resultOf(node).dtype);
  std::string index =
      llvm::formatv("pl.cast(pl.arg{0}({1}, {2}, keepdims=True), pl.INT64)",
                    function, text, axis);
  if (rankOfResult(node) != rank) {
    value = reshapeTo(value, shapeOf(node));
    index = reshapeTo(index, shapeOf(node));
  }
  return std::vector<std::string>{value, index};
}

template <const char *function>
static Written writeIndex(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  const Argument &dim = writer.get(node, 1, "dim");
  std::string text = writer.use(source);
  unsigned rank = writer.rankOf(source), axis = 0;
  if (dim.isNone())
    text = reshapeTo(text, {formatProduct(writer.typeOf(source).shape)});
  else
    axis = readAxis(writer.readInteger(dim, 0), rank);
  requireElements(writer, node, axesOf(writer, node, 1));
  std::string index =
      llvm::formatv("pl.cast(pl.{0}({1}, {2}, keepdims=True), pl.INT64)",
                    function, text, axis);
  bool keeps = !dim.isNone() && rankOfResult(node) == rank;
  return one(keeps ? index : reshapeTo(index, shapeOf(node)));
}

/// How many fewer than there are elements squares are divided by: a number, or
/// a truth that stands after the axes, or alone if there are none.
static double readCorrection(KernelWriter &writer, const Node &node) {
  bool isAlone = StringRef(node.op).ends_with(".default");
  if (isAlone || StringRef(node.op).ends_with(".dim"))
    return writer.readBool(writer.get(node, isAlone ? 1 : 2, "unbiased"), true);
  const Argument &correction = writer.get(node, 9, "correction");
  return correction.isNone() ? 1 : writer.readFloat(correction, 1);
}

/// The variance or its root, and the mean if that is wanted, too.
template <bool isRoot>
static Written writeVariance(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  StringRef dtype = widen(resultOf(node).dtype);
  bool isAlone = StringRef(node.op).ends_with(".default");
  std::vector<unsigned> axes = axesOf(writer, node, isAlone ? 9 : 1);
  std::string text = writer.use(source, dtype, 0);
  std::string count = countAlong(writer, source, axes);
  std::string number =
      llvm::formatv("pl.cast({0}, {1})", count, nameDType(dtype));
  std::string mean =
      writer.name(llvm::formatv("{0} / {1}", along("sum", text, axes), number));
  std::string centred = writer.name(llvm::formatv("{0} - {1}", text, mean));
  double less = readCorrection(writer, node);
  std::string square = llvm::formatv("{0} * {0}", centred);
  std::string variance = llvm::formatv("{0} / pl.maximum({1} - {2}, 0.0)",
                                       along("sum", square, axes), number,
                                       llvm::format("%.17g", less));
  if (isRoot)
    variance = "pl.sqrt(" + variance + ")";
  std::vector<std::string> results = {finish(writer, node, variance, dtype)};
  if (node.results.size() == 2)
    results.push_back(finish(writer, node, mean, dtype));
  return results;
}

/// Softmax and its logarithm, in a float of 32 bits at least.
template <const char *function>
static Written writeSoftmax(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  StringRef dtype = widen(resultOf(node).dtype);
  unsigned axis = readAxis(writer.readInteger(writer.get(node, 1, "dim"), -1),
                           writer.rankOf(source));
  std::string text = llvm::formatv("kernels.{0}({1}, {2})", function,
                                   writer.use(source, dtype, 0), axis);
  return one(castTo(text, dtype, resultOf(node).dtype));
}

/// Of nothing it is the logarithm of zero.
static Written writeLogSumExp(KernelWriter &writer, const Node &node) {
  StringRef dtype = widen(resultOf(node).dtype);
  std::vector<unsigned> axes = axesOf(writer, node, 1);
  std::string text = writer.use(node.arguments[0], dtype, 0);
  std::string largest = writer.name(along("max", text, axes));
  largest = writer.name(llvm::formatv(
      "pl.select(pl.abs({0}) == float(\"inf\"), 0.0, {0})", largest));
  std::string powers = llvm::formatv("pl.exp({0} - {1})", text, largest);
  return one(finish(
      writer, node,
      llvm::formatv("pl.log({0}) + {1}", along("sum", powers, axes), largest),
      dtype));
}

template <const char *function>
static Written writeScan(KernelWriter &writer, const Node &node) {
  // Torch does not add truths up one by one.
  if (resultOf(node).dtype == "bool")
    return std::nullopt;
  const Argument &source = node.arguments[0];
  StringRef dtype = widen(resultOf(node).dtype);
  unsigned axis = readAxis(writer.readInteger(writer.get(node, 1, "dim"), 0),
                           writer.rankOf(source));
  std::string text = llvm::formatv("pl.{0}({1}, axis={2})", function,
                                   writer.use(source, dtype, 0), axis);
  return one(castTo(text, dtype, resultOf(node).dtype));
}

static constexpr char sum[] = "sum", prod[] = "prod", max[] = "max",
                      min[] = "min", argmax[] = "argmax", argmin[] = "argmin",
                      softmax[] = "softmax", logSoftmax[] = "log_softmax",
                      cumsum[] = "cumsum", cumprod[] = "cumprod";

void tegula::torch::addReductionRules(RuleTable &rules) {
  auto add = [&](Rule rule, std::initializer_list<const char *> names) {
    for (const char *name : names)
      rules[std::string("aten.") + name] = rule;
  };
  add(writeReduction<sum>, {"sum.default", "sum.dim_IntList"});
  add(writeReduction<prod>, {"prod.default", "prod.dim_int"});
  add(writeReduction<max, true>, {"amax.default", "max.default"});
  add(writeReduction<min, true>, {"amin.default", "min.default"});
  add(writeMean, {"mean.default", "mean.dim"});
  add(writeTruth<true>, {"any.default", "any.dim", "any.dims"});
  add(writeTruth<false>, {"all.default", "all.dim", "all.dims"});
  add(writeExtremum<max>, {"max.dim"});
  add(writeExtremum<min>, {"min.dim"});
  add(writeIndex<argmax>, {"argmax.default"});
  add(writeIndex<argmin>, {"argmin.default"});
  add(writeVariance<false>,
      {"var.correction", "var.dim", "var.default", "var_mean.correction",
       "var_mean.dim", "var_mean.default"});
  add(writeVariance<true>,
      {"std.correction", "std.dim", "std.default", "std_mean.correction",
       "std_mean.dim", "std_mean.default"});
  add(writeSoftmax<softmax>, {"softmax.int", "_softmax.default"});
  add(writeSoftmax<logSoftmax>, {"log_softmax.int", "_log_softmax.default"});
  add(writeLogSumExp, {"logsumexp.default"});
  add(writeScan<cumsum>, {"cumsum.default"});
  add(writeScan<cumprod>, {"cumprod.default"});
}
