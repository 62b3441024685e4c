// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/RowCode.h"

#include "tegula/backends/cpu/TileLowering.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

static Type elementTypeOf(const RowAccess &access) {
  return signlessType(pl::getElementOrSelf(access.tensor.getType()));
}

void RowCode::readSlots() {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type wide = builder.getI64Type();
  unsigned slot = 0;
  SmallVector<SmallVector<Value>> sizes;
  for (BlockArgument argument : kernel.getArguments()) {
    auto tensor = dyn_cast<pl::TensorViewType>(argument.getType());
    sizes.emplace_back();
    if (!tensor) {
      Type type = signlessType(argument.getType());
      numbers.map(argument, fromWord(slotAt(slot++, wordOf(type)), type));
      continue;
    }
    unsigned rank = tensor.getRank();
    for (unsigned axis = 0; axis < rank; ++axis)
      sizes.back().push_back(toIndex(slotAt(slot + 1 + axis, wide)));
    Memory &memory = memories[argument];
    memory.data = slotAt(slot, pointer);
    if (rank == 2)
      memory.rowStride = toIndex(slotAt(slot + 1 + rank, wide));
    slot += 1 + 2 * rank;
  }
  rows = columns = code.number(1);
  for (Operation *op : program.steps) {
    if (auto bind = dyn_cast<pl::BindOp>(op)) {
      auto tensor = cast<BlockArgument>(bind.getTensors().front());
      numbers.map(bind.getExtent(),
                  sizes[tensor.getArgNumber()][bind.getAxes().front()]);
    }
    auto found = program.accesses.find(op);
    if (found == program.accesses.end())
      continue;
    const RowAccess &access = found->second;
    ArrayRef<Value> known = sizes[access.tensor.getArgNumber()];
    if (access.shape.hasRows)
      rows = known.front();
    if (access.shape.hasColumns)
      columns = known.back();
  }
}

void RowCode::emitSteps() {
  // What is read was not written before, so it may be read first.
  auto isEarly = [&](Operation *op) {
    return isHurried && isa<pl::LoadOp>(op);
  };
  for (Operation *op : program.steps)
    if (isEarly(op))
      emitStep(op);
  for (Operation *op : program.steps)
    if (!isEarly(op))
      emitStep(op);
}

void RowCode::emitStep(Operation *op) {
  if (isa<pl::BindOp>(op))
    return;
  if (auto load = dyn_cast<pl::LoadOp>(op))
    return emitLoad(load);
  if (auto store = dyn_cast<pl::StoreOp>(op))
    return emitStore(store);
  Value result = op->getResult(0);
  SmallVector<Value> made;
  if (auto full = dyn_cast<pl::FullOp>(op))
    made = {numbers.lookup(full.getValue())};
  else if (isa<pl::BroadcastOp, pl::RelaxOp, pl::ReshapeOp, pl::TransposeOp,
               pl::WithExtentsOp>(op))
    made = elements.lookup(program.resolve(op->getOperand(0)));
  else if (auto reduce = dyn_cast<pl::ReduceOp>(op))
    made = {emitSum(reduce)};
  else if (program.product && op == program.product->op)
    made = emitProduct();
  else if (!program.shapes.contains(result))
    return emitNumber(op);
  else
    return emitElements(op);
  elements[result] = std::move(made);
}

/// Whether elements are divided by the same, which is not known before.
bool RowCode::isShared(Value first, Value second) const {
  return first == second && first.getType().isF32() && !isHurried &&
         !matchPattern(first, m_Constant());
}

void RowCode::emitElements(Operation *op) {
  auto elementwise = cast<pl::ElementwiseOpInterface>(op);
  size_t count = 1;
  for (Value operand : op->getOperands())
    count = std::max(count, elements.lookup(program.resolve(operand)).size());
  auto operandsAt = [&](size_t i) {
    return llvm::map_to_vector(op->getOperands(), [&](Value operand) {
      return elementOf(operand, i);
    });
  };
  SmallVector<Value> results;
  if (isa<pl::DivOp>(op) && count > 1 &&
      isShared(operandsAt(0)[1], operandsAt(1)[1])) {
    for (size_t i = 0; i < count; ++i)
      results.push_back(operandsAt(i)[0]);
    results = emitQuotients(results, operandsAt(0)[1]);
  } else {
    for (size_t i = 0; i < count; ++i)
      results.push_back(emitElement(elementwise, operandsAt(i)));
  }
  elements[op->getResult(0)] = std::move(results);
}

RowCode::Value RowCode::emitElement(pl::ElementwiseOpInterface op,
                                    ArrayRef<Value> operands) {
  if (auto half = halves.find(operands.front());
      half != halves.end() && isa<pl::CastOp>(op.getOperation()) &&
      operands.front().getType().isBF16() &&
      signlessType(pl::getElementOrSelf(op->getResult(0).getType())).isF32())
    return widenHalf(half->second);
  Block *block = builder.getBlock();
  Block::iterator end = builder.getInsertionPoint();
  bool isFirst = end == block->begin();
  Block::iterator before = isFirst ? end : std::prev(end);
  Value made = op.buildScalar(builder, operands);
  // An exact division branches, and then those of a thread wait for each other.
  if (auto quotient = made.getDefiningOp<arith::DivFOp>();
      quotient && isHurried && isa<pl::DivOp>(op.getOperation()) &&
      quotient.getType().isF32())
    quotient.setFastmath(arith::FastMathFlags::afn);
  for (Operation &added :
       llvm::make_range(isFirst ? block->begin() : std::next(before), end))
    relax(&added);
  return made;
}

