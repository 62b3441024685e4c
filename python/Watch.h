// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether the names a kernel captured still stand for the same objects. It is
/// asked at every call, so it compares addresses first.

#ifndef TEGULA_PYTHON_WATCH_H
#define TEGULA_PYTHON_WATCH_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstdint>
#include <vector>

namespace tegula {

/// One name and what it stood for.
struct Watch {
  enum class Kind : uint8_t {
    /// A key of a dict: the globals of a module.
    Item,
    /// The content of a closure's cell.
    Cell,
    /// An attribute of an object.
    Attribute,
    /// The defaults of a function, and those of parameters by name only.
    Defaults,
    KeywordDefaults,
    /// What a list or dict holds.
    Content,
    /// The time and size of the file whose path the container is.
    File
  };
  Kind kind;
  PyObject *container;
  /// None for a cell and for content.
  PyObject *name;
  /// None if it stood for nothing; of content a tuple of what it held.
  PyObject *expected;
};

/// The names of one program. Needs the GIL throughout.
class Watches {
public:
  Watches() = default;
  ~Watches() { clear(); }
  Watches(const Watches &) = delete;
  Watches &operator=(const Watches &) = delete;

  /// Replaces all by `list`, as tegula._capture describes it. False with a
  /// Python exception if it is not such a list; then all have changed.
  bool assign(PyObject *list);

  /// True if a name stands for something else now, or may.
  bool haveChanged() const;

  int traverse(visitproc visit, void *arg) const;
  void clear();

private:
  /// Where an object is kept, and the one that was there.
  struct Slot {
    PyObject *const *slot;
    PyObject *expected;
  };
  /// A dict, and its version when all names in it stood for what they should.
  struct WatchedDict {
    PyObject *dict;
    uint64_t version;
  };

  void replace(std::vector<Watch> by);
  void sort();
  bool areSettled() const;
  bool looksSame(const Watch &watch, uint64_t before) const;

  std::vector<Watch> watches;
  /// All watches that need no look-up while nothing was written there, and the
  /// others.
  std::vector<Slot> slots;
  mutable std::vector<WatchedDict> dicts;
  std::vector<size_t> others;
  /// Grows whenever the watches are replaced, which code of the user's that
  /// runs during a look-up may do.
  uint64_t generation = 0;
  /// Whether the last list was taken, all of it.
  bool areComplete = false;
};

} // namespace tegula

#endif // TEGULA_PYTHON_WATCH_H
