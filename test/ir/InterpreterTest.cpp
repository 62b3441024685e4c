// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls, memory, control flow, limits and errors of the interpreter.

#include "InterpreterFixture.h"

#include <gmock/gmock.h>

using namespace tegula;
using namespace tegula::pl;
using ::testing::ElementsAre;

static constexpr char addVectors[] = R"mlir(
  func.func @main(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>, %z: !pl.tensor<[?], f32>) {
    %n = pl.bind "N" %x[0], %y[0], %z[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
    %a = pl.load %x : !pl.tensor<[?], f32>
    %b = pl.load %y : !pl.tensor<[?], f32>
    %c = pl.add %a, %b : !pl.tile<[?], f32>, !pl.tile<[?], f32>
    pl.store %c, %z : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
    return
  })mlir";

TEST_F(InterpreterTest, AddsTilesOfSymbolicExtent) {
  std::vector<float> x = {1, 2, 3}, y = {10, 20, 30}, z(3);
  runs(addVectors, {TensorView(x.data(), {3}), TensorView(y.data(), {3}),
                    TensorView(z.data(), {3})});
  EXPECT_THAT(z, ElementsAre(11, 22, 33));
}

TEST_F(InterpreterTest, AcceptsEmptyTensorsWithoutMemory) {
  TensorView empty(nullptr, DType::FP32, {0});
  runs(addVectors, {empty, empty, empty});
}

TEST_F(InterpreterTest, TakesAnyStrides) {
  std::vector<float> x = {1, 2, 3, 4, 5}, y = {10}, z(3);
  runs(addVectors, {TensorView(x.data() + 4, {3}, {-2}),
                    TensorView(y.data(), {3}, {0}), TensorView(z.data(), {3})});
  EXPECT_THAT(z, ElementsAre(15, 13, 11));
}

TEST_F(InterpreterTest, RejectsCallsThatDoNotFit) {
  float x[4] = {};
  int32_t i[4] = {};
  TensorView good(x, {2});
  fails(addVectors, {good, good}, "expected 3 arguments, got 2");
  fails(addVectors, {good, good, TensorView(i, {2})},
        "argument 2: expected elements of type FP32, got INT32");
  fails(addVectors, {good, good, TensorView(x, {2, 2})},
        "argument 2: expected rank 1, got 2");
  fails(addVectors, {good, good, Scalar::ofReal(DType::FP32, 1)},
        "argument 2: expected '!pl.tensor<[?], f32>', got a scalar");
  fails(addVectors, {good, good, TensorView(x, {-1})},
        "argument 2: extent -1 of axis 0 is negative");
  fails(addVectors, {good, good, TensorView(x, {3})},
        "extents bound to 'N' differ: axis 0 of argument 0 is 2, "
        "axis 0 of argument 2 is 3");
  fails("func.func @main(%x: !pl.tensor<[3], f32>) { return }", {good},
        "argument 0: expected extent 3 on axis 0, got 2");
  fails("func.func @main(%x: tensor<3xf32>) { return }", {good},
        "argument 0: expected 'tensor<3xf32>', got a tensor");
  fails("func.func @main(%x: f32) { return }", {Scalar::ofReal(DType::FP64, 1)},
        "argument 0: expected elements of type FP32, got FP64");
  fails("func.func @main(%x: !pl.tensor<[upto 2], f32>) { return }",
        {TensorView(x, {3})},
        "extent 3 of axis 0 does not fit the type "
        "'!pl.tensor<[upto 2], f32>'");
  fails("func.func private @main()", {}, "function 'main' has no body to run");
}

