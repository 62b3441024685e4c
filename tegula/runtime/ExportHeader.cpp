// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/ExportHeader.h"

#include "tegula/launch/call/PassedType.h"
#include "tegula/runtime/Compiler.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace tegula;
using llvm::StringRef;

/// The words of C and C++ that are no names, and main.
static bool isReserved(StringRef name) {
  static const llvm::StringSet<> words = {
      "alignas",     "alignof",      "and",       "and_eq",
      "asm",         "auto",         "bitand",    "bitor",
      "bool",        "break",        "case",      "catch",
      "char",        "char16_t",     "char32_t",  "char8_t",
      "class",       "co_await",     "co_return", "co_yield",
      "compl",       "concept",      "const",     "const_cast",
      "consteval",   "constexpr",    "constinit", "continue",
      "decltype",    "default",      "delete",    "do",
      "double",      "dynamic_cast", "else",      "enum",
      "explicit",    "export",       "extern",    "false",
      "float",       "for",          "friend",    "goto",
      "if",          "inline",       "int",       "long",
      "main",        "mutable",      "namespace", "new",
      "noexcept",    "not",          "not_eq",    "nullptr",
      "operator",    "or",           "or_eq",     "private",
      "protected",   "public",       "register",  "reinterpret_cast",
      "requires",    "restrict",     "return",    "short",
      "signed",      "sizeof",       "static",    "static_assert",
      "static_cast", "struct",       "switch",    "template",
      "this",        "thread_local", "throw",     "true",
      "try",         "typedef",      "typeid",    "typename",
      "typeof",      "union",        "unsigned",  "using",
      "virtual",     "void",         "volatile",  "wchar_t",
      "while",       "xor",          "xor_eq"};
  return words.contains(name);
}

bool tegula::isCName(StringRef name) {
  return !name.empty() && !llvm::isDigit(name[0]) && !isReserved(name) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

static constexpr const char *prologue = R"c(#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TEGULA_ELEMENT_TYPES
#define TEGULA_ELEMENT_TYPES
enum TegulaElementType {
  TegulaBool = 0, /* one byte, 0 or 1 */
  TegulaInt8 = 1,
  TegulaInt16 = 2,
  TegulaInt32 = 3,
  TegulaInt64 = 4,
  TegulaUInt8 = 5,
  TegulaUInt16 = 6,
  TegulaUInt32 = 7,
  TegulaUInt64 = 8,
  TegulaFP16 = 9,
  TegulaBF16 = 10,
  TegulaFP32 = 11,
  TegulaFP64 = 12,
  TegulaInt4 = 13, /* two to a byte, the first in its low half */
  TegulaUInt4 = 14,
  TegulaFP8E4M3FN = 15,
  TegulaFP8E5M2 = 16
};
#endif

#ifndef TEGULA_TENSOR
#define TEGULA_TENSOR
/* A view of memory that the caller owns. */
struct TegulaTensor {
  void *data;             /* the element at index 0 of every axis */
  int32_t dtype;          /* a TegulaElementType */
  int32_t rank;           /* at most 8 */
  const int64_t *sizes;   /* the extent of each axis */
  const int64_t *strides; /* in elements; null if the rows follow each other */
};
#endif

/* Each function checks its arguments and runs a kernel. It may be called from
 * several threads at once. It returns 0, or 1 if it refuses the arguments and
 * has written nothing, or 2 if an error ended it early. Then `message`, unless
 * it is null, says why, cut to `messageSize` bytes with the final zero. */
)c";

static constexpr const char *streams = R"c(
/* `stream` is a CUstream or cudaStream_t; null is the default stream. With
 * tensors in memory of the GPU a function does not wait: an error of the kernel
 * itself is told by the next call of the same function. */
)c";

static constexpr const char *epilogue = R"c(
#ifdef __cplusplus
}
#endif

#endif
)c";

/// The C type of a number.
static StringRef typeOf(DType dtype) {
  switch (getPassedType(dtype)) {
  case DType::Int8:
    return "int8_t ";
  case DType::Int16:
    return "int16_t ";
  case DType::Int32:
    return "int32_t ";
  case DType::UInt8:
    return "uint8_t ";
  case DType::UInt16:
    return "uint16_t ";
  case DType::UInt32:
    return "uint32_t ";
  case DType::UInt64:
    return "uint64_t ";
  case DType::FP32:
    return "float ";
  case DType::FP64:
    return "double ";
  default:
    return "int64_t ";
  }
}

/// The name of a parameter, changed where C has no such name.
static std::string nameOf(StringRef name) {
  std::string text;
  for (char c : name)
    text += llvm::isAlnum(c) ? c : '_';
  bool isTaken = text == "message" || text == "messageSize" || text == "stream";
  return isTaken || !isCName(text) ? text + "_" : text;
}

static std::string declare(const ExportedFunction &function) {
  Signature taken = function.signature;
  llvm::erase_if(taken.parameters, [&](const Parameter &parameter) {
    return llvm::is_contained(function.bound, parameter.name);
  });
  std::string comment = taken.format();
  for (size_t end; (end = comment.find("*/")) != std::string::npos;)
    comment.insert(end + 1, " ");
  std::string text = "\n/* " + comment + " */\nint " + function.name + "(";
  for (const Parameter &parameter : function.signature.parameters)
    if (!llvm::is_contained(function.bound, parameter.name))
      text += (parameter.isTensor() ? StringRef("const struct TegulaTensor *")
                                    : typeOf(*parameter.dtype))
                  .str() +
              nameOf(parameter.name) + ", ";
  if (function.takesStream)
    text += "void *stream, ";
  return text + "char *message, size_t messageSize);\n";
}

std::string tegula::writeHeader(llvm::ArrayRef<ExportedFunction> functions,
                                StringRef path) {
  std::string guard;
  for (char c : llvm::sys::path::filename(path))
    guard += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  if (llvm::isDigit(guard[0]))
    guard.insert(0, "H");
  std::string text = "/* Kernels compiled by Tegula. */\n\n#ifndef " + guard +
                     "\n#define " + guard + "\n\n" + prologue;
  if (llvm::any_of(functions, [](const ExportedFunction &function) {
        return function.takesStream;
      }))
    text += streams;
  for (const ExportedFunction &function : functions)
    text += declare(function);
  return text + epilogue;
}
