// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/assembler/HostModule.h"

#include "tegula/backends/RunPasses.h"
#include "tegula/backends/cpu/object/LlvmModule.h"
#include "tegula/backends/cuda/CudaDialect.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/Pipeline.h"
#include "tegula/backends/cuda/assembler/DeviceModule.h"
#include "tegula/support/HalfBytes.h"
#include "tegula/transforms/PipelineBuilder.h"

using namespace mlir;
using namespace tegula;

static func::FuncOp findDevice(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(slotsAttrName) &&
        !getVariant<cuda::RowScheduleAttr>(function))
      return function;
  return {};
}

static SmallVector<func::FuncOp> findRowVariants(ModuleOp module) {
  return llvm::filter_to_vector(
      module.getOps<func::FuncOp>(), [](func::FuncOp function) {
        return bool(getVariant<cuda::RowScheduleAttr>(function));
      });
}

Expected<std::string> tegula::takeEpilogue(ModuleOp module) {
  auto epilogue = module.lookupSymbol<ModuleOp>(storeModuleName);
  if (!epilogue)
    return std::string();
  if (llvm::Error error = runPassesForError(module, buildCudaEpiloguePipeline))
    return error;
  std::string bitcode = writeBitcode(epilogue);
  epilogue.erase();
  return bitcode;
}

namespace {

/// Parameters of a kernel, as launches number them: tensors of the program, and
/// slots of a call.
struct LaunchNumbers {
  SmallVector<int64_t> tensorOf, slotOf;

  /// Renumbers the parameters that a variant names.
  template <typename T> void apply(T &field) const {
    if constexpr (std::is_same_v<T, GpuTensorNumber>) {
      field = field < 0 ? -1 : tensorOf[field];
    } else if constexpr (std::is_same_v<T, GpuSlotNumber>) {
      field = field < 0 ? -1 : slotOf[field];
    } else if constexpr (IsVector<T>::value) {
      for (auto &element : field)
        apply(element);
    } else if constexpr (HasFields<T>::value) {
      Fields<T>::visit(field, [&](const char *, auto &inner) { apply(inner); });
    }
  }

  /// What the module has of such a variant.
  template <typename Variant, typename Struct>
  void take(ModuleOp module, std::optional<Struct> &fields) const {
    auto found = getVariant<Variant>(module);
    if (!found)
      return;
    fields = found.getVariant();
    apply(*fields);
  }
};

} // namespace

/// The schedules that `tegula-cuda-inline-row-variants` left.
static std::vector<GpuRowVariant> describeSchedules(ModuleOp module) {
  std::vector<GpuRowVariant> schedules;
  for (func::FuncOp function : findRowVariants(module)) {
    schedules.push_back(
        getVariant<cuda::RowScheduleAttr>(function).getVariant());
    schedules.back().symbol = function.getName().str();
  }
  return schedules;
}

GpuProgram tegula::describeKernel(ModuleOp module, const Signature &signature,
                                  int64_t threads) {
  func::FuncOp device = findDevice(module);
  auto number = [&](StringRef name) {
    return device->getAttrOfType<IntegerAttr>(name).getInt();
  };
  GpuProgram program;
  program.name = signature.kernel;
  program.symbol = device.getName().str();
  program.usedSlots = number(slotsAttrName);
  program.threads =
      device->hasAttr(threadsAttrName) ? number(threadsAttrName) : threads;
  program.sharedBytes = number(sharedBytesAttrName);
  program.hasGridBarrier = device->hasAttr(gridBarrierAttrName);
  program.hasPrints = device->hasAttr(printsAttrName);
  LaunchNumbers numbers;
  int64_t slot = 0;
  for (const Parameter &parameter : signature.parameters) {
    numbers.tensorOf.push_back(static_cast<int64_t>(program.tensors.size()));
    numbers.slotOf.push_back(slot);
    if (!parameter.isTensor()) {
      ++slot;
      continue;
    }
    auto rank = static_cast<int64_t>(parameter.axes->size());
    program.tensors.push_back({slot, rank,
                               isHalfByte(*parameter.dtype)
                                   ? 4
                                   : int64_t(8 * getSize(*parameter.dtype)),
                               parameter.direction != Direction::In});
    slot += 1 + 2 * rank;
  }
  program.numSlots = slot;
  numbers.take<cuda::MatmulVariantAttr>(module, program.matmul);
  numbers.take<cuda::AttentionVariantAttr>(module, program.attention);
  numbers.take<cuda::RowwiseVariantAttr>(module, program.rows);
  if (program.rows)
    program.rows->variants = describeSchedules(module);
  return program;
}

