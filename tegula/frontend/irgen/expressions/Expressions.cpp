// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tegula/frontend/builtins/Builtins.h"
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/constants/NamesElsewhere.h"
#include "tegula/frontend/diagnostics/NearestNames.h"
#include "tegula/frontend/irgen/NameListener.h"
#include "tegula/frontend/irgen/calls/Calls.h"
#include "tegula/frontend/irgen/expressions/BooleanOperators.h"
#include "tegula/frontend/irgen/expressions/Comprehensions.h"
#include "tegula/frontend/irgen/expressions/Subscripts.h"
#include "tegula/frontend/irgen/signature/SymbolExtents.h"
#include "tegula/frontend/irgen/statements/Branches.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

Object Expressions::usable(const Object &object, Location loc) {
  if (const auto *unusable = object.as<UnusableObject>())
    return fail(loc, unusable->message, unusable->notes);
  if (const auto *symbol = object.as<SymbolObject>())
    return symbolExtents.valueOf(*symbol, loc);
  return object;
}

/// What may be meant by a name that is not defined, as the end of a message.
static std::string suggestName(StringRef name, const Scope &scope) {
  if (isFunction(name))
    return ("; did you mean 'pl." + name + "'?").str();
  if (StringRef module = suggestModule(name); !module.empty())
    return module.str();
  // Of short names every one is near.
  llvm::SmallVector<StringRef> names;
  for (const auto &[slot, variable] : scope)
    if (slot.isNamed() && name.size() > 3)
      names.push_back(slot.getName());
  return didYouMean(name, names);
}

Object Expressions::heard(Object object, StringRef name, Location loc) {
  NameListener *listener = emitter.reporter.listener;
  if (listener && !state.preludeCall)
    listener->hear(loc, name, describeNamed(object), NameUse::Read);
  return object;
}

Object Expressions::evaluateName(StringRef name, Location loc) {
  auto found = scope.find(name);
  if (found != scope.end())
    return usable(found->second.object, loc);
  if (std::optional<Object> object =
          state.function.getEnvironment().lookup(name))
    return usable(*object, loc);
  if (std::optional<Object> object = pythonBuiltin(emitter.getContext(), name))
    return *object;
  return fail(loc,
              "name '" + name + "' is not defined" + suggestName(name, scope));
}

/// What is to be written for a function of another system, `np.exp`; empty for
/// anything else.
static std::string describeElsewhere(StringRef dotted) {
  auto [module, name] = dotted.split('.');
  if (name.empty() || suggestModule(module).empty())
    return "";
  StringRef last = name.rsplit('.').second;
  last = last.empty() ? name : last;
  std::string here = writtenHere(dotted).str();
  if (here.empty())
    here = isFunction(last) ? ("pl." + last).str() : writtenHere(last).str();
  if (here.empty())
    return "";
  return ("'" + dotted + "' is not something a kernel can use; write " + here)
      .str();
}

/// `x.T`: all axes in the other order.
static Object transposed(Emitter &emitter, Value shaped, Location loc) {
  unsigned rank = pl::getDims(shaped.getType()).size();
  llvm::SmallVector<int64_t> permutation;
  for (unsigned axis = rank; axis-- > 0;)
    permutation.push_back(axis);
  pl::TransposeOp::Properties properties;
  properties.permutation = emitter.builder.getDenseI64ArrayAttr(permutation);
  Value result = emitter.create<pl::TransposeOp>(
      loc, "T", emitter.memory.toTile(loc, Object(shaped)), properties);
  return result ? Object(result) : Object::poison();
}

