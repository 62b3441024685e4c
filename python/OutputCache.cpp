// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/OutputCache.h"

#include "python/TypeReader.h"

using namespace tegula;

/// Whether reading an object leaves no trace in it.
static bool mayBeRead(PyObject *object) {
  switch (getTypeReader(Py_TYPE(object)).kind) {
  case TypeReader::Kind::Numpy:
  case TypeReader::Kind::Exchange:
    return true;
  default:
    return PyFloat_CheckExact(object) || PyLong_CheckExact(object) ||
           PyBool_Check(object);
  }
}

void GivenArguments::assign(PyObject *const *objects, size_t numObjects) {
  count = 0;
  if (numObjects > ReadArguments::mostNotes)
    return;
  ReadArguments read(numObjects);
  for (size_t index = 0; index < numObjects; ++index)
    if (!mayBeRead(objects[index]) || read.add(objects[index]))
      return;
  if (!read.isPlain())
    return;
  for (size_t index = 0; index < numObjects; ++index)
    arguments[index].assign(read.get()[index], read.getNote(index));
  count = numObjects;
}

bool GivenArguments::match(PyObject *const *objects, size_t numObjects) const {
  if (count == 0 || count != numObjects)
    return false;
  for (size_t index = 0; index < numObjects; ++index) {
    SeenArgument seen;
    if (arguments[index].getType() != Py_TYPE(objects[index]) ||
        !seen.look(objects[index]) || !arguments[index].matches(seen))
      return false;
  }
  return true;
}

OutputCache::~OutputCache() {
  for (Entry &entry : entries)
    Py_XDECREF(entry.makers);
}

PyObject *OutputCache::find(PyObject *const *objects, size_t count) const {
  for (const Entry &entry : entries) {
    // Code that tells about a tensor may put others there.
    PyObject *makers = Py_XNewRef(entry.makers);
    if (makers && entry.given.match(objects, count) && entry.makers == makers)
      return makers;
    Py_XDECREF(makers);
    if (PyErr_Occurred())
      break;
  }
  return nullptr;
}

void OutputCache::add(const GivenArguments &given, PyObject *makers) {
  Entry &entry = entries[oldest];
  oldest = (oldest + 1) % mostEntries;
  PyObject *before = entry.makers;
  entry.given = given;
  entry.makers = Py_NewRef(makers);
  Py_XDECREF(before);
}
