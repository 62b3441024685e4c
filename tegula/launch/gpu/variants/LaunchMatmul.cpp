// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls on chips that have tuned code for them.

#include "tegula/launch/gpu/CudaKernel.h"
#include "tegula/launch/gpu/abi/MatmulAbi.h"
#include "tegula/launch/gpu/driver/CudaLaunch.h"
#include "tegula/launch/gpu/variants/OperandCopy.h"

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

/// The box of an operand that is copied at once: 128 bytes of rows, which are
/// contiguous.
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

/// Takes memory for operands that are copied first, whose rows begin at
/// multiples of 128 bytes. False if there is none.
static bool takeCopies(const GpuMatmulCall &call, GpuMatrix &left,
                       OperandCopy &ofLeft, GpuMatrix &right,
                       OperandCopy &ofRight) {
  int32_t bytes = getBytes(call.getType());
  int64_t line = tegulaMatmulDepth(bytes);
  return (!call.isCopied(left) || ofLeft.take(left, bytes, line)) &&
         (!call.isCopied(right) || ofRight.take(right, bytes, line));
}

/// Copies what has rows of two matrices.
static Result repack(const Driver &driver, const Loaded &on, Stream queue,
                     const std::string &name, OperandCopy &left,
                     OperandCopy &right) {
  if (left.numbers.rows == 0 && right.numbers.rows == 0)
    return 0;
  void *parameters[] = {&left.numbers, &right.numbers};
  return launchCopy(driver, on.matmuls, name, on.numSMs, queue, parameters);
}

static int sharedBytesOf(const GpuMatmulSchedule &schedule) {
  return schedule.split ? tegulaSplitShared(schedule.columns)
                        : tegulaMatmulShared(schedule.columns);
}

/// Launches blocks for so many tiles, as many as there are SMs or
/// clusters of them for all.
static Launch describeLaunch(const Loaded &on,
                             const GpuMatmulSchedule &schedule, int64_t tiles,
                             Stream queue) {
  int64_t together = schedule.split ? schedule.split : schedule.cluster;
  int64_t blocks = schedule.split
                       ? tiles * schedule.split
                       : std::min(tiles, on.numSMs / together * together);
  Launch launch;
  launch.blocks = static_cast<unsigned>(blocks);
  launch.threads = schedule.split ? tegulaSplitThreads : tegulaMatmulThreads;
  launch.shared = static_cast<unsigned>(sharedBytesOf(schedule));
  launch.queue = queue;
  launch.overlaps = on.overlaps;
  if (schedule.split || schedule.cluster > 1)
    launch.cluster = static_cast<unsigned>(together);
  return launch;
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
                           const GpuMatmulSchedule &schedule) {
  return static_cast<uint32_t>(call.isAcross(schedule.split != 0)
                                   ? tegulaMatmulDepth(getBytes(call.getType()))
                                   : schedule.columns / schedule.cluster);
}

/// What the kernel is told besides where matrices are.
static TegulaMatmul describe(const MatmulOfCall &matmul,
                             const GpuMatmulSchedule &schedule) {
  TegulaMatmul numbers;
  matmul.describe(numbers);
  numbers.arePairs = matmul.rows.isAligned(2);
  numbers.areEights = matmul.rows.isAligned(8);
  numbers.boxRows = boxRowsOf(matmul.call, schedule);
  numbers.cluster = static_cast<int32_t>(schedule.cluster);
  return numbers;
}

/// The epilogue operand in rows, if the kernel takes a copy of it in time.
static std::optional<GpuMatrix>
findEpilogueOperand(const MatmulOfCall &matmul,
                    const GpuMatmulSchedule &schedule) {
  int64_t tensor = matmul.getMatmul().epilogueOperand;
  if (tensor < 0 || schedule.split || schedule.isPingPong)
    return std::nullopt;
  return matrixAt(matmul.at(tensor),
                  matmul.program.tensors[tensor].elementBits / 8);
}

bool Kernel::multiply(const Loaded &on, const MatmulOfCall &matmul,
                      Stream queue, std::string &problem) {
  const GpuMatmulCall &call = matmul.call;
  GpuMatmulSchedule schedule = call.chooseSchedule(
      matmul.getMatmul(), on.numSMs, driver.launchWith != nullptr);
  GpuMatrix leftRows = call.left,
            rightRows = call.getRightRows(schedule.split != 0);
  OperandCopy leftCopy(driver, queue), rightCopy(driver, queue);
  // The fallback needs no copies.
  if (!takeCopies(call, leftRows, leftCopy, rightRows, rightCopy))
    return false;
  TegulaMatmul numbers = describe(matmul, schedule);
  std::optional<GpuMatrix> operandRows = findEpilogueOperand(matmul, schedule);
  if (operandRows)
    numbers.areEights &= operandRows->hasBoxes();
  TegulaTensorMap left, right, epilogueOperand{};
  void *parameters[] = {&left, &right, &numbers, &epilogueOperand};
  int type = getMapType(call.getType());
  auto leftBox = static_cast<uint32_t>(numbers.boxRows);
  uint32_t rightBox = rightBoxOf(call, schedule);
  // Who fails has said why.
  (void)(check(repack(driver, on, queue, matmul.getMatmul().getRepack(),
                      leftCopy, rightCopy),
               "copy operands", problem) &&
         check(encode(driver, leftRows, type, leftBox, left),
               "describe an operand", problem) &&
         check(encode(driver, rightRows, type, rightBox, right),
               "describe an operand", problem) &&
         (!operandRows || !numbers.areEights ||
          check(encodeEpilogueOperand(driver, *operandRows, schedule,
                                      epilogueOperand),
                "describe a tensor", problem)) &&
         launchVariant(
             on, call.getNumber(schedule),
             [&] { return call.getKernel(matmul.getMatmul(), schedule); },
             describeLaunch(on, schedule, call.countTiles(schedule), queue),
             parameters, problem));
  return true;
}
