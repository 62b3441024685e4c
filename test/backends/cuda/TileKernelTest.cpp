// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/backends/cuda/TileMachine.h"

#include "tegula/launch/gpu/variants/GpuTiles.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace tegula;

namespace {

/// The result and its extents are in the slots.
void put(const int64_t *slots, int32_t row, int32_t column, int32_t left,
         int32_t together, int32_t apart, std::initializer_list<float> sums) {
  auto *result = reinterpret_cast<float *>(slots[0]);
  EXPECT_LT(row, slots[1]);
  EXPECT_EQ(left, slots[2] - column);
  int32_t i = 0;
  for (float sum : sums) {
    int32_t position = i / together * apart + i % together;
    ++i;
    if (position < left)
      result[row * slots[2] + column + position] = sum;
  }
}

} // namespace

extern "C" {
void tegulaTileStoreQuadSingles(const int64_t *slots, int32_t row,
                                int32_t column, int32_t left, float a, float b,
                                float c, float d) {
  put(slots, row, column, left, 4, 4, {a, b, c, d});
}
void tegulaTileStoreQuadGroups(const int64_t *slots, int32_t row,
                               int32_t column, int32_t left, float a, float b,
                               float c, float d) {
  EXPECT_EQ(column % 4, 0);
  put(slots, row, column, left, 4, 4, {a, b, c, d});
}
void tegulaTileStorePairSingles(const int64_t *slots, int32_t row,
                                int32_t column, int32_t left, float a, float b,
                                float c, float d, float e, float f, float g,
                                float h) {
  put(slots, row, column, left, 2, 8, {a, b, c, d, e, f, g, h});
}
void tegulaTileStorePairGroups(const int64_t *slots, int32_t row,
                               int32_t column, int32_t left, float a, float b,
                               float c, float d, float e, float f, float g,
                               float h) {
  EXPECT_EQ(column % 2, 0);
  put(slots, row, column, left, 2, 8, {a, b, c, d, e, f, g, h});
}
}

#include "tegula/backends/cuda/device/tiles/FloatMatmul.cpp"
#undef KERNEL
#include "tegula/backends/cuda/device/tiles/TensorCoreMatmul.cpp"
#include "tegula/backends/cuda/device/tiles/TileCopy.cpp"

namespace {

using TileKernel = void (*)(TegulaTileMatmul);

/// Where the next row or column of an operand is, and the next step of the
/// inner axis.
struct Layout {
  bool isAcross;
  int64_t pad, offset;
};

template <typename Element>
TegulaTileOperand layOut(const std::vector<Element> &dense, int64_t outer,
                         int64_t inner, Layout layout,
                         std::vector<Element> &memory) {
  int64_t width = (layout.isAcross ? outer : inner) + layout.pad;
  int64_t height = layout.isAcross ? inner : outer;
  memory.assign(width * height + layout.offset + 64, Element(99));
  // Where std::vector's memory begins is not at multiples of 64 bytes.
  auto start = reinterpret_cast<uintptr_t>(memory.data());
  Element *first =
      memory.data() + (64 - start % 64) % 64 / sizeof(Element) + layout.offset;
  int64_t outerStride = layout.isAcross ? 1 : width;
  int64_t innerStride = layout.isAcross ? width : 1;
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t j = 0; j < inner; ++j)
      first[i * outerStride + j * innerStride] = dense[i * inner + j];
  auto address = reinterpret_cast<uint64_t>(first);
  int64_t count = (outer - 1) * outerStride + (inner - 1) * innerStride + 1;
  running.operands.push_back({address, address + count * sizeof(Element)});
  return {address, outerStride, innerStride};
}

