// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s
// Every op and both types survive printing and parsing, pretty and generic.

// CHECK-LABEL: func.func @types
// CHECK-SAME:    !pl.tensor<[?, upto 8, 128], f32>
// CHECK-SAME:    !pl.tile<[?, upto 8, 0], bf16>
// CHECK-SAME:    !pl.tile<[], i1>
// CHECK-SAME:    !pl.tensor<[upto 0], ui8>
func.func @types(%a: !pl.tensor<[?, upto 8, 128], f32>, %b: !pl.tile<[?, upto 8, 0], bf16>, %c: !pl.tile<[], i1>, %d: !pl.tensor<[upto 0], ui8>) {
  return
}

// CHECK-LABEL: func.func @elements
// CHECK-SAME:    i8>, {{.*}}i16>, {{.*}}i32>, {{.*}}i64>, {{.*}}ui16>, {{.*}}ui32>, {{.*}}ui64>, {{.*}}f16>, {{.*}}f64>
func.func @elements(%a: !pl.tile<[1], i8>, %b: !pl.tile<[1], i16>, %c: !pl.tile<[1], i32>, %d: !pl.tile<[1], i64>, %e: !pl.tile<[1], ui16>, %f: !pl.tile<[1], ui32>, %g: !pl.tile<[1], ui64>, %h: !pl.tile<[1], f16>, %i: !pl.tile<[1], f64>) {
  return
}

