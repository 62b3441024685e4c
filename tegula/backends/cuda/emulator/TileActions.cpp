// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/TileActions.h"

#include "tegula/backends/cuda/emulator/Emulation.h"
#include "tegula/backends/cuda/emulator/OperandElements.h"
#include <cstring>

using namespace tegula;
using namespace tegula::emulator;

static HopperBlock &block() { return getEmulation().getHopper(); }
static int32_t self() { return getEmulation().getThread().number; }

[[noreturn]] static void refuse(const PtxInstruction &instruction) {
  getEmulation().fail("the emulator does not know the instruction " +
                      instruction.mnemonic);
}

/// `[to], [from], size`, and how many bytes are not zero.
void emulator::copyAsync(PtxCall &call, const PtxInstruction &instruction) {
  const std::vector<PtxOperand> &operands = instruction.operands;
  uint32_t size = call.getWord(operands[2]);
  uint32_t given = operands.size() > 3 ? call.getWord(operands[3]) : size;
  uint32_t offset = call.getOffset(operands[0], size);
  uint64_t from = call.get(operands[1]);
  if (given > size || offset % size != 0 || (given && from % size != 0))
    getEmulation().fail("a chunk of " + std::to_string(size) +
                        " bytes is not copied from and to multiples of that");
  block().checkWrite(self(), {offset, offset + size}, "an asynchronous copy");
  block().threadCopies.copy(self(), offset,
                            reinterpret_cast<const char *>(from), size, given);
}

void emulator::commitAsyncGroup(PtxCall &, const PtxInstruction &) {
  block().threadCopies.endGroup(self());
}

void emulator::waitAsyncGroup(PtxCall &call,
                              const PtxInstruction &instruction) {
  for (Bytes bytes : block().threadCopies.finish(
           self(), call.getWord(instruction.operands[0])))
    block().words.store(self(), bytes);
}

/// Lane 8 i + j has the address of row j of matrix i. A lane gets two elements
/// of a row, or of a column.
void emulator::loadMatrices(PtxCall &call, const PtxInstruction &instruction) {
  constexpr int64_t rowBytes = 16;
  const std::vector<PtxOperand> &results = instruction.operands[0].parts;
  if (results.size() != 4 || !instruction.has("m8n8"))
    refuse(instruction);
  uint32_t own = call.getOffset(instruction.operands[1], rowBytes);
  if (own % rowBytes != 0)
    getEmulation().fail("a row of a matrix is not at a multiple of 16 bytes");
  block().load(self(), {own, static_cast<uint32_t>(own + rowBytes)});
  const WarpExchange::Words *all = block().warps.exchange(self(), {own});
  int32_t lane = self() % WarpExchange::lanes;
  bool isTransposed = instruction.has("trans");
  for (int32_t i = 0; i < 4; ++i) {
    uint32_t word = 0;
    for (int32_t j = 0; j < 2; ++j) {
      int32_t row = isTransposed ? lane % 4 * 2 + j : lane / 4;
      int32_t column = isTransposed ? lane / 4 : lane % 4 * 2 + j;
      uint16_t element;
      std::memcpy(&element, block().memory.at(all[8 * i + row][0] + 2 * column),
                  sizeof(element));
      word |= uint32_t(element) << 16 * j;
    }
    call.set(results[i], word);
  }
}

namespace {

/// The fragments of a warp: words of all lanes, four of the left one and two of
/// the right one. A word has a row's elements side by side.
struct WarpFragments {
  const WarpExchange::Words *words;
  /// Elements of a word.
  int32_t each;

  /// The word that has an element of a row of an operand, from a word on.
  uint32_t getWord(int32_t row, int32_t position, int32_t first,
                   int32_t apart) const {
    int32_t half = position / (4 * each), lane = position % (4 * each) / each;
    return words[row % 8 * 4 + lane][first + half * apart];
  }
  uint32_t getLeft(int32_t row, int32_t position) const {
    return getWord(row, position, row / 8, 2);
  }
  uint32_t getRight(int32_t column, int32_t position) const {
    return getWord(column, position, 4, 1);
  }
};

} // namespace

/// The accumulator of an element of the result, and so many terms more.
template <typename Scalar>
static uint32_t addTerms(const WarpFragments &fragments, GpuOperandType type,
                         int32_t row, int32_t column, uint32_t before) {
  auto take = [&](uint32_t word, int32_t position) {
    return readElement<Scalar>(type,
                               reinterpret_cast<const char *>(&word) +
                                   position % fragments.each * getBytes(type));
  };
  Scalar sum;
  std::memcpy(&sum, &before, sizeof(sum));
  for (int32_t k = 0; k < 8 * fragments.each; ++k)
    sum += take(fragments.getLeft(row, k), k) *
           take(fragments.getRight(column, k), k);
  uint32_t bits;
  std::memcpy(&bits, &sum, sizeof(bits));
  return bits;
}

#define WORDS_Half(NAME, PTX) {TEGULA_MMA_Half(PTX), GpuOperandType::NAME},
#define WORDS_Word(NAME, PTX) {TEGULA_MMA_Word(PTX), GpuOperandType::NAME},
#define WORDS_Integer(NAME, PTX)                                               \
  {TEGULA_MMA_Integer(PTX), GpuOperandType::NAME},
// Chips since sm_80 do not multiply these.
#define WORDS_Float8(NAME, PTX)
#define WORDS_Ordinary(NAME, PTX)

/// What an instruction says it multiplies.
static GpuOperandType findType(const PtxInstruction &instruction) {
  static constexpr struct {
    const char *words;
    GpuOperandType type;
  } types[] = {
#define ROW(NAME, KIND, DTYPE, PTX, ...) WORDS_##KIND(NAME, PTX)
      TEGULA_GPU_OPERAND_TYPES(ROW)
#undef ROW
  };
  for (const auto &[words, type] : types)
    if (instruction.mnemonic == std::string("mma.sync.aligned.m16n8") + words)
      return type;
  refuse(instruction);
}

void emulator::multiplyTile(PtxCall &call, const PtxInstruction &instruction) {
  const std::vector<PtxOperand> &operands = instruction.operands;
  GpuOperandType type = findType(instruction);
  WarpExchange::Words own;
  for (int32_t i = 0; i < 4; ++i)
    own[i] = call.getWord(operands[1].parts[i]);
  for (int32_t i = 0; i < 2; ++i)
    own[4 + i] = call.getWord(operands[2].parts[i]);
  auto each = static_cast<int32_t>(sizeof(uint32_t)) / getBytes(type);
  WarpFragments fragments{block().warps.exchange(self(), own), each};
  auto add = hasIntegerSums(type) ? addTerms<uint32_t> : addTerms<float>;
  int32_t lane = self() % WarpExchange::lanes;
  uint32_t sums[4];
  for (int32_t i = 0; i < 4; ++i)
    sums[i] = add(fragments, type, lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2,
                  call.getWord(operands[3].parts[i]));
  for (int32_t i = 0; i < 4; ++i)
    call.set(operands[0].parts[i], sums[i]);
}
