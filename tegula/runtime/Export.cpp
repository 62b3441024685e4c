// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Export.h"

#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/backends/cpu/KernelImports.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/ExportHeader.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/support/File.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace tegula;

static Expected<CpuOptions> readCpu(const ExportOptions &options) {
  Expected<CpuOptions> cpu = options.cpu.empty()
                                 ? CpuOptions::forHost()
                                 : CpuOptions::forCpu(options.cpu);
  if (cpu)
    cpu->useThreads = options.useThreads;
  return cpu;
}

/// A name that C programs cannot use, or that other code means already.
static Error checkName(const std::string &name,
                       llvm::ArrayRef<ExportedFunction> functions) {
  if (!isCName(name))
    return makeError("no C function can be called '{0}'; give a prefix", name);
  if (isLibraryFunction(name))
    return makeError("the system has a function '{0}' already; give a prefix",
                     name);
  for (const ExportedFunction &function : functions)
    if (function.name == name)
      return makeError("two kernels are called '{0}'", name);
  return Error::success();
}

static Expected<std::string> linkLibrary(llvm::ArrayRef<std::string> objects,
                                         const std::string &path) {
  Expected<std::vector<std::string>> libraries = findStandaloneLibraries();
  if (!libraries)
    return libraries.takeError();
  std::vector<llvm::StringRef> views(objects.begin(), objects.end());
  // OpenMP's threads and memory that ends with a thread may outlive whoever
  // opened the library, so it is never unloaded.
  std::vector<std::string> words = {"-soname=" +
                                        llvm::sys::path::filename(path).str(),
                                    "-znodelete", "-rpath=$ORIGIN"};
  Expected<FileBytes> code = linkSharedLibrary({views, {}, *libraries, words});
  if (!code)
    return code.takeError();
  return std::string(code->data(), code->size());
}

Error tegula::exportKernels(llvm::ArrayRef<ExportedKernel> kernels,
                            const ExportOptions &options) {
  Expected<CpuOptions> cpu = readCpu(options);
  if (!cpu)
    return cpu.takeError();
  std::vector<ExportedFunction> functions;
  std::vector<std::string> objects;
  for (const ExportedKernel &kernel : kernels) {
    Expected<KernelSource> source = readSource(kernel.source);
    if (!source)
      return source.takeError();
    Expected<Signature> declared = Compilation(*source).declare();
    if (!declared)
      return declared.takeError();
    std::string name = options.prefix + declared->kernel;
    if (Error error = checkName(name, functions))
      return error;
    source->kernel = declared->kernel;
    Expected<StandaloneObject> object =
        Compilation(std::move(*source))
            .compileStandalone(kernel.arguments, *cpu, name);
    if (!object)
      return object.takeError();
    functions.push_back({name, std::move(object->signature)});
    objects.push_back(std::move(object->code));
  }
  Expected<std::string> library = linkLibrary(objects, options.library);
  if (!library)
    return blame(library.takeError());
  std::vector<FileContent> files = {{options.library, std::move(*library)}};
  if (!options.header.empty())
    files.push_back({options.header, writeHeader(functions, options.header)});
  return writeFilesAtomically(files);
}