/// Runs a kernel and compares with FP64, or integers.
template <typename Element, typename Sum, typename Make>
void expectMatmul(TileKernel kernel, GpuOperandType type, const GpuTile &tile,
                  int32_t rows, int32_t columns, int32_t inner, Layout left,
                  Layout right, Make make) {
  std::mt19937 random(rows + columns + inner);
  std::vector<Element> a(rows * inner), b(columns * inner), storeA, storeB;
  std::vector<double> valuesA, valuesB;
  for (auto *part : {&a, &b})
    for (Element &element : *part) {
      double value;
      std::tie(element, value) = make(random);
      (part == &a ? valuesA : valuesB).push_back(value);
    }
  std::vector<float> result(rows * columns, NAN);
  TegulaTileMatmul matmul{};
  running.operands.clear();
  matmul.left = layOut(a, rows, inner, left, storeA);
  matmul.right = layOut(b, columns, inner, right, storeB);
  matmul.rows = rows;
  matmul.columns = columns;
  matmul.inner = inner;
  matmul.slots[0] = reinterpret_cast<int64_t>(result.data());
  matmul.slots[1] = rows;
  matmul.slots[2] = columns;
  int64_t steps = (inner - 1) / getTileDepth(type) + 1;
  GpuTilePlan plan{&tile, tile.countTiles(rows, columns), 1, steps};
  if (steps > 2)
    plan.splits = (steps - 1) / (plan.splitSteps = 2) + 1;
  std::vector<char> partials(plan.getPartialBytes(), 0x7f);
  std::vector<uint32_t> arrivals(plan.tiles);
  matmul.splits = static_cast<int32_t>(plan.splits);
  matmul.splitSteps = static_cast<int32_t>(plan.splitSteps);
  matmul.partials = reinterpret_cast<uint64_t>(partials.data());
  matmul.arrivals = reinterpret_cast<uint64_t>(arrivals.data());
  running.count = static_cast<int32_t>(plan.countBlocks());
  for (running.number = 0; running.number < running.count; ++running.number) {
    std::memset(tegulaTileMemory, 0xff, sizeof(tegulaTileMemory));
    running.run(kernel, matmul, tile.threads);
  }
  int wrong = 0;
  for (int32_t i = 0; i < rows; ++i)
    for (int32_t j = 0; j < columns; ++j) {
      double sum = 0, size = 0;
      for (int32_t k = 0; k < inner; ++k) {
        double term = valuesA[i * inner + k] * valuesB[j * inner + k];
        sum += term;
        size += std::fabs(term);
      }
      Sum found;
      std::memcpy(&found, &result[i * columns + j], 4);
      wrong += !(std::fabs(double(found) - sum) <=
                 (std::is_same_v<Sum, float> ? 1e-6 * size : 0));
    }
  EXPECT_EQ(wrong, 0) << rows << " x " << columns << " x " << inner << ", tile"
                      << tile.getName();
}

struct Sizes {
  int32_t rows, columns, inner;
};
constexpr Sizes sizesOfTests[] = {{1, 1, 1},     {65, 129, 97}, {64, 64, 8},
                                  {63, 130, 33}, {130, 257, 7}, {128, 128, 64},
                                  {257, 3, 40}};

TEST(TileKernel, MultipliesFloatsOfAllLayouts) {
  TileKernel kernels[] = {tegulaTileFp32x128x128, tegulaTileFp32x128x64,
                          tegulaTileFp32x64x64};
  auto make = [](std::mt19937 &random) {
    float value = std::normal_distribution<float>()(random);
    return std::pair<float, double>(value, value);
  };
  const Layout layouts[] = {
      {false, 0, 0}, {true, 0, 0}, {true, 4, 4}, {false, 3, 1}, {true, 3, 1}};
  size_t number = 0;
  for (size_t i = 0; i < 3; ++i)
    for (Sizes size : sizesOfTests) {
      running.areCopiesLate = ++number % 2 == 0;
      expectMatmul<float, float>(kernels[i], GpuOperandType::Fp32,
                                 getTiles(GpuOperandType::Fp32)[i], size.rows,
                                 size.columns, size.inner, layouts[number % 5],
                                 layouts[(number + number / 5) % 5], make);
    }
}