Object Expressions::evaluateAttribute(const ast::Expr &expr,
                                      const ast::Attribute &node) {
  std::string dotted = ast::dottedName(expr);
  StringRef first = StringRef(dotted).split('.').first;
  if (!dotted.empty() && !scope.count(first)) {
    std::optional<Object> whole =
        state.function.getEnvironment().lookup(dotted);
    std::optional<Object> module =
        state.function.getEnvironment().lookup(first);
    bool isUnusable = whole ? whole->is<UnusableObject>()
                            : !module || module->is<UnusableObject>() ||
                                  module->is<NamespaceObject>();
    std::string message = isUnusable ? describeElsewhere(dotted) : "";
    if (!message.empty())
      return fail(locate(expr), message);
  }
  if (!dotted.empty() && !scope.count(StringRef(dotted).split('.').first))
    if (std::optional<Object> object =
            state.function.getEnvironment().lookup(dotted))
      return usable(*object, locate(expr));
  Object value = evaluate(*node.value);
  if (value.isPoison())
    return value;
  Location loc = locate(node.nameLoc);
  if (const std::string *path = value.asLanguage(); path && path->empty())
    if (StringRef here = constantHere(node.name); !here.empty())
      return fail(loc, "'pl." + node.name + "' does not exist; write " + here);
  if (auto attribute =
          constantAttribute(emitter.getContext(), value, node.name))
    return usable(*attribute, loc);
  Value shaped = value.asTensor() ? value.asTensor() : value.asTile();
  if (!shaped)
    return fail(loc, describe(value) + " has no attribute '" + node.name + "'");
  if (node.name == "dtype")
    return Object(DtypeObject{pl::getElementOrSelf(shaped.getType())});
  if (node.name == "ndim")
    return Object::integer(pl::getDims(shaped.getType()).size());
  if (node.name == "T")
    return transposed(emitter, shaped, locate(expr));
  if (node.name == "shape") {
    std::vector<Object> extents;
    for (unsigned i = 0; i < pl::getDims(shaped.getType()).size(); ++i)
      extents.push_back(emitter.extents.objectOf(locate(expr), shaped, i));
    return Object::tuple(std::move(extents));
  }
  return fail(loc, "a tensor has no attribute '" + node.name +
                       "'; it has shape, dtype, ndim and T" +
                       (isFunction(node.name) ? "; call pl." + node.name
                                              : suggestFunction(node.name)));
}

Object Expressions::evaluateElements(const std::vector<ast::ExprPtr> &exprs) {
  std::vector<Object> elements;
  bool isPoison = false;
  for (const ast::ExprPtr &expr : exprs) {
    elements.push_back(evaluate(*expr));
    isPoison |= elements.back().isPoison();
  }
  return isPoison ? Object::poison() : Object::tuple(std::move(elements));
}

Object Expressions::evaluateDict(const ast::Dict &node) {
  for (const ast::ExprPtr &key : node.keys)
    if (std::holds_alternative<ast::DoubleStarred>(key->node))
      return evaluate(*key);
  Object keys = evaluateElements(node.keys);
  Object values = evaluateElements(node.values);
  if (keys.isPoison() || values.isPoison())
    return Object::poison();
  std::vector<std::pair<Object, Object>> entries;
  for (auto [key, value] : llvm::zip(*keys.asTuple(), *values.asTuple()))
    entries.push_back({key, value});
  return Object::dict(std::move(entries));
}

/// `a < b < c` is `a < b and b < c` with `b` evaluated once.
Object Expressions::evaluateCompare(const ast::Compare &node, Location loc) {
  Object lhs = evaluate(*node.first);
  Object result = Object::boolean(true);
  for (const ast::CompareLink &link : node.links) {
    Object rhs = evaluate(*link.operand);
    Location opLoc = locate(link.opLoc);
    Object next = emitter.operators.compare(opLoc, link.op, lhs, rhs);
    if (next.isPoison())
      return next;
    if (node.links.size() > 1 && next.asTile())
      return fail(opLoc, "comparisons of tiles cannot be chained; combine them "
                         "with &");
    if (result.isNumeric() && !isTrue(result))
      return result;
    if (result.isNumeric() || (next.isNumeric() && !isTrue(next)))
      result = next;
    else if (!next.isNumeric())
      result = Object(emitter.builder.createOrFold<mlir::arith::AndIOp>(
          opLoc, result.asValue(), next.asValue()));
    lhs = rhs;
  }
  return result;
}

namespace {

/// Literals, which need nothing but themselves.
struct LiteralVisitor {
  Emitter &emitter;
  Location loc;

  std::optional<Object> operator()(const ast::Integer &node) {
    if (node.overflows || node.value > static_cast<uint64_t>(INT64_MAX))
      return emitter.fail(loc, "the integer " + node.spelling +
                                   " does not fit 64 bits");
    return Object::integer(node.value);
  }
  std::optional<Object> operator()(const ast::Float &node) {
    return Object::real(node.value);
  }
  std::optional<Object> operator()(const ast::String &node) {
    return Object(StringObject{node.value});
  }
  std::optional<Object> operator()(const ast::Bool &node) {
    return Object::boolean(node.value);
  }
  std::optional<Object> operator()(const ast::None &) { return Object::none(); }
  std::optional<Object> operator()(const ast::Ellipsis &) {
    return Object(EllipsisObject{});
  }
  template <typename T> std::optional<Object> operator()(const T &) {
    return std::nullopt;
  }
};

} // namespace

