// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RowReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tegula/backends/cuda/rows/NarrowWords.h"
#include "tegula/backends/cuda/rows/RowTensors.h"
#include "tegula/backends/cuda/rows/RowValues.h"
#include "tegula/ir/ops/PlOps.h"

using namespace mlir;
using namespace tegula;

void RowReader::emit(pl::LoadOp load) {
  const RowAccess &access = program.accesses.find(load)->second;
  // Rows that are read again are there already.
  if (Value before = loaded.lookup(access.tensor)) {
    values.elements[load.getResult()] =
        SmallVector<Value>(values.elements.find(before)->second);
    return;
  }
  loaded[access.tensor] = load.getResult();
  SmallVector<Value> found;
  Type element = getElementType(access);
  if (!access.shape.hasColumns)
    found = {words.fromWord(
        read(access, words.wordOf(element), tensors.startOf(access)), element)};
  else
    for (const RowRun &run : state.runs)
      llvm::append_range(found, readRun(access, run));
  values.elements[load.getResult()] = std::move(found);
}

Value RowReader::read(const RowAccess &access, Type type, Value address,
                      unsigned alignment) {
  auto load = LLVM::LoadOp::create(builder, loc, type, address, alignment);
  bool isWritten = llvm::any_of(program.accesses, [&](const auto &other) {
    return isa<pl::StoreOp>(other.first) &&
           other.second.tensor == access.tensor;
  });
  load.setInvariant(state.isHurried && !isWritten);
  return load;
}

SmallVector<Value> RowReader::readRun(const RowAccess &access,
                                      const RowRun &run) {
  Type element = getElementType(access), word = words.wordOf(element);
  int64_t bytes = run.count * element.getIntOrFloatBitWidth() / 8;
  bool isHalf = bytes == 2 * run.count;
  constexpr int64_t groupBytes = 16;
  if (state.isApart(access) && run.count == 4 && bytes == groupBytes)
    return readFourApart(access, run);
  if (run.count == 1 || (state.isApart(access) && !isHalf))
    return readSingles(access, run);
  if (!isHalf)
    return words.partsOf(readVector(access, run,
                                    VectorType::get({run.count}, word),
                                    alignmentOf(element, run.count)));
  SmallVector<Value> found;
  for (Value pair :
       state.isApart(access) ? readApart(access, run) : readPairs(access, run))
    for (bool isHigh : {false, true})
      found.push_back(words.halfOf(pair, element, isHigh));
  return found;
}

SmallVector<Value> RowReader::readSingles(const RowAccess &access,
                                          const RowRun &run) {
  Type element = getElementType(access), word = words.wordOf(element);
  Value address = tensors.addressOf(access, run.from);
  SmallVector<Value> found;
  for (int64_t i = 0; i < run.count; ++i)
    found.push_back(words.fromWord(
        read(access, word, tensors.after(address, element, i)), element));
  return found;
}

Value RowReader::readVector(const RowAccess &access, const RowRun &run,
                            Type type, unsigned alignment) {
  return readTogether ? readTogether(access, run, type, alignment)
                      : readRunFromMemory(access, run, type, alignment);
}

Value RowReader::readRunFromMemory(const RowAccess &access, const RowRun &run,
                                   Type type, unsigned alignment) {
  return read(access, type, tensors.addressOf(access, run.from), alignment);
}

SmallVector<Value> RowReader::readPairs(const RowAccess &access,
                                        const RowRun &run) {
  Type word = builder.getI32Type();
  int64_t count = run.count / 2;
  Type type = count > 1 ? VectorType::get({count}, word) : word;
  Value pairs = readVector(access, run, type,
                           alignmentOf(getElementType(access), run.count));
  return count > 1 ? words.partsOf(pairs) : SmallVector<Value>{pairs};
}

