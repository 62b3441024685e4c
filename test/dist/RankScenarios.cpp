// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one rank does in a test of ranks: `tegula-rank-scenarios NAME` under
// mpirun. Ends with 0 if all was as it should be, and prints errors it is told.

#include "tegula/dist/RankCall.h"
#include "tegula/dist/control/GatherEvents.h"
#include "tegula/dist/control/JoinRanks.h"

#include "RankProgramImage.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace tegula;

static std::unique_ptr<ProcessRanks> ranks;
static const std::string sites[] = {"f.py:1:1", "f.py:2:1", "f.py:3:1"};

static void check(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "rank %d: %s does not hold\n", int(tegulaRank()), what);
  std::_Exit(3);
}
#define CHECK(condition) check(condition, #condition)

/// The error of a call in words.
static std::string describe(const TegulaCallState &state) {
  return describeRunProblem(state, sites).getText();
}

/// Says what happened here, and what that should be.
static void printOutcome(const TegulaCallState &state) {
  std::printf("rank %d: %s\n", int(tegulaRank()),
              state.error ? describe(state).c_str() : "fine");
  std::fflush(stdout);
}

static void checkFine(const TegulaCallState &state) {
  if (state.error)
    printOutcome(state);
  CHECK(state.error == TegulaNoError);
}

/// A window of as many elements.
template <typename T>
static T *makeWindow(int64_t count, TegulaCallState &state) {
  return static_cast<T *>(tegulaWindowAllocate(count * sizeof(T), &state, 0));
}

/// Each rank writes to the next one, tells it, and reads what it got; again and
/// again, so that windows have to be zero each time.
static void shift() {
  int64_t me = tegulaRank(), count = tegulaRankCount();
  int64_t next = (me + 1) % count, last = (me + count - 1) % count;
  for (int iteration = 0; iteration < 20; ++iteration) {
    TegulaCallState state = {};
    auto *data = makeWindow<float>(1000, state);
    auto *signal = makeWindow<int32_t>(1, state);
    checkFine(state);
    CHECK(reinterpret_cast<uintptr_t>(data) % 64 == 0);
    CHECK(reinterpret_cast<uintptr_t>(signal) % 64 == 0);
    for (int64_t i = 0; i < 1000; ++i)
      CHECK(data[i] == 0 || (i >= 100 && i < 200));
    CHECK(*signal == 0 || *signal == 1);
    const int64_t shape[] = {100, 1};
    auto *there = static_cast<float *>(tegulaPeerBegin(
        data + 100, next, shape, 1, 32, TegulaPeerWrite, &state, 0));
    checkFine(state);
    for (int64_t i = 0; i < 100; ++i)
      there[i] = float(me * 1000 + i + iteration);
    tegulaPeerEnd(there, data + 100, next, shape, 1, 32, TegulaPeerWrite,
                  &state, 0);
    tegulaNotify(signal, next, 1, TegulaNotifyAdd, &state, 0);
    tegulaWait(signal, 1, TegulaWaitAtLeast, &state, 0);
    for (int64_t i = 0; i < 100; ++i)
      CHECK(data[100 + i] == float(last * 1000 + i + iteration));
    tegulaHostEnd(&state, 0);
    checkFine(state);
  }
}

/// Parts with gaps: nothing next to them is written.
static void stridedSlices() {
  int64_t me = tegulaRank(), count = tegulaRankCount();
  int64_t next = (me + 1) % count;
  TegulaCallState state = {};
  auto *data = makeWindow<int16_t>(64, state);
  tegulaMeet(7, &state, 0);
  // Rows 1 to 3 and every second column of 8x8, from the last row on.
  const int64_t shape[] = {3, 2, -8, 2};
  auto *there = static_cast<int16_t *>(tegulaPeerBegin(
      data + 25, next, shape, 2, 16, TegulaPeerWrite, &state, 0));
  checkFine(state);
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 2; ++j)
      there[-8 * i + 2 * j] = int16_t(10 * i + j + 1);
  tegulaPeerEnd(there, data + 25, next, shape, 2, 16, TegulaPeerWrite, &state,
                0);
  tegulaMeet(8, &state, 0);
  for (int64_t at = 0; at < 64; ++at) {
    int64_t row = 3 - at / 8, column = at % 8;
    bool isInside = row >= 0 && row < 3 && (column == 1 || column == 3);
    CHECK(data[at] == (isInside ? 10 * row + column / 2 + 1 : 0));
  }
  const int64_t one[] = {1, 1};
  auto *seen = static_cast<int16_t *>(
      tegulaPeerBegin(data + 25, next, one, 1, 16, TegulaPeerRead, &state, 0));
  CHECK(*seen == 1);
  tegulaPeerEnd(seen, data + 25, next, one, 1, 16, TegulaPeerRead, &state, 0);
  tegulaHostEnd(&state, 0);
  checkFine(state);
}

