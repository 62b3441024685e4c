// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an entry returns that is none of its parameters: each such value gets
/// an output of its own behind the parameters, which the caller's side
/// allocates. Its shape is made of numbers and expressions of the sizes of the
/// call.

#ifndef TEGULA_FRONTEND_IRGEN_SIGNATURE_ENTRYRESULTS_H
#define TEGULA_FRONTEND_IRGEN_SIGNATURE_ENTRYRESULTS_H

#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

/// The results of an entry.
class EntryResults : FunctionPart {
public:
  explicit EntryResults(FunctionState &state) : FunctionPart(state) {}

  /// The parameter that `value` is and that the entry writes, by number.
  std::optional<int64_t> findWritten(const Object &value) const;
  /// Writes what the body ends with to outputs, and says what is returned.
  void give(const Object &returned, mlir::Location loc);

private:
  /// Adds the output that takes `value`; its number, or nothing after an error.
  std::optional<int64_t> giveOne(Object value, const std::string &name,
                                 mlir::Location loc);
  Object toElement(const Object &number, mlir::Location loc);
  std::string nameOf(unsigned position, unsigned count) const;
  bool becomesOutput(mlir::Value source, mlir::BlockArgument output);
  mlir::BlockArgument addOutput(mlir::Type type, llvm::StringRef name,
                                mlir::Location loc);
  bool bindAxis(mlir::BlockArgument output, unsigned axis, mlir::Value extent,
                mlir::Location loc);

  /// The outputs that tensors of the entry have become.
  llvm::DenseMap<mlir::Value, mlir::Value> given;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_SIGNATURE_ENTRYRESULTS_H
