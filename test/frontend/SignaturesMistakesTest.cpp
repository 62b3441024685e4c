// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/frontend/Mistake.h"

using namespace tegula;

class SignaturesMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(SignaturesMistakes, AreNamedAtTheirLocation) {
  expectMistake(GetParam());
}

static const Mistake mistakes[] = {
    {"AsyncDef",
     R"(@pl.jit
async def k(x: pl.Tensor[[M], pl.FP32]):
    pass
)",
     R"(7:1: error: 'async def' is not part of the kernel language; kernels run to their end; write 'def'
)"},
    {"AsyncHelper",
     R"(@pl.jit.inline
async def h(t):
    return t
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = h(x)
)",
     R"(7:1: error: 'async def' is not part of the kernel language; kernels run to their end; write 'def'
)"},
    {"AsyncFor",
     R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    async for i in pl.range(M):
        out[i] = x[i]
    out[:] = x
)",
     R"(8:5: error: 'async for' is not part of the kernel language; kernels run to their end
)"},
    {"Await",
     R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = await x
)",
     R"(8:14: error: 'await' is not part of the kernel language; kernels run to their end
)"},
    {"UnannotatedParameter",
     R"(@pl.jit
def k(x, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x
)",
     R"(7:7: error: the type of 'x' is not known; annotate it, for example pl.Tensor[[M, 128], pl.FP32]
)"},
    {"OpenTensor",
     R"(@pl.jit
def k(x: pl.Tensor, out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x
)",
     R"(7:7: error: the type of 'x' is not known; annotate it, for example pl.Tensor[[M, 128], pl.FP32]
)"},
    {"RefusedDtype",
     R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP4]):
    pass
)",
     R"(7:25: error: 4-bit floats are not supported; use FP8E4M3FN, FP8E5M2 or FP16, or hold their bits in UINT4
)"},
    {"UnknownDtype",
     R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FLOAT32]):
    pass
)",
     R"(7:25: error: expected a dtype such as pl.FP32, got 'pl.FLOAT32'; did you mean 'pl.FP32'?
)"},
    {"MissingDtype",
     R"(@pl.jit
def k(x: pl.Tensor[[M]]):
    pass
)",
     R"(7:10: error: pl.Tensor takes a shape and a dtype: pl.Tensor[[M, 128], pl.FP32]
)"},
    {"NegativeExtent",
     R"(@pl.jit
def k(x: pl.Tensor[[-1, 4], pl.FP32]):
    pass
)",
     R"(7:21: error: an extent must not be negative, got -1
)"},
    {"FloatExtent",
     R"(@pl.jit
def k(x: pl.Tensor[[2.5], pl.FP32]):
    pass
)",
     R"(7:21: error: an extent must be an integer or a symbol made by pl.dynamic, got the float 2.5
)"},
    {"UndefinedSymbol",
     R"(@pl.jit
def k(x: pl.Tensor[[Q], pl.FP32]):
    pass
)",
     R"(7:21: error: name 'Q' is not defined
)"},
    {"OutScalar",
     R"(@pl.jit
def k(x: pl.Out[pl.FP32]):
    pass
)",
     R"(7:10: error: only a tensor or a tile can be pl.Out; return scalars instead
)"},
    {"TileParameter",
     R"(@pl.jit
def k(x: pl.Tile[[8, 8], pl.FP32]):
    pass
)",
     R"(7:7: error: a kernel takes tensors and scalars; a tile exists only inside it
)"},
    {"StarParameter",
     R"(@pl.jit
def k(*xs):
    pass
)",
     R"(7:8: error: a kernel takes no '*xs'; name every parameter
)"},
    {"QuotesInQuotedAnnotation",
     R"(@pl.jit
def k(x: pl.Out["pl.Tensor[[M], pl.FP32]"]):
    pass
)",
     R"(7:17: error: write the annotation without quotes
)"},
    {"MistakeInQuotedAnnotation",
     R"(@pl.jit
def k(x: "pl.Tensor[[M], pl.FLOAT]"):
    pass
)",
     R"(7:26: error: expected a dtype such as pl.FP32, got 'pl.FLOAT'; did you mean 'pl.FP32'?
)"},
    {"TooMuchInQuotedAnnotation",
     R"(@pl.jit
def k(x: "pl.Tensor[[M], pl.FP32] and so on"):
    pass
)",
     R"(7:42: error: expected the end of the annotation, found 'on'
)"},
    {"QuotedAnnotationWithEscapes",
     R"(@pl.jit
def k(x: "pl.Tensor[[M],\tpl.FP32]"):
    pass
)",
     R"(7:10: error: write the annotation without quotes
)"},
    {"ViewInAnnotation",
     R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32, pl.TensorView(valid_shape=[4, 4])]):
    pass
)",
     R"(7:10: error: valid_shape has 2 axes, the tensor 1
)"},
    {"ForeignFunction",
     R"(@pl.jit.extern(core_type="aiv", source="f.cpp")
def f(x: pl.Tensor[[M], pl.FP32]): ...
@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x
    f(x)
)",
     R"(11:5: error: 'f' is code for one machine
