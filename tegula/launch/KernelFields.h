// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The fields of what is known about compiled code, for FieldCodec.h.

#ifndef TEGULA_LAUNCH_KERNELFIELDS_H
#define TEGULA_LAUNCH_KERNELFIELDS_H

#include "tegula/launch/call/SignatureBytes.h"
#include "tegula/launch/image/KernelImage.h"

namespace tegula {

template <> struct Fields<FileUse> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("path", self.path);
    visit("digest", self.digest);
  }
};

template <> struct Fields<KernelWarning> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("path", self.path);
    visit("line", self.line);
    visit("message", self.message);
    visit("text", self.text);
  }
};

template <> struct Fields<KernelFacts> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("signature", self.signature);
    visit("runner", self.runner);
    visit("digest", self.digest);
    visit("entry", self.entry);
    visit("features", self.features);
    visit("sites", self.sites);
    visit("files", self.files);
    visit("warnings", self.warnings);
  }
};

} // namespace tegula

#endif // TEGULA_LAUNCH_KERNELFIELDS_H
