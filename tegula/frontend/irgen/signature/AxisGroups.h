// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a function and its calls tell about the axes of its parameters: an axis
/// that a helper declares dynamic is dynamic in whatever is passed there.

#ifndef TEGULA_FRONTEND_IRGEN_SIGNATURE_AXISGROUPS_H
#define TEGULA_FRONTEND_IRGEN_SIGNATURE_AXISGROUPS_H

#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

/// Groups of axes of the parameters that belong together.
class AxisGroups : FunctionPart {
public:
  explicit AxisGroups(FunctionState &state) : FunctionPart(state) {}

  /// Begins with what the function itself declares. `arguments` holds the
  /// object of each parameter.
  void begin(llvm::ArrayRef<Object> arguments);
  /// Takes over what a called function says of its parameters.
  void noteCalled(llvm::ArrayRef<DynamicGroup> called,
                  llvm::ArrayRef<Object> arguments, mlir::Location loc);
  /// A helper wants a number there, so the axis is not dynamic.
  void pinAxis(mlir::Value shaped, unsigned axis, mlir::Location loc);
  /// Ends with what the generated body needs to be equal, and gives all of it.
  std::vector<DynamicGroup> finish();

private:
  void addOrigins(mlir::Value extent, DynamicGroup &group, bool isDirect,
                  unsigned depth);
  void noteAgreements();
  bool isWanted() const {
    return state.module.isProbe || state.module.notesGroups;
  }

  /// The objects of the parameters.
  std::vector<Object> given;
  std::vector<DynamicGroup> groups;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_SIGNATURE_AXISGROUPS_H
