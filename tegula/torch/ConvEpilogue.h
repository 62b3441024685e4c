// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What comes after a convolution and is computed with it, while its result is
/// at hand: a batch norm, the sum with another tensor, relu.

#ifndef TEGULA_TORCH_CONVEPILOGUE_H
#define TEGULA_TORCH_CONVEPILOGUE_H

#include "tegula/torch/KernelWriter.h"

namespace tegula::torch {

/// Expressions, or "None": the result is multiplied by `scale`, `shift` is
/// added, both by channel, and `other`, which is of its own shape.
struct ConvEpilogue {
  std::string scale = "None", shift = "None", other = "None";
  bool relu = false;
};

/// Takes the nodes after a convolution that are computed with it: they stand
/// for its result from then on. `bias` is an expression or empty.
ConvEpilogue takeEpilogue(KernelWriter &writer, const Node &conv,
                          const std::string &bias);

} // namespace tegula::torch

#endif // TEGULA_TORCH_CONVEPILOGUE_H
