// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions and pooling: windows that move over an image.

#include "tegula/torch/ConvEpilogue.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
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

/// Images of channels, whatever axes the operation has: those along which
/// windows move are one or two, and before the channels images may be missing.
struct Images {
  unsigned moving = 2;
  /// Four of them.
  std::vector<std::string> shape = {};
};

static Images asImages(llvm::ArrayRef<std::string> shape, unsigned moving) {
  Images images{moving, shape.vec()};
  if (moving == 1)
    images.shape.insert(images.shape.end() - 1, "1");
  if (images.shape.size() == 3)
    images.shape.insert(images.shape.begin(), "1");
  return images;
}

/// What goes along rows and columns; rows that are none have `otherwise`.
static std::pair<int64_t, int64_t> readSteps(KernelWriter &writer,
                                             const Argument &argument,
                                             unsigned moving, int64_t given,
                                             int64_t otherwise) {
  auto pair = readPair(writer, argument, given);
  if (moving == 1)
    pair.first = otherwise;
  return pair;
}

/// Half of what a window reaches beyond its pixel; "valid" is nothing.
static std::pair<int64_t, int64_t>
padSame(const std::string &mode, llvm::ArrayRef<std::string> window,
        std::pair<int64_t, int64_t> dilation) {
  if (mode == "valid")
    return {0, 0};
  auto half = [](const std::string &extent, int64_t step) {
    return (std::stoll(extent) - 1) * step / 2;
  };
  return {half(window[0], dilation.first), half(window[1], dilation.second)};
}

/// How many rows of a result are computed at a time, so that what they need is
/// in a cache: nothing for all of a small one.
static std::string chooseRows(const std::string &rows,
                              const std::string &columns) {
  const int64_t most = 1024, some = 512;
  if (!isNumeral(columns))
    return llvm::formatv("max(1, {0} // max(1, {1}))", some, columns);
  int64_t width = std::stoll(columns);
  if (isNumeral(rows) && std::stoll(rows) * width <= most)
    return "None";
  return std::to_string(
      std::max<int64_t>(1, some / std::max<int64_t>(1, width)));
}

/// Torch refuses windows that do not fit in an image once.
static void requireRoom(KernelWriter &writer, const Node &node,
                        const Images &to) {
  writer.requireSome(node, llvm::ArrayRef(to.shape).take_back(2),
                     "an image is smaller than the window");
}

template <unsigned moving>
static Written writeConv(KernelWriter &writer, const Node &node) {
  const Argument &input = node.arguments[0], &weight = node.arguments[1];
  const Argument &bias = writer.get(node, 2, "bias");
  const Argument &padding = writer.get(node, 4, "padding");
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  Images from = asImages(writer.typeOf(input).shape, moving);
  Images to = asImages(shapeOf(node), moving);
  Images window = asImages(writer.typeOf(weight).shape, moving);
  llvm::ArrayRef<std::string> extents = window.shape;
  if (from.shape.size() != 4 || window.shape.size() != 4 ||
      !llvm::all_of(
          extents, [](const std::string &extent) { return isNumeral(extent); }))
    return std::nullopt;
  requireRoom(writer, node, to);
  auto dilation =
      readSteps(writer, writer.get(node, 5, "dilation"), moving, 1, 1);
  auto around = padding.kind == Argument::Kind::String
                    ? padSame(padding.text, extents.take_back(2), dilation)
                    : readSteps(writer, padding, moving, 0, 0);
  auto stride = readSteps(writer, writer.get(node, 3, "stride"), moving, 1, 1);
  std::string added = bias.isNone() ? "" : writer.use(bias, wide, 0);
  ConvEpilogue epilogue;
  // Without images, channels are not where a norm has them.
  if (rankOfResult(node) == moving + 2)
    epilogue = takeEpilogue(writer, node, added);
  else if (!added.empty())
    epilogue.shift = added;
  std::string text = llvm::formatv(
      "kernels.conv2d({0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}, "
      "{11}, {12})",
      reshapeTo(writer.usePlaced(input, wide), from.shape),
      reshapeTo(writer.usePlaced(weight, wide), window.shape), to.shape[2],
      to.shape[3], formatPair(stride), formatPair(around), formatPair(dilation),
      writer.readInteger(writer.get(node, 6, "groups"), 1),
      chooseRows(to.shape[2], to.shape[3]), epilogue.scale, epilogue.shift,
      epilogue.other, epilogue.relu ? "True" : "False");
  if (wide == dtype)
    writer.markPlaced(node);
  return one(reshapeTo(writer.name(castTo(text, wide, dtype)), shapeOf(node)));
}

