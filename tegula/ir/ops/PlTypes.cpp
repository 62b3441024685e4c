// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/PlDialect.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tegula::pl;

bool tegula::pl::isBool(Type element) { return element.isSignlessInteger(1); }

bool tegula::pl::isFloat(Type element) {
  return isNarrowFloat(element) || isa<Float32Type, Float64Type>(element);
}

bool tegula::pl::isNarrowFloat(Type element) {
  return isa<Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(
      element);
}

bool tegula::pl::isUnsigned(Type element) {
  return element.isUnsignedInteger();
}

bool tegula::pl::isIntegerOrBool(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || integer.isSigned())
    return false;
  unsigned width = integer.getWidth();
  return (width == 1 && integer.isSignless()) || width == 4 || width == 8 ||
         width == 16 || width == 32 || width == 64;
}

bool tegula::pl::isSigned(Type element) {
  return element.isSignlessInteger() && !isBool(element);
}

bool tegula::pl::isNumeric(Type element) {
  return isFloat(element) || (isIntegerOrBool(element) && !isBool(element));
}

bool tegula::pl::isElementType(Type type) {
  return isFloat(type) || isIntegerOrBool(type);
}

bool tegula::pl::isScalarType(Type type) {
  return isElementType(type) || type.isIndex();
}

std::optional<tegula::DType> tegula::pl::getDType(Type scalar) {
  if (scalar.isIndex())
    return DType::Index;
  if (isa<Float16Type>(scalar))
    return DType::FP16;
  if (isa<BFloat16Type>(scalar))
    return DType::BF16;
  if (isa<Float8E4M3FNType>(scalar))
    return DType::FP8E4M3FN;
  if (isa<Float8E5M2Type>(scalar))
    return DType::FP8E5M2;
  if (isa<Float32Type>(scalar))
    return DType::FP32;
  if (isa<Float64Type>(scalar))
    return DType::FP64;
  if (!isIntegerOrBool(scalar))
    return std::nullopt;
  switch (scalar.getIntOrFloatBitWidth()) {
  case 1:
    return DType::Bool;
  case 4:
    return isUnsigned(scalar) ? DType::UInt4 : DType::Int4;
  case 8:
    return isUnsigned(scalar) ? DType::UInt8 : DType::Int8;
  case 16:
    return isUnsigned(scalar) ? DType::UInt16 : DType::Int16;
  case 32:
    return isUnsigned(scalar) ? DType::UInt32 : DType::Int32;
  default:
    return isUnsigned(scalar) ? DType::UInt64 : DType::Int64;
  }
}

std::string tegula::pl::getTypeName(Type scalar) {
  if (std::optional<DType> dtype = getDType(scalar))
    return getName(*dtype).str();
  std::string text;
  llvm::raw_string_ostream(text) << scalar;
  return text;
}

Type tegula::pl::getElementOrSelf(Type type) {
  if (auto tile = dyn_cast<TileType>(type))
    return tile.getElementType();
  if (auto tensor = dyn_cast<TensorViewType>(type))
    return tensor.getElementType();
  return type;
}

ArrayRef<Dim> tegula::pl::getDims(Type type) {
  if (auto tile = dyn_cast<TileType>(type))
    return tile.getDims();
  return cast<TensorViewType>(type).getDims();
}

bool tegula::pl::isUnboundedTile(Value value) {
  auto tile = dyn_cast<TileType>(value.getType());
  return tile && !tile.isBounded();
}

Type tegula::pl::withElement(Type type, Type element) {
  if (auto tile = dyn_cast<TileType>(type))
    return TileType::get(type.getContext(), tile.getDims(), element);
  if (auto tensor = dyn_cast<TensorViewType>(type))
    return TensorViewType::get(type.getContext(), tensor.getDims(), element);
  return element;
}

/// dim ::= integer | `upto` integer | `?`
static ParseResult parseDim(AsmParser &parser, Dims &dims) {
  if (succeeded(parser.parseOptionalQuestion())) {
    dims.push_back(Dim::any());
    return success();
  }
  bool bounded = succeeded(parser.parseOptionalKeyword("upto"));
  int64_t extent = 0;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(extent))
    return failure();
  if (extent < 0)
    return parser.emitError(loc, "an extent must not be negative, got ")
           << extent;
  dims.push_back(bounded ? Dim::atMost(extent) : Dim::exactly(extent));
  return success();
}

/// shape ::= `<` `[` dim (`,` dim)* `]` `,` type `>`
template <typename ShapedType> static Type parseShaped(AsmParser &parser) {
  Dims dims;
  Type element;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parseDim(parser, dims); }) ||
      parser.parseComma() || parser.parseType(element) || parser.parseGreater())
    return {};
  return parser.getChecked<ShapedType>(loc, parser.getContext(),
                                       ArrayRef<Dim>(dims), element);
}

static void printShaped(AsmPrinter &printer, ArrayRef<Dim> dims, Type element) {
  printer << "<[";
  llvm::interleaveComma(dims, printer.getStream(), [&](Dim dim) {
    if (dim.isAny())
      printer << "?";
    else
      printer << (dim.isBounded() ? "upto " : "") << dim.getBound();
  });
  printer << "], " << element << ">";
}

static LogicalResult verifyShaped(function_ref<InFlightDiagnostic()> emitError,
                                  Type element) {
  if (!isElementType(element))
    return emitError() << "element type must be i1, i4 to i64, ui4 to ui64, "
                          "f8E4M3FN, f8E5M2, f16, bf16, f32 or f64, got "
                       << element;
  return success();
}

Type TensorViewType::parse(AsmParser &parser) {
  return parseShaped<TensorViewType>(parser);
}
void TensorViewType::print(AsmPrinter &printer) const {
  printShaped(printer, getDims(), getElementType());
}
LogicalResult
TensorViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                       ArrayRef<Dim>, Type element) {
  return verifyShaped(emitError, element);
}
bool TensorViewType::isBounded() const {
  return llvm::all_of(getDims(), [](Dim dim) { return dim.hasBound(); });
}
bool TensorViewType::isExact() const {
  return llvm::all_of(getDims(), [](Dim dim) { return dim.isExact(); });
}

Type TileType::parse(AsmParser &parser) {
  return parseShaped<TileType>(parser);
}
void TileType::print(AsmPrinter &printer) const {
  printShaped(printer, getDims(), getElementType());
}
LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<Dim>, Type element) {
  return verifyShaped(emitError, element);
}
bool TileType::isBounded() const {
  return llvm::all_of(getDims(), [](Dim dim) { return dim.hasBound(); });
}
bool TileType::isExact() const {
  return llvm::all_of(getDims(), [](Dim dim) { return dim.isExact(); });
}
