// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CpuFixture.h"

using namespace tegula;

namespace {

class CpuControl : public CpuTest {
protected:
  /// A function of x, y: [M, N] and a scalar n; %t is the tile of x.
  static std::string around(const std::string &body) {
    return R"(
!X = !pl.tensor<[?, ?], f32>
!T = !pl.tile<[upto 8, upto 40], f32>
!V = !pl.tensor<[upto 8, upto 40], f32>
!R = !pl.tile<[upto 8, 1], f32>
func.func @f(%x: !X, %y: !X, %n: index) {
  %M = pl.bind "M" %x[0], %y[0] : !X, !X
  %N = pl.bind "N" %x[1], %y[1] : !X, !X
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c40 = arith.constant 40 : index
  %half = arith.constant 0.5 : f32
  %xs = pl.slice %x[%c0, %c0] [%c8, %c40] : !X -> !V
  %ys = pl.slice %y[%c0, %c0] [%c8, %c40] : !X -> !V
  %t = pl.load %xs : !V
  %m = pl.dim %t[0] : !T
  %w = pl.dim %t[1] : !T
  %h = pl.full %half, [%m, %w] : f32 -> !T
)" + body + "\n return\n}";
  }

  /// Compiles the body and checks it at several sizes and values of %n.
  void checkBody(const std::string &body, double tolerance = 1e-5) {
    compile(around(body));
    for (int64_t n : {0, 1, 2, 5})
      for (int64_t width : {0, 1, 17, 40}) {
        TestTensor x(DType::FP32, {6, width}), y(DType::FP32, {6, width});
        check({&x.fill(1), &y.fill(2), pl::Scalar::ofIndex(n)}, tolerance);
      }
  }
};

} // namespace

TEST_F(CpuControl, CarriesAnAccumulator) {
  checkBody(R"(
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %t) -> (!T) {
    %s = pl.mul %acc, %h : !T, !T
    %u = pl.add %s, %t : !T, !T
    scf.yield %u : !T
  }
  pl.store %r, %ys : !T, !V)");
}

TEST_F(CpuControl, SwapsCarriedTiles) {
  checkBody(R"(
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%p = %t, %q = %h) -> (!T, !T) {
    scf.yield %q, %p : !T, !T
  }
  %r = pl.sub %a, %b : !T, !T
  pl.store %r, %ys : !T, !V)");
}

TEST_F(CpuControl, ComputesEachCarriedTileFromTheOther) {
  checkBody(R"(
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%p = %t, %q = %h) -> (!T, !T) {
    %s = pl.add %p, %q : !T, !T
    %d = pl.sub %p, %q : !T, !T
    scf.yield %s, %d : !T, !T
  }
  %r = pl.maximum %a, %b : !T, !T
  pl.store %r, %ys : !T, !V)");
}

TEST_F(CpuControl, ReadsTheOldTileAfterTheNewOneIsThere) {
  checkBody(R"(
  %i8 = pl.full %half, [%m, %c1] : f32 -> !R
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%p = %i8, %q = %h) -> (!R, !T) {
    %f = pl.mul %t, %q : !T, !T
    %mx = pl.reduce max %f axis 1 : !T
    %nw = pl.maximum %p, %mx : !R, !R
    %d = pl.sub %p, %nw : !R, !R
    %e = pl.exp %d : !R
    %eb = pl.broadcast %e, [%m, %w] : !R -> !T
    %z = pl.mul %q, %eb : !T, !T
    scf.yield %nw, %z : !R, !T
  }
  %ab = pl.broadcast %a, [%m, %w] : !R -> !T
  %r = pl.add %ab, %b : !T, !T
  pl.store %r, %ys : !T, !V)");
}

TEST_F(CpuControl, StartsFromMoreRowsThanIterationsHave) {
  checkBody(R"(
  %all = pl.full %half, [%c8, %w] : f32 -> !pl.tile<[8, upto 40], f32>
  %start = pl.relax %all : !pl.tile<[8, upto 40], f32> -> !T
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %start) -> (!T) {
    %s = pl.sub %p, %t : !T, !T
    scf.yield %s : !T
  }
  pl.store %r, %ys : !T, !V)");
}

TEST_F(CpuControl, ReadsAStartInBranchesAndInnerLoops) {
  checkBody(R"(
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%p = %h, %q = %t) -> (!T, !T) {
    %is = arith.cmpi sgt, %n, %c1 : index
    %s = scf.if %is -> (!T) {
      %u = pl.add %p, %t : !T, !T
      scf.yield %u : !T
    } else {
      %u = pl.sub %p, %q : !T, !T
      scf.yield %u : !T
    }
    %o = scf.for %j = %c0 to %c2 step %c1 iter_args(%k = %q) -> (!T) {
      %v = pl.mul %k, %p : !T, !T
      scf.yield %v : !T
    }
    %d = pl.mul %s, %p : !T, !T
    scf.yield %d, %o : !T, !T
  }
  %r = pl.maximum %a, %b : !T, !T
  pl.store %r, %ys : !T, !V)");
}

