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
            "11:5: error: 'out' is read before anything is written to it; "
            "declare it pl.InOut if the caller provides its contents\n");
}

/// What is said about a kernel that is accepted.
static std::string remarks(const std::string &source) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(context);
  EXPECT_TRUE(generateModule(context, kernelFile(source), "k.py", "k"));
  return printer.format();
}

/// A kernel that writes its input `x` in some way.
static std::string writingX(const std::string &body) {
  return R"(@pl.jit.incore
def fill(y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = 1.0
@pl.jit.inline
def fill_rows(y: pl.Tensor[[M], pl.FP32]):
    rows = pl.reshape(y, [M, 1])
    rows[:, :] = pl.full([M, 1], pl.FP32, 1.0)
    return y
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
)" + body +
         "    out[:] = x\n";
}

TEST(Directions, AreInOutIfATensorWithoutOneIsWritten) {
  for (const char *body :
       {"    x[0] = 1.0\n", "    pl.store(out[0:8], [0], x)\n",
        "    x = pl.assemble(x, pl.full([4], pl.FP32, 1.0), [0])\n",
        "    part = x[0:8]\n    part[:] = 1.0\n", "    fill(x)\n",
        "    fill_rows(y=x)\n", "    x = fill_rows(x)\n"}) {
    std::string source = writingX(body);
    if (std::string(body).find("out") != std::string::npos)
      source.replace(source.find("out: pl.Out"), 11, "out: pl.InOut");
    EXPECT_NE(generate(source).find("#pl.dir<inout>, pl.name = \"x\""),
              std::string::npos)
        << body;
    EXPECT_EQ(remarks(source),
              "k.py:15:7: warning: 'x' is written and has no direction; it is "
              "taken for pl.InOut\n")
        << body;
  }
  EXPECT_EQ(remarks(writingX("")), "");
}

TEST(Directions, OfAHelperInACoreMustSayThatATensorIsWritten) {
  EXPECT_EQ(diagnose(R"(@pl.jit.incore
def fill(y: pl.Tensor[[M], pl.FP32]):
    y[:] = 1.0
@pl.jit
def k(out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    fill(out)
)",
                     "k"),
            "8:5: error: 'y' is an input and cannot be written; declare it "
            "pl.Out or pl.InOut\n"
            "7:10: note: declared here\n"
            "11:5: note: in this call of 'fill'\n");
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
