// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of programs over ranks. Every rank runs the whole program; windows are
// memory that each rank has one of, and that its peers reach.

#ifndef TEGULA_IR_PL_RANK_OPS
#define TEGULA_IR_PL_RANK_OPS

include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "tegula/ir/ops/PlInterfaces.td"
include "tegula/ir/ops/PlTypes.td"

class Pl_RankEnum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tegula::pl";
}

// The numbers are those of support/RanksAbi.h.
def Pl_PeerUse : Pl_RankEnum<"PeerUse", "how a peer's memory is used", [
  I32EnumAttrCase<"Read", 0, "read">,
  I32EnumAttrCase<"Write", 1, "write">,
  I32EnumAttrCase<"Update", 2, "update">
]>;

def Pl_NotifyKind : Pl_RankEnum<"NotifyKind", "how a signal is changed", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"Set", 1, "set">
]>;

def Pl_WaitKind : Pl_RankEnum<"WaitKind", "what a signal is waited to be", [
  I32EnumAttrCase<"Equal", 0, "eq">,
  I32EnumAttrCase<"AtLeast", 1, "ge">
]>;

def Pl_RankOp : Pl_Op<"rank", [
    Pure,
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>]> {
  let summary = "The number of the rank that runs this";
  let description = [{
    ```mlir
    %r = pl.rank
    ```
  }];
  let results = (outs Index:$rank);
  let assemblyFormat = "attr-dict";
}

def Pl_RankCountOp : Pl_Op<"rank_count", [
    Pure,
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>]> {
  let summary = "How many ranks there are";
  let description = [{
    ```mlir
    %n = pl.rank_count
    ```
  }];
  let results = (outs Index:$count);
  let assemblyFormat = "attr-dict";
}

