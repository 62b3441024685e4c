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
    {"log1p", "pl.log(1 + x)"},
    {"expm1", "pl.exp(x) - 1"},
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
    {"sign signum", "pl.where(x > 0, 1.0, pl.where(x < 0, -1.0, 0.0))"},
    {"hypot", "pl.sqrt(a * a + b * b)"},
    {"elu", "pl.where(x > 0, x, pl.exp(x) - 1)"},
    {"length", "x.shape"},
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
