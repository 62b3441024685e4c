// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls of a kernel that were made before. A call with objects of the same
/// types, and tensors of the same elements, sizes and strides in the same
/// memory, needs neither a search for its variant nor most of the guard.

#ifndef PYTHON_CALLCACHE_H
#define PYTHON_CALLCACHE_H

#include "python/CachedArgument.h"
#include "tegula/launch/call/CachedCall.h"
#include "tegula/launch/call/Variant.h"
#include "tegula/launch/device/DeviceStream.h"

#include <memory>

namespace tegula {

/// A few of them. Needs the GIL throughout.
class CallCache {
public:
  /// A call that was found.
  struct Found {
    /// Null if there is none.
    const Variant *variant = nullptr;
    DeviceStream stream;
    int64_t slots[CachedCall::mostSlots];
  };

  /// Looks for a call like that of `objects`. What it finds may be run as it
  /// is. Leaves a Python exception only if the call is to fail with it.
  void find(PyObject *const *objects, size_t count, Found &found) const;

  /// Keeps a call that `variant` has taken, in place of another one. A call is
  /// kept when it comes the second time, since sizes may never come again.
  void add(const ReadArguments &call, const Variant &variant);

private:
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
    CachedArgument arguments[ReadArguments::mostNotes];
    CachedCall call;

    bool assign(const ReadArguments &call);
  };
  static constexpr size_t mostEntries = 4;

  /// By the sizes of the first tensor. They stay where they are.
  std::unique_ptr<Entry> entries[mostEntries];
};

} // namespace tegula

#endif // PYTHON_CALLCACHE_H