TEST_F(InterpreterTest, MultipliesMatricesFastEnough) {
  constexpr int64_t n = 256;
  std::vector<float> a(n * n, 0.5f), b(n * n), c(n * n);
  for (int64_t i = 0; i < n * n; ++i)
    b[i] = static_cast<float>(i % 7);
  runs(R"mlir(
    func.func @main(%x: !pl.tensor<[256, 256], f32>, %y: !pl.tensor<[256, 256], f32>, %z: !pl.tensor<[256, 256], f32>) {
      %a = pl.load %x : !pl.tensor<[256, 256], f32>
      %b = pl.load %y : !pl.tensor<[256, 256], f32>
      %c = pl.matmul %a, %b : !pl.tile<[256, 256], f32>, !pl.tile<[256, 256], f32>
      pl.store %c, %z : !pl.tile<[256, 256], f32>, !pl.tensor<[256, 256], f32>
      return
    })mlir",
       {TensorView(a.data(), {n, n}), TensorView(b.data(), {n, n}),
        TensorView(c.data(), {n, n})});
  double column = 0;
  for (int64_t k = 0; k < n; ++k)
    column += 0.5 * ((k * n + 5) % 7);
  EXPECT_EQ(c[3 * n + 5], static_cast<float>(column));
}

/// A window of a 2 x 3 matrix, written over a 4 x 4 one.
static std::string copyWindow(std::string offsets, std::string sizes,
                              std::string drop = "",
                              std::string result = "[?, ?]") {
  std::string view = "!pl.tensor<" + result + ", f32>";
  return "func.func @main(%x: !pl.tensor<[2, 3], f32>, %z: !pl.tensor<" +
         std::string(drop.empty() ? "[?, ?]" : "[?]") +
         ", f32>, %i: index) {\n"
         "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
         "%c9 = arith.constant 9 : index\n"
         "%v = pl.slice %x" +
         offsets + " " + sizes + drop + " : !pl.tensor<[2, 3], f32> -> " +
         view + "\n%t = pl.load %v : " + view +
         "\npl.store %t, %z : !pl.tile<" + result + ", f32>, !pl.tensor<" +
         (drop.empty() ? "[?, ?]" : "[?]") + ", f32>\nreturn }";
}

TEST_F(InterpreterTest, SlicesClampAndDrop) {
  float x[] = {1, 2, 3, 4, 5, 6};
  auto copy = [&](const std::string &source, int64_t i) {
    std::vector<float> z(4, -1);
    auto view = source.find("drop") == std::string::npos
                    ? TensorView(z.data(), {2, 2})
                    : TensorView(z.data(), {4});
    runs(source, {TensorView(x, {2, 3}), view, Scalar::ofIndex(i)});
    return z;
  };
  std::string window = copyWindow("[%c0, %i]", "[%c9, %c9]");
  EXPECT_THAT(copy(window, 1), ElementsAre(2, 3, 5, 6));
  EXPECT_THAT(copy(window, 2), ElementsAre(3, -1, 6, -1));
  EXPECT_THAT(copy(window, 3), ElementsAre(-1, -1, -1, -1));
  EXPECT_THAT(copy(window, INT64_MAX), ElementsAre(-1, -1, -1, -1));
  std::string sized = copyWindow("[%c0, %c0]", "[%i, %i]");
  EXPECT_THAT(copy(sized, 1), ElementsAre(1, -1, -1, -1));
  EXPECT_THAT(copy(sized, -1), ElementsAre(-1, -1, -1, -1));
  std::string row = copyWindow("[%i, %c1]", "[%c1, %c9]", " drop [0]", "[?]");
  EXPECT_THAT(copy(row, 1), ElementsAre(5, 6, -1, -1));
}

TEST_F(InterpreterTest, RejectsWindowsOutsideTheTensor) {
  float x[6] = {}, z[4] = {};
  fails(copyWindow("[%c0, %i]", "[%c9, %c9]"),
        {TensorView(x, {2, 3}), TensorView(z, {2, 2}), Scalar::ofIndex(-1)},
        "offset -1 on axis 1 is negative");
  fails(copyWindow("[%i, %c1]", "[%c1, %c9]", " drop [0]", "[?]"),
        {TensorView(x, {2, 3}), TensorView(z, {4}), Scalar::ofIndex(2)},
        "index 2 on axis 0 is out of range for extent 2");
  // A type that promises more than the run gives.
  fails(copyWindow("[%c0, %c0]", "[%i, %c9]", "", "[2, 3]"),
        {TensorView(x, {2, 3}), TensorView(z, {2, 2}), Scalar::ofIndex(1)},
        "extent 1 of axis 0 does not fit the type '!pl.tensor<[2, 3], f32>'");
}

