// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/npu/vector/VectorCore.h"
#include "tegula/sim/cost/VectorCycles.h"
#include "test/backends/npu/vector/RegionText.h"

#include "gmock/gmock.h"
#include <array>
#include <thread>

using namespace tegula;

static const std::string addText = regionText(
    {{matrix, "f32"}, {matrix, "f32"}, {matrix, "f32"}},
    "%s = arith.addf %0, %1 : f32\n linalg.yield %s : f32", elementwise);
static const std::string expText =
    regionText({{matrix, "f32"}, {column, "f32"}, {matrix, "f32"}},
               "%d = arith.subf %0, %1 : f32\n %e = math.exp %d : f32\n"
               "linalg.yield %e : f32",
               elementwise);
static const std::string sumText =
    regionText({{matrix, "f32"}, {column, "f32"}},
               "%s = arith.addf %1, %0 : f32\n linalg.yield %s : f32", ofRows);

static sim::Machine machineWith(llvm::StringRef core, int64_t bits) {
  sim::Machine machine;
  machine.name = "made up";
  machine.vectorCore = core.str();
  machine.vectorRegisterBits = bits;
  return machine;
}

static const sim::Machine inOrder = machineWith("sifive-x280", 512);
static const sim::Machine outOfOrder = machineWith("tt-ascalon-d8", 256);

static std::string errorOf(const std::string &text,
                           const sim::Machine &machine) {
  Region region(text);
  Expected<VectorCost> cost = timeRegion(region.get(), machine);
  return cost ? "" : llvm::toString(cost.takeError());
}

static VectorCost costOf(const std::string &text, const sim::Machine &machine) {
  Region region(text);
  Expected<VectorCost> cost = timeRegion(region.get(), machine);
  if (cost)
    return *cost;
  ADD_FAILURE() << llvm::toString(cost.takeError());
  return {};
}

static double perElement(const VectorCost &cost) {
  return cost.iterationCycles / cost.iterationElements;
}

/// Cycles of `rows` rows of `columns` elements.
static int64_t cyclesOf(const VectorCost &cost, int64_t rows, int64_t columns) {
  TegulaTraceFormula formula = {};
  cost.fillIn(formula);
  sim::Machine machine;
  return sim::getVectorCycles(formula, rows, columns, 0, machine);
}

/// The cores that a message about a wrong one offers.
static std::vector<std::string> listedCores() {
  std::string message = errorOf(addText, machineWith("none", 512));
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(message).split("there are ").second.split(names, ", ");
  return {names.begin(), names.end()};
}

TEST(VectorCost, LargerRegionsCostMore) {
  for (const sim::Machine &machine : {inOrder, outOfOrder}) {
    VectorCost add = costOf(addText, machine);
    VectorCost exp = costOf(expText, machine);
    VectorCost sum = costOf(sumText, machine);
    for (const VectorCost &cost : {add, exp, sum}) {
      EXPECT_GT(cost.iterationCycles, 0);
      EXPECT_EQ(cost.iterationElements,
                cost.lmul * unsigned(machine.vectorRegisterBits) / 32);
    }
    EXPECT_GT(perElement(exp), 4 * perElement(add));
    // What is left in a register at the end is summed once per row.
    EXPECT_GT(sum.rowCycles, add.rowCycles);
  }
}

TEST(VectorCost, TheLastIterationCostsAWholeOne) {
  VectorCost cost = costOf(addText, inOrder);
  int64_t whole = cyclesOf(cost, 1, cost.iterationElements);
  EXPECT_EQ(cyclesOf(cost, 1, 1), whole);
  EXPECT_EQ(cyclesOf(cost, 1, cost.iterationElements + 1) - whole,
            cost.iterationCycles);
  EXPECT_GT(cyclesOf(cost, 2, 1), whole);
}

TEST(VectorCost, FormulasHaveWholeCyclesUpwards) {
  TegulaTraceFormula formula = {};
  VectorCost{2, 16, 1.5, 0.25, 3}.fillIn(formula);
  EXPECT_EQ(formula.iterationElements, 16);
  EXPECT_EQ(formula.iterationCycles, 2);
  EXPECT_EQ(formula.rowCycles, 1);
  EXPECT_EQ(formula.fillCycles, 3);
}

TEST(VectorCost, WhatAllElementsShareIsReadOncePerRow) {
  auto subtract = [](llvm::StringRef map) {
    return regionText({{matrix, "f32"}, {map, "f32"}, {matrix, "f32"}},
                      "%d = arith.subf %0, %1 : f32\n linalg.yield %d : f32",
                      elementwise);
  };
  VectorCost shared = costOf(subtract(column), inOrder);
  VectorCost all = costOf(subtract(matrix), inOrder);
  EXPECT_LT(perElement(shared), perElement(all));
  EXPECT_GE(shared.rowCycles, all.rowCycles);
  // A row that all rows share is traversed as any other.
  EXPECT_EQ(costOf(subtract(row), inOrder).iterationCycles,
            all.iterationCycles);
}

