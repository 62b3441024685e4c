// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/variants/MatmulElement.h"

using namespace tegula;

GpuElement tegula::getElement(const RowMatmul &matmul) {
  DType dtype = *pl::getDType(pl::getElementOrSelf(matmul.left.getType()));
  if (matmul.precision)
    if (std::optional<GpuElement> element =
            findElement(dtype, pl::stringifyPrecision(*matmul.precision)))
      return *element;
  return *findElement(dtype, "");
}
