// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions of the language, `pl.load` and the like: their parameters and
/// what they build. Elementwise functions are not listed anywhere; they are the
/// elementwise ops of the dialect.

#ifndef TEGULA_FRONTEND_BUILTINS_BUILTINS_H
#define TEGULA_FRONTEND_BUILTINS_BUILTINS_H

#include "tegula/frontend/constants/Object.h"
#include "tegula/frontend/emit/Emitter.h"
#include <optional>
#include <string>
#include <vector>

namespace tegula {

/// An argument of a call and where it stands.
struct CallArgument {
  Object object;
  mlir::Location loc;
};

/// The evaluated arguments of a call.
struct CallArguments {
  mlir::Location loc;
  std::vector<CallArgument> positional;
  std::vector<std::pair<llvm::StringRef, CallArgument>> keywords;
};

/// Gives each parameter its argument as Python would, by position or name;
/// nothing for those left out. False if they do not fit, which is reported with
/// the name of the function.
bool bindArguments(llvm::StringRef function,
                   llvm::ArrayRef<llvm::StringRef> parameters,
                   llvm::ArrayRef<bool> isRequired,
                   const CallArguments &arguments, Reporter &reporter,
                   std::vector<std::optional<CallArgument>> &bound);

/// A call of a function of the language, its arguments in order of parameters.
struct BuiltinCall {
  Emitter &emitter;
  llvm::StringRef name;
  mlir::Location loc;
  std::vector<std::optional<CallArgument>> arguments;

  bool has(unsigned position) const { return arguments[position].has_value(); }
  const Object &operator[](unsigned position) const {
    return arguments[position]->object;
  }
  mlir::Location locOf(unsigned position) const {
    return arguments[position]->loc;
  }
  Object fail(const llvm::Twine &message) const {
    return emitter.fail(loc, message);
  }
  /// A tensor or tile argument; null and an error for anything else.
  mlir::Value shaped(unsigned position) const;
  /// The same as a tile, loaded if it is a tensor.
  mlir::Value tile(unsigned position) const;
  /// A list of integers as index values, one for each of `rank` axes.
  bool indices(unsigned position, unsigned rank,
               llvm::SmallVectorImpl<mlir::Value> &values) const;
  /// A list of any length; a single integer is a list of one.
  bool sizes(unsigned position,
             llvm::SmallVectorImpl<mlir::Value> &values) const;
  /// A dtype; null and an error for anything else.
  mlir::Type dtype(unsigned position) const;
  /// An axis of a value of `rank` axes, counted from either end.
  std::optional<unsigned> axis(unsigned position, unsigned rank) const;
  /// A boolean known while compiling; `otherwise` if the argument is left out.
  std::optional<bool> flag(unsigned position, bool otherwise) const;
};

/// A function of the language.
struct Builtin {
  llvm::StringLiteral name;
  /// The parameters in order, optional ones with a `?`; other names a parameter
  /// goes by follow it after a `|`.
  llvm::StringLiteral parameters;
  Object (*build)(BuiltinCall &call);
  /// True if a call does something even if its result is not used.
  bool hasEffect = false;
  /// What a call gives or does, for readers.
  llvm::StringLiteral meaning = "";
};

/// Functions of one theme, which has a page in docs/ops.
struct BuiltinTable {
  llvm::StringLiteral theme;
  llvm::ArrayRef<Builtin> functions;
};

/// Every table.
std::vector<BuiltinTable> builtinTables();

/// The tables of builtins, by theme.
llvm::ArrayRef<Builtin> memoryBuiltins();
llvm::ArrayRef<Builtin> creationBuiltins();
llvm::ArrayRef<Builtin> shapeBuiltins();
llvm::ArrayRef<Builtin> mathBuiltins();
llvm::ArrayRef<Builtin> productBuiltins();
llvm::ArrayRef<Builtin> reductionBuiltins();
llvm::ArrayRef<Builtin> gatherBuiltins();
llvm::ArrayRef<Builtin> scatterBuiltins();
llvm::ArrayRef<Builtin> sortBuiltins();
llvm::ArrayRef<Builtin> padBuiltins();
llvm::ArrayRef<Builtin> combineBuiltins();
llvm::ArrayRef<Builtin> moveBuiltins();
llvm::ArrayRef<Builtin> randomBuiltins();
llvm::ArrayRef<Builtin> taskBuiltins();

/// What a call of `pl.<path>` is worth. Sets `hasEffect` if it does something
/// by itself.
Object callBuiltin(Emitter &emitter, llvm::StringRef path,
                   const CallArguments &arguments, bool &hasEffect);

/// The message for a `pl.<path>` that does not exist, with the nearest name
/// that does.
std::string unknownName(Emitter &emitter, llvm::StringRef path);

} // namespace tegula

#endif // TEGULA_FRONTEND_BUILTINS_BUILTINS_H
