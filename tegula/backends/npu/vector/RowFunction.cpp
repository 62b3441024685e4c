// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/npu/vector/RowFunction.h"

#include "tegula/backends/npu/vector/RowReduction.h"
#include "tegula/ir/interpreter/EightBitFloat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tegula;
using tegula::Expected;

/// The type that an element has in memory as LLVM sees it.
static Type getMemoryType(Type element) {
  MLIRContext *context = element.getContext();
  if (element.isIndex())
    return IntegerType::get(context, 64);
  unsigned bits = element.getIntOrFloatBitWidth();
  if (element.isBF16() || bits < 8 || pl::isEightBitFloat(element))
    return IntegerType::get(context, std::max(bits, 8u));
  return element;
}

/// Elements are aligned to their size, whatever LLVM takes for granted.
static unsigned getAlignment(Type memoryType) {
  return memoryType.getIntOrFloatBitWidth() / 8;
}

static Value readElement(OpBuilder &builder, Location loc, Value address,
                         Type element) {
  Type type = getMemoryType(element);
  Value read =
      LLVM::LoadOp::create(builder, loc, type, address, getAlignment(type));
  if (type == element)
    return read;
  if (element.isIndex())
    return arith::IndexCastOp::create(builder, loc, element, read);
  if (isa<FloatType>(element))
    return arith::BitcastOp::create(builder, loc, element, read);
  return arith::TruncIOp::create(builder, loc, element, read);
}

static void writeElement(OpBuilder &builder, Location loc, Value value,
                         Value address) {
  Type element = value.getType(), type = getMemoryType(element);
  if (element.isIndex())
    value = arith::IndexCastOp::create(builder, loc, type, value);
  else if (type != element && isa<FloatType>(element))
    value = arith::BitcastOp::create(builder, loc, type, value);
  else if (type != element)
    value = arith::ExtUIOp::create(builder, loc, type, value);
  LLVM::StoreOp::create(builder, loc, value, address, getAlignment(type));
}

namespace {

/// How the loop over a row traverses one operand.
struct RowOperand {
  Type element;
  /// Whether each iteration has an element of its own.
  bool isRow;
  /// Elements from iteration to iteration, possibly ShapedType::kDynamic.
  int64_t stride = 1;
  Value pointer = nullptr;
  Value distance = nullptr;
};

/// Builds the function of one region.
class RowBuilder {
public:
  explicit RowBuilder(linalg::GenericOp region)
      : region(region), loc(UnknownLoc::get(region.getContext())),
        builder(region.getContext()) {}

