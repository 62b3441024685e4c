// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/Gradients.h"

using namespace tegula;

const PyGetSetDef *tegula::findRequiresGrad(PyTypeObject *type) {
  PyObject *found = PyObject_GetAttrString(reinterpret_cast<PyObject *>(type),
                                           "requires_grad");
  PyErr_Clear();
  const PyGetSetDef *getter = nullptr;
  // A type that is read never goes, and so do its members.
  if (found && Py_TYPE(found) == &PyGetSetDescr_Type)
    getter = reinterpret_cast<PyGetSetDescrObject *>(found)->d_getset;
  Py_XDECREF(found);
  return getter && getter->get ? getter : nullptr;
}

/// True if the answer, which is released, is Python's True. Leaves no
/// exception.
static bool isTrue(PyObject *answer) {
  PyErr_Clear();
  Py_XDECREF(answer);
  return answer == Py_True;
}

/// torch.is_grad_enabled: only torch's tensors require gradients.
static PyObject *findMode() {
  PyObject *torch = PyDict_GetItemString(PyImport_GetModuleDict(), "torch");
  PyObject *mode =
      torch ? PyObject_GetAttrString(torch, "is_grad_enabled") : nullptr;
  PyErr_Clear();
  return mode;
}

bool tegula::wantsGradient(PyObject *object, const PyGetSetDef &requiresGrad) {
  static PyObject *mode = findMode();
  return mode && isTrue(PyObject_CallNoArgs(mode)) &&
         isTrue(requiresGrad.get(object, requiresGrad.closure));
}

void GradientSlot::find(const dlpack::ExchangeApi &api) {
  static bool isTried = false;
  if (isTried)
    return;
  isTried = true;
  PyObject *module = PyImport_ImportModule("tegula._gradients");
  PyObject *samples =
      module ? PyObject_CallMethod(module, "make_samples", nullptr) : nullptr;
  // What the words before the sizes are in all samples: pairs of a tensor, and
  // whether it requires gradients.
  constexpr int mostWords = 8;
  unsigned fits = samples ? (1u << (mostWords + 1)) - 2 : 0;
  for (Py_ssize_t index = 0; samples && index < PyList_Size(samples); ++index) {
    PyObject *pair = PyList_GetItem(samples, index);
    dlpack::Tensor tensor;
    if (api.describe(PyTuple_GetItem(pair, 0), &tensor) != 0 ||
        !isInline(tensor)) {
      fits = 0;
      break;
    }
    bool isRequired = PyTuple_GetItem(pair, 1) == Py_True;
    for (int word = 1; word <= mostWords; ++word)
      if ((tensor.shape[-word] != 0) != isRequired)
        fits &= ~(1u << word);
  }
  PyErr_Clear();
  Py_XDECREF(samples);
  Py_XDECREF(module);
  // More than one would be chance.
  if (fits && (fits & (fits - 1)) == 0)
    distance = __builtin_ctz(fits);
}
