// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls on chips that have tuned code for them.

#include "tegula/launch/gpu/CudaKernel.h"
#include "tegula/launch/gpu/CudaLaunch.h"
#include "tegula/launch/gpu/CudaScratch.h"
#include "tegula/launch/gpu/abi/MatmulAbi.h"
#include "tegula/launch/gpu/abi/TileAbi.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::cuda;

/// What copies make of elements: FP32 is rounded to TF32, others stay as they
/// are.
static int getMapType(GpuOperandType type) {
  constexpr int types[] = {
#define ROW(NAME, KIND, DTYPE, PTX, MAP, ...) MAP,
      TEGULA_GPU_OPERAND_TYPES(ROW)
#undef ROW
  };
  return types[static_cast<size_t>(type)];
}

/// The box of an operand that is copied at once: 128 bytes of rows, which lie
/// side by side.
static Result encode(const Driver &driver, const GpuMatrix &matrix, int type,
                     uint32_t boxRows, TegulaTensorMap &map) {
  uint64_t sizes[] = {uint64_t(matrix.columns), uint64_t(matrix.rows)};
  uint64_t pitches[] = {uint64_t(matrix.row * matrix.bytes)};
  auto depth = tegulaMatmulDepth(static_cast<int32_t>(matrix.bytes));
  uint32_t box[] = {uint32_t(depth), boxRows}, steps[] = {1, 1};
  // More than a line at a time is no gain where rows begin in its middle.
  int promotion =
      matrix.hasQuickBoxes() ? promoteTo256Bytes : promoteTo128Bytes;
  return driver.encodeMap(
      &map, type, 2, reinterpret_cast<void *>(matrix.address), sizes, pitches,
      box, steps, 0, swizzle128Bytes, promotion, 0);
}

/// That of the epilogue operand: whole rows of a tile, as they are.
static Result encodeEpilogueOperand(const Driver &driver,
                                    const GpuMatrix &matrix,
                                    const GpuMatmulSchedule &schedule,
                                    TegulaTensorMap &map) {
  uint64_t sizes[] = {uint64_t(matrix.columns), uint64_t(matrix.rows)};
  uint64_t pitches[] = {uint64_t(matrix.row * matrix.bytes)};
  auto boxRows =
      tegulaMatmulEpilogueOperandRows(schedule.columns, matrix.bytes);
  uint32_t box[] = {uint32_t(schedule.columns), uint32_t(boxRows)};
  uint32_t steps[] = {1, 1};
  int type = matrix.bytes == 2 ? mapHalves : mapWords;
  return driver.encodeMap(&map, type, 2,
                          reinterpret_cast<void *>(matrix.address), sizes,
                          pitches, box, steps, 0, 0, promoteTo128Bytes, 0);
}

/// Rows of elements of so many bytes that begin at multiples of 128 bytes.
static int64_t pitchOfCopy(const GpuMatrix &matrix, int64_t bytes) {
  int64_t line = tegulaMatmulDepth(static_cast<int32_t>(bytes));
  return (matrix.columns + line - 1) / line * line;
}

/// How a matrix is copied to memory of its own, where it then is, with elements
/// of so many bytes. Without such memory there are no rows to copy.
static TegulaTileCopy moveTo(const Scratch &memory, GpuMatrix &matrix,
                             int64_t bytes) {
  if (!memory.get())
    return {};
  TegulaTileCopy copy{matrix.address,
                      memory.get(),
                      matrix.row,
                      matrix.column,
                      pitchOfCopy(matrix, bytes),
                      static_cast<int32_t>(matrix.rows),
                      static_cast<int32_t>(matrix.columns)};
  matrix = {memory.get(), matrix.rows, matrix.columns, copy.pitch, 1, bytes};
  return copy;
}

/// Copies what has rows of two matrices.
static Result repack(const Driver &driver, const Loaded &on, Stream queue,
                     const std::string &name, TegulaTileCopy left,
                     TegulaTileCopy right) {
  if (left.rows == 0 && right.rows == 0)
    return 0;
  Function function;
  if (Result result =
          driver.moduleGetFunction(&function, on.matmuls, name.c_str()))
    return result;
  void *parameters[] = {&left, &right};
  constexpr unsigned blocksPerSM = 8;
  auto blocks = static_cast<unsigned>(on.numSMs) * blocksPerSM;
  return driver.launch(function, blocks, 1, 1, tegulaTileThreads, 1, 1, 0,
                       queue, parameters, nullptr);
}

static int sharedBytesOf(const GpuMatmulSchedule &schedule) {
  return schedule.split ? tegulaSplitShared(schedule.columns)
                        : tegulaMatmulShared(schedule.columns);
}

/// Launches blocks for so many tiles, as many as there are SMs or
/// clusters of them for all.
static Launch describeLaunch(const Loaded &on, Function function,
                             const GpuMatmulSchedule &schedule, int64_t tiles,
                             Stream queue) {
  auto shared = static_cast<unsigned>(sharedBytesOf(schedule));
  int64_t together = schedule.split ? schedule.split : schedule.cluster;
  int64_t blocks = schedule.split
                       ? tiles * schedule.split
                       : std::min(tiles, on.numSMs / together * together);
  auto count = static_cast<unsigned>(blocks);
  unsigned threads = schedule.split ? tegulaSplitThreads : tegulaMatmulThreads;
  bool hasClusters = schedule.split || schedule.cluster > 1;
  return {function,
          count,
          threads,
          shared,
          queue,
          on.overlaps,
          hasClusters ? static_cast<unsigned>(together) : 0};
}

