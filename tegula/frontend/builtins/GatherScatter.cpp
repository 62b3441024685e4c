// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/GatherScatter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

std::optional<ColumnPattern>
tegula::readPattern(const BuiltinArgument &argument) {
  // The rightmost digit is the first column.
  static constexpr ColumnPattern patterns[] = {{2, 0}, {2, 1}, {4, 0}, {4, 1},
                                               {4, 2}, {4, 3}, {1, 0}};
  int64_t number = argument->asInteger().value_or(0);
  if (const std::string *path = argument->asLanguage()) {
    llvm::StringRef name = *path;
    name.consume_front("tile.");
    number = llvm::StringSwitch<int64_t>(name)
                 .Case("MaskPattern.P0101", 1)
                 .Case("MaskPattern.P1010", 2)
                 .Case("MaskPattern.P0001", 3)
                 .Case("MaskPattern.P0010", 4)
                 .Case("MaskPattern.P0100", 5)
                 .Case("MaskPattern.P1000", 6)
                 .Case("MaskPattern.P1111", 7)
                 .Default(0);
  }
  if (number >= 1 && number <= 7)
    return patterns[number - 1];
  argument.fail("a mask pattern is 1 to 7 or pl.MaskPattern.P0101, P1010, "
                "P0001, P0010, P0100, P1000 or P1111, got " +
                describe(argument));
  return std::nullopt;
}

Value tegula::patternIndices(const BuiltinCall &call, Value rows, Value count,
                             pl::Dim dim, ColumnPattern pattern) {
  Emitter &emitter = call.emitter;
  mlir::MLIRContext *context = emitter.getContext();
  mlir::Type element = emitter.builder.getI32Type();
  pl::Dims dims(pl::getDims(rows.getType()));
  SmallVector<Value> sizes = emitter.extents.allOf(call.loc, rows);
  dims.back() = dim;
  sizes.back() = count;
  Value start = emitter.scalars.constant(call.loc, Object::integer(0), element);
  auto ramp = pl::TileType::get(context, {dim}, element);
  Object columns(pl::ArangeOp::create(emitter.builder, call.loc, ramp, start,
                                      mlir::ValueRange{count})
                     .getResult());
  if (pattern.step > 1)
    columns = emitter.operators.binary(call.loc, ast::BinaryOp::Mul, columns,
                                       Object::integer(pattern.step));
  if (pattern.start > 0)
    columns = emitter.operators.binary(call.loc, ast::BinaryOp::Add, columns,
                                       Object::integer(pattern.start));
  if (dims.size() == 1)
    return columns.asValue();
  return pl::BroadcastOp::create(emitter.builder, call.loc,
                                 pl::TileType::get(context, dims, element),
                                 columns.asValue(), sizes);
}

static bool holdsIntegers(Value shaped) {
  mlir::Type element = pl::getElementOrSelf(shaped.getType());
  return pl::isIntegerOrBool(element) && !pl::isBool(element);
}

Value tegula::indexTile(const BuiltinArgument &argument) {
  Value tile = argument.tile();
  if (!tile || holdsIntegers(tile))
    return tile;
  argument.fail("indices must be integers, got " + describe(tile.getType()));
  return {};
}

Value tegula::readIndex(const BuiltinCall &call, Value shaped,
                        llvm::ArrayRef<Value> position) {
  Object number = call.emitter.memory.read(call.loc, shaped, position);
  return call.emitter.scalars.convert(call.loc, number.asValue(),
                                      call.emitter.builder.getIndexType());
}

std::optional<IndexList> tegula::indexList(const BuiltinArgument &argument) {
  Value shaped = argument.shaped();
  if (!shaped)
    return std::nullopt;
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(shaped.getType());
  IndexList list{shaped, 0};
  unsigned numLong = 0;
  for (auto [axis, dim] : llvm::enumerate(dims))
    if (!dim.isExactly(1)) {
      list.axis = axis;
      ++numLong;
    }
  if (numLong == 0 && !dims.empty())
    list.axis = dims.size() - 1;
  if (numLong <= 1 && !dims.empty() && holdsIntegers(shaped))
    return list;
  argument.fail("expected a list of integers of shape [N], [1, N] or [N, 1], "
                "got " +
                describe(shaped.getType()));
  return std::nullopt;
}

