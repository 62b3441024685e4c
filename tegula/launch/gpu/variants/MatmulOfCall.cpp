// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/variants/MatmulOfCall.h"

#include "tegula/launch/gpu/abi/MatmulAbi.h"
#include "tegula/launch/gpu/abi/TileAbi.h"

using namespace tegula;

MatmulOfCall::MatmulOfCall(const GpuProgram &program, const int64_t *slots)
    : program(program), slots(slots),
      call(*program.matmul, at(program.matmul->left),
           at(program.matmul->right)),
      rows(*program.rows, program.tensors, slots) {}

const char *MatmulOfCall::findObstacle() const {
  constexpr int32_t mostSlots = TegulaMatmul::mostSlots;
  static_assert(mostSlots == TegulaTileMatmul::mostSlots);
  if (const char *obstacle = call.findObstacle())
    return obstacle;
  if (!rows.hasRows())
    return "the columns of a tensor lie apart";
  return program.numSlots > mostSlots ? "the kernel has too many parameters"
                                      : nullptr;
}
