// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/functions/ForOtherMachines.td"

let theme = "sort" in {

class ArgReduction<string name, string reduction, int fromEnd, string meaning>
    : Builtin<name, (takes ShapedSubject:$x, Scratch:$tmp_tile), meaning,
              Calls<"buildArgLast",
                    ["pl::Reduction::" # reduction, !cast<string>(fromEnd)]>>;

def : ArgReduction<"row_argmax", "Max", 1,
    "the index of the largest of each row: `[M, N]` to `[M, 1]` of INT32">;
def : ArgReduction<"row_argmin", "Min", 1,
    "the index of the smallest of each row">;
def : ArgReduction<"col_argmax", "Max", 2,
    "the index of the largest of each column: `[M, N]` to `[1, N]` of INT32">;
def : ArgReduction<"col_argmin", "Min", 2,
    "the index of the smallest of each column">;

class ArgAxis<string name, string reduction, string meaning>
    : Builtin<name, (takes Shaped:$x, Axis:$axis, Flag<"true">:$keepdims),
              meaning, Calls<"buildArgAxis", ["pl::Reduction::" # reduction]>> {
  let shows = [Shows<Pl_ArgReduceOp, (of "source":$x),
                     "op.getReduction() == pl::Reduction::" # reduction>];
}

def : ArgAxis<"argmax", "Max", "the index of the largest along an axis">;
def : ArgAxis<"argmin", "Min", "the index of the smallest along an axis">;

def : Builtin<"sort",
    (takes Shaped:$x, Maybe<Axis>:$axis, Flag<"false">:$descending),
    "the elements along an axis in order, and their indices (INT32)",
    Calls<"buildSort">>;

def : Builtin<"topk", (takes Shaped:$x, Any:$k, Flag<"true">:$largest),
    "the `k` largest of each row in order, and their indices (INT32)",
    Calls<"buildTopK">>;

def : Builtin<"sort32", (takes Named<Shaped, ["src"]>:$x, Shaped:$idx, Scratch:$tmp),
    "pairs of value and index, each 32 of a row in descending order",
    Calls<"buildSort32">> {
  let shows = [Shows<Pl_SortRunsOp, (of "source":$x, "indices":$idx)>];
}

def : Builtin<"mrgsort",
    (takes Named<Shaped, ["src0"]>:$x, Named<Maybe<Shaped>, ["src1"]>:$b,
           Named<Maybe<Shaped>, ["src2"]>:$c, Named<Maybe<Shaped>, ["src3"]>:$d,
           Scratch:$tmp, Flag<"false">:$exhausted, Maybe<Any>:$block_len),
    "rows of sorted pairs merged: 2 to 4 lists, or every four blocks of "
    "`block_len` columns of one", Calls<"buildMergeSort">>;

} // theme
