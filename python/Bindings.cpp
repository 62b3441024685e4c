// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions behind the Python package. Calls of kernels do not come through
// here: KernelObject.cpp has them.

#include "python/DescribeSignature.h"
#include "python/KernelObject.h"
#include "python/RankBindings.h"
#include "python/ReadArgument.h"
#include "tegula/launch/cache/Toolchain.h"
#include "tegula/launch/call/CompileReason.h"
#include "tegula/launch/device/CallDescription.h"
#include "tegula/launch/device/DeviceRuntime.h"
#include "tegula/launch/image/CompileLog.h"
#include "tegula/launch/image/CompilerService.h"
#include "tegula/launch/threads/ForkGate.h"
#include "tegula/launch/threads/StopRequest.h"
#include "tegula/support/PrintedLines.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <pthread.h>

namespace nb = nanobind;
using namespace tegula;

void tegula::throwProblem(const Problem &problem) {
  if (!problem)
    return;
  raise(problem);
  throw nb::python_error();
}

/// The kernel in `object`, with its program as it is now.
static std::shared_ptr<KernelCore> coreOf(nb::handle object) {
  if (!PyObject_TypeCheck(object.ptr(), getKernelType()))
    throwProblem(
        makeCallProblem("a kernel is wanted, got an object of type '{0}'",
                        Py_TYPE(object.ptr())->tp_name));
  std::shared_ptr<KernelCore> core =
      getCore(reinterpret_cast<KernelObject *>(object.ptr()));
  if (!core)
    throw nb::python_error();
  return core;
}

/// Runs `step` without the GIL.
template <typename Step> static void attempt(Step step) {
  Problem problem;
  {
    nb::gil_scoped_release release;
    problem = step();
  }
  throwProblem(problem);
  // A signal's handler may have raised something just before it was done.
  if (PyErr_Occurred())
    throw nb::python_error();
}

/// The constants that the kernel took from around it, as pairs of texts.
static nb::list captured(nb::handle kernel) {
  nb::list pairs;
  std::shared_ptr<KernelCore> core = coreOf(kernel);
  for (const ProgramBlock &block : core->program->blocks)
    for (const auto &[name, value] : block.names)
      if (isCapturedConstant(value))
        pairs.append(nb::make_tuple(name, formatCaptured(value)));
  return pairs;
}

static const Signature &declaredOf(KernelCore &core) {
  const Signature *declared = nullptr;
  attempt([&] { return core.dispatcher.getDeclared(declared); });
  return *declared;
}

static void readAll(ReadArguments &arguments, nb::sequence objects,
                    const Signature &declared) {
  size_t index = 0;
  for (nb::handle object : objects) {
    if (Problem problem = arguments.add(object.ptr()))
      throwProblem(makeCallProblem("argument '{0}': {1}",
                                   index < declared.parameters.size()
                                       ? declared.parameters[index].name
                                       : std::to_string(index),
                                   problem.getText()));
    ++index;
  }
}

static nb::object describeVariant(const Variant &variant) {
  nb::dict described = describeSignature(variant.guard.getSignature());
  described["origin"] =
      variant.origin == Variant::Origin::DiskCache ? "disk" : "compiled";
  return described;
}

/// The core for a call with these arguments. Lives as long as `core`.
static KernelCore &coreAt(KernelCore &core, const ReadArguments &arguments) {
  KernelCore *found = nullptr;
  throwProblem(findCoreAt(core, arguments.getStream(), found));
  return *found;
}

/// Those of all devices.
static std::vector<const Variant *> variantsOf(const KernelCore &core) {
  std::vector<const Variant *> variants = core.dispatcher.listVariants();
  for (const auto &[device, there] : core.onDevices)
    llvm::append_range(variants, there->dispatcher.listVariants());
  return variants;
}

static uint64_t countCompiles(nb::handle kernel) {
  std::shared_ptr<KernelCore> core = coreOf(kernel);
  uint64_t count = core->dispatcher.getCompileCount();
  for (const auto &[device, there] : core->onDevices)
    count += there->dispatcher.getCompileCount();
  return count;
}

static nb::list listVariants(nb::handle kernel) {
  nb::list variants;
  for (const Variant *variant : variantsOf(*coreOf(kernel)))
    variants.append(describeVariant(*variant));
  return variants;
}