  Expected<OwningOpRef<ModuleOp>> build() {
    if (Error error = classifyOperands())
      return error;
    if (Error error = findReductions())
      return error;
    findCaptures();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    Value count = declareFunction();
    buildLoop(count);
    func::ReturnOp::create(builder, loc);
    assert(succeeded(verify(*module)) && "a row function is well formed");
    return module;
  }

private:
  Error classify(OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type || !type.getElementType().isIntOrIndexOrFloat())
      return makeError("its operands are no memory of numbers");
    AffineMap map = region.getMatchingIndexingMap(&operand);
    unsigned loops = region.getNumLoops();
    RowOperand traversed{type.getElementType(), /*isRow=*/loops == 0};
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)))
      return makeError("an operand has no strides");
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      if (loops == 0 || !expr.isFunctionOfDim(loops - 1))
        continue;
      if (!isa<AffineDimExpr>(expr) || traversed.isRow)
        return makeError("an operand is traversed along two axes at once");
      traversed.isRow = true;
      traversed.stride = strides[axis];
    }
    operands.push_back(traversed);
    return Error::success();
  }

  Error classifyOperands() {
    for (OpOperand &operand : region->getOpOperands())
      if (Error error = classify(operand))
        return error;
    return Error::success();
  }

  /// Outputs that the loop does not index are combined, one number per row.
  Error findReductions() {
    Block *body = region.getBody();
    auto yield = cast<linalg::YieldOp>(body->getTerminator());
    unsigned first = region.getNumDpsInputs();
    for (auto [output, yielded] : llvm::enumerate(yield.getOperands())) {
      if (operands[first + output].isRow)
        continue;
      std::optional<RowReduction> reduction =
          RowReduction::find(body->getArgument(first + output), yielded);
      if (!reduction)
        return makeError("no vector instruction combines its rows");
      reductions.push_back({first + unsigned(output), *reduction});
    }
    return Error::success();
  }

  void findCaptures() {
    region.getBody()->walk([&](Operation *op) {
      if (auto index = dyn_cast<linalg::IndexOp>(op))
        if (index.getDim() + 1 != region.getNumLoops())
          outerLoops.insert(index.getDim());
      for (Value operand : op->getOperands())
        if (operand.getParentRegion() != &region.getRegion())
          captures.insert(operand);
    });
  }

  /// The number of elements of a row.
  Value declareFunction() {
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Type i64 = builder.getI64Type();
    SmallVector<Type> types(operands.size(), pointer);
    for (RowOperand &operand : operands)
      if (ShapedType::isDynamic(operand.stride))
        types.push_back(i64);
    for (Value capture : captures)
      if (!matchPattern(capture, m_Constant()))
        types.push_back(capture.getType());
    types.append(outerLoops.size(), builder.getIndexType());
    types.push_back(i64);
    auto function = func::FuncOp::create(builder, loc, rowFunctionName,
                                         builder.getFunctionType(types, {}));
    for (unsigned argument = 0; argument < operands.size(); ++argument)
      function.setArgAttr(argument, LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
    Block *entry = function.addEntryBlock();
    builder.setInsertionPointToEnd(entry);
    bindArguments(entry->getArguments());
    return entry->getArguments().back();
  }

  void bindArguments(ValueRange arguments) {
    auto next = arguments.begin();
    for (RowOperand &operand : operands)
      operand.pointer = *next++;
    for (RowOperand &operand : operands) {
      // As a sum the distance is no number that LLVM would make a second loop
      // for, in case it is one.
      if (ShapedType::isDynamic(operand.stride))
        operand.distance = arith::AddIOp::create(
            builder, loc, *next++,
            arith::ConstantIntOp::create(builder, loc, 1, /*width=*/64));
      else if (operand.stride != 1)
        operand.distance = arith::ConstantIntOp::create(
            builder, loc, operand.stride, /*width=*/64);
    }
    for (Value capture : captures) {
      if (matchPattern(capture, m_Constant()))
        values.map(capture,
                   builder.clone(*capture.getDefiningOp())->getResult(0));
      else
        values.map(capture, *next++);
    }
    for (int64_t loop : outerLoops)
      positions[loop] = *next++;
  }

  Value addressOf(const RowOperand &operand, Value iteration) {
    if (!operand.isRow)
      return operand.pointer;
    if (operand.distance)
      iteration =
          arith::MulIOp::create(builder, loc, iteration, operand.distance);
    return LLVM::GEPOp::create(builder, loc, operand.pointer.getType(),
                               getMemoryType(operand.element), operand.pointer,
                               ArrayRef<LLVM::GEPArg>{iteration},
                               LLVM::GEPNoWrapFlags::inbounds);
  }

  void buildLoop(Value count) {
    Block *body = region.getBody();
    // What all iterations read is read once.
    for (auto [operand, argument] : llvm::zip(operands, body->getArguments()))
      if (!operand.isRow && !argument.use_empty())
        values.map(argument,
                   readElement(builder, loc, operand.pointer, operand.element));
    SmallVector<Value> starts;
    for (auto &[operand, reduction] : reductions)
      reduction.addStarts(builder, loc,
                          values.lookup(body->getArgument(operand)), starts);
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
    Value one = arith::ConstantIntOp::create(builder, loc, 1, 64);
    auto loop = scf::ForOp::create(builder, loc, zero, count, one, starts);
    builder.setInsertionPointToStart(loop.getBody());
    buildIteration(loop);
    builder.setInsertionPointAfter(loop);
    ValueRange results = loop.getResults();
    for (auto &[operand, reduction] : reductions)
      writeElement(builder, loc, reduction.finish(builder, loc, results),
                   operands[operand].pointer);
  }

  void buildIteration(scf::ForOp loop) {
    Block *body = region.getBody();
    Value iteration = loop.getInductionVar();
    positions[int64_t(region.getNumLoops()) - 1] = arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(), iteration);
    for (auto [operand, argument] : llvm::zip(operands, body->getArguments()))
      if (operand.isRow && !argument.use_empty())
        values.map(argument,
                   readElement(builder, loc, addressOf(operand, iteration),
                               operand.element));
    for (Operation &op : body->without_terminator())
      cloneOp(op);
    SmallVector<Value> nexts;
    ValueRange carried = loop.getRegionIterArgs();
    for (auto &[operand, reduction] : reductions)
      reduction.addNexts(builder, loc, values.lookup(reduction.getCombined()),
                         carried, nexts);
    auto yield = cast<linalg::YieldOp>(body->getTerminator());
    for (auto [output, yielded] : llvm::enumerate(yield.getOperands())) {
      RowOperand &operand = operands[region.getNumDpsInputs() + output];
      if (operand.isRow)
        writeElement(builder, loc, values.lookup(yielded),
                     addressOf(operand, iteration));
    }
    if (!nexts.empty())
      scf::YieldOp::create(builder, loc, nexts);
  }

  void cloneOp(Operation &op) {
    if (auto index = dyn_cast<linalg::IndexOp>(op))
      return values.map(index.getResult(), positions[index.getDim()]);
    bool isCombination = llvm::any_of(
        reductions, [&](auto &each) { return each.second.getOp() == &op; });
    if (!isCombination)
      builder.clone(op, values);
  }

  linalg::GenericOp region;
  /// Where in the source a region stands makes no other function of it.
  Location loc;
  OpBuilder builder;
  SmallVector<RowOperand> operands;
  /// With the operands they are combined in.
  SmallVector<std::pair<unsigned, RowReduction>> reductions;
  llvm::SetVector<Value> captures;
  llvm::SetVector<int64_t> outerLoops;
  llvm::DenseMap<int64_t, Value> positions;
  IRMapping values;
};

} // namespace

Expected<OwningOpRef<ModuleOp>>
tegula::makeRowFunction(linalg::GenericOp region) {
  return RowBuilder(region).build();
}
