// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/PlSortOps.h"

using namespace mlir;
using namespace tegula::pl;

#define GET_OP_CLASSES
#include "tegula/ir/PlSortOps.cpp.inc"

void PlDialect::addSortOps() {
  addOperations<
#define GET_OP_LIST
#include "tegula/ir/PlSortOps.cpp.inc"
      >();
}
