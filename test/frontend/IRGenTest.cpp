// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels become: windows, types, loops over tiles, calls.
#include "test/frontend/KernelSource.h"

using namespace tegula;

TEST(IRGen, BindsEverySymbolOnceWithAllItsAxes) {
  std::string ir = generate("    out[:] = x\n");
  expectInOrder(ir, {"@k(%arg0: !pl.tensor<[?, 128], f32> {pl.dir = "
                     "#pl.dir<in>, pl.name = \"x\"}",
                     "#pl.dir<out>, pl.name = \"out\"", "#pl.kind<entry>",
                     "pl.bind \"M\" %arg0[0], %arg1[0]", "pl.load %arg0",
                     "pl.store %0, %arg1"});
}

TEST(IRGen, GivesSlicesTheSizeTheyAreWrittenWith) {
  for (const char *slice :
       {"i:i + T", "i:T + i", "i * 1:i * 1 + 64", "i + 3 - 3:i + T"}) {
    std::string ir = generate("    for i in range(0, M, T):\n        out[" +
                              std::string(slice) + "] = x[" + slice + "]\n");
    expectInOrder(ir, {"[%c64, %c128] : <[?, 128], f32> -> <[upto 64, 128], "
                       "f32>",
                       "pl.store"});
  }
  expectInOrder(
      generate("    for i in range(M // T):\n"
               "        out[i * T:(i + 1) * T] = x[i * T:i * T + T]\n"),
      {"<[upto 64, 128], f32>", "<[upto 64, 128], f32>"});
}

TEST(IRGen, CountsNegativePositionsFromTheEnd) {
  expectInOrder(generate("    out[0:1] = x[-2:-1]\n"),
                {"arith.addi %M, %c-2", "[%c1, %c128]"});
  expectInOrder(generate("    out[0, -1] = x[-1, 0]\n"),
                {"arith.addi %M, %c-1", "pl.read", "%arg1[%c0, %c127]"});
}

TEST(IRGen, DropsAxesThatAreIndexed) {
  expectInOrder(generate("    out[3] = x[5]\n"),
                {"drop [0] : <[?, 128], f32> -> <[128], f32>", "pl.store"});
  expectInOrder(generate("    out[..., 0] = x[..., 7]\n"),
                {"drop [1] : <[?, 128], f32> -> <[?], f32>"});
}

TEST(IRGen, LoadsViewsWhereTheyAreUsed) {
  expectInOrder(generate("    v = x[0:8]\n    out[0:8] = 0.0\n"
                         "    out[8:16] = v\n"),
                {"pl.slice %arg0", "pl.store", "pl.load", "pl.store"});
}

TEST(IRGen, BroadcastsAsNumPyDoes) {
  std::string ir = generate(R"(@pl.jit
def k(x: pl.Tensor[[M, K], pl.FP32], g: pl.Tensor[[K], pl.FP32], out: pl.Out[pl.Tensor[[M, K], pl.FP32]]):
    out[:] = x * g + pl.row_sum(x) * 2.0
)");
  expectInOrder(ir, {"pl.broadcast", "<[?], f32> -> <[?, ?], f32>", "pl.mul",
                     "pl.reduce  sum", "pl.full %cst, [%M, %c1]",
                     "<[?, 1], f32> -> <[?, ?], f32>", "pl.add"});
}

TEST(IRGen, PromotesElementsAndAdoptsScalars) {
  std::string ir = generate(R"(@pl.jit
def k(a: pl.Tensor[[M], pl.INT8], b: pl.Tensor[[M], pl.FP16], s: pl.FP32, out: pl.Out[pl.Tensor[[M], pl.FP16]]):
    out[:] = a + b * s + 1
)");
  expectInOrder(ir, {"pl.cast %arg2  none : f32 -> f16", "pl.mul",
                     "!pl.tile<[?], i8> -> !pl.tile<[?], f16>",
                     "arith.constant 1.000000e+00 : f16", "pl.store"});
}

TEST(IRGen, CarriesTilesWithTheExtentsTheyMayHave) {
  std::string ir = generate("    acc = pl.full([8, 128], pl.FP32, 0.0)\n"
                            "    for i in range(0, M, 8):\n"
                            "        acc = acc + x[i:i + 8]\n"
                            "    out[0:8] = acc\n");
  expectInOrder(ir, {"pl.relax %0 : <[8, 128], f32> -> <[upto 8, 128], f32>",
                     "iter_args", "-> (!pl.tile<[upto 8, 128], f32>)"});
}

