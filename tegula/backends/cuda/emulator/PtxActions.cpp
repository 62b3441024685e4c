// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What instructions do, in threads of an emulated block.

#include "tegula/backends/cuda/emulator/ClusterActions.h"
#include "tegula/backends/cuda/emulator/Emulation.h"
#include "tegula/backends/cuda/emulator/NarrowFloats.h"
#include "tegula/backends/cuda/emulator/PtxMachine.h"
#include "tegula/backends/cuda/emulator/TileActions.h"
#include "tegula/launch/gpu/abi/DeviceThread.h"

#include <cmath>
#include <cstring>

using namespace tegula;
using namespace tegula::emulator;

using Call = PtxCall;
using Instruction = PtxInstruction;

static HopperBlock &block() { return getEmulation().getHopper(); }
/// The number of the thread in its cluster, and in its block.
static int32_t self() { return getEmulation().getThreadOfCluster(); }
static int32_t number() { return getEmulation().getThread().number; }

static WgmmaQueue &wgmmaQueue() {
  size_t group = number() / warpgroupThreads;
  if (group >= block().wgmmaQueues.size())
    getEmulation().fail(block().nameThread(self()) +
                        " multiplies, but its group is not whole");
  return block().wgmmaQueues[group];
}

// What is only arithmetic.

static void move(Call &call, const Instruction &i) {
  call.set(i.operands[0], call.get(i.operands[1]));
}

static void addFloats(Call &call, const Instruction &i) {
  float sum = floatOf(call.getWord(i.operands[1])) +
              floatOf(call.getWord(i.operands[2]));
  call.set(i.operands[0], bitsOf(sum));
}

static void compare(Call &call, const Instruction &i) {
  bool isEqual = call.getWord(i.operands[1]) == call.getWord(i.operands[2]);
  call.set(i.operands[0], isEqual == i.has("eq"));
}

static void branch(Call &call, const Instruction &i) {
  call.jump(i.operands[0].name);
}

static void raise(Call &call, const Instruction &i) {
  float power = std::exp2(floatOf(call.getWord(i.operands[1])));
  // What has no leading 1 becomes 0.
  if (i.has("ftz") && std::fabs(power) < 0x1p-126f)
    power = 0;
  call.set(i.operands[0], bitsOf(power));
}

static void invert(Call &call, const Instruction &i) {
  call.set(i.operands[0], bitsOf(1.0f / floatOf(call.getWord(i.operands[1]))));
}

static void divide(Call &call, const Instruction &i) {
  float numerator = floatOf(call.getWord(i.operands[1])),
        denominator = floatOf(call.getWord(i.operands[2]));
  call.set(i.operands[0], bitsOf(numerator / denominator));
}

/// Numbers below the normal ones count as 0.
static void multiplyFlushed(Call &call, const Instruction &i) {
  auto flush = [](float number) {
    return std::fpclassify(number) == FP_SUBNORMAL ? std::copysign(0.0f, number)
                                                   : number;
  };
  float multiplied = flush(floatOf(call.getWord(i.operands[1]))) *
                     flush(floatOf(call.getWord(i.operands[2])));
  call.set(i.operands[0], bitsOf(flush(multiplied)));
}

/// The second operand goes to the upper half.
static void roundPair(Call &call, const Instruction &i) {
  auto convert = i.has("bf16x2") ? toBf16 : toFp16;
  float upper = floatOf(call.getWord(i.operands[1])),
        lower = floatOf(call.getWord(i.operands[2]));
  call.set(i.operands[0], uint32_t(convert(upper)) << 16 | convert(lower));
}

/// The upper byte goes to the upper half.
static void widenPair(Call &call, const Instruction &i) {
  uint32_t given = call.getWord(i.operands[1]);
  uint32_t lower = toFp16(fromE4M3FN(static_cast<uint8_t>(given))),
           upper = toFp16(fromE4M3FN(static_cast<uint8_t>(given >> 8)));
  call.set(i.operands[0], upper << 16 | lower);
}

static void roundToTf32(Call &call, const Instruction &i) {
  call.set(i.operands[0], toTf32(floatOf(call.getWord(i.operands[1]))));
}

static void nothing(Call &, const Instruction &) {}

// How threads synchronize.

static void synchronize(Call &call, const Instruction &i) {
  if (i.operands.size() < 2)
    return tegulaGpuBarrier();
  block().numbered.arrive(self(), call.getWord(i.operands[0]),
                          call.getWord(i.operands[1]), /*stays=*/true);
}

