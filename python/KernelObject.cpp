// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/KernelObject.h"

#include "python/KernelAttributes.h"
#include "python/ReadProgram.h"
#include "tegula/launch/cache/Tunings.h"
#include "tegula/launch/call/CompileReason.h"
#include "tegula/launch/call/ProgramOrigin.h"

#include <structmember.h>

using namespace tegula;

static KernelObject *asKernel(PyObject *object) {
  return reinterpret_cast<KernelObject *>(object);
}

/// Resolves the program anew.
static std::shared_ptr<KernelCore> resolve(KernelContent &content) {
  PyObject *resolved = PyObject_CallNoArgs(content.resolve);
  if (!resolved) {
    forgetOwnFrames();
    return nullptr;
  }
  PyObject *description, *watches;
  auto program = std::make_shared<Program>();
  bool isGood = PyArg_ParseTuple(resolved, "OO", &description, &watches) &&
                readProgram(description, *program) &&
                content.watches.assign(watches);
  bool follows =
      isGood && PyDict_GetItemString(description, "follows_tensors") == Py_True;
  Py_DECREF(resolved);
  if (!isGood)
    return nullptr;
  useTuning(*program);
  std::shared_ptr<KernelCore> &core = content.byKey[program->key()];
  if (!core) {
    core = std::make_shared<KernelCore>(
        program, std::make_unique<ProgramOrigin>(program));
    std::vector<const Program *> before;
    if (content.current)
      before.push_back(content.current->program.get());
    for (const auto &[key, known] : content.byKey)
      if (known != core)
        before.push_back(known->program.get());
    core->dispatcher.setCause(explainChange(before, *program));
  }
  core->followsTensors = follows;
  content.current = core;
  return core;
}

std::shared_ptr<KernelCore> tegula::getCore(KernelObject *kernel) {
  KernelContent &content = *kernel->content;
  if (LLVM_LIKELY(content.current && !content.watches.haveChanged()))
    return content.current;
  return resolve(content);
}

void tegula::clearKernel(KernelObject *kernel) {
  kernel->content->current = nullptr;
  kernel->content->byKey.clear();
  kernel->content->watches.clear();
}

static PyObject *callKernel(PyObject *self, PyObject *const *arguments,
                            size_t flaggedCount, PyObject *names) {
  KernelObject *kernel = asKernel(self);
  std::shared_ptr<KernelCore> core = getCore(kernel);
  if (LLVM_UNLIKELY(!core))
    return nullptr;
  size_t count = PyVectorcall_NARGS(flaggedCount);
  const Signature *declared = core->dispatcher.getKnown();
  if (LLVM_UNLIKELY(names || !declared || declared->parameters.size() != count))
    return callCompleted(kernel, *core, arguments, count, names);
  if (!runKernel(*core, arguments, count))
    return nullptr;
  return collectResults(*declared, arguments);
}

static PyObject *makeKernel(PyTypeObject *type, PyObject *args,
                            PyObject *kwargs) {
  PyObject *function, *resolve, *complete;
  static const char *names[] = {"function", "resolve", "complete", nullptr};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOO",
                                   const_cast<char **>(names), &function,
                                   &resolve, &complete))
    return nullptr;
  PyObject *object = type->tp_alloc(type, 0);
  if (!object)
    return nullptr;
  KernelObject *kernel = asKernel(object);
  kernel->call = callKernel;
  kernel->content = new KernelContent();
  kernel->content->function = Py_NewRef(function);
  kernel->content->resolve = Py_NewRef(resolve);
  kernel->content->complete = Py_NewRef(complete);
  return object;
}

static int traverseKernel(PyObject *self, visitproc visit, void *arg) {
  KernelObject *kernel = asKernel(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(kernel->attributes);
  if (!kernel->content)
    return 0;
  Py_VISIT(kernel->content->function);
  Py_VISIT(kernel->content->resolve);
  Py_VISIT(kernel->content->complete);
  return kernel->content->watches.traverse(visit, arg);
}

static int clearReferences(PyObject *self) {
  KernelObject *kernel = asKernel(self);
  Py_CLEAR(kernel->attributes);
  if (!kernel->content)
    return 0;
  Py_CLEAR(kernel->content->function);
  Py_CLEAR(kernel->content->resolve);
  Py_CLEAR(kernel->content->complete);
  kernel->content->watches.clear();
  return 0;
}

static void destroyKernel(PyObject *self) {
  PyObject_GC_UnTrack(self);
  KernelObject *kernel = asKernel(self);
  if (kernel->weakReferences)
    PyObject_ClearWeakRefs(self);
  clearReferences(self);
  delete kernel->content;
  PyTypeObject *type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

static PyObject *getFunction(PyObject *self, void *) {
  PyObject *function = asKernel(self)->content->function;
  return Py_NewRef(function ? function : Py_None);
}

/// "<kernel softmax>"
static PyObject *describeKernel(PyObject *self) {
  PyObject *name =
      PyObject_GetAttrString(asKernel(self)->content->function, "__qualname__");
  PyErr_Clear();
  PyObject *text = PyUnicode_FromFormat("<kernel %S>", name ? name : Py_None);
  Py_XDECREF(name);
  return text;
}

static PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(KernelObject, call), READONLY,
     nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(KernelObject, attributes), READONLY,
     nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(KernelObject, weakReferences),
     READONLY, nullptr},
    {}};

static PyGetSetDef properties[] = {{"__wrapped__", getFunction, nullptr,
                                    "the function or class that was decorated",
                                    nullptr},
                                   {"__dict__", PyObject_GenericGetDict,
                                    PyObject_GenericSetDict, nullptr, nullptr},
                                   {}};

PyTypeObject *tegula::getKernelType() {
  static PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void *>(makeKernel)},
      {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
      {Py_tp_dealloc, reinterpret_cast<void *>(destroyKernel)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverseKernel)},
      {Py_tp_clear, reinterpret_cast<void *>(clearReferences)},
      {Py_tp_repr, reinterpret_cast<void *>(describeKernel)},
      {Py_tp_getattro, reinterpret_cast<void *>(getKernelAttribute)},
      {Py_tp_methods, getKernelMethods()},
      {Py_tp_members, members},
      {Py_tp_getset, properties},
      {Py_tp_doc, const_cast<char *>("A kernel. Call it with tensors.")},
      {0, nullptr}};
  static PyType_Spec spec = {"tegula.Kernel", sizeof(KernelObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                 Py_TPFLAGS_HAVE_VECTORCALL,
                             slots};
  static PyObject *type = PyType_FromSpec(&spec);
  return reinterpret_cast<PyTypeObject *>(type);
}
