// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/calls/PythonCalls.h"
#include "tegula/frontend/builtins/Builtins.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/constants/NamesElsewhere.h"
#include "tegula/ir/ops/semantics/Reduction.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

/// More elements than this are a mistake.
static constexpr size_t maxElements = 4096;

/// `range(...)` of constants, one element more than is allowed at most.
static std::optional<Object> makeRange(llvm::ArrayRef<Object> objects) {
  llvm::SmallVector<int64_t, 3> numbers;
  for (const Object &object : objects) {
    if (!object.asInteger())
      return std::nullopt;
    numbers.push_back(*object.asInteger());
  }
  int64_t start = numbers.size() > 1 ? numbers[0] : 0;
  int64_t stop = numbers.size() > 1 ? numbers[1] : numbers.front();
  int64_t step = numbers.size() > 2 ? numbers[2] : 1;
  if (step == 0 || numbers.size() > 3)
    return std::nullopt;
  std::vector<Object> elements;
  for (int64_t i = start;
       (step > 0 ? i < stop : i > stop) && elements.size() <= maxElements;
       i += step)
    elements.push_back(Object::integer(i));
  return Object::tuple(std::move(elements));
}

/// Tuples of the elements that stand side by side, as far as the shortest goes.
static Object zip(llvm::ArrayRef<const std::vector<Object> *> parts) {
  std::vector<Object> rows;
  auto isLonger = [&](const auto *part) { return rows.size() < part->size(); };
  while (llvm::all_of(parts, isLonger)) {
    std::vector<Object> row;
    for (const auto *part : parts)
      row.push_back((*part)[rows.size()]);
    rows.push_back(Object::tuple(std::move(row)));
  }
  return Object::tuple(std::move(rows));
}

static bool isBooleanValue(const Object &object) {
  Value value = object.asValue();
  return value && pl::isBool(pl::getElementOrSelf(value.getType()));
}

/// The sum of a list. Comparisons alone are counted as along an axis.
static Object sum(Emitter &emitter, const std::vector<Object> &elements,
                  Location loc) {
  bool isCount = llvm::all_of(elements, isBooleanValue);
  DType count = pl::getTypeOfBooleans(pl::Reduction::Sum, elements.size());
  Object total = Object::integer(0);
  for (const Object &element : elements) {
    Object term =
        isCount ? emitter.elementwise.cast(loc, element,
                                           toType(emitter.getContext(), count),
                                           pl::Rounding::None)
                : element;
    total =
        &element == &elements.front()
            ? term
            : emitter.operators.binary(loc, ast::BinaryOp::Add, total, term);
  }
  return total;
}

/// Functions that take tuples and give them; nothing if it is none of them.
static std::optional<Object> callOnTuples(Emitter &emitter, StringRef name,
                                          llvm::ArrayRef<Object> objects,
                                          Location loc) {
  if (objects.empty())
    return std::nullopt;
  if (name == "range")
    return makeRange(objects);
  std::vector<const std::vector<Object> *> tuples;
  for (const Object &object : objects)
    tuples.push_back(object.asTuple());
  if (llvm::is_contained(tuples, nullptr))
    return std::nullopt;
  if (name == "zip")
    return zip(tuples);
  if (objects.size() > 1)
    return std::nullopt;
  const std::vector<Object> &elements = *tuples.front();
  if (name == "tuple" || name == "list")
    return objects.front();
  if (name == "reversed")
    return Object::tuple({elements.rbegin(), elements.rend()});
  if (name == "enumerate") {
    std::vector<Object> numbers;
    for (size_t number = 0; number < elements.size(); ++number)
      numbers.push_back(Object::integer(number));
    return zip({&numbers, &elements});
  }
  if (name == "sum")
    return sum(emitter, elements, loc);
  return std::nullopt;
}

/// What to write for a function of `math` on values, as the end of a message.
static std::string suggestForValues(StringRef name) {
  if (isFunction(name))
    return ("; write pl." + name + " for values").str();
  StringRef here = writtenHere(name);
  return here.empty() ? "" : ("; write " + here + " for values").str();
}

/// What to write for a builtin on a tensor or a tile, as the end of a message.
static std::string suggestForShaped(StringRef name,
                                    llvm::ArrayRef<Object> objects) {
  bool isShaped =
      objects.size() == 1 && (objects[0].asTensor() || objects[0].asTile());
  if (isShaped && name == "len")
    return "; write x.shape[0]";
  return isShaped && isFunction(name)
             ? ("; write pl." + name + "(x, axis=)").str()
             : "";
}

Object tegula::callPython(Emitter &emitter, StringRef name,
                          const CallArguments &arguments) {
  Location loc = arguments.loc;
  std::vector<Object> objects;
  for (const CallArgument &argument : arguments.positional)
    objects.push_back(argument.object);
  if (!arguments.keywords.empty())
    return emitter.fail(loc,
                        name + "() takes no keyword arguments in a kernel");
  if (std::optional<Object> folded = foldCall(name, objects))
    return *folded;
  if (std::optional<Object> made = callOnTuples(emitter, name, objects, loc))
    return *made;
  if (name.starts_with("math."))
    return emitter.fail(loc, name + "() takes numbers known at compile time" +
                                 suggestForValues(name.drop_front(5)));
  bool allScalar = llvm::all_of(objects, [](const Object &object) {
    return object.isNumeric() || object.asScalar();
  });
  if ((name == "min" || name == "max") && objects.size() >= 2) {
    if (!allScalar)
      return emitter.fail(loc, name + "() takes scalars; use pl." +
                                   (name == "min" ? "minimum" : "maximum") +
                                   " for elements");
    Object result = objects.front();
    for (const Object &object : llvm::drop_begin(objects))
      result = emitter.operators.extreme(loc, name == "max", result, object);
    return result;
  }
  if (name == "abs" && objects.size() == 1 && objects[0].asValue()) {
    if (Value scalar = objects[0].asScalar())
      if (scalar.getType().isIndex())
        return emitter.operators.extreme(
            loc, true, objects[0],
            emitter.operators.unary(loc, ast::UnaryOp::Minus, objects[0]));
    return emitter.elementwise.build(loc, "abs", objects);
  }
  if (name == "range")
    return emitter.fail(loc, "range() of numbers that are not known at compile "
                             "time belongs in a 'for'");
  if (name == "print")
    return emitter.fail(loc,
                        "print() does not work in a kernel; write "
                        "pl.print(...), or pl.static_print(...) for what is "
                        "known while compiling");
  if (name == "int" || name == "float" || name == "bool")
    return emitter.fail(loc,
                        name + "() is for values known at compile time; write "
                               "pl.cast(x, dtype)");
  return emitter.fail(loc, name + "() cannot take these arguments in a kernel" +
                               suggestForShaped(name, objects));
}
