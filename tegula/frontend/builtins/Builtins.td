// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All functions of the language, in the order of their pages. Elementwise
// functions are the elementwise ops of the dialect.

include "tegula/ir/ops/PlIndexOps.td"
include "tegula/ir/ops/PlOps.td"
include "tegula/ir/ops/PlRankOps.td"
include "tegula/ir/ops/PlShapeOps.td"
include "tegula/ir/ops/PlSortOps.td"
include "tegula/frontend/builtins/functions/BuiltinsCreation.td"
include "tegula/frontend/builtins/functions/BuiltinsMemory.td"
include "tegula/frontend/builtins/functions/BuiltinsShape.td"
include "tegula/frontend/builtins/functions/BuiltinsMove.td"
include "tegula/frontend/builtins/functions/BuiltinsPad.td"
include "tegula/frontend/builtins/functions/BuiltinsMath.td"
include "tegula/frontend/builtins/functions/BuiltinsMatmul.td"
include "tegula/frontend/builtins/functions/BuiltinsReduction.td"
include "tegula/frontend/builtins/functions/BuiltinsGather.td"
include "tegula/frontend/builtins/functions/BuiltinsScatter.td"
include "tegula/frontend/builtins/functions/BuiltinsSort.td"
include "tegula/frontend/builtins/functions/BuiltinsTask.td"
include "tegula/frontend/builtins/functions/BuiltinsRanks.td"
