// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies a matrix to rows that boxes can be taken from.

#include "tegula/launch/gpu/hopper/ProductAbi.h"

/// Eight elements side by side, which are read and written at once.
typedef uint32_t Group __attribute__((vector_size(16)));
static constexpr int32_t groupElements = 8;

/// Whether all rows begin at multiples of a group, and end there.
static bool hasGroups(const TegulaRepack &matrix) {
  return matrix.column == 1 && matrix.row % groupElements == 0 &&
         matrix.columns % groupElements == 0 &&
         (uint64_t)matrix.source % sizeof(Group) == 0;
}

static void copyGroups(const TegulaRepack &matrix) {
  constexpr int32_t atOnce = 4;
  int32_t thread = __nvvm_read_ptx_sreg_tid_x(),
          threads = __nvvm_read_ptx_sreg_ntid_x();
  int32_t groups = matrix.columns / groupElements;
  for (int32_t i = __nvvm_read_ptx_sreg_ctaid_x(); i < matrix.rows;
       i += __nvvm_read_ptx_sreg_nctaid_x()) {
    auto *from = (const Group *)(matrix.source + i * matrix.row);
    auto *to = (Group *)(matrix.target + i * matrix.pitch);
    for (int32_t first = thread; first < groups; first += atOnce * threads) {
      Group elements[atOnce];
#pragma unroll
      for (int32_t j = 0; j < atOnce; ++j)
        if (first + j * threads < groups)
          elements[j] = from[first + j * threads];
#pragma unroll
      for (int32_t j = 0; j < atOnce; ++j)
        if (first + j * threads < groups)
          to[first + j * threads] = elements[j];
    }
  }
}

/// Several elements are read before the first is written. Neighbouring threads
/// have neighbouring elements, along rows or, where those lie side by side,
/// along columns.
extern "C" __attribute__((device_kernel)) void
tegulaRepack(TegulaRepack matrix) {
  if (hasGroups(matrix))
    return copyGroups(matrix);
  constexpr int32_t atOnce = 8;
  int32_t thread = __nvvm_read_ptx_sreg_tid_x(),
          threads = __nvvm_read_ptx_sreg_ntid_x();
  bool isAlong = matrix.column == 1 || matrix.row != 1;
  int32_t outer = isAlong ? matrix.rows : matrix.columns;
  int32_t inner = isAlong ? matrix.columns : matrix.rows;
  int64_t outerFrom = isAlong ? matrix.row : matrix.column;
  int64_t innerFrom = isAlong ? matrix.column : matrix.row;
  int64_t outerTo = isAlong ? matrix.pitch : 1;
  int64_t innerTo = isAlong ? 1 : matrix.pitch;
  for (int32_t i = __nvvm_read_ptx_sreg_ctaid_x(); i < outer;
       i += __nvvm_read_ptx_sreg_nctaid_x()) {
    const uint16_t *from = matrix.source + i * outerFrom;
    uint16_t *to = matrix.target + i * outerTo;
    for (int32_t first = thread; first < inner; first += atOnce * threads) {
      uint16_t elements[atOnce];
#pragma unroll
      for (int32_t j = 0; j < atOnce; ++j)
        if (first + j * threads < inner)
          elements[j] = from[(first + j * threads) * innerFrom];
#pragma unroll
      for (int32_t j = 0; j < atOnce; ++j)
        if (first + j * threads < inner)
          to[(first + j * threads) * innerTo] = elements[j];
    }
  }
}
