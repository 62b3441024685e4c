// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/LocalAnnotations.h"
#include "tegula/frontend/irgen/Expressions.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;
using pl::Dim;

/// The entries of a shape that is written out; none if it is not.
static llvm::ArrayRef<ast::ExprPtr> entriesOf(const ast::Expr &shape) {
  if (const auto *list = std::get_if<ast::List>(&shape.node))
    return list->elements;
  if (const auto *tuple = std::get_if<ast::Tuple>(&shape.node))
    return tuple->elements;
  return {};
}

/// Compares the extents that are numbers. A row may be written with one extent.
void LocalAnnotations::checkShape(StringRef name, const ast::Expr &shape,
                                  Value value) {
  llvm::ArrayRef<ast::ExprPtr> entries = entriesOf(shape);
  llvm::ArrayRef<Dim> dims = pl::getDims(value.getType());
  while (dims.size() > entries.size() && dims.front().isUnit())
    dims = dims.drop_front();
  if (entries.empty())
    return;
  if (dims.size() != entries.size()) {
    fail(locate(shape), "'" + name + "' is declared with " +
                            llvm::Twine(entries.size()) + " axes and is " +
                            describe(value.getType()));
    return;
  }
  for (auto [entry, dim] : llvm::zip(entries, dims)) {
    Object extent = expressions.evaluate(*entry);
    std::optional<int64_t> number = extent.asInteger();
    bool isOther =
        extent.is<IntObject>() && dim.isExact() && *number != dim.getBound();
    bool isMore =
        extent.is<IntObject>() && dim.isBounded() && dim.getBound() > *number;
    if (isOther || isMore)
      fail(locate(*entry), "'" + name + "' is declared with an extent of " +
                               llvm::Twine(*number) + " here and is " +
                               describe(value.getType()));
  }
}

/// The dtype behind a shape, or of a scalar.
void LocalAnnotations::checkDtype(StringRef name, const ast::Expr &dtype,
                                  Value value) {
  Object declared = expressions.evaluate(dtype);
  const auto *type = declared.as<DtypeObject>();
  mlir::Type element = pl::getElementOrSelf(value.getType());
  // A number that is counted with is an INDEX whatever it is called.
  bool isIndex = element.isIndex() && type && !pl::isFloat(type->type);
  if (type && type->type != element && !isIndex)
    fail(locate(dtype), "'" + name + "' is declared as " +
                            getName(*pl::getDType(type->type)) + " and is " +
                            describe(value.getType()));
}

void LocalAnnotations::check(const ast::AnnAssign &node, const Object &object) {
  const auto *target = std::get_if<ast::Name>(&node.target->node);
  const auto *annotation = std::get_if<ast::Subscript>(&node.annotation->node);
  Value value = object.asValue();
  if (!target || !annotation || !value)
    return;
  std::string kind = state.languagePath(*annotation->value);
  Form form = formOf(kind);
  bool isShaped = form == Form::Tile || form == Form::Tensor;
  llvm::SmallVector<const ast::Expr *> parts;
  for (const ast::SubscriptItem &item : annotation->items)
    if (const auto *part = std::get_if<ast::ExprPtr>(&item))
      parts.push_back(part->get());
  if (form == Form::Scalar && parts.size() == 1 && object.asScalar())
    checkDtype(target->id, *parts[0], value);
  if (!isShaped || parts.size() < 2)
    return;
  if (object.asScalar()) {
    fail(locate(*node.annotation), "'" + target->id + "' is declared as pl." +
                                       kind + " and is " + describe(object));
    return;
  }
  checkShape(target->id, *parts[0], value);
  checkDtype(target->id, *parts[1], value);
}
