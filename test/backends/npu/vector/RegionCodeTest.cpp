// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the code of regions computes, on an emulated core.

#include "tegula/backends/npu/vector/RowFunction.h"
#include "test/backends/npu/vector/RegionText.h"
#include "test/backends/npu/vector/RowProgram.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

using namespace tegula;

template <typename T> using Values = std::vector<T>;

/// Around the ends of vectors of `elements`.
static Values<size_t> sizesAround(size_t elements) {
  return {0, 1, elements - 1, elements, elements + 1, 2 * elements + 37};
}

template <typename T>
static Values<T> randomNumbers(size_t count, double low, double high) {
  static std::mt19937 random(7);
  std::uniform_real_distribution<double> distribution(low, high);
  Values<T> numbers;
  for (size_t index = 0; index < count; ++index)
    numbers.push_back(static_cast<T>(distribution(random)));
  return numbers;
}

static std::string problemOf(Error error) {
  return llvm::toString(std::move(error));
}

/// Compiles `text` and runs `use` for each number of registers to a vector,
/// with the elements of a vector.
static void forEachCode(
    const std::string &text, unsigned widestBits,
    llvm::function_ref<void(const RegionCode &, unsigned, size_t)> use) {
  Expected<std::shared_ptr<const VectorCore>> core =
      VectorCore::find("sifive-x280");
  ASSERT_TRUE(bool(core)) << problemOf(core.takeError());
  Region region(text);
  auto row = makeRowFunction(region.get());
  ASSERT_TRUE(bool(row)) << problemOf(row.takeError());
  Expected<RegionCode> code = RegionCode::make(**row, **core);
  ASSERT_TRUE(bool(code)) << problemOf(code.takeError());
  for (unsigned lmul : code->getChoices())
    use(*code, lmul, lmul * (*core)->getRegisterBits() / widestBits);
}

static const VectorCore &getCore() {
  static std::shared_ptr<const VectorCore> core =
      llvm::cantFail(VectorCore::find("sifive-x280"));
  return *core;
}

/// Where the numbers of one call lie.
template <typename In> struct Call {
  Values<Values<In>> inputs;
  size_t output;
  size_t count;
};

/// Compares an elementwise region with `reference` at sizes around the ends of
/// vectors; what lies behind a row stays as it was.
template <typename In, typename Out>
static void checkElements(const std::string &text, unsigned widestBits,
                          unsigned numInputs, double low, double high,
                          std::function<Out(const Values<In> &)> reference,
                          double tolerance) {
  forEachCode(
      text, widestBits,
      [&](const RegionCode &code, unsigned lmul, size_t elements) {
        RowProgram program;
        std::vector<Call<In>> calls;
        const Out untouched(42);
        for (size_t count : sizesAround(elements)) {
          Call<In> call;
          Values<size_t> addresses;
          for (unsigned input = 0; input < numInputs; ++input) {
            call.inputs.push_back(randomNumbers<In>(count, low, high));
            addresses.push_back(program.store(call.inputs.back()));
          }
          call.output = program.store(Values<Out>(count + 8, untouched));
          call.count = count;
          addresses.push_back(call.output);
          program.call(addresses, count);
          calls.push_back(call);
        }
        ASSERT_EQ(problemOf(program.run(code, lmul, getCore())), "");
        for (const Call<In> &call : calls) {
          for (size_t index = 0; index < call.count; ++index) {
            Values<In> values;
            for (const Values<In> &input : call.inputs)
              values.push_back(input[index]);
            double expected = reference(values);
            EXPECT_NEAR(program.read<Out>(call.output, index), expected,
                        tolerance * std::max(1.0, std::abs(expected)))
                << "element " << index << " of " << call.count << ", lmul "
                << lmul;
          }
          EXPECT_EQ(program.read<Out>(call.output, call.count), untouched);
        }
      });
}

