// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class form: `@pl.program` and `@pl.function`.
#include "test/frontend/KernelSource.h"

using namespace tegula;

namespace {

const char *const program = R"(@pl.program
class Net:
    """Two stages."""
    SCALE = 2.0

    @pl.function(type=pl.FunctionType.InCore)
    def scale(self, t: pl.Tensor[[M, 128], pl.FP32], y: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
        y[:] = t * self.SCALE
        return y

    @pl.function(type=pl.FunctionType.Orchestration, auto_scope=True, strict_ssa=False)
    def main(self, x: pl.Tensor[[M, 128], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]) -> pl.Tensor[[M, 128], pl.FP32]:
        pl.func_attr({"level": 2, "arg": x})
        for i in range(0, M, T):
            with pl.at(level=pl.Level.CORE_GROUP):
                self.scale(x[i : i + T], out[i : i + T])
        return out
)";

} // namespace

TEST(Program, StartsWithTheFunctionThatOrchestrates) {
  for (const char *name : {"", "Net", "Net.main"})
    expectInOrder(generate(program, {}, name),
                  {"func.func @main(", "#pl.kind<entry>", "call @scale",
                   "func.func private @scale", "#pl.kind<incore>",
                   "2.000000e+00"});
}

TEST(Program, RunsAnyOfItsFunctions) {
  expectInOrder(generate(program, {}, "Net.scale"),
                {"func.func @scale(", "#pl.kind<entry>", "pl.mul"});
}

TEST(Program, StartsWithTheOnlyFunctionNobodyCalls) {
  expectInOrder(generate(R"(@pl.program()
class P:
    @pl.function
    def first(self, x: pl.Tensor[[M], pl.FP32]):
        return x + 1.0
    @pl.function()
    def second(this, x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        if T > 3:
            out[:] = this.first(x) if T > 4 else x
)",
                         {}, "P"),
                {"func.func @second(", "#pl.kind<entry>", "call @first"});
}

TEST(Program, CallsFunctionsOfTheModule) {
  expectInOrder(generate(R"(@pl.inline
def twice(t):
    return t + t
@pl.function(type=pl.FunctionType.Inline)
def once(t):
    return t
@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def run(self, x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = twice(once(x))
)",
                         {}, "P"),
                {"call @once", "call @twice", "#pl.kind<inline>"});
}

