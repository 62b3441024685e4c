// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/device/CallDescription.h"

using namespace tegula;

static thread_local CallDescriber *current = nullptr;

CallDescriber::CallDescriber() : before(current) { current = this; }

CallDescriber::~CallDescriber() { current = before; }

CallDescriber *CallDescriber::getCurrent() { return current; }
