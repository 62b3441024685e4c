// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/object/LlvmModule.h"

#include "tegula/backends/LlvmPasses.h"
#include "tegula/backends/cpu/object/MaskedStores.h"
#include "tegula/backends/cpu/object/ReduceStrength.h"

#include "tegula/launch/threads/StopRequest.h"
#include "tegula/support/Error.h"
#include "tegula/support/Recovery.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <mutex>

using namespace llvm;
using namespace tegula;

/// Sets the widths of vectors for a processor that `has` features.
static void chooseVectors(CpuOptions &options,
                          function_ref<bool(StringRef)> has) {
  options.vectorBits = 256;
  if (has("avx512f") && has("avx512bw") && has("avx512vl") && has("avx512dq"))
    options.vectorBits = 512;
  else if (!has("avx2"))
    options.vectorBits = 128;
  // As many sums as registers hold besides the operands: 24 of 32, 12 of 16.
  options.matmul =
      options.vectorBits == 512 ? MatmulOptions{8, 3} : MatmulOptions{6, 2};
  options.tuning.hasPairs = options.vectorBits == 512 && has("avx512bf16");
  options.tuning.hasFours = options.vectorBits == 512 && has("avx512vnni");
}

/// What a processor has or lacks, other than all that have its name. Every word
/// of it is looked up again for each kernel.
static std::string listUnusual(const CpuOptions &named,
                               const StringMap<bool> &features) {
  auto machine = createTargetMachine(named);
  std::vector<std::string> list;
  for (const auto &feature : features) {
    std::string name = feature.first().str();
    if (!machine || (*machine)->getMCSubtargetInfo()->checkFeatures(
                        "+" + name) != feature.second)
      list.push_back((feature.second ? "+" : "-") + name);
  }
  // Without a machine there is no code either, and that is said then.
  consumeError(machine.takeError());
  llvm::sort(list);
  return llvm::join(list, ",");
}

CpuOptions CpuOptions::forHost() {
  CpuOptions options;
  options.cpu = sys::getHostCPUName().str();
  StringMap<bool> features = sys::getHostCPUFeatures();
  options.features = listUnusual(options, features);
  chooseVectors(options, [&](StringRef name) { return features.lookup(name); });
  return options;
}

Expected<CpuOptions> CpuOptions::forCpu(const std::string &name) {
  CpuOptions options;
  auto machine = createTargetMachine(options);
  if (!machine)
    return machine.takeError();
  if (!(*machine)->getMCSubtargetInfo()->isCPUStringValid(name))
    return makeError("there is no processor '{0}' for {1}", name,
                     (*machine)->getTargetTriple().getArchName());
  options.cpu = name;
  machine = createTargetMachine(options);
  if (!machine)
    return machine.takeError();
  const MCSubtargetInfo &processor = *(*machine)->getMCSubtargetInfo();
  if ((*machine)->getTargetTriple().isX86() &&
      !processor.checkFeatures("+64bit"))
    return makeError("the processor '{0}' has no 64-bit code", name);
  chooseVectors(options, [&](StringRef feature) {
    return processor.checkFeatures("+" + feature.str());
  });
  return options;
}

Expected<std::unique_ptr<TargetMachine>>
tegula::createTargetMachine(const CpuOptions &options) {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  Triple triple(sys::getProcessTriple());
  std::string problem;
  const Target *target = TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return makeError("cannot make code for {0}: {1}", triple.str(), problem);
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, options.cpu, options.features, TargetOptions(), Reloc::PIC_,
      CodeModel::Small, CodeGenOptLevel::Default));
}

/// Our code is vector code with its loops in order already. What is left to
/// LLVM is to see through descriptors and to move invariants; its default
/// pipeline takes twice as long and finds nothing more.
static constexpr StringLiteral passPipeline =
    "function(lower-expect,sroa,early-cse<memssa>,"
    "instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(loop-rotate,licm),"
    "early-cse,instsimplify,simplifycfg)";

