// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's arrays, read by their fields, and everything with a buffer.

#include "python/ReadTensor.h"

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include <cstring>
#include <optional>
#include <string>

using namespace tegula;

static DType integerType(bool isSigned, size_t size) {
  switch (size) {
  case 1:
    return isSigned ? DType::Int8 : DType::UInt8;
  case 2:
    return isSigned ? DType::Int16 : DType::UInt16;
  case 4:
    return isSigned ? DType::Int32 : DType::UInt32;
  default:
    return isSigned ? DType::Int64 : DType::UInt64;
  }
}

/// Types that other packages add to NumPy have numbers only at run time, but
/// their scalars have names.
static std::optional<DType> typeByName(PyArray_Descr *descr) {
  std::string name = descr->typeobj->tp_name;
  name = name.substr(name.rfind('.') + 1);
  static constexpr struct {
    const char *name;
    DType dtype;
  } known[] = {{"bfloat16", DType::BF16},
               {"float8_e4m3fn", DType::FP8E4M3FN},
               {"float8_e5m2", DType::FP8E5M2},
               {"int4", DType::Int4},
               {"uint4", DType::UInt4}};
  for (const auto &entry : known)
    if (name == entry.name)
      return entry.dtype;
  return std::nullopt;
}

static std::optional<DType> typeOf(PyArray_Descr *descr) {
  switch (descr->type_num) {
  case NPY_BOOL:
    return DType::Bool;
  case NPY_BYTE:
    return DType::Int8;
  case NPY_UBYTE:
    return DType::UInt8;
  case NPY_SHORT:
    return DType::Int16;
  case NPY_USHORT:
    return DType::UInt16;
  case NPY_INT:
    return DType::Int32;
  case NPY_UINT:
    return DType::UInt32;
  case NPY_LONG:
  case NPY_LONGLONG:
    return DType::Int64;
  case NPY_ULONG:
  case NPY_ULONGLONG:
    return DType::UInt64;
  case NPY_HALF:
    return DType::FP16;
  case NPY_FLOAT:
    return DType::FP32;
  case NPY_DOUBLE:
    return DType::FP64;
  default:
    return descr->type_num >= NPY_USERDEF ? typeByName(descr) : std::nullopt;
  }
}

/// "complex128"
static std::string describe(PyArray_Descr *descr) {
  std::string text = descr->typeobj->tp_name;
  if (PyObject *words = PyObject_Str(reinterpret_cast<PyObject *>(descr))) {
    if (const char *bytes = PyUnicode_AsUTF8(words))
      text = bytes;
    Py_DECREF(words);
  }
  PyErr_Clear();
  return text;
}

/// Sets the shape; strides are in bytes and must be whole elements.
static Problem setShape(TensorView &view, int rank, const npy_intp *sizes,
                        const npy_intp *byteStrides) {
  if (rank > int(TensorView::maxRank))
    return makeCallProblem("a tensor has at most {0} axes, got {1}",
                           TensorView::maxRank, rank);
  view.rank = static_cast<uint8_t>(rank);
  int64_t size = getSize(view.dtype);
  for (int axis = 0; axis < rank; ++axis) {
    view.sizes[axis] = sizes[axis];
    // Element sizes are powers of two.
    if (__builtin_expect(byteStrides[axis] & (size - 1), 0)) {
      if (sizes[axis] > 1)
        return makeCallProblem("stride {0} along axis {1} is not a multiple of "
                               "the element's {2} bytes",
                               byteStrides[axis], axis, size);
      view.strides[axis] = 1;
      continue;
    }
    view.strides[axis] = byteStrides[axis] / size;
  }
  return {};
}

Problem tegula::readNumpyArray(PyObject *object, TensorView &view,
                               bool &isReadOnly) {
  auto *array = reinterpret_cast<PyArrayObject *>(object);
  PyArray_Descr *descr = PyArray_DESCR(array);
  std::optional<DType> dtype = typeOf(descr);
  if (__builtin_expect(!dtype, 0))
    return makeCallProblem("kernels have no element type {0}", describe(descr));
  if (__builtin_expect(descr->byteorder == '>', 0))
    return makeCallProblem("the elements ({0}) are not in the byte order of "
                           "this machine",
                           describe(descr));
  view.data = PyArray_DATA(array);
  view.dtype = *dtype;
  isReadOnly = !(PyArray_FLAGS(array) & NPY_ARRAY_WRITEABLE);
  return setShape(view, PyArray_NDIM(array), PyArray_DIMS(array),
                  PyArray_STRIDES(array));
}

uint32_t tegula::getNumpyType(PyObject *array) {
  return PyArray_DESCR(reinterpret_cast<PyArrayObject *>(array))->type_num;
}

static std::optional<DType> typeOfFormat(const char *format, size_t size) {
  if (!format)
    return DType::UInt8;
  if (*format == '@' || *format == '=' || *format == '<')
    ++format;
  if (*format == '\0' || format[1] != '\0')
    return std::nullopt;
  if (std::strchr("bhilqn", *format))
    return integerType(true, size);
  if (std::strchr("BHILQN", *format))
    return integerType(false, size);
  switch (*format) {
  case '?':
    return DType::Bool;
  case 'e':
    return DType::FP16;
  case 'f':
    return DType::FP32;
  case 'd':
    return DType::FP64;
  default:
    return std::nullopt;
  }
}

Problem tegula::readBuffer(const Py_buffer &buffer, TensorView &view) {
  std::optional<DType> dtype = typeOfFormat(buffer.format, buffer.itemsize);
  if (!dtype)
    return makeCallProblem("kernels have no element type for the buffer's "
                           "format '{0}'",
                           buffer.format);
  view.data = buffer.buf;
  view.dtype = *dtype;
  static_assert(sizeof(npy_intp) == sizeof(Py_ssize_t));
  return setShape(view, buffer.ndim, buffer.shape, buffer.strides);
}
