// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/Specialization.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/irgen/signature/AgreeingAxes.h"
#include "tegula/frontend/irgen/signature/Cascade.h"
#include "tegula/ir/ops/PlRequireOps.h"

using namespace tegula;
using llvm::StringRef;
using Module = mlir::OwningOpRef<mlir::ModuleOp>;

/// The number a call brings as the constant a parameter of type `dtype` is;
/// nothing if the call will be refused.
static std::optional<Object> constantOf(const ArgumentSpec &spec,
                                        mlir::Type dtype) {
  bool isFloat = dtype && llvm::isa<mlir::FloatType>(dtype);
  if (isFloat || (!dtype && spec.real)) {
    bool isSingle = dtype && dtype.isF32();
    double value = spec.real ? *spec.real : *spec.integer;
    return Object::real(isSingle ? static_cast<float>(value) : value);
  }
  if (!spec.integer)
    return std::nullopt;
  if (dtype && pl::isBool(dtype))
    return Object::boolean(*spec.integer != 0);
  return Object::integer(*spec.integer);
}

Specialization::Specialization(mlir::MLIRContext &context,
                               const KernelFunction &function,
                               llvm::ArrayRef<ArgumentSpec> specs,
                               const MachineParts &parts, bool isDynamic)
    : context(context), function(function), specs(specs.vec()), parts(parts),
      isDynamic(isDynamic) {
  Reporter silent;
  silent.isSilent = true;
  auto parameters = readParameters(function, silent);
  if (!parameters || parameters->size() != specs.size())
    return;
  collectNumbers(*parameters);
  if (isDynamic)
    collectAxes(*parameters);
}

void Specialization::collectNumbers(
    const std::vector<DeclaredParameter> &parameters) {
  for (auto [position, parameter] : llvm::enumerate(parameters)) {
    const ArgumentSpec &spec = specs[position];
    if (!spec.integer && !spec.real)
      continue;
    std::optional<Object> value = constantOf(spec, parameter.dtype);
    if (!value)
      continue;
    bool isReal = value->is<FloatObject>();
    double real = spec.real ? *spec.real : *spec.integer;
    int64_t bits = isReal ? llvm::bit_cast<int64_t>(real) : *spec.integer;
    Fixed fixed = {static_cast<unsigned>(position), std::nullopt, *value, bits};
    if (!parameter.isConstexpr) {
      candidates.push_back(fixed);
      continue;
    }
    fixed.reason = "it is declared as pl.constexpr";
    always.push_back(fixed);
  }
}

void Specialization::collectAxes(
    const std::vector<DeclaredParameter> &parameters) {
  for (auto [position, parameter] : llvm::enumerate(parameters))
    for (unsigned axis = 0; axis < specs[position].shape.size(); ++axis) {
      std::optional<int64_t> extent = specs[position].shape[axis];
      if (parameter.dims || !extent)
        continue;
      Fixed fixed = {static_cast<unsigned>(position), axis, Object(), *extent};
      if (*extent != 1) {
        candidates.push_back(fixed);
        continue;
      }
      // What broadcasts does so because of its extent.
      fixed.reason = "an extent of 1 broadcasts";
      always.push_back(fixed);
    }
}

/// True if some op needs an extent of the call to be one number: the axis it
/// meets has that size and was not found to be dynamic.
static bool pinsAnExtent(mlir::ModuleOp module) {
  bool isPinned = false;
  module.walk([&](pl::RequireOp require) {
    auto compare = require.getCondition().getDefiningOp<mlir::arith::CmpIOp>();
    isPinned |= require.getOrigin() == pl::derivedOrigin && compare &&
                compare.getPredicate() == mlir::arith::CmpIPredicate::eq &&
                llvm::any_of(compare->getOperands(), [](mlir::Value operand) {
                  return mlir::matchPattern(operand, mlir::m_Constant());
                });
  });
  return isPinned;
}

