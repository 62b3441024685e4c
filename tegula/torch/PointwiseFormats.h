// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The expressions that pointwise operations become; {0}, {1} and so on are
/// their operands.

#ifndef TEGULA_TORCH_POINTWISEFORMATS_H
#define TEGULA_TORCH_POINTWISEFORMATS_H

namespace tegula::torch {

#define FORMAT(name, text) inline constexpr char name[] = text

FORMAT(negFormat, "(-{0})");
FORMAT(absFormat, "pl.abs({0})");
FORMAT(expFormat, "pl.exp({0})");
FORMAT(exp2Format, "pl.pow(2.0, {0})");
FORMAT(expm1Format, "pl.expm1({0})");
FORMAT(logFormat, "pl.log({0})");
FORMAT(log2Format, "kernels.log_to({0}, 2.0, 1.4426950408889634)");
FORMAT(log10Format, "kernels.log_to({0}, 10.0, 0.43429448190325182)");
FORMAT(log1pFormat, "pl.log1p({0})");
FORMAT(sqrtFormat, "pl.sqrt({0})");
FORMAT(rsqrtFormat, "pl.rsqrt({0})");
FORMAT(recipFormat, "pl.recip({0})");
FORMAT(sinFormat, "pl.sin({0})");
FORMAT(cosFormat, "pl.cos({0})");
FORMAT(tanFormat, "(pl.sin({0}) / pl.cos({0}))");
FORMAT(tanhFormat, "pl.tanh({0})");
FORMAT(erfFormat, "pl.erf({0})");
FORMAT(floorFormat, "pl.floor({0})");
FORMAT(ceilFormat, "pl.ceil({0})");
FORMAT(truncFormat, "pl.trunc({0})");
FORMAT(roundFormat, "pl.round({0})");
FORMAT(squareFormat, "({0} * {0})");
FORMAT(reluFormat, "pl.relu({0})");
FORMAT(relu6Format, "pl.minimum(pl.relu({0}), 6)");
FORMAT(sigmoidFormat, "pl.sigmoid({0})");
FORMAT(siluFormat, "pl.silu({0})");
FORMAT(signFormat, "kernels.sign({0})");
FORMAT(mishFormat, "({0} * pl.tanh(pl.softplus({0})))");
FORMAT(hardswishFormat,
       "({0} * pl.minimum(pl.relu({0} + 3.0), 6.0) * 0.16666666666666666)");
FORMAT(hardsigmoidFormat,
       "(pl.minimum(pl.relu({0} + 3.0), 6.0) * 0.16666666666666666)");
FORMAT(addFormat, "({0} + {1})");
FORMAT(subFormat, "({0} - {1})");
FORMAT(rsubFormat, "({1} - {0})");
FORMAT(mulFormat, "({0} * {1})");
FORMAT(remainderFormat, "pl.rem({0}, {1})");
FORMAT(fmodFormat, "pl.fmod({0}, {1})");
FORMAT(maximumFormat, "pl.maximum({0}, {1})");
FORMAT(minimumFormat, "pl.minimum({0}, {1})");
FORMAT(bitAndFormat, "({0} & {1})");
FORMAT(bitOrFormat, "({0} | {1})");
FORMAT(bitXorFormat, "({0} ^ {1})");
FORMAT(shiftLeftFormat, "({0} << {1})");
FORMAT(shiftRightFormat, "({0} >> {1})");
FORMAT(notFormat, "pl.not_({0})");
FORMAT(eqFormat, "({0} == {1})");
FORMAT(neFormat, "({0} != {1})");
FORMAT(ltFormat, "({0} < {1})");
FORMAT(leFormat, "({0} <= {1})");
FORMAT(gtFormat, "({0} > {1})");
FORMAT(geFormat, "({0} >= {1})");
FORMAT(isnanFormat, "({0} != {0})");
FORMAT(addcmulFormat, "({0} + {3} * {1} * {2})");
FORMAT(addcdivFormat, "({0} + {3} * {1} / {2})");

#undef FORMAT

} // namespace tegula::torch

#endif // TEGULA_TORCH_POINTWISEFORMATS_H
