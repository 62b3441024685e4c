// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the elements that a thread has of a row are read and written.

#include "tegula/backends/cuda/RowCode.h"

#include "tegula/backends/codegen/View.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula;

static Type elementTypeOf(const RowAccess &access) {
  return signlessType(pl::getElementOrSelf(access.tensor.getType()));
}

RowCode::Type RowCode::wordOf(Type element) {
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits == 16 ? Type(builder.getIntegerType(bits)) : element;
}

RowCode::Value RowCode::fromWord(Value word, Type element) {
  if (word.getType() == element)
    return word;
  return arith::BitcastOp::create(builder, loc, element, word);
}

RowCode::Value RowCode::rowOf(const RowAccess &access, Value row) {
  const Memory &memory = memories[access.tensor];
  if (!access.shape.hasRows)
    return memory.data;
  Value wide = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                          mul(row, memory.rowStride));
  return LLVM::GEPOp::create(builder, loc, memory.data.getType(),
                             elementTypeOf(access), memory.data,
                             ArrayRef<LLVM::GEPArg>{wide});
}

/// Where the tensor begins for this row and these columns.
RowCode::Value RowCode::startOf(const RowAccess &access) {
  if (Value known = starts.lookup(access.tensor))
    return known;
  Value start = rowOf(access);
  if (access.shape.hasColumns) {
    Value wide = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                            firstColumn);
    start = LLVM::GEPOp::create(builder, loc, start.getType(),
                                elementTypeOf(access), start,
                                ArrayRef<LLVM::GEPArg>{wide});
  }
  starts[access.tensor] = start;
  return start;
}

RowCode::Value RowCode::addressOf(const RowAccess &access, Value column) {
  Value start = startOf(access);
  return LLVM::GEPOp::create(builder, loc, start.getType(),
                             elementTypeOf(access), start,
                             ArrayRef<LLVM::GEPArg>{column});
}

RowCode::Value RowCode::after(Value address, Type element, int64_t count) {
  return LLVM::GEPOp::create(
      builder, loc, address.getType(), element, address,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(count)});
}

/// How elements side by side are aligned that are read at once.
unsigned RowCode::alignmentOf(Type element, int64_t count) {
  constexpr int64_t most = 16;
  return static_cast<unsigned>(
      std::min(most, count * element.getIntOrFloatBitWidth() / 8));
}

void RowCode::addRun(Value column, int64_t count, Value mask, Value last) {
  runs.push_back({column, count, mask, mask ? min(column, last) : column});
}

/// What is in memory. Outputs share it with no other tensor.
RowCode::Value RowCode::read(const RowAccess &access, Type type, Value address,
                             unsigned alignment) {
  auto load = LLVM::LoadOp::create(builder, loc, type, address, alignment);
  bool isWritten = llvm::any_of(program.accesses, [&](const auto &other) {
    return isa<pl::StoreOp>(other.first) &&
           other.second.tensor == access.tensor;
  });
  load.setInvariant(isHurried && !isWritten);
  return load;
}

void RowCode::emitPrefetches(Value width, int64_t mostColumns) {
  // About so much for each SM, as measured.
  const int64_t wanted = (isNarrow ? 48 : 32) * 1024;
  // Not for rows that are shorter, nor what so many threads that begin together
  // read themselves.
  constexpr int64_t least = 1024, together = 1024;
  llvm::SetVector<Value> tensors;
  SmallVector<RowAccess> found;
  int64_t bytes = 0;
  auto bytesOf = [](const RowAccess &access) {
    return elementTypeOf(access).getIntOrFloatBitWidth() / 8;
  };
  for (Operation *op : program.steps) {
    auto known = program.accesses.find(op);
    if (!isa<pl::LoadOp>(op) || known == program.accesses.end() ||
        !known->second.shape.hasRows || !known->second.shape.hasColumns ||
        !tensors.insert(known->second.tensor))
      continue;
    found.push_back(known->second);
    bytes += bytesOf(known->second);
  }
  if (found.empty() || mostColumns * bytes <= least)
    return;
  Value size = toWord32(mul(columns, code.number(bytes)));
  emitIf(both(isFirst, below(constant(least - 1), size)), [&] {
    Value numSMs = code.call("tegulaGpuNumSMs", builder.getI32Type(), {});
    Value half = div(size, constant(2));
    Value iterations = builder.createOrFold<arith::MaxSIOp>(
        loc, div(add(constant(wanted), half), size), constant(1));
    Value later = add(row, toIndex(mul(numSMs, iterations)));
    Value atOnce =
        toIndex(mul(numSMs, div(constant(together), toWord32(width))));
    emitIf(both(below(later, rows), below(atOnce, later)), [&] {
      for (const RowAccess &access : found)
        code.call("tegulaGpuPrefetch", {},
                  {rowOf(access, later),
                   arith::IndexCastOp::create(
                       builder, loc, builder.getI64Type(),
                       mul(columns, code.number(bytesOf(access))))});
    });
  });
}

