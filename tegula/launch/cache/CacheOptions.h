// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where compiled kernels are kept between processes, and how much of them.

#ifndef TEGULA_LAUNCH_CACHE_CACHEOPTIONS_H
#define TEGULA_LAUNCH_CACHE_CACHEOPTIONS_H

#include "tegula/launch/Problem.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tegula {

/// How a DiskCache behaves.
struct CacheOptions {
  enum class Mode : uint8_t { On, ReadOnly, Off };

  Mode mode = Mode::On;
  /// The folder; empty if there is none, and then nothing is kept.
  std::string folder;
  /// What all entries together may take, about.
  uint64_t maxBytes = uint64_t(1) << 30;
  /// What code depends on besides the program: entries of another toolchain are
  /// not found.
  std::string toolchain;

  /// What the environment asks for: TEGULA_CACHE (on, off or readonly),
  /// TEGULA_CACHE_DIR (by default $XDG_CACHE_HOME/tegula or ~/.cache/tegula)
  /// and TEGULA_CACHE_SIZE (such as 500M). Warns once about values that mean
  /// nothing, and goes on without them.
  static CacheOptions fromEnvironment();
};

/// The mode of that name.
Problem parseCacheMode(std::string_view text, CacheOptions::Mode &mode);

/// A number of bytes, with K, M or G for powers of 1024.
Problem parseByteSize(std::string_view text, uint64_t &size);

/// Says `text` on the standard error output, unless this process has said
/// something under the same `topic` before.
void warnOnce(std::string_view topic, const std::string &text);

} // namespace tegula

#endif // TEGULA_LAUNCH_CACHE_CACHEOPTIONS_H
