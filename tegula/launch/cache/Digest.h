// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// SHA-256 of a sequence of values. Every value is preceded by its length or
/// has a fixed one, so that two different sequences are two different inputs.

#ifndef TEGULA_LAUNCH_CACHE_DIGEST_H
#define TEGULA_LAUNCH_CACHE_DIGEST_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tegula {

/// Takes values one after another and says what they hash to.
class Digest {
public:
  /// Adds bytes without their length.
  void addBytes(const void *bytes, size_t size);
  /// Adds the length of a text and the text.
  void add(std::string_view text);
  /// Adds eight bytes, the lowest first.
  void add(uint64_t value);
  void add(int64_t value) { add(static_cast<uint64_t>(value)); }
  void add(unsigned value) { add(static_cast<uint64_t>(value)); }
  /// Adds the bits of a float: 0.0 and -0.0 differ, a NaN equals itself.
  void add(double value);

  /// The hash, and the end: nothing can be added after it.
  std::array<uint8_t, 32> finish();
  /// The hash as 64 hexadecimal digits, and the end.
  std::string finishText();

private:
  void takeBlock(const uint8_t *block);

  std::array<uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                   0xa54ff53a, 0x510e527f, 0x9b05688c,
                                   0x1f83d9ab, 0x5be0cd19};
  /// What does not fill a block yet.
  std::array<uint8_t, 64> pending;
  uint64_t numBytes = 0;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_CACHE_DIGEST_H