void RowCode::emitLoad(pl::LoadOp load) {
  const RowAccess &access = program.accesses.find(load)->second;
  // Rows that are walked through again are there already.
  if (Value before = loaded.lookup(access.tensor)) {
    elements[load.getResult()] =
        SmallVector<Value>(elements.find(before)->second);
    return;
  }
  loaded[access.tensor] = load.getResult();
  SmallVector<Value> found;
  if (!access.shape.hasColumns)
    found = {
        fromWord(read(access, wordOf(elementTypeOf(access)), startOf(access)),
                 elementTypeOf(access))};
  else
    for (const RowRun &run : runs)
      llvm::append_range(found, readRun(access, run));
  elements[load.getResult()] = std::move(found);
}

/// So many bytes as words of 32 bits, at a multiple of as many.
SmallVector<RowCode::Value> RowCode::readWords(const RowAccess &access,
                                               Value address, int64_t bytes) {
  constexpr int64_t wordBytes = 4, most = 16;
  Type type = builder.getI32Type();
  if (bytes > wordBytes)
    type = VectorType::get({bytes / wordBytes}, type);
  auto alignment = static_cast<unsigned>(std::min(bytes, most));
  Value words = read(access, type, address, alignment);
  return bytes > wordBytes ? partsOf(words) : SmallVector<Value>{words};
}

/// Half a word as an element.
RowCode::Value RowCode::halfOf(Value word, Type element, bool isHigh) {
  Value low =
      isHigh
          ? arith::ShRUIOp::create(builder, loc, word, constant(16)).getResult()
          : word;
  Value bits = arith::TruncIOp::create(builder, loc, wordOf(element), low);
  Value made = fromWord(bits, element);
  halves[made] = {word, isHigh};
  return made;
}

/// BF16 -> FP32 of half a word, in one instruction; LLVM needs two.
RowCode::Value RowCode::widenHalf(const Half &half) {
  Value bits =
      half.isHigh ? both(half.word, constant(static_cast<int32_t>(0xffff0000)))
                  : arith::ShLIOp::create(builder, loc, half.word, constant(16))
                        .getResult();
  return arith::BitcastOp::create(builder, loc, builder.getF32Type(), bits);
}

SmallVector<RowCode::Value> RowCode::partsOf(Value vector) {
  SmallVector<Value> parts;
  for (int64_t i = 0, e = cast<VectorType>(vector.getType()).getNumElements();
       i < e; ++i)
    parts.push_back(
        LLVM::ExtractElementOp::create(builder, loc, vector, constant(i)));
  return parts;
}

/// Elements of 16 bits that do not lie at a multiple of as many, as words: what
/// is around them is read and shifted. How far is the same in all of a row.
SmallVector<RowCode::Value> RowCode::readApart(const RowAccess &access,
                                               const RowRun &run) {
  constexpr int64_t together = 8;
  Type i8 = builder.getI8Type(), i32 = builder.getI32Type();
  int64_t bytes = 2 * run.count;
  auto offset = [&](Value address, Value count) -> Value {
    return LLVM::GEPOp::create(builder, loc, address.getType(), i8, address,
                               ArrayRef<LLVM::GEPArg>{count});
  };
  auto hasBit = [&](Value number, int64_t bit) -> Value {
    Value found = both(number, constant(bit));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, found,
                                 constant(0));
  };
  Value start = LLVM::PtrToIntOp::create(builder, loc, i32, startOf(access));
  Value before = both(start, constant(together - 1));
  Value around = offset(startOf(access), sub(constant(0), before));
  auto addressOfRun = [&](Value base) -> Value {
    return LLVM::GEPOp::create(builder, loc, base.getType(),
                               elementTypeOf(access), base,
                               ArrayRef<LLVM::GEPArg>{run.from});
  };
  Value address = addressOfRun(around);
  SmallVector<Value> words;
  for (int64_t i = 0; i < bytes; i += together)
    llvm::append_range(words,
                       readWords(access, after(address, i8, i), together));
  // Only where something of it is needed.
  Value last =
      arith::SelectOp::create(builder, loc, hasBit(before, together - 1),
                              constant(bytes), constant(bytes - together));
  llvm::append_range(
      words, readWords(access, addressOfRun(offset(around, last)), together));
  Value shift = mul(both(before, constant(2)), constant(8));
  for (size_t apart = together / 8; apart > 0; apart /= 2) {
    Value isApart = hasBit(before, 4 * apart);
    for (size_t i = 0; i + apart < words.size(); ++i)
      words[i] = arith::SelectOp::create(builder, loc, isApart,
                                         words[i + apart], words[i]);
  }
  SmallVector<Value> shifted;
  for (int64_t i = 0; i < run.count / 2; ++i)
    shifted.push_back(
        LLVM::FshrOp::create(builder, loc, i32, words[i + 1], words[i], shift));
  return shifted;
}

