// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/Builtin.td"

let theme = "shapes" in {

def Pl_FillPad : Builtin<"fillpad",
    (takes Named<Tile, ["tile", "tensor", "input", "value"]>:$x,
           Named<Maybe<Any>, ["pad_value", "mode"]>:$pad),
    "the tile grown to its bounds with `pad` (0): a number, `pl.PadValue.zero`, "
    "`.max` or `.min`, or one of these names as a string", Calls<"buildFillPad">> {
  let shows = [Shows<Pl_FillPadOp, (of "source":$x, "value":$pad)>];
}

def : Same<"fillpad_inplace", Pl_FillPad>;

def : Builtin<"fillpad_expand",
    (takes Named<Tile, ["tile", "tensor", "input", "value"]>:$x, Sizes:$shape,
           Named<Maybe<Any>, ["pad_value", "mode"]>:$pad),
    "the tile in the corner of a larger one, the rest filled with `pad`",
    Calls<"buildFillPadExpand">>;

class Partial<string name, string reduction, string meaning>
    : Builtin<name, 
              (takes Named<Tile, ["src0"]>:$lhs, Named<Tile, ["src1"]>:$rhs),
              meaning,
              Calls<"buildPartial", ["pl::Reduction::" # reduction]>>;

def : Partial<"part_add", "Sum",
    "the sum where both are valid, where only one is, that one; valid in the "
    "box around both, whose corners are the sum of nothing">;
def : Partial<"part_mul", "Prod", "the same for the product">;
def : Partial<"part_max", "Max", "the same for the larger one">;
def : Partial<"part_min", "Min", "the same for the smaller one">;

class PartialIndex<string name, string reduction, string meaning>
    : Builtin<name,
              (takes Named<Tile, ["src0"]>:$lhs, Named<Tile, ["src1"]>:$rhs,
                     Named<Tile, ["idx0"]>:$lhs_index,
                     Named<Tile, ["idx1"]>:$rhs_index),
              meaning,
              Calls<"buildPartialIndex", ["pl::Reduction::" # reduction]>>;

def : PartialIndex<"part_argmax", "Max",
    "the larger value and its index, the first where they are equal, and where "
    "only one is valid, that one">;
def : PartialIndex<"part_argmin", "Min", "the same for the smaller value">;

} // theme