/// How a pool's windows lie.
struct Pool {
  Images from, to;
  std::pair<int64_t, int64_t> window, step, around, dilation = {1, 1};

  /// "True" if windows and steps cover an image and nothing else.
  const char *fills() const {
    return fillsAxis(0, window.first, step.first, around.first,
                     dilation.first) &&
                   fillsAxis(1, window.second, step.second, around.second,
                             dilation.second)
               ? "True"
               : "False";
  }

private:
  bool fillsAxis(unsigned axis, int64_t window, int64_t step, int64_t around,
                 int64_t dilation) const {
    const std::string &of = from.shape[axis + 2], &into = to.shape[axis + 2];
    if (!isNumeral(of) || !isNumeral(into) || around != 0)
      return false;
    int64_t steps = std::stoll(into) + (window - 1) * dilation / step;
    return steps * step == std::stoll(of);
  }
};

static Pool readPool(KernelWriter &writer, const Node &node, unsigned moving) {
  const Argument &stride = writer.get(node, 2, "stride");
  bool hasStride = !stride.isNone() && (stride.kind != Argument::Kind::List ||
                                        !stride.elements.empty());
  auto window =
      readSteps(writer, writer.get(node, 1, "kernel_size"), moving, 1, 1);
  return {asImages(writer.typeOf(node.arguments[0]).shape, moving),
          asImages(shapeOf(node), moving), window,
          hasStride ? readSteps(writer, stride, moving, 1, 1) : window,
          readSteps(writer, writer.get(node, 3, "padding"), moving, 0, 0)};
}

/// The lowest number, which no largest one is.
static std::string lowest(StringRef dtype) {
  return llvm::StringSwitch<std::string>(dtype)
      .Case("int64", "-9223372036854775807 - 1")
      .Case("int32", "-2147483648")
      .Case("int16", "-32768")
      .Case("int8", "-128")
      .Case("uint8", "0")
      .Default("float(\"-inf\")");
}

/// The largest of each window.
template <unsigned moving>
static Written writeMaxPool(KernelWriter &writer, const Node &node) {
  Pool pool = readPool(writer, node, moving);
  if (pool.from.shape.size() != 4 || node.results.size() != 1)
    return std::nullopt;
  requireRoom(writer, node, pool.to);
  pool.dilation =
      readSteps(writer, writer.get(node, 4, "dilation"), moving, 1, 1);
  writer.markPlaced(node);
  return one(reshapeTo(
      writer.name(llvm::formatv(
          "kernels.max_pool2d({0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8})",
          reshapeTo(writer.usePlaced(node.arguments[0], resultOf(node).dtype),
                    pool.from.shape),
          pool.to.shape[2], pool.to.shape[3], formatPair(pool.window),
          formatPair(pool.step), formatPair(pool.around),
          formatPair(pool.dilation), lowest(resultOf(node).dtype),
          pool.fills())),
      shapeOf(node)));
}

/// The same, and where in its image it is.
template <unsigned moving>
static Written writeMaxPoolIndices(KernelWriter &writer, const Node &node) {
  Pool pool = readPool(writer, node, moving);
  if (pool.from.shape.size() != 4 || node.results.size() != 2)
    return std::nullopt;
  requireRoom(writer, node, pool.to);
  pool.dilation =
      readSteps(writer, writer.get(node, 4, "dilation"), moving, 1, 1);
  std::string pair = writer.name(llvm::formatv(
      "kernels.max_pool2d_indices({0}, {1}, {2}, {3}, {4}, {5}, {6}, {7})",
      reshapeTo(writer.usePlaced(node.arguments[0], resultOf(node).dtype),
                pool.from.shape),
      pool.to.shape[2], pool.to.shape[3], formatPair(pool.window),
      formatPair(pool.step), formatPair(pool.around), formatPair(pool.dilation),
      lowest(resultOf(node).dtype)));
  return std::vector<std::string>{reshapeTo(pair + "[0]", shapeOf(node)),
                                  reshapeTo(pair + "[1]", shapeOf(node))};
}

