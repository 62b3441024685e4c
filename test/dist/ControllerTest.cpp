// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/control/Controller.h"

#include "RankProgramImage.h"
#include "RunCommand.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <atomic>
#include <filesystem>
#include <random>
#include <set>
#include <signal.h>
#include <sys/prctl.h>
#include <thread>

using namespace tegula;

/// Seconds until a rank that ended is named: one on a machine that is free,
/// which that of the tests need not be.
static constexpr double named = 10;
using testing::HasSubstr;
using testing::IsEmpty;

/// What is in a folder.
static std::set<std::string> listFolder(const char *path) {
  std::set<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(path))
    names.insert(entry.path().filename());
  return names;
}

/// The children of this process, whichever of its threads started them, living
/// and dead.
static std::string listChildren() {
  std::string all, text;
  for (const std::string &task : listFolder("/proc/self/task")) {
    std::ifstream file("/proc/self/task/" + task + "/children");
    if (std::getline(file, text))
      all += text;
  }
  return all;
}

namespace {

class Controlled : public testing::Test {
protected:
  void SetUp() override {
    KernelImage image = makeRankProgram();
    ASSERT_FALSE(loadImage(image, {}, variant));
  }
  void start(int64_t count) {
    Problem problem = Controller::start({count}, controller);
    ASSERT_FALSE(problem) << problem.getText();
    ASSERT_FALSE(controller->load(makeRankProgram(), program));
  }
  std::string call(std::vector<int64_t> &x, int64_t mode) {
    TensorView view(x.data(), {int64_t(x.size())});
    Problem problem = controller->call(program, *variant, {view, mode});
    return problem ? problem.getText() : "";
  }
  void expectWorks() {
    std::vector<int64_t> x(100, 10);
    EXPECT_EQ(call(x, 1), "");
    int64_t count = controller->getNumRanks();
    for (int64_t rank = 0; rank < count; ++rank)
      for (int64_t i = 100 * rank / count; i < 100 * (rank + 1) / count; ++i)
        ASSERT_EQ(x[i], 11 + rank);
  }

  std::unique_ptr<Variant> variant;
  std::unique_ptr<Controller> controller;
  int64_t program = -1;
};

/// As many ranks as the parameter says.
class ControlledRanks : public Controlled,
                        public testing::WithParamInterface<int> {};

} // namespace

TEST_P(ControlledRanks, RunProgramsOnCopiedTensors) {
  start(GetParam());
  for (int iteration = 0; iteration < 50; ++iteration)
    expectWorks();
}

INSTANTIATE_TEST_SUITE_P(Counts, ControlledRanks, testing::Values(1, 2, 4));

TEST_F(Controlled, SharedTensorsAreUsedInPlace) {
  start(2);
  auto *x = static_cast<int64_t *>(controller->allocate(1 << 20));
  ASSERT_NE(x, nullptr);
  x[0] = x[1] = 5;
  TensorView view(x, {2});
  EXPECT_FALSE(controller->call(program, *variant, {view, 1}));
  EXPECT_EQ(x[0], 6);
  EXPECT_EQ(x[1], 7);
  controller->free(x);
}

TEST_F(Controlled, ReportWhatRanksDidIfAsked) {
  start(2);
  expectWorks();
  RankEvents events;
  ASSERT_FALSE(controller->takeEvents(events));
  EXPECT_EQ(events[0].size() + events[1].size(), 0u);
  ASSERT_FALSE(controller->record(true));
  expectWorks();
  ASSERT_FALSE(controller->takeEvents(events));
  auto countDispatches = [&](int64_t rank) {
    int64_t count = 0;
    for (const RankEvent &event : events[rank])
      count += event.kind == RankEvent::Kind::Dispatch;
    return count;
  };
  EXPECT_EQ(countDispatches(0), 2);
  EXPECT_EQ(countDispatches(1), 1);
}

TEST_F(Controlled, RefuseMoreMemoryThanThereIs) {
  start(1);
  EXPECT_EQ(controller->allocate(int64_t(1) << 46), nullptr);
  expectWorks();
}

TEST_F(Controlled, AnErrorOfARankIsReportedAndRanksStay) {
  start(3);
  int64_t process = controller->getProcess(0);
  std::vector<int64_t> x(3);
  EXPECT_EQ(call(x, 2),
            "rank 2: f.py:1:1: the step of a loop is -7, it must be "
            "positive");
  expectWorks();
  EXPECT_EQ(controller->getProcess(0), process);
}

