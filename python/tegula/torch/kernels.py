# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels made of torch's graphs call: operations that are more than a line, in the kernel language."""

import tegula.language as pl

FLOATS = (pl.FP64, pl.FP32, pl.FP16, pl.BF16)
QUERIES = 32
KEYS = 64
INDICES_PER_STEP = 1024
CHANNELS = 16
LOWEST = -3e38


@pl.jit.inline
def gelu(x):
    return x * 0.5 * (pl.erf(x * 0.7071067811865476) + 1.0)


@pl.jit.inline
def gelu_tanh(x):
    return x * 0.5 * (pl.tanh((x + x * x * x * 0.044715) * 0.7978845608028654) + 1.0)


@pl.jit.inline
def log_to(x, base, factor):
    """A logarithm to another base. Powers of it have whole ones; those beyond the 22nd are rounded themselves."""
    if x.dtype == pl.FP32:
        return pl.cast(pl.log(pl.cast(x, pl.FP64)) * factor, pl.FP32)
    found = pl.log(x) * factor
    whole = pl.round(found)
    allowed = pl.select(pl.abs(whole) > 22.0, x * 4e-16, 0.0)
    return pl.select(pl.abs(pl.pow(base, whole) - x) <= allowed, whole, found)


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
def _rounded(x, dtype):
    return pl.cast(pl.cast(x, dtype, mode="rint"), x.dtype)


@pl.jit.inline
def floor_divide_in(a, b, dtype):
    """The same of elements of a narrow type, to which each step is rounded."""
    rest = pl.fmod(a, b)
    quotient = _rounded(_rounded(a - rest, dtype) / b, dtype)
    below = _rounded(quotient - 1.0, dtype)
    quotient = pl.select((rest != 0.0) & ((b < 0.0) != (rest < 0.0)), below, quotient)
    whole = pl.floor(quotient)
    whole = pl.select(_rounded(quotient - whole, dtype) > 0.5, whole + 1.0, whole)
    return pl.select(b == 0.0, a / b, whole)


@pl.jit.inline
def softplus(x, beta, limit):
    scaled = x * beta
    return pl.select(scaled > limit, x, pl.log1p(pl.exp(scaled)) / beta)


@pl.jit.inline
def elu(x, alpha, scale, input_scale):
    return pl.select(x > 0.0, x * scale, pl.expm1(x * input_scale) * (alpha * scale))


@pl.jit.inline
def sign(x):
    return pl.cast(x > 0, x.dtype) - pl.cast(x < 0, x.dtype)