/// Compares what rows of FP32 come to with `reference`; `spoil` changes a row
/// first.
static void
checkRows(const std::string &text,
          const std::function<float(float, const Values<float> &)> &reference,
          const std::function<void(Values<float> &)> &spoil = {}) {
  forEachCode(text, 32,
              [&](const RegionCode &code, unsigned lmul, size_t elements) {
                RowProgram program;
                std::vector<Call<float>> calls;
                const float start = 0.5;
                for (size_t count : sizesAround(elements)) {
                  Values<float> numbers = randomNumbers<float>(count, -8, 8);
                  if (spoil)
                    spoil(numbers);
                  Call<float> call{{numbers}, 0, count};
                  size_t input = program.store(numbers);
                  call.output = program.store(Values<float>{start});
                  program.call({input, call.output}, count);
                  calls.push_back(call);
                }
                ASSERT_EQ(problemOf(program.run(code, lmul, getCore())), "");
                for (const Call<float> &call : calls) {
                  float expected = reference(start, call.inputs[0]);
                  float found = program.read<float>(call.output, 0);
                  if (std::isnan(expected))
                    EXPECT_TRUE(std::isnan(found)) << call.count;
                  else
                    EXPECT_NEAR(found, expected, 1e-4)
                        << call.count << ", lmul " << lmul;
                }
              });
}

static float roundToBf16(float number) {
  uint32_t bits;
  std::memcpy(&bits, &number, 4);
  bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
  std::memcpy(&number, &bits, 4);
  return number;
}

TEST(RegionCode, Adds) {
  checkElements<float, float>(
      regionText({{matrix, "f32"}, {matrix, "f32"}, {matrix, "f32"}},
                 "%s = arith.addf %0, %1 : f32\n linalg.yield %s : f32",
                 elementwise),
      32, 2, -100, 100, [](auto &x) { return x[0] + x[1]; }, 0);
}

TEST(RegionCode, AddsBytes) {
  checkElements<int8_t, int8_t>(
      regionText({{matrix, "i8"}, {matrix, "i8"}, {matrix, "i8"}},
                 "%s = arith.addi %0, %1 : i8\n linalg.yield %s : i8",
                 elementwise),
      8, 2, -128, 127, [](auto &x) { return int8_t(x[0] + x[1]); }, 0);
}

TEST(RegionCode, ComputesExp) {
  checkElements<float, float>(
      regionText({{matrix, "f32"}, {matrix, "f32"}},
                 "%e = math.exp %0 : f32\n linalg.yield %e : f32", elementwise),
      32, 1, -20, 20, [](auto &x) { return std::exp(x[0]); }, 1e-6);
}

TEST(RegionCode, ComputesSilu) {
  checkElements<float, float>(
      regionText({{matrix, "f32"}, {matrix, "f32"}},
                 "%one = arith.constant 1.0 : f32\n"
                 "%n = arith.negf %0 : f32\n %e = math.exp %n : f32\n"
                 "%d = arith.addf %e, %one : f32\n"
                 "%q = arith.divf %0, %d : f32\n linalg.yield %q : f32",
                 elementwise),
      32, 1, -20, 20, [](auto &x) { return x[0] / (1 + std::exp(-x[0])); },
      1e-6);
}

TEST(RegionCode, ComparesAndSelects) {
  checkElements<float, float>(
      regionText({{matrix, "f32"}, {matrix, "f32"}, {matrix, "f32"}},
                 "%c = arith.cmpf ogt, %0, %1 : f32\n"
                 "%h = arith.constant -3.0 : f32\n"
                 "%s = arith.select %c, %0, %h : f32\n linalg.yield %s : f32",
                 elementwise),
      32, 2, -5, 5, [](auto &x) { return x[0] > x[1] ? x[0] : -3; }, 0);
}

TEST(RegionCode, RoundsToBf16) {
  // The bits as a number say as much as the number.
  checkElements<float, uint16_t>(
      regionText({{matrix, "f32"}, {matrix, "bf16"}},
                 "%t = arith.truncf %0 : f32 to bf16\n linalg.yield %t : bf16",
                 elementwise),
      32, 1, -9, 9,
      [](auto &x) {
        float rounded = roundToBf16(x[0]);
        uint32_t bits;
        std::memcpy(&bits, &rounded, 4);
        return uint16_t(bits >> 16);
      },
      0);
}

