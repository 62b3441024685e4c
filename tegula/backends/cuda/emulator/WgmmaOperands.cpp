// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of matmuls in shared memory.

#include "tegula/backends/cuda/emulator/Emulation.h"
#include "tegula/backends/cuda/emulator/OperandElements.h"
#include "tegula/backends/cuda/emulator/WgmmaQueue.h"
#include <cstring>

using namespace tegula;
using namespace tegula::emulator;

namespace {

/// What the bits say that describe an operand.
struct OperandDescriptor {
  uint32_t start;
  /// From boxes of 64 elements side by side to the next, and from eight rows to
  /// the next.
  uint32_t box, rows;
  uint32_t mode, shift;

  explicit OperandDescriptor(uint64_t bits)
      : start(take(bits, 0)), box(take(bits, 16)), rows(take(bits, 32)),
        mode(bits >> 62), shift(bits >> 49 & 7) {}

private:
  static uint32_t take(uint64_t bits, int from) {
    return static_cast<uint32_t>(bits >> from & 0x3fff) << 4;
  }
};

} // namespace

static constexpr int32_t pattern = 8, patternBytes = 1024, rowBytes = 128,
                         boxElements = 64;

/// Calls `visit` with the bytes that an operand of so many rows or columns has:
/// whole rows of 128 bytes.
template <typename Visit>
static void forEachPart(OperandDescriptor operand, bool isAcross,
                        int32_t length, int32_t depth, Visit visit) {
  int32_t outer = isAcross ? (length + boxElements - 1) / boxElements : 1;
  int32_t inner = isAcross ? depth / pattern : length / pattern;
  for (int32_t i = 0; i < outer; ++i) {
    uint32_t begin = operand.start / rowBytes * rowBytes + i * operand.box;
    visit(Bytes{begin, begin + (inner - 1) * operand.rows + patternBytes});
  }
}

/// Fails if the thread does not know that the operand is there.
void WgmmaQueue::checkOperand(int32_t thread, const Step &step, uint64_t bits,
                              bool isAcross, int32_t length) {
  OperandDescriptor operand(bits);
  std::string name =
      "the operand at byte " +
      std::to_string(int64_t(operand.start) - SharedMemory::kept);
  if (operand.mode != 1 || operand.shift != 0)
    getEmulation().fail(name + " is not in rows of 128 bytes whose pieces are "
                               "exchanged");
  if (operand.start & (patternBytes - rowBytes))
    getEmulation().fail(name + " is not at a multiple of 1024");
  forEachPart(operand, isAcross, length, step.words.getDepth(),
              [&](Bytes bytes) {
                if (!block->memory.has(bytes.begin, bytes.end - bytes.begin))
                  getEmulation().fail(name + " is not all in shared memory");
                block->checkRead(thread, bytes, "a matmul");
                // From the first thread on that begins it, the operand must not
                // change.
                if (step.begun == 0)
                  block->accesses.add({Access::Kind::Matmul, bytes, firstThread,
                                       0, 0, step.end});
              });
}

void WgmmaQueue::checkOperands(int32_t thread, Step &step) {
  const WgmmaInstruction &words = step.words;
  if (!words.isLeftInRegisters)
    checkOperand(thread, step, words.left, words.isLeftTransposed, rows);
  checkOperand(thread, step, words.right, words.isRightAcross, words.columns);
}

/// Its elements, those of one row of the left or of one column of the
/// rhs after each other.
template <typename Scalar>
std::vector<Scalar> WgmmaQueue::readOperand(const WgmmaInstruction &words,
                                            uint64_t bits, bool isAcross,
                                            int32_t length) const {
  OperandDescriptor operand(bits);
  int32_t depth = words.getDepth(), bytes = getBytes(words.type);
  std::vector<Scalar> elements(size_t(length) * depth);
  for (int32_t i = 0; i < length; ++i)
    for (int32_t k = 0; k < depth; ++k) {
      int32_t outer = isAcross ? k : i;
      uint32_t offset = operand.start + outer / pattern * operand.rows +
                        outer % pattern * rowBytes;
      offset += isAcross
                    ? i / boxElements * operand.box + i % boxElements * bytes
                    : static_cast<uint32_t>(k * bytes);
      elements[i * depth + k] =
          readElement<Scalar>(words.type, block->memory.at(swizzle(offset)));
    }
  return elements;
}

/// Adds the terms to the accumulators of the step's chain.
template <typename Scalar>
void WgmmaQueue::add(Step &step, const std::vector<Scalar> &left) const {
  const WgmmaInstruction &words = step.words;
  int32_t depth = words.getDepth();
  std::vector<Scalar> right = readOperand<Scalar>(
      words, words.right, words.isRightAcross, words.columns);
  // So that columns are contiguous.
  std::vector<Scalar> transposed(right.size()), sums(words.columns);
  for (int32_t j = 0; j < words.columns; ++j)
    for (int32_t k = 0; k < depth; ++k)
      transposed[k * words.columns + j] = right[j * depth + k];
  size_t rowBytes = words.columns * sizeof(Scalar);
  for (int32_t i = 0; i < rows; ++i) {
    uint32_t *bits = step.chain->sums.data() + size_t(i) * words.columns;
    std::memcpy(sums.data(), bits, rowBytes);
    for (int32_t k = 0; k < depth; ++k) {
      Scalar operand = left[i * depth + k];
      const Scalar *others = transposed.data() + size_t(k) * words.columns;
      for (int32_t j = 0; j < words.columns; ++j)
        sums[j] += operand * others[j];
    }
    std::memcpy(bits, sums.data(), rowBytes);
  }
}

void WgmmaQueue::compute(Step &step) const {
  const WgmmaInstruction &words = step.words;
  if (hasIntegerSums(words.type))
    add(step,
        readOperand<uint32_t>(words, words.left, words.isLeftTransposed, rows));
  else
    add(step, words.isLeftInRegisters
                  ? step.left
                  : readOperand<float>(words, words.left,
                                       words.isLeftTransposed, rows));
}
