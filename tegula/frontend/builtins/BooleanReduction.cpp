// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/BooleanReduction.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/ir/ops/semantics/Reduction.h"
#include "llvm/Support/MathExtras.h"

using namespace tegula;
using mlir::Value;

static bool holdsBooleans(Value shaped) {
  return pl::isBool(pl::getElementOrSelf(shaped.getType()));
}

/// How many elements there are at most along `axes`, if that is known.
static std::optional<uint64_t> countAlong(Value shaped,
                                          llvm::ArrayRef<unsigned> axes) {
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(shaped.getType());
  uint64_t count = 1;
  for (unsigned axis : axes) {
    if (!dims[axis].hasBound())
      return std::nullopt;
    count = llvm::SaturatingMultiply<uint64_t>(count, dims[axis].getBound());
  }
  return count;
}

Value tegula::countedBooleans(const BuiltinCall &call, pl::Reduction reduction,
                              Value shaped, llvm::ArrayRef<unsigned> axes) {
  if (!holdsBooleans(shaped))
    return shaped;
  Emitter &emitter = call.emitter;
  DType type = pl::getTypeOfBooleans(reduction, countAlong(shaped, axes));
  return emitter.elementwise
      .cast(call.loc, Object(shaped), toType(emitter.getContext(), type),
            pl::Rounding::None)
      .asValue();
}

Object tegula::reducedBooleans(const BuiltinCall &call, pl::Reduction reduction,
                               Value shaped, const Object &reduced) {
  if (reduced.isPoison() || !holdsBooleans(shaped) || !pl::isChoice(reduction))
    return reduced;
  // The largest of nothing is the lowest number, which is false.
  return call.emitter.operators.compare(call.loc, ast::CompareOp::Gt, reduced,
                                        Object::integer(0));
}
