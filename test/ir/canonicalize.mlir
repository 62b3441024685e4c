// RUN: tegula-opt %s --canonicalize | FileCheck %s
// Extents are followed through every op that has a shape function.

// CHECK-LABEL: func.func @exact(
// CHECK-NEXT:    %[[C8:.*]] = arith.constant 8 : index
// CHECK-NEXT:    return %[[C8]]
func.func @exact(%t: !pl.tile<[8, ?], f32>) -> index {
  %r = pl.dim %t[0] : !pl.tile<[8, ?], f32>
  return %r : index
}

// CHECK-LABEL: func.func @bound_argument(
// CHECK:         %[[N:.*]] = pl.bind "N"
// CHECK-NEXT:    return %[[N]]
func.func @bound_argument(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?], f32>) -> index {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?], f32>
  %r = pl.dim %y[0] : !pl.tensor<[?], f32>
  return %r : index
}

// Nothing says what the extent is: the dim must stay.

// CHECK-LABEL: func.func @unbound_argument(
// CHECK-NEXT:    %[[DIM:.*]] = pl.dim %{{.*}}[0]
// CHECK-NEXT:    return %[[DIM]]
func.func @unbound_argument(%t: !pl.tile<[?], f32>) -> index {
  %r = pl.dim %t[0] : !pl.tile<[?], f32>
  return %r : index
}

// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME:    %[[A:[^:]*]]: {{.*}}, %[[B:[^:]*]]:
// CHECK-DAG:     %[[M:.*]] = pl.dim %[[A]][0]
// CHECK-DAG:     %[[N:.*]] = pl.dim %[[B]][0]
// CHECK:         %[[LEAST:.*]] = arith.minsi %[[M]], %[[N]]
// CHECK-NEXT:    return %[[LEAST]]
func.func @elementwise(%a: !pl.tile<[?], f32>, %b: !pl.tile<[upto 8], f32>) -> index {
  %t = pl.add %a, %b : !pl.tile<[?], f32>, !pl.tile<[upto 8], f32>
  %r = pl.dim %t[0] : !pl.tile<[upto 8], f32>
  return %r : index
}

// CHECK-LABEL: func.func @select_cast(
// CHECK-SAME:    %[[MASK:[^:]*]]: {{.*}}, %[[A:[^:]*]]:
// CHECK-NOT:     pl.select
// CHECK-DAG:     %[[M:.*]] = pl.dim %[[MASK]][0]
// CHECK-DAG:     %[[N:.*]] = pl.dim %[[A]][0]
// CHECK:         %[[BOTH:.*]] = arith.minsi %[[M]], %[[N]]
// CHECK-NEXT:    return %[[BOTH]]
func.func @select_cast(%m: !pl.tile<[?], i1>, %a: !pl.tile<[?], f32>) -> index {
  %t = pl.select %m, %a, %a : !pl.tile<[?], i1>, !pl.tile<[?], f32>, !pl.tile<[?], f32>
  %c = pl.cast %t none : !pl.tile<[?], f32> -> !pl.tile<[?], f16>
  %r = pl.dim %c[0] : !pl.tile<[?], f16>
  return %r : index
}

// CHECK-LABEL: func.func @create_tensor(
// CHECK-SAME:    %[[N:.*]]: index
// CHECK:         %[[R:.*]] = arith.maxsi %[[N]], %c0
// CHECK-NEXT:    return %[[R]]
func.func @create_tensor(%n: index) -> index {
  %t = pl.create_tensor [%n] : !pl.tensor<[?], f32>
  %r = pl.dim %t[0] : !pl.tensor<[?], f32>
  return %r : index
}

// CHECK-LABEL: func.func @full_arange(
// CHECK-SAME:    %[[N:.*]]: index, %[[M:.*]]: index
// CHECK-DAG:     %[[R:.*]] = arith.maxsi %[[N]], %c0
// CHECK-DAG:     %[[S:.*]] = arith.maxsi %[[M]], %c0
// CHECK-NEXT:    return %[[R]], %[[S]]
func.func @full_arange(%n: index, %m: index, %v: f32) -> (index, index) {
  %t = pl.full %v, [%n] : f32 -> !pl.tile<[?], f32>
  %u = pl.arange %v, [%m] : f32 -> !pl.tile<[?], f32>
  %r = pl.dim %t[0] : !pl.tile<[?], f32>
  %s = pl.dim %u[0] : !pl.tile<[?], f32>
  return %r, %s : index, index
}