6:2: note: @pl.jit.extern binds a kernel to code for one machine; write its body here under @pl.jit.incore
)"},
    {"WrongAnnotation",
     R"(@pl.jit
def k(x: T):
    pass
)",
     R"(7:10: error: expected pl.Tensor, pl.Out, pl.InOut, pl.Scalar, pl.Tile or a dtype, got the integer 64
)"},
    {"SymbolWithoutAName",
     R"(@pl.jit
def k(x: pl.Tensor[[pl.dynamic()], pl.FP32]):
    pass
)",
     R"(7:21: error: pl.dynamic() is named by the variable it is assigned to; write pl.dynamic("M") here
)"},
    {"SymbolRebound",
     R"(@pl.jit
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    rows = pl.dynamic("R")
    rows = pl.dynamic("S")
    out[:] = x
)",
     R"(9:5: error: 'rows' is the symbol R and cannot become the symbol S
8:12: note: declared here
)"},
    {"SymbolOfNoParameter",
     R"(    out[:] = x * K
)",
     R"(8:18: error: the symbol K is not the extent of any parameter of 'k'
4:5: note: declared here
)"},
    {"BadSymbolName",
     R"(B = pl.dynamic("not a name")
@pl.jit
def k(x: pl.Tensor[[B], pl.FP32]):
    pass
)",
     R"(8:21: error: 'B' has no value a kernel can use: the name of a symbol must be an identifier, got 'not a name' (line 6)
)"},
    {"BindAxisOutOfRange",
     R"(    x.bind_dynamic(2, M)
    out[:] = x
)",
     R"(8:20: error: axis 2 is out of range for 'x' of rank 2
)"},
    {"BindTwice",
     R"(    x.bind_dynamic(0, K)
    out[:] = x
)",
     R"(8:5: error: axis 0 of 'x' is declared as M and cannot be K too
7:21: note: declared here
)"},
    {"BindInsideLoop",
     R"(    for i in range(3):
        x.bind_dynamic(1, K)
    out[:] = x
)",
     R"(9:9: error: bind_dynamic must stand at the top level of the body
)"},
    {"UnknownKind",
     R"(@pl.jit.fast
def k(x: pl.Tensor[[M], pl.FP32]):
    pass
)",
     R"(6:2: error: 'pl.jit.fast' is not a kind of kernel; the kinds are pl.jit, pl.jit.incore, pl.jit.inline, pl.jit.graph, pl.jit.opaque and pl.jit.host
)"},
    {"UnknownDecorator",
     R"(@pl.nonsense
def k(x: pl.Tensor[[M], pl.FP32]):
    pass
@pl.jit
def j(x: pl.InOut[pl.Tensor[[M], pl.FP32]]):
    x[0] = 1.0
)",
     R"(6:2: error: the decorator 'pl.nonsense' is not supported; use @pl.jit and its kinds
)",
     ""},
    {"NoKernel",
     R"(@pl.jit.incore
def k(x: pl.Tensor[[M], pl.FP32]):
    pass
)",
     R"(1:1: error: there is no kernel in this file; decorate a function with @pl.jit
)",
     ""},
    {"SeveralKernels",
     R"(@pl.jit
def a(x: pl.InOut[pl.Tensor[[M], pl.FP32]]):
    x[0] = 1.0
@pl.jit
def b(x: pl.InOut[pl.Tensor[[M], pl.FP32]]):
    x[0] = 1.0
)",
     R"(1:1: error: there are several kernels in this file, choose one of: a, b
)",
     ""},
};

INSTANTIATE_TEST_SUITE_P(Frontend, SignaturesMistakes,
                         testing::ValuesIn(mistakes), nameOf);
