// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The factors of products in shared memory.

#include "tegula/launch/gpu/emulator/Emulation.h"
#include "tegula/launch/gpu/emulator/GroupProducts.h"
#include "tegula/launch/gpu/emulator/NarrowFloats.h"
#include <cstring>

using namespace tegula;
using namespace tegula::emulator;

namespace {

/// What the bits say that describe a factor.
struct Factor {
  uint32_t start;
  /// From boxes of 64 elements side by side to the next, and from eight rows to
  /// the next.
  uint32_t box, rows;
  uint32_t mode, shift;

  explicit Factor(uint64_t bits)
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

/// Calls `visit` with the bytes that a factor of so many rows or columns has:
/// whole rows of 128 bytes.
template <typename Visit>
static void forEachPart(Factor factor, bool isAcross, int32_t length,
                        int32_t depth, Visit visit) {
  int32_t outer = isAcross ? (length + boxElements - 1) / boxElements : 1;
  int32_t inner = isAcross ? depth / pattern : length / pattern;
  for (int32_t i = 0; i < outer; ++i) {
    uint32_t begin = factor.start / rowBytes * rowBytes + i * factor.box;
    visit(Bytes{begin, begin + (inner - 1) * factor.rows + patternBytes});
  }
}

/// Fails if the thread does not know that the factor is there.
void GroupProducts::checkFactor(int32_t thread, const Step &step, uint64_t bits,
                                bool isAcross, int32_t length) {
  Factor factor(bits);
  std::string name = "the factor at byte " +
                     std::to_string(int64_t(factor.start) - SharedMemory::kept);
  if (factor.mode != 1 || factor.shift != 0)
    getEmulation().fail(name + " is not in rows of 128 bytes whose pieces are "
                               "exchanged");
  if (factor.start & (patternBytes - rowBytes))
    getEmulation().fail(name + " is not at a multiple of 1024");
  forEachPart(factor, isAcross, length, step.words.getDepth(),
              [&](Bytes bytes) {
                if (!block->memory.has(bytes.begin, bytes.end - bytes.begin))
                  getEmulation().fail(name + " is not all in shared memory");
                block->checkRead(thread, bytes, "a product");
                // From the first thread on that begins it, the factor must not
                // change.
                if (step.begun == 0)
                  block->accesses.add({Access::Kind::Product, bytes,
                                       firstThread, 0, 0, step.end});
              });
}

void GroupProducts::checkFactors(int32_t thread, Step &step) {
  const ProductWords &words = step.words;
  if (!words.isLeftInRegisters)
    checkFactor(thread, step, words.left, words.isLeftTurned, rows);
  checkFactor(thread, step, words.right, words.isRightAcross, words.columns);
}

float emulator::takeTf32(uint32_t bits) {
  float number = floatOf(bits);
  if (bits & tf32Rest && !std::isnan(number))
    getEmulation().fail("a factor of TF32 was not rounded to it");
  return number;
}

/// The number that an element is.
template <typename Number>
static Number read(ProductElement element, const char *place);

template <> float read(ProductElement element, const char *place) {
  if (element == ProductElement::Tf32) {
    uint32_t bits;
    std::memcpy(&bits, place, sizeof(bits));
    return takeTf32(bits);
  }
  if (element == ProductElement::E4M3FN)
    return fromE4M3FN(static_cast<uint8_t>(*place));
  if (element == ProductElement::E5M2)
    return fromE5M2(static_cast<uint8_t>(*place));
  uint16_t bits;
  std::memcpy(&bits, place, sizeof(bits));
  return element == ProductElement::Bf16 ? fromBf16(bits) : fromFp16(bits);
}

/// Integers go round where there are no more.
template <> uint32_t read(ProductElement element, const char *place) {
  auto byte = static_cast<uint8_t>(*place);
  return element == ProductElement::Int8
             ? static_cast<uint32_t>(static_cast<int8_t>(byte))
             : byte;
}

/// Its elements, those of one row of the left or of one column of the right
/// factor after each other.
template <typename Number>
std::vector<Number> GroupProducts::readFactor(const ProductWords &words,
                                              uint64_t bits, bool isAcross,
                                              int32_t length) const {
  Factor factor(bits);
  int32_t depth = words.getDepth(), bytes = words.getElementBytes();
  std::vector<Number> elements(size_t(length) * depth);
  for (int32_t i = 0; i < length; ++i)
    for (int32_t k = 0; k < depth; ++k) {
      int32_t outer = isAcross ? k : i;
      uint32_t offset = factor.start + outer / pattern * factor.rows +
                        outer % pattern * rowBytes;
      offset += isAcross
                    ? i / boxElements * factor.box + i % boxElements * bytes
                    : static_cast<uint32_t>(k * bytes);
      elements[i * depth + k] =
          read<Number>(words.element, block->memory.at(swizzle(offset)));
    }
  return elements;
}

/// Adds products to the sums of the step's chain.
template <typename Number>
void GroupProducts::add(Step &step, const std::vector<Number> &left) const {
  const ProductWords &words = step.words;
  int32_t depth = words.getDepth();
  std::vector<Number> right = readFactor<Number>(
      words, words.right, words.isRightAcross, words.columns);
  // So that columns lie side by side.
  std::vector<Number> turned(right.size()), sums(words.columns);
  for (int32_t j = 0; j < words.columns; ++j)
    for (int32_t k = 0; k < depth; ++k)
      turned[k * words.columns + j] = right[j * depth + k];
  size_t rowBytes = words.columns * sizeof(Number);
  for (int32_t i = 0; i < rows; ++i) {
    uint32_t *bits = step.chain->sums.data() + size_t(i) * words.columns;
    std::memcpy(sums.data(), bits, rowBytes);
    for (int32_t k = 0; k < depth; ++k) {
      Number factor = left[i * depth + k];
      const Number *others = turned.data() + size_t(k) * words.columns;
      for (int32_t j = 0; j < words.columns; ++j)
        sums[j] += factor * others[j];
    }
    std::memcpy(bits, sums.data(), rowBytes);
  }
}

void GroupProducts::compute(Step &step) const {
  const ProductWords &words = step.words;
  if (words.hasIntegers())
    add(step,
        readFactor<uint32_t>(words, words.left, words.isLeftTurned, rows));
  else
    add(step,
        words.isLeftInRegisters
            ? step.left
            : readFactor<float>(words, words.left, words.isLeftTurned, rows));
}
