// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/matmul/EpilogueTile.h"

#include "tegula/transforms/tile/TileEmitter.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Which axes of the tile a part of the epilogue has: none for a scalar.
struct Shape {
  unsigned rank = 0;
  bool hasRows = false, hasColumns = false;

  bool operator==(const Shape &other) const {
    return rank == other.rank && hasRows == other.hasRows &&
           hasColumns == other.hasColumns;
  }
};

/// A scalar or a tile.
struct Part {
  Value value;
  Shape shape;
};

class EpilogueTile {
public:
  EpilogueTile(OpBuilder &builder, pl::MatmulIntoOp matmul,
               ArrayRef<Value> tiles)
      : builder(builder), loc(matmul.getLoc()), accumulator(tiles.front()),
        block(matmul.getEpilogue().front()) {
    parts[block.getArgument(0)] = {accumulator, whole};
    for (auto [argument, tile, operand] :
         llvm::zip_equal(block.getArguments().drop_front(), tiles.drop_front(),
                         matmul.getEpilogueOperands()))
      parts[argument] = {tile, shapeOf(operand)};
  }

  Value emit() {
    for (Operation &op : block.without_terminator())
      parts[op.getResult(0)] = emit(&op);
    return repeat(partOf(block.getTerminator()->getOperand(0)));
  }

private:
  static Shape shapeOf(Value operand) {
    ArrayRef<pl::Dim> dims = pl::getDims(operand.getType());
    return {static_cast<unsigned>(dims.size()),
            dims.size() == 2 && !dims.front().isExactly(1),
            !dims.back().isExactly(1)};
  }

  /// What is not made in the epilogue is a scalar.
  Part partOf(Value scalar) {
    auto known = parts.find(scalar);
    return known == parts.end() ? Part{scalar, {}} : known->second;
  }

  Part emit(Operation *op) {
    SmallVector<Part> operands;
    for (Value operand : op->getOperands())
      operands.push_back(partOf(operand));
    const Part *like = nullptr;
    bool isSame = true;
    for (const Part &operand : operands) {
      if (operand.shape.rank == 0)
        continue;
      isSame &= !like || like->shape == operand.shape;
      like = &operand;
    }
    Operation *clone = builder.clone(*op);
    if (!like) {
      for (auto [index, operand] : llvm::enumerate(operands))
        clone->setOperand(index, operand.value);
      return {clone->getResult(0), {}};
    }
    Value shaped = isSame ? like->value : accumulator;
    builder.setInsertionPoint(clone);
    for (auto [index, operand] : llvm::enumerate(operands))
      clone->setOperand(index, operand.shape.rank == 0 ? fill(operand, shaped)
                               : isSame                ? operand.value
                                                       : repeat(operand));
    builder.setInsertionPointAfter(clone);
    return {retype(clone), isSame ? like->shape : whole};
  }

  SmallVector<Value> extentsOf(Value tile) {
    SmallVector<Value> sizes;
    for (unsigned axis = 0; axis < pl::getDims(tile.getType()).size(); ++axis)
      sizes.push_back(pl::buildExtent(builder, loc, tile, axis));
    return sizes;
  }

  Value fill(const Part &scalar, Value like) {
    return pl::FullOp::create(builder, loc, scalar.value, extentsOf(like));
  }

  /// The part as a tile of all that the accumulator has.
  Value repeat(const Part &part) {
    if (part.shape == whole)
      return part.value;
    if (part.shape.rank == 0)
      return fill(part, accumulator);
    pl::Dims dims(pl::getDims(accumulator.getType()));
    ArrayRef<pl::Dim> own = pl::getDims(part.value.getType());
    unsigned added = dims.size() - own.size();
    for (auto [axis, dim] : llvm::enumerate(own))
      if (!dim.isUnit())
        dims[axis + added] = dim;
    auto type = pl::TileType::get(builder.getContext(), dims,
                                  pl::getElementOrSelf(part.value.getType()));
    return pl::BroadcastOp::create(builder, loc, type, part.value,
                                   extentsOf(accumulator));
  }

  static constexpr Shape whole{2, true, true};
  OpBuilder &builder;
  Location loc;
  Value accumulator;
  Block &block;
  llvm::DenseMap<Value, Part> parts;
};

} // namespace

Value tegula::emitEpilogueTile(OpBuilder &builder, pl::MatmulIntoOp matmul,
                               ArrayRef<Value> tiles) {
  return EpilogueTile(builder, matmul, tiles).emit();
}
