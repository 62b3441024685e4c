// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same elements in other indices.

#include "tegula/torch/KernelWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;

/// Whatever says how, the shape that comes out is known.
static Written writeReshape(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  writer.markPlacedWith(node, source);
  if (writer.typeOf(source).shape == shapeOf(node))
    return one(writer.use(source));
  return one(reshapeTo(writer.use(source), shapeOf(node)));
}

/// Axis i of the result is axis order[i], by exchanges of two.
static std::string permute(std::string text, std::vector<unsigned> order) {
  std::vector<unsigned> now;
  for (unsigned axis = 0; axis < order.size(); ++axis)
    now.push_back(axis);
  for (unsigned axis = 0; axis < order.size(); ++axis) {
    if (now[axis] == order[axis])
      continue;
    unsigned other = llvm::find(now, order[axis]) - now.begin();
    std::swap(now[axis], now[other]);
    text = llvm::formatv("pl.transpose({0}, {1}, {2})", text, axis, other);
  }
  return text;
}

static Written writePermute(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  return one(
      permute(writer.use(source), writer.readAxes(writer.get(node, 1, "dims"),
                                                  writer.rankOf(source))));
}

static Written writeTranspose(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  unsigned rank = writer.rankOf(source);
  unsigned first =
      readAxis(writer.readInteger(writer.get(node, 1, "dim0"), 0), rank);
  unsigned second =
      readAxis(writer.readInteger(writer.get(node, 2, "dim1"), 1), rank);
  if (first == second)
    return one(writer.use(source));
  return one(llvm::formatv("pl.transpose({0}, {1}, {2})", writer.use(source),
                           std::min(first, second), std::max(first, second)));
}

static Written writeT(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  if (writer.rankOf(source) < 2)
    return one(writer.use(source));
  return one(llvm::formatv("pl.transpose({0}, 0, 1)", writer.use(source)));
}

/// A tensor repeated to the result's shape along axes of one element.
static Written writeExpand(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  std::vector<std::string> shape = shapeOf(node);
  const TensorType &type = writer.typeOf(source);
  if (type.shape == shape) {
    writer.markPlacedWith(node, source);
    return one(writer.use(source));
  }
  return one(llvm::formatv("kernels.expand({0}, {1}, {2})",
                           writer.use(source, type.dtype, shape.size()),
                           formatShape(shape), nameDType(type.dtype)));
}

/// "x[:, 2:5, :]": a window along one axis.
static std::string window(const std::string &text, unsigned rank, unsigned axis,
                          const std::string &begin, const std::string &end) {
  std::vector<std::string> subscripts(rank, ":");
  subscripts[axis] = begin + " : " + end;
  return text + "[" + llvm::join(subscripts, ", ") + "]";
}

/// "(s0)" or "3"; from the end of an axis if it is negative.
static std::string formatIndex(KernelWriter &writer, const Argument &index,
                               const std::string &extent) {
  if (index.kind == Argument::Kind::Size)
    return "(" + writer.readSize(index) + ")";
  if (index.integer < 0)
    return "(" + extent + " - " + std::to_string(-index.integer) + ")";
  return std::to_string(index.integer);
}

static Written writeSlice(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  const TensorType &type = writer.typeOf(source);
  unsigned rank = type.shape.size();
  unsigned axis =
      readAxis(writer.readInteger(writer.get(node, 1, "dim"), 0), rank);
  const Argument &start = writer.get(node, 2, "start");
  int64_t step = writer.readInteger(writer.get(node, 4, "step"), 1);
  const std::string &extent = type.shape[axis];
  std::string length = shapeOf(node)[axis];
  if (step == 1)
    writer.markPlacedWith(node, source);
  if (extent == length && step == 1)
    return one(writer.use(source));
  std::string begin = start.isNone() ? "0" : formatIndex(writer, start, extent);
  // A start beyond the end, where nothing is taken.
  if (!start.isNone())
    begin = llvm::formatv("max(min({0}, {1}), 0)", begin, extent);
  if (step != 1) {
    std::string indices = llvm::formatv(
        "pl.arange(0, [{0}], dtype=pl.INT32) * {1} + pl.cast({2}, pl.INT32)",
        length, step, begin);
    return one(writer.take(source, indices, axis, shapeOf(node)));
  }
  return one(window(writer.use(source), rank, axis, begin,
                    begin + " + (" + length + ")"));
}

/// As a slice that begins there, and is as long as what comes out.
static Written writeNarrow(KernelWriter &writer, const Node &node) {
  Node slice = node;
  slice.arguments[3] = Argument();
  return writeSlice(writer, slice);
}

