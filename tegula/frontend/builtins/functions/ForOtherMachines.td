// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters that kernels for other machines give and that change nothing
// here. A function takes them so that such kernels need no edits.

#ifndef TEGULA_FRONTEND_BUILTINS_FOR_OTHER_MACHINES
#define TEGULA_FRONTEND_BUILTINS_FOR_OTHER_MACHINES

include "tegula/frontend/builtins/Builtin.td"
include "tegula/ir/ops/PlElementwiseOps.td"

def Scratch : Ignored<"the compiler allocates scratch memory itself">;
def Memory : Ignored<"a target that has such a memory puts the tile there, "
                     "which changes no result">;
def TileLayout : Ignored<"the compiler chooses the memory and layout of a tile">;
def Precision : Ignored<"results are always as exact as their type">;
def Schedule : Ignored<"the compiler finds dependences itself">;
def Clamp : Ignored<"windows always end at the edge">;
def Cache : Ignored<"the processor manages its caches">;
def Group : Ignored<"there is one group of ranks">;
def Signal : Ignored<"ranks synchronise without an explicit signal">;

// What elementwise ops take besides their operands.
class AlsoTakes<list<Pl_FunctionOp> ops_, dag parameters_> {
  list<Pl_FunctionOp> ops = ops_;
  dag parameters = parameters_;
}

def : AlsoTakes<[Pl_LogOp, Pl_RecipOp, Pl_DivOp, Pl_FmodOp],
                (takes Precision:$high_precision)>;
def : AlsoTakes<[Pl_RsqrtOp, Pl_RemOp, Pl_PowOp],
                (takes Scratch:$tmp, Precision:$high_precision)>;
def : AlsoTakes<[Pl_XorOp], (takes Scratch:$tmp)>;

#endif // TEGULA_FRONTEND_BUILTINS_FOR_OTHER_MACHINES
