// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled casts between all types in all modes: one kernel for each source
// type, with one output for each target type and mode.
#include "../../ir/CastCases.h"
#include "CpuFixture.h"
#include <cstring>

using namespace tegula;

namespace {

struct Target {
  ElementType to;
  pl::Rounding mode;
};

class CpuCast : public CpuTest, public ::testing::WithParamInterface<int> {
protected:
  static std::vector<Target> targetsOf(ElementType from) {
    std::vector<Target> targets;
    for (ElementType to : elementTypes)
      if (to.dtype != from.dtype)
        for (pl::Rounding mode : modesOf(from.dtype, to.dtype))
          targets.push_back({to, mode});
    return targets;
  }

  /// Loops over tiles of 1000 elements and casts each to every target.
  static std::string source(ElementType from, llvm::ArrayRef<Target> targets) {
    std::string in = from.name, parameters, body;
    for (auto [number, target] : llvm::enumerate(targets)) {
      std::string out = target.to.name, name = std::to_string(number);
      parameters += ", %y" + name + ": !pl.tensor<[?], " + out + ">";
      body += "%w" + name + " = pl.slice %y" + name +
              "[%i] [%c] : !pl.tensor<[?], " + out + "> -> !pl.tensor<[upto " +
              "1000], " + out + ">\n%r" + name + " = pl.cast %t " +
              stringifyRounding(target.mode).str() +
              " : !pl.tile<[upto 1000], " + in + "> -> !pl.tile<[upto 1000], " +
              out + ">\npl.store %r" + name + ", %w" + name +
              " : !pl.tile<[upto 1000], " + out +
              ">, !pl.tensor<[upto 1000], " + out + ">\n";
    }
    return "func.func @f(%x: !pl.tensor<[?], " + in + ">" + parameters +
           ") {\n%n = pl.bind \"N\" %x[0] : !pl.tensor<[?], " + in +
           ">\n%z = arith.constant 0 : index\n%c = arith.constant 1000 : "
           "index\nscf.for %i = %z to %n step %c {\n%v = pl.slice %x[%i] [%c] "
           ": !pl.tensor<[?], " +
           in + "> -> !pl.tensor<[upto 1000], " + in +
           ">\n%t = pl.load %v : !pl.tensor<[upto 1000], " + in + ">\n" + body +
           "}\nreturn\n}";
  }
};

} // namespace

TEST_P(CpuCast, IsExact) {
  ElementType from = elementTypes[GetParam()];
  std::vector<Target> targets = targetsOf(from);
  std::string text = source(from, targets);
  // Every parameter binds its own extent.
  std::string binds;
  for (size_t number = 0; number < targets.size(); ++number)
    binds += "%n" + std::to_string(number) + " = pl.bind \"y" +
             std::to_string(number) + "\" %y" + std::to_string(number) +
             "[0] : !pl.tensor<[?], " + targets[number].to.name + ">\n";
  text.insert(text.find("%z = "), binds);
  compile(text);
  ASSERT_TRUE(kernel);
  std::vector<uint64_t> sources = castSources(from.dtype);
  auto count = static_cast<int64_t>(sources.size());
  TestTensor x(from.dtype, {count});
  for (int64_t at = 0; at < count; ++at)
    if (isHalfByte(from.dtype))
      writeHalfByte(x.at(x.start + at), static_cast<uint8_t>(sources[at]));
    else
      std::memcpy(x.at(x.start + at), &sources[at], getSize(from.dtype));
  std::vector<TestTensor> outputs;
  std::vector<TestArgument> arguments = {&x};
  outputs.reserve(targets.size());
  for (const Target &target : targets)
    arguments.push_back(
        &outputs.emplace_back(target.to.dtype, std::vector<int64_t>{count}));
  ASSERT_EQ(call(arguments).error, TegulaNoError);
  for (auto [target, output] : llvm::zip(targets, outputs)) {
    SCOPED_TRACE(std::string(from.name) + " to " + target.to.name + ", " +
                 stringifyRounding(target.mode).str());
    TestTensor wanted(target.to.dtype, {count});
    for (int64_t at = 0; at < count; ++at)
      pl::Scalar::ofBits(from.dtype, sources[at])
          .cast(target.to.dtype, target.mode)
          .write(wanted.at(wanted.start + at));
    compare(output, wanted, 0);
    if (!isFloat(target.to.dtype))
      EXPECT_EQ(output.bytes, wanted.bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(From, CpuCast,
                         ::testing::Range(0, int(std::size(elementTypes))));
