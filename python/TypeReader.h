// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How objects of a Python type are read. A type is looked at once.

#ifndef TEGULA_PYTHON_TYPEREADER_H
#define TEGULA_PYTHON_TYPEREADER_H

#include "python/Dlpack.h"

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstdint>

namespace tegula {

/// What is known about a type.
struct TypeReader {
  enum class Kind : uint8_t {
    /// numpy.ndarray, by its fields.
    Numpy,
    /// DLPack's C exchange.
    Exchange,
    /// A `__dlpack__` method.
    Capsule,
    /// The buffer protocol.
    Buffer,
    Float,
    Integer,
    Bool,
    /// numpy.ma.MaskedArray, which cannot be read: the mask would be lost.
    Masked,
    /// Neither a tensor nor a number.
    Nothing
  };
  Kind kind = Kind::Nothing;
  const dlpack::ExchangeApi *api = nullptr;
  /// What tells the stream that the library of a Capsule works on at the
  /// moment; null if nothing does, and then its tensors are ready on the
  /// default stream.
  PyObject *getStream = nullptr;
  /// What says that an object requires gradients; null if none can.
  const PyGetSetDef *requiresGrad = nullptr;
};

/// A type that was asked for, and never goes: its address stays its own.
struct KnownType {
  PyTypeObject *type = nullptr;
  TypeReader reader;
};

/// Some of the types of the last calls.
inline KnownType recentTypes[16];

/// Looks at a type that is not there, and puts it there.
TypeReader lookAtType(PyTypeObject *type, KnownType &slot);

/// How to read objects of `type`. Needs the GIL.
inline TypeReader getTypeReader(PyTypeObject *type) {
  auto address = reinterpret_cast<uintptr_t>(type);
  KnownType &slot = recentTypes[(address >> 4 ^ address >> 9) % 16];
  return __builtin_expect(slot.type == type, true) ? slot.reader
                                                   : lookAtType(type, slot);
}

} // namespace tegula

#endif // TEGULA_PYTHON_TYPEREADER_H
