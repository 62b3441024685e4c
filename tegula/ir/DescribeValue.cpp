// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/DescribeValue.h"

#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

template <typename T> static std::string print(T what) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  what.print(stream);
  return text;
}

std::string tegula::pl::textOf(Type type) { return print(type); }

std::string tegula::pl::textOf(Attribute attribute) {
  if (auto text = dyn_cast<StringAttr>(attribute))
    return text.str();
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return llvm::toString(number.getValue(), 10,
                          !number.getType().isUnsignedInteger() &&
                              !number.getType().isInteger(1));
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    SmallString<16> text;
    number.getValue().toString(text);
    return text.str().str();
  }
  // #pl<reduction max> and #pl.dir<out> are max and out to a reader.
  std::string text = print(attribute);
  StringRef inner = text;
  if (inner.consume_front("#pl") && inner.consume_back(">"))
    return inner.split('<').second.split(' ').second.empty()
               ? inner.split('<').second.str()
               : inner.split('<').second.split(' ').second.str();
  return text;
}

static std::string describeArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned position = argument.getArgNumber();
  if (auto function = dyn_cast<func::FuncOp>(parent)) {
    auto name = function.getArgAttrOfType<StringAttr>(position,
                                                      tegula::pl::nameAttrName);
    return name ? "parameter '" + name.str() + "'"
                : "parameter " + llvm::utostr(position);
  }
  auto loop = dyn_cast<LoopLikeOpInterface>(parent);
  bool isVariable =
      loop &&
      llvm::is_contained(
          loop.getLoopInductionVars().value_or(SmallVector<Value>()), argument);
  return isVariable ? "the variable of a loop" : "a value carried by a loop";
}

std::string tegula::pl::describeValue(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return describeArgument(argument);
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return "the constant " + textOf(constant);
  if (auto bind = value.getDefiningOp<BindOp>())
    return "the symbol " + bind.getSymbol().str();
  Operation *op = value.getDefiningOp();
  if (isa<LoopLikeOpInterface>(op))
    return "a value carried by a loop";
  if (isa<scf::IfOp>(op))
    return "what an 'if' gives";
  return op->getName().getStringRef().str();
}

Location tegula::pl::locationOf(Value value, Operation *user) {
  Location own = value.getLoc();
  if (!user || own->findInstanceOf<FileLineColLoc>())
    return own;
  return user->getLoc();
}