TEST_F(Controlled, ARankThatEndsIsNamedAndTheNextCallWorks) {
  std::set<std::string> before = listFolder("/dev/shm");
  start(3);
  for (int64_t mode : {3, 4}) {
    std::vector<int64_t> x(3);
    auto start = std::chrono::steady_clock::now();
    EXPECT_THAT(call(x, mode),
                HasSubstr(mode == 3 ? "rank 2 ended before the program was done"
                                    : "rank 2 left before the program was "
                                      "done"));
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    EXPECT_LT(time.count(), named);
    while (listChildren() != "" &&
           std::chrono::steady_clock::now() - start < std::chrono::seconds(30))
      ::usleep(10000);
    EXPECT_EQ(listChildren(), "");
    expectWorks();
  }
  EXPECT_NE(listChildren(), "");
  controller.reset();
  EXPECT_EQ(listChildren(), "");
  std::set<std::string> left;
  for (const std::string &name : listFolder("/dev/shm"))
    if (!before.count(name) && name.rfind("__KMP", 0) != 0 &&
        name.rfind("tegula-link", 0) != 0 &&
        name.rfind("vader_segment", 0) != 0)
      left.insert(name);
  EXPECT_THAT(left, IsEmpty());
}

TEST_F(Controlled, AForkedProcessLeavesTheRanksAlone) {
  start(2);
  pid_t child = ::fork();
  if (child == 0) {
    std::vector<int64_t> x(3);
    bool isRefused = call(x, 1) == "the ranks belong to the process that this "
                                   "one was forked from; start others";
    controller.reset();
    ::_exit(isRefused ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  expectWorks();
}

/// Ranks are killed at any time: while they start to wait, meet or end.
TEST_F(Controlled, RanksKilledAtRandomNeverHang) {
  start(3);
  std::mt19937 random(1);
  for (int iteration = 0; iteration < 50; ++iteration) {
    ASSERT_FALSE(controller->ping());
    int64_t victim = random() % 3;
    ::useconds_t delay = random() % 3000;
    std::thread killer([&, process = controller->getProcess(victim)] {
      ::usleep(delay);
      ::kill(process, SIGKILL);
    });
    std::vector<int64_t> x(3);
    auto start = std::chrono::steady_clock::now();
    std::string text;
    while (text.empty())
      text = call(x, iteration % 2 ? 6 : 1);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    killer.join();
    EXPECT_THAT(text, HasSubstr("rank " + std::to_string(victim) +
                                " ended before the program was done"));
    EXPECT_LT(time.count(), named);
  }
  expectWorks();
}

TEST(ControllerTransport, MessagesNextToSharedTensors) {
  CommandResult result =
      runCommand("TEGULA_RANKS_TRANSPORT=mpi " TEGULA_CONTROL_SCENARIO " 1");
  EXPECT_EQ(result.output, "fine\n");
}

TEST(ControllerFaults, ASilentRankIsNamed) {
  CommandResult result =
      runCommand("TEGULA_RANKS_TIMEOUT=1 " TEGULA_CONTROL_SCENARIO " 5");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("rank 2 does not answer; rank "));
  EXPECT_THAT(result.output, HasSubstr("f.py:1:1: waited 1 s in vain"));
  // It starts, and gives up after a second.
  EXPECT_LT(result.seconds, 60);
}

TEST(ControllerFaults, ARankThatWorksForEverIsEndedAtTheLimit) {
  CommandResult result = runCommand(TEGULA_CONTROL_SCENARIO " 7");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_THAT(
      result.output,
      testing::MatchesRegex("ranks? (0, )?(1, )?2 did not end in 1000 ms\n"));
}

TEST(ControllerFaults, RanksEndWithTheirController) {
  CommandResult result = runCommand(
      "exec 2> /dev/null; " TEGULA_CONTROL_SCENARIO " 6 > /dev/null & "
      "controller=$!; sleep 2; kill -KILL $controller; sleep 3; "
      "ps -eo args | grep -c \"[t]egula-rank /proc/$controller/\"");
  EXPECT_EQ(result.output, "0\n");
}
