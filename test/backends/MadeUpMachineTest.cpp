// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The examples on a machine with tiles of three elements; random kernels run on
// it in test/differential.

#include "test/backends/MadeUpMachine.h"

#include "tegula/backends/cpu/CpuMachine.h"
#include "tegula/runtime/Check.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/ImageMaker.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/support/Array.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace tegula;

namespace {

struct Call {
  std::vector<Array> arrays;
  std::vector<Argument> arguments;
};

class MadeUpMachineTest : public testing::Test {
protected:
  /// Every symbol has the same extent. Integers are indices into a tensor.
  static Call makeCall(const Signature &signature, int64_t extent) {
    Call call;
    for (const Parameter &parameter : signature.parameters) {
      if (parameter.isScalar()) {
        call.arguments.push_back(
            isFloat(*parameter.dtype) ? Argument(1.25) : Argument(int64_t(2)));
        continue;
      }
      llvm::SmallVector<int64_t> sizes;
      for (const Axis &axis : *parameter.axes)
        sizes.push_back(axis.extent.value_or(extent));
      call.arrays.push_back(
          llvm::cantFail(Array::create(sizes, *parameter.dtype)));
      const TensorView &view = call.arrays.back().getView();
      int64_t count = 0;
      forEachElement(view, [&](char *element) {
        int64_t number = ++count * 37 % 23;
        writeElement(element, view.dtype,
                     isFloat(view.dtype) ? static_cast<double>(number) / 8 - 1
                                         : static_cast<double>(number % 2));
      });
      call.arguments.emplace_back(view);
    }
    return call;
  }

  /// True if the call was possible.
  static bool expectSameResults(const Variant &variant, Compilation &reference,
                                int64_t extent) {
    const Signature &signature = variant.guard.getSignature();
    Call found = makeCall(signature, extent);
    Call expected = makeCall(signature, extent);
    Error refused = reference.interpret(expected.arguments);
    Problem problem = variant.call(found.arguments);
    EXPECT_EQ(static_cast<bool>(refused), static_cast<bool>(problem))
        << extent << (problem ? ": " + problem.getText() : "");
    if (refused) {
      llvm::consumeError(std::move(refused));
      return false;
    }
    for (auto [index, parameter] : llvm::enumerate(signature.parameters)) {
      if (!parameter.isWritten())
        continue;
      Comparison comparison =
          compareTensors(parameter.name, found.arguments[index].getTensor(),
                         expected.arguments[index].getTensor());
      EXPECT_TRUE(comparison.agrees())
          << extent << ": " << comparison.name << comparison.firstWrong;
    }
    return true;
  }

  /// What the compiler says of the kernel; nothing if it compiles.
  static std::string refuse(const KernelSource &source,
                            std::shared_ptr<const Target> target) {
    Compilation compilation(source);
    compilation.setTarget(std::move(target));
    Expected<KernelImage> image = ImageMaker(compilation).compile({});
    return image ? "" : llvm::toString(image.takeError());
  }

  static void run(const KernelSource &source,
                  std::shared_ptr<const Target> target) {
    Compilation compilation(source), reference(source);
    compilation.setTarget(std::move(target));
    Expected<KernelImage> image = ImageMaker(compilation).compile({});
    ASSERT_TRUE(static_cast<bool>(image)) << llvm::toString(image.takeError());
    std::unique_ptr<Variant> variant;
    Problem problem = loadImage(std::move(*image), {}, variant);
    ASSERT_FALSE(problem) << problem.getText();
    ASSERT_FALSE(static_cast<bool>(reference.generate({})));
    // Below, at and beyond the tiles, and what many kernels want multiples of.
    int numCalls = 0;
    for (int64_t extent : {1, 3, 7, 64})
      numCalls += expectSameResults(*variant, reference, extent);
    EXPECT_GT(numCalls, 0);
  }
};

/// Tiles as large as those of a processor, and 4 KB to keep them in.
class SmallMemory : public CpuTarget {
public:
  SmallMemory() : CpuTarget("small", CpuOptions::forHost()) {
    machine.name = "the small machine";
    machine.memories.front().name = "scratchpad";
    machine.memories.front().bytes = 4096;
  }
  const MachineModel &getMachine() const override { return machine; }

private:
  MachineModel machine = getCpuMachine(/*useThreads=*/true);
};

} // namespace

