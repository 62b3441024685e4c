// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/call/Guard.h"

#include "gtest/gtest.h"
#include <limits>
#include <vector>

using namespace tegula;

static Axis fixed(int64_t extent) { return {extent, "", std::nullopt}; }
static Axis symbol(const char *name) {
  return {std::nullopt, name, std::nullopt};
}

static Parameter tensor(const char *name, Direction direction,
                        std::vector<Axis> axes, DType dtype = DType::FP32) {
  return {name, Parameter::Kind::Tensor, direction, dtype, std::move(axes)};
}
static Parameter scalar(const char *name, DType dtype) {
  return {name, Parameter::Kind::Scalar, Direction::In, dtype, std::nullopt};
}

static Guard makeGuard(std::vector<Parameter> parameters) {
  Guard guard;
  EXPECT_FALSE(Guard::create({"add", std::move(parameters), {}}, guard));
  return guard;
}

/// add(x: [M, N], y: [M, N], out: Out [M, N])
static Guard makeAdd() {
  return makeGuard({tensor("x", Direction::In, {symbol("M"), symbol("N")}),
                    tensor("y", Direction::In, {symbol("M"), symbol("N")}),
                    tensor("out", Direction::Out, {symbol("M"), symbol("N")})});
}

static std::string check(const Guard &guard,
                         llvm::ArrayRef<Argument> arguments) {
  int64_t slots[Guard::maxSlots];
  Problem problem = guard.check(arguments, slots);
  return problem ? problem.getText() : "";
}

namespace {
struct Guarded : testing::Test {
  std::vector<float> memory = std::vector<float>(1000);
  float *x = memory.data(), *y = x + 100, *out = x + 200;
  Guard add = makeAdd();
};
} // namespace

TEST_F(Guarded, FillsTheSlotsInOrder) {
  Guard guard = makeGuard({tensor("x", Direction::In, {symbol("M"), fixed(3)}),
                           scalar("a", DType::FP32), scalar("n", DType::Int8)});
  int64_t slots[Guard::maxSlots];
  ASSERT_FALSE(guard.check({TensorView(x, {2, 3}, {-3, 1}), 1.0, -2}, slots));
  EXPECT_EQ(guard.getNumSlots(), 7u);
  EXPECT_EQ(std::vector<int64_t>(slots, slots + 7),
            (std::vector<int64_t>{reinterpret_cast<int64_t>(x), 2, 3, -3, 1,
                                  0x3f800000, -2}));
}

TEST_F(Guarded, AcceptsEverySizeAndStride) {
  for (int64_t m : {0, 1, 7})
    for (int64_t n : {0, 1, 13})
      EXPECT_EQ(check(add, {TensorView(x, {m, n}), TensorView(y, {m, n}),
                            TensorView(out, {m, n})}),
                "");
  EXPECT_EQ(check(add, {TensorView(x, {4, 5}, {1, 4}),
                        TensorView(y + 19, {4, 5}, {-5, -1}),
                        TensorView(out, {4, 5}, {10, 2})}),
            "");
  EXPECT_EQ(check(add, {TensorView(x, {4, 5}, {0, 0}), TensorView(y, {4, 5}),
                        TensorView(out, {4, 5})}),
            "");
}

TEST_F(Guarded, CountsArguments) {
  EXPECT_EQ(check(add, {TensorView(x, {2, 2})}),
            "kernel 'add' takes 3 arguments (x, y, out), got 1");
}

TEST_F(Guarded, DistinguishesTensorsFromNumbers) {
  TensorView view(x, {2, 2});
  EXPECT_EQ(check(add, {view, 2, view}),
            "argument 'y': a tensor is wanted, got the number 2");
  EXPECT_EQ(check(makeGuard({scalar("n", DType::Int32)}), {view}),
            "argument 'n': a number is wanted (INT32), got a tensor");
}

TEST_F(Guarded, ChecksRankAndElementType) {
  TensorView view(x, {2, 2});
  EXPECT_EQ(check(add, {view, TensorView(y, {4}), view}),
            "argument 'y': shape [M, N] is wanted, got [4]");
  EXPECT_EQ(check(add, {view, TensorView(y, DType::FP16, {2, 2}), view}),
            "argument 'y': FP32 is wanted, got FP16");
}

TEST_F(Guarded, RefusesViewsThatCannotBe) {
  std::vector<int64_t> nine(9, 1);
  std::string wrong =
      "argument 'x': a tensor has at most 8 axes, and one stride for each";
  EXPECT_EQ(check(add, {TensorView(x, DType::FP32, nine), TensorView(y, {1, 1}),
                        TensorView(out, {1, 1})}),
            wrong);
  EXPECT_EQ(check(add, {TensorView(x, {2, 2}, {1}), TensorView(y, {2, 2}),
                        TensorView(out, {2, 2})}),
            wrong);
}

