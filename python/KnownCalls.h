// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls of a kernel that were made before. A call with objects of the same
/// types, and tensors of the same elements, sizes and strides in the same
/// memory, needs neither a search for its variant nor most of the guard.

#ifndef TEGULA_PYTHON_KNOWNCALLS_H
#define TEGULA_PYTHON_KNOWNCALLS_H

#include "python/Dlpack.h"
#include "python/ReadArgument.h"
#include "tegula/launch/KnownCall.h"
#include "tegula/launch/Variant.h"
#include "tegula/launch/gpu/GpuPlace.h"

#include <memory>

namespace tegula {

/// A few of them. Needs the GIL throughout.
class KnownCalls {
public:
  /// A call that was found.
  struct Found {
    /// Null if there is none.
    const Variant *variant = nullptr;
    GpuPlace place;
    int64_t slots[KnownCall::mostSlots];
  };

  /// Looks for a call like that of `objects`. What it finds may be run as it
  /// is. Leaves no Python exception.
  void find(PyObject *const *objects, size_t count, Found &found) const;

  /// Keeps a call that `variant` has taken, in place of another one. A call is
  /// kept when it comes the second time, since sizes may never come again.
  void add(const ReadArguments &call, const Variant &variant);

private:
  /// An argument as it was, in its library's own terms.
  struct Known {
    ReadNote note;
    int64_t rank = 0;
    int64_t sizes[TensorView::maxRank];
    int64_t strides[TensorView::maxRank];
    /// Of a number: what it is.
    uint64_t bits = 0;
  };
  struct Entry {
    const Variant *variant = nullptr;
    /// Grows whenever the entry changes, which code that tells about a tensor
    /// may do.
    uint64_t version = 0;
    /// Hashes of the call that is kept, or that cannot be, and of the last one
    /// that is not.
    uint64_t kept = 0, candidate = 0;
    size_t count = 0;
    /// Negative for tensors of the host; else `library` is the type of one.
    int device = -1;
    PyTypeObject *library = nullptr;
    Known arguments[ReadArguments::mostNotes];
    KnownCall call;
  };
  static constexpr size_t mostEntries = 4;

  struct Matcher;

  static size_t placeOf(const int64_t *sizes, int64_t rank);
  static uint64_t hash(const ReadArguments &call);
  static bool describe(const ReadArguments &call, Entry &entry);

  std::unique_ptr<Entry> entries[mostEntries];
};

} // namespace tegula

#endif // TEGULA_PYTHON_KNOWNCALLS_H
