// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/Register.h"

#include "tegula/ir/ops/PlDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;

void tegula::registerDialects(DialectRegistry &registry) {
  registry.insert<pl::PlDialect, arith::ArithDialect, func::FuncDialect,
                  math::MathDialect, scf::SCFDialect>();
  arith::registerValueBoundsOpInterfaceExternalModels(registry);
  scf::registerValueBoundsOpInterfaceExternalModels(registry);
  func::registerInlinerExtension(registry);
}

void tegula::loadDialects(MLIRContext &context) {
  DialectRegistry registry;
  registerDialects(registry);
  context.appendDialectRegistry(registry);
  // Those of back ends are loaded by the passes that make their ops, if at all.
  context.loadDialect<pl::PlDialect, arith::ArithDialect, func::FuncDialect,
                      math::MathDialect, scf::SCFDialect>();
}