// CHECK-LABEL: func.func @slice_load(
// CHECK-SAME:    %{{.*}}, %[[I:.*]]: index, %[[SIZE:.*]]: index
// CHECK:         %[[N:.*]] = pl.bind "N"
// CHECK-NEXT:    %[[START:.*]] = arith.maxsi %[[I]], %c0
// CHECK-NEXT:    %[[LEFT:.*]] = arith.subi %[[N]], %[[START]]
// CHECK-NEXT:    %[[MIN:.*]] = arith.minsi %[[SIZE]], %[[LEFT]]
// CHECK-NEXT:    %[[R:.*]] = arith.maxsi %[[MIN]], %c0
// CHECK-NEXT:    return %[[R]]
func.func @slice_load(%x: !pl.tensor<[?, ?], f32>, %i: index, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0] : !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1] : !pl.tensor<[?, ?], f32>
  %v = pl.slice %x[%c0, %i] [%c1, %n] drop [0] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[?], f32>
  %t = pl.load %v : !pl.tensor<[?], f32>
  %r = pl.dim %t[0] : !pl.tile<[?], f32>
  return %r : index
}

// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME:    %[[T:.*]]: !pl.tile<[?, 1], f32>, %[[M:.*]]: index, %[[N:.*]]: index
// CHECK-DAG:     %[[R:.*]] = arith.maxsi %[[M]], %c0
// CHECK-DAG:     %[[S:.*]] = pl.dim %[[T]][0]
// CHECK-DAG:     %[[U:.*]] = arith.maxsi %[[N]], %c0
// CHECK:         return %[[R]], %[[S]], %[[U]]
func.func @broadcast(%t: !pl.tile<[?, 1], f32>, %m: index, %n: index) -> (index, index, index) {
  %b = pl.broadcast %t, [%m, %n, %n] : !pl.tile<[?, 1], f32> -> !pl.tile<[?, ?, ?], f32>
  %r = pl.dim %b[0] : !pl.tile<[?, ?, ?], f32>
  %s = pl.dim %b[1] : !pl.tile<[?, ?, ?], f32>
  %u = pl.dim %b[2] : !pl.tile<[?, ?, ?], f32>
  return %r, %s, %u : index, index, index
}

// CHECK-LABEL: func.func @reduce(
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1
// CHECK-DAG:     %[[R:.*]] = pl.dim %{{.*}}[0] : !pl.tile<[?, ?], f32>
// CHECK-NEXT:    return %[[R]], %[[C1]]
func.func @reduce(%t: !pl.tile<[?, ?], f32>) -> (index, index) {
  %s = pl.reduce sum %t axis 1 : !pl.tile<[?, ?], f32>
  %r = pl.dim %s[0] : !pl.tile<[?, 1], f32>
  %u = pl.dim %s[1] : !pl.tile<[?, 1], f32>
  return %r, %u : index, index
}

// CHECK-LABEL: func.func @matmul(
// CHECK-SAME:    %[[A:[^:]*]]: {{[^%]*}}, %[[B:[^:]*]]: {{[^%]*}}, %[[C:[^:]*]]:
// CHECK-DAG:     %[[ROWS:.*]] = pl.dim %[[A]][0]
// CHECK-DAG:     %[[COLUMNS:.*]] = pl.dim %[[B]][1]
// CHECK-DAG:     %[[A1:.*]] = pl.dim %[[A]][1]
// CHECK-DAG:     %[[C0:.*]] = pl.dim %[[C]][0]
// CHECK-DAG:     %[[B0:.*]] = pl.dim %[[B]][0]
// CHECK-DAG:     %[[C1:.*]] = pl.dim %[[C]][1]
// CHECK-DAG:     %[[U:.*]] = arith.minsi %[[A1]], %[[C0]]
// CHECK-DAG:     %[[V:.*]] = arith.minsi %[[B0]], %[[C1]]
// CHECK:         return %[[ROWS]], %[[COLUMNS]], %[[U]], %[[V]]
func.func @matmul(%a: !pl.tile<[?, upto 8], f32>, %b: !pl.tile<[?, upto 4], f32>, %c: !pl.tile<[?, ?], f32>) -> (index, index, index, index) {
  %p = pl.matmul %a, %b : !pl.tile<[?, upto 8], f32>, !pl.tile<[?, upto 4], f32>
  %q = pl.matmul %a, %b acc %c {transpose_lhs, transpose_rhs} : !pl.tile<[?, upto 8], f32>, !pl.tile<[?, upto 4], f32>, !pl.tile<[?, ?], f32>
  %r = pl.dim %p[0] : !pl.tile<[?, upto 4], f32>
  %s = pl.dim %p[1] : !pl.tile<[?, upto 4], f32>
  %u = pl.dim %q[0] : !pl.tile<[upto 8, ?], f32>
  %v = pl.dim %q[1] : !pl.tile<[upto 8, ?], f32>
  return %r, %s, %u, %v : index, index, index, index
}

