// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts that a narrow type does not hold, rows that are shorter than what is
// taken of them, places that several elements go to, extents that are computed.

#include "test/differential/EdgeGenerator.h"

using namespace tegula;
using namespace tegula::differential;

/// How many elements compare, which may be more than the type that is compared
/// has numbers.
void EdgeGenerator::addCounts() {
  program.fixed.clear();
  dtype = random.pick({DType::Int8, DType::UInt8, DType::Int8, DType::FP16,
                       DType::BF16, DType::Int4, DType::FP8E4M3FN});
  int64_t most = dtype == DType::FP16 ? 2048 : 256;
  program.sizes['C'] = {0, 1, 127, 128, 129, most, most + 1, most + 45};
  program.sizes['R'] = {0, 1, 2, 5};
  program.sizes['K'] = {1};
  matrix("x", "RC", dtype);
  matrix("y", "R1", DType::Int32, true);
  matrix("z", "RC", DType::Int32, true);
  matrix("m", "R1", DType::FP32, true);
  std::string mask =
      random.pick({"(x >= -8)", "(x < 16)", "(x == x)", "(x > 0)"});
  if (dtype == DType::UInt8)
    mask = random.pick({"(x >= 0)", "(x < 200)", "(x == x)"});
  if (dtype == DType::Int4)
    mask = random.pick({"(x >= -8)", "(x <= 7)", "(x == x)", "(x > 0)"});
  if (random.chance(40)) {
    program.body.push_back({{"y[:] = pl.row_sum(" + mask + ")"}});
    program.body.push_back({{"m[:] = pl.mean(" + mask + ", axis=1)"}});
    return;
  }
  if (random.chance(40)) {
    program.body.push_back({{"z[:] = pl.cumsum(" + mask + ")"}});
    return;
  }
  if (random.chance(50)) {
    program.body.push_back({{"y[:] = pl.sum(" + mask + ", axis=1) + " +
                             "pl.sum(" + mask + " & (x != 0), axis=1)"}});
    return;
  }
  Statement loop{{"for i in pl.parallel(0, M, 4):"}};
  loop.body = {{{"c = pl.full([4, 1], pl.INT32, 0)"}}};
  Statement inner{{"for j in pl.range(0, N, 64):"}};
  inner.body.push_back({{"c = c + pl.row_sum(x[i : i + 4, j : j + 64] == x[i : "
                         "i + 4, j : j + 64])"}});
  loop.body.push_back(std::move(inner));
  loop.body.push_back({{"y[i : i + 4, :] = c"}});
  program.body.push_back(std::move(loop));
}

/// The first few of rows that may have fewer.
void EdgeGenerator::addTops() {
  // A row that is known to be too short is an error.
  program.fixed.clear();
  dtype = random.pick({DType::FP32, DType::Int32, DType::FP16, DType::Int8});
  matrix("x", "RC", dtype);
  matrix("y", "R8", dtype, true);
  matrix("a", "R8", DType::Int32, true);
  std::string count = random.pick({"8", "8", "5", "1"});
  std::string tile =
      random.chance(70) ? "x[i : i + 4, 0:16]" : "x[i : i + 4, :]";
  if (random.chance(30))
    tile = "pl.fillpad(" + tile + ", pad=0)";
  Statement loop{{"for i in pl.parallel(0, " + program.nameOf('R') + ", 4):"}};
  loop.body = {{{"v, o = pl.topk(" + tile + ", " + count +
                 random.pick({")", ", largest=False)"})}},
               {{"y[i : i + 4, 0:" + count + "] = v"}},
               {{"a[i : i + 4, 0:" + count + "] = o"}}};
  program.body.push_back(std::move(loop));
}

/// Pairs of values and indices: runs of 32, merged.
void EdgeGenerator::addMergedSorts() {
  int64_t columns = random.pick({32, 64, 96, 128, 200, 500, 7});
  program.fixed['C'] = columns;
  matrix("x", "RC", DType::FP32);
  matrix("z", "RC", DType::FP32);
  matrix("n", "RC", DType::UInt32);
  bool isJoined = random.chance(40);
  program.computed['D'] = {'C', isJoined ? 4 : 2};
  matrix("y", "RD", DType::FP32, true);
  auto sorted = [&](const char *pairs, const char *values, bool isWhole) {
    std::string name = pairs;
    program.body.push_back({{name + " = pl.sort32(" + values + ", n)"}});
    for (int64_t length : {64, 256})
      if (2 * columns > length && (isWhole || random.chance(70)))
        program.body.push_back(
            {{name + " = pl.mrgsort(" + name +
              ", block_len=" + std::to_string(length) + ")"}});
  };
  sorted("p", "x", isJoined);
  // Only what is sorted can be merged.
  if (isJoined)
    sorted("q", "z", /*isWhole=*/true);
  program.body.push_back({{isJoined ? "y[:] = pl.mrgsort(p, q)" : "y[:] = p"}});
}