/// Gives the global another value.
static void setGlobal(ModuleOp module, StringRef name, Type type,
                      Attribute value) {
  auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
  OpBuilder builder(global);
  LLVM::GlobalOp::create(builder, global.getLoc(), type, /*isConstant=*/true,
                         LLVM::Linkage::Internal, name, value);
  global.erase();
}

/// Declares the functions of the kernels that are linked to the module.
static void declareLinked(ModuleOp module, const EmulatedKernels &kernels) {
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(builder.getContext()), pointer);
  for (const std::string &name : kernels.names)
    LLVM::LLVMFuncOp::create(builder, module.getLoc(),
                             name + emulatedSuffix.str(), type);
  if (!kernels.bitcode.empty())
    module->setAttr(linkedCodeAttrName, builder.getStringAttr(kernels.bitcode));
}

/// Lets host code find kernels: a table of their names and functions, as
/// TegulaGpuEmulatedKernel.
static void setEmulated(ModuleOp module, ArrayRef<std::string> names) {
  auto global = module.lookupSymbol<LLVM::GlobalOp>(emulatedName);
  Location loc = global.getLoc();
  Type pointer = global.getType();
  OpBuilder builder(global);
  std::string tableName = (emulatedName + "_table").str();
  auto nameOf = [&](size_t index) {
    return (emulatedName + "_name" + Twine(index)).str();
  };
  for (auto [index, name] : llvm::enumerate(names)) {
    std::string bytes = name + '\0';
    LLVM::GlobalOp::create(
        builder, loc,
        LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, nameOf(index),
        builder.getStringAttr(bytes));
  }
  auto type = LLVM::LLVMArrayType::get(pointer, 2 * names.size() + 2);
  auto table =
      LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                             LLVM::Linkage::Internal, tableName, Attribute());
  builder.createBlock(&table.getInitializerRegion());
  Value all = LLVM::ZeroOp::create(builder, loc, type);
  auto insert = [&](StringRef symbol, size_t index) {
    Value address = LLVM::AddressOfOp::create(builder, loc, pointer, symbol);
    all = LLVM::InsertValueOp::create(builder, loc, all, address,
                                      static_cast<int64_t>(index));
  };
  for (auto [index, name] : llvm::enumerate(names)) {
    insert(nameOf(index), 2 * index);
    insert(name + emulatedSuffix.str(), 2 * index + 1);
  }
  LLVM::ReturnOp::create(builder, loc, all);
  Block &block = global.getInitializerRegion().front();
  builder.setInsertionPointToStart(&block);
  block.getTerminator()->setOperand(
      0, LLVM::AddressOfOp::create(builder, loc, pointer, tableName));
}

/// Puts the program into the globals that host code reads.
static void setProgram(ModuleOp module, const GpuProgram &program) {
  std::string bytes = program.write();
  OpBuilder builder(module.getContext());
  setGlobal(module, programName,
            LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
            builder.getStringAttr(bytes));
  setGlobal(module, programBytesName, builder.getI64Type(),
            builder.getI64IntegerAttr(static_cast<int64_t>(bytes.size())));
}

llvm::Error tegula::lowerHost(ModuleOp module, const GpuProgram &program,
                              const std::optional<EmulatedKernels> &emulated) {
  auto build = [&](PipelineBuilder &pm) {
    buildCudaHostPipeline(pm, emulated.has_value());
  };
  if (llvm::Error error = runPassesForError(module, build))
    return error;
  setProgram(module, program);
  if (!emulated)
    return llvm::Error::success();
  std::vector<std::string> names = {program.symbol};
  if (program.rows)
    for (const GpuRowVariant &variant : program.rows->variants)
      names.push_back(variant.symbol);
  llvm::append_range(names, emulated->names);
  declareLinked(module, *emulated);
  setEmulated(module, names);
  return llvm::Error::success();
}
