# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels made of torch's graphs call: operations that are more than a line, in the kernel language."""

import tegula.language as pl

FLOATS = (pl.FP64, pl.FP32, pl.FP16, pl.BF16)
QUERIES = 32
KEYS = 64
LOWEST = -3e38


@pl.jit.inline
def gelu(x):
    return x * 0.5 * (pl.erf(x * 0.7071067811865476) + 1.0)


@pl.jit.inline
def gelu_tanh(x):
    return x * 0.5 * (pl.tanh((x + x * x * x * 0.044715) * 0.7978845608028654) + 1.0)


@pl.jit.inline
def log1p(x):
    # What is lost when 1 is added is made up for by the quotient.
    u = x + 1.0
    return pl.select(u == 1.0, x, pl.select(u == float("inf"), u, pl.log(u) * x / (u - 1.0)))


@pl.jit.inline
def floor_divide(a, b):
    """The largest whole number whose product with b is not beyond a: of the exact quotient, not of the rounded one."""
    rest = pl.fmod(a, b)
    quotient = (a - rest) / b
    quotient = pl.select((rest != 0.0) & ((b < 0.0) != (rest < 0.0)), quotient - 1.0, quotient)
    whole = pl.floor(quotient)
    whole = pl.select(quotient - whole > 0.5, whole + 1.0, whole)
    return pl.select(b == 0.0, a / b, whole)


@pl.jit.inline
def softplus(x, beta, limit):
    scaled = x * beta
    return pl.select(scaled > limit, x, log1p(pl.exp(scaled)) / beta)


@pl.jit.inline
def sign(x):
    return pl.cast(x > 0, x.dtype) - pl.cast(x < 0, x.dtype)


@pl.jit.inline
def copy(x):
    out = pl.create_tensor(x.shape, dtype=x.dtype)
    out[:] = x
    return out


@pl.jit.inline
def expand(x, shape, dtype):
    if dtype == pl.BOOL:
        return x | pl.full(shape, dtype, False)
    # Zero keeps its sign.
    return x + pl.full(shape, dtype, -0.0 if dtype in FLOATS else 0)


@pl.jit.inline
def softmax(x, axis):
    weights = pl.exp(x - pl.max(x, axis=axis, keepdims=True))
    return weights / pl.sum(weights, axis=axis, keepdims=True)


@pl.jit.inline
def log_softmax(x, axis):
    centred = x - pl.max(x, axis=axis, keepdims=True)
    return centred - pl.log(pl.sum(pl.exp(centred), axis=axis, keepdims=True))


@pl.jit.inline
def layer_norm(x, gamma, beta, epsilon):
    columns = pl.cast(x.shape[1], x.dtype)
    centred = x - pl.sum(x, axis=1, keepdims=True) / columns
    variance = pl.sum(centred * centred, axis=1, keepdims=True) / columns
    normal = centred * pl.rsqrt(variance + epsilon)
    if gamma is not None:
        normal = normal * gamma
    if beta is not None:
        normal = normal + beta
    return normal


@pl.jit.inline
def rms_norm(x, gamma, epsilon):
    columns = pl.cast(x.shape[1], x.dtype)
    normal = x * pl.rsqrt(pl.sum(x * x, axis=1, keepdims=True) / columns + epsilon)
    if gamma is not None:
        normal = normal * gamma
    return normal


@pl.jit.inline
def rows(matrix, places):
    """The rows of a matrix that a list names."""
    count = places.shape[0]
    out = pl.create_tensor([count, matrix.shape[1]], dtype=matrix.dtype)
    for i in pl.parallel(count):
        place = pl.cast(places[i], pl.INDEX)
        out[i : i + 1, :] = matrix[place : place + 1, :]
    return out


@pl.jit.inline
def take(x, places):
    """What stands along the second of three axes at places that a list names; from the end if they are negative."""
    count = places.shape[0]
    out = pl.create_tensor([x.shape[0], count, x.shape[2]], dtype=x.dtype)
    for before in pl.parallel(x.shape[0]):
        for i in pl.parallel(count):
            place = pl.cast(places[i], pl.INDEX)
            place = place + x.shape[1] if place < 0 else place
            out[before, i : i + 1, :] = x[before, place : place + 1, :]
    return out


@pl.jit.inline
def put(x, places, values, adds):
    """A copy with values written along the second of three axes, or added, at places that a list names."""
    out = pl.create_tensor(x.shape, dtype=x.dtype)
    out[:] = x
    for before in pl.parallel(x.shape[0]):
        for i in pl.range(places.shape[0]):
            place = pl.cast(places[i], pl.INDEX)
            if adds:
                out[before, place : place + 1, :] = out[before, place : place + 1, :] + values[before, i : i + 1, :]
            else:
                out[before, place : place + 1, :] = values[before, i : i + 1, :]
    return out


