// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/KernelAttributes.h"

#include <map>
#include <string>

using namespace tegula;

void tegula::forgetOwnFrames() {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  PyObject *module = PyImport_ImportModule("tegula._errors");
  PyObject *error = module ? PyObject_GetAttrString(module, "Error") : nullptr;
  if (error && value && PyObject_IsInstance(value, error) == 1) {
    Py_CLEAR(trace);
    PyException_SetTraceback(value, Py_None);
  }
  PyErr_Clear();
  Py_XDECREF(error);
  Py_XDECREF(module);
  PyErr_Restore(type, value, trace);
}

/// The module of what kernels can do, a new reference; null with an exception.
static PyObject *loadMethods() {
  PyObject *loader = PyImport_ImportModule("tegula._load");
  PyObject *module =
      loader ? PyObject_CallMethod(loader, "load", "s", "tegula._methods")
             : nullptr;
  Py_XDECREF(loader);
  return module;
}

/// What `table` of the Python package's methods has under `name`: a new
/// reference, or null without an exception.
static PyObject *findMethod(const char *table, PyObject *name) {
  PyObject *module = loadMethods();
  PyObject *methods = module ? PyObject_GetAttrString(module, table) : nullptr;
  PyObject *method = methods ? PyDict_GetItem(methods, name) : nullptr;
  Py_XINCREF(method);
  Py_XDECREF(methods);
  Py_XDECREF(module);
  PyErr_Clear();
  return method;
}

/// Calls the function of the package that `bound` is.
static PyObject *callMethod(PyObject *bound, PyObject *args, PyObject *kwargs) {
  PyObject *result = PyObject_Call(bound, args, kwargs);
  if (!result)
    forgetOwnFrames();
  return result;
}

/// The words that `help` and `inspect` show, which live as long as the process.
static const char *describe(PyObject *method, const std::string &name) {
  static auto *known = new std::map<std::string, std::string>();
  std::string &words = (*known)[name];
  if (!words.empty())
    return words.c_str();
  PyObject *module = loadMethods();
  PyObject *text =
      module ? PyObject_CallMethod(module, "describe", "O", method) : nullptr;
  if (const char *bytes = text ? PyUnicode_AsUTF8(text) : nullptr)
    words = bytes;
  PyErr_Clear();
  Py_XDECREF(text);
  Py_XDECREF(module);
  return words.c_str();
}

/// The method as a function in C, which leaves no frame in a traceback.
static PyObject *bind(PyObject *method, PyObject *self, PyObject *name) {
  static auto *definitions = new std::map<std::string, PyMethodDef>();
  const char *bytes = PyUnicode_AsUTF8(name);
  if (!bytes)
    return nullptr;
  auto [definition, isNew] = definitions->try_emplace(bytes);
  if (isNew)
    definition->second = {
        definition->first.c_str(),
        reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(callMethod)),
        METH_VARARGS | METH_KEYWORDS, describe(method, definition->first)};
  PyObject *bound = PyMethod_New(method, self);
  PyObject *function =
      bound ? PyCFunction_NewEx(&definition->second, bound, nullptr) : nullptr;
  Py_XDECREF(bound);
  return function;
}

PyObject *tegula::getKernelAttribute(PyObject *self, PyObject *name) {
  PyObject *found = PyObject_GenericGetAttr(self, name);
  if (found || !PyErr_ExceptionMatches(PyExc_AttributeError))
    return found;
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyObject *method = findMethod("METHODS", name);
  PyObject *property = method ? nullptr : findMethod("PROPERTIES", name);
  if (!method && !property) {
    PyErr_Restore(type, value, trace);
    return nullptr;
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  found =
      method ? bind(method, self, name) : PyObject_CallOneArg(property, self);
  if (!found)
    forgetOwnFrames();
  Py_XDECREF(method);
  Py_XDECREF(property);
  return found;
}

/// A kernel is found by its name, as functions are: `copy` gives itself.
static PyObject *reduce(PyObject *self, PyObject *) {
  return PyObject_GetAttrString(self, "__qualname__");
}

static PyObject *listNames(PyObject *self, PyObject *) {
  PyObject *module = loadMethods();
  PyObject *names =
      module ? PyObject_CallMethod(module, "list_names", "O", self) : nullptr;
  Py_XDECREF(module);
  return names;
}

PyMethodDef *tegula::getKernelMethods() {
  static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr},
                                  {"__dir__", listNames, METH_NOARGS, nullptr},
                                  {}};
  return methods;
}
