// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/PtxMachine.h"

#include "tegula/backends/cuda/emulator/Emulation.h"
#include "tegula/backends/cuda/emulator/Omission.h"
#include "tegula/launch/gpu/abi/DeviceThread.h"

#include <atomic>
#include <mutex>
#include <optional>

using namespace tegula;
using namespace tegula::emulator;

/// Numbers of clusters, and of blocks in them.
static std::optional<int32_t> getOfCluster(const std::string &name) {
  int32_t size = getEmulation().getLaunch().cluster;
  if (name == "%cluster_ctarank")
    return tegulaGpuBlock() % size;
  if (name == "%cluster_nctarank")
    return size;
  if (name == "%clusterid.x")
    return tegulaGpuBlock() / size;
  if (name == "%nclusterid.x")
    return tegulaGpuNumBlocks() / size;
  return std::nullopt;
}

uint64_t PtxCall::get(const PtxOperand &operand) {
  switch (operand.kind) {
  case PtxOperand::Kind::Slot:
    return slots[operand.number];
  case PtxOperand::Kind::Immediate:
    return static_cast<uint64_t>(operand.number);
  case PtxOperand::Kind::Name:
    break;
  default:
    return get(operand.parts.front());
  }
  if (operand.name == "%tid.x")
    return tegulaGpuThread();
  if (operand.name == "%ntid.x")
    return tegulaGpuNumThreads();
  if (operand.name == "%ctaid.x")
    return tegulaGpuBlock();
  if (operand.name == "%nctaid.x")
    return tegulaGpuNumBlocks();
  if (std::optional<int32_t> number = getOfCluster(operand.name))
    return *number;
  return registers[operand.name];
}

uint32_t PtxCall::getOffset(const PtxOperand &address, int64_t bytes) {
  SharedMemory &memory = getEmulation().getBlock().shared;
  uint32_t offset = memory.toOffset(getWord(address));
  if (!memory.has(offset, bytes))
    getEmulation().fail("an instruction uses byte " +
                        std::to_string(int32_t(offset) - SharedMemory::kept) +
                        " of shared memory, which is not there");
  return offset;
}

void PtxCall::set(const PtxOperand &operand, uint64_t value) {
  if (operand.kind == PtxOperand::Kind::Slot)
    slots[operand.number] = value;
  else
    registers[operand.name] = value;
}

void PtxCall::jump(const std::string &label) {
  for (at = 0; at < program.size(); ++at)
    if (program[at].instruction.label == label)
      return;
}

void PtxCall::run() {
  // A loop without what ends it would not end.
  for (const PtxStep &step : program)
    if (Omission::isOmitted(step.instruction, tegulaGpuThread()))
      return;
  while (at < program.size()) {
    const auto &[instruction, action] = program[at++];
    if (!instruction.label.empty())
      continue;
    if (!instruction.predicate.empty() &&
        (registers[instruction.predicate] == 0) != instruction.isNegated)
      continue;
    if (!action)
      getEmulation().fail("the emulator does not know the instruction " +
                          instruction.mnemonic);
    action(*this, instruction);
  }
}

/// Texts are taken apart once, and kept.
static const PtxProgram *findProgram(const char *text) {
  static std::mutex mutex;
  static std::map<std::string, PtxProgram> programs;
  std::lock_guard<std::mutex> lock(mutex);
  auto [found, isNew] = programs.try_emplace(text);
  if (isNew)
    for (PtxInstruction &instruction : readPtx(text)) {
      PtxAction action = findAction(instruction);
      found->second.push_back({std::move(instruction), action});
    }
  return &found->second;
}

void tegulaGpuInstruction(const char *text, void **known, uint64_t *operands,
                          int32_t numResults) {
  auto *slot = reinterpret_cast<std::atomic<const PtxProgram *> *>(known);
  const PtxProgram *program = slot->load(std::memory_order_acquire);
  if (!program) {
    program = findProgram(text);
    slot->store(program, std::memory_order_release);
  }
  PtxCall(*program, operands, numResults).run();
}
