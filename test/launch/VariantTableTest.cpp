// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/call/VariantTable.h"

#include "gtest/gtest.h"
#include <thread>

using namespace tegula;

static float memory[4];

static Parameter openTensor() {
  Parameter parameter;
  parameter.name = "x";
  return parameter;
}

static Signature declared() { return {"f", {openTensor()}}; }

/// A variant for FP32 [rows, columns], either of which is dynamic if negative.
static std::unique_ptr<Variant> makeVariant(int64_t rows, int64_t columns) {
  Parameter parameter = openTensor();
  parameter.dtype = DType::FP32;
  parameter.axes.emplace();
  for (int64_t extent : {rows, columns})
    parameter.axes->push_back(extent < 0 ? Axis{std::nullopt, "x", std::nullopt}
                                         : Axis{extent, "", std::nullopt});
  auto variant = std::make_unique<Variant>();
  EXPECT_FALSE(Guard::create({"f", {parameter}}, variant->guard));
  return variant;
}

TEST(VariantTable, FindsByTypeRankAndExtents) {
  VariantTable table;
  Argument three = TensorView(memory, {1, 3});
  EXPECT_EQ(table.find({three}), nullptr);
  const Variant *added = table.add(makeVariant(1, 3), declared());
  EXPECT_EQ(table.find({three}), added);
  EXPECT_EQ(table.find({TensorView(memory, {1, 2})}), nullptr);
  EXPECT_EQ(table.find({TensorView(memory, {3})}), nullptr);
  EXPECT_EQ(table.find({TensorView(memory, DType::Int32, {1, 3})}), nullptr);
  EXPECT_EQ(table.find({Argument(3)}), nullptr);
}

TEST(VariantTable, KeepsVariantsOfSeveralKinds) {
  VariantTable table;
  const Variant *fixed = table.add(makeVariant(1, 3), declared());
  const Variant *anyRows = table.add(makeVariant(-1, 2), declared());
  EXPECT_EQ(table.find({TensorView(memory, {1, 3})}), fixed);
  EXPECT_EQ(table.find({TensorView(memory, {2, 2})}), anyRows);
  EXPECT_EQ(table.find({TensorView(memory, {0, 2})}), anyRows);
  EXPECT_EQ(table.find({TensorView(memory, {2, 3})}), nullptr);
  EXPECT_EQ(table.list(), (std::vector<const Variant *>{fixed, anyRows}));
}

TEST(VariantTable, TellsConstantsApart) {
  Parameter open;
  open.name = "n";
  open.kind = Parameter::Kind::Scalar;
  open.dtype = DType::Index;
  Signature signature = {"f", {open}};
  VariantTable table;
  std::vector<const Variant *> added;
  for (uint64_t value : {16u, 32u}) {
    auto variant = std::make_unique<Variant>();
    Signature resolved = signature;
    resolved.parameters[0].constant = value;
    ASSERT_FALSE(Guard::create(resolved, variant->guard));
    added.push_back(table.add(std::move(variant), signature));
  }
  EXPECT_EQ(table.find({Argument(16)}), added[0]);
  EXPECT_EQ(table.find({Argument(32)}), added[1]);
  EXPECT_EQ(table.find({Argument(64)}), nullptr);
  EXPECT_EQ(table.find({Argument(16.0)}), nullptr);
}

TEST(VariantTable, FindsWhileOthersAdd) {
  constexpr int count = 1000;
  VariantTable table;
  std::atomic<int> added = 0;
  std::atomic<bool> isWrong = false;
  auto look = [&] {
    while (added < count) {
      int last = added;
      for (int size : {0, last / 2, last - 1}) {
        if (size < 0 || size >= last)
          continue;
        const Variant *variant = table.find({TensorView(memory, {size, 1})});
        isWrong =
            isWrong || !variant ||
            variant->guard.getSignature().parameters[0].axes->at(0).extent !=
                size;
      }
    }
  };
  std::thread first(look), second(look);
  for (int size = 0; size < count; ++size) {
    table.add(makeVariant(size, 1), declared());
    added = size + 1;
  }
  first.join();
  second.join();
  EXPECT_FALSE(isWrong);
}
