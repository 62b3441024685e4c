// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/image/LoadedImage.h"

using namespace tegula;

/// What all others say.
static Problem notSimulated() {
  return Problem(Problem::Kind::Call,
                 "the kernel is not compiled for a simulated machine");
}

Problem LoadedImage::trace(llvm::ArrayRef<Argument>, llvm::ArrayRef<int64_t>,
                           const std::string &, std::unique_ptr<TracedCall> &) {
  return notSimulated();
}

Problem LoadedImage::report(ReportFormat, std::string &) {
  return notSimulated();
}
