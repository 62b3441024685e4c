// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/DeclaredSymbols.h"
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/constants/ExtentExpression.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace tegula;
using llvm::StringRef;

const AxisSymbol *DeclaredSymbols::find(unsigned parameter,
                                        unsigned axis) const {
  for (const AxisSymbol &entry : axes)
    if (entry.parameter == parameter && entry.axis == axis)
      return &entry;
  return nullptr;
}

namespace {

/// Reads the statements at the top level of a body that concern symbols.
class SymbolCollector {
public:
  SymbolCollector(const KernelFunction &function,
                  const std::vector<DeclaredParameter> &parameters,
                  Reporter &reporter)
      : function(function), parameters(parameters), reporter(reporter) {}

  DeclaredSymbols run();

private:
  mlir::Location locate(const ast::Expr &expr) {
    return function.getSource().locate(expr.loc);
  }
  Object evaluate(const ast::Expr &expr);
  void addAnnotations();
  void addLocal(const ast::Assign &node);
  void addBinding(const ast::Call &call);
  void add(AxisSymbol entry);
  void checkVariables();
  void tellApart();

  const KernelFunction &function;
  const std::vector<DeclaredParameter> &parameters;
  Reporter &reporter;
  DeclaredSymbols symbols;
  std::map<StringRef, Object> locals;
};

} // namespace

Object SymbolCollector::evaluate(const ast::Expr &expr) {
  Environment &environment = function.getEnvironment();
  return evaluateConstant(expr, function.getSource(),
                          [&](StringRef name) -> std::optional<Object> {
                            auto local = locals.find(name);
                            if (local != locals.end())
                              return local->second;
                            return environment.lookup(name);
                          });
}

void SymbolCollector::add(AxisSymbol entry) {
  for (AxisSymbol &known : symbols.axes)
    if (known.parameter == entry.parameter && known.axis == entry.axis) {
      if (known.symbol != entry.symbol)
        reporter.error(entry.loc,
                       "axis " + llvm::Twine(entry.axis) + " of '" +
                           parameters[entry.parameter].name +
                           "' is declared as " + known.symbol->name +
                           " and cannot be " + entry.symbol->name + " too",
                       {{known.loc, "declared here"}});
      return;
    }
  symbols.axes.push_back(std::move(entry));
}

void SymbolCollector::addAnnotations() {
  for (auto [position, parameter] : llvm::enumerate(parameters)) {
    if (!parameter.dims)
      continue;
    for (auto [axis, dim] : llvm::enumerate(*parameter.dims))
      if (dim.symbol && dim.symbol->expression)
        symbols.expressions.push_back({static_cast<unsigned>(position),
                                       static_cast<unsigned>(axis), dim.symbol,
                                       dim.loc});
      else if (dim.symbol)
        add({static_cast<unsigned>(position), static_cast<unsigned>(axis),
             dim.symbol, dim.loc, dim.variable});
  }
}

/// `M = pl.dynamic("M")`
void SymbolCollector::addLocal(const ast::Assign &node) {
  const auto *call = std::get_if<ast::Call>(&node.value->node);
  if (!call)
    return;
  std::string callee = ast::dottedName(*call->callee);
  if (callee.empty() || !StringRef(callee).ends_with("dynamic"))
    return;
  Object object = evaluate(*node.value);
  if (!object.is<SymbolObject>())
    return;
  symbols.made[node.value.get()] = object;
  for (const ast::ExprPtr &target : node.targets)
    if (const auto *name = std::get_if<ast::Name>(&target->node)) {
      object.as<SymbolObject>()->nameAfter(name->id);
      locals[name->id] = object;
    }
}

