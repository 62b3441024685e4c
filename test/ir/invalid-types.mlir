// RUN: tegula-opt %s --split-input-file --verify-diagnostics
// What the types and the attributes on functions refuse.

// expected-error @+1 {{an extent must not be negative, got -1}}
func.func private @negative_extent(!pl.tile<[-1], f32>)

// -----

// expected-error @+1 {{element type must be i1, i4 to i64, ui4 to ui64, f8E4M3FN, f8E5M2, f16, bf16, f32 or f64, got 'index'}}
func.func private @element_of_tensor(!pl.tensor<[1], index>)

// -----

// expected-error @+1 {{element type must be i1, i4 to i64, ui4 to ui64, f8E4M3FN, f8E5M2, f16, bf16, f32 or f64, got 'si8'}}
func.func private @element_of_tile(!pl.tile<[1], si8>)

// -----

// expected-error @+1 {{unknown pl attribute 'pl.other'}}
func.func private @unknown_attribute() attributes {pl.other = 1 : i32}

// -----

// expected-error @+1 {{'pl.kind' belongs on a function}}
module attributes {pl.kind = #pl.kind<entry>} {}

// -----

// expected-error @+1 {{'pl.level' is a #pl.level of a function, got "aiv"}}
func.func private @level() attributes {pl.level = "aiv"}

// -----

// expected-error @+1 {{'pl.role' is a string of a function, got 3 : i64}}
func.func private @role() attributes {pl.role = 3}

// -----

// expected-error @+1 {{'pl.kind' must be a #pl.kind, got "entry"}}
func.func private @kind() attributes {pl.kind = "entry"}

// -----

// expected-error @+1 {{'pl.name' must be a string, got 1 : i32}}
func.func private @name(f32 {pl.name = 1 : i32})

// -----

// expected-error @+1 {{'pl.window' has no value, got 1 : i32}}
func.func private @window(f32 {pl.window = 1 : i32})

// -----

// expected-error @+1 {{'pl.dir' must be a #pl.dir, got "in"}}
func.func private @direction(f32 {pl.dir = "in"})

// -----

// expected-error @+1 {{unknown pl argument attribute 'pl.other'}}
func.func private @unknown_argument_attribute(f32 {pl.other})