TEST_F(Guarded, ChecksExtents) {
  TensorView view(x, {4, 5});
  EXPECT_EQ(check(add, {view, TensorView(y, {5, 5}), view}),
            "argument 'y': axis 0 is 5, but M is 4 (from argument 'x' axis 0)");
  EXPECT_EQ(check(add, {TensorView(x, {-1, 5}), view, view}),
            "argument 'x': axis 0 is -1, an extent cannot be negative");
  Guard guard =
      makeGuard({tensor("x", Direction::In, {fixed(4), symbol("N")})});
  EXPECT_EQ(check(guard, {TensorView(x, {3, 5})}),
            "argument 'x': axis 0 is 3, but 4 is wanted");
  EXPECT_EQ(check(guard, {TensorView(x, {-4, 5})}),
            "argument 'x': axis 0 is -4, an extent cannot be negative");
  Guard bounded =
      makeGuard({tensor("x", Direction::In, {Axis{std::nullopt, "N", 8}})});
  EXPECT_EQ(check(bounded, {TensorView(x, {8})}), "");
  EXPECT_EQ(check(bounded, {TensorView(x, {9})}),
            "argument 'x': axis 0 is 9, but at most 8 is wanted");
}

TEST_F(Guarded, ChecksMemory) {
  TensorView view(x, {4, 5});
  float *null = nullptr;
  EXPECT_EQ(check(add, {TensorView(null, {4, 5}), view, view}),
            "argument 'x': the data pointer is null, but shape [4, 5] has 20 "
            "elements");
  EXPECT_EQ(check(add, {TensorView(null, {0, 5}), TensorView(null, {0, 5}),
                        TensorView(null, {0, 5})}),
            "");
  TensorView odd(reinterpret_cast<char *>(0x1001), DType::FP32, {4, 5});
  EXPECT_EQ(check(add, {odd, view, view}),
            "argument 'x': the data pointer 0x1001 is not a multiple of 4, the "
            "size of FP32");
  int64_t huge = int64_t(1) << 60;
  EXPECT_EQ(check(add, {TensorView(x, {huge, 16}), view, view}),
            "argument 'x': shape [1152921504606846976, 16] with strides [16, "
            "1] does not fit the address space");
}

TEST_F(Guarded, RefusesOutputsThatShareMemory) {
  TensorView view(x, {4, 5});
  EXPECT_EQ(check(add, {view, TensorView(y, {4, 5}), view}),
            "argument 'out' is written and shares memory with argument 'x'");
  EXPECT_EQ(
      check(add, {view, TensorView(y, {4, 5}), TensorView(y - 1, {4, 5})}),
      "argument 'out' is written and shares memory with argument 'y'");
  Guard update = makeGuard({tensor("a", Direction::InOut, {symbol("N")}),
                            tensor("b", Direction::InOut, {symbol("N")})});
  EXPECT_EQ(check(update, {TensorView(x, {4}), TensorView(x, {4})}),
            "argument 'a' is written and shares memory with argument 'b'");
  EXPECT_EQ(check(update, {TensorView(x, {4}), TensorView(x + 4, {4})}), "");
  EXPECT_EQ(check(update, {TensorView(x, {0}), TensorView(x, {0})}), "");
}

TEST_F(Guarded, AcceptsInterleavedViews) {
  // Left and right halves of the rows of one matrix, and its odd columns.
  EXPECT_EQ(check(add, {TensorView(x, {4, 5}, {10, 1}), TensorView(y, {4, 5}),
                        TensorView(x + 5, {4, 5}, {10, 1})}),
            "");
  EXPECT_EQ(check(add, {TensorView(x, {4, 5}, {10, 2}), TensorView(y, {4, 5}),
                        TensorView(x + 1, {4, 5}, {10, 2})}),
            "");
  EXPECT_EQ(check(add, {TensorView(x, {4, 6}, {10, 1}), TensorView(y, {4, 6}),
                        TensorView(x + 5, {4, 6}, {10, 1})}),
            "argument 'out' is written and shares memory with argument 'x'");
  // Backwards through the same memory.
  EXPECT_EQ(check(add, {TensorView(x, {4, 5}), TensorView(y, {4, 5}),
                        TensorView(x + 19, {4, 5}, {-5, -1})}),
            "argument 'out' is written and shares memory with argument 'x'");
}

TEST_F(Guarded, RefusesOutputsThatOverlapThemselves) {
  TensorView view(x, {4, 5});
  EXPECT_EQ(check(add, {view, view, TensorView(out, {4, 5}, {0, 1})}),
            "argument 'out': stride 0 along axis 0 makes elements share "
            "memory, but the kernel writes them");
  EXPECT_EQ(check(add, {view, view, TensorView(out, {4, 5}, {1, 1})}),
            "argument 'out': stride 1 along axis 0 makes elements share "
            "memory, but the kernel writes them");
  TensorView row(x, {1, 5});
  EXPECT_EQ(check(add, {row, row, TensorView(out, {1, 5}, {0, 1})}), "");
}

