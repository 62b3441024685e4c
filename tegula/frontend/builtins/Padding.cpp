// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/Padding.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/ir/interpreter/ScalarConstant.h"
#include "tegula/ir/ops/semantics/Reduction.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

Value tegula::padScalar(const BuiltinCall &call, const BuiltinArgument &given,
                        mlir::Type element) {
  Emitter &emitter = call.emitter;
  Object pad = given.isGiven() ? given.object() : Object::integer(0);
  mlir::Location loc = given.loc();
  int sign = 0;
  std::string name;
  if (const auto *text = pad.as<StringObject>())
    name = "PadValue." + text->value;
  else if (const std::string *path = pad.asLanguage())
    name = *path;
  if (!name.empty()) {
    auto meant = llvm::StringSwitch<std::optional<int>>(name)
                     .Cases({"PadValue.zero", "PadValue.null"}, 0)
                     .Cases({"TilePad.zero", "TilePad.null"}, 0)
                     .Cases({"PadValue.max", "TilePad.max"}, 1)
                     .Cases({"PadValue.min", "TilePad.min"}, -1)
                     .Default(std::nullopt);
    if (!meant) {
      emitter.fail(loc, "a pad is pl.PadValue.zero, pl.PadValue.max, "
                        "pl.PadValue.min or a number, got " +
                            describe(pad));
      return {};
    }
    sign = *meant;
    pad = Object::integer(0);
  } else if (const auto *real = pad.as<FloatObject>();
             real && std::isinf(real->value)) {
    sign = real->value > 0 ? 1 : -1;
  }
  if (sign != 0)
    return pl::buildNumber(
        emitter.builder, loc,
        pl::getIdentity(sign > 0 ? pl::Reduction::Min : pl::Reduction::Max,
                        toDType(element)),
        element);
  if (pl::isBool(element) && pad.asInteger() == 0)
    pad = Object::boolean(false);
  return emitter.scalars.toScalar(loc, pad, element);
}

Value tegula::padTo(const BuiltinCall &call, Value tile, Value value,
                    llvm::ArrayRef<pl::Dim> dims,
                    llvm::ArrayRef<Value> extents) {
  Emitter &emitter = call.emitter;
  auto type = pl::TileType::get(emitter.getContext(), dims, value.getType());
  Value target =
      pl::FullOp::create(emitter.builder, call.loc, type, value, extents);
  SmallVector<Value> operands = {tile, target};
  operands.append(dims.size(), emitter.scalars.index(0));
  return emitter.create<pl::InsertOp>(call.loc, call.name, operands, {});
}
