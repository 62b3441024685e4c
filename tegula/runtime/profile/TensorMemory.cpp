// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/profile/TensorMemory.h"

#include "tegula/backends/Backend.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/ReadSizes.h"
#include "tegula/transforms/plan/GatherTensors.h"
#include "tegula/transforms/plan/PrepareForPlan.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tegula;

Expected<TensorBytes>
tegula::findTensorMemory(const KernelSource &source,
                         llvm::ArrayRef<Argument> arguments) {
  Compilation compilation(source);
  if (Error error = compilation.generate(arguments))
    return error;
  Expected<std::shared_ptr<const Target>> target = compilation.getTarget();
  if (!target)
    return target.takeError();
  if (Error error = compilation.advance((*target)->getStart()))
    return error;
  mlir::func::FuncOp entry = compilation.getEntry();
  prepareForPlan(entry, (*target)->getMachine());
  gatherTensors(entry);
  pl::SizeEvaluation evaluation(readSizes(entry, arguments));
  return measureTensors(TensorPlan(entry), evaluation);
}

std::string tegula::describeMemory(const TensorBytes &memory) {
  if (memory.tensors == 0)
    return "no tensors";
  auto count = [](int64_t number, const char *what) {
    return llvm::formatv("{0} {1}{2}", number, what, number == 1 ? "" : "s")
        .str();
  };
  std::string text = llvm::formatv(
      "{0} in {1}: {2} at most at once, {3} if they shared nothing",
      count(memory.tensors, "tensor"), count(memory.slots, "slot"),
      count(memory.shared, "byte"), memory.apart);
  return memory.isKnown ? text : text + ", and those whose size is known later";
}
