// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From one layout to another: in the registers of a thread where it holds what
// it needs, through shared memory elsewhere.

#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cuda/layout/RegisterWords.h"
#include "tegula/backends/cuda/layout/SharedTiles.h"
#include "tegula/backends/cuda/layout/TileDistributor.h"
#include "tegula/transforms/plan/BufferSize.h"

using namespace mlir;
using namespace tegula;

static bool isBeyond(ArrayRef<int64_t> offset, ArrayRef<int64_t> shape) {
  return llvm::any_of(llvm::zip(offset, shape), [](auto pair) {
    return std::get<0>(pair) >= std::get<1>(pair);
  });
}

/// The registers in the order of another map whose threads hold the same. That
/// may go further: there is nothing then.
static std::optional<RegisterTile> permute(const RegisterTile &tile,
                                           const ElementMap &map) {
  if (!tile.map.hasSameThreads(map))
    return std::nullopt;
  RegisterTile found{map, {}};
  for (int64_t i = 0; i < map.getNumRegisters(); ++i) {
    Coordinate offset = map.getOffset(i);
    std::optional<int64_t> from = tile.map.findRegister(offset);
    if (!from && !map.isUnused(i) && !isBeyond(offset, tile.map.shape))
      return std::nullopt;
    found.registers.push_back(from ? tile.registers[*from] : Value());
  }
  return found;
}

static Type typeOf(const RegisterTile &tile) {
  for (Value value : tile.registers)
    if (value)
      return value.getType();
  llvm_unreachable("a tile has an element");
}

namespace {

/// One tile in shared memory, from `start` on.
class SharedPassage {
public:
  SharedPassage(TileDistributor &distributor, const SharedTile &shared,
                Type element, Value start, Value moved = {})
      : distributor(distributor), builder(distributor.builder),
        loc(distributor.loc), element(element), memory(typeInShared(element)),
        shared(shared), start(start), moved(moved) {}

  RegisterTile readAs(const ElementMap &map) {
    return canLoadMatrices(map) ? readMatrices(map) : read(map);
  }

  void write(const RegisterTile &tile) {
    int64_t width = std::min(tile.map.countNeighbours(), shared.getChunk());
    Value thread = getThreadOffset(tile.map.lanes, tile.map.warps);
    for (int64_t i = 0; i < tile.map.getNumRegisters(); i += width) {
      if (!tile.registers[i])
        continue;
      SmallVector<Value> elements;
      for (int64_t j = 0; j < width; ++j) {
        // Beyond a tile anything may be.
        Value own =
            tile.registers[i + j] ? tile.registers[i + j] : tile.registers[i];
        elements.push_back(toMemory(builder, loc, own, memory, false));
      }
      storeWords(builder, loc, getAddress(getOffset(thread, tile.map, i)),
                 elements);
    }
  }

private:
  /// Where a thread begins; registers are at exclusive ors with that.
  Value getThreadOffset(ArrayRef<Coordinate> lanes,
                        ArrayRef<Coordinate> warps) {
    SmallVector<int64_t> offsets;
    for (ArrayRef<Coordinate> bits : {lanes, warps})
      for (const Coordinate &step : bits)
        offsets.push_back(shared.getOffset(step));
    Value offset = distributor.xorBits(offsets);
    return moved ? arith::XOrIOp::create(builder, loc, offset, moved) : offset;
  }
  Value getOffset(Value thread, const ElementMap &map, int64_t number) {
    int64_t offset = shared.getOffset(map.getOffset(number));
    return offset ? arith::XOrIOp::create(builder, loc, thread,
                                          distributor.word(offset))
                        .getResult()
                  : thread;
  }
  Value getAddress(Value offset) {
    Value bytes =
        arith::ExtUIOp::create(builder, loc, builder.getI64Type(), offset);
    return LLVM::GEPOp::create(builder, loc, start.getType(),
                               builder.getI8Type(), start, ValueRange{bytes});
  }

  RegisterTile read(const ElementMap &map) {
    int64_t width = std::min(map.countNeighbours(), shared.getChunk());
    Value thread = getThreadOffset(map.lanes, map.warps);
    RegisterTile found{map, SmallVector<Value>(map.getNumRegisters())};
    for (int64_t i = 0; i < map.getNumRegisters(); i += width) {
      if (map.isUnused(i) || isBeyond(map, i))
        continue;
      SmallVector<Value> elements(width);
      loadWords(builder, loc, getAddress(getOffset(thread, map, i)), memory,
                elements);
      for (auto [j, value] : llvm::enumerate(elements))
        found.registers[i + j] = fromMemory(builder, loc, value, element);
    }
    return found;
  }

