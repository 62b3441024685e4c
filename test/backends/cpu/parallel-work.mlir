// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-parallel-to-threads=least-work=1000 --canonicalize --split-input-file | FileCheck %s

// 100 iterations of 8 iterations of one store are known to be too few.
// CHECK-LABEL: func.func @known
// CHECK-NOT:     tegulaParallelFor
// CHECK:         return
func.func @known(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c100 = arith.constant 100 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%c100) step (%c1) {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %one, %x[%i] : memref<?xf32>
    }
    scf.reduce
  }
  return
}

// -----

// The length of the inner loop is what it is in the middle iteration: half of the
// last. Nothing but the size of the outer loop is needed to tell.
// CHECK-LABEL: func.func @triangle
// CHECK-SAME:    %[[N:[a-z0-9]+]]: index)
// CHECK:         %[[TURNS:.*]] = arith.minsi
// CHECK:         %[[LAST:.*]] = arith.subi %[[TURNS]], %c1
// CHECK:         %[[BEFORE:.*]] = arith.maxsi %[[LAST]], %c0
// CHECK:         %[[MIDDLE:.*]] = arith.divui %[[BEFORE]], %c2
// CHECK:         %[[LEAST:.*]] = arith.maxsi %[[MIDDLE]], %c0
// CHECK:         %[[INNER:.*]] = arith.minsi %[[LEAST]],
// CHECK:         %[[ALL:.*]] = arith.muli %[[TURNS]], %[[INNER]]
// CHECK:         %[[WORK:.*]] = arith.minsi %[[ALL]]
// CHECK:         arith.cmpi sge, %[[WORK]], %c1000
func.func @triangle(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %i step %c1 {
      memref.store %one, %x[%j] : memref<?xf32>
    }
    scf.reduce
  }
  return
}

// -----

// A bound that is read inside counts as 8 iterations of 2, besides the load: 64
// iterations of that are enough. Nothing is read before the loop.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT:     memref.load
// CHECK-NOT:     scf.if
// CHECK:         llvm.call @tegulaCountThreads
// CHECK-NOT:     memref.load
// CHECK:         llvm.call @tegulaParallelFor
// CHECK:       func.func private @unknown_iterations
func.func @unknown(%x: memref<?xf32>, %lengths: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %length = memref.load %lengths[%i] : memref<?xindex>
    scf.for %j = %c0 to %length step %c1 {
      memref.store %one, %x[%j] : memref<?xf32>
      memref.store %one, %x[%i] : memref<?xf32>
    }
    scf.reduce
  }
  return
}

// -----

// What may not be computed without need is not: the divisor may be 0.
// CHECK-LABEL: func.func @divide
// CHECK-NOT:     arith.divsi
// CHECK:         llvm.call @tegulaParallelFor
// CHECK:       func.func private @divide_iterations
// CHECK:         arith.divsi
func.func @divide(%x: memref<?xf32>, %n: index, %by: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %length = arith.divsi %n, %by : index
    scf.for %j = %c0 to %length step %c1 {
      memref.store %one, %x[%j] : memref<?xf32>
    }
    scf.reduce
  }
  return
}

// -----

// Code that a function of its own was made of counts where it is called.
// CHECK-LABEL: func.func @shared
// CHECK-NOT:     scf.if
// CHECK:         llvm.call @tegulaCountThreads
// CHECK:         llvm.call @tegulaParallelFor
func.func @shared(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  scf.parallel (%i) = (%c0) to (%c50) step (%c1) {
    func.call @fill(%x, %c50) : (memref<?xf32>, index) -> ()
    scf.reduce
  }
  return
}
func.func private @fill(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.for %j = %c0 to %n step %c1 {
    memref.store %one, %x[%j] : memref<?xf32>
  }
  return
}

// -----