/// A copy of which a slice, or one place along an axis, is something else.
template <bool isSelect>
static Written writeSliceScatter(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0], &value = node.arguments[1];
  const TensorType &type = writer.typeOf(source);
  unsigned rank = type.shape.size();
  unsigned axis =
      readAxis(writer.readInteger(writer.get(node, 2, "dim"), 0), rank);
  const Argument &start = writer.get(node, 3, isSelect ? "index" : "start");
  const std::string &extent = type.shape[axis];
  if (writer.readInteger(writer.get(node, 5, "step"), 1) != 1)
    return std::nullopt;
  std::vector<std::string> shape = type.shape;
  shape[axis] = isSelect ? "1" : writer.typeOf(value).shape[axis];
  std::string begin = start.isNone() ? "0" : formatIndex(writer, start, extent);
  if (!isSelect && !start.isNone())
    begin = llvm::formatv("max(min({0}, {1}), 0)", begin, extent);
  std::string text = writer.use(value, type.dtype, 0);
  std::string made = writer.makeTensor(node, writer.use(source));
  writer.assign(
      window(made, rank, axis, begin, begin + " + (" + shape[axis] + ")"),
      isSelect ? reshapeTo(text, shape) : text);
  writer.markPlaced(node);
  return one(made);
}

/// A value around a tensor; the last axis is named first.
static Written writePad(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  const TensorType &type = writer.typeOf(source);
  const std::vector<Argument> &sides = node.arguments[1].elements;
  const Argument &value = writer.get(node, 2, "value");
  std::vector<std::string> windows(type.shape.size(), ":");
  for (size_t number = 0; number + 1 < sides.size(); number += 2) {
    int64_t before = writer.readInteger(sides[number], 0);
    if (before < 0 || writer.readInteger(sides[number + 1], 0) < 0)
      return std::nullopt;
    size_t axis = type.shape.size() - 1 - number / 2;
    windows[axis] =
        llvm::formatv("{0} : {0} + ({1})", before, type.shape[axis]);
  }
  static const Argument zero{Argument::Kind::Integer};
  std::string full =
      llvm::formatv("pl.full({0}, {1}, {2})", formatShape(shapeOf(node)),
                    nameDType(type.dtype),
                    formatNumber(value.isNone() ? zero : value, type.dtype));
  std::string made = writer.makeTensor(node, full);
  writer.assign(made + "[" + llvm::join(windows, ", ") + "]",
                writer.use(source));
  writer.markPlaced(node);
  return one(made);
}

static Written writeSelect(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  const TensorType &type = writer.typeOf(source);
  unsigned rank = type.shape.size();
  unsigned axis =
      readAxis(writer.readInteger(writer.get(node, 1, "dim"), 0), rank);
  std::string begin =
      formatIndex(writer, writer.get(node, 2, "index"), type.shape[axis]);
  writer.markPlacedWith(node, source);
  // A kernel has one axis at least.
  if (rank == 1)
    return one(window(writer.use(source), rank, axis, begin, begin + " + 1"));
  std::vector<std::string> subscripts(rank, ":");
  subscripts[axis] = begin;
  return one(writer.use(source) + "[" + llvm::join(subscripts, ", ") + "]");
}

static std::string sumOf(llvm::ArrayRef<std::string> extents) {
  return extents.empty() ? "0" : "(" + llvm::join(extents, " + ") + ")";
}

/// split, chunk and the like: what lies one after the other along an axis, each
/// as long as its type says.
static Written writeSplit(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  unsigned rank = writer.rankOf(source);
  unsigned axis =
      readAxis(writer.readInteger(writer.get(node, 2, "dim"), 0), rank);
  std::vector<std::string> parts, before;
  writer.markPlacedWith(node, source);
  for (const TensorType &type : node.results) {
    std::string begin = sumOf(before);
    before.push_back("(" + type.shape[axis] + ")");
    parts.push_back(
        window(writer.use(source), rank, axis, begin, sumOf(before)));
  }
  return parts;
}

static Written writeUnbind(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  unsigned rank = writer.rankOf(source);
  unsigned axis =
      readAxis(writer.readInteger(writer.get(node, 1, "dim"), 0), rank);
  std::vector<std::string> parts;
  writer.markPlacedWith(node, source);
  for (auto [number, type] : llvm::enumerate(node.results))
    parts.push_back(reshapeTo(
        window(writer.use(source), rank, axis, std::to_string(number),
               std::to_string(number + 1)),
        type.shape.empty() ? std::vector<std::string>{"1"} : type.shape));
  return parts;
}

