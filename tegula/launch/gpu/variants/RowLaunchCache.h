// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How the last call of a kernel in rows was launched, so that the next one
/// like it need not be planned again.

#ifndef TEGULA_LAUNCH_GPU_VARIANTS_ROWLAUNCHCACHE_H
#define TEGULA_LAUNCH_GPU_VARIANTS_ROWLAUNCHCACHE_H

#include "tegula/launch/gpu/variants/GpuRows.h"

#include <atomic>

namespace tegula {

/// The launch of a call that differed from this one in addresses at most, and
/// in none of their low bits. May be used from several threads at once: who
/// finds it in use does without.
class RowLaunchCache {
public:
  /// Sets the launch of a call with such slots. False if it is not known.
  bool find(const std::vector<GpuTensor> &tensors, const int64_t *slots,
            int64_t numSlots, GpuRowLaunch &launch);

  /// Keeps it in place of the last one.
  void keep(const std::vector<GpuTensor> &tensors, const int64_t *slots,
            int64_t numSlots, const GpuRowLaunch &launch);

private:
  static constexpr int64_t mostSlots = 40;
  /// No variant asks for addresses to be multiples of more.
  static constexpr int64_t lowBits = 255;

  /// Keeps others away until the end, if nobody else does.
  struct Lease {
    std::atomic<bool> &isTaken;
    bool isOurs;

    explicit Lease(std::atomic<bool> &isTaken)
        : isTaken(isTaken),
          isOurs(!isTaken.exchange(true, std::memory_order_acquire)) {}
    ~Lease() {
      if (isOurs)
        isTaken.store(false, std::memory_order_release);
    }
    Lease(const Lease &) = delete;
    Lease &operator=(const Lease &) = delete;
  };

  std::atomic<bool> isTaken = false;
  int64_t count = 0;
  int64_t known[mostSlots];
  /// The bits that must be equal.
  int64_t masks[mostSlots];
  size_t variant = 0;
  int64_t blocks = 0, threads = 0;
  /// Whether the variant gets other slots than the call has.
  bool ownsSlots = false;
  int64_t own[mostSlots];
};

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_VARIANTS_ROWLAUNCHCACHE_H
