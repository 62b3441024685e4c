// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warnings of the compiler as Python's, at their locations in the kernel.

#include "python/KernelObject.h"

using namespace tegula;

/// Prints what was said while compiling.
static bool say(const std::string &text) {
  PyObject *line =
      PyUnicode_DecodeUTF8(text.data(), text.size(), "backslashreplace");
  if (!line)
    return false;
  PySys_FormatStdout("%U\n", line);
  Py_DECREF(line);
  return true;
}

/// False with an exception, if there is one or the user wants one.
static bool warn(PyObject *category, const KernelWarning &warning) {
  if (warning.path.empty())
    return say(warning.message);
  // Paths and names are the user's and may be any bytes.
  PyObject *message = PyUnicode_DecodeUTF8(
      warning.message.data(), warning.message.size(), "backslashreplace");
  PyObject *path = PyUnicode_DecodeFSDefault(warning.path.c_str());
  bool isRight = message && path &&
                 PyErr_WarnExplicitObject(
                     category, message, path, static_cast<int>(warning.line),
                     /*module=*/nullptr, /*registry=*/nullptr) == 0;
  Py_XDECREF(path);
  Py_XDECREF(message);
  return isRight;
}

Problem tegula::warnOf(const Variant &variant) {
  if (variant.warnings.empty())
    return {};
  PyObject *module = PyImport_ImportModule("tegula._errors");
  PyObject *category =
      module ? PyObject_GetAttrString(module, "KernelWarning") : nullptr;
  bool isRight = category;
  for (const KernelWarning &warning : variant.warnings)
    isRight = isRight && warn(category, warning);
  Py_XDECREF(category);
  Py_XDECREF(module);
  if (isRight)
    return {};
  return makeProblem(Problem::Kind::Stopped, "stopped by a warning");
}
