// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls by wgmma: four warps multiply 64 rows together, in the background.
// The rhs is in shared memory, the lhs there or in registers.

#include "tegula/backends/cuda/layout/LayoutClasses.h"
#include "tegula/backends/cuda/layout/LazyTiles.h"
#include "tegula/backends/cuda/layout/MatmulRegisters.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

static constexpr int64_t lineBytes = 128, patternBytes = 1024, patternRows = 8,
                         rowsOfGroup = 64, depth = 16, elementBits = 16;

namespace {

/// The instructions of one thread.
class WgmmaEmitter {
public:
  WgmmaEmitter(TileDistributor &distributor, Type element)
      : distributor(distributor), builder(distributor.builder),
        loc(distributor.loc), element(element) {}

  /// The operand's bits, without where it begins for an instruction.
  Value describe(const SharedOperand &operand, ArrayRef<int64_t> threadBytes) {
    Type near = LLVM::LLVMPointerType::get(builder.getContext(), 3);
    Value start =
        LLVM::AddrSpaceCastOp::create(builder, loc, near, operand.start);
    start = LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), start);
    if (!threadBytes.empty())
      start = arith::AddIOp::create(builder, loc, start,
                                    distributor.xorBits(threadBytes));
    constexpr int64_t reach = 0x3ffff;
    start = arith::AndIOp::create(builder, loc, start, distributor.word(reach));
    start =
        arith::ShRUIOp::create(builder, loc, start, distributor.word(unitBits));
    start = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), start);
    int64_t fixed = operand.boxBytes >> unitBits << 16 |
                    patternBytes >> unitBits << 32 | int64_t(1) << 62;
    return arith::OrIOp::create(builder, loc, start, number(fixed));
  }
  Value step(Value bits, int64_t bytes) {
    return bytes ? arith::AddIOp::create(builder, loc, bits,
                                         number(bytes >> unitBits))
                       .getResult()
                 : bits;
  }

  /// What is in these registers may be read from now on.
  void fence(ValueRange sums, ValueRange words) {
    SmallVector<Value> all(sums);
    llvm::append_range(all, words);
    std::string constraints;
    for (Value value : all)
      constraints += isa<FloatType>(value.getType()) ? "f," : "r,";
    emitInstruction(builder, loc, "wgmma.fence.sync.aligned;",
                    constraints + "~{memory}", all);
  }
  void commit() {
    emitInstruction(builder, loc, "wgmma.commit_group.sync.aligned;",
                    "~{memory}", {});
  }
  /// So many columns and 16 summed up. `lhs` has one number or four words.
  void multiply(MutableArrayRef<Value> sums, ArrayRef<Value> lhs, Value rhs,
                StringRef more, bool begins) {
    size_t count = sums.size();
    std::string text = "{ .reg .pred p; setp.ne.b32 p, ";
    text += begins ? "0" : "1";
    text += ", 0; wgmma.mma_async.sync.aligned.m64n";
    text += std::to_string(2 * count) + "k16";
    text += element.isBF16() ? ".f32.bf16.bf16 " : ".f32.f16.f16 ";
    text += list(0, count) + ", ";
    text += lhs.size() == 1 ? name(2 * count) : list(2 * count, lhs.size());
    text += ", " + name(2 * count + lhs.size()) + ", p, 1, 1" + more.str();
    text += "; }";
    SmallVector<Value> operands(lhs);
    operands.push_back(rhs);
    run(sums, operands, text, lhs.size() == 1 ? ",l,l" : ",r,r,r,r,l");
  }
  void await(MutableArrayRef<Value> sums) {
    run(sums, {}, "wgmma.wait_group.sync.aligned 0;", "");
  }

private:
  static constexpr int64_t unitBits = 4;

  Value number(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  }
  static std::string name(size_t number) {
    return "$" + std::to_string(number);
  }
  static std::string list(size_t first, size_t count) {
    std::string all = "{";
    for (size_t i = 0; i < count; ++i)
      all += (i ? ", " : "") + name(first + i);
    return all + "}";
  }

  /// An instruction that changes the accumulators.
  void run(MutableArrayRef<Value> sums, ValueRange others, StringRef text,
           StringRef constraints) {
    std::string all;
    for (size_t i = 0; i < sums.size(); ++i)
      all += i ? ",=f" : "=f";
    for (size_t i = 0; i < sums.size(); ++i)
      all += "," + std::to_string(i);
    all += constraints.str() + ",~{memory}";
    SmallVector<Type> types(sums.size(), builder.getF32Type());
    SmallVector<Value> operands(sums);
    llvm::append_range(operands, others);
    Value made =
        LLVM::InlineAsmOp::create(
            builder, loc,
            LLVM::LLVMStructType::getLiteral(builder.getContext(), types),
            operands, text, all, /*has_side_effects=*/true,
            /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
            LLVM::AsmDialectAttr(), ArrayAttr())
            .getResult(0);
    for (auto [i, sum] : llvm::enumerate(sums))
      sum = LLVM::ExtractValueOp::create(builder, loc, made,
                                         ArrayRef<int64_t>{int64_t(i)});
  }

  TileDistributor &distributor;
  OpBuilder &builder;
  Location loc;
  Type element;
};

} // namespace

