// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/ModelKernel.h"
#include "tegula/runtime/simulation/Producer.h"
#include "tegula/runtime/simulation/SimulatedTarget.h"
#include "tegula/support/HostTarget.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/Progress.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/sim/Workload.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;

CommandSpec tegula::describeBuild() {
  CommandSpec spec;
  spec.name = "build";
  spec.operand = "FILE[:KERNEL]";
  spec.summary = "compile kernels to a shared library and a C header";
  spec.details =
      "The library needs no compiler, no LLVM and no Python where it runs. It "
      "has one C\nfunction per kernel, which checks its arguments as every "
      "call "
      "does. Without KERNEL\nall kernels of the file are compiled. A kernel "
      "that leaves types or shapes open\nneeds --dtype and --shape.\n\nA file "
      "that torch.export.save wrote, FILE.pt2, is a model: its parameters "
      "become\npart of the library. Neither Python nor torch is needed for "
      "it.\n\nFor a "
      "simulated NPU it writes what tells 'tegula sim' the steps of one "
      "kernel:\nNAME.so, the same as NAME.c, and NAME.json, which describes "
      "them.\n\n"
      "  tegula build examples/softmax.py -o libsoftmax.so --header "
      "softmax.h\n"
      "  tegula build kernels.py --target cpu:x86-64-v3 -o libkernels.so\n"
      "  tegula build examples/gemm.py --target npu:tpuv3 -o gemm\n"
      "  tegula build model.pt2 -o model.so --header model.h\n";
  spec.options = getWorkloadOptions();
  spec.options.insert(
      spec.options.begin(),
      {{"output", "FILE.so|NAME", "what to write; also -o", false, "o"},
       {"header", "FILE.h", "the C header to write"},
       getTargetOption(),
       {"cpu", "NAME", "short for --target cpu:NAME"},
       {"strict", "", "warnings are errors"},
       {"prefix", "TEXT", "begin the names of the C functions with this"},
       {"no-threads", "",
        "use one thread; the library then starts no others"}});
  return spec;
}

/// The kernels that the operand names.
static Expected<std::vector<KernelSource>> listSources(const KernelName &name) {
  if (!name.kernel.empty())
    return std::vector<KernelSource>{{name.path, name.kernel}};
  Expected<std::vector<std::string>> names = listKernels(name.path);
  if (!names)
    return names.takeError();
  if (names->empty())
    return makeError("there is no kernel in '{0}'", name.path);
  std::vector<KernelSource> sources;
  for (const std::string &kernel : *names)
    sources.push_back({name.path, kernel});
  return sources;
}

/// The target that the options together mean.
static Expected<std::string> readTarget(const CommandLine &line) {
  if (line.has("cpu") && line.has("target"))
    return makeError("options '--cpu' and '--target' say the same thing; give "
                     "one of them");
  std::string target = line.get("target", hostTarget);
  if (line.has("cpu"))
    target += ":" + line.get("cpu");
  if (line.has("no-threads"))
    target +=
        llvm::StringRef(target).contains(':') ? ",no-threads" : ":no-threads";
  return target;
}

static std::string countBytes(const std::string &path) {
  uint64_t size = 0;
  if (llvm::sys::fs::file_size(path, size))
    return "";
  return " (" + std::to_string((size + 1023) / 1024) + " KiB)";
}

/// The kernels, with what their open parameters are specialised on.
static Expected<std::vector<ExportedKernel>>
listExported(const CommandLine &line, std::vector<Workload> &workloads) {
  Expected<WorkloadRequest> request = readRequest(line);
  if (!request)
    return request.takeError();
  auto sources = listSources(splitKernelName(line.getOperand()));
  if (!sources)
    return sources.takeError();
  std::vector<ExportedKernel> kernels;
  for (KernelSource &source : *sources) {
    source.isStrict = line.has("strict");
    Expected<Signature> signature = readSignature(source);
    if (!signature)
      return signature.takeError();
    kernels.push_back({source});
    if (!signature->isOpen())
      continue;
    Expected<Workload> workload = makeWorkload(*signature, *request);
    if (!workload)
      return workload.takeError();
    kernels.back().arguments = workload->arguments;
    workloads.push_back(std::move(*workload));
  }
  return kernels;
}

static Expected<int> buildLibrary(const CommandLine &line,
                                  const std::string &target,
                                  llvm::ArrayRef<ExportedKernel> kernels) {
  ExportOptions options;
  options.library = line.get("output");
  options.header = line.get("header");
  options.prefix = line.get("prefix");
  options.target = target;
  Progress progress("compiling");
  Expected<std::vector<KernelWarning>> warnings =
      exportKernels(kernels, options);
  if (!warnings)
    return warnings.takeError();
  progress.clear();
  printWarnings(*warnings);
  llvm::outs() << options.library << countBytes(options.library) << ": "
               << kernels.size()
               << (kernels.size() == 1 ? " kernel" : " kernels") << "\n";
  if (!options.header.empty())
    llvm::outs() << options.header << "\n";
  return 0;
}

/// For a machine that is simulated.
static Expected<int> buildProducer(const CommandLine &line,
                                   const std::string &target,
                                   llvm::ArrayRef<ExportedKernel> kernels) {
  for (const char *option : {"header", "prefix"})
    if (line.has(option))
      return makeError("option '--{0}' is for libraries that are called; for "
                       "the target '{1}' there are producers",
                       option, target);
  if (kernels.size() > 1)
    return makeError("a producer is of one kernel; name it: {0}:{1}",
                     line.getOperand(), kernels.front().source.kernel);
  std::string name = line.get("output");
  for (const char *ending : {".so", ".json", ".c"})
    if (llvm::StringRef(name).ends_with(ending)) {
      name.resize(name.size() - llvm::StringRef(ending).size());
      break;
    }
  Progress progress("compiling");
  Expected<WrittenProducer> written =
      exportProducer(kernels.front(), target, name);
  if (!written)
    return written.takeError();
  progress.clear();
  printWarnings(written->warnings);
  for (const std::string &file : written->files)
    llvm::outs() << file << countBytes(file) << "\n";
  return 0;
}

/// A model of torch's, with its parameters inside the library.
static Expected<int> buildModel(const CommandLine &line,
                                const std::string &target) {
  auto file = torch::openModel(line.getOperand().str());
  if (!file)
    return file.takeError();
  Expected<std::unique_ptr<ModelKernel>> model =
      readModelKernel(std::move(*file));
  if (!model)
    return model.takeError();
  return buildLibrary(line, target, (*model)->kernel);
}

Expected<int> tegula::runBuild(const CommandLine &line) {
  Expected<std::string> target = readTarget(line);
  if (!target)
    return target.takeError();
  Expected<std::optional<sim::Machine>> machine = findSimulatedMachine(*target);
  if (!machine)
    return machine.takeError();
  bool isSimulated = machine->has_value();
  if (line.get("output").empty())
    return makeError(isSimulated ? "'tegula build' needs the name of what to "
                                   "write: -o NAME"
                                 : "'tegula build' needs the library to "
                                   "write: -o FILE.so");
  if (line.getOperand().ends_with(".pt2"))
    return isSimulated ? makeError("a model becomes a library only; "
                                   "tegula.torch.simulate runs it on an NPU")
                       : buildModel(line, *target);
  std::vector<Workload> workloads;
  Expected<std::vector<ExportedKernel>> kernels = listExported(line, workloads);
  if (!kernels)
    return kernels.takeError();
  return isSimulated ? buildProducer(line, *target, *kernels)
                     : buildLibrary(line, *target, *kernels);
}