/// What is wrong with a call that the variant is for.
static Problem refuse(const ReadArguments &arguments, const Variant &variant) {
  int64_t slots[Guard::maxSlots];
  return variant.guard.check(arguments.get(), slots);
}

/// The number of the variant a call would use, or -1.
static int64_t findVariant(nb::handle kernel, nb::sequence objects) {
  std::shared_ptr<KernelCore> core = coreOf(kernel);
  ReadArguments arguments(nb::len(objects));
  readAll(arguments, objects, declaredOf(*core));
  const Variant *found =
      coreAt(*core, arguments).dispatcher.find(arguments.get());
  if (found)
    throwProblem(refuse(arguments, *found));
  int64_t number = 0;
  for (const Variant *variant : variantsOf(*core)) {
    if (variant == found)
      return number;
    ++number;
  }
  return -1;
}

static void compile(nb::handle kernel, nb::sequence objects) {
  std::shared_ptr<KernelCore> core = coreOf(kernel);
  ReadArguments arguments(nb::len(objects));
  readAll(arguments, objects, declaredOf(*core));
  const Variant *variant = nullptr;
  KernelCore &there = coreAt(*core, arguments);
  attempt(
      [&] { return there.dispatcher.findOrMake(arguments.get(), variant); });
  throwProblem(warnOf(*variant));
  throwProblem(refuse(arguments, *variant));
}

/// Whether calls have schedules to choose from, as on a device.
static bool hasSchedules(nb::handle kernel, nb::sequence objects) {
  std::shared_ptr<KernelCore> core = coreOf(kernel);
  ReadArguments arguments(nb::len(objects));
  readAll(arguments, objects, declaredOf(*core));
  return describesCalls(coreAt(*core, arguments).program->target);
}

/// What a call of a variant that is there would do, as far as that depends on
/// more than the variant; nothing is run.
static std::string explainCall(nb::handle kernel, nb::sequence objects) {
  std::shared_ptr<KernelCore> core = coreOf(kernel);
  ReadArguments arguments(nb::len(objects));
  readAll(arguments, objects, declaredOf(*core));
  KernelCore &there = coreAt(*core, arguments);
  const Variant *found = there.dispatcher.find(arguments.get());
  if (!found || !describesCalls(there.program->target))
    return "";
  DeviceStreamScope stream(arguments.getStream());
  CallDescriber describer;
  throwProblem(found->call(arguments.get()));
  return describer.get().text;
}

/// Waits for calls with such arguments that returned before they were done.
/// False if there are none: the tensors are in memory of the host.
static bool waitFor(nb::handle kernel, nb::sequence objects) {
  std::shared_ptr<KernelCore> core = coreOf(kernel);
  ReadArguments arguments(nb::len(objects));
  readAll(arguments, objects, declaredOf(*core));
  if (!arguments.getStream().isNamed())
    return false;
  attempt([&] {
    return findDlpackRuntime(dlpack::Cuda)->synchronize(arguments.getStream());
  });
  return true;
}

/// Compiles a kernel whose annotations say everything, unless it has been.
static void compileOnly(nb::handle kernel) {
  std::shared_ptr<KernelCore> core = coreOf(kernel);
  const Variant *variant = nullptr;
  if (!core->dispatcher.listVariants().empty())
    return;
  attempt([&] { return core->dispatcher.makeOnly(variant); });
  throwProblem(warnOf(*variant));
}

/// Asks the compiler for something about a kernel and the arguments of a call.
template <typename Ask>
static std::string ask(nb::handle kernel, nb::sequence objects, Ask question) {
  std::shared_ptr<KernelCore> core = coreOf(kernel);
  ReadArguments arguments(nb::len(objects));
  readAll(arguments, objects, declaredOf(*core));
  std::string answer;
  const Program &program = *coreAt(*core, arguments).program;
  DeviceStreamScope stream(arguments.getStream());
  attempt([&]() -> Problem {
    CompilerService *service = nullptr;
    if (Problem problem = getCompilerService(service))
      return problem;
    return question(*service, program, arguments.get(), answer);
  });
  return answer;
}

static std::string lower(nb::handle kernel, nb::sequence objects,
                         const std::string &stage) {
  return ask(kernel, objects,
             [&](CompilerService &service, const Program &program,
                 llvm::ArrayRef<Argument> arguments, std::string &text) {
               return service.print(program, stage, arguments, text);
             });
}

