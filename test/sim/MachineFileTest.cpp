// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/machine/MachineKeys.h"
#include "tegula/support/File.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <set>

using namespace tegula;
using namespace tegula::sim;
using testing::ElementsAre;

/// The text of a default machine in which `line` stands for the line of its
/// key; an empty value leaves the key out.
static std::string textWith(llvm::StringRef name, llvm::StringRef value) {
  std::string text;
  for (const MachineKey &key : getMachineKeys()) {
    if (key.name != name)
      text += key.name.str() + " = " + printValue(Machine(), key) + "\n";
    else if (!value.empty())
      text += (name + " = " + value + "\n").str();
  }
  return text;
}

static std::string errorOf(llvm::StringRef text) {
  Expected<Machine> machine = parseMachine(text, "m.toml");
  return machine ? "" : llvm::toString(machine.takeError());
}

static std::string whatIfError(llvm::StringRef changes) {
  Machine machine;
  return llvm::toString(applyWhatIf(machine, changes));
}

TEST(MachineFile, EveryShippedMachineReadsAndPrintsBackTheSame) {
  EXPECT_THAT(listMachines(),
              ElementsAre("ascend910b", "edge8x8", "riscv-vector", "tpuv2",
                          "tpuv3", "tpuv4", "tpuv6e"));
  for (const std::string &name : listMachines()) {
    Expected<Machine> machine = loadMachine(name);
    ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
    EXPECT_EQ(machine->name, name);
    std::string printed = printMachine(*machine);
    Expected<Machine> again = parseMachine(printed, "printed");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(printMachine(*again), printed);
  }
}

TEST(MachineFile, TablesWithoutAKeyAndOtherCharactersAreErrors) {
  EXPECT_EQ(errorOf("[ = 1\n"),
            "m.toml:1: Error while parsing key: expected bare key "
            "starting character or string delimiter, saw '='");
  EXPECT_EQ(errorOf("cores = 1\n[ \xcf\xa4 ]\n"),
            "m.toml:2: a machine file has ASCII characters only");
}

TEST(MachineFile, TheReferencePageHasEveryKeyWithItsMeaning) {
  Expected<std::string> page =
      readFile(TEGULA_SOURCE_DIR "/docs/simulator.md", 1 << 20);
  ASSERT_TRUE(bool(page)) << llvm::toString(page.takeError());
  std::string table = "| key | meaning |\n|---|---|\n";
  for (const MachineKey &key : getMachineKeys())
    table += ("| `" + key.name + "` | " + key.meaning + " |\n").str();
  EXPECT_NE(page->find(table + "\n"), std::string::npos) << table;
}

TEST(MachineFile, UnknownKeysAreReportedWithTheNearest) {
  EXPECT_EQ(errorOf("core = 2\n" + textWith("", "")),
            "m.toml:1: unknown key 'core'; did you mean 'cores'?");
  EXPECT_EQ(errorOf("launch_cycless = 2\n" + textWith("", "")),
            "m.toml:1: unknown key 'launch_cycless'; did you mean "
            "'launch_cycles'?");
}

TEST(MachineFile, MissingKeysAreReportedWithTheirMeaning) {
  EXPECT_EQ(errorOf(textWith("weight_slots_per_array", "")).substr(0, 52),
            "m.toml: key 'weight_slots_per_array' is missing: 1: ");
}

