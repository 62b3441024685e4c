// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters and scatter-adds of a GPU, by few blocks and by many.

#include "DeviceCall.h"

#include "tegula/support/DType.h"

#include "gtest/gtest.h"
#include <cmath>
#include <numeric>
#include <random>

using namespace tegula;

extern "C" {
void tegulaGpuPutRowsByAll(TegulaGpuGridBarrier *, TegulaGpuArena *,
                           const int64_t *, int64_t, int64_t, int64_t, int64_t,
                           int64_t, int64_t, TegulaCallState *, int32_t);
void tegulaGpuAddRowsByAll(TegulaGpuGridBarrier *, TegulaGpuArena *,
                           const int64_t *, int64_t, int64_t, int64_t, int64_t,
                           int64_t, int64_t, TegulaCallState *, int32_t);
}

namespace {

/// `count` rows of `width` elements go to indices of others, by an index for
/// each.
template <typename Element> struct Case {
  std::vector<Element> x, y;
  std::vector<int32_t> indices;
  int64_t count, width, extent;

  Case(int64_t count, int64_t width, int64_t extent)
      : x(count * width), y(extent * width), indices(count), count(count),
        width(width), extent(extent) {
    std::mt19937 random(count + extent);
    for (Element &element : x)
      element = static_cast<Element>(static_cast<int>(random() % 2001) - 1000);
    for (Element &element : y)
      element = static_cast<Element>(random() % 100);
    for (int32_t &index : indices)
      index = static_cast<int32_t>(random() % extent);
  }

  /// With fractions, whose sums are rounded.
  Case &divide() {
    for (Element &element : x)
      element /= 7;
    return *this;
  }

  std::string put(DeviceCall &call, bool adds, DType type) {
    DescribedRows described(width);
    // The rows of the routines are columns here.
    described.add(x.data(), count, 1, width)
        .add(indices.data(), count, 0, 1)
        .add(y.data(), extent, 1, width);
    auto index = static_cast<int64_t>(DType::Int32);
    return call.run([&](TegulaGpuGridBarrier *barrier, TegulaGpuArena *arena,
                        TegulaCallState *state) {
      if (adds)
        tegulaGpuAddRowsByAll(barrier, arena, described.data(), 1,
                              count * width, static_cast<int64_t>(type), index,
                              0, 0, state, 3);
      else
        tegulaGpuPutRowsByAll(barrier, arena, described.data(), 1,
                              count * width, sizeof(Element), index, 0, 0,
                              state, 3);
    });
  }

  std::vector<Element> wanted(bool adds) const {
    std::vector<Element> result = y;
    for (int64_t i = 0; i < count; ++i)
      for (int64_t column = 0; column < width; ++column) {
        Element &element = result[indices[i] * width + column];
        Element next = x[i * width + column];
        element = adds ? static_cast<Element>(element + next) : next;
      }
    return result;
  }
};

template <typename Element>
void expectPut(Case<Element> given, DType type, const DeviceCall &by) {
  for (bool adds : {false, true}) {
    Case<Element> one = given;
    DeviceCall call = by;
    auto wanted = one.wanted(adds);
    ASSERT_EQ(one.put(call, adds, type), "");
    ASSERT_EQ(one.y, wanted)
        << given.count << "x" << given.width << " to " << given.extent << ", "
        << call.blocks << " blocks, adds " << adds;
  }
}

template <typename Element> void expectPuts(DType type) {
  for (int32_t blocks : {1, 3}) {
    for (int64_t extent : {1, 255, 256, 257, 4097})
      for (int64_t count : {0, 33, 300})
        expectPut(Case<Element>(count, 1, extent), type, DeviceCall{blocks});
    // The fewest that are sorted.
    expectPut(Case<Element>(TegulaGpuFewPut + 1, 1, 257), type,
              DeviceCall{blocks});
  }
}

/// More than are scattered directly.
constexpr int64_t many = TegulaGpuFewPut + 3;

} // namespace

TEST(DevicePuts, PutElementsOfAllKinds) {
  expectPuts<float>(DType::FP32);
  expectPuts<int32_t>(DType::Int32);
  expectPuts<int64_t>(DType::Int64);
  expectPuts<uint8_t>(DType::UInt8);
  // The most that are scattered directly.
  expectPut(Case<float>(TegulaGpuFewPut, 1, 257), DType::FP32, DeviceCall{5});
}

