// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/assembler/EmulatedCode.h"

#include "tegula/backends/cuda/emulator/SharedMemory.h"
#include "tegula/support/Routines.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using namespace tegula;
using emulator::SharedMemory;

/// Functions of LLVM for instructions, as these are written: results come
/// before arguments.
static constexpr struct {
  StringLiteral name, text;
} intrinsics[] = {
    {"llvm.nvvm.read.ptx.sreg.tid.x", "mov.u32 $0, %tid.x;"},
    {"llvm.nvvm.read.ptx.sreg.ntid.x", "mov.u32 $0, %ntid.x;"},
    {"llvm.nvvm.read.ptx.sreg.ctaid.x", "mov.u32 $0, %ctaid.x;"},
    {"llvm.nvvm.read.ptx.sreg.nctaid.x", "mov.u32 $0, %nctaid.x;"},
    {"llvm.nvvm.membar.gl", "membar.gl;"},
    {"llvm.nvvm.barrier.cta.sync.aligned.all", "bar.sync $0;"},
    {"llvm.nvvm.shfl.sync.bfly.f32", "shfl.sync.bfly.b32 $0, $2, $3, $4, $1;"},
    {"llvm.nvvm.shfl.sync.bfly.i32", "shfl.sync.bfly.b32 $0, $2, $3, $4, $1;"},
    {"llvm.nvvm.ex2.approx.ftz.f32", "ex2.approx.ftz.f32 $0, $1;"},
    {"llvm.nvvm.rcp.approx.ftz.f", "rcp.approx.ftz.f32 $0, $1;"},
    {"llvm.nvvm.div.full", "div.full.f32 $0, $1, $2;"},
    {"llvm.nvvm.mul.rn.ftz.f", "mul.rn.ftz.f32 $0, $1, $2;"},
    {"llvm.nvvm.shfl.sync.idx.i32", "shfl.sync.idx.b32 $0, $2, $3, $4, $1;"},
};

namespace {

/// An instruction: its text, and operands in the order of their numbers.
/// Results come first, with what is in them before, if it matters.
struct DeviceInstruction {
  std::string text;
  SmallVector<Type *> results;
  SmallVector<Value *> before;
  SmallVector<Value *> inputs;
};

/// Rewrites a module.
class KernelEmulator {
public:
  explicit KernelEmulator(Module &module)
      : module(module), context(module.getContext()),
        i64(Type::getInt64Ty(context)), pointer(PointerType::get(context, 0)) {}

  /// Returns the names of the kernels.
  tegula::Expected<std::vector<std::string>> run();

private:
  llvm::Error rewrite(Function &function);
  void rewriteAttributes(Function &function);
  llvm::Error replaceShared();
  void replaceVariable(GlobalVariable &variable, uint64_t offset);
  void addEntry(Function &kernel);
  void replace(CallInst &call, const DeviceInstruction &instruction,
               AllocaInst &slots);
  Value *toSlot(IRBuilder<> &builder, Value *value);
  Value *fromSlot(IRBuilder<> &builder, Value *bits, Type *type);
  Constant *makeText(StringRef text);
  GlobalVariable *makeKnown();

  Module &module;
  LLVMContext &context;
  Type *i64, *pointer;
  StringMap<Constant *> texts;
  StringMap<GlobalVariable *> known;
  /// Parameters that kernels get as wholes.
  DenseSet<const Argument *> wholes;
};

} // namespace

tegula::Expected<std::vector<std::string>> KernelEmulator::run() {
  SmallVector<Function *> kernels;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (function.getCallingConv() == CallingConv::PTX_Kernel)
      kernels.push_back(&function);
    if (llvm::Error error = rewrite(function))
      return error;
  }
  if (llvm::Error error = replaceShared())
    return error;
  std::vector<std::string> names;
  for (Function *kernel : kernels) {
    names.push_back(kernel->getName().str());
    addEntry(*kernel);
  }
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  return names;
}

/// Operands of inline assembly: those that are read and written have a result
/// and, behind the others, what is in it before.
static DeviceInstruction readAssembly(const CallInst &call) {
  auto *assembly = cast<InlineAsm>(call.getCalledOperand());
  DeviceInstruction instruction;
  instruction.text = assembly->getAsmString();
  Type *type = call.getType();
  if (auto *fields = dyn_cast<StructType>(type))
    append_range(instruction.results, fields->elements());
  else if (!type->isVoidTy())
    instruction.results.push_back(type);
  instruction.before.resize(instruction.results.size());
  unsigned argument = 0;
  for (const InlineAsm::ConstraintInfo &constraint :
       assembly->ParseConstraints()) {
    if (constraint.Type != InlineAsm::isInput)
      continue;
    Value *value = call.getArgOperand(argument++);
    unsigned result = 0;
    if (!constraint.Codes.empty() &&
        !StringRef(constraint.Codes[0]).getAsInteger(10, result))
      instruction.before[result] = value;
    else
      instruction.inputs.push_back(value);
  }
  return instruction;
}

