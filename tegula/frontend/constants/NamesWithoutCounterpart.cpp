// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of NumPy, PyTorch, JAX and Triton that have nothing like them here,
// so that their names are not taken for misspelled ones.
#include "tegula/frontend/constants/NamesElsewhere.h"
#include "llvm/ADT/StringSet.h"

using namespace tegula;
using llvm::StringRef;

static constexpr llvm::StringLiteral names =
    "acos acosh adaptive_avg_pool1d adaptive_avg_pool2d "
    "adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d "
    "adaptive_max_pool3d affine_grid airy_ai alloc_barrier alloc_var "
    "angle annotate_layout arccos arccosh arcsin arcsinh arctan arctan2 "
    "arctanh array_equiv asin asinh atan atan2 atanh atomic_and "
    "atomic_cas atomic_max atomic_min atomic_or atomic_xchg atomic_xor "
    "avg_pool1d avg_pool2d avg_pool3d bartlett bartlett_window "
    "bessel_j0 bessel_j1 bessel_y0 bessel_y1 beta betaln bilinear "
    "binary_cross_entropy binary_cross_entropy_with_logits binom "
    "binomial bitonic_merge bitwise_count blackman blackman_window "
    "block_diag bucketize cartesian_prod cbrt cdist "
    "chebyshev_polynomial_t chebyshev_polynomial_u "
    "chebyshev_polynomial_v chebyshev_polynomial_w cholesky cholesky_ex "
    "cholesky_inverse cholesky_solve comb combinations complex conv1d "
    "conv2d conv3d conv_general_dilated conv_transpose2d convolution "
    "convolve copy_async copysign corrcoef correlate cov cross "
    "cross_entropy cumulative_trapezoid delete det diag diag_embed "
    "diag_indices diag_indices_from diagflat diagonal_scatter digamma "
    "digitize dist ediff1d eig eigh eigvals eigvalsh embedding_bag entr "
    "erf_inv erfc erfcx erfinv factorial fft fill_diagonal fold frac "
    "frexp fromfunction gamma gammainc gammaincc gammaln gcd gemm_sp "
    "glu gradient grid_sample grouped_mm gumbel_softmax hamming "
    "hamming_window hann_window hanning heaviside hermite_polynomial_h "
    "hermite_polynomial_he histogram2d histogram_bin_edges histogramdd "
    "householder_product huber_loss i0 i0e i1 i1e ifft igamma igammac "
    "imag index_fill index_reduce inline_asm_elementwise insert interp "
    "interpolate intersect1d inv inv_ex inverse isin istft kaiser "
    "kaiser_window kl_div laguerre_polynomial_l lcm ldexp ldl_factor "
    "ldl_factor_ex ldl_solve legendre_polynomial_p lexsort lgamma "
    "linear_cross_entropy lobpcg local_response_norm log_ndtr "
    "logaddexp2 logcumsumexp logdet logspace lp_pool1d lp_pool2d "
    "lp_pool3d lstm_cell lstsq lu mask_indices matrix_exp matrix_norm "
    "matrix_power matrix_rank max_pool1d max_pool2d max_pool3d "
    "max_unpool1d max_unpool2d max_unpool3d meshgrid modf "
    "modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 "
    "modified_bessel_k1 multi_dot multigammaln multinomial mvlgamma "
    "nanargmax nanargmin nancumprod nanmean nanmedian nanpercentile "
    "nanquantile nanstd nanvar ndtr ndtri nextafter nll_loss packbits "
    "pairwise_distance pca_lowrank pixel_shuffle poisson polar polyadd "
    "polyder polydiv polyfit polygamma polyint polymul polysub psi qr "
    "randperm reduce_bitand reduce_or reduce_window rel_entr renorm "
    "rfft roots rrelu scaled_dot_product_attention scaled_grouped_mm "
    "scaled_mm scaled_modified_bessel_k0 scaled_modified_bessel_k1 "
    "scatter_reduce searchsorted shifted_chebyshev_polynomial_t "
    "shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v "
    "shifted_chebyshev_polynomial_w signbit sinc slogdet smooth_l1_loss "
    "soft_margin_loss softshrink solve solve_ex solve_triangular "
    "sort_complex spacing spherical_bessel_j0 squareplus standardize "
    "stft sum_to_size svd svd_lowrank svdvals swizzle2d tanhshrink "
    "tensorinv tensorsolve trapezoid trapz triangular_solve "
    "tril_indices tril_indices_from trim_zeros triplet_margin_loss "
    "triu_indices triu_indices_from umulhi unfold union1d unique "
    "unique_all unique_consecutive unique_counts unique_inverse "
    "unique_values unpackbits unwrap upsample upsample_bilinear "
    "upsample_nearest vander view_as_complex view_as_real xlog1py xlogy "
    "xor_sum zeta";

bool tegula::isOnlyElsewhere(StringRef name) {
  static const llvm::StringSet<> known = [] {
    llvm::StringSet<> set;
    for (StringRef each : llvm::split(names, ' '))
      set.insert(each);
    return set;
  }();
  return known.contains(name);
}