/// How far something is from where the operand begins; along the axis that is
/// not summed up in whole boxes or rows.
static int64_t getDistance(const SharedOperand &operand, int64_t outer,
                           int64_t inner) {
  constexpr int64_t elementBytes = elementBits / 8,
                    boxElements = lineBytes / elementBytes;
  int64_t along = operand.isInnerContiguous ? inner : outer,
          across = operand.isInnerContiguous ? outer : inner;
  return along / boxElements * operand.boxBytes +
         along % boxElements * elementBytes + across * lineBytes;
}

/// The accumulator's registers of 64 rows, in the order of the instruction.
static SmallVector<int64_t> listSums(const ElementMap &map, int64_t row) {
  SmallVector<int64_t> found;
  for (int64_t column = 0; column < map.shape[1]; column += 8)
    for (int64_t below : {0, 8})
      for (int64_t step : {0, 1})
        found.push_back(MatmulRegisters::find(map, row + below, column + step));
  return found;
}

/// The lhs of one instruction: words or bits that describe it.
using TakeLhs =
    llvm::function_ref<SmallVector<Value>(int64_t row, int64_t inner)>;

/// Registers of an accumulator that are there, in order.
static SmallVector<Value> listUsed(const RegisterTile &acc) {
  SmallVector<Value> used;
  llvm::copy_if(acc.registers, std::back_inserter(used),
                [](Value value) { return bool(value); });
  return used;
}

static void emitAll(WgmmaEmitter &emitter, RegisterTile &acc, int64_t inner,
                    const SharedOperand &rhs, StringRef more, TakeLhs takeLhs,
                    bool begins) {
  Value right = emitter.describe(rhs, {});
  for (int64_t row : MatmulRegisters::listOffsets(acc.map, 0, rowsOfGroup)) {
    SmallVector<int64_t> numbers = listSums(acc.map, row);
    SmallVector<Value> sums;
    for (int64_t number : numbers)
      sums.push_back(acc.registers[number]);
    for (int64_t from = 0; from < inner; from += depth)
      emitter.multiply(sums, takeLhs(row, from),
                       emitter.step(right, getDistance(rhs, 0, from)), more,
                       begins && from == 0);
    for (auto [number, sum] : llvm::zip(numbers, sums))
      acc.registers[number] = sum;
  }
  emitter.commit();
}

static StringRef sayAcross(const SharedOperand &operand) {
  return operand.isInnerContiguous ? ", 0" : ", 1";
}

RegisterTile tegula::multiplyByWarpgroups(
    TileDistributor &distributor, const RegisterTile &lhs,
    std::optional<SharedOperand> sharedLhs, const SharedOperand &rhs,
    RegisterTile acc, int64_t inner, Type element) {
  WgmmaEmitter emitter(distributor, element);
  bool begins = llvm::all_of(acc.registers, [](Value sum) {
    return !sum || matchPattern(sum, m_AnyZeroFloat());
  });
  SmallVector<Value> sums = begins ? SmallVector<Value>() : listUsed(acc);
  if (sharedLhs) {
    emitter.fence(sums, {});
    // Where the rows of a warpgroup begin.
    SmallVector<int64_t> threadBytes(acc.map.lanes.size(), 0);
    for (const Coordinate &step : acc.map.warps)
      threadBytes.push_back(
          step[0] < rowsOfGroup ? 0 : getDistance(*sharedLhs, step[0], 0));
    Value left = emitter.describe(*sharedLhs, threadBytes);
    std::string more = (sayAcross(*sharedLhs) + sayAcross(rhs)).str();
    emitAll(
        emitter, acc, inner, rhs, more,
        [&](int64_t row, int64_t from) {
          return SmallVector<Value>{
              emitter.step(left, getDistance(*sharedLhs, row, from))};
        },
        begins);
    return acc;
  }
  MatmulRegisters registers(distributor, lhs, element);
  SmallVector<Value> words;
  SmallVector<int64_t> rows =
      MatmulRegisters::listOffsets(acc.map, 0, rowsOfGroup);
  for (int64_t row : rows)
    for (int64_t from = 0; from < inner; from += depth)
      llvm::append_range(words, registers.takeLhs(row, from));
  emitter.fence(sums, words);
  ArrayRef<Value> rest(words);
  emitAll(
      emitter, acc, inner, rhs, sayAcross(rhs),
      [&](int64_t, int64_t) {
        SmallVector<Value> own(rest.take_front(4));
        rest = rest.drop_front(4);
        return own;
      },
      begins);
  return acc;
}

