// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/HostModule.h"

#include "tegula/backends/cpu/Pipeline.h"
#include "tegula/backends/cuda/CudaMachine.h"
#include "tegula/backends/cuda/Passes.h"
#include "tegula/support/HalfBytes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tegula;

static func::FuncOp findDevice(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(slotsAttrName))
      return function;
  return {};
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
  program.hasMeetings = device->hasAttr(meetingsAttrName);
  // Tensors among the parameters, by their numbers.
  llvm::SmallVector<int64_t> tensorOf;
  int64_t slot = 0;
  for (const Parameter &parameter : signature.parameters) {
    tensorOf.push_back(static_cast<int64_t>(program.tensors.size()));
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
  if (auto found = module->getAttrOfType<DenseI64ArrayAttr>(productAttrName)) {
    ArrayRef<int64_t> numbers = found;
    program.product = {tensorOf[numbers[0]], tensorOf[numbers[1]],
                       tensorOf[numbers[2]], numbers[3] != 0,
                       numbers[4] != 0,      numbers[5] != 0,
                       numbers[6] != 0};
  }
  return program;
}

/// Runs passes; what they say is the error.
static llvm::Error lower(ModuleOp module) {
  std::string text;
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    llvm::raw_string_ostream stream(text);
                                    stream << diagnostic << "\n";
                                    return success();
                                  });
  PassManager pm(module.getContext());
  pm.addPass(createCudaMath());
  buildCpuLlvmPipeline(pm);
  if (failed(pm.run(module)))
    return makeTextError(text);
  return llvm::Error::success();
}

llvm::Error tegula::keepDevice(ModuleOp module) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<LLVM::GlobalOp>(op) ||
        (isa<func::FuncOp>(op) && !op.hasAttr(slotsAttrName)))
      op.erase();
  func::FuncOp device = findDevice(module);
  device.setPublic();
  device->removeAttr("llvm.linkage");
  for (auto routine :
       llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
    if (SymbolTable::symbolKnownUseEmpty(routine, module))
      routine.erase();
  return lower(module);
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
  auto entry =
      func::FuncOp::create(builder, loc, (device.getName() + "_emulated").str(),
                           builder.getFunctionType(pointer, {}));
  entry.setPrivate();
  entry->setAttr("llvm.linkage", device->getAttr("llvm.linkage"));
  builder.setInsertionPointToStart(entry.addEntryBlock());
  SmallVector<Value> arguments;
  for (auto [position, type] : llvm::enumerate(device.getArgumentTypes())) {
    Value place = LLVM::GEPOp::create(
        builder, loc, pointer, pointer, entry.getArgument(0),
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)});
    Value address = LLVM::LoadOp::create(builder, loc, pointer, place);
    arguments.push_back(LLVM::LoadOp::create(builder, loc, type, address));
  }
  func::CallOp::create(builder, loc, device, arguments);
  func::ReturnOp::create(builder, loc);
}

/// Lets host code find the entry.
static void setEmulated(ModuleOp module, StringRef entry) {
  auto global = module.lookupSymbol<LLVM::GlobalOp>(emulatedName);
  Block &block = global.getInitializerRegion().front();
  OpBuilder builder(&block, block.begin());
  Value address = LLVM::AddressOfOp::create(builder, global.getLoc(),
                                            global.getType(), entry);
  block.getTerminator()->setOperand(0, address);
}

llvm::Error tegula::lowerHost(ModuleOp module, const GpuProgram &program,
                              bool isEmulated) {
  std::string bytes = program.write();
  OpBuilder builder(module.getContext());
  setGlobal(module, programName,
            LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
            builder.getStringAttr(bytes));
  setGlobal(module, programBytesName, builder.getI64Type(),
            builder.getI64IntegerAttr(static_cast<int64_t>(bytes.size())));
  func::FuncOp device = findDevice(module);
  std::string entry = (device.getName() + "_emulated").str();
  if (isEmulated)
    addEmulatedEntry(module, device);
  else
    device.erase();
  if (llvm::Error error = lower(module))
    return error;
  if (isEmulated)
    setEmulated(module, entry);
  return llvm::Error::success();
}
