// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/image/KernelImage.h"

#include "gtest/gtest.h"

using namespace tegula;

static KernelFacts makeFacts() {
  using Op = ExtentProgram::Op;
  ExtentProgram half = {{{Op::Size, 0}, {Op::Constant, 2}, {Op::FloorDiv}},
                        {"M"}};
  Parameter x;
  x.name = "x";
  x.dtype = DType::BF16;
  x.axes = {{std::nullopt, "M", 64},
            {7, "", std::nullopt},
            {std::nullopt, "M // 2", std::nullopt, half}};
  Parameter n;
  n.name = "n";
  n.kind = Parameter::Kind::Scalar;
  n.direction = Direction::In;
  n.dtype = DType::Index;
  n.constant = 16;
  n.reason = "a tile shape";
  KernelFacts facts;
  facts.signature = {"f", {x, n}};
  facts.signature.requirements = {
      {half, "M // 2", "f.py:3:1", {{"M", half}}, 0, 1}};
  facts.signature.results = {0};
  facts.entry = "tegula_f";
  facts.sites = {"f.py:4:2", ""};
  facts.files = {{"f.py", "abc"}};
  return facts;
}

TEST(KernelImage, FactsReadBackAsTheyWereWritten) {
  std::string bytes = writeFacts(makeFacts());
  KernelFacts facts;
  ASSERT_TRUE(readFacts(bytes, facts));
  EXPECT_EQ(writeFacts(facts), bytes);
  EXPECT_EQ(facts.signature.format(), makeFacts().signature.format());
  EXPECT_EQ(facts.signature.parameters[1].constant, 16u);
  EXPECT_EQ(facts.sites, makeFacts().sites);
}

static KernelImage makeImage() {
  KernelImage image;
  image.facts = makeFacts();
  image.facts.runner = "somewhere";
  image.facts.features = "avx2 fma";
  image.objects = {{"device code", std::string("\0\1", 2)},
                   {hostCode, "a library"},
                   {"table", ""}};
  return image;
}

TEST(KernelImage, AllButTheHostCodeReadsBackAsItWasWritten) {
  std::string bytes = writeImage(makeImage());
  KernelImage image;
  ASSERT_TRUE(readImage(bytes, image));
  EXPECT_EQ(image.facts.runner, "somewhere");
  EXPECT_EQ(image.facts.features, "avx2 fma");
  ASSERT_EQ(image.objects.size(), 2u);
  EXPECT_EQ(image.find("device code")->bytes, std::string("\0\1", 2));
  EXPECT_EQ(image.find("table")->bytes, "");
  EXPECT_EQ(image.find(hostCode), nullptr);
  EXPECT_EQ(writeImage(image), bytes);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(readImage(bytes.substr(0, size), image)) << size;
}

TEST(KernelImage, IsNotLoadedWhereItCannotRun) {
  std::unique_ptr<Variant> variant;
  Problem problem = loadImage(makeImage(), {}, variant);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem.getText(),
            "there is no back end 'somewhere' to run the kernel");
  KernelImage image = makeImage();
  image.facts.runner = "";
  image.facts.features = "time-travel";
  problem = loadImage(std::move(image), {}, variant);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem.getText(), "the kernel was compiled for processors with "
                               "time-travel, which this one does not have");
  EXPECT_EQ(variant, nullptr);
}

TEST(KernelImage, AnyBytesCanBeRead) {
  std::string bytes = writeFacts(makeFacts());
  KernelFacts facts;
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(readFacts(bytes.substr(0, size), facts)) << size;
  EXPECT_FALSE(readFacts(bytes + "x", facts));
  // A changed byte gives other facts or none, and never a crash.
  for (size_t index = 0; index < bytes.size(); ++index)
    for (char change : {1, 127, -128}) {
      std::string changed = bytes;
      changed[index] ^= change;
      readFacts(changed, facts);
    }
}
