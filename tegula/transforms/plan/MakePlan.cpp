// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/MakePlan.h"

#include "tegula/transforms/plan/CheckCapacity.h"
#include "tegula/transforms/plan/CheckPlan.h"
#include "tegula/transforms/plan/GatherTensors.h"
#include "tegula/transforms/plan/PrepareForPlan.h"

using namespace mlir;
using namespace tegula;

FailureOr<std::unique_ptr<TilePlan>>
tegula::makePlan(func::FuncOp function, const MachineModel &machine) {
  prepareForPlan(function, machine);
  if (failed(requireBoundedTiles(function)))
    return failure();
  gatherTensors(function);
  auto plan = std::make_unique<TilePlan>(function, machine);
  if (failed(checkCapacity(function, *plan)) ||
      failed(checkPlan(function, *plan)))
    return failure();
  plan->tensors = TensorPlan(function);
  return plan;
}
