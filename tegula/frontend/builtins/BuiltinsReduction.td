// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/Builtin.td"

let theme = "reductions" in {

class RowReduction<string name, string reduction, string meaning>
    : Builtin<name, (takes Tile:$x, Ignored:$tmp_tile), meaning,
              Calls<"buildRow", ["pl::Reduction::" # reduction]>>;

def : RowReduction<"row_sum", "Sum",
    "the sum of each row: `[M, N]` to `[M, 1]`">;
def : RowReduction<"row_prod", "Prod", "the product of each row">;
def : RowReduction<"row_max", "Max", "the largest of each row">;
def : RowReduction<"row_min", "Min", "the smallest of each row">;

class ColumnReduction<string name, string reduction, string meaning>
    : Builtin<name, (takes Tile:$x, Ignored:$tmp_tile), meaning,
              Calls<"buildColumn", ["pl::Reduction::" # reduction]>>;

def : ColumnReduction<"col_sum", "Sum",
    "the sum of each column: `[M, N]` to `[1, N]`">;
def : ColumnReduction<"col_prod", "Prod", "the product of each column">;
def : ColumnReduction<"col_max", "Max", "the largest of each column">;
def : ColumnReduction<"col_min", "Min", "the smallest of each column">;

class AxisReduction<string name, string reduction, string meaning>
    : Builtin<name, (takes Tile:$x, Maybe<Any>:$axis, Flag<"true">:$keepdims),
              meaning, Calls<"buildAxis", ["pl::Reduction::" # reduction]>>;

def : AxisReduction<"sum", "Sum",
    "the sum along an axis, or a tuple of them, which stays with extent 1 "
    "unless `keepdims` is False">;
def : AxisReduction<"prod", "Prod", "the product along an axis">;

class Extreme<string name, string reduction, string meaning>
    : Builtin<name,
              (takes Any:$lhs, Maybe<Any>:$rhs, Maybe<Any>:$axis,
                     Flag<"true">:$keepdims),
              meaning, Calls<"buildExtreme", ["pl::Reduction::" # reduction]>>;

def : Extreme<"max", "Max",
    "the largest along an axis; of two scalars the larger">;
def : Extreme<"min", "Min",
    "the smallest along an axis; of two scalars the smaller">;

// A tile and a column with a number for each of its rows, or a row with one for
// each of its columns.
class Expanded<string side, string suffix, string how, string meaning>
    : Builtin<side # "_expand" # suffix,
              !if(!empty(suffix), (takes Tile:$x, Tile:$v),
                  (takes Tile:$x, Tile:$v, Ignored:$tmp)),
              meaning,
              Calls<"buildExpand", [!if(!eq(side, "row"), "true", "false"),
                                    "\"" # how # "\""]>>;

foreach side = ["row", "col"] in {
  defvar vector = !if(!eq(side, "row"), "column", "row");
  defvar by = !if(!eq(side, "row"), "row", "column");
  def : Expanded<side, "", "", "the " # vector # " `v` in the shape of `x`">;
  def : Expanded<side, "_add", "add", "`x + v`, where the " # vector #
                 " `v` has a number for each " # by>;
  def : Expanded<side, "_sub", "sub", "`x - v` by " # by>;
  def : Expanded<side, "_mul", "mul", "`x * v` by " # by>;
  def : Expanded<side, "_div", "div", "`x / v` by " # by>;
  def : Expanded<side, "_max", "maximum",
                 "the larger of `x` and `v` by " # by>;
  def : Expanded<side, "_min", "minimum",
                 "the smaller of `x` and `v` by " # by>;
  def : Expanded<side, "_expdif", "expdif", "`exp(x - v)` by " # by>;
}

} // theme
