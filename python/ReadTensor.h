// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tensors of other libraries as views of their memory.

#ifndef TEGULA_PYTHON_READTENSOR_H
#define TEGULA_PYTHON_READTENSOR_H

#include "python/Dlpack.h"
#include "tegula/launch/Problem.h"
#include "tegula/support/TensorView.h"

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace tegula {

/// A numpy.ndarray. Elements of 4 bits have a byte each, and strides count
/// those.
Problem readNumpyArray(PyObject *array, TensorView &view, bool &isReadOnly);

/// NumPy's number of the type of an array's elements.
uint32_t getNumpyType(PyObject *array);

/// Whether the processor can read what is there.
bool isOnHost(dlpack::Device device);

/// What DLPack describes.
Problem readDlpack(const dlpack::Tensor &tensor, TensorView &view);

/// What an object's buffer describes.
Problem readBuffer(const Py_buffer &buffer, TensorView &view);

/// The capsule of an object with `__dlpack__`; null with a Python exception.
/// Its elements are ready on the default stream of a device, or on that of its
/// library if that is enough.
PyObject *exportCapsule(PyObject *object, bool isEnough);

/// What is in such a capsule.
Problem openCapsule(PyObject *capsule, const dlpack::Tensor *&tensor,
                    bool &isReadOnly);

} // namespace tegula

#endif // TEGULA_PYTHON_READTENSOR_H