TEST(Program, IsTheSameAsDecoratedFunctions) {
  std::string kernel = generate(R"(@pl.jit.incore
def scale(t: pl.Tensor[[M, 128], pl.FP32], y: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    y[:] = t * 2.0
    return y
@pl.jit
def main(x: pl.Tensor[[M, 128], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    for i in range(0, M, T):
        with pl.at(level=pl.Level.CORE_GROUP):
            scale(x[i : i + T], out[i : i + T])
    return out
)",
                                {}, "main");
  EXPECT_EQ(kernel, generate(program, {}, "Net"));
}

TEST(Program, ShowsWhatItCannotStartWith) {
  const char *two = R"(@pl.program
class P:
    @pl.function
    def a(self, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = 1.0
    @pl.function
    def b(self, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = 2.0
)";
  EXPECT_EQ(diagnose(two, "P"),
            "7:7: error: it is not clear where the program 'P' starts; choose "
            "one of: P.a, P.b\n");
  EXPECT_EQ(diagnose(two, "P.c"), "7:7: error: the program 'P' has no function "
                                  "'c'; there is: P.a, P.b\n");
  expectInOrder(generate(two, {}, "P.b"), {"func.func @b", "2.0"});
}

TEST(Program, ShowsMissingFunctions) {
  EXPECT_EQ(diagnose(R"(@pl.program
class P:
    @pl.function
    def a(self, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        self.b(out)
)",
                     "P"),
            "10:14: error: the program 'P' has no 'b'\n");
}

TEST(Program, DropsTheFirstParameterIfItIsSelf) {
  expectInOrder(generate(R"(@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def twice(x: pl.Tensor, y: pl.Out[pl.Tensor]):
        y[:] = x * 2.0
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
        self.twice(x, y)
)",
                         {}, "P"),
                {"@main(%arg0", "pl.name = \"x\"", "pl.name = \"y\"",
                 "call @twice(%arg0, %arg1)"});
}

TEST(Program, KeepsTheLevelOfAFunction) {
  for (auto [decorator, level] :
       {std::pair("@pl.function(type=pl.FunctionType.AIC)", "aic"),
        std::pair("@pl.function(type=pl.FunctionType.AIV)", "aiv"),
        std::pair("@pl.function(type=pl.FunctionType.Group)", "core_group"),
        std::pair("@pl.jit.incore(level=pl.Level.AIV)", "aiv"),
        std::pair("@pl.function(level=pl.Level.CHIP)", "chip")})
    expectInOrder(generate(std::string(decorator) + R"(
def h(t):
    return t
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = h(x)
)"),
                  {"@k(", "@h(", std::string("pl.level = #pl<level ") + level});
}

TEST(Program, KeepsTheRoleOfAFunction) {
  for (auto [arguments, role] :
       {std::pair("type=pl.FunctionType.Group", "Group"),
        std::pair("type=pl.FunctionType.Spmd", "Spmd"),
        std::pair("role=pl.Role.SubWorker", "SubWorker")})
    expectInOrder(generate("@pl.function(" + std::string(arguments) + R"()
def h(t):
    return t
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = h(x)
)"),
                  {"@k(", "@h(", "pl.role = \"" + std::string(role)});
}

TEST(Program, ChecksTheArgumentsOfDecorators) {
  auto decorated = [](const std::string &decorator) {
    return diagnose(decorator + "\ndef k(out: pl.Out[pl.Tensor[[M], pl.FP32]])"
                                ":\n    out[:] = 1.0\n",
                    "k");
  };
  EXPECT_EQ(decorated("@pl.jit(level=pl.Level.AIV)"),
            "6:9: error: @pl.jit takes no 'level='; a level belongs to "
            "@pl.jit.incore\n");
  EXPECT_EQ(decorated("@pl.jit.incore(auto_scope=True)"),
            "6:16: error: @pl.jit.incore takes no 'auto_scope='\n");
  EXPECT_EQ(decorated("@pl.jit.opaque(auto_scope=False)"),
            "6:16: error: @pl.jit.opaque takes no 'auto_scope='\n");
  EXPECT_EQ(decorated("@pl.jit(8)"),
            "6:9: error: @pl.jit takes keyword arguments only\n");
  EXPECT_EQ(decorated("@pl.function(type=3)"),
            "6:19: error: the type of a function is one of pl.FunctionType: "
            "Opaque, Orchestration, InCore, AIC, AIV, Group, Spmd, Inline, "
            "Graph\n");
  EXPECT_EQ(decorated("@pl.jit.incore(level=2)"),
            "6:22: error: the level of a function is one of pl.Level, such as "
            "pl.Level.CORE_GROUP\n");
  EXPECT_EQ(decorated("@pl.jit.extern(core_type='aic')"),
            "1:1: error: 'k' is code for one machine\n"
            "6:2: note: @pl.jit.extern binds a kernel to code for one "
            "machine; write its body here under @pl.jit.incore\n");
}

TEST(Program, TakesDecoratorsBareAndWithParentheses) {
  for (const char *decorator :
       {"@pl.jit", "@pl.jit()", "@pl.jit(auto_scope=False)",
        "@pl.function(type=pl.FunctionType.Orchestration)"})
    for (const char *helper :
         {"@pl.jit.incore", "@pl.jit.incore()",
          "@pl.jit.incore(level=pl.Level.AIV)", "@pl.jit.inline()",
          "@pl.jit.opaque()", "@pl.inline", "@pl.function"})
      expectInOrder(
          generate(std::string(helper) + "\ndef h(t):\n    return t\n" +
                   decorator +
                   "\ndef k(x: pl.Tensor[[M], pl.FP32], out: "
                   "pl.Out[pl.Tensor[[M], pl.FP32]]):\n    out[:] = h(x)\n"),
          {"func.func @k", "#pl.kind<entry>", "call @h"});
}

TEST(Program, ChecksFunctionAttributes) {
  EXPECT_EQ(diagnose("    out[:] = x\n    pl.func_attr({'a': 1})\n", "k"),
            "9:5: error: pl.func_attr must stand at the start of the body\n");
  EXPECT_EQ(
      diagnose("    pl.func_attr({'a': 1, 'a': 2})\n    out[:] = x\n", "k"),
      "8:27: error: the attribute 'a' is given twice\n");
  EXPECT_EQ(diagnose("    pl.func_attr(1)\n    out[:] = x\n", "k"),
            "8:5: error: pl.func_attr takes one dict\n");
}
