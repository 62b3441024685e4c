// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/functions/ForOtherMachines.td"

let theme = "shapes" in {

def : Builtin<"dim", (takes ShapedSubject:$x, Axis:$axis),
    "the extent of an axis, as `x.shape[axis]`", Calls<"buildDim">> {
  let shows = [Shows<Pl_DimOp, (of "source":$x)>];
}

// For prelude.py.
def : Builtin<"_is_unit", (takes Shaped:$x, Axis:$axis),
    "whether an axis is known to have at most the extent 1, and is repeated to "
    "fit others", Calls<"buildIsUnit">>;
def : Builtin<"_is_known", (takes Any:$x),
    "whether it is a number known while compiling", Calls<"buildIsKnown">>;
def : Builtin<"_is_integer", (takes Any:$x),
    "whether it is an integer, known or not", Calls<"buildIsInteger">>;
def : Builtin<"_is_tile", (takes Any:$x),
    "whether it is a tile or a tensor", Calls<"buildIsTile">>;
def : Builtin<"_is_index", (takes Any:$x),
    "whether it is an INDEX, or an integer known while compiling",
    Calls<"buildIsIndex">>;
def : Builtin<"_axes", (takes Shaped:$x, Maybe<Any>:$axis),
    "the axes that are meant, counted from the first; all if none is given",
    Calls<"buildAxes">>;

def : Builtin<"reshape", (takes ShapedSubject:$x, Any:$shape),
    "the same elements in another shape; one extent may be -1",
    Calls<"buildReshape">> {
  let shows = [Shows<Pl_ReshapeOp, (of "source":$x, "sizes":$shape)>,
               Shows<Pl_ReshapeElementsOp, (of "source":$x, "sizes":$shape)>,
               Shows<Pl_ViewOp, (of "source":$x, "sizes":$shape)>];
}

def : Builtin<"transpose",
    (takes TileSubject:$x, Maybe<Axis>:$axis1, Maybe<Axis>:$axis2,
           Scratch:$tmp_tile),
    "two axes exchanged; those of a matrix if none are given",
    Calls<"buildTranspose">>;

def : Builtin<"concat",
    (takes Named<Any, ["src0"]>:$a, Named<Maybe<Any>, ["src1"]>:$b,
           Maybe<Any>:$c, Maybe<Any>:$d, Maybe<Any>:$e, Maybe<Any>:$f,
           Maybe<Any>:$g, Maybe<Any>:$h, Maybe<Any>:$axis),
    "tiles, or a list of them, joined along an axis, the last if none is given",
    Calls<"buildConcat">> {
  let shows = [Shows<Pl_ConcatOp, (of "lhs":$a, "rhs":$b)>];
}

def : Builtin<"set_validshape", 
    (takes ShapedSubject:$x, Named<Any, ["valid_rows"]>:$rows,
           Named<Maybe<Any>, ["valid_cols"]>:$cols),
    "the same tile or view, of which less is valid",
    Calls<"buildSetValidShape">>;

} // theme
