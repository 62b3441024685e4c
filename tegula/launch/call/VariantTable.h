// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The variants of one kernel, found by the arguments of a call. Finding takes
/// no lock and as long with a thousand variants as with one.

#ifndef TEGULA_LAUNCH_CALL_VARIANTTABLE_H
#define TEGULA_LAUNCH_CALL_VARIANTTABLE_H

#include "tegula/launch/call/Variant.h"
#include <atomic>
#include <mutex>

namespace tegula {

/// Variants by what they are specialised on. Any number of threads may find
/// while others add; what was found stays valid as long as the table lives.
class VariantTable {
public:
  VariantTable();
  ~VariantTable();
  VariantTable(const VariantTable &) = delete;
  VariantTable &operator=(const VariantTable &) = delete;

  /// The variant for `arguments`, or null. `arguments` are as many as the
  /// kernel has parameters.
  const Variant *find(llvm::ArrayRef<Argument> arguments) const;

  /// Makes a variant known. `declared` says which parameters are open: what it
  /// fixes itself is the guard's business and not looked at here.
  const Variant *add(std::unique_ptr<Variant> variant,
                     const Signature &declared);

  /// All variants, oldest first.
  std::vector<const Variant *> list() const;

private:
  struct Pattern;

  /// One list entry per set of axes that variants are specialised on: one as a
  /// rule, a few where an axis is dynamic in some variants only.
  std::atomic<Pattern *> patterns = nullptr;
  mutable std::mutex adding;
  std::vector<std::unique_ptr<Variant>> variants;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_VARIANTTABLE_H
