// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A model of torch's as a kernel to put into a library, with its parameters.

#ifndef TEGULA_RUNTIME_MODELKERNEL_H
#define TEGULA_RUNTIME_MODELKERNEL_H

#include "tegula/runtime/Export.h"
#include "tegula/torch/Model.h"

namespace tegula {

/// A kernel, and the memory that its arguments are.
struct ModelKernel {
  torch::Model model;
  ExportedKernel kernel;
};

/// Reads what torch.export.save wrote. Operations that are not known are an
/// error that names them.
[[nodiscard]] Expected<std::unique_ptr<ModelKernel>>
readModelKernel(std::unique_ptr<llvm::MemoryBuffer> file);

} // namespace tegula

#endif // TEGULA_RUNTIME_MODELKERNEL_H
