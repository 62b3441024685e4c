// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins that compute elements from their places: triangles and random
// numbers.
#include "tegula/frontend/builtins/BuiltinCall.h"
#include "tegula/frontend/constants/Dtypes.h"
#include <array>

using namespace tegula;
using ast::BinaryOp;
using mlir::SmallVector;
using mlir::Value;

namespace {

/// The places of a tile of two axes, or of one, which counts as a row.
struct Places {
  /// Row numbers [R, 1] and column numbers [1, C] of INT64.
  Object rows, columns;
};

} // namespace

static Object ramp(const BuiltinCall &call, Value size, bool isColumn) {
  Emitter &emitter = call.emitter;
  Value zero = emitter.constant(call.loc, Object::integer(0),
                                emitter.builder.getI64Type());
  SmallVector<Value> sizes = {emitter.index(1), size};
  Value row =
      pl::ArangeOp::create(emitter.builder, call.loc, zero, sizes).getResult();
  if (!isColumn)
    return Object(row);
  pl::TransposeOp::Properties turned;
  turned.permutation = emitter.builder.getDenseI64ArrayAttr({1, 0});
  return Object(
      emitter.create<pl::TransposeOp>(call.loc, call.name, row, turned));
}

/// Cuts a tile to `valid_shape`, and a tile of one row to its single axis.
template <typename Call>
static Object finish(const Call &call, const Object &tile) {
  Emitter &emitter = call.emitter;
  if (tile.isPoison())
    return tile;
  size_t rank = call.shape().size();
  Object result = rank == 1
                      ? emitter.reshape(call.loc, tile.asValue(), call.shape())
                      : tile;
  if (result.isPoison() || !call.hasValidShape())
    return result;
  std::optional<SmallVector<Value>> valid = call.validShape(rank);
  if (!valid)
    return Object::poison();
  SmallVector<Value> offsets(rank, emitter.index(0));
  pl::Dims dims(pl::getDims(result.asValue().getType()));
  Value part = emitter.window(call.loc, result.asValue(), offsets, *valid, {});
  // What was asked for is what can be filled up.
  for (auto [dim, narrow] : llvm::zip(dims, pl::getDims(part.getType())))
    if (dim.hasBound() && dim != narrow)
      dim = pl::Dim::atMost(dim.getBound());
    else if (!dim.hasBound())
      dim = narrow;
  part.setType(pl::TileType::get(emitter.getContext(), dims,
                                 pl::getElementOrSelf(part.getType())));
  return Object(part);
}

static std::optional<Places> placesOf(const BuiltinCall &call,
                                      llvm::ArrayRef<Value> sizes) {
  if (sizes.empty() || sizes.size() > 2) {
    call.fail("'" + call.name + "' makes a tile of one or two axes, got " +
              llvm::Twine(sizes.size()));
    return std::nullopt;
  }
  Value rows = sizes.size() == 2 ? sizes[0] : call.emitter.index(1);
  return Places{ramp(call, rows, /*isColumn=*/true),
                ramp(call, sizes.back(), /*isColumn=*/false)};
}

/// tri(diagonal, shape): 1 where column <= row + diagonal, or >= for `upper`
Object tegula::buildTri(const TriCall &call) {
  Emitter &emitter = call.emitter;
  mlir::Type element =
      call.hasDtype() ? call.dtype() : mlir::Type(emitter.builder.getI32Type());
  std::optional<Places> places = placesOf(call, call.shape());
  if (!places)
    return Object::poison();
  if (element.isIndex())
    return call.fail("elements cannot be INDEX; use pl.INT64");
  Value diagonal =
      emitter.convert(call.loc, call.diagonal(), emitter.builder.getI64Type());
  Object border =
      emitter.binary(call.loc, BinaryOp::Add, places->rows, Object(diagonal));
  Object mask = emitter.comparison(
      call.loc, call.upper() ? pl::Comparison::Ge : pl::Comparison::Le,
      places->columns, border);
  Object tile = mask.isPoison()
                    ? mask
                    : emitter.cast(call.loc, mask, element, pl::Rounding::None);
  return finish(call, tile);
}

namespace {

/// Philox 4x32 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3")
/// on words of 32 bits, each kept in UINT64.
class Philox {
public:
  explicit Philox(const BuiltinCall &call)
      : call(call), word(mlir::IntegerType::get(call.emitter.getContext(), 64,
                                                mlir::IntegerType::Unsigned)) {}

  /// A key or counter argument as a word; poison, and an error, for others.
  Object argument(const BuiltinArgument &given);
  /// The four words of the counter `counter + block`.
  std::array<Object, 4> advance(llvm::ArrayRef<Object> counter,
                                const Object &block);
  std::array<Object, 4> rounds(std::array<Object, 4> state, Object key0,
                               Object key1, int64_t number);
  Object low(const Object &x) { return binary(BinaryOp::BitAnd, x, mask); }
  Object high(const Object &x) {
    return binary(BinaryOp::ShiftRight, x, Object::integer(32));
  }
  Object binary(BinaryOp op, const Object &lhs, const Object &rhs) {
    return call.emitter.binary(call.loc, op, lhs, rhs);
  }
  mlir::Type getWord() const { return word; }

private:
  const BuiltinCall &call;
  mlir::Type word;
  Object mask = Object::integer(0xffffffff);
};

} // namespace

