// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Looks where a thread is, some thousand times a second.

#ifndef TEGULA_RUNTIME_PROFILE_SAMPLER_H
#define TEGULA_RUNTIME_PROFILE_SAMPLER_H

#include "tegula/support/Error.h"

#include <array>
#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

namespace tegula {

/// The code that is looked for.
struct CodeRange {
  uintptr_t begin = 0;
  size_t size = 0;

  bool contains(uintptr_t address) const {
    return address >= begin && address - begin < size;
  }
};

/// Where the thread was at one moment.
struct Sample {
  /// The address of the next instruction, then those in the code that functions
  /// return to, as far as they are found. Zeros follow the last one.
  std::array<uintptr_t, 8> frames = {};
  /// True if it asked others for help or waited for them.
  bool isWaiting = false;

  bool operator<(const Sample &other) const {
    return std::tie(frames, isWaiting) <
           std::tie(other.frames, other.isWaiting);
  }
};

/// Takes samples of the thread that made it, as long as it exists. There is one
/// at a time in a process.
class Sampler {
public:
  /// Functions of the code have frames that can be followed.
  [[nodiscard]] static Expected<std::unique_ptr<Sampler>> start(CodeRange code);
  ~Sampler();

  /// What was seen so far; the oldest if there was too much.
  std::vector<Sample> list() const;

private:
  Sampler() = default;

  struct Clock;
  std::unique_ptr<Clock> clock;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_PROFILE_SAMPLER_H