@pl.jit.inline
def linspace(count, start, end):
    """From both ends to the middle."""
    index = pl.cast(pl.arange(0, [count], dtype=pl.INT32), pl.FP64)
    step = (end - start) / pl.cast(max(count - 1, 1), pl.FP64)
    half = pl.cast(max(count // 2, min(count, 1)), pl.FP64)
    return pl.select(index < half, index * step + start, end - (pl.cast(count - 1, pl.FP64) - index) * step)


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
def within(indices, extent, from_end, message):
    """A list of indices along an axis; it is an error if one is not on it. Some count from its end."""
    count, size = indices.shape[0], pl.cast(extent, pl.INT64)
    lowest = -size if from_end else size * 0
    out = pl.create_tensor([count], dtype=pl.INT64)
    for i in pl.parallel(0, count, INDICES_PER_STEP):
        some = pl.cast(indices[i : i + INDICES_PER_STEP], pl.INT64)
        pl.assert_((some >= lowest) & (some < size), message)
        out[i : i + INDICES_PER_STEP] = pl.select(some < 0, some + size, some)
    return out


@pl.jit.inline
def rows(matrix, indices):
    """The rows of a matrix that a list names."""
    count = indices.shape[0]
    out = pl.create_tensor([count, matrix.shape[1]], dtype=matrix.dtype)
    for i in pl.parallel(count):
        out[i, :] = matrix[pl.cast(indices[i], pl.INDEX), :]
    return out


@pl.jit.inline
def take(x, indices):
    """What stands along the second of three axes at indices that a list names."""
    count = indices.shape[0]
    out = pl.create_tensor([x.shape[0], count, x.shape[2]], dtype=x.dtype)
    for before in pl.parallel(x.shape[0]):
        for i in pl.parallel(count):
            out[before, i, :] = x[before, pl.cast(indices[i], pl.INDEX), :]
    return out


@pl.jit.inline
def put(x, indices, values, adds):
    """A copy with values written along the second of three axes, or added, at indices that a list names."""
    out = pl.create_tensor(x.shape, dtype=x.dtype)
    out[:] = x
    for before in pl.parallel(x.shape[0]):
        for i in pl.range(indices.shape[0]):
            index = pl.cast(indices[i], pl.INDEX)
            if adds:
                out[before, index, :] = out[before, index, :] + values[before, i, :]
            else:
                out[before, index, :] = values[before, i, :]
    return out


@pl.jit.inline
def attention(q, k, v, scale, group, causal):
    """Of heads one after the other; `group` of them share keys and values."""
    heads, queries, width = q.shape
    wide = pl.FP64 if q.dtype == pl.FP64 else pl.FP32
    keys = k.shape[1]
    out = pl.create_tensor([heads, queries, v.shape[2]], dtype=q.dtype)
    for h in pl.parallel(heads):
        for i in pl.parallel(0, queries, QUERIES):
            with pl.at(level=pl.Level.CORE_GROUP):
                some = q[h, i : i + QUERIES, :]
                largest = pl.full([QUERIES, 1], wide, LOWEST)
                total = pl.full([QUERIES, 1], wide, 0.0)
                result = pl.full([QUERIES, v.shape[2]], wide, 0.0)
                end = keys
                if causal:
                    end = min(keys, i + QUERIES)
                for j in pl.range(0, end, KEYS):
                    scores = pl.matmul(some, k[h // group, j : j + KEYS, :], b_trans=True, out_dtype=wide) * scale
                    if causal:
                        row = pl.arange(0, [QUERIES, 1], dtype=pl.INT32) + pl.cast(i, pl.INT32)
                        column = pl.arange(0, [1, KEYS], dtype=pl.INT32) + pl.cast(j, pl.INT32)
                        scores = pl.select(column <= row, scores, LOWEST)
                    higher = pl.maximum(largest, pl.row_max(scores))
                    weights = pl.exp(pl.row_expand_sub(scores, higher))
                    faded = pl.exp(largest - higher)
                    total = total * faded + pl.row_sum(weights)
                    values = pl.cast(v[h // group, j : j + KEYS, :], wide)
                    result = pl.matmul_acc(pl.row_expand_mul(result, faded), weights, values)
                    largest = higher
                # Without keys there is nothing.
                total = pl.select(total == 0.0, 1.0, total)
                out[h, i : i + QUERIES, :] = pl.cast(pl.row_expand_div(result, total), q.dtype, mode="rint")
    return out


@pl.jit.inline
def masked_attention(q, k, v, scale, mask):
    """With something to add to the scores, or truths that say which of them count."""
    wide = pl.FP64 if q.dtype == pl.FP64 else pl.FP32
    scores = pl.batch_matmul(q, k, b_trans=True, out_dtype=wide) * scale
    if mask.dtype == pl.BOOL:
        scores = pl.select(mask, scores, float("-inf"))
    else:
        scores = scores + pl.cast(mask, wide)
    # Rows of which nothing counts give nothing.
    largest = pl.max(scores, axis=3, keepdims=True)
    weights = pl.exp(scores - pl.select(largest == float("-inf"), 0.0, largest))
    total = pl.sum(weights, axis=3, keepdims=True)
    weights = weights / pl.select(total == 0.0, 1.0, total)
    return pl.cast(pl.batch_matmul(pl.cast(weights, v.dtype), v, out_dtype=wide), q.dtype)


@pl.jit.inline
def padded(x, first, rows, columns, before, value):
    """Rows of an image from `first` on, which may lie before it, in a larger one that is filled with a value. What
    hangs over on the right and below is left out."""
    channels, height, width = x.shape
    out = pl.create_tensor([channels, rows, columns], dtype=x.dtype)
    out[:] = pl.full([channels, rows, columns], x.dtype, value)
    above = max(0, 0 - first)
    top = first + above
    h = min(height - top, rows - above)
    w = min(width, columns - before)
    out[:, above : above + h, before : before + w] = x[:, top : top + h, 0:w]
    return out


@pl.jit.inline
def planes(x, rows, columns, stride):
    """An image taken apart: a plane for each offset of a step."""
    channels = x.shape[0]
    if stride[0] * stride[1] == 1:
        return pl.reshape(x, [1, channels, rows, columns])
    apart = pl.reshape(x, [channels, rows, stride[0], columns, stride[1]])
    out = pl.create_tensor([stride[0] * stride[1], channels, rows, 1, columns, 1], dtype=x.dtype)
    for y in pl.range(stride[0]):
        for x in pl.range(stride[1]):
            out[y * stride[1] + x] = apart[:, :, y : y + 1, :, x : x + 1]
    return pl.reshape(out, [stride[0] * stride[1], channels, rows, columns])


@pl.jit.inline
def met(x, first, rows, columns, kernel, stride, padding, dilation):
    """What all taps of a kernel read of an image, for rows of the result from `first` on: a column for each pixel."""
    channels = x.shape[0]
    if kernel[0] * kernel[1] * stride[0] * stride[1] == 1 and padding[0] + padding[1] == 0:
        return pl.reshape(x[:, first : first + rows, :], [channels, rows * columns])
    down = rows + (kernel[0] - 1) * dilation[0] // stride[0]
    right = columns + (kernel[1] - 1) * dilation[1] // stride[1]
    above = first * stride[0] - padding[0]
    larger = padded(x, above, down * stride[0], right * stride[1], padding[1], 0.0)
    patches = pl.create_tensor([channels, kernel[0] * kernel[1], rows, 1, columns, 1], dtype=x.dtype)
    if kernel[0] * kernel[1] > stride[0] * stride[1]:
        apart = planes(larger, down, right, stride)
        flat = pl.reshape(patches, [channels, kernel[0] * kernel[1], rows, columns])
        for ky in pl.range(kernel[0]):
            for kx in pl.range(kernel[1]):
                y, x = ky * dilation[0], kx * dilation[1]
                plane = y % stride[0] * stride[1] + x % stride[1]
                top, left = y // stride[0], x // stride[1]
                flat[:, ky * kernel[1] + kx] = apart[plane, :, top : top + rows, left : left + columns]
    else:
        steps = pl.reshape(larger, [channels, down, stride[0], right, stride[1]])
        for ky in pl.range(kernel[0]):
            for kx in pl.range(kernel[1]):
                y, x = ky * dilation[0], kx * dilation[1]
                top, left = y // stride[0], x // stride[1]
                y, x = y % stride[0], x % stride[1]
                patches[:, ky * kernel[1] + kx] = steps[
                    :, top : top + rows, y : y + 1, left : left + columns, x : x + 1
                ]
    return pl.reshape(patches, [channels * kernel[0] * kernel[1], rows * columns])


@pl.jit.inline
def convolved(w, values, groups, scale, shift, other, relu):
    """Columns of `values` times a kernel, and what comes after it."""
    outputs, depth, height, width = w.shape
    size = depth * height * width
    if groups == 1:
        result = pl.matmul(pl.reshape(w, [outputs, size]), values)
    else:
        factors = pl.reshape(w, [groups, outputs // groups, size])
        apart = pl.batch_matmul(factors, pl.reshape(values, [groups, size, values.shape[1]]))
        result = pl.reshape(apart, [outputs, values.shape[1]])
    if scale is not None:
        result = result * pl.reshape(scale, [outputs, 1])
    if shift is not None:
        result = result + pl.reshape(shift, [outputs, 1])
    if other is not None:
        result = result + other
    return pl.relu(result) if relu else result


@pl.jit.inline
def conv2d(x, w, rows, columns, stride, padding, dilation, groups, block, scale, shift, other, relu):
    """Image by image, and `block` rows of it at a time: what they need is in a cache then. The result is multiplied by
    a scale and added to a shift of each channel, and to a whole tensor, where there are some."""
    images, outputs = x.shape[0], w.shape[0]
    kernel = [w.shape[2], w.shape[3]]
    out = pl.create_tensor([images, outputs, rows * columns], dtype=x.dtype)
    scale = None if scale is None else copy(scale)
    shift = None if shift is None else copy(shift)
    other = None if other is None else pl.reshape(other, [images, outputs, rows * columns])
    for n in pl.parallel(images):
        if block is None:
            values = met(x[n], 0, rows, columns, kernel, stride, padding, dilation)
            more = None if other is None else other[n]
            out[n] = convolved(w, values, groups, scale, shift, more, relu)
        else:
            for first in pl.parallel(0, rows, block):
                here = min(block, rows - first)
                values = met(x[n], first, here, columns, kernel, stride, padding, dilation)
                start, end = first * columns, (first + here) * columns
                more = None if other is None else other[n, :, start:end]
                out[n, :, start:end] = convolved(w, values, groups, scale, shift, more, relu)
    return pl.reshape(out, [images, outputs, rows, columns])


@pl.jit.inline
def combined(a, b, largest):
    return pl.maximum(a, b) if largest else a + b


@pl.jit.inline
def pooled(x, rows, columns, kernel, stride, padding, dilation, value, fills, largest):
    """Windows of some channels: along columns first, and then along rows. `fills` says that windows and steps cover an
    image and nothing else."""
    channels = x.shape[0]
    down = rows + (kernel[0] - 1) * dilation[0] // stride[0]
    right = columns + (kernel[1] - 1) * dilation[1] // stride[1]
    if not fills:
        x = padded(x, 0 - padding[0], down * stride[0], right * stride[1], padding[1], value)
    steps = pl.reshape(x, [channels, down, stride[0], right * stride[1]])
    result = steps[:, 0:rows, 0, :]
    for ky in pl.unroll(1, kernel[0]):
        top = ky * dilation[0] // stride[0]
        result = combined(result, steps[:, top : top + rows, ky * dilation[0] % stride[0], :], largest)
    tall = pl.create_tensor([channels, rows, right * stride[1]], dtype=x.dtype)
    tall[:] = result
    steps = pl.reshape(tall, [channels, rows, right, stride[1]])
    result = steps[:, :, 0:columns, 0]
    for kx in pl.unroll(1, kernel[1]):
        left = kx * dilation[1] // stride[1]
        result = combined(result, steps[:, :, left : left + columns, kx * dilation[1] % stride[1]], largest)
    return result


@pl.jit.inline
def pool2d(x, rows, columns, kernel, stride, padding, dilation, value, fills, largest):
    images, channels, height, width = x.shape
    count = images * channels
    planes = pl.reshape(x, [count, height, width])
    out = pl.create_tensor([count, rows, columns], dtype=x.dtype)
    for first in pl.parallel(0, count, CHANNELS):
        end = min(first + CHANNELS, count)
        some = planes[first:end]
        out[first:end] = pooled(some, rows, columns, kernel, stride, padding, dilation, value, fills, largest)
    return pl.reshape(out, [images, channels, rows, columns])


@pl.jit.inline
def max_pool2d(x, rows, columns, kernel, stride, padding, dilation, lowest, fills):
    return pool2d(x, rows, columns, kernel, stride, padding, dilation, lowest, fills, True)


@pl.jit.inline
def max_pool2d_indices(x, rows, columns, kernel, stride, padding, dilation, lowest):
    """The largest of each window, and its index in the image. The first of those that are equal counts, and the last
    that is no number."""
    images, channels, height, width = x.shape
    count = images * channels
    planes = pl.reshape(x, [count, height, width])
    out = pl.create_tensor([count, rows, columns], dtype=x.dtype)
    indices = pl.create_tensor([count, rows, columns], dtype=pl.INT64)
    down = rows + (kernel[0] - 1) * dilation[0] // stride[0]
    right = columns + (kernel[1] - 1) * dilation[1] // stride[1]
    high, wide = pl.cast(height, pl.INT32), pl.cast(width, pl.INT32)
    for first in pl.parallel(0, count, CHANNELS):
        end = min(first + CHANNELS, count)
        some = planes[first:end]
        larger = padded(some, 0 - padding[0], down * stride[0], right * stride[1], padding[1], lowest)
        steps = pl.reshape(larger, [end - first, down, stride[0], right, stride[1]])
        largest = pl.create_tensor([end - first, rows, columns], dtype=x.dtype)
        where = pl.create_tensor([end - first, rows, columns], dtype=pl.INT32)
        largest[:] = pl.full([end - first, rows, columns], x.dtype, lowest)
        where[:] = pl.full([end - first, rows, columns], pl.INT32, -1)
        row = pl.arange(0, [rows], dtype=pl.INT32) * stride[0] - padding[0]
        column = pl.arange(0, [columns], dtype=pl.INT32) * stride[1] - padding[1]
        for ky in pl.unroll(kernel[0]):
            for kx in pl.unroll(kernel[1]):
                top, left = ky * dilation[0] // stride[0], kx * dilation[1] // stride[1]
                down_by, right_by = ky * dilation[0] % stride[0], kx * dilation[1] % stride[1]
                value = steps[:, top : top + rows, down_by, left : left + columns, right_by]
                y = pl.reshape(row + ky * dilation[0], [1, rows, 1])
                z = pl.reshape(column + kx * dilation[1], [1, 1, columns])
                inside = (y >= 0) & (y < high) & (z >= 0) & (z < wide)
                better = inside & ((where[:] < 0) | (value > largest[:]) | (value != value))
                where[:] = pl.select(better, y * wide + z, where[:])
                largest[:] = pl.select(better, value, largest[:])
        out[first:end] = largest[:]
        indices[first:end] = pl.cast(where[:], pl.INT64)
    return pl.reshape(out, [images, channels, rows, columns]), pl.reshape(indices, [images, channels, rows, columns])


@pl.jit.inline
def mean_pool2d(x, rows, columns, kernel, stride, padding, count, fills):
    """Of `count` pixels each, or of those that are in the image."""
    total = pool2d(x, rows, columns, kernel, stride, padding, [1, 1], 0.0, fills, False)
    if count is not None:
        return total / count
    inside = copy(pl.full([1, 1, x.shape[2], x.shape[3]], x.dtype, 1.0))
    return total / pool2d(inside, rows, columns, kernel, stride, padding, [1, 1], 0.0, fills, False)