def Pl_AllocWindowOp : Pl_Op<"alloc_window", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemAlloc, MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>]> {
  let summary = "Memory of every rank that its peers reach";
  let description = [{
    So many bytes, all 0, at every rank, until the program ends. All ranks come
    here, and none goes on before the memory of all is there.

    ```mlir
    %w = pl.alloc_window %bytes : !pl.tensor<[?], ui8>
    ```
  }];
  let arguments = (ins Index:$bytes);
  let results = (outs Pl_AnyTensor:$result);
  let assemblyFormat = "$bytes attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Pl_RetypeOp : Pl_Op<"retype", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    NoMemoryEffect,
    ViewLikeOpInterface,
    DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>]> {
  let summary = "The first bytes of memory as a tensor of another type";
  let description = [{
    More bytes than the source has are a run-time error of the call.

    ```mlir
    %d = pl.retype %w, [%n, %c64] : !pl.tensor<[?], ui8> -> !pl.tensor<[?, 64], f32>
    ```
  }];
  let arguments = (ins Pl_AnyTensor:$source, Variadic<Index>:$sizes);
  let results = (outs Pl_AnyTensor:$result);
  let assemblyFormat = [{
    $source `,` `[` $sizes `]` attr-dict `:` type($source) `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSource(); }
  }];
  let hasVerifier = 1;
}

// For this rank a peer's memory is like its own: who `peer` is, is not known.
def Pl_PeerOp : Pl_Op<"peer", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    ViewLikeOpInterface,
    MemoryEffects<[MemRead]>,
    AllTypesMatch<["source", "result"]>,
    DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>]> {
  let summary = "A part of a window as it is at another rank";
  let description = [{
    The same part of the peer's window: its memory itself, or a copy made here.
    What is written there is seen by the peer after pl.peer_end, and a notify
    or a barrier that follows. Between the two ends of an `update` no other
    rank updates memory of that peer.

    ```mlir
    %v = pl.peer read %part at %r : !pl.tensor<[?, 64], f32>
    ```
  }];
  let arguments = (ins Pl_PeerUse:$use, Pl_AnyTensor:$source, Index:$peer);
  let results = (outs Pl_AnyTensor:$result);
  let assemblyFormat = [{
    $use $source `at` $peer attr-dict `:` type($source)
  }];
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSource(); }
  }];
  let builders = [OpBuilder<
      (ins "PeerUse":$use, "::mlir::Value":$source, "::mlir::Value":$peer), [{
    build($_builder, $_state, source.getType(), use, source, peer);
  }]>];
}

def Pl_PeerEndOp : Pl_Op<"peer_end", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Hands what was written to a peer's memory over";
  let description = [{
    ```mlir
    pl.peer_end %v : !pl.tensor<[?, 64], f32>
    ```
  }];
  let arguments = (ins Pl_AnyTensor:$memory);
  let assemblyFormat = "$memory attr-dict `:` type($memory)";
  let hasVerifier = 1;
}

def Pl_NotifyOp : Pl_Op<"notify", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Changes a signal of another rank";
  let description = [{
    After all that this rank wrote before.

    ```mlir
    pl.notify add %signal[%i, %c0] at %r, %one : !pl.tensor<[?, 1], i32>
    ```
  }];
  let arguments = (ins Pl_NotifyKind:$kind, Pl_AnyTensor:$signal,
      Variadic<Index>:$indices, Index:$peer, Index:$value);
  let assemblyFormat = [{
    $kind $signal `[` $indices `]` `at` $peer `,` $value attr-dict
    `:` type($signal)
  }];
  let hasVerifier = 1;
}

def Pl_WaitOp : Pl_Op<"wait", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until a signal of this rank is what is expected";
  let description = [{
    What whoever changed it wrote before can be read after it. In a dispatch,
    what is `deferred` is waited for at the end of that.

    ```mlir
    pl.wait ge %signal[%i, %c0], %one : !pl.tensor<[?, 1], i32>
    pl.wait ge deferred %signal[%i, %c0], %one : !pl.tensor<[?, 1], i32>
    ```
  }];
  let arguments = (ins Pl_WaitKind:$kind, UnitAttr:$deferred,
      Pl_AnyTensor:$signal, Variadic<Index>:$indices, Index:$expected);
  let assemblyFormat = [{
    $kind (`deferred` $deferred^)? $signal `[` $indices `]` `,` $expected attr-dict `:` type($signal)
  }];
  let hasVerifier = 1;
}

def Pl_MeetOp : Pl_Op<"meet", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until all ranks are here";
  let description = [{
    What any rank wrote before it can be read after it. Ranks that meet for
    different purposes, or with different numbers, disagree: an error of the
    call.

    ```mlir
    pl.meet "allreduce sum" [%n]
    ```
  }];
  let arguments = (ins StrAttr:$purpose, Variadic<Index>:$numbers);
  let assemblyFormat = "$purpose `[` $numbers `]` attr-dict";
}

def Pl_DispatchOp : Pl_Op<"dispatch", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "True if this rank is the one that a dispatch is for";
  let description = [{
    All ranks come here, with the same device and tensors. -1 stands for all of
    them. Where it is true, earlier dispatches to other ranks that touch what
    this one writes, or write what it touches, are done. Windows are each rank's
    own and do not count.

    ```mlir
    %mine = pl.dispatch %r, %x, %y [true, false] [false, true] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
    scf.if %mine {
      pl.dispatch_end
    }
    ```
  }];
  let arguments = (ins Index:$device, Variadic<Pl_AnyTensor>:$tensors,
      DenseBoolArrayAttr:$reads, DenseBoolArrayAttr:$writes);
  let results = (outs I1:$mine);
  let assemblyFormat = [{
    $device `,` $tensors $reads $writes attr-dict `:` type($tensors)
  }];
  let hasVerifier = 1;
}

def Pl_DispatchEndOp : Pl_Op<"dispatch_end", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "What this rank was dispatched to do is done";
  let description = [{
    ```mlir
    pl.dispatch_end
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Pl_CallbackOp : Pl_Op<"callback", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "A function of whoever calls the program runs";
  let description = [{
    It is known by its name, and gets the tensors as they are. Stands in a
    dispatch to one rank.

    ```mlir
    pl.callback "look"(%x, %y) : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Pl_AnyTensor>:$tensors);
  let assemblyFormat = "$name `(` $tensors `)` attr-dict `:` type($tensors)";
}

def Pl_HostEndOp : Pl_Op<"host_end", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until the dispatches of all ranks are done";
  let description = [{
    Ends a host program: windows, and tensors that it made, are given back.

    ```mlir
    pl.host_end
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // TEGULA_IR_PL_RANK_OPS
