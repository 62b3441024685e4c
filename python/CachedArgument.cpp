// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/CachedArgument.h"

#include "python/Gradients.h"

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include <cstring>

using namespace tegula;
using Kind = TypeReader::Kind;

static_assert(sizeof(npy_intp) == sizeof(int64_t));

static bool lookAtArray(PyObject *object, SeenArgument &seen) {
  auto *array = reinterpret_cast<PyArrayObject *>(object);
  const PyArray_Descr *descr = PyArray_DESCR(array);
  seen.element = static_cast<uint32_t>(descr->type_num);
  seen.device = {dlpack::Cpu, 0};
  seen.isReadOnly = !(PyArray_FLAGS(array) & NPY_ARRAY_WRITEABLE);
  seen.isTensor = true;
  seen.rank = PyArray_NDIM(array);
  seen.sizes = PyArray_DIMS(array);
  seen.strides = PyArray_STRIDES(array);
  seen.bits = reinterpret_cast<uintptr_t>(PyArray_DATA(array));
  return descr->byteorder != '>';
}

static bool lookAtExchange(PyObject *object, const TypeReader &reader,
                           SeenArgument &seen) {
  dlpack::Tensor tensor;
  if (reader.api->describe(object, &tensor) != 0) {
    clearUnlessInterrupt();
    return false;
  }
  if (reader.requiresGrad && !GradientSlot::isEmpty(tensor) &&
      wantsGradient(object, *reader.requiresGrad))
    return false;
  std::memcpy(&seen.element, &tensor.dtype, sizeof(seen.element));
  seen.device = tensor.device;
  seen.isReadOnly = false;
  seen.isTensor = true;
  seen.rank = tensor.rank;
  seen.sizes = tensor.shape;
  seen.strides = tensor.strides;
  seen.bits = reinterpret_cast<uintptr_t>(tensor.data) + tensor.byteOffset;
  return tensor.strides && tensor.rank >= 0 &&
         tensor.rank <= int32_t(TensorView::maxRank);
}

/// Numbers of Python's own types.
static bool lookAtNumber(PyObject *object, SeenArgument &seen) {
  seen.isTensor = false;
  if (PyFloat_CheckExact(object)) {
    double value = PyFloat_AS_DOUBLE(object);
    std::memcpy(&seen.bits, &value, sizeof(value));
    return true;
  }
  if (!PyLong_CheckExact(object) && !PyBool_Check(object))
    return false;
  int overflow = 0;
  seen.bits = PyLong_AsLongLongAndOverflow(object, &overflow);
  return overflow == 0;
}

void tegula::clearUnlessInterrupt() {
  if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_Exception))
    PyErr_Clear();
}

bool SeenArgument::look(PyObject *object) {
  type = Py_TYPE(object);
  TypeReader reader = getTypeReader(type);
  if (reader.kind == Kind::Numpy)
    return lookAtArray(object, *this);
  if (reader.kind == Kind::Exchange)
    return lookAtExchange(object, reader, *this);
  return lookAtNumber(object, *this);
}

static uint64_t bitsOf(const Argument &number) {
  if (!number.isFloat())
    return number.getIntegerBits();
  double real = number.getFloat();
  uint64_t bits;
  std::memcpy(&bits, &real, sizeof(bits));
  return bits;
}

void CachedArgument::assign(const Argument &argument, const ReadNote &read) {
  note = read;
  if (!argument.isTensor()) {
    bits = bitsOf(argument);
    return;
  }
  const TensorView &view = argument.getTensor();
  // NumPy counts bytes.
  int64_t step = note.isNumpy ? getSize(view.dtype) : 1;
  rank = view.rank;
  for (int32_t axis = 0; axis < rank; ++axis)
    layout[axis] = {view.sizes[axis], view.strides[axis] * step};
}

uint64_t CachedArgument::hash(uint64_t before, const Argument &argument,
                              const ReadNote &read) {
  uint64_t hash = before;
  auto add = [&](uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  };
  add(reinterpret_cast<uintptr_t>(read.type));
  if (!argument.isTensor()) {
    add(bitsOf(argument));
    return hash;
  }
  add(uint64_t(read.element) << 1 | read.isReadOnly);
  add(uint64_t(read.device.type) << 32 | uint32_t(read.device.id));
  for (int64_t size : argument.getTensor().getSizes())
    add(size);
  for (int64_t stride : argument.getTensor().getStrides())
    add(stride);
  return hash;
}
