// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/CApi.h"

#include "gtest/gtest.h"
#include <string>

static const std::string folder = TEGULA_SOURCE_DIR "/test/tools/Inputs/";

/// The message of a failed function; releases it.
static std::string take(char *message) {
  std::string text = message;
  tegulaStringDestroy(message);
  return text;
}

static TegulaArgument tensor(float *data, const int64_t *sizes,
                             const int64_t *strides) {
  TegulaArgument argument = {};
  argument.kind = TegulaTensorArgument;
  argument.data = data;
  argument.dtype = TegulaFP32;
  argument.rank = 2;
  argument.sizes = sizes;
  argument.strides = strides;
  return argument;
}

TEST(CApi, LoadsForATarget) {
  TegulaKernelHandle *kernel = nullptr;
  char *message = nullptr;
  std::string path = folder + "scale.py";
  ASSERT_TRUE(tegulaKernelLoadForTarget(path.c_str(), "scale", "interpreter",
                                        &kernel, &message));
  float x[16] = {1, 5};
  int64_t sizes[] = {1, 16}, strides[] = {16, 1};
  TegulaArgument arguments[3] = {tensor(x, sizes, strides)};
  arguments[1].kind = TegulaFloatArgument;
  arguments[1].real = 2.0;
  arguments[2].kind = TegulaIntegerArgument;
  arguments[2].integer = -3;
  ASSERT_TRUE(tegulaKernelCall(kernel, arguments, 3, &message));
  EXPECT_EQ(x[1], 7.0f);
  tegulaKernelDestroy(kernel);
  ASSERT_FALSE(tegulaKernelLoadForTarget(path.c_str(), "scale", "abacus",
                                         &kernel, &message));
  EXPECT_EQ(
      take(message),
      "there is no target 'abacus'; there is: cpu, interpreter, npu, cuda");
}

TEST(CApi, LoadsCallsAndReleases) {
  TegulaKernelHandle *kernel = nullptr;
  char *message = nullptr;
  ASSERT_TRUE(tegulaKernelLoad((folder + "scale.py").c_str(), "scale", &kernel,
                               &message));
  float x[32];
  for (int index = 0; index < 32; ++index)
    x[index] = static_cast<float>(index);
  int64_t sizes[] = {2, 16}, strides[] = {16, 1};
  TegulaArgument arguments[3] = {tensor(x, sizes, strides)};
  arguments[1].kind = TegulaFloatArgument;
  arguments[1].real = 2.0;
  arguments[2].kind = TegulaIntegerArgument;
  arguments[2].integer = -3;
  ASSERT_TRUE(tegulaKernelCall(kernel, arguments, 3, &message));
  EXPECT_EQ(x[31], 59.0f);
  EXPECT_EQ(tegulaKernelGetCompileCount(kernel), 1u);

  arguments[2].integer = 300;
  ASSERT_FALSE(tegulaKernelCall(kernel, arguments, 3, &message));
  EXPECT_EQ(take(message), "argument 'n': 300 does not fit INT8 (-128 to 127)");
  arguments[0].rank = 9;
  ASSERT_FALSE(tegulaKernelCall(kernel, arguments, 3, &message));
  EXPECT_EQ(take(message), "argument 0: 9 axes, at most 8 are possible");
  arguments[0].dtype = 99;
  ASSERT_FALSE(tegulaKernelCall(kernel, arguments, 3, &message));
  EXPECT_EQ(take(message), "argument 0: element type 99 does not exist");
  arguments[0].kind = 7;
  ASSERT_FALSE(tegulaKernelCall(kernel, arguments, 3, &message));
  EXPECT_EQ(take(message), "argument 0: kind 7 does not exist");
  tegulaKernelDestroy(kernel);
}

TEST(CApi, NamesTheFileThatIsMissing) {
  TegulaKernelHandle *kernel = nullptr;
  char *message = nullptr;
  ASSERT_FALSE(tegulaKernelLoad("/no/such/kernel.py", "", &kernel, &message));
  EXPECT_EQ(take(message),
            "cannot read '/no/such/kernel.py': No such file or directory");
}

TEST(CApi, RefusesNullWhereSomethingIsWanted) {
  TegulaKernelHandle *kernel = nullptr;
  char *message = nullptr;
  ASSERT_FALSE(tegulaKernelLoad(nullptr, "", &kernel, &message));
  EXPECT_EQ(take(message), "'path' is null");
  std::string path = folder + "scale.py";
  ASSERT_FALSE(tegulaKernelLoad(path.c_str(), "", nullptr, &message));
  EXPECT_EQ(take(message), "'kernel' is null");
  EXPECT_FALSE(tegulaKernelLoad("/no/such/kernel.py", "", &kernel, nullptr));
  ASSERT_FALSE(tegulaKernelCall(nullptr, nullptr, 0, &message));
  EXPECT_EQ(take(message), "'kernel' is null");

  ASSERT_TRUE(tegulaKernelLoad(path.c_str(), nullptr, &kernel, &message));
  ASSERT_FALSE(tegulaKernelCall(kernel, nullptr, 3, &message));
  EXPECT_EQ(take(message), "'arguments' is null");
  TegulaArgument arguments[3] = {};
  ASSERT_FALSE(tegulaKernelCall(kernel, arguments, -1, &message));
  EXPECT_EQ(take(message), "'count' is -1, it cannot be negative");
  float x[4] = {};
  int64_t sizes[] = {2, 2};
  arguments[0] = tensor(x, nullptr, sizes);
  ASSERT_FALSE(tegulaKernelCall(kernel, arguments, 3, &message));
  EXPECT_EQ(take(message), "argument 0: 'sizes' is null, but there are 2 axes");
  arguments[0] = tensor(x, sizes, nullptr);
  ASSERT_FALSE(tegulaKernelCall(kernel, arguments, 3, &message));
  EXPECT_EQ(take(message),
            "argument 0: 'strides' is null, but there are 2 axes");
  tegulaKernelDestroy(kernel);
  tegulaKernelDestroy(nullptr);
  tegulaStringDestroy(nullptr);
}

TEST(CApi, ComparesKernels) {
  std::string path = folder + "two.py", scale = folder + "scale.py";
  char *difference = nullptr, *message = nullptr;
  ASSERT_TRUE(tegulaKernelCompare(scale.c_str(), nullptr, scale.c_str(),
                                  "scale", &difference, &message));
  EXPECT_EQ(difference, nullptr);
  ASSERT_TRUE(tegulaKernelCompare(path.c_str(), "first", path.c_str(), "second",
                                  &difference, &message));
  ASSERT_NE(difference, nullptr);
  EXPECT_NE(take(difference).find("the programs differ: "), std::string::npos);
  ASSERT_FALSE(tegulaKernelCompare(path.c_str(), "no", path.c_str(), nullptr,
                                   &difference, &message));
  EXPECT_NE(take(message).find("no"), std::string::npos);
  ASSERT_FALSE(tegulaKernelCompare(nullptr, nullptr, path.c_str(), nullptr,
                                   &difference, &message));
  EXPECT_EQ(take(message), "'firstPath' is null");
}
