// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every elementwise op on every element type, numbers at the edges included.
#include "CpuFixture.h"

#include <limits>

using namespace tegula;

namespace {

struct NamedType {
  DType dtype;
  const char *name;
};
constexpr NamedType floats[] = {
    {DType::FP16, "f16"},           {DType::BF16, "bf16"},
    {DType::FP32, "f32"},           {DType::FP64, "f64"},
    {DType::FP8E4M3FN, "f8E4M3FN"}, {DType::FP8E5M2, "f8E5M2"}};
constexpr NamedType integers[] = {
    {DType::Int8, "i8"},     {DType::Int16, "i16"},   {DType::Int32, "i32"},
    {DType::Int64, "i64"},   {DType::UInt8, "ui8"},   {DType::UInt16, "ui16"},
    {DType::UInt32, "ui32"}, {DType::UInt64, "ui64"}, {DType::Int4, "i4"},
    {DType::UInt4, "ui4"}};

std::vector<NamedType> allNumbers() {
  std::vector<NamedType> types(std::begin(floats), std::end(floats));
  types.insert(types.end(), std::begin(integers), std::end(integers));
  return types;
}

class CpuOps : public CpuTest {
protected:
  static constexpr int64_t count = 37;

  /// z = op(x, y) on tensors of `count` elements. `line` computes %r.
  static std::string source(const std::string &line, const std::string &in,
                            const std::string &out) {
    auto tensor = [](const std::string &type) {
      return "!pl.tensor<[37], " + type + ">";
    };
    return "!I = !pl.tile<[37], " + in + ">\n!O = !pl.tile<[37], " + out +
           ">\nfunc.func @f(%x: " + tensor(in) + ", %y: " + tensor(in) +
           ", %z: " + tensor(out) + ") {\n%a = pl.load %x : " + tensor(in) +
           "\n%b = pl.load %y : " + tensor(in) + "\n" + line +
           "\npl.store %r, %z : !O, " + tensor(out) + "\nreturn\n}";
  }

  static void put(TestTensor &tensor, int64_t at, double value) {
    writeElement(tensor.at(tensor.start + at), tensor.dtype, value);
  }

  /// Random numbers and, at the front, all pairs of some special ones.
  static void fillPair(TestTensor &x, TestTensor &y) {
    x.fill(1);
    y.fill(2);
    std::vector<double> special = {0, 1, 3};
    if (isFloat(x.dtype))
      special.insert(special.end(), {-1.5, INFINITY, NAN});
    else if (x.dtype != DType::Bool)
      special.insert(special.end(), {double(getIntegerRange(x.dtype).low), 7,
                                     isUnsigned(x.dtype) ? 15.0 : -1.0});
    else
      special = {0, 1};
    int64_t at = 0;
    for (double a : special)
      for (double b : special) {
        put(x, at, a);
        put(y, at++, b);
      }
  }

  void checkOp(const std::string &line, NamedType in, NamedType out,
               double tolerance = 0) {
    SCOPED_TRACE(line + " " + in.name);
    compile(source(line, in.name, out.name));
    TestTensor x(in.dtype, {count}), y(in.dtype, {count}),
        z(out.dtype, {count});
    fillPair(x, y);
    check({&x, &y, &z}, tolerance);
  }
};

} // namespace

TEST_F(CpuOps, ComputesBinaryOps) {
  for (const char *op : {"add", "sub", "mul", "div", "rem", "fmod", "maximum",
                         "minimum", "fmax", "fmin"}) {
    std::string line = "%r = pl." + std::string(op) + " %a, %b : !I, !I";
    for (NamedType type : floats)
      checkOp(line, type, type);
    for (NamedType type : integers)
      checkOp(line, type, type);
  }
}

TEST_F(CpuOps, ComputesOpsOfIntegers) {
  for (const char *op : {"and_", "or_", "xor", "shl", "shr", "pow"})
    for (NamedType type : integers)
      checkOp("%r = pl." + std::string(op) + " %a, %b : !I, !I", type, type);
  for (const char *op : {"neg", "abs", "relu", "not_"})
    for (NamedType type : integers)
      checkOp("%r = pl." + std::string(op) + " %a : !I", type, type);
}

TEST_F(CpuOps, ComputesOpsOfBooleans) {
  NamedType boolean = {DType::Bool, "i1"};
  for (const char *op : {"and_", "or_", "xor"})
    checkOp("%r = pl." + std::string(op) + " %a, %b : !I, !I", boolean,
            boolean);
  checkOp("%r = pl.not_ %a : !I", boolean, boolean);
}

TEST_F(CpuOps, ComparesAndSelects) {
  for (const char *kind : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    std::string line = "%r = pl.cmp " + std::string(kind) + " %a, %b : !I, !I";
    for (NamedType type : floats)
      checkOp(line, type, {DType::Bool, "i1"});
    for (NamedType type : integers)
      checkOp(line, type, {DType::Bool, "i1"});
  }
  for (NamedType type : allNumbers())
    checkOp("%m = pl.cmp lt %a, %b : !I, !I\n"
            "%r = pl.select %m, %a, %b : !pl.tile<[37], i1>, !I, !I",
            type, type);
}

TEST_F(CpuOps, ComputesExactOpsOfFloats) {
  for (const char *op : {"neg", "abs", "sqrt", "rsqrt", "recip", "floor",
                         "ceil", "trunc", "round", "relu"})
    for (NamedType type : floats)
      checkOp("%r = pl." + std::string(op) + " %a : !I", type, type,
              std::string(op) == "rsqrt" ? 1e-6 : 0);
}

TEST_F(CpuOps, ComputesFunctionsOfFloats) {
  for (const char *op : {"exp", "log", "sin", "cos", "tanh", "erf"})
    for (NamedType type : floats)
      checkOp("%r = pl." + std::string(op) + " %a : !I", type, type,
              getSize(type.dtype) == 1    ? 0.26
              : type.dtype == DType::FP64 ? 1e-14
              : type.dtype == DType::FP32 ? 5e-7
              : type.dtype == DType::FP16 ? 1e-3
                                          : 1e-2);
  checkOp("%c = pl.abs %a : !I\n%r = pl.pow %c, %b : !I, !I", floats[2],
          floats[2], 1e-6);
}

TEST_F(CpuOps, TakesScalarsOfEveryType) {
  for (NamedType type : allNumbers()) {
    SCOPED_TRACE(type.name);
    std::string name = type.name;
    compile("func.func @f(%s: " + name + ", %z: !pl.tensor<[?], " + name +
            ">) {\n%n = pl.bind \"N\" %z[0] : !pl.tensor<[?], " + name +
            ">\n%c9 = arith.constant 9 : index\n%t = pl.add %s, %s : " + name +
            ", " + name + "\n%v = pl.full %t, [%c9] : " + name +
            " -> !pl.tile<[9], " + name +
            ">\n%c0 = arith.constant 0 : index\n%w = pl.slice %z[%c0] [%c9] "
            ": !pl.tensor<[?], " +
            name + "> -> !pl.tensor<[upto 9], " + name +
            ">\npl.store %v, %w : !pl.tile<[9], " + name +
            ">, !pl.tensor<[upto 9], " + name + ">\nreturn\n}");
    for (int64_t n : {0, 5, 12}) {
      TestTensor z(type.dtype, {n});
      pl::Scalar number = isFloat(type.dtype)
                              ? pl::Scalar::ofReal(type.dtype, 1.5)
                              : pl::Scalar::ofInteger(type.dtype, -3);
      check({number, &z.fill(1)});
    }
  }
}
