// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/ReadProgram.h"

#include <cstring>

using namespace tegula;
using Kind = CapturedValue::Kind;

/// As tegula._capture names them, in the order of the enumeration.
static const char *const kindNames[] = {
    "none",   "ellipsis", "bool",     "int",     "float",
    "string", "tuple",    "dict",     "dtype",   "symbol",
    "extent", "function", "language", "builtin", "unusable"};

static bool readKind(const char *name, Kind &kind) {
  for (size_t index = 0; index < std::size(kindNames); ++index)
    if (std::strcmp(name, kindNames[index]) == 0) {
      kind = static_cast<Kind>(index);
      return true;
    }
  PyErr_Format(PyExc_ValueError, "'%s' is no kind of captured value", name);
  return false;
}

/// Calls `read` with each element of a list or tuple.
template <typename Read> static bool forEach(PyObject *list, Read read) {
  PyObject *items = PySequence_Fast(list, "a list is wanted");
  if (!items)
    return false;
  bool isGood = true;
  for (Py_ssize_t index = 0; isGood && index < PySequence_Fast_GET_SIZE(items);
       ++index)
    isGood = read(PySequence_Fast_GET_ITEM(items, index));
  Py_DECREF(items);
  return isGood;
}

/// Text of a user may have any characters; what is no text is replaced.
static bool readText(PyObject *object, std::string &text) {
  PyObject *bytes = PyUnicode_AsEncodedString(object, "utf-8", "replace");
  if (!bytes)
    return false;
  text.assign(PyBytes_AS_STRING(bytes), PyBytes_GET_SIZE(bytes));
  Py_DECREF(bytes);
  return true;
}

static bool readValue(PyObject *object, CapturedValue &value) {
  const char *kind;
  long long integer;
  PyObject *text, *elements;
  if (!PyArg_ParseTuple(object, "sLdOO", &kind, &integer, &value.real, &text,
                        &elements) ||
      !readKind(kind, value.kind) || !readText(text, value.text))
    return false;
  value.integer = integer;
  return forEach(elements, [&](PyObject *element) {
    return readValue(element, value.elements.emplace_back());
  });
}

static bool readBlock(PyObject *object, ProgramBlock &block) {
  PyObject *path, *text, *name, *decorator, *names;
  if (!PyArg_ParseTuple(object, "OIOOOO", &path, &block.firstLine, &text, &name,
                        &decorator, &names))
    return false;
  if (!readText(path, block.path) || !readText(text, block.text) ||
      !readText(name, block.name) || !readText(decorator, block.decorator))
    return false;
  return forEach(names, [&](PyObject *entry) {
    PyObject *key, *value;
    auto &[dotted, captured] = block.names.emplace_back();
    return PyArg_ParseTuple(entry, "OO", &key, &value) &&
           readText(key, dotted) && readValue(value, captured);
  });
}

static bool readSymbol(PyObject *object, ProgramSymbol &symbol) {
  PyObject *name, *path;
  return PyArg_ParseTuple(object, "OOI", &name, &path, &symbol.line) &&
         readText(name, symbol.name) && readText(path, symbol.path);
}

bool tegula::readProgram(PyObject *description, Program &program) {
  auto get = [&](const char *key) {
    PyObject *value = PyDict_GetItemString(description, key);
    if (!value)
      PyErr_Format(PyExc_KeyError, "a program has '%s'", key);
    return value;
  };
  PyObject *blocks = get("blocks"), *symbols = get("symbols"),
           *method = get("method"), *dynamic = get("dynamic"),
           *target = get("target"), *debug = get("debug"),
           *strict = get("strict"), *quiet = get("quiet");
  if (!blocks || !symbols || !method || !dynamic || !target || !debug ||
      !strict || !quiet)
    return false;
  program.isDynamic = PyObject_IsTrue(dynamic) == 1;
  program.isDebug = PyObject_IsTrue(debug) == 1;
  program.isStrict = PyObject_IsTrue(strict) == 1;
  program.isQuiet = PyObject_IsTrue(quiet) == 1;
  return readText(method, program.method) && readText(target, program.target) &&
         forEach(blocks,
                 [&](PyObject *block) {
                   return readBlock(block, program.blocks.emplace_back());
                 }) &&
         forEach(symbols, [&](PyObject *symbol) {
           return readSymbol(symbol, program.symbols.emplace_back());
         });
}
