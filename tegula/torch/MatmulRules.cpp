// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls, and attention, which is two of them.

#include "tegula/torch/KernelWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;

/// The accumulator type.
static StringRef sumType(StringRef dtype) { return widen(dtype); }

/// "x" as a matrix: all axes but the last are rows.
static std::string asMatrix(const KernelWriter &writer, const Argument &value) {
  std::vector<std::string> shape = writer.typeOf(value).shape;
  if (shape.size() == 2)
    return writer.use(value);
  std::string last = shape.back();
  shape.pop_back();
  return reshapeTo(writer.use(value), {formatProduct(shape), last});
}

static std::string matmul(const std::string &lhs, const std::string &rhs,
                          StringRef dtype, bool transposesRhs = false) {
  return llvm::formatv("pl.matmul({0}, {1}, out_dtype={2}{3})", lhs, rhs,
                       nameDType(dtype), transposesRhs ? ", b_trans=True" : "");
}

static Written writeLinear(KernelWriter &writer, const Node &node) {
  const Argument &input = node.arguments[0], &weight = node.arguments[1];
  const Argument &bias = writer.get(node, 2, "bias");
  const std::string &dtype = resultOf(node).dtype;
  if (writer.rankOf(weight) != 2)
    return std::nullopt;
  StringRef wide = sumType(dtype);
  std::string text =
      matmul(asMatrix(writer, input), writer.use(weight), wide, true);
  if (!bias.isNone())
    text = llvm::formatv("{0} + {1}", text, writer.use(bias, wide, 2));
  text = castTo(text, wide, dtype);
  std::vector<std::string> shape = shapeOf(node);
  return one(shape.size() == 2 ? text : reshapeTo(writer.name(text), shape));
}

/// The shapes of vectors, matrices and batches of them.
static Written writeMatmul(KernelWriter &writer, const Node &node) {
  const Argument &lhs = node.arguments[0], &rhs = node.arguments[1];
  const std::string &dtype = resultOf(node).dtype;
  const std::vector<std::string> &left = writer.typeOf(lhs).shape;
  const std::vector<std::string> &right = writer.typeOf(rhs).shape;
  StringRef wide = sumType(dtype);
  bool isFlat = left.size() > 2 && right.size() == 2;
  std::string first = left.size() == 1
                          ? reshapeTo(writer.use(lhs), {"1", left[0]})
                      : isFlat ? asMatrix(writer, lhs)
                               : writer.use(lhs);
  std::string second = right.size() == 1
                           ? reshapeTo(writer.use(rhs), {right[0], "1"})
                           : writer.use(rhs);
  if (right.size() == 1 && left.size() > 2)
    first = asMatrix(writer, lhs);
  std::string text = castTo(matmul(first, second, wide), wide, dtype);
  // Extents of batches that are repeated are those that torch says.
  bool isSame = left.size() == 2 && right.size() == 2;
  return one(isSame ? text : reshapeTo(writer.name(text), shapeOf(node)));
}

/// addmm and baddbmm: beta * input + alpha * a @ b.
static Written writeAddmm(KernelWriter &writer, const Node &node) {
  const std::string &dtype = resultOf(node).dtype;
  StringRef wide = sumType(dtype);
  const Argument &alpha = writer.get(node, 9, "alpha");
  const Argument &beta = writer.get(node, 9, "beta");
  std::string text = matmul(writer.use(node.arguments[1]),
                            writer.use(node.arguments[2]), wide);
  if (!alpha.isNone() && writer.readFloat(alpha, 1) != 1)
    text += " * " + formatNumber(alpha, wide);
  std::string sum = writer.use(node.arguments[0], wide, rankOfResult(node));
  if (!beta.isNone() && writer.readFloat(beta, 1) != 1)
    sum += " * " + formatNumber(beta, wide);
  bool isDropped = !beta.isNone() && writer.readFloat(beta, 1) == 0;
  return one(castTo(isDropped ? text : text + " + " + sum, wide, dtype));
}

/// Two factors at a time, from the left; what is not needed any more is summed.
static Written writeEinsum(KernelWriter &writer, const Node &node) {
  llvm::SmallVector<StringRef> sides, terms;
  StringRef(node.arguments[0].text).split(sides, "->");
  if (sides.size() != 2 || StringRef(node.arguments[0].text).contains('.'))
    return std::nullopt;
  sides[0].split(terms, ',');
  const std::vector<Argument> &operands = node.arguments[1].elements;
  if (operands.size() != terms.size() || terms.size() < 2)
    return std::nullopt;
  const std::string &dtype = resultOf(node).dtype;
  std::string letters = terms[0].trim().str(), text = writer.use(operands[0]);
  std::string output = sides[1].trim().str();
  for (size_t number = 1; number < terms.size(); ++number) {
    StringRef other = terms[number].trim();
    std::string later = output;
    for (size_t next = number + 1; next < terms.size(); ++next)
      later += terms[next].trim();
    bool isLast = number + 1 == terms.size();
    std::string kept;
    for (char letter : letters + other.str())
      if (StringRef(later).contains(letter) &&
          !StringRef(kept).contains(letter))
        kept += letter;
    if (isLast)
      kept = output;
    text = writer.name(llvm::formatv("pl.einsum(\"{0},{1}->{2}\", {3}, {4})",
                                     letters, other, kept, text,
                                     writer.use(operands[number])));
    letters = kept;
  }
  return one(castTo(text, sumType(dtype), dtype));
}

