// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/NamesElsewhere.h"
#include "tegula/frontend/diagnostics/NearestNames.h"
#include "tegula/support/DType.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using llvm::StringLiteral;
using llvm::StringRef;

static constexpr NamesElsewhere functions[] = {
    {"to astype type float half double long bfloat16", "pl.cast(x, dtype)"},
    {"concatenate cat hstack vstack", "pl.concat(a, b, axis=)"},
    {"expand_dims unsqueeze", "x[None, :]"},
    {"squeeze flatten ravel", "pl.reshape(x, shape)"},
    {"broadcast_to broadcast expand expand_as", "pl.expand_clone(x, target)"},
    {"permute swapaxes moveaxis trans T mT", "pl.transpose(x, axis1, axis2)"},
    {"fliplr", "pl.flip(x, axis=1)"},
    {"flipud", "pl.flip(x, axis=0)"},
    {"pad", "pl.fillpad(x)"},
    {"narrow", "pl.slice(x, shape, offsets)"},
    {"clone contiguous", "t = pl.create_tensor(shape, dtype=...); t[:] = x"},
    {"item", "x[0, 0]"},
    {"size numel", "pl.dim(x, axis)"},

    {"mm bmm gemm", "pl.matmul(a, b)"},
    {"addmm baddbmm", "pl.matmul_acc(acc, a, b)"},
    {"inner vdot", "pl.dot(a, b)"},
    {"outer", "pl.einsum(\"i,j->ij\", a, b)"},
    {"tensordot", "pl.einsum(subscripts, a, b)"},

    {"reduce_sum", "pl.sum(x, axis=)"},
    {"amax reduce_max", "pl.max(x, axis=)"},
    {"amin reduce_min", "pl.min(x, axis=)"},
    {"average reduce_mean", "pl.mean(x, axis=)"},
    {"norm", "pl.sqrt(pl.sum(x * x, axis=))"},
    {"cumulative_sum associative_scan", "pl.cumsum(x, axis=)"},
    {"cumulative_prod", "pl.cumprod(x, axis=)"},

    {"clamp", "pl.clip(x, low, high)"},
    {"relu6", "pl.clip(x, 0, 6)"},
    {"hardtanh", "pl.clip(x, -1, 1)"},
    {"leaky_relu", "pl.lrelu(x, slope)"},
    {"swish", "pl.silu(x)"},
    {"expit", "pl.sigmoid(x)"},
    {"square", "x * x"},
    {"reciprocal", "pl.recip(x)"},
    {"negative", "pl.neg(x)"},
    {"absolute fabs", "pl.abs(x)"},
    {"rint around", "pl.round(x)"},
    {"multiply", "pl.mul(a, b)"},
    {"subtract", "pl.sub(a, b)"},
    {"divide true_divide", "pl.div(a, b)"},
    {"floor_divide", "a // b"},
    {"remainder mod", "a % b"},
    {"power", "pl.pow(x, y)"},
    {"left_shift", "pl.shl(a, b)"},
    {"right_shift", "pl.shr(a, b)"},
    {"logical_and bitwise_and", "a & b"},
    {"logical_or bitwise_or", "a | b"},
    {"logical_xor bitwise_xor", "a ^ b"},
    {"logical_not bitwise_not invert", "pl.not_(x)"},
    {"equal eq", "a == b"},
    {"not_equal ne", "a != b"},
    {"greater gt", "a > b"},
    {"greater_equal ge", "a >= b"},
    {"less lt", "a < b"},
    {"less_equal le", "a <= b"},
    {"nan_to_num", "pl.where(x == x, x, 0)"},
    {"masked_fill if_then_else", "pl.where(mask, a, b)"},
    {"ceildiv", "pl.cdiv(a, b)"},

    {"zeros_like", "pl.zeros(x.shape, x.dtype)"},
    {"ones_like", "pl.ones(x.shape, x.dtype)"},
    {"full_like", "pl.expands(x, value)"},
    {"empty empty_like", "pl.create_tensor(shape, dtype)"},
    {"alloc_shared alloc_fragment alloc_local", "pl.zeros(shape, dtype)"},
    {"iota", "pl.arange(start, shape)"},
    {"tril triu", "pl.tri(diagonal, shape)"},
    {"rand randint philox", "pl.random(key0, key1, ...)"},

    {"take take_along_axis take_along_dim index_select",
     "pl.gather(x, dim, index)"},
    {"nonzero argwhere", "pl.find(mask, columns)"},
    {"scatter_add index_add", "pl.segment_sum(x, ids, n)"},
    {"bincount histc", "pl.histogram(x, bins)"},
    {"atomic_add", "pl.store(x, offsets, y, atomic=pl.AtomicType.Add)"},

    {"tl.load", "x[i : i + ROWS, :]"},
    {"tl.store", "y[i : i + ROWS, :] = value"},
    {"tl.arange", "pl.arange(start, shape)"},
    {"program_id", "for i in pl.spmd(n)"},
    {"num_programs", "pl.get_block_num()"},
    {"static_range", "for i in pl.unroll(n)"},
    {"Parallel prange", "for i in pl.parallel(n)"},
    {"Pipelined", "for i in pl.pipeline(n)"},
    {"serial Serial", "for i in pl.range(n)"},
    {"device_print printf debug_print", "pl.print(\"x\", x)"},
    {"device_assert debug_assert", "pl.assert_(condition, \"text\")"},
    {"newaxis", "x[None, :]"},
    {"pi", "math.pi"},
    {"e", "math.e"},
    {"tau", "math.tau"},
    {"inf infinity", "float(\"inf\")"},
    {"nan", "float(\"nan\")"},
    {"std standard_deviation", "pl.sqrt(pl.var(x, axis=))"},
    {"logistic expit", "pl.sigmoid(x)"},
    {"signum sgn", "pl.sign(x)"},
    {"elu", "pl.where(x > 0, x, pl.expm1(x))"},
    {"length", "x.shape"},

    {"clamp_min", "pl.maximum(x, low)"},
    {"clamp_max", "pl.minimum(x, high)"},
    {"sinh", "(pl.expm1(x) - pl.expm1(-x)) / 2"},
    {"cosh", "(pl.exp(x) + pl.exp(-x)) / 2"},
    {"log10", "pl.log(x) / math.log(10)"},
    {"log_softmax", "x - pl.logsumexp(x, axis=-1)"},
    {"log_sigmoid logsigmoid", "-pl.softplus(-x)"},
    {"selu", "1.0507009873554805 * pl.where(x > 0, x, 1.6732632423543772 * "
             "pl.expm1(x))"},
    {"celu", "pl.where(x > 0, x, alpha * pl.expm1(x / alpha))"},
    {"softsign", "x / (1 + pl.abs(x))"},
    {"mish", "x * pl.tanh(pl.softplus(x))"},
    {"hardsigmoid hard_sigmoid", "pl.clip(x / 6 + 0.5, 0, 1)"},
    {"hardswish hard_swish", "x * pl.clip(x / 6 + 0.5, 0, 1)"},
    {"hard_tanh", "pl.clip(x, -1, 1)"},
    {"threshold", "pl.where(x > threshold, x, value)"},
    {"hardshrink", "pl.where(pl.abs(x) > limit, x, 0)"},
    {"softmin", "pl.softmax(-x)"},
    {"logit", "pl.log(x) - pl.log1p(-x)"},
    {"deg2rad radians", "x * (math.pi / 180)"},
    {"rad2deg degrees", "x * (180 / math.pi)"},
    {"fix", "pl.trunc(x)"},
    {"positive", "x"},
    {"conj conjugate real resolve_conj resolve_neg conj_physical",
     "x; there are no complex numbers"},
    {"isneginf", "x == -float(\"inf\")"},
    {"isposinf", "x == float(\"inf\")"},
    {"isclose allclose", "pl.abs(a - b) <= tolerance"},
    {"array_equal", "pl.all(a == b)"},
    {"count_nonzero", "pl.sum(x != 0)"},
    {"all_of", "pl.all(x)"},
    {"any_of", "pl.any(x)"},
    {"bitwise_invert", "pl.not_(x)"},
    {"bitwise_left_shift", "pl.shl(a, b)"},
    {"bitwise_right_shift", "pl.shr(a, b)"},
    {"nansum", "pl.sum(pl.where(x == x, x, 0), axis=)"},
    {"nanprod", "pl.prod(pl.where(x == x, x, 1), axis=)"},
    {"nancumsum", "pl.cumsum(pl.where(x == x, x, 0), axis=)"},
    {"ptp", "pl.max(x, axis=) - pl.min(x, axis=)"},
    {"aminmax", "pl.min(x, axis=), pl.max(x, axis=)"},
    {"std_mean", "pl.sqrt(pl.var(x, axis=)), pl.mean(x, axis=)"},
    {"var_mean", "pl.var(x, axis=), pl.mean(x, axis=)"},
    {"median quantile percentile msort", "pl.sort(x)"},
    {"partition argpartition kthvalue topk_indices", "pl.topk(x, k)"},
    {"reduce_absmax", "pl.max(pl.abs(x), axis=)"},
    {"reduce_abssum", "pl.sum(pl.abs(x), axis=)"},
    {"reduce", "pl.sum(x, axis=) or another reduction"},
    {"vector_norm", "pl.sqrt(pl.sum(x * x, axis=))"},
    {"normalize", "x * pl.rsqrt(pl.sum(x * x, axis=-1))"},
    {"cosine_similarity", "pl.sum(a * b, axis=-1) * pl.rsqrt(pl.sum(a * a, "
                          "axis=-1) * pl.sum(b * b, axis=-1))"},
    {"mse_loss", "pl.mean((a - b) * (a - b))"},
    {"l1_loss", "pl.mean(pl.abs(a - b))"},
    {"lerp", "a + weight * (b - a)"},
    {"addcmul", "x + value * a * b"},
    {"addcdiv", "x + value * a / b"},
    {"mv matvec vecmat", "pl.matmul(a, b)"},
    {"vecdot", "pl.sum(a * b, axis=-1)"},
    {"linear", "pl.matmul(x, weight, b_trans=True)"},
    {"addmv addbmm", "pl.matmul_acc(acc, a, b)"},
    {"addr", "acc + pl.einsum(\"i,j->ij\", a, b)"},
    {"kron", "pl.einsum(subscripts, a, b)"},
    {"dot_scaled", "pl.matmul(a * a_scale, b * b_scale)"},
    {"trace", "pl.sum(pl.where(pl.tri(0, shape) != pl.tri(-1, shape), x, 0))"},
    {"eye identity", "pl.tri(0, shape) - pl.tri(-1, shape)"},
    {"linspace", "start + pl.cast(pl.arange(0, [1, n]), pl.FP32) * step"},
    {"diff", "x[1:] - x[:-1]"},
    {"chunk unbind unstack tensor_split array_split hsplit vsplit dsplit",
     "x[a:b] for each part"},
    {"interleave join", "pl.stack([a, b], axis=-1)"},
    {"column_stack row_stack dstack append", "pl.concat(a, b, axis=)"},
    {"rot90", "pl.flip(pl.transpose(x), axis=0)"},
    {"repeat_interleave", "pl.repeat(x, n, axis)"},
    {"tile", "pl.concat([x] * n, axis=)"},
    {"matrix_transpose permute_dims movedim rollaxis t",
     "pl.transpose(x, axis1, axis2)"},
    {"view_as reshape_as unflatten atleast_1d atleast_2d atleast_3d",
     "pl.reshape(x, shape)"},
    {"broadcast_tensors broadcast_arrays", "pl.expand_clone(x, target)"},
    {"embedding", "pl.mgather(table, indices)"},
    {"one_hot", "pl.cast(index == pl.arange(0, [1, n]), pl.FP32)"},
    {"put_along_axis index_put", "pl.scatter(x, dim, index, src)"},
    {"masked_select compress", "pl.where(mask, x, other)"},
    {"masked_scatter putmask place", "pl.where(mask, a, b)"},
    {"nonzero_static flatnonzero", "pl.find(mask, columns)"},
    {"choose piecewise", "pl.where(mask, a, b)"},
    {"ravel_multi_index", "row * columns + column"},
    {"unravel_index", "index // columns, index % columns"},
    {"randn rand_like randn_like randint_like randint4x randn4x normal uniform "
     "bernoulli",
     "pl.random(key0, key1, ...)"},
    {"dropout1d dropout2d dropout3d alpha_dropout", "pl.dropout(x, p, seed)"},
    {"multiple_of max_contiguous max_constancy", "pl.assume(N % 16 == 0)"},
    {"make_block_ptr make_tensor_descriptor advance", "x[i : i + ROWS, :]"},
    {"dynamic_slice dynamic_index_in_dim", "x[i : i + rows, :]"},
    {"dynamic_update_slice", "y[i : i + rows, :] = value"},
    {"fori_loop", "for i in pl.range(n)"},
    {"while_loop", "while condition"},
    {"broadcasted_iota", "pl.arange(start, shape)"},
    {"fdiv div_rn", "a / b"},
    {"sqrt_rn", "pl.sqrt(x)"},
    {"rsqrt_rn", "pl.rsqrt(x)"},
    {"divmod", "a // b, a % b"},
    {"fill", "pl.full(shape, dtype, value)"},
    {"new", "pl.zeros(shape, dtype)"},
    {"copyto", "y[:] = x"},
    {"asarray ascontiguousarray asanyarray",
     "x; arrays are arguments of the kernel"},
    {"batch_norm instance_norm group_norm",
     "(x - mean) * pl.rsqrt(var + eps), or pl.layer_norm(x, axis=)"},
    {"device_barrier", "pl.system.syncall() in a grid"},
    {"polyval", "Horner's rule, (a * x + b) * x + c"},
    {"segment_prod", "a loop with pl.prod"},
};

