// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/ForOtherMachines.td"

// Those that say which axis come after those that know.
class ShowsReduction<string reduction, string parameter, string when = "true">
    : Shows<Pl_ReduceOp,
            !dag(of, ["source"], [parameter]),
            "op.getReduction() == pl::Reduction::" # reduction # " && " # when>;

let theme = "reductions" in {

class RowReduction<string name, string reduction, string meaning>
    : Builtin<name, (takes Tile:$x, Scratch:$tmp_tile), meaning,
              Calls<"buildRow", ["pl::Reduction::" # reduction]>> {
  let shows = [ShowsReduction<reduction, "x", "isFromEnd(op, op.getAxis(), 1)">];
}

def : RowReduction<"row_sum", "Sum",
    "the sum of each row: `[M, N]` to `[M, 1]`">;
def : RowReduction<"row_prod", "Prod", "the product of each row">;
def : RowReduction<"row_max", "Max", "the largest of each row">;
def : RowReduction<"row_min", "Min", "the smallest of each row">;

class ColumnReduction<string name, string reduction, string meaning>
    : Builtin<name, (takes Tile:$x, Scratch:$tmp_tile), meaning,
              Calls<"buildColumn", ["pl::Reduction::" # reduction]>> {
  let shows = [ShowsReduction<reduction, "x", "isFromEnd(op, op.getAxis(), 2)">];
}

def : ColumnReduction<"col_sum", "Sum",
    "the sum of each column: `[M, N]` to `[1, N]`">;
def : ColumnReduction<"col_prod", "Prod", "the product of each column">;
def : ColumnReduction<"col_max", "Max", "the largest of each column">;
def : ColumnReduction<"col_min", "Min", "the smallest of each column">;

class AxisReduction<string name, string reduction, string meaning>
    : Builtin<name, (takes Tile:$x, Maybe<Any>:$axis, Flag<"true">:$keepdims),
              meaning, Calls<"buildAxis", ["pl::Reduction::" # reduction]>> {
  let shows = [ShowsReduction<reduction, "x">];
}

def : AxisReduction<"sum", "Sum",
    "the sum along an axis, or a tuple of them, which stays with extent 1 "
    "unless `keepdims` is False">;
def : AxisReduction<"prod", "Prod", "the product along an axis">;

class Extreme<string name, string reduction, string meaning>
    : Builtin<name,
              (takes Any:$lhs, Maybe<Any>:$rhs, Maybe<Any>:$axis,
                     Flag<"true">:$keepdims),
              meaning, Calls<"buildExtreme", ["pl::Reduction::" # reduction]>> {
  let shows = [ShowsReduction<reduction, "lhs">];
}

def : Extreme<"max", "Max",
    "the largest along an axis; of two scalars the larger">;
def : Extreme<"min", "Min",
    "the smallest along an axis; of two scalars the smaller">;

} // theme