static void arriveNumbered(Call &call, const Instruction &i) {
  block().numbered.arrive(self(), call.getWord(i.operands[0]),
                          call.getWord(i.operands[1]), /*stays=*/false);
}

static void giveRegisters(Call &call, const Instruction &i) {
  block().registers.giveBack(number(), int32_t(call.get(i.operands[0])));
}

static void takeRegisters(Call &call, const Instruction &i) {
  block().registers.take(number(), int32_t(call.get(i.operands[0])));
}

/// The word of the lane whose number differs, or that has it.
static void shuffle(Call &call, const Instruction &i) {
  const WarpExchange::Words *all =
      block().warps.exchange(number(), {call.getWord(i.operands[1])});
  uint32_t lane = number() % WarpExchange::lanes;
  uint32_t given = call.getWord(i.operands[2]);
  uint32_t from = i.has("bfly") ? lane ^ given : given;
  call.set(i.operands[0], all[from % WarpExchange::lanes][0]);
}

/// Every lane has the address of a row of 16 bytes, and words of others.
static void storeMatrices(Call &call, const Instruction &i) {
  constexpr int64_t rowBytes = 16;
  const std::vector<PtxOperand> &given = i.operands[1].parts;
  if (given.size() != 4 || i.has("trans"))
    getEmulation().fail("the emulator does not know the instruction " +
                        i.mnemonic);
  uint32_t offset = call.getOffset(i.operands[0], rowBytes);
  WarpExchange::Words words = {};
  for (size_t j = 0; j < given.size(); ++j)
    words[j] = call.getWord(given[j]);
  const WarpExchange::Words *all = block().warps.exchange(number(), words);
  int32_t thread = self(), lane = number() % WarpExchange::lanes;
  if (offset % rowBytes != 0)
    getEmulation().fail("a row of a matrix is not at a multiple of 16 bytes");
  Bytes bytes{offset, static_cast<uint32_t>(offset + rowBytes)};
  block().checkWrite(thread, bytes, "a store");
  for (int32_t j = 0; j < 4; ++j)
    std::memcpy(block().memory.at(offset + 4 * j),
                &all[lane % 8 * 4 + j][lane / 8], sizeof(uint32_t));
  block().accesses.add(
      {Access::Kind::Store, bytes, thread, block().knowledge.getTime(thread)});
}

/// Words that one thread stores, or loads: nobody looks whether it is in time
/// for others of its warp.
static void storeWords(Call &call, const Instruction &i) {
  const std::vector<PtxOperand> &given = i.operands[1].parts;
  auto size = static_cast<uint32_t>(sizeof(uint32_t) * given.size());
  uint32_t offset = call.getOffset(i.operands[0], size);
  if (offset % size != 0)
    getEmulation().fail("words are not stored at a multiple of their bytes");
  block().store(self(), {offset, offset + size});
  for (size_t j = 0; j < given.size(); ++j) {
    uint32_t word = call.getWord(given[j]);
    std::memcpy(block().memory.at(offset + 4 * j), &word, sizeof(word));
  }
}

static void loadWords(Call &call, const Instruction &i) {
  std::vector<PtxOperand> taken = {i.operands[0]};
  if (taken[0].kind == PtxOperand::Kind::List)
    taken = i.operands[0].parts;
  auto size = static_cast<uint32_t>(sizeof(uint32_t) * taken.size());
  auto [of, offset] = findAddress(call, i, i.operands[1], size);
  if (offset % size != 0)
    getEmulation().fail("words are not loaded from a multiple of their bytes");
  of->load(self(), {offset, offset + size});
  for (size_t j = 0; j < taken.size(); ++j) {
    uint32_t word;
    std::memcpy(&word, of->memory.at(offset + 4 * j), sizeof(word));
    call.set(taken[j], word);
  }
}

// Barriers in shared memory.

static void makeBarrier(Call &call, const Instruction &i) {
  block().barriers.make(self(), call.getOffset(i.operands[0], sizeof(uint64_t)),
                        call.getWord(i.operands[1]));
}

/// At a barrier of the block, or of another one of its cluster.
static void arrive(Call &call, const Instruction &i) {
  auto [of, offset] = findAddress(call, i, i.operands[1], sizeof(uint64_t));
  of->reach(self(), "come to its barriers");
  MemoryBarrier &barrier = of->barriers.find(self(), offset);
  if (i.has("expect_tx"))
    of->barriers.expect(barrier, call.getWord(i.operands[2]));
  of->barriers.arrive(self(), barrier);
}