TEST(VectorCost, ElementsThatAreNoNeighboursCostMore) {
  auto copy = [](const std::string &layout) {
    return regionText({{matrix, "f32", layout}, {matrix, "f32"}},
                      "linalg.yield %0 : f32", elementwise);
  };
  VectorCost dense = costOf(copy(""), inOrder);
  EXPECT_GT(perElement(costOf(copy(", strided<[1, 64]>"), inOrder)),
            perElement(dense));
  EXPECT_GT(perElement(costOf(copy(", strided<[?, ?]>"), inOrder)),
            perElement(dense));
}

TEST(VectorCost, EachKindOfRegionIsTimedOnce) {
  auto triple = [](const char *extent) {
    return std::string("func.func @f(%a: memref<") + extent +
           "x4x?xf32>) {\n linalg.generic {indexing_maps = [affine_map<(a, b, "
           "c) -> (a, b, c)>], iterator_types = [\"parallel\", \"parallel\", "
           "\"parallel\"]} outs(%a : memref<" +
           extent +
           "x4x?xf32>) {\n ^bb0(%0: f32):\n %k = arith.constant 0.625 : f32\n"
           "%1 = arith.mulf %0, %k : f32\n linalg.yield %1 : f32\n }\n "
           "return\n}";
  };
  unsigned before = countTimedRegions();
  VectorCost cost = costOf(triple("2"), inOrder);
  EXPECT_EQ(countTimedRegions(), before + 1);
  EXPECT_EQ(costOf(triple("?"), inOrder).iterationCycles, cost.iterationCycles);
  EXPECT_EQ(countTimedRegions(), before + 1);
  EXPECT_NE(costOf(triple("2"), outOfOrder).iterationCycles,
            cost.iterationCycles);
  EXPECT_EQ(countTimedRegions(), before + 2);
}

