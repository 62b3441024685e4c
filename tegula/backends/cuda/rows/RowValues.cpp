// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RowValues.h"

using namespace mlir;
using namespace tegula;

Value RowValues::elementOf(Value value, size_t i) const {
  auto known = elements.find(program.resolve(value));
  if (known == elements.end())
    return numbers.lookup(value);
  return known->second[known->second.size() == 1 ? 0 : i];
}
