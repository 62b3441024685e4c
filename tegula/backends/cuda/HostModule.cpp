// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/HostModule.h"

#include "tegula/backends/cpu/LlvmModule.h"
#include "tegula/backends/cpu/Pipeline.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/backends/cuda/DeviceModule.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/support/HalfBytes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace tegula;

/// What raises 2 to a power on GPUs, and on this processor.
static constexpr llvm::StringLiteral devicePower =
    "llvm.nvvm.ex2.approx.ftz.f32";
static constexpr llvm::StringLiteral hostPower = "llvm.exp2.f32";

/// Runs passes; what they say is the error.
static llvm::Error lower(ModuleOp module, StringRef powerOfTwo,
                         bool isOwn = false) {
  std::string text;
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    llvm::raw_string_ostream stream(text);
                                    stream << diagnostic << "\n";
                                    return success();
                                  });
  PassManager pm(module.getContext());
  pm.addPass(createCudaMath({powerOfTwo.str(), isOwn}));
  buildCpuLlvmPipeline(pm);
  if (failed(pm.run(module)))
    return makeTextError(text);
  return llvm::Error::success();
}

static func::FuncOp findDevice(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(slotsAttrName) &&
        !function->hasAttr(rowVariantAttrName))
      return function;
  return {};
}

static SmallVector<func::FuncOp> findRowVariants(ModuleOp module) {
  return llvm::filter_to_vector(module.getOps<func::FuncOp>(),
                                [](func::FuncOp function) {
                                  return function->hasAttr(rowVariantAttrName);
                                });
}

void tegula::takeRowVariants(ModuleOp module) {
  auto variants = module.lookupSymbol<ModuleOp>(rowsModuleName);
  if (!variants)
    return;
  for (Operation &op : llvm::make_early_inc_range(*variants.getBody()))
    if (auto symbol = dyn_cast<SymbolOpInterface>(op);
        symbol && !module.lookupSymbol(symbol.getNameAttr()))
      op.moveBefore(variants);
  variants.erase();
}

Expected<std::string> tegula::takeMatmulEpilogue(ModuleOp module) {
  auto store = module.lookupSymbol<ModuleOp>(storeModuleName);
  if (!store)
    return std::string();
  OwningOpRef<ModuleOp> taken = store.clone();
  store.erase();
  if (llvm::Error error = lower(*taken, devicePower, /*isOwn=*/true))
    return error;
  return writeBitcode(*taken);
}

/// What takeRowVariants left, with tensors by their numbers.
static std::optional<GpuRows> describeRows(ModuleOp module,
                                           ArrayRef<int64_t> tensorOf) {
  auto found = module->getAttrOfType<DenseI64ArrayAttr>(rowsAttrName);
  if (!found)
    return std::nullopt;
  ArrayRef<int64_t> numbers = found;
  GpuRows rows;
  rows.hasReductions = numbers[0] != 0;
  rows.mayBeFlat = numbers[1] != 0;
  for (size_t i = 2; i < numbers.size(); i += 3)
    rows.tensors.push_back(
        {tensorOf[numbers[i]], numbers[i + 1] != 0, numbers[i + 2] != 0});
  for (func::FuncOp function : findRowVariants(module)) {
    ArrayRef<int64_t> variant =
        function->getAttrOfType<DenseI64ArrayAttr>(rowVariantAttrName);
    rows.variants.push_back({function.getName().str(), variant[0] != 0,
                             variant[1], variant[2],
                             static_cast<GpuRowAlignment>(variant[3]),
                             variant[4] != 0, variant[5]});
  }
  return rows;
}

/// What tegula-cuda-find-attention noted.
static GpuAttention readAttention(ArrayRef<int64_t> numbers,
                                  ArrayRef<int64_t> tensorOf,
                                  ArrayRef<int64_t> slotOf) {
  return {tensorOf[numbers[0]],
          tensorOf[numbers[1]],
          tensorOf[numbers[2]],
          tensorOf[numbers[3]],
          numbers[4] < 0 ? -1 : slotOf[numbers[4]],
          llvm::bit_cast<float>(static_cast<int32_t>(numbers[5])),
          numbers[6],
          numbers[7],
          numbers[8] != 0,
          numbers[9] != 0};
}

