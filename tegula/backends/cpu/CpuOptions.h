// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What code generation for the CPU depends on, besides the kernel. Part of
/// the cache key: equal options and equal IR give equal code.

#ifndef TEGULA_BACKENDS_CPU_CPUOPTIONS_H
#define TEGULA_BACKENDS_CPU_CPUOPTIONS_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace tegula {

/// The register tile of a matmul: rows times vectors of columns.
struct MatmulOptions {
  unsigned rows = 8;
  unsigned vectors = 3;
};

/// Whether something is done: where the sizes of a call say so, or in any case.
enum class Decision { BySize, Always, Never };

/// What the sizes of a call decide in matmuls of whole matrices, unless it is
/// decided here.
struct MatmulTuning {
  /// Whether the rhs is copied to panels, the left one to strips.
  Decision packs = Decision::BySize;
  Decision copies = Decision::BySize;
  /// Whether matmuls with few rows or columns have code of their own.
  Decision narrow = Decision::BySize;
  /// How many threads there are; 0 if that is asked at each call.
  unsigned threads = 0;
  /// Whether the processor multiplies pairs of BF16, and fours of INT8, and
  /// adds them up in one instruction.
  bool hasPairs = false;
  bool hasFours = false;
};

/// When a large kernel is taken apart, in instructions, roughly.
struct LargeKernelOptions {
  /// Functions that hold less share no statements.
  int64_t leastShared = 4000;
  /// How much a function may hold, and how much a chunk of a longer one holds.
  int64_t mostPerFunction = 4000;
  int64_t chunk = 1000;
};

/// Options of the CPU back end.
struct CpuOptions {
  /// Bits in one vector register.
  unsigned vectorBits = 256;
  /// Whether independent loops run on several threads.
  bool useThreads = true;
  /// A loop is distributed over threads if it takes at least this many
  /// instructions, counting vectors as one: some 6 microseconds.
  int64_t leastParallelWork = 1 << 15;
  /// What is stored to a tensor of at least this many bytes goes past the
  /// caches: half of what the last of them holds.
  int64_t leastStreamed = 1 << 24;
  MatmulOptions matmul;
  MatmulTuning tuning;
  LargeKernelOptions large;
  /// Whether the code tells debuggers and profilers which lines of the source
  /// it is.
  bool keepsLines = false;
  /// Whether the memory of tensors that the kernel makes is spoilt before they
  /// are written and after they are read for the last time, so that what reads
  /// it by mistake is seen to.
  bool poisonsTensors = false;
  /// Names of the processor and its features, as LLVM has them.
  std::string cpu = "x86-64-v3";
  std::string features;

  /// Options for the machine this runs on.
  static CpuOptions forHost();
  /// Options for a processor by LLVM's name, such as x86-64-v3.
  static llvm::Expected<CpuOptions> forCpu(const std::string &name);
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_CPUOPTIONS_H
