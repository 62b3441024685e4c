// RUN: tegula-opt %s --tegula-make-scratch-private | FileCheck %s

!v = !pl.tensor<[?], f32>
!t = !pl.tile<[?], f32>

// CHECK-LABEL: @filled_first
func.func @filled_first(%x: !v, %y: !v, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0] : !v
  %n = arith.subi %M, %c1 : index
  // CHECK-NOT: pl.create_tensor
  %s = pl.create_tensor [%n] : !v
  // CHECK: pl.parallel
  pl.parallel %i = %c0 to %M step %c1 {
    %zeros = pl.full %f, [%n] : f32 -> !t
    // CHECK: %[[S:.*]] = pl.create_tensor
    // CHECK-NEXT: pl.store %{{.*}}, %[[S]]
    pl.store %zeros, %s : !t, !v
    %a = pl.read %s[%c0] : !v
    pl.write %a, %y[%i] : f32, !v
  }
  return
}

// CHECK-LABEL: @keep_what_is_filled_in_part
// CHECK: pl.create_tensor
// CHECK: pl.parallel
func.func @keep_what_is_filled_in_part(%x: !v, %y: !v, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0] : !v
  %n = arith.subi %M, %c1 : index
  %s = pl.create_tensor [%M] : !v
  pl.parallel %i = %c0 to %M step %c1 {
    %zeros = pl.full %f, [%n] : f32 -> !t
    pl.store %zeros, %s : !t, !v
    %a = pl.read %s[%c0] : !v
    pl.write %a, %y[%i] : f32, !v
  }
  return
}

// CHECK-LABEL: @keep_what_is_filled_sometimes
// CHECK: pl.create_tensor
// CHECK: pl.parallel
func.func @keep_what_is_filled_sometimes(%x: !v, %y: !v, %f: f32, %b: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0] : !v
  %s = pl.create_tensor [%M] : !v
  pl.parallel %i = %c0 to %M step %c1 {
    %zeros = pl.full %f, [%M] : f32 -> !t
    scf.if %b {
      pl.store %zeros, %s : !t, !v
    }
    %a = pl.read %s[%c0] : !v
    pl.write %a, %y[%i] : f32, !v
  }
  return
}

// CHECK-LABEL: @keep_what_is_read_before
// CHECK: pl.create_tensor
// CHECK: pl.parallel
func.func @keep_what_is_read_before(%x: !v, %y: !v) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0] : !v
  %s = pl.create_tensor [%M] : !v
  pl.parallel %i = %c0 to %M step %c1 {
    %before = pl.load %s : !v
    pl.store %before, %s : !t, !v
  }
  return
}

// CHECK-LABEL: @keep_what_is_read_after
// CHECK: pl.create_tensor
// CHECK: pl.parallel
func.func @keep_what_is_read_after(%x: !v, %y: !v, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0] : !v
  %s = pl.create_tensor [%M] : !v
  pl.parallel %i = %c0 to %M step %c1 {
    %zeros = pl.full %f, [%M] : f32 -> !t
    pl.store %zeros, %s : !t, !v
  }
  %t = pl.load %s : !v
  pl.store %t, %y : !t, !v
  return
}
