// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_BACKENDS_CPU_OPS
#define TEGULA_BACKENDS_CPU_OPS

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tegula/ir/ops/PlTypes.td"

def Cpu_Dialect : Dialect {
  let name = "cpu";
  let cppNamespace = "::tegula::cpu";
  let summary = "Ops that fuse several tile ops for the processor";
  let dependentDialects = ["::tegula::pl::PlDialect"];
}

def Cpu_StreamOp : Op<Cpu_Dialect, "stream", [
    Pure, AllTypesMatch<["memory", "result"]>]> {
  let summary = "Memory that is written past the caches";
  let description = [{
    The same memory. Where `condition` holds, what is stored to it is not read
    for long, so that it need not go through the caches.

    ```mlir
    %y = cpu.stream %x if %large : memref<?x?xf32>
    ```
  }];
  let arguments = (ins AnyMemRef:$memory, I1:$condition);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$memory `if` $condition attr-dict `:` type($memory)";
}

def Cpu_UncachedOp : Op<Cpu_Dialect, "uncached", [
    Pure, AllTypesMatch<["memory", "result"]>]> {
  let summary = "Memory that no cache holds";
  let description = [{
    The same memory. Where `condition` holds, what is read from it is part of so
    much that it pays to prefetch what is read next.

    ```mlir
    %y = cpu.uncached %x if %large : memref<?x?xf32>
    ```
  }];
  let arguments = (ins AnyMemRef:$memory, I1:$condition);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$memory `if` $condition attr-dict `:` type($memory)";
}

#endif // TEGULA_BACKENDS_CPU_OPS
