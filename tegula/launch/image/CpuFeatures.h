// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The features of processors that generated code may need, by LLVM's names,
/// and whether this one has them.

#ifndef TEGULA_LAUNCH_IMAGE_CPUFEATURES_H
#define TEGULA_LAUNCH_IMAGE_CPUFEATURES_H

#include <string>
#include <string_view>
#include <vector>

namespace tegula {

/// All features that are known here.
std::vector<std::string_view> listCpuFeatures();

/// Those that this processor and the system on it support, with spaces between
/// them.
std::string listHostFeatures();

/// The first of the `names`, which have spaces between them, that this
/// processor or the system on it does not support; empty if it has all.
std::string findMissingFeature(std::string_view names);

} // namespace tegula

#endif // TEGULA_LAUNCH_IMAGE_CPUFEATURES_H
