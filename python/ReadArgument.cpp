// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/ReadArgument.h"
#include "tegula/launch/call/ParseNumber.h"

#include "python/ReadTensor.h"
#include "python/TypeReader.h"

#include <cstring>

using namespace tegula;

ReadArguments::~ReadArguments() {
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

/// The problem for the Python exception, which is cleared unless it is one that
/// must go through: an interrupt is no mistake in the argument.
static Problem makeReadProblem() {
  if (!PyErr_ExceptionMatches(PyExc_Exception))
    return makeCallProblem("reading it was interrupted");
  return makeCallProblem("cannot be read: {0}", takeExceptionText());
}

/// True for what stands for a tensor while PyTorch transforms a function: it
/// has no elements of its own.
static bool isTransformed(PyObject *object) {
  PyObject *torch =
      PyDict_GetItemString(PyImport_GetModuleDict(), "torch._C._functorch");
  PyObject *answer =
      torch ? PyObject_CallMethod(torch, "is_functorch_wrapped_tensor", "O",
                                  object)
            : nullptr;
  PyErr_Clear();
  Py_XDECREF(answer);
  return answer == Py_True;
}

/// PyTorch negates the imaginary part of a conjugate when it is read, and
/// DLPack has no word for that. Such views step over the real parts, so that
/// all their strides are even, but for those that no step is made by. To ask
/// every tensor would take longer than to read it. Ranks that no tensor has are
/// refused later.
static bool mayBeNegated(const dlpack::Tensor &tensor) {
  if (tensor.rank < 0 || tensor.rank > int(TensorView::maxRank))
    return false;
  for (int axis = 0; tensor.strides && axis < tensor.rank; ++axis)
    if (tensor.strides[axis] % 2 != 0 && tensor.shape[axis] > 1)
      return false;
  return true;
}

static bool isNegated(PyObject *object) {
  static PyObject *name = PyUnicode_InternFromString("is_neg");
  PyObject *answer = PyObject_CallMethodNoArgs(object, name);
  PyErr_Clear();
  bool isTrue = answer == Py_True;
  Py_XDECREF(answer);
  return isTrue;
}

/// A number of the default stream, besides 0.
static constexpr uint64_t legacyStream = 1;

static std::string describeDevice(int number) {
  return number < 0 ? "the CPU" : "cuda:" + std::to_string(number);
}

namespace tegula {

/// One way of reading per kind of type.
struct ArgumentReader {
  ReadArguments &call;
  PyObject *object;
  TypeReader type;

  template <typename T> Problem finish(T value) {
    new (call.start + call.count++) Argument(value);
    return {};
  }

  /// Notes what a later call is compared with.
  void note(const ReadNote &note) {
    if (call.count < ReadArguments::mostNotes)
      call.notes[call.count] = note;
  }

  /// The stream that the tensor's library works on at the moment. Libraries
  /// that do not say have their tensors ready on the default one.
  Problem findStream(const dlpack::Device &device, void *&stream) {
    stream = nullptr;
    if (type.api && type.api->getStream)
      return type.api->getStream(device.type, device.id, &stream) == 0
                 ? Problem()
                 : makeReadProblem();
    if (!type.getStream)
      return {};
    uint64_t number = 0;
    if (!askStream(number))
      return makeReadProblem();
    stream = reinterpret_cast<void *>(number == legacyStream ? 0 : number);
    return {};
  }

  /// Asks a function of Python for it; false if it raises.
  bool askStream(uint64_t &number) {
    static PyObject *name = PyUnicode_InternFromString("ptr");
    PyObject *stream = PyObject_CallNoArgs(type.getStream);
    PyObject *pointer = stream ? PyObject_GetAttr(stream, name) : nullptr;
    if (pointer)
      number = PyLong_AsUnsignedLongLong(pointer);
    Py_XDECREF(pointer);
    Py_XDECREF(stream);
    return pointer && !PyErr_Occurred();
  }

  /// A kernel runs on one stream, which must be that of all libraries.
  Problem join(const dlpack::Device &device) {
    void *stream;
    if (Problem problem = findStream(device, stream))
      return problem;
    if (stream == call.stream.stream)
      return {};
    return makeCallProblem("its library works on another stream than that of "
                           "the tensors before it; let both use the same one, "
                           "or the default stream");
  }

  /// Whose tensors are where others are not is told so.
  Problem put(const dlpack::Device &device) {
    int number = isOnHost(device) ? -1 : device.id;
    if (LLVM_LIKELY(call.hasTensors && call.stream.device == number))
      return number < 0 || call.library == getLibrary() ? Problem()
                                                        : join(device);
    if (call.hasTensors)
      return makeCallProblem("the tensor is on {0}, but others are on {1}",
                             describeDevice(number),
                             describeDevice(call.stream.device));
    call.hasTensors = true;
    call.stream.device = number;
    call.library = getLibrary();
    return number < 0 ? Problem() : findStream(device, call.stream.stream);
  }

  const void *getLibrary() const {
    return type.api ? static_cast<const void *>(type.api) : type.getStream;
  }

  Problem finishHost(Problem problem, const TensorView &view, bool isReadOnly) {
    if (!problem)
      problem = put({dlpack::Cpu, 0});
    return finishTensor(std::move(problem), view, isReadOnly);
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
    Problem problem = readNumpyArray(object, view, isReadOnly);
    note({Py_TYPE(object),
          getNumpyType(object),
          {dlpack::Cpu, 0},
          /*isNumpy=*/true,
          isReadOnly,
          /*isPlain=*/!isHalfByte(view.dtype)});
    TensorView packed;
    if (LLVM_UNLIKELY(!problem && isHalfByte(view.dtype))) {
      problem = call.copies.add(call.count, view, packed);
      view = packed;
    }
    return finishHost(std::move(problem), view, isReadOnly);
  }

  Problem readExchange() {
    dlpack::Tensor tensor;
    if (type.api->describe(object, &tensor) != 0) {
      Problem problem = makeReadProblem();
      if (!PyErr_Occurred() && isTransformed(object))
        return makeCallProblem("the tensor stands for others within torch.vmap "
                               "or torch.func; kernels take real ones only");
      return problem;
    }
    ReadNote found;
    found.type = Py_TYPE(object);
    std::memcpy(&found.element, &tensor.dtype, sizeof(found.element));
    found.device = tensor.device;
    found.isPlain = tensor.strides && !mayBeNegated(tensor);
    note(found);
    return finishDlpack(tensor, false);
  }

  Problem finishDlpack(const dlpack::Tensor &tensor, bool isReadOnly) {
    if (LLVM_UNLIKELY(mayBeNegated(tensor) && isNegated(object)))
      return makeCallProblem("the tensor is a view whose elements are to be "
                             "negated when they are read; pass "
                             "x.resolve_neg()");
    TensorView view;
    Problem problem = readDlpack(tensor, view);
    if (!problem)
      problem = put(tensor.device);
    return finishTensor(std::move(problem), view, isReadOnly);
  }

  Problem readCapsule() {
    // Where the kernel runs on the library's own stream, nothing need be waited
    // for.
    PyObject *capsule = exportCapsule(object, type.getStream != nullptr);
    if (!capsule)
      return makeReadProblem();
    call.owned.push_back(capsule);
    const dlpack::Tensor *tensor = nullptr;
    bool isReadOnly = false;
    if (Problem problem = openCapsule(capsule, tensor, isReadOnly))
      return problem;
    return finishDlpack(*tensor, isReadOnly);
  }

  Problem readBuffer() {
    auto buffer = std::make_unique<Py_buffer>();
    if (PyObject_GetBuffer(object, buffer.get(),
                           PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0)
      return makeReadProblem();
    call.buffers.push_back(buffer.release());
    TensorView view;
    return finishHost(tegula::readBuffer(*call.buffers.back(), view), view,
                      call.buffers.back()->readonly);
  }

  /// Numbers of Python's own types.
  void noteNumber(bool isExact) {
    ReadNote found;
    found.type = Py_TYPE(object);
    found.isPlain = isExact;
    note(found);
  }

  Problem readFloat() {
    noteNumber(PyFloat_CheckExact(object));
    double value = PyFloat_AsDouble(object);
    if (value == -1.0 && PyErr_Occurred())
      return makeReadProblem();
    return finish(value);
  }

  Problem readInteger() {
    PyObject *integer = PyNumber_Index(object);
    if (!integer)
      return makeReadProblem();
    int overflow = 0;
    long long value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    // The bits of larger ones are those of negative ones.
    noteNumber(PyLong_CheckExact(object) && overflow == 0);
    unsigned long long large = 0;
    if (overflow > 0)
      large = PyLong_AsUnsignedLongLong(integer);
    Py_DECREF(integer);
    if (overflow < 0 || (overflow > 0 && PyErr_Occurred())) {
      PyErr_Clear();
      return makeCallProblem("the integer {0}", integerTooLarge);
    }
    return overflow ? finish(static_cast<uint64_t>(large))
                    : finish(static_cast<int64_t>(value));
  }

  Problem readBool() {
    noteNumber(PyBool_Check(object));
    int value = PyObject_IsTrue(object);
    if (value < 0)
      return makeReadProblem();
    return finish(static_cast<int64_t>(value));
  }
};

} // namespace tegula

Problem ReadArguments::add(PyObject *object) {
  ArgumentReader reader{*this, object, getTypeReader(Py_TYPE(object))};
  switch (reader.type.kind) {
  case TypeReader::Kind::Numpy:
    return reader.readNumpy();
  case TypeReader::Kind::Exchange:
    return reader.readExchange();
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
  case TypeReader::Kind::Masked:
    return makeCallProblem("a masked array has elements without a value; pass "
                           "x.filled(...) or x.data");
  case TypeReader::Kind::Nothing:
    break;
  }
  return makeCallProblem("a tensor or a number is wanted, got {0}",
                         describeType(object));
}