static Written writeOuter(KernelWriter &writer, const Node &node) {
  const std::string &dtype = resultOf(node).dtype;
  const std::vector<std::string> shape = shapeOf(node);
  return one(llvm::formatv(
      "({0} * {1})",
      reshapeTo(writer.use(node.arguments[0], dtype, 1), {shape[0], "1"}),
      reshapeTo(writer.use(node.arguments[1], dtype, 1), {"1", shape[1]})));
}

/// With an axis of one head if there is none.
static std::vector<std::string> withHeads(std::vector<std::string> shape) {
  if (shape.size() == 3)
    shape.insert(shape.begin() + 1, "1");
  return shape;
}

/// Keys or values, each head as often as `heads` of queries share it.
static std::string repeatHeads(const std::string &text, StringRef dtype,
                               const std::vector<std::string> &shape,
                               const std::string &heads) {
  if (shape[1] == heads)
    return reshapeTo(text, shape);
  std::string group = llvm::formatv("({0}) // ({1})", heads, shape[1]);
  std::string apart =
      reshapeTo(text, {shape[0], shape[1], "1", shape[2], shape[3]});
  std::string repeated = llvm::formatv(
      "kernels.expand({0}, {1}, {2})", apart,
      formatShape({shape[0], shape[1], group, shape[2], shape[3]}),
      nameDType(dtype));
  return reshapeTo(repeated, {shape[0], heads, shape[2], shape[3]});
}

/// Heads and batches are one axis; a mask has as many axes as the scores.
static Written writeAttention(KernelWriter &writer, const Node &node) {
  const Argument &query = node.arguments[0], &key = node.arguments[1],
                 &value = node.arguments[2];
  const Argument &mask = writer.get(node, 3, "attn_mask");
  bool isCausal = writer.readBool(writer.get(node, 5, "is_causal"), false);
  const Argument &scale = writer.get(node, 6, "scale");
  bool isGrouped = writer.readBool(writer.get(node, 7, "enable_gqa"), false);
  std::vector<std::string> q = withHeads(writer.typeOf(query).shape);
  std::vector<std::string> k = withHeads(writer.typeOf(key).shape);
  std::vector<std::string> v = withHeads(writer.typeOf(value).shape);
  if (q.size() != 4 || k.size() != 4 || v.size() != 4 || q[0] != k[0] ||
      k[0] != v[0] || k[1] != v[1] || (!isGrouped && q[1] != k[1]) ||
      writer.readFloat(writer.get(node, 4, "dropout_p"), 0) != 0)
    return std::nullopt;
  auto threeAxes = [&](const Argument &argument,
                       const std::vector<std::string> &shape) {
    return reshapeTo(writer.use(argument),
                     {formatProduct({shape[0], shape[1]}), shape[2], shape[3]});
  };
  StringRef wide = widen(resultOf(node).dtype);
  std::string factor =
      scale.isNone()
          ? llvm::formatv("pl.cast({0}, {1}) ** -0.5", q[3], nameDType(wide))
                .str()
          : formatNumber(scale, wide);
  std::string group =
      isGrouped ? llvm::formatv("({0}) // ({1})", q[1], k[1]).str() : "1";
  std::string text;
  if (mask.isNone()) {
    text = llvm::formatv("kernels.attention({0}, {1}, {2}, {3}, {4}, {5})",
                         threeAxes(query, q), threeAxes(key, k),
                         threeAxes(value, v), factor, group,
                         isCausal ? "True" : "False");
  } else {
    const TensorType &type = writer.typeOf(mask);
    std::vector<std::string> own = type.shape;
    if (writer.rankOf(query) == 3)
      own = withHeads(own);
    if (own.size() > 4 || isCausal)
      return std::nullopt;
    std::vector<std::string> shape(4 - own.size(), "1");
    llvm::append_range(shape, own);
    const std::string &dtype = resultOf(node).dtype;
    text = llvm::formatv("kernels.masked_attention({0}, {1}, {2}, {3}, {4})",
                         reshapeTo(writer.use(query), q),
                         repeatHeads(writer.use(key), dtype, k, q[1]),
                         repeatHeads(writer.use(value), dtype, v, q[1]), factor,
                         reshapeTo(writer.use(mask), shape));
  }
  return one(reshapeTo(writer.name(text), shapeOf(node)));
}

void tegula::torch::addMatmulRules(RuleTable &rules) {
  auto add = [&](Rule rule, std::initializer_list<const char *> names) {
    for (const char *name : names)
      rules[std::string("aten.") + name] = rule;
  };
  add(writeLinear, {"linear.default"});
  add(writeMatmul, {"matmul.default", "mm.default", "bmm.default", "mv.default",
                    "dot.default"});
  add(writeAddmm, {"addmm.default", "baddbmm.default"});
  add(writeEinsum, {"einsum.default"});
  add(writeOuter, {"outer.default"});
  add(writeAttention, {"scaled_dot_product_attention.default"});
}
