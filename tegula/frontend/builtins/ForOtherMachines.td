// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters that kernels for other machines give and that change nothing
// here. A function takes them so that such kernels need no edits.

#ifndef TEGULA_FRONTEND_BUILTINS_FOR_OTHER_MACHINES
#define TEGULA_FRONTEND_BUILTINS_FOR_OTHER_MACHINES

include "tegula/frontend/builtins/Builtin.td"
include "tegula/ir/PlElementwiseOps.td"

def Scratch : Ignored<"the compiler finds memory to work in by itself">;
def Memory : Ignored<"a target that has such a memory puts the tile there, "
                     "which changes no result">;
def Place : Ignored<"where a tile lies, and how, is the compiler's business">;
def Precision : Ignored<"results are always as exact as their type">;
def Schedule : Ignored<"what depends on what is seen by the compiler">;
def Clamp : Ignored<"windows always end at the edge">;
def Cache : Ignored<"what stays near is the processor's business">;
def Group : Ignored<"there is one group of ranks">;
def Signal : Ignored<"ranks meet without a signal of their author's">;

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