@pl.jit.inline
def attention(q, k, v, scale, group, causal):
    """Of heads one after the other; `group` of them share keys and values."""
    heads, queries, width = q.shape
    keys = k.shape[1]
    out = pl.create_tensor([heads, queries, v.shape[2]], dtype=q.dtype)
    for h in pl.parallel(heads):
        for i in pl.parallel(0, queries, QUERIES):
            with pl.at(level=pl.Level.CORE_GROUP):
                some = q[h, i : i + QUERIES, :]
                largest = pl.full([QUERIES, 1], pl.FP32, LOWEST)
                total = pl.full([QUERIES, 1], pl.FP32, 0.0)
                result = pl.full([QUERIES, v.shape[2]], pl.FP32, 0.0)
                end = keys
                if causal:
                    end = min(keys, i + QUERIES)
                for j in pl.range(0, end, KEYS):
                    scores = pl.matmul(some, k[h // group, j : j + KEYS, :], b_trans=True, out_dtype=pl.FP32) * scale
                    if causal:
                        row = pl.arange(0, [QUERIES, 1], dtype=pl.INT32) + pl.cast(i, pl.INT32)
                        column = pl.arange(0, [1, KEYS], dtype=pl.INT32) + pl.cast(j, pl.INT32)
                        scores = pl.select(column <= row, scores, LOWEST)
                    higher = pl.maximum(largest, pl.row_max(scores))
                    weights = pl.exp(pl.row_expand_sub(scores, higher))
                    faded = pl.exp(largest - higher)
                    total = total * faded + pl.row_sum(weights)
                    values = pl.cast(v[h // group, j : j + KEYS, :], pl.FP32)
                    result = pl.matmul_acc(pl.row_expand_mul(result, faded), weights, values)
                    largest = higher
                # Without keys there is nothing.
                total = pl.select(total == 0.0, 1.0, total)
                out[h, i : i + QUERIES, :] = pl.cast(pl.row_expand_div(result, total), q.dtype, mode="rint")
    return out


@pl.jit.inline
def masked_attention(q, k, v, scale, mask):
    """With something to add to the scores, or truths that say which of them count."""
    scores = pl.batch_matmul(q, k, b_trans=True, out_dtype=pl.FP32) * scale
    if mask.dtype == pl.BOOL:
        scores = pl.select(mask, scores, float("-inf"))
    else:
        scores = scores + pl.cast(mask, pl.FP32)
    # Rows of which nothing counts give nothing.
    largest = pl.max(scores, axis=3, keepdims=True)
    weights = pl.exp(scores - pl.select(largest == float("-inf"), 0.0, largest))
    total = pl.sum(weights, axis=3, keepdims=True)
    weights = weights / pl.select(total == 0.0, 1.0, total)
    return pl.cast(pl.batch_matmul(pl.cast(weights, v.dtype), v, out_dtype=pl.FP32), q.dtype)


@pl.jit.inline
def padded(x, rows, columns, padding, value):
    """Images in larger ones, filled with a value. What hangs over on the right and below is left out."""
    images, channels, height, width = x.shape
    out = pl.create_tensor([images, channels, rows, columns], dtype=x.dtype)
    out[:] = pl.full([images, channels, rows, columns], x.dtype, value)
    h = min(height, rows - padding[0])
    w = min(width, columns - padding[1])
    out[:, :, padding[0] : padding[0] + h, padding[1] : padding[1] + w] = x[:, :, 0:h, 0:w]
    return out


@pl.jit.inline
def tap(apart, rows, columns, y, x):
    """What one place of a kernel meets: images of the result's size, with an axis of one after each of their own."""
    by_row, by_column = apart.shape[3], apart.shape[5]
    return apart[
        :,
        :,
        y // by_row : y // by_row + rows,
        y % by_row : y % by_row + 1,
        x // by_column : x // by_column + columns,
        x % by_column : x % by_column + 1,
    ]


@pl.jit.inline
def taps(x, rows, columns, kernel, stride, padding, dilation, value):
    """What all places of a kernel meet, row by row."""
    down = rows + (kernel[0] - 1) * dilation[0] // stride[0]
    right = columns + (kernel[1] - 1) * dilation[1] // stride[1]
    larger = padded(x, down * stride[0], right * stride[1], padding, value)
    apart = pl.reshape(larger, [x.shape[0], x.shape[1], down, stride[0], right, stride[1]])
    return [
        tap(apart, rows, columns, ky * dilation[0], kx * dilation[1])
        for ky in range(kernel[0])
        for kx in range(kernel[1])
    ]


@pl.jit.inline
def conv2d(x, w, rows, columns, stride, padding, dilation, groups):
    images, channels = x.shape[0], x.shape[1]
    outputs, depth, height, width = w.shape
    met = taps(x, rows, columns, [height, width], stride, padding, dilation, 0.0)
    places = pl.create_tensor([images, channels, height * width, rows, 1, columns, 1], dtype=x.dtype)
    for number in pl.unroll(height * width):
        places[:, :, number, :, :, :, :] = met[number]
    factors = pl.reshape(w, [groups, outputs // groups, depth * height * width])
    values = pl.reshape(places, [images, groups, depth * height * width, rows * columns])
    return pl.reshape(pl.batch_matmul(factors, values), [images, outputs, rows, columns])


@pl.jit.inline
def max_pool2d(x, rows, columns, kernel, stride, padding, dilation, lowest):
    met = taps(x, rows, columns, kernel, stride, padding, dilation, lowest)
    largest = met[0]
    for number in pl.unroll(1, len(met)):
        largest = pl.maximum(largest, met[number])
    return pl.reshape(largest, [x.shape[0], x.shape[1], rows, columns])


@pl.jit.inline
def tap_sums(x, rows, columns, kernel, stride, padding):
    met = taps(x, rows, columns, kernel, stride, padding, [1, 1], 0.0)
    total = met[0]
    for number in pl.unroll(1, len(met)):
        total = total + met[number]
    return pl.reshape(total, [x.shape[0], x.shape[1], rows, columns])


@pl.jit.inline
def mean_pool2d(x, rows, columns, kernel, stride, padding, count):
    """Of `count` places each, or of those that are in the image."""
    total = tap_sums(x, rows, columns, kernel, stride, padding)
    if count is not None:
        return total / count
    inside = pl.full([1, 1, x.shape[2], x.shape[3]], x.dtype, 1.0)
    return total / tap_sums(inside, rows, columns, kernel, stride, padding)
