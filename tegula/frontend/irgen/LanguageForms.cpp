// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/LanguageForms.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;

Form tegula::formOf(StringRef path) {
  return llvm::StringSwitch<Form>(path)
      .Case("range", Form::Range)
      .Case("parallel", Form::Parallel)
      .Case("unroll", Form::Unroll)
      .Case("pipeline", Form::Pipeline)
      .Case("while_", Form::While)
      .Case("split_aiv", Form::Lanes)
      .Case("spmd", Form::Grid)
      .Cases({"at", "incore", "auto_incore"}, Form::At)
      .Case("scope", Form::Scope)
      .Case("auto_scope", Form::AutoScope)
      .Case("manual_scope", Form::ManualScope)
      .Case("cluster", Form::Cluster)
      .Case("yield_", Form::Yield)
      .Case("cond", Form::Condition)
      .Case("assume", Form::Assume)
      .Cases({"print", "runtime_print"}, Form::Print)
      .Case("static_print", Form::StaticPrint)
      .Case("static_assert", Form::StaticAssert)
      .Case("func_attr", Form::FunctionAttributes)
      .Case("get_block_idx", Form::BlockIndex)
      .Case("get_block_num", Form::NumBlocks)
      .Case("get_subblock_idx", Form::LaneIndex)
      .Case("aiv_shard", Form::Shard)
      .Case("aic_gather", Form::Gather)
      .Case("submit", Form::Submit)
      .Case("spmd_submit", Form::SubmitGrid)
      .Case("system.syncall", Form::WaitForBlocks)
      .Case("system.sync_wait", Form::WaitForLanes)
      .Case("Tensor", Form::Tensor)
      .Case("Tile", Form::Tile)
      .Case("Scalar", Form::Scalar)
      .Default(Form::None);
}

bool tegula::isIterator(Form form) {
  switch (form) {
  case Form::Range:
  case Form::Parallel:
  case Form::Unroll:
  case Form::Pipeline:
  case Form::While:
  case Form::Lanes:
  case Form::Grid:
    return true;
  default:
    return false;
  }
}

bool tegula::isRegion(Form form) {
  switch (form) {
  case Form::Grid:
  case Form::At:
  case Form::Scope:
  case Form::AutoScope:
  case Form::ManualScope:
  case Form::Cluster:
    return true;
  default:
    return false;
  }
}
