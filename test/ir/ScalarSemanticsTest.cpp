// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What back ends make of an elementwise op, buildScalar, against what the
// interpreter says it means, evaluate: op by op, type by type, value by value.

#include "InterpreterFixture.h"

#include "mlir/IR/Verifier.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

static constexpr StringLiteral integerTypes[] = {
    "i4", "i8", "i16", "i32", "i64", "ui4", "ui8", "ui16", "ui32", "ui64"};
static constexpr StringLiteral floatTypes[] = {"f8E4M3FN", "f8E5M2", "f16",
                                               "bf16",     "f32",    "f64"};

static Type signless(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? IntegerType::get(type.getContext(), integer.getWidth())
                 : type;
}

/// Values of a type that are likely to go wrong.
static std::vector<Scalar> interestingValues(DType dtype) {
  std::vector<Scalar> values;
  if (dtype == DType::Bool)
    return {Scalar::ofBool(false), Scalar::ofBool(true)};
  if (!isFloat(dtype)) {
    IntegerRange range = getIntegerRange(dtype);
    for (int64_t x : {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100})
      for (int64_t sign : {1, -1})
        values.push_back(Scalar::ofInteger(dtype, sign * x));
    auto high = static_cast<int64_t>(range.high);
    for (int64_t x : {range.low, range.low + 1, high, high - 1, high / 2})
      values.push_back(Scalar::ofInteger(dtype, x));
    return values;
  }
  for (double x : {0.0,          0.5,     1.0,     1.5,   2.0,   2.5,   3.0,
                   3.14159,      7.0,     100.25,  127.5, 128.0, 255.5, 256.0,
                   32767.5,      65519.0, 65520.0, 1e-7,  6e-8,  1e-40, 3e9,
                   4294967295.0, 1e19,    1e38,    1e300, 1e-300})
    for (double sign : {1.0, -1.0})
      values.push_back(Scalar::ofReal(dtype, sign * x));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (double x : {infinity, -infinity, std::nan("")})
    values.push_back(Scalar::ofReal(dtype, x));
  unsigned width = 8 * getSize(dtype);
  uint64_t sign = uint64_t(1) << (width - 1);
  uint64_t greatest = Scalar::ofReal(dtype, infinity).getBits() - 1;
  for (uint64_t bits : {uint64_t(1), uint64_t(2), greatest, greatest - 1})
    for (uint64_t with : {uint64_t(0), sign})
      values.push_back(Scalar::ofBits(dtype, bits | with));
  return values;
}

/// Units in the last place between two floats of one type.
static uint64_t distance(Scalar a, Scalar b) {
  if (std::isnan(a.getReal()) || std::isnan(b.getReal()))
    return std::isnan(a.getReal()) == std::isnan(b.getReal()) ? 0 : UINT64_MAX;
  uint64_t sign = uint64_t(1) << (a.getWidth() - 1);
  if ((a.getBits() & sign) != (b.getBits() & sign))
    return UINT64_MAX;
  uint64_t x = a.getBits(), y = b.getBits();
  return x > y ? x - y : y - x;
}

namespace {

class ScalarSemanticsTest : public InterpreterTest {
protected:
  /// Compares on all combinations of interesting values. `types` has the
  /// operand types; `format` is the op with $0, $1, ... for them.
  void compare(StringRef op, ArrayRef<StringRef> types, StringRef result = "",
               uint64_t tolerance = 0) {
    ElementwiseOpInterface elementwise = parseOp(op, types, result);
    ASSERT_TRUE(elementwise) << op.str() << ": " << messages;
    func::FuncOp expanded = expand(elementwise);
    std::vector<std::vector<Scalar>> grid;
    for (Type type : elementwise->getOperandTypes())
      grid.push_back(interestingValues(*getDType(type)));
    SmallVector<Scalar> scalars;
    compareGrid(elementwise, expanded, grid, scalars, tolerance);
  }

  void compareOne(ElementwiseOpInterface op, func::FuncOp expanded,
                  ArrayRef<Scalar> scalars, uint64_t tolerance) {
    Scalar want = op.evaluate(scalars);
    SmallVector<Argument> arguments;
    for (auto [number, type] :
         llvm::zip(scalars, expanded.getArgumentTypes().drop_back()))
      arguments.push_back(Scalar::ofBits(*getDType(type), number.getBits()));
    uint64_t memory = 0;
    DType dtype = *getDType(signless(op->getResult(0).getType()));
    arguments.push_back(TensorView(&memory, dtype, {1}));
    ASSERT_TRUE(succeeded(interpret(expanded, arguments)))
        << messages << describe(op, scalars);
    Scalar got = Scalar::ofBits(want.getDType(), memory);
    if (want.isReal())
      ASSERT_LE(distance(got, want), tolerance)
          << describe(op, scalars) << " got " << got.getReal() << " want "
          << want.getReal();
    else
      ASSERT_EQ(got.getInteger(), want.getInteger()) << describe(op, scalars);
  }

