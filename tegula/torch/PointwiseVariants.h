// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The expressions that pointwise operations become; {0}, {1} and so on are
/// their operands.

#ifndef TEGULA_TORCH_POINTWISEVARIANTS_H
#define TEGULA_TORCH_POINTWISEVARIANTS_H

namespace tegula::torch {

#define VARIANT(name, text) inline constexpr char name[] = text

VARIANT(negVariant, "(-{0})");
VARIANT(absVariant, "pl.abs({0})");
VARIANT(expVariant, "pl.exp({0})");
VARIANT(exp2Variant, "pl.pow(2.0, {0})");
VARIANT(expm1Variant, "kernels.expm1({0})");
VARIANT(logVariant, "pl.log({0})");
VARIANT(log2Variant, "kernels.log_to({0}, 2.0, 1.4426950408889634)");
VARIANT(log10Variant, "kernels.log_to({0}, 10.0, 0.43429448190325182)");
VARIANT(log1pVariant, "kernels.log1p({0})");
VARIANT(sqrtVariant, "pl.sqrt({0})");
VARIANT(rsqrtVariant, "pl.rsqrt({0})");
VARIANT(recipVariant, "pl.recip({0})");
VARIANT(sinVariant, "pl.sin({0})");
VARIANT(cosVariant, "pl.cos({0})");
VARIANT(tanVariant, "(pl.sin({0}) / pl.cos({0}))");
VARIANT(tanhVariant, "pl.tanh({0})");
VARIANT(erfVariant, "pl.erf({0})");
VARIANT(floorVariant, "pl.floor({0})");
VARIANT(ceilVariant, "pl.ceil({0})");
VARIANT(truncVariant, "pl.trunc({0})");
VARIANT(roundVariant, "pl.round({0})");
VARIANT(squareVariant, "({0} * {0})");
VARIANT(reluVariant, "pl.relu({0})");
VARIANT(relu6Variant, "pl.minimum(pl.relu({0}), 6)");
VARIANT(sigmoidVariant, "pl.sigmoid({0})");
VARIANT(siluVariant, "pl.silu({0})");
VARIANT(signVariant, "kernels.sign({0})");
VARIANT(mishVariant, "({0} * pl.tanh(pl.softplus({0})))");
VARIANT(hardswishVariant,
        "({0} * pl.minimum(pl.relu({0} + 3.0), 6.0) * 0.16666666666666666)");
VARIANT(hardsigmoidVariant,
        "(pl.minimum(pl.relu({0} + 3.0), 6.0) * 0.16666666666666666)");
VARIANT(addVariant, "({0} + {1})");
VARIANT(subVariant, "({0} - {1})");
VARIANT(rsubVariant, "({1} - {0})");
VARIANT(mulVariant, "({0} * {1})");
VARIANT(remainderVariant, "pl.rem({0}, {1})");
VARIANT(fmodVariant, "pl.fmod({0}, {1})");
VARIANT(maximumVariant, "pl.maximum({0}, {1})");
VARIANT(minimumVariant, "pl.minimum({0}, {1})");
VARIANT(bitAndVariant, "({0} & {1})");
VARIANT(bitOrVariant, "({0} | {1})");
VARIANT(bitXorVariant, "({0} ^ {1})");
VARIANT(shiftLeftVariant, "({0} << {1})");
VARIANT(shiftRightVariant, "({0} >> {1})");
VARIANT(notVariant, "pl.not_({0})");
VARIANT(eqVariant, "({0} == {1})");
VARIANT(neVariant, "({0} != {1})");
VARIANT(ltVariant, "({0} < {1})");
VARIANT(leVariant, "({0} <= {1})");
VARIANT(gtVariant, "({0} > {1})");
VARIANT(geVariant, "({0} >= {1})");
VARIANT(isnanVariant, "({0} != {0})");
VARIANT(addcmulVariant, "({0} + {3} * {1} * {2})");
VARIANT(addcdivVariant, "({0} + {3} * {1} / {2})");

#undef VARIANT

} // namespace tegula::torch

#endif // TEGULA_TORCH_POINTWISEVARIANTS_H
