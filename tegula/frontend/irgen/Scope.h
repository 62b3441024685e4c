// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The variables of a function at one point of the program. Where control flow
/// joins and around loops, what control flow has to remember is treated as
/// variables are; it lies in slots that no name of the author's can reach.

#ifndef TEGULA_FRONTEND_IRGEN_SCOPE_H
#define TEGULA_FRONTEND_IRGEN_SCOPE_H

#include "tegula/frontend/constants/Object.h"
#include "llvm/ADT/StringRef.h"
#include <map>

namespace tegula {

/// What a variable is found by.
class Slot {
public:
  enum class Kind {
    /// Whether the loop around is left.
    Break,
    /// What the function returns.
    Return,
    /// Whether the function is left from inside a loop.
    Returned,
    /// What an expression with several paths is worth.
    Value,
    /// What goes around a loop that names it in its head.
    Carried,
    /// A name of the author's.
    Name
  };

  /// The slot of a name.
  Slot(llvm::StringRef name) : name(name), kind(Kind::Name) {}
  /// The one slot of this kind.
  Slot(Kind kind) : kind(kind) {}
  /// A slot of its own for what the author calls `name`. One function may have
  /// several, each with its number.
  static Slot carried(llvm::StringRef name, unsigned number) {
    Slot slot(Kind::Carried);
    slot.name = name;
    slot.number = number;
    return slot;
  }

  Kind getKind() const { return kind; }
  /// True for a name of the author's.
  bool isNamed() const { return kind == Kind::Name; }
  /// What the author calls it; empty if nothing.
  llvm::StringRef getName() const { return name; }

  bool operator<(const Slot &other) const {
    if (kind != other.kind)
      return kind < other.kind;
    int order = name.compare(other.name);
    return order < 0 || (order == 0 && number < other.number);
  }
  bool operator==(const Slot &other) const {
    return kind == other.kind && name == other.name && number == other.number;
  }

private:
  llvm::StringRef name;
  Kind kind;
  unsigned number = 0;
};

/// What a slot is bound to.
struct Variable {
  Object object;
  /// Where it was bound.
  mlir::Location loc;
};

using Scope = std::map<Slot, Variable>;

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_SCOPE_H
