// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_BACKENDS_CUDA_PASSES
#define TEGULA_BACKENDS_CUDA_PASSES

include "mlir/Pass/PassBase.td"

def CudaAssumeParallelLoops : Pass<"tegula-cuda-assume-parallel-loops", "::mlir::func::FuncOp"> {
  let summary = "Mark outer loops parallel speculatively; tegula-prove-parallel decides";
  let description = [{
    A loop that carries nothing means the same as a `pl.parallel` that nobody has
    proved anything about. tegula-prove-parallel finds out; what is not
    independent still runs in order.

    ```mlir
    pl.parallel %i = %c0 to %M step %c32 independent {
      scf.for %j = %c0 to %N step %c256 { ... }
    ```
    becomes
    ```mlir
    pl.parallel %i = %c0 to %M step %c32 independent {
      pl.parallel %j = %c0 to %N step %c256 { ... }
    ```
  }];
  let dependentDialects = ["::tegula::pl::PlDialect"];
}

def CudaFindRows : Pass<"tegula-cuda-find-rows", "::mlir::ModuleOp"> {
  let summary = "Add variants to a kernel that does the same with every row";
  let description = [{
    A kernel that reads whole rows, computes with their elements and sums, and
    writes whole rows gets functions of the device in a module of their own,
    which keep rows in registers, and `#cuda.rowwise`. One that multiplies two
    matrices, and computes with the elements of the matmul, gets `#cuda.matmul` and
    functions that do the latter, for chips that have variants of their own for
    matmuls: in a copy of it the matmul is one op, `pl.matmul_into`, whose
    accumulators the rows read. The kernel stays as it is, for calls that none of them can take. One
    that is neither gets `#cuda.row_rejection`, which says why. Runs on
    tensor-level expressions.

    ```mlir
    module attributes {
      cuda.matmul = #cuda.matmul<lhs = 0, rhs = 1, precision = bf16>,
      cuda.rowwise = #cuda.rowwise<tensors = [<tensor = 2, rows, columns>]>} { ...
    ```
  }];
  let dependentDialects = [
    "::tegula::cuda::CudaDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"
  ];
}

def CudaFindAttention : Pass<"tegula-cuda-find-attention", "::mlir::ModuleOp"> {
  let summary = "Note which kernel is nothing but attention";
  let description = [{
    Sets `#cuda.attention` on the module, for chips that have code of their own
    for it. The kernel stays as it is, for calls whose tensors that code cannot
    take. Of a kernel without any variant, `#cuda.attention_rejection` says why it
    is not.
  }];
  let dependentDialects = ["::tegula::cuda::CudaDialect"];
}