TEST_F(InterpreterTest, RejectsNegativeOffsetsInTiles) {
  float x[6] = {};
  for (std::string op :
       {"%r = pl.window %a[%i, %i] [%i, %i] : !pl.tile<[2, 3], f32> -> "
        "!pl.tile<[?, ?], f32>",
        "%r = pl.insert %a, %a[%i, %i] : !pl.tile<[2, 3], f32>, "
        "!pl.tile<[2, 3], f32>"})
    fails("func.func @main(%x: !pl.tensor<[2, 3], f32>, %i: index) {\n"
          "%a = pl.load %x : !pl.tensor<[2, 3], f32>\n" +
              op + "\nreturn }",
          {TensorView(x, {2, 3}), Scalar::ofIndex(-2)},
          "offset -2 on axis 0 is negative");
}

TEST_F(InterpreterTest, ReadsAndWritesElements) {
  int16_t x[] = {1, 2, 3, 4, 5, 6};
  std::string source = R"mlir(
    func.func @main(%x: !pl.tensor<[2, 3], i16>, %i: index, %j: index) {
      %c0 = arith.constant 0 : index
      %a = pl.read %x[%i, %j] : !pl.tensor<[2, 3], i16>
      %t = pl.load %x : !pl.tensor<[2, 3], i16>
      %b = pl.read %t[%i, %c0] : !pl.tile<[2, 3], i16>
      %c = pl.mul %a, %b : i16, i16
      pl.write %c, %x[%c0, %j] : i16, !pl.tensor<[2, 3], i16>
      return
    })mlir";
  TensorView view(x, {2, 3});
  runs(source, {view, Scalar::ofIndex(1), Scalar::ofIndex(2)});
  EXPECT_THAT(x, ElementsAre(1, 2, 24, 4, 5, 6));
  fails(source, {view, Scalar::ofIndex(2), Scalar::ofIndex(0)},
        "index 2 on axis 0 is out of range for extent 2");
  fails(source, {view, Scalar::ofIndex(0), Scalar::ofIndex(-1)},
        "index -1 on axis 1 is out of range for extent 3");
}

TEST_F(InterpreterTest, RejectsWritesAndTileReadsOutOfRange) {
  float x[2] = {};
  TensorView view(x, {2});
  fails(R"mlir(
    func.func @main(%x: !pl.tensor<[2], f32>, %i: index) {
      %v = arith.constant 1.0 : f32
      pl.write %v, %x[%i] : f32, !pl.tensor<[2], f32>
      return
    })mlir",
        {view, Scalar::ofIndex(2)},
        "index 2 on axis 0 is out of range for extent 2");
  fails(R"mlir(
    func.func @main(%x: !pl.tensor<[2], f32>, %i: index) {
      %t = pl.load %x : !pl.tensor<[2], f32>
      %v = pl.read %t[%i] : !pl.tile<[2], f32>
      return
    })mlir",
        {view, Scalar::ofIndex(5)},
        "index 5 on axis 0 is out of range for extent 2");
}

TEST_F(InterpreterTest, CreatesTensorsOfZeros) {
  float z[2] = {7, 7};
  runs(R"mlir(
    func.func @main(%z: !pl.tensor<[2], f32>) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %v = arith.constant 3.0 : f32
      %t = pl.create_tensor [%c2] : !pl.tensor<[2], f32>
      pl.write %v, %t[%c0] : f32, !pl.tensor<[2], f32>
      %a = pl.load %t : !pl.tensor<[2], f32>
      pl.store %a, %z : !pl.tile<[2], f32>, !pl.tensor<[2], f32>
      return
    })mlir",
       {TensorView(z, {2})});
  EXPECT_EQ(z[0], 3);
  EXPECT_EQ(z[1], 0);
}

