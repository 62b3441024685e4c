// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the author says of a region as a task, kept for targets that use it.
// Tasks go by the names they are given: `with pl.at(deps=[first]) as second`.
#include "tegula/frontend/irgen/IRGenFunction.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Attribute;

/// A name as it is written, without what is subscripted or called.
static std::string nameOf(const ast::Expr &expr) {
  if (const auto *part = std::get_if<ast::Subscript>(&expr.node))
    return nameOf(*part->value);
  if (const auto *call = std::get_if<ast::Call>(&expr.node))
    return nameOf(*call->callee);
  return ast::dottedName(expr);
}

/// What an option is worth: a number, a text, names.
static Attribute attributeOf(mlir::Builder &builder, const Object &object,
                             const ast::Expr &expr) {
  if (const auto *flag = object.as<BoolObject>())
    return builder.getBoolAttr(flag->value);
  if (object.is<IntObject>())
    return builder.getI64IntegerAttr(*object.asInteger());
  if (const auto *text = object.as<StringObject>())
    return builder.getStringAttr(text->value);
  if (const std::string *path = object.asLanguage())
    return builder.getStringAttr(StringRef(*path).rsplit('.').second);
  const std::vector<ast::ExprPtr> *entries = nullptr;
  if (const auto *list = std::get_if<ast::List>(&expr.node))
    entries = &list->elements;
  if (const auto *tuple = std::get_if<ast::Tuple>(&expr.node))
    entries = &tuple->elements;
  if (!entries)
    return builder.getStringAttr(nameOf(expr));
  llvm::SmallVector<Attribute> names;
  for (const ast::ExprPtr &entry : *entries)
    names.push_back(builder.getStringAttr(nameOf(*entry)));
  return builder.getArrayAttr(names);
}

mlir::DictionaryAttr
FunctionGenerator::describeTask(const ast::Call &call,
                                const CallArguments &arguments,
                                const ast::Expr *target) {
  mlir::Builder &builder = emitter.builder;
  mlir::NamedAttrList task;
  if (target)
    task.set("name", builder.getStringAttr(nameOf(*target)));
  for (const auto &[written, bound] :
       llvm::zip(call.keywords, arguments.keywords)) {
    StringRef name = bound.first;
    // These are what the region is, and whether it runs.
    if (name != "level" && name != "core_num" && name != "predicate")
      task.set(name, attributeOf(builder, bound.second.object, *written.value));
  }
  return task.empty() ? mlir::DictionaryAttr()
                      : task.getDictionary(emitter.getContext());
}
