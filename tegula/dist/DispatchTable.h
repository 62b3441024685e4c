// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The dispatches of a host program so far, as far as later ones may have to
/// wait for them. Every rank sees the same dispatches in the same order, so
/// every rank decides alike, by itself.

#ifndef TEGULA_DIST_DISPATCHTABLE_H
#define TEGULA_DIST_DISPATCHTABLE_H

#include "tegula/launch/call/Overlap.h"
#include "tegula/support/RanksAbi.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace tegula {

/// A tensor that a dispatch uses.
struct DispatchUse {
  TensorView view;
  AddressRange range;
  bool reads, writes;

  explicit DispatchUse(const TegulaTensorUse &use);

  /// True if some byte may belong to both.
  bool overlaps(const DispatchUse &other) const;
};

/// One dispatch to other ranks.
struct Dispatch {
  uint64_t moment;
  /// The rank that runs it, or -1 if all do.
  int64_t device;
  std::vector<DispatchUse> uses;
  /// True if what it wrote is known to be in this rank's memory.
  bool isReceived = false;

  bool writes() const;
};

/// What a rank remembers of the dispatches to others.
class DispatchTable {
public:
  /// More are not remembered at once.
  static constexpr size_t capacity = 256;

  bool isFull() const { return dispatches.size() >= capacity; }
  bool isEmpty() const { return dispatches.empty(); }
  std::vector<Dispatch> &getAll() { return dispatches; }
  /// Adds the last dispatch; it stands for earlier ones that do the same.
  void add(Dispatch dispatch);
  void clear() { dispatches.clear(); }

  /// Forgets the dispatches of which `isOver` says so.
  void forget(llvm::function_ref<bool(const Dispatch &)> isOver);

  /// The numbers, in order, of the dispatches that one with these uses must
  /// come after: those that write what it touches or touch what it writes.
  std::vector<size_t> findConflicts(llvm::ArrayRef<DispatchUse> uses) const;

  /// The numbers, in order, of the dispatches whose results must be fetched so
  /// that those at `needed` are whole: what is not fetched yet of these, and of
  /// earlier ones that wrote parts of the same memory.
  std::vector<size_t> findUnreceived(llvm::ArrayRef<size_t> needed) const;

private:
  std::vector<Dispatch> dispatches;
};

} // namespace tegula

#endif // TEGULA_DIST_DISPATCHTABLE_H
