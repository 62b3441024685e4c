// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of what a thread holds: vectors where rows are aligned and
// none ends inside one, single elements where they are valid elsewhere.

#include "tegula/backends/codegen/memory/View.h"
#include "tegula/backends/cuda/layout/RegisterWords.h"
#include "tegula/backends/cuda/layout/TileDistributor.h"
#include "tegula/transforms/plan/BufferSize.h"

using namespace mlir;
using namespace tegula;

namespace {

/// The accesses of one tile.
class ViewAccess {
public:
  ViewAccess(TileDistributor &distributor, const ViewNumbers &view,
             ArrayRef<OpFoldResult> extents, Type element,
             const ElementMap &map)
      : distributor(distributor), builder(distributor.builder),
        loc(distributor.loc), view(view), extents(extents), element(element),
        memory(memoryType(element)), map(map) {
    bytes = memory.getIntOrFloatBitWidth() / 8;
    constexpr int64_t mostBytes = 16;
    width = std::min(map.countNeighbours(), mostBytes / bytes);
  }

  SmallVector<Value> load() {
    return choose([&](Way way) {
      return way == Way::Elements ? loadElements()
                                  : loadVectors(way == Way::ValidVectors);
    });
  }
  /// By `cp.async`, 16 bytes at a time, where that can be.
  void copyToShared(const StagedTile &tile, Value start) {
    bool isWide = width * bytes == 16;
    auto copy = [&](bool areAllThere) {
      copyChunks(tile, start, areAllThere);
      return SmallVector<Value>();
    };
    auto pass = [&] {
      copyThroughRegisters(tile.shared, start);
      return SmallVector<Value>();
    };
    if (!isWide) {
      pass();
      return;
    }
    Value aligned = isAligned();
    Value whole = distributor.isWhole(map, extents);
    distributor.choose(
        distributor.both(whole, aligned), [&] { return copy(true); },
        [&] {
          return distributor.choose(aligned, [&] { return copy(false); }, pass);
        });
  }
  /// Registers that are used -> all.
  RegisterTile addUnused(ArrayRef<Value> used) const {
    RegisterTile tile{map, {}};
    size_t next = 0;
    for (int64_t i = 0; i < map.getNumRegisters(); ++i)
      tile.registers.push_back(map.isUnused(i) ? Value() : used[next++]);
    return tile;
  }
  void store(ArrayRef<Value> registers) {
    choose([&](Way way) {
      if (way == Way::Elements)
        storeElements(registers);
      else
        storeVectors(registers, way == Way::ValidVectors);
      return SmallVector<Value>();
    });
  }

private:
  /// What is accessed at once: all vectors, those that are valid where no row
  /// ends inside one, or single elements.
  enum class Way { Vectors, ValidVectors, Elements };

  SmallVector<Value> choose(llvm::function_ref<SmallVector<Value>(Way)> emit) {
    Value whole = distributor.isWhole(map, extents);
    auto bySingle = [&] { return emit(Way::Elements); };
    if (width == 1)
      return distributor.choose(
          whole, [&] { return emit(Way::Vectors); }, bySingle);
    Value aligned = isAligned();
    auto byVector = [&] {
      return distributor.choose(
          whole, [&] { return emit(Way::Vectors); },
          [&] { return emit(Way::ValidVectors); });
    };
    std::optional<int64_t> columns = IndexMath::number(extents.back());
    if (columns && *columns % width)
      return distributor.choose(
          distributor.both(whole, aligned), [&] { return emit(Way::Vectors); },
          bySingle);
    if (!columns && whole)
      aligned = distributor.both(
          aligned, isMultiple(distributor.math().value(extents.back()), width));
    return distributor.choose(aligned, byVector, bySingle);
  }

  Value constant(int64_t number) { return distributor.number(number); }
  Value isMultiple(Value number, int64_t of) {
    Value rest = arith::AndIOp::create(
        builder, loc, number,
        arith::ConstantOp::create(
            builder, loc, builder.getIntegerAttr(number.getType(), of - 1)));
    return arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, rest,
        arith::ConstantOp::create(builder, loc,
                                  builder.getIntegerAttr(number.getType(), 0)));
  }

