// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/functions/ForOtherMachines.td"

// Those that say which axis come after those that know.
class ShowsReduction<string reduction, string parameter, string when = "true">
    : Shows<Pl_ReduceOp,
            !dag(of, ["source"], [parameter]),
            "op.getReduction() == pl::Reduction::" # reduction # " && " # when>;

let theme = "reductions" in {

class RowReduction<string name, string reduction, string meaning>
    : Builtin<name, (takes TileSubject:$x, Scratch:$tmp_tile), meaning,
              Calls<"buildRow", ["pl::Reduction::" # reduction]>> {
  let shows = [ShowsReduction<reduction, "x", "isFromEnd(op, op.getAxis(), 1)">];
}

class ColumnReduction<string name, string reduction, string meaning>
    : Builtin<name, (takes TileSubject:$x, Scratch:$tmp_tile), meaning,
              Calls<"buildColumn", ["pl::Reduction::" # reduction]>> {
  let shows = [ShowsReduction<reduction, "x", "isFromEnd(op, op.getAxis(), 2)">];
}

multiclass Reductions<string name, string reduction, string what> {
  def : RowReduction<"row_" # name, reduction,
                     what # " of each row: `[M, N]` to `[M, 1]`">;
  def : ColumnReduction<"col_" # name, reduction,
                        what # " of each column: `[M, N]` to `[1, N]`">;
}

defm : Reductions<"sum", "Sum", "the sum">;
defm : Reductions<"prod", "Prod", "the product">;
defm : Reductions<"max", "Max", "the largest">;
defm : Reductions<"min", "Min", "the smallest">;
defm : Reductions<"nanmax", "NanMax", "the largest, but for NaN,">;
defm : Reductions<"nanmin", "NanMin", "the smallest, but for NaN,">;

class AxisReduction<string name, string reduction, string meaning>
    : Builtin<name, 
              (takes TileSubject:$x, Maybe<Any>:$axis, Flag<"true">:$keepdims),
              meaning, Calls<"buildAxis", ["pl::Reduction::" # reduction]>> {
  let shows = [ShowsReduction<reduction, "x">];
}

def : AxisReduction<"sum", "Sum",
    "the sum along an axis, or a tuple of them, which stays with extent 1 "
    "unless `keepdims` is False; along all if none is given. The sum of BOOL, "
    "as of a comparison, is the count of what is true: INT32, or INT64 of a "
    "tile that may have more elements than INT32 counts">;
def : AxisReduction<"prod", "Prod", "the product along an axis">;
def : AxisReduction<"nanmax", "NanMax",
    "the largest along an axis that is not NaN; the lowest value if there is "
    "none">;
def : AxisReduction<"nanmin", "NanMin",
    "the smallest along an axis that is not NaN; the highest value if there is "
    "none">;

class Extreme<string name, string reduction, string meaning>
    : Builtin<name,
              (takes AnySubject:$lhs, Maybe<Any>:$rhs, Maybe<Any>:$axis,
                     Flag<"true">:$keepdims),
              meaning, Calls<"buildExtreme", ["pl::Reduction::" # reduction]>> {
  let shows = [ShowsReduction<reduction, "lhs">];
}

def : Extreme<"max", "Max",
    "the largest along an axis, or of all; of two scalars the larger">;
def : Extreme<"min", "Min",
    "the smallest along an axis, or of all; of two scalars the smaller">;

class Scan<string name, string reduction, string meaning>
    : Builtin<name,
              (takes ShapedSubject:$x, Maybe<Axis>:$axis, Maybe<Any>:$initial),
              meaning, Calls<"buildScan", ["pl::Reduction::" # reduction]>> {
  let shows = [Shows<Pl_ScanOp, (of "source":$x),
                     "op.getReduction() == pl::Reduction::" # reduction>];
}

def : Scan<"cumsum", "Sum",
    "the sum of each element and all before it along an axis, the last if none "
    "is given; `initial` comes before the first: a scalar, or one for each "
    "row, such as the sum of an earlier chunk. Of BOOL it is INT32">;
def : Scan<"cumprod", "Prod", "the same for the product">;
def : Scan<"cummax", "Max", "the same for the largest">;
def : Scan<"cummin", "Min", "the same for the smallest">;

} // theme