/// So many bytes as words of 32 bits, at a multiple of as many.
SmallVector<Value> RowReader::readWords(const RowAccess &access, Value address,
                                        int64_t bytes) {
  constexpr int64_t wordBytes = 4, most = 16;
  Type type = builder.getI32Type();
  if (bytes > wordBytes)
    type = VectorType::get({bytes / wordBytes}, type);
  auto alignment = static_cast<unsigned>(std::min(bytes, most));
  Value found = read(access, type, address, alignment);
  return bytes > wordBytes ? words.partsOf(found) : SmallVector<Value>{found};
}

/// Elements of 16 bits that do not lie at a multiple of as many, as words: what
/// is around them is read and shifted. How far is the same in all of a row.
SmallVector<Value> RowReader::readApart(const RowAccess &access,
                                        const RowRun &run) {
  constexpr int64_t together = 8;
  Type i8 = builder.getI8Type(), i32 = builder.getI32Type();
  int64_t bytes = 2 * run.count;
  auto offset = [&](Value address, Value count) -> Value {
    return LLVM::GEPOp::create(builder, loc, address.getType(), i8, address,
                               ArrayRef<LLVM::GEPArg>{count});
  };
  auto hasBit = [&](Value number, int64_t bit) -> Value {
    Value wanted = math.both(number, math.constant(bit));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, wanted,
                                 math.constant(0));
  };
  Value start =
      LLVM::PtrToIntOp::create(builder, loc, i32, tensors.startOf(access));
  Value before = math.both(start, math.constant(together - 1));
  Value around =
      offset(tensors.startOf(access), math.sub(math.constant(0), before));
  auto addressOfRun = [&](Value base) -> Value {
    return LLVM::GEPOp::create(builder, loc, base.getType(),
                               getElementType(access), base,
                               ArrayRef<LLVM::GEPArg>{run.from});
  };
  Value address = addressOfRun(around);
  SmallVector<Value> found;
  for (int64_t i = 0; i < bytes; i += together)
    llvm::append_range(
        found, readWords(access, tensors.after(address, i8, i), together));
  // Only where something of it is needed.
  Value last = arith::SelectOp::create(
      builder, loc, hasBit(before, together - 1), math.constant(bytes),
      math.constant(bytes - together));
  llvm::append_range(
      found, readWords(access, addressOfRun(offset(around, last)), together));
  Value shift = math.mul(math.both(before, math.constant(2)), math.constant(8));
  for (size_t apart = together / 8; apart > 0; apart /= 2) {
    Value isApart = hasBit(before, 4 * apart);
    for (size_t i = 0; i + apart < found.size(); ++i)
      found[i] = arith::SelectOp::create(builder, loc, isApart,
                                         found[i + apart], found[i]);
  }
  SmallVector<Value> shifted;
  for (int64_t i = 0; i < run.count / 2; ++i)
    shifted.push_back(
        LLVM::FshrOp::create(builder, loc, i32, found[i + 1], found[i], shift));
  return shifted;
}

/// Four elements of 32 bits that do not lie at a multiple of as many: the two
/// that lie at one of two at once, the others one by one. Which these are is
/// the same in all of a row; a branch would keep more in registers.
SmallVector<Value> RowReader::readFourApart(const RowAccess &access,
                                            const RowRun &run) {
  constexpr int64_t elementBytes = 4;
  Type element = getElementType(access), word = builder.getI32Type();
  Value start =
      LLVM::PtrToIntOp::create(builder, loc, word, tensors.startOf(access));
  Value isOdd = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ne,
      math.both(start, math.constant(elementBytes)), math.constant(0));
  auto pick = [&](Value ifOdd, Value ifEven) -> Value {
    return arith::SelectOp::create(builder, loc, isOdd, ifOdd, ifEven);
  };
  auto readAt = [&](Type type, Value column) {
    return read(access, type,
                tensors.addressOf(access, math.add(run.from, column)),
                static_cast<unsigned>(type.getIntOrFloatBitWidth() / 8));
  };
  // As a number: a vector of two LLVM takes for two reads.
  Value pair =
      readAt(builder.getI64Type(), pick(math.constant(1), math.constant(0)));
  Value other = readAt(word, pick(math.constant(0), math.constant(2)));
  Value last = readAt(word, math.constant(3));
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
