// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/expressions/LanguageConstructs.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;

Construct tegula::constructOf(StringRef path) {
  return llvm::StringSwitch<Construct>(path)
      .Case("range", Construct::Range)
      .Case("parallel", Construct::Parallel)
      .Case("unroll", Construct::Unroll)
      .Case("pipeline", Construct::Pipeline)
      .Case("while_", Construct::While)
      .Case("split_aiv", Construct::Lanes)
      .Case("spmd", Construct::Grid)
      .Cases({"at", "incore", "auto_incore"}, Construct::At)
      .Case("scope", Construct::Scope)
      .Case("auto_scope", Construct::AutoScope)
      .Case("manual_scope", Construct::ManualScope)
      .Case("cluster", Construct::Cluster)
      .Case("yield_", Construct::Yield)
      .Case("cond", Construct::Condition)
      .Case("assume", Construct::Assume)
      .Cases({"print", "runtime_print"}, Construct::Print)
      .Case("static_print", Construct::StaticPrint)
      .Case("static_assert", Construct::StaticAssert)
      .Case("func_attr", Construct::FunctionAttributes)
      .Case("get_block_idx", Construct::BlockIndex)
      .Case("get_block_num", Construct::NumBlocks)
      .Case("get_subblock_idx", Construct::LaneIndex)
      .Case("aiv_shard", Construct::Shard)
      .Case("aic_gather", Construct::Gather)
      .Case("submit", Construct::Submit)
      .Case("spmd_submit", Construct::SubmitGrid)
      .Case("system.syncall", Construct::WaitForBlocks)
      .Case("system.sync_wait", Construct::WaitForLanes)
      .Case("Tensor", Construct::Tensor)
      .Case("Tile", Construct::Tile)
      .Case("Scalar", Construct::Scalar)
      .Default(Construct::None);
}

bool tegula::isIterator(Construct construct) {
  switch (construct) {
  case Construct::Range:
  case Construct::Parallel:
  case Construct::Unroll:
  case Construct::Pipeline:
  case Construct::While:
  case Construct::Lanes:
  case Construct::Grid:
    return true;
  default:
    return false;
  }
}

bool tegula::isRegion(Construct construct) {
  switch (construct) {
  case Construct::Grid:
  case Construct::At:
  case Construct::Scope:
  case Construct::AutoScope:
  case Construct::ManualScope:
  case Construct::Cluster:
    return true;
  default:
    return false;
  }
}