// CHECK-LABEL: func.func @attributes
// CHECK-SAME:    {pl.dir = #pl.dir<in>, pl.name = "x"}
// CHECK-SAME:    {pl.dir = #pl.dir<out>}
// CHECK-SAME:    {pl.dir = #pl.dir<inout>}
// CHECK-SAME:    attributes {pl.kind = #pl.kind<entry>}
func.func @attributes(%x: f32 {pl.name = "x", pl.dir = #pl.dir<in>}, %y: f32 {pl.dir = #pl.dir<out>}, %z: f32 {pl.dir = #pl.dir<inout>}) attributes {pl.kind = #pl.kind<entry>} {
  return
}

// CHECK: #pl.kind<incore>
func.func private @incore() attributes {pl.kind = #pl.kind<incore>}
// CHECK: #pl.kind<inline>
func.func private @inline() attributes {pl.kind = #pl.kind<inline>}
// CHECK: #pl.kind<opaque>
func.func private @opaque() attributes {pl.kind = #pl.kind<opaque>}
// CHECK: #pl.kind<host>
func.func private @host() attributes {pl.kind = #pl.kind<host>}

// CHECK-LABEL: func.func @memory
func.func @memory(%x: !pl.tensor<[?, 128], f32>, %y: !pl.tensor<[?], f32>, %i: index) {
  %c1 = arith.constant 1 : index
  // CHECK: %M = pl.bind "M" %{{.*}}[0], %{{.*}}[0] : {{.*}}<[?, 128], f32>, {{.*}}<[?], f32>
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, 128], f32>, !pl.tensor<[?], f32>
  // CHECK: pl.dim %{{.*}}[1] : !pl.tensor<[?, 128], f32>
  %n = pl.dim %x[1] : !pl.tensor<[?, 128], f32>
  // CHECK: %[[T:.*]] = pl.create_tensor{{ ?}}[%M, %{{.*}}] : {{.*}}<[?, ?], f32>
  %t = pl.create_tensor [%M, %i] : !pl.tensor<[?, ?], f32>
  // CHECK: pl.slice %[[T]][%{{.*}}, %{{.*}}] [%M, %{{.*}}] : {{.*}}<[?, ?], f32> -> {{.*}}<[?, ?], f32>
  %v = pl.slice %t[%i, %i] [%M, %n] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[?, ?], f32>
  // CHECK: %[[R:.*]] = pl.slice %{{.*}}[%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}] drop [0] : {{.*}}<[?, 128], f32> -> {{.*}}<[upto 128], f32>
  %r = pl.slice %x[%i, %i] [%c1, %n] drop [0] : !pl.tensor<[?, 128], f32> -> !pl.tensor<[upto 128], f32>
  // CHECK: %[[A:.*]] = pl.load %[[R]] : {{.*}}<[upto 128], f32>
  %a = pl.load %r : !pl.tensor<[upto 128], f32>
  // CHECK: pl.store %[[A]], %{{.*}} : {{.*}}<[upto 128], f32>, {{.*}}<[?], f32>
  pl.store %a, %y : !pl.tile<[upto 128], f32>, !pl.tensor<[?], f32>
  // CHECK: %[[S:.*]] = pl.read %[[A]][%{{.*}}] : !pl.tile<[upto 128], f32>
  %s = pl.read %a[%i] : !pl.tile<[upto 128], f32>
  // CHECK: pl.read %{{.*}}[%{{.*}}, %{{.*}}] : !pl.tensor<[?, 128], f32>
  %u = pl.read %x[%i, %i] : !pl.tensor<[?, 128], f32>
  // CHECK: pl.write %[[S]], %{{.*}}[%{{.*}}] : f32, {{.*}}<[?], f32>
  pl.write %s, %y[%i] : f32, !pl.tensor<[?], f32>
  return
}

// CHECK-LABEL: func.func @unary
func.func @unary(%x: !pl.tile<[8, upto 4], f32>, %i: !pl.tile<[?], i32>, %s: f16) {
  // CHECK: pl.neg %{{.*}} : !pl.tile<[8, upto 4], f32>
  %0 = pl.neg %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.abs %{{.*}} : f16
  %1 = pl.abs %s : f16
  // CHECK: pl.exp
  %2 = pl.exp %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.log
  %3 = pl.log %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.sqrt
  %4 = pl.sqrt %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.rsqrt
  %5 = pl.rsqrt %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.recip
  %6 = pl.recip %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.sin
  %7 = pl.sin %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.cos
  %8 = pl.cos %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.tanh
  %9 = pl.tanh %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.erf
  %10 = pl.erf %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.trunc
  %trunc = pl.trunc %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.round
  %round = pl.round %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.floor
  %11 = pl.floor %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.ceil
  %12 = pl.ceil %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.relu
  %13 = pl.relu %x : !pl.tile<[8, upto 4], f32>
  // CHECK: pl.not_ %{{.*}} : !pl.tile<[?], i32>
  %14 = pl.not_ %i : !pl.tile<[?], i32>
  return
}

// CHECK-LABEL: func.func @binary
func.func @binary(%x: !pl.tile<[8], f32>, %y: !pl.tile<[upto 8], f32>, %i: ui8, %m: i1) {
  // CHECK: %[[SUM:.*]] = pl.add %{{.*}}, %{{.*}} : !pl.tile<[8], f32>, !pl.tile<[upto 8], f32>
  %0 = pl.add %x, %y : !pl.tile<[8], f32>, !pl.tile<[upto 8], f32>
  // CHECK: pl.sub %[[SUM]], %{{.*}} : !pl.tile<[upto 8], f32>, !pl.tile<[8], f32>
  %1 = pl.sub %0, %x : !pl.tile<[upto 8], f32>, !pl.tile<[8], f32>
  // CHECK: pl.mul %{{.*}}, %{{.*}} : ui8, ui8
  %2 = pl.mul %i, %i : ui8, ui8
  // CHECK: pl.div
  %3 = pl.div %i, %i : ui8, ui8
  // CHECK: pl.rem
  %4 = pl.rem %i, %i : ui8, ui8
  // CHECK: pl.fmod
  %5 = pl.fmod %i, %i : ui8, ui8
  // CHECK: pl.pow
  %6 = pl.pow %x, %x : !pl.tile<[8], f32>, !pl.tile<[8], f32>
  // CHECK: pl.pow %{{.*}}, %{{.*}} : ui8, ui8
  %power = pl.pow %i, %i : ui8, ui8
  // CHECK: pl.fmax
  %fmax = pl.fmax %i, %i : ui8, ui8
  // CHECK: pl.fmin
  %fmin = pl.fmin %i, %i : ui8, ui8
  // CHECK: pl.maximum
  %7 = pl.maximum %i, %i : ui8, ui8
  // CHECK: pl.minimum
  %8 = pl.minimum %i, %i : ui8, ui8
  // CHECK: pl.and_ %{{.*}}, %{{.*}} : i1, i1
  %9 = pl.and_ %m, %m : i1, i1
  // CHECK: pl.or_
  %10 = pl.or_ %m, %m : i1, i1
  // CHECK: pl.xor
  %11 = pl.xor %m, %m : i1, i1
  // CHECK: pl.shl
  %12 = pl.shl %i, %i : ui8, ui8
  // CHECK: pl.shr
  %13 = pl.shr %i, %i : ui8, ui8
  return
}

// CHECK-LABEL: func.func @compare_select_cast
func.func @compare_select_cast(%x: !pl.tile<[8], f32>, %s: f32) {
  // CHECK: %[[M:.*]] = pl.cmp eq %{{.*}}, %{{.*}} : !pl.tile<[8], f32>, !pl.tile<[8], f32>
  %m = pl.cmp eq %x, %x : !pl.tile<[8], f32>, !pl.tile<[8], f32>
  // CHECK: pl.cmp ne
  %0 = pl.cmp ne %s, %s : f32, f32
  // CHECK: pl.cmp lt
  %1 = pl.cmp lt %s, %s : f32, f32
  // CHECK: pl.cmp le
  %2 = pl.cmp le %s, %s : f32, f32
  // CHECK: pl.cmp gt
  %3 = pl.cmp gt %s, %s : f32, f32
  // CHECK: pl.cmp ge
  %4 = pl.cmp ge %s, %s : f32, f32
  // CHECK: pl.select %[[M]], %{{.*}}, %{{.*}} : !pl.tile<[8], i1>, !pl.tile<[8], f32>, !pl.tile<[8], f32>
  %5 = pl.select %m, %x, %x : !pl.tile<[8], i1>, !pl.tile<[8], f32>, !pl.tile<[8], f32>
  // CHECK: pl.cast %{{.*}} none : !pl.tile<[8], f32> -> !pl.tile<[8], i8>
  %6 = pl.cast %x none : !pl.tile<[8], f32> -> !pl.tile<[8], i8>
  // CHECK: pl.cast %{{.*}} rint : f32 -> i8
  %7 = pl.cast %s rint : f32 -> i8
  // CHECK: pl.cast %{{.*}} round
  %8 = pl.cast %s round : f32 -> i8
  // CHECK: pl.cast %{{.*}} floor
  %9 = pl.cast %s floor : f32 -> i8
  // CHECK: pl.cast %{{.*}} ceil
  %10 = pl.cast %s ceil : f32 -> i8
  // CHECK: pl.cast %{{.*}} trunc
  %11 = pl.cast %s trunc : f32 -> i8
  // CHECK: pl.cast %{{.*}} odd : f32 -> bf16
  %12 = pl.cast %s odd : f32 -> bf16
  return
}

// CHECK-LABEL: func.func @tiles
func.func @tiles(%x: !pl.tile<[8, upto 16], f32>, %h: !pl.tile<[4, 2], f16>, %acc: !pl.tile<[4, 4], f32>, %v: f32, %n: index) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // CHECK: pl.full %{{.*}}, [%{{.*}}, %{{.*}}] : f32 -> {{.*}}<[8, ?], f32>
  %0 = pl.full %v, [%c8, %n] : f32 -> !pl.tile<[8, ?], f32>
  // CHECK: %[[RAMP:.*]] = pl.arange %{{.*}}, [%{{.*}}] : f32 -> {{.*}}<[8], f32>
  %1 = pl.arange %v, [%c8] : f32 -> !pl.tile<[8], f32>
  // CHECK: pl.broadcast %[[RAMP]], [%{{.*}}, %{{.*}}] : {{.*}}<[8], f32> -> {{.*}}<[?, 8], f32>
  %2 = pl.broadcast %1, [%n, %c8] : !pl.tile<[8], f32> -> !pl.tile<[?, 8], f32>
  // CHECK: %[[COLUMN:.*]] = pl.reduce sum %{{.*}} axis 1 : {{.*}}<[8, upto 16], f32>
  %3 = pl.reduce sum %x axis 1 : !pl.tile<[8, upto 16], f32>
  // CHECK: pl.reduce nanmax
  %nanmax = pl.reduce nanmax %x axis 1 : !pl.tile<[8, upto 16], f32>
  // CHECK: pl.reduce prod
  %4 = pl.reduce prod %x axis 0 : !pl.tile<[8, upto 16], f32>
  // CHECK: pl.reduce max
  %5 = pl.reduce max %x axis 0 : !pl.tile<[8, upto 16], f32>
  // CHECK: pl.reduce min
  %6 = pl.reduce min %x axis 0 : !pl.tile<[8, upto 16], f32>
  // CHECK: pl.matmul %{{.*}}, %{{.*}} {transpose_rhs} : {{.*}}<[4, 2], f16>, {{.*}}<[4, 2], f16>
  %7 = pl.matmul %h, %h {transpose_rhs} : !pl.tile<[4, 2], f16>, !pl.tile<[4, 2], f16>
  // CHECK: pl.matmul %{{.*}}, %{{.*}} acc %{{.*}} {transpose_rhs} : {{.*}}<[4, 2], f16>, {{.*}}<[4, 2], f16>, {{.*}}<[4, 4], f32>
  %8 = pl.matmul %h, %h acc %acc {transpose_rhs} : !pl.tile<[4, 2], f16>, !pl.tile<[4, 2], f16>, !pl.tile<[4, 4], f32>
  // CHECK: pl.matmul %{{.*}}, %{{.*}} {transpose_lhs}
  %9 = pl.matmul %h, %h {transpose_lhs} : !pl.tile<[4, 2], f16>, !pl.tile<[4, 2], f16>
  // CHECK: pl.matmul %[[ACC:.*]], %[[ACC]] precision tf32 : {{.*}}<[4, 4], f32>, {{.*}}<[4, 4], f32>
  %rounded = pl.matmul %acc, %acc precision tf32 : !pl.tile<[4, 4], f32>, !pl.tile<[4, 4], f32>
  // CHECK: pl.matmul %[[ACC]], %[[ACC]] acc %[[ACC]] precision tf32 {transpose_rhs} :
  %added = pl.matmul %acc, %acc acc %acc precision tf32 {transpose_rhs} : !pl.tile<[4, 4], f32>, !pl.tile<[4, 4], f32>, !pl.tile<[4, 4], f32>
  // CHECK: pl.reshape %[[COLUMN]], [%{{.*}}, %{{.*}}] : {{.*}}<[8, 1], f32> -> {{.*}}<[1, 8], f32>
  %10 = pl.reshape %3, [%c1, %c8] : !pl.tile<[8, 1], f32> -> !pl.tile<[1, 8], f32>
  // CHECK: pl.transpose %{{.*}} [1, 0] : {{.*}}<[8, upto 16], f32>
  %11 = pl.transpose %x [1, 0] : !pl.tile<[8, upto 16], f32>
  // CHECK: pl.concat %{{.*}}, %[[COLUMN]] axis 1 : {{.*}}<[8, upto 16], f32>, {{.*}}<[8, 1], f32>
  %12 = pl.concat %x, %3 axis 1 : !pl.tile<[8, upto 16], f32>, !pl.tile<[8, 1], f32>
  // CHECK: %[[W:.*]] = pl.window %{{.*}}[%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}] : {{.*}}<[8, upto 16], f32> -> {{.*}}<[upto 1, upto 8], f32>
  %13 = pl.window %x[%n, %n] [%c1, %c8] : !pl.tile<[8, upto 16], f32> -> !pl.tile<[upto 1, upto 8], f32>
  // CHECK: pl.insert %[[W]], %{{.*}}[%{{.*}}, %{{.*}}] : {{.*}}<[upto 1, upto 8], f32>, {{.*}}<[8, upto 16], f32>
  %14 = pl.insert %13, %x[%n, %n] : !pl.tile<[upto 1, upto 8], f32>, !pl.tile<[8, upto 16], f32>
  // CHECK: pl.fillpad %{{.*}}, %{{.*}} : {{.*}}<[8, upto 16], f32>, f32
  %15 = pl.fillpad %x, %v : !pl.tile<[8, upto 16], f32>, f32
  // CHECK: pl.relax %{{.*}} : {{.*}}<[8, upto 16], f32> -> {{.*}}<[upto 8, ?], f32>
  %16 = pl.relax %x : !pl.tile<[8, upto 16], f32> -> !pl.tile<[upto 8, ?], f32>
  // CHECK: pl.with_extents %{{.*}}[%{{.*}}, %{{.*}}] : {{.*}}<[upto 8, ?], f32>
  %n8 = arith.constant 8 : index
  %n9 = arith.constant 9 : index
  %17 = pl.with_extents %16 [%n8, %n9] : !pl.tile<[upto 8, ?], f32>
  return
}

// CHECK-LABEL: func.func @control
func.func @control(%x: !pl.tile<[8], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  // CHECK: pl.parallel %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
  // CHECK-NEXT: arith.addi %[[I]]
  // CHECK-NEXT: }
  pl.parallel %i = %c0 to %n step %n {
    %0 = arith.addi %i, %n : index
  }
  // CHECK: pl.parallel %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} independent {
  // CHECK-NEXT: } {tag = 1 : i64}
  pl.parallel %i = %c0 to %n step %n independent {
  } {tag = 1 : i64}
  // CHECK: %{{.*}}:2 = pl.at core_group -> !pl.tile<[8], f32>, index {
  // CHECK:   pl.yield %{{.*}}, %{{.*}} : !pl.tile<[8], f32>, index
  %r:2 = pl.at core_group -> !pl.tile<[8], f32>, index {
    pl.yield %x, %n : !pl.tile<[8], f32>, index
  }
  // CHECK: pl.at host {
  pl.at host {
    pl.yield
  }
  return
}
