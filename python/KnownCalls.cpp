// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/KnownCalls.h"

#include "python/TypeReader.h"

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include <cstring>

using namespace tegula;
using Kind = TypeReader::Kind;

static bool areEqual(const int64_t *lhs, const int64_t *rhs, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (lhs[i] != rhs[i])
      return false;
  return true;
}

/// Of the first tensor, so that calls with few different sizes have places of
/// their own.
size_t KnownCalls::placeOf(const int64_t *sizes, int64_t rank) {
  uint64_t mixed = 0;
  for (int64_t axis = 0; axis < rank; ++axis)
    mixed = mixed * 5 + static_cast<uint64_t>(sizes[axis]);
  return (mixed ^ (mixed >> 4) ^ (mixed >> 8)) % mostEntries;
}

/// Compares objects with the entry of the first one.
struct KnownCalls::Matcher {
  const KnownCalls &calls;
  const Entry *entry = nullptr;
  uint64_t version = 0;
  uintptr_t addresses[KnownCall::mostTensors];
  size_t numTensors = 0;

  explicit Matcher(const KnownCalls &calls) : calls(calls) {}

  /// The entry for calls whose first argument has such sizes.
  bool choose(const int64_t *sizes, int64_t rank) {
    entry = calls.entries[placeOf(sizes, rank)].get();
    if (!entry || !entry->variant)
      return false;
    version = entry->version;
    return true;
  }

  bool matchNumpy(PyObject *object, size_t index) {
    auto *array = reinterpret_cast<PyArrayObject *>(object);
    int rank = PyArray_NDIM(array);
    if (index == 0 && !choose(PyArray_DIMS(array), rank))
      return false;
    const Known &known = entry->arguments[index];
    const PyArray_Descr *descr = PyArray_DESCR(array);
    bool isReadOnly = !(PyArray_FLAGS(array) & NPY_ARRAY_WRITEABLE);
    if (known.note.type != Py_TYPE(object) || known.rank != rank ||
        known.note.element != static_cast<uint32_t>(descr->type_num) ||
        descr->byteorder == '>' || known.note.isReadOnly != isReadOnly ||
        !areEqual(known.sizes, PyArray_DIMS(array), rank) ||
        !areEqual(known.strides, PyArray_STRIDES(array), rank))
      return false;
    addresses[numTensors++] = reinterpret_cast<uintptr_t>(PyArray_DATA(array));
    return true;
  }

  bool matchExchange(PyObject *object, const dlpack::ExchangeApi &api,
                     size_t index) {
    dlpack::Tensor tensor;
    if (api.describe(object, &tensor) != 0) {
      PyErr_Clear();
      return false;
    }
    if (!tensor.strides ||
        (index == 0 && !choose(tensor.shape, tensor.rank)))
      return false;
    const Known &known = entry->arguments[index];
    uint32_t element;
    std::memcpy(&element, &tensor.dtype, sizeof(element));
    if (known.note.type != Py_TYPE(object) || known.rank != tensor.rank ||
        known.note.element != element ||
        known.note.device.type != tensor.device.type ||
        known.note.device.id != tensor.device.id ||
        !areEqual(known.sizes, tensor.shape, tensor.rank) ||
        !areEqual(known.strides, tensor.strides, tensor.rank))
      return false;
    addresses[numTensors++] =
        reinterpret_cast<uintptr_t>(tensor.data) + tensor.byteOffset;
    return true;
  }

  /// Numbers of Python's own types.
  bool matchNumber(PyObject *object, size_t index) {
    if (index == 0 && !choose(nullptr, 0))
      return false;
    const Known &known = entry->arguments[index];
    if (known.note.type != Py_TYPE(object))
      return false;
    if (PyFloat_CheckExact(object)) {
      double value = PyFloat_AS_DOUBLE(object);
      return std::memcmp(&value, &known.bits, sizeof(value)) == 0;
    }
    int overflow = 0;
    long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    return !overflow && static_cast<uint64_t>(value) == known.bits;
  }

  bool match(PyObject *object, size_t index) {
    TypeReader reader = getTypeReader(Py_TYPE(object));
    if (reader.kind == Kind::Numpy)
      return matchNumpy(object, index);
    if (reader.kind == Kind::Exchange)
      return matchExchange(object, *reader.api, index);
    return (PyFloat_CheckExact(object) || PyLong_CheckExact(object) ||
            PyBool_Check(object)) &&
           matchNumber(object, index);
  }
};