TEST_F(Guarded, ChecksIntegers) {
  Guard guard = makeGuard({scalar("n", DType::Int8)});
  EXPECT_EQ(check(guard, {-128}), "");
  EXPECT_EQ(check(guard, {127u}), "");
  EXPECT_EQ(check(guard, {3.0}), "");
  EXPECT_EQ(check(guard, {300}),
            "argument 'n': 300 does not fit INT8 (-128 to 127)");
  EXPECT_EQ(check(guard, {-129}),
            "argument 'n': -129 does not fit INT8 (-128 to 127)");
  EXPECT_EQ(check(guard, {128.0}),
            "argument 'n': 128 does not fit INT8 (-128 to 127)");
  EXPECT_EQ(check(guard, {2.5}),
            "argument 'n': an integer is wanted (INT8), got 2.5");
  Guard wide = makeGuard({scalar("n", DType::UInt64)});
  EXPECT_EQ(check(wide, {UINT64_MAX}), "");
  EXPECT_EQ(check(wide, {-1}), "argument 'n': -1 does not fit UINT64 (0 to "
                               "18446744073709551615)");
  EXPECT_EQ(check(makeGuard({scalar("n", DType::Int64)}), {UINT64_MAX}),
            "argument 'n': 18446744073709551615 does not fit INT64 "
            "(-9223372036854775808 to 9223372036854775807)");
  EXPECT_EQ(check(makeGuard({scalar("n", DType::Bool)}), {2}),
            "argument 'n': 2 does not fit BOOL (0 to 1)");
  EXPECT_EQ(check(makeGuard({scalar("n", DType::Bool)}), {true}), "");
}

TEST_F(Guarded, ChecksFloats) {
  Guard guard = makeGuard({scalar("a", DType::FP16)});
  EXPECT_EQ(check(guard, {65504}), "");
  EXPECT_EQ(check(guard, {70000}), "argument 'a': 70000 is too large for FP16");
  EXPECT_EQ(check(guard, {std::numeric_limits<double>::infinity()}), "");
  EXPECT_EQ(check(makeGuard({scalar("a", DType::FP32)}), {1e300}),
            "argument 'a': 1e+300 is too large for FP32");
}

TEST(Guard, LimitsTheNumberOfSlots) {
  std::vector<Parameter> parameters(
      205, tensor("x", Direction::In, {symbol("M"), symbol("N")}));
  Guard guard;
  Problem problem = Guard::create({"wide", parameters}, guard);
  ASSERT_TRUE(static_cast<bool>(problem));
  EXPECT_EQ(problem.getText(),
            "kernel 'wide' needs 1025 argument slots, the limit is 1024");
}

TEST(Guard, LimitsTheRank) {
  std::vector<Axis> axes(9, symbol("M"));
  Guard guard;
  Problem problem =
      Guard::create({"deep", {tensor("x", Direction::In, axes)}}, guard);
  ASSERT_TRUE(static_cast<bool>(problem));
  EXPECT_EQ(problem.getText(), "parameter 'x' has 9 axes, the limit is 8");
}

TEST(Signature, ReadsLikeTheSource) {
  Signature signature = {
      "f",
      {tensor("x", Direction::In, {symbol("M"), fixed(3)}),
       tensor("y", Direction::InOut, {symbol("M")}, DType::BF16),
       scalar("a", DType::Int8),
       {"open", Parameter::Kind::Tensor, Direction::Out, std::nullopt,
        std::nullopt}}};
  EXPECT_EQ(signature.format(),
            "f(x: Tensor[[M, 3], FP32], y: InOut[Tensor[[M], BF16]], a: "
            "Scalar[INT8], open: Out[Tensor])");
  EXPECT_TRUE(signature.isOpen());
  EXPECT_EQ(signature.getSymbols(), std::vector<std::string>{"M"});
}

/// M % 16 == 0
static ExtentProgram multipleOf16() {
  using Op = ExtentProgram::Op;
  return {{{Op::Size, 0},
           {Op::Size, 0},
           {Op::Constant, 16},
           {Op::FloorDiv},
           {Op::Constant, 16},
           {Op::Mul},
           {Op::Equal}},
          {"M"}};
}

static ExtentProgram size(const char *name) {
  return {{{ExtentProgram::Op::Size, 0}}, {name}};
}

