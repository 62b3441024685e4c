// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/TypeReader.h"

#include "python/Gradients.h"

#include <unordered_map>

using namespace tegula;
using Kind = TypeReader::Kind;

/// `module.name`, a new reference, or null; the module is not imported.
static PyObject *findLoaded(const char *module, const char *name) {
  PyObject *modules = PyImport_GetModuleDict();
  PyObject *loaded = PyDict_GetItemString(modules, module);
  PyObject *found = loaded ? PyObject_GetAttrString(loaded, name) : nullptr;
  PyErr_Clear();
  return found;
}

/// True if `type` is `module.name` or made from it.
static bool isKindOf(PyTypeObject *type, const char *module, const char *name) {
  PyObject *wanted = findLoaded(module, name);
  bool isSame =
      wanted && PyType_Check(wanted) &&
      PyType_IsSubtype(type, reinterpret_cast<PyTypeObject *>(wanted));
  Py_XDECREF(wanted);
  return isSame;
}

/// The table of the newest version that is laid out as we know it, or null.
static const dlpack::ExchangeApi *findExchange(PyTypeObject *type) {
  PyObject *capsule = PyObject_GetAttrString(reinterpret_cast<PyObject *>(type),
                                             "__dlpack_c_exchange_api__");
  if (!capsule) {
    PyErr_Clear();
    return nullptr;
  }
  const char *name = "dlpack_exchange_api";
  const dlpack::ExchangeApi *api = nullptr;
  if (PyCapsule_IsValid(capsule, name))
    api = static_cast<const dlpack::ExchangeApi *>(
        PyCapsule_GetPointer(capsule, name));
  Py_DECREF(capsule);
  while (api && api->version.major != 1)
    api = api->previous;
  return api && api->describe ? api : nullptr;
}

static bool hasAttribute(PyTypeObject *type, const char *name) {
  return PyObject_HasAttrString(reinterpret_cast<PyObject *>(type), name) == 1;
}

static TypeReader look(PyTypeObject *type) {
  if (isKindOf(type, "numpy.ma", "MaskedArray"))
    return {Kind::Masked};
  if (isKindOf(type, "numpy", "ndarray"))
    return {Kind::Numpy};
  if (const dlpack::ExchangeApi *api = findExchange(type)) {
    const PyGetSetDef *requiresGrad = findRequiresGrad(type);
    if (requiresGrad)
      GradientSlot::find(*api);
    return {Kind::Exchange, api, nullptr, requiresGrad};
  }
  if (isKindOf(type, "cupy", "ndarray"))
    return {Kind::Capsule, nullptr,
            findLoaded("cupy.cuda", "get_current_stream")};
  if (hasAttribute(type, "__dlpack__"))
    return {Kind::Capsule};
  if (type == &PyBool_Type || isKindOf(type, "numpy", "bool_"))
    return {Kind::Bool};
  const PyNumberMethods *number = type->tp_as_number;
  if (number && number->nb_index)
    return {Kind::Integer};
  if (number && number->nb_float)
    return {Kind::Float};
  if (type->tp_as_buffer && type->tp_as_buffer->bf_getbuffer)
    return {Kind::Buffer};
  return {Kind::Nothing};
}

TypeReader tegula::lookAtType(PyTypeObject *type, KnownType &slot) {
  static auto *known = new std::unordered_map<PyTypeObject *, TypeReader>();
  auto found = known->find(type);
  if (found == known->end()) {
    Py_INCREF(type);
    found = known->emplace(type, look(type)).first;
  }
  slot = {type, found->second};
  return found->second;
}
