// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/memory/BankDram.h"

using namespace tegula;
using namespace tegula::sim;

BankDram::BankDram(const Machine &machine)
    : hash(machine), lineShift(llvm::Log2_64(machine.dramLineBytes)),
      rowShift(llvm::Log2_64(machine.dramRowBytes)),
      bankShift(llvm::Log2_64(machine.dramBanksPerChannel)),
      bankMask(machine.dramBanksPerChannel - 1),
      line(fromCycles(double(machine.dramLineBytes) * machine.dramChannels /
                      machine.getDramBytesPerCycle())),
      rcd(fromNs(machine.dramRcdNs, machine)),
      rp(fromNs(machine.dramRpNs, machine)),
      ras(fromNs(machine.dramRasNs, machine)),
      rrd(fromNs(machine.dramRrdNs, machine)),
      faw(fromNs(machine.dramFawNs, machine)),
      turnaround(fromNs(machine.dramTurnaroundNs, machine)),
      refreshInterval(fromNs(machine.dramRefreshIntervalNs, machine)),
      refreshTime(fromNs(machine.dramRefreshNs, machine)),
      latency(fromNs(
          std::max(machine.dramClNs, machine.dramLatencyNs - machine.dramRcdNs),
          machine)),
      channels(machine.dramChannels), channelDone(machine.dramChannels),
      windowBytes(machine.dramChannels) {
  counters.channelBytes.resize(machine.dramChannels);
  for (Channel &channel : channels) {
    channel.banks.resize(machine.dramBanksPerChannel);
    channel.nextRefresh = refreshInterval;
  }
}

void BankDram::refresh(Channel &channel, Time time) {
  while (std::max(time, channel.busFree) >= channel.nextRefresh) {
    Time end = channel.nextRefresh + refreshTime;
    if (end > channel.busFree) {
      counters.refreshTime +=
          end - std::max(channel.busFree, channel.nextRefresh);
      channel.busFree = end;
    }
    for (Bank &bank : channel.banks)
      bank.openRow = -1;
    channel.nextRefresh += refreshInterval;
    ++counters.refreshes;
  }
}

Time BankDram::activate(Channel &channel, const Run &run, Time time) {
  Bank &bank = channel.banks[run.bank];
  Time start = std::max(time, bank.lastUse);
  if (bank.openRow >= 0) {
    ++counters.rowConflicts;
    start = std::max(start, bank.activated + ras) + rp;
  } else {
    ++counters.rowMisses;
  }
  start = std::max({start, channel.lastActivate + rrd,
                    channel.activates[channel.oldest] + faw});
  channel.activates[channel.oldest] = start;
  channel.oldest = (channel.oldest + 1) % channel.activates.size();
  channel.lastActivate = start;
  bank.activated = start;
  bank.openRow = run.row;
  return start + rcd;
}

Time BankDram::serveRun(Channel &channel, const Run &run, Time time,
                        bool isWrite) {
  Bank &bank = channel.banks[run.bank];
  for (int64_t left = run.lines; left > 0;) {
    refresh(channel, time);
    if (channel.isWriting != isWrite) {
      channel.isWriting = isWrite;
      channel.busFree += turnaround;
      counters.turnaroundTime += turnaround;
    }
    Time earliest = std::max(time, channel.busFree);
    Time start = earliest;
    if (bank.openRow == run.row) {
      ++counters.rowHits;
    } else {
      start = std::max(earliest, activate(channel, run, time));
      counters.activateTime += start - earliest;
    }
    // The lines that are on the bus before the next refresh is due.
    Time beforeRefresh = channel.nextRefresh - start;
    int64_t lines =
        std::clamp<int64_t>((beforeRefresh + line - 1) / line, 1, left);
    counters.rowHits += lines - 1;
    counters.busTime += lines * line;
    channel.busFree = start + lines * line;
    bank.lastUse = channel.busFree;
    left -= lines;
  }
  return channel.busFree;
}

Time BankDram::serve(const MemoryWindow &window, Time time, bool isWrite,
                     std::vector<ChannelShare> *shares) {
  Time done = time;
  int64_t moved = 0;
  for (int64_t row = 0; row < window.rows; ++row) {
    int64_t begin = window.base + row * window.pitch;
    hash.forEachBlock(
        begin, begin + window.rowBytes,
        [&](int64_t block, int64_t offset, int64_t bytes) {
          int64_t channel = hash.getChannel(block);
          int64_t inner = hash.getInnerAddress(block) + offset;
          moved += bytes;
          counters.channelBytes[channel] += bytes;
          windowBytes[channel] += bytes;
          // A block larger than a row is as many runs.
          for (int64_t end = inner + bytes; inner < end;) {
            int64_t rowIndex = inner >> rowShift;
            int64_t next = std::min((rowIndex + 1) << rowShift, end);
            Run run{(rowIndex ^ (rowIndex >> bankShift)) & bankMask,
                    rowIndex >> bankShift, (next - inner) >> lineShift};
            channelDone[channel] =
                serveRun(channels[channel], run, time, isWrite);
            inner = next;
          }
        });
  }
  if (shares)
    shares->clear();
  for (size_t channel = 0; channel < channels.size(); ++channel) {
    if (windowBytes[channel] == 0)
      continue;
    done = std::max(done, channelDone[channel]);
    if (shares)
      shares->push_back({int64_t(channel), windowBytes[channel],
                         channelDone[channel] + latency});
    windowBytes[channel] = 0;
  }
  (isWrite ? counters.bytesWritten : counters.bytesRead) += window.getBytes();
  counters.partialLineBytes += moved - window.getBytes();
  return done + latency;
}