llvm::ArrayRef<NamesElsewhere> tegula::listNamesElsewhere() {
  return functions;
}

/// True if a list of words has one of them.
static bool hasWord(StringRef words, StringRef word) {
  return llvm::is_contained(llvm::split(words, ' '), word);
}

StringRef tegula::writtenHere(StringRef name) {
  const auto *found =
      llvm::find_if(functions, [&](const NamesElsewhere &entry) {
        return hasWord(entry.names, name);
      });
  return found == std::end(functions) ? StringRef() : StringRef(found->here);
}

StringRef tegula::constantHere(StringRef name) {
  return hasWord("newaxis pi e tau inf infinity nan", name) ? writtenHere(name)
                                                            : "";
}

StringRef tegula::suggestModule(StringRef name) {
  return hasWord("np numpy jnp torch ml_dtypes F tl triton T tilelang cp", name)
             ? "; what a kernel calls is in tegula.language, as pl.exp"
             : "";
}

/// Words that mean the same parameter.
static constexpr StringLiteral parameters[] = {
    "axis axes dim dims",
    "keepdims keepdim keep_dims",
    "dtype type output_dtype out_dtype",
    "shape size sizes newshape",
    "x a input tensor tile src self lhs",
    "b other rhs",
    "low min a_min minimum",
    "high max a_max maximum",
    "value fill_value init_value",
    "index indices idx indexes",
    "bins minlength",
    "num_segments minlength",
    "shift shifts",
    "a_trans trans_a transpose_a",
    "b_trans trans_b transpose_b",
    "initial init initializer",
};