/// `x.bind_dynamic(axis, M)`
void SymbolCollector::addBinding(const ast::Call &call) {
  const auto *method = std::get_if<ast::Attribute>(&call.callee->node);
  if (!method || method->name != "bind_dynamic")
    return;
  mlir::Location loc = locate(*call.callee);
  const auto *name = std::get_if<ast::Name>(&method->value->node);
  auto parameter = llvm::find_if(parameters, [&](const DeclaredParameter &p) {
    return name && p.name == name->id;
  });
  if (parameter == parameters.end())
    return reporter.error(loc, "bind_dynamic names an axis of a parameter");
  if (call.args.size() != 2 || !call.keywords.empty())
    return reporter.error(loc, "bind_dynamic takes an axis and a symbol");
  Object axis = evaluate(*call.args[0]), symbol = evaluate(*call.args[1]);
  for (auto [object, expr] : {std::pair(&axis, call.args[0].get()),
                              std::pair(&symbol, call.args[1].get())})
    if (const auto *failure = object->as<UnusableObject>())
      return reporter.error(locate(*expr), failure->message, failure->notes);
  std::optional<int64_t> number = axis.asInteger();
  size_t rank = parameter->dims ? parameter->dims->size() : 0;
  if (number && *number < 0 && parameter->dims)
    *number += rank;
  if (!number || *number < 0 || (parameter->dims && *number >= int64_t(rank)))
    return reporter.error(
        locate(*call.args[0]),
        number ? "axis " + llvm::Twine(*axis.asInteger()) +
                     " is out of range for '" + parameter->name + "' of rank " +
                     llvm::Twine(rank)
               : "the axis must be an integer, got " + describe(axis));
  if (!symbol.is<SymbolObject>() ||
      symbol.as<SymbolObject>()->symbol->expression)
    return reporter.error(locate(*call.args[1]),
                          "expected a symbol made by pl.dynamic, got " +
                              describe(symbol));
  add({static_cast<unsigned>(parameter - parameters.begin()),
       static_cast<unsigned>(*number), symbol.as<SymbolObject>()->symbol, loc,
       ast::dottedName(*call.args[1])});
}

/// One variable for two symbols would be told apart by nobody.
void SymbolCollector::checkVariables() {
  for (auto [position, entry] : llvm::enumerate(symbols.axes))
    for (const AxisSymbol &other :
         llvm::ArrayRef(symbols.axes).take_front(position))
      if (entry.symbol != other.symbol && !entry.variable.empty() &&
          entry.variable == other.variable) {
        reporter.error(entry.symbol->declared,
                       "'" + entry.variable + "' is the symbol " +
                           entry.symbol->name + " here and " +
                           other.symbol->name + " elsewhere",
                       {{other.symbol->declared, "the other one"}});
        return;
      }
}

/// "T of config.py", or "T of config.py:7" if that is where the other is, too.
static std::string nameWithLocation(const Symbol &symbol, const Symbol &other) {
  auto fileLoc = symbol.declared->findInstanceOf<mlir::FileLineColLoc>();
  auto otherFileLoc = other.declared->findInstanceOf<mlir::FileLineColLoc>();
  if (!fileLoc)
    return symbol.name + "_1";
  std::string name =
      symbol.name + " of " +
      llvm::sys::path::filename(fileLoc.getFilename().getValue()).str();
  bool isSameFile =
      otherFileLoc && otherFileLoc.getFilename() == fileLoc.getFilename();
  return isSameFile ? name + ":" + std::to_string(fileLoc.getLine()) : name;
}

/// Symbols are what they are, whatever they are called; of two with one name
/// the later one says where it is from.
void SymbolCollector::tellApart() {
  llvm::SetVector<Symbol *> all;
  for (const AxisSymbol &entry : symbols.axes)
    all.insert(entry.symbol.get());
  for (const AxisSymbol &entry : symbols.expressions)
    collectBases(entry.symbol, all);
  for (auto [position, entry] : llvm::enumerate(all.getArrayRef()))
    for (Symbol *other : all.getArrayRef().take_front(position))
      if (entry->name == other->name)
        entry->name = nameWithLocation(*entry, *other);
  for (const AxisSymbol &entry : symbols.expressions)
    nameExpression(*entry.symbol);
}

DeclaredSymbols SymbolCollector::run() {
  addAnnotations();
  for (const ast::StmtPtr &stmt : function.getDefinition().body) {
    if (const auto *assign = std::get_if<ast::Assign>(&stmt->node))
      addLocal(*assign);
    if (const auto *expr = std::get_if<ast::ExprStmt>(&stmt->node))
      if (const auto *call = std::get_if<ast::Call>(&expr->value->node))
        addBinding(*call);
  }
  checkVariables();
  tellApart();
  llvm::sort(symbols.axes, [](const auto &lhs, const auto &rhs) {
    return std::pair(lhs.parameter, lhs.axis) <
           std::pair(rhs.parameter, rhs.axis);
  });
  return std::move(symbols);
}

DeclaredSymbols
tegula::collectSymbols(const KernelFunction &function,
                       const std::vector<DeclaredParameter> &parameters,
                       Reporter &reporter) {
  return SymbolCollector(function, parameters, reporter).run();
}