/// Neighbouring half bytes of one rank are written by two others.
static void halfBytes() {
  int64_t me = tegulaRank(), count = tegulaRankCount();
  TegulaCallState state = {};
  auto *data = makeWindow<uint8_t>(64, state);
  tegulaMeet(7, &state, 0);
  for (int64_t peer = 0; peer < count; ++peer) {
    // Elements me, me + count, ... up to 100.
    int64_t size = (100 - me + count - 1) / count;
    const int64_t shape[] = {size, count};
    char *own = toHalfByte(data) + me;
    auto *there = static_cast<char *>(
        tegulaPeerBegin(own, peer, shape, 1, 4, TegulaPeerWrite, &state, 0));
    checkFine(state);
    for (int64_t i = 0; i < size; ++i)
      writeHalfByte(there + i * count, (me + i) % 16);
    tegulaPeerEnd(there, own, peer, shape, 1, 4, TegulaPeerWrite, &state, 0);
  }
  tegulaMeet(8, &state, 0);
  for (int64_t i = 0; i < 128; ++i)
    CHECK(readHalfByte(toHalfByte(data) + i) ==
          (i < 100 ? (i % count + i / count) % 16 : 0));
  tegulaHostEnd(&state, 0);
  checkFine(state);
}

/// All ranks add to the memory of the first, one after the other.
static void updates() {
  TegulaCallState state = {};
  auto *sums = makeWindow<int64_t>(4, state);
  const int64_t shape[] = {4, 1};
  for (int iteration = 0; iteration < 200; ++iteration) {
    auto *there = static_cast<int64_t *>(
        tegulaPeerBegin(sums, 0, shape, 1, 64, TegulaPeerUpdate, &state, 0));
    checkFine(state);
    for (int i = 0; i < 4; ++i)
      there[i] += tegulaRank() + i;
    tegulaPeerEnd(there, sums, 0, shape, 1, 64, TegulaPeerUpdate, &state, 0);
  }
  tegulaMeet(7, &state, 0);
  int64_t count = tegulaRankCount();
  if (tegulaRank() == 0)
    for (int i = 0; i < 4; ++i)
      CHECK(sums[i] == 200 * (count * (count - 1) / 2 + i * count));
  tegulaHostEnd(&state, 0);
  checkFine(state);
}

/// Between two barriers all ranks see what was notified before the first.
static void barriers() {
  TegulaCallState state = {};
  auto *count = makeWindow<int32_t>(1, state);
  for (int iteration = 1; iteration <= 300; ++iteration) {
    for (int64_t peer = 0; peer < tegulaRankCount(); ++peer)
      tegulaNotify(count, peer, 1, TegulaNotifyAdd, &state, 0);
    tegulaMeet(iteration, &state, 0);
    CHECK(*static_cast<volatile int32_t *>(count) ==
          iteration * tegulaRankCount());
    tegulaMeet(-iteration, &state, 0);
  }
  tegulaHostEnd(&state, 0);
  checkFine(state);
}

namespace {

/// Part of a matrix of 16x16.
struct Box {
  int64_t row, column, rows, columns, step;

  template <typename Random> static Box choose(Random &random) {
    auto upTo = [&](int64_t most) { return int64_t(random() % (most + 1)); };
    Box box = {upTo(15), upTo(15), 0, 0, 1 + upTo(1)};
    box.rows = 1 + upTo(15 - box.row);
    box.columns = 1 + upTo((15 - box.column) / box.step);
    return box;
  }
  template <typename Use> void forEach(const Use &use) const {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        use((row + i) * 16 + column + j * step);
  }
};

} // namespace

/// What a dispatch does to a matrix.
static void compute(uint32_t *matrix, const Box &from, const Box &to,
                    uint32_t number) {
  uint32_t sum = number;
  from.forEach([&](int64_t at) { sum = sum * 31 + matrix[at]; });
  to.forEach([&](int64_t at) { matrix[at] = matrix[at] * 3 + sum; });
}