Value tegula::readEntry(const BuiltinCall &call, const IndexList &list,
                        Value position) {
  SmallVector<Value> positions(pl::getDims(list.shaped.getType()).size(),
                               call.emitter.scalars.index(0));
  positions[list.axis] = position;
  return readIndex(call, list.shaped, positions);
}

void tegula::forEachIndex(const BuiltinCall &call, Value extent,
                          llvm::function_ref<void(Value)> body) {
  Emitter &emitter = call.emitter;
  auto loop = mlir::scf::ForOp::create(emitter.builder, call.loc,
                                       emitter.scalars.index(0), extent,
                                       emitter.scalars.index(1));
  mlir::OpBuilder::InsertionGuard guard(emitter.builder);
  emitter.builder.setInsertionPoint(loop.getBody()->getTerminator());
  body(loop.getInductionVar());
}

void tegula::forEachApart(const BuiltinCall &call, Value extent,
                          llvm::function_ref<void(Value)> body) {
  Emitter &emitter = call.emitter;
  auto loop = pl::ParallelOp::create(emitter.builder, call.loc,
                                     emitter.scalars.index(0), extent,
                                     emitter.scalars.index(1));
  mlir::OpBuilder::InsertionGuard guard(emitter.builder);
  emitter.builder.setInsertionPoint(loop.getBody().front().getTerminator());
  body(loop.getInductionVar());
}

Value tegula::rowOf(const BuiltinCall &call, Value shaped,
                    llvm::ArrayRef<Value> leading) {
  Emitter &emitter = call.emitter;
  SmallVector<Value> offsets(leading), sizes;
  SmallVector<int64_t> drop;
  for (unsigned axis = 0; axis < pl::getDims(shaped.getType()).size(); ++axis) {
    if (axis < leading.size()) {
      drop.push_back(axis);
      sizes.push_back(emitter.scalars.index(1));
      continue;
    }
    offsets.push_back(emitter.scalars.index(0));
    sizes.push_back(emitter.extents.of(call.loc, shaped, axis));
  }
  return emitter.memory.window(call.loc, shaped, offsets, sizes, drop);
}

Value tegula::memoryFor(const BuiltinCall &call, llvm::ArrayRef<pl::Dim> dims,
                        llvm::ArrayRef<Value> extents, mlir::Type element) {
  auto type = pl::TensorViewType::get(call.emitter.getContext(), dims, element);
  return pl::CreateTensorOp::create(call.emitter.builder, call.loc, type,
                                    extents);
}

std::optional<bool> tegula::isByRows(const BuiltinArgument &argument,
                                     bool otherwise) {
  if (!argument.isGiven())
    return otherwise;
  if (const auto *name = argument->as<StringObject>())
    if (name->value == "row" || name->value == "elem")
      return name->value == "row";
  if (std::optional<int64_t> number = argument->asInteger();
      number && (*number == 0 || *number == 1))
    return *number == 0;
  argument.fail("'coalesce' is \"row\" or \"elem\", got " + describe(argument));
  return std::nullopt;
}

std::optional<pl::Comparison>
tegula::readComparison(const BuiltinArgument &argument) {
  std::optional<pl::Comparison> comparison;
  if (!argument.isGiven())
    return pl::Comparison::Eq;
  if (const auto *name = argument->as<StringObject>())
    comparison = pl::symbolizeComparison(name->value);
  else if (std::optional<int64_t> number = argument->asInteger())
    comparison = pl::symbolizeComparison(static_cast<uint32_t>(*number));
  if (!comparison)
    argument.fail("a comparison is 'eq', 'ne', 'lt', 'le', 'gt', 'ge' or 0 to "
                  "5, got " +
                  describe(argument));
  return comparison;
}
