// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_BACKENDS_NPU_OPS
#define TEGULA_BACKENDS_NPU_OPS

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Npu_Dialect : Dialect {
  let name = "npu";
  let cppNamespace = "::tegula::npu";
  let summary = "Steps on the units of an NPU's cores";
  let description = [{
    A step moves a window between memory and a core's scratchpad, multiplies,
    or computes elements. It names the bytes of the core's memories that it
    reads and writes, as a plan has placed them, and its region is what it
    does, as code for this processor. So the values of a program and the
    operations a simulator times come from one form of it: either regions are
    inlined, or they are dropped and the rest is emitted to the simulator.

    ```mlir
    npu.load %window[%rows, %k] strides [%pitch, %c1] of 4 bytes
      ranges [%c0, %bytes] of [0] reads 0 { ... }
    npu.multiply %rows, %columns, %k accumulates %isLater
      ranges [%c0, %bytes, %b0, %bBytes, %s0, %sBytes] of [0, 0, 0] reads 2 { ... }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

class Npu_Op<string mnemonic, list<Trait> traits = []>
    : Op<Npu_Dialect, mnemonic, traits>;

// `ranges` has the first byte and the number of bytes of each range, first of
// those that are read and then of those that are written; `spaces` says which
// memory each is in, as TegulaTraceSpace.
class Npu_Step<string mnemonic, dag own, string ownFormat,
               list<Trait> traits = []>
    : Npu_Op<mnemonic, traits # [NoTerminator, SingleBlock]> {
  let arguments = !con(own, (ins Variadic<Index>:$ranges,
                                 DenseI64ArrayAttr:$spaces,
                                 I64Attr:$numReads));
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = ownFormat # [{
    `ranges` `[` $ranges `]` `of` $spaces `reads` $numReads $body attr-dict
  }];
  let hasVerifier = 1;
}

// Elements of 0 bytes are half bytes, whose addresses are those of
// support/HalfBytes.h.
class Npu_Transfer<string mnemonic>
    : Npu_Step<mnemonic,
               (ins LLVM_AnyPointer:$address, Variadic<Index>:$sizes,
                    Variadic<Index>:$strides, I64Attr:$elementBytes),
               [{ $address `:` type($address) `[` $sizes `]` `strides` `[` $strides `]`
                  `of` $elementBytes `bytes` }],
               [AttrSizedOperandSegments]>;

def Npu_LoadOp : Npu_Transfer<"load"> {
  let summary = "a window of memory to the scratchpad";
}

def Npu_StoreOp : Npu_Transfer<"store"> {
  let summary = "a part of the scratchpad to memory";
}

def Npu_MultiplyOp
    : Npu_Step<"multiply",
               (ins Index:$rows, Index:$columns, Index:$depth,
                    I1:$accumulates, UnitAttr:$loaded),
               [{ $rows `,` $columns `,` $depth `accumulates` $accumulates (`loaded` $loaded^)? }]> {
  let summary = "a matmul on the matrix arrays, added to what is there or not";
  let description = [{
    Its first weights are `loaded` by an `npu.weights` before it, or by itself.
  }];
}

def Npu_WeightsOp
    : Npu_Step<"weights", (ins Index:$rows, Index:$columns, Index:$depth),
               [{ $rows `,` $columns `,` $depth }]> {
  let summary = "the first weights of a matmul into the matrix arrays";
  let description = [{
    The extents are those of the matmul. It takes the oldest weights that were
    loaded, and loads those of its other folds while it runs.
  }];
}

def Npu_ReadOutOp
    : Npu_Step<"read_out", (ins Index:$rows, Index:$columns),
               [{ $rows `,` $columns }]> {
  let summary = "sums from the accumulators to another memory";
}

def Npu_HandoverOp
    : Npu_Step<"handover", (ins Index:$bytes), [{ $bytes }]> {
  let summary = "bytes to a memory of the core's other units, through memory";
  let description = [{
    Where vector units are cores of their own, they and the arrays see no memory
    of each other: one stores and the other loads.
  }];
}

def Npu_VectorOp
    : Npu_Step<"vector",
               (ins Index:$rows, Index:$columns, StrAttr:$name, I64Attr:$ops,
                    I64Attr:$specials, I64Attr:$rowCycles, I64Attr:$fillCycles,
                    I64Attr:$iterationElements, I64Attr:$iterationCycles),
               [{ $name $rows `,` $columns `ops` $ops `specials` $specials
                  `row` $rowCycles `fill` $fillCycles `iterations` $iterationElements `in` $iterationCycles }]> {
  let summary = "elements on the vector units";
  let description = [{
    `ops` and `specials` are operations per element. Where the region's code
    was timed, `iterationElements` elements take `iterationCycles`.
  }];
}

def Npu_HostOp : Npu_Op<"host", [NoTerminator, SingleBlock]> {
  let summary = "what no unit does, but code on this processor needs";
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}

def Npu_LoadElementOp : Npu_Op<"load_element"> {
  let summary = "one element of memory for the scalar unit";
  let arguments = (ins LLVM_AnyPointer:$address, I64Attr:$elementBytes);
  let assemblyFormat = [{
    $address `:` type($address) `of` $elementBytes `bytes` attr-dict
  }];
}

def Npu_AwaitOp : Npu_Op<"await"> {
  let summary = "the scalar unit needs the result of the step before";
  let assemblyFormat = "attr-dict";
}

def Npu_RingSlotOp : Npu_Op<"ring_slot"> {
  let summary = "which of several buffers a run of this block uses";
  let description = [{
    Runs of a block take the buffers round-robin, so that one can be filled while
    another is used. `ring` tells the blocks of a function apart.
  }];
  let arguments = (ins I64Attr:$ring, I64Attr:$copies);
  let results = (outs Index:$result);
  let assemblyFormat = "$ring `of` $copies attr-dict";
}

#endif // TEGULA_BACKENDS_NPU_OPS
