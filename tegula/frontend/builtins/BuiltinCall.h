// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A call of a function of the language. Each C++ function that builds such
/// calls gets a class of its own, generated from the function's declaration,
/// in which every argument is known by the name of its parameter.

#ifndef TEGULA_FRONTEND_BUILTINS_BUILTINCALL_H
#define TEGULA_FRONTEND_BUILTINS_BUILTINCALL_H

#include "tegula/frontend/builtins/Builtins.h"

namespace tegula {

class BuiltinArgument;

/// What all calls have.
class BuiltinCall {
public:
  /// `arguments` are those of the parameters that are not ignored, in order.
  BuiltinCall(Emitter &emitter, llvm::StringRef name, mlir::Location loc,
              std::vector<std::optional<CallArgument>> arguments)
      : emitter(emitter), name(name), loc(loc),
        arguments(std::move(arguments)) {}

  /// Reports a mistake in the call.
  Object fail(const llvm::Twine &message) const {
    return emitter.fail(loc, message);
  }

  Emitter &emitter;
  /// As the author wrote it.
  llvm::StringRef name;
  mlir::Location loc;

protected:
  friend class BuiltinArgument;
  friend Object callPrelude(const Builtin &builtin, BuiltinCall &&call,
                            RunPrelude runPrelude);
  friend Object buildElementwise(BuiltinCall &&call, llvm::StringRef mnemonic);

  BuiltinArgument argument(unsigned position) const;

  static bool take(mlir::Value found, mlir::Value &value) {
    value = found;
    return value != nullptr;
  }
  static bool take(mlir::Type found, mlir::Type &type) {
    type = found;
    return type != nullptr;
  }
  template <typename T> static bool take(std::optional<T> found, T &value) {
    if (found)
      value = std::move(*found);
    return found.has_value();
  }

private:
  std::vector<std::optional<CallArgument>> arguments;
};

/// One argument of a call, as long as the call exists.
class BuiltinArgument {
public:
  BuiltinArgument(const BuiltinCall &call,
                  const std::optional<CallArgument> &given)
      : call(call), given(given) {}

  /// False if it was left out.
  bool isGiven() const { return given.has_value(); }
  /// What was given.
  const Object &object() const { return given->object; }
  operator const Object &() const { return object(); }
  const Object *operator->() const { return &object(); }
  /// Where it stands; where the call is, if it was left out.
  mlir::Location loc() const { return given ? given->loc : call.loc; }
  /// Reports a mistake in it.
  Object fail(const llvm::Twine &message) const {
    return call.emitter.fail(loc(), message);
  }

  /// A tensor or tile; null, and an error, for anything else.
  mlir::Value shaped() const;
  /// The same as a tile, loaded if it is a tensor.
  mlir::Value tile() const;
  /// A dtype; null, and an error, for anything else.
  mlir::Type dtype() const;
  /// A list of extents of any length; a single one is a list of one.
  std::optional<llvm::SmallVector<mlir::Value>> sizes() const;
  /// A list of integers as index values, one for each of `rank` axes.
  std::optional<llvm::SmallVector<mlir::Value>> indices(unsigned rank) const;
  /// The same, of which none that is known may be negative.
  std::optional<llvm::SmallVector<mlir::Value>> extents(unsigned rank) const;
  /// An integer as an index value, which messages call `what`.
  mlir::Value number(llvm::StringRef what) const;
  /// An axis of a value of `rank` axes, counted from either end.
  std::optional<unsigned> axis(unsigned rank) const;
  /// One axis or a tuple of them, in order, each once; all if it was left out.
  std::optional<llvm::SmallVector<unsigned>> axes(unsigned rank) const;
  /// A boolean known while compiling; `otherwise` if it was left out.
  std::optional<bool> flag(bool otherwise) const;

private:
  const BuiltinCall &call;
  const std::optional<CallArgument> &given;
};

inline BuiltinArgument BuiltinCall::argument(unsigned position) const {
  return BuiltinArgument(*this, arguments[position]);
}

#include "tegula/frontend/builtins/Builtins.h.inc"

} // namespace tegula

#endif // TEGULA_FRONTEND_BUILTINS_BUILTINCALL_H
