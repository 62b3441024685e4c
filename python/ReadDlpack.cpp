// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors that come through DLPack.

#include "python/ReadTensor.h"

#include <optional>

using namespace tegula;

static std::optional<DType> toDType(dlpack::DataType type) {
  bool isInteger = type.code == dlpack::Int || type.code == dlpack::UInt;
  // A pair is a byte, as if the bytes were passed.
  if (isInteger && type.bits == 4 && type.lanes == 2)
    return DType::UInt8;
  if (type.lanes != 1)
    return std::nullopt;
  if (isInteger && type.bits == 4)
    return type.code == dlpack::Int ? DType::Int4 : DType::UInt4;
  auto choose = [&](std::optional<DType> of8, std::optional<DType> of16,
                    std::optional<DType> of32,
                    std::optional<DType> of64) -> std::optional<DType> {
    switch (type.bits) {
    case 8:
      return of8;
    case 16:
      return of16;
    case 32:
      return of32;
    case 64:
      return of64;
    default:
      return std::nullopt;
    }
  };
  switch (type.code) {
  case dlpack::Int:
    return choose(DType::Int8, DType::Int16, DType::Int32, DType::Int64);
  case dlpack::UInt:
    return choose(DType::UInt8, DType::UInt16, DType::UInt32, DType::UInt64);
  case dlpack::Float:
    return choose(std::nullopt, DType::FP16, DType::FP32, DType::FP64);
  case dlpack::BFloat:
    return choose(std::nullopt, DType::BF16, std::nullopt, std::nullopt);
  case dlpack::Bool:
    return choose(DType::Bool, std::nullopt, std::nullopt, std::nullopt);
  case dlpack::Float8E4M3FN:
    return DType::FP8E4M3FN;
  case dlpack::Float8E5M2:
    return DType::FP8E5M2;
  default:
    return std::nullopt;
  }
}

bool tegula::isOnHost(dlpack::Device device) {
  return device.type == dlpack::Cpu || device.type == dlpack::CudaHost ||
         device.type == dlpack::RocmHost;
}

Problem tegula::readDlpack(const dlpack::Tensor &tensor, TensorView &view) {
  if (!isOnHost(tensor.device) && tensor.device.type != dlpack::Cuda)
    return makeCallProblem("the tensor is on a device of type {0}, and kernels "
                           "run on CPUs and on NVIDIA's GPUs",
                           tensor.device.type);
  std::optional<DType> dtype = toDType(tensor.dtype);
  if (!dtype)
    return makeCallProblem("kernels have no element type for DLPack's code {0} "
                           "with {1} bits",
                           tensor.dtype.code, tensor.dtype.bits);
  if (tensor.rank < 0 || tensor.rank > int(TensorView::maxRank))
    return makeCallProblem("a tensor has at most {0} axes, got {1}",
                           TensorView::maxRank, tensor.rank);
  view.data = static_cast<char *>(tensor.data) + tensor.byteOffset;
  view.dtype = *dtype;
  view.rank = static_cast<uint8_t>(tensor.rank);
  int64_t step = 1;
  for (unsigned axis = view.rank; axis-- > 0;) {
    view.sizes[axis] = tensor.shape[axis];
    view.strides[axis] = tensor.strides ? tensor.strides[axis] : step;
    step *= tensor.shape[axis];
  }
  return {};
}

PyObject *tegula::exportCapsule(PyObject *object, bool isEnough) {
  static PyObject *name = PyUnicode_InternFromString("__dlpack__");
  static PyObject *keywords = Py_BuildValue("(ss)", "max_version", "stream");
  static PyObject *versionOnly = PyTuple_GetSlice(keywords, 0, 1);
  static PyObject *streamOnly = PyTuple_GetSlice(keywords, 1, 2);
  static PyObject *version = Py_BuildValue("(ii)", 1, 3);
  static PyObject *noWaiting = PyLong_FromLong(-1);
  PyObject *arguments[] = {object, version, noWaiting};
  PyObject *capsule = PyObject_VectorcallMethod(
      name, arguments, 1, isEnough ? keywords : versionOnly);
  // Libraries from before DLPack 1.0 do not know the version.
  if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) {
    PyErr_Clear();
    PyObject *older[] = {object, noWaiting};
    capsule = PyObject_VectorcallMethod(name, older, 1,
                                        isEnough ? streamOnly : nullptr);
  }
  return capsule;
}

Problem tegula::openCapsule(PyObject *capsule, const dlpack::Tensor *&tensor,
                            bool &isReadOnly) {
  if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    auto *managed = static_cast<dlpack::VersionedTensor *>(
        PyCapsule_GetPointer(capsule, "dltensor_versioned"));
    if (managed->version.major != 1)
      return makeCallProblem("DLPack {0} is not known, only 1",
                             managed->version.major);
    isReadOnly = managed->flags & dlpack::VersionedTensor::readOnlyFlag;
    tensor = &managed->tensor;
    if (managed->flags & dlpack::VersionedTensor::paddedFlag)
      return makeCallProblem("its elements of {0} bits have a byte each; pass "
                             "them packed, two to a byte",
                             tensor->dtype.bits);
    return {};
  }
  if (PyCapsule_IsValid(capsule, "dltensor")) {
    tensor = &static_cast<dlpack::ManagedTensor *>(
                  PyCapsule_GetPointer(capsule, "dltensor"))
                  ->tensor;
    return {};
  }
  return makeCallProblem("its __dlpack__ gave no DLPack capsule");
}