Object Expressions::evaluate(const ast::Expr &expr) {
  Location loc = locate(expr);
  if (std::optional<ast::Unsupported> unsupported = ast::leftOut(expr))
    return fail(loc, unsupported->message());
  if (auto literal = std::visit(LiteralVisitor{emitter, loc}, expr.node))
    return *literal;
  if (const auto *name = std::get_if<ast::Name>(&expr.node))
    return heard(evaluateName(name->id, loc), name->id, loc);
  if (const auto *attribute = std::get_if<ast::Attribute>(&expr.node))
    return evaluateAttribute(expr, *attribute);
  if (const auto *unary = std::get_if<ast::Unary>(&expr.node))
    return emitter.operators.unary(loc, unary->op,
                                   unary->op == ast::UnaryOp::Not
                                       ? evaluateCondition(*unary->operand)
                                       : evaluate(*unary->operand));
  if (const auto *binary = std::get_if<ast::Binary>(&expr.node)) {
    Object lhs = evaluate(*binary->lhs);
    Object rhs = evaluate(*binary->rhs);
    return emitter.operators.binary(locate(binary->opLoc), binary->op, lhs,
                                    rhs);
  }
  if (const auto *compare = std::get_if<ast::Compare>(&expr.node))
    return evaluateCompare(*compare, loc);
  if (const auto *boolOp = std::get_if<ast::BoolOp>(&expr.node))
    return booleans.evaluate(*boolOp, loc);
  if (const auto *conditional = std::get_if<ast::Conditional>(&expr.node))
    return evaluateConditional(*conditional, loc);
  if (const auto *call = std::get_if<ast::Call>(&expr.node))
    return calls.evaluate(expr, *call);
  if (const auto *subscript = std::get_if<ast::Subscript>(&expr.node))
    return subscripts.evaluate(*subscript, loc);
  if (const auto *list = std::get_if<ast::List>(&expr.node))
    return evaluateElements(list->elements);
  if (const auto *dict = std::get_if<ast::Dict>(&expr.node))
    return evaluateDict(*dict);
  if (const auto *elements = std::get_if<ast::Comprehension>(&expr.node))
    return comprehensions.evaluate(*elements, loc);
  return evaluateElements(std::get<ast::Tuple>(expr.node).elements);
}

Object Expressions::evaluateCondition(const ast::Expr &expr) {
  if (const auto *boolOp = std::get_if<ast::BoolOp>(&expr.node))
    return booleans.evaluate(*boolOp, locate(expr),
                             BooleanOperators::Purpose::Truth);
  return evaluate(expr);
}

std::optional<CallArguments>
Expressions::evaluateArguments(const ast::Expr &expr, const ast::Call &node) {
  CallArguments arguments{locate(expr), {}, {}};
  bool isRight = true;
  auto add = [&](const ast::Expr &argument) {
    CallArgument result{evaluate(argument), locate(argument)};
    isRight &= !result.object.isPoison();
    return result;
  };
  for (const ast::ExprPtr &argument : node.args)
    arguments.positional.push_back(add(*argument));
  for (const ast::Keyword &keyword : node.keywords)
    arguments.keywords.push_back({keyword.name, add(*keyword.value)});
  if (!isRight)
    return std::nullopt;
  return arguments;
}

Object Expressions::evaluateConditional(const ast::Conditional &node,
                                        Location loc) {
  Object condition = evaluateCondition(*node.condition);
  if (condition.isPoison())
    return condition;
  if (isConstant(condition))
    return evaluate(isTrue(condition) ? *node.thenValue : *node.elseValue);
  Value value = emitter.scalars.toCondition(locate(*node.condition), condition);
  if (!value)
    return Object::poison();
  auto valueOf = [&](const ast::Expr &expr) {
    return Variable{evaluate(expr), locate(expr)};
  };
  Object result = branches.choose(
      value, [&] { return valueOf(*node.thenValue); },
      [&] { return valueOf(*node.elseValue); }, loc);
  if (const auto *unusable = result.as<UnusableObject>())
    return fail(loc,
                "the two values of a conditional expression must be "
                "alike",
                unusable->notes);
  return result;
}
