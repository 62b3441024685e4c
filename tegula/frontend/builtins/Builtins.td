// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All functions of the language, in the order of their pages. Elementwise
// functions are the elementwise ops of the dialect.

include "tegula/ir/ops/PlIndexOps.td"
include "tegula/ir/ops/PlOps.td"
include "tegula/ir/ops/PlRankOps.td"
include "tegula/ir/ops/PlShapeOps.td"
include "tegula/ir/ops/PlSortOps.td"
include "tegula/frontend/builtins/BuiltinsCreation.td"
include "tegula/frontend/builtins/BuiltinsMemory.td"
include "tegula/frontend/builtins/BuiltinsShape.td"
include "tegula/frontend/builtins/BuiltinsMove.td"
include "tegula/frontend/builtins/BuiltinsPad.td"
include "tegula/frontend/builtins/BuiltinsMath.td"
include "tegula/frontend/builtins/BuiltinsMatmul.td"
include "tegula/frontend/builtins/BuiltinsReduction.td"
include "tegula/frontend/builtins/BuiltinsGather.td"
include "tegula/frontend/builtins/BuiltinsScatter.td"
include "tegula/frontend/builtins/BuiltinsSort.td"
include "tegula/frontend/builtins/BuiltinsTask.td"
include "tegula/frontend/builtins/BuiltinsRanks.td"