/// Dispatches of random parts of one tensor to random ranks give what they give
/// one after the other.
static void randomDispatches() {
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    TegulaCallState state = {};
    auto *shared =
        static_cast<uint32_t *>(tegulaSharedAllocate(1024, &state, 0));
    checkFine(state);
    std::vector<uint32_t> expected(256, 0);
    const int64_t shape[] = {256, 1};
    TegulaTensorUse all = {shared, shape, 1, 32, 0, 1};
    if (tegulaDispatchBegin(0, &all, 1, &state, 0)) {
      std::memset(shared, 0, 1024);
      tegulaDispatchEnd(&state, 0);
    }
    for (uint32_t number = 1; number <= 400; ++number) {
      Box from = Box::choose(random), to = Box::choose(random);
      int64_t device = random() % tegulaRankCount();
      const int64_t shapes[2][4] = {{from.rows, from.columns, 16, from.step},
                                    {to.rows, to.columns, 16, to.step}};
      TegulaTensorUse uses[] = {
          {shared + from.row * 16 + from.column, shapes[0], 2, 32, 1, 0},
          {shared + to.row * 16 + to.column, shapes[1], 2, 32, 1, 1}};
      if (tegulaDispatchBegin(device, uses, 2, &state, 0)) {
        compute(shared, from, to, number);
        tegulaDispatchEnd(&state, 0);
      }
      compute(expected.data(), from, to, number);
    }
    // Reading needs an end that gives nothing back yet.
    if (tegulaDispatchBegin(-1, &all, 1, &state, 0)) {
      CHECK(std::memcmp(shared, expected.data(), 1024) == 0);
      tegulaDispatchEnd(&state, 0);
    }
    tegulaHostEnd(&state, 0);
    checkFine(state);
  }
}

/// Dispatches that touch different parts run at the same time: the first one
/// waits for what the second does.
static void overlap() {
  if (tegulaRankCount() == 1)
    return;
  TegulaCallState state = {};
  auto *signal = makeWindow<int32_t>(1, state);
  auto *shared = static_cast<float *>(tegulaSharedAllocate(64, &state, 0));
  const int64_t shape[] = {8, 1};
  TegulaTensorUse low = {shared, shape, 1, 32, 0, 1};
  TegulaTensorUse high = {shared + 8, shape, 1, 32, 0, 1};
  if (tegulaDispatchBegin(0, &low, 1, &state, 0)) {
    tegulaWait(signal, 1, TegulaWaitEqual, &state, 0);
    tegulaDispatchEnd(&state, 0);
  }
  if (tegulaDispatchBegin(1, &high, 1, &state, 0)) {
    tegulaNotify(signal, 0, 1, TegulaNotifySet, &state, 0);
    tegulaDispatchEnd(&state, 0);
  }
  tegulaHostEnd(&state, 0);
  checkFine(state);
}

/// More windows than the first segment holds.
static void growth() {
  for (int iteration = 0; iteration < 3; ++iteration) {
    TegulaCallState state = {};
    std::vector<char *> blocks;
    for (int64_t bytes : {1 << 20, 3 << 20, 100, 5 << 20, 1 << 20}) {
      blocks.push_back(makeWindow<char>(bytes, state));
      checkFine(state);
      CHECK(blocks.back()[0] == 0 && blocks.back()[bytes - 1] == 0);
      blocks.back()[0] = blocks.back()[bytes - 1] = 1;
    }
    tegulaHostEnd(&state, 0);
    checkFine(state);
  }
  TegulaCallState state = {};
  tegulaWindowAllocate(int64_t(1) << 46, &state, 1);
  tegulaHostEnd(&state, 0);
  CHECK(describe(state) ==
        "f.py:2:1: no memory for a buffer of 70368744177664 bytes");
  shift();
}

/// Mistakes are told, and the next call works.
static void mistakes() {
  int64_t count = tegulaRankCount();
  TegulaCallState state = {};
  auto *window = makeWindow<int32_t>(1, state);
  tegulaNotify(window, count, 1, TegulaNotifyAdd, &state, 1);
  tegulaHostEnd(&state, 0);
  // Another rank may have been first.
  auto says = [&](const std::string &text) {
    return describe(state).find(text) != std::string::npos;
  };
  CHECK(says("there is no rank " + std::to_string(count)));
  state = {};
  int32_t outside = 0;
  tegulaNotify(&outside, 0, 1, TegulaNotifyAdd, &state, 1);
  tegulaHostEnd(&state, 0);
  CHECK(says("the tensor is in no window"));
  shift();
}

