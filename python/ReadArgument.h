// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From Python objects to the arguments of a call. Nothing is copied: a tensor
/// is read where it lies, whatever its strides, all of them on the same device.
/// Only arrays with a byte for each 4-bit element are packed first
/// (HalfByteCopies.h).

#ifndef TEGULA_PYTHON_READARGUMENT_H
#define TEGULA_PYTHON_READARGUMENT_H

#include "python/Dlpack.h"
#include "python/HalfByteCopies.h"
#include "tegula/launch/Problem.h"
#include "tegula/launch/call/Argument.h"
#include "tegula/launch/device/DeviceStream.h"

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <new>
#include <vector>

namespace tegula {

/// What is known of an object besides what the argument says.
struct ReadNote {
  PyTypeObject *type = nullptr;
  /// The element type as the library names it: NumPy's number of it, or the
  /// bytes of a dlpack::DataType.
  uint32_t element = 0;
  dlpack::Device device = {dlpack::Cpu, 0};
  bool isNumpy = false;
  bool isReadOnly = false;
  /// Whether an object of the same type, elements, sizes and strides can be
  /// read as this one was, without a look at anything else.
  bool isPlain = false;
};

/// Room for the arguments of one call, and what keeps their memory alive. Must
/// be destroyed with the GIL held.
class ReadArguments {
public:
  explicit ReadArguments(size_t count)
      : start(count <= mostInPlace ? reinterpret_cast<Argument *>(inPlace)
                                   : allocate(count)),
        isAllocated(count > mostInPlace) {}
  ~ReadArguments();
  ReadArguments(const ReadArguments &) = delete;
  ReadArguments &operator=(const ReadArguments &) = delete;

  /// Reads `object` as the next argument. What is wrong is said without the
  /// name of the argument.
  Problem add(PyObject *object);

  llvm::ArrayRef<Argument> get() const { return {start, count}; }

  /// The first argument that cannot be written and that `isWritten` says is;
  /// the number of arguments if there is none.
  template <typename IsWritten> size_t findReadOnly(IsWritten isWritten) const {
    for (size_t index : readOnly)
      if (isWritten(index))
        return index;
    return count;
  }

  /// The device that the tensors are on, and the stream that their library
  /// works on; of no device if they are in memory of the host.
  const DeviceStream &getStream() const { return stream; }

  /// Of so many arguments there are notes.
  static constexpr size_t mostNotes = 12;
  const ReadNote &getNote(size_t index) const { return notes[index]; }
  /// Whether there is a note of each argument, and all are plain.
  bool isPlain() const {
    if (count == 0 || count > mostNotes)
      return false;
    for (size_t index = 0; index < count; ++index)
      if (!notes[index].isPlain)
        return false;
    return true;
  }

  /// Packed copies among the arguments.
  const HalfByteCopies &getCopies() const { return copies; }

private:
  static constexpr size_t mostInPlace = 16;
  static Argument *allocate(size_t count) {
    return static_cast<Argument *>(operator new(count * sizeof(Argument)));
  }

  friend struct ArgumentReader;

  alignas(Argument) char inPlace[mostInPlace * sizeof(Argument)];
  Argument *start;
  bool isAllocated;
  size_t count = 0;
  bool hasTensors = false;
  ReadNote notes[mostNotes];
  /// What tells the stream that the first tensor's library works on: its
  /// exchange, a function of Python, or nothing.
  const void *library = nullptr;
  DeviceStream stream;
  std::vector<size_t> readOnly;
  std::vector<PyObject *> owned;
  std::vector<Py_buffer *> buffers;
  HalfByteCopies copies;
};

} // namespace tegula

#endif // TEGULA_PYTHON_READARGUMENT_H
