// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/RuntimeCalls.h"

#include "tegula/backends/codegen/CallRoutine.h"
#include "tegula/ir/ops/attributes/IndexLocations.h"
#include "tegula/support/KernelAbi.h"
#include "tegula/support/Routines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula;

std::string tegula::textOfLocation(Location loc) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto position = loc->findInstanceOf<FileLineColLoc>())
    stream << position.getFilename().getValue() << ":" << position.getLine()
           << ":" << position.getColumn();
  return text;
}

int32_t RuntimeCalls::siteOf(Location loc) {
  return siteOf(textOfLocation(loc));
}

int32_t RuntimeCalls::siteOf(const Twine &words) {
  Attribute text = builder.getStringAttr(words);
  auto *known = llvm::find(sites, text);
  if (known != sites.end())
    return known - sites.begin();
  sites.push_back(text);
  return sites.size() - 1;
}

StringRef RuntimeCalls::getText(int32_t site) const {
  return cast<StringAttr>(sites[site]).getValue();
}

LLVM::CallOp RuntimeCalls::call(StringRef name, Type result,
                                ValueRange arguments, Location loc) {
  return callRoutine(getModule(), name, result, arguments, builder, loc);
}

void RuntimeCalls::reportIf(Value condition, int32_t kind, int32_t site,
                            int64_t axis, OpFoldResult index,
                            OpFoldResult extent, Location loc) {
  auto branch = scf::IfOp::create(builder, loc, condition,
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  auto small = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number, 32);
  };
  auto wide = [&](OpFoldResult number) -> Value {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      IndexMath(builder, loc).value(number));
  };
  call(routine::tegulaReportError, {},
       {getState(), small(kind), small(site), small(axis), wide(index),
        wide(extent)},
       loc);
}

void RuntimeCalls::reportIf(Value condition, int32_t kind, int64_t axis,
                            OpFoldResult index, OpFoldResult extent,
                            Location loc) {
  reportIf(condition, kind, siteOf(pl::locationOfIndex(loc, axis)), axis, index,
           extent, loc);
}

Value RuntimeCalls::checkIndex(OpFoldResult index, int64_t axis,
                               OpFoldResult extent, Location loc) {
  IndexMath math(builder, loc);
  // As unsigned numbers, negative indices are too large as well.
  Value given = math.value(index);
  Value isWithin = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ult, given, math.value(extent));
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value isOutside = arith::XOrIOp::create(builder, loc, isWithin, one);
  reportIf(isOutside, TegulaIndexOutOfRange, axis, index, extent, loc);
  return isWithin;
}

Value RuntimeCalls::checkIndices(const Indices &indices, const Indices &extents,
                                 Location loc) {
  Value isInside = arith::ConstantIntOp::create(builder, loc, 1, 1);
  for (auto [axis, index] : llvm::enumerate(indices))
    isInside = arith::AndIOp::create(
        builder, loc, isInside, checkIndex(index, axis, extents[axis], loc));
  return isInside;
}