/// The last rank fails while the others wait for it in some way.
static void failure() {
  int64_t last = tegulaRankCount() - 1;
  for (int iteration = 0; iteration < 3; ++iteration) {
    TegulaCallState state = {};
    auto *signal = makeWindow<int32_t>(1, state);
    bool isOwn = tegulaDispatchBegin(last, nullptr, 0, &state, 0);
    if (isOwn) {
      tegulaReportError(&state, TegulaStepNotPositive, 2, 0, -iteration, 0);
      tegulaDispatchEnd(&state, 0);
    }
    if (iteration == 0)
      tegulaWait(signal, 1, TegulaWaitEqual, &state, 1);
    else if (iteration == 1)
      tegulaMeet(7, &state, 1);
    tegulaHostEnd(&state, 1);
    std::string expected = "f.py:3:1: the step of a loop is " +
                           std::to_string(-iteration) + ", it must be positive";
    if (!isOwn)
      expected = "rank " + std::to_string(last) + " failed: " + expected;
    if (describe(state) != expected)
      printOutcome(state);
    CHECK(describe(state) == expected);
    shift();
  }
}

/// Ranks come to different barriers.
static void disagreement() {
  TegulaCallState state = {};
  bool isFirst = tegulaRank() == 0;
  tegulaMeet(isFirst ? 7 : 8, &state, isFirst ? 0 : 1);
  tegulaHostEnd(&state, 2);
  CHECK(describe(state) ==
        (isFirst ? "f.py:1:1: ranks disagree: rank 1 is at f.py:2:1"
                 : "f.py:2:1: ranks disagree: rank 0 is at f.py:1:1"));
  shift();
  state = {};
  ranks->hold();
  Problem problem = ranks->agree(isFirst ? "f(4)" : "f(5)", {&state, -1});
  ranks->finish({&state, -1});
  CHECK(problem && problem.getText() ==
                       (isFirst ? "ranks call different things: rank 0 calls "
                                  "f(4), rank 1 calls f(5)"
                                : "ranks call different things: rank " +
                                      std::to_string(tegulaRank()) +
                                      " calls f(5), rank 0 calls f(4)"));
  shift();
  state = {};
  CHECK(!ranks->agree("f(6)", {&state, -1}));
  ranks->finish({&state, -1});
  shift();
}

/// The last rank does not come.
static void silence() {
  TegulaCallState state = {};
  auto *signal = makeWindow<int32_t>(1, state);
  bool isSilent = tegulaRank() == tegulaRankCount() - 1;
  if (isSilent) {
    ::sleep(2);
    std::_Exit(0);
  }
  if (tegulaRank() == 0)
    tegulaWait(signal, 5, TegulaWaitAtLeast, &state, 1);
  else
    tegulaMeet(7, &state, 2);
  printOutcome(state);
  std::_Exit(0);
}

/// The last rank works longer than others like to wait; they wait.
static void longWork() {
  TegulaCallState state = {};
  if (tegulaDispatchBegin(tegulaRankCount() - 1, nullptr, 0, &state, 0)) {
    int64_t end = readClock() + int64_t(3) * 1000000000;
    while (readClock() < end)
      ;
    tegulaDispatchEnd(&state, 0);
  }
  tegulaHostEnd(&state, 0);
  checkFine(state);
}

/// Says that something happens, and when.
static void printTime(const char *what) {
  std::printf("rank %d %s at %lld\n", int(tegulaRank()), what,
              static_cast<long long>(readClock()));
  std::fflush(stdout);
}

/// Waits for the others until something is wrong with them.
static void waitInVain() {
  TegulaCallState state = {};
  while (state.error == TegulaNoError)
    tegulaMeet(7, &state, 1);
  tegulaHostEnd(&state, 1);
  printTime("knows");
  printOutcome(state);
}

/// The last rank is killed.
static void killed() {
  shift();
  if (tegulaRank() == tegulaRankCount() - 1) {
    printTime("ends");
    ::kill(::getpid(), SIGKILL);
  }
  waitInVain();
  std::exit(1);
}

/// The last rank ends as if all were done.
static void left() {
  shift();
  if (tegulaRank() == tegulaRankCount() - 1) {
    printTime("ends");
    std::exit(0);
  }
  waitInVain();
  std::exit(1);
}

/// A rank that waits long does not work meanwhile.
static void idle() {
  shift();
  TegulaCallState state = {};
  if (tegulaRank() == tegulaRankCount() - 1)
    ::usleep(1500000);
  rusage before, after;
  ::getrusage(RUSAGE_SELF, &before);
  tegulaMeet(7, &state, 0);
  ::getrusage(RUSAGE_SELF, &after);
  auto seconds = [](const rusage &usage) {
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
           1e-6 * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  };
  double used = seconds(after) - seconds(before);
  if (used > 0.015)
    std::fprintf(stderr, "used %f s\n", used);
  CHECK(used <= 0.015);
  tegulaHostEnd(&state, 0);
  checkFine(state);
}

