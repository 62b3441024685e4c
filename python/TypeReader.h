// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How objects of a Python type are read. A type is looked at once.

#ifndef TEGULA_PYTHON_TYPEREADER_H
#define TEGULA_PYTHON_TYPEREADER_H

#include "python/Dlpack.h"

#define PY_SSIZE_T_CLEAN
#include <Python.h>

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
};

/// How to read objects of `type`. Needs the GIL.
TypeReader getTypeReader(PyTypeObject *type);

} // namespace tegula

#endif // TEGULA_PYTHON_TYPEREADER_H
