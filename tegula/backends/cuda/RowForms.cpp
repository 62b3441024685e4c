// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/RowForms.h"

#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/RowCode.h"
#include "tegula/ir/NumberConstant.h"
#include "tegula/ir/Reduction.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Emits one form: a block has some rows, or a part of one. It reads, computes,
/// sums up and writes, all elements in registers. There are as many blocks as
/// that takes: in a loop over rows places would be kept in registers, too.
/// Where there is no column any more threads read the last ones again, and
/// neither sum them up nor write them.
class FormEmitter : RowCode {
public:
  /// Rows have more columns than threads with `fewest` groups would have.
  FormEmitter(ModuleOp module, func::FuncOp kernel, const RowKernel &program,
              const GpuRowForm &form, int64_t fewest)
      : RowCode(module, kernel, program,
                form.groups * GpuRowForm::groupElements,
                form.isAligned ? GpuRowForm::groupElements : 1),
        form(form) {
    numSure = fewest * GpuRowForm::groupElements;
  }

  void emit() {
    emitFunction();
    readSlots();
    auto ask = [&](StringRef name) {
      return toIndex(code.call(name, builder.getI32Type(), {}));
    };
    Value thread = ask("tegulaGpuThread"), threads = ask("tegulaGpuNumThreads");
    Value block = ask("tegulaGpuBlock");
    Value warpThreads = code.number(GpuRowForm::warpThreads);
    Value width = form.isByWarp ? warpThreads : threads;
    warp = div(thread, warpThreads);
    numWarps = div(threads, warpThreads);
    laneOfWarp = rem(thread, warpThreads);
    Value step = mul(width, code.number(numElements));
    if (program.hasSums) {
      Value together = div(threads, width), group = div(thread, width);
      Value wanted = add(mul(block, together), group);
      isThere = below(wanted, rows);
      row = min(wanted, sub(rows, code.number(1)));
      firstColumn = code.number(0);
    } else {
      emitPart(block, step);
    }
    emitPlaces(toWord32(rem(thread, width)), toWord32(width),
               toWord32(min(sub(columns, firstColumn), step)));
    emitSteps();
    func::ReturnOp::create(builder, loc);
  }

private:
  void emitFunction() {
    builder.setInsertionPointToEnd(values.module.getBody());
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    SmallVector<Type> types;
    for (Type type : kernel.getArgumentTypes()) {
      auto tensor = dyn_cast<pl::TensorViewType>(type);
      types.push_back(tensor ? pointer : wordOf(signlessType(type)));
      if (tensor)
        types.append(2 * tensor.getRank(), builder.getI64Type());
    }
    function = func::FuncOp::create(builder, loc, form.symbol,
                                    builder.getFunctionType(types, {}));
    function.setPrivate();
    function->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
    function->setAttr(slotsAttrName, builder.getI64IntegerAttr(types.size()));
    function->setAttr(rowFormAttrName,
                      builder.getDenseI64ArrayAttr(
                          {form.isByWarp, form.groups, form.isAligned}));
    builder.setInsertionPointToStart(function.addEntryBlock());
  }

  /// Which part of which row the block has. Rows that are seen as one are
  /// common, and quotients take long.
  void emitPart(Value block, Value step) {
    Type index = builder.getIndexType();
    Value hasOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         rows, code.number(1));
    auto found = scf::IfOp::create(builder, loc, TypeRange{index, index},
                                   hasOne, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(found.thenBlock());
    scf::YieldOp::create(builder, loc, ValueRange{code.number(0), block});
    builder.setInsertionPointToStart(found.elseBlock());
    // No more than there are blocks.
    Value parts = toWord32(div(add(columns, sub(step, code.number(1))), step));
    Value number = toWord32(block);
    scf::YieldOp::create(
        builder, loc,
        ValueRange{toIndex(div(number, parts)), toIndex(rem(number, parts))});
    row = found.getResult(0);
    builder.setInsertionPointAfter(found);
    firstColumn = mul(found.getResult(1), step);
  }

  Value slotAt(unsigned slot, Type) override {
    return function.getArgument(slot);
  }