// What is divided by something that is 1 at least is known before the loop, and a bound that is 0 only where memory is
// missing counts as it is otherwise.
// CHECK-LABEL: func.func @quotient
// CHECK-SAME:    %[[N:[a-z0-9]+]]: index
// CHECK:         %[[DIVISOR:.*]] = arith.maxsi %[[N]], %c1
// CHECK:         %[[TURNS:.*]] = arith.divsi %c4096, %[[DIVISOR]]
// CHECK:         %[[SOME:.*]] = arith.maxsi %[[TURNS]], %c0
// CHECK:         arith.minsi %[[SOME]]
// CHECK:         arith.cmpi sge, %{{.*}}, %c1000
func.func @quotient(%x: memref<?xf32>, %n: index, %flags: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %c4096 = arith.constant 4096 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%c100) step (%c1) {
    %divisor = arith.maxsi %n, %c1 : index
    %iterations = arith.divsi %c4096, %divisor : index
    %missing = memref.load %flags[%i] : memref<?xi1>
    %there = arith.select %missing, %c0, %iterations : index
    scf.for %j = %c0 to %there step %c1 {
      memref.store %one, %x[%j] : memref<?xf32>
    }
    scf.reduce
  }
  return
}

// -----

// What seldom has more than one iteration counts as one, of all that there is.
// CHECK-LABEL: func.func @chunks
// CHECK-SAME:    %[[N:[a-z0-9]+]]: index
// CHECK-NOT:     arith.select
// CHECK:         arith.minsi %{{.*}}, %c134217728
// CHECK:         arith.cmpi sge, %{{.*}}, %c1000
func.func @chunks(%x: memref<?xf32>, %n: index, %dense: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%c100) step (%c1) {
    %step = arith.select %dense, %n, %c100 : index
    scf.for %from = %c0 to %n step %step {
      %end = arith.addi %from, %step : index
      %to = arith.minsi %end, %n : index
      scf.for %j = %from to %to step %c1 {
        memref.store %one, %x[%j] : memref<?xf32>
      }
    } {tegula.seldom_repeated}
    scf.reduce
  }
  return
}

// -----

// A routine that copies takes as long as there are elements: rows times columns.
// CHECK-LABEL: func.func @copies
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %[[N:[a-z0-9]+]]: i64
// CHECK:         %[[COUNT:.*]] = arith.index_cast %[[N]]
// CHECK:         %[[ELEMENTS:.*]] = arith.muli %{{.*}}, %{{.*}}
// CHECK:         arith.cmpi sge, %{{.*}}, %c1000
llvm.func @tegulaCopyRows(!llvm.ptr, !llvm.ptr, i64, i64)
func.func @copies(%x: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.parallel (%i) = (%c0) to (%c100) step (%c1) {
    llvm.call @tegulaCopyRows(%x, %x, %n, %n) : (!llvm.ptr, !llvm.ptr, i64, i64) -> ()
    scf.reduce
  }
  return
}

// -----

// A step that is also divided by stays what it is: at 0 columns nothing is divided by 0.
// CHECK-LABEL: func.func @divided_by_a_step
// CHECK-SAME:    %{{.*}}: memref<?xf32>, %[[N:[a-z0-9]+]]: index
// CHECK:         %[[STEP:.*]] = arith.maxsi %[[N]], %c1
// CHECK:         arith.divsi %c4096, %[[STEP]]
// CHECK:         arith.cmpi sge, %{{.*}}, %c1000
func.func @divided_by_a_step(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %c4096 = arith.constant 4096 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%c100) step (%c1) {
    %step = arith.maxsi %n, %c1 : index
    scf.for %from = %c0 to %n step %step {
      %iterations = arith.divsi %c4096, %step : index
      scf.for %j = %c0 to %iterations step %c1 {
        memref.store %one, %x[%j] : memref<?xf32>
      }
    } {tegula.seldom_repeated}
    scf.reduce
  }
  return
}

// -----

// A quotient of integers counts as 20 instructions, besides the store.
// CHECK-LABEL: func.func @quotients
// CHECK:         arith.muli %{{.*}}, %c21
// CHECK:         arith.cmpi sge, %{{.*}}, %c1000
func.func @quotients(%x: memref<?xf32>, %n: index, %by: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %j = arith.divui %i, %by : index
    memref.store %one, %x[%j] : memref<?xf32>
    scf.reduce
  }
  return
}
