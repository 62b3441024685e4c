// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a function of the language is declared: its name, what it takes, what it
// means, and the C++ function that builds it. From these declarations come the
// table of functions, the check of every call, one class per C++ function with
// an accessor for each parameter, the reference pages and the Python stubs.

#ifndef TEGULA_FRONTEND_BUILTINS_BUILTIN
#define TEGULA_FRONTEND_BUILTINS_BUILTIN

include "mlir/IR/OpBase.td"

// A parameter: what may be given for it, and what the C++ function gets.
class Parameter<string kind_, bit isOptional_ = 0, string detail_ = "",
                list<string> aliases_ = []> {
  string kind = kind_;
  bit isOptional = isOptional_;
  string detail = detail_;
  list<string> aliases = aliases_;
}

// A tensor or tile; a tensor is loaded.
def Tile : Parameter<"Tile">;
// A tensor or tile as it is.
def Shaped : Parameter<"Shaped">;
// An element type.
def Dtype : Parameter<"Dtype">;
// A list of extents; a single one is a list of one.
def Sizes : Parameter<"Sizes">;
// An entry for each axis of something else.
def Indices : Parameter<"Indices">;
// The same, of which none may be negative.
def Extents : Parameter<"Extents">;
// An axis of something else, counted from either end.
def Axis : Parameter<"Axis">;
// Anything else: the C++ function looks at it by itself.
def Any : Parameter<"Any">;
// An integer or INDEX value; messages call it `what`.
class Scalar<string what> : Parameter<"Scalar", 0, what>;
// True or False, known while compiling.
class Flag<string otherwise> : Parameter<"Flag", 1, otherwise>;
// What other machines need to be told, and this one does not, because of
// `why`. All there are stand in ForOtherMachines.td.
class Ignored<string why> : Parameter<"Ignored", 1, why>;

// A parameter that may be left out; None counts as left out.
class Maybe<Parameter of> : Parameter<of.kind, 1, of.detail, of.aliases>;
// A parameter that goes by other names too.
class Named<Parameter of, list<string> names>
    : Parameter<of.kind, of.isOptional, of.detail, names>;

// What a function is about. Its name in kernels is any of these.
class Subject<Parameter of> : Named<of, ["tile", "tensor", "input"]>;
def TileSubject : Subject<Tile>;
def ShapedSubject : Subject<Shaped>;
def AnySubject : Subject<Any>;
// The operands of a matmul.
def Left : Named<Any, ["lhs"]>;
def Right : Named<Any, ["rhs"]>;
// What a column or a row is combined with, and those.
def Whole : Named<Tile, ["tile", "tensor", "target", "lhs"]>;
def Column : Named<Tile, ["row_vec", "rhs"]>;
def Row : Named<Tile, ["col_vec", "rhs"]>;

// The operator of a list of parameters.
def takes;

// The C++ function that builds a call, and what it is told besides the call.
class Calls<string function_, list<string> with_ = []> {
  string function = function_;
  list<string> with = with_;
}

// The operator of what parameters are of an op.
def of;

// The op that a call is written for where a program is printed as source. A
// parameter is given what the op's argument of the same name is; `as_` says it
// of those that go by other names, and for a dtype names the result. Several
// functions may show an op: the first one that can say it and for which `when`
// holds, a condition on `op` in C++, is written.
class Shows<Op op_, dag as_ = (of), string when_ = ""> {
  Op op = op_;
  dag as = as_;
  string when = when_;
}

// A function of the language. `theme` is the page of docs/ops it is on.
class Builtin<string name_, dag parameters_, string meaning_, Calls builder_> {
  string name = name_;
  dag parameters = parameters_;
  string meaning = meaning_;
  Calls builder = builder_;
  string theme = "";
  list<Shows> shows = [];
  // True if a call does something even if its result is not used.
  bit hasEffect = 0;
}

// A second name of a function.
class Same<string name, Builtin as, string note = "">
    : Builtin<name, as.parameters, "as `pl." # as.name # "`" # note,
              as.builder> {
  let theme = as.theme;
  let hasEffect = as.hasEffect;
}

#endif // TEGULA_FRONTEND_BUILTINS_BUILTIN
