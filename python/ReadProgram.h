// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the Python side found out about a kernel, as a Program.

#ifndef TEGULA_PYTHON_READPROGRAM_H
#define TEGULA_PYTHON_READPROGRAM_H

#include "tegula/launch/call/Program.h"

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace tegula {

/// Reads the description that tegula._capture makes. False with a Python
/// exception if it is not such.
bool readProgram(PyObject *description, Program &program);

} // namespace tegula

#endif // TEGULA_PYTHON_READPROGRAM_H