std::string tegula::nearestParameter(StringRef name,
                                     llvm::ArrayRef<StringRef> names) {
  for (StringRef words : parameters) {
    if (!hasWord(words, name))
      continue;
    for (StringRef other : names)
      if (hasWord(words, other))
        return ("; did you mean '" + other + "'?").str();
  }
  return didYouMean(name, names);
}

/// A dtype and what it is called elsewhere.
static constexpr NamesElsewhere dtypes[] = {
    {"bool bool_ int1 boolean", "BOOL"},
    {"int8 i8 s8", "INT8"},
    {"int16 i16 short", "INT16"},
    {"int32 i32 int", "INT32"},
    {"int64 i64 long", "INT64"},
    {"uint8 u8 byte", "UINT8"},
    {"uint16 u16", "UINT16"},
    {"uint32 u32", "UINT32"},
    {"uint64 u64", "UINT64"},
    {"float16 f16 half", "FP16"},
    {"bfloat16 bf16", "BF16"},
    {"float32 f32 float", "FP32"},
    {"float64 f64 double", "FP64"},
    {"float8_e4m3fn float8_e4m3 float8e4nv fp8e4m3 e4m3", "FP8E4M3FN"},
    {"float8_e5m2 float8e5 e5m2", "FP8E5M2"},
    {"size_t intp", "INDEX"},
};

std::string tegula::suggestDtype(StringRef name) {
  for (const NamesElsewhere &entry : dtypes)
    if (hasWord(entry.names, name.lower()))
      return ("; did you mean 'pl." + entry.here + "'?").str();
  llvm::SmallVector<StringRef> names;
  for (unsigned i = 0; i <= static_cast<unsigned>(DType::Index); ++i)
    names.push_back(getName(static_cast<DType>(i)));
  return didYouMean(name, names, "pl.");
}

std::string tegula::notADtype(const Object &object) {
  const std::string *path = object.asLanguage();
  const auto *text = object.as<StringObject>();
  return "expected a dtype such as pl.FP32, got " + describe(object) +
         (path   ? suggestDtype(*path)
          : text ? suggestDtype(text->value)
                 : "");
}
