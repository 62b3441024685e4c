// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/constants/ExtentExpression.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;

static Object fail(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

std::optional<Object> tegula::constantAttribute(mlir::MLIRContext *context,
                                                const Object &object,
                                                StringRef name) {
  if (const auto *space = object.as<NamespaceObject>()) {
    if (std::optional<Object> member = space->names->lookup(name))
      return member;
    return fail(space->what + " has no '" + name + "'");
  }
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

/// The names of a class, some of them with other values.
class InstanceNames : public Environment {
public:
  explicit InstanceNames(std::shared_ptr<Environment> type)
      : type(std::move(type)) {}

  std::optional<Object> lookup(StringRef name) override {
    auto found = changed.find(name);
    return found == changed.end() ? type->lookup(name) : found->second;
  }

  llvm::StringMap<Object> changed;

private:
  std::shared_ptr<Environment> type;
};

} // namespace

/// True if there is nothing to go on with.
static bool isStuck(const Object &object) {
  return object.is<UnusableObject>() || object.isPoison();
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
  Object visit(const ast::Dict &node, const ast::Expr &);
  Object visit(const ast::Unsupported &node, const ast::Expr &) {
    return fail(node.message());
  }

  Object evaluateAll(const std::vector<ast::ExprPtr> &exprs);
  Object instantiate(const NamespaceObject &type, const ast::Call &node);

  const SourceText &source;
  NameLookup lookup;
};

} // namespace

Object Evaluator::evaluateAll(const std::vector<ast::ExprPtr> &exprs) {
  std::vector<Object> elements;
  for (const ast::ExprPtr &expr : exprs) {
    elements.push_back(evaluate(*expr));
    if (isStuck(elements.back()))
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
  if (isStuck(value))
    return value;
  if (auto attribute = constantAttribute(context(expr), value, node.name))
    return *attribute;
  return fail(describe(value) + " has no attribute '" + node.name + "'");
}

Object Evaluator::visit(const ast::Unary &node, const ast::Expr &) {
  Object operand = evaluate(*node.operand);
  return isStuck(operand) ? operand : foldUnary(node.op, operand);
}

Object Evaluator::visit(const ast::Binary &node, const ast::Expr &) {
  Object lhs = evaluate(*node.lhs);
  if (isStuck(lhs))
    return lhs;
  Object rhs = evaluate(*node.rhs);
  if (isStuck(rhs))
    return rhs;
  return foldBinary(node.op, lhs, rhs);
}

Object Evaluator::visit(const ast::Compare &node, const ast::Expr &) {
  Object lhs = evaluate(*node.first);
  Object result = lhs;
  for (const ast::CompareLink &link : node.links) {
    Object rhs = evaluate(*link.operand);
    if (isStuck(lhs) || isStuck(rhs))
      return isStuck(lhs) ? lhs : rhs;
    result = foldCompare(link.op, lhs, rhs);
    if (isStuck(result) || !isTrue(result))
      return result;
    lhs = rhs;
  }
  return result;
}

Object Evaluator::visit(const ast::BoolOp &node, const ast::Expr &) {
  Object result;
  for (const ast::ExprPtr &operand : node.operands) {
    result = evaluate(*operand);
    if (isStuck(result) || isTrue(result) == (node.op == ast::BoolOpKind::Or))
      return result;
  }
  return result;
}

Object Evaluator::visit(const ast::Conditional &node, const ast::Expr &) {
  Object condition = evaluate(*node.condition);
  if (isStuck(condition))
    return condition;
  return evaluate(isTrue(condition) ? *node.thenValue : *node.elseValue);
}

Object Evaluator::visit(const ast::Call &node, const ast::Expr &expr) {
  Object callee = evaluate(*node.callee);
  if (isStuck(callee))
    return callee;
  std::vector<Object> arguments;
  for (const ast::ExprPtr &argument : node.args) {
    arguments.push_back(evaluate(*argument));
    if (isStuck(arguments.back()))
      return arguments.back();
  }
  const std::string *path = callee.asLanguage();
  if (path && *path == "dynamic" && arguments.size() == 1 &&
      node.keywords.empty())
    return makeSymbol(arguments[0], source.locate(expr.loc));
  const auto *builtin = callee.as<PythonObject>();
  if (node.keywords.empty() && (builtin || path)) {
    StringRef name = builtin ? StringRef(builtin->name) : StringRef(*path);
    if (auto result = callOnExtents(name, arguments))
      return *result;
    if (auto result = builtin ? foldCall(name, arguments) : std::nullopt)
      return *result;
  }
  if (callee.is<NamespaceObject>())
    return instantiate(*callee.as<NamespaceObject>(), node);
  return fail("a call of " + describe(callee) + " is not a constant");
}

Object Evaluator::visit(const ast::Subscript &node, const ast::Expr &) {
  Object value = evaluate(*node.value);
  if (isStuck(value))
    return value;
  const auto *index = std::get_if<ast::ExprPtr>(&node.items.front());
  bool isContainer = value.asTuple() || value.is<DictObject>();
  if (!isContainer || !index || node.items.size() != 1)
    return fail("a subscript of " + describe(value) + " is not a constant");
  Object position = evaluate(**index);
  return isStuck(position) ? position : foldItem(value, position);
}

Object Evaluator::visit(const ast::Dict &node, const ast::Expr &) {
  std::vector<std::pair<Object, Object>> entries;
  for (size_t i = 0; i < node.keys.size(); ++i) {
    entries.push_back({evaluate(*node.keys[i]), evaluate(*node.values[i])});
    if (isStuck(entries.back().first))
      return entries.back().first;
    if (isStuck(entries.back().second))
      return entries.back().second;
  }
  return Object::dict(std::move(entries));
}

/// `Config(hidden=128)`: the names of the class, some of them with other
/// values.
Object Evaluator::instantiate(const NamespaceObject &type,
                              const ast::Call &node) {
  if (!type.isClass)
    return fail(type.what + " cannot be called");
  if (type.names->lookup("__init__") || !node.args.empty())
    return fail("an object of " + type.what +
                " is not a constant; a class of constants takes keyword "
                "arguments only and has no __init__");
  auto names = std::make_shared<InstanceNames>(type.names);
  for (const ast::Keyword &keyword : node.keywords) {
    if (!type.names->lookup(keyword.name))
      return fail(type.what + " has no '" + keyword.name + "'");
    Object value = evaluate(*keyword.value);
    if (isStuck(value))
      return value;
    names->changed[keyword.name] = value;
  }
  return Object(NamespaceObject{names, "an object of " + type.what});
}

Object tegula::evaluateConstant(const ast::Expr &expr, const SourceText &source,
                                NameLookup lookup) {
  return Evaluator(source, lookup).evaluate(expr);
}
