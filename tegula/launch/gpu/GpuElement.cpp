// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/GpuElement.h"

using namespace tegula;

GpuElement tegula::getMultiplied(GpuElement element) {
  return element == GpuElement::Fp8E4M3FN || element == GpuElement::Fp8E5M2
             ? GpuElement::Fp16
             : element;
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
