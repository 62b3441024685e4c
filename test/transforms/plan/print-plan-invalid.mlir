// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --verify-diagnostics --tegula-print-plan="memories=cellar:0:64"

// expected-error @+1 {{a memory is written space:bytes:alignment, got 'cellar:0:64'}}
func.func @k() {
  return
}
