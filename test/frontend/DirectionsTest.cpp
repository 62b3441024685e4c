// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directions are checked against what the body does, also through helpers.
#include "test/frontend/KernelSource.h"

using namespace tegula;

TEST(Directions, OfHelpersAreWhatTheirBodiesDo) {
  // A helper that only reads may get an input, whatever it is called.
  EXPECT_NE(generate(R"(@pl.jit.inline
def copy(a, b):
    b[:] = a
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    copy(x, out)
)"),
            "");
  EXPECT_EQ(diagnose(R"(@pl.jit.inline
def copy(a, b):
    b[:] = a
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    copy(out, x)
    out[:] = x
)",
                     "k"),
            "11:5: error: 'x' is an input and cannot be written; declare it "
            "pl.Out or pl.InOut\n"
            "10:7: note: declared here\n"
            "11:5: error: 'out' is read before anything is written to it; "
            "declare it pl.InOut if the caller provides its contents\n");
}

TEST(Directions, OfAHelperThatReadsFirstReachTheCaller) {
  EXPECT_EQ(diagnose(R"(@pl.jit.incore
def bump(y: pl.InOut[pl.Tensor[[M], pl.FP32]]):
    y[:] = y + 1.0
@pl.jit
def k(out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    bump(out)
)",
                     "k"),
            "11:5: error: 'out' is read before anything is written to it; "
            "declare it pl.InOut if the caller provides its contents\n");
}

TEST(Directions, OfAHelperThatDoesNotWriteAreShown) {
  EXPECT_EQ(diagnose(R"(@pl.jit.incore
def fill(y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    z = y
@pl.jit
def k(out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    fill(out)
)",
                     "k"),
            "7:10: error: 'y' is declared pl.Out but never written; write "
            "y[:] = ...\n"
            "11:5: note: in this call of 'fill'\n");
}

TEST(Directions, OfOneHelperCountForEveryCaller) {
  // The inner helper writes; the outer one and the kernel thereby do.
  EXPECT_NE(generate(R"(@pl.jit.incore
def inner(y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = 1.0
@pl.jit.incore
def outer(y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    inner(y)
    return y
@pl.jit
def k(out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out = outer(out)
    return out
)"),
            "");
}

TEST(Directions, OfScalarsAreRefused) {
  EXPECT_EQ(diagnose(R"(@pl.jit
def k(n: pl.InOut[pl.Scalar[pl.INT32]], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = 1.0
)",
                     "k"),
            "7:10: error: only a tensor or a tile can be pl.InOut; return "
            "scalars instead\n");
}

TEST(Directions, InOutThatIsNeverWrittenIsWorthAWarning) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(context);
  std::string file = kernelFile(R"(@pl.jit
def k(x: pl.InOut[pl.Tensor[[M], pl.FP32]], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x
)");
  printer.addSource("k.py", file);
  EXPECT_TRUE(generateModule(context, file, "k.py", "k"));
  EXPECT_FALSE(printer.hasErrors());
  EXPECT_EQ(printer.format().substr(0, 94),
            "k.py:7:7: warning: 'x' is declared pl.InOut but never written; "
            "declare it without a direction\n");
}
