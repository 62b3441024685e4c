// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What callers are told of a kernel before it is compiled. Most of that is in
// its annotations; what it returns besides its outputs, and which tensors it
// writes if that follows from the body, is found by generating it.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/constants/ExtentExpression.h"
#include "tegula/frontend/irgen/GenerateKernel.h"
#include "tegula/frontend/irgen/Specialization.h"
#include "tegula/frontend/irgen/signature/WrittenParameters.h"
#include "tegula/frontend/syntax/AstWalk.h"
#include "tegula/ir/extents/IndexExpression.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/ir/ops/attributes/EntryAttributes.h"

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

/// True if the annotations say all there is to know of the arguments.
static bool isClosed(const std::vector<DeclaredParameter> &parameters) {
  return llvm::all_of(parameters, [](const DeclaredParameter &parameter) {
    bool isTensor = parameter.kind == DeclaredParameter::Kind::Tensor;
    bool isScalar = parameter.kind == DeclaredParameter::Kind::Scalar;
    return parameter.dtype && !parameter.isConstexpr &&
           (isScalar || (isTensor && parameter.dims));
  });
}

/// True if the body may write a tensor that is declared without a direction:
/// it is assigned to, or given to something that might.
static bool mayWritePlain(const KernelFunction &function,
                          const std::vector<DeclaredParameter> &parameters) {
  auto isPlain = [&](StringRef name) {
    return llvm::any_of(parameters, [&](const DeclaredParameter &parameter) {
      return parameter.name == name && parameter.dims &&
             !parameter.hasDirection;
    });
  };
  if (!function.getTraits().derivesDirections)
    return llvm::any_of(writtenParameters(function), isPlain);
  bool isFound = false;
  for (const auto &[name, assigned] :
       assignedNames(function.getDefinition().body))
    isFound |= isPlain(name);
  walkExprs(function.getDefinition().body, [&](const ast::Expr &expr) {
    const auto *call = std::get_if<ast::Call>(&expr.node);
    std::string callee = call ? ast::dottedName(*call->callee) : "";
    if (!call || StringRef(callee).ends_with(".load"))
      return;
    for (const ast::ExprPtr &argument : call->args)
      isFound |= isPlain(ast::dottedName(*argument));
    for (const ast::Keyword &keyword : call->keywords)
      isFound |= isPlain(ast::dottedName(*keyword.value));
  });
  return isFound;
}

/// One axis of an output that the body asks for.
static KernelAxis axisOf(mlir::func::FuncOp entry, mlir::BlockArgument argument,
                         int64_t axis) {
  pl::Dim dim = pl::getDims(argument.getType())[axis];
  if (dim.isExact())
    return {dim.getBound(), ""};
  for (auto bind : entry.getOps<pl::BindOp>())
    for (auto [tensor, bound] : llvm::zip(bind.getTensors(), bind.getAxes())) {
      if (tensor != argument || bound != axis)
        continue;
      KernelAxis found{std::nullopt, bind.getSymbol().str()};
      for (auto require : entry.getOps<pl::RequireOp>()) {
        auto equal =
            require.getCondition().getDefiningOp<mlir::arith::CmpIOp>();
        if (require.getOrigin() == pl::declaredOrigin && equal &&
            equal.getLhs() == bind.getExtent())
          found.expression = pl::programOf(equal.getRhs());
      }
      return found;
    }
  llvm_unreachable("every axis of an entry is bound");
}

/// Adds what only the body says: directions, outputs, and what is returned.
static void describeBody(mlir::func::FuncOp entry, KernelSignature &kernel) {
  for (mlir::BlockArgument argument : entry.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto direction = entry.getArgAttrOfType<pl::DirectionAttr>(
        number, pl::directionAttrName);
    bool isNew = number == kernel.parameters.size();
    KernelParameter &parameter =
        isNew ? kernel.parameters.emplace_back() : kernel.parameters[number];
    if (direction)
      parameter.direction =
          static_cast<KernelParameter::Direction>(direction.getValue());
    if (!isNew)
      continue;
    parameter.name =
        entry.getArgAttrOfType<mlir::StringAttr>(number, pl::nameAttrName)
            .str();
    parameter.isTensor = true;
    parameter.dtype = toDType(pl::getElementOrSelf(argument.getType()));
    parameter.axes.emplace();
    size_t rank = pl::getDims(argument.getType()).size();
    for (size_t axis = 0; axis < rank; ++axis)
      parameter.axes->push_back(axisOf(entry, argument, axis));
  }
  if (auto results =
          entry->getAttrOfType<mlir::DenseI64ArrayAttr>(pl::resultsAttrName))
    kernel.results.assign(results.asArrayRef().begin(),
                          results.asArrayRef().end());
}

/// Generates the kernel to see what it returns and writes; false after a
/// mistake that no call could mend.
static bool askBody(const KernelFunction &function,
                    const std::vector<DeclaredParameter> &declared,
                    const MachineParts &parts, Reporter &reporter,
                    KernelSignature &kernel) {
  mlir::MLIRContext &context = *function.getLoc().getContext();
  Reporter silent;
  silent.isSilent = true;
  auto generate = [&](Reporter &chosen) {
    return Specialization(context, function, {}, parts, /*isDynamic=*/false)
        .generate(chosen);
  };
  if (auto module = generate(silent)) {
    describeBody(*module->getOps<mlir::func::FuncOp>().begin(), kernel);
    return true;
  }
  // A number may have to be a constant, which a call brings.
  bool hasNumbers =
      llvm::any_of(declared, [](const DeclaredParameter &parameter) {
        return parameter.kind == DeclaredParameter::Kind::Scalar;
      });
  return hasNumbers || generate(reporter);
}

bool tegula::describeKernel(const KernelFunction &function,
                            const MachineParts &parts, Reporter &reporter,
                            KernelSignature &kernel) {
  auto declared = readParameters(function, reporter);
  if (!declared)
    return false;
  // Symbols have their names for good once all are collected.
  DeclaredSymbols symbols = collectSymbols(function, *declared, reporter);
  for (const DeclaredParameter &parameter : *declared)
    kernel.parameters.push_back(describeParameter(parameter));
  std::optional<std::vector<unsigned>> results;
  addReturns(function.getDefinition().body, *declared, results);
  if (results)
    kernel.results = *results;
  for (const AxisSymbol &entry : symbols.axes) {
    auto &axes = kernel.parameters[entry.parameter].axes;
    if (axes && entry.axis < axes->size())
      (*axes)[entry.axis] = {std::nullopt, entry.symbol->name};
  }
  bool isInBody =
      (results && results->empty()) || mayWritePlain(function, *declared);
  return !isInBody || !isClosed(*declared) ||
         askBody(function, *declared, parts, reporter, kernel);
}