void tegula::awaitAccumulator(TileDistributor &distributor, RegisterTile &acc) {
  SmallVector<Value> used = listUsed(acc);
  WgmmaEmitter(distributor, Type()).await(used);
  size_t next = 0;
  for (Value &sum : acc.registers)
    if (sum)
      sum = used[next++];
}

void TileDistributor::showToWarpgroups() {
  emitInstruction(builder, loc, "fence.proxy.async.shared::cta;", "~{memory}",
                  {});
}

/// How a tile lies in shared memory whose elements an operand has in another
/// order; nothing if wgmma cannot read it.
static std::optional<SharedOperand> findOperand(Value operand, Value root,
                                                const SharedTile &shared,
                                                bool isLhs, Value start,
                                                bool isSwapped = false) {
  ElementMap probe;
  probe.shape = boundsOf(cast<pl::TileType>(operand.getType()));
  for (unsigned axis : {0, 1})
    for (int64_t step = 1; step < probe.shape[axis]; step *= 2) {
      probe.registers.push_back(Coordinate(2, 0));
      probe.registers.back()[axis] = step;
    }
  ElementMap found = isSwapped ? swapAxes(probe) : probe;
  for (Value tile = operand; tile != root;
       tile = tile.getDefiningOp()->getOperand(0))
    found = *mapOfSource(tile.getDefiningOp(), found);
  for (bool isInnerContiguous : {true, false}) {
    SharedOperand wanted{start, isInnerContiguous, shared.getBoxBytes()};
    auto isThere = [&](size_t bit) {
      const Coordinate &step = probe.registers[bit];
      int64_t outer = step[isLhs ? 0 : 1], inner = step[isLhs ? 1 : 0];
      int64_t across = isInnerContiguous ? outer : inner;
      int64_t offset = getDistance(wanted, outer, inner) ^
                       across % patternRows * (lineBytes / patternRows);
      return shared.getOffset(found.registers[bit]) == offset;
    };
    if (llvm::all_of(llvm::seq(probe.registers.size()), isThere))
      return wanted;
  }
  return std::nullopt;
}

/// The tile that an operand is made of by moving elements, in the same memory.
static Value findRoot(Value tile) {
  while (tile.getDefiningOp() && isLazy(tile) &&
         movesElements(tile.getDefiningOp()))
    tile = tile.getDefiningOp()->getOperand(0);
  return tile;
}

void TileDistributor::emitSharedOperand(cuda::ConvertLayoutOp op) {
  bool isLhs =
      cast<cuda::SharedOperandLayoutAttr>(op.getLayout()).getOperand() ==
      cuda::MatmulOperand::Lhs;
  auto matmul = cast<pl::MatmulOp>(*op->user_begin());
  Value source = op.getSource(), root = findRoot(source);
  auto type = cast<pl::TileType>(source.getType());
  ElementMap map = makeElementMap(
      chooseBlocked(op.getContext(), boundsOf(type), elementBits, warps),
      boundsOf(type));
  RegisterTile tile;
  if (auto found = staged.find(root.getDefiningOp()); found != staged.end()) {
    const StagedTile &there = found->second;
    std::optional<SharedOperand> operand =
        findOperand(source, root, there.shared, isLhs, there.start);
    if (operand && (areInnerEqual(matmul) || clearInner(op, root, there))) {
      operands[op.getResult()] = *operand;
      return;
    }
    ElementMap wanted = map;
    for (Value moved = source; moved != root;
         moved = moved.getDefiningOp()->getOperand(0))
      wanted = *mapOfSource(moved.getDefiningOp(), wanted);
    tile = {map, readShared(*this, there.shared, type.getElementType(),
                            there.start, wanted)
                     .registers};
  } else if (auto found = tiles.find(source); found != tiles.end()) {
    tile = found->second;
  } else {
    tile = get(source, map);
  }
  if (!areInnerEqual(matmul) ||
      !isZeroBeyond(op.getResult(), tile.map, isLhs ? 1 : 0))
    tile = maskInner(matmul, isLhs ? 0 : 1, std::move(tile));
  // Neighbours of a thread are next to each other there.
  bool isSwapped = tile.map.isAlongColumns();
  if (isSwapped)
    tile.map = swapAxes(tile.map);
  SharedTile shared(tile.map.shape, elementBits / 8, SharedTile::Kind::Boxes);
  // What a loop reads in all iterations stays where it is.
  bool isForLoop = op->getBlock() != matmul->getBlock();
  if (isForLoop)
    restartShared();
  Value start = takeShared(shared.getBytes(), shared.getAlignment());
  if (isForLoop)
    keepShared();
  awaitWarpgroups();
  wait();
  writeShared(*this, shared, start, tile);
  showToWarpgroups();
  wait();
  operands[op.getResult()] =
      *findOperand(source, source, shared, isLhs, start, isSwapped);
}