TEST(MachineFile, WrongTypesAndRangesAreReportedWithTheLine) {
  EXPECT_EQ(errorOf(textWith("cores", "\"two\"")),
            "m.toml:3: cores must be a whole number");
  EXPECT_EQ(errorOf(textWith("cores", "0")),
            "m.toml:3: cores is 0, but must be from 1 to 4096");
  EXPECT_EQ(errorOf(textWith("array_efficiency", "1.5")),
            "m.toml:14: array_efficiency is 1.5, but must be from 0.01 to 1");
  EXPECT_EQ(errorOf(textWith("noc", "\"ring\"")),
            "m.toml:31: noc must be one of crossbar, mesh");
  EXPECT_EQ(errorOf(textWith("dma_loads_first", "1")),
            "m.toml:30: dma_loads_first must be true or false");
  EXPECT_EQ(errorOf(textWith("dram_hash_shifts", "[4, \"x\"]")),
            "m.toml:46: dram_hash_shifts must be a whole number");
  EXPECT_EQ(errorOf(textWith("dram_channels", "12")),
            "m.toml: dram_channels is 12, but must be a power of two");
  EXPECT_EQ(errorOf(textWith("dram_hash_shifts", "[2]")),
            "m.toml: dram_hash_shifts has 2, which mixes the bits of one of "
            "16 channels with each other");
  EXPECT_EQ(errorOf(textWith("vector_core", "\"sifive-x280\"")),
            "m.toml: vector_core is \"sifive-x280\" and vector_register_bits "
            "is 0, but a core has registers and lanes have none");
  EXPECT_EQ(errorOf(textWith("vector_units_are_cores", "true")),
            "m.toml: vector_units_are_cores is true, but "
            "vector_scratchpad_bytes_per_core is 0, and cores have a memory of "
            "their own");
  EXPECT_EQ(errorOf("cores = = 2").substr(0, 9), "m.toml:1:");
}

TEST(MachineFile, NamesThoseThatExistWhenOneDoesNot) {
  Expected<Machine> machine = loadMachine("tpuv9");
  ASSERT_FALSE(bool(machine));
  EXPECT_EQ(llvm::toString(machine.takeError()),
            "there is no machine 'tpuv9'; there are ascend910b, edge8x8, "
            "riscv-vector, tpuv2, tpuv3, tpuv4, tpuv6e, and files");
}

TEST(MachineFile, EnergiesAreReplacedByAnotherTable) {
  Machine machine;
  std::string text;
  for (const MachineKey &key : getMachineKeys())
    if (key.name.starts_with("energy_"))
      text += key.name.str() +
              (key.name == "energy_origin" ? " = \"mine\"\n" : " = 7\n");
  ASSERT_EQ(llvm::toString(replaceEnergies(machine, text, "e.toml")), "");
  EXPECT_EQ(machine.energyPjPerMac, 7);
  EXPECT_EQ(machine.energyOrigin, "mine");
  EXPECT_EQ(
      llvm::toString(replaceEnergies(machine, text + "cores = 2\n", "e.toml"))
          .substr(0, 28),
      "e.toml:10: unknown key 'core");
}

TEST(WhatIf, MultipliesAndSetsKeysThatMayLeaveOutTheirUnit) {
  Machine machine;
  ASSERT_EQ(llvm::toString(applyWhatIf(
                machine, "dram_bandwidth=x2,arrays=x2, cores=4,noc=mesh,"
                         "dma_loads_first=false,"
                         "vector_register_bits=256,vector_core=spacemit-x60")),
            "");
  EXPECT_EQ(machine.vectorCore, "spacemit-x60");
  EXPECT_EQ(machine.dramBandwidthGbPerS, 900);
  EXPECT_EQ(machine.arraysPerCore, 2);
  EXPECT_EQ(machine.cores, 4);
  EXPECT_EQ(machine.noc, NocKind::Mesh);
  EXPECT_FALSE(machine.dmaLoadsFirst);
}

TEST(WhatIf, ReportsWhatItCannotDo) {
  EXPECT_EQ(whatIfError("dram=x2").substr(0, 31),
            "'dram' could be dram_level, dra");
  EXPECT_EQ(whatIfError("bandwith=x2"),
            "unknown key 'bandwith'; did you mean 'l2_bandwidth_gb_per_s'?");
  EXPECT_EQ(whatIfError("cores"), "'cores' should be a key, '=' and a value");
  EXPECT_EQ(whatIfError("cores=two"),
            "cores: 'two' is neither a number nor x and a factor");
  EXPECT_EQ(whatIfError("cores=x1.5"),
            "cores is 1.5, but must be a whole number");
  EXPECT_EQ(whatIfError("cores=x0"), "cores is 0, but must be from 1 to 4096");
  EXPECT_EQ(whatIfError("dram_channels=x3"),
            "dram_channels is 48, but must be a power of two");
}