  /// A thread has every so many groups, or elements, from its own on. Within
  /// what the threads of a row have at once 32 bits count them.
  void emitPlaces(Value lane, Value laneStep, Value left) {
    for (int64_t i = 0; i < numElements; i += side) {
      Value turn = add(mul(constant(i / side), laneStep), lane);
      Value place = mul(turn, constant(side));
      places.append(side, place);
      masks.append(side, i < numSure ? Value() : below(place, left));
    }
    isWhole = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                    left, mul(laneStep, constant(numElements)));
    lastPlace = sub(left, constant(side));
    isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                    lane, constant(0));
  }

  SmallVector<Value> emitProduct() override {
    llvm_unreachable("rows have no products");
  }

  // Sums of rows.

  Value combine(pl::ReduceOp op, Value lhs, Value rhs) {
    Type element = op.getResult().getType().getElementType();
    return pl::buildScalarCombination(builder, loc, op.getReduction(), lhs, rhs,
                                      pl::isUnsigned(element));
  }

  /// This thread's elements, then those of a warp, then those of the block.
  Value emitSum(pl::ReduceOp op) override {
    Type element = op.getResult().getType().getElementType();
    Value neutral = arith::ConstantOp::create(
        builder, loc,
        pl::toAttribute(
            pl::getIdentity(op.getReduction(), *pl::getDType(element)),
            signlessType(element)));
    SmallVector<Value> parts;
    for (int64_t i = 0; i < numElements; ++i) {
      Value part = elementOf(op.getSource(), i);
      if (masks[i])
        part = arith::SelectOp::create(builder, loc, masks[i], part, neutral);
      parts.push_back(part);
    }
    while (parts.size() > 1) {
      SmallVector<Value> next;
      for (size_t i = 0; i < parts.size(); i += 2)
        next.push_back(combine(op, parts[i], parts[i + 1]));
      parts = std::move(next);
    }
    Value sum = sumOfWarp(op, parts.front());
    return form.isByWarp ? sum : sumOfBlock(op, sum, neutral);
  }

  /// All threads of the warp have it.
  Value sumOfWarp(pl::ReduceOp op, Value sum) {
    Type word = builder.getI32Type(), type = sum.getType();
    for (int64_t apart = GpuRowForm::warpThreads / 2; apart > 0; apart /= 2) {
      Value bits = LLVM::BitcastOp::create(builder, loc, word, sum);
      Value other = code.call("tegulaGpuExchange", word,
                              ValueRange{bits, constant(apart)});
      sum =
          combine(op, sum, LLVM::BitcastOp::create(builder, loc, type, other));
    }
    return sum;
  }

  /// Each sum of the kernel has memory of its own, so one wait is enough.
  Value sumOfBlock(pl::ReduceOp op, Value sum, Value neutral) {
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Value parts = code.call("tegulaGpuPartials", pointer, {});
    Value first = mul(code.number(numSums++), numWarps);
    auto at = [&](Value place) -> Value {
      Value wide = arith::IndexCastOp::create(
          builder, loc, builder.getI64Type(), add(first, place));
      return LLVM::GEPOp::create(builder, loc, pointer, builder.getI64Type(),
                                 parts, ArrayRef<LLVM::GEPArg>{wide});
    };
    Value isFirstLane = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, laneOfWarp, code.number(0));
    emitIf(isFirstLane,
           [&] { LLVM::StoreOp::create(builder, loc, sum, at(warp)); });
    code.call("tegulaGpuBarrier", {}, {});
    Value isPart = below(laneOfWarp, numWarps);
    Value place = min(laneOfWarp, sub(numWarps, code.number(1)));
    Value part = LLVM::LoadOp::create(builder, loc, sum.getType(), at(place));
    return sumOfWarp(
        op, arith::SelectOp::create(builder, loc, isPart, part, neutral));
  }

  const GpuRowForm &form;
  func::FuncOp function;
  Value laneOfWarp, warp, numWarps;
  int64_t numSums = 0;
};

/// How many groups of elements threads have, and whether a warp has a row.
struct FormSize {
  bool isByWarp;
  int64_t groups;
};

} // namespace

/// About how many instructions an element takes.
static int64_t weigh(const RowKernel &program) {
  constexpr int64_t function = 16;
  int64_t weight = 0;
  for (Operation *op : program.steps)
    weight += isa<pl::ExpOp, pl::LogOp, pl::TanhOp, pl::ErfOp, pl::SinOp,
                  pl::CosOp, pl::PowOp>(op)
                  ? function
                  : 1;
  return weight;
}

/// Whether an element takes few instructions, and a group of them 16 bytes.
static bool isLight(const RowKernel &program, int64_t weight) {
  constexpr int64_t mostOfLight = 12;
  return weight <= mostOfLight &&
         llvm::none_of(program.accesses, [](const auto &access) {
           Type type = access.second.tensor.getType();
           return pl::getElementOrSelf(type).getIntOrFloatBitWidth() < 32;
         });
}

/// Forms are not larger: they take too long to compile.
static constexpr int64_t mostWeight = 2500;

GpuRows tegula::describeRows(const RowKernel &program) {
  GpuRows rows;
  rows.hasSums = program.hasSums;
  rows.mayBeFlat = !program.hasSums && !program.usesExtents;
  llvm::DenseSet<Value> seen;
  for (Operation *op : program.steps) {
    auto access = program.accesses.find(op);
    if (access == program.accesses.end() ||
        !seen.insert(access->second.tensor).second)
      continue;
    RowShape shape = access->second.shape;
    rows.tensors.push_back({access->second.tensor.getArgNumber(), shape.hasRows,
                            shape.hasColumns});
    auto rank =
        cast<pl::TensorViewType>(access->second.tensor.getType()).getRank();
    rows.mayBeFlat &= rank == 2 && shape.hasRows && shape.hasColumns;
  }
  return rows;
}

GpuRows tegula::emitRowForms(ModuleOp module, func::FuncOp kernel,
                             const RowKernel &program) {
  GpuRows rows = describeRows(program);
  int64_t weight = weigh(program);
  constexpr FormSize ofSums[] = {{true, 4},  {true, 8},  {false, 2},
                                 {false, 4}, {false, 8}, {false, 16}};
  // What computes little waits for memory alone: more threads then.
  const FormSize ofElements[] = {{false, isLight(program, weight) ? 1 : 2}};
  for (bool isAligned : {true, false}) {
    // Calls take the smallest form of a kind that has all of a row.
    int64_t fewest[] = {0, 0};
    for (FormSize size : program.hasSums ? ArrayRef<FormSize>(ofSums)
                                         : ArrayRef<FormSize>(ofElements)) {
      if (weight * size.groups * GpuRowForm::groupElements > mostWeight)
        continue;
      // Fewer of those that are slower in any case.
      if (program.hasSums && !isAligned &&
          (size.groups == 2 || (size.isByWarp && size.groups == 4)))
        continue;
      std::string symbol =
          (kernel.getName() + "_rows_" + (size.isByWarp ? "warp" : "block") +
           llvm::Twine(size.groups) + (isAligned ? "_aligned" : ""))
              .str();
      rows.forms.push_back({symbol, size.isByWarp, size.groups, isAligned});
      FormEmitter(module, kernel, program, rows.forms.back(),
                  fewest[size.isByWarp])
          .emit();
      fewest[size.isByWarp] = size.groups;
    }
  }
  return rows;
}
