// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers of 16 bits: what they are, and how a chip rounds to them, to the
/// nearest and to even ones in the middle. TF32, to which copies round in the
/// same way and instructions away from zero in the middle, and FP8, which it
/// makes FP16 of.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_NARROWFLOATS_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_NARROWFLOATS_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace tegula::emulator {

inline float floatOf(uint32_t bits) {
  float number;
  std::memcpy(&number, &bits, sizeof(number));
  return number;
}
inline uint32_t bitsOf(float number) {
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  return bits;
}

inline float fromBf16(uint16_t bits) { return floatOf(uint32_t(bits) << 16); }

inline float fromFp16(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16, rest = bits & 0x7fff;
  if (rest >= 0x7c00)
    return floatOf(sign | 0x7f800000 | (rest & 0x3ff) << 13);
  // Those without a leading 1 count steps of 2^-24.
  if (rest < 0x400)
    return floatOf(sign | bitsOf(float(rest) * 0x1p-24f));
  return floatOf(sign | (rest << 13) + (uint32_t(127 - 15) << 23));
}

inline uint16_t toBf16(float number) {
  constexpr uint16_t nan = 0x7fff;
  uint32_t bits = bitsOf(number);
  if (std::isnan(number))
    return nan;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline uint16_t toFp16(float number) {
  constexpr uint16_t nan = 0x7fff, infinity = 0x7c00;
  if (std::isnan(number))
    return nan;
  uint32_t bits = bitsOf(number);
  auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  float size = std::fabs(number);
  // Half a step above the largest.
  if (size >= 65520.0f)
    return sign | infinity;
  if (size < 0x1p-14f)
    return sign | static_cast<uint16_t>(std::nearbyint(size * 0x1p24f));
  uint32_t rest = (bits & 0x7fffffff) - (uint32_t(127 - 15) << 23);
  return sign | static_cast<uint16_t>((rest + 0xfff + (rest >> 13 & 1)) >> 13);
}

/// FP8 with four bits of exponent and three behind the leading one: it has no
/// infinity, and one NaN of each sign.
inline float fromE4M3FN(uint8_t bits) {
  constexpr uint8_t nan = 0x7f;
  int rest = bits & 0x7f, exponent = rest >> 3;
  if (rest == nan)
    return floatOf(0x7fffffff);
  float size = exponent == 0 ? std::ldexp(float(rest), -9)
                             : std::ldexp(float(8 + (rest & 7)), exponent - 10);
  return bits & 0x80 ? -size : size;
}

/// The other FP8: the upper half of an FP16.
inline float fromE5M2(uint8_t bits) {
  return fromFp16(static_cast<uint16_t>(bits << 8));
}

/// The bits of a TF32 that no longer count.
inline constexpr uint32_t tf32Rest = 0x1fff;

/// As the instruction for it does.
inline uint32_t toTf32(float number) {
  constexpr uint32_t nan = 0x7fffffff;
  return std::isnan(number) ? nan
                            : (bitsOf(number) + (tf32Rest + 1) / 2) & ~tf32Rest;
}

/// As a copy of a box does.
inline uint32_t copyToTf32(float number) {
  uint32_t bits = bitsOf(number);
  if (std::isnan(number))
    return toTf32(number);
  uint32_t isOdd = bits / (tf32Rest + 1) % 2;
  return (bits + tf32Rest / 2 + isOdd) & ~tf32Rest;
}

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_NARROWFLOATS_H
