// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs passes on textual IR: the driver of the lit tests.

#include "tegula/backends/Backend.h"
#include "tegula/ir/Register.h"
#include "tegula/transforms/Passes.h"
#include "tegula/transforms/Pipelines.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tegula::registerDialects(registry);
  for (const tegula::Backend *backend : tegula::listBackends())
    backend->registerDialects(registry);
  mlir::registerTransformsPasses();
  tegula::registerTransformsPasses();
  tegula::registerTegulaPipelines();
  tegula::registerBackendPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Tegula pass driver\n", registry));
}
