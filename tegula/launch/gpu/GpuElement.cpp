// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/GpuElement.h"

using namespace tegula;

GpuElement tegula::getMultiplied(GpuElement element) {
  return element == GpuElement::Fp8E4M3FN || element == GpuElement::Fp8E5M2
             ? GpuElement::Fp16
             : element;
}

GpuElement tegula::getElementOfTiles(GpuElement element) {
  switch (element) {
  case GpuElement::TensorE4M3FN:
    return GpuElement::Fp8E4M3FN;
  case GpuElement::TensorE5M2:
    return GpuElement::Fp8E5M2;
  default:
    return element;
  }
}

int64_t tegula::getElementBytes(GpuElement element) {
  switch (element) {
  case GpuElement::Bf16:
  case GpuElement::Fp16:
    return 2;
  case GpuElement::Fp32:
  case GpuElement::Tf32:
    return 4;
  default:
    return 1;
  }
}
