// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pl.einsum: one matmul, between changes of shape.
#include "tegula/frontend/builtins/MatmulPrecision.h"

using namespace tegula;
using llvm::StringRef;
using mlir::SmallVector;
using mlir::Value;

namespace {

/// A letter for each axis.
struct Subscripts {
  std::string lhs, rhs, result;

  /// The letters of `from` that are in another list, or that are not.
  static std::string pick(StringRef from, StringRef in, bool isIn) {
    std::string letters;
    for (char letter : from)
      if (in.contains(letter) == isIn)
        letters += letter;
    return letters;
  }
  std::string batch() const { return pick(pick(lhs, rhs, true), result, true); }
  std::string inner() const {
    return pick(pick(lhs, rhs, true), result, false);
  }
  std::string rows() const { return pick(lhs, rhs, false); }
  std::string columns() const { return pick(rhs, lhs, false); }
};

} // namespace

/// The letters that occur once, in the order of the alphabet.
static std::string impliedResult(StringRef operands) {
  std::string letters;
  for (char letter : operands)
    if (operands.count(letter) == 1)
      letters += letter;
  llvm::sort(letters);
  return letters;
}

static bool checkLetters(const EinsumCall &call, StringRef letters) {
  for (char letter : letters)
    if (!llvm::isAlpha(letter)) {
      call.fail("the subscripts of 'einsum' are letters, got '" +
                llvm::Twine(letter) + "'");
      return false;
    }
  for (char letter : letters)
    if (letters.count(letter) > 1) {
      call.fail("the letter '" + llvm::Twine(letter) +
                "' stands twice for axes of one tile");
      return false;
    }
  return true;
}

/// True if every letter of one operand is in the other or in the result.
static bool checkUsed(const EinsumCall &call, const Subscripts &names) {
  for (char letter : names.rows() + names.columns())
    if (names.result.find(letter) == std::string::npos) {
      call.fail("the letter '" + llvm::Twine(letter) +
                "' is in one operand and not in the result; sum that axis "
                "with pl.sum first");
      return false;
    }
  for (char letter : names.result)
    if ((names.lhs + names.rhs).find(letter) == std::string::npos) {
      call.fail("the letter '" + llvm::Twine(letter) +
                "' of the result is in neither operand");
      return false;
    }
  return true;
}

static bool checkRank(const EinsumCall &call, StringRef letters, Value tile) {
  if (letters.size() == pl::getDims(tile.getType()).size())
    return true;
  call.fail("'" + letters + "' names " + llvm::Twine(letters.size()) +
            " axes, got " + describe(tile.getType()));
  return false;
}

static std::optional<Subscripts> readSubscripts(const EinsumCall &call) {
  const auto *text = call.subscripts()->as<StringObject>();
  if (!text) {
    call.subscripts().fail("'einsum' takes subscripts such as \"ik,kj->ij\", "
                           "got " +
                           describe(call.subscripts()));
    return std::nullopt;
  }
  std::string letters = text->value;
  llvm::erase(letters, ' ');
  auto [operands, result] = StringRef(letters).split("->");
  auto [lhs, rhs] = operands.split(',');
  bool isImplied = operands.size() == letters.size();
  Subscripts names{lhs.str(), rhs.str(),
                   isImplied ? impliedResult((lhs + rhs).str()) : result.str()};
  bool isRight = checkLetters(call, names.lhs) &&
                 checkLetters(call, names.rhs) &&
                 checkLetters(call, names.result) && checkUsed(call, names) &&
                 checkRank(call, names.lhs, call.a()) &&
                 checkRank(call, names.rhs, call.b());
  return isRight ? std::optional(names) : std::nullopt;
}

namespace {

/// Brings tiles to the order and the shape they are multiplied in.
class Arrangement {
public:
  Arrangement(const EinsumCall &call, const Subscripts &names)
      : call(call), names(names) {}

  bool checkExtents() const;
  Object multiply(std::optional<pl::Precision> precision) const;

private:
  /// The extent of an axis.
  Value extent(char letter) const;
  /// The extent of several axes as one.
  Value extent(StringRef letters) const;
  /// A tile with its axes in another order.
  Object ordered(Value tile, StringRef letters, StringRef wanted) const;
  /// A batch of matrices of a tile, whose rows and columns are some axes each.
  Object matrices(Value tile, StringRef letters, StringRef rows,
                  StringRef columns) const;

