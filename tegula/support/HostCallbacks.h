// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Functions of whoever calls host programs, which programs call back by name
/// between their dispatches.

#ifndef TEGULA_SUPPORT_HOSTCALLBACKS_H
#define TEGULA_SUPPORT_HOSTCALLBACKS_H

#include "tegula/support/TensorView.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>
#include <string_view>

namespace tegula {

/// What a callback is known by in compiled code.
int64_t hashCallbackName(std::string_view name);

/// Gets the tensors of the call; false if it failed.
using HostCallback = std::function<bool(llvm::ArrayRef<TensorView>)>;

/// Gives the function for a name; an empty one takes it back. No host program
/// may be running.
void setHostCallback(std::string_view name, HostCallback callback);

/// Runs all that no function was given for; empty for nobody.
using CallbackRelay = std::function<bool(int64_t, llvm::ArrayRef<TensorView>)>;
void setCallbackRelay(CallbackRelay relay);

/// Runs the function that was given for the name of that hash; false if there
/// is none, or it failed.
bool runHostCallback(int64_t name, llvm::ArrayRef<TensorView> tensors);

} // namespace tegula

#endif // TEGULA_SUPPORT_HOSTCALLBACKS_H