Object Philox::argument(const BuiltinArgument &given) {
  if (std::optional<int64_t> number = given->asInteger()) {
    Value value = call.emitter.constant(
        call.loc, Object::integer(*number & 0xffffffff), word);
    return Object(value);
  }
  Value scalar = given->asScalar();
  if (!scalar || pl::isFloat(scalar.getType()) || pl::isBool(scalar.getType()))
    return given.fail("keys and counters are integers, got " + describe(given));
  return low(Object(call.emitter.convert(call.loc, scalar, word)));
}

std::array<Object, 4> Philox::advance(llvm::ArrayRef<Object> counter,
                                      const Object &block) {
  std::array<Object, 4> words;
  Object sum = binary(BinaryOp::Add, low(block), counter[0]);
  words[0] = low(sum);
  sum = binary(BinaryOp::Add, high(sum),
               binary(BinaryOp::Add, high(block), counter[1]));
  words[1] = low(sum);
  sum = binary(BinaryOp::Add, high(sum), counter[2]);
  words[2] = low(sum);
  words[3] = low(binary(BinaryOp::Add, high(sum), counter[3]));
  return words;
}

std::array<Object, 4> Philox::rounds(std::array<Object, 4> state, Object key0,
                                     Object key1, int64_t number) {
  auto exclusive = [&](const Object &a, const Object &b, const Object &c) {
    return binary(BinaryOp::BitXor, binary(BinaryOp::BitXor, a, b), c);
  };
  for (int64_t round = 0; round < number; ++round) {
    Object first = binary(BinaryOp::Mul, state[0], Object::integer(0xD2511F53));
    Object second =
        binary(BinaryOp::Mul, state[2], Object::integer(0xCD9E8D57));
    state = {exclusive(high(second), state[1], key0), low(second),
             exclusive(high(first), state[3], key1), low(first)};
    key0 = low(binary(BinaryOp::Add, key0, Object::integer(0x9E3779B9)));
    key1 = low(binary(BinaryOp::Add, key1, Object::integer(0xBB67AE85)));
  }
  return state;
}

/// random(key0, key1, c0, c1, c2, c3, shape): element e in row-major order is
/// word e % 4 of Philox 4x32 at the 128-bit counter (c0 lowest) plus e // 4
Object tegula::buildRandom(const RandomCall &call) {
  Emitter &emitter = call.emitter;
  Philox philox(call);
  SmallVector<Object> words;
  for (const BuiltinArgument &word :
       {call.key0(), call.key1(), call.counter0(), call.counter1(),
        call.counter2(), call.counter3()}) {
    words.push_back(philox.argument(word));
    if (words.back().isPoison())
      return Object::poison();
  }
  std::optional<Places> places = placesOf(call, call.shape());
  mlir::Type element =
      call.hasDtype() ? call.dtype()
                      : mlir::IntegerType::get(emitter.getContext(), 32,
                                               mlir::IntegerType::Unsigned);
  std::optional<int64_t> rounds = call.rounds().isGiven()
                                      ? call.rounds()->asInteger()
                                      : std::optional<int64_t>(10);
  if (!places)
    return Object::poison();
  if (!pl::isNumber(element) || pl::isFloat(element) ||
      element.getIntOrFloatBitWidth() != 32 || (rounds != 7 && rounds != 10))
    return call.fail("'random' makes INT32 or UINT32 in 7 or 10 rounds");
  Value width = emitter.convert(call.loc, call.shape().back(),
                                emitter.builder.getI64Type());
  Object place = philox.binary(
      BinaryOp::Add, philox.binary(BinaryOp::Mul, places->rows, Object(width)),
      places->columns);
  if (place.isPoison())
    return place;
  place = emitter.cast(call.loc, place, philox.getWord(), pl::Rounding::None);
  Object block = philox.binary(BinaryOp::ShiftRight, place, Object::integer(2));
  Object lane = philox.binary(BinaryOp::BitAnd, place, Object::integer(3));
  std::array<Object, 4> state =
      philox.rounds(philox.advance(llvm::ArrayRef(words).drop_front(2), block),
                    words[0], words[1], *rounds);
  Object result = state[3];
  for (int64_t number = 2; number >= 0; --number)
    result = emitter.select(call.loc,
                            emitter.comparison(call.loc, pl::Comparison::Eq,
                                               lane, Object::integer(number)),
                            state[number], result);
  return finish(call,
                emitter.cast(call.loc, result, element, pl::Rounding::None));
}
