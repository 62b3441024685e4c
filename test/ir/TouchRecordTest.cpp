// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that are said to be independent, and are or are not.
#include "test/ir/InterpreterFixture.h"

using namespace tegula;
using namespace tegula::pl;

namespace {

class TouchRecordTest : public InterpreterTest {
protected:
  /// A loop from 1 to 5 over z, with these lines in it.
  static std::string loop(llvm::StringRef body,
                          llvm::StringRef word = "independent") {
    return (R"mlir(
    func.func @main(%z: !pl.tensor<[6], f32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c5 = arith.constant 5 : index
      %one = arith.constant 1.0 : f32
      pl.parallel %i = %c1 to %c5 step %c1 )mlir" +
            word + " {\n" + body + "\n}\nreturn }")
        .str();
  }

  std::string check(llvm::StringRef source) {
    float z[6] = {};
    InterpreterOptions options;
    options.checkIndependence = true;
    messages.clear();
    (void)run(source, {TensorView(z, {6})}, options);
    return messages;
  }
};

static const char *const shift = R"mlir(
  %j = arith.subi %i, %c1 : index
  %a = pl.read %z[%j] : !pl.tensor<[6], f32>
  pl.write %a, %z[%i] : f32, !pl.tensor<[6], f32>)mlir";

TEST_F(TouchRecordTest, NamesBothIterations) {
  EXPECT_EQ(check(loop(shift)),
            "iteration 2 reads an element that iteration 1 writes, but the "
            "loop is said to be independent\n");
  EXPECT_EQ(check(loop("pl.write %one, %z[%c0] : f32, !pl.tensor<[6], f32>")),
            "iteration 2 writes an element that iteration 1 writes, but the "
            "loop is said to be independent\n");
}

TEST_F(TouchRecordTest, SeesAReaderBeforeTheWriter) {
  EXPECT_EQ(check(loop(R"mlir(
    %j = arith.addi %i, %c1 : index
    %a = pl.read %z[%j] : !pl.tensor<[6], f32>
    pl.write %a, %z[%i] : f32, !pl.tensor<[6], f32>)mlir")),
            "iteration 2 writes an element that iteration 1 reads, but the "
            "loop is said to be independent\n");
}

TEST_F(TouchRecordTest, SeesAnotherReaderThanTheWriterItself) {
  // All read element 2, and iteration 1 does so first.
  EXPECT_EQ(check(loop(R"mlir(
    %a = pl.read %z[%c2] : !pl.tensor<[6], f32>
    %last = arith.constant 4 : index
    %isLast = arith.cmpi eq, %i, %last : index
    scf.if %isLast {
      pl.write %a, %z[%c2] : f32, !pl.tensor<[6], f32>
    })mlir")),
            "iteration 4 writes an element that iteration 1 reads, but the "
            "loop is said to be independent\n");
}

TEST_F(TouchRecordTest, LooksAtWindows) {
  EXPECT_EQ(check(loop(R"mlir(
    %v = pl.slice %z[%i] [%c2] : !pl.tensor<[6], f32> -> !pl.tensor<[upto 2], f32>
    %t = pl.full %one, [%c2] : f32 -> !pl.tile<[2], f32>
    pl.store %t, %v : !pl.tile<[2], f32>, !pl.tensor<[upto 2], f32>)mlir")),
            "iteration 2 writes an element that iteration 1 writes, but the "
            "loop is said to be independent\n");
}

TEST_F(TouchRecordTest, AcceptsWhatIsIndependent) {
  EXPECT_EQ(check(loop(R"mlir(
    %a = pl.read %z[%c0] : !pl.tensor<[6], f32>
    pl.write %a, %z[%i] : f32, !pl.tensor<[6], f32>
    %b = pl.read %z[%i] : !pl.tensor<[6], f32>)mlir")),
            "");
}

TEST_F(TouchRecordTest, AcceptsMemoryOfAnIteration) {
  EXPECT_EQ(check(loop(R"mlir(
    %s = pl.create_tensor [%c5] : !pl.tensor<[?], f32>
    pl.write %one, %s[%c0] : f32, !pl.tensor<[?], f32>)mlir")),
            "");
}

TEST_F(TouchRecordTest, AcceptsSumsThatOverlap) {
  EXPECT_EQ(check(loop(R"mlir(
    %a = pl.read %z[%c0] {pl.atomic} : !pl.tensor<[6], f32>
    %b = pl.add %a, %one : f32, f32
    pl.write %b, %z[%c0] {pl.atomic} : f32, !pl.tensor<[6], f32>)mlir")),
            "");
  EXPECT_EQ(check(loop(R"mlir(
    %a = pl.read %z[%c0] : !pl.tensor<[6], f32>
    pl.write %a, %z[%c0] {pl.atomic} : f32, !pl.tensor<[6], f32>)mlir")),
            "iteration 2 reads an element that iteration 1 adds to, but the "
            "loop is said to be independent\n");
}

TEST_F(TouchRecordTest, LooksOnlyWhereItIsAsked) {
  EXPECT_EQ(check(loop(shift, "")), "");
  float z[6] = {};
  runs(loop(shift), {TensorView(z, {6})});
}

} // namespace
