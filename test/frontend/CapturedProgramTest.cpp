// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/frontend/Captured.h"
#include "test/frontend/KernelSource.h"

using namespace tegula;

static const char *const addText = R"(@pl.jit
def k(x: pl.Tensor[[rows, TILE], pl.FP32], out: pl.Out[pl.Tensor[[rows, TILE], pl.FP32]]):
    out[:] = x + cfg.bias
)";

static Program addProgram() {
  Program program;
  program.blocks.push_back({"a.py", 1, addText, "k"});
  program.blocks[0].names = {{"TILE", capturedInt(64)},
                             {"cfg.bias", {Captured::Float, 0, 0.5}},
                             capturedLanguage,
                             {"rows", capturedSymbol(0)}};
  program.symbols = {{"M", "a.py", 1}};
  return program;
}

TEST(CapturedProgram, AnswersFromTheCapturedNames) {
  expectInOrder(generateProgram(addProgram()),
                {"!pl.tensor<[?, 64], f32>", "\"M\"", "5.000000e-01"});
}

TEST(CapturedProgram, IsTheProgramOfTheFile) {
  std::string file = generate(R"(@pl.jit
def k(x: pl.Tensor[[M, 64], pl.FP32], out: pl.Out[pl.Tensor[[M, 64], pl.FP32]]):
    out[:] = x + 0.5
)");
  EXPECT_EQ(generateProgram(addProgram()), file);
}

TEST(CapturedProgram, LocatesErrorsInTheFileHoweverDeepTheTextStands) {
  Program program = addProgram();
  program.blocks[0].firstLine = 40;
  program.blocks[0].text = "    @pl.jit\n"
                           "    def k(x: pl.Tensor[[rows, TILE], pl.FP32]):\n"
                           "        y = x + nobody\n";
  EXPECT_EQ(generateProgram(program),
            "a.py:42:17: name 'nobody' is not defined\n");
  program.blocks[0].text = "\t@pl.jit\n\tdef k(x):\n\t\ty = )\n";
  EXPECT_EQ(generateProgram(program),
            "a.py:42:7: ')' has no opening bracket\n");
  program.blocks[0].text = "    @pl.jit\n    def k(x):\n  y = 1\n";
  expectInOrder(generateProgram(program),
                {"a.py:42:3: this line is indented by 2 columns, which matches "
                 "no enclosing block; the nearest is at 4\n"});
}

TEST(CapturedProgram, SaysWhyANameCannotBeUsed) {
  Program program = addProgram();
  program.blocks[0].names[1].second =
      capturedText(Captured::Unusable, "'cfg.bias' is a Thread");
  EXPECT_EQ(generateProgram(program), "a.py:3:18: 'cfg.bias' is a Thread\n");
  program.blocks[0].names[1].first = "cfg.other";
  EXPECT_EQ(generateProgram(program), "a.py:3:22: 'cfg' has no 'bias'\n");
}

TEST(CapturedProgram, KeepsHelpersOfOneNameApart) {
  Program program = addProgram();
  program.blocks[0].text = "@pl.jit\n"
                           "def k(x: pl.Tensor[[rows, 8], pl.FP32], out: "
                           "pl.Out[pl.Tensor[[rows, 8], pl.FP32]]):\n"
                           "    out[:] = first.scale(x) + second.scale(x)\n";
  program.blocks[0].names = {{"first.scale", capturedFunction(1)},
                             capturedLanguage,
                             {"rows", capturedSymbol(0)},
                             {"second.scale", capturedFunction(2)}};
  for (double factor : {2.0, 3.0}) {
    program.blocks.push_back({"m.py", 1,
                              "@jit.inline\n"
                              "def scale(x):\n    return x * FACTOR\n",
                              "scale"});
    program.blocks.back().names = {
        {"FACTOR", {Captured::Float, 0, factor}},
        {"jit", capturedText(Captured::Language, "jit")}};
  }
  expectInOrder(generateProgram(program), {"call @scale(", "call @scale_1(",
                                           "2.000000e+00", "3.000000e+00"});
}

