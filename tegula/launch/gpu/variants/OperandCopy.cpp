// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/variants/OperandCopy.h"

using namespace tegula;
using namespace tegula::cuda;

bool OperandCopy::take(GpuMatrix &matrix, int64_t bytes, int64_t line) {
  int64_t pitch = (matrix.columns + line - 1) / line * line;
  if (memory.allocate(pitch * matrix.rows * bytes) != 0)
    return false;
  numbers = {matrix.address,
             memory.get(),
             matrix.row,
             matrix.column,
             pitch,
             static_cast<int32_t>(matrix.rows),
             static_cast<int32_t>(matrix.columns)};
  matrix = {memory.get(), matrix.rows, matrix.columns, pitch, 1, bytes};
  return true;
}

Result cuda::launchCopy(const Driver &driver, Module module,
                        const std::string &name, int64_t numSMs, Stream queue,
                        void **parameters) {
  constexpr unsigned blocksPerSM = 8;
  Function function;
  if (Result result = driver.moduleGetFunction(&function, module, name.c_str()))
    return result;
  return driver.launch(function, static_cast<unsigned>(numSMs) * blocksPerSM, 1,
                       1, tegulaTileThreads, 1, 1, 0, queue, parameters,
                       nullptr);
}
