// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The things of ordinary Python that constants are computed with and that are
/// no numbers, strings, tuples, lists or dicts. An OrdinaryObject refers to
/// one; as in Python, two names may refer to the same.

#ifndef TEGULA_FRONTEND_CONSTANTS_LIBRARY_ORDINARY_H
#define TEGULA_FRONTEND_CONSTANTS_LIBRARY_ORDINARY_H

#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/diagnostics/SourceText.h"
#include "tegula/frontend/syntax/Ast.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace tegula {

class Evaluator;
class ModuleConstants;
class Scope;

/// What every such thing has in common.
class Ordinary {
public:
  enum class Kind {
    Set,
    Range,
    Iterator,
    Function,
    Bound,
    Partial,
    Descriptor,
    Field,
    Class,
    Instance,
    Member
  };

  explicit Ordinary(Kind kind) : kind(kind) {}
  virtual ~Ordinary() = default;
  Kind getKind() const { return kind; }
  /// What it is, for messages: "a set of 3".
  virtual std::string describe() const = 0;
  /// Lets go of what it holds: things may hold one another.
  virtual void clear() {}

private:
  Kind kind;
};

/// The thing of type `T` that an object refers to, or null.
template <typename T> T *asOrdinary(const Object &object) {
  const auto *ordinary = object.as<OrdinaryObject>();
  return ordinary && T::classof(*ordinary->thing)
             ? static_cast<T *>(ordinary->thing.get())
             : nullptr;
}

/// `{1, 2}`. The order of a set is nobody's business.
struct SetThing : Ordinary {
  SetThing() : Ordinary(Kind::Set) {}
  static bool classof(const Ordinary &o) { return o.getKind() == Kind::Set; }
  std::string describe() const override {
    return "a set of " + std::to_string(elements.size());
  }

  std::vector<Object> elements;
  bool isFrozen = false;
};

/// `range(start, stop, step)`; the step is not 0.
struct RangeThing : Ordinary {
  RangeThing(int64_t start, int64_t stop, int64_t step)
      : Ordinary(Kind::Range), start(start), stop(stop), step(step) {}
  static bool classof(const Ordinary &o) { return o.getKind() == Kind::Range; }
  std::string describe() const override;
  /// How many numbers there are.
  uint64_t size() const;
  /// The number at `index`, which is less than the size.
  int64_t at(uint64_t index) const;

  int64_t start, stop, step;
};

/// Something that hands out one object after the other.
struct IteratorThing : Ordinary {
  IteratorThing() : Ordinary(Kind::Iterator) {}
  static bool classof(const Ordinary &o) {
    return o.getKind() == Kind::Iterator;
  }
  std::string describe() const override { return "an iterator"; }
  /// The next object; nothing at the end. It is stuck if there is none for
  /// another reason.
  virtual std::optional<Object> next(Evaluator &evaluator) = 0;
};

/// A function without a kernel decorator, or a lambda.
struct FunctionThing : Ordinary {
  FunctionThing() : Ordinary(Kind::Function) {}
  static bool classof(const Ordinary &o) {
    return o.getKind() == Kind::Function;
  }
  std::string describe() const override {
    return "the function '" + name + "'";
  }
  void clear() override { defaults.clear(); }

  std::string name;
  llvm::SMLoc loc;
  const std::vector<ast::Param> *params = nullptr;
  /// One for each parameter; stuck where there is no default.
  std::vector<std::optional<Object>> defaults;
  /// One of these is null.
  const ast::Block *body = nullptr;
  const ast::Expr *result = nullptr;
  /// Where it stands.
  Scope *around = nullptr;
  const SourceText *source = nullptr;
  ModuleConstants *module = nullptr;
  /// The names that it assigns.
  std::shared_ptr<const llvm::StringMap<bool>> locals;
  /// Why it cannot be called; empty if it can.
  std::string problem;
};

/// `object.method`, before it is called.
struct BoundThing : Ordinary {
  BoundThing(Object self, Object function)
      : Ordinary(Kind::Bound), self(std::move(self)),
        function(std::move(function)) {}
  static bool classof(const Ordinary &o) { return o.getKind() == Kind::Bound; }
  std::string describe() const override { return "a method"; }

  void clear() override { self = function = Object(); }

  Object self;
  /// A FunctionThing, or the name of a method of Python's own types.
  Object function;
};

