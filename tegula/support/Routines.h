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

/// ROUTINE(NAME, SCOPE, COST) for each routine of the run-time library. SCOPE
/// says what GPUs have of it, a RoutineScope. COST is what it takes besides the
/// call for each element of the rows that it traverses, in quarters of an
/// instruction; 0 if it traverses none.
#define TEGULA_ROUTINES(ROUTINE)                                               \
  ROUTINE(tegulaScratchPush, Thread, 0)                                        \
  ROUTINE(tegulaScratchPop, Thread, 0)                                         \
  ROUTINE(tegulaScratchAllocate, Thread, 0)                                    \
  ROUTINE(tegulaReportError, Thread, 0)                                        \
  ROUTINE(tegulaLockReduction, Block, 0)                                       \
  ROUTINE(tegulaUnlockReduction, Block, 0)                                     \
  ROUTINE(tegulaPackTile, Block, 0)                                            \
  ROUTINE(tegulaUnpackTile, Block, 0)                                          \
  ROUTINE(tegulaCopyRows, Block, 4)                                            \
  ROUTINE(tegulaLoadHalfBytes, Block, 0)                                       \
  ROUTINE(tegulaStoreHalfBytes, Block, 0)                                      \
  ROUTINE(tegulaWriteHalfByte, Block, 0)                                       \
  ROUTINE(tegulaReshapeView, Block, 0)                                         \
  ROUTINE(tegulaSortRuns, Block, 24)                                           \
  ROUTINE(tegulaMergeRuns, Block, 40)                                          \
  ROUTINE(tegulaPickRows, Block, 6)                                            \
  ROUTINE(tegulaPrint, Block, 0)                                               \
  ROUTINE(tegulaArgReduce, Grid, 1)                                            \
  ROUTINE(tegulaSortRows, Grid, 24)                                            \
  ROUTINE(tegulaScanRows, Grid, 2)                                             \
  ROUTINE(tegulaPutRows, Grid, 6)                                              \
  ROUTINE(tegulaAddRows, Grid, 8)                                              \
  ROUTINE(tegulaTransposeRows, Host, 4)                                        \
  ROUTINE(tegulaPoison, Host, 0)                                               \
  ROUTINE(tegulaCountThreads, Host, 0)                                         \
  ROUTINE(tegulaParallelFor, Host, 0)                                          \
  ROUTINE(tegulaGpuRun, Host, 0)                                               \
  ROUTINE(tegulaStandaloneCall, Host, 0)                                       \
  ROUTINE(tegulaStandaloneCallOn, Host, 0)                                     \
  ROUTINE(tegulaRank, Ranks, 0)                                                \
  ROUTINE(tegulaRankCount, Ranks, 0)                                           \
  ROUTINE(tegulaWindowAllocate, Ranks, 0)                                      \
  ROUTINE(tegulaSharedAllocate, Ranks, 0)                                      \
  ROUTINE(tegulaPeerBegin, Ranks, 0)                                           \
  ROUTINE(tegulaPeerEnd, Ranks, 0)                                             \
  ROUTINE(tegulaNotify, Ranks, 0)                                              \
  ROUTINE(tegulaWait, Ranks, 0)                                                \
  ROUTINE(tegulaMeet, Ranks, 0)                                                \
  ROUTINE(tegulaDispatchBegin, Ranks, 0)                                       \
  ROUTINE(tegulaDispatchEnd, Ranks, 0)                                         \
  ROUTINE(tegulaCallback, Ranks, 0)                                            \
  ROUTINE(tegulaHostEnd, Ranks, 0)

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

/// ROUTINE(NAME) for each routine that only code of an emulated GPU calls.
#define TEGULA_EMULATOR_ROUTINES(ROUTINE)                                      \
  ROUTINE(tegulaGpuInstruction)                                                \
  ROUTINE(tegulaGpuSharedLoad)                                                 \
  ROUTINE(tegulaGpuSharedStore)

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

#define ROUTINE(NAME, SCOPE, COST)                                             \
  inline constexpr llvm::StringLiteral NAME = #NAME;
TEGULA_ROUTINES(ROUTINE)
#undef ROUTINE
#define ROUTINE(NAME) inline constexpr llvm::StringLiteral NAME = #NAME;
TEGULA_DEVICE_ROUTINES(ROUTINE)
TEGULA_EMULATOR_ROUTINES(ROUTINE)
#undef ROUTINE

} // namespace routine

/// The scope of the routine of the run-time library that is called so; nothing
/// if there is none.
inline std::optional<RoutineScope> findScope(llvm::StringRef name) {
#define ROUTINE(NAME, SCOPE, COST)                                             \
  if (name == routine::NAME)                                                   \
    return RoutineScope::SCOPE;
  TEGULA_ROUTINES(ROUTINE)
#undef ROUTINE
  return std::nullopt;
}

/// What the routine that is called so takes for each element of its rows, in
/// quarters of an instruction; 0 if it traverses no rows, or there is none.
inline int64_t getElementCost(llvm::StringRef name) {
#define ROUTINE(NAME, SCOPE, COST)                                             \
  if (name == routine::NAME)                                                   \
    return COST;
  TEGULA_ROUTINES(ROUTINE)
#undef ROUTINE
  return 0;
}

/// What a routine is called on GPUs; of scope Grid, where all blocks share it,
/// with the suffix.
inline std::string getDeviceName(llvm::StringRef name) {
  return "tegulaGpu" + name.drop_front(llvm::StringRef("tegula").size()).str();
}
inline constexpr llvm::StringLiteral byAllSuffix = "ByAll";

} // namespace tegula

#endif // TEGULA_SUPPORT_ROUTINES_H
