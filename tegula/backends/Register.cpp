// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that knows all back ends.

#include "tegula/backends/cpu/CpuTarget.h"
#include "tegula/backends/cuda/CudaTarget.h"
#include "tegula/backends/interpreter/InterpreterTarget.h"
#include "tegula/backends/npu/NpuTarget.h"

using namespace tegula;

llvm::ArrayRef<const Backend *> tegula::listBackends() {
  static const CpuBackend cpu;
  static const CudaBackend cuda;
  static const InterpreterBackend interpreter;
  static const NpuBackend npu;
  static const Backend *const all[] = {&cpu, &interpreter, &npu, &cuda};
  return all;
}