TEST(VectorCost, ThreadsAskAtTheSameTime) {
  std::vector<std::thread> threads;
  std::vector<VectorCost> costs(8);
  for (unsigned index = 0; index < costs.size(); ++index)
    threads.emplace_back([index, &costs] {
      // Two of each kind.
      std::string number = std::to_string(index / 2) + ".0625";
      costs[index] = costOf(regionText({{matrix, "f32"}, {matrix, "f32"}},
                                       "%k = arith.constant " + number +
                                           " : f32\n%s = arith.mulf %0, %k : "
                                           "f32\n linalg.yield %s : f32",
                                       elementwise),
                            inOrder);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const VectorCost &cost : costs)
    EXPECT_EQ(cost.iterationCycles, costs[0].iterationCycles);
}

TEST(VectorCost, EveryCoreThatIsOfferedTimes) {
  std::vector<std::string> names = listedCores();
  EXPECT_THAT(names, testing::IsSupersetOf({"sifive-x280", "sifive-p670",
                                            "spacemit-x60", "tt-ascalon-d8"}));
  for (const std::string &name : names) {
    auto core = VectorCore::find(name);
    ASSERT_TRUE(bool(core)) << llvm::toString(core.takeError());
    sim::Machine machine = machineWith(name, (*core)->getRegisterBits());
    for (const std::string &text : {addText, expText, sumText})
      EXPECT_EQ(errorOf(text, machine), "") << name;
  }
}

TEST(VectorCost, NamesCoresThatCannotBeTimed) {
  std::string offered = "; there are " + llvm::join(listedCores(), ", ");
  EXPECT_EQ(
      errorOf(addText, machineWith("sifive-u74", 512)),
      "vector_core is \"sifive-u74\", which has no vectors (extension V)" +
          offered);
  EXPECT_EQ(errorOf(addText, machineWith("xiangshan-kunminghu", 128)),
            "vector_core is \"xiangshan-kunminghu\", which has no scheduling "
            "model of its vectors in LLVM" +
                offered);
  EXPECT_EQ(errorOf(addText, machineWith("syntacore-scr7", 128)),
            "vector_core is \"syntacore-scr7\", which has no scheduling model "
            "of its vectors in LLVM" +
                offered);
  EXPECT_EQ(errorOf(addText, machineWith("sifive-e20", 512)),
            "vector_core is \"sifive-e20\", which is no 64-bit processor" +
                offered);
  EXPECT_EQ(errorOf(addText, machineWith("x280", 512)),
            "vector_core is \"x280\", which is no RISC-V processor that LLVM "
            "knows" +
                offered);
  EXPECT_EQ(errorOf(addText, machineWith("sifive-x280", 256)),
            "vector_register_bits is 256, but sifive-x280 is timed with "
            "registers of 512 bits");
  EXPECT_EQ(llvm::toString(checkVectorCore(machineWith("sifive-x280", 256))),
            "vector_register_bits is 256, but sifive-x280 is timed with "
            "registers of 512 bits");
  EXPECT_EQ(llvm::toString(checkVectorCore(inOrder)), "");
  EXPECT_EQ(llvm::toString(checkVectorCore(machineWith("", 0))), "");
  EXPECT_EQ(errorOf(addText, machineWith("", 0)),
            "the machine made up has lanes and no vector_core");
}

TEST(VectorCost, SaysWhyARegionIsNotTimed) {
  auto unary = [](const std::string &op, const std::string &type) {
    return regionText({{matrix, type}, {matrix, type}},
                      "%r = " + op + " %0 : " + type +
                          "\n linalg.yield %r : " + type,
                      elementwise);
  };
  EXPECT_EQ(errorOf(unary("math.sinh", "f64"), inOrder),
            "the region is not timed: it calls 'sinh', so its loop has no "
            "vectors");
  EXPECT_EQ(errorOf(unary("math.cbrt", "f64"), inOrder),
            "the region is not timed: it has no code for RISC-V vectors: "
            "failed to legalize operation 'math.cbrt'");
  EXPECT_EQ(errorOf(unary("math.sqrt", "f16"), machineWith("sifive-p670", 128)),
            "the region is not timed: sifive-p670 has no vectors of FP16 "
            "(extension Zvfhmin)");
  EXPECT_EQ(errorOf(regionText({{matrix, "f32"}, {column, "f32"}},
                               "%r = arith.mulf %1, %0 : f32\n"
                               "linalg.yield %r : f32",
                               ofRows),
                    inOrder),
            "the region is not timed: no vector instruction combines its rows");
}

/// Every function and every type of the language, as regions have them.
TEST(VectorCost, TimesTheFunctionsOfTheLanguage) {
  auto unary = [](const std::string &op, const std::string &from,
                  const std::string &to, const std::string &types) {
    return regionText({{matrix, from}, {matrix, to}},
                      "%r = " + op + " %0 : " + types +
                          "\n linalg.yield %r : " + to,
                      elementwise);
  };
  std::vector<std::string> texts;
  for (const char *name :
       {"absf", "ceil", "cos", "erf", "exp", "floor", "log", "round",
        "roundeven", "rsqrt", "sin", "sqrt", "tanh", "trunc"})
    for (const char *type : {"f32", "f64"})
      texts.push_back(unary("math." + std::string(name), type, type, type));
  for (auto [op, from, to] :
       std::vector<std::array<std::string, 3>>{{"extf", "f16", "f32"},
                                               {"truncf", "f32", "f16"},
                                               {"extf", "bf16", "f32"},
                                               {"truncf", "f32", "bf16"},
                                               {"extf", "f8E4M3FN", "f32"},
                                               {"truncf", "f32", "f8E4M3FN"},
                                               {"extf", "f8E5M2", "f32"},
                                               {"truncf", "f32", "f8E5M2"},
                                               {"extf", "f32", "f64"},
                                               {"truncf", "f64", "f32"},
                                               {"sitofp", "i64", "f64"},
                                               {"uitofp", "i8", "f32"},
                                               {"fptosi", "f32", "i32"},
                                               {"fptoui", "f64", "i64"},
                                               {"extsi", "i4", "i8"},
                                               {"trunci", "i16", "i1"},
                                               {"extui", "i1", "i64"}})
    texts.push_back(unary("arith." + op, from, to, from + " to " + to));
  for (const char *name : {"powf", "copysign"})
    texts.push_back(
        regionText({{matrix, "f32"}, {column, "f32"}, {matrix, "f32"}},
                   "%r = math." + std::string(name) +
                       " %0, %1 : f32\n linalg.yield %r : f32",
                   elementwise));
  for (const char *name : {"addi", "andi", "ori", "xori", "maxsi", "minui"})
    for (const char *type : {"i8", "i32", "i64"}) {
      std::string body = "%r = arith." + std::string(name) +
                         " %1, %0 : " + type + "\n linalg.yield %r : " + type;
      texts.push_back(
          regionText({{matrix, type}, {column, type}}, body, ofRows));
      texts.push_back(
          regionText({{matrix, type}, {row, type}}, body, ofColumns));
    }
  for (const char *name : {"maximumf", "minimumf", "maxnumf", "minnumf"})
    for (const char *type : {"f32", "f64"})
      texts.push_back(regionText({{matrix, type}, {column, type}},
                                 "%r = arith." + std::string(name) +
                                     " %1, %0 : " + type +
                                     "\n linalg.yield %r : " + type,
                                 ofRows));
  for (const std::string &text : texts)
    EXPECT_EQ(errorOf(text, inOrder), "") << text;
}
