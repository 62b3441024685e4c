// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/RowCode.h"

#include "tegula/backends/cpu/TileLowering.h"

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

void RowCode::emitElements(Operation *op) {
  auto elementwise = cast<pl::ElementwiseOpInterface>(op);
  size_t count = 1;
  for (Value operand : op->getOperands())
    count = std::max(count, elements.lookup(program.resolve(operand)).size());
  SmallVector<Value> results;
  for (size_t i = 0; i < count; ++i) {
    SmallVector<Value> operands =
        llvm::map_to_vector(op->getOperands(), [&](Value operand) {
          return elementOf(operand, i);
        });
    results.push_back(emitElement(elementwise, operands));
  }
  elements[op->getResult(0)] = std::move(results);
}

/// An exact division branches, and then those of a thread wait for each other.
RowCode::Value RowCode::emitElement(pl::ElementwiseOpInterface op,
                                    ArrayRef<Value> operands) {
  if (!isHurried || !isa<pl::DivOp>(op.getOperation()) ||
      !operands.front().getType().isF32())
    return op.buildScalar(builder, operands);
  if (Value quick = emitByOnePlusExp(operands[0], operands[1]))
    return quick;
  return arith::DivFOp::create(builder, loc, operands[0], operands[1],
                               arith::FastMathFlags::afn);
}

/// The power of a sum 1 + exp(power), or null.
static Value powerOfOnePlusExp(Value sum) {
  auto add = sum.getDefiningOp<arith::AddFOp>();
  if (!add)
    return {};
  for (auto [one, other] : {std::pair(add.getLhs(), add.getRhs()),
                            std::pair(add.getRhs(), add.getLhs())})
    if (auto exp = other.getDefiningOp<math::ExpOp>();
        exp && matchPattern(one, m_OneFloat()))
      return exp.getOperand();
  return {};
}

/// Whether all that the kernel writes has 16 bits or fewer.
bool RowCode::isNarrow() const {
  return llvm::all_of(program.accesses, [](const auto &access) {
    Type element = pl::getElementOrSelf(access.second.tensor.getType());
    return !isa<pl::StoreOp>(access.first) ||
           (isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 16);
  });
}

/// x / (1 + exp(y)), as in SiLU, to some 18 bits, if that can be; else null.
RowCode::Value RowCode::emitByOnePlusExp(Value dividend, Value divisor) {
  Value power = powerOfOnePlusExp(divisor);
  if (!power || !isNarrow())
    return {};
  auto call = [&](StringRef name, Value operand) {
    return LLVM::CallIntrinsicOp::create(builder, loc, operand.getType(),
                                         builder.getStringAttr(name),
                                         ValueRange{operand})
        .getResult(0);
  };
  auto number = [&](float value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF32FloatAttr(value));
  };
  constexpr float perBit = 0x1.715476p0F;
  Value raised =
      call("llvm.nvvm.ex2.approx.ftz.f32",
           arith::MulFOp::create(builder, loc, power, number(perBit)));
  Value inverse = call("llvm.nvvm.rcp.approx.ftz.f",
                       arith::AddFOp::create(builder, loc, raised, number(1)));
  return arith::MulFOp::create(builder, loc, dividend, inverse);
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
  numbers.map(op->getResult(0), elementwise.buildScalar(builder, operands));
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

/// Where the tensor begins for this row and these columns.
RowCode::Value RowCode::startOf(const RowAccess &access) {
  if (Value known = starts.lookup(access.tensor))
    return known;
  const Memory &memory = memories[access.tensor];
  Value place = access.shape.hasColumns ? firstColumn : code.number(0);
  if (access.shape.hasRows)
    place = add(mul(row, memory.rowStride), place);
  Value wide =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), place);
  Value start = LLVM::GEPOp::create(builder, loc, memory.data.getType(),
                                    elementTypeOf(access), memory.data,
                                    ArrayRef<LLVM::GEPArg>{wide});
  starts[access.tensor] = start;
  return start;
}

RowCode::Value RowCode::addressOf(const RowAccess &access, Value place) {
  Value start = startOf(access);
  return LLVM::GEPOp::create(builder, loc, start.getType(),
                             elementTypeOf(access), start,
                             ArrayRef<LLVM::GEPArg>{place});
}

/// Elements side by side as they are read at once, and how they are aligned.
std::pair<RowCode::Type, unsigned> RowCode::groupOf(Type element) {
  auto bytes =
      static_cast<unsigned>(side * (element.getIntOrFloatBitWidth() / 8));
  constexpr unsigned word = 4, most = 16;
  Type words = builder.getI32Type();
  if (bytes > word)
    words = VectorType::get({static_cast<int64_t>(bytes / word)}, words);
  return {words, std::min(bytes, most)};
}