Module Specialization::attemptWith(llvm::ArrayRef<ArgumentSpec> chosen,
                                   const std::vector<Fixed> &fixed,
                                   std::vector<AxisSymbol> cascaded,
                                   Reporter &reporter) {
  StringRef path = function.getSource().getPath();
  Module module(
      mlir::ModuleOp::create(mlir::FileLineColLoc::get(&context, path, 1, 1)));
  ModuleGenerator generator(&context, *module, parts, reporter);
  generator.cascaded = std::move(cascaded);
  generator.fixed = fixed;
  generator.splitsOnes = isDynamic;
  if (!generator.generateEntry(function, chosen))
    return {};
  generator.eraseUnused();
  return module;
}

Module Specialization::attempt(const std::vector<Fixed> &fixed,
                               Reporter &reporter) {
  std::vector<ArgumentSpec> chosen = specs;
  if (isDynamic)
    for (ArgumentSpec &spec : chosen)
      for (std::optional<int64_t> &extent : spec.shape)
        extent = std::nullopt;
  for (const Fixed &one : fixed)
    if (one.axis)
      chosen[one.parameter].shape[*one.axis] =
          specs[one.parameter].shape[*one.axis];
  Module module;
  std::vector<AxisSymbol> cascaded =
      cascadeSymbols(context, function, chosen, parts);
  llvm::erase_if(cascaded, [&](const AxisSymbol &entry) {
    return llvm::any_of(fixed, [&](const Fixed &one) {
      return one.parameter == entry.parameter && one.axis == entry.axis;
    });
  });
  Reporter silent;
  silent.isSilent = true;
  if (!cascaded.empty())
    module = attemptWith(chosen, fixed, cascaded, silent);
  // What is dynamic in a helper may have to agree with an axis that no helper
  // sees.
  if (!cascaded.empty() && (!module || pinsAnExtent(*module))) {
    size_t numBefore = cascaded.size();
    addAgreeingAxes(context, function, {chosen, fixed, parts}, cascaded);
    if (cascaded.size() != numBefore)
      if (Module wider = attemptWith(chosen, fixed, cascaded, silent))
        module = std::move(wider);
  }
  // At worst every size is a program.
  if (!module)
    module = attemptWith(chosen, fixed, {}, reporter);
  return module;
}

/// "line 12: the bounds of pl.unroll must be known at compile time".
static std::string describeError(const Reporter &reporter) {
  if (!reporter.getFirst())
    return "the program needs it";
  const auto &[loc, message] = *reporter.getFirst();
  auto fileLoc = loc->findInstanceOf<mlir::FileLineColLoc>();
  return (fileLoc ? "line " + std::to_string(fileLoc.getLine()) + ": " : "") +
         message;
}

std::vector<Fixed> Specialization::chooseFixed() {
  std::vector<Fixed> chosen = always;
  chosen.insert(chosen.end(), candidates.begin(), candidates.end());
  for (size_t position = always.size(); position < chosen.size();) {
    std::vector<Fixed> fewer = chosen;
    fewer.erase(fewer.begin() + position);
    Reporter silent;
    silent.isSilent = true;
    if (attempt(fewer, silent)) {
      chosen = std::move(fewer);
      continue;
    }
    chosen[position].reason = describeError(silent);
    ++position;
  }
  return chosen;
}

/// Warnings and remarks of a first attempt count only if it succeeds.
Module Specialization::attemptFirst() {
  std::vector<mlir::Diagnostic> kept;
  Module module;
  {
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &diagnostic) {
          kept.push_back(std::move(diagnostic));
          return mlir::success();
        });
    Reporter own;
    module = attempt(always, own);
  }
  if (module)
    for (mlir::Diagnostic &diagnostic : kept)
      context.getDiagEngine().emit(std::move(diagnostic));
  return module;
}

Module Specialization::generate(Reporter &reporter) {
  Module module;
  if (candidates.empty()) {
    module = attempt(always, reporter);
  } else if (!(module = attemptFirst())) {
    std::vector<Fixed> all = always;
    all.insert(all.end(), candidates.begin(), candidates.end());
    Reporter silent;
    silent.isSilent = true;
    // What is wrong with everything fixed is a mistake, and no need.
    module = attempt(attempt(all, silent) ? chooseFixed() : all, reporter);
  }
  if (!module || failed(mlir::verify(*module)))
    return {};
  return module;
}
