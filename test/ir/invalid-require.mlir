// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @names(%c: i1, %M: index) {
  // expected-error @+1 {{expects 1 names, got 2}}
  pl.require %c, "M > 0", "assumed" ["M", "N"](%M)
  return
}

// -----

func.func @origin(%c: i1) {
  // expected-error @+1 {{origin must be assumed, declared or derived, got nobody}}
  pl.require %c, "M > 0", "nobody" []()
  return
}