TEST_F(Guarded, ChecksRequirements) {
  Signature signature = {
      "k",
      {tensor("x", Direction::In, {symbol("N"), symbol("M")})},
      {{multipleOf16(), "M % 16 == 0", "", {{"M", size("M")}}}}};
  Guard guard;
  ASSERT_FALSE(Guard::create(signature, guard));
  EXPECT_EQ(check(guard, {TensorView(x, {3, 32})}), "");
  EXPECT_EQ(check(guard, {TensorView(x, {3, 0})}), "");
  EXPECT_EQ(check(guard, {TensorView(x, {16, 17})}),
            "needs M % 16 == 0, but M is 17");
}

TEST_F(Guarded, ChecksRequirementsOnNumbers) {
  using Op = ExtentProgram::Op;
  ExtentProgram below = {{{Op::Scalar, 1}, {Op::Size, 0}, {Op::Less}}, {"M"}};
  Signature signature = {
      "k",
      {tensor("x", Direction::In, {symbol("M"), fixed(2)}),
       scalar("n", DType::Index)},
      {{below,
        "n < M",
        "k.py:3:5",
        {{"n", {{{Op::Scalar, 1}}, {}}}, {"M", size("M")}}}}};
  Guard guard;
  ASSERT_FALSE(Guard::create(signature, guard));
  EXPECT_EQ(check(guard, {TensorView(x, {3, 2}), 2}), "");
  EXPECT_EQ(check(guard, {TensorView(x, {3, 2}), 3}),
            "k.py:3:5: needs n < M, but n is 3 and M is 3");
}

TEST_F(Guarded, SaysWhatADeclaredAxisShouldBe) {
  using Op = ExtentProgram::Op;
  ExtentProgram half = {{{Op::Size, 0}, {Op::Constant, 2}, {Op::FloorDiv}},
                        {"M"}};
  ExtentProgram equal = {{{Op::Size, 1},
                          {Op::Size, 0},
                          {Op::Constant, 2},
                          {Op::FloorDiv},
                          {Op::Equal}},
                         {"M", "M // 2"}};
  SizeRequirement requirement = {equal, "axis 0 of 'y' == M // 2", "", {}, 1,
                                 0};
  requirement.sizes = {{"M // 2", half}, {"M", size("M")}};
  Signature signature = {"k",
                         {tensor("x", Direction::In, {symbol("M")}),
                          tensor("y", Direction::In, {symbol("M // 2")})},
                         {requirement}};
  Guard guard;
  ASSERT_FALSE(Guard::create(signature, guard));
  EXPECT_EQ(check(guard, {TensorView(x, {9}), TensorView(y, {4})}), "");
  EXPECT_EQ(check(guard, {TensorView(x, {8}), TensorView(y, {5})}),
            "argument 'y': axis 0 is 5, but M // 2 is 4 (M is 8)");
}

/// M * n must fit; M is axis 0 of x.
static Signature productOfSizeAndNumber() {
  using Op = ExtentProgram::Op;
  ExtentProgram product = {{{Op::Size, 0}, {Op::Scalar, 1}, {Op::Mul}}, {"M"}};
  ExtentProgram number = {{{Op::Scalar, 1}}, {}};
  Signature signature = {
      "k",
      {tensor("x", Direction::In, {symbol("M")}), scalar("n", DType::Index)}};
  signature.exact = {
      {product, "M * n", "k.py:3:5", {{"M", size("M")}, {"n", number}}}};
  return signature;
}

TEST_F(Guarded, RefusesWhatDoesNotFit) {
  Guard guard;
  ASSERT_FALSE(Guard::create(productOfSizeAndNumber(), guard));
  TensorView wide(x, {int64_t(1) << 40}, {0});
  EXPECT_EQ(check(guard, {TensorView(x, {3}), 2}), "");
  // Beyond what is safe for all, but this fits.
  EXPECT_EQ(check(guard, {wide, 2}), "");
  EXPECT_EQ(check(guard, {wide, -(int64_t(1) << 23)}), "");
  EXPECT_EQ(check(guard, {TensorView(x, {1}), INT64_MIN}), "");
  EXPECT_EQ(check(guard, {wide, int64_t(1) << 23}),
            "k.py:3:5: M * n does not fit 64 bits, M is 1099511627776 and n is "
            "8388608");
}

TEST_F(Guarded, PrefersARequirementToWhatDoesNotFit) {
  using Op = ExtentProgram::Op;
  Signature signature = productOfSizeAndNumber();
  ExtentProgram few = {{{Op::Scalar, 1}, {Op::Constant, 9}, {Op::Less}}, {}};
  signature.requirements = {{few, "n < 9", "", {}}};
  Guard guard;
  ASSERT_FALSE(Guard::create(signature, guard));
  EXPECT_EQ(
      check(guard, {TensorView(x, {int64_t(1) << 40}, {0}), int64_t(1) << 60}),
      "needs n < 9");
}