  ElementwiseOpInterface parseOp(StringRef op, ArrayRef<StringRef> types,
                                 StringRef result) {
    std::string source = "func.func @main(";
    std::string operands, list = llvm::join(types, ", ");
    for (auto [index, type] : llvm::enumerate(types)) {
      std::string name = "%a" + std::to_string(index);
      source += (index ? ", " : "") + name + ": " + type.str();
      operands += (index ? ", " : " ") + name;
    }
    // A cast has its mode after its operand.
    auto [mnemonic, mode] = op.split('/');
    source += ") { %r = pl." + mnemonic.str() + operands + " " + mode.str() +
              " : " + list + (result.empty() ? "" : " -> " + result.str()) +
              "\n return }";
    module = parseSourceString<ModuleOp>(source, &context);
    if (!module)
      return {};
    auto function = module->lookupSymbol<func::FuncOp>("main");
    return cast<ElementwiseOpInterface>(&function.getBody().front().front());
  }

  /// A function that computes the op from signless scalars by its expansion
  /// and writes the result to its last argument.
  func::FuncOp expand(ElementwiseOpInterface op) {
    SmallVector<Type> types =
        llvm::map_to_vector(op->getOperandTypes(), signless);
    Type result = signless(op->getResult(0).getType());
    types.push_back(TensorViewType::get(&context, {Dim::exactly(1)}, result));
    OpBuilder builder(module->getBodyRegion());
    builder.setInsertionPointToEnd(module->getBody());
    auto function =
        func::FuncOp::create(builder, op->getLoc(), "expanded",
                             builder.getFunctionType(types, TypeRange()));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    Value value = op.buildScalar(builder, body->getArguments().drop_back());
    Value zero = arith::ConstantIndexOp::create(builder, op->getLoc(), 0);
    WriteOp::create(builder, op->getLoc(), value, body->getArguments().back(),
                    zero);
    func::ReturnOp::create(builder, op->getLoc());
    EXPECT_TRUE(succeeded(verify(*module))) << messages;
    return function;
  }

private:
  void compareGrid(ElementwiseOpInterface op, func::FuncOp expanded,
                   ArrayRef<std::vector<Scalar>> grid,
                   SmallVectorImpl<Scalar> &scalars, uint64_t tolerance) {
    if (scalars.size() == grid.size())
      return compareOne(op, expanded, scalars, tolerance);
    for (Scalar number : grid[scalars.size()]) {
      scalars.push_back(number);
      compareGrid(op, expanded, grid, scalars, tolerance);
      scalars.pop_back();
      if (HasFatalFailure())
        return;
    }
  }

  static std::string describe(Operation *op, ArrayRef<Scalar> scalars) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << *op << " of";
    for (Scalar number : scalars)
      if (number.isReal())
        stream << " " << number.getReal();
      else
        stream << " " << number.getInteger();
    return text;
  }
};

} // namespace

TEST_F(ScalarSemanticsTest, UnaryOnNumbers) {
  for (StringRef op : {"neg", "abs", "relu"}) {
    for (StringRef type : integerTypes)
      compare(op, {type});
    for (StringRef type : floatTypes)
      compare(op, {type});
  }
}

TEST_F(ScalarSemanticsTest, UnaryExactOnFloats) {
  for (StringRef op : {"sqrt", "recip", "floor", "ceil", "trunc", "round"})
    for (StringRef type : floatTypes)
      compare(op, {type});
}

// These pass through FP32 on the way to 16 bits and may be rounded twice.
TEST_F(ScalarSemanticsTest, TranscendentalFunctions) {
  for (StringRef op : {"exp", "log", "sin", "cos", "tanh", "erf"}) {
    for (StringRef type : {"f16", "bf16"})
      compare(op, {type}, "", /*tolerance=*/1);
    for (StringRef type : {"f32", "f64"})
      compare(op, {type});
  }
  for (StringRef type : floatTypes) {
    compare("rsqrt", {type}, "", /*tolerance=*/1);
    compare("pow", {type, type}, "", /*tolerance=*/1);
  }
}

TEST_F(ScalarSemanticsTest, BinaryOnNumbers) {
  for (StringRef op : {"add", "sub", "mul", "div", "rem", "fmod", "maximum",
                       "minimum", "fmax", "fmin"}) {
    for (StringRef type : integerTypes)
      compare(op, {type, type});
    for (StringRef type : floatTypes)
      compare(op, {type, type});
  }
}

TEST_F(ScalarSemanticsTest, BitOps) {
  for (StringRef type : integerTypes) {
    for (StringRef op : {"and_", "or_", "xor", "shl", "shr"})
      compare(op, {type, type});
    compare("not_", {type});
  }
  for (StringRef op : {"and_", "or_", "xor", "shl", "shr"})
    compare(op, {"i1", "i1"});
  compare("not_", {"i1"});
}

