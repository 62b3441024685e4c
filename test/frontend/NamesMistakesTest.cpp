// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/frontend/Mistake.h"

using namespace tegula;

class NamesMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(NamesMistakes, AreNamedAtTheirLocation) { expectMistake(GetParam()); }

static const Mistake mistakes[] = {
    {"UndefinedName",
     R"(    out[:] = z + 1
)",
     R"(8:14: error: name 'z' is not defined
)"},
    {"MisspelledName",
     R"(    total = x + 1.0
    out[:] = totel
)",
     R"(9:14: error: name 'totel' is not defined; did you mean 'total'?
)"},
    {"ImportedName",
     R"(    out[:] = x + np.linalg
)",
     R"(8:21: error: 'linalg' of numpy is not something a kernel can use; a kernel gets arrays as arguments, and what it calls is in tegula.language, as pl.exp
)"},
    {"FunctionOfNumPy",
     R"(    out[:] = np.sqrt(x)
)",
     R"(8:14: error: 'np.sqrt' is not something a kernel can use; write pl.sqrt
)"},
    {"FunctionOfNumPyByItsName",
     R"(from numpy import sqrt, zeros
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = sqrt(x)
)",
     R"(9:14: error: 'sqrt' is not something a kernel can use (the function numpy.sqrt)
)"},
    {"ModuleBelowOneOfArrays",
     R"(import torch.nn as nn
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = nn.Linear(x)
)",
     R"(9:14: error: 'nn' is not something a kernel can use: it is of the module 'torch.nn'; what a kernel calls is in tegula.language, as pl.exp
6:8: note: imported here
)"},
    {"TritonLoad",
     R"(    out[:] = tl.load(x)
)",
     R"(8:14: error: 'tl.load' is not something a kernel can use; write x[i : i + ROWS, :]
)"},
    {"TritonArange",
     R"(    out[:] = tl.arange(0, 8)
)",
     R"(8:14: error: 'tl.arange' is not something a kernel can use; write pl.arange(start, shape)
)"},
    {"ReduceSum",
     R"(    out[:] = pl.reduce_sum(x)
)",
     R"(8:14: error: 'pl.reduce_sum' does not exist; write pl.sum(x, axis=)
)"},
    {"DtypeAsFunction",
     R"(    out[:] = pl.float32(x)
)",
     R"(8:14: error: 'pl.float32' does not exist; did you mean 'pl.FP32'?
)"},
    {"DtypeIsCalled",
     R"(    out[:] = np.float32(x)
)",
     R"(8:14: error: the dtype FP32 cannot be called; write pl.cast(x, dtype)
)"},
    {"CastByMethod",
     R"(    out[:] = x.float()
)",
     R"(8:16: error: a tensor [?, 128] of FP32 has no method 'float'; write pl.cast(x, dtype)
)"},
    {"ConstantOfTheLanguage",
     R"(    out[:] = pl.pi * x
)",
     R"(8:17: error: 'pl.pi' does not exist; write math.pi
)"},
    {"LengthOfATensor",
     R"(    out[:] = x * len(x)
)",
     R"(8:18: error: len() cannot take these arguments in a kernel; write x.shape[0]
)"},
    {"SumOfATensor",
     R"(    out[:] = x + sum(x)
)",
     R"(8:18: error: sum() cannot take these arguments in a kernel; write pl.sum(x, axis=)
)"},
    {"FunctionOfMath",
     R"(import math
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = math.log1p(x)
)",
     R"(9:14: error: math.log1p() takes numbers known at compile time; write pl.log1p for values
)"},
    {"UndecoratedFunction",
     R"(def plain(t):
    return t
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = plain(x)
)",
     R"(10:14: error: 'plain' is not something a kernel can use (a function without a kernel decorator at line 6)
)"},
    {"UnknownBuiltin",
     R"(    out[:] = pl.exq(x)
)",
     R"(8:14: error: 'pl.exq' does not exist; did you mean 'pl.exp'?
)"},
    {"UnknownBuiltinNotSimilar",
     R"(    out[:] = pl.frobnicate(x)
)",
     R"(8:14: error: 'pl.frobnicate' does not exist
)"},
    {"UnknownAttribute",
     R"(    n = x.size
    out[:] = x
)",
     R"(8:11: error: a tensor has no attribute 'size'; it has shape, dtype, ndim and T; write pl.dim(x, axis)
)"},
    {"UnknownMethod",
     R"(    out[:] = x.sum()
)",
     R"(8:16: error: a tensor [?, 128] of FP32 has no method 'sum'; call pl.sum
)"},
    {"MethodElsewhere",
     R"(    out[:] = x.astype(pl.FP32)
)",
     R"(8:16: error: a tensor [?, 128] of FP32 has no method 'astype'; write pl.cast(x, dtype)
)"},
    {"MisspelledMethod",
     R"(    out[:] = x.reshap([4])
)",
     R"(8:16: error: a tensor [?, 128] of FP32 has no method 'reshap'; did you mean 'pl.reshape'?
)"},
    {"FunctionElsewhere",
     R"(    out[:] = pl.concatenate([x, x])
)",
     R"(8:14: error: 'pl.concatenate' does not exist; write pl.concat(a, b, axis=)
)"},
    {"SeveralNearFunctions",
     R"(    out[:] = pl.mix(x, 1.0)
)",
     R"(8:14: error: 'pl.mix' does not exist; did you mean 'pl.max' or 'pl.min'?
)"},
    {"FunctionWithoutItsModule",
     R"(    out[:] = exp(x)
)",
     R"(8:14: error: name 'exp' is not defined; did you mean 'pl.exp'?
)"},
    {"ModuleElsewhere",
     R"(    out[:] = tl.exp(x)
)",
     R"(8:14: error: 'tl.exp' is not something a kernel can use; write pl.exp
)"},
    {"GridElsewhere",
     R"(    out[:] = x + tl.program_id(0)
)",
     R"(8:18: error: 'tl.program_id' is not something a kernel can use; write for i in pl.spmd(n)
)"},
    {"AssignToANewAxis",
     R"(    out[None, :] = x
)",
     R"(8:5: error: None adds an axis to what is read; what is assigned has the axes it has
)"},
    {"KeywordElsewhere",
     R"(    out[:] = pl.sum(x, dim=1) + x
)",
     R"(8:28: error: sum() got an unexpected keyword argument 'dim'; did you mean 'axis'?
)"},
    {"MisspelledKeyword",
     R"(    out[:] = pl.sum(x, axis=1, keepdms=True) + x
)",
     R"(8:40: error: sum() got an unexpected keyword argument 'keepdms'; did you mean 'keepdims'?
)"},
    {"DtypeElsewhere",
     R"(    out[:] = pl.cast(x, pl.bfloat16)
)",
     R"(8:25: error: expected a dtype such as pl.FP32, got 'pl.bfloat16'; did you mean 'pl.BF16'?
)"},
    {"MisspelledDtype",
     R"(    out[:] = pl.cast(x, pl.FP33)
)",
     R"(8:25: error: expected a dtype such as pl.FP32, got 'pl.FP33'; did you mean 'pl.FP32'?
)"},
    {"MisspelledDecorator",
     R"(@pl.jitt
def k(x: pl.Tensor[[M], pl.FP32]):
    pass
)",
     R"(6:2: error: the decorator 'pl.jitt' is not supported; use @pl.jit and its kinds; did you mean '@pl.jit'?
)"},
    {"ModuleConstantWithoutValue",
     R"(C = np.zeros(4)
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x * C
)",
     R"(9:18: error: 'C' has no value a kernel can use: 'zeros' of numpy is not something a kernel can use; a kernel gets arrays as arguments, and what it calls is in tegula.language, as pl.exp (line 6)
)"},
    {"ConstantUsedBeforeItIsDefined",
     R"(A = B
B = A
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x * A
)",
     R"(10:18: error: 'A' has no value a kernel can use: name 'B' is not defined (line 6)
)"},
    {"RangeOutsideFor",
     R"(    r = pl.range(4)
    out[:] = x
)",
     R"(8:9: error: pl.range belongs in a 'for'
)"},
    {"OneMistakeOneError",
     R"(    a = z + 1
    b = a * 2
    out[:] = b + a
)",
     R"(8:9: error: name 'z' is not defined
)"},
    {"TwoMistakesTwoErrors",
     R"(    a = y + 1
    out[:] = z
)",
     R"(8:9: error: name 'y' is not defined
