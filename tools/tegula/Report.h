// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How results are put into words.

#ifndef TEGULA_TOOLS_REPORT_H
#define TEGULA_TOOLS_REPORT_H

#include "tegula/runtime/Check.h"
#include <map>
#include <string>

namespace tegula {

/// "1.25 ms", with the unit that suits.
std::string formatTime(double seconds);

/// "M=4 N=5" in the order of the signature; empty if nothing varies.
std::string formatDims(const Signature &signature,
                       const std::map<std::string, int64_t> &dims);

/// "y: [4, 5] FP32, min -1, max 2, mean 0.5, checksum 0123456789abcdef".
std::string formatSummary(const std::string &name, const TensorView &view);

/// "check y: ok, largest error ..." or what is wrong.
std::string formatComparison(const Comparison &output);

/// Shows on the standard error what the compiler says of a kernel.
void printWarnings(llvm::ArrayRef<KernelWarning> warnings);

/// Two lines that name the pass and the op.
std::string formatCulprit(const Culprit &culprit);

} // namespace tegula

#endif // TEGULA_TOOLS_REPORT_H
