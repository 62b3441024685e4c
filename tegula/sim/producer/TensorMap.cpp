// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/producer/TensorMap.h"

#include "tegula/sim/forms/ArrayForms.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

static constexpr int64_t pageBytes = 4096;

static int64_t toPage(int64_t address) {
  return ceilDiv(address, pageBytes) * pageBytes;
}

TensorMap::TensorMap(std::vector<TracedTensor> given)
    : tensors(std::move(given)) {
  firstFree = pageBytes;
  for (const TracedTensor &tensor : tensors)
    firstFree = std::max(firstFree, tensor.address + tensor.bytes);
  firstFree = nextFree = toPage(firstFree);
  tensors.push_back({"temporaries", firstFree, 0});
}

int64_t TensorMap::allocate(int64_t bytes) {
  int64_t address = nextFree;
  nextFree = toPage(nextFree + std::max<int64_t>(bytes, 1));
  return address;
}

void TensorMap::reset() { nextFree = firstFree; }

int32_t TensorMap::find(int64_t address) const {
  for (size_t tensor = 0; tensor + 1 < tensors.size(); ++tensor)
    if (address >= tensors[tensor].address &&
        address < tensors[tensor].address + tensors[tensor].bytes)
      return int32_t(tensor);
  return int32_t(tensors.size() - 1);
}
