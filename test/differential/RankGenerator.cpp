// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/RankGenerator.h"

using namespace tegula;
using namespace tegula::differential;

using std::to_string;

static Statement line(std::string text) { return {{std::move(text)}}; }

std::string RankGenerator::number() { return to_string(random.number(1, 4)); }

/// Another rank, or this one.
std::string RankGenerator::peer() {
  return "(pld.rank() + " + number() + ") % pld.nranks()";
}

/// Each rank writes to one other, which waits for it.
RankGenerator::Body RankGenerator::shift(const std::string &window,
                                         bool isRepeated) {
  std::string to = peer();
  // Senders differ, so each time has a signal of its own.
  std::string signal = "offsets=[" + to_string(numSignals++) + "]";
  std::string expected = isRepeated ? "turn + 1" : "1";
  return {line("pld.tensor.put(dst=" + window + ", peer=" + to + ", src=x)"),
          line("pld.system.notify(target=s, peer=" + to + ", " + signal +
               ", value=1, op=pld.NotifyOp.AtomicAdd)"),
          line("pld.system.wait(signal=s, " + signal +
               ", expected=" + expected + ", cmp=pld.WaitCmp." +
               random.pick({"Ge", "Eq"}) + ")"),
          line("y[:] = pl.load(y) + pl.load(" + window + ")")};
}

/// All ranks add to the windows of some.
RankGenerator::Body RankGenerator::sumAtOthers(const std::string &window) {
  Body body = {line(window + "[:] = pl.load(x) * " + number()),
               line("pld.tensor.barrier()")};
  for (int64_t left = random.number(1, 2); left > 0; --left)
    body.push_back(line("pld.tensor.put(dst=" + window + ", peer=" + peer() +
                        ", src=x, atomic=pld.AtomicType.Add)"));
  body.push_back(line("pld.tensor.barrier()"));
  body.push_back(line("y[:] = pl.load(y) - pl.load(" + window + ")"));
  return body;
}

/// Each rank writes its own window and reads those of some.
RankGenerator::Body RankGenerator::readOthers(const std::string &window) {
  Body body = {line(window + "[:] = pl.load(x) + " + number()),
               line("pld.tensor.barrier()")};
  for (int64_t left = random.number(1, 2); left > 0; --left)
    body.push_back(random.chance(50)
                       ? line("y[:] = pl.load(y) + pld.tile.remote_load(" +
                              window + ", peer=" + peer() +
                              ", offsets=[0], shape=[N])")
                       : line("pld.tensor.get(dst=y, peer=" + peer() +
                              ", src=" + window + ")"));
  return body;
}

static std::string collectiveCall(Random &random, const std::string &window) {
  if (random.chance(30))
    return "pld.tensor.broadcast(" + window + ", root=pld.nranks() - 1)";
  std::string op = random.pick({"Sum", "Max", "Min"});
  std::string mode = random.pick({"mesh", "ring"});
  return "pld.tensor.allreduce(" + window + ", op=pld.ReduceOp." + op +
         ", mode=\"" + mode + "\")";
}

RankGenerator::Body RankGenerator::collective(const std::string &window) {
  return {line(window + "[:] = pl.load(x) - " + number()),
          line(window + " = " + collectiveCall(random, window)),
          line("y[:] = pl.load(y) + pl.load(" + window + ")")};
}

void RankGenerator::repeat(Body &body, Body phase) {
  Statement loop = line("for turn in pl.range(2):");
  loop.body = std::move(phase);
  loop.body.insert(loop.body.begin(), line("pld.tensor.barrier()"));
  body.push_back(std::move(loop));
}

RankGenerator::Body RankGenerator::phase() {
  int64_t number = random.number(0, numWindows - 1);
  std::string window = "w" + to_string(number);
  bool isRepeated = random.chance(30);
  Body inner;
  switch (random.number(0, 3)) {
  case 0:
    inner = shift(window, isRepeated);
    break;
  case 1:
    inner = sumAtOthers(window);
    break;
  case 2:
    inner = readOthers(window);
    break;
  default:
    inner = collective(window);
  }
  Body body;
  if (isRepeated) {
    repeat(body, std::move(inner));
    isInUse = {};
  } else {
    if (isInUse[number]) {
      body.push_back(line("pld.tensor.barrier()"));
      isInUse = {};
    }
    body.insert(body.end(), inner.begin(), inner.end());
  }
  isInUse[number] = true;
  return body;
}

