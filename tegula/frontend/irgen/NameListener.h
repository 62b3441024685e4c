// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// For editors: what the names of a kernel stand for, told while its program is
/// generated. A location may be told several times, since loops are generated
/// until their types are known; the last time counts.

#ifndef TEGULA_FRONTEND_IRGEN_NAMELISTENER_H
#define TEGULA_FRONTEND_IRGEN_NAMELISTENER_H

#include "tegula/frontend/constants/Object.h"
#include "llvm/ADT/StringRef.h"

namespace tegula {

/// Whether a name is given a meaning, or used.
enum class NameUse { Bound, Read };

/// Hears of names.
class NameListener {
public:
  virtual ~NameListener() = default;

  /// At `loc` stands `name`, which means `what` there.
  virtual void hear(mlir::Location loc, llvm::StringRef name,
                    const std::string &what, NameUse use) = 0;
};

/// "tile [upto 8, N] FP32", "INDEX", "3", "symbol M"; empty if it is nothing
/// that an author would ask for.
std::string describeNamed(const Object &object);

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_NAMELISTENER_H
