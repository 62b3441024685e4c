// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_BACKENDS_CUDA_OPS
#define TEGULA_BACKENDS_CUDA_OPS

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tegula/backends/cuda/CudaLayouts.td"
include "tegula/ir/ops/PlInterfaces.td"
include "tegula/ir/ops/PlTypes.td"

class Cuda_Op<string mnemonic, list<Trait> traits = []>
    : Op<Cuda_Dialect, mnemonic, traits>;

def Cuda_ConvertLayoutOp : Cuda_Op<"convert_layout", [
    Pure, AllTypesMatch<["source", "result"]>,
    DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>]> {
  let summary = "The same tile, held by threads in another way";
  let description = [{
    Costs nothing where each thread has what it needs already; elsewhere the
    tile passes through memory that the threads of a block share.

    ```mlir
    %r = cuda.convert_layout %t : !pl.tile<[64, 64], f32> to #cuda.mma<warps = [4, 1]>
    ```
  }];
  let arguments = (ins Pl_AnyTile:$source, AnyAttr:$layout);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` $layout";
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::tegula::pl::ExtentRule $cppClass::getExtentRule(unsigned axis) {
      return ::tegula::pl::ExtentRule::axis(getSource(), axis);
    }
  }];
}

// A loop is distributed to threads if its body asks which one it is: so it must
// neither leave the loop nor be removed where nobody uses the number.
def Cuda_ThreadOp : Cuda_Op<"thread"> {
  let summary = "The number of the thread in its block";
  let description = [{
    Says that the loop around it is distributed to threads already. There are
    `threads` of them.

    ```mlir
    %t = cuda.thread of 256
    ```
  }];
  let arguments = (ins I64Attr:$threads);
  let results = (outs I32:$result);
  let assemblyFormat = "`of` $threads attr-dict";
}

def Cuda_LoopBoundOp : Cuda_Op<"loop_bound", [
    Pure, AllTypesMatch<["number", "result"]>]> {
  let summary = "A number that is not known before loops are distributed to blocks";
  let description = [{
    The end of the outermost of loops whose innermost body threads have
    distributed: they stay loops of blocks, also if they have but one iteration.

    ```mlir
    %n = cuda.loop_bound %c4
    ```
  }];
  let arguments = (ins Index:$number);
  let results = (outs Index:$result);
  let assemblyFormat = "$number attr-dict";
}

def Cuda_BarrierOp : Cuda_Op<"barrier"> {
  let summary = "Waits until all threads of the block are here";
  let assemblyFormat = "attr-dict";
}

def Cuda_SharedMemoryOp : Cuda_Op<"shared_memory", [NoMemoryEffect]> {
  let summary = "So many bytes that the threads of a block share";
  let description = [{
    All ops of a function give the same memory.

    ```mlir
    %m = cuda.shared_memory 8192 : !llvm.ptr
    ```
  }];
  let arguments = (ins I64Attr:$bytes);
  let results = (outs LLVM_AnyPointer:$result);
  let assemblyFormat = "$bytes attr-dict `:` type($result)";
}

def Cuda_ExchangeOp : Cuda_Op<"exchange", [AllTypesMatch<["value", "result"]>]> {
  let summary = "The number of another lane";
  let description = [{
    That of the lane whose number differs in the bits of `apart`.

    ```mlir
    %r = cuda.exchange %x apart 1
    ```
  }];
  let arguments = (ins I32:$value, I64Attr:$apart);
  let results = (outs I32:$result);
  let assemblyFormat = "$value `apart` $apart attr-dict";
}

def Cuda_UnpackViewOp : Cuda_Op<"unpack_view", [NoMemoryEffect]> {
  let summary = "Where the elements of a tensor view are";
  let description = [{
    The address of the first one, and for each axis the stride in elements and
    the extent.

    ```mlir
    %p, %s:4 = cuda.unpack_view %v : <[upto 8, 128], f32> -> !llvm.ptr, index, index, index, index
    ```
  }];
  let arguments = (ins Pl_AnyTensor:$source);
  let results = (outs LLVM_AnyPointer:$base, Variadic<Index>:$numbers);
  let assemblyFormat =
      "$source attr-dict `:` type($source) `->` type($base) `,` type($numbers)";
}

def Cuda_BlockYieldOp : Cuda_Op<"block_yield", [
    Pure, Terminator, ReturnLike, HasParent<"BlockRegionOp">]> {
  let summary = "Ends a region of all threads of a block and hands its values out";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

def Cuda_BlockRegionOp : Cuda_Op<"block_region", [
    RecursiveMemoryEffects, NoRegionArguments,
    SingleBlockImplicitTerminator<"BlockYieldOp">]> {
  let summary = "Ops on tiles in memory, in a loop with tiles in registers";
  let description = [{
    What has no rule for tiles in registers: the threads of the block run it
    together, as where all tiles are in memory. What it takes was stored before,
    what it makes is loaded after it. `why` says what has no rule.

    ```mlir
    cuda.block_region "'pl.gather' has no rule" {
      %t = pl.load %memory : <[8, 64], f32>
      %g = pl.gather %t, %index axis 1 : ...
      pl.store %g, %made : <[8, 64], f32>, <[8, 64], f32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$why);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$why (`->` type($results)^)? $body attr-dict";
}

def Cuda_BeginBlockRegionOp : Cuda_Op<"begin_block_region"> {
  let summary = "From here on the threads of a block work together";
  let description = [{
    In a loop that is distributed to threads, up to `cuda.end_block_region` in
    the same block of ops: what is between is not distributed yet.
  }];
  let assemblyFormat = "attr-dict";
}

def Cuda_EndBlockRegionOp : Cuda_Op<"end_block_region"> {
  let summary = "Up to here the threads of a block work together";
  let assemblyFormat = "attr-dict";
}

#endif // TEGULA_BACKENDS_CUDA_OPS