  /// True for registers for which there is no memory.
  bool isBeyond(const ElementMap &map, int64_t number) const {
    return llvm::any_of(llvm::zip(map.getOffset(number), map.shape),
                        [](auto pair) {
                          return std::get<0>(pair) >=
                                 int64_t(llvm::PowerOf2Ceil(std::get<1>(pair)));
                        });
  }

  // Matrices of 8 rows of 16 bytes: each lane names one row, and gets a
  // word of a row, or two elements of a column, of each of four matrices.

  static bool isStep(ArrayRef<int64_t> step, size_t axis, int64_t length) {
    for (auto [other, part] : llvm::enumerate(step))
      if (part != (other == axis ? length : 0))
        return false;
    return true;
  }
  /// Elements of a word, and the bits of the numbers of registers for them.
  int64_t getEach() const { return 32 / memory.getIntOrFloatBitWidth(); }
  size_t countWordBits() const { return llvm::Log2_64(uint64_t(getEach())); }

  /// The axis along which a lane gets the elements of a word; nothing if lanes
  /// do not hold matrices.
  std::optional<size_t> findWordAxis(const ElementMap &map) const {
    size_t bits = countWordBits();
    if (map.getRank() != 2 || map.registers.size() < bits + 2)
      return std::nullopt;
    for (size_t axis : {0, 1}) {
      size_t other = 1 - axis;
      bool areWords = llvm::all_of(llvm::seq(bits), [&](size_t bit) {
        return isStep(map.registers[bit], axis, int64_t(1) << bit);
      });
      if (areWords && isStep(map.lanes[0], axis, getEach()) &&
          isStep(map.lanes[1], axis, 2 * getEach()) &&
          isStep(map.lanes[2], other, 1) && isStep(map.lanes[3], other, 2) &&
          isStep(map.lanes[4], other, 4))
        return axis;
    }
    return std::nullopt;
  }
  /// Rows are of 16 bytes; only elements of two change rows for columns.
  bool canLoadMatrices(const ElementMap &map) const {
    if (memory.getIntOrFloatBitWidth() > 32)
      return false;
    std::optional<size_t> axis = findWordAxis(map);
    if (!axis || (*axis == 0 && getEach() != 2) ||
        map.shape[1] < shared.getChunk())
      return false;
    // All four matrices are there.
    for (int64_t i = 0; i < map.getNumRegisters(); i += 4 * getEach())
      for (int64_t j : {1, 2, 3})
        if (isBeyond(map, i) != isBeyond(map, i + j * getEach()))
          return false;
    return true;
  }

  RegisterTile readMatrices(const ElementMap &map) {
    bool isTransposed = *findWordAxis(map) == 0;
    int64_t each = getEach();
    unsigned bits = memory.getIntOrFloatBitWidth();
    // Lanes address rows.
    SmallVector<Coordinate> rows;
    for (int64_t step : {1, 2, 4})
      rows.push_back({step, 0});
    rows.push_back(map.registers[countWordBits()]);
    rows.push_back(map.registers[countWordBits() + 1]);
    Value thread = getThreadOffset(rows, map.warps);
    Type near = LLVM::LLVMPointerType::get(builder.getContext(), 3);
    Value base = LLVM::AddrSpaceCastOp::create(builder, loc, near, start);
    base = LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), base);
    RegisterTile found{map, SmallVector<Value>(map.getNumRegisters())};
    for (int64_t i = 0; i < map.getNumRegisters(); i += 4 * each) {
      if (map.isUnused(i) || isBeyond(map, i))
        continue;
      Value address =
          arith::AddIOp::create(builder, loc, base, getOffset(thread, map, i));
      Value words = emitLoad(address, isTransposed);
      for (int64_t j = 0; j < 4; ++j) {
        Value word = LLVM::ExtractValueOp::create(builder, loc, words,
                                                  ArrayRef<int64_t>{j});
        for (int64_t part = 0; part < each; ++part)
          found.registers[i + each * j + part] = fromMemory(
              builder, loc,
              takePart(builder, loc, word, memory, unsigned(part) * bits),
              element);
      }
    }
    return found;
  }

  Value emitLoad(Value address, bool isTransposed) {
    SmallVector<Type> words(4, builder.getI32Type());
    Type result = LLVM::LLVMStructType::getLiteral(builder.getContext(), words);
    StringRef text =
        isTransposed
            ? "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {$0, $1, $2, "
              "$3}, [$4];"
            : "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, "
              "[$4];";
    return LLVM::InlineAsmOp::create(
               builder, loc, result, ValueRange{address}, text,
               "=r,=r,=r,=r,r,~{memory}", /*has_side_effects=*/true,
               /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
               LLVM::AsmDialectAttr(), ArrayAttr())
        .getResult(0);
  }

  TileDistributor &distributor;
  OpBuilder &builder;
  Location loc;
  Type element, memory;
  SharedTile shared;
  Value start, moved;
};

} // namespace

