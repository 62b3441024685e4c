// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/dist/Ranks.h"

#include "tegula/dist/control/RankSession.h"

using namespace tegula;

Ranks::Ranks() = default;
Ranks::Ranks(Ranks &&other) = default;
Ranks &Ranks::operator=(Ranks &&other) = default;
Ranks::~Ranks() = default;

Problem Ranks::start(int64_t count, Ranks &ranks) {
  return RankSession::start(count, ranks.session);
}

Problem Ranks::join(Ranks &ranks, const void *communicator) {
  return RankSession::join(communicator, ranks.session);
}

int64_t Ranks::getCount() const { return session->getCount(); }

std::optional<int64_t> Ranks::getRank() const { return session->getRank(); }

void Ranks::setLimit(int64_t nanoseconds) { session->setLimit(nanoseconds); }

void *Ranks::allocate(int64_t bytes) {
  Controller *controller = session->getController();
  return controller ? controller->allocate(bytes) : nullptr;
}
