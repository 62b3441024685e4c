// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/library/VendorFunctions.h"

using namespace tegula;
using llvm::StringLiteral;
using llvm::StringRef;

namespace {

/// A function and why it cannot be called; nothing if it can, in vain.
struct VendorFunction {
  StringLiteral name;
  StringLiteral why;
};

} // namespace

static constexpr StringLiteral nothing = "";
static constexpr StringLiteral channel =
    "moves a tile between two kinds of cores by hand; use the tile where it is "
    "needed, the compiler moves it";
static constexpr StringLiteral channelSetup =
    "sets up a channel between two kinds of cores; leave it out, the compiler "
    "moves tiles";
static constexpr StringLiteral blockScales =
    "makes block-scaled numbers, which is not supported; compute the scales, "
    "then use pl.cast";
static constexpr StringLiteral scaledMatmul =
    "needs block scales in E8M0, which are not supported; multiply the "
    "operands by their scales and use pl.matmul";
static constexpr StringLiteral addresses =
    "counts bytes of one machine's tile layout; use pl.gather with element "
    "indices";
static constexpr StringLiteral allocation =
    "allocates by address; use pl.create_tensor or pl.create_tile";

static constexpr StringLiteral views =
    "says how memory lies, which the call does here; leave it out, and narrow "
    "a tensor with a slice";

static constexpr VendorFunction functions[] = {
    {"system.bar_v", nothing},
    {"system.bar_m", nothing},
    {"system.bar_all", nothing},
    {"system.fence", nothing},
    {"system.sync_src", nothing},
    {"system.sync_dst", nothing},
    {"system.sync_set", nothing},
    {"system.set_ffts", nothing},
    {"system.cacheinvalid", nothing},
    {"prefetch.make_context", nothing},
    {"prefetch.async_prefetch", nothing},
    {"prefetch.session", nothing},
    {"prefetch.wait", nothing},
    {"set_cache_policy", nothing},
    {"release", nothing},
    {"dump_tag", nothing},
    {"MemRef", nothing},
    {"TensorView", views},
    {"TileView", views},
    {"tpush_to_aiv", channel},
    {"tpush_to_aic", channel},
    {"tpop_from_aic", channel},
    {"tpop_from_aiv", channel},
    {"tfree_to_aic", channel},
    {"tfree_to_aiv", channel},
    {"aic_initialize_pipe", channelSetup},
    {"aiv_initialize_pipe", channelSetup},
    {"reserve_buffer", channelSetup},
    {"import_peer_buffer", channelSetup},
    {"quant_mx", blockScales},
    {"matmul_mx", scaledMatmul},
    {"matmul_mx_acc", scaledMatmul},
    {"matmul_mx_bias", scaledMatmul},
    {"gatherb", addresses},
    {"alloc", allocation},
};

std::optional<StringRef> tegula::vendorReason(StringRef name) {
  // Functions about channels go by pl.name and pl.system.name.
  StringRef plain = name;
  plain.consume_front("system.");
  for (const VendorFunction &function : functions)
    if (name == function.name || plain == function.name)
      return StringRef(function.why);
  return std::nullopt;
}
