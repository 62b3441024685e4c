// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How control goes on after what was generated.

#ifndef TEGULA_FRONTEND_IRGEN_STATEMENTS_FLOW_H
#define TEGULA_FRONTEND_IRGEN_STATEMENTS_FLOW_H

namespace tegula {

/// Whether control reaches the end of what was generated.
enum class Flow { Reaches, Jumps };

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_STATEMENTS_FLOW_H
