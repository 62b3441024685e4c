// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-parallel-to-threads=least-work=1000 --split-input-file | FileCheck %s

// Where there are several threads the iterations are counted at the call; below 1000
// instructions no other thread is asked for. A thread is worth 500.
// CHECK-LABEL: func.func @share
// CHECK-NOT:     arith.divui
// CHECK:         %[[MOST:.*]] = llvm.call @tegulaCountThreads()
// CHECK:         %[[THERE:.*]] = arith.cmpi sgt, %[[MOST]], %c1_i32
// CHECK:         %[[THREADS:.*]] = scf.if %[[THERE]] -> (i32) {
// CHECK:           %[[TURNS:.*]] = arith.divui
// CHECK:           %[[PAYS:.*]] = arith.cmpi sge, %{{.*}}, %c1000
// CHECK:           %[[WORTH:.*]] = scf.if %[[PAYS]] -> (i32) {
// CHECK:             %[[PIECES:.*]] = arith.divui %{{.*}}, %c500
// CHECK:             %[[NUMBER:.*]] = arith.index_cast %[[PIECES]]
// CHECK:             %[[LEAST:.*]] = arith.minsi %[[NUMBER]], %[[MOST]]
// CHECK:             scf.yield %[[LEAST]]
// CHECK:           } else {
// CHECK:           scf.yield %[[WORTH]]
// CHECK:         } else {
// CHECK:         %[[SEVERAL:.*]] = arith.cmpi sgt, %[[THREADS]], %c1_i32
// CHECK:         scf.if %[[SEVERAL]] {
// CHECK:           llvm.store %{{.*}} : i64, !llvm.ptr
// CHECK:           %[[BODY:.*]] = func.constant @share_share
// CHECK:           %[[ADDRESS:.*]] = builtin.unrealized_conversion_cast %[[BODY]]
// CHECK:           llvm.call @tegulaParallelFor(%[[ADDRESS]], %{{.*}}, %{{.*}}, %[[THREADS]])
// CHECK:         } else {
// CHECK-NOT:       llvm.call
// CHECK-NOT:       scf.for
// CHECK:           func.call @share_iterations(%c0, %arg1, %arg2, %{{.*}})
// CHECK:       func.func private @share_share(%[[CONTEXT:.*]]: !llvm.ptr, %[[FIRST:.*]]: index, %[[LAST:.*]]: index)
// CHECK-SAME:    llvm.linkage = #llvm.linkage<internal>
// CHECK:         llvm.load
// CHECK:         %[[ENDS:.*]] = arith.muli %[[LAST]], %[[S:.*]] :
// CHECK:         %[[END:.*]] = arith.addi %c0{{.*}}, %[[ENDS]]
// CHECK:         %[[WAY:.*]] = arith.muli %[[FIRST]], %[[S]]
// CHECK:         %[[I:.*]] = arith.addi %c0{{.*}}, %[[WAY]]
// CHECK:         %[[TO:.*]] = arith.minsi %[[END]]
// CHECK:         call @share_iterations(%[[I]], %[[TO]], %[[S]], %{{.*}})
// CHECK:       func.func private @share_iterations(%[[FROM:.*]]: index, %[[TO:.*]]: index, %[[STEP:.*]]: index, %{{.*}}: memref<?xf32>)
// CHECK-SAME:    llvm.linkage = #llvm.linkage<internal>
// CHECK:         arith.constant 1.0
// CHECK:         scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %[[STEP]]
// CHECK:           memref.store
func.func @share(%x: memref<?xf32>, %n: index, %s: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%s) {
    memref.store %one, %x[%i] : memref<?xf32>
    scf.reduce
  }
  return
}

// Both loops are shared out as one. A thread that is alone runs them in one call, and takes scratch memory once.
// CHECK-LABEL: func.func @share_nest
// CHECK:         llvm.call @tegulaParallelFor
// CHECK:         } else {
// CHECK-NOT:       scf.for
// CHECK:           func.call @share_nest_iterations(%c0, %[[N:.*]], %c1, %c0, %[[N]], %c1,
// CHECK:       func.func private @share_nest_share(%{{.*}}: !llvm.ptr, %[[FIRST:.*]]: index, %[[LAST:.*]]: index)
// CHECK:         scf.for %{{.*}} = %[[FIRST]] to %[[LAST]]
// CHECK:           arith.remui
// CHECK:           %[[J:.*]] = arith.addi %c0
// CHECK:           %[[I:.*]] = arith.addi %c0
// CHECK:           %[[NEXT:.*]] = arith.addi %[[I]], %c1
// CHECK:           func.call @share_nest_iterations(%[[I]], %[[NEXT]], %{{[^,]*}}, %[[J]], %{{.*}})
// CHECK:       func.func private @share_nest_iterations(%[[I0:.*]]: index, %[[I1:.*]]: index, %[[IS:.*]]: index, %[[J0:.*]]: index, %[[J1:.*]]: index, %[[JS:.*]]: index, %[[X:.*]]: memref<?x?xf32>)
// CHECK:         %[[PUSH:.*]] = llvm.call @tegulaScratchPush
// CHECK:         scf.for %[[I:.*]] = %[[I0]] to %[[I1]] step %[[IS]]
// CHECK:           scf.for %[[J:.*]] = %[[J0]] to %[[J1]] step %[[JS]]
// CHECK:             memref.store %{{.*}}, %[[X]][%[[I]], %[[J]]]
// CHECK:         llvm.call @tegulaScratchPop(%[[PUSH]])
llvm.func @tegulaScratchPush(i64) -> !llvm.ptr
llvm.func @tegulaScratchPop(!llvm.ptr)
func.func @share_nest(%x: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %bytes = arith.constant 64 : i64
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    %block = llvm.call @tegulaScratchPush(%bytes) : (i64) -> !llvm.ptr
    %null = llvm.mlir.zero : !llvm.ptr
    %there = llvm.icmp "ne" %block, %null : !llvm.ptr
    scf.if %there {
      memref.store %one, %x[%i, %j] : memref<?x?xf32>
      llvm.call @tegulaScratchPop(%block) : (!llvm.ptr) -> ()
    }
    scf.reduce
  }
  return
}

