// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/ReadArgument.h"

#include "python/ReadTensor.h"
#include "python/TypeReader.h"

using namespace tegula;

CallArguments::~CallArguments() {
  for (PyObject *object : owned)
    Py_DECREF(object);
  for (Py_buffer *buffer : buffers) {
    PyBuffer_Release(buffer);
    delete buffer;
  }
  if (isAllocated)
    operator delete(start);
}

/// "a 'list'"
static std::string describeType(PyObject *object) {
  return "an object of type '" + std::string(Py_TYPE(object)->tp_name) + "'";
}

/// The text of the Python exception, which is cleared.
static std::string takeExceptionText() {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  std::string text = "unknown error";
  if (value)
    if (PyObject *words = PyObject_Str(value)) {
      if (const char *bytes = PyUnicode_AsUTF8(words))
        text = bytes;
      Py_DECREF(words);
    }
  PyErr_Clear();
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  // What follows is where in a library it happened.
  return text.substr(0, text.find('\n'));
}

namespace tegula {

/// One way of reading per kind of type.
struct ArgumentReader {
  CallArguments &call;
  PyObject *object;

  template <typename T> Problem finish(T value) {
    new (call.start + call.count++) Argument(value);
    return {};
  }

  Problem finishTensor(Problem problem, const TensorView &view,
                       bool isReadOnly) {
    if (problem)
      return problem;
    if (isReadOnly)
      call.readOnly.push_back(call.count);
    return finish<const TensorView &>(view);
  }

  Problem readNumpy() {
    TensorView view;
    bool isReadOnly = false;
    return finishTensor(readNumpyArray(object, view, isReadOnly), view,
                        isReadOnly);
  }

  Problem readExchange(const dlpack::ExchangeApi &api) {
    dlpack::Tensor tensor;
    if (api.describe(object, &tensor) != 0)
      return makeCallProblem("cannot be read: {0}", takeExceptionText());
    TensorView view;
    return finishTensor(readDlpack(tensor, view), view, false);
  }

  Problem readCapsule() {
    PyObject *capsule = exportCapsule(object);
    if (!capsule)
      return makeCallProblem("cannot be read: {0}", takeExceptionText());
    call.owned.push_back(capsule);
    const dlpack::Tensor *tensor = nullptr;
    bool isReadOnly = false;
    if (Problem problem = openCapsule(capsule, tensor, isReadOnly))
      return problem;
    TensorView view;
    return finishTensor(readDlpack(*tensor, view), view, isReadOnly);
  }

  Problem readBuffer() {
    auto buffer = std::make_unique<Py_buffer>();
    if (PyObject_GetBuffer(object, buffer.get(),
                           PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0)
      return makeCallProblem("cannot be read: {0}", takeExceptionText());
    call.buffers.push_back(buffer.release());
    TensorView view;
    return finishTensor(tegula::readBuffer(*call.buffers.back(), view), view,
                        call.buffers.back()->readonly);
  }

  Problem readFloat() {
    double value = PyFloat_AsDouble(object);
    if (value == -1.0 && PyErr_Occurred())
      return makeCallProblem("cannot be read: {0}", takeExceptionText());
    return finish(value);
  }

  Problem readInteger() {
    PyObject *integer = PyNumber_Index(object);
    if (!integer)
      return makeCallProblem("cannot be read: {0}", takeExceptionText());
    int overflow = 0;
    long long value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    unsigned long long large = 0;
    if (overflow > 0)
      large = PyLong_AsUnsignedLongLong(integer);
    Py_DECREF(integer);
    if (overflow < 0 || (overflow > 0 && PyErr_Occurred())) {
      PyErr_Clear();
      return makeCallProblem("the integer does not fit 64 bits");
    }
    return overflow ? finish(static_cast<uint64_t>(large))
                    : finish(static_cast<int64_t>(value));
  }

  Problem readBool() {
    int value = PyObject_IsTrue(object);
    if (value < 0)
      return makeCallProblem("cannot be read: {0}", takeExceptionText());
    return finish(static_cast<int64_t>(value));
  }
};

} // namespace tegula

Problem CallArguments::add(PyObject *object) {
  ArgumentReader reader{*this, object};
  TypeReader type = getTypeReader(Py_TYPE(object));
  switch (type.kind) {
  case TypeReader::Kind::Numpy:
    return reader.readNumpy();
  case TypeReader::Kind::Exchange:
    return reader.readExchange(*type.api);
  case TypeReader::Kind::Capsule:
    return reader.readCapsule();
  case TypeReader::Kind::Buffer:
    return reader.readBuffer();
  case TypeReader::Kind::Float:
    return reader.readFloat();
  case TypeReader::Kind::Integer:
    return reader.readInteger();
  case TypeReader::Kind::Bool:
    return reader.readBool();
  case TypeReader::Kind::Nothing:
    break;
  }
  return makeCallProblem("a tensor or a number is wanted, got {0}",
                         describeType(object));
}