void RowCode::relax(Operation *op) {
  auto relaxed = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!isNarrow || !relaxed || !relaxed.getFastMathFlagsAttr() ||
      !op->getResult(0).getType().isF32())
    return;
  arith::FastMathFlags flags = relaxed.getFastMathFlagsAttr().getValue();
  if (isa<arith::DivFOp, math::SqrtOp>(op) ||
      (program.hasSums && isa<math::ExpOp>(op)))
    flags = flags | arith::FastMathFlags::afn;
  if (program.hasSums)
    flags = flags | arith::FastMathFlags::contract;
  op->setAttr(relaxed.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(op->getContext(), flags));
}

/// x / y for all elements of a row, which share y: x * (1 / y). Where 1 / y has
/// fewer bits or is none, both are scaled.
SmallVector<RowCode::Value> RowCode::emitQuotients(ArrayRef<Value> dividends,
                                                   Value divisor) {
  auto number = [&](float value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF32FloatAttr(value));
  };
  auto pick = [&](arith::CmpFPredicate predicate, float limit, float factor,
                  Value otherwise) -> Value {
    Value isIt = arith::CmpFOp::create(
        builder, loc, predicate, math::AbsFOp::create(builder, loc, divisor),
        number(limit));
    return arith::SelectOp::create(builder, loc, isIt, number(factor),
                                   otherwise);
  };
  Value scale = pick(arith::CmpFPredicate::OLT, 0x1p-126f, 0x1p24f, number(1));
  scale = pick(arith::CmpFPredicate::OGT, 0x1p126f, 0x1p-2f, scale);
  Value scaled = arith::MulFOp::create(builder, loc, divisor, scale);
  auto inverse = arith::DivFOp::create(builder, loc, number(1), scaled);
  relax(inverse);
  return llvm::map_to_vector(dividends, [&](Value dividend) -> Value {
    Value part = arith::MulFOp::create(builder, loc, dividend, scale);
    Value quotient = arith::MulFOp::create(builder, loc, part, inverse);
    return isNarrow ? quotient
                    : correctQuotient(part, scaled, inverse, quotient);
  });
}

/// A quotient with what is missing, which rounds it correctly, but for tiny
/// ones; infinite ones and signs of 0 are right already.
RowCode::Value RowCode::correctQuotient(Value dividend, Value divisor,
                                        Value inverse, Value quotient) {
  Value negated = arith::NegFOp::create(builder, loc, quotient);
  Value rest = math::FmaOp::create(builder, loc, negated, divisor, dividend);
  Value corrected = math::FmaOp::create(builder, loc, rest, inverse, quotient);
  Value isLess =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                            math::AbsFOp::create(builder, loc, rest),
                            math::AbsFOp::create(builder, loc, dividend));
  return arith::SelectOp::create(builder, loc, isLess, corrected, quotient);
}

RowCode::Value RowCode::elementOf(Value value, size_t i) {
  auto known = elements.find(program.resolve(value));
  if (known == elements.end())
    return numbers.lookup(value);
  return known->second[known->second.size() == 1 ? 0 : i];
}

void RowCode::emitNumber(Operation *op) {
  auto elementwise = dyn_cast<pl::ElementwiseOpInterface>(op);
  if (!elementwise) {
    builder.clone(*op, numbers);
    return;
  }
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) {
        return numbers.lookup(operand);
      });
  numbers.map(op->getResult(0), emitElement(elementwise, operands));
}

// Memory.

RowCode::Type RowCode::wordOf(Type element) {
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits == 16 ? Type(builder.getIntegerType(bits)) : element;
}

RowCode::Value RowCode::fromWord(Value word, Type element) {
  if (word.getType() == element)
    return word;
  return arith::BitcastOp::create(builder, loc, element, word);
}

RowCode::Value RowCode::rowOf(const RowAccess &access) {
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

RowCode::Value RowCode::addressOf(const RowAccess &access, Value place) {
  Value start = startOf(access);
  return LLVM::GEPOp::create(builder, loc, start.getType(),
                             elementTypeOf(access), start,
                             ArrayRef<LLVM::GEPArg>{place});
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

void RowCode::addRun(Value place, int64_t count, Value mask, Value last) {
  runs.push_back({place, count, mask, mask ? min(place, last) : place});
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

SmallVector<RowCode::Value> RowCode::readRun(const RowAccess &access,
                                             const RowRun &run) {
  Type element = elementTypeOf(access), word = wordOf(element);
  int64_t bytes = run.count * element.getIntOrFloatBitWidth() / 8;
  bool isHalf = bytes == 2 * run.count;
  Value address = addressOf(access, run.from);
  SmallVector<Value> found;
  if (run.count == 1 || (isApart(access) && !isHalf)) {
    for (int64_t i = 0; i < run.count; ++i)
      found.push_back(
          fromWord(read(access, word, after(address, element, i)), element));
  } else if (isHalf) {
    for (Value pair : isApart(access) ? readApart(access, run)
                                      : readWords(access, address, bytes))
      for (bool isHigh : {false, true})
        found.push_back(halfOf(pair, element, isHigh));
  } else {
    found = partsOf(read(access, VectorType::get({run.count}, word), address,
                         alignmentOf(element, run.count)));
  }
  return found;
}

void RowCode::emitIf(Value condition, llvm::function_ref<void()> body,
                     llvm::function_ref<void()> otherwise) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(builder, loc, condition,
                                  /*withElseRegion=*/bool(otherwise));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
  if (!otherwise)
    return;
  builder.setInsertionPointToStart(branch.elseBlock());
  otherwise();
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
      Value address = addressOf(access, run.place);
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