RowCode::Type RowCode::vectorOf(Type element) {
  return VectorType::get({side}, wordOf(element));
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

/// An element of 16 bits of some words. Shifts of words become one with what
/// makes 32 bits of it.
RowCode::Value RowCode::halfOf(Value words, int64_t number) {
  Value word = words;
  if (isa<VectorType>(words.getType()))
    word = LLVM::ExtractElementOp::create(builder, loc, words,
                                          constant(number / 2));
  if (number % 2 == 1)
    word = arith::ShRUIOp::create(builder, loc, word, constant(16));
  return arith::TruncIOp::create(builder, loc, builder.getI16Type(), word);
}

/// Two numbers of 32 bits that are rounded to 16 and stored side by side, in
/// one word; null if that is not what the elements are.
RowCode::Value RowCode::roundPair(Value first, Value second) {
  auto low = first.getDefiningOp<arith::TruncFOp>(),
       high = second.getDefiningOp<arith::TruncFOp>();
  if (!isHurried || !low || !high || !low.getIn().getType().isF32() ||
      !high.getIn().getType().isF32())
    return {};
  return LLVM::InlineAsmOp::create(
             builder, loc, builder.getI32Type(),
             ValueRange{high.getIn(), low.getIn()},
             first.getType().isBF16() ? "cvt.rn.bf16x2.f32 $0, $1, $2;"
                                      : "cvt.rn.f16x2.f32 $0, $1, $2;",
             "=r,f,f", /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

/// The words that some elements are in memory, from one on.
RowCode::Value RowCode::joinGroup(Value tile, int64_t first, Type element) {
  Type group = groupOf(element).first;
  if (element.getIntOrFloatBitWidth() == 16 && isa<FloatType>(element)) {
    SmallVector<Value> words;
    for (int64_t j = 0; j < side; j += 2)
      words.push_back(roundPair(elementOf(tile, first + j),
                                elementOf(tile, first + j + 1)));
    if (llvm::all_of(words, [](Value word) { return bool(word); })) {
      if (words.size() == 1)
        return words.front();
      Value joined = LLVM::PoisonOp::create(builder, loc, group);
      for (auto [j, word] : llvm::enumerate(words))
        joined = LLVM::InsertElementOp::create(builder, loc, joined, word,
                                               constant(j));
      return joined;
    }
  }
  Value vector = LLVM::PoisonOp::create(builder, loc, vectorOf(element));
  for (int64_t j = 0; j < side; ++j)
    vector = LLVM::InsertElementOp::create(
        builder, loc, vector, toWord(elementOf(tile, first + j)), constant(j));
  return LLVM::BitcastOp::create(builder, loc, group, vector);
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
  Type element = elementTypeOf(access);
  SmallVector<Value> found;
  auto take = [&](Value word) { found.push_back(fromWord(word, element)); };
  // Beyond the edge what is at the edge.
  auto addressAt = [&](int64_t i) {
    bool mayBeBeyond = lastPlace && i >= numSure;
    return addressOf(access,
                     mayBeBeyond ? min(places[i], lastPlace) : places[i]);
  };
  if (!access.shape.hasColumns) {
    take(read(access, wordOf(element), startOf(access)));
  } else if (side == 1) {
    for (int64_t i = 0; i < numElements; ++i)
      take(read(access, wordOf(element), addressAt(i)));
  } else {
    auto [group, alignment] = groupOf(element);
    for (int64_t i = 0; i < numElements; i += side) {
      Value words = read(access, group, addressAt(i), alignment);
      if (element.getIntOrFloatBitWidth() == 16) {
        for (int64_t j = 0; j < side; ++j)
          take(halfOf(words, j));
        continue;
      }
      Value vector =
          LLVM::BitcastOp::create(builder, loc, vectorOf(element), words);
      for (int64_t j = 0; j < side; ++j)
        take(LLVM::ExtractElementOp::create(builder, loc, vector, constant(j)));
    }
  }
  elements[load.getResult()] = std::move(found);
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
  SmallVector<Value> groups;
  unsigned alignment = 0;
  if (side > 1)
    alignment = groupOf(element).second;
  for (int64_t i = 0; i < numElements; i += side)
    groups.push_back(side == 1 ? toWord(elementOf(tile, i))
                               : joinGroup(tile, i, element));
  auto storeAt = [&](int64_t i) {
    LLVM::StoreOp::create(builder, loc, groups[i / side],
                          addressOf(access, places[i]), alignment);
  };
  auto storeThoseThere = [&] {
    for (int64_t i = 0; i < numElements; i += side)
      emitIf(where(masks[i]), [&] { storeAt(i); });
  };
  if (!isWhole)
    return storeThoseThere();
  emitIf(
      where(isWhole),
      [&] {
        for (int64_t i = 0; i < numElements; i += side)
          storeAt(i);
      },
      storeThoseThere);
}