TEST_F(CpuControl, CarriesMovedElements) {
  checkBody(R"(
  %c6 = arith.constant 6 : index
  %sq = pl.slice %x[%c0, %c0] [%c6, %c6] : !X -> !pl.tensor<[upto 6, upto 6], f32>
  %s = pl.load %sq : !pl.tensor<[upto 6, upto 6], f32>
  %k = pl.dim %s[1] : !pl.tile<[upto 6, upto 6], f32>
  %g = pl.window %s[%c0, %c0] [%k, %k] : !pl.tile<[upto 6, upto 6], f32> -> !pl.tile<[upto 6, upto 6], f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %g) -> (!pl.tile<[upto 6, upto 6], f32>) {
    %tp = pl.transpose %p [1, 0] : !pl.tile<[upto 6, upto 6], f32>
    %u = pl.add %tp, %g : !pl.tile<[upto 6, upto 6], f32>, !pl.tile<[upto 6, upto 6], f32>
    scf.yield %u : !pl.tile<[upto 6, upto 6], f32>
  }
  %yq = pl.slice %y[%c0, %c0] [%c6, %c6] : !X -> !pl.tensor<[upto 6, upto 6], f32>
  pl.store %r, %yq : !pl.tile<[upto 6, upto 6], f32>, !pl.tensor<[upto 6, upto 6], f32>)");
}

TEST_F(CpuControl, CarriesExtents) {
  checkBody(R"(
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %t) -> (!T) {
    %d = pl.dim %p[1] : !T
    %s = arith.subi %d, %c1 : index
    %u = pl.window %p[%c0, %c0] [%m, %s] : !T -> !T
    scf.yield %u : !T
  }
  pl.store %r, %ys : !T, !V)");
}

TEST_F(CpuControl, TakesEitherBranch) {
  checkBody(R"(
  %c = arith.cmpi sgt, %n, %c1 : index
  %r = scf.if %c -> (!T) {
    %u = pl.exp %t : !T
    scf.yield %u : !T
  } else {
    scf.yield %h : !T
  }
  %q = arith.select %c, %t, %r : !T
  %v = pl.add %r, %q : !T, !T
  pl.store %v, %ys : !T, !V)");
}

TEST_F(CpuControl, RunsWhileLoops) {
  checkBody(R"(
  %r:2 = scf.while (%i = %c0, %p = %t) : (index, !T) -> (index, !T) {
    %c = arith.cmpi slt, %i, %n : index
    %u = pl.neg %p : !T
    scf.condition(%c) %i, %u : index, !T
  } do {
  ^bb0(%i: index, %p: !T):
    %j = arith.addi %i, %c1 : index
    %u = pl.mul %p, %h : !T, !T
    scf.yield %j, %u : index, !T
  }
  pl.store %r#1, %ys : !T, !V)");
}

TEST_F(CpuControl, KeepsProgramOrderOfLoadsAndStores) {
  checkBody(R"(
  %a = pl.load %ys : !V
  pl.store %t, %ys : !T, !V
  %b = pl.load %ys : !V
  %s = pl.add %a, %b : !T, !T
  scf.for %i = %c0 to %n step %c1 {
    %p = pl.load %ys : !V
    %q = pl.mul %p, %h : !T, !T
    pl.store %q, %ys : !T, !V
    %u = pl.add %p, %s : !T, !T
    pl.store %u, %xs : !T, !V
  })");
}

TEST_F(CpuControl, ShiftsWithinOneTensor) {
  checkBody(R"(
  %lo = pl.slice %x[%c0, %c0] [%c8, %c40] : !X -> !V
  %hi = pl.slice %x[%c1, %c1] [%c8, %c40] : !X -> !V
  %a = pl.load %lo : !V
  pl.store %a, %hi : !T, !V)");
}

TEST_F(CpuControl, UsesCreatedTensors) {
  checkBody(R"(
  scf.for %i = %c0 to %n step %c1 {
    %q = pl.create_tensor [%m, %w] : !V
    %u = pl.add %t, %h : !T, !T
    pl.store %u, %q : !T, !V
    %v = pl.load %q : !V
    pl.store %v, %ys : !T, !V
  })");
}

TEST_F(CpuControl, CarriesTensors) {
  checkBody(R"(
  %q = pl.create_tensor [%m, %w] : !V
  pl.store %h, %q : !T, !V
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %q) -> (!V) {
    %v = pl.load %p : !V
    %u = pl.add %v, %t : !T, !T
    pl.store %u, %ys : !T, !V
    scf.yield %ys : !V
  }
  %z = pl.load %r : !V
  %zz = pl.add %z, %z : !T, !T
  pl.store %zz, %ys : !T, !V)");
}