def CudaMakeRowLoops : Pass<"tegula-cuda-make-row-loops", "::mlir::func::FuncOp"> {
  let summary = "Turn whole-array expressions into loops over rows";
  let description = [{
    A store of a tile with two axes or more and any number of elements, of which
    each is computed from those at its indices alone, becomes loops over all axes
    but the last. An iteration has one row; tegula-cuda-fit-tiles gives it more.

    ```mlir
    %t = pl.load %x : <[?, ?], f32>
    %r = pl.exp %t : !pl.tile<[?, ?], f32>
    pl.store %r, %y : <[?, ?], f32>, <[?, ?], f32>
    ```
    becomes
    ```mlir
    pl.parallel %i = %c0 to %M step %c1 {
      %w = pl.slice %x[%i, %c0] [%c1, %N] : <[?, ?], f32> -> <[upto 1, ?], f32>
      %t = pl.load %w : <[upto 1, ?], f32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tegula::pl::PlDialect"];
}

def CudaFitTiles : Pass<"tegula-cuda-fit-tiles", "::mlir::func::FuncOp"> {
  let summary = "Let iterations have as much as a block has registers for";
  let description = [{
    How many rows an author's loop takes at a time is a hint. Where the loop does
    the same with every row, each by itself, an iteration gets as many rows as
    the registers of a block hold, those of all tiles that live at once counted.
    Rows of unbounded length get a version for each of some widths, which the
    call chooses from, and one for longer rows, which are cut into chunks later.
    A number that is read for each row becomes a vector.

    ```mlir
    pl.parallel %i = %c0 to %M step %c1 {
      %x = pl.slice %t[%i, %c0] [%c1, %N] drop [0] : <[?, ?], f32> -> <[?], f32>
    ```
    becomes
    ```mlir
    %is_short = arith.cmpi sle, %N, %c256
    scf.if %is_short {
      pl.parallel %i = %c0 to %M step %c32 {
        %n = arith.minsi %N, %c256
        %x = pl.slice %t[%i, %c0] [%c32, %n] : <[?, ?], f32> -> <[upto 32, upto 256], f32>
    ```
  }];
  let options = [
    Option<"mostWords", "most-words", "int64_t", "8192",
           "Registers of a block that the largest tile takes at most">,
    Option<"mostLive", "most-live", "int64_t", "8192",
           "Registers of a block that all tiles take at most that live at once">,
    Option<"mostRows", "most-rows", "int64_t", "4096",
           "Rows of an iteration at most">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::tegula::pl::PlDialect"
  ];
}

def CudaAssignLayouts : Pass<"tegula-cuda-assign-layouts", "::mlir::func::FuncOp"> {
  let summary = "Say which threads hold which elements of tiles";
  let description = [{
    Loops whose iterations blocks take, and whose ops all have a rule for tiles
    in registers, get a layout for each tile (CudaLayouts.td): that of a matmul
    on the tensor cores where there is one, another one that reads and writes
    memory in order elsewhere. Where an op wants another layout than there is, a
    `cuda.convert_layout` is put. Tiles that are loaded, filled or counted up are
    made where they are used, and have a layout only where they are converted.
    Other loops get `#cuda.loop_rejection`, which says why.

    ```mlir
    %s = pl.matmul %q, %k : ...
    ```
    becomes
    ```mlir
    %a = cuda.convert_layout %q : ... to #cuda.dot_operand<lhs, <warps = [4, 1]>>
    %b = cuda.convert_layout %k : ... to #cuda.dot_operand<rhs, <warps = [4, 1]>>
    %s = pl.matmul %a, %b {cuda.layout = #cuda.mma<warps = [4, 1]>} : ...
    ```
  }];
  let options = [
    Option<"warps", "warps", "int64_t", "8", "How many a block has at most">,
    Option<"hasWarpgroups", "warpgroups", "bool", "false",
           "Four warps multiply together, by wgmma, where shapes allow it">
  ];
  let dependentDialects = ["::tegula::cuda::CudaDialect"];
}

def CudaDistributeTiles : Pass<"tegula-cuda-distribute-tiles", "::mlir::func::FuncOp"> {
  let summary = "Turn tiles that have layouts into registers of threads";
  let description = [{
    What a thread does is left: arithmetic on the elements that it holds, loads
    and stores of them where they are valid, `cuda.exchange` between lanes, and
    memory that threads share where they hold different elements of a tile.

    ```mlir
    %r = pl.add %a, %b {cuda.layout = #cuda.blocked<...>} : ...
    ```
    becomes
    ```mlir
    %r0 = arith.addf %a0, %b0 : f32
    %r1 = arith.addf %a1, %b1 : f32
    ```
  }];
  let options = [
    Option<"mostShared", "most-shared", "int64_t", "48 << 10",
           "Bytes of memory that the threads of a block share">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::tegula::cuda::CudaDialect"
  ];
}

def CudaLowerTiles : Pass<"tegula-cuda-lower-tiles", "::mlir::ModuleOp"> {
  let summary = "Turn tile programs into linalg on memory of a GPU";
  let description = [{
    As tegula-cpu-lower-tiles, with matmuls as loops that threads can share.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def CudaDistributeToThreads : Pass<"tegula-cuda-distribute-to-threads", "::mlir::ModuleOp"> {
  let summary = "Distribute the work of a kernel to the blocks and threads of a GPU";
  let description = [{
    The kernel becomes two functions: one of the device, which all threads run,
    and one of the host that launches it. Numbers and branches are computed by
    every thread, all the same; the iterations of outer parallel loops are shared out
    among blocks, the elements of everything else among the threads of a block.
    After what touches memory the threads wait for each other.

    ```mlir
    scf.parallel (%i) = (%c0) to (%m) step (%c8) {
      linalg.generic ...
    }
    ```
    becomes
    ```mlir
    scf.for %t = %block to %iterations step %blocks {
      scf.for %j = %thread to %n step %threads { ... }
      llvm.call @tegulaGpuBarrier() : () -> ()
    }
    llvm.call @tegulaGpuGridBarrier(%barrier) : (!llvm.ptr) -> ()
    ```
  }];
  let options = [
    Option<"mostShared", "most-shared", "int64_t", "48 << 10",
           "Bytes of memory that the threads of a block share">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def CudaMath : Pass<"tegula-cuda-math", "::mlir::ModuleOp"> {
  let summary = "Expand mathematical functions and narrow floats in place";
  let description = [{
    Code of the device can call no library, so everything becomes arithmetic,
    and powers of 2, with estimates of the chip's own where it `is-own`.
  }];
  let options = [
    Option<"powerOfTwo", "power-of-two", "std::string", "\"\"",
           "The intrinsic that raises 2 to a power">,
    Option<"isOwn", "is-own", "bool", /*default=*/"false",
           "The code runs on NVIDIA GPUs only">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"
  ];
}

def CudaInlineRowVariants
    : Pass<"tegula-cuda-inline-row-variants", "::mlir::ModuleOp"> {
  let summary = "Put the variants of a row-wise kernel next to it";
  let description = [{
    Functions of the module that tegula-cuda-find-rows made move into that of
    the kernel, with what they call.

    ```mlir
    module { func.func @f  module @tegula_rows { func.func @f_rows } }
    ```
    becomes
    ```mlir
    module { func.func @f  func.func @f_rows }
    ```
  }];
}

def CudaKeepDevice : Pass<"tegula-cuda-keep-device", "::mlir::ModuleOp"> {
  let summary = "Leave the functions of the device";
  let description = [{
    Functions of the host and their globals are removed, the epilogue of a
    matmul, which is compiled by itself, and declarations that nothing calls any
    more. What is left can be launched, so it is public.
  }];
}

def CudaKeepHost : Pass<"tegula-cuda-keep-host", "::mlir::ModuleOp"> {
  let summary = "Leave the functions of the host";
  let description = [{
    Functions of the device are removed. Where the GPU `is-emulated`, they stay
    and each gets one that the emulator calls with the addresses of its
    parameters.
  }];
  let options = [
    Option<"isEmulated", "is-emulated", "bool", /*default=*/"false",
           "This processor runs the functions of the device, too">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

#endif // TEGULA_BACKENDS_CUDA_PASSES
