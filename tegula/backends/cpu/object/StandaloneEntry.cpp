// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/cpu/object/StandaloneEntry.h"

#include "tegula/launch/call/PassedType.h"
#include "tegula/launch/image/Standalone.h"
#include "tegula/support/Array.h"
#include "tegula/support/Routines.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace tegula;

namespace {

/// Builds the function.
class EntryBuilder {
public:
  EntryBuilder(Function &kernel, const StandaloneEntry &entry)
      : module(*kernel.getParent()), kernel(kernel), entry(entry),
        builder(module.getContext()), i32(builder.getInt32Ty()),
        i64(builder.getInt64Ty()), pointer(builder.getPtrTy()) {}

  void build() {
    std::vector<Type *> types;
    for (const Parameter &parameter : entry.signature.parameters)
      if (!findBound(parameter))
        types.push_back(typeOf(parameter));
    if (entry.takesStream)
      types.push_back(pointer);
    types.insert(types.end(), {pointer, i64});
    auto *function =
        Function::Create(FunctionType::get(i32, types, false),
                         Function::ExternalLinkage, entry.name, module);
    function->addFnAttr(Attribute::NoUnwind);
    // What it calls looks at the processor; until then nothing may be needed
    // that not all of them have.
    function->addFnAttr("target-cpu", "x86-64");
    function->addFnAttr("target-features", "");
    builder.SetInsertPoint(
        BasicBlock::Create(module.getContext(), "", function));
    unsigned count = entry.signature.parameters.size();
    Type *argumentType = StructType::get(i64, i64);
    Value *arguments =
        builder.CreateAlloca(argumentType, builder.getInt32(count));
    unsigned next = 0;
    for (unsigned index = 0; index < count; ++index) {
      const Parameter &parameter = entry.signature.parameters[index];
      const BoundTensor *bound = findBound(parameter);
      Value *value = bound ? makeTensor(bound->view) : function->getArg(next);
      if (!bound)
        addExtension(*function, next++, parameter);
      storeArgument(parameter, value,
                    builder.CreateConstGEP1_32(argumentType, arguments, index));
    }
    SmallVector<Value *> words = {makeKernel(), arguments,
                                  builder.getInt64(count)};
    SmallVector<Type *> wordTypes = {pointer, pointer, i64};
    for (llvm::Argument &rest : drop_begin(function->args(), next)) {
      words.push_back(&rest);
      wordTypes.push_back(rest.getType());
    }
    FunctionCallee call = module.getOrInsertFunction(
        entry.takesStream ? routine::tegulaStandaloneCallOn
                          : routine::tegulaStandaloneCall,
        FunctionType::get(i32, wordTypes, false));
    builder.CreateRet(builder.CreateCall(call, words));
  }

private:
  Type *typeOf(const Parameter &parameter) {
    if (parameter.isTensor())
      return pointer;
    DType dtype = getPassedType(*parameter.dtype);
    if (isFloat(dtype))
      return dtype == DType::FP64 ? builder.getDoubleTy()
                                  : builder.getFloatTy();
    return builder.getIntNTy(getBits(dtype));
  }

  const BoundTensor *findBound(const Parameter &parameter) {
    auto found = find_if(entry.bound, [&](const BoundTensor &tensor) {
      return tensor.parameter == parameter.name;
    });
    return found == entry.bound.end() ? nullptr : &*found;
  }

  /// A TegulaTensor with its elements, all constant.
  Value *makeTensor(const TensorView &view) {
    std::optional<uint64_t> bytes = getDenseBytes(view.getSizes(), view.dtype);
    assert(bytes && "there is such a tensor");
    auto makeGlobal = [&](Constant *content, uint64_t alignment) {
      auto *global = new GlobalVariable(
          module, content->getType(), /*isConstant=*/true,
          GlobalValue::InternalLinkage, content, entry.name + "_bound");
      global->setAlignment(Align(alignment));
      return global;
    };
    Constant *elements = ConstantDataArray::getString(
        module.getContext(), {static_cast<const char *>(view.data), *bytes},
        /*AddNull=*/false);
    Constant *sizes = ConstantDataArray::get(
        module.getContext(),
        ArrayRef(reinterpret_cast<const uint64_t *>(view.sizes), view.rank));
    Constant *content = ConstantStruct::getAnon(
        {makeGlobal(elements, 64),
         builder.getInt32(static_cast<uint32_t>(view.dtype)),
         builder.getInt32(view.rank), makeGlobal(sizes, 8),
         ConstantPointerNull::get(pointer)});
    return makeGlobal(content, 8);
  }

  /// C callers extend small numbers to 32 bits.
  void addExtension(Function &function, unsigned index,
                    const Parameter &parameter) {
    if (!parameter.isTensor() && typeOf(parameter)->isIntegerTy() &&
        typeOf(parameter)->getIntegerBitWidth() < 32)
      function.addParamAttr(index, isUnsigned(*parameter.dtype)
                                       ? Attribute::ZExt
                                       : Attribute::SExt);
  }

  /// Writes a TegulaStandaloneArgument.
  void storeArgument(const Parameter &parameter, Value *value, Value *slot) {
    int64_t kind = TegulaStandaloneArgument::Tensor;
    if (value->getType()->isFloatingPointTy()) {
      kind = TegulaStandaloneArgument::Float;
      value = builder.CreateFPExt(value, builder.getDoubleTy());
    } else if (value->getType()->isIntegerTy()) {
      bool hasSign = !isUnsigned(*parameter.dtype);
      kind = hasSign ? TegulaStandaloneArgument::Signed
                     : TegulaStandaloneArgument::Unsigned;
      value = builder.CreateIntCast(value, i64, hasSign);
    }
    builder.CreateStore(builder.getInt64(kind), slot);
    builder.CreateStore(value, builder.CreateConstGEP1_32(i64, slot, 1));
  }

  /// A TegulaStandaloneKernel.
  Value *makeKernel() {
    Constant *content = ConstantStruct::getAnon(
        {&kernel, makeBytes(entry.facts), builder.getInt64(entry.facts.size()),
         makeBytes(entry.features), ConstantPointerNull::get(pointer)});
    return new GlobalVariable(module, content->getType(), /*isConstant=*/false,
                              GlobalValue::InternalLinkage, content,
                              entry.name + "_kernel");
  }

  Constant *makeBytes(StringRef bytes) {
    Constant *content =
        ConstantDataArray::getString(module.getContext(), bytes);
    return new GlobalVariable(module, content->getType(), /*isConstant=*/true,
                              GlobalValue::InternalLinkage, content);
  }

  Module &module;
  Function &kernel;
  const StandaloneEntry &entry;
  IRBuilder<> builder;
  IntegerType *i32, *i64;
  PointerType *pointer;
};

} // namespace

/// What the start-up files of a C compiler give a library: something by whose
/// address it is known to those who run things at the end of a thread.
static void addLibraryHandle(Module &module) {
  auto *type = PointerType::getUnqual(module.getContext());
  auto *handle = new GlobalVariable(
      module, type, /*isConstant=*/true, GlobalValue::LinkOnceODRLinkage,
      ConstantPointerNull::get(type), "__dso_handle");
  handle->setVisibility(GlobalValue::HiddenVisibility);
}

void tegula::addStandaloneEntry(Function &kernel,
                                const StandaloneEntry &entry) {
  addLibraryHandle(*kernel.getParent());
  EntryBuilder(kernel, entry).build();
  kernel.setLinkage(GlobalValue::InternalLinkage);
}