/// The mean of each window. What is around an image counts unless it is said
/// not to; what hangs over an edge does not.
template <unsigned moving>
static Written writeMeanPool(KernelWriter &writer, const Node &node) {
  Pool pool = readPool(writer, node, moving);
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  bool hangsOver = writer.readBool(writer.get(node, 4, "ceil_mode"), false);
  bool counts = writer.readBool(writer.get(node, 5, "count_include_pad"), true);
  const Argument &divisor = writer.get(node, 6, "divisor_override");
  bool isPlain = pool.around == std::pair<int64_t, int64_t>(0, 0);
  if (pool.from.shape.size() != 4 || !isFloating(dtype) ||
      (hangsOver && counts && !isPlain && divisor.isNone()))
    return std::nullopt;
  requireRoom(writer, node, pool.to);
  int64_t all = pool.window.first * pool.window.second;
  std::string count = !divisor.isNone()      ? formatNumber(divisor, wide)
                      : counts && !hangsOver ? llvm::formatv("{0}.0", all).str()
                                             : "None";
  std::string text = llvm::formatv(
      "kernels.mean_pool2d({0}, {1}, {2}, {3}, {4}, {5}, {6}, {7})",
      reshapeTo(writer.usePlaced(node.arguments[0], wide), pool.from.shape),
      pool.to.shape[2], pool.to.shape[3], formatPair(pool.window),
      formatPair(pool.step), formatPair(pool.around), count, pool.fills());
  return one(reshapeTo(writer.name(castTo(text, wide, dtype)), shapeOf(node)));
}

/// The mean of all pixels of a channel, or of windows that divide an image.
template <unsigned moving>
static Written writeAdaptivePool(KernelWriter &writer, const Node &node) {
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = widen(dtype);
  Images from = asImages(writer.typeOf(node.arguments[0]).shape, moving);
  Images to = asImages(shapeOf(node), moving);
  if (from.shape.size() != 4)
    return std::nullopt;
  std::string input = writer.use(node.arguments[0], wide, 0);
  if (to.shape[2] == "1" && to.shape[3] == "1") {
    std::string rows =
        reshapeTo(input, {formatProduct({from.shape[0], from.shape[1]}),
                          formatProduct({from.shape[2], from.shape[3]})});
    return one(reshapeTo(
        castTo("pl.mean(" + rows + ", axis=-1, keepdims=True)", wide, dtype),
        shapeOf(node)));
  }
  int64_t window[2];
  for (unsigned axis : {0, 1}) {
    const std::string &of = from.shape[axis + 2], &into = to.shape[axis + 2];
    if (!isNumeral(of) || !isNumeral(into) || std::stoll(into) == 0 ||
        std::stoll(of) % std::stoll(into) != 0)
      return std::nullopt;
    window[axis] = std::stoll(of) / std::stoll(into);
  }
  auto pair = formatPair({window[0], window[1]});
  std::string text = llvm::formatv(
      "kernels.mean_pool2d({0}, {1}, {2}, {3}, {3}, [0, 0], {4}.0, True)",
      reshapeTo(writer.usePlaced(node.arguments[0], wide), from.shape),
      to.shape[2], to.shape[3], pair, window[0] * window[1]);
  return one(reshapeTo(writer.name(castTo(text, wide, dtype)), shapeOf(node)));
}

void tegula::torch::addWindowRules(RuleTable &rules) {
  auto add = [&](Rule rule, std::initializer_list<const char *> names) {
    for (const char *name : names)
      rules[std::string("aten.") + name] = rule;
  };
  add(writeConv<1>, {"conv1d.default", "conv1d.padding"});
  add(writeConv<2>, {"conv2d.default", "conv2d.padding"});
  add(writeMaxPool<1>, {"max_pool1d.default"});
  add(writeMaxPool<2>, {"max_pool2d.default"});
  add(writeMaxPoolIndices<1>, {"max_pool1d_with_indices.default"});
  add(writeMaxPoolIndices<2>, {"max_pool2d_with_indices.default"});
  add(writeMeanPool<1>, {"avg_pool1d.default"});
  add(writeMeanPool<2>, {"avg_pool2d.default"});
  add(writeAdaptivePool<1>, {"adaptive_avg_pool1d.default"});
  add(writeAdaptivePool<2>, {"adaptive_avg_pool2d.default"});
}
