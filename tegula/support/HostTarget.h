// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The one target that others than its back end know: where kernels run that
/// name none.

#ifndef TEGULA_SUPPORT_HOSTTARGET_H
#define TEGULA_SUPPORT_HOSTTARGET_H

#include <string_view>

namespace tegula {

/// The processor this runs on. Options follow a colon.
inline constexpr std::string_view hostTarget = "cpu";

} // namespace tegula

#endif // TEGULA_SUPPORT_HOSTTARGET_H
