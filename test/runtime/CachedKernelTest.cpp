// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that an earlier process, or here an earlier load, left on disk.

#include "tegula/launch/cache/KernelCache.h"
#include "tegula/launch/cache/Toolchain.h"
#include "tegula/runtime/Compiler.h"

#include "gtest/gtest.h"
#include <filesystem>
#include <fstream>

using namespace tegula;
namespace fs = std::filesystem;

namespace {
struct CachedKernel : testing::Test {
  fs::path folder;

  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tegula-XXXXXX").string();
    folder = mkdtemp(name.data());
    use(CacheOptions::Mode::On);
  }
  void TearDown() override {
    use(CacheOptions::Mode::Off);
    fs::remove_all(folder);
  }

  void use(CacheOptions::Mode mode) {
    CacheOptions options;
    options.mode = mode;
    options.folder = folder / "cache";
    options.toolchain = describeToolchain();
    setDefaultCache(options);
  }

  void write(const char *name, const std::string &text) {
    std::ofstream(folder / name) << text;
  }

  /// Loads the kernel, runs it on three numbers, checks the first result, and
  /// says how often it was compiled.
  uint64_t run(float expected) {
    Expected<Kernel> kernel = loadKernel((folder / "kernel.py").string());
    if (!kernel) {
      ADD_FAILURE() << llvm::toString(kernel.takeError());
      return 0;
    }
    float x[] = {1, 2, 3}, out[] = {0, 0, 0};
    EXPECT_EQ(
        llvm::toString((*kernel)({TensorView(x, {3}), TensorView(out, {3})})),
        "");
    EXPECT_EQ(out[0], expected);
    return kernel->getCompileCount();
  }

  /// The files with code, which are larger than those without.
  std::vector<fs::path> listCode() const {
    std::vector<fs::path> paths;
    for (const auto &entry : fs::directory_iterator(folder / "cache"))
      if (entry.path().extension() == ".so" && entry.file_size() > 2000)
        paths.push_back(entry.path());
    return paths;
  }
};
} // namespace

static constexpr const char *kernelText = R"(
import tegula.language as pl
from other import FACTOR

M = pl.dynamic("M")

@pl.jit
def kernel(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x * FACTOR
)";

static constexpr const char *openText = R"(
import tegula.language as pl
from other import FACTOR

@pl.jit
def kernel(x, out: pl.Out[pl.Tensor]):
    out[:] = x * FACTOR
)";

TEST_F(CachedKernel, IsFoundByTheNextProcess) {
  for (const char *text : {kernelText, openText}) {
    write("kernel.py", text);
    write("other.py", "FACTOR = 2.0\n");
    EXPECT_EQ(run(2), 1u);
    EXPECT_EQ(run(2), 0u);
  }
}

TEST_F(CachedKernel, IsCompiledAnewWhenAFileChanges) {
  write("kernel.py", kernelText);
  write("other.py", "FACTOR = 2.0\n");
  EXPECT_EQ(run(2), 1u);
  write("other.py", "FACTOR = 5.0\n");
  EXPECT_EQ(run(5), 1u);
  EXPECT_EQ(run(5), 0u);
  write("kernel.py", std::string(kernelText) + "    out[:] = x\n");
  EXPECT_EQ(run(1), 1u);
}

TEST_F(CachedKernel, IsCompiledAnewAndReplacedWhenDamaged) {
  write("kernel.py", kernelText);
  write("other.py", "FACTOR = 2.0\n");
  EXPECT_EQ(run(2), 1u);
  std::vector<fs::path> files = listCode();
  ASSERT_EQ(files.size(), 1u);
  std::fstream file(files[0], std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(700);
  file.put('x');
  file.close();
  EXPECT_EQ(run(2), 1u);
  EXPECT_EQ(run(2), 0u);
  fs::resize_file(files[0], 100);
  EXPECT_EQ(run(2), 1u);
  EXPECT_EQ(run(2), 0u);
}

TEST_F(CachedKernel, ReadOnlyModeFindsButDoesNotKeep) {
  write("kernel.py", kernelText);
  write("other.py", "FACTOR = 2.0\n");
  use(CacheOptions::Mode::ReadOnly);
  EXPECT_EQ(run(2), 1u);
  EXPECT_EQ(run(2), 1u);
  use(CacheOptions::Mode::On);
  EXPECT_EQ(run(2), 1u);
  use(CacheOptions::Mode::ReadOnly);
  EXPECT_EQ(run(2), 0u);
}
