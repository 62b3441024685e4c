// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The layout of DLPack 1.3, as far as tensors are read: what libraries agreed
/// on so that one can use the memory of another.

#ifndef TEGULA_PYTHON_DLPACK_H
#define TEGULA_PYTHON_DLPACK_H

#include <cstdint>

namespace tegula::dlpack {

/// Where memory is, as far as kernels reach it.
enum DeviceType : int32_t { Cpu = 1, Cuda = 2, CudaHost = 3, RocmHost = 11 };

/// The kinds of element types.
enum TypeCode : uint8_t {
  Int = 0,
  UInt = 1,
  Float = 2,
  BFloat = 4,
  Complex = 5,
  Bool = 6,
  Float8E4M3FN = 10,
  Float8E5M2 = 12
};

struct Device {
  int32_t type;
  int32_t id;
};

struct DataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct Tensor {
  void *data;
  Device device;
  int32_t rank;
  DataType dtype;
  int64_t *shape;
  /// In elements; null means row-major.
  int64_t *strides;
  uint64_t byteOffset;
};

struct Version {
  uint32_t major;
  uint32_t minor;
};

/// What a capsule named "dltensor" holds.
struct ManagedTensor {
  Tensor tensor;
  void *context;
  void (*destroy)(ManagedTensor *);
};

/// What a capsule named "dltensor_versioned" holds.
struct VersionedTensor {
  static constexpr uint64_t readOnlyFlag = 1;
  /// Elements of less than a byte have one each.
  static constexpr uint64_t paddedFlag = 4;
  Version version;
  void *context;
  void (*destroy)(VersionedTensor *);
  uint64_t flags;
  Tensor tensor;
};

/// What a type's `__dlpack_c_exchange_api__` holds, in a capsule named
/// "dlpack_exchange_api".
struct ExchangeApi {
  Version version;
  ExchangeApi *previous;
  void *allocate;
  void *exportManaged;
  void *importManaged;
  /// Describes an object without taking hold of it: 0, or -1 with a Python
  /// exception.
  int (*describe)(void *object, Tensor *tensor);
  /// The stream that the library uses on a device at the moment: 0, or -1 with
  /// a Python exception.
  int (*getStream)(int32_t deviceType, int32_t deviceId, void **stream);
};

} // namespace tegula::dlpack

#endif // TEGULA_PYTHON_DLPACK_H
