// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/object/Jit.h"
#include "tegula/backends/codegen/LowerTiles.h"

#include "tegula/backends/cpu/Passes.h"
#include "tegula/backends/cpu/object/EmitObjects.h"
#include "tegula/backends/cpu/object/KernelImports.h"
#include "tegula/backends/cpu/object/Link.h"
#include "tegula/backends/cpu/object/LlvmModule.h"
#include "tegula/backends/cpu/object/SkippedLlvmPasses.h"
#include "tegula/support/Error.h"

using namespace llvm;
using namespace tegula;

static std::string entryNameOf(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::LLVM::LLVMFuncOp>())
    if (!function.isExternal() &&
        function.getLinkage() == mlir::LLVM::Linkage::External)
      return function.getName().str();
  return "";
}

std::vector<std::string> tegula::sitesOf(mlir::ModuleOp module) {
  std::vector<std::string> sites;
  if (auto texts = module->getAttrOfType<mlir::ArrayAttr>(sitesAttrName))
    for (auto text : texts.getAsRange<mlir::StringAttr>())
      sites.push_back(text.str());
  return sites;
}

/// Makes the code of a kernel: `emit` gets its module of LLVM, the kernel in
/// it, not optimised yet, and the machine it is for.
static Expected<NativeImage> compileWith(
    mlir::ModuleOp module, const CpuOptions &options,
    function_ref<Expected<FileBytes>(Module &, Function &, TargetMachine &)>
        emit) {
  std::string name = entryNameOf(module);
  if (name.empty())
    return makeError("the module has no kernel");
  auto machine = createTargetMachine(options);
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  auto translated = translateToLlvm(module, context, **machine);
  if (!translated)
    return translated.takeError();
  NativeImage image;
  image.entry = (entryPrefix + name).str();
  image.sites = sitesOf(module);
  Function *kernel = (*translated)->getFunction(name);
  kernel->setName(image.entry);
  Expected<FileBytes> code = emit(**translated, *kernel, **machine);
  if (!code)
    return code.takeError();
  image.code = std::move(*code);
  return image;
}

Expected<NativeImage> tegula::compileToObject(mlir::ModuleOp module,
                                              const CpuOptions &options,
                                              FinishKernel finish) {
  return compileWith(module, options,
                     [&](Module &translated, Function &kernel,
                         TargetMachine &machine) -> Expected<FileBytes> {
                       if (Error error = optimizeLlvm(translated, machine))
                         return error;
                       if (finish)
                         finish(kernel, machine);
                       return emitObject(translated, machine);
                     });
}

/// The objects as a shared library, with what they need of the launch library.
static Expected<FileBytes> linkObjects(ArrayRef<FileBytes> objects) {
  std::vector<StringRef> views;
  for (const FileBytes &object : objects)
    views.emplace_back(object.data(), object.size());
  Expected<std::vector<Import>> imports = findImports(views);
  if (!imports)
    return imports.takeError();
  return linkSharedLibrary({views, *imports});
}

Expected<NativeImage> tegula::compileToImage(mlir::ModuleOp module,
                                             const CpuOptions &options) {
  return compileWith(module, options,
                     [&](Module &translated, Function &,
                         TargetMachine &machine) -> Expected<FileBytes> {
                       auto objects = emitObjects(translated, machine, options);
                       if (!objects)
                         return objects.takeError();
                       return linkObjects(*objects);
                     });
}

Expected<NativeKernel> tegula::compileToNative(mlir::ModuleOp module,
                                               const CpuOptions &options) {
  Expected<NativeImage> image = compileToImage(module, options);
  if (!image)
    return image.takeError();
  NativeKernel kernel;
  if (Problem problem = CodeLibrary::load(
          {image->code.data(), image->code.size()}, kernel.code))
    return makeTextError(problem.getText());
  kernel.entry =
      reinterpret_cast<TegulaKernel>(kernel.code->find(image->entry.c_str()));
  assert(kernel.entry && "the linker exports the entry");
  kernel.sites = std::move(image->sites);
  return kernel;
}

/// What `print` writes of the module in LLVM's code.
static Expected<std::string> printTranslated(
    mlir::ModuleOp module, const CpuOptions &options,
    llvm::function_ref<Error(Module &, TargetMachine &, raw_pwrite_stream &)>
        print) {
  auto machine = createTargetMachine(options);
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  auto translated = makeLlvmModule(module, context, **machine);
  if (!translated)
    return translated.takeError();
  SmallString<0> text;
  raw_svector_ostream stream(text);
  if (Error error = print(**translated, **machine, stream))
    return error;
  return text.str().str();
}

Expected<std::string> tegula::printLlvm(mlir::ModuleOp module,
                                        const CpuOptions &options) {
  return printTranslated(module, options,
                         [](Module &translated, TargetMachine &,
                            raw_pwrite_stream &stream) -> Error {
                           translated.print(stream, nullptr);
                           return Error::success();
                         });
}

Expected<std::string> tegula::printAsm(mlir::ModuleOp module,
                                       const CpuOptions &options) {
  return printTranslated(module, options,
                         [](Module &translated, TargetMachine &machine,
                            raw_pwrite_stream &stream) {
                           return emitCode(translated, machine,
                                           CodeGenFileType::AssemblyFile,
                                           stream, getSkippedLlvmPasses());
                         });
}
