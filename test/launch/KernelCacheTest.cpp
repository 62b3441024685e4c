// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The index of one kernel's variants, written by many processes at once.

#include "tegula/launch/cache/KernelCache.h"
#include "tegula/launch/cache/CacheFiles.h"
#include "tegula/launch/call/SignatureBytes.h"
#include "test/launch/CacheFixture.h"

using namespace tegula;

namespace {

constexpr unsigned rank = 6;

class KernelCacheIndex : public DiskCacheTest {
protected:
  void TearDown() override {
    setDefaultCache(CacheOptions::fromEnvironment());
    DiskCacheTest::TearDown();
  }

  static Parameter openTensor() {
    Parameter parameter;
    parameter.name = "x";
    return parameter;
  }

  /// A variant that is specialised on the axes whose bits are set.
  static KernelImage imageFor(unsigned axes) {
    Parameter parameter = openTensor();
    parameter.dtype = DType::FP32;
    parameter.axes.emplace();
    for (unsigned axis = 0; axis < rank; ++axis)
      parameter.axes->push_back(
          axes >> axis & 1
              ? Axis{3, "", std::nullopt}
              : Axis{std::nullopt, "x." + std::to_string(axis), std::nullopt});
    KernelImage image;
    image.facts.signature = {"f", {parameter}};
    image.objects = {{hostCode, "no library, which does not matter here"}};
    return image;
  }

  /// What a process does that compiles this variant.
  bool compile(unsigned axes) {
    setDefaultCache(options);
    KernelCache kept("key");
    Signature declared = {"f", {openTensor()}}, read;
    if (!kept.findDeclared(read))
      kept.storeDeclared(declared, {});
    return static_cast<bool>(kept.store(imageFor(axes), declared));
  }

  void compileAtOnce(unsigned count,
                     const std::function<unsigned(unsigned)> &axesOf) {
    std::vector<pid_t> processes;
    for (unsigned number = 0; number < count; ++number)
      processes.push_back(
          startProcess([&, number] { return compile(axesOf(number)); }));
    for (pid_t process : processes) {
      int status = -1;
      waitpid(process, &status, 0);
      EXPECT_EQ(status, 0);
    }
  }

  /// How many patterns the index has.
  uint64_t countPatterns() {
    std::optional<CachedCode> found = open().find("key", "index");
    if (!found)
      return 0;
    ByteReader reader(found->entry.facts);
    Signature declared;
    readFields(reader, declared);
    EXPECT_EQ(reader.readCount(), 0u) << "files";
    return reader.readCount();
  }
};

} // namespace

TEST_F(KernelCacheIndex, HasAPatternOnce) {
  compileAtOnce(24, [](unsigned) { return 5; });
  EXPECT_EQ(countPatterns(), 1u);
}

TEST_F(KernelCacheIndex, LosesNoPattern) {
  compileAtOnce(24, [](unsigned number) { return number; });
  EXPECT_EQ(countPatterns(), 24u);
}

TEST_F(KernelCacheIndex, WaitsForNobodyWhoWasStopped) {
  ASSERT_TRUE(compile(1));
  FolderLock *lock = nullptr;
  pid_t stopped = startProcess([&] {
    lock = new FolderLock(options.folder);
    return raise(SIGSTOP) == 0;
  });
  int status = 0;
  waitpid(stopped, &status, WUNTRACED);
  ASSERT_TRUE(WIFSTOPPED(status));
  ASSERT_TRUE(compile(2));
  EXPECT_EQ(countPatterns(), 2u);
  kill(stopped, SIGKILL);
  waitpid(stopped, &status, 0);
}

TEST_F(KernelCacheIndex, MayHoldAnything) {
  ASSERT_TRUE(compile(3));
  std::optional<CachedCode> good = open().find("key", "index");
  ASSERT_TRUE(good);
  auto use = [&](const std::string &facts) {
    CacheEntry entry = good->entry;
    entry.facts = facts;
    ASSERT_TRUE(open().store(entry, ""));
    setDefaultCache(options);
    KernelCache kept("key");
    Signature declared;
    if (!kept.findDeclared(declared))
      return;
    float memory[1] = {};
    std::vector<int64_t> sizes(rank, 1);
    std::vector<Argument> arguments(declared.parameters.size(),
                                    TensorView(memory, DType::FP32, sizes, {}));
    EXPECT_EQ(kept.find(arguments), nullptr);
  };
  const std::string facts = good->entry.facts;
  for (size_t size = 0; size < facts.size(); ++size)
    use(facts.substr(0, size));
  for (size_t index = 0; index < facts.size(); ++index)
    for (unsigned char value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::string changed = facts;
      changed[index] = static_cast<char>(value);
      use(changed);
    }
}
