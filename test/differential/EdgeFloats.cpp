// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats that are no numbers, have no inverse, or are about to overflow.

#include "test/differential/EdgeGenerator.h"

using namespace tegula;
using namespace tegula::differential;

static std::string nameOf(DType dtype) { return "pl." + getName(dtype).str(); }

std::string EdgeGenerator::floatConstant() {
  // It has no infinity, and nothing beyond 448.
  if (dtype == DType::FP8E4M3FN)
    return random.pick({"NAN", "0.0", "-0.0", "1e-45", "448.0", "-448.0", "0.5",
                        "-1.0", "2.0", "0.002"});
  return random.pick({"INF", "-INF", "NAN", "0.0", "-0.0", "-0.0", "1e40",
                      "1e-45", "-1e-40", "3e38", "-3e38", "1e40", "65504.0",
                      "448.0", "0.5", "-1.0", "2.0", "5e-324"});
}

/// Whole numbers up to 8, and what is no number: sums of them are the same in
/// any order.
std::string EdgeGenerator::tamed(const std::string &tile) {
  return "pl.sel(pl.isfinite(" + tile + "), pl.floor(pl.clip(" + tile +
         ", -8.0, 8.0)), " + tile + ")";
}

/// What is rounded as prescribed.
std::string EdgeGenerator::floatValue() {
  std::string x = window("x");
  switch (random.number(0, 7)) {
  case 0:
    return "pl." +
           random.pick<std::string>({"abs", "neg", "floor", "ceil", "trunc",
                                     "round", "relu", "sqrt", "recip"}) +
           "(" + x + ")";
  case 1:
    return "pl." +
           random.pick<std::string>({"maximum", "minimum", "fmax", "fmin"}) +
           "(" + x + ", " + operand() + ")";
  case 2:
    return "pl.sel(" + x + " " +
           random.pick({"<", "<=", ">", ">=", "==", "!="}) + " " + operand() +
           ", " + x + ", " + window("z") + ")";
  case 3:
    return "pl.sel(pl." +
           random.pick<std::string>({"isnan", "isinf", "isfinite"}) + "(" + x +
           "), " + window("z") + ", " + operand() + ")";
  case 4:
    return "(" + x + random.pick({" // ", " % "}) + operand() + ")";
  case 5:
    return random.pick<std::string>({"pl.fmod(", "pl.div("}) + x + ", " +
           operand() + ")";
  case 6:
    if (dtype == DType::FP8E4M3FN)
      return "pl.clip(" + x + ", -1.0, 448.0)";
    return "pl.clip(" + x + ", " +
           random.pick({"-1.0, 2.0", "-INF, 0.0", "0.0, INF", "-3e38, 3e38"}) +
           ")";
  default:
    return "(" + x + random.pick({" + ", " - ", " * ", " / "}) + operand() +
           ")";
  }
}

/// What may be off by a few units in the last place.
std::string EdgeGenerator::mathValue() {
  std::string x = window("x");
  switch (random.number(0, 7)) {
  case 0:
    return "pl.pow(" + x + ", " + operand() + ")";
  case 1:
    return random.pick<std::string>(
               {"pl.layer_norm(", "pl.rms_norm(", "pl.softmax("}) +
           tamed(x) + ")";
  case 2:
    return "pl.logsumexp(" + tamed(x) + ", axis=1) + pl.cast(" + window("z") +
           ", " + nameOf(dtype) + ") * 0.0";
  case 3:
    return "pl.gelu(" + x + random.pick({")", ", approximate=\"tanh\")"});
  case 4:
    return random.pick<std::string>({"pl.log1p(", "pl.expm1("}) + x + ")";
  case 5: {
    // GPUs have no digits of larger angles.
    std::string limit = dtype == DType::FP8E4M3FN ? "448.0" : "1e5";
    return random.pick<std::string>({"pl.sin(", "pl.cos(", "pl.tan("}) +
           "pl.clip(" + x + ", -" + limit + ", " + limit + "))";
  }
  default:
    return "pl." +
           random.pick<std::string>({"exp", "log", "rsqrt", "tanh", "erf",
                                     "sigmoid", "silu", "softplus", "exp2",
                                     "log2"}) +
           "(" + x + ")";
  }
}
