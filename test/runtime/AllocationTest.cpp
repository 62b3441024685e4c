// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Compiler.h"

#include "gtest/gtest.h"
#include <cstdlib>
#include <new>

using namespace tegula;

static thread_local uint64_t numAllocations = 0;

// These replace the ones of the whole test program, its libraries included.
void *operator new(size_t size) {
  ++numAllocations;
  return std::malloc(size);
}
void *operator new[](size_t size) { return operator new(size); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
void operator delete[](void *memory, size_t) noexcept { std::free(memory); }

TEST(Allocation, HappensNowhereOnTheWarmPath) {
  Expected<Kernel> kernel =
      loadKernel(TEGULA_SOURCE_DIR "/test/tools/Inputs/add.py");
  ASSERT_TRUE(static_cast<bool>(kernel));
  std::vector<float> x(1000), out(1000);
  auto call = [&](int64_t m, int64_t n) {
    return static_cast<bool>(
        (*kernel)({TensorView(x.data(), {m, n}), TensorView(x.data(), {m, n}),
                   TensorView(out.data(), {m, n})}));
  };
  ASSERT_FALSE(call(1, 1));
  uint64_t before = numAllocations;
  for (int64_t size = 0; size < 30; ++size)
    ASSERT_FALSE(call(size, size));
  EXPECT_EQ(numAllocations, before);
  // The counter works: a message needs memory.
  EXPECT_TRUE(call(-1, 1));
  EXPECT_GT(numAllocations, before);
}
