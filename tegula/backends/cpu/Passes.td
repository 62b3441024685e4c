// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_BACKENDS_CPU_PASSES
#define TEGULA_BACKENDS_CPU_PASSES

include "mlir/Pass/PassBase.td"

def CpuLowerTiles : Pass<"tegula-cpu-lower-tiles", "::mlir::ModuleOp"> {
  let summary = "Turn tile programs into linalg on memory";
  let description = [{
    Every tile must be bounded and every call inlined. A tile that is read in
    one place is computed there; others get scratch memory. The function
    becomes one that takes its parameters as slots and a state for errors.

    ```mlir
    %a = pl.load %v : !pl.tensor<[upto 64], f32>
    %b = pl.exp %a : !pl.tile<[upto 64], f32>
    pl.store %b, %w : !pl.tile<[upto 64], f32>, !pl.tensor<[upto 64], f32>
    ```
    becomes
    ```mlir
    linalg.generic {...} ins(%v : memref<?xf32, ...>) outs(%w : memref<?xf32, ...>) {
    ^bb0(%x: f32, %y: f32):
      %e = math.exp %x : f32
      linalg.yield %e : f32
    }
    ```
  }];
  let dependentDialects = [
    "::tegula::cpu::CpuDialect",
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::mlir::func::FuncDialect"
  ];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "512",
           "Bits in one vector register">,
    Option<"matmulRows", "matmul-rows", "unsigned", "8",
           "Rows of a matmul kept in registers">,
    Option<"matmulVectors", "matmul-vectors", "unsigned", "3",
           "Vectors of columns of a matmul kept in registers">
  ];
}

def CpuShareStatements
    : Pass<"tegula-cpu-share-statements", "::mlir::ModuleOp"> {
  let summary = "Compile equal loops of a large kernel once";
  let description = [{
    Generated kernels say the same thing many times, about other tiles and with
    other constants. In functions that are large, loops that differ in nothing
    else become calls of one function.

    ```mlir
    linalg.generic {...} ins(%a : memref<8xf32>) outs(%b : memref<8xf32>) {...}
    linalg.generic {...} ins(%b : memref<8xf32>) outs(%c : memref<8xf32>) {...}
    ```
    becomes
    ```mlir
    func.call @k_shared(%pa, %pb) : (!llvm.ptr, !llvm.ptr) -> ()
    func.call @k_shared(%pb, %pc) : (!llvm.ptr, !llvm.ptr) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"least", "least", "int64_t", "4000",
           "Functions that hold less are left alone">
  ];
}

def CpuSplitLongBlocks
    : Pass<"tegula-cpu-split-long-blocks", "::mlir::ModuleOp"> {
  let summary = "Cut long runs of statements into functions";
  let description = [{
    Much of what a compiler does to a function takes more than linear time.
    The chunks of a long block become functions of their own; values that one
    chunk makes and another one needs go through memory of the caller.

    ```mlir
    func.func @k(%slots: !llvm.ptr, %state: !llvm.ptr) {
      linalg.generic ... // a thousand times
    }
    ```
    becomes
    ```mlir
    func.func @k(%slots: !llvm.ptr, %state: !llvm.ptr) {
      %frame = llvm.alloca %c2 x i64 : (i64) -> !llvm.ptr
      ...
      func.call @k_part(%frame) : (!llvm.ptr) -> ()
      func.call @k_part_0(%frame) : (!llvm.ptr) -> ()
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
  let options = [
    Option<"most", "most", "int64_t", "4000",
           "How much a function may hold, in instructions, roughly">,
    Option<"chunk", "chunk", "int64_t", "1000",
           "How much a chunk of a longer one holds">
  ];
}

def CpuVectorize : Pass<"tegula-cpu-vectorize", "::mlir::func::FuncOp"> {
  let summary = "Turn linalg on memory into loops over vectors";
  let description = [{
    The innermost axis is processed in whole vectors, and its end once under a
    mask. Reductions along it keep several vectors of partial results. Rows
    whose elements turn out to lie apart go through a small buffer.

    ```mlir
    linalg.generic {...} ins(%v : memref<?xf32>) outs(%w : memref<?xf32>) {...}
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %whole step %c16 {
      %x = vector.load %v[%i] : memref<?xf32>, vector<16xf32>
      ...
    }
    scf.if %rest {
      %m = vector.create_mask %left : vector<16xi1>
      %x = vector.maskedload %v[%whole], %m, %zero ...
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "512",
           "Bits in one vector register">
  ];
}

def CpuParallelToThreads : Pass<"tegula-cpu-parallel-to-threads", "::mlir::ModuleOp"> {
  let summary = "Share parallel loops out among threads where that pays";
  let description = [{
    The work is estimated at the call, from the iterations of the loops inside. Below
    `least-work` no other thread is asked for.

    ```mlir
    scf.parallel (%i) = (%lb) to (%ub) step (%s) { ... }
    ```
    becomes
    ```mlir
    scf.if %areSeveral {
      llvm.call @tegulaParallelFor(%share, %context, %count, %threads)
    } else {
      func.call @iterations(%lb, %ub, %s)
    }
    ```
    where `@share` calls `@iterations` for a few iterations of all.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
  let options = [
    Option<"leastWork", "least-work", "int64_t", "32768",
           "Instructions below which a loop stays on one thread">
  ];
}

def CpuVectorMath : Pass<"tegula-cpu-vector-math", "::mlir::ModuleOp"> {
  let summary = "Expand mathematical functions and conversions in place";
  let description = [{
    Nothing is called, but for the sine and cosine of large angles.

    ```mlir
    %e = math.exp %x : vector<16xf32>
    ```
    becomes
    ```mlir
    %s = math.fma %x, %log2e, %shifter : vector<16xf32>
    %n = arith.subf %s, %shifter : vector<16xf32>
    ...
    %e = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%p, %n, ...)
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "512",
           "Bits in one vector register">
  ];
}

def CpuToLLVM : Pass<"tegula-cpu-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert what is left to the LLVM dialect";
  let description = [{
    ```mlir
    func.func @k(%slots: !llvm.ptr, %state: !llvm.ptr) { ... vector.load ... }
    ```
    becomes
    ```mlir
    llvm.func @k(%slots: !llvm.ptr, %state: !llvm.ptr) { ... llvm.load ... }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TEGULA_BACKENDS_CPU_PASSES
