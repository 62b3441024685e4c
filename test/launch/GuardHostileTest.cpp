// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that are wrong in every way a call can be, one at a time: each is
// refused, and the message names the argument.

#include "tegula/launch/call/Guard.h"

#include "gtest/gtest.h"
#include <cmath>
#include <functional>
#include <limits>

using namespace tegula;

namespace {

/// A call that can be made wrong.
struct Call {
  /// What a view is made of.
  struct View {
    void *data;
    DType dtype = DType::FP32;
    std::vector<int64_t> sizes, strides;
  };

  std::vector<float> memory = std::vector<float>(4096);
  View x = {memory.data(), DType::FP32, {6, 8}, {8, 1}};
  View y = {memory.data() + 1024, DType::FP32, {6, 8}, {8, 1}};
  View out = {memory.data() + 2048, DType::FP32, {6, 8}, {8, 1}};
  Argument factor = 2.5;
  Argument count = 3;

  View &operator[](unsigned index) {
    return index == 0 ? x : index == 1 ? y : out;
  }

  static Argument toArgument(const View &view) {
    return TensorView(view.data, view.dtype, view.sizes, view.strides);
  }
  std::vector<Argument> list() const {
    return {toArgument(x), toArgument(y), toArgument(out), factor, count};
  }
};

/// f(x: [M, N], y: [M, N], out: Out [M, N], factor: FP32, count: INT8)
class HostileCalls : public testing::Test {
protected:
  HostileCalls() {
    Signature signature = {"f", {}};
    std::vector<Axis> axes = {{std::nullopt, "M", std::nullopt},
                              {std::nullopt, "N", std::nullopt}};
    for (const char *name : {"x", "y", "out"})
      signature.parameters.push_back(
          {name, Parameter::Kind::Tensor,
           name == std::string("out") ? Direction::Out : Direction::In,
           DType::FP32, axes});
    signature.parameters.push_back({"factor", Parameter::Kind::Scalar,
                                    Direction::In, DType::FP32, std::nullopt});
    signature.parameters.push_back({"count", Parameter::Kind::Scalar,
                                    Direction::In, DType::Int8, std::nullopt});
    EXPECT_FALSE(Guard::create(std::move(signature), guard));
  }

  std::string check(llvm::ArrayRef<Argument> arguments) {
    int64_t slots[Guard::maxSlots];
    Problem problem = guard.check(arguments, slots);
    if (!problem)
      return "";
    EXPECT_EQ(problem.getKind(), Problem::Kind::Call);
    return problem.getText();
  }

  /// Expects that a call with this change is refused.
  void refuse(const std::string &what,
              const std::function<void(Call &)> &change) {
    Call call;
    ASSERT_EQ(check(call.list()), "");
    change(call);
    std::string message = check(call.list());
    EXPECT_NE(message, "") << what;
    EXPECT_NE(message.find("argument '"), std::string::npos)
        << what << ": " << message;
    ++numRefused;
  }

  Guard guard;
  unsigned numRefused = 0;
};

constexpr int64_t most = std::numeric_limits<int64_t>::max();
constexpr int64_t least = std::numeric_limits<int64_t>::min();

} // namespace

TEST_F(HostileCalls, OfTensorsAreRefused) {
  const char *names[] = {"x", "y", "out"};
  for (unsigned index = 0; index < 3; ++index) {
    std::string name = names[index];
    for (size_t rank : {0, 1, 3, 4, 5, 6, 7, 8, 9, 12})
      refuse(name + " rank " + std::to_string(rank), [&](Call &call) {
        call[index].sizes.resize(rank, 1);
        call[index].strides.resize(rank, 1);
      });
    for (size_t count : {1, 3, 8})
      refuse(name + " strides " + std::to_string(count),
             [&](Call &call) { call[index].strides.resize(count, 1); });
    for (int dtype = 0; dtype < static_cast<int>(DType::Index); ++dtype)
      if (dtype != static_cast<int>(DType::FP32))
        refuse(name + " dtype " + std::to_string(dtype), [&](Call &call) {
          call[index].dtype = static_cast<DType>(dtype);
        });
    for (unsigned axis = 0; axis < 2; ++axis)
      for (int64_t size : {int64_t(-1), int64_t(7), most, least, most / 4})
        refuse(name + " size " + std::to_string(size),
               [&](Call &call) { call[index].sizes[axis] = size; });
    for (unsigned axis = 0; axis < 2; ++axis)
      for (int64_t stride : {most, least, most / 4, least / 4})
        refuse(name + " stride " + std::to_string(stride),
               [&](Call &call) { call[index].strides[axis] = stride; });
    refuse(name + " null", [&](Call &call) { call[index].data = nullptr; });
    for (int offset : {1, 2, 3})
      refuse(name + " misaligned", [&](Call &call) {
        call[index].data = static_cast<char *>(call[index].data) + offset;
      });
  }
  EXPECT_GT(numRefused, 100u);
}

TEST_F(HostileCalls, OfOutputsAreRefused) {
  for (int64_t stride : {0, 1, 7, -1, -7})
    refuse("rows on each other",
           [&](Call &call) { call.out.strides[0] = stride; });
  refuse("columns on each other", [&](Call &call) { call.out.strides[1] = 0; });
  for (int offset : {-47, -8, -1, 0, 1, 8, 47})
    for (unsigned index = 0; index < 2; ++index)
      refuse("shared with an input", [&](Call &call) {
        call.out.data = static_cast<float *>(call[index].data) + 512 + offset;
        call[index].data = static_cast<float *>(call[index].data) + 512;
      });
}

TEST_F(HostileCalls, OfNumbersAreRefused) {
  for (int64_t count : {int64_t(128), int64_t(-129), most, least})
    refuse("count", [&](Call &call) { call.count = count; });
  for (double count : {0.5, 1e300, -1e300, std::nan(""),
                       std::numeric_limits<double>::infinity()})
    refuse("count", [&](Call &call) { call.count = count; });
  for (double factor : {1e39, -1e39, 1e300})
    refuse("factor", [&](Call &call) { call.factor = factor; });
}

TEST_F(HostileCalls, OfOtherKindsAreRefused) {
  Call call;
  std::vector<Argument> good = call.list();
  for (size_t count = 0; count < 12; ++count)
    if (count != good.size()) {
      std::vector<Argument> arguments(count, good[0]);
      std::copy_n(good.begin(), std::min(count, good.size()),
                  arguments.begin());
      EXPECT_NE(check(arguments), "") << count;
    }
  for (size_t index = 0; index < good.size(); ++index) {
    std::vector<Argument> arguments = good;
    arguments[index] = index < 3 ? Argument(1) : good[0];
    EXPECT_NE(check(arguments), "") << index;
  }
}
