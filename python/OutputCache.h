// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls that left outputs out, and what makes such outputs. For a call with
/// the same types and sizes they need not be inferred again.

#ifndef PYTHON_OUTPUTCACHE_H
#define PYTHON_OUTPUTCACHE_H

#include "python/CachedArgument.h"

namespace tegula {

/// The arguments that a call gave.
class GivenArguments {
public:
  /// Reads them. Empty if there are some that cannot be compared. Leaves a
  /// Python exception only if the call is to fail with it.
  void assign(PyObject *const *objects, size_t count);
  /// Whether the objects are the same, at other addresses. Leaves exceptions as
  /// `assign` does.
  bool match(PyObject *const *objects, size_t count) const;
  bool isEmpty() const { return count == 0; }

private:
  size_t count = 0;
  CachedArgument arguments[ReadArguments::mostNotes];
};

/// A few such calls of one kernel. Needs the GIL throughout.
class OutputCache {
public:
  OutputCache() = default;
  ~OutputCache();
  OutputCache(const OutputCache &) = delete;
  OutputCache &operator=(const OutputCache &) = delete;

  /// What makes the outputs of a call with such arguments: a new reference to a
  /// tuple of functions, one for each parameter that is left out. Null if none
  /// is known. Leaves exceptions as `assign` does.
  PyObject *find(PyObject *const *objects, size_t count) const;

  /// Keeps that for such calls, in place of what was kept longest.
  void add(const GivenArguments &given, PyObject *makers);

private:
  struct Entry {
    GivenArguments given;
    PyObject *makers = nullptr;
  };
  static constexpr size_t mostEntries = 4;
  Entry entries[mostEntries];
  size_t oldest = 0;
};

} // namespace tegula

#endif // PYTHON_OUTPUTCACHE_H