/// The instruction that a call is, if it is one.
static std::optional<DeviceInstruction> readInstruction(const CallInst &call) {
  if (call.isInlineAsm())
    return readAssembly(call);
  if (!call.getCalledFunction())
    return std::nullopt;
  StringRef name = call.getCalledFunction()->getName();
  for (const auto &[known, text] : intrinsics) {
    if (name != known)
      continue;
    DeviceInstruction instruction;
    instruction.text = text.str();
    if (!call.getType()->isVoidTy())
      instruction.results.push_back(call.getType());
    instruction.before.resize(instruction.results.size());
    append_range(instruction.inputs, call.args());
    return instruction;
  }
  return std::nullopt;
}

Constant *KernelEmulator::makeText(StringRef text) {
  Constant *&made = texts[text];
  if (!made) {
    Constant *bytes = ConstantDataArray::getString(context, text);
    made = new GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                              GlobalValue::PrivateLinkage, bytes,
                              "tegula_ptx_text");
  }
  return made;
}

GlobalVariable *KernelEmulator::makeKnown() {
  return new GlobalVariable(
      module, pointer, /*isConstant=*/false, GlobalValue::InternalLinkage,
      ConstantPointerNull::get(cast<PointerType>(pointer)), "tegula_ptx_known");
}

Value *KernelEmulator::toSlot(IRBuilder<> &builder, Value *value) {
  Type *type = value->getType();
  if (type->isPointerTy())
    return builder.CreatePtrToInt(value, i64);
  if (!type->isIntegerTy())
    value = builder.CreateBitCast(
        value, builder.getIntNTy(type->getPrimitiveSizeInBits()));
  return builder.CreateZExt(value, i64);
}

Value *KernelEmulator::fromSlot(IRBuilder<> &builder, Value *bits, Type *type) {
  if (type->isPointerTy())
    return builder.CreateIntToPtr(bits, type);
  bits = builder.CreateTrunc(bits,
                             builder.getIntNTy(type->getPrimitiveSizeInBits()));
  return type->isIntegerTy() ? bits : builder.CreateBitCast(bits, type);
}

/// A call of the emulator instead, with operands in `slots`.
void KernelEmulator::replace(CallInst &call,
                             const DeviceInstruction &instruction,
                             AllocaInst &slots) {
  IRBuilder<> builder(&call);
  size_t numResults = instruction.results.size();
  auto slot = [&](size_t number) {
    return builder.CreateConstGEP1_64(i64, &slots, number);
  };
  for (auto [number, value] : enumerate(instruction.before))
    if (value)
      builder.CreateStore(toSlot(builder, value), slot(number));
  for (auto [number, value] : enumerate(instruction.inputs))
    builder.CreateStore(toSlot(builder, value), slot(numResults + number));
  GlobalVariable *&global = known[instruction.text];
  if (!global)
    global = makeKnown();
  FunctionCallee emulator = module.getOrInsertFunction(
      routine::tegulaGpuInstruction, builder.getVoidTy(), pointer, pointer,
      pointer, builder.getInt32Ty());
  builder.CreateCall(emulator, {makeText(instruction.text), global, &slots,
                                builder.getInt32(numResults)});
  Value *result = nullptr;
  if (call.getType()->isStructTy())
    result = PoisonValue::get(call.getType());
  for (auto [number, type] : enumerate(instruction.results)) {
    Value *value =
        fromSlot(builder, builder.CreateLoad(i64, slot(number)), type);
    result = call.getType()->isStructTy()
                 ? builder.CreateInsertValue(result, value,
                                             static_cast<unsigned>(number))
                 : value;
  }
  if (result)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

/// Not every processor rounds to BF16: to the nearest, and to even ones in the
/// middle.
static void roundByIntegers(FPTruncInst &rounding) {
  Type *from = rounding.getSrcTy();
  if (!rounding.getDestTy()->getScalarType()->isBFloatTy() ||
      !from->getScalarType()->isFloatTy())
    return;
  IRBuilder<> builder(&rounding);
  Value *number = rounding.getOperand(0);
  Type *words = from->getWithNewType(builder.getInt32Ty());
  auto constant = [&](uint32_t value) {
    return ConstantInt::get(words, value);
  };
  Value *bits = builder.CreateBitCast(number, words);
  Value *odd = builder.CreateAnd(builder.CreateLShr(bits, 16), constant(1));
  Value *rounded = builder.CreateLShr(
      builder.CreateAdd(bits, builder.CreateAdd(odd, constant(0x7fff))), 16);
  rounded = builder.CreateSelect(builder.CreateFCmpUNO(number, number),
                                 constant(0x7fff), rounded);
  rounded =
      builder.CreateTrunc(rounded, from->getWithNewType(builder.getInt16Ty()));
  rounding.replaceAllUsesWith(
      builder.CreateBitCast(rounded, rounding.getDestTy()));
  rounding.eraseFromParent();
}

llvm::Error KernelEmulator::rewrite(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *rounding = dyn_cast<FPTruncInst>(&instruction))
      roundByIntegers(*rounding);
  std::vector<CallInst *> found;
  size_t most = 0;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call)
      continue;
    call->removeFnAttrs(AttributeMask(call->getAttributes().getFnAttrs()));
    if (std::optional<DeviceInstruction> read = readInstruction(*call)) {
      most = std::max(most, read->results.size() + read->inputs.size());
      found.push_back(call);
    } else if (call->getCalledFunction() &&
               call->getCalledFunction()->getName().starts_with("llvm.nvvm.")) {
      return makeError("the emulator does not know {0}",
                       call->getCalledFunction()->getName());
    }
  }
  rewriteAttributes(function);
  if (found.empty())
    return llvm::Error::success();
  IRBuilder<> builder(&function.getEntryBlock(),
                      function.getEntryBlock().begin());
  AllocaInst *slots = builder.CreateAlloca(ArrayType::get(i64, most));
  // Operands may be results of those before, which have changed by now.
  for (CallInst *call : found)
    replace(*call, *readInstruction(*call), *slots);
  return llvm::Error::success();
}