TEST(TileKernel, MultipliesTf32OfAllLayouts) {
  struct Kernels {
    TileKernel along, across;
  } kernels[] = {{tegulaTileTf32Alongx128x256, tegulaTileTf32Acrossx128x256},
                 {tegulaTileTf32Alongx128x128, tegulaTileTf32Acrossx128x128},
                 {tegulaTileTf32Alongx64x64, tegulaTileTf32Acrossx64x64}};
  // What is rounded is as far from the number as half a step, at most.
  auto make = [](std::mt19937 &random) {
    float value = std::normal_distribution<float>()(random), rounded;
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    bits = tiles::roundToTf32(bits);
    std::memcpy(&rounded, &bits, 4);
    EXPECT_LE(std::fabs(value - rounded), std::fabs(value) * 0x1p-11f);
    return std::pair<float, double>(value, rounded);
  };
  const Layout layouts[] = {
      {false, 0, 0}, {true, 0, 0}, {true, 4, 4}, {false, 3, 1}, {true, 3, 1}};
  size_t number = 0;
  for (size_t i = 0; i < 3; ++i)
    for (Sizes size : sizesOfTests)
      for (bool isAcross : {false, true}) {
        running.areCopiesLate = ++number % 2 == 0;
        Layout left = layouts[number % 5];
        Layout right = layouts[(number + number / 5) % 5];
        // Chunks of 16 bytes in some cases.
        if (number % 3 == 0)
          left = {false, (4 - size.inner % 4) % 4, 0};
        if (number % 3 == 1)
          right = {isAcross,
                   (4 - (isAcross ? size.columns : size.inner) % 4) % 4, 4};
        right.isAcross |= isAcross;
        expectMatmul<float, float>(
            isAcross ? kernels[i].across : kernels[i].along,
            GpuOperandType::Tf32, getTiles(GpuOperandType::Tf32)[i], size.rows,
            size.columns, size.inner, left, right, make);
      }
}

template <typename Element, typename Sum, typename Make>
void expectNarrow(const std::array<TileKernel, 3> &kernels, GpuOperandType type,
                  bool isAcross, Make make) {
  constexpr int64_t chunk = 16 / sizeof(Element);
  int number = 0;
  for (size_t i = 0; i < 3; ++i)
    for (Sizes size : sizesOfTests) {
      running.areCopiesLate = ++number % 2 == 0;
      auto padded = [&](int64_t width) {
        return (chunk - width % chunk) % chunk;
      };
      Layout left{false, padded(size.inner), chunk};
      Layout right{isAcross, padded(isAcross ? size.columns : size.inner), 0};
      expectMatmul<Element, Sum>(kernels[i], type, getTiles(type)[i], size.rows,
                                 size.columns, size.inner, left, right, make);
    }
}

TEST(TileKernel, MultipliesBf16) {
  auto make = [](std::mt19937 &random) {
    float value = std::normal_distribution<float>()(random);
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    bits &= 0xffff0000;
    std::memcpy(&value, &bits, 4);
    return std::pair<uint16_t, double>(bits >> 16, value);
  };
  expectNarrow<uint16_t, float>({tegulaTileBf16Acrossx128x256,
                                 tegulaTileBf16Acrossx128x128,
                                 tegulaTileBf16Acrossx64x64},
                                GpuOperandType::Bf16, true, make);
  expectNarrow<uint16_t, float>({tegulaTileBf16Alongx128x256,
                                 tegulaTileBf16Alongx128x128,
                                 tegulaTileBf16Alongx64x64},
                                GpuOperandType::Bf16, false, make);
}

TEST(TileKernel, MultipliesBytes) {
  auto make = [](std::mt19937 &random) {
    auto value = static_cast<int8_t>(random());
    return std::pair<int8_t, double>(value, value);
  };
  expectNarrow<int8_t, int32_t>({tegulaTileInt8Alongx128x256,
                                 tegulaTileInt8Alongx128x128,
                                 tegulaTileInt8Alongx64x64},
                                GpuOperandType::Int8, false, make);
}

