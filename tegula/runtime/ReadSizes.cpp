// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/ReadSizes.h"

#include "tegula/ir/ops/PlOps.h"

using namespace tegula;

std::map<pl::SizeInput, int64_t>
tegula::readSizes(mlir::func::FuncOp entry,
                  llvm::ArrayRef<Argument> arguments) {
  std::map<pl::SizeInput, int64_t> given;
  for (auto [parameter, argument] :
       llvm::zip_equal(entry.getArguments(), arguments)) {
    if (!argument.isTensor()) {
      if (!argument.isFloat())
        given[{parameter, std::nullopt}] =
            static_cast<int64_t>(argument.getIntegerBits());
      continue;
    }
    const TensorView &view = argument.getTensor();
    for (unsigned axis = 0; axis < view.rank; ++axis)
      given[{parameter, axis}] = view.sizes[axis];
  }
  entry.walk([&](pl::BindOp bind) {
    auto parameter = llvm::dyn_cast<mlir::BlockArgument>(bind.getTensors()[0]);
    auto axis = static_cast<unsigned>(bind.getAxes()[0]);
    auto found = given.find({parameter, axis});
    if (found != given.end())
      given[{bind.getExtent(), std::nullopt}] = found->second;
  });
  return given;
}