/// What was true of code for a chip, and how its kernels are called.
void KernelEmulator::rewriteAttributes(Function &function) {
  function.removeFnAttrs(AttributeMask(function.getAttributes().getFnAttrs()));
  if (function.getCallingConv() != CallingConv::PTX_Kernel)
    return;
  // What is passed as a whole is read where it is.
  for (unsigned i = 0; i < function.arg_size(); ++i) {
    if (function.hasParamAttribute(i, Attribute::ByVal))
      wholes.insert(function.getArg(i));
    function.removeParamAttrs(
        i, AttributeMask(function.getAttributes().getParamAttrs(i)));
  }
  function.setCallingConv(CallingConv::C);
}

/// Every function asks for the memory of the block that runs it. What it has
/// besides what a launch asks for lies behind that.
llvm::Error KernelEmulator::replaceShared() {
  constexpr unsigned sharedSpace = 3;
  uint64_t used = 0;
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    if (variable.getAddressSpace() != sharedSpace)
      continue;
    uint64_t offset = 0;
    if (variable.hasInitializer()) {
      constexpr uint64_t line = 128;
      offset = SharedMemory::ownStart + used;
      uint64_t bytes =
          module.getDataLayout().getTypeAllocSize(variable.getValueType());
      used += (bytes + line - 1) / line * line;
    }
    replaceVariable(variable, offset);
  }
  if (used > SharedMemory::ownBytes)
    return makeError("the emulator has no {0} bytes of shared memory besides "
                     "those of a launch",
                     used);
  return llvm::Error::success();
}

/// The variable is at that offset of the block's memory.
void KernelEmulator::replaceVariable(GlobalVariable &variable,
                                     uint64_t offset) {
  convertUsersOfConstantsToInstructions({&variable});
  DenseMap<Function *, Value *> memories;
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    Value *&memory = memories[user->getFunction()];
    if (!memory) {
      BasicBlock &entry = user->getFunction()->getEntryBlock();
      IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
      Value *start = builder.CreateCall(
          module.getOrInsertFunction(routine::tegulaGpuShared, pointer));
      start = builder.CreateConstGEP1_64(builder.getInt8Ty(), start, offset);
      memory = builder.CreateAddrSpaceCast(start, variable.getType());
    }
    use.set(memory);
  }
  variable.eraseFromParent();
}

/// Takes the parameters from where a table says that they are.
void KernelEmulator::addEntry(Function &kernel) {
  auto *type = FunctionType::get(Type::getVoidTy(context), pointer, false);
  Function *entry = Function::Create(type, GlobalValue::ExternalLinkage,
                                     kernel.getName() + emulatedSuffix, module);
  IRBuilder<> builder(BasicBlock::Create(context, "", entry));
  SmallVector<Value *> arguments;
  for (Argument &parameter : kernel.args()) {
    Value *slot = builder.CreateConstGEP1_64(pointer, entry->getArg(0),
                                             parameter.getArgNo());
    Value *address = builder.CreateLoad(pointer, slot);
    arguments.push_back(wholes.contains(&parameter)
                            ? address
                            : builder.CreateLoad(parameter.getType(), address));
  }
  builder.CreateCall(&kernel, arguments);
  builder.CreateRetVoid();
  kernel.setLinkage(GlobalValue::InternalLinkage);
}

tegula::Expected<EmulatedKernels> tegula::emulateKernels(Module &module) {
  auto names = KernelEmulator(module).run();
  if (!names)
    return names.takeError();
  SmallString<0> bytes;
  raw_svector_ostream stream(bytes);
  WriteBitcodeToFile(module, stream);
  return EmulatedKernels{bytes.str().str(), std::move(*names)};
}