  const EinsumCall &call;
  const Subscripts &names;
};

} // namespace

bool Arrangement::checkExtents() const {
  for (auto [axis, letter] : llvm::enumerate(names.lhs)) {
    size_t other = names.rhs.find(letter);
    if (other != std::string::npos &&
        !call.emitter.shapes.check(call.loc, call.a(), axis, call.b(), other))
      return false;
  }
  return true;
}

Value Arrangement::extent(char letter) const {
  size_t axis = names.lhs.find(letter);
  return axis != std::string::npos
             ? call.emitter.extents.of(call.loc, call.a(), axis)
             : call.emitter.extents.of(call.loc, call.b(),
                                       names.rhs.find(letter));
}

Value Arrangement::extent(StringRef letters) const {
  Value size = call.emitter.scalars.index(1);
  for (char letter : letters)
    size = call.emitter.scalars.indexBinary(call.loc, ast::BinaryOp::Mul, size,
                                            extent(letter));
  return size;
}

Object Arrangement::ordered(Value tile, StringRef letters,
                            StringRef wanted) const {
  if (letters == wanted)
    return Object(tile);
  SmallVector<int64_t> permutation;
  for (char letter : wanted)
    permutation.push_back(letters.find(letter));
  pl::TransposeOp::Properties properties;
  properties.permutation =
      call.emitter.builder.getDenseI64ArrayAttr(permutation);
  Value result = call.emitter.create<pl::TransposeOp>(call.loc, call.name, tile,
                                                      properties);
  return result ? Object(result) : Object::poison();
}

Object Arrangement::matrices(Value tile, StringRef letters, StringRef rows,
                             StringRef columns) const {
  Object result =
      ordered(tile, letters, (names.batch() + rows + columns).str());
  if (result.isPoison() || (rows.size() == 1 && columns.size() == 1))
    return result;
  SmallVector<Value> sizes;
  for (char letter : names.batch())
    sizes.push_back(extent(letter));
  sizes.append({extent(rows), extent(columns)});
  return call.emitter.reshapes.build(call.loc, result.asValue(), sizes);
}

/// [batch, rows, inner] @ [batch, inner, columns], or an operand as it is and
/// taken transposed.
Object Arrangement::multiply(std::optional<pl::Precision> precision) const {
  std::string batch = names.batch(), inner = names.inner();
  std::string rows = names.rows(), columns = names.columns();
  bool isLhsTransposed = names.lhs == batch + inner + rows;
  bool isRhsTransposed = names.rhs == batch + columns + inner;
  Object lhs = matrices(call.a(), names.lhs, isLhsTransposed ? inner : rows,
                        isLhsTransposed ? rows : inner);
  Object rhs = matrices(call.b(), names.rhs, isRhsTransposed ? columns : inner,
                        isRhsTransposed ? inner : columns);
  if (lhs.isPoison() || rhs.isPoison())
    return Object::poison();
  MatmulFlags flags{isLhsTransposed, isRhsTransposed, precision};
  Object matmul = call.emitter.matmuls.build(call.loc, lhs, rhs, {}, flags);
  if (matmul.isPoison())
    return matmul;
  std::string axes = batch + rows + columns;
  if (rows.size() != 1 || columns.size() != 1) {
    SmallVector<Value> sizes;
    for (char letter : axes)
      sizes.push_back(extent(letter));
    // As pl.dot, a single number is a list of one.
    if (axes.empty())
      sizes.push_back(call.emitter.scalars.index(1));
    matmul = call.emitter.reshapes.build(call.loc, matmul.asValue(), sizes);
  }
  return matmul.isPoison() || axes == names.result
             ? matmul
             : ordered(matmul.asValue(), axes, names.result);
}

/// einsum("ik,kj->ij", a, b)
Object tegula::buildEinsum(const EinsumCall &call) {
  std::optional<Subscripts> names = readSubscripts(call);
  std::optional<pl::Precision> precision;
  if (!names || !readPrecision(call.precision(), precision))
    return Object::poison();
  Arrangement arrangement(call, *names);
  return arrangement.checkExtents() ? arrangement.multiply(precision)
                                    : Object::poison();
}
