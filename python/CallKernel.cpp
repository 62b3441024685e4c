// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The road of a call, from Python objects to compiled code.

#include "python/Gradients.h"
#include "python/KernelObject.h"
#include "python/ReadArgument.h"
#include "tegula/support/PrintedLines.h"

using namespace tegula;

/// "argument 'x': ...", or with its number while the names are not known.
static Problem nameArgument(KernelCore &core, size_t index,
                            const Problem &problem) {
  const Signature *declared = nullptr;
  Problem unknown;
  Py_BEGIN_ALLOW_THREADS unknown = core.dispatcher.getDeclared(declared);
  Py_END_ALLOW_THREADS if (unknown) return unknown;
  std::string name = index < declared->parameters.size()
                         ? "'" + declared->parameters[index].name + "'"
                         : std::to_string(index);
  return makeCallProblem("argument {0}: {1}", name, problem.getText());
}

static Problem checkWritable(const ReadArguments &arguments,
                             const Signature &signature) {
  const auto &parameters = signature.parameters;
  size_t count = arguments.get().size();
  size_t index = arguments.findReadOnly(
      [&](size_t position) { return parameters[position].isWritten(); });
  if (LLVM_LIKELY(index == count))
    return {};
  return makeCallProblem(
      "argument '{0}': it is read-only, but the kernel writes it",
      parameters[index].name);
}

/// The guard sees copies of these arrays.
static Problem checkApart(const HalfByteCopies &copies,
                          llvm::ArrayRef<Parameter> parameters) {
  size_t written = 0, other = 0;
  if (!copies.findOverlap(
          [&](size_t position) { return parameters[position].isWritten(); },
          written, other))
    return {};
  return makeCallProblem(
      "argument '{0}' is written and shares memory with argument '{1}'",
      parameters[written].name, parameters[other].name);
}

/// The variant for the arguments, with the GIL released while it is made.
static Problem findOrMake(KernelCore &core, llvm::ArrayRef<Argument> arguments,
                          const Variant *&variant) {
  Problem problem;
  Py_BEGIN_ALLOW_THREADS problem =
      core.dispatcher.findOrMake(arguments, variant);
  Py_END_ALLOW_THREADS if (problem) return problem;
  return warnOf(*variant);
}

/// Runs a call that is known.
static Problem runFound(const CallCache::Found &found) {
  Problem problem;
  Py_BEGIN_ALLOW_THREADS if (LLVM_LIKELY(!found.stream.isNamed())) {
    problem = found.variant->run(found.slots);
  }
  else {
    DeviceStreamScope scope(found.stream);
    problem = found.variant->run(found.slots);
  }
  Py_END_ALLOW_THREADS return problem;
}

static Problem callOn(const DeviceStream &stream, const Variant &variant,
                      llvm::ArrayRef<Argument> arguments) {
  if (LLVM_LIKELY(!stream.isNamed()))
    return variant.call(arguments);
  DeviceStreamScope scope(stream);
  return variant.call(arguments);
}

static Problem readToRun(ReadArguments &arguments, PyObject *object) {
  const PyGetSetDef *requiresGrad = getTypeReader(Py_TYPE(object)).requiresGrad;
  if (requiresGrad && wantsGradient(object, *requiresGrad))
    return makeCallProblem(
        "the tensor requires gradients, and kernels compute none: pass "
        "x.detach(), or call the kernel within torch.no_grad()");
  return arguments.add(object);
}

static Problem runRead(KernelCore &asked, PyObject *const *objects,
                       size_t count) {
  ReadArguments arguments(count);
  for (size_t index = 0; index < count; ++index)
    if (Problem problem = readToRun(arguments, objects[index]))
      return nameArgument(asked, index, problem);
  KernelCore *there = nullptr;
  if (Problem problem = findCoreAt(asked, arguments.getStream(), there))
    return problem;
  KernelCore &core = *there;
  const Variant *variant = core.dispatcher.find(arguments.get());
  if (LLVM_UNLIKELY(!variant))
    if (Problem problem = findOrMake(core, arguments.get(), variant))
      return problem;
  if (Problem problem = checkWritable(arguments, variant->guard.getSignature()))
    return problem;
  if (LLVM_UNLIKELY(variant->image))
    core.lastRun = variant;
  const auto &parameters = variant->guard.getSignature().parameters;
  const HalfByteCopies &copies = arguments.getCopies();
  if (LLVM_UNLIKELY(!copies.isEmpty()))
    if (Problem problem = checkApart(copies, parameters))
      return problem;
  Problem problem;
  Py_BEGIN_ALLOW_THREADS problem =
      callOn(arguments.getStream(), *variant, arguments.get());
  copies.finish(
      [&](size_t position) { return parameters[position].isWritten(); });
  Py_END_ALLOW_THREADS if (LLVM_LIKELY(!problem))
      asked.callCache.add(arguments, *variant);
  // A signal's handler may have raised something while a variant was made.
  if (LLVM_UNLIKELY(!problem && PyErr_Occurred()))
    return makeProblem(Problem::Kind::Stopped, "stopped by a signal");
  return problem;
}

static Problem run(KernelCore &core, PyObject *const *objects, size_t count) {
  CallCache::Found found;
  core.callCache.find(objects, count, found);
  if (LLVM_LIKELY(found.variant != nullptr))
    return runFound(found);
  if (LLVM_UNLIKELY(PyErr_Occurred()))
    return makeCallProblem("reading the arguments was interrupted");
  return runRead(core, objects, count);
}

/// Hands what kernels printed to Python's own output.
static void showPrinted() {
  std::string lines = takePrintedLines();
  PyObject *text =
      PyUnicode_DecodeUTF8(lines.data(), lines.size(), "backslashreplace");
  if (!text)
    return PyErr_Clear();
  PySys_FormatStdout("%U", text);
  Py_DECREF(text);
}

bool tegula::runKernel(KernelCore &core, PyObject *const *arguments,
                       size_t count) {
  Problem problem = run(core, arguments, count);
  if (LLVM_UNLIKELY(hasPrintedLines()))
    showPrinted();
  if (LLVM_LIKELY(!problem))
    return true;
  raise(problem);
  return false;
}
