// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/ConstantEvaluator.h"
#include "tegula/frontend/ConstantFolding.h"
#include "tegula/frontend/Dtypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;

static Object fail(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

std::optional<Object> tegula::languageAttribute(mlir::MLIRContext *context,
                                                const Object &object,
                                                StringRef name) {
  const std::string *path = object.asLanguage();
  if (!path)
    return std::nullopt;
  if (!path->empty())
    return Object(LanguageObject{*path + "." + name.str()});
  std::optional<DType> dtype = parseDType(name);
  if (dtype && getName(*dtype) == name)
    return Object(DtypeObject{toType(context, *dtype)});
  if (StringRef why = whyDtypeIsRefused(name); !why.empty())
    return fail(why);
  return Object(LanguageObject{name.str()});
}

std::optional<Object> tegula::pythonBuiltin(mlir::MLIRContext *context,
                                            StringRef name) {
  bool isKnown = llvm::StringSwitch<bool>(name)
                     .Cases({"min", "max", "abs", "range", "len"}, true)
                     .Cases({"int", "float", "bool", "print"}, true)
                     .Default(false);
  if (!isKnown)
    return std::nullopt;
  return Object(PythonObject{name.str()});
}

Object tegula::makeSymbol(const Object &name, mlir::Location loc) {
  const auto *text = name.as<StringObject>();
  if (!text)
    return fail("pl.dynamic takes the name of the symbol as a string, got " +
                describe(name));
  StringRef identifier = text->value;
  bool isIdentifier =
      !identifier.empty() && !llvm::isDigit(identifier.front()) &&
      llvm::all_of(identifier,
                   [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isIdentifier)
    return fail("the name of a symbol must be an identifier, got '" +
                identifier + "'");
  return Object(
      SymbolObject{std::make_shared<Symbol>(Symbol{text->value, loc})});
}

namespace {

/// One visit per kind of expression.
class Evaluator {
public:
  Evaluator(const SourceText &source, NameLookup lookup)
      : source(source), lookup(lookup) {}

  Object evaluate(const ast::Expr &expr) {
    return std::visit([&](const auto &node) { return visit(node, expr); },
                      expr.node);
  }

private:
  mlir::MLIRContext *context(const ast::Expr &expr) {
    return source.locate(expr.loc).getContext();
  }

  Object visit(const ast::Integer &node, const ast::Expr &) {
    if (node.overflows || node.value > static_cast<uint64_t>(INT64_MAX))
      return fail("the integer " + node.spelling + " does not fit 64 bits");
    return Object::integer(node.value);
  }
  Object visit(const ast::Float &node, const ast::Expr &) {
    return Object::real(node.value);
  }
  Object visit(const ast::String &node, const ast::Expr &) {
    return Object(StringObject{node.value});
  }
  Object visit(const ast::Bool &node, const ast::Expr &) {
    return Object::boolean(node.value);
  }
  Object visit(const ast::None &, const ast::Expr &) { return Object::none(); }
  Object visit(const ast::Ellipsis &, const ast::Expr &) {
    return Object(EllipsisObject{});
  }
  Object visit(const ast::Name &node, const ast::Expr &expr) {
    if (std::optional<Object> object = lookup(node.id))
      return *object;
    if (std::optional<Object> object = pythonBuiltin(context(expr), node.id))
      return *object;
    return fail("name '" + node.id + "' is not defined");
  }
  Object visit(const ast::Attribute &node, const ast::Expr &expr);
  Object visit(const ast::Unary &node, const ast::Expr &);
  Object visit(const ast::Binary &node, const ast::Expr &);
  Object visit(const ast::Compare &node, const ast::Expr &);
  Object visit(const ast::BoolOp &node, const ast::Expr &);
  Object visit(const ast::Conditional &node, const ast::Expr &);
  Object visit(const ast::Call &node, const ast::Expr &expr);
  Object visit(const ast::Subscript &node, const ast::Expr &);
  Object visit(const ast::List &node, const ast::Expr &) {
    return evaluateAll(node.elements);
  }
  Object visit(const ast::Tuple &node, const ast::Expr &) {
    return evaluateAll(node.elements);
  }
  Object visit(const ast::Unsupported &node, const ast::Expr &) {
    return fail(node.message());
  }

  Object evaluateAll(const std::vector<ast::ExprPtr> &exprs);

  const SourceText &source;
  NameLookup lookup;
};

} // namespace

Object Evaluator::evaluateAll(const std::vector<ast::ExprPtr> &exprs) {
  std::vector<Object> elements;
  for (const ast::ExprPtr &expr : exprs) {
    elements.push_back(evaluate(*expr));
    if (elements.back().is<UnusableObject>())
      return elements.back();
  }
  return Object::tuple(std::move(elements));
}

Object Evaluator::visit(const ast::Attribute &node, const ast::Expr &expr) {
  std::string dotted = ast::dottedName(expr);
  if (!dotted.empty())
    if (std::optional<Object> object = lookup(dotted))
      return *object;
  Object value = evaluate(*node.value);
  if (value.is<UnusableObject>())
    return value;
  if (auto attribute = languageAttribute(context(expr), value, node.name))
    return *attribute;
  return fail(describe(value) + " has no attribute '" + node.name + "'");
}

Object Evaluator::visit(const ast::Unary &node, const ast::Expr &) {
  Object operand = evaluate(*node.operand);
  return operand.is<UnusableObject>() ? operand : foldUnary(node.op, operand);
}

Object Evaluator::visit(const ast::Binary &node, const ast::Expr &) {
  Object lhs = evaluate(*node.lhs);
  if (lhs.is<UnusableObject>())
    return lhs;
  Object rhs = evaluate(*node.rhs);
  if (rhs.is<UnusableObject>())
    return rhs;
  return foldBinary(node.op, lhs, rhs);
}

Object Evaluator::visit(const ast::Compare &node, const ast::Expr &) {
  Object lhs = evaluate(*node.first);
  Object result = lhs;
  for (const ast::CompareLink &link : node.links) {
    Object rhs = evaluate(*link.operand);
    if (lhs.is<UnusableObject>() || rhs.is<UnusableObject>())
      return lhs.is<UnusableObject>() ? lhs : rhs;
    result = foldCompare(link.op, lhs, rhs);
    if (result.is<UnusableObject>() || !isTrue(result))
      return result;
    lhs = rhs;
  }
  return result;
}

Object Evaluator::visit(const ast::BoolOp &node, const ast::Expr &) {
  Object result;
  for (const ast::ExprPtr &operand : node.operands) {
    result = evaluate(*operand);
    if (result.is<UnusableObject>() ||
        isTrue(result) == (node.op == ast::BoolOpKind::Or))
      return result;
  }
  return result;
}

Object Evaluator::visit(const ast::Conditional &node, const ast::Expr &) {
  Object condition = evaluate(*node.condition);
  if (condition.is<UnusableObject>())
    return condition;
  return evaluate(isTrue(condition) ? *node.thenValue : *node.elseValue);
}

Object Evaluator::visit(const ast::Call &node, const ast::Expr &expr) {
  Object callee = evaluate(*node.callee);
  if (callee.is<UnusableObject>())
    return callee;
  std::vector<Object> arguments;
  for (const ast::ExprPtr &argument : node.args) {
    arguments.push_back(evaluate(*argument));
    if (arguments.back().is<UnusableObject>())
      return arguments.back();
  }
  const std::string *path = callee.asLanguage();
  if (path && *path == "dynamic" && arguments.size() == 1 &&
      node.keywords.empty())
    return makeSymbol(arguments[0], source.locate(expr.loc));
  if (const auto *builtin = callee.as<PythonObject>())
    if (node.keywords.empty())
      if (auto result = foldCall(builtin->name, arguments))
        return *result;
  return fail("a call of " + describe(callee) + " is not a constant");
}

Object Evaluator::visit(const ast::Subscript &node, const ast::Expr &) {
  Object value = evaluate(*node.value);
  if (value.is<UnusableObject>())
    return value;
  const auto *index = std::get_if<ast::ExprPtr>(&node.items.front());
  const auto *tuple = value.asTuple();
  if (!tuple || !index || node.items.size() != 1)
    return fail("a subscript of " + describe(value) + " is not a constant");
  Object position = evaluate(**index);
  return position.is<UnusableObject>() ? position
                                       : foldElement(*tuple, position);
}

Object tegula::evaluateConstant(const ast::Expr &expr, const SourceText &source,
                                NameLookup lookup) {
  return Evaluator(source, lookup).evaluate(expr);
}
