// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/Accesses.h"

using namespace tegula;
using namespace tegula::emulator;

/// Whether it has certainly ended before whatever the thread does now.
bool Accesses::isOver(int32_t thread, const Access &access,
                      bool needsFence) const {
  switch (access.kind) {
  case Access::Kind::CopyIn:
    return knowledge.knowsRound(thread, access.owner, access.when);
  case Access::Kind::CopyOut:
    return access.readyWhen &&
           knowledge.knows(thread, access.owner, access.readyWhen);
  case Access::Kind::Store:
    return needsFence
               ? access.readyWhen &&
                     knowledge.knows(thread, access.owner, access.readyWhen)
               : knowledge.knows(thread, access.owner, access.when);
  case Access::Kind::Load:
    return knowledge.knows(thread, access.owner, access.when);
  case Access::Kind::Matmul:
    break;
  }
  // The threads of a group multiply together, so one of them is enough.
  for (int32_t i = 0; i < warpgroupThreads; ++i)
    if (uint32_t seen = access.end->seen[i];
        seen && knowledge.knows(thread, access.end->firstThread + i, seen))
      return true;
  return false;
}

const Access *Accesses::findUnwritten(int32_t thread, Bytes bytes,
                                      bool needsFence) const {
  for (const Access &access : all) {
    bool isWrite = access.kind == Access::Kind::CopyIn ||
                   access.kind == Access::Kind::Store;
    if (isWrite && access.bytes.overlaps(bytes) &&
        !isOver(thread, access, needsFence))
      return &access;
  }
  return nullptr;
}

const Access *Accesses::findUsed(int32_t thread, Bytes bytes) const {
  for (const Access &access : all)
    if (access.bytes.overlaps(bytes) &&
        !isOver(thread, access, /*needsFence=*/false))
      return &access;
  return nullptr;
}

void Accesses::add(Access access) {
  bool isWrite =
      access.kind == Access::Kind::CopyIn || access.kind == Access::Kind::Store;
  auto isForgotten = [&](const Access &other) {
    // The matmuls of a group end in order.
    bool isOlder = access.kind == Access::Kind::Matmul &&
                   other.kind == access.kind && other.owner == access.owner;
    return (isWrite || isOlder) && access.bytes.contains(other.bytes);
  };
  all.erase(std::remove_if(all.begin(), all.end(), isForgotten), all.end());
  all.push_back(std::move(access));
}

void Accesses::fence(int32_t thread) {
  for (Access &access : all)
    if (access.kind == Access::Kind::Store && access.owner == thread &&
        !access.readyWhen)
      access.readyWhen = knowledge.getTime(thread);
}

void Accesses::endCopiesOut(int32_t thread, uint32_t group) {
  for (Access &access : all)
    if (access.kind == Access::Kind::CopyOut && access.owner == thread &&
        access.when < group && !access.readyWhen)
      access.readyWhen = knowledge.getTime(thread);
}

bool Accesses::hasCopiesOut(int32_t thread) const {
  return std::any_of(all.begin(), all.end(), [&](const Access &access) {
    return access.kind == Access::Kind::CopyOut && access.owner == thread &&
           !access.readyWhen;
  });
}

const Access *Accesses::findArriving(int32_t thread) const {
  for (const Access &access : all)
    if (access.kind == Access::Kind::CopyIn &&
        !isOver(thread, access, /*needsFence=*/false))
      return &access;
  return nullptr;
}

std::string emulator::describe(const Access &access,
                               const ClusterShape &shape) {
  switch (access.kind) {
  case Access::Kind::CopyIn:
    return "what a copy brings that may not have arrived";
  case Access::Kind::CopyOut:
    return "what a copy to a tensor may not have read";
  case Access::Kind::Matmul:
    return "what matmuls of " +
           shape.nameThreads(access.end->firstThread, warpgroupThreads) +
           " may still read";
  case Access::Kind::Load:
    return "what " + shape.nameThread(access.owner) + " may still read";
  case Access::Kind::Store:
    break;
  }
  return "what " + shape.nameThread(access.owner) + " stored" +
         (access.readyWhen ? ", with no barrier between" : " without a fence");
}
