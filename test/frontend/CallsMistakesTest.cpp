// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/frontend/Mistake.h"

using namespace tegula;

class CallsMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(CallsMistakes, AreNamedAtTheirLocation) { expectMistake(GetParam()); }

static const Mistake mistakes[] = {
    {"MissingArgument",
     R"(@pl.jit.inline
def scale(t: pl.Tensor[[M, 128], pl.FP32], s: pl.FP32, bias: pl.FP32 = 0.0):
    return t * s + bias
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], h: pl.Tensor[[M, 64], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[:] = scale(x)
)",
     R"(11:14: error: scale() missing required argument 's'
)"},
    {"TooManyArguments",
     R"(@pl.jit.inline
def scale(t: pl.Tensor[[M, 128], pl.FP32], s: pl.FP32, bias: pl.FP32 = 0.0):
    return t * s + bias
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], h: pl.Tensor[[M, 64], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[:] = scale(x, 1.0, 2.0, 3.0)
)",
     R"(11:14: error: scale() takes 3 positional arguments but 4 were given
)"},
    {"TooManyOperands",
     R"(@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[:] = pl.exp(x, x)
)",
     R"(8:14: error: exp() takes 1 positional argument but 2 were given
)"},
    {"PartOfTheLanguage", "    out[:] = pl._row(x, x)\n",
     R"(8:14: error: 'pl._row' does not exist
)"},
    {"RowExpandOfARow", "    out[:] = pl.row_expand_add(x, x)\n",
     R"(8:14: error: 'row_expand_add' takes a column [M, 1], got a tile [?, 128] of FP32
)"},
    {"FindInNumbers", "    out[:, 0:4] = pl.find(x, 4)\n",
     R"(8:19: error: 'find' takes booleans of two axes, got a tile [?, 128] of FP32
)"},
    {"FindNothing", "    out[:, 0:4] = pl.find(x > 0.0, 0)\n",
     R"(8:36: error: 'columns' must be a positive integer known at compile time, got the integer 0
)"},
    {"AssembleWithoutSizes",
     "    out[:] = pl.assemble(pl.load(x), 1.0, [0, 0], drop_dims=[0])\n",
     R"(8:14: error: 'assemble' with 'drop_dims' takes a tile of the rank of its target, or needs 'shapes'
)"},
    {"UnknownKeyword",
     R"(@pl.jit.inline
def scale(t: pl.Tensor[[M, 128], pl.FP32], s: pl.FP32, bias: pl.FP32 = 0.0):
    return t * s + bias
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], h: pl.Tensor[[M, 64], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[:] = scale(x, 1.0, offset=2.0)
)",
     R"(11:35: error: scale() got an unexpected keyword argument 'offset'
)"},
    {"MultipleValues",
     R"(@pl.jit.inline
def scale(t: pl.Tensor[[M, 128], pl.FP32], s: pl.FP32, bias: pl.FP32 = 0.0):
    return t * s + bias
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], h: pl.Tensor[[M, 64], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[:] = scale(x, 1.0, s=2.0)
)",
     R"(11:30: error: scale() got multiple values for argument 's'
)"},
    {"WrongExtent",
     R"(@pl.jit.inline
def scale(t: pl.Tensor[[M, 128], pl.FP32], s: pl.FP32, bias: pl.FP32 = 0.0):
    return t * s + bias
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], h: pl.Tensor[[M, 64], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[:] = scale(h, 1.0)
)",
     R"(11:20: error: 't' of 'scale' has extent 128 on axis 1, got 64
7:11: note: declared here
)"},
    {"WrongRank",
     R"(@pl.jit.inline
def scale(t: pl.Tensor[[M, 128], pl.FP32], s: pl.FP32, bias: pl.FP32 = 0.0):
    return t * s + bias
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], h: pl.Tensor[[M, 64], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[:] = scale(x[0], 1.0)
)",
     R"(11:20: error: 't' of 'scale' has rank 2, got rank 1
7:11: note: declared here
)"},
    {"WrongDtype",
     R"(@pl.jit.inline
def scale(t: pl.Tensor[[M, 128], pl.FP32], s: pl.FP32, bias: pl.FP32 = 0.0):
    return t * s + bias
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], h: pl.Tensor[[M, 64], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[:] = scale(pl.cast(x, pl.FP16), 1.0)
)",
     R"(11:20: error: 't' of 'scale' holds FP32, got FP16
7:11: note: declared here
)"},
    {"TensorForScalar",
     R"(@pl.jit.inline
def scale(t: pl.Tensor[[M, 128], pl.FP32], s: pl.FP32, bias: pl.FP32 = 0.0):
    return t * s + bias
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], h: pl.Tensor[[M, 64], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[:] = scale(x, x)
)",
     R"(11:23: error: 's' of 'scale' is an FP32 scalar, got a tensor [?, 128] of FP32
)"},
    {"ScalarForTensor",
     R"(@pl.jit.inline
def scale(t: pl.Tensor[[M, 128], pl.FP32], s: pl.FP32, bias: pl.FP32 = 0.0):
    return t * s + bias
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], h: pl.Tensor[[M, 64], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    out[:] = scale(1.0, 1.0)
)",
     R"(11:20: error: 't' of 'scale' is a tensor, got the float 1.0
)"},
    {"UnusedCall",
     R"(@pl.jit.inline
def scale(t: pl.Tensor[[M, 128], pl.FP32], s: pl.FP32, bias: pl.FP32 = 0.0):
    return t * s + bias
@pl.jit
def k(x: pl.Tensor[[M, 128], pl.FP32], h: pl.Tensor[[M, 64], pl.FP32], out: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    scale(x, 1.0)
    out[:] = x
)",
     R"(11:5: error: the result is not used; assign it to a name or write it to a tensor
)"},
    {"Recursion",
     R"(@pl.jit.inline
def f(t):
    return g(t)
@pl.jit.inline
def g(t):
    return f(t)
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = f(x)
)",
     R"(11:12: error: 'f' calls itself: f -> g -> f; kernels have no recursion, use a loop
8:12: note: in this call of 'g'
14:14: note: in this call of 'f'
)"},
    {"MistakeInHelper",
     R"(@pl.jit.inline
def f(t):
    return t + z
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    a = f(x)
    out[:] = f(x[0:8])
)",
     R"(8:16: error: name 'z' is not defined
11:9: note: in this call of 'f'
)"},
    {"SymbolConflict",
     R"(@pl.jit.incore
def copy(a: pl.Tensor[[K], pl.FP32], b: pl.Out[pl.Tensor[[K], pl.FP32]]):
    b[:] = a
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[16], pl.FP32]]):
    pl.assume(M > 16)
    copy(x, out)
)",
     R"(12:5: error: 'copy' needs one extent K for 'a' and 'b', got M and 16
4:5: note: declared here
10:21: note: M is declared here
)"},
    {"OneBranchReturns",
     R"(@pl.jit.inline
def f(t, n):
    if n > 3:
        return t
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = f(x, M)
)",
     R"(9:9: error: a value is returned on one path and not on the other
12:14: note: in this call of 'f'
)"},
    {"TileForOut",
     R"(@pl.jit.incore
def fill(y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = 0.0
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    fill(x + 1.0)
    out[:] = x
)",
     R"(11:10: error: 'y' of 'fill' is written by it and must be a tensor, got a tile [?] of FP32
)"},
};

INSTANTIATE_TEST_SUITE_P(Frontend, CallsMistakes, testing::ValuesIn(mistakes),
                         nameOf);
