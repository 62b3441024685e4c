// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/device/DeviceStream.h"

using namespace tegula;

static thread_local DeviceStream current;

const DeviceStream &tegula::getDeviceStream() { return current; }

DeviceStreamScope::DeviceStreamScope(const DeviceStream &stream)
    : before(current) {
  current = stream;
}

DeviceStreamScope::~DeviceStreamScope() { current = before; }
