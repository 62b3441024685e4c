// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a Python expression stands for while IR is generated: a constant, a
/// run-time value, a tuple of objects, a type, a function or a name of the
/// language. Objects are small and copied freely.

#ifndef TEGULA_FRONTEND_CONSTANTS_OBJECT_H
#define TEGULA_FRONTEND_CONSTANTS_OBJECT_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Types.h"
#include "mlir/IR/Value.h"
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tegula {

class Environment;
struct ExtentExpression;
class KernelFunction;
class Object;
class Ordinary;

/// What `pl.dynamic("M")` makes, or arithmetic on such. Two symbols are the
/// same if they are the same object, as in Python.
struct Symbol {
  /// The name, or the expression as text: `M // 2`. Empty until it is
  /// assigned to a variable, if it is made without a name.
  std::string name;
  mlir::Location declared;
  /// How it is computed from other symbols; null if it is not.
  std::shared_ptr<const ExtentExpression> expression = nullptr;
};

/// The result of a mistake that has been reported: everything made from it is
/// silently a mistake too.
struct PoisonObject {};
/// `None`
struct NoneObject {};
/// `...`
struct EllipsisObject {};
/// An integer known while compiling.
struct IntObject {
  int64_t value;
};
/// A float known while compiling.
struct FloatObject {
  double value;
};
/// A boolean known while compiling.
struct BoolObject {
  bool value;
};
/// A string.
struct StringObject {
  std::string value;
};
/// A scalar, tile or tensor of the generated program.
struct ValueObject {
  mlir::Value value;
  /// True while the type is only a guess for a number that has not met another
  /// value yet; it then takes the type of what it meets.
  bool isWeak = false;
};
/// A tuple or a list. Whoever holds the same elements sees a list change, which
/// only happens while constants are computed.
struct TupleObject {
  std::shared_ptr<std::vector<Object>> elements;
  bool isList = false;
};
/// A dict whose keys and values are known while compiling. It may change like a
/// list.
struct DictObject {
  std::shared_ptr<std::vector<std::pair<Object, Object>>> entries;
};
/// A module or a class: something whose attributes are names.
struct NamespaceObject {
  std::shared_ptr<Environment> names;
  /// What it is, for messages: "the module 'norm'".
  std::string what;
  bool isClass = false;
  /// The class or the object itself; null for a module.
  std::shared_ptr<Ordinary> thing = nullptr;
};
/// Something of ordinary Python that is there only while constants are
/// computed: a function, a class, an object, a set, an iterator. Kernels do not
/// meet it.
struct OrdinaryObject {
  std::shared_ptr<Ordinary> thing;
};
/// An element type such as `pl.FP32`; `index` is INDEX.
struct DtypeObject {
  mlir::Type type;
};
/// A symbolic extent.
struct SymbolObject {
  std::shared_ptr<Symbol> symbol;

  /// `M = pl.dynamic()`: a symbol without a name gets that of its variable.
  void nameAfter(llvm::StringRef variable) const {
    if (symbol->name.empty())
      symbol->name = variable.str();
  }
};
/// A function with a kernel decorator.
struct FunctionObject {
  const KernelFunction *function;
};
/// A name under `pl`, without the `pl.`: `tensor.dim`, `Level.CORE_GROUP`; the
/// empty path is `pl` itself.
struct LanguageObject {
  std::string path;
};
/// A builtin of Python: `min`, `range`, ...
struct PythonObject {
  std::string name;
};
/// The handle of a task, or an array of them. Program order is the meaning, so
/// there is nothing in it.
struct TaskObject {
  /// How many, if it is an array.
  std::optional<int64_t> count = std::nullopt;
};
/// A name that exists but has no value here. `message` says why.
struct UnusableObject {
  std::string message;
  /// Where to look, and what is to be seen there; may be empty.
  std::vector<std::pair<mlir::Location, std::string>> notes;
  /// The tensor in which lanes gather what the name stands for after them; may
  /// be null.
  mlir::Value gathered = {};
};

/// True if `Kind` is one of the alternatives of a variant.
template <typename Kind, typename Variant> constexpr bool isAlternative = false;
template <typename Kind, typename... Kinds>
constexpr bool isAlternative<Kind, std::variant<Kinds...>> =
    (std::is_same_v<Kind, Kinds> || ...);

/// Anything a Python name can be bound to. What copies, moves and destroys it
/// is compiled once, not in every file that holds one.
class Object {
public:
  using Node =
      std::variant<PoisonObject, NoneObject, EllipsisObject, IntObject,
                   FloatObject, BoolObject, StringObject, ValueObject,
                   TupleObject, DictObject, NamespaceObject, DtypeObject,
                   SymbolObject, FunctionObject, LanguageObject, PythonObject,
                   OrdinaryObject, TaskObject, UnusableObject>;

  Object();
  template <typename Kind,
            typename = std::enable_if_t<isAlternative<Kind, Node>>>
  Object(Kind kind);
  Object(mlir::Value value);
  Object(const Object &);
  Object(Object &&) noexcept;
  Object &operator=(const Object &);
  Object &operator=(Object &&) noexcept;
  ~Object();

  static Object poison() { return {}; }
  static Object none() { return Object(NoneObject{}); }
  static Object integer(int64_t value) { return Object(IntObject{value}); }
  static Object real(double value) { return Object(FloatObject{value}); }
  static Object boolean(bool value) { return Object(BoolObject{value}); }
  static Object string(std::string value) {
    return Object(StringObject{std::move(value)});
  }
  static Object tuple(std::vector<Object> elements);
  static Object list(std::vector<Object> elements);
  static Object dict(std::vector<std::pair<Object, Object>> entries);

  template <typename T> const T *as() const { return std::get_if<T>(&node); }
  template <typename T> bool is() const { return as<T>() != nullptr; }

  bool isPoison() const { return is<PoisonObject>(); }
  /// True if there is nothing to go on with: a mistake, or no value.
  bool isStuck() const { return isPoison() || is<UnusableObject>(); }
  /// True for an integer, float or boolean known while compiling.
  bool isNumeric() const;
  /// The integer, a boolean counting as one; nothing for anything else.
  std::optional<int64_t> asInteger() const;
  /// The number as a float; nothing if it is not a number.
  std::optional<double> asReal() const;
  /// The run-time value, or null.
  mlir::Value asValue() const;
  /// The run-time value if it is a tensor, a tile or a scalar, or null.
  mlir::Value asTensor() const;
  mlir::Value asTile() const;
  mlir::Value asScalar() const;
  /// The elements of a tuple or a list, or nothing.
  const std::vector<Object> *asTuple() const;
  /// The path of a name of the language, or nothing.
  const std::string *asLanguage() const;

private:
  Node node;
};

/// True if both are the same constant, run-time value or thing.
bool isSame(const Object &lhs, const Object &rhs);

/// True if the object is a run-time value or a tuple with one in it.
bool containsValue(const Object &object);

/// What an object is, for messages: "the integer 3", "a tile [8, upto 128] of
/// FP32", "an INT32 scalar".
std::string describe(const Object &object);

/// The same for the type of a run-time value.
std::string describe(mlir::Type type);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_OBJECT_H
