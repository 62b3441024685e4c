// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ops say that they cost, against what they are built of.

#include "tegula/ir/OpCosts.h"

#include "InterpreterFixture.h"

#include "tegula/transforms/MachineModel.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

namespace {

class OpCosts : public InterpreterTest {
protected:
  std::vector<StringRef> listElementwiseOps() {
    std::vector<StringRef> names;
    for (RegisteredOperationName name : context.getRegisteredOperations())
      if (name.hasInterface<ElementwiseOpInterface>())
        names.push_back(name.getStringRef());
    return names;
  }

  /// The first op of a function of a number `%a` and a boolean `%m`; null if it
  /// is none.
  Operation *parseOp(const std::string &op, StringRef type) {
    module =
        parseSourceString<ModuleOp>("func.func @main(%a: " + type.str() +
                                        ", %m: i1) { " + op + "\n return }",
                                    &context);
    if (!module)
      return nullptr;
    auto function = module->lookupSymbol<func::FuncOp>("main");
    return &function.getBody().front().front();
  }

  /// The elementwise op on numbers of a type; null if it takes none.
  ElementwiseOpInterface makeOp(StringRef name, const std::string &type) {
    for (const std::string &operands :
         {"%a : " + type, "%a, %a : " + type + ", " + type,
          "lt %a, %a : " + type + ", " + type,
          "%m, %a, %a : i1, " + type + ", " + type,
          "%a none : " + type + " -> f64", "%a to ui32 : " + type})
      if (Operation *op = parseOp("%r = " + name.str() + " " + operands, type))
        return cast<ElementwiseOpInterface>(op);
    return {};
  }

  /// All that the op is built of.
  int64_t costOfParts(ElementwiseOpInterface op) {
    auto function = op->getParentOfType<func::FuncOp>();
    OpBuilder builder(op);
    (void)op.buildScalar(builder, op->getOperands());
    int64_t cost = 0;
    for (Operation &part : function.getBody().front())
      if (&part != op)
        cost += getCost(&part);
    return cost;
  }

  int64_t costOf(StringRef op, StringRef type) {
    Operation *parsed = parseOp(op.str(), type);
    EXPECT_TRUE(parsed) << messages;
    return parsed ? getCost(parsed) : -1;
  }
};

} // namespace

TEST_F(OpCosts, AreAboutThoseOfTheParts) {
  EXPECT_GT(listElementwiseOps().size(), 30u);
  for (StringRef name : listElementwiseOps()) {
    SCOPED_TRACE(name.str());
    bool isMade = false;
    for (const char *type : {"f32", "i32"}) {
      ElementwiseOpInterface op = makeOp(name, type);
      if (!op)
        continue;
      isMade = true;
      int64_t stated = getCost(op), built = costOfParts(op);
      if (stated <= 1) {
        EXPECT_LE(built, 6) << "a few count as one";
      } else {
        EXPECT_LE(built, 2 * stated) << type;
        EXPECT_GE(2 * built, stated) << type;
      }
    }
    EXPECT_TRUE(isMade) << messages;
  }
}

TEST_F(OpCosts, DependOnWhetherElementsAreIntegers) {
  EXPECT_EQ(costOf("%r = pl.div %a, %a : f32, f32", "f32"),
            costOf("%r = arith.divf %a, %a : f32", "f32"));
  EXPECT_EQ(costOf("%r = pl.div %a, %a : i32, i32", "i32"),
            costOf("%r = arith.divsi %a, %a : i32", "i32"));
  EXPECT_LT(costOf("%r = arith.divf %a, %a : f32", "f32"),
            costOf("%r = arith.divsi %a, %a : i32", "i32"));
}

// A product and shifts.
TEST_F(OpCosts, OfDivisionsByAKnownNumberAreLower) {
  std::string seven = "%c = arith.constant 7 : i32\n";
  auto costOfSecond = [&](const std::string &op) {
    Operation *first = parseOp(seven + op, "i32");
    EXPECT_TRUE(first) << messages;
    return first ? getCost(first->getNextNode()) : -1;
  };
  for (const char *name : {"arith.divsi", "arith.remui", "pl.div", "pl.rem"}) {
    bool isTwoTyped = StringRef(name).starts_with("pl.");
    std::string types = isTwoTyped ? " : i32, i32" : " : i32";
    std::string start = std::string("%r = ") + name;
    EXPECT_LT(costOfSecond(start + " %a, %c" + types),
              costOfSecond(start + " %c, %a" + types))
        << name;
  }
}

TEST_F(OpCosts, AreNoneForWhatBecomesNoInstruction) {
  EXPECT_EQ(costOf("%c = arith.constant 1.0 : f32", "f32"), 0);
  EXPECT_EQ(costOf("%r = arith.index_cast %a : i64 to index", "i64"), 0);
  EXPECT_EQ(costOf("", "f32"), 0);
}

TEST_F(OpCosts, AreHighForFunctionsThatNothingIsBuiltOf) {
  EXPECT_EQ(costOf("%r = math.fma %a, %a, %a : f32", "f32"), 1);
  EXPECT_GE(costOf("%r = math.atan %a : f32", "f32"),
            costOf("%r = math.erf %a : f32", "f32"));
}

// What is kept rather than computed again, on most machines.
TEST_F(OpCosts, OfFunctionsAreMoreThanOfReading) {
  int64_t read = MachineCosts().read;
  for (StringRef name : {"exp", "log", "sin", "cos", "tanh", "erf"})
    EXPECT_GT(getCost(makeOp(("pl." + name).str(), "f32")), read) << name.str();
  for (StringRef name : {"add", "div", "sqrt", "rsqrt", "recip"})
    EXPECT_LE(getCost(makeOp(("pl." + name).str(), "f32")), read) << name.str();
}