/// The stream that the library of a tensor works on at the moment. False if it
/// does not say.
static bool findStream(PyTypeObject *type, int device, void *&stream) {
  const dlpack::ExchangeApi *api = getTypeReader(type).api;
  if (!api->getStream)
    return true;
  if (api->getStream(dlpack::Cuda, device, &stream) == 0)
    return true;
  PyErr_Clear();
  return false;
}

void KnownCalls::find(PyObject *const *objects, size_t count,
                      Found &found) const {
  if (count == 0 || count > ReadArguments::mostNotes)
    return;
  Matcher matcher(*this);
  for (size_t index = 0; index < count; ++index)
    if (!matcher.match(objects[index], index))
      return;
  const Entry &entry = *matcher.entry;
  if (entry.device >= 0) {
    found.place.device = entry.device;
    if (!findStream(entry.library, entry.device, found.place.stream))
      return;
  }
  // No code of others has run from here on.
  if (entry.version == matcher.version && entry.count == count &&
      entry.call.admit(matcher.addresses, found.slots))
    found.variant = entry.variant;
}

static uint64_t bitsOf(const Argument &number) {
  if (!number.isFloat())
    return number.getIntegerBits();
  double real = number.getFloat();
  uint64_t bits;
  std::memcpy(&bits, &real, sizeof(bits));
  return bits;
}

uint64_t KnownCalls::hash(const ReadArguments &call) {
  uint64_t hash = 1;
  auto add = [&](uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  };
  llvm::ArrayRef<Argument> arguments = call.get();
  for (size_t index = 0; index < arguments.size(); ++index) {
    const ReadNote &note = call.getNote(index);
    add(reinterpret_cast<uintptr_t>(note.type));
    if (!arguments[index].isTensor()) {
      add(bitsOf(arguments[index]));
      continue;
    }
    add(uint64_t(note.element) << 1 | note.isReadOnly);
    add(uint64_t(note.device.type) << 32 | uint32_t(note.device.id));
    for (int64_t size : arguments[index].getTensor().getSizes())
      add(size);
    for (int64_t stride : arguments[index].getTensor().getStrides())
      add(stride);
  }
  return hash;
}

bool KnownCalls::describe(const ReadArguments &call, Entry &entry) {
  llvm::ArrayRef<Argument> arguments = call.get();
  entry.count = arguments.size();
  entry.device = call.getPlace().device;
  entry.library = nullptr;
  for (size_t index = 0; index < arguments.size(); ++index) {
    const Argument &argument = arguments[index];
    Known &known = entry.arguments[index];
    known.note = call.getNote(index);
    if (!argument.isTensor()) {
      known.bits = bitsOf(argument);
      continue;
    }
    const TensorView &view = argument.getTensor();
    known.rank = view.rank;
    int64_t step = known.note.isNumpy ? getSize(view.dtype) : 1;
    for (unsigned axis = 0; axis < view.rank; ++axis) {
      known.sizes[axis] = view.sizes[axis];
      known.strides[axis] = view.strides[axis] * step;
    }
    // Of several libraries each would have to say on which stream it works.
    if (entry.device >= 0 && entry.library &&
        getTypeReader(entry.library).api != getTypeReader(known.note.type).api)
      return false;
    entry.library = known.note.type;
  }
  return true;
}

void KnownCalls::add(const ReadArguments &call, const Variant &variant) {
  if (variant.image || !call.isPlain())
    return;
  const Argument &first = call.get().front();
  size_t place =
      first.isTensor()
          ? placeOf(first.getTensor().sizes, first.getTensor().rank)
          : placeOf(nullptr, 0);
  if (!entries[place])
    entries[place] = std::make_unique<Entry>();
  Entry &entry = *entries[place];
  uint64_t hash = KnownCalls::hash(call);
  if (hash == entry.kept)
    return;
  if (hash != entry.candidate) {
    entry.candidate = hash;
    return;
  }
  ++entry.version;
  entry.kept = hash;
  bool isGood =
      describe(call, entry) && entry.call.assign(variant.guard, call.get());
  entry.variant = isGood ? &variant : nullptr;
}