static void await(Call &call, const Instruction &i) {
  uint32_t offset = call.getOffset(i.operands[1], sizeof(uint64_t));
  block().barriers.await(self(), block().barriers.find(self(), offset),
                         call.getWord(i.operands[2]));
  call.set(i.operands[0], 1);
}

static void fenceBarriers(Call &, const Instruction &) {
  block().barriers.fence();
}

static void fenceStores(Call &, const Instruction &) {
  block().accesses.fence(self());
  block().words.fence(self());
}

// Copies of boxes.

/// `[map, {coordinates}]`, and where it is in shared memory.
static BoxCoordinates readBox(Call &call, const PtxOperand &tensor,
                              const PtxOperand &memory) {
  BoxCoordinates box = {};
  box.map = readTensorMap(reinterpret_cast<const void *>(call.get(tensor)));
  const std::vector<PtxOperand> &coordinates = tensor.parts[1].parts;
  if (!box.map || box.map->rank != coordinates.size())
    getEmulation().fail("a copy is given no map of a tensor with " +
                        std::to_string(coordinates.size()) + " axes");
  for (size_t axis = 0; axis < coordinates.size(); ++axis)
    box.coordinates[axis] = int32_t(call.getWord(coordinates[axis]));
  box.offset = call.getOffset(memory, 1);
  return box;
}

static void copyTensor(Call &call, const Instruction &i) {
  if (i.has("bulk_group"))
    return block().copies.copyOut(self(),
                                  readBox(call, i.operands[0], i.operands[1]));
  uint32_t barrier = call.getOffset(i.operands[2], sizeof(uint64_t));
  BoxCoordinates box = readBox(call, i.operands[1], i.operands[0]);
  std::vector<HopperBlock *> targets = {&block()};
  if (i.has("multicast::cluster"))
    targets = findBlocks(call.getWord(i.operands[3]));
  // To the same offset in each, whose own barrier counts the bytes.
  for (HopperBlock *target : targets) {
    target->checkStays(self(), "copy to it");
    target->copies.copyIn(self(), box, target->barriers.find(self(), barrier));
  }
}

static void endCopies(Call &, const Instruction &) {
  block().copies.endGroup(self());
}

static void finishCopies(Call &call, const Instruction &i) {
  block().copies.finish(self(), call.getWord(i.operands[0]));
}

// Matmuls of groups.

/// Lanes of a warp go on together, but not the warps of a group.
/// The first lane is as good as another.
static void elect(Call &call, const Instruction &i) {
  call.set(i.operands[0].parts[1], number() % WarpExchange::lanes == 0);
}

static void awaitWarp(Call &, const Instruction &) { block().syncWarp(self()); }

static void warpgroupArrive(Call &, const Instruction &) {
  block().warps.exchange(number(), {});
  wgmmaQueue().fence(self());
}

/// What the words of a matmul say it multiplies, and how many operands it has.
struct WgmmaKind {
  const char *words;
  GpuOperandType type;
  size_t numOperands;
};
#define KIND_Half(NAME, PTX) {TEGULA_WGMMA_Half(PTX), GpuOperandType::NAME, 8},
#define KIND_Word(NAME, PTX) {TEGULA_WGMMA_Word(PTX), GpuOperandType::NAME, 6},
#define KIND_Integer(NAME, PTX)                                                \
  {TEGULA_WGMMA_Integer(PTX), GpuOperandType::NAME, 4},
#define KIND_Float8(NAME, PTX)                                                 \
  {TEGULA_WGMMA_Float8(PTX), GpuOperandType::NAME, 6},
#define KIND_Ordinary(NAME, PTX)
#define ROW(NAME, KIND, DTYPE, PTX, ...) KIND_##KIND(NAME, PTX)
static constexpr WgmmaKind wgmmaKinds[] = {TEGULA_GPU_OPERAND_TYPES(ROW)};
#undef ROW

/// The kind of an instruction whose lhs may be in registers, which says
/// less of it. Only 16 bits have operands there, and such that are transposed.
static const WgmmaKind &findKind(Call &call, const Instruction &i) {
  bool isInRegisters = i.operands[1].kind == PtxOperand::Kind::List;
  size_t at = i.mnemonic.find('k', i.mnemonic.find(".m64n"));
  for (const WgmmaKind &kind : wgmmaKinds) {
    bool areSigned = true;
    for (size_t j = 4; j < std::min<size_t>(i.operands.size(), 6); ++j)
      areSigned &= call.get(i.operands[j]) == 1;
    if (at != std::string::npos && i.mnemonic.substr(at) == kind.words &&
        i.operands.size() + isInRegisters == kind.numOperands &&
        (!isInRegisters || kind.numOperands == 8) && areSigned)
      return kind;
  }
  getEmulation().fail("the emulator does not know the instruction " +
                      i.mnemonic);
}