/// Rows beyond the last one are left out where that is all of the tile.
static int32_t boxRowsOf(const GpuMatmulCall &call,
                         const GpuMatmulSchedule &schedule) {
  int32_t rows = schedule.split ? tegulaSplitRows : tegulaMatmulRows;
  return schedule.split && call.left.rows < rows
             ? static_cast<int32_t>(call.left.rows)
             : rows;
}

static uint32_t rightBoxOf(const GpuMatmulCall &call,
                           const GpuMatmulSchedule &schedule, int64_t bytes) {
  return static_cast<uint32_t>(
      call.isAcross(schedule.split != 0)
          ? tegulaMatmulDepth(static_cast<int32_t>(bytes))
          : schedule.columns / schedule.cluster);
}

/// What the kernel is told besides where matrices are.
static void describe(const GpuMatmulCall &call, const GpuRowCall &rows,
                     const GpuMatmulSchedule &schedule, TegulaMatmul &numbers) {
  numbers.rows = static_cast<int32_t>(call.left.rows);
  numbers.columns = static_cast<int32_t>(call.right.columns);
  numbers.inner = static_cast<int32_t>(call.left.columns);
  numbers.arePairs = rows.isAligned(2);
  numbers.areEights = rows.isAligned(8);
  numbers.boxRows = boxRowsOf(call, schedule);
  numbers.cluster = static_cast<int32_t>(schedule.cluster);
}

/// Allocates what the matrix is copied to; true if it is not.
static bool reserveCopy(const GpuMatmulCall &call, const GpuMatrix &matrix,
                        int64_t bytes, Scratch &copy) {
  return !call.isCopied(matrix) ||
         copy.allocate(bytes * pitchOfCopy(matrix, bytes) * matrix.rows) == 0;
}

bool Kernel::multiply(const Loaded &on, const int64_t *slots, Stream queue,
                      std::string &problem) {
  if (!on.matmuls || !program.matmul)
    return false;
  const GpuMatmul &matmul = *program.matmul;
  auto at = [&](int64_t tensor) {
    return slots + program.tensors[tensor].slot;
  };
  GpuMatmulCall call(matmul, at(matmul.left), at(matmul.right));
  GpuRowCall rows(*program.rows, program.tensors, slots);
  if (!call.isPossible() || !rows.hasRows() ||
      program.numSlots > TegulaMatmul::mostSlots)
    return false;
  GpuMatmulSchedule schedule =
      call.chooseSchedule(matmul, on.numSMs, driver.launchWith != nullptr);
  GpuMatrix leftRows = call.left,
            rightRows = call.getRightRows(schedule.split != 0);
  Scratch leftCopy(driver, queue), rightCopy(driver, queue);
  int64_t bytes = getBytes(call.getType());
  // The fallback needs no copies.
  if (!reserveCopy(call, leftRows, bytes, leftCopy) ||
      !reserveCopy(call, rightRows, bytes, rightCopy))
    return false;
  TegulaTileCopy copyOfLeft = moveTo(leftCopy, leftRows, bytes),
                 copyOfRight = moveTo(rightCopy, rightRows, bytes);
  TegulaTensorMap left, right, epilogueOperand{};
  TegulaMatmul numbers;
  describe(call, rows, schedule, numbers);
  GpuMatrix epilogueOperandRows{};
  bool isCopied =
      matmul.epilogueOperand >= 0 && !schedule.split && !schedule.isPingPong;
  if (isCopied) {
    epilogueOperandRows =
        matrixAt(at(matmul.epilogueOperand),
                 program.tensors[matmul.epilogueOperand].elementBits / 8);
    numbers.areEights &= epilogueOperandRows.hasBoxes();
  }
  std::copy(slots, slots + program.numSlots, numbers.slots);
  Function function;
  void *parameters[] = {&left, &right, &numbers, &epilogueOperand};
  auto leftBox = static_cast<uint32_t>(numbers.boxRows);
  uint32_t rightBox = rightBoxOf(call, schedule, bytes);
  // Who fails has said why.
  int type = getMapType(call.getType());
  (void)(check(repack(driver, on, queue, matmul.getRepack(), copyOfLeft,
                      copyOfRight),
               "copy operands", problem) &&
         check(encode(driver, leftRows, type, leftBox, left),
               "describe an operand", problem) &&
         check(encode(driver, rightRows, type, rightBox, right),
               "describe an operand", problem) &&
         (!isCopied || !numbers.areEights ||
          check(encodeEpilogueOperand(driver, epilogueOperandRows, schedule,
                                      epilogueOperand),
                "describe a tensor", problem)) &&
         find(
             on, call.getNumber(schedule),
             [&] { return call.getKernel(matmul, schedule); },
             sharedBytesOf(schedule), function, problem) &&
         check(describeLaunch(on, function, schedule, call.countTiles(schedule),
                              queue)
                   .run(driver, parameters),
               "launch", problem));
  return true;
}