/// Each element along an axis several times.
static Written writeRepeatInterleave(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0], &dim = writer.get(node, 2, "dim");
  int64_t count = writer.readInteger(writer.get(node, 1, "repeats"), -1);
  const TensorType &type = writer.typeOf(source);
  if (count < 0 || dim.isNone())
    return std::nullopt;
  unsigned axis = readAxis(writer.readInteger(dim, 0), type.shape.size());
  std::vector<std::string> apart = type.shape;
  apart.insert(apart.begin() + axis + 1, "1");
  std::string text = reshapeTo(writer.use(source), apart);
  apart[axis + 1] = std::to_string(count);
  return one(reshapeTo(llvm::formatv("kernels.expand({0}, {1}, {2})", text,
                                     formatShape(apart), nameDType(type.dtype)),
                       shapeOf(node)));
}

static Written writeFlip(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  std::string text = writer.use(source);
  for (unsigned axis :
       writer.readAxes(writer.get(node, 1, "dims"), writer.rankOf(source)))
    text = llvm::formatv("pl.flip({0}, axis={1})", text, axis);
  return one(text);
}

static std::string roll(const std::string &text, const Argument &shift,
                        unsigned axis) {
  bool isSize = shift.kind == Argument::Kind::Size;
  return llvm::formatv(
      "pl.roll({0}, {1}, axis={2})", text,
      isSize ? "(" + shift.text + ")" : std::to_string(shift.integer), axis);
}

/// Along each of its axes; in row-major order if none is given.
static Written writeRoll(KernelWriter &writer, const Node &node) {
  const Argument &source = node.arguments[0];
  const Argument &given = writer.get(node, 1, "shifts");
  llvm::ArrayRef<Argument> shifts = given.elements;
  if (given.isScalar())
    shifts = given;
  const TensorType &type = writer.typeOf(source);
  std::vector<unsigned> axes =
      writer.readAxes(writer.get(node, 2, "dims"), type.shape.size());
  if (axes.empty() && shifts.size() == 1) {
    std::string flat = reshapeTo(writer.usePlaced(source, type.dtype),
                                 {formatProduct(type.shape)});
    return one(reshapeTo(roll(flat, shifts.front(), 0), shapeOf(node)));
  }
  if (axes.size() != shifts.size())
    return std::nullopt;
  std::string text = writer.use(source);
  for (auto [shift, axis] : llvm::zip_equal(shifts, axes))
    text = roll(text, shift, axis);
  return one(text);
}

/// One of several results.
static Written writeGetItem(KernelWriter &writer, const Node &node) {
  Argument part = node.arguments[0];
  writer.markPlacedWith(node, part);
  if (int64_t number = writer.readInteger(node.arguments[1], 0))
    part.text += "." + std::to_string(number);
  return one(writer.use(part));
}

bool tegula::torch::isView(StringRef op) {
  static const RuleTable views = [] {
    RuleTable table;
    addShapeRules(table);
    return table;
  }();
  return views.count(op);
}

void tegula::torch::addShapeRules(RuleTable &rules) {
  auto add = [&](Rule rule, std::initializer_list<const char *> names) {
    for (const char *name : names)
      rules[std::string("aten.") + name] = rule;
  };
  add(writeReshape, {"view.default", "reshape.default", "_unsafe_view.default",
                     "flatten.using_ints", "unflatten.int", "unsqueeze.default",
                     "squeeze.default", "squeeze.dim", "squeeze.dims",
                     "view_as.default", "reshape_as.default"});
  add(writePermute, {"permute.default"});
  add(writeTranspose, {"transpose.int", "swapaxes.default"});
  add(writeT, {"t.default", "numpy_T.default"});
  add(writeExpand,
      {"expand.default", "expand_as.default", "broadcast_to.default"});
  add(writeSlice, {"slice.Tensor"});
  add(writeNarrow, {"narrow.default"});
  add(writeSelect, {"select.int"});
  add(writeSplit, {"split.Tensor", "split.sizes", "split_with_sizes.default",
                   "chunk.default"});
  add(writeUnbind, {"unbind.int"});
  add(writeSliceScatter<false>, {"slice_scatter.default"});
  add(writeSliceScatter<true>, {"select_scatter.default"});
  add(writePad, {"constant_pad_nd.default"});
  add(writeRepeatInterleave, {"repeat_interleave.self_int"});
  add(writeFlip, {"flip.default"});
  add(writeRoll, {"roll.default"});
  rules["getitem"] = writeGetItem;
}
