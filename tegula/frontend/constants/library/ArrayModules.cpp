// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/library/ArrayModules.h"
#include "mlir/IR/BuiltinTypes.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/constants/NamesElsewhere.h"
#include "tegula/frontend/constants/library/MathModule.h"
#include "tegula/ir/ops/PlDialect.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace tegula;
using llvm::StringRef;

/// Dtypes that several modules have under one name.
static std::optional<DType> sharedDtype(StringRef name) {
  return llvm::StringSwitch<std::optional<DType>>(name)
      .Case("bool", DType::Bool)
      .Case("int8", DType::Int8)
      .Case("int16", DType::Int16)
      .Case("int32", DType::Int32)
      .Case("int64", DType::Int64)
      .Case("uint8", DType::UInt8)
      .Case("uint16", DType::UInt16)
      .Case("uint32", DType::UInt32)
      .Case("uint64", DType::UInt64)
      .Cases({"float16", "half"}, DType::FP16)
      .Case("float32", DType::FP32)
      .Cases({"float64", "double"}, DType::FP64)
      .Default(std::nullopt);
}

/// Those that NumPy does not have.
static std::optional<DType> narrowDtype(StringRef name) {
  return llvm::StringSwitch<std::optional<DType>>(name)
      .Case("bfloat16", DType::BF16)
      .Case("float8_e4m3fn", DType::FP8E4M3FN)
      .Case("float8_e5m2", DType::FP8E5M2)
      .Default(std::nullopt);
}

/// The dtype that is `name` in a module, if there is one.
static std::optional<DType> dtypeOf(StringRef module, StringRef name) {
  if (module == "numpy")
    return llvm::StringSwitch<std::optional<DType>>(name)
        .Case("bool_", DType::Bool)
        .Case("single", DType::FP32)
        .Cases({"int_", "intp"}, DType::Int64)
        .Default(sharedDtype(name));
  if (module == "torch")
    return llvm::StringSwitch<std::optional<DType>>(name)
        .Case("float", DType::FP32)
        .Case("short", DType::Int16)
        .Case("int", DType::Int32)
        .Case("long", DType::Int64)
        .Default(sharedDtype(name) ? sharedDtype(name) : narrowDtype(name));
  return llvm::StringSwitch<std::optional<DType>>(name)
      .Case("int4", DType::Int4)
      .Case("uint4", DType::UInt4)
      .Default(narrowDtype(name));
}

/// What a function is called in `math`; empty if it is not known. Those that
/// round are not among them: NumPy gives floats, `math` integers.
static StringRef nameInMath(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"sqrt", "cbrt", "exp", "exp2", "expm1"}, name)
      .Cases({"log", "log2", "log10", "log1p"}, name)
      .Cases({"sin", "cos", "tan", "sinh", "cosh", "tanh"}, name)
      .Cases({"hypot", "gcd", "lcm", "prod"}, name)
      .Cases({"isnan", "isinf", "isfinite", "radians", "degrees"}, name)
      .Case("arcsin", "asin")
      .Case("arccos", "acos")
      .Case("arctan", "atan")
      .Case("arctan2", "atan2")
      .Default("");
}

/// `numpy.sqrt` without its module; empty for other functions.
static StringRef functionOf(StringRef name) {
  if (name.consume_front("numpy."))
    return name == "finfo" || name == "iinfo" || !nameInMath(name).empty()
               ? name
               : "";
  if (name.consume_front("torch."))
    return name == "finfo" || name == "iinfo" ? name : "";
  return "";
}

bool tegula::isArrayFunction(StringRef name) {
  return !functionOf(name).empty();
}

namespace {

/// What `numpy.name` is.
class ArrayNames : public Environment {
public:
  ArrayNames(mlir::MLIRContext &context, StringRef module)
      : context(context), module(module) {}

  std::optional<Object> lookup(StringRef name) override {
    if (std::optional<DType> dtype = dtypeOf(module, name))
      return Object(DtypeObject{toType(&context, *dtype)});
    if (module != "ml_dtypes") {
      if (name == "newaxis")
        return Object::none();
      if (name == "pi" || name == "e" || name == "inf" || name == "nan")
        return mathModule().as<NamespaceObject>()->names->lookup(name);
    }
    if (std::string dotted = module + "." + name.str(); isArrayFunction(dotted))
      return Object(PythonObject{dotted});
    StringRef here = writtenHere(name);
    return Object(UnusableObject{
        ("'" + name + "' of " + module +
         " is not something a kernel can use; " +
         (here.empty() ? "a kernel gets arrays as arguments, and what it calls "
                         "is in tegula.language, as pl.exp"
                       : "write " + here.str()))
            .str(),
        {}});
  }

private:
  mlir::MLIRContext &context;
  std::string module;
};

/// What `numpy.finfo(dtype)` and `numpy.iinfo(dtype)` say.
class DtypeLimits : public Environment {
public:
  explicit DtypeLimits(mlir::Type type) : type(type) {}

