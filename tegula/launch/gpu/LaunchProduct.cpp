// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products on chips that have a form of their own for them.

#include "tegula/launch/gpu/CudaKernel.h"
#include "tegula/launch/gpu/CudaLaunch.h"
#include "tegula/launch/gpu/CudaScratch.h"
#include "tegula/launch/gpu/hopper/ProductAbi.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::cuda;

/// The box of a matrix that is copied at once: 64 elements of rows, which lie
/// side by side.
static Result encode(const Driver &driver, const GpuMatrix &matrix, bool isBf16,
                     uint32_t boxRows, TegulaProductMap &map) {
  uint64_t sizes[] = {uint64_t(matrix.columns), uint64_t(matrix.rows)};
  uint64_t pitches[] = {uint64_t(matrix.row) * 2};
  uint32_t box[] = {64, boxRows}, steps[] = {1, 1};
  // More than a line at a time is no gain where rows begin in its middle.
  int promotion =
      matrix.hasQuickBoxes() ? promoteTo256Bytes : promoteTo128Bytes;
  return driver.encodeMap(&map, isBf16 ? mapBf16 : mapFp16, 2,
                          reinterpret_cast<void *>(matrix.address), sizes,
                          pitches, box, steps, 0, swizzle128Bytes, promotion,
                          0);
}

/// Rows that begin at multiples of 128 bytes.
static int64_t pitchOfCopy(const GpuMatrix &matrix) {
  return (matrix.columns + 63) / 64 * 64;
}

/// How a matrix is copied to memory of its own, where it then is. Without such
/// memory there are no rows to copy.
static TegulaRepack moveTo(const Scratch &memory, GpuMatrix &matrix) {
  if (!memory.get())
    return {};
  TegulaRepack copy{reinterpret_cast<const uint16_t *>(matrix.address),
                    reinterpret_cast<uint16_t *>(memory.get()),
                    matrix.row,
                    matrix.column,
                    pitchOfCopy(matrix),
                    static_cast<int32_t>(matrix.rows),
                    static_cast<int32_t>(matrix.columns)};
  matrix = {memory.get(), matrix.rows, matrix.columns, copy.pitch, 1};
  return copy;
}

/// Copies what has rows of two matrices.
static Result repack(const Driver &driver, const Loaded &on, Stream queue,
                     TegulaRepack left, TegulaRepack right) {
  if (left.rows == 0 && right.rows == 0)
    return 0;
  Function function;
  if (Result result =
          driver.moduleGetFunction(&function, on.products, "tegulaRepack"))
    return result;
  void *parameters[] = {&left, &right};
  constexpr unsigned blocksPerProcessor = 8;
  auto blocks = static_cast<unsigned>(on.processors) * blocksPerProcessor;
  return driver.launch(function, blocks, 1, 1, tegulaRepackThreads, 1, 1, 0,
                       queue, parameters, nullptr);
}

static int sharedBytesOf(const GpuProductForm &form) {
  return form.split ? tegulaSplitShared(form.columns)
                    : tegulaProductShared(form.columns);
}

/// Launches blocks for so many tiles, as many as there are processors or
/// clusters of them for all.
static Launch describeLaunch(const Loaded &on, Function function,
                             const GpuProductForm &form, int64_t tiles,
                             Stream queue) {
  auto shared = static_cast<unsigned>(sharedBytesOf(form));
  int64_t together = form.split ? form.split : form.cluster;
  int64_t blocks = form.split
                       ? tiles * form.split
                       : std::min(tiles, on.processors / together * together);
  auto count = static_cast<unsigned>(blocks);
  unsigned threads = form.split ? tegulaSplitThreads : tegulaProductThreads;
  bool hasClusters = form.split || form.cluster > 1;
  return {function,
          count,
          threads,
          shared,
          queue,
          on.overlaps,
          hasClusters ? static_cast<unsigned>(together) : 0};
}

/// Rows beyond the last one are left out where that is all of the tile.
static int32_t boxRowsOf(const GpuProductCall &call,
                         const GpuProductForm &form) {
  int32_t rows = form.split ? tegulaSplitRows : tegulaProductRows;
  return form.split && call.left.rows < rows
             ? static_cast<int32_t>(call.left.rows)
             : rows;
}

/// What the kernel is told besides where the factors are.
static void describe(const GpuProductCall &call, const GpuRowCall &rows,
                     const GpuProductForm &form, TegulaProduct &numbers) {
  numbers.rows = static_cast<int32_t>(call.left.rows);
  numbers.columns = static_cast<int32_t>(call.right.columns);
  numbers.inner = static_cast<int32_t>(call.left.columns);
  numbers.arePairs = rows.isAligned(2);
  numbers.areEights = rows.isAligned(8);
  numbers.boxRows = boxRowsOf(call, form);
  numbers.cluster = static_cast<int32_t>(form.cluster);
}

bool Kernel::multiply(const Loaded &on, const int64_t *slots, Stream queue,
                      std::string &problem) {
  if (!on.products || !program.product)
    return false;
  const GpuProduct &product = *program.product;
  auto at = [&](int64_t tensor) {
    return slots + program.tensors[tensor].slot;
  };
  GpuProductCall call(product, at(product.left), at(product.right));
  GpuRowCall rows(*program.rows, program.tensors, slots);
  if (!call.isPossible() || !rows.hasRows() ||
      program.numSlots > TegulaProduct::mostSlots)
    return false;
  GpuProductForm form =
      call.chooseForm(product, on.processors, driver.launchWith != nullptr);
  GpuMatrix leftRows = call.left, rightRows = call.getRightRows();
  Scratch leftCopy(driver, queue), rightCopy(driver, queue);
  auto reserve = [&](const GpuMatrix &matrix, Scratch &copy) {
    return matrix.hasBoxes() ||
           copy.allocate(2 * pitchOfCopy(matrix) * matrix.rows) == 0;
  };
  // The plain form needs no copies.
  if (!reserve(leftRows, leftCopy) || !reserve(rightRows, rightCopy))
    return false;
  TegulaRepack copyOfLeft = moveTo(leftCopy, leftRows),
               copyOfRight = moveTo(rightCopy, rightRows);
  TegulaProductMap left, right;
  TegulaProduct numbers;
  describe(call, rows, form, numbers);
  std::copy(slots, slots + program.numSlots, numbers.slots);
  Function function;
  void *parameters[] = {&left, &right, &numbers};
  auto leftBox = static_cast<uint32_t>(numbers.boxRows);
  auto rightBox =
      static_cast<uint32_t>(call.isAcross() ? 64 : form.columns / form.cluster);
  // Who fails has said why.
  (void)(check(repack(driver, on, queue, copyOfLeft, copyOfRight),
               "copy factors", problem) &&
         check(encode(driver, leftRows, product.isBf16(), leftBox, left),
               "describe a factor", problem) &&
         check(encode(driver, rightRows, product.isBf16(), rightBox, right),
               "describe a factor", problem) &&
         find(
             on, call.getNumber(form),
             [&] { return call.getKernel(product, form); }, sharedBytesOf(form),
             function, problem) &&
         check(describeLaunch(on, function, form, call.countTiles(form), queue)
                   .run(driver, parameters),
               "launch", problem));
  return true;
}