TEST_F(MadeUpMachineTest, RunsTheExamples) {
  namespace fs = llvm::sys::fs;
  std::string folder = std::string(TEGULA_SOURCE_DIR) + "/examples";
  unsigned numKernels = 0, numTooLarge = 0;
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code)) {
    if (llvm::sys::path::extension(it->path()) != ".py")
      continue;
    KernelSource file = llvm::cantFail(readSource({it->path(), /*kernel=*/""}));
    for (const std::string &kernel : llvm::cantFail(listKernels(it->path()))) {
      file.kernel = kernel;
      if (llvm::cantFail(readSignature(file)).isOpen())
        continue;
      SCOPED_TRACE(file.path + ":" + file.kernel);
      auto machine = std::make_shared<MadeUpMachine>();
      if (refuse(file, machine).find(" does not fit the ") !=
          std::string::npos) {
        ++numTooLarge;
        machine = std::make_shared<MadeUpMachine>(/*scratchpadBytes=*/1 << 18);
      }
      run(file, machine);
      ++numKernels;
    }
  }
  EXPECT_GE(numKernels, 30u);
  // Those whose authors' tiles are larger than its memories.
  EXPECT_LE(numTooLarge, 9u);
}

TEST_F(MadeUpMachineTest, CutsWholeArraysToItsTiles) {
  KernelSource source = {
      std::string(TEGULA_SOURCE_DIR) + "/examples/softmax.py", ""};
  Compilation compilation(llvm::cantFail(readSource(source)));
  compilation.setTarget(std::make_shared<MadeUpMachine>());
  ASSERT_FALSE(static_cast<bool>(compilation.generate({})));
  Expected<std::string> text = ImageMaker(compilation).print("tiles");
  ASSERT_TRUE(static_cast<bool>(text)) << llvm::toString(text.takeError());
  // The rows are a tile of the author's.
  EXPECT_NE(text->find("[upto 8, upto 3]"), std::string::npos) << *text;
  EXPECT_EQ(text->find("upto 512"), std::string::npos) << *text;
}

TEST_F(MadeUpMachineTest, CutsWholeArraysUntilTheyFit) {
  for (const char *name : {"softmax", "layer_norm", "gemm_tensors", "swiglu"}) {
    SCOPED_TRACE(name);
    std::string path =
        std::string(TEGULA_SOURCE_DIR) + "/examples/" + name + ".py";
    run(llvm::cantFail(readSource({path, ""})),
        std::make_shared<SmallMemory>());
  }
}

// 16 KB, of which each part needs no other.
TEST_F(MadeUpMachineTest, CutsTilesOfAuthorsThatAreTooLarge) {
  run({"k.py", "k", R"(
import tegula.language as pl
@pl.jit
def k(x: pl.Tensor[[64, 64], pl.FP32], y: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.exp(pl.load(x, [0, 0], [64, 64]))
        pl.store(t * pl.row_sum(t), [0, 0], y)
)"},
      std::make_shared<SmallMemory>());
}

TEST_F(MadeUpMachineTest, SaysWhatDoesNotFitWhere) {
  std::string message = refuse({"k.py", "k", R"(
import tegula.language as pl
@pl.jit
def k(x: pl.Tensor[[64, 64], pl.FP32], y: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [64, 64])
        for i in pl.range(3):
            t = pl.matmul(t, t)
        pl.store(t, [0, 0], y)
)"},
                               std::make_shared<SmallMemory>());
  EXPECT_NE(message.find("k.py:8:"), std::string::npos) << message;
  EXPECT_NE(message.find("a tile of 64 x 64 FP32, 16,384 bytes, does not fit "
                         "the scratchpad of 4,096 bytes of the small machine"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("is there at that time"), std::string::npos)
      << message;
}