void RankGenerator::makeStep(const std::string &name) {
  Program step;
  for (int64_t left = random.number(1, 3); left > 0; --left)
    for (Statement &statement : phase())
      step.body.push_back(std::move(statement));
  std::string vector = "[[N], pl." + dtype + "]";
  std::string window = ": pld.DistributedTensor" + vector + ", ";
  program.helpers += "@pl.jit.incore\ndef " + name + "(x: pl.Tensor" + vector +
                     ", y: pl.InOut[pl.Tensor" + vector + "], w0" + window +
                     "w1" + window +
                     "s: pld.DistributedTensor[[16], pl.INT32]):\n" +
                     step.printBody(1) + "\n\n";
}

void RankGenerator::dispatchAll(const std::string &name) {
  makeStep(name);
  Statement loop = line("for r in pl.range(pld.world_size()):");
  loop.body = {line(name + "(x[r], y[r], w0, w1, s, device=r)")};
  program.body.push_back(std::move(loop));
}

/// What one rank wrote, another one reads.
void RankGenerator::dispatchAround() {
  std::string other = "(r + " + number() + ") % pld.world_size()";
  Statement there = line("for r in pl.range(pld.world_size()):");
  there.body = {line("add(y[r], between[r], device=" + other + ")")};
  Statement back = line("for r in pl.range(pld.world_size()):");
  back.body = {line("add(between[" + other + "], y[r], device=r)")};
  program.body.push_back(std::move(there));
  program.body.push_back(std::move(back));
  if (random.chance(30))
    program.body.push_back(line("y[0, 0] = x[pld.world_size() - 1, 0]"));
  if (random.chance(40)) {
    Statement given = line("for r in pl.range(pld.world_size()):");
    given.body = {line("rows, number = doubled(y[r], r, device=" + other + ")"),
                  line("y[r] = rows"),
                  line("add(y[number], between[r], device=r)")};
    program.body.push_back(std::move(given));
  }
}

/// All ranks do it, outside of dispatches.
void RankGenerator::hostCollective() {
  int64_t number = random.number(0, numWindows - 1);
  std::string window = "w" + to_string(number);
  program.body.push_back(line(window + " = " + collectiveCall(random, window)));
  // It begins and ends with all ranks together.
  isInUse = {};
}

Program RankGenerator::generate() {
  kind = {"PC", random.pick({DType::FP32, DType::Int32})};
  dtype = getName(kind.dtype).str();
  program.isOverRanks = true;
  program.tiles = {{'R', 1}, {'C', 8}, {'K', 1}};
  program.parameters = {{"x", kind}, {"y", kind, /*isWritten=*/true}};
  std::string vector = "[[N], pl." + dtype + "]";
  program.helpers = "@pl.jit.incore\ndef add(a: pl.Tensor" + vector +
                    ", b: pl.InOut[pl.Tensor" + vector +
                    "]):\n    b[:] = pl.load(a) + pl.load(b)\n\n\n";
  for (int window = 0; window < numWindows; ++window)
    program.body.push_back(line("w" + to_string(window) +
                                " = pld.window(pld.alloc_window_buffer([N], "
                                "dtype=pl." +
                                dtype + "), [N], dtype=pl." + dtype + ")"));
  program.body.push_back(line(
      "s = pld.window(pld.alloc_window_buffer([16], dtype=pl.INT32), [16], "
      "dtype=pl.INT32)"));
  program.body.push_back(
      line("between = pl.create_tensor([NR, N], dtype=pl." + dtype + ")"));
  Statement clear = line("for r in pl.range(pld.world_size()):");
  program.helpers += "@pl.jit.incore\ndef copy(a: pl.Tensor" + vector +
                     ", b: pl.Out[pl.Tensor" + vector +
                     "]):\n    b[:] = pl.load(a)\n\n\n"
                     "@pl.jit.incore\ndef doubled(a: pl.Tensor" +
                     vector +
                     ", r: pl.Scalar[pl.INT32]):\n    return pl.load(a) + "
                     "pl.load(a), (r + 1) % pld.nranks()\n\n\n";
  clear.body = {line("copy(x[r], between[r], device=r)")};
  program.body.push_back(std::move(clear));
  int64_t count = random.number(1, 4);
  for (int64_t part = 0; part < count; ++part) {
    if (part == 0 || random.chance(50))
      dispatchAll("step" + to_string(part));
    else if (random.chance(60))
      dispatchAround();
    else
      hostCollective();
  }
  return std::move(program);
}
