// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which tensor an address belongs to, and which address is told instead:
/// tensors lie one after the other, wherever they lie in this process.

#ifndef TEGULA_SIM_PRODUCER_TENSORMAP_H
#define TEGULA_SIM_PRODUCER_TENSORMAP_H

#include <cstdint>
#include <string>
#include <vector>

namespace tegula::sim {

/// The memory of a tensor.
struct TracedTensor {
  std::string name;
  int64_t address;
  int64_t bytes;
};

/// Windows are at the same addresses at every rank; what is said of the peer's
/// is an address of its own.
bool isWindow(int64_t address);
/// The same byte of the peer's window.
int64_t atPeer(int64_t address, int64_t peer);
/// 1 + the rank whose window it is, 0 if it is the rank's own or no window.
int64_t getPeer(int64_t address);

/// The tensors of a call, and those that its kernel makes, which count as one.
class TensorMap {
public:
  explicit TensorMap(std::vector<TracedTensor> tensors);

  /// Addresses behind all others, for a tensor that is never there.
  int64_t allocate(int64_t bytes);
  /// The same for a window.
  int64_t allocateWindow(int64_t bytes);
  /// The kernel has made a tensor. One that lay there before is gone.
  void add(int64_t address, int64_t bytes);
  /// Forgets what was made.
  void reset();
  /// The number of the tensor at the address.
  int32_t find(int64_t address) const;
  /// The address that the trace has instead.
  int64_t toTraced(int64_t address) const;
  /// The number of what the units of a core hand over to each other.
  int32_t getHandover() const { return int32_t(numOfCall) + 1; }
  /// The names of those of the call, then one for all that the kernel makes,
  /// one for what is handed over, and one for windows.
  const std::vector<std::string> &getNames() const { return names; }

private:
  struct Entry {
    int64_t address, bytes, traced;
  };
  const Entry *findEntry(int64_t address) const;

  std::vector<std::string> names;
  size_t numOfCall = 0;
  /// Those of the call first.
  std::vector<Entry> entries;
  int64_t nextTraced;
  int64_t tracedAfterCall;
  int64_t nextFree = int64_t(1) << 60;
  int64_t nextWindow;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_PRODUCER_TENSORMAP_H
