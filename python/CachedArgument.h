// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An argument of a call that was made before, in its library's own terms, so
/// that an object can be compared with it before it is read.

#ifndef PYTHON_CACHEDARGUMENT_H
#define PYTHON_CACHEDARGUMENT_H

#include "python/Dlpack.h"
#include "python/ReadArgument.h"

namespace tegula {

/// Clears a Python exception unless it must go through, such as an interrupt.
/// What else was wrong is found, and told, by what reads an object.
void clearUnlessInterrupt();

/// What an object says of itself. Sizes and strides are where the object has
/// them: they are gone when it changes, or other code runs.
struct SeenArgument {
  PyTypeObject *type;
  /// As in ReadNote.
  uint32_t element;
  dlpack::Device device;
  bool isReadOnly;
  bool isTensor;
  int32_t rank;
  const int64_t *sizes, *strides;
  /// Where a tensor begins, or what a number is.
  uint64_t bits;

  /// Looks at an object. False if it is none that can be compared. Leaves a
  /// Python exception only if the call is to fail with it.
  bool look(PyObject *object);
};

/// An argument that was read.
class CachedArgument {
public:
  /// Takes a plain argument.
  void assign(const Argument &argument, const ReadNote &read);

  /// Whether reading the object gives the same argument, at another address if
  /// it is a tensor.
  bool matches(const SeenArgument &seen) const {
    if (note.type != seen.type)
      return false;
    if (!seen.isTensor)
      return bits == seen.bits;
    if (note.element != seen.element || rank != seen.rank ||
        note.device.type != seen.device.type ||
        note.device.id != seen.device.id || note.isReadOnly != seen.isReadOnly)
      return false;
    for (int32_t axis = 0; axis < rank; ++axis)
      if (layout[axis].size != seen.sizes[axis] ||
          layout[axis].stride != seen.strides[axis])
        return false;
    return true;
  }

  PyTypeObject *getType() const { return note.type; }

  /// A number that tells arguments apart, as a rule.
  static uint64_t hash(uint64_t before, const Argument &argument,
                       const ReadNote &read);

private:
  struct Axis {
    int64_t size, stride;
  };
  ReadNote note;
  int32_t rank = 0;
  Axis layout[TensorView::maxRank];
  uint64_t bits = 0;
};

/// A number below `count` that tells tensors of different sizes apart, as a
/// rule.
inline size_t mixSizes(const int64_t *sizes, size_t rank, size_t count) {
  uint64_t mixed = 0;
  for (size_t axis = 0; axis < rank; ++axis)
    mixed = mixed * 5 + static_cast<uint64_t>(sizes[axis]);
  return (mixed ^ (mixed >> 4) ^ (mixed >> 8)) % count;
}

/// The same for arguments, of which numbers have no sizes.
inline size_t mixSizes(const SeenArgument &seen, size_t count) {
  return mixSizes(seen.sizes, seen.isTensor ? seen.rank : 0, count);
}
inline size_t mixSizes(const Argument &argument, size_t count) {
  const TensorView &view = argument.getTensor();
  return mixSizes(view.sizes, argument.isTensor() ? view.rank : 0, count);
}

} // namespace tegula

#endif // PYTHON_CACHEDARGUMENT_H