TEST(RegionCode, FindsTheSumOfARow) {
  checkRows(regionText({{matrix, "f32"}, {column, "f32"}},
                       "%s = arith.addf %1, %0 : f32\n linalg.yield %s : f32",
                       ofRows),
            [](float start, const Values<float> &row) {
              double sum = start;
              for (float number : row)
                sum += number;
              return float(sum);
            });
}

TEST(RegionCode, FindsTheLargestOfARow) {
  std::string text = regionText(
      {{matrix, "f32"}, {column, "f32"}},
      "%s = arith.maximumf %1, %0 : f32\n linalg.yield %s : f32", ofRows);
  auto largest = [](float start, const Values<float> &row) {
    for (float number : row)
      start = number > start || std::isnan(number) ? number : start;
    return start;
  };
  checkRows(text, largest);
  // NaN is the largest, wherever it stands.
  checkRows(
      text,
      [](float start, const Values<float> &row) {
        return row.empty() ? start : std::numeric_limits<float>::quiet_NaN();
      },
      [](Values<float> &row) {
        if (!row.empty())
          row[row.size() / 2] = std::numeric_limits<float>::quiet_NaN();
      });
}

TEST(RegionCode, LeavesOutNan) {
  checkRows(
      regionText({{matrix, "f32"}, {column, "f32"}},
                 "%s = arith.minnumf %1, %0 : f32\n linalg.yield %s : f32",
                 ofRows),
      [](float start, const Values<float> &row) {
        for (float number : row)
          start = std::fmin(start, number);
        return start;
      },
      [](Values<float> &row) {
        if (row.size() > 1)
          row[row.size() / 2] = std::numeric_limits<float>::quiet_NaN();
      });
}

TEST(RegionCode, ReadsSharedStridedAndCountedElements) {
  // a[2 * i] - b + i: one element lies between two.
  std::string text = regionText(
      {{matrix, "f32", ", strided<[?, ?]>"}, {column, "f32"}, {matrix, "f32"}},
      "%i = linalg.index 1 : index\n %j = arith.index_cast %i : index to i32\n"
      "%k = arith.sitofp %j : i32 to f32\n %d = arith.subf %0, %1 : f32\n"
      "%s = arith.addf %d, %k : f32\n linalg.yield %s : f32",
      elementwise);
  forEachCode(
      text, 32, [&](const RegionCode &code, unsigned lmul, size_t elements) {
        size_t count = elements + 3;
        Values<float> numbers = randomNumbers<float>(2 * count, -100, 100);
        RowProgram program;
        size_t source = program.store(numbers);
        size_t shared = program.store(Values<float>{0.25});
        size_t target = program.store(Values<float>(count, 0));
        program.call({source, shared, target}, {1, count});
        ASSERT_EQ(problemOf(program.run(code, lmul, getCore())), "");
        for (size_t index = 0; index < count; ++index)
          EXPECT_EQ(program.read<float>(target, index),
                    numbers[2 * index] - 0.25f + float(index));
      });
}

TEST(RegionCode, AddsToARowThatIsThere) {
  // The outer loop is reduced: what it came to so far is a row.
  std::string text = regionText(
      {{matrix, "i64"}, {row, "i64"}},
      "%s = arith.addi %1, %0 : i64\n linalg.yield %s : i64", ofColumns);
  forEachCode(
      text, 64, [&](const RegionCode &code, unsigned lmul, size_t elements) {
        size_t count = elements + 1;
        Values<int64_t> numbers = randomNumbers<int64_t>(count, -1e15, 1e15);
        RowProgram program;
        size_t source = program.store(numbers);
        size_t target = program.store(Values<int64_t>(count, 5));
        program.call({source, target}, count);
        program.call({source, target}, count);
        ASSERT_EQ(problemOf(program.run(code, lmul, getCore())), "");
        for (size_t index = 0; index < count; ++index)
          EXPECT_EQ(program.read<int64_t>(target, index),
                    5 + 2 * numbers[index]);
      });
}