TEST_F(ScalarSemanticsTest, Comparisons) {
  for (StringRef op :
       {"cmp eq", "cmp ne", "cmp lt", "cmp le", "cmp gt", "cmp ge"}) {
    for (StringRef type : integerTypes)
      compare(op, {type, type});
    for (StringRef type : floatTypes)
      compare(op, {type, type});
    compare(op, {"i1", "i1"});
  }
}

TEST_F(ScalarSemanticsTest, Select) {
  for (StringRef type : {"f16", "f32", "i8", "ui64", "i1"})
    compare("select", {"i1", type, type});
}

static std::vector<StringRef> allTypes() {
  std::vector<StringRef> types(std::begin(integerTypes),
                               std::end(integerTypes));
  types.insert(types.end(), std::begin(floatTypes), std::end(floatTypes));
  types.push_back("i1");
  return types;
}

TEST_F(ScalarSemanticsTest, Casts) {
  for (StringRef from : allTypes())
    for (StringRef to : allTypes())
      for (StringRef mode : {"none", "rint", "round", "floor", "ceil", "trunc"})
        compare(("cast/" + mode).str(), {from}, to);
  for (auto [from, to] :
       {std::pair("f64", "f32"), std::pair("f64", "f16"),
        std::pair("f64", "bf16"), std::pair("f32", "f16"),
        std::pair("f32", "bf16"), std::pair("f16", "bf16"),
        std::pair("bf16", "f16"), std::pair("f32", "f32"),
        std::pair("f64", "f8E4M3FN"), std::pair("f32", "f8E5M2"),
        std::pair("f16", "f8E4M3FN"), std::pair("f8E5M2", "f8E4M3FN")})
    compare("cast/odd", {from}, to);
}

// Around every 61st value of the narrow type: the value, the middle to the next
// one, and the neighbours of both in the wide type.
TEST_F(ScalarSemanticsTest, NarrowingCastsAtBoundaries) {
  struct {
    StringRef from, to;
    DType wide, narrow;
  } pairs[] = {{"f32", "f16", DType::FP32, DType::FP16},
               {"f32", "bf16", DType::FP32, DType::BF16},
               {"f64", "f16", DType::FP64, DType::FP16},
               {"f64", "bf16", DType::FP64, DType::BF16},
               {"f32", "f8E4M3FN", DType::FP32, DType::FP8E4M3FN},
               {"f32", "f8E5M2", DType::FP32, DType::FP8E5M2},
               {"f64", "f8E4M3FN", DType::FP64, DType::FP8E4M3FN},
               {"f64", "f8E5M2", DType::FP64, DType::FP8E5M2}};
  for (auto pair : pairs)
    for (StringRef mode :
         {"none", "rint", "round", "floor", "ceil", "trunc", "odd"}) {
      ElementwiseOpInterface op =
          parseOp(("cast/" + mode).str(), {pair.from}, pair.to);
      func::FuncOp expanded = expand(op);
      unsigned step = getSize(pair.narrow) == 1 ? 1 : 61;
      for (unsigned bits = 0; bits < 0x7f80; bits += step) {
        double low = Scalar::ofBits(pair.narrow, bits).getReal();
        double high = Scalar::ofBits(pair.narrow, bits + 1).getReal();
        if (!std::isfinite(high))
          break;
        for (double x : {low, (low + high) / 2})
          for (uint64_t step : {0, 1, 2})
            for (uint64_t sign : {0, 1}) {
              uint64_t pattern =
                  Scalar::ofReal(pair.wide, x).getBits() + step - 1;
              if (x == 0 && step == 0)
                pattern = 0;
              unsigned width = 8 * getSize(pair.wide);
              Scalar number =
                  Scalar::ofBits(pair.wide, pattern | sign << (width - 1));
              compareOne(op, expanded, number, 0);
              if (HasFatalFailure())
                return;
            }
      }
    }
}

TEST_F(ScalarSemanticsTest, CastsLargeIntegersRoundingOnce) {
  for (auto [type, dtype] :
       {std::pair("i64", DType::Int64), std::pair("ui64", DType::UInt64)}) {
    ElementwiseOpInterface op = parseOp("cast/none", {type}, "bf16");
    func::FuncOp expanded = expand(op);
    for (int exponent = 8; exponent < 64; ++exponent)
      for (int64_t off : {-1, 0, 1})
        for (int64_t sign : {1, -1}) {
          uint64_t tie =
              (uint64_t(1) << exponent) + (uint64_t(1) << (exponent - 8));
          compareOne(op, expanded, Scalar::ofInteger(dtype, sign * (tie + off)),
                     0);
        }
  }
}
