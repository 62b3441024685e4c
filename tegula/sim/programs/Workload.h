// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Named workloads as lists of hand-written kernels: what calibration compares
/// with measured silicon. Each operation has one structure at every size, the
/// one its timed program seems to have had: passes are not fused.
///
///   gemm_MxNxK
///   gemmfp16_MxNxK           operands are converted through one staging
///                            buffer; one output buffer; tiles divide the
///                            extents, and a depth up to 2304 is not cut
///   conv_BxHxWxCxKxRxSxP     an implicit matmul; channels padded to lanes
///   softmax_RxC              row maximum; exp and sum; divide
///   layernorm_RxC            mean; variance; normalise; scale and shift
///   attention_HxLxD          scores and row maximum; exp and sum; divide and
///                            matmul with the values
///   resnet18, bert_base      networks of these at batch 1

#ifndef TEGULA_SIM_PROGRAMS_WORKLOAD_H
#define TEGULA_SIM_PROGRAMS_WORKLOAD_H

#include "tegula/sim/machine/Machine.h"
#include "tegula/sim/programs/Program.h"
#include "tegula/support/Error.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>

namespace tegula::sim {

/// Kernels that follow each other.
using Workload = std::vector<std::unique_ptr<Program>>;

/// The workload called `name`, with tiles chosen for `machine`.
[[nodiscard]] Expected<Workload> makeWorkload(llvm::StringRef name,
                                              const Machine &machine);

/// Workloads of one structure at every size.
struct WorkloadKind {
  llvm::StringLiteral name;
  /// What its extents are called, in the order of its name: M, N, K.
  std::vector<llvm::StringLiteral> symbols;
};

/// Every kind; "conv" has no padding among its extents, but takes half of the
/// window.
llvm::ArrayRef<WorkloadKind> listWorkloadKinds();

/// The workload of `kind` at `extents`, which are positive. Those that make no
/// matmul or no output, or too many to count, are errors.
[[nodiscard]] Expected<Workload> makeWorkload(const WorkloadKind &kind,
                                              llvm::ArrayRef<int64_t> extents,
                                              const Machine &machine);

/// The kernels of `workload`, as the simulator takes them.
std::vector<const TegulaTraceKernel *> getKernels(const Workload &workload);

} // namespace tegula::sim

#endif // TEGULA_SIM_PROGRAMS_WORKLOAD_H