/// Inner loops that may have no iteration get a block of their own before them,
/// where what they start from is moved to registers. Else that is done before
/// it is known whether there is an iteration: five vectors for each short row
/// of a sum.
static void splitLoopEntries(Function &function) {
  SmallSetVector<std::pair<BasicBlock *, BasicBlock *>, 16> entries;
  for (BasicBlock &loop : function) {
    // Inner loops are blocks that follow themselves.
    if (!is_contained(successors(&loop), &loop))
      continue;
    for (BasicBlock *before : predecessors(&loop))
      if (before != &loop && before->getTerminator()->getNumSuccessors() > 1)
        entries.insert({before, &loop});
  }
  for (auto [before, loop] : entries)
    SplitEdge(before, loop);
}

static Error optimize(Module &module, TargetMachine &machine) {
  LlvmPasses passes(machine);
  passes.getCallbacks().registerBeforeNonSkippedPassCallback(
      [](StringRef, const Any &) {
        if (isStopWanted())
          stopStep();
      });
  ModulePassManager pipeline;
  if (Error error =
          passes.getBuilder().parsePassPipeline(pipeline, passPipeline))
    return error;
  pipeline.addPass(createModuleToFunctionPassAdaptor(ReduceStrength()));
  passes.run(pipeline, module);
  return Error::success();
}

/// Adds functions that the module only declares. Nobody else sees them.
static Error linkCode(Module &module, StringRef bitcode) {
  Expected<std::unique_ptr<Module>> code =
      parseBitcodeFile(MemoryBufferRef(bitcode, "linked"), module.getContext());
  if (!code)
    return code.takeError();
  std::vector<std::string> names;
  for (const Function &function : **code)
    if (!function.isDeclaration())
      names.push_back(function.getName().str());
  (*code)->setDataLayout(module.getDataLayout());
  (*code)->setTargetTriple(module.getTargetTriple());
  if (Linker::linkModules(module, std::move(*code)))
    return makeError("cannot link code to the kernel");
  for (const std::string &name : names)
    if (Function *function = module.getFunction(name))
      function->setLinkage(GlobalValue::InternalLinkage);
  return Error::success();
}

/// True if all memory on the stack is taken where the function begins. In a
/// loop each iteration would take more of it.
static bool takesStackOnce(const Function &function) {
  return llvm::all_of(instructions(function),
                      [](const Instruction &instruction) {
                        auto *memory = dyn_cast<AllocaInst>(&instruction);
                        return !memory || memory->isStaticAlloca();
                      });
}

Expected<std::unique_ptr<Module>>
tegula::translateToLlvm(mlir::ModuleOp module, LLVMContext &context,
                        TargetMachine &machine) {
  std::unique_ptr<Module> translated =
      mlir::translateModuleToLLVMIR(module, context, "tegula");
  if (!translated)
    return makeError("cannot translate the kernel to LLVM IR");
  assert(llvm::all_of(*translated, takesStackOnce) &&
         "an iteration of a loop takes memory on the stack");
  translated->setDataLayout(machine.createDataLayout());
  translated->setTargetTriple(machine.getTargetTriple());
  if (auto code = module->getAttrOfType<mlir::StringAttr>(linkedCodeAttrName))
    if (Error error = linkCode(*translated, code.getValue()))
      return error;
  bool hasLines = translated->getNamedMetadata("llvm.dbg.cu");
  for (Function &function : *translated) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("prefer-vector-width", "512");
    // Whoever looks for lines follows frames.
    function.addFnAttr("frame-pointer", hasLines ? "all" : "none");
    function.addFnAttr(Attribute::NoUnwind);
  }
  return translated;
}

Error tegula::optimizeLlvm(Module &module, TargetMachine &machine) {
  if (Error error = optimize(module, machine))
    return error;
  storeSingleLanes(module);
  for (Function &function : module)
    splitLoopEntries(function);
  return Error::success();
}

Expected<std::unique_ptr<Module>>
tegula::makeLlvmModule(mlir::ModuleOp module, LLVMContext &context,
                       TargetMachine &machine) {
  auto translated = translateToLlvm(module, context, machine);
  if (!translated)
    return translated.takeError();
  if (Error error = optimizeLlvm(**translated, machine))
    return error;
  return translated;
}
