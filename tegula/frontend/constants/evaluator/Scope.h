// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names that a piece of ordinary Python sees and binds while it is
/// evaluated: those of a function, a class body or a comprehension. A file is a
/// scope, too (ModuleConstants.h).

#ifndef TEGULA_FRONTEND_CONSTANTS_EVALUATOR_SCOPE_H
#define TEGULA_FRONTEND_CONSTANTS_EVALUATOR_SCOPE_H

#include "tegula/frontend/constants/Object.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace tegula {

/// Names and what they stand for, inside the names around them.
class Scope {
public:
  enum class Kind { Module, Function, Class, Comprehension };

  Scope(Kind kind, Scope *around) : kind(kind), around(around) {}
  virtual ~Scope() = default;
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

  Kind getKind() const { return kind; }
  Scope *getAround() const { return around; }

  /// What `name` stands for, here or around; nothing if it is not defined.
  virtual std::optional<Object> find(llvm::StringRef name);
  /// Binds a name here.
  virtual void bind(llvm::StringRef name, Object object) {
    names[name] = std::move(object);
  }
  /// Forgets a name; false if it is not bound here.
  virtual bool unbind(llvm::StringRef name) { return names.erase(name); }

  /// The names a function assigns somewhere: they are never those around.
  std::shared_ptr<const llvm::StringMap<bool>> locals;
  /// True once something outlives the scope that sees its names.
  bool isCaptured = false;

protected:
  llvm::StringMap<Object> names;

private:
  Kind kind;
  Scope *around;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_EVALUATOR_SCOPE_H