9:14: error: name 'z' is not defined
)"},
    {"UnusedResult",
     R"(    pl.exp(x)
    out[:] = x
)",
     R"(8:5: error: the result is not used; assign it to a name or write it to a tensor
)"},
    {"UnusedOperator",
     R"(    x + 1
    out[:] = x
)",
     R"(8:5: error: the result is not used; assign it to a name or write it to a tensor
)"},
    {"Lambda",
     R"(    f = lambda t: t
    out[:] = x
)",
     R"(8:9: error: 'lambda' is not part of the kernel language; write the expression where it is used, or a function with '@pl.jit.inline'
)"},
    {"Comprehension",
     R"(    a = [i for i in x]
    out[:] = x
)",
     R"(8:21: error: a comprehension in a kernel goes over what is known at compile time: range(...), a tuple, a list or a dict, got a tensor [?, 128] of FP32
)"},
    {"ComprehensionIf",
     R"(    a = [i for i in range(3) if x[0] > i]
    out[:] = x
)",
     R"(8:33: error: the 'if' of a comprehension must be known at compile time; use pl.sel on the element
)"},
    {"ComprehensionTooLong",
     R"(    a = [i for i in range(5000)]
    out[:] = x
)",
     R"(8:9: error: a comprehension in a kernel has at most 4096 elements; use a loop
)"},
    {"ComprehensionSet",
     R"(    a = {i for i in range(5)}
    out[:] = x
)",
     R"(8:9: error: a set is not part of the kernel language; use a tuple
)"},
    {"NestedFunction",
     R"(    def f(t):
        return t
    out[:] = x
)",
     R"(8:5: error: functions, classes and imports belong outside the kernel
)"},
    {"Print",
     R"(    print(x)
    out[:] = x
)",
     R"(8:5: error: print() does not work in a kernel; write pl.print(...), or pl.static_print(...) for what is known while compiling
)"},
    {"CallNumber",
     R"(    n = 3
    out[:] = n(x)
)",
     R"(9:14: error: the integer 3 cannot be called
)"},
};

INSTANTIATE_TEST_SUITE_P(Frontend, NamesMistakes, testing::ValuesIn(mistakes),
                         nameOf);