TEST_F(InterpreterTest, RejectsAbsurdSizes) {
  std::string tensor = R"mlir(
    func.func @main(%n: index) {
      %t = pl.create_tensor [%n, %n] : !pl.tensor<[?, ?], f32>
      return
    })mlir";
  fails(tensor, {Scalar::ofIndex(int64_t(1) << 40)},
        "cannot make 1099511627776 x 1099511627776 elements: the limit is "
        "536870912");
  InterpreterOptions options;
  options.maxElements = 8;
  fails(R"mlir(
    func.func @main(%n: index) {
      %v = arith.constant 3.0 : f32
      %t = pl.full %v, [%n] : f32 -> !pl.tile<[?], f32>
      return
    })mlir",
        {Scalar::ofIndex(9)}, "cannot make 9 elements: the limit is 8",
        options);
}

TEST_F(InterpreterTest, RunsLoopsWithCarriedTiles) {
  float z[2] = {};
  runs(R"mlir(
    func.func @main(%z: !pl.tensor<[2], f32>, %n: index) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %one = arith.constant 1.0 : f32
      %t = pl.full %one, [%c2] : f32 -> !pl.tile<[2], f32>
      %r:2 = scf.for %i = %c0 to %n step %c2 iter_args(%a = %t, %k = %c0) -> (!pl.tile<[2], f32>, index) {
        %b = pl.add %a, %a : !pl.tile<[2], f32>, !pl.tile<[2], f32>
        %l = arith.addi %k, %i : index
        scf.yield %b, %l : !pl.tile<[2], f32>, index
      }
      pl.store %r#0, %z : !pl.tile<[2], f32>, !pl.tensor<[2], f32>
      %s = arith.index_cast %r#1 : index to i32
      %f = arith.sitofp %s : i32 to f32
      pl.write %f, %z[%c0] : f32, !pl.tensor<[2], f32>
      return
    })mlir",
       {TensorView(z, {2}), Scalar::ofIndex(5)});
  EXPECT_THAT(z, ElementsAre(0 + 2 + 4, 8));
}

TEST_F(InterpreterTest, RunsWhileAndIf) {
  // The number of steps of 6 to 1 by halving and 3n + 1 is 8.
  int64_t z[1] = {};
  runs(R"mlir(
    func.func @main(%z: !pl.tensor<[1], i64>, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %r:2 = scf.while (%k = %n, %count = %c0) : (index, index) -> (index, index) {
        %more = arith.cmpi sgt, %k, %c1 : index
        scf.condition(%more) %k, %count : index, index
      } do {
      ^bb0(%k: index, %count: index):
        %rest = arith.remsi %k, %c2 : index
        %even = arith.cmpi eq, %rest, %c0 : index
        %next = scf.if %even -> index {
          %half = arith.floordivsi %k, %c2 : index
          scf.yield %half : index
        } else {
          %triple = arith.muli %k, %c3 : index
          %odd = arith.addi %triple, %c1 : index
          scf.yield %odd : index
        }
        %more = arith.addi %count, %c1 : index
        scf.yield %next, %more : index, index
      }
      %s = arith.index_cast %r#1 : index to i64
      pl.write %s, %z[%c0] : i64, !pl.tensor<[1], i64>
      return
    })mlir",
       {TensorView(z, DType::Int64, {1}), Scalar::ofIndex(6)});
  EXPECT_EQ(z[0], 8);
}

TEST_F(InterpreterTest, RunsParallelInOrderAndAt) {
  float z[4] = {};
  runs(R"mlir(
    func.func @main(%z: !pl.tensor<[4], f32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %one = arith.constant 1.0 : f32
      pl.write %one, %z[%c0] : f32, !pl.tensor<[4], f32>
      pl.parallel %i = %c1 to %c4 step %c1 {
        %j = arith.subi %i, %c1 : index
        %a = pl.read %z[%j] : !pl.tensor<[4], f32>
        %b = pl.at core_group -> f32 {
          %s = pl.add %a, %a : f32, f32
          pl.yield %s : f32
        }
        pl.write %b, %z[%i] : f32, !pl.tensor<[4], f32>
      }
      return
    })mlir",
       {TensorView(z, {4})});
  EXPECT_THAT(z, ElementsAre(1, 2, 4, 8));
}