GpuProgram tegula::describeKernel(ModuleOp module, const Signature &signature) {
  func::FuncOp device = findDevice(module);
  auto number = [&](StringRef name) {
    return device->getAttrOfType<IntegerAttr>(name).getInt();
  };
  GpuProgram program;
  program.name = signature.kernel;
  program.symbol = device.getName().str();
  program.usedSlots = number(slotsAttrName);
  program.threads = cudaThreads;
  program.sharedBytes = number(sharedBytesAttrName);
  program.hasGridBarrier = device->hasAttr(gridBarrierAttrName);
  program.hasPrints = device->hasAttr(printsAttrName);
  // Tensors among the parameters, by their numbers, and where parameters begin.
  llvm::SmallVector<int64_t> tensorOf, slotOf;
  int64_t slot = 0;
  for (const Parameter &parameter : signature.parameters) {
    tensorOf.push_back(static_cast<int64_t>(program.tensors.size()));
    slotOf.push_back(slot);
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
  program.rows = describeRows(module, tensorOf);
  if (auto found = module->getAttrOfType<DenseI64ArrayAttr>(attentionAttrName))
    program.attention = readAttention(found, tensorOf, slotOf);
  if (auto found = module->getAttrOfType<DenseI64ArrayAttr>(matmulAttrName)) {
    ArrayRef<int64_t> numbers = found;
    program.matmul = {tensorOf[numbers[0]],
                      tensorOf[numbers[1]],
                      numbers[2] != 0,
                      numbers[3] != 0,
                      static_cast<GpuElement>(numbers[4]),
                      numbers[5] != 0,
                      numbers[6] < 0 ? -1 : tensorOf[numbers[6]]};
  }
  return program;
}

llvm::Error tegula::keepDevice(ModuleOp module) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<LLVM::GlobalOp>(op) ||
        (isa<func::FuncOp>(op) && !op.hasAttr(slotsAttrName)))
      op.erase();
  for (auto device : module.getOps<func::FuncOp>()) {
    device.setPublic();
    device->removeAttr("llvm.linkage");
  }
  for (auto routine :
       llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
    if (SymbolTable::symbolKnownUseEmpty(routine, module))
      routine.erase();
  return lower(module, devicePower, /*isOwn=*/true);
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

/// A function that takes the addresses of parameters, for the emulator.
static void addEmulatedEntry(ModuleOp module, func::FuncOp device) {
  OpBuilder builder(device);
  Location loc = device.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto entry = func::FuncOp::create(builder, loc,
                                    (device.getName() + emulatedSuffix).str(),
                                    builder.getFunctionType(pointer, {}));
  entry.setPrivate();
  entry->setAttr("llvm.linkage", device->getAttr("llvm.linkage"));
  builder.setInsertionPointToStart(entry.addEntryBlock());
  SmallVector<Value> arguments;
  for (auto [position, type] : llvm::enumerate(device.getArgumentTypes())) {
    Value slot = LLVM::GEPOp::create(
        builder, loc, pointer, pointer, entry.getArgument(0),
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)});
    Value address = LLVM::LoadOp::create(builder, loc, pointer, slot);
    arguments.push_back(LLVM::LoadOp::create(builder, loc, type, address));
  }
  func::CallOp::create(builder, loc, device, arguments);
  func::ReturnOp::create(builder, loc);
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

llvm::Error tegula::lowerHost(ModuleOp module, const GpuProgram &program,
                              const std::optional<EmulatedKernels> &emulated) {
  std::string bytes = program.write();
  OpBuilder builder(module.getContext());
  setGlobal(module, programName,
            LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
            builder.getStringAttr(bytes));
  setGlobal(module, programBytesName, builder.getI64Type(),
            builder.getI64IntegerAttr(static_cast<int64_t>(bytes.size())));
  SmallVector<func::FuncOp> devices = {findDevice(module)};
  llvm::append_range(devices, findRowVariants(module));
  std::vector<std::string> names;
  for (func::FuncOp device : devices)
    if (emulated) {
      names.push_back(device.getName().str());
      addEmulatedEntry(module, device);
    } else {
      device.erase();
    }
  if (llvm::Error error = lower(module, hostPower))
    return error;
  if (emulated) {
    llvm::append_range(names, emulated->names);
    declareLinked(module, *emulated);
    setEmulated(module, names);
  }
  return llvm::Error::success();
}
