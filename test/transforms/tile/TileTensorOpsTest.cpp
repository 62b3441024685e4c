// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs mean the same before and after tiling, at every size.

#include "tegula/transforms/tile/TileTensorOps.h"
#include "tegula/ir/interpreter/Interpreter.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace tegula;

namespace {

struct Program {
  const char *name;
  const char *body;
};

void PrintTo(const Program &program, std::ostream *stream) {
  *stream << program.name;
}

/// Bodies over x: MxN, w: NxK, v: 1xN, y: MxN, z: MxK, all FP32, extents M, N,
/// K.
const Program programs[] = {
    {"Elementwise", R"(
      %a = pl.exp %t : !pl.tile<[?, ?], f32>
      %b = pl.add %a, %t : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      pl.store %b, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"Softmax", R"(
      %m = pl.reduce max %t axis 1 : !pl.tile<[?, ?], f32>
      %mb = pl.broadcast %m, [%M, %N] : !pl.tile<[?, 1], f32> -> !pl.tile<[?, ?], f32>
      %s = pl.sub %t, %mb : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      %e = pl.exp %s : !pl.tile<[?, ?], f32>
      %q = pl.reduce sum %e axis 1 : !pl.tile<[?, ?], f32>
      %qb = pl.broadcast %q, [%M, %N] : !pl.tile<[?, 1], f32> -> !pl.tile<[?, ?], f32>
      %r = pl.div %e, %qb : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      pl.store %r, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    // Rows that are reduced, by blocks; what is expensive is kept.
    {"Rows", R"(
      pl.parallel %i = %c0 to %M step %c4 {
        %b0 = pl.slice %x[%i, %c0] [%c4, %N] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[upto 4, ?], f32>
        %b1 = pl.slice %y[%i, %c0] [%c4, %N] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[upto 4, ?], f32>
        %rows = pl.dim %b1[0] : !pl.tensor<[upto 4, ?], f32>
        %b = pl.load %b0 : !pl.tensor<[upto 4, ?], f32>
        %m = pl.reduce max %b axis 1 : !pl.tile<[upto 4, ?], f32>
        %mb = pl.broadcast %m, [%rows, %N] : !pl.tile<[upto 4, 1], f32> -> !pl.tile<[upto 4, ?], f32>
        %s = pl.sub %b, %mb : !pl.tile<[upto 4, ?], f32>, !pl.tile<[upto 4, ?], f32>
        %e = pl.exp %s : !pl.tile<[upto 4, ?], f32>
        %q = pl.reduce sum %e axis 1 : !pl.tile<[upto 4, ?], f32>
        %qb = pl.broadcast %q, [%rows, %N] : !pl.tile<[upto 4, 1], f32> -> !pl.tile<[upto 4, ?], f32>
        %r = pl.add %e, %qb : !pl.tile<[upto 4, ?], f32>, !pl.tile<[upto 4, ?], f32>
        pl.store %r, %b1 : !pl.tile<[upto 4, ?], f32>, !pl.tensor<[upto 4, ?], f32>
      })"},
    // The same where nothing is kept, and each row is written over.
    {"RowsInPlace", R"(
      pl.store %t, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>
      pl.parallel %i = %c0 to %M step %c4 {
        %b0 = pl.slice %y[%i, %c0] [%c4, %N] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[upto 4, ?], f32>
        %b1 = pl.slice %y[%i, %c0] [%c4, %N] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[upto 4, ?], f32>
        %rows = pl.dim %b1[0] : !pl.tensor<[upto 4, ?], f32>
        %b = pl.load %b0 : !pl.tensor<[upto 4, ?], f32>
        %m = pl.reduce max %b axis 1 : !pl.tile<[upto 4, ?], f32>
        %mb = pl.broadcast %m, [%rows, %N] : !pl.tile<[upto 4, 1], f32> -> !pl.tile<[upto 4, ?], f32>
        %s = pl.sub %b, %mb : !pl.tile<[upto 4, ?], f32>, !pl.tile<[upto 4, ?], f32>
        %e = pl.neg %s : !pl.tile<[upto 4, ?], f32>
        %q = pl.reduce sum %e axis 1 : !pl.tile<[upto 4, ?], f32>
        %qb = pl.broadcast %q, [%rows, %N] : !pl.tile<[upto 4, 1], f32> -> !pl.tile<[upto 4, ?], f32>
        %r = pl.add %e, %qb : !pl.tile<[upto 4, ?], f32>, !pl.tile<[upto 4, ?], f32>
        pl.store %r, %b1 : !pl.tile<[upto 4, ?], f32>, !pl.tensor<[upto 4, ?], f32>
      })"},
    // The sum of a row alone is no row.
    {"SumsOfRows", R"(
      pl.parallel %i = %c0 to %M step %c4 {
        %b0 = pl.slice %x[%i, %c0] [%c4, %N] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[upto 4, ?], f32>
        %b1 = pl.slice %y[%i, %c0] [%c4, %c1] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[upto 4, upto 1], f32>
        %b = pl.load %b0 : !pl.tensor<[upto 4, ?], f32>
        %q = pl.reduce sum %b axis 1 : !pl.tile<[upto 4, ?], f32>
        %r = pl.neg %q : !pl.tile<[upto 4, 1], f32>
        pl.store %r, %b1 : !pl.tile<[upto 4, 1], f32>, !pl.tensor<[upto 4, upto 1], f32>
      })"},
    // A row reads rows that were written before, so it cannot be done in place.
    {"RowsOfAnother", R"(
      pl.store %t, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>
      %below = arith.subi %M, %c1 : index
      %top = arith.maxsi %below, %c0 : index
      %from = pl.slice %y[%c0, %c0] [%top, %N] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[?, ?], f32>
      %to = pl.slice %y[%c1, %c0] [%top, %N] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[?, ?], f32>
      %b = pl.load %from : !pl.tensor<[?, ?], f32>
      %m = pl.reduce sum %b axis 1 : !pl.tile<[?, ?], f32>
      %mb = pl.broadcast %m, [%top, %N] : !pl.tile<[?, 1], f32> -> !pl.tile<[?, ?], f32>
      pl.store %mb, %to : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"ColumnReduction", R"(
      %m = pl.reduce sum %t axis 0 : !pl.tile<[?, ?], f32>
      %mb = pl.broadcast %m, [%M, %N] : !pl.tile<[1, ?], f32> -> !pl.tile<[?, ?], f32>
      %s = pl.sub %t, %mb : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      pl.store %s, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    // Columns as rows, as far as there is room.
    {"Transposed", R"(
      %least = arith.minsi %M, %N : index
      %to = pl.slice %y[%c0, %c0] [%least, %least] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[?, ?], f32>
      %from = pl.slice %x[%c0, %c0] [%least, %least] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[?, ?], f32>
      %b = pl.load %from : !pl.tensor<[?, ?], f32>
      %tt = pl.transpose %b [1, 0] : !pl.tile<[?, ?], f32>
      pl.store %tt, %to : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"FullReduction", R"(
      %m = pl.reduce sum %t axis 0 : !pl.tile<[?, ?], f32>
      %n = pl.reduce sum %m axis 1 : !pl.tile<[1, ?], f32>
      %e = pl.read %n[%c0, %c0] : !pl.tile<[1, 1], f32>
      %f = pl.full %e, [%M, %N] : f32 -> !pl.tile<[?, ?], f32>
      pl.store %f, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"Matmul", R"(
      %u = pl.load %w : !pl.tensor<[?, ?], f32>
      %p = pl.matmul %t, %u : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      %q = pl.neg %p : !pl.tile<[?, ?], f32>
      pl.store %q, %z : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"RowsOfMatmul", R"(
      %u = pl.load %w : !pl.tensor<[?, ?], f32>
      %p = pl.matmul %t, %u : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      %q = pl.neg %p : !pl.tile<[?, ?], f32>
      %m = pl.reduce max %q axis 1 : !pl.tile<[?, ?], f32>
      %mb = pl.broadcast %m, [%M, %K] : !pl.tile<[?, 1], f32> -> !pl.tile<[?, ?], f32>
      %s = pl.sub %q, %mb : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      pl.store %s, %z : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"MatmulsAndAnEpilogueInPlace", R"(
      %u = pl.load %w : !pl.tensor<[?, ?], f32>
      %old = pl.load %z : !pl.tensor<[?, ?], f32>
      %p = pl.matmul %t, %u acc %old : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      %a = pl.abs %t : !pl.tile<[?, ?], f32>
      pl.store %a, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>
      %b = pl.load %y : !pl.tensor<[?, ?], f32>
      %q = pl.matmul %b, %u : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      %e = pl.neg %q : !pl.tile<[?, ?], f32>
      %f = pl.mul %e, %p : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      pl.store %f, %z : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"MatmulWithColumnsAndRows", R"(
      %u = pl.load %w : !pl.tensor<[?, ?], f32>
      %p = pl.matmul %u, %t {transpose_lhs, transpose_rhs} : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      %q = pl.transpose %p [1, 0] : !pl.tile<[?, ?], f32>
      pl.store %q, %z : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>
      %s = pl.load %z : !pl.tensor<[?, ?], f32>
      %g = pl.matmul %s, %u {transpose_rhs} : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      %l = pl.load %v : !pl.tensor<[1, ?], f32>
      %e = pl.exp %l : !pl.tile<[1, ?], f32>
      %eb = pl.broadcast %e, [%M, %N] : !pl.tile<[1, ?], f32> -> !pl.tile<[?, ?], f32>
      %d = pl.mul %g, %eb : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      pl.store %d, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"NormalisedMatmulOfMatmul", R"(
      %u = pl.load %w : !pl.tensor<[?, ?], f32>
      %m = pl.reduce sum %t axis 1 : !pl.tile<[?, ?], f32>
      %mb = pl.broadcast %m, [%M, %N] : !pl.tile<[?, 1], f32> -> !pl.tile<[?, ?], f32>
      %s = pl.sub %t, %mb : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      %p = pl.matmul %s, %u : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      %g = pl.matmul %p, %u {transpose_rhs} : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      pl.store %g, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"TransposedAndReshaped", R"(
      %l = pl.load %v : !pl.tensor<[1, ?], f32>
      %c = pl.reshape %l, [%N, %c1] : !pl.tile<[1, ?], f32> -> !pl.tile<[?, 1], f32>
      %tt = pl.transpose %t [1, 0] : !pl.tile<[?, ?], f32>
      %cb = pl.broadcast %c, [%N, %M] : !pl.tile<[?, 1], f32> -> !pl.tile<[?, ?], f32>
      %s = pl.mul %tt, %cb : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      %r = pl.transpose %s [1, 0] : !pl.tile<[?, ?], f32>
      pl.store %r, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"OverwrittenBeforeUse", R"(
      pl.store %t, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>
      %o = pl.load %y : !pl.tensor<[?, ?], f32>
      %d = pl.add %o, %o : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      pl.store %d, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>
      %s = pl.add %o, %d : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      pl.store %s, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"InPlaceReduction", R"(
      pl.store %t, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>
      %o = pl.load %y : !pl.tensor<[?, ?], f32>
      %m = pl.reduce sum %o axis 0 : !pl.tile<[?, ?], f32>
      %mb = pl.broadcast %m, [%M, %N] : !pl.tile<[1, ?], f32> -> !pl.tile<[?, ?], f32>
      pl.store %mb, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"ConcatenatedAndCut", R"(
      %cc = pl.concat %t, %t axis 1 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      %p = pl.window %cc[%c0, %c1] [%M, %N] : !pl.tile<[?, ?], f32> -> !pl.tile<[?, ?], f32>
      pl.store %p, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"Inserted", R"(
      %l = pl.load %v : !pl.tensor<[1, ?], f32>
      %p = pl.insert %l, %t[%c1, %c1] : !pl.tile<[1, ?], f32>, !pl.tile<[?, ?], f32>
      pl.store %p, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"Ramp", R"(
      %st = arith.constant 3.0 : f32
      %r = pl.arange %st, [%M, %N] : f32 -> !pl.tile<[?, ?], f32>
      %s = pl.add %r, %t : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      pl.store %s, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"CarriedAroundALoop", R"(
      %zero = arith.constant 0.0 : f32
      %i = pl.full %zero, [%M, %c1] : f32 -> !pl.tile<[?, 1], f32>
      %r = scf.for %k = %c0 to %N step %c4 iter_args(%acc = %i) -> (!pl.tile<[?, 1], f32>) {
        %xv = pl.slice %x[%c0, %k] [%M, %c4] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[?, upto 4], f32>
        %p = pl.load %xv : !pl.tensor<[?, upto 4], f32>
        %q = pl.reduce sum %p axis 1 : !pl.tile<[?, upto 4], f32>
        %n = pl.add %acc, %q : !pl.tile<[?, 1], f32>, !pl.tile<[?, 1], f32>
        scf.yield %n : !pl.tile<[?, 1], f32>
      }
      %rb = pl.broadcast %r, [%M, %N] : !pl.tile<[?, 1], f32> -> !pl.tile<[?, ?], f32>
      pl.store %rb, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"SwappedAroundALoop", R"(
      %n0 = pl.neg %t : !pl.tile<[?, ?], f32>
      %r:2 = scf.for %k = %c0 to %M step %c1 iter_args(%a = %t, %b = %n0)
          -> (!pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>) {
        %d = pl.add %a, %a : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
        scf.yield %b, %d : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      }
      %s = pl.sub %r#0, %r#1 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
      pl.store %s, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"CarriedAroundAWhile", R"(
      %r:2 = scf.while (%i = %c0, %a = %t) : (index, !pl.tile<[?, ?], f32>)
          -> (index, !pl.tile<[?, ?], f32>) {
        %more = arith.cmpi slt, %i, %c4 : index
        scf.condition(%more) %i, %a : index, !pl.tile<[?, ?], f32>
      } do {
      ^bb0(%i: index, %a: !pl.tile<[?, ?], f32>):
        %d = pl.add %a, %t : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
        %next = arith.addi %i, %c1 : index
        scf.yield %next, %d : index, !pl.tile<[?, ?], f32>
      }
      pl.store %r#1, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
    {"ChosenByABranch", R"(
      %even = arith.constant 5 : index
      %isLarge = arith.cmpi sgt, %M, %even : index
      %r = scf.if %isLarge -> (!pl.tile<[?, ?], f32>) {
        %n = pl.neg %t : !pl.tile<[?, ?], f32>
        scf.yield %n : !pl.tile<[?, ?], f32>
      } else {
        scf.yield %t : !pl.tile<[?, ?], f32>
      }
      pl.store %r, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>)"},
};

/// The same value is used twice at every step: work must not double each time.
std::string doubled() {
  std::string body = "%d0 = pl.neg %t : !pl.tile<[?, ?], f32>\n";
  for (int i = 0; i < 100; ++i)
    body += llvm::formatv("%d{1} = pl.maximum %d{0}, %d{0} : "
                          "!pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>\n",
                          i, i + 1);
  return body + "pl.store %d100, %y : !pl.tile<[?, ?], f32>, "
                "!pl.tensor<[?, ?], f32>";
}
const std::string doubledBody = doubled();

class TileTensorOps : public testing::TestWithParam<Program> {
protected:
  TileTensorOps() {
    DialectRegistry registry;
    registry.insert<pl::PlDialect, func::FuncDialect, scf::SCFDialect>();
    arith::registerValueBoundsOpInterfaceExternalModels(registry);
    scf::registerValueBoundsOpInterfaceExternalModels(registry);
    context.appendDialectRegistry(registry);
  }

  OwningOpRef<ModuleOp> parse(StringRef body) {
    std::string type = "!pl.tensor<[?, ?], f32>";
    std::string text =
        "func.func @f(%x: " + type + ", %w: " + type +
        ", %v: !pl.tensor<[1, ?], f32>, %y: " + type + ", %z: " + type +
        ") {\n" + "%M = pl.bind \"M\" %x[0], %y[0], %z[0] : " + type + ", " +
        type + ", " + type +
        "\n%N = pl.bind \"N\" %x[1], %w[0], %v[1], %y[1] : " + type + ", " +
        type + ", !pl.tensor<[1, ?], f32>, " + type +
        "\n%K = pl.bind \"K\" %w[1], %z[1] : " + type + ", " + type + R"(
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %t = pl.load %x : !pl.tensor<[?, ?], f32>)" +
        body.str() + "\n return\n}";
    return parseSourceString<ModuleOp>(text, &context);
  }

  /// y and z, one after the other, after a run on data made from the sizes.
  std::vector<float> run(ModuleOp module, int64_t m, int64_t n, int64_t k) {
    std::vector<float> x(m * n), w(n * k), v(n), results(m * n + m * k, -1.0f);
    auto fill = [](std::vector<float> &data, int seed) {
      for (size_t i = 0; i < data.size(); ++i)
        data[i] = static_cast<float>((i * 37 + seed) % 23) / 8 - 1;
    };
    fill(x, 1), fill(w, 2), fill(v, 3);
    float *y = results.data();
    auto function = *module.getOps<func::FuncOp>().begin();
    bool succeeded_ = succeeded(pl::interpret(
        function, {TensorView(x.data(), {m, n}), TensorView(w.data(), {n, k}),
                   TensorView(v.data(), {1, n}), TensorView(y, {m, n}),
                   TensorView(y + m * n, {m, k})}));
    EXPECT_TRUE(succeeded_);
    return results;
  }

  /// Tiles the program, one row after the other or not, and compares.
  struct Options {
    bool takesRows = false, wholeMatmuls = false;
    int64_t shortRows = 0, uncachedElements = 0;
  };
  void check(Options how);

  MLIRContext context;
};

void TileTensorOps::check(Options how) {
  OwningOpRef<ModuleOp> original = parse(GetParam().body);
  ASSERT_TRUE(original);
  OwningOpRef<ModuleOp> tiled = original->clone();
  auto pm = PassManager::on<ModuleOp>(&context);
  TileTensorOpsOptions options;
  options.rows = 3, options.columns = 4, options.elements = 5;
  options.matmulRows = 3, options.matmulColumns = 4, options.depth = 2;
  options.largest = 10, options.shortRows = how.shortRows;
  options.uncachedElements = how.uncachedElements;
  options.uncachedColumns = 2, options.wholeMatmuls = how.wholeMatmuls;
  options.transposedRows = 2;
  pm.addNestedPass<func::FuncOp>(createCarryTensorsInMemory());
  pm.addNestedPass<func::FuncOp>(how.takesRows
                                     ? createTileTensorOpsByRow(options)
                                     : createTileTensorOps(options));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createProveParallel());
  if (how.wholeMatmuls) {
    pm.addNestedPass<func::FuncOp>(createRaiseMatmulLoops({8, 2}));
    pm.addNestedPass<func::FuncOp>(createTileMatmulReaders({8, 2}));
    pm.addNestedPass<func::FuncOp>(createTileMatmulEpilogues({8, 2, 3, 4}));
  }
  ASSERT_TRUE(succeeded(pm.run(*tiled)));
  tiled->walk([](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<pl::TileType>(type))
        EXPECT_TRUE(tile.isBounded()) << op->getName().getStringRef().str();
  });
  int64_t sizes[][3] = {{0, 0, 0}, {0, 5, 2}, {5, 0, 3}, {1, 1, 1},
                        {2, 3, 3}, {3, 4, 4}, {4, 5, 5}, {7, 11, 13},
                        {9, 1, 2}, {11, 2, 1}};
  for (auto [m, n, k] : sizes) {
    std::vector<float> wanted = run(*original, m, n, k);
    std::vector<float> found = run(*tiled, m, n, k);
    for (size_t i = 0; i < wanted.size(); ++i)
      EXPECT_NEAR(found[i], wanted[i],
                  1e-5 * std::max(1.0f, std::abs(wanted[i])))
          << "element " << i << " at M = " << m << ", N = " << n
          << ", K = " << k;
  }
}

TEST_P(TileTensorOps, KeepsTheMeaningAtEverySize) { check({}); }

TEST_P(TileTensorOps, KeepsTheMeaningRowByRow) { check({/*takesRows=*/true}); }

TEST_P(TileTensorOps, KeepsTheMeaningOfWholeMatmuls) {
  check({/*takesRows=*/true, /*wholeMatmuls=*/true});
}

TEST_P(TileTensorOps, KeepsTheMeaningOfShortRowsTogether) {
  check({/*takesRows=*/true, /*wholeMatmuls=*/false, /*shortRows=*/7});
}

TEST_P(TileTensorOps, KeepsTheMeaningOfRowsThatAreOutOfCache) {
  check({/*takesRows=*/true, /*wholeMatmuls=*/false, /*shortRows=*/7,
         /*uncachedElements=*/16});
}

INSTANTIATE_TEST_SUITE_P(SharedValues, TileTensorOps,
                         testing::Values(Program{"Doubled",
                                                 doubledBody.c_str()}),
                         [](const auto &info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Programs, TileTensorOps, testing::ValuesIn(programs),
                         [](const auto &info) { return info.param.name; });

} // namespace
