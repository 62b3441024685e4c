// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/statements/Prints.h"
#include "tegula/frontend/irgen/signature/SymbolExtents.h"
#include "tegula/frontend/irgen/statements/MessageTexts.h"
#include "tegula/ir/ops/PlRequireOps.h"

using namespace tegula;
using mlir::Location;
using mlir::Value;

/// A scalar or tensor itself, a tile in memory made for it.
Value Prints::toPrinted(const Object &object, Location loc) {
  if (const auto *symbol = object.as<SymbolObject>())
    return emitter.scalars.toIndex(loc, symbolExtents.valueOf(*symbol, loc),
                                   "an extent");
  if (Value scalar = object.asScalar())
    return scalar;
  if (Value tensor = object.asTensor()) {
    emitter.uses.read(tensor, loc);
    return tensor;
  }
  Value tile = object.asTile();
  auto type =
      pl::TensorViewType::get(emitter.getContext(), pl::getDims(tile.getType()),
                              pl::getElementOrSelf(tile.getType()));
  Value memory = pl::CreateTensorOp::create(emitter.builder, loc, type,
                                            emitter.extents.allOf(loc, tile));
  pl::StoreOp::create(emitter.builder, loc, tile, memory);
  return memory;
}

/// print("x", x, i): the texts and values with a space between them
Object Prints::call(const ast::Expr &expr, const ast::Call &node) {
  Location loc = locate(expr);
  if (!node.keywords.empty())
    return fail(loc, "pl.print takes no keyword arguments");
  std::string format;
  llvm::SmallVector<Object> objects;
  bool isRight = true;
  for (const ast::ExprPtr &argument : node.args) {
    std::optional<std::string> text = messageTexts.formatOf(*argument, objects);
    isRight &= text.has_value();
    if (&argument != &node.args.front())
      format += " ";
    format += text.value_or("");
  }
  state.lastCallHadEffect = true;
  llvm::SmallVector<Value> values;
  for (const Object &object : objects) {
    values.push_back(toPrinted(object, loc));
    isRight &= values.back() != nullptr;
  }
  if (!isRight)
    return Object::poison();
  pl::PrintOp::create(emitter.builder, loc, format, values,
                      emitter.builder.getStrArrayAttr({}), mlir::ValueRange(),
                      /*labelled=*/false);
  return Object::none();
}