// CHECK-LABEL: func.func @reshape_transpose(
// CHECK-SAME:    %[[T:[^:]*]]:
// CHECK-DAG:     %[[R:.*]] = pl.dim %[[T]][2]
// CHECK-DAG:     %[[S:.*]] = pl.dim %[[T]][1]
// CHECK:         return %[[R]], %[[S]]
func.func @reshape_transpose(%t: !pl.tile<[1, ?, upto 8], f32>, %n: index) -> (index, index) {
  %c1 = arith.constant 1 : index
  %a = pl.reshape %t, [%n, %c1, %n] : !pl.tile<[1, ?, upto 8], f32> -> !pl.tile<[?, 1, upto 8], f32>
  %b = pl.transpose %a [2, 0, 1] : !pl.tile<[?, 1, upto 8], f32>
  %r = pl.dim %b[0] : !pl.tile<[upto 8, ?, 1], f32>
  %s = pl.dim %b[1] : !pl.tile<[upto 8, ?, 1], f32>
  return %r, %s : index, index
}

// CHECK-LABEL: func.func @concat(
// CHECK-SAME:    %[[A:[^:]*]]: {{[^%]*}}, %[[B:[^:]*]]:
// CHECK-DAG:     %[[A0:.*]] = pl.dim %[[A]][0]
// CHECK-DAG:     %[[B0:.*]] = pl.dim %[[B]][0]
// CHECK-DAG:     %[[A1:.*]] = pl.dim %[[A]][1]
// CHECK-DAG:     %[[R:.*]] = arith.minsi %[[A0]], %[[B0]]
// CHECK-DAG:     %[[S:.*]] = arith.addi %[[A1]], %c4
// CHECK:         return %[[R]], %[[S]]
func.func @concat(%a: !pl.tile<[?, ?], f32>, %b: !pl.tile<[?, 4], f32>) -> (index, index) {
  %t = pl.concat %a, %b axis 1 : !pl.tile<[?, ?], f32>, !pl.tile<[?, 4], f32>
  %r = pl.dim %t[0] : !pl.tile<[?, ?], f32>
  %s = pl.dim %t[1] : !pl.tile<[?, ?], f32>
  return %r, %s : index, index
}

// CHECK-LABEL: func.func @window_insert(
// CHECK-SAME:    %[[T:.*]]: !pl.tile<[?], f32>, %{{.*}}, %[[I:.*]]: index, %[[N:.*]]: index
// CHECK:         %[[WHOLE:.*]] = pl.dim %[[T]][0]
// CHECK-NEXT:    %[[START:.*]] = arith.maxsi %[[I]], %c0
// CHECK-NEXT:    %[[LEFT:.*]] = arith.subi %[[WHOLE]], %[[START]]
// CHECK-NEXT:    %[[MIN:.*]] = arith.minsi %[[N]], %[[LEFT]]
// CHECK-NEXT:    %[[R:.*]] = arith.maxsi %[[MIN]], %c0
// CHECK-NEXT:    %[[S:.*]] = pl.dim %[[T]][0]
// CHECK-NEXT:    return %[[R]], %[[S]]
func.func @window_insert(%t: !pl.tile<[?], f32>, %s: !pl.tile<[4], f32>, %i: index, %n: index) -> (index, index) {
  %w = pl.window %t[%i] [%n] : !pl.tile<[?], f32> -> !pl.tile<[?], f32>
  %u = pl.insert %s, %t[%i] : !pl.tile<[4], f32>, !pl.tile<[?], f32>
  %r = pl.dim %w[0] : !pl.tile<[?], f32>
  %v = pl.dim %u[0] : !pl.tile<[?], f32>
  return %r, %v : index, index
}

// CHECK-LABEL: func.func @fillpad_relax(
// CHECK-NEXT:    %[[C8:.*]] = arith.constant 8 : index
// CHECK-NEXT:    return %[[C8]]
func.func @fillpad_relax(%t: !pl.tile<[upto 8], f32>, %v: f32) -> index {
  %p = pl.fillpad %t, %v : !pl.tile<[upto 8], f32>, f32
  %q = pl.relax %p : !pl.tile<[8], f32> -> !pl.tile<[?], f32>
  %r = pl.dim %q[0] : !pl.tile<[?], f32>
  return %r : index
}