TEST_F(CpuControl, RunsNestedParallelLoops) {
  checkBody(R"(
  pl.parallel %i = %c0 to %M step %c1 independent {
    pl.parallel %j = %c0 to %N step %c2 independent {
      %p = pl.slice %x[%i, %j] [%c1, %c2] : !X -> !pl.tensor<[upto 1, upto 2], f32>
      %q = pl.slice %y[%i, %j] [%c1, %c2] : !X -> !pl.tensor<[upto 1, upto 2], f32>
      %a = pl.load %p : !pl.tensor<[upto 1, upto 2], f32>
      pl.store %a, %q : !pl.tile<[upto 1, upto 2], f32>, !pl.tensor<[upto 1, upto 2], f32>
    }
  })");
}

TEST_F(CpuControl, ReportsBadIndices) {
  compile(around(R"(
  %s = pl.read %x[%n, %c0] : !X
  pl.write %s, %y[%c0, %n] : f32, !X)"));
  TestTensor x(DType::FP32, {6, 4}), y(DType::FP32, {6, 4});
  check({&x.fill(1), &y.fill(2), pl::Scalar::ofIndex(3)});
  TegulaCallState state = call({&x, &y, pl::Scalar::ofIndex(5)});
  EXPECT_EQ(state.error, TegulaIndexOutOfRange);
  EXPECT_EQ(state.axis, 1);
  EXPECT_EQ(state.index, 5);
  EXPECT_EQ(state.extent, 4);
  state = call({&x, &y, pl::Scalar::ofIndex(-1)});
  EXPECT_EQ(state.error, TegulaIndexOutOfRange);
  EXPECT_EQ(state.axis, 0);
  EXPECT_EQ(state.index, -1);
}

TEST_F(CpuControl, ReportsNegativeOffsets) {
  compile(around(R"(
  %v = pl.slice %x[%n, %c0] [%c8, %c40] : !X -> !V
  %a = pl.load %v : !V
  pl.store %a, %ys : !T, !V)"));
  TestTensor x(DType::FP32, {6, 4}), y(DType::FP32, {6, 4});
  check({&x.fill(1), &y.fill(2), pl::Scalar::ofIndex(2)});
  check({&x.fill(1), &y.fill(2), pl::Scalar::ofIndex(7)});
  TegulaCallState state = call({&x, &y, pl::Scalar::ofIndex(-3)});
  EXPECT_EQ(state.error, TegulaNegativeOffset);
  EXPECT_EQ(state.index, -3);
  ASSERT_LT(size_t(state.site), kernel->sites.size());
}

TEST_F(CpuControl, ReportsMissingMemory) {
  compile(around(R"(
  %q = pl.create_tensor [%n, %n, %c40] : !pl.tensor<[?, ?, 40], f32>
  %v = pl.slice %q[%c0, %c0, %c0] [%c1, %c8, %c40] drop [0] : !pl.tensor<[?, ?, 40], f32> -> !V
  pl.store %t, %v : !T, !V
  %a = pl.load %v : !V
  pl.store %a, %ys : !T, !V)"));
  TestTensor x(DType::FP32, {6, 40}), y(DType::FP32, {6, 40});
  check({&x.fill(1), &y.fill(2), pl::Scalar::ofIndex(8)});
  EXPECT_EQ(call({&x, &y, pl::Scalar::ofIndex(0)}).error,
            TegulaIndexOutOfRange);
  for (int64_t n : {int64_t(1) << 30, int64_t(1) << 62}) {
    TegulaCallState state = call({&x, &y, pl::Scalar::ofIndex(n)});
    EXPECT_EQ(state.error, TegulaOutOfMemory);
  }
}

TEST_F(CpuControl, ComputesSharedExpressionsOnce) {
  // Each tile is used twice: walking the uses one by one would take 2^40 steps.
  std::string body = "%v0 = pl.neg %t : !T\n";
  for (int at = 0; at < 40; ++at) {
    std::string from = "%v" + std::to_string(at);
    body += "%v" + std::to_string(at + 1) + " = pl.maximum " + from + ", " +
            from + " : !T, !T\n";
  }
  checkBody(body + "pl.store %v40, %ys : !T, !V");
}

TEST_F(CpuControl, RefusesTilesNoMachineCanHold) {
  compile(R"(
!T = !pl.tile<[1099511627776, 1099511627776], f32>
func.func @f(%x: !pl.tensor<[?], f32>) {
  %N = pl.bind "N" %x[0] : !pl.tensor<[?], f32>
  %c0 = arith.constant 0 : index
  %n = arith.constant 1099511627776 : index
  %zero = arith.constant 0.0 : f32
  %t = pl.full %zero, [%n, %n] : f32 -> !T
  %u = pl.neg %t : !T
  %s = pl.read %u[%c0, %c0] : !T
  pl.write %s, %x[%c0] : f32, !pl.tensor<[?], f32>
  return
})");
  TestTensor x(DType::FP32, {4});
  EXPECT_EQ(call({&x}).error, TegulaOutOfMemory);
}
