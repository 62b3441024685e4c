// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function says about itself: the types behind `->`, and pl.func_attr.
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/irgen/IRGenFunction.h"
#include <set>

using namespace tegula;
using mlir::Location;
using mlir::Value;
using Kind = DeclaredParameter::Kind;

void FunctionGenerator::checkReturned(const Object &value, Location loc) {
  if (!function.getDefinition().returns || value.isPoison())
    return;
  auto declared = readResults(function, emitter.reporter);
  if (!declared)
    return;
  std::vector<Object> values;
  if (const auto *tuple = value.asTuple())
    values = *tuple;
  else if (!value.is<NoneObject>())
    values.push_back(value);
  if (values.size() != declared->size()) {
    Location place = locate(*function.getDefinition().returns);
    fail(loc,
         "'" + function.getName() + "' is declared to return " +
             llvm::Twine(declared->size()) +
             (declared->size() == 1 ? " value" : " values") + ", got " +
             llvm::Twine(values.size()),
         {{place, "declared here"}});
    return;
  }
  for (auto [result, object] : llvm::zip(*declared, values))
    checkResult(result, object, loc);
}

void FunctionGenerator::checkResult(const DeclaredParameter &declared,
                                    const Object &value, Location loc) {
  auto refuse = [&](const llvm::Twine &wanted) {
    fail(loc,
         "the result is declared as " + wanted + ", got " + describe(value),
         {{declared.loc, "declared here"}});
  };
  Value run = value.asValue();
  bool isShaped = value.asTensor() || value.asTile();
  if (declared.kind == Kind::Scalar && (isShaped || !(run || value.isNumber())))
    return refuse(declared.dtype ? describe(declared.dtype) : "a scalar");
  bool wantsShape =
      declared.kind == Kind::Tensor || declared.kind == Kind::Tile;
  if (wantsShape && !isShaped)
    return refuse("a tensor");
  if (!run)
    return;
  mlir::Type element = pl::getElementOrSelf(run.getType());
  if (declared.dtype && declared.dtype != element)
    return refuse((wantsShape ? "a tensor of " : "") +
                  dtypeName(declared.dtype));
  if (!wantsShape || !declared.dims)
    return;
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(run.getType());
  if (dims.size() != declared.dims->size())
    return refuse("a tensor of rank " + llvm::Twine(declared.dims->size()));
  for (auto [axis, dim] : llvm::enumerate(*declared.dims)) {
    std::optional<int64_t> wanted = dim.extent;
    auto known = symbolExtents.find(dim.symbol.get());
    if (dim.symbol && known != symbolExtents.end())
      wanted = known->second.asInteger();
    bool isOff =
        wanted && (dims[axis].isExact() ? !dims[axis].isExactly(*wanted)
                                        : dims[axis].isBounded() &&
                                              dims[axis].getBound() > *wanted);
    if (isOff)
      return refuse("a tensor with extent " + llvm::Twine(*wanted) +
                    " on axis " + llvm::Twine(axis));
  }
}

/// `pl.func_attr({...})` at the start of a body: advice for machines with
/// tasks, checked and then left aside. True if `expr` is one.
bool FunctionGenerator::readFunctionAttributes(const ast::Expr &expr) {
  auto isAttribute = [](const ast::Expr &candidate) {
    const auto *call = std::get_if<ast::Call>(&candidate.node);
    llvm::StringRef name = "func_attr";
    return call &&
           llvm::StringRef(ast::dottedName(*call->callee)).ends_with(name);
  };
  if (!isAttribute(expr))
    return false;
  std::set<std::string> seen;
  for (const ast::StmtPtr &stmt : function.getDefinition().body) {
    const auto *statement = std::get_if<ast::ExprStmt>(&stmt->node);
    const ast::Expr *value = statement ? statement->value.get() : nullptr;
    bool isFirst = value && (isAttribute(*value) ||
                             std::holds_alternative<ast::String>(value->node));
    if (!isFirst)
      break;
    const auto *call = std::get_if<ast::Call>(&value->node);
    const auto *dict = call && call->args.size() == 1 && call->keywords.empty()
                           ? std::get_if<ast::Dict>(&call->args.front()->node)
                           : nullptr;
    if (call && !dict) {
      fail(locate(*value), "pl.func_attr takes one dict");
      return true;
    }
    for (size_t i = 0; dict && i < dict->keys.size(); ++i) {
      const auto *key = std::get_if<ast::String>(&dict->keys[i]->node);
      if (!key)
        fail(locate(*dict->keys[i]), "an attribute is named by a string");
      else if (!seen.insert(key->value).second)
        fail(locate(*dict->keys[i]),
             "the attribute '" + key->value + "' is given twice");
    }
    if (value == &expr)
      return true;
  }
  fail(locate(expr), "pl.func_attr must stand at the start of the body");
  return true;
}
