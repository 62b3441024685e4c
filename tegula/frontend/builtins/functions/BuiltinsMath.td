// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/functions/ForOtherMachines.td"

let theme = "elementwise" in {

def : Builtin<"cast", 
    (takes AnySubject:$x, Named<Dtype, ["target_type"]>:$dtype,
           Maybe<Any>:$mode, Maybe<Any>:$saturation_mode, Scratch:$tmp),
    "converted to another type; `mode` says how it is rounded, and with "
    "`saturation_mode=\"on\"` what is out of range becomes the nearest finite "
    "number",
    Calls<"buildCast">>;

def Pl_Cmp : Builtin<"cmp",
    (takes Any:$lhs, Any:$rhs, Maybe<Any>:$cmp_type, Scratch:$tmp),
    "compared element by element: `cmp_type` is \"eq\", \"ne\", \"lt\", \"le\", "
    "\"gt\", \"ge\" or 0 to 5", Calls<"buildCmp">>;

def : Same<"cmps", Pl_Cmp, ", with a scalar">;

def Pl_Select : Builtin<"select",
    (takes Any:$mask, Any:$lhs, Any:$rhs, Scratch:$tmp),
    "`lhs` where the mask holds, `rhs` elsewhere", Calls<"buildSelect">>;

def : Same<"sel", Pl_Select>;
def : Same<"where", Pl_Select>;

def : Builtin<"abs", (takes AnySubject:$x, Scratch:$tmp), "the absolute value",
    Calls<"buildAbs">>;

} // theme
