// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/npu/vector/RegionCode.h"

#include "tegula/backends/LlvmPasses.h"
#include "tegula/backends/npu/vector/LowerRow.h"
#include "tegula/backends/npu/vector/RowFunction.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace tegula;

/// Bits of the widest element. Positions in the row are 64 bits wide too, so of
/// those only what lies in memory counts.
static unsigned findWidestBits(Function &function) {
  unsigned widest = 8;
  for (Instruction &instruction : instructions(function)) {
    bool isMemory = isa<LoadInst, StoreInst>(instruction);
    Type *type =
        isMemory ? getLoadStoreType(&instruction) : instruction.getType();
    bool isNumeric = type->isIntegerTy() || type->isFloatingPointTy();
    if (isNumeric && (isMemory || !type->isIntegerTy(64)))
      widest = std::max<unsigned>(widest, type->getScalarSizeInBits());
  }
  return widest;
}

/// Runs the passes that `pipeline` names.
static void runPasses(Module &module, TargetMachine &machine,
                      StringRef pipeline) {
  LlvmPasses passes(machine);
  ModulePassManager manager;
  cantFail(passes.getBuilder().parsePassPipeline(manager, pipeline));
  passes.run(manager, module);
}

/// What clang -O3 does to one loop, without what would call memcpy for a copy:
/// first what brings it into shape, then the vectors and what tidies up.
static constexpr StringLiteral shapeLoops =
    "function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
    "simplifycfg,loop-mssa(loop-rotate,licm),simplifycfg,"
    "instcombine<no-verify-fixpoint>,loop(indvars))";
static constexpr StringLiteral makeVectors =
    "function(loop-vectorize,instcombine<no-verify-fixpoint>,simplifycfg,"
    "early-cse,loop-mssa(licm))";

/// The branch back to the head of the one loop there is, or null.
static Instruction *findLatch(Function &function) {
  DominatorTree dominators(function);
  for (BasicBlock &block : function)
    for (BasicBlock *successor : successors(&block))
      if (dominators.dominates(successor, &block))
        return block.getTerminator();
  return nullptr;
}

static bool usesFp16(Function &function) {
  return any_of(instructions(function), [](Instruction &instruction) {
    return instruction.getType()->isHalfTy();
  });
}

Expected<RegionCode> RegionCode::make(mlir::ModuleOp row,
                                      const VectorCore &core) {
  if (Error error = lowerRow(row))
    return error;
  RegionCode code(core);
  code.context = std::make_unique<LLVMContext>();
  code.module = mlir::translateModuleToLLVMIR(row, *code.context, "row");
  if (!code.module)
    return makeError("it cannot be translated to LLVM IR");
  code.module->setDataLayout(core.createTargetMachine()->createDataLayout());
  code.module->setTargetTriple(core.getTriple());
  Function &function = *code.module->getFunction(rowFunctionName);
  if (usesFp16(function) && !core.has("zvfhmin"))
    return makeError("{0} has no vectors of FP16 (extension Zvfhmin)",
                     core.getName());
  function.addFnAttr("target-cpu", core.getName());
  function.addFnAttr(Attribute::NoUnwind);
  unsigned blocks = core.getRegisterBits() / 64;
  function.addFnAttr(
      Attribute::getWithVScaleRangeArgs(*code.context, blocks, blocks));
  code.widestBits = findWidestBits(function);
  runPasses(*code.module, *core.createTargetMachine(), shapeLoops);
  if (!findLatch(function))
    return makeError("nothing is left of its loop");
  return code;
}

/// Tells LLVM how to make vectors of the loop, as pragmas would.
static void annotateLoop(Function &function, unsigned width) {
  LLVMContext &context = function.getContext();
  auto number = [&](unsigned bits, uint64_t value) -> Metadata * {
    return ConstantAsMetadata::get(
        ConstantInt::get(IntegerType::get(context, bits), value));
  };
  auto say = [&](StringRef what, Metadata *value) -> Metadata * {
    Metadata *name = MDString::get(context, ("llvm.loop." + what).str());
    return value ? MDNode::get(context, {name, value})
                 : MDNode::get(context, {name});
  };
  SmallVector<Metadata *> words = {
      nullptr,
      say("vectorize.enable", number(1, 1)),
      say("vectorize.width", number(32, width)),
      say("vectorize.scalable.enable", number(1, 1)),
      say("vectorize.predicate.enable", number(1, 1)),
      say("interleave.count", number(32, 1)),
      say("unroll.disable", nullptr)};
  MDNode *loop = MDNode::getDistinct(context, words);
  loop->replaceOperandWith(0, loop);
  findLatch(function)->setMetadata(LLVMContext::MD_loop, loop);
}

namespace {

/// Keeps what LLVM would print, and end the process for.
struct KeepMessage : DiagnosticHandler {
  explicit KeepMessage(std::string &message) : message(message) {}

  bool handleDiagnostics(const DiagnosticInfo &diagnostic) override {
    if (diagnostic.getSeverity() == DS_Error) {
      raw_string_ostream stream(message);
      DiagnosticPrinterRawOStream printer(stream);
      diagnostic.print(printer);
    }
    return true;
  }

  std::string &message;
};

} // namespace

ArrayRef<unsigned> RegionCode::getChoices() const {
  static constexpr unsigned choices[] = {1, 2, 4};
  return ArrayRef(choices).drop_front(widestBits == 64 ? 1 : 0);
}

std::string RegionCode::getFunctionName(unsigned lmul) {
  return (rowFunctionName + "_m" + Twine(lmul)).str();
}

Expected<std::string> RegionCode::emit(CodeGenFileType type) const {
  std::string message;
  context->setDiagnosticHandler(std::make_unique<KeepMessage>(message));
  std::unique_ptr<Module> copy = CloneModule(*module);
  Function *function = copy->getFunction(rowFunctionName);
  for (unsigned lmul : getChoices()) {
    ValueToValueMapTy values;
    Function *clone = CloneFunction(function, values);
    clone->setName(getFunctionName(lmul));
    // A register is counted in blocks of 64 bits; their number is the core's.
    annotateLoop(*clone, lmul * 64 / widestBits);
  }
  function->eraseFromParent();
  std::unique_ptr<TargetMachine> machine = core->createTargetMachine();
  runPasses(*copy, *machine, makeVectors);
  SmallString<0> code;
  raw_svector_ostream stream(code);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, type))
    return makeError("LLVM writes no code for {0}", core->getName());
  passes.run(*copy);
  if (!message.empty())
    return makeError("it has no code for {0}: {1}", core->getName(), message);
  return code.str().str();
}
