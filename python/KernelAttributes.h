// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a kernel has besides being called: the methods and properties that the
/// Python package has for it, and what `copy` and `pickle` ask.

#ifndef TEGULA_PYTHON_KERNELATTRIBUTES_H
#define TEGULA_PYTHON_KERNELATTRIBUTES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace tegula {

/// For the type's `tp_getattro`: what the object has not is looked for in the
/// Python package.
PyObject *getKernelAttribute(PyObject *self, PyObject *name);

/// For the type's `tp_methods`.
PyMethodDef *getKernelMethods();

/// Drops the traceback of the current exception if it is one of Tegula's own: a
/// mistake of the user's ends where the user called, the frames of the package
/// that found it say nothing to them.
void forgetOwnFrames();

} // namespace tegula

#endif // TEGULA_PYTHON_KERNELATTRIBUTES_H
