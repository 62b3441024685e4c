// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Producers as files: the code that emits the trace of a kernel, as a library
/// and as C, and its description.

#ifndef TEGULA_BACKENDS_NPU_NPUPRODUCER_H
#define TEGULA_BACKENDS_NPU_NPUPRODUCER_H

#include "tegula/backends/Backend.h"
#include "tegula/sim/machine/Machine.h"

namespace tegula {

/// The files of a module at the last stage, which is used up.
[[nodiscard]] Expected<ProducerFiles>
makeProducerFiles(mlir::ModuleOp module, const Signature &signature,
                  const sim::Machine &machine, llvm::StringRef libraryName);

/// The producer whose description is at `path`; its library lies next to it.
[[nodiscard]] Expected<ReadProducer> readProducerFiles(llvm::StringRef path);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_NPUPRODUCER_H
