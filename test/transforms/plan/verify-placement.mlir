// RUN: tegula-opt %s --tegula-verify-placement --split-input-file --verify-diagnostics

func.func @outside(%x: !pl.tensor<[8], f32>) {
  // expected-error @below {{lies in 0 core regions}}
  %t = pl.load %x : !pl.tensor<[8], f32>
  return
}

// -----

func.func @twice(%x: !pl.tensor<[8], f32>) {
  pl.at core_group {
    // expected-error @below {{lies in 1 core regions}}
    pl.at aiv {
    }
  }
  return
}
