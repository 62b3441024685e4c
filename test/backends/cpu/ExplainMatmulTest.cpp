// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/matmul/ExplainMatmul.h"

#include "mlir/IR/BuiltinTypes.h"
#include "gtest/gtest.h"

using namespace tegula;

namespace {

class ExplainMatmul : public testing::Test {
protected:
  std::string explain(MatmulExtents extents, int64_t threads = 1) {
    options.vectorBits = 512;
    mlir::Type f32 = mlir::Float32Type::get(&context);
    return explainMatmul({{f32}, {f32}, f32, options}, extents, threads);
  }

  mlir::MLIRContext context;
  CpuOptions options;
};

} // namespace

TEST_F(ExplainMatmul, SaysWhatIsCopied) {
  EXPECT_EQ(explain({1024, 1024, 1024}),
            "packs the rhs: 1024 x 1024 is read by 128 strips of up "
            "to 8 rows; reads the lhs where it lies: its rows are 4096 "
            "bytes apart; blocks of 480 columns, 1024 deep; one thread");
  EXPECT_EQ(explain({100, 96, 100}),
            "reads the rhs where it lies: 100 x 96 is read by 13 "
            "strips of up to 8 rows; reads the lhs where it lies: its "
            "rows are 400 bytes apart; blocks of 48 columns, 100 deep; one "
            "thread");
}

TEST_F(ExplainMatmul, SaysWhatIsDoneWithTheLastColumns) {
  EXPECT_TRUE(llvm::StringRef(explain({61, 67, 71}))
                  .contains("71 deep; multiplies rows with the last 3 columns "
                            "along the inner axis"));
  EXPECT_TRUE(llvm::StringRef(explain({61, 65, 71}))
                  .contains("with the last column along the inner axis"));
  for (MatmulExtents others :
       {MatmulExtents{61, 69, 71}, {61, 64, 71}, {8, 65, 71}, {61, 67, 20}})
    EXPECT_FALSE(llvm::StringRef(explain(others)).contains("the last"));
}

TEST_F(ExplainMatmul, SaysTheLayoutOfTheLhs) {
  EXPECT_TRUE(llvm::StringRef(explain({100, 96, 100, /*transposeLhs=*/true}))
                  .contains("copies the lhs: it lies column by column"));
}

TEST_F(ExplainMatmul, SaysTheLayoutsOfACall) {
  MatmulExtents gaps{100, 96, 100};
  gaps.lhs = {1000, 1};
  EXPECT_TRUE(
      llvm::StringRef(explain(gaps)).contains("its rows are 4000 bytes apart"));
  gaps.lhs = {200, 2};
  EXPECT_TRUE(
      llvm::StringRef(explain(gaps))
          .contains("copies the lhs: its columns lie 2 elements apart"));
  // Transposed, it is multiplied row by row.
  MatmulExtents transposed{100, 96, 100, /*transposeLhs=*/true};
  transposed.lhs = {1, 100};
  EXPECT_TRUE(llvm::StringRef(explain(transposed))
                  .contains("its rows are 400 bytes apart"));
}

TEST_F(ExplainMatmul, SaysWhoSharesWhat) {
  EXPECT_TRUE(llvm::StringRef(explain({64, 4096, 512}, 2))
                  .ends_with("2 threads share the columns"));
  EXPECT_TRUE(llvm::StringRef(explain({4096, 64, 512}, 2))
                  .ends_with("2 threads share the rows"));
  EXPECT_TRUE(llvm::StringRef(explain({32, 96, 16384}, 8))
                  .ends_with("8 threads share 4 chunks of the rows and 2 of "
                             "the columns"));
  EXPECT_TRUE(llvm::StringRef(explain({32, 32, 32}, 2))
                  .ends_with("one thread, for there is too little"));
}

TEST_F(ExplainMatmul, NamesNarrowVariants) {
  EXPECT_EQ(explain({1, 4096, 1024}),
            "reads the rhs once, row by row, for there are few rows: "
            "1");
  EXPECT_EQ(explain({4, 4096, 1024}),
            "reads 96 columns of the rhs at a time, for there are few "
            "rows: 4; one thread");
  EXPECT_EQ(explain({4096, 2, 512}),
            "multiplies rows with each column along the inner axis, for there "
            "are few columns: 2");
  EXPECT_EQ(explain({4, 4096, 1024, /*transposeLhs=*/false,
                     /*transposeRhs=*/true}),
            "multiplies rows with columns in place, for there are few rows: "
            "4");
}

TEST_F(ExplainMatmul, ObeysOptions) {
  options.tuning.packs = Decision::Never;
  EXPECT_TRUE(llvm::StringRef(explain({1024, 1024, 1024}))
                  .starts_with("reads the rhs where it lies"));
}