TEST(IRGen, KnowsExtentsThatGoAroundALoop) {
  std::string ir = generate("    s = pl.full([M, 1], pl.FP32, 0.0)\n"
                            "    for k in range(0, 128, T):\n"
                            "        s = s + pl.row_sum(x[:, k:k + T])\n"
                            "    out[:] = x / s\n");
  expectInOrder(ir, {"-> (!pl.tile<[?, 1], f32>)", "pl.div"});
}

TEST(IRGen, GivesNumbersTheTypeTheyHaveInALoop) {
  std::string ir = generate(R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP64], out: pl.Out[pl.Tensor[[M], pl.FP64]]):
    s = 0
    for i in range(M):
        s = s + x[i]
    out[0] = s
)");
  expectInOrder(ir, {"arith.constant 0.000000e+00 : f64", "iter_args",
                     "-> (f64)", "pl.add", "f64, f64"});
}

TEST(IRGen, HandsOutWhatARegionChanges) {
  std::string ir = generate("    t = x[0:8] + 1.0\n"
                            "    with pl.at(level=pl.Level.CORE_GROUP):\n"
                            "        hidden = t * 2.0\n"
                            "        t = hidden + 1.0\n"
                            "    out[0:8] = t\n");
  expectInOrder(ir, {"= pl.at  core_group -> !pl.tile<[upto 8, 128], f32>",
                     "pl.yield", "pl.store"});
}

TEST(IRGen, ReplacesPartsOfTiles) {
  std::string ir = generate("    t = x[0:8, 0:16] * 1.0\n"
                            "    t[0:4, 0:2] = 3.0\n"
                            "    t[1, 2] = t[0, 0]\n"
                            "    t[2] = t[3]\n"
                            "    out[0:8, 0:16] = t\n");
  expectInOrder(ir, {"pl.insert", "pl.read", "pl.insert", "pl.window",
                     "pl.reshape", "pl.insert"});
}

TEST(IRGen, AccumulatesMatmuls) {
  std::string ir = generate(R"(@pl.jit
def k(a: pl.Tensor[[M, K], pl.FP16], b: pl.Tensor[[64, K], pl.FP16], c: pl.Out[pl.Tensor[[M, 64], pl.FP16]]):
    for m in pl.parallel(0, M, 32):
        acc = pl.full([32, 64], pl.FP32, 0.0)
        for k in range(0, K, T):
            acc = pl.matmul_acc(acc, a[m:m + 32, k:k + T], b[:, k:k + T], b_trans=True, init_cond=(k == 0))
        c[m:m + 32] = pl.cast(acc, pl.FP16, mode="rint")
)");
  expectInOrder(ir, {"pl.parallel", "scf.for", "arith.cmpi eq", "scf.if",
                     "pl.matmul", "acc", "{transpose_rhs}", "pl.cast", "rint",
                     "pl.store"});
}

TEST(IRGen, LetsMatmulsRoundOperands) {
  std::string ir = generate(
      "    a = pl.matmul(x, x, b_trans=True, precision=\"tf32\")\n"
      "    a = pl.matmul_acc(a, x, x, b_trans=True, precision=\"tf32\")\n"
      "    a = a + pl.einsum(\"ik,jk->ij\", x, x, precision=\"tf32\")\n"
      "    b = pl.batch_matmul(x, x, b_trans=True, precision=\"exact\") + a\n"
      "    c = pl.gemv(x[0:1], x[0:128], precision=\"tf32\")\n"
      "    out[0:1] = c + pl.matmul_bias(b[0:1, 0:128], x[0:128], c, "
      "precision=\"tf32\")\n");
  expectInOrder(ir, {"pl.matmul", "tf32 {transpose_rhs}", "acc", "tf32",
                     "pl.matmul", "tf32", "pl.matmul", "pl.matmul", "tf32",
                     "pl.matmul", "tf32"});
  size_t count = 0;
  for (size_t at = 0; (at = ir.find("tf32", at)) != ir.npos; ++at)
    ++count;
  EXPECT_EQ(count, 5u);
}

TEST(IRGen, LoadsTheValidPartAndFillsUpToTheShape) {
  std::string ir =
      generate("    t = pl.load(x, [0, 0], [16, 128], valid_shape=[M, 128])\n"
               "    u = pl.fillpad(t, pad=pl.PadValue.min)\n"
               "    pl.store(u, [0, 0], out)\n");
  expectInOrder(ir,
                {"arith.minsi %M, %c16", "<[upto 16, 128], f32>", "0xFF800000",
                 "pl.fillpad", "pl.store", "<[16, 128], f32>"});
}

TEST(IRGen, TakesConstantBranchesOnly) {
  std::string ir = generate("    if T == 64:\n        out[:] = x\n"
                            "    else:\n        out[:] = undefined\n");
  EXPECT_EQ(ir.find("scf.if"), std::string::npos);
}
