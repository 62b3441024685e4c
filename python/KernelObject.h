// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The Python object that a decorated function becomes. Calling it is the fast
/// path; everything else about it is in the Python package.

#ifndef TEGULA_PYTHON_KERNELOBJECT_H
#define TEGULA_PYTHON_KERNELOBJECT_H

#include "python/CallCache.h"
#include "python/OutputCache.h"
#include "python/Watch.h"
#include "tegula/launch/call/Dispatcher.h"
#include "tegula/launch/call/Program.h"
#include "tegula/launch/device/DeviceStream.h"

#include <atomic>
#include <map>
#include <memory>
#include <string>

namespace tegula {

/// A program with its dispatcher.
struct KernelCore {
  std::shared_ptr<const Program> program;
  Dispatcher dispatcher;
  /// Whether it runs where its tensors are, because nobody named a target.
  bool followsTensors = false;
  /// The same program for the devices that tensors were on, by their numbers.
  /// Needs the GIL.
  std::map<int, std::shared_ptr<KernelCore>> onDevices;
  /// Calls with variants of this core and of those on devices.
  CallCache callCache;
  OutputCache outputs;
  /// The variant that was called last, of those that a back end runs.
  std::atomic<const Variant *> lastRun = nullptr;

  KernelCore(std::shared_ptr<const Program> program,
             std::unique_ptr<KernelOrigin> origin)
      : program(std::move(program)), dispatcher(std::move(origin)) {}
};

/// What the object holds besides Python's own fields.
struct KernelContent {
  /// The function or class that was decorated.
  PyObject *function = nullptr;
  /// `resolve()` gives the program and the watches as they are now.
  PyObject *resolve = nullptr;
  /// `complete(kernel, args, kwargs)` gives all arguments of a call that does
  /// not give them in order, what the call returns, and a tuple of functions
  /// that make what was left out of the end, or None.
  PyObject *complete = nullptr;
  /// The program as it was last resolved; null before the first time.
  std::shared_ptr<KernelCore> current;
  Watches watches;
  /// Programs that were compiled before a captured value changed; it may
  /// change back.
  std::map<std::string, std::shared_ptr<KernelCore>> byKey;
};

/// The object as Python lays it out.
struct KernelObject {
  PyObject_HEAD vectorcallfunc call;
  PyObject *attributes;
  PyObject *weakReferences;
  KernelContent *content;
};

/// The type, made on the first call; null with a Python exception.
PyTypeObject *getKernelType();

/// The core of the kernel, resolved again if a captured value has changed; null
/// with a Python exception.
std::shared_ptr<KernelCore> getCore(KernelObject *kernel);

/// The core that runs with tensors there: `core`, or one of its `onDevices`.
Problem findCoreAt(KernelCore &core, const DeviceStream &stream,
                   KernelCore *&found);

/// Forgets all that was compiled.
void clearKernel(KernelObject *kernel);

/// Runs the kernel on the objects in `arguments`, all of them in order. False
/// with a Python exception if it could not.
bool runKernel(KernelCore &core, PyObject *const *arguments, size_t count);

/// A call that does not give all arguments in order: some by name, or not at
/// all.
PyObject *callCompleted(KernelObject *kernel, KernelCore &core,
                        PyObject *const *arguments, size_t count,
                        PyObject *names);

/// What a call with all arguments returns: what the kernel returns.
PyObject *collectResults(const Signature &declared, PyObject *const *arguments);

/// Warns of what the compiler found in the kernel. A problem if that raised an
/// exception.
Problem warnOf(const Variant &variant);

/// Raises the Python exception for a problem; `argument` is what it is about.
void raise(const Problem &problem);

} // namespace tegula

#endif // TEGULA_PYTHON_KERNELOBJECT_H