static std::string profile(nb::handle kernel, nb::sequence objects,
                           double seconds) {
  return ask(kernel, objects,
             [&](CompilerService &service, const Program &program,
                 llvm::ArrayRef<Argument> arguments, std::string &text) {
               return service.profile(program, arguments, seconds, text);
             });
}

static std::string summarizeMemory(nb::handle kernel, nb::sequence objects) {
  return ask(kernel, objects,
             [](CompilerService &service, const Program &program,
                llvm::ArrayRef<Argument> arguments, std::string &text) {
               return service.summarizeMemory(program, arguments, text);
             });
}

static std::string compare(nb::handle kernel, nb::handle other,
                           nb::sequence objects) {
  std::shared_ptr<KernelCore> second = coreOf(other);
  return ask(kernel, objects,
             [&](CompilerService &service, const Program &program,
                 llvm::ArrayRef<Argument> arguments, std::string &difference) {
               return service.compare(program, *second->program, arguments,
                                      difference);
             });
}

/// How the last call went on a simulated machine: a text, and the same as JSON.
static std::string writeReport(nb::handle kernel, ReportFormat format) {
  std::shared_ptr<KernelCore> core = coreOf(kernel);
  const Variant *variant = core->lastRun;
  if (!variant)
    throwProblem(
        makeCallProblem("there is no call to report on: the kernel has not "
                        "been called, or not for a simulated machine"));
  std::string text;
  attempt([&] { return variant->image->report(format, text); });
  return text;
}

/// Whether the last call was one on a simulated machine.
static bool wasSimulated(nb::handle kernel) {
  const Variant *variant = coreOf(kernel)->lastRun;
  return variant && variant->image->isSimulated();
}

static nb::tuple reportLast(nb::handle kernel) {
  return nb::make_tuple(writeReport(kernel, ReportFormat::Text),
                        writeReport(kernel, ReportFormat::Json));
}

static std::string drawLast(nb::handle kernel) {
  return writeReport(kernel, ReportFormat::Html);
}

/// The text of a kernel for a graph of torch's, and the nodes it does not know.
static nb::tuple importGraph(const std::string &json) {
  std::string text;
  std::vector<std::string> unknown;
  attempt([&]() -> Problem {
    CompilerService *service = nullptr;
    if (Problem problem = getCompilerService(service))
      return problem;
    return service->importGraph(json, text, unknown);
  });
  nb::list names;
  for (const std::string &name : unknown)
    names.append(name);
  return nb::make_tuple(text, names);
}

static void build(nb::handle kernel, nb::sequence objects,
                  const std::string &library, const std::string &header,
                  nb::sequence held) {
  std::vector<std::string> names;
  for (nb::handle name : held)
    names.push_back(nb::cast<std::string>(name));
  ask(kernel, objects,
      [&](CompilerService &service, const Program &program,
          llvm::ArrayRef<Argument> arguments, std::string &) {
        return service.build(program, arguments, library, header, names);
      });
}

static nb::list inferOutputs(nb::handle kernel, nb::sequence objects) {
  std::shared_ptr<KernelCore> core = coreOf(kernel);
  const Signature &declared = declaredOf(*core);
  std::vector<std::unique_ptr<ReadArguments>> given;
  std::vector<const TensorView *> views;
  std::vector<int64_t> numbers;
  size_t index = 0;
  for (nb::handle object : objects) {
    views.push_back(nullptr);
    numbers.push_back(0);
    if (!object.is_none()) {
      auto &argument = given.emplace_back(std::make_unique<ReadArguments>(1));
      if (Problem problem = argument->add(object.ptr()))
        throwProblem(makeCallProblem("argument '{0}': {1}",
                                     declared.parameters[index].name,
                                     problem.getText()));
      const Argument &read = argument->get()[0];
      if (read.isTensor())
        views.back() = &read.getTensor();
      else if (!read.isFloat())
        numbers.back() = static_cast<int64_t>(read.getIntegerBits());
    }
    ++index;
  }
  nb::list outputs;
  throwProblem(inferShapes(declared, views, numbers, outputs));
  return outputs;
}

/// What the arguments of a call are, as far as kernels are specialised on them.
static nb::list describeArguments(nb::sequence objects) {
  ReadArguments arguments(nb::len(objects));
  readAll(arguments, objects, {});
  nb::list described;
  for (const Argument &argument : arguments.get()) {
    nb::dict entry;
    entry["kind"] = argument.isTensor() ? "tensor" : "scalar";
    if (argument.isTensor()) {
      nb::list shape;
      for (int64_t size : argument.getTensor().getSizes())
        shape.append(size);
      entry["dtype"] = getName(argument.getTensor().dtype).str();
      entry["shape"] = shape;
    } else if (argument.isFloat()) {
      entry["value"] = argument.getFloat();
    } else {
      entry["value"] = static_cast<int64_t>(argument.getIntegerBits());
    }
    described.append(entry);
  }
  return described;
}

