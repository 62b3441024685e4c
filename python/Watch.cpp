// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/Watch.h"

#include <algorithm>
#include <cstring>
#include <sys/stat.h>
#include <utility>

using namespace tegula;

/// What functions have need not be asked for by its name.
static Watch::Kind kindOfAttribute(PyObject *object, PyObject *name) {
  if (PyFunction_Check(object) && PyUnicode_Check(name)) {
    if (PyUnicode_CompareWithASCIIString(name, "__defaults__") == 0)
      return Watch::Kind::Defaults;
    if (PyUnicode_CompareWithASCIIString(name, "__kwdefaults__") == 0)
      return Watch::Kind::KeywordDefaults;
  }
  return Watch::Kind::Attribute;
}

/// Releases what the watches hold, which may run code of the user's.
static void drop(std::vector<Watch> &watches) {
  for (Watch &watch : watches) {
    Py_CLEAR(watch.container);
    Py_CLEAR(watch.name);
    Py_CLEAR(watch.expected);
  }
  watches.clear();
}

/// Adds those of a list, up to one that is none.
static bool readWatches(PyObject *list, std::vector<Watch> &watches) {
  PyObject *items = PySequence_Fast(list, "the watches are a list");
  if (!items)
    return false;
  for (Py_ssize_t index = 0; index < PySequence_Fast_GET_SIZE(items); ++index) {
    const char *kind;
    PyObject *container, *name, *expected;
    if (!PyArg_ParseTuple(PySequence_Fast_GET_ITEM(items, index), "sOOO", &kind,
                          &container, &name, &expected)) {
      Py_DECREF(items);
      return false;
    }
    Watch watch = {Watch::Kind::Item, container, name, expected};
    if (std::strcmp(kind, "cell") == 0)
      watch.kind = Watch::Kind::Cell;
    else if (std::strcmp(kind, "attribute") == 0)
      watch.kind = kindOfAttribute(container, name);
    else if (std::strcmp(kind, "content") == 0)
      watch.kind = Watch::Kind::Content;
    else if (std::strcmp(kind, "file") == 0)
      watch.kind = Watch::Kind::File;
    Py_INCREF(container);
    Py_INCREF(name);
    Py_INCREF(expected);
    watches.push_back(watch);
  }
  Py_DECREF(items);
  return true;
}

bool Watches::assign(PyObject *list) {
  areComplete = false;
  std::vector<Watch> read;
  bool isGood = readWatches(list, read);
  if (!isGood)
    drop(read);
  uint64_t mine = generation + 1;
  replace(std::move(read));
  // A call that was made meanwhile has taken a list of its own, which need not
  // be that of the program of this one.
  areComplete = isGood && generation == mine;
  return isGood;
}

#if PY_VERSION_HEX < 0x030e0000
/// Of no two dicts, and never the same again once a dict has changed.
static uint64_t versionOf(PyObject *dict) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  return reinterpret_cast<PyDictObject *>(dict)->ma_version_tag;
#pragma GCC diagnostic pop
}
static constexpr bool hasVersions = true;
#else
static uint64_t versionOf(PyObject *) { return 0; }
static constexpr bool hasVersions = false;
#endif

/// Where what the watch expects is kept; null if it has to be looked up.
static PyObject *const *findSlot(const Watch &watch) {
  PyObject *container = watch.container;
  switch (watch.kind) {
  case Watch::Kind::Cell:
    return &reinterpret_cast<PyCellObject *>(container)->ob_ref;
  case Watch::Kind::Defaults:
    return &reinterpret_cast<PyFunctionObject *>(container)->func_defaults;
  case Watch::Kind::KeywordDefaults:
    return &reinterpret_cast<PyFunctionObject *>(container)->func_kwdefaults;
  default:
    return nullptr;
  }
}

void Watches::sort() {
  for (size_t index = 0; index < watches.size(); ++index) {
    const Watch &watch = watches[index];
    if (PyObject *const *slot = findSlot(watch)) {
      // Equal objects are not looked for, and None may stand for nothing.
      bool isNothing = !*slot && watch.expected == Py_None;
      slots.push_back({slot, isNothing ? nullptr : watch.expected});
      continue;
    }
    if (!hasVersions || watch.kind != Watch::Kind::Item) {
      others.push_back(index);
      continue;
    }
    bool isKnown =
        std::any_of(dicts.begin(), dicts.end(), [&](const WatchedDict &known) {
          return known.dict == watch.container;
        });
    if (!isKnown)
      dicts.push_back({watch.container, 0});
  }
}

bool Watches::areSettled() const {
  for (const Slot &each : slots)
    if (*each.slot != each.expected)
      return false;
  for (const WatchedDict &each : dicts)
    if (versionOf(each.dict) != each.version)
      return false;
  return true;
}