/// Calls of a program with arrays that each process has for itself.
static void calls() {
  std::unique_ptr<Variant> variant;
  CHECK(!loadImage(makeRankProgram(), {}, variant));
  chooseRanks(nullptr);
  RankCaller caller(*ranks);
  int64_t me = ranks->getRank(), count = ranks->getCount();
  auto call = [&](const TensorView &view, int64_t mode) {
    Problem problem = caller.call(*variant, "abc", {view, mode});
    return problem ? problem.getText() : "";
  };
  // Rows of every second element: those between them stay as they are.
  for (int64_t size : {0, 1, 7, 100, 1000, 7}) {
    std::vector<int64_t> x(2 * size, 10);
    CHECK(call(TensorView(x.data(), {size}, {2}), 1) == "");
    for (int64_t rank = 0; rank < count; ++rank)
      for (int64_t i = size * rank / count; i < size * (rank + 1) / count; ++i)
        CHECK(x[2 * i] == 11 + rank && x[2 * i + 1] == 10);
  }
  std::vector<int64_t> x(8, 10);
  std::string error = "f.py:1:1: the step of a loop is -7, it must be positive";
  CHECK(call(TensorView(x.data(), {8}), 2) ==
        (me == count - 1
             ? error
             : "rank " + std::to_string(count - 1) + " failed: " + error));
  CHECK(x[0] == 10);
  if (count > 1) {
    std::string text = call(TensorView(x.data(), {me == 0 ? 3 : 4}), 1);
    CHECK(text ==
          (me == 0 ? "ranks call different things: rank 0 calls f(x: [3], "
                     "mode = 1) of abc, rank 1 calls f(x: [4], mode = 1) of abc"
                   : "ranks call different things: rank " + std::to_string(me) +
                         " calls f(x: [4], mode = 1) of abc, rank 0 calls f(x: "
                         "[3], mode = 1) of abc"));
  }
  if (count > 1) {
    // The layout, and numbers.
    std::vector<int64_t> gaps(16, 10);
    TensorView strided(gaps.data(), {8}, {2});
    std::string text = call(me == 1 ? strided : TensorView(x.data(), {8}), 1);
    std::string one = "f(x: [8] by [2], mode = 1) of abc";
    std::string others = "f(x: [8], mode = 1) of abc";
    CHECK(text.find("rank 1 calls " + one) != std::string::npos);
    CHECK(text.find(" calls " + others) != std::string::npos);
    text = call(TensorView(x.data(), {8}), me == 0 ? 0 : 1);
    CHECK(text.find("rank 0 calls f(x: [8], mode = 0) of abc") !=
          std::string::npos);
  }
  CHECK(call(TensorView(x.data(), {8}), 1) == "");
  CHECK(x[0] == 11);
  chooseRanks(ranks.get());
}

/// Every rank knows what all did.
static void events() {
  RankRecorder recorder;
  ranks->setRecorder(&recorder);
  shift();
  ranks->setRecorder(nullptr);
  RankEvents all;
  CHECK(!gatherEvents(*ranks, recorder, all));
  int64_t count = tegulaRankCount();
  CHECK(int64_t(all.size()) == count);
  std::vector<RankMeasures> measures = measureRanks(all);
  for (int64_t rank = 0; rank < count; ++rank)
    CHECK(measures[rank].bytes[(rank + 1) % count] == 20 * 400);
}

int main(int argc, char **argv) {
  const std::map<std::string, std::function<void()>> scenarios = {
      {"shift", shift},
      {"strided-slices", stridedSlices},
      {"half-bytes", halfBytes},
      {"updates", updates},
      {"barriers", barriers},
      {"random-dispatches", randomDispatches},
      {"overlap", overlap},
      {"growth", growth},
      {"mistakes", mistakes},
      {"failure", failure},
      {"disagreement", disagreement},
      {"silence", silence},
      {"killed", killed},
      {"left", left},
      {"idle", idle},
      {"calls", calls},
      {"long-work", longWork},
      {"events", events}};
  if (Problem problem = joinRanks({}, ranks)) {
    std::fprintf(stderr, "%s\n", problem.getText().c_str());
    return 2;
  }
  chooseRanks(ranks.get());
  for (int index = 1; index < argc; ++index)
    scenarios.at(argv[index])();
  return 0;
}
