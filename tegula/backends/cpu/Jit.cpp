// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/Jit.h"

#include "tegula/backends/cpu/LlvmModule.h"
#include "tegula/backends/cpu/Passes.h"
#include "tegula/support/Error.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace llvm;
using namespace tegula;

NativeKernel::~NativeKernel() = default;

// LLVM's OpenMP runtime, as generated code calls it.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
void __kmpc_barrier();
void __kmpc_end_serialized_parallel();
void __kmpc_for_static_fini();
void __kmpc_for_static_init_4u();
void __kmpc_for_static_init_8u();
void __kmpc_fork_call();
void __kmpc_fork_call_if();
void __kmpc_global_thread_num();
void __kmpc_push_num_threads();
void __kmpc_serialized_parallel();
void omp_get_max_threads();
}
// NOLINTEND(readability-identifier-naming)

namespace {

class JittedKernel : public NativeKernel {
public:
  std::unique_ptr<orc::LLJIT> jit;
};

} // namespace

/// Bound by address, so that it does not matter how this library was loaded.
static Error defineRuntime(orc::LLJIT &jit) {
  orc::SymbolMap symbols;
  auto add = [&](StringRef name, auto *address) {
    symbols[jit.mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(address),
                                          JITSymbolFlags::Exported};
  };
#define TEGULA_SYMBOL(name) add(#name, &name)
  TEGULA_SYMBOL(tegulaScratchPush);
  TEGULA_SYMBOL(tegulaScratchPop);
  TEGULA_SYMBOL(tegulaScratchAllocate);
  TEGULA_SYMBOL(tegulaPackTile);
  TEGULA_SYMBOL(tegulaUnpackTile);
  TEGULA_SYMBOL(tegulaReshapeView);
  TEGULA_SYMBOL(tegulaArgReduce);
  TEGULA_SYMBOL(tegulaSortRows);
  TEGULA_SYMBOL(tegulaSortRuns);
  TEGULA_SYMBOL(tegulaMergeRuns);
  TEGULA_SYMBOL(tegulaReportError);
  TEGULA_SYMBOL(__kmpc_barrier);
  TEGULA_SYMBOL(__kmpc_end_serialized_parallel);
  TEGULA_SYMBOL(__kmpc_for_static_fini);
  TEGULA_SYMBOL(__kmpc_for_static_init_4u);
  TEGULA_SYMBOL(__kmpc_for_static_init_8u);
  TEGULA_SYMBOL(__kmpc_fork_call);
  TEGULA_SYMBOL(__kmpc_fork_call_if);
  TEGULA_SYMBOL(__kmpc_global_thread_num);
  TEGULA_SYMBOL(__kmpc_push_num_threads);
  TEGULA_SYMBOL(__kmpc_serialized_parallel);
  TEGULA_SYMBOL(omp_get_max_threads);
#undef TEGULA_SYMBOL
  return jit.getMainJITDylib().define(orc::absoluteSymbols(symbols));
}

/// The C library's functions, and its vector math.
static Error addLibraries(orc::LLJIT &jit) {
  char prefix = jit.getDataLayout().getGlobalPrefix();
  for (const char *name : {"libm.so.6", "libmvec.so.1", "libc.so.6"}) {
    auto library = orc::DynamicLibrarySearchGenerator::Load(name, prefix);
    if (!library)
      return library.takeError();
    jit.getMainJITDylib().addGenerator(std::move(*library));
  }
  return Error::success();
}

static std::string entryNameOf(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::LLVM::LLVMFuncOp>())
    if (!function.isExternal() &&
        function.getLinkage() == mlir::LLVM::Linkage::External)
      return function.getName().str();
  return "";
}

static std::vector<std::string> sitesOf(mlir::ModuleOp module) {
  std::vector<std::string> sites;
  if (auto texts = module->getAttrOfType<mlir::ArrayAttr>(sitesAttrName))
    for (auto text : texts.getAsRange<mlir::StringAttr>())
      sites.push_back(text.str());
  return sites;
}

Expected<std::unique_ptr<NativeKernel>>
tegula::compileToNative(mlir::ModuleOp module, const CpuOptions &options) {
  std::string name = entryNameOf(module);
  if (name.empty())
    return makeError("the module has no kernel");
  orc::JITTargetMachineBuilder target = targetMachineBuilder(options);
  auto machine = target.createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto context = std::make_unique<LLVMContext>();
  auto translated = makeLlvmModule(module, *context, **machine);
  if (!translated)
    return translated.takeError();
  auto jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(target)
                 .setNumCompileThreads(0)
                 .create();
  if (!jit)
    return jit.takeError();
  if (Error error = defineRuntime(**jit))
    return error;
  if (Error error = addLibraries(**jit))
    return error;
  if (Error error = (*jit)->addIRModule(
          orc::ThreadSafeModule(std::move(*translated), std::move(context))))
    return error;
  auto entry = (*jit)->lookup(name);
  if (!entry)
    return entry.takeError();
  auto kernel = std::make_unique<JittedKernel>();
  kernel->jit = std::move(*jit);
  kernel->entry = entry->toPtr<TegulaKernel>();
  kernel->sites = sitesOf(module);
  return kernel;
}

Expected<std::string> tegula::printLlvm(mlir::ModuleOp module,
                                        const CpuOptions &options) {
  auto machine = targetMachineBuilder(options).createTargetMachine();
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  auto translated = makeLlvmModule(module, context, **machine);
  if (!translated)
    return translated.takeError();
  std::string text;
  raw_string_ostream stream(text);
  (*translated)->print(stream, nullptr);
  return text;
}

Expected<std::string> tegula::printAsm(mlir::ModuleOp module,
                                       const CpuOptions &options) {
  auto machine = targetMachineBuilder(options).createTargetMachine();
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  auto translated = makeLlvmModule(module, context, **machine);
  if (!translated)
    return translated.takeError();
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr,
                                      CodeGenFileType::AssemblyFile))
    return makeError("cannot print assembly for this machine");
  passes.run(**translated);
  return text.str().str();
}
