// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{a matmul has two operands}}
module attributes {cuda.matmul = #cuda.matmul<lhs = 0, precision = bf16>} {}

// -----

// expected-error @+1 {{a tensor has a number below -1}}
module attributes {cuda.matmul = #cuda.matmul<lhs = 0, rhs = 1, epilogue_operand = -2>} {}

// -----

// expected-error @+1 {{expected one of fp16, bf16, fp32, int8, uint8, fp8e4m3fn, fp8e5m2, tf32, tensor_e4m3fn, tensor_e5m2}}
module attributes {cuda.matmul = #cuda.matmul<lhs = 0, rhs = 1, precision = fp64>} {}

// -----

// expected-error @+1 {{there is no field 'left'}}
module attributes {cuda.matmul = #cuda.matmul<left = 0>} {}

// -----

// expected-error @+1 {{attention has queries, keys, values and a result}}
module attributes {cuda.attention = #cuda.attention<queries = 0, keys = 1, values = 2, head_size = 64>} {}

// -----

// expected-error @+1 {{the head size is 64 or 128}}
module attributes {cuda.attention = #cuda.attention<queries = 0, keys = 1, values = 2, result = 3, head_size = 96>} {}

// -----

// expected-error @+1 {{a head of keys has one head of queries or more}}
module attributes {cuda.attention = #cuda.attention<queries = 0, keys = 1, values = 2, result = 3, head_size = 64, heads_per_key_head = 0>} {}

// -----

// expected-error @+1 {{a row-wise kernel has no such tensor}}
module attributes {cuda.rowwise = #cuda.rowwise<tensors = [<rows>]>} {}

// -----

// expected-error @+1 {{a thread has groups of elements}}
func.func private @no_groups() attributes {cuda.schedule = #cuda.schedule<group_size = 4>}

// -----

// expected-error @+1 {{there are no more full groups than groups}}
func.func private @many() attributes {cuda.schedule = #cuda.schedule<groups = 2, group_size = 4, full_groups = 3>}

// -----

// expected-error @+1 {{'cuda.matmul' must be a #cuda.matmul on a module, got 1 : i64}}
module attributes {cuda.matmul = 1} {}

// -----

// expected-error @+1 {{'cuda.schedule' must be a #cuda.schedule on a function, got #cuda.schedule<groups = 2, group_size = 4, layout = aligned, full_groups = 0>}}
module attributes {cuda.schedule = #cuda.schedule<groups = 2, group_size = 4>} {}

// -----

// expected-error @+1 {{there is no attribute 'cuda.conv'}}
module attributes {cuda.conv} {}

// -----

// expected-error @+1 {{'cuda.row_rejection' must be a #cuda.row_rejection on a module, got 1 : i64}}
module attributes {cuda.row_rejection = 1} {}

// -----

// expected-error @+1 {{'cuda.loop_rejection' must be a #cuda.loop_rejection on a pl.parallel, got #cuda.loop_rejection<"an extent depends on data" at loc("k.py":3:5)>}}
module attributes {cuda.loop_rejection = #cuda.loop_rejection<"an extent depends on data" at loc("k.py":3:5)>} {}
