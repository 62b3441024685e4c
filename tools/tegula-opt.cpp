// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs passes on textual IR: the driver of the lit tests.

#include "tegula/backends/cpu/Pipeline.h"
#include "tegula/ir/PlDialect.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/Pipelines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<tegula::pl::PlDialect, mlir::arith::ArithDialect,
                  mlir::func::FuncDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect>();
  mlir::arith::registerValueBoundsOpInterfaceExternalModels(registry);
  mlir::scf::registerValueBoundsOpInterfaceExternalModels(registry);
  mlir::func::registerInlinerExtension(registry);
  mlir::registerTransformsPasses();
  tegula::registerCpuDialects(registry);
  tegula::registerCpuPassesByName();
  tegula::registerTransformsPasses();
  tegula::registerTegulaPipelines();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Tegula pass driver\n", registry));
}