/// Four elements of 32 bits that do not lie at a multiple of as many: the two
/// that lie at one of two at once, the others one by one. Which these are is
/// the same in all of a row; a branch would keep more in registers.
SmallVector<RowCode::Value> RowCode::readFourApart(const RowAccess &access,
                                                   const RowRun &run) {
  constexpr int64_t elementBytes = 4;
  Type element = elementTypeOf(access), word = builder.getI32Type();
  Value start = LLVM::PtrToIntOp::create(builder, loc, word, startOf(access));
  Value isOdd =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                            both(start, constant(elementBytes)), constant(0));
  auto pick = [&](Value ifOdd, Value ifEven) -> Value {
    return arith::SelectOp::create(builder, loc, isOdd, ifOdd, ifEven);
  };
  auto readAt = [&](Type type, Value column) {
    return read(access, type, addressOf(access, add(run.from, column)),
                static_cast<unsigned>(type.getIntOrFloatBitWidth() / 8));
  };
  // As a number: a vector of two LLVM takes for two reads.
  Value pair = readAt(builder.getI64Type(), pick(constant(1), constant(0)));
  Value other = readAt(word, pick(constant(0), constant(2)));
  Value last = readAt(word, constant(3));
  Value low = arith::TruncIOp::create(builder, loc, word, pair);
  Value high = arith::TruncIOp::create(
      builder, loc, word,
      arith::ShRUIOp::create(
          builder, loc, pair,
          arith::ConstantIntOp::create(builder, loc, 32, 64)));
  return llvm::map_to_vector(
      ValueRange{pick(other, low), pick(low, high), pick(high, other), last},
      [&](Value found) -> Value {
        return LLVM::BitcastOp::create(builder, loc, element, found);
      });
}

SmallVector<RowCode::Value> RowCode::readRun(const RowAccess &access,
                                             const RowRun &run) {
  Type element = elementTypeOf(access), word = wordOf(element);
  int64_t bytes = run.count * element.getIntOrFloatBitWidth() / 8;
  bool isHalf = bytes == 2 * run.count;
  constexpr int64_t groupBytes = 16;
  if (isApart(access) && run.count == 4 && bytes == groupBytes)
    return readFourApart(access, run);
  SmallVector<Value> found;
  if (run.count == 1 || (isApart(access) && !isHalf)) {
    Value address = addressOf(access, run.from);
    for (int64_t i = 0; i < run.count; ++i)
      found.push_back(
          fromWord(read(access, word, after(address, element, i)), element));
  } else if (isHalf) {
    for (Value pair :
         isApart(access) ? readApart(access, run) : readPairs(access, run))
      for (bool isHigh : {false, true})
        found.push_back(halfOf(pair, element, isHigh));
  } else {
    found =
        partsOf(readTogether(access, run, VectorType::get({run.count}, word),
                             alignmentOf(element, run.count)));
  }
  return found;
}

/// Elements of 16 bits, two in each word.
SmallVector<RowCode::Value> RowCode::readPairs(const RowAccess &access,
                                               const RowRun &run) {
  Type word = builder.getI32Type();
  int64_t count = run.count / 2;
  Type type = count > 1 ? VectorType::get({count}, word) : word;
  Value words = readTogether(access, run, type,
                             alignmentOf(elementTypeOf(access), run.count));
  return count > 1 ? partsOf(words) : SmallVector<Value>{words};
}