TEST(CapturedProgram, KnowsTheKindThatTheTextDoesNotShow) {
  Program program = addProgram();
  program.blocks[0].text = "def k(x: pl.Tensor[[rows, 8], pl.FP32], out: "
                           "pl.Out[pl.Tensor[[rows, 8], pl.FP32]]):\n"
                           "    out[:] = twice(x)\n";
  program.blocks[0].names = {capturedLanguage,
                             {"rows", capturedSymbol(0)},
                             {"twice", capturedFunction(1)}};
  program.blocks.push_back(
      {"a.py", 9, "def twice(x):\n    return x + x\n", "twice", "jit.inline"});
  expectInOrder(generateProgram(program), {"call @twice("});
  program.blocks[1].decorator = "";
  EXPECT_EQ(generateProgram(program),
            "a.py:9:5: 'twice' is a function without a kernel decorator\n");
}

TEST(CapturedProgram, TellsSymbolsApartByIdentity) {
  Program program = addProgram();
  program.symbols.push_back({"M", "b.py", 7});
  program.blocks[0].names = {{"TILE", capturedSymbol(1)},
                             {"cfg.bias", {Captured::Float, 0, 0.5}},
                             capturedLanguage,
                             {"rows", capturedSymbol(0)}};
  expectInOrder(generateProgram(program),
                {"pl.bind \"M\"", "pl.bind \"M of b.py\""});
  program.blocks[0].names[0].second = capturedSymbol(0);
  expectInOrder(generateProgram(program), {"!pl.tensor<[?, ?], f32>", "\"M\""});
}

TEST(CapturedProgram, ComputesExtentsFromSymbols) {
  Program program = addProgram();
  program.blocks[0].names[0].second = {
      Captured::Extent, 0, 0, "//", {capturedSymbol(0), capturedInt(2)}};
  expectInOrder(generateProgram(program), {"M // 2"});
}

TEST(CapturedProgram, TakesAClass) {
  Program program = addProgram();
  program.blocks[0] = {
      "a.py", 5,
      "  @pl.program\n"
      "  class Both:\n"
      "    @pl.function(type=pl.FunctionType.InCore)\n"
      "    def half(self, x):\n"
      "      return x * HALF\n"
      "    @pl.function(type=pl.FunctionType.Orchestration)\n"
      "    def main(self, x: pl.Tensor[[rows, 8], pl.FP32], out: "
      "pl.Out[pl.Tensor[[rows, 8], pl.FP32]]):\n"
      "      out[:] = self.half(x)\n",
      "Both", "program"};
  program.blocks[0].names = {{"HALF", {Captured::Float, 0, 0.5}},
                             capturedLanguage,
                             {"rows", capturedSymbol(0)}};
  expectInOrder(generateProgram(program), {"@main", "call @half("});
  program.method = "other";
  EXPECT_EQ(generateProgram(program), "a.py:6:3: the program 'Both' has no "
                                      "function 'other'; there is: half, "
                                      "main\n");
  program.method = "";
  program.blocks[0].names.erase(program.blocks[0].names.begin());
  EXPECT_NE(
      generateProgram(program).find("a.py:9:18: name 'HALF' is not defined"),
      std::string::npos);
}

TEST(CapturedProgram, DescribesItsParameters) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::optional<KernelSignature> kernel =
      describeProgram(context, addProgram());
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->name, "k");
  ASSERT_EQ(kernel->parameters.size(), 2u);
  EXPECT_EQ((*kernel->parameters[0].axes)[0].symbol, "M");
  EXPECT_EQ((*kernel->parameters[0].axes)[1].extent, 64);
  EXPECT_TRUE(kernel->results.empty());
}

TEST(CapturedProgram, SaysWhatTheEntryReturns) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto resultsOf = [&](const char *ending) {
    Program program = addProgram();
    program.blocks[0].text += ending;
    std::optional<KernelSignature> kernel = describeProgram(context, program);
    return kernel ? kernel->results : std::vector<unsigned>{99};
  };
  EXPECT_EQ(resultsOf("    return out\n"), std::vector<unsigned>{1});
  EXPECT_EQ(resultsOf("    return out, out\n"), (std::vector<unsigned>{1, 1}));
  EXPECT_EQ(resultsOf("    return\n"), std::vector<unsigned>{});
  EXPECT_EQ(resultsOf("    if 1:\n        return out\n    return out, out\n"),
            std::vector<unsigned>{1});
  EXPECT_EQ(resultsOf("    if rows > 1:\n        return out\n"
                      "    return out, out\n"),
            std::vector<unsigned>{});
}
