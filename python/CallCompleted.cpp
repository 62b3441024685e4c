// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that leave something to find out: names, defaults, outputs.

#include "python/KernelAttributes.h"
#include "python/KernelObject.h"

#include <cstring>

using namespace tegula;

PyObject *tegula::collectResults(const Signature &declared,
                                 PyObject *const *arguments) {
  if (LLVM_LIKELY(declared.results.empty()))
    Py_RETURN_NONE;
  if (declared.results.size() == 1)
    return Py_NewRef(arguments[declared.results.front()]);
  PyObject *results = PyTuple_New(declared.results.size());
  for (size_t index = 0; results && index < declared.results.size(); ++index)
    PyTuple_SET_ITEM(results, index,
                     Py_NewRef(arguments[declared.results[index]]));
  return results;
}

namespace {

/// The arguments of a call in the order of parameters.
struct OrderedCall {
  PyObject *objects[ReadArguments::mostNotes] = {};
  size_t count = 0;

  /// Puts those that are named in their places. False if that needs words:
  /// names that are wrong, or arguments that are missing before others.
  bool order(const Signature &declared, PyObject *const *arguments,
             size_t numPositional, PyObject *names) {
    size_t numNames = names ? PyTuple_GET_SIZE(names) : 0;
    count = numPositional + numNames;
    if (count > declared.parameters.size() ||
        declared.parameters.size() > ReadArguments::mostNotes)
      return false;
    for (size_t index = 0; index < numPositional; ++index)
      objects[index] = arguments[index];
    for (size_t index = 0; index < numNames; ++index)
      if (!put(declared, PyTuple_GET_ITEM(names, index),
               arguments[numPositional + index]))
        return false;
    // None stands for an output that is left out.
    for (size_t index = 0; index < count; ++index)
      if (!objects[index] || objects[index] == Py_None)
        return false;
    return true;
  }

private:
  bool put(const Signature &declared, PyObject *name, PyObject *object) {
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    if (!text) {
      PyErr_Clear();
      return false;
    }
    for (size_t index = 0; index < declared.parameters.size(); ++index)
      if (declared.parameters[index].name ==
          std::string_view(text, static_cast<size_t>(length))) {
        bool isFree = !objects[index];
        objects[index] = object;
        return isFree;
      }
    return false;
  }
};

} // namespace

/// Whether a parameter may have a default that a call with so many arguments
/// leaves to it. Defaults may be changed in place, so they are looked at anew.
static bool mayHaveDefaults(PyObject *function, size_t count) {
  if (!function || !PyFunction_Check(function))
    return function && !PyType_Check(function);
  PyObject *byName = PyFunction_GET_KW_DEFAULTS(function);
  if (byName && !(PyDict_CheckExact(byName) && PyDict_GET_SIZE(byName) == 0))
    return true;
  auto *code = reinterpret_cast<PyCodeObject *>(PyFunction_GET_CODE(function));
  return PyFunction_GET_DEFAULTS(function) &&
         count < static_cast<size_t>(code->co_argcount);
}

/// Runs a call whose last parameters `makers` make.
static PyObject *callWithOutputs(KernelCore &core, const Signature &declared,
                                 OrderedCall &call, PyObject *makers) {
  size_t made = 0, numMakers = PyTuple_GET_SIZE(makers);
  PyObject **outputs = call.objects + call.count;
  while (made < numMakers &&
         (outputs[made] = PyObject_CallNoArgs(PyTuple_GET_ITEM(makers, made))))
    ++made;
  PyObject *result = nullptr;
  if (made == numMakers &&
      runKernel(core, call.objects, call.count + numMakers)) {
    if (!declared.results.empty())
      result = collectResults(declared, call.objects);
    else if (made == 1)
      result = Py_NewRef(outputs[0]);
    else if ((result = PyTuple_New(made)))
      for (size_t index = 0; index < made; ++index)
        PyTuple_SET_ITEM(result, index, Py_NewRef(outputs[index]));
  }
  while (made > 0)
    Py_DECREF(outputs[--made]);
  return result;
}

/// Asks Python what the call means. Sets what makes the outputs that are left
/// out of its end, a new reference, if that can be told.
static PyObject *callAsked(KernelObject *kernel, KernelCore &core,
                           PyObject *const *arguments, size_t count,
                           PyObject *names, PyObject *&makers) {
  size_t numNames = names ? PyTuple_GET_SIZE(names) : 0;
  PyObject *positional = PyTuple_New(count), *named = PyDict_New();
  for (size_t index = 0; positional && index < count; ++index)
    PyTuple_SET_ITEM(positional, index, Py_NewRef(arguments[index]));
  for (size_t index = 0; named && index < numNames; ++index)
    PyDict_SetItem(named, PyTuple_GET_ITEM(names, index),
                   arguments[count + index]);
  PyObject *completed =
      positional && named
          ? PyObject_CallFunctionObjArgs(kernel->content->complete, kernel,
                                         positional, named, nullptr)
          : nullptr;
  Py_XDECREF(positional);
  Py_XDECREF(named);
  if (!completed) {
    forgetOwnFrames();
    return nullptr;
  }
  PyObject *all, *result = nullptr, *found;
  if (PyArg_ParseTuple(completed, "O!OO", &PyList_Type, &all, &result,
                       &found) &&
      runKernel(core, PySequence_Fast_ITEMS(all), PyList_GET_SIZE(all))) {
    Py_INCREF(result);
    if (PyTuple_Check(found))
      makers = Py_NewRef(found);
  } else {
    result = nullptr;
  }
  Py_DECREF(completed);
  return result;
}

PyObject *tegula::callCompleted(KernelObject *kernel, KernelCore &core,
                                PyObject *const *arguments, size_t count,
                                PyObject *names) {
  const Signature *declared = core.dispatcher.getKnown();
  OrderedCall call;
  PyObject *makers = nullptr;
  bool isOrdered = declared && call.order(*declared, arguments, count, names);
  if (!isOrdered || (call.count < declared->parameters.size() &&
                     mayHaveDefaults(kernel->content->function, call.count))) {
    PyObject *result = callAsked(kernel, core, arguments, count, names, makers);
    Py_XDECREF(makers);
    return result;
  }
  if (call.count == declared->parameters.size())
    return runKernel(core, call.objects, call.count)
               ? collectResults(*declared, call.objects)
               : nullptr;
  makers = core.outputs.find(call.objects, call.count);
  if (makers) {
    PyObject *result = callWithOutputs(core, *declared, call, makers);
    Py_DECREF(makers);
    return result;
  }
  GivenArguments given;
  if (!PyErr_Occurred())
    given.assign(call.objects, call.count);
  if (PyErr_Occurred())
    return nullptr;
  PyObject *result =
      callAsked(kernel, core, call.objects, call.count, nullptr, makers);
  // They may have changed while they were looked at.
  bool isKnown =
      result && makers && kernel->content->current.get() == &core &&
      PyTuple_GET_SIZE(makers) + call.count == declared->parameters.size() &&
      given.match(call.objects, call.count);
  if (isKnown)
    core.outputs.add(given, makers);
  else if (PyErr_Occurred())
    Py_CLEAR(result);
  Py_XDECREF(makers);
  return result;
}