static void multiply(Call &call, const Instruction &i) {
  const std::vector<PtxOperand> &operands = i.operands;
  const WgmmaKind &kind = findKind(call, i);
  bool isInRegisters = operands[1].kind == PtxOperand::Kind::List;
  bool hasTransposed = kind.numOperands == 8;
  WgmmaInstruction words = {};
  words.columns = std::atoi(i.mnemonic.c_str() + i.mnemonic.find(".m64n") + 5);
  words.type = kind.type;
  words.isLeftInRegisters = isInRegisters;
  words.isLeftTransposed =
      hasTransposed && !isInRegisters && call.get(operands[6]) != 0;
  words.isRightAcross = hasTransposed && call.get(operands.back()) != 0;
  words.adds = call.get(operands[3]) != 0;
  words.right = call.get(operands[2]);
  uint32_t left[4] = {};
  if (!isInRegisters)
    words.left = call.get(operands[1]);
  for (size_t j = 0; isInRegisters && j < std::size(left); ++j)
    left[j] = call.getWord(operands[1].parts[j]);
  // Accumulators are the results, in order.
  wgmmaQueue().multiply(self(), words, call.slots, left);
}

static void warpgroupCommit(Call &, const Instruction &) {
  wgmmaQueue().endGroup(self());
}

static void warpgroupWait(Call &call, const Instruction &i) {
  wgmmaQueue().finish(self(), call.getWord(i.operands[0]), call.slots,
                      call.numResults);
}

/// By what their instructions begin with.
static constexpr struct {
  const char *words;
  PtxAction action;
} actions[] = {
    {".reg", nothing},
    // Threads run one after the other, and what they wrote is there.
    {"membar.gl", nothing},
    {"griddepcontrol", nothing},
    {"mov", move},
    {"add.rn.f32", addFloats},
    {"setp.eq", compare},
    {"setp.ne", compare},
    {"bra", branch},
    {"ex2.approx", raise},
    {"rcp.approx", invert},
    {"div.full", divide},
    {"mul.rn.ftz", multiplyFlushed},
    {"cvt.rn.bf16x2.f32", roundPair},
    {"cvt.rn.f16x2.f32", roundPair},
    {"cvt.rn.f16x2.e4m3x2", widenPair},
    {"cvt.rna.tf32.f32", roundToTf32},
    {"bar.sync", synchronize},
    {"bar.warp.sync", awaitWarp},
    {"elect.sync", elect},
    {"bar.arrive", arriveNumbered},
    {"setmaxnreg.dec", giveRegisters},
    {"setmaxnreg.inc", takeRegisters},
    {"shfl.sync.bfly", shuffle},
    {"shfl.sync.idx", shuffle},
    {"stmatrix.sync.aligned.m8n8", storeMatrices},
    {"mbarrier.init", makeBarrier},
    {"mbarrier.arrive", arrive},
    {"mbarrier.try_wait.parity", await},
    {"fence.mbarrier_init", fenceBarriers},
    {"fence.proxy.async", fenceStores},
    {"cp.async.bulk.tensor", copyTensor},
    {"cp.async.bulk.commit_group", endCopies},
    {"cp.async.bulk.wait_group", finishCopies},
    {"cp.async.ca", copyAsync},
    {"cp.async.cg", copyAsync},
    {"cp.async.commit_group", commitAsyncGroup},
    {"cp.async.wait_group", waitAsyncGroup},
    {"ldmatrix.sync.aligned", loadMatrices},
    {"mma.sync.aligned", multiplyTile},
    {"wgmma.fence", warpgroupArrive},
    {"wgmma.mma_async", multiply},
    {"wgmma.commit_group", warpgroupCommit},
    {"wgmma.wait_group", warpgroupWait},
    {"st.shared", storeWords},
    {"ld.shared.f32", loadWords},
    {"ld.shared.v4", loadWords},
    {"ld.shared::cluster.v4", loadWords},
    {"mapa.shared::cluster", mapAddress},
    {"barrier.cluster.arrive", arriveAtCluster},
    {"barrier.cluster.wait", awaitCluster},
    {"prefetch.tensormap", nothing},
    {"prefetch.global", nothing},
};

PtxAction emulator::findAction(const PtxInstruction &instruction) {
  for (const auto &[words, action] : actions)
    if (instruction.begins(words))
      return action;
  return nullptr;
}
