// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The text of a call of a function of the language, one argument after the
/// other. What is generated from the declarations of the functions writes ops
/// with it.

#ifndef TEGULA_FRONTEND_UNPARSE_CALLTEXT_H
#define TEGULA_FRONTEND_UNPARSE_CALLTEXT_H

#include "tegula/frontend/unparse/SourceExpressions.h"
#include "tegula/ir/ops/PlRankOps.h"

namespace tegula {

/// A call as far as it is written. An argument without a name is given by its
/// place.
class CallText {
public:
  explicit CallText(ExpressionWriter::WriteValue write) : write(write) {}

  /// Starts the call of `pl.<function>`.
  void begin(llvm::StringRef function) {
    text = ("pl." + function + "(").str();
  }
  /// A tile, or a number that takes the type that is wanted.
  void add(llvm::StringRef name, mlir::Value value);
  /// A tensor or tile as it is.
  void addAsIs(llvm::StringRef name, mlir::Value value);
  /// `[a, b]` of index values.
  void add(llvm::StringRef name, mlir::ValueRange values);
  void add(llvm::StringRef name, int64_t number);
  void add(llvm::StringRef name, mlir::Type dtype);
  /// A text in quotes.
  void add(llvm::StringRef name, llvm::StringRef text);
  void add(llvm::StringRef name, pl::PeerUse use);
  void add(llvm::StringRef name, pl::Precision precision);
  void add(llvm::StringRef name, pl::NotifyKind kind);
  void add(llvm::StringRef name, pl::WaitKind kind);
  /// `True` and the like.
  void addWord(llvm::StringRef name, llvm::StringRef word);
  /// The whole call.
  std::string finish() const { return text + ")"; }

private:
  ExpressionWriter::WriteValue write;
  std::string text;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_UNPARSE_CALLTEXT_H