TEST(DevicePuts, PutRows) {
  for (int32_t blocks : {1, 5})
    for (int64_t width : {2, 9})
      for (int64_t extent : {1, 3000}) {
        expectPut(Case<float>(many, width, extent), DType::FP32,
                  DeviceCall{blocks});
        expectPut(Case<double>(100, width, extent), DType::FP64,
                  DeviceCall{blocks});
      }
}

TEST(DevicePuts, PutWhatIsInOrder) {
  for (bool isReversed : {false, true}) {
    Case<float> given(many, 1, 600);
    for (int64_t i = 0; i < given.count; ++i) {
      auto index = static_cast<int32_t>(i * given.extent / given.count);
      given.indices[i] =
          isReversed ? static_cast<int32_t>(given.extent) - 1 - index : index;
    }
    expectPut(given, DType::FP32,
              isReversed ? DeviceCall{4} : DeviceCall{2, 256});
  }
}

TEST(DevicePuts, PutWithoutMemory) {
  expectPut(Case<float>(many, 3, 50), DType::FP32, DeviceCall{3, 64, 0});
}

/// Compares what several blocks make of fractions with what one does.
template <typename Element> static void expectSameOfAll(DType type) {
  for (int64_t extent : {1, 3, 5000})
    for (int64_t width : {1, 3}) {
      auto given = Case<Element>(many, width, extent).divide();
      DeviceCall alone{1};
      Case<Element> first = given;
      ASSERT_EQ(first.put(alone, true, type), "");
      for (int32_t blocks : {2, 7}) {
        DeviceCall call{blocks};
        Case<Element> other = given;
        ASSERT_EQ(other.put(call, true, type), "");
        EXPECT_EQ(other.y, first.y);
      }
      auto wanted = given.wanted(true);
      for (size_t i = 0; i < wanted.size(); ++i)
        EXPECT_NEAR(first.y[i], wanted[i], 1e-3 * std::abs(wanted[i]) + 1);
    }
}

// Integers are added up of the first, the second are sorted.
TEST(DevicePuts, RoundTheSameWhoeverAdds) {
  expectSameOfAll<float>(DType::FP32);
}
TEST(DevicePuts, RoundTheSameWhoeverSorts) {
  expectSameOfAll<double>(DType::FP64);
}

TEST(DevicePuts, RoundSumsOfFloatsOnce) {
  for (int64_t width : {1, 3}) {
    auto given = Case<float>(many, width, 40).divide();
    std::vector<double> wanted(given.y.begin(), given.y.end());
    for (int64_t i = 0; i < many; ++i)
      for (int64_t column = 0; column < width; ++column)
        wanted[given.indices[i] * width + column] +=
            given.x[i * width + column];
    DeviceCall call{5};
    ASSERT_EQ(given.put(call, true, DType::FP32), "");
    for (size_t i = 0; i < wanted.size(); ++i)
      EXPECT_FLOAT_EQ(given.y[i], static_cast<float>(wanted[i]));
  }
}

TEST(DevicePuts, KeepTheSignOfZero) {
  Case<float> given(many, 1, 1);
  std::fill(given.x.begin(), given.x.end(), -0.0F);
  given.y[0] = -0.0F;
  DeviceCall call{3};
  ASSERT_EQ(given.put(call, true, DType::FP32), "");
  EXPECT_TRUE(std::signbit(given.y[0]));
}

TEST(DevicePuts, ReportIndicesOutOfRange) {
  for (int64_t count : {int64_t(50), many})
    for (int32_t wrong : {-1, 256}) {
      Case<float> given(count, 2, 256);
      given.indices[count / 2] = wrong;
      DeviceCall call{3};
      auto others = given;
      ASSERT_EQ(given.put(call, true, DType::FP32), "");
      EXPECT_EQ(call.state.error, TegulaIndexOutOfRange);
      EXPECT_EQ(call.state.index, wrong);
      EXPECT_EQ(call.state.extent, 256);
      EXPECT_EQ(call.state.site, 3);
      // The others are where they go.
      others.x[count / 2 * 2] = others.x[count / 2 * 2 + 1] = 0;
      others.indices[count / 2] = 0;
      EXPECT_EQ(given.y, others.wanted(true));
    }
}
