// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SHA-256 as in FIPS 180-4.
#include "tegula/launch/cache/Digest.h"

#include <algorithm>
#include <cstring>

using namespace tegula;

static constexpr uint32_t roundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t value, unsigned by) {
  return value >> by | value << (32 - by);
}

void Digest::takeBlock(const uint8_t *block) {
  uint32_t words[64];
  for (unsigned i = 0; i < 16; ++i)
    words[i] = uint32_t(block[4 * i]) << 24 | uint32_t(block[4 * i + 1]) << 16 |
               uint32_t(block[4 * i + 2]) << 8 | block[4 * i + 3];
  for (unsigned i = 16; i < 64; ++i) {
    uint32_t early = words[i - 15], late = words[i - 2];
    words[i] = words[i - 16] + words[i - 7] +
               (rotate(early, 7) ^ rotate(early, 18) ^ early >> 3) +
               (rotate(late, 17) ^ rotate(late, 19) ^ late >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (unsigned i = 0; i < 64; ++i) {
    uint32_t first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                     ((e & f) ^ (~e & g)) + roundConstants[i] + words[i];
    uint32_t second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                      ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  const uint32_t sums[8] = {a, b, c, d, e, f, g, h};
  for (unsigned i = 0; i < 8; ++i)
    state[i] += sums[i];
}

void Digest::addBytes(const void *bytes, size_t size) {
  const auto *from = static_cast<const uint8_t *>(bytes);
  while (size != 0) {
    size_t at = numBytes % pending.size();
    size_t count = std::min(size, pending.size() - at);
    std::memcpy(pending.data() + at, from, count);
    numBytes += count, from += count, size -= count;
    if (at + count == pending.size())
      takeBlock(pending.data());
  }
}

void Digest::add(std::string_view text) {
  add(static_cast<uint64_t>(text.size()));
  addBytes(text.data(), text.size());
}

void Digest::add(uint64_t value) {
  uint8_t bytes[8];
  for (unsigned i = 0; i < 8; ++i)
    bytes[i] = value >> 8 * i;
  addBytes(bytes, sizeof(bytes));
}

void Digest::add(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  add(bits);
}

std::array<uint8_t, 32> Digest::finish() {
  uint64_t numBits = 8 * numBytes;
  const uint8_t one = 0x80, zero = 0;
  addBytes(&one, 1);
  while (numBytes % 64 != 56)
    addBytes(&zero, 1);
  for (unsigned i = 0; i < 8; ++i) {
    uint8_t byte = numBits >> (56 - 8 * i);
    addBytes(&byte, 1);
  }
  std::array<uint8_t, 32> hash;
  for (unsigned i = 0; i < 32; ++i)
    hash[i] = state[i / 4] >> (24 - 8 * (i % 4));
  return hash;
}

std::string Digest::finishText() {
  std::string text;
  for (uint8_t byte : finish()) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}