  /// True if each vector is.
  Value isAligned() {
    Value address =
        LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), view.base);
    Value fast = isMultiple(address, width * bytes);
    for (auto [axis, stride] : llvm::enumerate(view.strides)) {
      bool isLast = axis + 1 == view.strides.size();
      if (!isLast && map.shape[axis] == 1)
        continue;
      Value fits =
          isLast ? arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         stride, constant(1))
                       .getResult()
                 : isMultiple(stride, width);
      fast = distributor.both(fast, fits);
    }
    return fast;
  }

  /// Addresses of registers. They are computed where they are used: kept from
  /// iteration to iteration, they would take the registers of tiles.
  struct Addresses {
    SmallVector<Value> strides, registers;
  };

  /// Where register 0 is. In vectors the elements of a row are side by side.
  Addresses open(bool isVector) {
    Addresses addresses;
    Value sum;
    for (auto [axis, stride] : llvm::enumerate(view.strides)) {
      bool isUnit = isVector && width > 1 && axis + 1 == view.strides.size();
      addresses.strides.push_back(isUnit ? constant(1) : hide(stride));
      Value coordinate =
          arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                       distributor.getThreadPart(map, axis));
      Value part = arith::MulIOp::create(builder, loc, coordinate,
                                         addresses.strides.back());
      sum = sum ? arith::AddIOp::create(builder, loc, sum, part).getResult()
                : part;
    }
    addresses.registers.assign(map.getNumRegisters(), Value());
    addresses.registers[0] = sum ? gep(view.base, sum) : view.base;
    return addresses;
  }
  /// The same number, of which nothing is known.
  Value hide(Value index) {
    Type type = builder.getI64Type();
    Value number = arith::IndexCastOp::create(builder, loc, type, index);
    Value hidden =
        LLVM::InlineAsmOp::create(
            builder, loc,
            LLVM::LLVMStructType::getLiteral(builder.getContext(), type),
            number, "", "=l,0", /*has_side_effects=*/true,
            /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
            LLVM::AsmDialectAttr(), ArrayAttr())
            .getResult(0);
    hidden = LLVM::ExtractValueOp::create(builder, loc, hidden,
                                          ArrayRef<int64_t>{0});
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      hidden);
  }
  Value gep(Value base, Value index) {
    Value steps =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
    return LLVM::GEPOp::create(builder, loc, base.getType(),
                               builder.getIntegerType(unsigned(8 * bytes)),
                               base, ValueRange{steps});
  }
  Value step(const Addresses &addresses, Value from, ArrayRef<int64_t> offset) {
    Value sum;
    for (auto [part, stride] : llvm::zip(offset, addresses.strides)) {
      if (!part)
        continue;
      Value steps = arith::MulIOp::create(builder, loc, stride, constant(part));
      sum = sum ? arith::AddIOp::create(builder, loc, sum, steps).getResult()
                : steps;
    }
    return sum ? gep(from, sum) : from;
  }
  /// Where a register is that is used in a branch alone.
  Value getOwnAddress(const Addresses &addresses, int64_t number) {
    return step(addresses, addresses.registers[0], map.getOffset(number));
  }
  /// The same from that of another register on, without its highest bit.
  Value getAddress(Addresses &addresses, int64_t number) {
    if (Value known = addresses.registers[number])
      return known;
    unsigned bit = llvm::Log2_64(uint64_t(number));
    Value from = getAddress(addresses, number ^ int64_t(1) << bit);
    return addresses.registers[number] =
               step(addresses, from, map.registers[bit]);
  }

  /// Registers that hold the same are loaded once.
  template <typename Emit>
  SmallVector<Value> loadEach(int64_t step, Emit emit) {
    SmallVector<Value> found(map.getNumRegisters());
    SmallVector<std::pair<Coordinate, int64_t>> known;
    for (int64_t i = 0; i < map.getNumRegisters(); i += step) {
      if (map.isUnused(i))
        continue;
      Coordinate offset = map.getOffset(i);
      auto same = llvm::find_if(
          known, [&](const auto &pair) { return pair.first == offset; });
      for (int64_t j = 0; j < step && same != known.end(); ++j)
        found[i + j] = found[same->second + j];
      if (same != known.end())
        continue;
      known.push_back({offset, i});
      emit(i, MutableArrayRef<Value>(found).slice(i, step));
    }
    // Only used ones leave a branch.
    SmallVector<Value> used;
    for (int64_t i = 0; i < map.getNumRegisters(); ++i)
      if (!map.isUnused(i))
        used.push_back(found[i]);
    return used;
  }

  /// With `areSomeMissing`, those that are not valid are zero.
  SmallVector<Value> loadVectors(bool areSomeMissing) {
    Addresses addresses = open(/*isVector=*/true);
    Type type = signlessType(element);
    return loadEach(width, [&](int64_t i, MutableArrayRef<Value> elements) {
      auto read = [&] {
        SmallVector<Value> loaded(elements.size());
        loadWords(builder, loc,
                  areSomeMissing ? getOwnAddress(addresses, i)
                                 : getAddress(addresses, i),
                  memory, loaded);
        for (Value &value : loaded)
          value = fromMemory(builder, loc, value, type);
        return loaded;
      };
      Value zero =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
      Value valid =
          areSomeMissing ? distributor.isValid(map, i, extents) : Value();
      llvm::copy(distributor.choose(
                     valid, read,
                     [&] { return SmallVector<Value>(elements.size(), zero); }),
                 elements.begin());
    });
  }

  SmallVector<Value> loadElements() {
    Addresses addresses = open(/*isVector=*/false);
    return loadEach(1, [&](int64_t i, MutableArrayRef<Value> elements) {
      Type type = signlessType(element);
      auto read = [&] {
        Value loaded[1];
        loadWords(builder, loc, getOwnAddress(addresses, i), memory, loaded);
        return SmallVector<Value>{fromMemory(builder, loc, loaded[0], type)};
      };
      elements[0] =
          distributor.choose(distributor.isValid(map, i, extents), read, [&] {
            return SmallVector<Value>{arith::ConstantOp::create(
                builder, loc, builder.getZeroAttr(type))};
          })[0];
    });
  }

  /// With `areAllThere`, no row ends before the tile does.
  void copyChunks(const StagedTile &tile, Value start, bool areAllThere) {
    Addresses addresses = open(/*isVector=*/true);
    Type near = LLVM::LLVMPointerType::get(builder.getContext(), 3);
    Value base = LLVM::AddrSpaceCastOp::create(builder, loc, near, start);
    base = LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), base);
    SmallVector<int64_t> steps;
    for (const auto *bits : {&map.lanes, &map.warps})
      for (const Coordinate &step : *bits)
        steps.push_back(tile.shared.getOffset(step));
    Value thread = distributor.xorBits(steps);
    for (int64_t i = 0; i < map.getNumRegisters(); i += width) {
      if (map.isUnused(i))
        continue;
      Value to = arith::XOrIOp::create(
          builder, loc, thread,
          distributor.word(tile.shared.getOffset(map.getOffset(i))));
      to = arith::AddIOp::create(builder, loc, base, to);
      Value address = LLVM::PtrToIntOp::create(
          builder, loc, builder.getI64Type(), getAddress(addresses, i));
      Value valid =
          areAllThere ? Value() : distributor.isValid(map, i, extents);
      if (!valid) {
        emitInstruction(builder, loc,
                        "cp.async.cg.shared.global [$0], [$1], 16;",
                        "r,l,~{memory}", {to, address});
        continue;
      }
      // Zeros elsewhere.
      Value given = arith::SelectOp::create(builder, loc, valid, countBytes(i),
                                            distributor.word(0));
      emitInstruction(builder, loc,
                      "cp.async.cg.shared.global [$0], [$1], 16, $2;",
                      "r,l,r,~{memory}", {to, address, given});
    }
  }

  /// The bytes of a chunk that are there, if its first element is.
  Value countBytes(int64_t number) {
    constexpr int64_t chunkBytes = 16;
    unsigned axis = unsigned(map.shape.size()) - 1;
    Value column = arith::AddIOp::create(
        builder, loc, distributor.getThreadPart(map, axis),
        distributor.word(map.getOffset(number)[axis]));
    Value end = arith::IndexCastUIOp::create(
        builder, loc, builder.getI32Type(),
        distributor.math().value(distributor.math().min(
            extents.back(), builder.getIndexAttr(map.shape[axis]))));
    Value rest = arith::MulIOp::create(
        builder, loc, arith::SubIOp::create(builder, loc, end, column),
        distributor.word(bytes));
    return arith::MinUIOp::create(builder, loc, rest,
                                  distributor.word(chunkBytes));
  }

  std::pair<Value, Value> divide(Value number, int64_t by) {
    Value size = constant(by);
    return {arith::DivUIOp::create(builder, loc, number, size),
            arith::RemUIOp::create(builder, loc, number, size)};
  }
  Value multiply(Value number, Value by) {
    return arith::MulIOp::create(builder, loc, number, by);
  }
  Value add(Value lhs, Value rhs) {
    return lhs ? arith::AddIOp::create(builder, loc, lhs, rhs).getResult()
               : rhs;
  }
  Value isBelow(Value coordinate, OpFoldResult end) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                 coordinate, distributor.math().value(end));
  }

  /// Where a chunk of a row is: its address, elements that follow it and
  /// whether the first one is there.
  struct Chunk {
    Value from, column, valid;
  };

  /// The rest of a row, a chunk of shared memory at most.
  Chunk findChunk(const SharedTile &shared, Value number, int64_t length) {
    Chunk chunk;
    size_t last = view.strides.size() - 1;
    for (size_t axis = last + 1; axis-- > 0;) {
      int64_t step = axis == last ? length : 1;
      auto [others, coordinate] =
          divide(number, shared.getSizes()[axis] / step);
      number = others;
      coordinate = multiply(coordinate, constant(step));
      chunk.valid =
          distributor.both(chunk.valid, isBelow(coordinate, extents[axis]));
      if (axis == last)
        chunk.column = coordinate;
      else
        chunk.from = add(chunk.from, multiply(coordinate, view.strides[axis]));
    }
    return chunk;
  }

  /// Elements that are not there are read as the last one that is.
  SmallVector<Value> loadChunk(const Chunk &chunk, int64_t length) {
    Value end = distributor.math().value(extents.back());
    Value last = arith::SubIOp::create(builder, loc, end, constant(1));
    SmallVector<Value> elements(length);
    for (int64_t i = 0; i < length; ++i) {
      Value column = add(chunk.column, constant(i));
      Value there = arith::MinSIOp::create(builder, loc, column, last);
      Value from = add(chunk.from, multiply(there, view.strides.back()));
      loadWords(builder, loc, gep(view.base, from), memory,
                MutableArrayRef<Value>(elements).slice(i, 1));
    }
    Value zero = makeZero();
    for (int64_t i = 1; i < length; ++i)
      elements[i] = arith::SelectOp::create(
          builder, loc, isBelow(add(chunk.column, constant(i)), extents.back()),
          elements[i], zero);
    return elements;
  }
  Value makeZero() {
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(memory));
  }

  /// Rows that begin anywhere, or whose elements are apart: a chunk of a row
  /// after the other, so that few registers are taken.
  void copyThroughRegisters(const SharedTile &shared, Value start) {
    int64_t length = std::min(shared.getChunk(), shared.getSizes().back());
    auto loop = scf::ForOp::create(builder, loc, distributor.getThread(),
                                   constant(shared.getBytes() / bytes / length),
                                   constant(distributor.getNumThreads()));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    // What follows from it is not kept in registers for other iterations.
    Value number = hide(loop.getInductionVar());
    Chunk chunk = findChunk(shared, number, length);
    SmallVector<Value> elements = distributor.choose(
        chunk.valid, [&] { return loadChunk(chunk, length); },
        [&] { return SmallVector<Value>(length, makeZero()); });
    storeWords(builder, loc, findInShared(shared, start, number, length),
               elements);
  }

  /// Where a chunk goes: see SharedTile.
  Value findInShared(const SharedTile &shared, Value start, Value number,
                     int64_t length) {
    auto [row, chunk] = divide(number, shared.getSizes().back() / length);
    Value swizzle = divide(divide(row, shared.getEqualRows()).first,
                           shared.getSwappedChunks())
                        .second;
    swizzle = multiply(swizzle, constant(16));
    auto [box, inLine] =
        divide(chunk, shared.getLineBytes() / (bytes * length));
    Value to = multiply(inLine, constant(bytes * length));
    to = arith::XOrIOp::create(builder, loc, to, swizzle);
    to = add(to, multiply(row, constant(shared.getLineBytes())));
    to = add(to, multiply(box, constant(shared.getBoxBytes())));
    Value steps =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), to);
    return LLVM::GEPOp::create(builder, loc, start.getType(),
                               builder.getI8Type(), start, ValueRange{steps});
  }

  Value inMemory(Value element) {
    return toMemory(builder, loc, element, memory, pl::isSigned(this->element));
  }

  /// With `areSomeMissing`, those that are not valid stay as they are.
  void storeVectors(ArrayRef<Value> registers, bool areSomeMissing) {
    Addresses addresses = open(/*isVector=*/true);
    for (int64_t i = 0; i < map.getNumRegisters(); i += width) {
      if (map.isUnused(i))
        continue;
      Value valid =
          areSomeMissing ? distributor.isValid(map, i, extents) : Value();
      distributor.choose(
          valid,
          [&] {
            SmallVector<Value> elements;
            for (int64_t j = 0; j < width; ++j)
              elements.push_back(inMemory(registers[i + j]));
            storeWords(builder, loc,
                       areSomeMissing ? getOwnAddress(addresses, i)
                                      : getAddress(addresses, i),
                       elements);
            return SmallVector<Value>();
          },
          [] { return SmallVector<Value>(); });
    }
  }

  void storeElements(ArrayRef<Value> registers) {
    Addresses addresses = open(/*isVector=*/false);
    for (int64_t i = 0; i < map.getNumRegisters(); ++i) {
      if (map.isUnused(i))
        continue;
      distributor.choose(
          distributor.isValid(map, i, extents),
          [&] {
            Value stored[] = {inMemory(registers[i])};
            storeWords(builder, loc, getOwnAddress(addresses, i), stored);
            return SmallVector<Value>();
          },
          [] { return SmallVector<Value>(); });
    }
  }

  TileDistributor &distributor;
  OpBuilder &builder;
  Location loc;
  const ViewNumbers &view;
  ArrayRef<OpFoldResult> extents;
  Type element, memory;
  const ElementMap &map;
  int64_t bytes, width;
};

} // namespace

