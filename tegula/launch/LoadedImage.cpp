// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/LoadedImage.h"

using namespace tegula;

Problem LoadedImage::trace(llvm::ArrayRef<Argument>, llvm::ArrayRef<int64_t>,
                           std::unique_ptr<TracedCall> &) {
  return Problem(Problem::Kind::Run,
                 "the kernel is not compiled for a simulated machine");
}
