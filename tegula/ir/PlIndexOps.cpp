// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/PlIndexOps.h"

using namespace mlir;
using namespace tegula::pl;

#define GET_OP_CLASSES
#include "tegula/ir/PlIndexOps.cpp.inc"

void PlDialect::addIndexOps() {
  addOperations<
#define GET_OP_LIST
#include "tegula/ir/PlIndexOps.cpp.inc"
      >();
}
