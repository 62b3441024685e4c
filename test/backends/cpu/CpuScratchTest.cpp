// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much scratch memory calls need, and that it does not grow with loops.

#include "CpuFixture.h"
#include "tegula/launch/routines/ScratchStack.h"

using namespace tegula;

namespace {

class CpuScratch : public CpuTest {
protected:
  /// Compiles a body over x and y: 64 FP32, and n: index.
  void compileBody(const std::string &body) {
    compile(R"(
      func.func @k(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>, %n: index) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c64 = arith.constant 64 : index
        %a = pl.load %x : !pl.tensor<[64], f32>
        )" + body +
            "\nreturn }");
  }

  /// The most scratch memory of a call with n = `iterations`.
  int64_t mostOf(int64_t iterations) {
    TestTensor x(DType::FP32, {64}), y(DType::FP32, {64});
    check({&x.fill(1), &y.fill(2), pl::Scalar::ofIndex(iterations)});
    return scratchOfThread().getMost();
  }
};

} // namespace

TEST_F(CpuScratch, IsGivenBackEachIterationBelowABranch) {
  compileBody(R"(
    scf.for %i = %c0 to %n step %c1 {
      %r = arith.remsi %i, %c2 : index
      %c = arith.cmpi eq, %r, %c0 : index
      scf.if %c {
        %q = pl.create_tensor [%c64] : !pl.tensor<[64], f32>
        pl.store %a, %q : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
        %v = pl.load %q : !pl.tensor<[64], f32>
        %w = pl.neg %v : !pl.tile<[64], f32>
        pl.store %w, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
      }
    })");
  int64_t most = mostOf(2);
  EXPECT_GT(most, 0);
  EXPECT_EQ(mostOf(1000), most);
}

TEST_F(CpuScratch, IsGivenBackEachTimeAConditionIsAsked) {
  compileBody(R"(
    %r = scf.while (%i = %c0) : (index) -> index {
      %q = pl.create_tensor [%c64] : !pl.tensor<[64], f32>
      pl.store %a, %q : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
      %v = pl.load %q : !pl.tensor<[64], f32>
      %w = pl.neg %v : !pl.tile<[64], f32>
      pl.store %w, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
      %c = arith.cmpi slt, %i, %n : index
      scf.condition(%c) %i : index
    } do {
    ^bb0(%i: index):
      %j = arith.addi %i, %c1 : index
      scf.yield %j : index
    })");
  int64_t most = mostOf(2);
  EXPECT_GT(most, 0);
  EXPECT_EQ(mostOf(1000), most);
}

// An iteration of a parallel loop may need more than the first one, or less.
TEST_F(CpuScratch, HoldsWhatEachIterationMakes) {
  for (const char *size : {"arith.subi %M, %i", "arith.addi %i, %c8",
                           "arith.subi %n, %i", "arith.minsi %left, %c8"}) {
    SCOPED_TRACE(size);
    compile(std::string(R"(
func.func @k(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>, %n: index) {
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %M step %c8 independent {
    %left = arith.subi %M, %i : index
    %size = )") +
            size +
            R"( : index
    %q = pl.create_tensor [%size] : !pl.tensor<[?], f32>
    %xs = pl.slice %x[%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
    %ys = pl.slice %y[%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
    %qs = pl.slice %q[%c0] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
    %a = pl.load %xs : !pl.tensor<[upto 8], f32>
    pl.store %a, %qs : !pl.tile<[upto 8], f32>, !pl.tensor<[upto 8], f32>
    %b = pl.load %qs : !pl.tensor<[upto 8], f32>
    %c = pl.neg %b : !pl.tile<[upto 8], f32>
    pl.store %c, %ys : !pl.tile<[upto 8], f32>, !pl.tensor<[upto 8], f32>
  }
  return
})");
    for (int64_t m : {0, 5, 8, 30, 1000}) {
      TestTensor x(DType::FP32, {m}), y(DType::FP32, {m});
      check({&x.fill(1), &y.fill(2), pl::Scalar::ofIndex(1000)});
    }
  }
}

// A narrow accumulator is kept wider than the tile it is carried in.
TEST_F(CpuScratch, CarriesAWiderAccumulator) {
  compileBody(R"(
    %one = arith.constant 1.0 : bf16
    %z = pl.full %one, [%c1, %c1] : bf16 -> !pl.tile<[1, 1], bf16>
    %t = pl.reshape %a, [%c1, %c64] : !pl.tile<[64], f32> -> !pl.tile<[1, 64], f32>
    %b = pl.cast %t none : !pl.tile<[1, 64], f32> -> !pl.tile<[1, 64], bf16>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (!pl.tile<[1, 1], bf16>) {
      %m = pl.broadcast %s, [%c1, %c64] : !pl.tile<[1, 1], bf16> -> !pl.tile<[1, 64], bf16>
      %p = pl.mul %b, %m : !pl.tile<[1, 64], bf16>, !pl.tile<[1, 64], bf16>
      %u = pl.reduce max %p axis 1 : !pl.tile<[1, 64], bf16>
      scf.yield %u : !pl.tile<[1, 1], bf16>
    }
    %w = pl.cast %r none : !pl.tile<[1, 1], bf16> -> !pl.tile<[1, 1], f32>
    %e = pl.read %w[%c0, %c0] : !pl.tile<[1, 1], f32>
    pl.write %e, %y[%c0] : f32, !pl.tensor<[64], f32>)");
  EXPECT_GT(mostOf(3), 0);
}

namespace {

/// Copies x through so many tensors to y, which becomes 2 to the power of
/// their number times x.
std::string makeChain(int count) {
  std::string text = R"(
func.func @k(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
)";
  auto copy = [&](const std::string &from, const std::string &to) {
    text +=
        R"(  pl.parallel %i = %c0 to %M step %c8 independent {
    %f = pl.slice %)" +
        from + R"([%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
    %t = pl.slice %)" +
        to + R"([%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
    %a = pl.load %f : !pl.tensor<[upto 8], f32>
    %b = pl.add %a, %a : !pl.tile<[upto 8], f32>, !pl.tile<[upto 8], f32>
    pl.store %b, %t : !pl.tile<[upto 8], f32>, !pl.tensor<[upto 8], f32>
  }
)";
  };
  std::string last = "x";
  for (int number = 0; number < count; ++number) {
    std::string next = "q" + std::to_string(number);
    text += "  %" + next + " = pl.create_tensor [%M] : !pl.tensor<[?], f32>\n";
    copy(last, next);
    last = next;
  }
  copy(last, "y");
  return text + "  return\n}";
}

} // namespace

