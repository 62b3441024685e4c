// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/GenerateKernel.h"
#include "tegula/frontend/constants/Decorators.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/constants/ExtentExpression.h"
#include "tegula/frontend/irgen/Specialization.h"
#include "tegula/frontend/syntax/AstWalk.h"
#include "tegula/ir/EntryAttributes.h"

using namespace tegula;
using llvm::StringRef;

static KernelParameter describeParameter(const DeclaredParameter &declared) {
  KernelParameter parameter;
  parameter.name = declared.name.str();
  parameter.direction =
      static_cast<KernelParameter::Direction>(declared.direction);
  if (declared.kind != DeclaredParameter::Kind::Open)
    parameter.isTensor = declared.kind == DeclaredParameter::Kind::Tensor;
  if (declared.dtype)
    parameter.dtype = toDType(declared.dtype);
  if (declared.dims) {
    parameter.axes.emplace();
    for (const DeclaredDim &dim : *declared.dims) {
      KernelAxis axis{dim.extent, dim.symbol ? dim.symbol->name : ""};
      if (dim.symbol && dim.symbol->expression)
        axis.expression = programOf(dim.symbol);
      parameter.axes->push_back(std::move(axis));
    }
  }
  return parameter;
}

/// The parameters that a `return` names; nothing if it returns none.
static std::vector<unsigned>
returnedBy(const ast::Return &node,
           const std::vector<DeclaredParameter> &parameters) {
  std::vector<const ast::Expr *> values;
  if (node.value)
    values.push_back(node.value.get());
  if (const auto *tuple =
          node.value ? std::get_if<ast::Tuple>(&node.value->node) : nullptr) {
    values.clear();
    for (const ast::ExprPtr &element : tuple->elements)
      values.push_back(element.get());
  }
  std::vector<unsigned> numbers;
  for (const ast::Expr *value : values) {
    const auto *name = std::get_if<ast::Name>(&value->node);
    auto found = llvm::find_if(parameters, [&](const DeclaredParameter &p) {
      return name && p.name == name->id && p.isWritten();
    });
    if (found == parameters.end())
      return {};
    numbers.push_back(found - parameters.begin());
  }
  return numbers;
}

/// Adds what the statements return; all must return the same.
static void addReturns(Stmts stmts,
                       const std::vector<DeclaredParameter> &parameters,
                       std::optional<std::vector<unsigned>> &results) {
  for (const ast::StmtPtr &stmt : stmts) {
    if (const auto *node = std::get_if<ast::Return>(&stmt->node)) {
      std::vector<unsigned> returned = returnedBy(*node, parameters);
      if (node->value && results && *results != returned)
        returned.clear();
      if (node->value)
        results = std::move(returned);
    }
    forEachBlock(*stmt,
                 [&](Stmts inner) { addReturns(inner, parameters, results); });
  }
}

bool tegula::describeKernel(const KernelFunction &function, Reporter &reporter,
                            KernelSignature &kernel) {
  auto declared = readParameters(function, reporter);
  if (!declared)
    return false;
  for (const DeclaredParameter &parameter : *declared)
    kernel.parameters.push_back(describeParameter(parameter));
  std::optional<std::vector<unsigned>> results;
  addReturns(function.getDefinition().body, *declared, results);
  if (results)
    kernel.results = std::move(*results);
  DeclaredSymbols symbols = collectSymbols(function, *declared, reporter);
  for (const AxisSymbol &entry : symbols.axes) {
    auto &axes = kernel.parameters[entry.parameter].axes;
    if (axes && entry.axis < axes->size())
      (*axes)[entry.axis] = {std::nullopt, entry.symbol->name};
  }
  return true;
}

mlir::OwningOpRef<mlir::ModuleOp> tegula::generateKernel(
    mlir::MLIRContext &context, const KernelFunction &function,
    llvm::ArrayRef<ArgumentSpec> specs, Reporter &reporter, bool isDynamic) {
  Decoration decoration = readDecorators(
      function.getDefinition(), function.getSource(),
      [&](StringRef name) { return function.getEnvironment().lookup(name); });
  mlir::OwningOpRef<mlir::ModuleOp> module =
      Specialization(context, function, specs,
                     isDynamic || decoration.isDynamic)
          .generate(reporter);
  if (!module)
    return module;
  mlir::func::FuncOp entry = *module->getOps<mlir::func::FuncOp>().begin();
  if (decoration.isDebug)
    entry->setAttr(pl::debugAttrName, mlir::UnitAttr::get(&context));
  if (decoration.isStrict)
    entry->setAttr(pl::strictAttrName, mlir::UnitAttr::get(&context));
  return module;
}