template <typename Element>
void expectCopy(void (*kernel)(TegulaTileCopy), int32_t rows, int32_t columns,
                int64_t row, int64_t column) {
  std::vector<Element> source(rows * row + columns * column + 1);
  for (size_t i = 0; i < source.size(); ++i)
    source[i] = static_cast<Element>(i * 7);
  int64_t pitch = (columns + 7) / 4 * 4;
  constexpr Element around = 99;
  std::vector<Element> target(rows * pitch, around);
  TegulaTileCopy numbers{reinterpret_cast<uint64_t>(source.data()),
                         reinterpret_cast<uint64_t>(target.data()),
                         row,
                         column,
                         pitch,
                         rows,
                         columns};
  running.count = 2;
  for (running.number = 0; running.number < running.count; ++running.number)
    running.run(kernel, numbers);
  int wrong = 0;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < pitch; ++j)
      wrong += target[i * pitch + j] !=
               (j < columns ? source[i * row + j * column] : around);
  EXPECT_EQ(wrong, 0) << rows << " x " << columns;
}

TEST(TileKernel, CopiesMatricesOfAnyStrides) {
  for (auto [rows, columns] :
       {std::pair(1, 1), {64, 64}, {65, 130}, {200, 3}}) {
    expectCopy<uint8_t>(tegulaTileCopyBytes, rows, columns, columns + 1, 1);
    expectCopy<uint8_t>(tegulaTileCopyBytes, rows, columns, 1, rows + 3);
    expectCopy<uint8_t>(tegulaTileCopyBytes, rows, columns, 1,
                        (rows + 3) / 4 * 4);
    expectCopy<uint16_t>(tegulaTileCopyHalves, rows, columns, 2 * columns, 2);
    expectCopy<uint16_t>(tegulaTileCopyHalves, rows, columns, 1, rows);
  }
}

/// All values of FP8, copied to FP16 from a column.
std::vector<float> convertAll(void (*kernel)(TegulaTileCopy)) {
  constexpr int32_t count = 256;
  std::vector<uint8_t> source(count);
  for (int32_t i = 0; i < count; ++i)
    source[i] = static_cast<uint8_t>(i);
  std::vector<uint16_t> target(count);
  TegulaTileCopy numbers{reinterpret_cast<uint64_t>(source.data()),
                         reinterpret_cast<uint64_t>(target.data()),
                         1,
                         1,
                         1,
                         count,
                         1};
  running.number = 0;
  running.count = 1;
  running.run(kernel, numbers);
  std::vector<float> values;
  for (uint16_t bits : target)
    values.push_back(
        static_cast<float>(tiles::valueOf<tiles::OperandType::Fp16>(bits, 0)));
  return values;
}

TEST(TileKernel, CopiesFp8ToFp16WithAllItsValues) {
  std::vector<float> small = convertAll(tegulaTileCopyFp8E4M3FN);
  std::vector<float> large = convertAll(tegulaTileCopyFp8E5M2);
  for (int bits = 0; bits < 256; ++bits) {
    float sign = bits < 128 ? 1.0f : -1.0f;
    int exponent = bits >> 3 & 15, rest = bits & 7;
    float value = exponent == 0 ? std::ldexp(float(rest), -9)
                                : std::ldexp(float(8 + rest), exponent - 10);
    if ((bits & 127) == 127)
      EXPECT_TRUE(std::isnan(small[bits]));
    else
      EXPECT_EQ(small[bits], sign * value) << bits;
    exponent = bits >> 2 & 31;
    rest = bits & 3;
    value = exponent == 0 ? std::ldexp(float(rest), -16)
                          : std::ldexp(float(4 + rest), exponent - 17);
    if (exponent == 31)
      EXPECT_TRUE(rest == 0 ? std::isinf(large[bits])
                            : std::isnan(large[bits]));
    else
      EXPECT_EQ(large[bits], sign * value) << bits;
  }
}

} // namespace
