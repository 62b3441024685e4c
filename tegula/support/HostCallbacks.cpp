// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/HostCallbacks.h"

#include <map>
#include <mutex>

using namespace tegula;

namespace {

struct Callbacks {
  std::mutex lock;
  std::map<int64_t, HostCallback> functions;
  CallbackRelay relay;
};

} // namespace

static Callbacks &getCallbacks() {
  static Callbacks callbacks;
  return callbacks;
}

int64_t tegula::hashCallbackName(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char letter : name)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return static_cast<int64_t>(hash);
}

void tegula::setHostCallback(std::string_view name, HostCallback callback) {
  Callbacks &callbacks = getCallbacks();
  std::lock_guard<std::mutex> guard(callbacks.lock);
  if (callback)
    callbacks.functions[hashCallbackName(name)] = std::move(callback);
  else
    callbacks.functions.erase(hashCallbackName(name));
}

void tegula::setCallbackRelay(CallbackRelay relay) {
  Callbacks &callbacks = getCallbacks();
  std::lock_guard<std::mutex> guard(callbacks.lock);
  callbacks.relay = std::move(relay);
}

bool tegula::runHostCallback(int64_t name, llvm::ArrayRef<TensorView> tensors) {
  Callbacks &callbacks = getCallbacks();
  HostCallback callback;
  {
    std::lock_guard<std::mutex> guard(callbacks.lock);
    auto found = callbacks.functions.find(name);
    if (found != callbacks.functions.end())
      callback = found->second;
    else if (callbacks.relay)
      callback = [name, relay = callbacks.relay](auto tensors) {
        return relay(name, tensors);
      };
  }
  // It may give others.
  return callback && callback(tensors);
}
