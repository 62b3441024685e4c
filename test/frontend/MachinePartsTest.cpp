// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that ask how large the machine is.
#include "KernelSource.h"

#include <gmock/gmock.h>

using namespace tegula;
using testing::HasSubstr;

/// The module of a kernel body for a machine of these parts.
static std::string generateFor(const MachineParts &parts,
                               const std::string &body) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = generateModule(context, kernelFile(body), "k.py", "k", {},
                               nullptr, parts);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (module)
    module->print(stream);
  return text;
}

static const char *const tileOfCounts =
    R"(    t = pl.full([pl.system.available_cluster_count(), 128], pl.FP32, 1.0)
    pl.static_assert(pl.system.available_aiv_count() == 6)
    pl.store(t, [0, 0], out)
)";

TEST(MachineParts, AreKnownWhileCompiling) {
  EXPECT_THAT(generateFor({3, 6}, tileOfCounts),
              HasSubstr("-> <[3, 128], f32>"));
  EXPECT_THAT(generateFor({5, 6}, tileOfCounts),
              HasSubstr("-> <[5, 128], f32>"));
}

TEST(MachineParts, AreWhatMostKernelsExpectIfNothingIsSaid) {
  EXPECT_THAT(
      generateFor(
          {},
          R"(    t = pl.full([pl.system.available_cluster_count(), pl.system.available_aiv_count()], pl.FP32, 1.0)
    pl.store(t, [0, 0], out)
)"),
      HasSubstr("-> <[32, 64], f32>"));
}