RegisterTile tegula::loadRegisters(TileDistributor &distributor,
                                   const ViewNumbers &view, Type element,
                                   const ElementMap &map) {
  ViewAccess access(distributor, view, view.extents, element, map);
  return access.addUnused(access.load());
}

void tegula::copyToShared(TileDistributor &distributor, const ViewNumbers &view,
                          Type element, const StagedTile &tile, Value start) {
  ViewAccess(distributor, view, view.extents, element, tile.map)
      .copyToShared(tile, start);
}

void tegula::storeRegisters(TileDistributor &distributor,
                            const ViewNumbers &view,
                            ArrayRef<OpFoldResult> extents, Type element,
                            const RegisterTile &tile) {
  ViewAccess(distributor, view, extents, element, tile.map)
      .store(tile.registers);
}

ViewNumbers tegula::unpackView(TileDistributor &distributor,
                               pl::TensorViewType type, Value tensor) {
  OpBuilder &builder = distributor.builder;
  ArrayRef<pl::Dim> dims = type.getDims();
  size_t rank = dims.size();
  SmallVector<Type> numbers(2 * rank, builder.getIndexType());
  auto unpacked = cuda::UnpackViewOp::create(
      builder, distributor.loc,
      LLVM::LLVMPointerType::get(builder.getContext()), numbers, tensor);
  ValueRange all = unpacked.getNumbers();
  ViewNumbers view{unpacked.getBase(), all.take_front(rank), {}};
  for (auto [dim, extent] : llvm::zip(dims, all.drop_front(rank)))
    view.extents.push_back(
        dim.isExact() ? OpFoldResult(builder.getIndexAttr(dim.getBound()))
                      : OpFoldResult(extent));
  return view;
}

void TileDistributor::emitLoad(pl::LoadOp op) {
  if (op->hasAttr(orderedAttrName) && isWrittenBefore(op))
    waitForMemory();
  ViewNumbers view =
      unpackView(*this, op.getSource().getType(), scalar(op.getSource()));
  views[op] = view;
  extents[op.getResult()] = view.extents;
  if (op->hasAttr(layoutAttrName) && !staged.contains(op)) {
    ElementMap map = getMap(op, op.getResult());
    tiles[op.getResult()] =
        loadRegisters(*this, view, pl::getElementOrSelf(op.getType()), map);
  }
}

void TileDistributor::emitStore(pl::StoreOp op) {
  ViewNumbers view =
      unpackView(*this, op.getTarget().getType(), scalar(op.getTarget()));
  Indices written;
  for (auto [have, room] : llvm::zip(getExtents(op.getTile()), view.extents))
    written.push_back(math().min(have, room));
  RegisterTile tile = get(op.getTile(), getMap(op, op.getTile()));
  // Another thread may have been there before.
  if (isTouchedBefore(op))
    waitForMemory();
  storeRegisters(*this, view, written,
                 pl::getElementOrSelf(op.getTile().getType()), tile);
}