/// Elements and rows that go to few indices.
void EdgeGenerator::addScatters() {
  dtype = random.pick({DType::Int32, DType::Int8, DType::Int64});
  program.fixed.clear();
  matrix("x", "RC", dtype);
  matrix("n", "RC", DType::Int32);
  matrix("b", "R", DType::Int32);
  matrix("y", "RC", dtype, true);
  matrix("z", "3C", dtype, true);
  std::string few = random.pick({"1", "2", "3"});
  std::string add = random.pick({"", ", atomic=pl.AtomicType.Add"});
  Statement guard{{"if M > 0 and N > 0:"}};
  switch (random.number(0, 3)) {
  case 0:
    guard.body.push_back(
        {{"pl.mscatter(x, b % " + few + ", z, coalesce=\"row\"" + add + ")"}});
    break;
  case 1:
    guard.body.push_back(
        {{"pl.mscatter(x, n % " + few + ", z, coalesce=\"elem\"" + add + ")"}});
    break;
  case 2:
    guard.body.push_back(
        {{"y[:] = pl.scatter(x, dim=1, index=n % pl.cast(min(N, " + few +
          "), pl.INT32), src=x + 1)"}});
    break;
  default:
    guard.body.push_back(
        {{random.pick({"z[:] = pl.segment_sum(x, b % 3, 3)",
                       "z[:] = pl.segment_max(x, b % 4, 3)",
                       "z[:] = pl.segment_min(x, b % 2, 3)"})}});
    break;
  }
  program.body.push_back(std::move(guard));
}

/// Axes whose extents are computed from others, and what is assumed of them.
void EdgeGenerator::addExtents() {
  program.fixed.clear();
  dtype = random.pick({DType::Int32, DType::FP32, DType::Int16});
  program.sizes['R'] = {2, 3, 4, 7, 8, 9, 20};
  program.sizes['C'] = {2, 3, 8, 15, 16, 17, 40};
  program.sizes['K'] = {1};
  program.computed['D'] = {'R', 1, -2};
  program.computed['E'] = {'C', 2};
  program.computed['F'] = {'C', 1, 0, 2};
  program.computed['H'] = {'R', 1, 1};
  matrix("x", "RC", dtype);
  matrix("y", "DC", dtype, true);
  matrix("z", "RE", dtype, true);
  matrix("q", "HF", dtype, true);
  if (random.chance(40))
    program.body.push_back(
        {{random.pick({"pl.assume(M % 2 == 0)", "pl.assume(N <= 16)",
                       "pl.assume(M >= 3 and N % 8 == 0)", "assert M > 2"})}});
  program.body.push_back(
      {{random.pick({"y[:] = x[0 : M - 2, :] + x[2:, :]",
                     "y[:] = x[1 : M - 1, :] * 2 - x[: M - 2, :]",
                     "y[:] = pl.maximum(x[2:M, :], y)"})}});
  if (random.chance(50))
    program.body.push_back({{random.pick({"z[:] = pl.concat(x, x, axis=1)",
                                          "z[:, 0:N] = x", "z[:, N:] = x + 1",
                                          "z[:] = pl.repeat(x, 2, axis=1)"})}});
  if (random.chance(50))
    program.body.push_back({{random.pick(
        {"q[0:M, :] = x[:, 0 : N // 2]", "q[1:, :] = x[:, 0 : N // 2] + 1"})}});
  if (random.chance(50)) {
    Statement loop{{"for i in pl.parallel(0, M - 2, 4):"}};
    loop.body.push_back(
        {{"y[i : i + 4, :] = y[i : i + 4, :] + x[i + 1 : i + 5, :]"}});
    program.body.push_back(std::move(loop));
  }
}
