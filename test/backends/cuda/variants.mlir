// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s | tegula-opt | FileCheck %s

// CHECK: #[[LOC:.*]] = loc("k.py":3:5)

// Flags and parameters that are not set are left out.
// CHECK: module @matmul attributes {cuda.matmul = #cuda.matmul<lhs = 0, rhs = 1, precision = bf16>}
module @matmul attributes {cuda.matmul = #cuda.matmul<lhs = 0, rhs = 1, precision = bf16>} {}

// Fields come in any order.
// CHECK: module @all attributes {cuda.matmul = #cuda.matmul<lhs = 1, rhs = 0, transpose_lhs, transpose_rhs, precision = tensor_e4m3fn, long_epilogue, epilogue_operand = 3>}
module @all attributes {cuda.matmul = #cuda.matmul<precision = tensor_e4m3fn, epilogue_operand = 3, transpose_rhs, transpose_lhs, rhs = 0, lhs = 1, long_epilogue>} {}

// CHECK: module @attention attributes {cuda.attention = #cuda.attention<queries = 0, keys = 1, values = 2, result = 3, scale = 1.000000e-01, head_size = 64, heads_per_key_head = 4, bf16, causal>}
module @attention attributes {cuda.attention = #cuda.attention<queries = 0, keys = 1, values = 2, result = 3, scale = 0.1, head_size = 64, heads_per_key_head = 4, bf16, causal>} {}

// CHECK: module @rowwise attributes {cuda.rowwise = #cuda.rowwise<reduces, tensors = [<tensor = 0, rows, columns>, <tensor = 1, rows>]>}
module @rowwise attributes {cuda.rowwise = #cuda.rowwise<reduces, tensors = [<tensor = 0, rows, columns>, <tensor = 1, rows>]>} {
  // CHECK: @warp() attributes {cuda.schedule = #cuda.schedule<by_warp, groups = 4, group_size = 8, layout = shifted, fitted, full_groups = 2>}
  func.func private @warp() attributes {cuda.schedule = #cuda.schedule<by_warp, groups = 4, group_size = 8, layout = shifted, fitted, full_groups = 2>}
}

// CHECK: module @rejected attributes {cuda.row_rejection = #cuda.row_rejection<"the loop does not begin at 0" at #[[LOC]]>}
module @rejected attributes {cuda.row_rejection = #cuda.row_rejection<"the loop does not begin at 0" at loc("k.py":3:5)>} {}

// CHECK: module @no_attention attributes {cuda.attention_rejection = #cuda.attention_rejection<"tensors are BF16 or FP16" at #[[LOC]]>}
module @no_attention attributes {cuda.attention_rejection = #cuda.attention_rejection<"tensors are BF16 or FP16" at loc("k.py":3:5)>} {}