/// Values that are equal and of one type compile to the same.
static bool isSameValue(PyObject *lhs, PyObject *rhs) {
  if (lhs == rhs)
    return true;
  if (Py_TYPE(lhs) != Py_TYPE(rhs))
    return false;
  if (PyTuple_CheckExact(lhs)) {
    if (PyTuple_GET_SIZE(lhs) != PyTuple_GET_SIZE(rhs))
      return false;
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(lhs); ++index)
      if (!isSameValue(PyTuple_GET_ITEM(lhs, index),
                       PyTuple_GET_ITEM(rhs, index)))
        return false;
    return true;
  }
  // Zeros of both signs are equal, but are not the same constant.
  if (PyFloat_CheckExact(lhs)) {
    double values[] = {PyFloat_AS_DOUBLE(lhs), PyFloat_AS_DOUBLE(rhs)};
    return std::memcmp(&values[0], &values[1], sizeof(double)) == 0;
  }
  bool isPlain =
      PyLong_CheckExact(lhs) || PyUnicode_CheckExact(lhs) || PyBool_Check(lhs);
  return isPlain && PyObject_RichCompareBool(lhs, rhs, Py_EQ) == 1;
}

/// A new reference to what a list or dict holds, as a tuple.
static PyObject *takeContent(PyObject *container) {
  if (!PyDict_Check(container))
    return PySequence_Tuple(container);
  PyObject *items = PyDict_Items(container);
  PyObject *content = items ? PySequence_Tuple(items) : nullptr;
  Py_XDECREF(items);
  return content;
}

/// A new reference to the time and size of a file; null if there is none.
static PyObject *takeStamp(PyObject *path) {
  const char *bytes = PyUnicode_AsUTF8(path);
  struct stat found;
  if (!bytes || ::stat(bytes, &found) != 0)
    return nullptr;
  long long time = found.st_mtim.tv_sec * 1000000000LL + found.st_mtim.tv_nsec;
  return Py_BuildValue("(LL)", time, static_cast<long long>(found.st_size));
}

/// A new reference to what the name stands for now; null if nothing.
static PyObject *lookUp(const Watch &watch) {
  switch (watch.kind) {
  case Watch::Kind::Item:
    return Py_XNewRef(PyDict_GetItemWithError(watch.container, watch.name));
  case Watch::Kind::Cell:
    return Py_XNewRef(PyCell_GET(watch.container));
  case Watch::Kind::Attribute:
    return PyObject_GetAttr(watch.container, watch.name);
  case Watch::Kind::Defaults:
    return Py_XNewRef(PyFunction_GET_DEFAULTS(watch.container));
  case Watch::Kind::KeywordDefaults:
    return Py_XNewRef(PyFunction_GET_KW_DEFAULTS(watch.container));
  case Watch::Kind::Content:
    return takeContent(watch.container);
  case Watch::Kind::File:
    return takeStamp(watch.container);
  }
  return nullptr;
}

/// True if `watch` finds what is expected. Exceptions are not.
static bool findsSame(const Watch &watch) {
  PyObject *found = lookUp(watch);
  if (!found)
    PyErr_Clear();
  bool isSame =
      found ? isSameValue(found, watch.expected) : watch.expected == Py_None;
  Py_XDECREF(found);
  return isSame;
}

/// The same for a watch whose look-up may run code of the user's, which may
/// throw the watch away.
static bool findsSameOnItsOwn(Watch watch) {
  Py_INCREF(watch.container);
  Py_INCREF(watch.name);
  Py_INCREF(watch.expected);
  bool isSame = findsSame(watch);
  Py_DECREF(watch.container);
  Py_DECREF(watch.name);
  Py_DECREF(watch.expected);
  return isSame;
}

bool Watches::looksSame(const Watch &watch, uint64_t before) const {
  if (watch.kind != Watch::Kind::Attribute &&
      watch.kind != Watch::Kind::Content && watch.kind != Watch::Kind::File)
    return findsSame(watch);
  return findsSameOnItsOwn(watch) && generation == before;
}

bool Watches::haveChanged() const {
  if (__builtin_expect(!areComplete, false))
    return true;
  uint64_t before = generation;
  if (__builtin_expect(areSettled(), true)) {
    for (size_t index = 0; index < others.size(); ++index)
      if (!looksSame(watches[others[index]], before))
        return true;
    return false;
  }
  // What is looked up may be written while the rest is, by a call that looks
  // all up, too.
  std::vector<uint64_t> versions;
  for (const WatchedDict &each : dicts)
    versions.push_back(versionOf(each.dict));
  for (size_t index = 0; index < watches.size(); ++index)
    if (!looksSame(watches[index], before))
      return true;
  if (generation != before)
    return true;
  for (size_t index = 0; index < versions.size(); ++index)
    dicts[index].version = versions[index];
  return false;
}

int Watches::traverse(visitproc visit, void *arg) const {
  for (const Watch &watch : watches) {
    Py_VISIT(watch.container);
    Py_VISIT(watch.expected);
  }
  return 0;
}

void Watches::replace(std::vector<Watch> by) {
  ++generation;
  watches.swap(by);
  slots.clear();
  dicts.clear();
  others.clear();
  sort();
  // The last reference to an object may run code that calls the kernel.
  drop(by);
}

void Watches::clear() { replace({}); }
