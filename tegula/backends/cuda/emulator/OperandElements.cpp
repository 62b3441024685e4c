// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/OperandElements.h"

#include "tegula/backends/cuda/emulator/Emulation.h"
#include "tegula/backends/cuda/emulator/NarrowFloats.h"

using namespace tegula;
using namespace tegula::emulator;

template <typename Bits> static Bits readBits(const char *bytes) {
  Bits bits;
  std::memcpy(&bits, bytes, sizeof(bits));
  return bits;
}

static float takeTf32(uint32_t bits) {
  float number = floatOf(bits);
  if (bits & tf32Rest && !std::isnan(number))
    getEmulation().fail("an operand of TF32 was not rounded to it");
  return number;
}

template <>
float emulator::readElement(GpuOperandType type, const char *bytes) {
  switch (type) {
  case GpuOperandType::Bf16:
    return fromBf16(readBits<uint16_t>(bytes));
  case GpuOperandType::Fp16:
    return fromFp16(readBits<uint16_t>(bytes));
  case GpuOperandType::Tf32:
    return takeTf32(readBits<uint32_t>(bytes));
  case GpuOperandType::E4M3FN:
    return fromE4M3FN(readBits<uint8_t>(bytes));
  case GpuOperandType::E5M2:
    return fromE5M2(readBits<uint8_t>(bytes));
  default:
    getEmulation().fail("tensor cores do not multiply such elements");
  }
}

template <>
uint32_t emulator::readElement(GpuOperandType type, const char *bytes) {
  auto byte = readBits<uint8_t>(bytes);
  return type == GpuOperandType::Int8
             ? static_cast<uint32_t>(static_cast<int8_t>(byte))
             : byte;
}
