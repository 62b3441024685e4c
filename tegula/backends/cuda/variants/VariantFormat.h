// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The text of a struct whose fields are listed (tegula/launch/Fields.h):
/// `<lhs = 0, rhs = 1, transpose_rhs>`. Flags are words; flags, texts, lists
/// and parameters that are not set are left out.

#ifndef TEGULA_BACKENDS_CUDA_VARIANTS_VARIANTFORMAT_H
#define TEGULA_BACKENDS_CUDA_VARIANTS_VARIANTFORMAT_H

#include "tegula/launch/gpu/variants/GpuParameter.h"

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"

#include <string>

namespace tegula {

template <typename T>
inline constexpr bool isParameter =
    std::is_same_v<T, GpuTensorNumber> || std::is_same_v<T, GpuSlotNumber>;

/// Whether a field is printed.
template <typename T> bool isSet(const T &field) {
  if constexpr (isParameter<T>)
    return field != -1;
  else if constexpr (std::is_same_v<T, bool>)
    return field;
  else if constexpr (std::is_same_v<T, std::string> || IsVector<T>::value)
    return !field.empty();
  else
    return true;
}

template <typename T>
void printField(mlir::AsmPrinter &printer, const T &field) {
  if constexpr (std::is_same_v<T, std::string>) {
    printer.printString(field);
  } else if constexpr (std::is_same_v<T, float>) {
    printer.printFloat(llvm::APFloat(field));
  } else if constexpr (std::is_enum_v<T>) {
    printer << Enumerators<T>::names[static_cast<size_t>(field)];
  } else if constexpr (std::is_integral_v<T> || isParameter<T>) {
    printer << static_cast<int64_t>(field);
  } else if constexpr (IsVector<T>::value) {
    printer << "[";
    llvm::interleaveComma(field, printer, [&](const auto &element) {
      printField(printer, element);
    });
    printer << "]";
  } else {
    bool isFirst = true;
    printer << "<";
    Fields<T>::visit(field, [&](const char *name, const auto &inner) {
      if (!isSet(inner))
        return;
      printer << (isFirst ? "" : ", ") << name;
      isFirst = false;
      if constexpr (!std::is_same_v<std::decay_t<decltype(inner)>, bool>) {
        printer << " = ";
        printField(printer, inner);
      }
    });
    printer << ">";
  }
}

template <typename T>
mlir::ParseResult parseField(mlir::AsmParser &parser, T &field);

/// A word of the enum.
template <typename T>
mlir::ParseResult parseEnumerator(mlir::AsmParser &parser, T &field) {
  llvm::StringRef word;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return mlir::failure();
  const auto *found = llvm::find(Enumerators<T>::names, word);
  if (found == std::end(Enumerators<T>::names)) {
    std::string all;
    llvm::raw_string_ostream stream(all);
    llvm::interleaveComma(Enumerators<T>::names, stream);
    return parser.emitError(loc, "expected one of ") << all;
  }
  field = static_cast<T>(found - std::begin(Enumerators<T>::names));
  return mlir::success();
}

/// Name and value of a field of a struct, or just the name of a flag.
template <typename T>
mlir::ParseResult parseNamed(mlir::AsmParser &parser, T &value) {
  llvm::StringRef word;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return mlir::failure();
  bool isKnown = false;
  mlir::ParseResult result = mlir::success();
  Fields<T>::visit(value, [&](const char *name, auto &field) {
    if (word != name)
      return;
    isKnown = true;
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, bool>)
      field = true;
    else if (parser.parseEqual() || parseField(parser, field))
      result = mlir::failure();
  });
  if (!isKnown)
    return parser.emitError(loc, "there is no field '") << word << "'";
  return result;
}

template <typename T>
mlir::ParseResult parseField(mlir::AsmParser &parser, T &field) {
  using Delimiter = mlir::AsmParser::Delimiter;
  if constexpr (std::is_same_v<T, std::string>) {
    return parser.parseString(&field);
  } else if constexpr (std::is_same_v<T, float>) {
    llvm::APFloat number(0.0F);
    if (parser.parseFloat(llvm::APFloat::IEEEsingle(), number))
      return mlir::failure();
    field = number.convertToFloat();
    return mlir::success();
  } else if constexpr (std::is_enum_v<T>) {
    return parseEnumerator(parser, field);
  } else if constexpr (std::is_integral_v<T>) {
    return parser.parseInteger(field);
  } else if constexpr (isParameter<T>) {
    return parser.parseInteger(field.number);
  } else if constexpr (IsVector<T>::value) {
    return parser.parseCommaSeparatedList(Delimiter::Square, [&] {
      return parseField(parser, field.emplace_back());
    });
  } else {
    return parser.parseCommaSeparatedList(
        Delimiter::LessGreater, [&] { return parseNamed(parser, field); });
  }
}

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_VARIANTS_VARIANTFORMAT_H