void RowCode::emitStore(pl::StoreOp store) {
  const RowAccess &access = program.accesses.find(store)->second;
  Type element = elementTypeOf(access);
  Value tile = store.getTile();
  // Not only where something is written.
  startOf(access);
  // Tensors may be the same memory.
  loaded.clear();
  auto where = [&](Value mask) {
    return mask && isThere ? both(mask, isThere) : mask ? mask : isThere;
  };
  if (!access.shape.hasColumns) {
    emitIf(where(isFirst), [&] {
      LLVM::StoreOp::create(builder, loc, toWord(elementOf(tile, 0)),
                            startOf(access));
    });
    return;
  }
  SmallVector<SmallVector<Value>> packed;
  size_t next = 0;
  for (const RowRun &run : runs) {
    int64_t together = isApart(access) ? 1 : run.count;
    packed.emplace_back();
    for (int64_t i = 0; i < run.count; i += together, next += together)
      packed.back().push_back(packRun(tile, next, together));
  }
  auto storeRun = [&](const RowRun &run, ArrayRef<Value> words, Value mask) {
    emitIf(mask, [&] {
      Value address = addressOf(access, run.column);
      unsigned alignment = alignmentOf(element, run.count / words.size());
      for (auto [i, word] : llvm::enumerate(words))
        LLVM::StoreOp::create(builder, loc, word, after(address, element, i),
                              alignment);
    });
  };
  auto storeThoseThere = [&](bool areGroups) {
    for (auto [run, words] : llvm::zip(runs, packed))
      if ((run.count == side) == areGroups)
        storeRun(run, words, where(run.mask));
  };
  if (isWhole)
    emitIf(
        where(isWhole),
        [&] {
          for (auto [run, words] : llvm::zip(runs, packed))
            if (run.count == side)
              storeRun(run, words, Value());
        },
        [&] { storeThoseThere(/*areGroups=*/true); });
  else
    storeThoseThere(/*areGroups=*/true);
  storeThoseThere(/*areGroups=*/false);
}

/// Elements side by side as they are written at once.
RowCode::Value RowCode::packRun(Value tile, size_t first, int64_t count) {
  if (count == 1)
    return toWord(elementOf(tile, first));
  Type word = wordOf(elementOf(tile, first).getType());
  constexpr unsigned wordBits = 32;
  bool arePairs = 2 * word.getIntOrFloatBitWidth() == wordBits;
  SmallVector<Value> parts;
  for (int64_t i = 0; i < count; i += arePairs ? 2 : 1)
    parts.push_back(arePairs ? packPair(elementOf(tile, first + i),
                                        elementOf(tile, first + i + 1))
                             : toWord(elementOf(tile, first + i)));
  if (parts.size() == 1)
    return parts.front();
  Value vector = LLVM::PoisonOp::create(
      builder, loc,
      VectorType::get({int64_t(parts.size())}, parts.front().getType()));
  for (auto [i, part] : llvm::enumerate(parts))
    vector = LLVM::InsertElementOp::create(builder, loc, vector, part,
                                           constant(int64_t(i)));
  int64_t bits = count * word.getIntOrFloatBitWidth();
  return LLVM::BitcastOp::create(
      builder, loc, VectorType::get({bits / wordBits}, builder.getI32Type()),
      vector);
}

/// Two elements of 16 bits as a word; what is rounded to them is rounded at
/// once.
RowCode::Value RowCode::packPair(Value low, Value high) {
  auto lowRounded = low.getDefiningOp<arith::TruncFOp>();
  auto highRounded = high.getDefiningOp<arith::TruncFOp>();
  bool areRounded = lowRounded && highRounded &&
                    lowRounded.getIn().getType().isF32() &&
                    highRounded.getIn().getType().isF32();
  auto join = [&](Value first, Value second) -> Value {
    Value pair = LLVM::PoisonOp::create(builder, loc,
                                        VectorType::get({2}, first.getType()));
    for (auto [i, part] : llvm::enumerate(ValueRange{first, second}))
      pair = LLVM::InsertElementOp::create(builder, loc, pair, part,
                                           constant(int64_t(i)));
    return pair;
  };
  Value pair;
  if (areRounded) {
    pair = arith::TruncFOp::create(
        builder, loc, VectorType::get({2}, low.getType()),
        join(lowRounded.getIn(), highRounded.getIn()));
    pair = arith::BitcastOp::create(
        builder, loc, VectorType::get({2}, wordOf(low.getType())), pair);
  } else {
    pair = join(toWord(low), toWord(high));
  }
  return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), pair);
}