// -----

// CHECK-LABEL: func.func @keep_in_order
// CHECK-NOT:     tegulaParallelFor
// CHECK:         return
func.func @keep_in_order(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %x[%i] : memref<?xf32>
  }
  return
}

// All iterations of a thread use the scratch memory that is taken once.
// CHECK-LABEL: func.func private @take_once_iterations
// CHECK:         %[[PUSH:.*]] = llvm.call @tegulaScratchPush
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK:             llvm.store
// CHECK:           llvm.call @tegulaScratchPop(%[[PUSH]])
// CHECK:         } else {
// CHECK:           llvm.call @tegulaScratchPush
llvm.func @tegulaScratchPush(i64) -> !llvm.ptr
llvm.func @tegulaScratchPop(!llvm.ptr)
func.func @take_once(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = arith.constant 64 : i64
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %block = llvm.call @tegulaScratchPush(%bytes) : (i64) -> !llvm.ptr
    %null = llvm.mlir.zero : !llvm.ptr
    %there = llvm.icmp "ne" %block, %null : !llvm.ptr
    scf.if %there {
      llvm.store %bytes, %block : i64, !llvm.ptr
      llvm.call @tegulaScratchPop(%block) : (!llvm.ptr) -> ()
    } else {
      %again = llvm.call @tegulaScratchPush(%bytes) : (i64) -> !llvm.ptr
    }
    scf.reduce
  }
  return
}

// -----

// Memory that no later iteration takes more of is taken before the first one, as much as that one asks for.
// CHECK-LABEL: func.func private @shrinking_iterations
// CHECK-SAME:    (%[[FROM:.*]]: index, %[[TO:.*]]: index, %{{.*}}: index, %[[N:.*]]: index,
// CHECK:         %[[MARK:.*]] = llvm.call @tegulaScratchPush
// CHECK:         %[[LEFT:.*]] = arith.subi %[[N]], %[[FROM]]
// CHECK:         %[[BYTES:.*]] = arith.index_cast %[[LEFT]]
// CHECK:         %[[ANY:.*]] = arith.cmpi slt, %[[FROM]], %[[TO]]
// CHECK:         %[[MOST:.*]] = arith.select %[[ANY]], %[[BYTES]]
// CHECK:         llvm.call @tegulaScratchAllocate(%[[MOST]],
// CHECK:         scf.for
// CHECK-NOT:       llvm.call
// CHECK:           llvm.store
// CHECK-NOT:       llvm.call
// CHECK:         }
// CHECK:         llvm.call @tegulaScratchPop(%[[MARK]])
// CHECK-NEXT:    return

// CHECK-LABEL: func.func private @growing_iterations
// CHECK-NOT:     llvm.call
// CHECK:         scf.for
// CHECK:           %[[TURN:.*]] = llvm.call @tegulaScratchPush
// CHECK:           llvm.call @tegulaScratchAllocate
// CHECK:           llvm.call @tegulaScratchPop(%[[TURN]])
llvm.func @tegulaScratchPush(i64) -> !llvm.ptr
llvm.func @tegulaScratchPop(!llvm.ptr)
llvm.func @tegulaScratchAllocate(i64, !llvm.ptr, i32) -> !llvm.ptr
func.func @shrinking(%n: index, %state: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %site = arith.constant 0 : i32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %mark = llvm.call @tegulaScratchPush(%none) : (i64) -> !llvm.ptr
    %left = arith.subi %n, %i : index
    %bytes = arith.index_cast %left : index to i64
    %block = llvm.call @tegulaScratchAllocate(%bytes, %state, %site) {tegula.shrinking} : (i64, !llvm.ptr, i32) -> !llvm.ptr
    llvm.store %none, %block : i64, !llvm.ptr
    llvm.call @tegulaScratchPop(%mark) : (!llvm.ptr) -> ()
    scf.reduce
  }
  return
}
func.func @growing(%n: index, %state: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %site = arith.constant 0 : i32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %mark = llvm.call @tegulaScratchPush(%none) : (i64) -> !llvm.ptr
    %bytes = arith.index_cast %i : index to i64
    %block = llvm.call @tegulaScratchAllocate(%bytes, %state, %site) : (i64, !llvm.ptr, i32) -> !llvm.ptr
    llvm.store %none, %block : i64, !llvm.ptr
    llvm.call @tegulaScratchPop(%mark) : (!llvm.ptr) -> ()
    scf.reduce
  }
  return
}

// -----

// A loop whose iterations are for threads is shared out where the loop around it is not: both ask.
// CHECK-LABEL: func.func @inside
// CHECK:         llvm.call @tegulaParallelFor
// CHECK:         call @inside_iterations
// CHECK:       func.func private @inside_iterations(
// CHECK:         llvm.alloca
// CHECK:         scf.for
// CHECK:           llvm.call @tegulaParallelFor
// CHECK:           } else {
// CHECK:             func.call @inside_iterations_iterations
// CHECK-NOT:     scf.parallel
func.func @inside(%x: memref<?x?xf32>, %n: index, %threads: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%threads) step (%c1) {
      memref.store %one, %x[%i, %j] : memref<?x?xf32>
      scf.reduce
    } {tegula.iteration_per_thread}
    scf.reduce
  }
  return
}
