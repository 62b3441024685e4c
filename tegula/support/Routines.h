// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The routines that generated code calls: one table of their names for those
/// that emit calls and those that have the code. What each does is said where
/// it is declared: KernelAbi.h, RanksAbi.h, PrintAbi.h, GpuAbi.h,
/// DeviceThread.h.

#ifndef TEGULA_SUPPORT_ROUTINES_H
#define TEGULA_SUPPORT_ROUTINES_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

/// ROUTINE(NAME, SCOPE) for each routine of the run-time library. SCOPE says
/// what GPUs have of it, a RoutineScope.
#define TEGULA_ROUTINES(ROUTINE)                                               \
  ROUTINE(tegulaScratchPush, Thread)                                           \
  ROUTINE(tegulaScratchPop, Thread)                                            \
  ROUTINE(tegulaScratchAllocate, Thread)                                       \
  ROUTINE(tegulaReportError, Thread)                                           \
  ROUTINE(tegulaLockReduction, Block)                                          \
  ROUTINE(tegulaUnlockReduction, Block)                                        \
  ROUTINE(tegulaPackTile, Block)                                               \
  ROUTINE(tegulaUnpackTile, Block)                                             \
  ROUTINE(tegulaCopyRows, Block)                                               \
  ROUTINE(tegulaLoadHalfBytes, Block)                                          \
  ROUTINE(tegulaStoreHalfBytes, Block)                                         \
  ROUTINE(tegulaWriteHalfByte, Block)                                          \
  ROUTINE(tegulaReshapeView, Block)                                            \
  ROUTINE(tegulaSortRuns, Block)                                               \
  ROUTINE(tegulaMergeRuns, Block)                                              \
  ROUTINE(tegulaPickRows, Block)                                               \
  ROUTINE(tegulaPrint, Block)                                                  \
  ROUTINE(tegulaArgReduce, Grid)                                               \
  ROUTINE(tegulaSortRows, Grid)                                                \
  ROUTINE(tegulaScanRows, Grid)                                                \
  ROUTINE(tegulaPutRows, Grid)                                                 \
  ROUTINE(tegulaAddRows, Grid)                                                 \
  ROUTINE(tegulaTransposeRows, Host)                                           \
  ROUTINE(tegulaPoison, Host)                                                  \
  ROUTINE(tegulaCountThreads, Host)                                            \
  ROUTINE(tegulaParallelFor, Host)                                             \
  ROUTINE(tegulaGpuRun, Host)                                                  \
  ROUTINE(tegulaStandaloneCall, Host)                                          \
  ROUTINE(tegulaStandaloneCallOn, Host)                                        \
  ROUTINE(tegulaRank, Ranks)                                                   \
  ROUTINE(tegulaRankCount, Ranks)                                              \
  ROUTINE(tegulaWindowAllocate, Ranks)                                         \
  ROUTINE(tegulaSharedAllocate, Ranks)                                         \
  ROUTINE(tegulaPeerBegin, Ranks)                                              \
  ROUTINE(tegulaPeerEnd, Ranks)                                                \
  ROUTINE(tegulaNotify, Ranks)                                                 \
  ROUTINE(tegulaWait, Ranks)                                                   \
  ROUTINE(tegulaMeet, Ranks)                                                   \
  ROUTINE(tegulaDispatchBegin, Ranks)                                          \
  ROUTINE(tegulaDispatchEnd, Ranks)                                            \
  ROUTINE(tegulaCallback, Ranks)                                               \
  ROUTINE(tegulaHostEnd, Ranks)

/// ROUTINE(NAME) for each routine that only code of a GPU calls.
#define TEGULA_DEVICE_ROUTINES(ROUTINE)                                        \
  ROUTINE(tegulaGpuThread)                                                     \
  ROUTINE(tegulaGpuNumThreads)                                                 \
  ROUTINE(tegulaGpuNumThreadsOfLaunch)                                         \
  ROUTINE(tegulaGpuBlock)                                                      \
  ROUTINE(tegulaGpuNumBlocks)                                                  \
  ROUTINE(tegulaGpuNumSMs)                                                     \
  ROUTINE(tegulaGpuAwaitEarlier)                                               \
  ROUTINE(tegulaGpuPrefetch)                                                   \
  ROUTINE(tegulaGpuPrefetchBulk)                                               \
  ROUTINE(tegulaGpuBarrier)                                                    \
  ROUTINE(tegulaGpuRowBarrier)                                                 \
  ROUTINE(tegulaGpuGridBarrier)                                                \
  ROUTINE(tegulaGpuExchange)                                                   \
  ROUTINE(tegulaGpuShared)                                                     \
  ROUTINE(tegulaGpuPartials)                                                   \
  ROUTINE(tegulaGpuFewPartials)                                                \
  ROUTINE(tegulaGpuFoundError)                                                 \
  ROUTINE(tegulaGpuFoundErrorByAll)

namespace tegula {

/// Who runs a routine in a kernel on a GPU.
enum class RoutineScope : uint8_t {
  /// Nobody: kernels there do not call it.
  Host,
  /// Nobody: no GPU is a rank.
  Ranks,
  /// Every thread for itself; it touches no memory that others do.
  Thread,
  /// The threads of one block together.
  Block,
  /// The same, or those of all blocks, where all of them are.
  Grid
};

/// A constant with the name of each routine, and called so.
namespace routine {

#define ROUTINE(NAME, SCOPE) inline constexpr llvm::StringLiteral NAME = #NAME;
TEGULA_ROUTINES(ROUTINE)
#undef ROUTINE
#define ROUTINE(NAME) inline constexpr llvm::StringLiteral NAME = #NAME;
TEGULA_DEVICE_ROUTINES(ROUTINE)
#undef ROUTINE

} // namespace routine

/// The scope of the routine of the run-time library that is called so; nothing
/// if there is none.
inline std::optional<RoutineScope> findScope(llvm::StringRef name) {
#define ROUTINE(NAME, SCOPE)                                                   \
  if (name == routine::NAME)                                                   \
    return RoutineScope::SCOPE;
  TEGULA_ROUTINES(ROUTINE)
#undef ROUTINE
  return std::nullopt;
}

/// What a routine is called on GPUs; of scope Grid, where all blocks share it,
/// with the suffix.
inline std::string getDeviceName(llvm::StringRef name) {
  return "tegulaGpu" + name.drop_front(llvm::StringRef("tegula").size()).str();
}
inline constexpr llvm::StringLiteral byAllSuffix = "ByAll";

} // namespace tegula

#endif // TEGULA_SUPPORT_ROUTINES_H
