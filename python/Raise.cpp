// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problems as Python exceptions.

#include "python/KernelObject.h"

using namespace tegula;

static const char *nameOf(Problem::Kind kind) {
  switch (kind) {
  case Problem::Kind::Call:
    return "CallError";
  case Problem::Kind::Compile:
    return "CompileError";
  case Problem::Kind::Run:
    return "RunError";
  case Problem::Kind::System:
    return "ResourceError";
  case Problem::Kind::Internal:
    return "InternalError";
  case Problem::Kind::Stopped:
    return "Error";
  }
  return "Error";
}

void tegula::raise(const Problem &problem) {
  // What made it stop, what a callback raised, or is no Exception, such as
  // KeyboardInterrupt, is left as it is.
  if (PyErr_Occurred() && (problem.getKind() == Problem::Kind::Stopped ||
                           problem.getKind() == Problem::Kind::Run ||
                           !PyErr_ExceptionMatches(PyExc_Exception)))
    return;
  PyObject *module = PyImport_ImportModule("tegula._errors");
  if (!module)
    return;
  PyObject *type = PyObject_GetAttrString(module, nameOf(problem.getKind()));
  Py_DECREF(module);
  if (!type)
    return;
  // Paths and names in messages are the user's and may be any bytes.
  PyObject *text = PyUnicode_DecodeUTF8(
      problem.getText().data(), problem.getText().size(), "backslashreplace");
  PyObject *error = text ? PyObject_CallOneArg(type, text) : nullptr;
  if (error && problem.getKind() == Problem::Kind::Compile) {
    PyObject *path = PyUnicode_DecodeFSDefault(problem.getPath().c_str());
    PyObject *line = PyLong_FromUnsignedLong(problem.getLine());
    PyObject *column = PyLong_FromUnsignedLong(problem.getColumn());
    PyObject_SetAttrString(error, "path", path);
    PyObject_SetAttrString(error, "line", line);
    PyObject_SetAttrString(error, "column", column);
    Py_XDECREF(path);
    Py_XDECREF(line);
    Py_XDECREF(column);
  }
  if (error)
    PyErr_SetObject(type, error);
  Py_XDECREF(error);
  Py_XDECREF(text);
  Py_DECREF(type);
}
