// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What one rank did and when, written down only while somebody asks for it.

#ifndef TEGULA_DIST_RANKRECORDER_H
#define TEGULA_DIST_RANKRECORDER_H

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace tegula {

/// One thing a rank did.
struct RankEvent {
  enum class Kind : int32_t { Dispatch, Wait, Read, Write };

  Kind kind;
  /// An index into the sites of the kernel, or -1.
  int32_t site;
  /// In nanoseconds of the machine's clock.
  int64_t begin, end;
  /// Whose memory was used; -1 if it is about none.
  int64_t peer;
  int64_t bytes;
};

/// The events of one rank. Threads may add at once.
class RankRecorder {
public:
  void add(const RankEvent &event) {
    std::lock_guard<std::mutex> guard(lock);
    events.push_back(event);
  }
  /// All events so far; they are forgotten.
  std::vector<RankEvent> take() {
    std::lock_guard<std::mutex> guard(lock);
    return std::move(events);
  }

private:
  std::mutex lock;
  std::vector<RankEvent> events;
};

} // namespace tegula

#endif // TEGULA_DIST_RANKRECORDER_H