Type tegula::typeInShared(Type element) {
  return element.isInteger(1) ? Type(IntegerType::get(element.getContext(), 8))
                              : element;
}

RegisterTile tegula::readShared(TileDistributor &distributor,
                                const SharedTile &shared, Type element,
                                Value start, const ElementMap &map,
                                Value moved) {
  return SharedPassage(distributor, shared, element, start, moved).readAs(map);
}

void tegula::writeShared(TileDistributor &distributor, const SharedTile &shared,
                         Value start, const RegisterTile &tile) {
  SharedPassage(distributor, shared, typeOf(tile), start).write(tile);
}

void tegula::clearRows(TileDistributor &distributor, const SharedTile &shared,
                       Value start, Value from, Value to) {
  OpBuilder &builder = distributor.builder;
  Location loc = distributor.loc;
  constexpr int64_t chunkBytes = 16;
  int64_t line = shared.getLineBytes();
  Value isShorter =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, from, to);
  auto clear = [&] {
    // Chunks of lines, which rows of all boxes have.
    int64_t bytes = std::min(line, chunkBytes);
    auto scale = [&](Value row) {
      return arith::MulIOp::create(builder, loc, row,
                                   distributor.number(line / bytes));
    };
    auto loop = scf::ForOp::create(
        builder, loc,
        arith::AddIOp::create(builder, loc, scale(from),
                              distributor.getThread()),
        scale(to), distributor.number(distributor.getNumThreads()));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getI8IntegerAttr(0));
    SmallVector<Value> zeros(size_t(bytes), zero);
    Value offsetInBox = arith::MulIOp::create(
        builder, loc, loop.getInductionVar(), distributor.number(bytes));
    for (int64_t box = 0; box < shared.getBytes();
         box += shared.getBoxBytes()) {
      Value offset = arith::IndexCastOp::create(
          builder, loc, builder.getI64Type(),
          arith::AddIOp::create(builder, loc, offsetInBox,
                                distributor.number(box)));
      storeWords(builder, loc,
                 LLVM::GEPOp::create(builder, loc, start.getType(),
                                     builder.getI8Type(), start,
                                     ValueRange{offset}),
                 zeros);
    }
    return SmallVector<Value>();
  };
  distributor.choose(
      isShorter,
      [&] {
        clear();
        if (shared.isInBoxes())
          distributor.showToWarpgroups();
        distributor.wait();
        return SmallVector<Value>();
      },
      [] { return SmallVector<Value>(); });
}

RegisterTile TileDistributor::convert(const RegisterTile &tile,
                                      const ElementMap &map) {
  if (std::optional<RegisterTile> same = permute(tile, map)) {
    // What is beyond the tile may be anything.
    Value zero;
    for (auto [i, value] : llvm::enumerate(same->registers)) {
      if (value || map.isUnused(int64_t(i)))
        continue;
      if (!zero)
        zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(typeOf(tile)));
      value = zero;
    }
    return *same;
  }
  // Neighbours of a thread are next to each other in shared memory.
  if (tile.map.isAlongColumns())
    return {
        map,
        convert({swapAxes(tile.map), tile.registers}, swapAxes(map)).registers};
  // It may read what is in shared memory.
  awaitWarpgroups();
  Type element = typeOf(tile);
  // Threads that go further than the tile read what may be anything.
  SmallVector<int64_t> shape;
  for (unsigned axis = 0; axis < map.getRank(); ++axis) {
    int64_t last = 0;
    for (const auto *bits : {&map.lanes, &map.warps})
      for (const Coordinate &step : *bits)
        last += step[axis];
    shape.push_back(
        std::max({tile.map.shape[axis], map.shape[axis], last + 1}));
  }
  SharedTile shared(shape, typeInShared(element).getIntOrFloatBitWidth() / 8);
  Value start = takeShared(shared.getBytes());
  wait();
  writeShared(*this, shared, start, tile);
  wait();
  return readShared(*this, shared, element, start, map);
}