/// What `functools.partial` makes.
struct PartialThing : Ordinary {
  PartialThing() : Ordinary(Kind::Partial) {}
  static bool classof(const Ordinary &o) {
    return o.getKind() == Kind::Partial;
  }
  std::string describe() const override { return "a partial call"; }
  void clear() override {
    args.clear();
    keywords.clear();
  }

  Object callee;
  std::vector<Object> args;
  std::vector<std::pair<std::string, Object>> keywords;
};

/// What a decorator makes of a method: `property`, `staticmethod`,
/// `classmethod`.
struct DescriptorThing : Ordinary {
  DescriptorThing(std::string decorator, Object function)
      : Ordinary(Kind::Descriptor), decorator(std::move(decorator)),
        function(std::move(function)) {}
  static bool classof(const Ordinary &o) {
    return o.getKind() == Kind::Descriptor;
  }
  std::string describe() const override { return "a " + decorator; }

  std::string decorator;
  Object function;
};

/// `field(default=...)` of a dataclass, or `auto()` of an enum.
struct FieldThing : Ordinary {
  FieldThing() : Ordinary(Kind::Field) {}
  static bool classof(const Ordinary &o) { return o.getKind() == Kind::Field; }
  std::string describe() const override { return "a field"; }

  std::optional<Object> value, factory;
  bool isInit = true;
  bool isKeywordOnly = false;
};

/// A class.
struct ClassThing : Ordinary, Environment {
  /// What kind of objects it makes.
  enum class ClassKind { Plain, Dataclass, NamedTuple, Enum, IntEnum };

  ClassThing(Evaluator &evaluator)
      : Ordinary(Kind::Class), evaluator(evaluator) {}
  static bool classof(const Ordinary &o) { return o.getKind() == Kind::Class; }
  std::string describe() const override { return "the class '" + name + "'"; }
  void clear() override {
    names.clear();
    fields.clear();
  }
  /// What kernels see of it.
  std::optional<Object> lookup(llvm::StringRef name) override;
  /// A name of it or of its bases; null if there is none.
  const Object *find(llvm::StringRef name) const;

  Evaluator &evaluator;
  std::string name;
  ClassKind classKind = ClassKind::Plain;
  bool isFrozen = false;
  std::vector<std::shared_ptr<ClassThing>> bases;
  /// In the order of the body.
  llvm::MapVector<llvm::StringRef, Object> names;
  /// The fields of a dataclass or a named tuple, or the members of an enum,
  /// those of bases included.
  std::vector<std::pair<std::string, std::optional<Object>>> fields;
  /// Why there are no objects of it; empty if there are.
  std::string problem;
  /// Names that are not in the text.
  std::vector<std::unique_ptr<std::string>> ownNames;
};

/// An object of a class.
struct InstanceThing : Ordinary, Environment {
  explicit InstanceThing(std::shared_ptr<ClassThing> type)
      : Ordinary(Kind::Instance), type(std::move(type)) {}
  static bool classof(const Ordinary &o) {
    return o.getKind() == Kind::Instance;
  }
  std::string describe() const override {
    return "an object of the class '" + type->name + "'";
  }
  void clear() override { fields.clear(); }
  std::optional<Object> lookup(llvm::StringRef name) override;

  std::shared_ptr<ClassThing> type;
  std::map<std::string, Object, std::less<>> fields;
  /// True once a frozen dataclass has been made.
  bool isClosed = false;
};

/// A member of an enum.
struct MemberThing : Ordinary {
  MemberThing(std::string type, std::string name, Object value, bool isInteger)
      : Ordinary(Kind::Member), type(std::move(type)), name(std::move(name)),
        value(std::move(value)), isInteger(isInteger) {}
  static bool classof(const Ordinary &o) { return o.getKind() == Kind::Member; }
  std::string describe() const override {
    return "'" + type + "." + name + "'";
  }

  std::string type, name;
  Object value;
  bool isInteger;
};

/// A new thing, as an object.
template <typename T, typename... Args> Object makeOrdinary(Args &&...args) {
  return Object(
      OrdinaryObject{std::make_shared<T>(std::forward<Args>(args)...)});
}

/// What arithmetic sees: the number behind a member of an IntEnum, the tuple
/// behind a named tuple, else the object itself.
Object plainValue(const Object &object);

/// What a kernel sees of `object`, which goes by `name`: members of an enum are
/// their values, classes and objects are names, and what is none of these, such
/// as a function, is an UnusableObject.
Object forKernel(const Object &object, llvm::StringRef name);

/// The class or object behind what a kernel sees of it.
Object fromKernel(const Object &object);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_LIBRARY_ORDINARY_H