  std::optional<Object> lookup(StringRef name) override {
    if (name == "bits")
      return Object::integer(type.getIntOrFloatBitWidth());
    if (auto real = llvm::dyn_cast<mlir::FloatType>(type))
      return lookupReal(name, real.getFloatSemantics());
    unsigned bits = type.getIntOrFloatBitWidth();
    bool isSigned = !pl::isUnsigned(type);
    if (name == "min")
      return Object::integer(
          isSigned ? llvm::APInt::getSignedMinValue(bits).getSExtValue() : 0);
    llvm::APInt max = isSigned ? llvm::APInt::getSignedMaxValue(bits)
                               : llvm::APInt::getMaxValue(bits);
    if (name == "max" && max.isSignedIntN(64) && (isSigned || bits < 64))
      return Object::integer(static_cast<int64_t>(max.getZExtValue()));
    return std::nullopt;
  }

private:
  static std::optional<Object> lookupReal(StringRef name,
                                          const llvm::fltSemantics &semantics) {
    auto toReal = [](const llvm::APFloat &value) {
      return Object::real(value.convertToDouble());
    };
    if (name == "max" || name == "min")
      return toReal(llvm::APFloat::getLargest(semantics, name == "min"));
    if (name == "tiny" || name == "smallest_normal")
      return toReal(llvm::APFloat::getSmallestNormalized(semantics));
    if (name == "eps")
      return Object::real(std::ldexp(
          1.0,
          1 - static_cast<int>(llvm::APFloat::semanticsPrecision(semantics))));
    return std::nullopt;
  }

  mlir::Type type;
};

} // namespace

std::optional<Object> tegula::arrayModule(mlir::MLIRContext &context,
                                          StringRef name) {
  if (name != "numpy" && name != "torch" && name != "ml_dtypes")
    return std::nullopt;
  return Object(NamespaceObject{std::make_shared<ArrayNames>(context, name),
                                "the module '" + name.str() + "'"});
}

/// `numpy.finfo` of a float, `numpy.iinfo` of an integer.
static std::optional<Object> foldLimits(bool isReal,
                                        llvm::ArrayRef<Object> arguments) {
  const auto *dtype =
      arguments.size() == 1 ? arguments[0].as<DtypeObject>() : nullptr;
  if (!dtype || pl::isFloat(dtype->type) != isReal || dtype->type.isIndex() ||
      pl::isBool(dtype->type))
    return std::nullopt;
  return Object(NamespaceObject{std::make_shared<DtypeLimits>(dtype->type),
                                "the limits of " + dtypeName(dtype->type)});
}

std::optional<Object> tegula::foldArrayCall(StringRef name,
                                            llvm::ArrayRef<Object> arguments) {
  StringRef function = functionOf(name);
  if (function == "finfo" || function == "iinfo")
    return foldLimits(function == "finfo", arguments);
  // NumPy's have one argument where those of `math` may have a base.
  bool isBinary = function == "hypot" || function == "arctan2" ||
                  function == "gcd" || function == "lcm";
  if (arguments.size() != (isBinary ? 2 : 1))
    return std::nullopt;
  std::optional<Object> result = foldMathCall(nameInMath(function), arguments);
  return result && !result->is<UnusableObject>() ? result : std::nullopt;
}

std::optional<Object> tegula::foldDtypeCall(mlir::Type dtype,
                                            const Object &number) {
  if (!number.isNumeric())
    return std::nullopt;
  double real = *number.asReal();
  if (pl::isBool(dtype))
    return Object::boolean(real != 0);
  if (dtype.isF64())
    return Object::real(real);
  if (!dtype.isSignlessInteger(32) && !dtype.isSignlessInteger(64))
    return std::nullopt;
  if (number.is<FloatObject>() && !(std::fabs(real) < 9.2e18))
    return std::nullopt;
  int64_t integer = number.is<FloatObject>() ? static_cast<int64_t>(real)
                                             : *number.asInteger();
  return llvm::isIntN(dtype.getIntOrFloatBitWidth(), integer)
             ? std::optional(Object::integer(integer))
             : std::nullopt;
}