/// What the environment asks for, but with what is not None.
static void setCache(nb::object mode, nb::object folder, nb::object limit) {
  CacheOptions options = CacheOptions::fromEnvironment();
  if (!mode.is_none())
    throwProblem(parseCacheMode(nb::cast<std::string>(mode), options.mode));
  if (!folder.is_none())
    options.folder = nb::cast<std::string>(folder);
  if (!limit.is_none())
    options.maxBytes = nb::cast<uint64_t>(limit);
  setDefaultCache(std::move(options));
}

/// The thread in which Python runs the handlers of signals.
static std::atomic<pthread_t> mainThread;

/// A thread that forks holds the GIL, which a thread that compiles may want, so
/// it does its waiting before.
static void watchForks() {
  // It waits for what is loaded. Python asks last who came first: by then no
  // thread compiles, and could want to load something for a signal's handler.
  nb::module_::import_("tegula._load");
  nb::module_ os = nb::module_::import_("os");
  os.attr("register_at_fork")(nb::arg("before") = nb::cpp_function([] {
                                nb::gil_scoped_release release;
                                beginFork();
                              }),
                              nb::arg("after_in_parent") =
                                  nb::cpp_function(endFork),
                              nb::arg("after_in_child") = nb::cpp_function([] {
                                mainThread = pthread_self();
                                endFork();
                              }));
}

/// Lets Python handle signals while a kernel is compiled. True if a handler
/// raised something, as that of Ctrl-C does.
static bool hasSignalRaised() {
  if (!pthread_equal(pthread_self(), mainThread))
    return false;
  nb::gil_scoped_acquire acquire;
  return PyErr_CheckSignals() != 0;
}

static void watchSignals() {
  nb::object main =
      nb::module_::import_("threading").attr("main_thread")().attr("ident");
  mainThread = static_cast<pthread_t>(nb::cast<unsigned long>(main));
  setStopQuestion(hasSignalRaised);
}

NB_MODULE(_tegula, module) {
  watchForks();
  watchSignals();
  keepPrintedLines(true);
  bindRanks(module);
  module.attr("version") = getVersion();
  module.attr("Kernel") =
      nb::handle(reinterpret_cast<PyObject *>(getKernelType()));
  module.def("signature", [](nb::handle kernel) {
    return describeSignature(declaredOf(*coreOf(kernel)));
  });
  module.def("key",
             [](nb::handle kernel) { return coreOf(kernel)->program->key(); });
  module.def("captured", captured);
  module.def(
      "log_compiles",
      [](std::optional<bool> isWanted) { logCompiles(isWanted); },
      nb::arg("wanted").none());
  module.def("clear", [](nb::handle kernel) {
    coreOf(kernel);
    clearKernel(reinterpret_cast<KernelObject *>(kernel.ptr()));
  });
  module.def("compile_count", countCompiles);
  module.def("process_compile_count", [] { return getProcessCompileCount(); });
  module.def("variants", listVariants);
  module.def("find_variant", findVariant);
  module.def("has_schedules", hasSchedules);
  module.def("explain_call", explainCall);
  module.def("wait_for", waitFor);
  module.def("name_device", [](int32_t type) -> std::string {
    const DeviceRuntime *runtime = findDlpackRuntime(type);
    return runtime ? runtime->getName() : "";
  });
  module.def("compile", compile);
  module.def("compile_only", compileOnly);
  module.def("lower", lower);
  module.def("profile", profile);
  module.def("summarize_memory", summarizeMemory);
  module.def("import_graph", importGraph, nb::arg());
  module.def("compare", compare, nb::arg().none(), nb::arg().none(), nb::arg());
  module.def("build", build);
  module.def("was_simulated", wasSimulated);
  module.def("report", reportLast);
  module.def("report_page", drawLast);
  module.def("infer_outputs", inferOutputs);
  module.def("describe_arguments", describeArguments);
  module.def("set_cache", setCache, nb::arg("mode").none(),
             nb::arg("folder").none(), nb::arg("limit").none());
}