TEST_F(CpuScratch, TensorsReuseTheMemoryOfDeadOnes) {
  auto mostOfChain = [&](int count, int64_t m) {
    compile(makeChain(count));
    TestTensor x(DType::FP32, {m}), y(DType::FP32, {m});
    check({&x.fill(1), &y.fill(2)});
    return scratchOfThread().getMost();
  };
  for (int64_t m : {0, 1, 7, 8, 9, 1000})
    EXPECT_EQ(mostOfChain(7, m), mostOfChain(2, m)) << m;
  EXPECT_GE(mostOfChain(7, 1000), 2 * 4000);
  EXPECT_LT(mostOfChain(7, 1000), 3 * 4000);
}

// Memory that holds nothing is spoilt, so a tensor that is read too late would
// differ from what the interpreter says.
TEST_F(CpuScratch, NothingReadsTensorsThatAreNotNeeded) {
  options.poisonsTensors = true;
  compile(makeChain(5));
  for (int64_t m : {0, 1, 8, 31}) {
    TestTensor x(DType::FP32, {m}), y(DType::FP32, {m});
    check({&x.fill(1), &y.fill(2)});
  }
}

// The one that is too large is named, wherever it stands.
TEST_F(CpuScratch, ReportsTheLargestOfTheTensorsThatDoNotFit) {
  std::string text = R"(func.func @k(%x: !pl.tensor<[64], f32>, %n: index) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c64 = arith.constant 64 : index
%a = pl.load %x : !pl.tensor<[64], f32>
%p = pl.create_tensor [%c64] : !pl.tensor<[64], f32>
%q = pl.create_tensor [%n, %n] : !pl.tensor<[?, ?], f32>
pl.store %a, %p : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
%r = pl.slice %q[%c0, %c0] [%c1, %c64] drop [0] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[upto 64], f32>
pl.store %a, %r : !pl.tile<[64], f32>, !pl.tensor<[upto 64], f32>
%b = pl.load %p : !pl.tensor<[64], f32>
pl.store %b, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
return
})";
  compile(text);
  TestTensor x(DType::FP32, {64});
  check({&x.fill(1), pl::Scalar::ofIndex(64)});
  for (int64_t n : {int64_t(1) << 28, int64_t(1) << 40, int64_t(1) << 62}) {
    TegulaCallState state = call({&x, pl::Scalar::ofIndex(n)});
    EXPECT_EQ(state.error, TegulaOutOfMemory);
    ASSERT_LT(size_t(state.site), kernel->sites.size());
    EXPECT_NE(kernel->sites[state.site].find(":7:"), std::string::npos)
        << kernel->sites[state.site];
  }
}
