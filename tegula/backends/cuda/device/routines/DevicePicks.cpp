// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gather: elements at indices that are data.

#include "tegula/backends/cuda/device/routines/DeviceIndexedRows.h"

using namespace tegula;
using namespace tegula::gpu;

extern "C" void tegulaGpuPickRows(TegulaGpuArena *, const int64_t *rows,
                                  int64_t rank, int64_t, int64_t bytes,
                                  int64_t indexType, int64_t axis, int64_t,
                                  TegulaCallState *state, int32_t site) {
  IndexedRows indexedRows{{rows, rank}, bytes, static_cast<DType>(indexType),
                          state,        site,  axis};
  int64_t each = indexedRows.length();
  shareOut(each > 0 ? indexedRows.all.count() * each : 0, [&](int64_t i) {
    if (char *from = indexedRows.find(i / each, i % each))
      copyElement(indexedRows.all.get(0, i / each, bytes).at(i % each), from,
                  bytes);
  });
  tegulaGpuBarrier();
}