TEST_F(InterpreterTest, RejectsStepsThatAreNotPositive) {
  for (std::string loop : {"scf.for", "pl.parallel"})
    fails("func.func @main(%n: index) {\n" + loop +
              " %i = %n to %n step %n { }\nreturn }",
          {Scalar::ofIndex(0)}, "step must be positive, got 0");
}

TEST_F(InterpreterTest, CallsFunctions) {
  float z[1] = {};
  runs(R"mlir(
    func.func private @twice(%x: f32, %n: index) -> (index, f32) {
      %r = pl.add %x, %x : f32, f32
      return %n, %r : index, f32
    }
    func.func @main(%z: !pl.tensor<[1], f32>) {
      %c0 = arith.constant 0 : index
      %x = arith.constant 1.5 : f32
      %r:2 = func.call @twice(%x, %c0) : (f32, index) -> (index, f32)
      pl.write %r#1, %z[%r#0] : f32, !pl.tensor<[1], f32>
      return
    })mlir",
       {TensorView(z, {1})});
  EXPECT_EQ(z[0], 3);
}

TEST_F(InterpreterTest, StopsEndlessRecursionAndLoops) {
  fails("func.func @main() { func.call @main() : () -> ()\nreturn }", {},
        "regions and calls are nested more than 1000 deep");
  InterpreterOptions options;
  options.maxSteps = 1000;
  fails(R"mlir(
    func.func @main() {
      %true = arith.constant true
      scf.while : () -> () {
        scf.condition(%true)
      } do {
        %c = arith.constant 1 : index
        scf.yield
      }
      return
    })mlir",
        {}, "gave up after 1000 steps", options);
}

TEST_F(InterpreterTest, NamesOpsWithoutARule) {
  context.allowUnregisteredDialects();
  fails("func.func @main() { \"other.op\"() : () -> ()\nreturn }", {},
        "the interpreter has no rule for 'other.op' on these types");
  fails("func.func @main() { %c = arith.constant dense<1> : vector<4xi32>\n"
        "return }",
        {}, "the interpreter has no rule for 'arith.constant' on these types");
  fails("func.func @main() { %c = arith.constant 1 : i7\nreturn }", {},
        "the interpreter has no rule for 'arith.constant' on these types");
}

TEST_F(InterpreterTest, ReportsWhatArithLeavesUndefined) {
  auto apply = [](std::string op) {
    return "func.func @main(%x: i8, %y: i8) { %r = arith." + op +
           " %x, %y : i8\nreturn }";
  };
  auto byte = [](int x) { return Scalar::ofInteger(DType::Int8, x); };
  fails(apply("divsi"), {byte(3), byte(0)}, "division of 3 by 0");
  fails(apply("floordivsi"), {byte(-128), byte(-1)},
        "quotient of -128 and -1 does not fit 'i8'");
  fails(apply("remui"), {byte(-1), byte(0)}, "division of 255 by 0");
  fails(apply("shli"), {byte(1), byte(8)}, "shift of 8 bits by 8");
  fails("func.func @main(%x: f32) { %r = arith.fptosi %x : f32 to i8\n"
        "return }",
        {Scalar::ofReal(DType::FP32, 128)},
        "value 1.280000e+02 does not fit 'i8'");
}

TEST_F(InterpreterTest, ShowsResultsToTheObserver) {
  InterpreterOptions options;
  std::vector<std::pair<std::string, int64_t>> seen;
  options.observer = [&](mlir::Operation *op,
                         llvm::ArrayRef<RuntimeValue> results) {
    seen.emplace_back(op->getName().getStringRef(),
                      std::get<Scalar>(results[0]).getInteger());
  };
  EXPECT_TRUE(succeeded(run(R"mlir(
    func.func @main(%n: index) {
      %c = arith.constant 2 : index
      %r = arith.muli %n, %c : index
      return
    })mlir",
                            {Scalar::ofIndex(21)}, options)));
  EXPECT_THAT(seen, ElementsAre(std::pair("arith.constant", 2),
                                std::pair("arith.muli", 42)));
}
